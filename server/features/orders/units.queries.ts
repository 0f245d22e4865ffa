import type { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { receiveState } from '@zhuguan/contract/features/orders/orders.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope } from '../../database/connect.ts'
import { ownSide, scopedParties } from '../../kit/scoped.ts'
import { contains, dayBegins, type PageOf, settled } from '../../kit/statement.ts'
import { PROMISE } from '../pieces/promises.reads.ts'
import { LATE } from './orders.reads.ts'

type UnitFilters = QueryOf<(typeof ordersApi)['units']>
const { accepted, rejected, waiting } = receiveState.code
const sumOf = (condition: string) => `sum(w.amount) FILTER (WHERE ${condition})`
/** When something began to be owed; a line by hand that was approved later stands in the month that it is about. */
const OWED_AT = `CASE WHEN w.line_id IS NULL
           THEN least(w.at, ${dayBegins("(w.month + interval '1 month')::date")} - interval '1 second') ELSE w.at END`
/** What each company and store was asked in a span of days, how it answered, and what it is owed for them. */
export function unitPage(scope: Scope, amounts: boolean, q: UnitFilters): PageOf {
  const { where, ...sides } = scopedParties(scope, 'o')
  where.plain(ownSide(sides)).when(q.bc_id, (p) => `o.bc_id = ${p}::uuid`)
  const { where: billed, ...owing } = scopedParties(scope, 'w', { site: false, after: where })
  billed.plain(ownSide(owing)).when(q.bc_id, (p) => `w.bc_id = ${p}::uuid`)
  const { where: paid, ...paying } = scopedParties(scope, 'y', { site: false, after: billed })
  paid.plain(ownSide(paying)).when(q.bc_id, (p) => `y.bc_id = ${p}::uuid`)
  // The same placeholders serve answers and notes: both have the columns of the two parties.
  const of = (alias: string) => where.text.replaceAll('o.', `${alias}.`)
  const outer = settled(paid)
  const from = q.from && `$${outer.values.push(q.from)}::date`
  const to = q.to && `$${outer.values.push(q.to)}::date`
  const both = (parts: (string | undefined)[]) => parts.filter(Boolean).join(' AND ') || 'true'
  const within = (at: string) =>
    both([from && `${at} >= ${dayBegins(from)}`, to && `${at} < ${dayBegins(`(${to} + 1)`)}`])
  const days = (day: string) => both([from && `${day} >= ${from}`, to && `${day} <= ${to}`])
  const made = within('o.made_at')
  const count = (condition: string) => `count(*) FILTER (WHERE ${made} AND ${condition})::int`
  const money = (sql: string) => (amounts ? `(${sql})::text` : 'NULL::text')
  return {
    name: 'orders.units',
    alias: 'e',
    base: `(SELECT coalesce(k.receiver_id, m.receiver_id, v.receiver_id) AS receiver_id, k.name,
         coalesce(k.orders, 0) AS orders,
         coalesce(k.waiting, 0) AS waiting, coalesce(k.rejected, 0) AS rejected, coalesce(k.accepted, 0) AS accepted,
         coalesce(k.ended, 0) AS ended, coalesce(k.late, 0) AS late, h.answer_hours, coalesce(h.answers, 0) AS answers,
         coalesce(r.arrived, 0) AS arrived, coalesce(r.late, 0) AS arrived_late, coalesce(r.moved, 0) AS arrived_moved,
         round(100.0 * (r.arrived - r.late - r.moved) / nullif(r.arrived, 0), 1)::float8 AS on_time,
         coalesce(m.sold, 0.00) AS sold,
         coalesce(m.returned, 0.00) AS returned, coalesce(m.by_hand, 0.00) AS by_hand,
         coalesce(v.paid, 0.00) AS paid
       FROM (SELECT o.receiver_id, max(o.receiver_name) AS name, ${count('true')} AS orders,
         ${count(`o.receive_state = ${waiting} AND o.ended = ''`)} AS waiting,
         ${count(`o.receive_state = ${rejected} AND o.ended = ''`)} AS rejected,
         ${count(`o.receive_state = ${accepted}`)} AS accepted,
         ${count(`o.receive_state <> ${accepted} AND o.ended <> ''`)} AS ended, ${count(LATE)} AS late
       FROM orders o
       WHERE ${where.text}
       GROUP BY o.receiver_id) k
       FULL JOIN (SELECT w.receiver_id, ${sumOf('w.line_id IS NOT NULL AND w.quantity > 0')} AS sold,
           -${sumOf('w.line_id IS NOT NULL AND w.quantity < 0')} AS returned, ${sumOf('w.line_id IS NULL')} AS by_hand
         FROM owed_lines w
         WHERE ${billed.text} AND ${within(OWED_AT)}
         GROUP BY w.receiver_id) m ON m.receiver_id = k.receiver_id
       FULL JOIN (SELECT y.receiver_id, sum(y.amount) FILTER (WHERE ${days('y.paid_on')}) AS paid
         FROM owed_payments y
         WHERE ${paid.text} AND y.reversed_at IS NULL
         GROUP BY y.receiver_id) v ON v.receiver_id = coalesce(k.receiver_id, m.receiver_id)
       LEFT JOIN (SELECT a.receiver_id, count(*)::int AS answers,
           round(avg(a.worked_seconds) / 3600, 1)::float8 AS answer_hours
         FROM order_answers a
         WHERE ${of('a')} AND ${within('a.asked_at')}
         GROUP BY a.receiver_id) h ON h.receiver_id = coalesce(k.receiver_id, m.receiver_id, v.receiver_id)
       LEFT JOIN (SELECT d.receiver_id, (count(*) FILTER (WHERE p.promised))::int AS arrived,
           (count(*) FILTER (WHERE p.late))::int AS late, (count(*) FILTER (WHERE p.moved))::int AS moved
         FROM dispatches d
         CROSS JOIN LATERAL ${PROMISE} p
         WHERE ${of('d')} AND d.delivered_at IS NOT NULL AND ${within('d.delivered_at')}
         GROUP BY d.receiver_id) r ON r.receiver_id = coalesce(k.receiver_id, m.receiver_id, v.receiver_id)) e`,
    columns: `e.receiver_id AS id, coalesce(e.name, t.name, b.bc_name, '') AS name, coalesce(b.bc_name, '') AS bc_name,
       e.orders, e.waiting, e.rejected, e.accepted, e.ended, e.answer_hours AS "answerHours", e.answers, e.late,
       e.arrived, e.arrived_late AS "arrivedLate", e.arrived_moved AS "arrivedMoved", e.on_time AS "onTime",
       ${money('e.sold')} AS "acceptedAmount", ${money('e.returned')} AS "returnedAmount",
       ${money('e.by_hand')} AS "handAmount", ${money('e.sold - e.returned + e.by_hand')} AS due,
       ${money('e.paid')} AS paid`,
    joins: `LEFT JOIN stores t ON t.tenant_id = $1 AND t.id = e.receiver_id
     LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = coalesce(t.bc_id, e.receiver_id)`,
    where: outer
      .plain(`(e.orders > 0 OR e.sold <> 0 OR e.returned <> 0 OR e.by_hand <> 0 OR e.paid <> 0)`)
      .when(q.keyword || undefined, (p) => `lower(e.name) LIKE ${p}`, contains),
    sort: q.sort,
    otherwise: 'e.orders DESC',
    tie: 'e.receiver_id ASC',
    sortable: {
      orders: 'e.orders',
      waiting: 'e.waiting',
      late: 'e.late',
      arrivedLate: 'e.arrived_late',
      onTime: 'e.on_time',
    },
    filled: ['orders', 'waiting', 'late', 'arrivedLate'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}
