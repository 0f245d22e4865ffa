import type { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { receiveState } from '@zhuguan/contract/features/orders/orders.record.ts'
import type { DataOf, QueryOf } from '@zhuguan/contract/kit/api.ts'
import { minus } from '@zhuguan/contract/kit/money.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { json, row, text } from '../../kit/row.ts'
import { scopedParties } from '../../kit/scoped.ts'
import { contains, dayBegins, epoch, type PageOf, settled } from '../../kit/statement.ts'
import { LATE } from './orders.reads.ts'

type UnitFilters = QueryOf<(typeof ordersApi)['units']>
const { accepted, rejected, waiting } = receiveState.code
const sumOf = (condition: string) => `sum(w.amount) FILTER (WHERE ${condition})`
/** What each company and store was asked in a span of days, how it answered, and what it is owed for them. */
export function unitPage(scope: Scope, amounts: boolean, q: UnitFilters): PageOf {
  const { where } = scopedParties(scope, 'o')
  where.when(q.bc_id, (p) => `o.bc_id = ${p}::uuid`)
  const { where: billed } = scopedParties(scope, 'w', { site: false, after: where })
  billed.when(q.bc_id, (p) => `w.bc_id = ${p}::uuid`)
  const outer = settled(billed)
  const from = q.from && dayBegins(`$${outer.values.push(q.from)}`)
  const to = q.to && dayBegins(`($${outer.values.push(q.to)}::date + 1)`)
  const within = (at: string) =>
    [from && `${at} >= ${from}`, to && `${at} < ${to}`].filter(Boolean).join(' AND ') || 'true'
  const made = within('o.made_at')
  const count = (condition: string) => `count(*) FILTER (WHERE ${made} AND ${condition})::int`
  const money = (sql: string) => (amounts ? `(${sql})::text` : 'NULL::text')
  return {
    name: 'orders.units',
    alias: 'e',
    base: `(SELECT coalesce(k.receiver_id, m.receiver_id) AS receiver_id, k.name, coalesce(k.orders, 0) AS orders,
         coalesce(k.waiting, 0) AS waiting, coalesce(k.rejected, 0) AS rejected, coalesce(k.accepted, 0) AS accepted,
         coalesce(k.ended, 0) AS ended, coalesce(k.late, 0) AS late, k.answer_hours, coalesce(m.sold, 0.00) AS sold,
         coalesce(m.returned, 0.00) AS returned, coalesce(m.by_hand, 0.00) AS by_hand
       FROM (SELECT o.receiver_id, max(o.receiver_name) AS name, ${count('true')} AS orders,
         ${count(`o.receive_state = ${waiting} AND o.ended = ''`)} AS waiting,
         ${count(`o.receive_state = ${rejected} AND o.ended = ''`)} AS rejected,
         ${count(`o.receive_state = ${accepted}`)} AS accepted,
         ${count(`o.receive_state <> ${accepted} AND o.ended <> ''`)} AS ended, ${count(LATE)} AS late,
         round((extract(epoch FROM avg(o.answered_at - o.made_at) FILTER (WHERE ${made})) / 3600)::numeric, 1)::float8
           AS answer_hours
       FROM orders o
       WHERE ${where.text}
       GROUP BY o.receiver_id) k
       FULL JOIN (SELECT w.receiver_id, ${sumOf('w.line_id IS NOT NULL AND w.quantity > 0')} AS sold,
           -${sumOf('w.line_id IS NOT NULL AND w.quantity < 0')} AS returned, ${sumOf('w.line_id IS NULL')} AS by_hand
         FROM owed_lines w
         WHERE ${billed.text} AND ${within('w.at')}
         GROUP BY w.receiver_id) m ON m.receiver_id = k.receiver_id) e`,
    columns: `e.receiver_id AS id, coalesce(e.name, t.name, b.bc_name, '') AS name, coalesce(b.bc_name, '') AS bc_name,
       e.orders, e.waiting, e.rejected, e.accepted, e.ended, e.answer_hours AS "answerHours", e.late,
       ${money('e.sold')} AS "acceptedAmount", ${money('e.returned')} AS "returnedAmount",
       ${money('e.by_hand')} AS "handAmount", ${money('e.sold - e.returned + e.by_hand')} AS due`,
    joins: `LEFT JOIN stores t ON t.tenant_id = $1 AND t.id = e.receiver_id
     LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = coalesce(t.bc_id, e.receiver_id)`,
    where: outer
      .plain(`(e.orders > 0 OR e.sold <> 0 OR e.returned <> 0 OR e.by_hand <> 0)`)
      .when(q.keyword || undefined, (p) => `lower(e.name) LIKE ${p}`, contains),
    sort: q.sort,
    otherwise: 'e.orders DESC',
    tie: 'e.receiver_id ASC',
    sortable: { orders: 'e.orders', waiting: 'e.waiting', late: 'e.late' },
    filled: ['orders', 'waiting', 'late'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

type Statement = DataOf<(typeof ordersApi)['statement']>
/** What a receiver is owed for a month: what was written of it then, an ordered line of a sheet in one row. */
export async function statementOf(
  tx: Tx,
  scope: Scope,
  q: { receiver_id: string; month: string },
): Promise<Statement | undefined> {
  const { where } = scopedParties(scope, 'w', { site: false })
  where.add((p) => `w.receiver_id = ${p}::uuid`, q.receiver_id)
  const month = `$${where.values.push(`${q.month}-01`)}`
  const { rows } = await tx.query(
    'orders.statement',
    row({ name: text.null, lines: json<Statement['lines']>(), accepted: text, returned: text }),
    `WITH lines AS (
       SELECT (array_agg(w.id ORDER BY w.seq))[1] AS id, max(w.at) AS at, o.code AS order_code,
         coalesce(d.sheet_code, '') AS sheet, l.name, l.detail, l.unit, sum(w.quantity) AS quantity, w.price,
         sum(w.amount) AS amount, w.quantity > 0 AS more
       FROM owed_lines w
       JOIN order_lines l ON l.tenant_id = $1 AND l.id = w.line_id
       JOIN orders o ON o.tenant_id = $1 AND o.id = w.order_id
       LEFT JOIN dispatches d ON d.tenant_id = $1 AND d.id = w.note_id
       WHERE ${where.text} AND w.at >= ${dayBegins(month)}
         AND w.at < ${dayBegins(`(${month}::date + interval '1 month')`)}
       GROUP BY o.code, d.sheet_code, l.id, l.name, l.detail, l.unit, w.price, w.quantity > 0
     )
     SELECT (SELECT max(o.receiver_name) FROM orders o WHERE o.tenant_id = $1 AND o.receiver_id = $${
       where.values.length - 1
     }::uuid) AS name,
       coalesce(json_agg(json_build_object('id', k.id, 'at', ${epoch('k.at')}, 'orderCode', k.order_code,
         'sheetCode', k.sheet, 'name', k.name, 'detail', k.detail, 'unit', k.unit,
         'quantity', trim_scale(abs(k.quantity))::text, 'price', trim_scale(k.price)::text,
         'amount', k.amount::text)
         ORDER BY k.at, k.id), '[]') AS lines,
       coalesce(sum(k.amount) FILTER (WHERE k.more), 0.00)::text AS accepted,
       coalesce(-sum(k.amount) FILTER (WHERE NOT k.more), 0.00)::text AS returned
     FROM lines k`,
    where.values,
  )
  const { name, lines, accepted: sold, returned } = rows[0]!
  if (name === null) return undefined
  return {
    name,
    month: q.month,
    lines,
    acceptedAmount: sold,
    returnedAmount: returned,
    due: minus(sold, returned),
  }
}
