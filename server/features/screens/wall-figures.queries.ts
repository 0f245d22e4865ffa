import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { companyStatus } from '@zhuguan/contract/features/companies/companies.record.ts'
import { siteStage, siteStatus, tidinessLevel } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Tx } from '../../database/connect.ts'
import { int4, row, text } from '../../kit/row.ts'
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
