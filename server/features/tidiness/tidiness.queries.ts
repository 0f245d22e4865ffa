import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import {
  tidinessChange,
  type TidinessRow,
  tidinessSource,
} from '@zhuguan/contract/features/tidiness/tidiness.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int2, int4, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { epoch, type PageOf, type Where } from '../../kit/statement.ts'
import { accountOf } from '../workers/workers.reads.ts'

type Filters = QueryOf<(typeof tidinessApi)['list']>
type Places = Omit<QueryOf<(typeof tidinessApi)['trend']>, 'by'>

const { skewed } = tidinessResult.code
const { better, first, same, worse } = tidinessChange.code

const COLUMNS = `t.id, t.picture, t.site_id, w.ws_name AS "siteName", t.bc_id, c.bc_name, t.device_id,
     coalesce(d.sn, '') AS "deviceSn", ${epoch('t.at')} AS at, t.result, t.source,
     round(t.confidence::numeric, 4)::float8 AS confidence,
     CASE WHEN t.result = ${skewed} OR t.device_id IS NULL OR t.replaced THEN NULL WHEN l.result IS NULL THEN '${first}'
     WHEN t.result < l.result THEN '${better}' WHEN t.result > l.result THEN '${worse}' ELSE '${same}' END AS change,
     l.result AS "lastResult", t.given, coalesce(t.judged_by, '') AS "judgedBy",
     ${epoch('t.judged_at')} AS "judgedAt", t.correction_id, k.correction_status AS "correctionStatus", t.replaced,
     t.version`
/** `l` is what counts of the picture before of the same camera on the same site. */
const JOINS = `JOIN sites w ON w.tenant_id = $1 AND w.id = t.site_id
   JOIN companies c ON c.tenant_id = $1 AND c.bc_id = t.bc_id
   LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = t.device_id
   LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = t.correction_id
   LEFT JOIN LATERAL (
     SELECT p.result
     FROM tidiness_checks p
     WHERE p.tenant_id = $1 AND p.site_id = t.site_id AND p.device_id = t.device_id
       AND p.result <> ${skewed} AND NOT p.replaced AND p.picture IS DISTINCT FROM coalesce(t.picture, '')
       AND (p.at, p.id) < (t.at, t.id)
     ORDER BY p.at DESC, p.id DESC
     LIMIT 1) l ON true`

/** The filter of sites, persons and times: the same for the list and for what it sums up to. */
export const placesWhere = (scope: Scope, q: Places): Where =>
  scoped(scope, 't')
    .when(q.bc_id, (p) => `t.bc_id = ANY(${p}::uuid[])`)
    .when(q.site_id, (p) => `t.site_id = ${p}::uuid`)
    .when(q.manager_id, (p) => ledBy('manager_id', p))
    .when(q.steward_id, (p) => ledBy('steward_id', p))
    .when(q.worker_id, (p) => ledByWorker(p))
    .when(q.source, (p) => `t.source = ANY(${p}::text[])`)
    .when(q.from, (p) => `t.at >= to_timestamp(${p})`)
    .when(q.to, (p) => `t.at < to_timestamp(${p})`)
const ledBy = (post: string, p: string) =>
  `t.site_id IN (SELECT k.id FROM sites k WHERE k.tenant_id = $1 AND k.${post} = ${p}::uuid)`
const ledByWorker = (p: string) =>
  `t.site_id IN (SELECT o.id FROM sites o WHERE o.tenant_id = $1 AND ${accountOf(p)} IN (o.manager_id, o.steward_id))`

export const tidinessPage = (scope: Scope, q: Filters): PageOf => ({
  name: 'tidiness.page',
  columns: COLUMNS,
  base: 'tidiness_checks t',
  joins: JOINS,
  where: placesWhere(scope, q)
    .when(q.result, (p) => `t.result = ANY(${p}::smallint[])`)
    .when(q.id, (p) => `t.id = ${p}::uuid`)
    .when(q.ids, (p) => `t.id = ANY(${p}::uuid[])`),
  sort: q.sort,
  otherwise: 't.at DESC',
  tie: 't.id DESC',
  sortable: { at: 't.at', result: 't.result' },
  filled: ['at', 'result'],
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})

const checkRow = row<TidinessRow>({
  id: uuid,
  picture: text.null,
  site_id: uuid,
  siteName: text,
  bc_id: uuid,
  bc_name: text,
  device_id: uuid.null,
  deviceSn: text,
  at: float8,
  result: int2.of(tidinessResult),
  source: text.of(tidinessSource),
  confidence: float8.null,
  change: text.of(tidinessChange).null,
  lastResult: int2.of(tidinessResult).null,
  given: int2.of(tidinessResult).null,
  judgedBy: text,
  judgedAt: float8.null,
  correction_id: uuid.null,
  correctionStatus: int2.of(correctionStatus).null,
  replaced: bool,
  version: int4,
})

/** So many pictures are shown at once. */
const MOST_SHOTS = 2_000
/** The last picture of each camera, site and day or week, the oldest first. */
export async function tidinessShots(tx: Tx, where: Where, each: 'day' | 'week'): Promise<TidinessRow[]> {
  const { rows } = await tx.query(
    'tidiness.shots',
    checkRow,
    `SELECT ${COLUMNS}
     FROM (SELECT t.*, row_number() OVER (PARTITION BY t.site_id, t.device_id,
         date_trunc('${each}', t.at AT TIME ZONE 'Asia/Shanghai') ORDER BY t.at DESC, t.id DESC) AS nth
       FROM tidiness_checks t
       WHERE ${where.text} AND t.picture IS NOT NULL AND NOT t.replaced) t
     ${JOINS}
     WHERE t.nth = 1
     ORDER BY t.at DESC, t.id DESC
     LIMIT ${MOST_SHOTS}`,
    where.values,
  )
  return rows.reverse()
}

/** One check inside the scope, its row locked until the transaction ends. */
export async function lockCheck(tx: Tx, scope: Scope, id: string): Promise<TidinessRow | undefined> {
  const where = scoped(scope, 't').add((p) => `t.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'tidiness.lock',
    checkRow,
    `SELECT ${COLUMNS} FROM tidiness_checks t ${JOINS} WHERE ${where.text} FOR UPDATE OF t`,
    where.values,
  )
  return rows[0]
}

/** One check, what it was before, and the picture before of the same camera. */
export async function tidinessDetails(tx: Tx, scope: Scope, id: string) {
  const where = scoped(scope, 't').add((p) => `t.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'tidiness.one',
    row({ ...checkRow, managerName: text, stewardName: text }),
    `SELECT ${COLUMNS}, coalesce(m.nickname, '') AS "managerName", coalesce(s.nickname, '') AS "stewardName"
     FROM tidiness_checks t
     ${JOINS}
     LEFT JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id
     LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
     WHERE ${where.text}`,
    where.values,
  )
  const check = rows[0]
  return (
    check && { ...check, before: await pictureBefore(tx, scope, id), history: await history(tx, scope, id) }
  )
}
async function pictureBefore(tx: Tx, scope: Scope, id: string) {
  const { rows } = await tx.query(
    'tidiness.before',
    row({ id: uuid, at: float8, result: int2.of(tidinessResult), picture: text }),
    `SELECT p.id, ${epoch('p.at')} AS at, p.result, p.picture
     FROM tidiness_checks t
     JOIN tidiness_checks p ON p.tenant_id = $1 AND p.site_id = t.site_id AND p.device_id = t.device_id
     WHERE t.tenant_id = $1 AND t.id = $2 AND p.picture <> coalesce(t.picture, '')
       AND NOT p.replaced AND (p.at, p.id) < (t.at, t.id)
     ORDER BY p.at DESC, p.id DESC
     LIMIT 1`,
    [scope.tenant, id],
  )
  return rows[0] ?? null
}
async function history(tx: Tx, scope: Scope, id: string) {
  const { rows } = await tx.query(
    'tidiness.history',
    row({
      at: float8,
      actor: text,
      was: int2.of(tidinessResult),
      result: int2.of(tidinessResult),
      reason: text,
    }),
    `SELECT ${epoch('j.at')} AS at, j.actor, j.was, j.result, j.reason
     FROM tidiness_judgings j
     WHERE j.tenant_id = $1 AND j.check_id = $2
     ORDER BY j.at DESC, j.id DESC`,
    [scope.tenant, id],
  )
  return rows
}

export async function writeJudging(
  tx: Tx,
  tenant: string,
  j: { id: string; check: string; at: Date; actor: string; was: number; result: number; reason: string },
): Promise<void> {
  await tx.run(
    'tidiness.judge',
    `UPDATE tidiness_checks
     SET result = $3, given = coalesce(given, result), judged_by = $4, judged_at = $5, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [tenant, j.check, j.result, j.actor, j.at],
  )
  await tx.run(
    'tidiness.judging',
    `INSERT INTO tidiness_judgings (tenant_id, id, check_id, at, actor, was, result, reason)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [tenant, j.id, j.check, j.at, j.actor, j.was, j.result, j.reason],
  )
}
