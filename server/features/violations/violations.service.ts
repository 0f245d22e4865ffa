import { alarmVerdict, correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import {
  type ViolationAction,
  violationActions,
} from '@zhuguan/contract/features/violations/violations.actions.ts'
import type { violationsApi } from '@zhuguan/contract/features/violations/violations.api.ts'
import { violationStatus, violationType } from '@zhuguan/contract/features/violations/violations.record.ts'
import type { BodyOf, QueryOf } from '@zhuguan/contract/kit/api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, refuse, unlessSeen } from '../../kit/refuse.ts'
import { bool, row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { type FileStore, unlessCopied, useFiles } from '../files/files.service.ts'
import { tell } from '../live/live.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { dueAfter } from '../settings/business-time.reads.ts'
import { settingOf, settingSql } from '../settings/settings.reads.ts'
import { lockViolation, placeOf, whoseViolation, workerOn } from './violations.queries.ts'

const { handled, open, withdrawn } = violationStatus.code

/** The points of this type on this day in this branch. */
const pointsOf = (tx: Tx, tenant: string, bc: string, type: (typeof violationType.values)[number]) =>
  settingOf<number>(tx, tenant, bc, `violationPoints.${type}`)

const addLog = (tx: Tx, call: Call, l: { violation: string; action: string; text: string }) =>
  tx.run(
    'violations.log',
    `INSERT INTO violation_logs (tenant_id, id, violation_id, actor, action, text, at)
     VALUES ($1, $2, $3, $4, $5, $6, :now)`,
    [call.user.tenant, call.newId(), l.violation, call.user.nickname, l.action, l.text],
  )

/** One command on one violation: load, refuse, move, log, tell. */
export async function changeViolation(
  tx: Tx,
  call: Call,
  action: ViolationAction,
  body: { id: string; version: number; reason: string },
): Promise<void> {
  const violation = found(await lockViolation(tx, call.user.scope, body.id))
  unlessSeen(violation, body.version, '条违规')
  refuse(violationActions.refusal(action, violation, actorAt(call.user, violation)))
  const { id: me, nickname, tenant } = call.user
  const to = Number(violationActions.arrives(action, violation.status))
  await tx.run(
    'violations.move',
    `UPDATE violations
     SET status = $3,
       handled_id = CASE WHEN $4 = 'handle' THEN $5::uuid ELSE handled_id END,
       objected_id = CASE WHEN $4 = 'object' THEN $5::uuid ELSE objected_id END,
       due_at = $7,
       judged_id = CASE WHEN $4 IN ('uphold', 'withdraw') THEN $5::uuid ELSE judged_id END,
       changed_by = $6, changed_at = :now, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [
      tenant,
      violation.id,
      to,
      action,
      me,
      nickname,
      action === 'object' ? await dueAfter(tx, tenant, violation.bc_id, 'objectionHours', call.now()) : null,
    ],
  )
  const { label } = violationActions.table[action]
  await addLog(tx, call, { violation: violation.id, action: label, text: body.reason })
  await call.log(tx, {
    action: to === handled ? '处理违规' : `违规${label}`,
    object: 'violation',
    objectId: violation.id,
    before: { status: violation.status },
    after: { worker_id: violation.worker_id, status: to, text: body.reason },
  })
  tell(tx, call, {
    topic: 'violation',
    bc: violation.bc_id,
    site: violation.site_id,
    id: violation.id,
    line: {
      kind: 'violation',
      title: `${violation.w_name} ${violationType.label(violation.type)}：${label}`,
    },
  })
  const what = `${violation.siteName} ${violation.w_name}的违规（${violationType.label(violation.type)}）`
  const title =
    action === 'object'
      ? `${what}被${nickname}申诉：${body.reason}，请裁定`
      : `${what}的申诉已由${nickname}${label}：${body.reason}`
  const objected = action === 'object' ? me : violation.objected_id
  await passTurn(tx, 'violation', action, {
    ...noticeOf(violation),
    tenant,
    actor: me,
    named: { objector: objected, concerned: [objected, violation.handled_id, violation.entered_id] },
    title,
  })
}

/** The part that every message about it has in common. */
export const noticeOf = (v: { id: string; bc_id: string; site_id: string }) => ({
  link: linkTo('BreakList', { id: v.id }),
  cause: { kind: 'violation', id: v.id } as const,
  place: { bc_id: v.bc_id, site_id: v.site_id },
})

/** Before it is written down: what it will cost. */
export async function pointsNow(
  tx: Tx,
  call: Call,
  q: QueryOf<typeof violationsApi.points>,
): Promise<{ points: number }> {
  const site = found(await placeOf(tx, call.user.scope, q.site_id))
  return { points: await pointsOf(tx, call.user.tenant, site.bc_id, q.type) }
}

interface Seen {
  tenant: string
  site: string
  worker: string
  type: string
  at: Date
}
/** Whether the same was written down before; whoever writes at the same time waits for the worker's row. */
async function isKnown(tx: Tx, { tenant, site, worker, type, at }: Seen): Promise<boolean> {
  await tx.run(
    'violations.holdworker',
    `SELECT FROM workers k WHERE k.tenant_id = $1 AND k.id = $2 FOR NO KEY UPDATE OF k`,
    [tenant, worker],
  )
  const { rows } = await tx.query(
    'violations.known',
    row({ known: bool }),
    `SELECT EXISTS (SELECT FROM violations v
       WHERE v.tenant_id = $1 AND v.site_id = $2 AND v.worker_id = $3 AND v.type = $4 AND v.at = $5
         AND v.entered_id IS NOT NULL) AS known`,
    [tenant, site, worker, type, at],
  )
  return rows[0]!.known
}
/** Somebody writes down what they saw, with a picture. */
export async function addViolation(
  tx: Tx,
  call: Call,
  files: FileStore,
  body: BodyOf<typeof violationsApi.add>,
): Promise<{ id: string }> {
  const { scope, tenant } = call.user
  const site = found(await placeOf(tx, scope, body.site_id))
  const worker = found(
    await workerOn(tx, scope, { worker: body.worker_id, site: body.site_id, day: body.day }),
  )
  const id = call.newId()
  const proof = { bc: site.bc_id, proves: id }
  await useFiles(tx, call, body.pictures, { ...proof, takenAfter: 0, site: site.id })
  await unlessCopied(tx, call, files, body.pictures, proof)
  const at = new Date(`${body.day}T${body.time}:00+08:00`)
  if (at > call.now()) throw invalid('time', '违规的时间不能晚于现在')
  if (!worker.there) throw invalid('worker_id', `${worker.w_name}那天不在这个工地`)
  const days = await settingOf<number>(tx, tenant, site.bc_id, 'violationDays')
  if (body.day < addDays(shanghaiDay(call.now()), -days))
    throw invalid('day', days ? `只能登记最近 ${days} 天的违规` : '只能登记当天的违规')
  refuse(
    (await isKnown(tx, { tenant, site: site.id, worker: body.worker_id, type: body.type, at }))
      ? `${worker.w_name}在这个工地这一分钟的${violationType.label(body.type)}已经记录过`
      : undefined,
  )
  const points = await pointsOf(tx, tenant, site.bc_id, body.type)
  await tx.run(
    'violations.add',
    `INSERT INTO violations (tenant_id, id, bc_id, site_id, worker_id, type, at, picture, remark, points, entered_id,
       changed_by, changed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, :now)`,
    [
      tenant,
      id,
      site.bc_id,
      site.id,
      worker.id,
      body.type,
      at,
      body.pictures[0],
      body.remark,
      points,
      call.user.id,
      call.user.nickname,
    ],
  )
  await addLog(tx, call, { violation: id, action: '登记', text: body.remark })
  await call.log(tx, {
    action: '登记违规',
    object: 'violation',
    objectId: id,
    after: {
      worker_id: worker.id,
      site_id: site.id,
      type: body.type,
      at: at.getTime() / 1000,
      points,
      ...(body.remark ? { text: body.remark } : {}),
    },
  })
  tell(tx, call, {
    topic: 'violation',
    bc: site.bc_id,
    site: site.id,
    id,
    line: {
      kind: 'violation',
      title: `${worker.w_name} ${violationType.label(body.type)}`,
      at,
      picture: body.pictures[0] ?? null,
    },
  })
  await passTurn(tx, 'violation', 'add', {
    ...noticeOf({ id, bc_id: site.bc_id, site_id: site.id }),
    tenant,
    actor: call.user.id,
    named: { manager: site.manager_id, steward: site.steward_id },
    title: `${site.ws_name} ${worker.w_name}被登记违规：${violationType.label(body.type)}，扣 ${points} 分；可以处理或申诉`,
  })
  return { id }
}

interface Judged {
  verdict: string
  correctionStatus: number
}
const isTrue = (a: Judged) =>
  a.verdict === alarmVerdict.code.real && a.correctionStatus !== correctionStatus.code.cancelled

/**
 * An alarm was judged: found to be true it is a violation of the worker whom it names, not true any more it is none.
 * Told by the alarm's command, in its transaction.
 */
export async function followAlarm(
  tx: Tx,
  call: Call,
  alarm: Judged & { id: string; bc_id: string; site_id: string; type: string },
  to: Judged,
): Promise<void> {
  const type = violationType.values.find((t) => t === alarm.type)
  if (type === undefined || isTrue(alarm) === isTrue(to)) return
  const { nickname, tenant } = call.user
  const changed = row({ id: uuid, worker_id: uuid, objected_id: uuid.null })
  const { rows } = isTrue(to)
    ? await tx.query(
        'violations.raise',
        changed,
        `INSERT INTO violations AS v (tenant_id, id, bc_id, site_id, worker_id, type, at, alarm_id, picture, points,
           changed_by, changed_at)
         SELECT a.tenant_id, $3::uuid, a.bc_id, a.site_id, a.worker_id, a.type, a.at, a.id, a.picture, $4::smallint,
           $5::text, :now
         FROM alarms a
         WHERE a.tenant_id = $1 AND a.id = $2 AND a.worker_id IS NOT NULL
         ON CONFLICT (tenant_id, alarm_id) DO UPDATE
         SET status = ${open}, handled_id = NULL, objected_id = NULL, due_at = NULL, changed_by = excluded.changed_by,
           changed_at = excluded.changed_at, version = v.version + 1
         WHERE v.status = ${withdrawn} AND v.judged_id IS NULL
         RETURNING id, worker_id, objected_id`,
        [tenant, alarm.id, call.newId(), await pointsOf(tx, tenant, alarm.bc_id, type), nickname],
      )
    : await tx.query(
        'violations.lapse',
        changed,
        `UPDATE violations
         SET status = ${withdrawn}, judged_id = NULL, due_at = NULL, changed_by = $3, changed_at = :now,
           version = version + 1
         WHERE tenant_id = $1 AND alarm_id = $2 AND status <> ${withdrawn}
         RETURNING id, worker_id, objected_id`,
        [tenant, alarm.id, nickname],
      )
  for (const v of rows) {
    const [action, status] = isTrue(to) ? ['报警属实', open] : ['报警取消，违规撤销', withdrawn]
    await addLog(tx, call, { violation: v.id, action, text: '' })
    await call.log(tx, {
      action: isTrue(to) ? '记入违规' : '违规撤销',
      object: 'violation',
      objectId: v.id,
      after: { worker_id: v.worker_id, site_id: alarm.site_id, type, status },
    })
    tell(tx, call, { topic: 'violation', bc: alarm.bc_id, site: alarm.site_id, id: v.id })
    const { manager_id, steward_id, name, siteName } = await whoseViolation(tx, tenant, v.id)
    const what = `${siteName} ${name}的违规（${violationType.label(type)}）`
    await passTurn(tx, 'violation', isTrue(to) ? 'add' : 'lapse', {
      ...noticeOf({ id: v.id, bc_id: alarm.bc_id, site_id: alarm.site_id }),
      tenant,
      actor: call.user.id,
      named: { manager: manager_id, steward: steward_id, objector: v.objected_id },
      title: isTrue(to) ? `${what}：报警判为属实，可以处理或申诉` : `${what}随报警取消撤销，不再扣分`,
    })
  }
}

/**
 * Violations of true alarms that have none: of those that a release before confirmed, or the demo's staff. What was
 * corrected meanwhile counts as handled.
 */
export async function catchUp(tx: Tx, tenant: string): Promise<void> {
  const { noclothes, smoking } = violationType.code
  await tx.run(
    'violations.missed',
    `INSERT INTO violations (tenant_id, id, bc_id, site_id, worker_id, type, at, alarm_id, picture, points, status)
     SELECT a.tenant_id, gen_random_uuid(), a.bc_id, a.site_id, a.worker_id, a.type, a.at, a.id, a.picture,
       (CASE a.type WHEN '${smoking}' THEN ${settingSql('violationPoints.smoking', '$1', 'a.bc_id')}
         ELSE ${settingSql('violationPoints.noclothes', '$1', 'a.bc_id')} END)::text::smallint,
       CASE a.correction_status WHEN ${correctionStatus.code.corrected} THEN ${handled} ELSE ${open} END
     FROM alarms a
     WHERE a.tenant_id = $1 AND a.verdict = '${alarmVerdict.code.real}' AND a.worker_id IS NOT NULL
       AND a.type IN ('${noclothes}', '${smoking}') AND a.correction_status <> ${correctionStatus.code.cancelled}
     ON CONFLICT (tenant_id, alarm_id) DO NOTHING`,
    [tenant],
  )
}
