import type { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import {
  type AlarmRow,
  alarmType,
  alarmVerdict,
  correctionStatus,
  correctionStep,
} from '@zhuguan/contract/features/alarms/alarms.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int2, int4, row, text, texts, uuid, type RowOf } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import type { PageOf, Where } from '../../kit/statement.ts'
import { dayBegins, epoch } from '../../kit/statement.ts'
import { settingSql } from '../settings/settings.reads.ts'
import { OVERDUE, waitsFor } from './alarms.reads.ts'

type Filters = QueryOf<(typeof alarmsApi)['list']>

/** The branch's days in which a closed alarm may come back; a branch over the group, over ours. */
const REOPEN_DAYS = `${settingSql('reopenDays', 'a.tenant_id', 'a.bc_id')}::text::float8`
export const ALARM_COLUMNS = `a.id, a.type, a.picture, a.clip, a.site_id, w.ws_name AS "siteName", a.bc_id, c.bc_name, a.device_id,
     d.sn AS "deviceSn", ${epoch('a.at')} AS at, ${epoch('a.last_seen')} AS "lastSeen", a.seen,
     round(a.confidence::numeric, 4)::float8 AS confidence, a.low_trust AS "lowTrust",
     a.correction_status AS "correctionStatus", a.verdict, a.step, a.round, a.disputed, a.assignee_id,
     coalesce(u.nickname, '') AS "assigneeName", a.corrector_id, ${epoch('a.due_at')} AS "dueAt",
     ${epoch('a.closed_at')} AS "closedAt",
     CASE
     WHEN a.closed_at IS NOT NULL THEN ${epoch(`(a.closed_at + interval '1 day' * ${REOPEN_DAYS})`)} END AS "reopenUntil", a.version`
const ALARM_JOINS = `JOIN sites w ON w.tenant_id = a.tenant_id AND w.id = a.site_id
   JOIN companies c ON c.tenant_id = a.tenant_id AND c.bc_id = a.bc_id
   JOIN devices d ON d.tenant_id = a.tenant_id AND d.id = a.device_id
   LEFT JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.assignee_id`
export const ALARM_FROM = `alarms a ${ALARM_JOINS}`

export function alarmWhere(scope: Scope, q: Filters): Where {
  return scoped(scope, 'a')
    .when(q.id, (p) => `a.id = ${p}::uuid`)
    .when(q.ids, (p) => `a.id = ANY(${p}::uuid[])`)
    .when(q.type, (p) => `a.type = ANY(${p}::text[])`)
    .when(q.correctionStatus, (p) => `a.correction_status = ANY(${p}::smallint[])`)
    .when(q.bc_id, (p) => `a.bc_id = ANY(${p}::uuid[])`)
    .when(q.site_id, (p) => `a.site_id = ${p}::uuid`)
    .when(q.device_id, (p) => `a.device_id = ${p}::uuid`)
    .when(q.assignee_id, (p) => `a.assignee_id = ${p}::uuid`)
    .when(
      q.closedOn,
      (p) => `a.closed_at >= ${dayBegins(p)} AND a.closed_at < ${dayBegins(`(${p}::date + 1)`)}`,
    )
    .when(
      q.todo,
      (p) => waitsFor(q.todo!, p),
      () => scope.user,
    )
    .when(q.from, (p) => `a.at >= to_timestamp(${p})`)
    .when(q.to, (p) => `a.at < to_timestamp(${p})`)
    .plain(q.overdue === true && OVERDUE)
    .plain(q.overdue === false && `NOT coalesce(${OVERDUE}, false)`)
}

/** All alarms of the whole group or of branches are counted a day and branch. */
const knownTotal = (scope: Scope, where: Where): string | undefined =>
  !scope.sites && where.text === scoped(scope, 'a').text
    ? `SELECT coalesce(sum(k.raised), 0) FROM branch_alarms k WHERE ${scoped(scope, 'k').text}`
    : undefined

/**
 * What is worst comes first: what is not closed by its deadline, so that the longest overdue leads; then what is
 * closed, the newest first. As the indexes `alarms_worst` have it.
 */
const WORST = ['CASE WHEN a.correction_status IN (1, 2) THEN a.due_at END ASC', 'a.at DESC']

export function alarmPage(scope: Scope, q: Filters): PageOf {
  const where = alarmWhere(scope, q)
  return {
    name: 'alarms.page',
    columns: ALARM_COLUMNS,
    base: 'alarms a',
    joins: ALARM_JOINS,
    where,
    known: knownTotal(scope, where),
    sort: q.sort,
    otherwise: WORST,
    tie: 'a.id DESC',
    sortable: {
      at: 'a.at',
      lastSeen: 'a.last_seen',
      confidence: 'a.confidence',
      dueAt: 'a.due_at',
      correctionStatus: 'a.correction_status',
      type: 'a.type',
    },
    filled: ['at', 'lastSeen', 'confidence', 'correctionStatus', 'type'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

/** What ALARM_COLUMNS answers. */
const alarmRow = row<AlarmRow>({
  id: uuid,
  type: text.of(alarmType),
  picture: text.null,
  clip: text.null,
  site_id: uuid,
  siteName: text,
  bc_id: uuid,
  bc_name: text,
  device_id: uuid,
  deviceSn: text,
  at: float8,
  lastSeen: float8,
  seen: int4,
  confidence: float8,
  lowTrust: bool,
  correctionStatus: int2.of(correctionStatus),
  verdict: text.of(alarmVerdict),
  step: text.of(correctionStep).null,
  round: int4,
  disputed: bool,
  assignee_id: uuid.null,
  assigneeName: text,
  corrector_id: uuid.null,
  dueAt: float8.null,
  closedAt: float8.null,
  reopenUntil: float8.null,
  version: int4,
})
const lockedAlarm = row({ ...alarmRow, changedBy: text, changedAt: float8 })
export type LockedAlarm = RowOf<typeof lockedAlarm>
async function lockAlarms(tx: Tx, where: Where): Promise<LockedAlarm[]> {
  const { rows } = await tx.query(
    'alarms.lock',
    lockedAlarm,
    `SELECT ${ALARM_COLUMNS}, a.changed_by AS "changedBy", ${epoch('a.changed_at')} AS "changedAt"
     FROM ${ALARM_FROM}
     WHERE ${where.text}
     ORDER BY a.id
     FOR UPDATE OF a`,
    where.values,
  )
  return rows
}
/** One alarm inside the scope, its row locked until the transaction ends. */
export const lockAlarm = async (tx: Tx, scope: Scope, id: string): Promise<LockedAlarm | undefined> =>
  (
    await lockAlarms(
      tx,
      scoped(scope, 'a').add((p) => `a.id = ${p}::uuid`, id),
    )
  )[0]
/** What this person is correcting on the site, locked likewise. */
export const lockCorrecting = (tx: Tx, scope: Scope, site: string, person: string): Promise<LockedAlarm[]> =>
  lockAlarms(
    tx,
    scoped(scope, 'a')
      .add((p) => `a.site_id = ${p}::uuid`, site)
      .add((p) => `a.assignee_id = ${p}::uuid`, person)
      .plain(`a.correction_status = ${correctionStatus.code.correcting}`),
  )

export interface AlarmChange {
  correctionStatus: number
  verdict: string
  step: string | null
  round: number
  disputed: boolean
  assignee_id: string | null
  corrector_id: string | null
  dueAt: Date | null
  closedAt: Date | null
}
/** Leaves the state and version it expects, or changes nothing and answers false. */
export async function moveAlarm(
  tx: Tx,
  tenant: string,
  before: LockedAlarm,
  to: AlarmChange,
  by: string,
  at: Date,
): Promise<boolean> {
  const { rowCount } = await tx.run(
    'alarms.move',
    `UPDATE alarms
     SET correction_status = $5, verdict = $6, step = $7, round = $8, assignee_id = $9, corrector_id = $10,
       due_at = $11, closed_at = $12, changed_by = $13, changed_at = $14, disputed = $15, version = version + 1
     WHERE tenant_id = $1 AND id = $2 AND correction_status = $3 AND version = $4`,
    [
      tenant,
      before.id,
      before.correctionStatus,
      before.version,
      to.correctionStatus,
      to.verdict,
      to.step,
      to.round,
      to.assignee_id,
      to.corrector_id,
      to.dueAt,
      to.closedAt,
      by,
      at,
      to.disputed,
    ],
  )
  return rowCount === 1
}
/** The site's counter of open alarms, kept in the transaction that opens or closes one. */
export const countOpen = (tx: Tx, tenant: string, site: string, by: number) =>
  tx.run(
    'alarms.count',
    'UPDATE sites SET open_alarms = greatest(0, open_alarms + $3) WHERE tenant_id = $1 AND id = $2',
    [tenant, site, by],
  )

export const addAlarmLog = (
  tx: Tx,
  l: {
    tenant: string
    id: string
    alarm: string
    actor: string
    action: string
    text: string
    pictures: string[]
  },
) =>
  tx.run(
    'alarms.log',
    `INSERT INTO alarm_logs (tenant_id, id, alarm_id, actor, action, text, pictures, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, :now)`,
    [l.tenant, l.id, l.alarm, l.actor, l.action, l.text, l.pictures],
  )

export async function alarmDetails(tx: Tx, scope: Scope, id: string) {
  const one = scoped(scope, 'a').add((p) => `a.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'alarms.one',
    alarmRow,
    `SELECT ${ALARM_COLUMNS} FROM ${ALARM_FROM} WHERE ${one.text}`,
    one.values,
  )
  const alarm = rows[0]
  return alarm && { ...alarm, ...(await extrasOf(tx, scope, alarm)) }
}
/** Its log, what else its camera saw, and who is on the picture. */
async function extrasOf(tx: Tx, scope: Scope, alarm: { id: string; device_id: string }) {
  const log = await tx.query(
    'alarms.logs',
    row({ at: float8, actor: text, action: text, text, pictures: texts }),
    `SELECT ${epoch('at')} AS at, actor, action, text, pictures
     FROM alarm_logs
     WHERE tenant_id = $1 AND alarm_id = $2
     ORDER BY at, id`,
    [scope.tenant, alarm.id],
  )
  const photos = await tx.query(
    'alarms.photos',
    row({ key: text, uploadedAt: float8, takenAt: float8.null }),
    `SELECT f.key, ${epoch('f.at')} AS "uploadedAt", ${epoch('f.taken_at')} AS "takenAt"
     FROM files f
     WHERE f.tenant_id = $1 AND f.key = ANY ($2)`,
    [scope.tenant, log.rows.flatMap((l) => l.pictures)],
  )
  const where = scoped(scope, 'a')
    .add((p) => `a.device_id = ${p}::uuid`, alarm.device_id)
    .add((p) => `a.id <> ${p}::uuid`, alarm.id)
  const same = await tx.query(
    'alarms.same',
    row({
      id: uuid,
      type: text.of(alarmType),
      at: float8,
      correctionStatus: int2.of(correctionStatus),
      picture: text.null,
    }),
    `SELECT a.id, a.type, ${epoch('a.at')} AS at, a.correction_status AS "correctionStatus", a.picture
     FROM alarms a
     WHERE ${where.text}
     ORDER BY a.at DESC
     LIMIT 12`,
    where.values,
  )
  const worker = await tx.query(
    'alarms.worker',
    row({ w_name: text }),
    `SELECT k.w_name
     FROM alarms a
     JOIN workers k ON k.tenant_id = a.tenant_id AND k.id = a.worker_id
     WHERE a.tenant_id = $1 AND a.id = $2`,
    [scope.tenant, alarm.id],
  )
  return {
    log: log.rows,
    photos: photos.rows,
    sameCamera: same.rows,
    workerName: worker.rows[0]?.w_name ?? '',
  }
}
