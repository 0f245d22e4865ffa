import { noWork } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { AttendPeriod } from '@zhuguan/contract/features/statistics/attend.record.ts'
import type { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { int4, row, text } from '../../kit/row.ts'
import { scoped, siteScope } from '../../kit/scoped.ts'
import type { Where } from '../../kit/statement.ts'
import { ATTENDED, DUE, expectedOn, GUESTS } from '../attendance/attendance.reads.ts'
import { word } from '../exports/exports.service.ts'
import type { Span } from './span.ts'

type Attend = QueryOf<(typeof statisticsApi)['attend']>
type Groups = QueryOf<(typeof statisticsApi)['attendGroups']>
interface Place {
  bc_id?: string[] | undefined
  site_id?: string | undefined
}

const placed = (where: Where, q: Place, alias: string) =>
  where
    .when(q.bc_id, (p) => `${alias}.bc_id = ANY(${p}::uuid[])`)
    .when(q.site_id, (p) => `${alias}.site_id = ${p}::uuid`)
const within = (scope: Scope, span: Span, q: Place, alias: string): Where =>
  placed(
    scoped(scope, alias)
      .add((p) => `${alias}.day >= ${p}::date`, span.from)
      .add((p) => `${alias}.day <= ${p}::date`, span.to),
    q,
    alias,
  )

/**
 * Rows `d` of a day and a site with expected and present people. Of some trades only, they are counted from the crew and
 * from the people's own days; otherwise they are the kept rollup.
 */
function source(where: Where, trades: readonly number[] | undefined): string {
  if (!trades) return `(SELECT * FROM site_days d WHERE ${where.text}) d`
  const p = `$${where.values.push(trades)}::smallint[]`
  return `(SELECT d.tenant_id, d.day, d.site_id, d.bc_id, d.rest, d.blind, d.no_work, e.n::int AS expected, e.missed::int AS absent,
      a.n::int AS present FROM site_days d
    CROSS JOIN LATERAL (
      SELECT count(*) AS n, count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM attendance_days y
        WHERE y.tenant_id = d.tenant_id AND y.day = d.day AND y.site_id = d.site_id
          AND y.worker_id = m.worker_id)) AS missed
      FROM site_members m
      JOIN workers k ON k.tenant_id = m.tenant_id AND k.id = m.worker_id AND k.w_type = ANY(${p})
      WHERE m.tenant_id = d.tenant_id AND m.site_id = d.site_id AND ${expectedOn('m', 'd.day')}) e
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM attendance_days y
      JOIN workers k ON k.tenant_id = y.tenant_id AND k.id = y.worker_id AND k.w_type = ANY(${p}) WHERE y.tenant_id = d.tenant_id AND y.day = d.day AND y.site_id = d.site_id) a
    WHERE ${where.text}) d`
}

/** Whole branches without a trade: their kept days (`branch_attend`) say it in one row a day. */
const wholeBranches = (scope: Scope, q: Attend) => !q.w_type && !q.site_id && !scope.sites

const attendPeriod = row<AttendPeriod>({
  from: text,
  to: text,
  due: int4,
  attended: int4,
  guests: int4,
  present: int4,
  sites: int4,
  worked: int4,
  noWork: int4,
})
export async function attendPeriods(tx: Tx, scope: Scope, span: Span, q: Attend): Promise<AttendPeriod[]> {
  const where = within(scope, span, q, 'd')
  if (q.grain === 'day' && wholeBranches(scope, q))
    return (
      await tx.query(
        'statistics.branchdays',
        attendPeriod,
        `SELECT d.day::text AS "from", d.day::text AS "to", sum(d.due)::int AS due,
           sum(d.attended)::int AS attended, sum(d.guests)::int AS guests, sum(d.present)::int AS present,
           sum(d.sites)::int AS sites,
           sum(d.worked)::int AS worked, sum(d.no_work)::int AS "noWork"
         FROM branch_attend d
         WHERE ${where.text}
         GROUP BY d.day
         ORDER BY d.day`,
        where.values,
      )
    ).rows
  const from = source(where, q.w_type)
  const n = where.values.length
  const { rows } = await tx.query(
    'statistics.periods',
    attendPeriod,
    `SELECT greatest(p, $${n + 1}::date)::text AS "from", least((p + ('1 ' || $${n + 3}::text)::interval)::date - 1, $${n + 2}::date)::text AS "to", due, attended, guests, present, sites, worked, "noWork"
     FROM (SELECT date_trunc($${n + 3}::text, d.day::timestamp)::date AS p, ${DUE} AS due, ${ATTENDED} AS attended,
       ${GUESTS} AS guests, sum(d.present)::int AS present, count(DISTINCT d.site_id)::int AS sites,
       count(*) FILTER (WHERE d.present > 0)::int AS worked, count(*) FILTER (WHERE d.no_work)::int AS "noWork" FROM ${from} GROUP BY 1) g ORDER BY p`,
    [...where.values, span.from, span.to, q.grain],
  )
  return rows
}

export async function attendDays(tx: Tx, scope: Scope, span: Span, q: Attend) {
  const where = within(scope, span, q, 'd')
  if (wholeBranches(scope, q))
    return (
      await tx.query(
        'statistics.branch',
        row({ day: text, due: int4, attended: int4 }),
        `SELECT d.day::text AS day, sum(d.due)::int AS due, sum(d.attended)::int AS attended
         FROM branch_attend d
         WHERE ${where.text}
         GROUP BY d.day
         ORDER BY d.day`,
        where.values,
      )
    ).rows
  return (
    await tx.query(
      'statistics.days',
      row({ day: text, due: int4, attended: int4 }),
      `SELECT d.day::text AS day, ${DUE} AS due, ${ATTENDED} AS attended
       FROM ${source(where, q.w_type)}
       GROUP BY d.day
       ORDER BY d.day`,
      where.values,
    )
  ).rows
}

/** Sites that stand now by the six codes; each is the total of the list of standing sites with that code. */
export async function noWorkCounts(tx: Tx, scope: Scope, q: Place) {
  const where = siteScope(scope)
    .when(q.bc_id, (p) => `w.bc_id = ANY(${p}::uuid[])`)
    .when(q.site_id, (p) => `w.id = ${p}::uuid`)
  const { rows } = await tx.query(
    'statistics.nowork',
    row<Record<string, number>>({ c1: int4, c2: int4, c3: int4, c4: int4, c5: int4, c6: int4 }),
    `SELECT ${noWork.values.map((v) => `count(*) FILTER (WHERE w.no_work @> ARRAY[${v}]::smallint[])::int AS c${v}`).join(', ')}
     FROM sites w
     WHERE ${where.text}`,
    where.values,
  )
  return noWork.values.map((code) => ({ code, count: rows[0]![`c${code}`]! }))
}

/** A dimension's columns id, name, beside, due, attended, present, rate, hours; scope and span are in it. */
export function groupsOf(scope: Scope, span: Span, q: Groups): { from: string; where: Where } {
  const where = within(scope, span, q, 'd')
  // The same placeholders serve both halves: rows of attendance obey the scope of the days they fall on.
  const own = where.text.replaceAll('d.', 'y.')
  const trade = q.w_type
    ? ((p: string) => ` AND k.w_type = ANY(${p}::smallint[])`)(`$${where.values.push(q.w_type)}`)
    : ''
  // Rounded once, for a person's day, as the list shows it: whatever these are grouped by, they come to the same.
  const hours = `sum(round(extract(epoch FROM y.last_at - y.first_at) / 3600, 1))`
  const [key, id, name, beside, joins] = {
    branch: [
      'bc_id',
      'c.bc_id',
      'c.bc_name',
      `''`,
      'JOIN companies c ON c.tenant_id = g.tenant_id AND c.bc_id = g.key',
    ],
    site: [
      'site_id',
      'w.id',
      'w.ws_name',
      'c.bc_name',
      `JOIN sites w ON w.tenant_id = g.tenant_id AND w.id = g.key
       JOIN companies c ON c.tenant_id = w.tenant_id AND c.bc_id = w.bc_id`,
    ],
    trade: ['w_type', 'g.key', word('g.key', workerType), `''`, ''],
    person: [
      'worker_id',
      'k.id',
      'k.w_name',
      word('k.w_type', workerType),
      'JOIN workers k ON k.tenant_id = g.tenant_id AND k.id = g.key',
    ],
  }[q.by] as [string, string, string, string, string]
  const people = q.by === 'trade' || q.by === 'person' || q.w_type !== undefined
  const ofWorker: Record<string, string> = { w_type: 'k.w_type', worker_id: 'k.id' }
  const keyOf = (rows: string) => ofWorker[key] ?? `${rows}.${key}`
  const due = people
    ? `SELECT d.tenant_id, ${keyOf('d')} AS key,
         count(*) FILTER (WHERE NOT d.rest AND NOT (d.blind AND d.present = 0)) AS due,
         count(a.worker_id) FILTER (WHERE NOT d.rest) AS attended, count(a.worker_id) AS expected, 0 AS present,
         0 AS hours
       FROM site_days d
       JOIN site_members m ON m.tenant_id = d.tenant_id AND m.site_id = d.site_id AND ${expectedOn('m', 'd.day')}
       LEFT JOIN attendance_days a ON a.tenant_id = d.tenant_id AND a.day = d.day AND a.site_id = d.site_id
         AND a.worker_id = m.worker_id
       JOIN workers k ON k.tenant_id = m.tenant_id AND k.id = m.worker_id${trade}
       WHERE ${where.text}
       GROUP BY 1, 2`
    : `SELECT d.tenant_id, d.${key} AS key, ${DUE} AS due, ${ATTENDED} AS attended,
         sum(d.expected - d.absent)::int AS expected, 0 AS present, 0 AS hours
       FROM site_days d
       WHERE ${where.text}
       GROUP BY 1, 2`
  const been = `SELECT y.tenant_id, ${keyOf('y')} AS key, 0 AS due, 0 AS attended, 0 AS expected,
       count(*) AS present, ${hours} AS hours
     FROM attendance_days y
     JOIN workers k ON k.tenant_id = y.tenant_id AND k.id = y.worker_id${trade}
     WHERE ${own}
     GROUP BY 1, 2`
  const from = `(SELECT ${id}::text AS id, ${name} AS name, ${beside} AS beside, g.due, g.attended,
      g.present - g.expected AS guests,
      g.present, round(100.0 * g.attended / nullif(g.due, 0), 1)::float8 AS rate,
      round(g.hours::numeric, 1)::float8 AS hours
    FROM (SELECT tenant_id, key, sum(due)::int AS due, sum(attended)::int AS attended,
      sum(expected)::int AS expected, sum(present)::int AS present, sum(hours) AS hours
      FROM (${due} UNION ALL ${been}) h GROUP BY 1, 2) g ${joins}) r`
  return { from, where }
}
