import { type AlarmAction, alarmActions } from '@zhuguan/contract/features/alarms/alarms.actions.ts'
import {
  alarmType,
  alarmVerdict,
  cancelReason,
  correctionStatus,
  correctionStep,
} from '@zhuguan/contract/features/alarms/alarms.record.ts'
import type { SettingKey } from '@zhuguan/contract/features/settings/settings.record.ts'

import type { Tx } from '../../database/connect.ts'
import { found, refuse, Refused } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay, shanghaiTime } from '../../kit/shanghai.ts'
import { useFiles } from '../files/files.service.ts'
import { announce, tellSite } from '../live/live.service.ts'
import { notify } from '../notifications/notifications.service.ts'
import { settingOf } from '../settings/settings.reads.ts'
import { assignable } from '../users/users.reads.ts'
import {
  addAlarmLog,
  type AlarmChange,
  countOpen,
  type LockedAlarm,
  lockAlarm,
  moveAlarm,
} from './alarms.queries.ts'

export interface AlarmCommand {
  id: string
  version: number
  action: AlarmAction
  reason?: string
  cause?: string
  assignee_id?: string
  pictures?: string[]
  text?: string
}

const { cancelled, corrected, correcting, open } = correctionStatus.code
const isOpen = (status: number) => status === open || status === correcting

/** The branch's hours from now; what would fall outside its working hours waits for their next beginning. */
async function dueAt(tx: Tx, call: Call, alarm: LockedAlarm): Promise<Date> {
  const of = <T>(key: SettingKey) => settingOf<T>(tx, call.user.tenant, alarm.bc_id, key)
  const due = new Date(call.now().getTime() + (await of<number>(`correctionHours.${alarm.type}`)) * 3_600_000)
  const [opens, closes] = [await of<string>('workStart'), await of<string>('workEnd')]
  const clock = shanghaiTime(due).slice(11, 16)
  if (clock >= opens && clock <= closes) return due
  const day = shanghaiDay(due)
  return new Date(`${clock < opens ? day : addDays(day, 1)}T${opens}:00+08:00`)
}

/** What each command does to the record, beside the state that the table of actions names. */
async function outcome(tx: Tx, call: Call, alarm: LockedAlarm, command: AlarmCommand): Promise<AlarmChange> {
  const now = call.now()
  const same: AlarmChange = {
    correctionStatus: alarm.correctionStatus,
    verdict: alarm.verdict,
    step: alarm.step,
    round: alarm.round,
    assignee_id: alarm.assignee_id,
    corrector_id: alarm.corrector_id,
    dueAt: alarm.dueAt === null ? null : new Date(alarm.dueAt * 1000),
    closedAt: alarm.closedAt === null ? null : new Date(alarm.closedAt * 1000),
  }
  switch (command.action) {
    case 'assign': {
      found(await assignable(tx, call.user.scope, command.assignee_id!, alarm.site_id))
      const due = same.dueAt ?? (await dueAt(tx, call, alarm))
      return {
        ...same,
        correctionStatus: correcting,
        verdict: alarmVerdict.code.real,
        step: correctionStep.code.assigned,
        assignee_id: command.assignee_id!,
        dueAt: due,
      }
    }
    case 'start':
      return { ...same, step: correctionStep.code.doing }
    case 'submit':
      await useFiles(tx, call, command.pictures!, {
        takenAfter: alarm.at,
        bc: alarm.bc_id,
        site: alarm.site_id,
      })
      return { ...same, step: correctionStep.code.submitted, corrector_id: call.user.id }
    case 'pass':
      return { ...same, correctionStatus: corrected, closedAt: now }
    case 'back':
      return { ...same, step: correctionStep.code.doing, round: alarm.round + 1 }
    case 'dispute':
      return {
        ...same,
        correctionStatus: open,
        verdict: alarmVerdict.code.none,
        step: null,
        assignee_id: null,
        dueAt: null,
      }
    case 'cancel':
      return {
        ...same,
        correctionStatus: cancelled,
        verdict: command.cause === cancelReason.code.wrong ? alarmVerdict.code.wrong : same.verdict,
        step: null,
        closedAt: now,
      }
    case 'reopen':
      return {
        ...same,
        correctionStatus: open,
        verdict: alarmVerdict.code.none,
        step: null,
        assignee_id: null,
        corrector_id: null,
        dueAt: null,
        closedAt: null,
        round: alarm.round + 1,
      }
  }
}

/** One command on one alarm: load, refuse, move, log, tell (architecture.md). */
export async function changeAlarm(tx: Tx, call: Call, command: AlarmCommand): Promise<void> {
  const alarm = found(await lockAlarm(tx, call.user.scope, command.id))
  const action = alarmActions.table[command.action]
  if (alarm.version !== command.version)
    throw new Refused(
      `已被 ${alarm.changedBy || '系统'} 于 ${shanghaiTime(new Date(alarm.changedAt * 1000))} 处理，请刷新后再试`,
    )
  refuse(alarmActions.refusal(command.action, alarm, call.user))
  const to = await outcome(tx, call, alarm, command)
  if (!isOpen(alarm.correctionStatus) && isOpen(to.correctionStatus)) await refuseSecondOpen(tx, call, alarm)
  if (!(await moveAlarm(tx, call.user.tenant, alarm, to, call.user.nickname, call.now())))
    throw new Refused('已被他人处理，请刷新后再试')
  if (isOpen(alarm.correctionStatus) !== isOpen(to.correctionStatus))
    await countOpen(tx, call.user.tenant, alarm.site_id, isOpen(to.correctionStatus) ? 1 : -1)

  const text = [command.cause && cancelReason.label(command.cause), command.reason, command.text]
    .filter(Boolean)
    .join('：')
  const tenant = call.user.tenant
  await addAlarmLog(tx, {
    tenant,
    id: call.newId(),
    alarm: alarm.id,
    actor: call.user.nickname,
    action: action.label,
    text,
    pictures: command.pictures ?? [],
  })
  await tellSite(tx, {
    tenant,
    bc: alarm.bc_id,
    site: alarm.site_id,
    id: call.newId(),
    kind: 'correction',
    at: call.now(),
    title: `${alarmType.label(alarm.type)}：${action.label}`,
    actor: call.user.nickname,
    ref: alarm.id,
    picture: command.pictures?.[0] ?? null,
  })
  await call.log(tx, {
    action: action.label,
    object: 'alarm',
    objectId: alarm.id,
    before: state(alarm),
    after: { ...state({ ...alarm, ...to }), ...(text ? { text } : {}) },
  })
  await announce(tx, {
    tenant,
    bc: alarm.bc_id,
    site: alarm.site_id,
    topic: 'alarm',
    what: 'changed',
    id: alarm.id,
  })
  if (command.action === 'assign' && command.assignee_id !== call.user.id) {
    await notify(tx, {
      tenant,
      user: command.assignee_id!,
      title: `${alarm.siteName} 的“${alarmType.label(alarm.type)}”指派给您整改`,
      link: `/image/AlarmEvent?id=${alarm.id}`,
      id: call.newId(),
    })
  }
}

const state = (a: {
  correctionStatus: number
  step: string | null
  assignee_id: string | null
  verdict: string
}) => ({ correctionStatus: a.correctionStatus, step: a.step, assignee_id: a.assignee_id, verdict: a.verdict })

/** One open alarm per camera and type (states.md): a closed one cannot come back beside it. */
async function refuseSecondOpen(tx: Tx, call: Call, alarm: LockedAlarm): Promise<void> {
  const { rowCount } = await tx.query(
    'alarms.other',
    'SELECT 1 FROM alarms WHERE tenant_id = $1 AND device_id = $2 AND type = $3 AND correction_status IN (1, 2)',
    [call.user.tenant, alarm.device_id, alarm.type],
  )
  if (rowCount) throw new Refused('这台摄像头已有一条同类未结报警，请处理那一条')
}

/** Does the eligible rows, each in its own transaction, and names the others. */
export async function changeMany(
  call: Call,
  alarms: readonly { id: string; version: number }[],
  command: Omit<AlarmCommand, 'id' | 'version'>,
) {
  let done = 0
  const skipped: { id: string; why: string }[] = []
  for (const one of alarms) {
    try {
      await call.write((tx) => changeAlarm(tx, call, { ...command, ...one }))
      done += 1
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      skipped.push({ id: one.id, why: error.message })
    }
  }
  return { done, skipped }
}
