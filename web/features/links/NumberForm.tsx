import { type FormEvent, useId, useState } from 'react'

import { ApiError } from '../../kit/api.ts'

/** A name, a number, and that whoever leaves them agrees to be called. */
export function NumberForm({
  titles,
  notice,
  unagreed,
  button,
  sent: thanks,
  send: give,
}: {
  titles: { name: string; phone: string }
  notice: string
  /** Said to whoever sends it without agreeing. */
  unagreed: string
  button: string
  sent: string
  send: (name: string, phone: string) => Promise<unknown>
}) {
  const id = useId()
  const [name, setName] = useState('')
  const [phone, setPhone] = useState('')
  const [agreed, setAgreed] = useState(false)
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)
  const [why, setWhy] = useState<{ text: string; fields: Record<string, string> }>({ text: '', fields: {} })
  async function send(e: FormEvent) {
    e.preventDefault()
    if (!agreed) return setWhy({ text: unagreed, fields: {} })
    setBusy(true)
    try {
      await give(name, phone)
      setSent(true)
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {}
      setWhy({ text: Object.keys(fields).length ? '' : (error as Error).message, fields })
    } finally {
      setBusy(false)
    }
  }
  if (sent)
    return (
      <p className="share-sent" role="status">
        {thanks}
      </p>
    )
  return (
    <form className="share-form" onSubmit={(e) => void send(e)}>
      <label htmlFor={`${id}name`}>{titles.name}</label>
      <input
        id={`${id}name`}
        value={name}
        maxLength={20}
        autoComplete="name"
        aria-invalid={!!why.fields.name}
        onChange={(e) => setName(e.target.value)}
      />
      {why.fields.name && <p role="alert">{why.fields.name}</p>}
      <label htmlFor={`${id}phone`}>{titles.phone}</label>
      <input
        id={`${id}phone`}
        value={phone}
        maxLength={20}
        inputMode="tel"
        autoComplete="tel"
        aria-invalid={!!why.fields.phone}
        onChange={(e) => setPhone(e.target.value)}
      />
      {why.fields.phone && <p role="alert">{why.fields.phone}</p>}
      <label className="share-agree">
        <input
          type="checkbox"
          checked={agreed}
          onChange={(e) => {
            setAgreed(e.target.checked)
            setWhy({ text: '', fields: {} })
          }}
        />
        <span>{notice}</span>
      </label>
      {why.text && <p role="alert">{why.text}</p>}
      <button className="button primary" disabled={busy || !name.trim() || !phone.trim()}>
        {button}
      </button>
    </form>
  )
}
