import { noWorkCodes } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Tx } from '../../database/connect.ts'
import { int4, row, uuid } from '../../kit/row.ts'
import { addDays } from '../../kit/shanghai.ts'
import { settle } from '../notifications/notifications.service.ts'
import { peopleOf } from './attendance.reads.ts'
import { decidePosts } from './posts.service.ts'

/**
 * Days without a clock-in up to `day`, per site under construction: the site's day is written, then its run and sum.
 * Rest days of the branch do not count, as its calendar stood when the day was opened; a day on which every camera and terminal of the site was
 * off line all day is unknown and neither counts nor breaks the run. `sites` null stands for all of the tenant's.
 */
export async function countNoWork(
  tx: Tx,
  tenant: string,
  from: string,
  day: string,
  sites: readonly string[] | null = null,
): Promise<number> {
  // A day that was never opened: where people of several sites were expected is decided now.
  const days: string[] = []
  for (let d = from; d <= day; d = addDays(d, 1)) days.push(d)
  await decidePosts(tx, tenant, days, null)
  // Held first, so that a clock-in being filed elsewhere is either seen by the count or recounts the day itself.
  await tx.run(
    'nowork.hold',
    `INSERT INTO site_days AS k (tenant_id, day, site_id, bc_id, rest)
     SELECT w.tenant_id, d::date, w.id, w.bc_id, rest_day(w.tenant_id, w.bc_id, d::date)
     FROM sites w
     CROSS JOIN generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day') AS d
     WHERE w.tenant_id = $1 AND w.status = 1 AND w.start_date <= d AND w.deleted_at IS NULL
       AND ($4::uuid[] IS NULL OR w.id = ANY ($4))
     ORDER BY 1, 2, 3
     ON CONFLICT (tenant_id, day, site_id)
     DO UPDATE SET bc_id = k.bc_id`,
    [tenant, from, day, sites],
  )
  await tx.run(
    'nowork.days',
    `UPDATE site_days k SET expected = p.expected, absent = p.absent, present = p.present, no_work = p.present = 0 AND NOT k.rest AND n.known, blind = NOT n.known FROM sites w
     CROSS JOIN generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day') AS d
     CROSS JOIN LATERAL ${peopleOf('w.tenant_id', 'w.id', 'd::date')} p
     CROSS JOIN LATERAL (SELECT
       (NOT EXISTS (SELECT 1 FROM devices v WHERE v.tenant_id = w.tenant_id AND v.site_id = w.id AND v.type IN ('camera', 'faceTerminal'))
         OR EXISTS (SELECT 1 FROM devices v JOIN device_spans s ON s.tenant_id = v.tenant_id AND s.device_id = v.id AND s.state = 1
           WHERE v.tenant_id = w.tenant_id AND v.site_id = w.id AND v.type IN ('camera', 'faceTerminal')
             AND s.from_at < ((d + interval '1 day') AT TIME ZONE 'Asia/Shanghai') AND coalesce(s.to_at, :now) > (d AT TIME ZONE 'Asia/Shanghai'))) AS known) n
     WHERE w.tenant_id = $1 AND w.status = 1 AND w.start_date <= d AND w.deleted_at IS NULL AND ($4::uuid[] IS NULL OR w.id = ANY ($4)) AND k.tenant_id = $1 AND k.day = d::date AND k.site_id = w.id`,
    [tenant, from, day, sites],
  )
  await countTidiness(tx, tenant, from, day, sites)
  const changed = await countRuns(tx, tenant, sites)
  // Whether a site stands is known of the last counted day only: codes are what has added up until then.
  await tx.run(
    'nowork.stopped',
    `UPDATE site_days k SET stopped = w.no_work <> '{}'
     FROM sites w
     WHERE k.tenant_id = $1 AND k.day = $2
       AND w.tenant_id = k.tenant_id AND w.id = k.site_id AND ($3::uuid[] IS NULL OR w.id = ANY ($3))
       AND k.stopped IS DISTINCT FROM (w.no_work <> '{}')`,
    [tenant, day, sites],
  )
  return changed
}

/** The tidiness of sites at the end of these days: by the newest verdict until then. */
export async function countTidiness(
  tx: Tx,
  tenant: string,
  from: string,
  to: string,
  sites: readonly string[] | null,
): Promise<void> {
  await tx.run(
    'nowork.tidiness',
    `UPDATE site_days k SET tidiness = n.result
     FROM (
       SELECT d.day, d.site_id, (
         SELECT t.result
         FROM tidiness_checks t
         WHERE t.tenant_id = d.tenant_id
           AND t.site_id = d.site_id
           AND t.result IN (1, 2, 3)
           AND NOT t.replaced
           AND t.at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')
         ORDER BY t.at DESC, t.id DESC
         LIMIT 1) AS result
       FROM site_days d
       WHERE d.tenant_id = $1 AND d.day BETWEEN $2 AND $3 AND ($4::uuid[] IS NULL OR d.site_id = ANY ($4))) n
     WHERE k.tenant_id = $1 AND k.day = n.day AND k.site_id = n.site_id
       AND k.tidiness IS DISTINCT FROM n.result`,
    [tenant, from, to, sites],
  )
}

/** Run, sum and codes of sites under construction, from their days; null stands for all of the tenant's. */
export async function countRuns(tx: Tx, tenant: string, sites: readonly string[] | null): Promise<number> {
  const { rows } = await tx.query(
    'nowork.runs',
    row({ id: uuid, run: int4, sum: int4 }),
    `SELECT w.id, count(*) FILTER (WHERE d.no_work)::int AS sum, count(*) FILTER (WHERE d.no_work AND d.day > coalesce(p.last, '-infinity'))::int AS run
     FROM sites w LEFT JOIN site_days d ON d.tenant_id = w.tenant_id AND d.site_id = w.id
     LEFT JOIN LATERAL (SELECT max(l.day) AS last FROM site_days l WHERE l.tenant_id = w.tenant_id AND l.site_id = w.id AND l.present > 0) p ON true
     WHERE w.tenant_id = $1 AND w.status = 1 AND w.deleted_at IS NULL AND ($2::uuid[] IS NULL OR w.id = ANY ($2)) GROUP BY w.id ORDER BY w.id`,
    [tenant, sites],
  )
  const changes = rows.map((r) => ({ ...r, codes: noWorkCodes(r.run, r.sum) }))
  const written = await tx.query(
    'nowork.write',
    row({ id: uuid, run: int4 }),
    `UPDATE sites w SET no_work_run = x.run, no_work_sum = x.sum, no_work = ARRAY(SELECT json_array_elements_text(x.codes)::smallint),
       stop_reason = CASE WHEN x.run > 0 THEN w.stop_reason END,
       stop_remark = CASE WHEN x.run > 0 THEN w.stop_remark ELSE '' END,
       stop_until = CASE WHEN x.run > 0 THEN w.stop_until END,
       stop_order_id = CASE WHEN x.run > 0 THEN w.stop_order_id END,
       stop_question_id = CASE WHEN x.run > 0 THEN w.stop_question_id END,
       stop_told_at = CASE WHEN x.run > 0 THEN w.stop_told_at END,
       stop_noticed_at = CASE WHEN x.run > 0 THEN w.stop_noticed_at END
     FROM json_to_recordset($2::json) AS x(id uuid, run int, sum int, codes json)
     WHERE w.tenant_id = $1 AND w.id = x.id AND (w.no_work_run, w.no_work_sum) IS DISTINCT FROM (x.run, x.sum)
     RETURNING w.id, w.no_work_run AS run`,
    [tenant, JSON.stringify(changes)],
  )
  const resumed = written.rows.filter(({ run }) => run === 0)
  await settle(tx, tenant, ...resumed.map(({ id }) => ({ kind: 'standstill' as const, id })))
  return written.rows.length
}
