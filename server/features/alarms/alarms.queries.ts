import type { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import {
  alarmAttention,
  type AlarmRow,
  alarmType,
  alarmVerdict,
  correctionStatus,
  correctionStep,
} from '@zhuguan/contract/features/alarms/alarms.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int2, int4, row, text, uuid, uuids } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import type { PageOf, Where } from '../../kit/statement.ts'
import { dayBegins, epoch } from '../../kit/statement.ts'
import { onSiteAt } from '../attendance/attendance.reads.ts'
import { overdue, threadOf, waitsFor } from '../corrections/corrections.reads.ts'
import { settingSql } from '../settings/settings.reads.ts'

const { notify, review } = alarmAttention.code
type Filters = QueryOf<(typeof alarmsApi)['list']>

/** The branch's days in which a closed alarm may come back; a branch over the group, over ours. */
const REOPEN_DAYS = `${settingSql('reopenDays', 'a.tenant_id', 'a.bc_id')}::text::float8`
export const ALARM_COLUMNS = `a.id, a.type, a.picture, a.clip, a.site_id, w.ws_name AS "siteName", a.bc_id, c.bc_name, a.device_id,
     d.sn AS "deviceSn", ${epoch('a.at')} AS at, ${epoch('a.last_seen')} AS "lastSeen", a.seen,
     round(a.confidence::numeric, 4)::float8 AS confidence, a.low_trust AS "lowTrust",
     CASE WHEN a.quiet THEN '${review}' ELSE '${notify}' END AS attention, a.model,
     a.correction_status AS "correctionStatus", a.verdict, a.step, a.round, a.disputed, a.assignee_id,
     coalesce(u.nickname, '') AS "assigneeName", a.corrector_id, a.corrector_ids, ${epoch('a.due_at')} AS "dueAt",
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
    .when(q.closedFrom, (p) => `a.closed_at >= ${dayBegins(p)}`)
    .when(q.closedTo, (p) => `a.closed_at < ${dayBegins(`(${p}::date + 1)`)}`)
    .when(q.verdict, (p) => `a.verdict = ANY(${p}::text[])`)
    .when(q.hour, (p) => `extract(hour FROM a.at AT TIME ZONE 'Asia/Shanghai')::int = ANY(${p}::int[])`)
    .when(q.assigned, (p) => `(a.assignee_id IS NOT NULL) = ${p}::boolean`)
    .when(
      q.todo,
      (p) => waitsFor(q.todo!, p, 'a'),
      () => scope.user,
    )
    .when(q.from, (p) => `a.at >= to_timestamp(${p})`)
    .when(q.to, (p) => `a.at < to_timestamp(${p})`)
    .plain(q.attention === review && 'a.quiet')
    .plain(q.attention === notify && 'NOT a.quiet')
    .plain(q.overdue === true && overdue('a'))
    .plain(q.overdue === false && `NOT coalesce(${overdue('a')}, false)`)
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

/** The row of ALARM_COLUMNS. */
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
  attention: text.of(alarmAttention),
  model: text,
  correctionStatus: int2.of(correctionStatus),
  verdict: text.of(alarmVerdict),
  step: text.of(correctionStep).null,
  round: int4,
  disputed: bool,
  assignee_id: uuid.null,
  assigneeName: text,
  corrector_id: uuid.null,
  corrector_ids: uuids,
  dueAt: float8.null,
  closedAt: float8.null,
  reopenUntil: float8.null,
  version: int4,
})
/** The site's counter of open alarms, kept in the transaction that opens or closes one. */
export const countOpen = (tx: Tx, tenant: string, site: string, by: number) =>
  tx.run(
    'alarms.count',
    'UPDATE sites SET open_alarms = greatest(0, open_alarms + $3) WHERE tenant_id = $1 AND id = $2',
    [tenant, site, by],
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
/** Its log, what else its camera saw, who is on the picture, and who was on the site. */
async function extrasOf(tx: Tx, scope: Scope, alarm: Pick<AlarmRow, 'at' | 'device_id' | 'id' | 'site_id'>) {
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
    ...(await threadOf(tx, scope.tenant, alarm.id)),
    sameCamera: same.rows,
    workerName: worker.rows[0]?.w_name ?? '',
    onSite: await onSiteAt(tx, scope, alarm.site_id, alarm.at),
  }
}
