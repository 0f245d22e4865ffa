import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { type CaseProposal, LEAST_VERDICTS } from '@zhuguan/contract/features/cases/cases.record.ts'
import { siteStage, siteStatus, tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { homeSince } from '../../kit/home-time.ts'
import { bool, float8, int4, row, text, uuid } from '../../kit/row.ts'
import { siteScope } from '../../kit/scoped.ts'
import { epoch, TODAY } from '../../kit/statement.ts'
import { SAYS_NO } from './asked.ts'

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
  at: float8,
  day: text,
  stage: text.of(siteStage).null,
  camera: text,
  device_id: uuid.null,
})
/** The pictures of a site in reach that may be taken into its case, the newest first. */
export async function possibleOf(tx: Tx, tenant: string, site: string) {
  const { rows } = await tx.query(
    'cases.possible',
    possible,
    `SELECT t.key, ${epoch('t.at')} AS at, d.day::text AS day, g.stage, coalesce(v.sn, '') AS camera, t.device_id
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

const PROPOSED = 12
/** So many of the newest homes are weighed. */
const WEIGHED = 60
/** More pairs than these make no home better. */
const PAIRS_ENOUGH = 3
const { building, finished } = siteStatus.code
const { poor, skewed } = tidinessResult.code
const { cancelled } = correctionStatus.code
/**
 * Homes in reach that propose themselves: built or finished, with an owner and pictures, without a case, and nobody of
 * them has said no. Before and after come first, then how tidy, whether on time, and who praised it.
 */
export async function sitesToShow(tx: Tx, scope: Scope): Promise<CaseProposal[]> {
  const where = siteScope(scope)
    .plain('w.owner_id IS NOT NULL')
    .plain(`w.status IN (${building}, ${finished})`)
    .plain(`NOT EXISTS (SELECT FROM cases k WHERE k.tenant_id = $1 AND k.site_id = w.id)`)
    .plain(`NOT EXISTS (SELECT FROM home_contacts h
         WHERE h.tenant_id = $1 AND h.site_id = w.id AND ${SAYS_NO})`)
  const { rows } = await tx.query(
    'cases.tomake',
    row<CaseProposal>({
      site_id: uuid,
      siteName: text,
      bc_name: text,
      pictures: int4,
      pairs: int4,
      tidy: int4.null,
      tidyOf: int4,
      onTime: bool.null,
      praises: int4,
      style: text,
      layout: text,
    }),
    `SELECT w.id AS site_id, w.ws_name AS "siteName", c.bc_name, n.n AS pictures, p.n AS pairs, v.tidy,
       v.n AS "tidyOf", o.on_time AS "onTime", f.n AS praises, w.style, w.layout
     FROM (SELECT w.*, coalesce(${homeSince('w.id')}, '-infinity') AS since FROM sites w WHERE ${where.text}
       ORDER BY w.actual_finish DESC NULLS LAST, w.start_date, w.id
       LIMIT ${WEIGHED}) w
     JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
     CROSS JOIN LATERAL (SELECT count(DISTINCT t.key)::int AS n FROM (${takenAt('w.id')}) t
       JOIN files f ON f.tenant_id = $1 AND f.key = t.key AND f.kind = 'picture'
       WHERE t.at >= w.since) n
     CROSS JOIN LATERAL (SELECT count(*)::int AS n FROM (
       SELECT t.device_id FROM (${takenAt('w.id')}) t
       JOIN files f ON f.tenant_id = $1 AND f.key = t.key AND f.kind = 'picture'
       WHERE t.at >= w.since AND t.device_id IS NOT NULL
       GROUP BY t.device_id
       HAVING count(DISTINCT (t.at AT TIME ZONE 'Asia/Shanghai')::date) > 1) d) p
     CROSS JOIN LATERAL (SELECT count(*)::int AS n, CASE WHEN count(*) >= ${LEAST_VERDICTS}
         THEN round(100.0 * count(*) FILTER (WHERE t.result <> ${poor}) / count(*))::int END AS tidy
       FROM tidiness_checks t
       WHERE t.tenant_id = $1 AND t.site_id = w.id AND t.at >= w.since AND t.result <> ${skewed}) v
     CROSS JOIN LATERAL (SELECT coalesce(w.actual_finish, ${TODAY}) <= w.planned_finish AS on_time) o
     CROSS JOIN LATERAL (SELECT count(*)::int AS n FROM feedback f
       WHERE f.tenant_id = $1 AND f.site_id = w.id AND f.kind = 'praise' AND f.status <> ${cancelled}
         AND f.home_at >= w.since) f
     WHERE n.n > 1
     ORDER BY least(p.n, ${PAIRS_ENOUGH}) DESC, v.tidy DESC NULLS LAST, o.on_time DESC NULLS LAST, f.n DESC, n.n DESC,
       w.id
     LIMIT ${PROPOSED}`,
    where.values,
  )
  return rows
}
