import { sharePageApi } from '@zhuguan/contract/features/shares/share-page.api.ts'
import { SHARE_NOTICE } from '@zhuguan/contract/features/shares/share-page.record.ts'
import { type FormEvent, useState } from 'react'

import { ApiError, call } from '../../kit/api.ts'
import type { Bearer } from './bearer.ts'
import { useAct } from './useAct.ts'

/** Somebody wants to hear more: a name, a number, and that they agree to be called. */
export default function InterestForm({ bearer, maker }: { bearer: Bearer; maker: string }) {
  const [name, setName] = useState('')
  const [phone, setPhone] = useState('')
  const [agreed, setAgreed] = useState(false)
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)
  const [why, setWhy] = useState<{ text: string; fields: Record<string, string> }>({ text: '', fields: {} })
  const { actOf } = useAct()
  async function send(e: FormEvent) {
    e.preventDefault()
    if (!agreed) return setWhy({ text: '请先勾选同意，我们才能联系您', fields: {} })
    setBusy(true)
    try {
      await call(sharePageApi.interest, {
        body: { ...bearer, act: actOf(name, phone), name, phone, agreed: true },
      })
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
        收到了，{maker}会尽快联系您。
      </p>
    )
  return (
    <form className="share-form" onSubmit={(e) => void send(e)}>
      <label htmlFor="share-name">怎么称呼您</label>
      <input
        id="share-name"
        value={name}
        maxLength={20}
        autoComplete="name"
        aria-invalid={!!why.fields.name}
        onChange={(e) => setName(e.target.value)}
      />
      {why.fields.name && <p role="alert">{why.fields.name}</p>}
      <label htmlFor="share-phone">电话</label>
      <input
        id="share-phone"
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
        <span>{SHARE_NOTICE.words}</span>
      </label>
      {why.text && <p role="alert">{why.text}</p>}
      <button className="button primary" disabled={busy || !name.trim() || !phone.trim()}>
        请联系我
      </button>
    </form>
  )
}
