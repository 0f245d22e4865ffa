import type { DriverStop } from '@zhuguan/contract/features/dispatch/driver.record.ts'
import { useEffect, useRef, useState } from 'react'

import { message } from '../../kit/notices.ts'
import { shelf } from '../../kit/shelf.ts'
import { SignaturePad } from '../../kit/SignaturePad.tsx'
import { PhotoField, WordsField } from './DoorFields.tsx'
import type { HandOverAct } from './outbox.ts'
import { usePlace } from './usePlace.ts'
import { WhereField } from './WhereField.tsx'

/** What is being filled in, kept from one opening of the page to the next. */
export interface HandOverDraft {
  counts: Record<string, string>
  photo: Blob | null
  signature: Blob | null
  place: string
  pickupCode: string
  /** Kept by pages that did not ask for them yet, drafts have none. */
  reason?: string
  damage?: string
  damagePhoto?: Blob | null
}
export const drafts = shelf<HandOverDraft>('handover')
export type Handed = Pick<
  HandOverAct,
  | 'damage'
  | 'damagePhoto'
  | 'lat'
  | 'lines'
  | 'lng'
  | 'photo'
  | 'pickupCode'
  | 'place'
  | 'reason'
  | 'signature'
>
const QUANTITY = /^\d{1,12}(\.\d{1,3})?$/
const LONGEST_PLACE = 60

export const emptyDraft = (stop: DriverStop): HandOverDraft => ({
  counts: Object.fromEntries(stop.lines.map((l) => [l.line_id, l.quantity])),
  photo: null,
  signature: null,
  place: stop.address.slice(0, LONGEST_PLACE),
  pickupCode: '',
})
/** The part that is handed over; null where it is everything, a sentence where it cannot be. */
export function linesIn(stop: DriverStop, counts: HandOverDraft['counts']): HandOverAct['lines'] | string {
  const given = stop.lines.map((l) => ({ ...l, count: counts[l.line_id]?.trim() || '0' }))
  const odd = given.find((l) => !QUANTITY.test(l.count) || Number(l.count) > Number(l.quantity))
  if (odd) return `${odd.name} 应填 0 到 ${odd.quantity} 之间的数量`
  if (given.every((l) => Number(l.count) === 0)) return '请填交了多少'
  if (given.every((l) => Number(l.count) === Number(l.quantity))) return null
  return given.filter((l) => Number(l.count) > 0).map((l) => ({ line_id: l.line_id, quantity: l.count }))
}

/** Goods are handed over: how much, with a picture, where, and who signs. */
export function HandOverSheet({
  stop,
  draft: begun,
  onClose,
  onDone,
}: {
  stop: DriverStop
  draft: HandOverDraft
  onClose: () => void
  onDone: (handed: Handed) => Promise<void>
}) {
  const [draft, setDraft] = useState(begun)
  const [busy, setBusy] = useState(false)
  const found = usePlace()
  const sheet = useRef<HTMLElement>(null)
  useEffect(() => {
    // It answers a promise in some browsers, which is no clean-up.
    sheet.current?.scrollIntoView()
  }, [])
  const put = (more: Partial<HandOverDraft>) => setDraft((d) => ({ ...d, ...more }))
  useEffect(() => void drafts.put(stop.id, draft).catch(() => {}), [draft])
  const lines = linesIn(stop, draft.counts)
  const isPart = Array.isArray(lines)
  const damage = draft.damage?.trim() ?? ''
  const reason = draft.reason?.trim() ?? ''
  async function done() {
    if (typeof lines === 'string') return message.error(lines)
    if (stop.needsCode && !draft.pickupCode) return message.error('请输入取货人的取货码')
    if (isPart && reason.length < 2) return message.error('没有交完，请写明原因')
    if (!draft.photo) return message.error('请先拍一张交货的照片')
    const { damagePhoto = null } = draft
    if (damage && !damagePhoto) return message.error('有损坏请拍一张损坏的照片')
    if (damagePhoto && damage.length < 2) return message.error('请写明损坏了什么')
    const { photo, pickupCode, place, signature } = draft
    setBusy(true)
    await onDone({
      lines,
      reason: isPart ? reason : '',
      damage,
      damagePhoto,
      photo,
      pickupCode,
      place: place.trim(),
      signature,
      lng: found.at?.lng ?? null,
      lat: found.at?.lat ?? null,
    })
  }
  const step = (id: string, most: string, by: number) => {
    const now = Number(draft.counts[id]) || 0
    const next = Math.max(0, Math.min(Number(most), now + by))
    put({ counts: { ...draft.counts, [id]: next === Number(most) ? most : String(next) } })
  }
  return (
    <section ref={sheet} className="driver-sheet" role="dialog" aria-label="交货">
      <header>
        <h2>交货 {stop.code}</h2>
        <button className="text-button" onClick={onClose}>
          返回
        </button>
      </header>
      <ul className="driver-counts">
        {stop.lines.map((l) => (
          <li key={l.line_id}>
            <span>
              {l.name} <small>{l.detail}</small>
              <small className="driver-of">
                共 {l.quantity} {l.unit}
              </small>
            </span>
            <span className="driver-count">
              <button
                type="button"
                aria-label={`${l.name} 少一`}
                onClick={() => step(l.line_id, l.quantity, -1)}
              >
                −
              </button>
              <input
                aria-label={`${l.name} 交货数量`}
                inputMode="decimal"
                value={draft.counts[l.line_id] ?? ''}
                onChange={(e) => put({ counts: { ...draft.counts, [l.line_id]: e.target.value } })}
              />
              <button
                type="button"
                aria-label={`${l.name} 多一`}
                onClick={() => step(l.line_id, l.quantity, 1)}
              >
                ＋
              </button>
            </span>
          </li>
        ))}
      </ul>
      {stop.needsCode && (
        <div className="driver-field">
          <label htmlFor="pickup">取货码</label>
          <input
            id="pickup"
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
            value={draft.pickupCode}
            placeholder="取货人手机上的 6 位数字"
            onChange={(e) => put({ pickupCode: e.target.value })}
          />
        </div>
      )}
      {isPart && (
        <WordsField
          id="rest"
          label="没交完的原因"
          example="电梯坏了，余下的明天再送"
          value={draft.reason ?? ''}
          onChange={(said) => put({ reason: said })}
        />
      )}
      <PhotoField label="照片" alt="交货照片" photo={draft.photo} onTaken={(photo) => put({ photo })} />
      <details className="driver-damage" open={damage !== '' || !!draft.damagePhoto}>
        <summary>路上有损坏</summary>
        <WordsField
          id="damage"
          label="损坏情况"
          example="两片砖角碎了"
          value={draft.damage ?? ''}
          onChange={(said) => put({ damage: said })}
        />
        <PhotoField
          label="损坏照片"
          alt="损坏的照片"
          photo={draft.damagePhoto ?? null}
          onTaken={(damagePhoto) => put({ damagePhoto })}
        />
      </details>
      <WhereField id="handed" value={draft.place} found={found} onChange={(place) => put({ place })} />
      <div className="driver-field">
        <span>收货人签名（没人签可以不签）</span>
        <SignaturePad label="签名" kept={begun.signature} onSigned={(signature) => put({ signature })} />
      </div>
      <footer>
        <button className="button primary" disabled={busy} onClick={() => void done()}>
          确认交货
        </button>
      </footer>
    </section>
  )
}
