import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { customerSource } from '@zhuguan/contract/features/customers/customers.record.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int4, json, row, text, uuid } from '../../kit/row.ts'
import { scoped, scopedStores, siteScope } from '../../kit/scoped.ts'
import { dayBegins, TODAY, type Where } from '../../kit/statement.ts'
import { overdue } from '../corrections/corrections.reads.ts'

/** A span and as many days of the one before. */
export interface Spans {
  from: string
  to: string
  beforeFrom: string
  beforeTo: string
}
type Bc = readonly string[] | undefined
const inBranches = (where: Where, alias: string, bc: Bc): Where =>
  where.when(bc, (p) => `${alias}.bc_id = ANY(${p}::uuid[])`)
/** The placeholders of both spans, after what `where` asks. */
function daysOf(where: Where, s: Spans) {
  const at = (day: string) => `$${where.values.push(day)}::date`
  const [from, to, beforeFrom, beforeTo] = [s.from, s.to, s.beforeFrom, s.beforeTo].map(at)
  return {
    now: (day: string) => `${day} BETWEEN ${from} AND ${to}`,
    before: (day: string) => `${day} BETWEEN ${beforeFrom} AND ${beforeTo}`,
    either: (day: string) =>
      `(${day} BETWEEN ${from} AND ${to} OR ${day} BETWEEN ${beforeFrom} AND ${beforeTo})`,
  }
}
const dayIn = (moment: string) => `(${moment} AT TIME ZONE 'Asia/Shanghai')::date`
const n = (condition: string) => `(count(*) FILTER (WHERE ${condition}))::int`
const half = (days: string, condition: string) =>
  `round((percentile_cont(0.5) WITHIN GROUP (ORDER BY ${days}) FILTER (WHERE ${condition}))::numeric, 1)::float8`

const leadRow = row({ bc_id: uuid, n: int4, before: int4 })
export async function leadsOf(tx: Tx, scope: Scope, s: Spans, bc: Bc) {
  const where = inBranches(scopedStores(scope, 'k').plain(`k.held <> 'merged'`), 'k', bc)
  const day = daysOf(where, s)
  const came = dayIn('k.created_at')
  const { rows } = await tx.query(
    'board.leads',
    leadRow,
    `SELECT k.bc_id, ${n(day.now(came))} AS n, ${n(day.before(came))} AS before
     FROM customers k
     WHERE ${where.text} AND ${day.either(came)}
     GROUP BY k.bc_id`,
    where.values,
  )
  return rows
}

/** The value of a branch, or of all together where there is none. */
const stepsRow = {
  bc_id: uuid.null,
  n: int4,
  before: int4,
  days: float8.null,
}
/** First money and signatures of contracts that are not void; days from the lead, and from the money. */
export async function contractsOf(tx: Tx, scope: Scope, s: Spans, bc: Bc) {
  const where = inBranches(scopedStores(scope, 'c').plain(`c.state <> 'void'`), 'c', bc)
  const day = daysOf(where, s)
  const { rows } = await tx.query(
    'board.contracts',
    row({ ...stepsRow, signed: int4, signedBefore: int4, signedDays: float8.null, money: text }),
    `SELECT x.bc_id, ${n(day.now('x.paid'))} AS n, ${n(day.before('x.paid'))} AS before,
       ${half('x.paid - x.came', day.now('x.paid'))} AS days, ${n(day.now('x.signed_on'))} AS signed,
       ${n(day.before('x.signed_on'))} AS "signedBefore",
       ${half('x.signed_on - x.paid', `${day.now('x.signed_on')} AND x.signed_on >= x.paid`)} AS "signedDays",
       coalesce(sum(x.total) FILTER (WHERE ${day.now('x.signed_on')}), 0.00)::text AS money
     FROM (
       SELECT c.bc_id, c.signed_on, c.total, ${dayIn('r.at')} AS paid, ${dayIn('k.created_at')} AS came
       FROM contracts c
       JOIN customers k ON k.tenant_id = $1 AND k.id = c.customer_id
       LEFT JOIN LATERAL (SELECT min(r.at) AS at FROM contract_receipts r
         WHERE r.tenant_id = $1 AND r.contract_id = c.id) r ON true
       WHERE ${where.text}) x
     WHERE ${day.either('x.paid')} OR ${day.either('x.signed_on')}
     GROUP BY GROUPING SETS ((x.bc_id), ())`,
    where.values,
  )
  return rows
}

/** Sites by the day on which they began and were finished; days from the signature, and from the beginning. */
export async function sitesOf(tx: Tx, scope: Scope, s: Spans, bc: Bc) {
  const where = inBranches(siteScope(scope), 'w', bc)
  const day = daysOf(where, s)
  const { rows } = await tx.query(
    'board.sites',
    row({ ...stepsRow, finished: int4, finishedBefore: int4, finishedDays: float8.null }),
    `SELECT w.bc_id, ${n(day.now('w.start_date'))} AS n, ${n(day.before('w.start_date'))} AS before,
       ${half('w.start_date - c.signed_on', `${day.now('w.start_date')} AND w.start_date >= c.signed_on`)} AS days,
       ${n(day.now('w.actual_finish'))} AS finished, ${n(day.before('w.actual_finish'))} AS "finishedBefore",
       ${half('w.actual_finish - w.start_date', day.now('w.actual_finish'))} AS "finishedDays"
     FROM sites w
     LEFT JOIN LATERAL (SELECT min(c.signed_on) AS signed_on FROM contracts c
       WHERE c.tenant_id = $1 AND c.site_id = w.id AND c.state <> 'void') c ON true
     WHERE ${where.text} AND (${day.either('w.start_date')} OR ${day.either('w.actual_finish')})
     GROUP BY GROUPING SETS ((w.bc_id), ())`,
    where.values,
  )
  return rows
}

export async function healthOf(tx: Tx, scope: Scope, bc: Bc) {
  const where = inBranches(siteScope(scope), 'w', bc).plain(`w.status = ${siteStatus.code.building}`)
  const { rows } = await tx.query(
    'board.health',
    row({ bc_id: uuid, building: int4, stopped: int4 }),
    `SELECT w.bc_id, count(*)::int AS building, ${n(`w.no_work <> '{}'`)} AS stopped
     FROM sites w
     WHERE ${where.text}
     GROUP BY w.bc_id`,
    where.values,
  )
  return rows
}
export async function overdueOf(tx: Tx, scope: Scope, bc: Bc) {
  const where = inBranches(scoped(scope, 'a'), 'a', bc)
  const { rows } = await tx.query(
    'board.overdue',
    row({ bc_id: uuid, n: int4 }),
    `SELECT a.bc_id, count(*)::int AS n FROM alarms a WHERE ${where.text} AND ${overdue('a')} GROUP BY a.bc_id`,
    where.values,
  )
  return rows
}

const { ordered, shipped, toShip } = orderState.code
/** Kept sums of pieces of each branch by state; of these on their way, those that were expected before today. */
export async function flowOf(tx: Tx, scope: Scope, bc: Bc) {
  const where = inBranches(scoped(scope, 'c'), 'c', bc)
  const late = where.text.replaceAll('c.', 'p.')
  const sums = orderState.values.map((s) => `'${s}', coalesce(sum(c.n${s}), 0)`).join(', ')
  const { rows } = await tx.query(
    'board.flow',
    row({ bc_id: uuid, states: json<Record<string, number>>(), late: int4 }),
    `SELECT c.bc_id, json_build_object(${sums}) AS states,
       (SELECT count(*)::int FROM orders o
        JOIN pieces p ON p.tenant_id = $1 AND p.order_id = o.id
        WHERE ${late} AND p.bc_id = c.bc_id AND o.tenant_id = $1 AND o.expected_on < ${TODAY}
          AND o.order_state IN (${ordered}, ${toShip}, ${shipped})
          AND p.order_state IN (${ordered}, ${toShip}, ${shipped})) AS late
     FROM piece_counts c
     WHERE ${where.text}
     GROUP BY c.bc_id`,
    where.values,
  )
  return rows
}

const weekRow = row({ bc_id: uuid, week: int4, n: int4 })
/** Counts of the nine weeks that end with `until`, by branch; 0 is the newest. */
async function weeksBy(
  name: string,
  tx: Tx,
  { day, from, where }: { day: string; from: string; where: Where },
  until: string,
) {
  const p = `$${where.values.push(until)}::date`
  const { rows } = await tx.query(
    name,
    weekRow,
    `SELECT x.bc_id, ((${p} - x.day) / 7)::int AS week, sum(x.n)::int AS n
     FROM (SELECT ${from.replace('DAY', day)} WHERE ${where.text}
         AND ${day} > ${p} - 63 AND ${day} <= ${p} GROUP BY 1, 2) x
     GROUP BY 1, 2`,
    where.values,
  )
  return rows
}
export const weeksOfLeads = (tx: Tx, scope: Scope, bc: Bc, until: string) =>
  weeksBy(
    'board.weeksofleads',
    tx,
    {
      day: dayIn('k.created_at'),
      from: 'k.bc_id, DAY AS day, count(*) AS n FROM customers k',
      where: inBranches(scopedStores(scope, 'k').plain(`k.held <> 'merged'`), 'k', bc),
    },
    until,
  )
export const weeksOfSigned = (tx: Tx, scope: Scope, bc: Bc, until: string) =>
  weeksBy(
    'board.weeksofsigned',
    tx,
    {
      day: 'c.signed_on',
      from: 'c.bc_id, DAY AS day, count(*) AS n FROM contracts c',
      where: inBranches(scopedStores(scope, 'c').plain(`c.state <> 'void'`), 'c', bc),
    },
    until,
  )
export const weeksOfStarted = (tx: Tx, scope: Scope, bc: Bc, until: string) =>
  weeksBy(
    'board.weeksofstarted',
    tx,
    {
      day: 'w.start_date',
      from: 'w.bc_id, DAY AS day, count(*) AS n FROM sites w',
      where: inBranches(siteScope(scope), 'w', bc),
    },
    until,
  )
export const weeksOfFinished = (tx: Tx, scope: Scope, bc: Bc, until: string) =>
  weeksBy(
    'board.weeksoffinished',
    tx,
    {
      day: 'w.actual_finish',
      from: 'w.bc_id, DAY AS day, count(*) AS n FROM sites w',
      where: inBranches(siteScope(scope), 'w', bc),
    },
    until,
  )
export const weeksOfAlarms = (tx: Tx, scope: Scope, bc: Bc, until: string) =>
  weeksBy(
    'board.weeksofalarms',
    tx,
    {
      day: dayIn('a.at'),
      from: 'a.bc_id, DAY AS day, count(*) AS n FROM alarms a',
      where: inBranches(scoped(scope, 'a'), 'a', bc),
    },
    until,
  )

/** The most frequent value of `column` among the rows of `where`, and its number. */
async function mostOf(
  name: string,
  tx: Tx,
  { column, table, where }: { column: string; table: string; where: Where },
  label: (kind: string) => string,
): Promise<{ mostly: string; mostlyN: number }> {
  const { rows } = await tx.query(
    name,
    row({ kind: text, n: int4 }),
    `SELECT ${column} AS kind, count(*)::int AS n
     FROM ${table}
     WHERE ${where.text}
     GROUP BY 1
     ORDER BY n DESC, kind
     LIMIT 1`,
    where.values,
  )
  const [most] = rows
  return most ? { mostly: label(most.kind), mostlyN: most.n } : { mostly: '', mostlyN: 0 }
}
interface Week {
  bc: string
  from: string
  to: string
}
const inWeek = (where: Where, at: string, { bc, from, to }: Week): Where =>
  where
    .add((p) => `x.bc_id = ${p}::uuid`, bc)
    .add((p) => `${at} >= ${dayBegins(p)}`, from)
    .add((p) => `${at} < ${dayBegins(`(${p}::date + 1)`)}`, to)
export const mostAlarms = (tx: Tx, scope: Scope, week: Week) =>
  mostOf(
    'board.mostalarms',
    tx,
    { column: 'x.type', table: 'alarms x', where: inWeek(scoped(scope, 'x'), 'x.at', week) },
    alarmType.label,
  )
export const mostLeads = (tx: Tx, scope: Scope, week: Week) =>
  mostOf(
    'board.mostleads',
    tx,
    {
      column: 'x.source',
      table: 'customers x',
      where: inWeek(scopedStores(scope, 'x').plain(`x.held <> 'merged'`), 'x.created_at', week),
    },
    customerSource.label,
  )
