import { dispatchState, noteKind } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'
import type { OrderDetail } from '@zhuguan/contract/features/orders/orders.record.ts'
import { acceptanceResult, checkState } from '@zhuguan/contract/features/pieces/pieces.record.ts'

import { State, type Tone } from '../../kit/State.tsx'
import { full, short } from '../../kit/time.ts'
import { NoteLink } from '../../parts/documentLinks.tsx'

const { delivered, checked, shipped, returned } = dispatchState.code
const NOTE: Record<number, Tone> = {
  [shipped]: 'wait',
  [delivered]: 'wait',
  [checked]: 'ok',
  [returned]: 'bad',
}

/** Notes, changes and the revisions of an order. */
export function OrderPapers({ of: o }: { of: OrderDetail }) {
  const none = o.notes.length + o.changes.length + o.revisions.length === 0
  return (
    <section className="card section">
      <h2>单据</h2>
      {none && <p className="quiet">还没有发货单和退换补。</p>}
      <ul className="order-papers">
        {o.notes.map((n) => (
          <li key={n.id}>
            <span>{noteKind.label(n.kind)}</span>
            <NoteLink id={n.id} code={n.code} />
            <State tone={NOTE[n.state] ?? 'grey'}>{dispatchState.label(n.state)}</State>
            {n.checkState !== null && <span>{checkState.label(n.checkState)}</span>}
            <small className="quiet" title={full(n.deliveredAt ?? n.shippedAt)}>
              {n.deliveredAt !== null && `${short(n.deliveredAt)} 送达`}
              {n.deliveredAt === null && n.shippedAt !== null && `${short(n.shippedAt)} 发出`}
            </small>
          </li>
        ))}
        {o.changes.map((c) => (
          <li key={c.id}>
            <span>{c.result === null ? '退换补' : acceptanceResult.label(c.result)}</span>
            <b>{c.code}</b>
            <span>{examineState.label(c.examineState)}</span>
          </li>
        ))}
        {o.revisions.map((r) => (
          <li key={r.revision}>
            <span>第 {r.revision} 版</span>
            <span>{r.text}</span>
            <small className="quiet">{short(r.at)}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The events, the newest first. */
export const OrderLog = ({ of: o }: { of: OrderDetail }) => (
  <section className="card section screen-only">
    <h2>记录</h2>
    <ol className="order-log">
      {o.log.map((l) => (
        <li key={`${l.at} ${l.action} ${l.who}`}>
          <small title={full(l.at)}>{short(l.at)}</small>
          <b>{l.action}</b> <span>{l.who}</span>
          {l.reason && <span className="quiet">{l.reason}</span>}
        </li>
      ))}
    </ol>
  </section>
)
