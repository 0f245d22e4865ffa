import type { OrderDetail, OrderLine, orderPiece } from '@zhuguan/contract/features/orders/orders.record.ts'
import { orderEnd, receiveState } from '@zhuguan/contract/features/orders/orders.record.ts'
import { acceptanceResult, orderState, piecePlace } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { grouped, priceText } from '@zhuguan/contract/kit/digits.ts'
import { useState } from 'react'
import type { z } from 'zod'

import { full, short } from '../../kit/time.ts'
import { StateOf } from './orderStates.tsx'

interface Step {
  name: string
  /** The progress of so much; nothing where it is not counted. */
  got?: string
  at: 'all' | 'part' | 'none'
}
const isNothing = (quantity: string) => Number(quantity) === 0
function step(name: string, got: string, whole: string): Step {
  if (isNothing(got)) return { name, at: 'none' }
  return { name, got, at: Number(got) >= Number(whole) ? 'all' : 'part' }
}
/** The way of a line: ordered, answered, shipped, arrived, accepted. */
function stepsOf(l: OrderLine, o: OrderDetail): Step[] {
  const isTaken = o.receiveState === receiveState.code.accepted
  const isRefused = o.receiveState === receiveState.code.rejected
  // What was taken back before an answer is kept like what was refused.
  const refused = o.ended === orderEnd.code.live ? '已拒单' : orderEnd.label(o.ended)
  return [
    { name: '已下单', at: 'all' },
    { name: isRefused ? refused : '已接单', at: isTaken || isRefused ? 'all' : 'none' },
    step('已发货', l.shipped, l.inForce),
    step('已送达', l.arrived, l.inForce),
    step('已验收', l.accepted, l.inForce),
  ]
}
const SAID = { all: '完成', part: '部分', none: '未到' }

const Track = ({ of: l, order }: { of: OrderLine; order: OrderDetail }) => (
  <ol className="order-track" aria-label="进展">
    {stepsOf(l, order).map((s) => (
      <li
        key={s.name}
        className={s.at}
        title={`${s.name}：${SAID[s.at]}${s.got ? ` ${s.got} ${l.unit}` : ''}`}
      >
        <span>
          {s.name} {s.got && <b>{s.got}</b>}
        </span>
      </li>
    ))}
    {!isNothing(l.returned) && (
      <li className="back" title={`退货 ${l.returned} ${l.unit}`}>
        <span>
          退 <b>{l.returned}</b>
        </span>
      </li>
    )}
  </ol>
)

type Piece = z.output<typeof orderPiece>
/** The paper that a part stands on. */
const paperOf = (p: Piece) => [p.noteCode, p.nextNoteCode, p.changeCode].filter(Boolean).join(' → ')
/** Where it is and what was found, as far as its state does not say it. */
const besides = (p: Piece): string[] => {
  const words = [piecePlace.label(p.place), p.result === null ? '' : acceptanceResult.label(p.result)]
  const state = p.orderState === null ? '' : orderState.label(p.orderState)
  return [...new Set(words)].filter((word) => word !== '' && word !== state)
}
const Pieces = ({ of: l }: { of: OrderLine }) => (
  <ul className="order-pieces">
    {l.pieces.map((p) => (
      <li key={p.id}>
        <b>
          {p.quantity} {l.unit}
        </b>
        <StateOf state={p.orderState} />
        {besides(p).map((word) => (
          <span key={word}>{word}</span>
        ))}
        {p.round > 0 && <span>第 {p.round + 1} 轮</span>}
        {paperOf(p) && <span>{paperOf(p)}</span>}
        <small className="quiet" title={full(p.since)}>
          {short(p.since)} 起
        </small>
      </li>
    ))}
  </ul>
)

function Line({ of: l, order, columns }: { of: OrderLine; order: OrderDetail; columns: number }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <tr className={open ? 'is-open' : undefined}>
        <td>
          <button
            className="text-button screen-only order-more"
            aria-expanded={open}
            aria-label={`${l.name}的各部分`}
            onClick={() => setOpen(!open)}
          >
            {open ? '▾' : '▸'}
          </button>{' '}
          {l.name} <small>{[l.code, l.detail].filter(Boolean).join(' ')}</small>
        </td>
        <td className="right nowrap">
          {l.inForce} {l.unit}
          {l.inForce !== l.quantity && <small className="quiet order-placed">下单 {l.quantity}</small>}
        </td>
        {order.amount !== null && (
          <>
            <td className="right nowrap">{l.price === null ? '--' : priceText(l.price)}</td>
            <td className="right nowrap">{l.amount === null ? '--' : grouped(l.amount)}</td>
          </>
        )}
        <td className="nowrap">{l.promisedOn ?? '--'}</td>
        <td>
          <Track of={l} order={order} />
        </td>
      </tr>
      {open && (
        <tr className="order-parts">
          <td colSpan={columns}>
            {l.pieces.length ? <Pieces of={l} /> : <p className="quiet">这一行已经没有商品在这张订单里。</p>}
          </td>
        </tr>
      )}
    </>
  )
}

/** A line a row with its whole way; what is split on it opens. */
export function OrderLines({ of: o }: { of: OrderDetail }) {
  const columns = o.amount === null ? 4 : 6
  const placed = o.placedAmount
  return (
    <section className="card section order-lines">
      <h2>
        商品 <small>{o.lineList.length} 行</small>
      </h2>
      <table className="plain-table">
        <thead>
          <tr>
            <th>商品</th>
            <th className="right">数量</th>
            {o.amount !== null && (
              <>
                <th className="right">采购单价</th>
                <th className="right">金额</th>
              </>
            )}
            <th>承诺到货</th>
            <th>进展</th>
          </tr>
        </thead>
        <tbody>
          {o.lineList.map((l) => (
            <Line key={l.id} of={l} order={o} columns={columns} />
          ))}
        </tbody>
        {o.amount !== null && (
          <tfoot>
            <tr>
              <td colSpan={3}>合计</td>
              <td className="right nowrap">{grouped(o.amount)}</td>
              <td colSpan={2} className="quiet">
                {placed !== null && placed !== o.amount && `下单时 ${grouped(placed)}`}
              </td>
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  )
}
