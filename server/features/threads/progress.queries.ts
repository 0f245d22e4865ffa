import { patrolKind, patrolStatus } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { siteStage, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { ProgressHome, ProgressProposal } from '@zhuguan/contract/features/threads/progress.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int4, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { epoch, TODAY } from '../../kit/statement.ts'

/** Homes that are offered one after the other. */
const MOST_HOMES = 100
const MOST_SHOTS = 60
const THIS_DAY = `${TODAY}::timestamp AT TIME ZONE 'Asia/Shanghai'`

/** Stages of a site that began or were accepted today. */
const STAGES = (site: string) => `FROM site_stages g
  WHERE g.tenant_id = $1 AND g.site_id = ${site} AND (g.actual_start = ${TODAY} OR g.actual_finish = ${TODAY})`
const ARRIVED = (site: string) => `FROM dispatches d
  WHERE d.tenant_id = $1 AND d.site_id = ${site} AND d.delivered_at >= ${THIS_DAY}`
const PATROLS = (site: string) => `FROM patrols p
  WHERE p.tenant_id = $1 AND p.site_id = ${site} AND p.status = ${patrolStatus.code.submitted}
    AND p.submitted_at >= ${THIS_DAY}`
/** Pictures that somebody took on the spot: what a camera saw shows whoever works there, and is never among them. */
const SHOTS = (site: string) => `FROM patrols p
  JOIN patrol_items i ON i.tenant_id = $1 AND i.patrol_id = p.id
  JOIN files f ON f.tenant_id = $1 AND f.key = ANY (i.pictures) AND f.kind = 'picture' AND f.device_id IS NULL
  WHERE p.tenant_id = $1 AND p.site_id = ${site} AND p.status = ${patrolStatus.code.submitted}
    AND p.kind <> '${patrolKind.code.remote}' AND p.submitted_at >= ${THIS_DAY}`
const SENT = (site: string) => `FROM thread_messages m
  WHERE m.tenant_id = $1 AND m.site_id = ${site} AND m.kind = 'progress' AND m.taken_at IS NULL
    AND m.at >= ${THIS_DAY}`

/** Events of today in a home that an owner may be told: no names, no words of staff. */
export async function happenedToday(tx: Tx, tenant: string, site: string) {
  const { rows } = await tx.query(
    'progress.happened',
    row({ kind: text, stage: text.of(siteStage).null, n: int4 }),
    `SELECT kind, stage, n FROM (
       SELECT CASE WHEN g.actual_finish = ${TODAY} THEN 'accepted' ELSE 'begun' END AS kind, g.stage, 1 AS n, g.sort
       ${STAGES('$2')}
       UNION ALL
       SELECT 'arrived', NULL, count(*)::int, 100 ${ARRIVED('$2')} HAVING count(*) > 0
       UNION ALL
       SELECT 'patrols', NULL, count(*)::int, 101 ${PATROLS('$2')} HAVING count(*) > 0) k
     ORDER BY sort`,
    [tenant, site],
  )
  return rows
}

/** Arrivals of today, by the names of the goods. */
export async function arrivedToday(tx: Tx, tenant: string, site: string): Promise<string[]> {
  const { rows } = await tx.query(
    'progress.arrived',
    row({ name: text }),
    `SELECT DISTINCT l.name
     FROM dispatches d
     JOIN carried c ON c.tenant_id = $1 AND c.note_id = d.id
     JOIN order_lines l ON l.tenant_id = $1 AND l.id = c.line_id
     WHERE d.tenant_id = $1 AND d.site_id = $2 AND d.delivered_at >= ${THIS_DAY}
     ORDER BY 1
     LIMIT 20`,
    [tenant, site],
  )
  return rows.map((r) => r.name)
}

export async function shotsToday(
  tx: Tx,
  tenant: string,
  site: string,
): Promise<ProgressProposal['pictures']> {
  const { rows } = await tx.query(
    'progress.shots',
    row<ProgressProposal['pictures'][number]>({ key: text, title: text, failed: bool, at: float8 }),
    `SELECT f.key, min(i.title) AS title, bool_or(i.verdict = 'failed') AS failed, ${epoch('max(p.submitted_at)')} AS at
     ${SHOTS('$2')}
     GROUP BY f.key
     ORDER BY 3, 4 DESC, 1
     LIMIT ${MOST_SHOTS}`,
    [tenant, site],
  )
  return rows
}

export async function sentToday(tx: Tx, tenant: string, site: string): Promise<ProgressProposal['sent']> {
  const { rows } = await tx.query(
    'progress.sent',
    row<ProgressProposal['sent'][number]>({ at: float8, who: text }),
    `SELECT ${epoch('m.at')} AS at, m.who ${SENT('$2')} ORDER BY m.seq DESC LIMIT 10`,
    [tenant, site],
  )
  return rows
}
/** The message that was sent by this number before. */
export async function sentBy(tx: Tx, tenant: string, site: string, act: string) {
  const { rows } = await tx.query(
    'progress.act',
    row({ id: uuid, seq: int4 }),
    'SELECT m.id, m.seq FROM thread_messages m WHERE m.tenant_id = $1 AND m.site_id = $2 AND m.act = $3',
    [tenant, site, act],
  )
  return rows[0]
}

/** Homes with something to tell or already told: the caller's own; of who keeps none, all in reach. */
export async function homesToday(tx: Tx, scope: Scope, me: string): Promise<ProgressHome[]> {
  const where = scoped(scope, 'w', { site: 'id' })
    .plain(`w.deleted_at IS NULL AND w.status = ${siteStatus.code.building}`)
    .add(
      (p) => `(w.steward_id = ${p}::uuid OR w.manager_id = ${p}::uuid OR NOT EXISTS (
         SELECT 1 FROM sites k
         WHERE k.tenant_id = $1 AND k.status = ${siteStatus.code.building} AND k.deleted_at IS NULL
           AND (k.steward_id = ${p}::uuid OR k.manager_id = ${p}::uuid)))`,
      me,
    )
  const { rows } = await tx.query(
    'progress.homes',
    row<ProgressHome>({
      site_id: uuid,
      siteName: text,
      ownerName: text,
      happened: int4,
      pictures: int4,
      sentAt: float8.null,
    }),
    `SELECT * FROM (
       SELECT w.id AS site_id, w.ws_name AS "siteName", o.name AS "ownerName",
         (SELECT count(*)::int ${STAGES('w.id')}) + (SELECT count(*)::int ${ARRIVED('w.id')})
           + (SELECT count(*)::int ${PATROLS('w.id')}) AS happened,
         (SELECT count(DISTINCT f.key)::int ${SHOTS('w.id')}) AS pictures,
         (SELECT ${epoch('max(m.at)')} ${SENT('w.id')}) AS "sentAt"
       FROM sites w
       JOIN home_contacts h ON h.tenant_id = $1 AND h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
       JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
       WHERE ${where.text}) k
     WHERE k.happened > 0 OR k."sentAt" IS NOT NULL
     ORDER BY k."sentAt" IS NOT NULL, k."siteName", k.site_id
     LIMIT ${MOST_HOMES}`,
    where.values,
  )
  return rows
}
