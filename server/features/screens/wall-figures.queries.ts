import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { companyStatus } from '@zhuguan/contract/features/companies/companies.record.ts'
import { siteStage, siteStatus, tidinessLevel } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Tx } from '../../database/connect.ts'
import { float8, int4, row, text } from '../../kit/row.ts'
import { startOfDay } from '../../kit/shanghai.ts'

const { building, finished } = siteStatus.code
const { excellent, good } = tidinessLevel.code

/** The branch and the day of the figures. */
export interface Branch {
  tenant: string
  bc: string
  day: string
}

/** Sites that are built now, people who came today, sites finished since the month began. */
export async function countsOf(tx: Tx, { bc, day, tenant }: Branch) {
  const { rows } = await tx.query(
    'walls.counts',
    row({ building: int4, present: int4, finished: int4 }),
    `SELECT count(*) FILTER (WHERE w.status = ${building})::int AS building,
       (SELECT count(DISTINCT y.worker_id)::int FROM attendance_days y
        WHERE y.tenant_id = $1 AND y.bc_id = $2 AND y.day = $3::date) AS present,
       count(*) FILTER (WHERE w.status = ${finished}
         AND w.actual_finish BETWEEN date_trunc('month', $3::date)::date AND $3::date)::int AS finished
     FROM sites w
     WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.deleted_at IS NULL`,
    [tenant, bc, day],
  )
  return rows[0]!
}

/** The places of people today, by community and stage. */
export async function workedToday(tx: Tx, { bc, day, tenant }: Branch) {
  const { rows } = await tx.query(
    'walls.worked',
    row({ community: text, stage: text.of(siteStage).null, sites: int4, people: int4 }),
    `SELECT w.community, w.stage, count(DISTINCT w.id)::int AS sites, count(DISTINCT y.worker_id)::int AS people
     FROM attendance_days y
     JOIN sites w ON w.tenant_id = $1 AND w.id = y.site_id
     WHERE y.tenant_id = $1 AND y.bc_id = $2 AND y.day = $3::date AND w.status = ${building}
       AND w.deleted_at IS NULL
     GROUP BY 1, 2
     ORDER BY 4 DESC, 3 DESC, 1`,
    [tenant, bc, day],
  )
  return rows
}

/** The stages in their order: homes of a branch in each now, and the usual length of those that ended within a year. */
export async function stagesOf(tx: Tx, { bc, day, tenant }: Branch) {
  const { rows } = await tx.query(
    'walls.stages',
    row({ stage: text.of(siteStage), building: int4, days: int4.null, daysOf: int4 }),
    `SELECT t.stage, count(*) FILTER (WHERE w.status = ${building} AND w.stage = t.stage)::int AS building,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY t.actual_finish - t.actual_start + 1)
         FILTER (WHERE t.actual_finish BETWEEN $3::date - 365 AND $3::date)::int AS days,
       count(t.actual_finish - t.actual_start)
         FILTER (WHERE t.actual_finish BETWEEN $3::date - 365 AND $3::date)::int AS "daysOf"
     FROM sites w
     JOIN site_stages t ON t.tenant_id = $1 AND t.site_id = w.id
     WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.deleted_at IS NULL
     GROUP BY t.stage
     ORDER BY min(t.sort)`,
    [tenant, bc, day],
  )
  return rows
}

/** Communities of a branch, each at the average of its homes that are built or finished. */
export async function communitiesOf(tx: Tx, { bc, tenant }: Pick<Branch, 'bc' | 'tenant'>) {
  const { rows } = await tx.query(
    'walls.communities',
    row({ community: text, lng: float8, lat: float8, building: int4, finished: int4 }),
    `SELECT w.community, avg(w.lng)::float8 AS lng, avg(w.lat)::float8 AS lat,
       count(*) FILTER (WHERE w.status = ${building})::int AS building,
       count(*) FILTER (WHERE w.status = ${finished})::int AS finished
     FROM sites w
     WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.deleted_at IS NULL AND w.status IN (${building}, ${finished})
       AND w.community <> '' AND w.lng IS NOT NULL AND w.lat IS NOT NULL
     GROUP BY w.community
     ORDER BY count(*) DESC, w.community`,
    [tenant, bc],
  )
  return rows
}

/** Alarms that are not done with, and those of today, by type. */
export async function alarmsOf(tx: Tx, { bc, day, tenant }: Branch) {
  const { rows } = await tx.query(
    'walls.alarms',
    row({ type: text.of(alarmType), open: int4, today: int4 }),
    `SELECT a.type, count(*) FILTER (WHERE a.correction_status IN (1, 2))::int AS open,
       count(*) FILTER (WHERE a.at >= $3)::int AS today
     FROM alarms a
     WHERE a.tenant_id = $1 AND a.bc_id = $2 AND (a.correction_status IN (1, 2) OR a.at >= $3)
     GROUP BY 1`,
    [tenant, bc, startOfDay(day)],
  )
  return rows
}

/** The tidiness of each branch's sites; `bcs`: of these branches, or of all. */
export async function tidyOf(tx: Tx, tenant: string, bcs: readonly string[] | null) {
  const { rows } = await tx.query(
    'walls.tidy',
    row({ bc_name: text, building: int4, judged: int4, tidy: int4 }),
    `SELECT c.bc_name, count(w.id)::int AS building, count(w.tidiness)::int AS judged,
       count(w.id) FILTER (WHERE w.tidiness IN (${excellent}, ${good}))::int AS tidy
     FROM companies c
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.bc_id = c.bc_id AND w.status = ${building}
       AND w.deleted_at IS NULL
     WHERE c.tenant_id = $1 AND c.status = ${companyStatus.code.active}
       AND ($2::uuid[] IS NULL OR c.bc_id = ANY ($2::uuid[]))
     GROUP BY c.bc_id, c.bc_name, c.sort
     ORDER BY c.sort, c.bc_name`,
    [tenant, bcs],
  )
  return rows
}
