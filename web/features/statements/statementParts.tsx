import {
  owedKind,
  type StatementLine,
  type StatementRow,
  statementState,
} from '@zhuguan/contract/features/statements/statements.record.ts'
import { grouped, priceText } from '@zhuguan/contract/kit/digits.ts'
import type { ReactNode } from 'react'

import { State, type Tone } from '../../kit/State.tsx'
import { dayOf } from '../../kit/time.ts'
import { OrderLink } from '../../parts/documentLinks.tsx'

import '../../kit/plainTable.css'

const TONES: Readonly<Record<string, Tone>> = { sent: 'wait', disputed: 'bad', agreed: 'ok' }
export const StateOf = ({ of: s }: { of: Pick<StatementRow, 'state' | 'round'> }) => (
  <>
    <State tone={TONES[s.state] ?? 'grey'}>{statementState.label(s.state)}</State>
    {s.round > 1 && <small> 第 {s.round} 轮</small>}
  </>
)

interface Totals {
  acceptedAmount: string
  returnedAmount: string
  handAmount: string
  due: string
}
const isMinus = (amount: string) => amount.startsWith('-')
/** Line by line what a receiver is owed, and what it comes to: as it is printed on A4. */
export function OwedTable({
  lines,
  totals: t,
  more,
}: {
  lines: readonly StatementLine[]
  totals: Totals
  /** Rows below the sum. */
  more?: readonly (readonly [string, ReactNode])[]
}) {
  const sums: (readonly [string, ReactNode])[] = [
    ['验收金额', grouped(t.acceptedAmount)],
    ['退货金额', grouped(t.returnedAmount)],
    ['手工行', grouped(t.handAmount)],
    ['应付', <b key="due">{grouped(t.due)}</b>],
    ...(more ?? []),
  ]
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th>日期</th>
          <th>订单号</th>
          <th>验收单</th>
          <th>事项</th>
          <th className="right">数量</th>
          <th className="right">单价</th>
          <th className="right">金额（元）</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((l) => (
          <tr key={l.id} className={l.objection ? 'objected' : undefined}>
            <td>{dayOf(l.at)}</td>
            <td>{l.orderCode ? <OrderLink id={l.order_id} code={l.orderCode} /> : '--'}</td>
            <td>{l.sheetCode || '--'}</td>
            <td className="statement-name">
              {(l.kind !== owedKind.code.accepted || !l.name) && (
                <b className={isMinus(l.amount) ? 'late' : undefined}>{owedKind.label(l.kind)} </b>
              )}
              {l.name} <small>{l.detail}</small> {l.words}
              {l.objection && <p className="late">异议：{l.objection}</p>}
            </td>
            <td className="right">{l.quantity ? `${l.quantity} ${l.unit}` : '--'}</td>
            <td className="right">{l.price ? priceText(l.price) : '--'}</td>
            <td className="right">{grouped(l.amount)}</td>
          </tr>
        ))}
        {lines.length === 0 && (
          <tr>
            <td colSpan={7} className="quiet">
              没有验收，没有退货，也没有手工行。
            </td>
          </tr>
        )}
      </tbody>
      <tfoot>
        {sums.map(([name, value]) => (
          <tr key={name}>
            <td colSpan={6}>{name}</td>
            <td className="right">{value}</td>
          </tr>
        ))}
      </tfoot>
    </table>
  )
}
