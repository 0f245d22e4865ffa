import type { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { receiveState } from '@zhuguan/contract/features/orders/orders.record.ts'
import { acceptanceResult } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import type { DataOf, QueryOf } from '@zhuguan/contract/kit/api.ts'
import { minus } from '@zhuguan/contract/kit/money.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { json, row, text } from '../../kit/row.ts'
import { scopedParties } from '../../kit/scoped.ts'
import { contains, dayBegins, epoch, type PageOf, Where } from '../../kit/statement.ts'
import { LATE } from './orders.reads.ts'

type UnitFilters = QueryOf<(typeof ordersApi)['units']>
const { accepted, rejected, waiting } = receiveState.code
/**
 * What was accepted, and what went back after that: each once, at the time when it happened. What was refused at once
 * is never owed.
 */
const MOVES = `(SELECT j.id, j.at, j.line_id, j.note_id, j.quantity, 1 AS sign
         FROM judgements j
         WHERE j.tenant_id = $1 AND j.result = ${acceptanceResult.code.accepted}
         UNION ALL
         SELECT v.id, v.at, p.line_id, v.note_id, v.quantity, -1
         FROM goods_moves v
         JOIN pieces p ON p.tenant_id = $1 AND p.id = v.piece_id
         WHERE v.tenant_id = $1 AND v.kind IN ('back', 'scrapped') AND EXISTS (
           SELECT 1
           FROM judgements j
           WHERE j.tenant_id = $1 AND j.piece_id = v.piece_id AND j.result = ${acceptanceResult.code.accepted}
             AND j.at < v.at))`
const OF_ORDERS = `JOIN order_lines l ON l.tenant_id = $1 AND l.id = m.line_id
       JOIN orders o ON o.tenant_id = $1 AND o.id = l.order_id`

/** What each company and store was asked in a span of days, how it answered, and what it is owed for them. */
export function unitPage(scope: Scope, amounts: boolean, q: UnitFilters): PageOf {
  const { where } = scopedParties(scope, 'o')
  where.when(q.bc_id, (p) => `o.bc_id = ${p}::uuid`)
  const outer = new Where()
  outer.values.push(...where.values)
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
    base: `(SELECT o.receiver_id, max(o.receiver_name) AS name, ${count('true')} AS orders,
         ${count(`o.receive_state = ${waiting} AND o.ended = ''`)} AS waiting,
         ${count(`o.receive_state = ${rejected} AND o.ended = ''`)} AS rejected,
         ${count(`o.receive_state = ${accepted}`)} AS accepted, ${count(LATE)} AS late,
         round((extract(epoch FROM avg(o.answered_at - o.made_at) FILTER (WHERE ${made})) / 3600)::numeric, 1)::float8
           AS answer_hours, m.sold, m.returned
       FROM orders o
       LEFT JOIN (
         SELECT k.receiver_id, sum(k.amount) FILTER (WHERE k.sign = 1) AS sold,
           sum(k.amount) FILTER (WHERE k.sign = -1) AS returned
         FROM (
           SELECT o.receiver_id, m.sign, round(sum(m.quantity) * l.price, 2) AS amount
           FROM ${MOVES} m
           ${OF_ORDERS}
           WHERE ${where.text} AND ${within('m.at')}
           GROUP BY o.receiver_id, m.note_id, l.id, l.price, m.sign) k
         GROUP BY k.receiver_id) m ON m.receiver_id = o.receiver_id
       WHERE ${where.text}
       GROUP BY o.receiver_id, m.sold, m.returned) e`,
    columns: `e.receiver_id AS id, e.name, coalesce(b.bc_name, '') AS bc_name, e.orders, e.waiting, e.rejected,
    e.accepted,
       e.answer_hours AS "answerHours", e.late, ${money('coalesce(e.sold, 0.00)')} AS "acceptedAmount",
       ${money('coalesce(e.returned, 0.00)')} AS "returnedAmount",
       ${money('coalesce(e.sold, 0.00) - coalesce(e.returned, 0.00)')} AS due`,
    joins: `LEFT JOIN stores t ON t.tenant_id = $1 AND t.id = e.receiver_id
     LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = coalesce(t.bc_id, e.receiver_id)`,
    where: outer
      .plain(`(e.orders > 0 OR e.sold > 0 OR e.returned > 0)`)
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
/**
 * What a receiver is owed for a month: what was accepted in it, less what went back of it or of earlier months. A line
 * of a sheet is rounded once, however often it was judged.
 */
export async function statementOf(
  tx: Tx,
  scope: Scope,
  q: { receiver_id: string; month: string },
): Promise<Statement | undefined> {
  const { where } = scopedParties(scope, 'o')
  where.add((p) => `o.receiver_id = ${p}::uuid`, q.receiver_id)
  const month = `$${where.values.push(`${q.month}-01`)}`
  const { rows } = await tx.query(
    'orders.statement',
    row({ name: text.null, lines: json<Statement['lines']>(), accepted: text, returned: text }),
    `WITH lines AS (
       SELECT (array_agg(m.id ORDER BY m.at, m.id))[1] AS id, max(m.at) AS at, o.code AS order_code,
         coalesce(d.sheet_code, '') AS sheet, l.name, l.detail, l.unit, sum(m.quantity) AS quantity, l.price,
         m.sign * round(sum(m.quantity) * l.price, 2) AS amount, m.sign
       FROM ${MOVES} m
       ${OF_ORDERS}
       LEFT JOIN dispatches d ON d.tenant_id = $1 AND d.id = m.note_id
       WHERE ${where.text} AND m.at >= ${dayBegins(month)}
         AND m.at < ${dayBegins(`(${month}::date + interval '1 month')`)}
       GROUP BY o.code, d.sheet_code, l.id, l.name, l.detail, l.unit, l.price, m.sign
     )
     SELECT (SELECT max(o.receiver_name) FROM orders o WHERE ${where.text}) AS name,
       coalesce(json_agg(json_build_object('id', k.id, 'at', ${epoch('k.at')}, 'orderCode', k.order_code,
         'sheetCode', k.sheet, 'name', k.name, 'detail', k.detail, 'unit', k.unit,
         'quantity', trim_scale(k.quantity)::text, 'price', trim_scale(k.price)::text, 'amount', k.amount::text)
         ORDER BY k.at, k.id), '[]') AS lines,
       coalesce(sum(k.amount) FILTER (WHERE k.sign = 1), 0.00)::text AS accepted,
       coalesce(-sum(k.amount) FILTER (WHERE k.sign = -1), 0.00)::text AS returned
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
