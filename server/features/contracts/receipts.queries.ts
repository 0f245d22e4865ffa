import {
  contractState,
  payMethod,
  refundStatus,
  signingProgress,
} from '@zhuguan/contract/features/contracts/contracts.record.ts'
import type { receiptsApi } from '@zhuguan/contract/features/contracts/receipts.api.ts'
import { COUNTER, dueWhen, type FlowTotals } from '@zhuguan/contract/features/contracts/receipts.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { int4, json, row, text } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import { epoch, type PageOf, settled, TODAY, type Where } from '../../kit/statement.ts'
import { END_DAY, IN_PLAN, matching, PAY_DAYS, SCHEDULE } from './contracts.queries.ts'

export type DueFilters = QueryOf<(typeof receiptsApi)['due']>
export type FlowFilters = QueryOf<(typeof receiptsApi)['totals']>
const { ending } = contractState.code
const { before, later, today, week } = dueWhen.code
const SUNDAY = `(date_trunc('week', ${TODAY})::date + 6)`

/** Instalments `m` of signed contracts in reach, and what is to be paid of a settlement. */
function dues(
  scope: Scope,
  keyword: string | undefined,
  bc: string | undefined,
): { base: string; where: Where } {
  const inner = matching(scope, keyword)
    .when(bc, (p) => `c.bc_id = ${p}::uuid`)
    .plain(`c.signing_progress = ${signingProgress.code.signed}`)
  const base = `(SELECT s.id, c.id AS contract_id, c.code, c.bc_id, c.customer_id, c.site_id, c.state, s.name, s.amount,
         s.covered, s.amount - s.covered AS open, s.due, coalesce(s.due, s.planned) AS day,
         s.due IS NULL AND s.planned IS NOT NULL AS planned,
         CASE WHEN coalesce(s.due, s.planned) < ${TODAY} THEN '${before}' WHEN s.due = ${TODAY} THEN '${today}'
           WHEN coalesce(s.due, s.planned) BETWEEN ${TODAY} AND ${SUNDAY} THEN '${week}'
           ELSE '${later}' END AS "when",
         CASE WHEN s.covered < s.amount THEN greatest(coalesce(${TODAY} - s.due - s.days, 0), 0) ELSE 0 END AS late
       FROM contracts c
       CROSS JOIN LATERAL (
         SELECT x.id, x.name, x.amount, x.covered, x.due, x.planned, x.days
         FROM ${SCHEDULE} x
         WHERE c.state IN (${IN_PLAN}) AND x.amount > 0
         UNION ALL
         SELECT c.id, '终止结算', c.end_value, least(c.paid, c.end_value), ${END_DAY}, NULL, ${PAY_DAYS}
         WHERE c.state = '${ending}' AND c.end_value > 0) s
       WHERE ${inner.text}) m`
  return { base, where: settled(inner) }
}
export function duePage(scope: Scope, q: DueFilters): PageOf {
  const { base, where } = dues(scope, q.keyword, q.bc_id)
  return {
    base,
    name: 'contracts.due',
    alias: 'm',
    columns: `m.id, m.contract_id, m.code, b.bc_name, u.name AS "customerName", m.site_id,
       coalesce(w.ws_name, '') AS ws_name, m.name, m.state, m.amount::text AS amount, m.covered::text AS covered,
       m.open::text AS open, m.day::text AS "dueOn", m.planned, m."when", m.late AS "lateDays"`,
    joins: `JOIN companies b ON b.tenant_id = $1 AND b.bc_id = m.bc_id
     JOIN customers u ON u.tenant_id = $1 AND u.id = m.customer_id
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = m.site_id`,
    where: where
      .when(q.when, (p) => `m."when" = ANY(${p}::text[])`)
      .plain(q.unpaid === true && 'm.open > 0')
      .plain(q.unpaid === false && 'm.open = 0')
      .plain(q.overdue === true && 'm.late > 0')
      .plain(q.overdue === false && 'm.late = 0'),
    sort: q.sort,
    otherwise: ['m.day ASC NULLS LAST', 'm.code ASC'],
    tie: 'm.id',
    sortable: { dueOn: 'm.day', open: 'm.open', amount: 'm.amount', code: 'm.code', lateDays: 'm.late' },
    filled: ['open', 'amount', 'code', 'lateDays'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}
/** The open part of instalments due until Sunday, and of them those of today, of before, and of the days to come. */
export async function dueNow(tx: Tx, scope: Scope) {
  const { base, where } = dues(scope, undefined, undefined)
  const of = (condition: string) => `(count(*) FILTER (WHERE ${condition}))::int`
  const { rows } = await tx.query(
    'contracts.duenow',
    row({ n: int4, open: text, before: int4, today: int4, week: int4, overdue: int4 }),
    `SELECT count(*)::int AS n, coalesce(sum(m.open), 0.00)::text AS open, ${of(`m."when" = '${before}'`)} AS before,
       ${of(`m."when" = '${today}'`)} AS today, ${of(`m."when" = '${week}'`)} AS week, ${of('m.late > 0')} AS overdue
     FROM ${base}
     WHERE m.open > 0 AND m."when" <> '${later}'`,
    where.values,
  )
  return rows[0]!
}

const { approved, rejected, waiting } = refundStatus.code
const STATES = `CASE f.status WHEN ${approved} THEN 'booked' WHEN ${waiting} THEN 'waiting'
         WHEN ${rejected} THEN 'rejected' ELSE 'withdrawn' END`
/**
 * Receipts and refunds `m` of contracts in reach. `cash` is what went over the counter: what is kept of a deposit never
 * left, and what is moved stands with us before and after.
 */
function flows(scope: Scope, q: FlowFilters): { base: string; where: Where } {
  const inner = scopedStores(scope, 'c').when(q.bc_id, (p) => `c.bc_id = ${p}::uuid`)
  const found = matching(scope, q.keyword, inner)
  const base = `(SELECT r.id, r.code, 'taken' AS type, CASE r.kind WHEN 'moved' THEN 'movedIn' ELSE r.kind END AS kind,
         r.contract_id, c.code AS contract, c.customer_id, c.bc_id, r.amount,
         CASE WHEN r.kind IN ('deposit', 'payment') THEN r.amount ELSE 0.00 END AS cash, r.method, r.payer, r.user_id,
         r.user_name, r.paid_on, r.at, 'booked' AS state
       FROM contract_receipts r
       JOIN contracts c ON c.tenant_id = $1 AND c.id = r.contract_id
       WHERE r.tenant_id = $1 AND ${found.text}
       UNION ALL
       SELECT f.id, f.code, 'given', CASE f.kind WHEN 'moved' THEN 'movedOut' WHEN 'deposit' THEN 'giveBack'
           ELSE f.kind END, f.contract_id, c.code, c.customer_id, c.bc_id, -f.amount,
         CASE WHEN f.kind = 'moved' THEN 0.00 ELSE f.amount - f.kept END, f.method, f.payee, f.user_id, f.user_name,
         f.paid_on, f.at, ${STATES}
       FROM contract_refunds f
       JOIN contracts c ON c.tenant_id = $1 AND c.id = f.contract_id
       WHERE f.tenant_id = $1 AND ${found.text}) m`
  const where = settled(found)
    .when(q.type, (p) => `m.type = ANY(${p}::text[])`)
    .when(q.kind, (p) => `m.kind = ANY(${p}::text[])`)
    .when(q.method, (p) => `m.method = ANY(${p}::text[])`)
    .when(q.state, (p) => `m.state = ANY(${p}::text[])`)
    .when(q.user_id, (p) => `m.user_id = ${p}::uuid`)
    .when(q.from, (p) => `m.paid_on >= ${p}::date`)
    .when(q.to, (p) => `m.paid_on <= ${p}::date`)
  return { base, where }
}
export function flowPage(scope: Scope, q: QueryOf<(typeof receiptsApi)['flow']>): PageOf {
  return {
    ...flows(scope, q),
    name: 'contracts.flow',
    alias: 'm',
    columns: `m.id, m.code, m.type, m.kind, m.contract_id, m.contract AS "contractCode", u.name AS "customerName",
       b.bc_name, m.amount::text AS amount, m.method, m.payer, m.user_name AS by, m.paid_on::text AS "paidOn",
       ${epoch('m.at')} AS at, m.state`,
    joins: `JOIN companies b ON b.tenant_id = $1 AND b.bc_id = m.bc_id
     JOIN customers u ON u.tenant_id = $1 AND u.id = m.customer_id`,
    sort: q.sort,
    otherwise: 'm.at DESC',
    tie: 'm.id DESC',
    sortable: { paidOn: 'm.paid_on', amount: 'm.amount', code: 'm.code', at: 'm.at' },
    filled: ['amount', 'code', 'at'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}
const OVER_THE_COUNTER = `m.state = 'booked' AND m.kind IN (${COUNTER.map((k) => `'${k}'`).join(', ')})`
const MOVED = `coalesce(sum(m.cash) FILTER (WHERE m.type = 'taken'), 0.00)::text AS taken,
       coalesce(sum(m.cash) FILTER (WHERE m.type = 'given'), 0.00)::text AS given,
       coalesce(sum(CASE m.type WHEN 'taken' THEN m.cash ELSE -m.cash END), 0.00)::text AS net, count(*)::int AS count`
/** The sums of these rows, by way of payment. */
export async function flowTotals(tx: Tx, scope: Scope, q: FlowFilters, now: Date): Promise<FlowTotals> {
  const { base, where } = flows(scope, q)
  const { rows } = await tx.query(
    'contracts.flowtotals',
    row({ method: text.of(payMethod).null, taken: text, given: text, net: text, count: int4 }),
    `SELECT m.method, ${MOVED}
     FROM ${base}
     WHERE ${where.text} AND ${OVER_THE_COUNTER}
     GROUP BY GROUPING SETS ((m.method), ())
     ORDER BY m.method NULLS FIRST`,
    where.values,
  )
  // Which row the total is differs between releases of PostgreSQL: it is the one without a method.
  const { method: _, ...all } = rows.find((r) => r.method === null)!
  const others = await tx.query(
    'contracts.flowpeople',
    row({ people: json<FlowTotals['people']>(), still: int4 }),
    `SELECT coalesce((SELECT json_agg(json_build_object('id', k.user_id, 'name', k.name) ORDER BY k.name)
         FROM (SELECT m.user_id, max(m.user_name) AS name FROM ${base} WHERE ${where.text} GROUP BY m.user_id) k), '[]')
         AS people,
       (SELECT count(*)::int FROM ${base}
         WHERE ${where.text} AND m.state = 'booked' AND NOT (${OVER_THE_COUNTER})) AS still`,
    where.values,
  )
  const order = payMethod.values
  return {
    ...all,
    ...others.rows[0]!,
    methods: rows
      .filter((r) => r.method !== null)
      .map(({ method, ...m }) => ({ ...m, method: method! }))
      .sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method)),
    at: Math.floor(now.getTime() / 1000),
  }
}
/** Of a day: how often money went over the counter, and what came in and went back. */
export async function flowsOn(tx: Tx, scope: Scope, days: readonly string[]) {
  const { base, where } = flows(scope, {})
  const { rows } = await tx.query(
    'contracts.flowdays',
    row({ taken: text, given: text, net: text, count: int4, takings: int4 }),
    `SELECT coalesce(k.taken, '0.00') AS taken, coalesce(k.given, '0.00') AS given, coalesce(k.net, '0.00') AS net,
       coalesce(k.count, 0) AS count, coalesce(k.takings, 0) AS takings
     FROM unnest($${where.values.length + 1}::date[]) WITH ORDINALITY AS d(day, place)
     LEFT JOIN (SELECT m.paid_on, ${MOVED}, (count(*) FILTER (WHERE m.type = 'taken'))::int AS takings
       FROM ${base}
       WHERE ${OVER_THE_COUNTER} AND m.paid_on >= $${where.values.length + 2}::date
       GROUP BY m.paid_on) k ON k.paid_on = d.day
     ORDER BY d.place`,
    [...where.values, days, days[0]],
  )
  return rows
}
