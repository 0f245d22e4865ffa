import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { violationsApi } from '@zhuguan/contract/features/violations/violations.api.ts'
import {
  type TidinessCheck,
  type ViolationRow,
  violationStatus,
  violationType,
} from '@zhuguan/contract/features/violations/violations.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int2, int4, row, type RowOf, text, uuid } from '../../kit/row.ts'
import { reaching, scoped } from '../../kit/scoped.ts'
import { epoch, type PageOf } from '../../kit/statement.ts'

const COLUMNS = `v.id, v.worker_id, k.w_id, k.w_name, k.w_type, v.site_id, w.ws_name AS "siteName", v.bc_id, c.bc_name,
     v.type, ${epoch('v.at')} AS at, v.alarm_id, v.picture, v.remark, v.points, v.status,
     ${epoch('v.due_at')} AS "dueAt",
     coalesce(u.nickname, '') AS "enteredBy", v.entered_id, v.handled_id, v.objected_id, v.version`
const JOINS = `JOIN workers k ON k.tenant_id = $1 AND k.id = v.worker_id
   JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
   JOIN companies c ON c.tenant_id = $1 AND c.bc_id = v.bc_id
   LEFT JOIN users u ON u.tenant_id = $1 AND u.id = v.entered_id`

export function violationPage(scope: Scope, q: QueryOf<(typeof violationsApi)['list']>): PageOf {
  return {
    name: 'violations.page',
    columns: COLUMNS,
    base: 'violations v',
    joins: JOINS,
    where: scoped(scope, 'v')
      .when(q.id, (p) => `v.id = ${p}::uuid`)
      .when(q.type, (p) => `v.type = ANY(${p}::text[])`)
      .when(q.bc_id, (p) => `v.bc_id = ANY(${p}::uuid[])`)
      .when(q.site_id, (p) => `v.site_id = ${p}::uuid`)
      .when(q.worker_id, (p) => `v.worker_id = ${p}::uuid`)
      .when(q.status, (p) => `v.status = ANY(${p}::smallint[])`)
      .when(
        q.w_type,
        (p) =>
          `EXISTS (SELECT 1 FROM workers x
             WHERE x.tenant_id = $1 AND x.id = v.worker_id AND x.w_type = ANY(${p}::smallint[]))`,
      )
      .when(q.from, (p) => `v.at >= to_timestamp(${p})`)
      .when(q.to, (p) => `v.at < to_timestamp(${p})`),
    sort: q.sort,
    otherwise: 'v.at DESC',
    tie: 'v.id DESC',
    sortable: { at: 'v.at', points: 'v.points', status: 'v.status' },
    filled: ['at', 'points', 'status'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const violationRow = row<ViolationRow>({
  id: uuid,
  worker_id: uuid,
  w_id: text,
  w_name: text,
  w_type: int2.of(workerType),
  site_id: uuid,
  siteName: text,
  bc_id: uuid,
  bc_name: text,
  type: text.of(violationType),
  at: float8,
  alarm_id: uuid.null,
  picture: text.null,
  remark: text,
  points: int2,
  status: int2.of(violationStatus),
  dueAt: float8.null,
  enteredBy: text,
  entered_id: uuid.null,
  handled_id: uuid.null,
  objected_id: uuid.null,
  version: int4,
})
const lockedViolation = row({
  ...violationRow,
  changedBy: text,
  changedAt: float8.null,
  manager_id: uuid.null,
  steward_id: uuid.null,
})
export type LockedViolation = RowOf<typeof lockedViolation>
/** One violation inside the scope, its row locked until the transaction ends. */
export async function lockViolation(tx: Tx, scope: Scope, id: string): Promise<LockedViolation | undefined> {
  const where = scoped(scope, 'v').add((p) => `v.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'violations.lock',
    lockedViolation,
    `SELECT ${COLUMNS}, v.changed_by AS "changedBy", ${epoch('v.changed_at')} AS "changedAt",
       w.manager_id, w.steward_id
     FROM violations v ${JOINS}
     WHERE ${where.text}
     FOR UPDATE OF v`,
    where.values,
  )
  return rows[0]
}

export async function violationDetails(tx: Tx, scope: Scope, id: string) {
  const where = scoped(scope, 'v').add((p) => `v.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'violations.one',
    violationRow,
    `SELECT ${COLUMNS} FROM violations v ${JOINS} WHERE ${where.text}`,
    where.values,
  )
  const violation = rows[0]
  if (!violation) return undefined
  const log = await tx.query(
    'violations.logs',
    row({ at: float8, actor: text, action: text, text }),
    `SELECT ${epoch('at')} AS at, actor, action, text
     FROM violation_logs
     WHERE tenant_id = $1 AND violation_id = $2
     ORDER BY violation_logs.at, id`,
    [scope.tenant, id],
  )
  return { ...violation, log: log.rows }
}

/** The owner of it, and the leader of the site that it happened on. */
export async function whoseViolation(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'violations.whose',
    row({ name: text, siteName: text, manager_id: uuid.null, steward_id: uuid.null }),
    `SELECT k.w_name AS name, w.ws_name AS "siteName", w.manager_id, w.steward_id
     FROM violations v
     JOIN workers k ON k.tenant_id = $1 AND k.id = v.worker_id
     JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
     WHERE v.tenant_id = $1 AND v.id = $2`,
    [tenant, id],
  )
  return rows[0]!
}

/** The site for which a violation would be written down, if the caller sees it. */
export async function placeOf(tx: Tx, scope: Scope, site: string) {
  const where = scoped(scope, 'w', { site: 'id' })
    .add((p) => `w.id = ${p}::uuid`, site)
    .plain('w.deleted_at IS NULL')
  const { rows } = await tx.query(
    'violations.place',
    row({ id: uuid, bc_id: uuid, ws_name: text, manager_id: uuid.null, steward_id: uuid.null }),
    `SELECT w.id, w.bc_id, w.ws_name, w.manager_id, w.steward_id FROM sites w WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

/** The worker it would be of, if the caller sees them, and whether they were on the site that day. */
export async function workerOn(tx: Tx, scope: Scope, q: { worker: string; site: string; day: string }) {
  // Alarms tell of violations and sites of alarms, so that nothing of sites or workers is asked for here.
  const where = reaching(scope, 'k', {
    branch: (p) => `k.bc_id = ANY(${p}::uuid[])`,
    site: (p) =>
      `EXISTS (SELECT 1 FROM site_members o
         WHERE o.tenant_id = $1 AND o.worker_id = k.id AND o.site_id = ANY(${p}::uuid[]))`,
  })
    .add((p) => `k.id = ${p}::uuid`, q.worker)
    .plain('k.deleted_at IS NULL')
  const site = `$${where.values.push(q.site)}::uuid`
  const day = `$${where.values.push(q.day)}::date`
  const { rows } = await tx.query(
    'violations.worker',
    row({ id: uuid, w_name: text, there: bool }),
    `SELECT k.id, k.w_name, EXISTS (
         SELECT 1 FROM site_members m
         WHERE m.tenant_id = $1 AND m.worker_id = k.id AND m.site_id = ${site}
           AND ${day} BETWEEN m.entered_on AND coalesce(m.left_on, 'infinity')) AS there
     FROM workers k
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

const CHECKS = 60
/** The newest checks of a site's tidiness. */
export async function checksOf(tx: Tx, scope: Scope, site: string): Promise<TidinessCheck[]> {
  const where = scoped(scope, 't').add((p) => `t.site_id = ${p}::uuid`, site)
  const { rows } = await tx.query(
    'violations.tidiness',
    row<TidinessCheck>({
      id: uuid,
      at: float8,
      picture: text.null,
      result: int2.of(tidinessResult),
      deviceSn: text,
    }),
    `SELECT t.id, ${epoch('t.at')} AS at, t.picture, t.result, coalesce(d.sn, '') AS "deviceSn"
     FROM tidiness_checks t
     LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = t.device_id
     WHERE ${where.text}
     ORDER BY t.at DESC, t.id DESC
     LIMIT ${CHECKS}`,
    where.values,
  )
  return rows
}
