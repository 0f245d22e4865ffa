import { NIGHT_ENDS } from '@zhuguan/contract/features/attendance/attendance.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { phoneText } from '../../kit/masked.ts'
import { float8, int2, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { epoch } from '../../kit/statement.ts'

/** The local time of a punch `e`. */
const LOCAL = (e: string) => `(${e}.at AT TIME ZONE 'Asia/Shanghai')`
/** The end of a day's punches: the last exit of its night. */
export const endOfNight = (day: string) =>
  `(${day} + 1 + time '${NIGHT_ENDS}' + interval '1 second') AT TIME ZONE 'Asia/Shanghai'`
/** A punch of the small hours may change which day others belong to. */
export const IS_NIGHT = (e: string) => `${LOCAL(e)}::time <= '${NIGHT_ENDS}'`
/** The day on which whoever punched came: an exit of the night, with no entry since midnight, is of the day before. */
export const dayOfWork = (e: string) =>
  `${LOCAL(e)}::date - (${e}.direction = 'out' AND ${IS_NIGHT(e)} AND NOT EXISTS (
       SELECT 1 FROM attendance_events i
       WHERE i.tenant_id = $1 AND i.site_id = ${e}.site_id AND i.worker_id = ${e}.worker_id
         AND i.direction = 'in' AND i.at <= ${e}.at
         AND i.at >= ${LOCAL(e)}::date::timestamp AT TIME ZONE 'Asia/Shanghai' AND ${counts('i')}))::int`

/**
 * A rate of attendance leaves out days that cannot speak of it: rest days, and days on which a site was blind and nobody
 * was seen. Both are sums over rows of site_days under the alias `d`.
 */
export const DUE =
  'coalesce(sum(d.expected) FILTER (WHERE NOT d.rest AND NOT (d.blind AND d.present = 0)), 0)::int'
/** Members who came; who came beside them is a guest and makes up for nobody. */
export const ATTENDED = 'coalesce(sum(d.expected - d.absent) FILTER (WHERE NOT d.rest), 0)::int'
export const GUESTS = 'coalesce(sum(d.present - d.expected + d.absent), 0)::int'
/** The kind of a site's day, as a word of `siteDayState`. */
export const DAY_STATE = `CASE WHEN d.present > 0 THEN 'worked' WHEN d.rest THEN 'rest' WHEN d.no_work THEN 'noWork'
     WHEN d.blind THEN 'unknown' ELSE 'waiting' END`

/** A makeup that was taken back, and the record that takes it back, count no more. A reversal carries the time of what it reverses. */
export const counts = (e: string) =>
  `(${e}.source <> 'makeup'
       OR (${e}.reverses IS NULL
       AND NOT EXISTS (SELECT 1 FROM attendance_events r WHERE r.tenant_id = $1
       AND r.reverses = ${e}.id AND r.at = ${e}.at)))`

/** Members of a site on a day: from the day they were sent to the day they were taken away, both included. */
export const memberOn = (m: string, day: string) =>
  `${m}.entered_on <= ${day} AND (${m}.left_on IS NULL OR ${m}.left_on >= ${day})`
/** Members as the days count them: a stay that was written later changes no day that was over by then. */
const countedOn = (m: string, day: string) =>
  `coalesce(${m}.counted_from, ${m}.entered_on) <= ${day}
       AND (${m}.left_on IS NULL OR coalesce(${m}.counted_to, ${m}.left_on) >= ${day})`
/**
 * Members whom their site expects on a day: who stands on several is expected at one of them (`decide_posts`). The
 * tenant is the statement's first value, as `scoped` puts it.
 */
export const expectedOn = (m: string, day: string, tenant = '$1') =>
  `${countedOn(m, day)} AND NOT EXISTS (SELECT 1 FROM day_posts o WHERE o.tenant_id = ${tenant}
       AND o.day = ${day} AND o.worker_id = ${m}.worker_id AND o.site_id <> ${m}.site_id)`

/**
 * The people of a site's day, as a lateral subquery: `expected` its members, `absent` those of them who did not come,
 * `present` everybody who came, expected or not.
 */
export const peopleOf = (tenant: string, site: string, day: string) =>
  `(SELECT (count(*) FILTER (WHERE member))::int AS expected, (count(*) FILTER (WHERE member AND NOT came))::int AS absent, (count(*) FILTER (WHERE came))::int AS present
    FROM (SELECT bool_or(member) AS member, bool_or(came) AS came FROM (
      SELECT m.worker_id, true AS member, false AS came FROM site_members m WHERE m.tenant_id = ${tenant} AND m.site_id = ${site} AND ${expectedOn('m', day, tenant)}
      UNION ALL SELECT a.worker_id, false, true FROM attendance_days a WHERE a.tenant_id = ${tenant} AND a.day = ${day} AND a.site_id = ${site}) one GROUP BY worker_id) people)`

/**
 * Clock-ins as lines of their site's timeline. Those of before 0156 have no name of their own and stand among its other
 * lines already. The worker is called as today.
 */
export const CLOCKIN_LINES = `SELECT e.tenant_id, e.bc_id, e.site_id, e.id, 'clockin' AS kind, e.at,
    coalesce(w.w_name, '工人') || CASE e.direction WHEN 'in' THEN ' 进场' ELSE ' 离场' END AS title,
    coalesce(w.w_name, '工人') AS actor, e.worker_id AS ref_id, e.picture
  FROM attendance_events e
  LEFT JOIN workers w ON w.tenant_id = e.tenant_id AND w.id = e.worker_id
  WHERE e.event_id IS NOT NULL`

/**
 * People clocked in on a site at a moment: those whose last punch of the working day until then was an entry. Until the
 * night ends it is the day before that goes on. Telephones have their middle hidden, whoever reads.
 */
export async function onSiteAt(tx: Tx, scope: Scope, site: string, at: number) {
  const where = scoped(scope, 'e')
    .add((p) => `e.site_id = ${p}::uuid`, site)
    .add(
      (p) => `e.at <= to_timestamp(${p}::float8) AND e.at >= date_trunc('day', to_timestamp(${p}::float8)
           AT TIME ZONE 'Asia/Shanghai' - time '${NIGHT_ENDS}') AT TIME ZONE 'Asia/Shanghai'`,
      at,
    )
  const { rows } = await tx.query(
    'attendance.present',
    row({
      id: uuid,
      w_name: text,
      w_type: int2.of(workerType),
      w_contact: text,
      since: float8,
    }),
    `SELECT k.id, k.w_name, k.w_type, ${phoneText('k.w_contact', false)} AS w_contact,
       ${epoch('p.at')} AS since
     FROM (SELECT DISTINCT ON (e.worker_id) e.tenant_id, e.worker_id, e.direction, e.at
       FROM attendance_events e
       WHERE ${where.text} AND ${counts('e')}
       ORDER BY e.worker_id, e.at DESC) p
     JOIN workers k ON k.tenant_id = $1 AND k.id = p.worker_id
     WHERE p.direction = 'in'
     ORDER BY p.at, k.id`,
    where.values,
  )
  return rows
}
