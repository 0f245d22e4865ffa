import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { stopBall } from '@zhuguan/contract/features/no-work/no-work.record.ts'
import { noWork, tidinessLevel } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { int4, json, row, text, type RowOf } from '../../kit/row.ts'
import { scoped, scopedStores, siteScope } from '../../kit/scoped.ts'
import { addDays, startOfDay } from '../../kit/shanghai.ts'
import { ATTENDED, DUE, expectedOn, GUESTS } from '../attendance/attendance.reads.ts'
import { overdue } from '../corrections/corrections.reads.ts'
import { watchedOn } from '../devices/watched.reads.ts'
import { MISSED, STANDING } from '../no-work/silent-sites.reads.ts'
import { sameHour } from '../statistics/as-of.reads.ts'

const sitesNowRow = row({
  building: int4,
  stopped: int4,
  codes: json<Record<string, number>>(),
  levels: json<Record<string, number>>(),
})
export type SitesNow = RowOf<typeof sitesNowRow>
/** Sites as they stand. */
export async function sitesNow(tx: Tx, scope: Scope): Promise<SitesNow> {
  const where = scoped(scope, 'w', { site: 'id' }).plain('w.deleted_at IS NULL')
  const codes = noWork.values.map(
    (v) => `'${v}', count(*) FILTER (WHERE w.no_work @> ARRAY[${v}]::smallint[])`,
  )
  const levels = tidinessLevel.values.map(
    (v) => `'${v}', count(*) FILTER (WHERE w.status = 1 AND w.tidiness = ${v})`,
  )
  const { rows } = await tx.query(
    'home.sites',
    sitesNowRow,
    `SELECT count(*) FILTER (WHERE w.status = 1)::int AS building,
       count(*) FILTER (WHERE w.no_work <> '{}')::int AS stopped,
       json_build_object(${codes.join(', ')}) AS codes,
       json_build_object(${levels.join(', ')}) AS levels
     FROM sites w
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]!
}

const standingRow = row({ ball: text.of(stopBall), n: int4, missed: int4 })
export type Standing = RowOf<typeof standingRow>[]
/** Sites that stand still, by whose turn it is; of these, where people should be today and nobody is. */
export async function standingNow(tx: Tx, scope: Scope | undefined): Promise<Standing> {
  if (!scope) return []
  const where = siteScope(scope).plain(`w.no_work <> '{}'`)
  const { rows } = await tx.query(
    'home.standing',
    standingRow,
    `SELECT b.ball, count(*)::int AS n, (count(*) FILTER (WHERE ${MISSED}))::int AS missed
     FROM sites w
     ${STANDING}
     WHERE ${where.text}
     GROUP BY b.ball
     ORDER BY n DESC, b.ball`,
    where.values,
  )
  return rows
}

const sitesDay = row({
  day: text,
  building: int4,
  due: int4,
  attended: int4,
  guests: int4,
  /** Everybody who came: the total of the list of attendance. */
  present: int4,
  /** Sites that counted as standing when the day ended; null where it was not kept. */
  stopped: int4.null,
  excellent: int4,
  judged: int4,
})
export type SitesDay = RowOf<typeof sitesDay>
/** Days of sites from `from` on, as they are kept. */
export async function sitesByDay(tx: Tx, scope: Scope, from: string): Promise<Map<string, SitesDay>> {
  const where = scoped(scope, 'd').add((p) => `d.day >= ${p}::date`, from)
  const { rows } = await tx.query(
    'home.days',
    sitesDay,
    `SELECT d.day::text AS day, count(*)::int AS building, ${DUE} AS due, ${ATTENDED} AS attended,
       ${GUESTS} AS guests,
       sum(d.present)::int AS present,
       CASE WHEN bool_or(d.stopped IS NOT NULL) THEN count(*) FILTER (WHERE d.stopped)::int END AS stopped,
       count(*) FILTER (WHERE d.tidiness = ${tidinessLevel.code.excellent})::int AS excellent,
       count(d.tidiness)::int AS judged
     FROM site_days d
     WHERE ${where.text}
     GROUP BY 1`,
    where.values,
  )
  return new Map(rows.map((r) => [r.day, r]))
}

/** The people who had come by this hour of that day, of those who count for the rate. */
export async function attendedBy(tx: Tx, scope: Scope, day: string, until: Date): Promise<number> {
  const where = scoped(scope, 'y')
    .add((p) => `y.day = ${p}::date`, day)
    .add((p) => `y.first_at <= ${p}`, until)
  const { rows } = await tx.query(
    'home.samehour',
    row({ n: int4 }),
    `SELECT count(*)::int AS n
     FROM attendance_days y
     JOIN site_days d ON d.tenant_id = y.tenant_id AND d.day = y.day AND d.site_id = y.site_id
     WHERE ${where.text} AND NOT d.rest
       AND EXISTS (SELECT 1 FROM site_members m WHERE m.tenant_id = y.tenant_id AND m.site_id = y.site_id
         AND m.worker_id = y.worker_id AND ${expectedOn('m', 'y.day')})`,
    where.values,
  )
  return rows[0]!.n
}

const alarmsAt = row({ open: int4, overdue: int4 })
export type AlarmsAt = RowOf<typeof alarmsAt>
/** Alarms open and overdue now. */
export async function alarmsNow(tx: Tx, scope: Scope): Promise<AlarmsAt> {
  const where = scoped(scope, 'a').plain('a.correction_status IN (1, 2)')
  const { rows } = await tx.query(
    'home.alarms',
    alarmsAt,
    `SELECT count(*)::int AS open, count(*) FILTER (WHERE ${overdue('a')})::int AS overdue
     FROM alarms a
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]!
}

/**
 * Counts what the rows of alarms no longer tell of the moment `t.at`, for those of `where` (their alias is `b`):
 * deadlines that moved since, alarms that were opened again.
 */
const pastAlarms = (where: string): string => `
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(p.open), 0) AS open, coalesce(sum(p.overdue), 0) AS overdue
    FROM alarm_pasts p
    JOIN alarms b ON b.tenant_id = $1 AND b.id = p.alarm_id
    WHERE p.tenant_id = $1 AND p.starts < t.at AND p.ends >= t.at AND ${where}) past`
/** Alarms open and overdue when each of these days ended. Whole branches read their kept days, own sites their alarms. */
export async function alarmsAtEnds(tx: Tx, scope: Scope, days: readonly string[]): Promise<AlarmsAt[]> {
  const where = scoped(scope, scope.sites ? 'a' : 'k')
  const past = pastAlarms(scoped(scope, 'b').text)
  const values = [...where.values, days.map((d) => startOfDay(addDays(d, 1)))]
  const moments = `unnest($${values.length}::timestamptz[]) WITH ORDINALITY AS t(at, place)`
  const { rows } = scope.sites
    ? await tx.query(
        'home.ends',
        alarmsAt,
        `SELECT (count(a.id) + past.open)::int AS open,
           (count(a.id) FILTER (WHERE a.due_at < t.at) + past.overdue)::int AS overdue
         FROM ${moments}
         LEFT JOIN alarms a ON a.at < t.at AND (a.closed_at IS NULL OR a.closed_at >= t.at) AND ${where.text}
         ${past}
         GROUP BY t.place, past.open, past.overdue
         ORDER BY t.place`,
        values,
      )
    : await tx.query(
        'home.branchends',
        alarmsAt,
        `SELECT (coalesce(sum(k.raised - k.closed), 0) + past.open)::int AS open,
           (coalesce(sum(k.due - k.relieved), 0) + past.overdue)::int AS overdue
         FROM ${moments}
         LEFT JOIN branch_alarms k ON k.day < (t.at AT TIME ZONE 'Asia/Shanghai')::date AND ${where.text}
         ${past}
         GROUP BY t.place, past.open, past.overdue
         ORDER BY t.place`,
        values,
      )
  return rows
}

const devicesAt = row({ online: int4, offline: int4 })
export type DevicesAt = RowOf<typeof devicesAt>
const devicesNowRow = row({
  ...devicesAt,
  /** Bound, and waiting for the first heartbeat. */
  notEnabled: int4,
})
export type DevicesNow = RowOf<typeof devicesNowRow>
/** Devices on sites, by what they are now; the counts are the list's totals with the same filters. */
export async function devicesNow(tx: Tx, scope: Scope): Promise<DevicesNow> {
  const where = scoped(scope, 'd').plain('d.bind_status = 2 AND d.deleted_at IS NULL')
  const { rows } = await tx.query(
    'home.devices',
    devicesNowRow,
    `SELECT count(*) FILTER (WHERE d.device_status = 1)::int AS online,
       count(*) FILTER (WHERE d.device_status IN (2, 4))::int AS offline,
       count(*) FILTER (WHERE d.device_status = 3)::int AS "notEnabled"
     FROM devices d
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]!
}

/** Devices that stood on sites at this hour of earlier days, as their spans say; whoever was bound then counts. */
export async function devicesAtHours(
  tx: Tx,
  scope: Scope,
  now: Date,
  daysBack: readonly number[],
): Promise<DevicesAt[]> {
  const where = siteScope(scope)
  const list = `$${where.values.length + 1}::timestamptz[]`
  const { rows } = await tx.query(
    'home.devicehours',
    devicesAt,
    `SELECT count(v.device_id) FILTER (WHERE v.state = 1)::int AS online,
       count(v.device_id) FILTER (WHERE v.state IN (2, 4))::int AS offline
     FROM unnest(${list}) WITH ORDINALITY AS t(at, place)
     LEFT JOIN ${watchedOn(where.text)} ON v.from_at <= t.at AND (v.to_at IS NULL OR v.to_at > t.at)
     GROUP BY t.place
     ORDER BY t.place`,
    [...where.values, daysBack.map((n) => sameHour(now, -n))],
  )
  return rows
}

/** Devices to be brought back from sites that have ended, at the end of each of these days and now. */
export async function retrievalsAt(tx: Tx, scope: Scope, days: readonly string[]): Promise<number[]> {
  const where = scoped(scope, 'r')
  const list = `$${where.values.length + 1}::timestamptz[]`
  const { rows } = await tx.query(
    'home.retrievals',
    row({ n: int4 }),
    `SELECT count(r.id)::int AS n
     FROM unnest(${list} || :now) WITH ORDINALITY AS t(at, place)
     LEFT JOIN retrievals r ON r.opened_at <= t.at AND (r.closed_at IS NULL OR r.closed_at > t.at) AND ${where.text}
     GROUP BY t.place
     ORDER BY t.place`,
    [...where.values, days.map((d) => startOfDay(addDays(d, 1)))],
  )
  return rows.map((r) => r.n)
}

const { ended, ending, finishing, live, settled, void: voided } = contractState.code
/** Contracts that were signed and not taken back. */
export const SIGNED: readonly string[] = [live, finishing, settled, ending, ended]
/**
 * Contracts signed in the month of each of these days, until that day, and what they come to, those that were
 * terminated with their settlement; beside them those that
 * became void in it, whenever they were signed: from that day they count nowhere.
 */
export async function signedBy(tx: Tx, scope: Scope, days: readonly string[]) {
  const where = scopedStores(scope, 'c')
  const n = where.values.length
  const over = `(c.end_at AT TIME ZONE 'Asia/Shanghai')::date <= t.day`
  const counts = `c.signed_on BETWEEN t.first AND t.day AND (c.state <> '${voided}' OR c.voided_on > t.day)`
  const { rows } = await tx.query(
    'home.signed',
    row({ n: int4, amount: text, void: int4, ended: int4 }),
    `SELECT (count(c.id) FILTER (WHERE ${counts}))::int AS n,
       coalesce(sum(CASE WHEN ${over} THEN c.end_value ELSE c.total END) FILTER (WHERE ${counts}), 0.00)::text
         AS amount,
       (count(c.id) FILTER (WHERE ${counts} AND ${over}))::int AS ended,
       (count(c.id) FILTER (WHERE c.voided_on BETWEEN t.first AND t.day))::int AS void
     FROM (SELECT d.day, d.place, date_trunc('month', d.day)::date AS first
       FROM unnest($${n + 1}::date[]) WITH ORDINALITY AS d(day, place)) t
     LEFT JOIN contracts c ON c.signed_on IS NOT NULL AND ${where.text}
       AND (c.signed_on BETWEEN t.first AND t.day OR c.voided_on BETWEEN t.first AND t.day)
     GROUP BY t.place
     ORDER BY t.place`,
    [...where.values, days],
  )
  return rows
}
