import type { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import {
  attendance,
  type AttendanceRow,
  type Punch,
  punchDirection,
  punchSource,
} from '@zhuguan/contract/features/attendance/attendance.record.ts'
import { faceWhy } from '@zhuguan/contract/features/workers/faces.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { invalid } from '../../kit/refuse.ts'
import { float8, int2, int4, json, row, text, type RowOf, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { addDays, startOfDay } from '../../kit/shanghai.ts'
import { Json, type Where } from '../../kit/statement.ts'
import { epoch } from '../../kit/statement.ts'
import { endOfNight, expectedOn } from './attendance.reads.ts'

export type AttendanceFilters = QueryOf<(typeof attendanceApi)['list']>
const { present, absent } = attendance.code
const MAX_DAYS = 400

/** The days asked for; today when none are. */
export function rangeOf(q: AttendanceFilters, today: string): { from: string; to: string } {
  const to = q.to ?? (q.from && q.from > today ? q.from : today)
  const from = q.from ?? q.to ?? today
  if (from > to) throw invalid('to', '结束日期不能早于开始日期')
  if (from < addDays(to, 1 - MAX_DAYS)) throw invalid('from', `一次最多查看 ${MAX_DAYS} 天`)
  return { from, to }
}

/** One day is an equality: a span of unknown length would look like a tenth of the table, and be planned anew every time. */
const onDays = (where: Where, column: string, from: string, to: string): Where =>
  from === to
    ? where.add((p) => `${column} = ${p}::date`, from)
    : where.add((p) => `${column} >= ${p}::date`, from).add((p) => `${column} <= ${p}::date`, to)

/** Conditions on `k`, which is a person's day or a site's day: both have tenant, branch, site and day; `x` is the person. */
export function dayWhere(scope: Scope, q: AttendanceFilters, range: { from: string; to: string }): Where {
  return onDays(scoped(scope, 'k'), 'k.day', range.from, range.to)
    .when(q.bc_id, (p) => `k.bc_id = ANY(${p}::uuid[])`)
    .when(q.site_id, (p) => `k.site_id = ${p}::uuid`)
    .when(q.w_type, (p) => `x.w_type = ANY(${p}::smallint[])`)
    .when(q.worker_id, (p) => `x.id = ${p}::uuid`)
}
const byPerson = (q: AttendanceFilters) =>
  q.w_type !== undefined || q.worker_id !== undefined || q.guest !== undefined
/** Guests came, and nobody else is asked for with them. */
const statusesOf = (q: AttendanceFilters): readonly number[] =>
  q.guest === true ? [present] : (q.attendance ?? attendance.values)
const person = (q: AttendanceFilters, id: string) =>
  byPerson(q) ? `JOIN workers x ON x.tenant_id = $1 AND x.id = ${id}` : ''

const BY_KIND = (guest: boolean) =>
  `(SELECT y.* FROM attendance_days y WHERE y.tenant_id = $1 AND ${guest ? 'NOT ' : ''}EXISTS (
     SELECT 1 FROM site_members m WHERE m.tenant_id = $1 AND m.site_id = y.site_id AND m.worker_id = y.worker_id
       AND ${expectedOn('m', 'y.day')}))`
/** Who came: one row a person, site and day. Who was expected and did not come: members of the site's day without one. */
const CAME = (q: AttendanceFilters) =>
  `${q.guest === undefined ? 'attendance_days' : BY_KIND(q.guest)} k ${person(q, 'k.worker_id')}`
const MISSED = (q: AttendanceFilters) =>
  `site_days k
   JOIN site_members m ON m.tenant_id = $1 AND m.site_id = k.site_id
     AND ${expectedOn('m', 'k.day')} ${person(q, 'm.worker_id')}
   LEFT JOIN attendance_days a ON a.tenant_id = $1 AND a.day = k.day AND a.site_id = k.site_id
     AND a.worker_id = m.worker_id`
const CAME_COLUMNS =
  'k.tenant_id, k.day, k.site_id, k.worker_id, k.bc_id, k.first_at, k.last_at, k.count, k.makeups'
const MISSED_COLUMNS = `k.tenant_id, k.day, k.site_id, m.worker_id, k.bc_id, NULL::timestamptz AS first_at,
     NULL::timestamptz AS last_at, 0 AS count, 0 AS makeups`
const NOBODY_CAME = 'a.worker_id IS NULL'

const dayCount = row({ day: text, present: int4, absent: int4 })
type DayCount = RowOf<typeof dayCount>
/** The table in which the people of a day are counted already. */
const kept = (scope: Scope, q: AttendanceFilters) =>
  q.site_id || scope.sites ? 'site_days' : 'branch_attend'
/** People per day: from the days of branches or sites, which are kept with every event, unless single people or trades are asked for. */
async function countDays(tx: Tx, scope: Scope, q: AttendanceFilters, where: Where): Promise<DayCount[]> {
  // Only what is asked for: finding who did not come is the dearer half.
  const halves: Record<number, string> = {
    [present]: `SELECT k.day, count(*) AS present, 0 AS absent FROM ${CAME(q)} WHERE ${where.text} GROUP BY 1`,
    [absent]: `SELECT k.day, 0 AS present, count(DISTINCT (k.site_id, m.worker_id)) AS absent
       FROM ${MISSED(q)}
       WHERE ${where.text} AND ${NOBODY_CAME}
       GROUP BY 1`,
  }
  const statement = byPerson(q)
    ? `SELECT day::text AS day, sum(present)::int AS present, sum(absent)::int AS absent
       FROM (${[...new Set(statusesOf(q))].map((s) => halves[s]).join(' UNION ALL ')}) d
       GROUP BY 1`
    : `SELECT k.day::text AS day, sum(k.present)::int AS present, sum(k.absent)::int AS absent
       FROM ${kept(scope, q)} k
       WHERE ${where.text}
       GROUP BY 1`
  return (await tx.query('attendance.count', dayCount, `${statement} ORDER BY 1`, where.values)).rows
}

/** A page is cut from segments: each day's people who came, then those who did not. */
interface Slice {
  day: string
  status: number
  skip: number
  take: number
}
export function cut(
  days: readonly DayCount[],
  statuses: readonly number[],
  offset: number,
  size: number,
): { total: number; slices: Slice[] } {
  let total = 0
  const slices: Slice[] = []
  for (const d of days)
    for (const [status, n] of [
      [present, d.present],
      [absent, d.absent],
    ] as const) {
      if (!statuses.includes(status)) continue
      const skip = Math.max(0, offset - total)
      const take = Math.min(n - skip, offset + size - total - skip)
      if (n > skip && take > 0) slices.push({ day: d.day, status, skip, take })
      total += n
    }
  return { total, slices }
}

const SORTS: Record<string, string> = {
  firstAt: 'first_at',
  lastAt: 'last_at',
  hours: 'last_at - first_at',
  count: 'count',
}
/** Order inside a day: the newest first punch first, unless asked otherwise. */
function inDay(sort: readonly string[] | undefined, alias: string): string {
  const fields = (sort ?? [])
    .filter((s) => s.replace('-', '') !== 'day')
    .map(
      (s) =>
        `${SORTS[s.replace('-', '')]!.replaceAll(/(first_at|last_at|count)/g, `${alias}.$1`)} ${s.startsWith('-') ? 'DESC' : 'ASC'}`,
    )
  return (fields.length ? fields : [`${alias}.first_at DESC`]).join(', ')
}
export const HOURS = `CASE
     WHEN k.last_at > k.first_at THEN round(extract(epoch FROM k.last_at - k.first_at) / 3600, 1)::float8 END`
export const NAMES = `JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
   JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
   JOIN workers p ON p.tenant_id = $1 AND p.id = k.worker_id`
/** `from` and `to` bound the page's own days and their nights: months beside them are not even planned for. */
const picture = (from: string, to: string) =>
  `(SELECT e.picture FROM attendance_events e WHERE e.tenant_id = $1 AND e.worker_id = k.worker_id
       AND e.at >= ${from}::timestamptz AND e.at < ${to}::timestamptz AND e.at BETWEEN k.first_at AND k.last_at
       AND e.site_id = k.site_id AND e.picture IS NOT NULL ORDER BY e.at LIMIT 1)`

/** The row of a page `k` of people's days. */
const columnsOf = (
  status: number,
  pictureOf: string,
) => `k.day || ':' || k.site_id || ':' || k.worker_id AS id,
  k.worker_id, p.w_id, p.w_name, p.w_type, k.bc_id, c.bc_name, k.site_id, w.ws_name AS "siteName",
  k.day::text AS day, ${epoch('k.first_at')} AS "firstAt", ${epoch('k.last_at')} AS "lastAt",
  ${HOURS} AS hours, k.count, k.makeups, ${pictureOf} AS picture, ${status} AS status`

/**
 * The first page of those who came, with the total, in one statement: the kept counts say on which days its rows lie, so
 * that no other day is walked through for a branch that nobody came to.
 */
async function firstPage(
  tx: Tx,
  scope: Scope,
  q: AttendanceFilters,
  range: { from: string; to: string },
  backward: boolean,
): Promise<Json> {
  const where = dayWhere(scope, q, range)
  const values = [...where.values]
  const p = (v: unknown) => `$${values.push(v)}`
  const way = backward ? 'DESC' : 'ASC'
  const order = `k.day ${way}, ${inDay(q.sort, 'k')}, k.site_id, k.worker_id`
  const size = Math.trunc(q.pageSize)
  const pictures = picture(p(startOfDay(range.from)), p(startOfDay(addDays(range.to, 2))))
  const statement = `WITH days AS MATERIALIZED (
      SELECT k.day, sum(k.present)::int AS present
      FROM ${kept(scope, q)} k
      WHERE ${where.text}
      GROUP BY 1
      HAVING sum(k.present) > 0
    ), span AS MATERIALIZED (
      SELECT min(day) AS first, max(day) AS last
      FROM (SELECT day, sum(present) OVER (ORDER BY day ${way}) - present AS before FROM days) d
      WHERE before < ${size}
    ), page AS MATERIALIZED (
      SELECT ${CAME_COLUMNS}
      FROM attendance_days k
      WHERE ${where.text} AND k.day >= (SELECT first FROM span) AND k.day <= (SELECT last FROM span)
      ORDER BY ${order}
      LIMIT ${size}
    )
    SELECT coalesce((
        SELECT json_agg(r)
        FROM (SELECT ${columnsOf(present, pictures)} FROM page k ${NAMES} ORDER BY ${order}) r
      ), '[]'::json)::text AS list,
      (SELECT coalesce(sum(present), 0)::int FROM days) AS total`
  const { list, total } = (
    await tx.last('attendance.first', row({ list: text, total: int4 }), statement, values)
  ).rows[0]!
  return new Json(`{"list":${list},"pageNo":1,"pageSize":${size},"totalCount":${total}}`)
}

async function rowsOf(
  tx: Tx,
  scope: Scope,
  q: AttendanceFilters,
  slices: readonly Slice[],
  backward: boolean,
): Promise<AttendanceRow[]> {
  const first = slices[0]
  if (!first) return []
  const came = first.status === present
  const days = slices.map((s) => s.day).sort()
  // The page's own days instead of those asked for: beside each other the planner takes them for two filters.
  const where = dayWhere(scope, q, { from: days[0]!, to: days.at(-1)! })
  const values = [...where.values]
  const p = (v: unknown) => `$${values.push(v)}`
  // Sizes stand in the text, and a first page has no offset (windowOf says why).
  let size = `LIMIT ${slices.reduce((n, s) => n + s.take, 0)}`
  if (first.skip) size += ` OFFSET ${p(first.skip)}::int`
  // The days run first; only the first of them is entered in its middle.
  const order = `${backward ? 'DESC' : 'ASC'}, ${came ? `${inDay(q.sort, 'k')}, k.site_id, k.worker_id` : 'k.site_id, m.worker_id'}`
  const inner = came
    ? `SELECT ${CAME_COLUMNS} FROM ${CAME(q)} WHERE ${where.text} ORDER BY k.day ${order}`
    : `SELECT ${MISSED_COLUMNS} FROM ${MISSED(q)} WHERE ${where.text} AND ${NOBODY_CAME} ORDER BY k.day ${order}`
  const { rows } = await tx.query(
    'attendance.page',
    row<AttendanceRow>({
      id: text,
      worker_id: uuid,
      w_id: text,
      w_name: text,
      w_type: int2.of(workerType),
      bc_id: uuid,
      bc_name: text,
      site_id: uuid,
      siteName: text,
      day: text,
      firstAt: float8.null,
      lastAt: float8.null,
      hours: float8.null,
      count: int4,
      makeups: int4,
      picture: text.null,
      status: int4.of(attendance),
    }),
    // Cut once and then joined: a planner that expects one worker would cut the page again for each.
    `WITH page AS MATERIALIZED (${inner} ${size})
     SELECT ${columnsOf(first.status, came ? picture(p(startOfDay(days[0]!)), p(startOfDay(addDays(days.at(-1)!, 2)))) : 'NULL')}
     FROM page k ${NAMES}
     ORDER BY k.day ${came ? order : order.replace('m.worker_id', 'k.worker_id')}`,
    values,
  )
  return rows
}

/** One page and its exact total; fast at any size because the counts are kept and only the page's own days are read. */
export async function attendancePage(tx: Tx, scope: Scope, q: AttendanceFilters, today: string) {
  const range = rangeOf(q, today)
  const backward = !(q.sort ?? []).includes('day')
  const statuses = statusesOf(q)
  if (q.pageNo === 1 && !byPerson(q) && statuses.every((s) => s === present))
    return firstPage(tx, scope, q, range, backward)
  const where = dayWhere(scope, q, range)
  const days = await countDays(tx, scope, q, where)
  if (backward) days.reverse()
  const { total, slices } = cut(days, statuses, (q.pageNo - 1) * q.pageSize, q.pageSize)
  const of = (status: number) =>
    rowsOf(
      tx,
      scope,
      q,
      slices.filter((s) => s.status === status),
      backward,
    )
  const [came, missed] = await Promise.all([of(present), of(absent)])
  const list = slices.flatMap((s) => (s.status === present ? came : missed).splice(0, s.take))
  return { list, pageNo: q.pageNo, pageSize: q.pageSize, totalCount: total }
}

/** The same rows without pages, for the workbook: a table `k` of its own and the values it names. */
export function attendanceRows(
  scope: Scope,
  q: AttendanceFilters,
  today: string,
): { from: string; where: Where; order: string } {
  const where = dayWhere(scope, q, rangeOf(q, today))
  const statuses = statusesOf(q)
  const parts = [
    ...(statuses.includes(present) ? [`SELECT ${CAME_COLUMNS} FROM ${CAME(q)} WHERE ${where.text}`] : []),
    ...(statuses.includes(absent)
      ? [`SELECT ${MISSED_COLUMNS} FROM ${MISSED(q)} WHERE ${where.text} AND ${NOBODY_CAME}`]
      : []),
  ]
  const tenant = scoped({ ...scope, bcs: null, sites: null }, 'k')
  // The tenant is the first value of both, so the outer condition reuses it.
  return {
    from: `(${parts.join(' UNION ALL ')}) k ${NAMES}`,
    where: Object.assign(tenant, { values: where.values }),
    order: `k.day DESC, w.ws_name, k.first_at DESC NULLS LAST, p.w_id`,
  }
}

/**
 * Of an event `e` of a terminal: why the face should not have been known there any more. Presence is a fact and is kept
 * and counted; that a terminal still knows the face is seen beside it.
 */
const FORGOTTEN = `CASE WHEN e.similarity IS NOT NULL THEN (SELECT r.why FROM face_removals r
         WHERE r.tenant_id = e.tenant_id AND r.worker_id = e.worker_id AND r.opened_at <= e.at
           AND (r.ended_at IS NULL OR e.at < r.ended_at)
         ORDER BY r.opened_at DESC LIMIT 1) END`
/** Everything behind one row, taken back or not. */
export async function punchesOf(
  tx: Tx,
  scope: Scope,
  q: { site_id: string; worker_id: string; day: string },
): Promise<Punch[]> {
  const where = scoped(scope, 'e')
    .add((p) => `e.site_id = ${p}::uuid`, q.site_id)
    .add((p) => `e.worker_id = ${p}::uuid`, q.worker_id)
  const day = `$${where.values.push(q.day)}::date`
  const { rows } = await tx.query(
    'attendance.punches',
    row<Punch>({
      id: uuid,
      at: float8,
      direction: text.of(punchDirection),
      source: text.of(punchSource),
      picture: text.null,
      similarity: float8.null,
      deviceSn: text,
      faceWhy: text.of(faceWhy).null,
      reason: text,
      actor: text,
      madeAt: float8.null,
      withdrawn: json<{ actor: string; at: number; reason: string }>().null,
    }),
    `SELECT e.id, ${epoch('e.at')} AS at, e.direction, e.source, e.picture,
       e.similarity::float8 AS similarity, coalesce(d.sn, '') AS "deviceSn", ${FORGOTTEN} AS "faceWhy",
       e.reason, e.actor,
       ${epoch('e.made_at')} AS "madeAt",
       CASE
       WHEN r.id IS NOT NULL THEN json_build_object('actor', r.actor, 'at', ${epoch('r.made_at')}, 'reason',
         r.reason) END AS withdrawn
     FROM attendance_events e
     LEFT JOIN devices d ON d.tenant_id = e.tenant_id AND d.id = e.device_id
     LEFT JOIN attendance_events r ON r.tenant_id = e.tenant_id AND r.reverses = e.id AND r.at = e.at
     WHERE ${where.text} AND e.day = ${day} AND e.at >= ${day}::timestamp AT TIME ZONE 'Asia/Shanghai'
       AND e.at < ${endOfNight(day)} AND e.reverses IS NULL
     ORDER BY e.at, e.id`,
    where.values,
  )
  return rows
}
