import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import type { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import {
  itemVerdict,
  type PatrolDetail,
  type PatrolItem,
  patrolKind,
  patrolPlace,
  type PatrolRow,
  patrolStatus,
} from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { siteStatus, tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { addressText } from '../../kit/home-address.ts'
import { bool, float8, int2, int4, json, row, type RowOf, text, texts, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { epoch, type PageOf } from '../../kit/statement.ts'
import { accountOf } from '../workers/workers.reads.ts'
import { FOUND, listedFor } from './yields.reads.ts'

const { submitted } = patrolStatus.code
const { correcting, open } = correctionStatus.code

const COLUMNS = `p.id, p.number, p.kind, p.site_id, w.ws_name AS "siteName", p.bc_id, c.bc_name, p.inspector_id,
     u.nickname AS "inspectorName", ${epoch('p.begun_at')} AS "begunAt", ${epoch('p.submitted_at')} AS "submittedAt",
     p.place, p.distance, p.score, p.problems, coalesce(x.unfixed, 0) AS unfixed, p.status,
     p.template AS "templateName", p.task_id, t.plan_id, coalesce(l.name, '') AS "planName",
     coalesce(l.status = 2, false) AS "planStopped", p.device_id, coalesce(d.sn, '') AS "deviceSn", p.tidiness,
     p.version`
const JOINS = `JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
   JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
   JOIN users u ON u.tenant_id = $1 AND u.id = p.inspector_id
   LEFT JOIN patrol_tasks t ON t.tenant_id = $1 AND t.id = p.task_id
   LEFT JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id
   LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = p.device_id
   LEFT JOIN LATERAL (
     SELECT count(*)::int AS unfixed
     FROM patrol_items i
     JOIN corrections k ON k.tenant_id = $1 AND k.id = i.correction_id
       AND k.correction_status IN (${open}, ${correcting})
     WHERE i.tenant_id = $1 AND i.patrol_id = p.id) x ON p.problems > 0`

export const patrolPage = (scope: Scope, q: QueryOf<(typeof patrolsApi)['list']>): PageOf => ({
  name: 'patrols.page',
  columns: COLUMNS,
  base: 'patrols p',
  joins: JOINS,
  where: scoped(scope, 'p')
    .when(q.id, (p) => `p.id = ${p}::uuid`)
    .when(q.kind, (p) => `p.kind = ANY(${p}::text[])`)
    .when(q.bc_id, (p) => `p.bc_id = ANY(${p}::uuid[])`)
    .when(q.site_id, (p) => `p.site_id = ${p}::uuid`)
    .when(q.user_id, (p) => `p.inspector_id = ${p}::uuid`)
    .when(q.worker_id, (p) => `p.inspector_id = ${accountOf(p)}`)
    .when(
      q.plan_id,
      (p) =>
        `EXISTS (SELECT 1 FROM patrol_tasks k WHERE k.tenant_id = $1 AND k.id = p.task_id AND k.plan_id = ${p}::uuid)`,
    )
    .when(q.place, (p) => `p.place = ANY(${p}::text[])`)
    .when(q.status, (p) => `p.status = ANY(${p}::smallint[])`)
    .when(q.problems, (p) => `(p.problems > 0) = ${p}::boolean`)
    .when(q.found, (p) => `(${FOUND}) = ${p}::boolean`)
    .when(q.reason, listedFor)
    .when(q.from, (p) => `coalesce(p.submitted_at, p.begun_at) >= to_timestamp(${p})`)
    .when(q.to, (p) => `coalesce(p.submitted_at, p.begun_at) < to_timestamp(${p})`),
  sort: q.sort,
  otherwise: 'p.begun_at DESC',
  tie: 'p.id DESC',
  sortable: {
    at: 'p.submitted_at',
    distance: 'p.distance',
    score: 'p.score',
    problems: 'p.problems',
    status: 'p.status',
  },
  filled: ['problems', 'status'],
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})

const patrolColumns = row<PatrolRow>({
  id: uuid,
  number: text,
  kind: text.of(patrolKind),
  site_id: uuid,
  siteName: text,
  bc_id: uuid,
  bc_name: text,
  inspector_id: uuid,
  inspectorName: text,
  begunAt: float8,
  submittedAt: float8.null,
  place: text.of(patrolPlace),
  distance: int4.null,
  score: int2.null,
  problems: int4,
  unfixed: int4,
  status: int2.of(patrolStatus),
  templateName: text,
  task_id: uuid.null,
  plan_id: uuid.null,
  planName: text,
  planStopped: bool,
  device_id: uuid.null,
  deviceSn: text,
  tidiness: int2.of(tidinessResult).null,
  version: int4,
})

const placeRow = row({
  id: uuid,
  bc_id: uuid,
  ws_name: text,
  status: int2.of(siteStatus),
  lng: float8.null,
  lat: float8.null,
})
export type Place = RowOf<typeof placeRow>
/** A site inside the scope, its row locked first of all: what ends or moves it waits. */
export async function lockPlace(tx: Tx, scope: Scope, site: string): Promise<Place | undefined> {
  const where = scoped(scope, 'w', { site: 'id' })
    .add((p) => `w.id = ${p}::uuid`, site)
    .plain('w.deleted_at IS NULL')
  const { rows } = await tx.query(
    'patrols.place',
    placeRow,
    `SELECT w.id, w.bc_id, w.ws_name, w.status, w.lng, w.lat
     FROM sites w
     WHERE ${where.text}
     FOR NO KEY UPDATE OF w`,
    where.values,
  )
  return rows[0]
}

/** Which site a patrol is of: it is locked before the patrol is. */
export async function siteOfPatrol(tx: Tx, scope: Scope, id: string): Promise<string | undefined> {
  const where = scoped(scope, 'p').add((p) => `p.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'patrols.site',
    row({ site_id: uuid }),
    `SELECT p.site_id FROM patrols p WHERE ${where.text}`,
    where.values,
  )
  return rows[0]?.site_id
}
export async function lockPatrol(tx: Tx, scope: Scope, id: string) {
  const where = scoped(scope, 'p').add((p) => `p.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'patrols.lock',
    row({ ...patrolColumns, digest: text.null }),
    `SELECT ${COLUMNS}, p.digest FROM patrols p ${JOINS} WHERE ${where.text} FOR UPDATE OF p`,
    where.values,
  )
  return rows[0]
}
export type LockedPatrol = NonNullable<Awaited<ReturnType<typeof lockPatrol>>>

const itemRow = row({
  id: uuid,
  title: text,
  hint: text,
  weight: int2,
  photo: bool,
  verdict: text.of(itemVerdict).null,
  remark: text,
  pictures: texts,
  problem: text,
  correction: json<PatrolItem['correction']>().null,
})
export async function itemsOf(tx: Tx, tenant: string, patrol: string) {
  const { rows } = await tx.query(
    'patrols.items',
    itemRow,
    `SELECT i.id, i.title, i.hint, i.weight, i.photo, i.verdict, i.remark, i.pictures, i.problem,
       CASE WHEN k.id IS NOT NULL THEN
         json_build_object('id', k.id, 'status', k.correction_status, 'assigneeName', coalesce(u.nickname, ''),
           'dueAt', ${epoch('k.due_at')})
       END AS correction
     FROM patrol_items i
     LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = i.correction_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.assignee_id
     WHERE i.tenant_id = $1 AND i.patrol_id = $2
     ORDER BY i.sort, i.id`,
    [tenant, patrol],
  )
  return rows
}

const detailRow = row({
  ...patrolColumns,
  lng: float8.null,
  lat: float8.null,
  accuracy: float8.null,
  siteLng: float8.null,
  siteLat: float8.null,
  address: text,
  remark: text,
  reason: text,
  picture: text.null,
  pictureAt: float8.null,
  closesAt: float8.null,
})
/** One patrol inside the scope, its items, and the three before it. */
export async function patrolDetails(tx: Tx, scope: Scope, id: string): Promise<PatrolDetail | undefined> {
  const where = scoped(scope, 'p').add((p) => `p.id = ${p}::uuid`, id)
  const address = addressText(where, scope, 'w.address', { bc: 'p.bc_id', site: 'p.site_id' }, 'w.community')
  const { rows } = await tx.query(
    'patrols.one',
    detailRow,
    `SELECT ${COLUMNS}, p.lng, p.lat, p.accuracy::float8 AS accuracy, w.lng AS "siteLng", w.lat AS "siteLat",
       ${address} AS address, p.remark, p.reason, p.picture, ${epoch('p.picture_at')} AS "pictureAt",
       ${epoch('t.closes_at')} AS "closesAt"
     FROM patrols p ${JOINS}
     WHERE ${where.text}`,
    where.values,
  )
  const patrol = rows[0]
  return (
    patrol && {
      ...patrol,
      items: await itemsOf(tx, scope.tenant, patrol.id),
      before: await patrolsBefore(tx, scope, patrol),
    }
  )
}

const beforeRow = row<PatrolDetail['before'][number]>({
  id: uuid,
  number: text,
  submittedAt: float8,
  inspectorName: text,
  score: int2.null,
  problems: int4,
  tidiness: int2.of(tidinessResult).null,
  picture: text.null,
  items: json<PatrolDetail['before'][number]['items']>(),
})
async function patrolsBefore(tx: Tx, scope: Scope, patrol: { id: string; site_id: string; kind: string }) {
  const { rows } = await tx.query(
    'patrols.before',
    beforeRow,
    `SELECT p.id, p.number, ${epoch('p.submitted_at')} AS "submittedAt", u.nickname AS "inspectorName", p.score,
       p.problems, p.tidiness, p.picture, coalesce((
         SELECT json_agg(json_build_object('title', i.title, 'verdict', i.verdict) ORDER BY i.sort, i.id)
         FROM patrol_items i
         WHERE i.tenant_id = $1 AND i.patrol_id = p.id), '[]'::json) AS items
     FROM patrols p
     JOIN users u ON u.tenant_id = $1 AND u.id = p.inspector_id
     WHERE p.tenant_id = $1 AND p.site_id = $2 AND p.kind = $3 AND p.status = ${submitted} AND p.id <> $4
       AND p.submitted_at <= coalesce(
         (SELECT o.submitted_at FROM patrols o WHERE o.tenant_id = $1 AND o.id = $4), 'infinity')
     ORDER BY p.submitted_at DESC, p.id DESC
     LIMIT 3`,
    [scope.tenant, patrol.site_id, patrol.kind, patrol.id],
  )
  return rows
}

const openRow = row({ id: uuid, inspector_id: uuid, inspectorName: text, begunAt: float8, status: int2 })
/** Who is doing this occurrence, or has done it. */
export async function patrolOfTask(tx: Tx, tenant: string, task: string) {
  const { rows } = await tx.query(
    'patrols.oftask',
    openRow,
    `SELECT p.id, p.inspector_id, u.nickname AS "inspectorName", ${epoch('p.begun_at')} AS "begunAt", p.status
     FROM patrols p
     JOIN users u ON u.tenant_id = $1 AND u.id = p.inspector_id
     WHERE p.tenant_id = $1 AND p.task_id = $2 AND p.status IN (1, 2)`,
    [tenant, task],
  )
  return rows[0]
}
/** What this person began there with this template and has not handed in. */
export async function begunBefore(
  tx: Tx,
  q: { tenant: string; site: string; template: string; person: string },
): Promise<string | undefined> {
  const { rows } = await tx.query(
    'patrols.begun',
    row({ id: uuid }),
    `SELECT p.id
     FROM patrols p
     WHERE p.tenant_id = $1 AND p.site_id = $2 AND p.template_id = $3 AND p.inspector_id = $4 AND p.status = 1
       AND p.task_id IS NULL`,
    [q.tenant, q.site, q.template, q.person],
  )
  return rows[0]?.id
}

export interface NewPatrol {
  id: string
  kind: string
  bc: string
  site: string
  task: string | null
  template: { id: string; name: string } | null
  inspector: string
  at: { lng: number; lat: number; accuracy: number | null } | null
  distance: number | null
  place: string
}
/** Its number is the next one. */
export async function addPatrol(tx: Tx, tenant: string, p: NewPatrol): Promise<string> {
  const { rows } = await tx.query(
    'patrols.add',
    row({ number: text }),
    `INSERT INTO patrols (tenant_id, id, number, bc_id, site_id, kind, task_id, template_id, template, inspector_id,
       begun_at, lng, lat, accuracy, distance, place)
     VALUES ($1, $2, 'XJ' || lpad(nextval('patrol_numbers')::text, 6, '0'), $3, $4, $5, $6, $7, $8, $9,
       :now, $10, $11, $12, $13, $14)
     RETURNING number`,
    [
      tenant,
      p.id,
      p.bc,
      p.site,
      p.kind,
      p.task,
      p.template?.id ?? null,
      p.template?.name ?? '',
      p.inspector,
      p.at?.lng ?? null,
      p.at?.lat ?? null,
      p.at?.accuracy ?? null,
      p.distance,
      p.place,
    ],
  )
  return rows[0]!.number
}

/** Where it has no place yet; answers whether it took this one. */
export async function fillPlace(
  tx: Tx,
  tenant: string,
  p: Pick<NewPatrol, 'id' | 'distance' | 'place'> & { at: NonNullable<NewPatrol['at']> },
): Promise<boolean> {
  const { rowCount } = await tx.run(
    'patrols.fillplace',
    `UPDATE patrols SET lng = $3, lat = $4, accuracy = $5, distance = $6, place = $7
     WHERE tenant_id = $1 AND id = $2 AND status = 1 AND lng IS NULL`,
    [tenant, p.id, p.at.lng, p.at.lat, p.at.accuracy, p.distance, p.place],
  )
  return rowCount === 1
}

export const addItems = (
  tx: Tx,
  tenant: string,
  patrol: string,
  items: readonly { id: string; title: string; hint: string; weight: number; photo: boolean }[],
) =>
  tx.run(
    'patrols.additems',
    `INSERT INTO patrol_items (tenant_id, id, patrol_id, sort, title, hint, weight, photo)
     SELECT $1, x.id, $2, x.sort, x.title, x.hint, x.weight, x.photo
     FROM json_to_recordset($3::json)
       AS x(id uuid, sort smallint, title text, hint text, weight smallint, photo boolean)`,
    [tenant, patrol, JSON.stringify(items.map((item, sort) => ({ ...item, sort })))],
  )

export interface JudgedItem {
  id: string
  verdict: string
  remark: string
  pictures: string[]
  problem: string
  correction: string | null
}
export const judgeItems = (tx: Tx, tenant: string, patrol: string, items: readonly JudgedItem[]) =>
  tx.run(
    'patrols.judge',
    `UPDATE patrol_items i
     SET verdict = x.verdict, remark = x.remark, pictures = x.pictures, problem = x.problem,
       correction_id = x.correction
     FROM json_to_recordset($3::json)
       AS x(id uuid, verdict text, remark text, pictures text[], problem text, correction uuid)
     WHERE i.tenant_id = $1 AND i.patrol_id = $2 AND i.id = x.id`,
    [tenant, patrol, JSON.stringify(items)],
  )

export const finishPatrol = (
  tx: Tx,
  tenant: string,
  p: { id: string; score: number | null; problems: number; remark: string; digest: string },
) =>
  tx.run(
    'patrols.finish',
    `UPDATE patrols
     SET status = ${submitted}, submitted_at = :now, score = $3, problems = $4, remark = $5, digest = $6,
       version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, p.id, p.score, p.problems, p.remark, p.digest],
  )
/** What is given up stands for no occurrence any more: that one is free again. */
export const abandonPatrol = (tx: Tx, tenant: string, p: { id: string; reason: string }) =>
  tx.run(
    'patrols.abandon',
    `UPDATE patrols
     SET status = ${patrolStatus.code.abandoned}, task_id = NULL, reason = $3, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, p.id, p.reason],
  )
