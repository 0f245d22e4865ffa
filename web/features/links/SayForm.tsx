import { type FormEvent, type ReactNode, useId, useState } from 'react'

import { useAct } from './useAct.ts'

const LEAST = 2

/** A few words that are sent once; what failed stays as it was written. */
export function SayForm({
  label,
  send,
  more,
  least = LEAST,
  onCancel,
  onSend,
}: {
  label: string
  send: string
  more?: ReactNode
  /** So many characters at least. */
  least?: number
  onCancel: () => void
  /** `actOf`: the number of what is sent, by all that is said with it. */
  onSend: (words: string, actOf: (...more: readonly unknown[]) => string) => Promise<void>
}) {
  const id = useId()
  const { actOf } = useAct()
  const [words, setWords] = useState('')
  const [busy, setBusy] = useState(false)
  const [why, setWhy] = useState('')
  async function submit(e: FormEvent) {
    e.preventDefault()
    setBusy(true)
    setWhy('')
    try {
      const said = words.trim()
      await onSend(said, (...more) => actOf(said, ...more))
    } catch (error) {
      setWhy((error as Error).message)
      setBusy(false)
    }
  }
  return (
    <form className="owner-say" onSubmit={(e) => void submit(e)}>
      {more}
      <label htmlFor={id}>{label}</label>
      <textarea id={id} rows={3} maxLength={200} value={words} onChange={(e) => setWords(e.target.value)} />
      {why && <p role="alert">{why}</p>}
      <div className="owner-buttons">
        <button className="button primary" disabled={busy || words.trim().length < least}>
          {busy ? '正在发送…' : send}
        </button>
        <button type="button" className="button" onClick={onCancel} disabled={busy}>
          取消
        </button>
      </div>
    </form>
  )
}
