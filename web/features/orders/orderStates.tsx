import {
  orderAsk,
  orderEnd,
  type OrderRow,
  type PlanRow,
  planBar,
  receiveState,
} from '@zhuguan/contract/features/orders/orders.record.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'

import { NOTHING } from '../../kit/list/columnsOf.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { dayOf, full, lasting, nowSeconds } from '../../kit/time.ts'

const RECEIVE: Record<number, Tone> = {
  [receiveState.code.waiting]: 'wait',
  [receiveState.code.rejected]: 'bad',
  [receiveState.code.accepted]: 'ok',
}
type Answering = Pick<OrderRow, 'dueAt' | 'ended' | 'receiveState'>
const waits = (o: Answering): boolean =>
  o.receiveState === receiveState.code.waiting && o.ended === orderEnd.code.live
/** Whether it was answered, and whether that is awaited for too long; of what is over, how it ended. */
export function ReceiveOf({ of: o }: { of: Answering }) {
  const label = receiveState.label(o.receiveState)
  if (o.ended !== orderEnd.code.live) return <State tone="grey">{orderEnd.label(o.ended)}</State>
  if (waits(o) && o.dueAt < nowSeconds()) return <State tone="bad">{`${label} · 超时`}</State>
  return <State tone={RECEIVE[o.receiveState] ?? 'grey'}>{label}</State>
}
const { accepted, arrived, toReturn } = orderState.code
const STATE: Record<number, Tone> = { [accepted]: 'ok', [arrived]: 'wait', [toReturn]: 'bad' }
export const StateOf = ({ state }: { state: number | null }) =>
  state === null ? NOTHING : <State tone={STATE[state] ?? 'grey'}>{orderState.label(state)}</State>
type Standing = Pick<OrderRow, 'ask' | 'orderState'>
/** The places of an order's goods, also of what had left when it ended; or the requests of one side to the other. */
export function StandingOf({ of: o }: { of: Standing }) {
  if (o.ask !== orderAsk.code.none) return <State tone="wait">{`申请${orderAsk.label(o.ask)}`}</State>
  return <StateOf state={o.orderState} />
}

/** The number of its lines that are accepted, as a bar and as a figure. */
export function ProgressOf({ of: o }: { of: Pick<OrderRow, 'lines' | 'linesAccepted'> }) {
  if (o.lines === 0) return NOTHING
  return (
    <span className="order-progress" title={`${o.lines} 行中已验收 ${o.linesAccepted} 行`}>
      <progress value={o.linesAccepted} max={o.lines} />
      {o.linesAccepted}/{o.lines}
    </span>
  )
}

/** The time that the buyer has waited for an answer, and whether that is too long. */
export function WaitOf({ of: o }: { of: OrderRow }) {
  const now = nowSeconds()
  const text = lasting((o.answeredAt ?? now) - o.madeAt)
  if (!waits(o)) return o.answeredAt ? <span className="quiet">{text}</span> : NOTHING
  const isLate = o.dueAt < now
  const title = isLate
    ? `应在 ${full(o.dueAt)} 前答复，已超 ${lasting(now - o.dueAt)}`
    : `请在 ${full(o.dueAt)} 前答复`
  return (
    <span className={isLate ? 'late' : undefined} title={title}>
      {text}
    </span>
  )
}

const DAY_S = 86_400
const daysSince = (day: string): number =>
  Math.round((Date.parse(dayOf(nowSeconds())) - Date.parse(day)) / 1000 / DAY_S)
/** A day that should have been kept; by how much it was not. */
export function DueDay({ day, late }: { day: string | null; late: boolean }) {
  if (day === null) return NOTHING
  const days = daysSince(day)
  return (
    <span className="order-day">
      {day}
      {late && days > 0 && <State tone="bad">{`逾期 ${days} 天`}</State>}
    </span>
  )
}

/** Nobody is named who would deliver it: whoever orders it says who. */
export const lacksReceiver = (r: Pick<PlanRow, 'bars' | 'receiver_id'>): boolean =>
  r.receiver_id === null && r.bars.includes(planBar.code.receiver)
/** The reason why it cannot be ordered now, in words; nothing where it can. */
export function whyNot(r: PlanRow): string | undefined {
  const bars = r.bars.filter((bar) => bar !== planBar.code.receiver || r.receiver_id !== null)
  if (bars.length) return bars.map(planBar.label).join('、')
  return Number(r.quantity) > 0 ? undefined : '已在被拒的订单里'
}
