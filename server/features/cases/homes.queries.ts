import { siteStage, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { homeSince } from '../../kit/home-time.ts'
import { int4, row, text, uuid } from '../../kit/row.ts'
import { siteScope } from '../../kit/scoped.ts'

const MOST_POSSIBLE = 300
/** Pictures of a site: of patrols that were handed in, and of its cameras' checks. */
const TAKEN = `SELECT c.picture AS key, c.at, c.device_id
         FROM tidiness_checks c WHERE c.tenant_id = $1 AND c.site_id = SITE AND c.picture IS NOT NULL
         UNION ALL
         SELECT p.picture, coalesce(p.picture_at, p.begun_at), p.device_id
         FROM patrols p
         WHERE p.tenant_id = $1 AND p.site_id = SITE AND p.picture IS NOT NULL AND p.submitted_at IS NOT NULL
         UNION ALL
         SELECT i.key, p.begun_at, NULL
         FROM patrols p
         JOIN patrol_items t ON t.tenant_id = $1 AND t.patrol_id = p.id
         CROSS JOIN LATERAL unnest(t.pictures) AS i(key)
         WHERE p.tenant_id = $1 AND p.site_id = SITE AND p.submitted_at IS NOT NULL`
const takenAt = (site: string) => TAKEN.replaceAll('SITE', site)
const possible = row({
  key: text,
  day: text,
  stage: text.of(siteStage).null,
  camera: text,
  device_id: uuid.null,
})
/** What of a site in reach may be taken into its case, the newest first. */
export async function possibleOf(tx: Tx, tenant: string, site: string) {
  const { rows } = await tx.query(
    'cases.possible',
    possible,
    `SELECT t.key, d.day::text AS day, g.stage, coalesce(v.sn, '') AS camera, t.device_id
     FROM (SELECT DISTINCT ON (a.key) a.key, a.at, a.device_id FROM (${takenAt('$2')}) a ORDER BY a.key, a.at) t
     JOIN files f ON f.tenant_id = $1 AND f.key = t.key AND f.kind = 'picture'
     CROSS JOIN LATERAL (SELECT (t.at AT TIME ZONE 'Asia/Shanghai')::date AS day) d
     LEFT JOIN devices v ON v.tenant_id = $1 AND v.id = t.device_id
     LEFT JOIN LATERAL (
       SELECT s.stage FROM site_stages s
       WHERE s.tenant_id = $1 AND s.site_id = $2 AND s.actual_start <= d.day
       ORDER BY s.actual_start DESC, s.sort DESC
       LIMIT 1) g ON true
     WHERE t.at >= coalesce(${homeSince('$2')}, '-infinity')
     ORDER BY t.at DESC, t.key
     LIMIT ${MOST_POSSIBLE}`,
    [tenant, site],
  )
  return rows
}

/** The home, where it is in reach. */
export async function homeToShow(tx: Tx, scope: Scope, id: string): Promise<string | undefined> {
  const where = siteScope(scope).add((p) => `w.id = ${p}::uuid`, id)
  const columns = row({ id: uuid })
  const { rows } = await tx.query(
    'cases.reach',
    columns,
    `SELECT w.id FROM sites w WHERE ${where.text}`,
    where.values,
  )
  return rows[0]?.id
}

const PROPOSED = 8
/** Homes in reach that are built or finished, have an owner and pictures, and no case; finished ones first. */
export async function sitesToShow(tx: Tx, scope: Scope) {
  const where = siteScope(scope)
    .plain('w.owner_id IS NOT NULL')
    .plain(`w.status IN (${siteStatus.code.building}, ${siteStatus.code.finished})`)
    .plain(`NOT EXISTS (SELECT FROM cases k WHERE k.tenant_id = $1 AND k.site_id = w.id)`)
  const { rows } = await tx.query(
    'cases.tomake',
    row({ site_id: uuid, siteName: text, bc_name: text, pictures: int4, style: text, layout: text }),
    `SELECT w.id AS site_id, w.ws_name AS "siteName", c.bc_name, n.n AS pictures, w.style, w.layout
     FROM (SELECT w.* FROM sites w WHERE ${where.text}
       ORDER BY w.actual_finish DESC NULLS LAST, w.start_date, w.id
       LIMIT 24) w
     JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
     CROSS JOIN LATERAL (SELECT count(DISTINCT t.key)::int AS n FROM (${takenAt('w.id')}) t
       JOIN files f ON f.tenant_id = $1 AND f.key = t.key AND f.kind = 'picture'
       WHERE t.at >= coalesce(${homeSince('w.id')}, '-infinity')) n
     WHERE n.n > 1
     ORDER BY w.actual_finish DESC NULLS LAST, n.n DESC, w.id
     LIMIT ${PROPOSED}`,
    where.values,
  )
  return rows
}
