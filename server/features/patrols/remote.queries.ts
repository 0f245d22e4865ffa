import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import type { Still } from '@zhuguan/contract/features/patrols/patrols.actions.ts'
import type { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import {
  patrolKind,
  patrolStatus,
  type WallCamera,
  type WallSite,
} from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { DataOf, QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { correctionKept } from '../../kit/kept-from.ts'
import { float8, int2, int4, json, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { epoch, type Where } from '../../kit/statement.ts'
import { HOME_COLUMNS, homeColumns, lookings, shownOf } from '../looking/looking.reads.ts'
import { TASK_STATE } from './tasks.queries.ts'

const { correcting, open } = correctionStatus.code
const { remote } = patrolKind.code
const { submitted } = patrolStatus.code

/** A camera inside the scope with what it shows, locked: a newer still waits until this one is judged. */
export async function lockStill(
  tx: Tx,
  scope: Scope,
  device: string,
): Promise<Omit<Still, 'noLook'> | undefined> {
  const where = scoped(scope, 'd')
    .add((p) => `d.id = ${p}::uuid`, device)
    .plain('d.deleted_at IS NULL')
  const { rows } = await tx.query(
    'patrols.still',
    row<Omit<Still, 'noLook'>>({
      type: text,
      site_id: uuid.null,
      deviceStatus: int2,
      picture: text.null,
      pictureAt: float8.null,
    }),
    `SELECT d.type, d.site_id, d.device_status AS "deviceStatus", d.last_picture AS picture,
       ${epoch('d.last_picture_at')} AS "pictureAt"
     FROM devices d
     WHERE ${where.text}
     FOR NO KEY UPDATE OF d`,
    where.values,
  )
  return rows[0]
}
/** What this person said of a still before. */
export async function judgedStill(tx: Tx, q: { tenant: string; person: string; picture: string }) {
  const { rows } = await tx.query(
    'patrols.judged',
    row({ id: uuid, number: text, problems: int4, digest: text.null }),
    `SELECT p.id, p.number, p.problems, p.digest
     FROM patrols p
     WHERE p.tenant_id = $1 AND p.inspector_id = $2 AND p.picture = $3`,
    [q.tenant, q.person, q.picture],
  )
  return rows[0]
}
export const keepStill = (
  tx: Tx,
  tenant: string,
  p: { id: string; device: string; picture: string; at: Date; tidiness: number },
) =>
  tx.run(
    'patrols.keepstill',
    `UPDATE patrols SET device_id = $3, picture = $4, picture_at = $5, tidiness = $6 WHERE tenant_id = $1 AND id = $2`,
    [tenant, p.id, p.device, p.picture, p.at, p.tidiness],
  )

const TODAY = `date_trunc('day', :now AT TIME ZONE 'Asia/Shanghai') AT TIME ZONE 'Asia/Shanghai'`
/** When the site `w` was last patrolled in this way, along the index of that. */
const lastOf = (kind: string) => `(SELECT p.submitted_at FROM patrols p
     WHERE p.tenant_id = $1 AND p.site_id = w.id AND p.kind = '${kind}' AND p.status = ${submitted}
     ORDER BY p.submitted_at DESC LIMIT 1)`
const LAST = `coalesce(${epoch(lastOf(remote))}, 0)`
const OPEN_TODAY = `t.tenant_id = $1 AND t.site_id = w.id AND t.opens_at < ${TODAY} + interval '1 day'
       AND t.lapses_at > :now`
const waiting = (until = '') => `EXISTS (
       SELECT 1 FROM patrol_tasks t
       JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id AND l.kind = '${remote}'
       WHERE ${OPEN_TODAY} AND t.outcome IS NULL${until})`
const DUE = waiting()
/** Its window has ended, and it has not lapsed. */
const OVER = waiting(' AND t.closes_at < :now')

type Query = QueryOf<(typeof patrolsApi)['wall']>
/** Sites under construction that have a camera. */
const wallWhere = (scope: Scope, q: Query): Where =>
  scoped(scope, 'w', { site: 'id' })
    .plain(`w.status = ${siteStatus.code.building} AND w.deleted_at IS NULL`)
    .plain(
      `EXISTS (SELECT 1 FROM devices d
         WHERE d.tenant_id = $1 AND d.site_id = w.id AND d.type = 'camera' AND d.deleted_at IS NULL)`,
    )
    .when(q.bc_id, (p) => `w.bc_id = ANY(${p}::uuid[])`)
    .when(q.stage, (p) => `w.stage = ANY(${p}::text[])`)
    .when(q.site_id, (p) => `w.id = ${p}::uuid`)
    .when(q.before, (p) => `${LAST} < ${p}::float8`)

const wallRow = row({
  id: uuid,
  ws_name: text,
  bc_id: uuid,
  bc_name: text,
  stage: text.null,
  managerName: text,
  cameras: json<Omit<WallCamera, 'noLook'>[]>(),
  lastScene: float8.null,
  lastRemote: float8.null,
  lastPlan: float8.null,
  openCorrections: int4,
  tasks: json<WallSite['tasks']>(),
  ...homeColumns,
})
const progressRow = row({ sites: int4, seen: int4, due: int4, over: int4 })

/** A page of the wall, first what nobody has looked at for the longest; a site that was just seen goes to the end. */
export async function wallOf(
  tx: Tx,
  scope: Scope,
  me: string,
  q: Query,
): Promise<Omit<DataOf<(typeof patrolsApi)['wall']>, 'live'>> {
  const where = wallWhere(scope, q).plain(q.due === true && DUE)
  if (q.after) {
    const [at, id] = q.after.split(':') as [string, string]
    where
      .add((p) => `${LAST} >= ${p}::float8`, Number(at))
      .add(
        (p) => `(${LAST}, w.id) > (split_part(${p}, ':', 1)::float8, split_part(${p}, ':', 2)::uuid)`,
        `${at}:${id}`,
      )
  }
  const mine = `$${where.values.push(me)}`
  const { rows } = await tx.query(
    'patrols.wall',
    wallRow,
    `WITH page AS MATERIALIZED (
       SELECT w.*, ${LAST} AS seen
       FROM sites w
       WHERE ${where.text}
       ORDER BY seen, w.id
       LIMIT ${q.pageSize + 1})
     SELECT w.id, w.ws_name, w.bc_id, c.bc_name, w.stage, coalesce(m.nickname, '') AS "managerName", (
         SELECT json_agg(json_build_object('id', d.id, 'sn', d.sn, 'deviceStatus', d.device_status,
           'picture', d.last_picture, 'pictureAt', ${epoch('d.last_picture_at')}) ORDER BY d.sn)
         FROM devices d
         WHERE d.tenant_id = $1 AND d.site_id = w.id AND d.type = 'camera' AND d.deleted_at IS NULL) AS cameras,
       ${epoch(lastOf('scene'))} AS "lastScene", nullif(w.seen, 0) AS "lastRemote",
       ${epoch(lastOf('plan'))} AS "lastPlan", (
         SELECT count(*)::int
         FROM corrections k
         WHERE k.tenant_id = $1 AND k.site_id = w.id
           AND k.correction_status IN (${open}, ${correcting})
           AND NOT ${correctionKept('k', mine)}) AS "openCorrections",
       coalesce((
         SELECT json_agg(json_build_object('id', t.id, 'kind', l.kind, 'planName', l.name, 'state', ${TASK_STATE},
           'opensAt', ${epoch('t.opens_at')}, 'closesAt', ${epoch('t.closes_at')},
           'mine', ${mine}::uuid = ANY (t.user_ids)) ORDER BY t.closes_at, t.id)
         FROM patrol_tasks t
         JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id
         WHERE ${OPEN_TODAY}), '[]'::json) AS tasks,
       ${HOME_COLUMNS}
     FROM page w
     JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
     LEFT JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id
     ORDER BY w.seen, w.id`,
    where.values,
  )
  const looks = await lookings(tx, scope.tenant, rows, tx.now)
  const list = rows.slice(0, q.pageSize).map((site) => ({
    ...site,
    cameras: site.cameras.map((camera) => shownOf(camera, looks(site))),
  }))
  const last = list.at(-1)
  const all = wallWhere(scope, q)
  const { rows: sums } = await tx.query(
    'patrols.progress',
    progressRow,
    `SELECT count(*)::int AS sites, count(*) FILTER (WHERE s.seen >= extract(epoch FROM ${TODAY}))::int AS seen,
       count(*) FILTER (WHERE s.due)::int AS due, count(*) FILTER (WHERE s.over)::int AS over
     FROM (SELECT ${LAST} AS seen, ${DUE} AS due, ${OVER} AS over FROM sites w WHERE ${all.text}) s`,
    all.values,
  )
  return {
    list,
    next: rows.length > q.pageSize && last ? `${last.lastRemote ?? 0}:${last.id}` : null,
    progress: sums[0]!,
  }
}

/** Cameras inside the scope with what they show now. */
export async function stillsOf(tx: Tx, scope: Scope, ids: readonly string[]): Promise<WallCamera[]> {
  const where = scoped(scope, 'd')
    .add((p) => `d.id = ANY(${p}::uuid[])`, ids)
    .plain(`d.type = 'camera' AND d.site_id IS NOT NULL AND d.deleted_at IS NULL`)
  const { rows } = await tx.query(
    'patrols.stills',
    row({
      id: uuid,
      sn: text,
      deviceStatus: int2,
      picture: text.null,
      pictureAt: float8.null,
      ...homeColumns,
    }),
    `SELECT d.id, d.sn, d.device_status AS "deviceStatus", d.last_picture AS picture,
       ${epoch('d.last_picture_at')} AS "pictureAt", ${HOME_COLUMNS}
     FROM devices d
     JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
     WHERE ${where.text}`,
    where.values,
  )
  const looks = await lookings(tx, scope.tenant, rows, tx.now)
  return rows.map((camera) => shownOf(camera, looks(camera)))
}
