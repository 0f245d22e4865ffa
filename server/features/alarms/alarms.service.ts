import { type AlarmAction, alarmActions } from '@zhuguan/contract/features/alarms/alarms.actions.ts'
import type { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import {
  alarmType,
  alarmVerdict,
  cancelReason,
  correctionStatus,
  correctionStep,
} from '@zhuguan/contract/features/alarms/alarms.record.ts'
import type { SettingKey } from '@zhuguan/contract/features/settings/settings.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, refuse, Refused, overtaken } from '../../kit/refuse.ts'
import { row, there, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { useFiles } from '../files/files.service.ts'
import { tell } from '../live/live.service.ts'
import { notify, settle } from '../notifications/notifications.service.ts'
import { assignable } from '../users/users.reads.ts'
import { followAlarm } from '../violations/violations.service.ts'
import { dueAfter } from './alarms.clock.ts'
import {
  addAlarmLog,
  type AlarmChange,
  countOpen,
  type LockedAlarm,
  lockAlarm,
  lockCorrecting,
  moveAlarm,
} from './alarms.queries.ts'

/** Each action with what its call carries. */
export type AlarmCommand = {
  [A in AlarmAction]: { action: A } & BodyOf<(typeof alarmsApi)[A]>
}[AlarmAction]
type Seen = Pick<AlarmCommand, 'id' | 'version'>

const { correcting, open } = correctionStatus.code
const isOpen = (status: number) => status === open || status === correcting

const moment = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000))
const unchanged = (alarm: LockedAlarm): AlarmChange => ({
  correctionStatus: alarm.correctionStatus,
  verdict: alarm.verdict,
  step: alarm.step,
  round: alarm.round,
  // Whatever is done answers what was said against it.
  disputed: false,
  assignee_id: alarm.assignee_id,
  corrector_id: alarm.corrector_id,
  dueAt: moment(alarm.dueAt),
  closedAt: moment(alarm.closedAt),
})

/** What each command does to the record, beside the state that the table of actions names. */
async function outcome(
  tx: Tx,
  call: Call,
  alarm: LockedAlarm,
  command: AlarmCommand,
): Promise<AlarmChange & { whom?: string }> {
  const now = call.now()
  const to = Number(alarmActions.arrives(command.action, alarm.correctionStatus))
  const same: AlarmChange = { ...unchanged(alarm), correctionStatus: to }
  switch (command.action) {
    case 'assign': {
      const whom = found(await assignable(tx, call.user.scope, command.assignee_id, alarm.site_id))
      // Handed on, the clock runs on; confirmed, the one for correcting begins.
      const due =
        alarm.correctionStatus === correcting
          ? same.dueAt
          : await dueAfter(tx, call.user.tenant, alarm.bc_id, `correctionHours.${alarm.type}`, now)
      return {
        ...same,
        verdict: alarmVerdict.code.real,
        step: correctionStep.code.assigned,
        assignee_id: command.assignee_id,
        dueAt: due,
        whom: whom.nickname,
      }
    }
    case 'start':
      return { ...same, step: correctionStep.code.doing }
    case 'submit':
      await useFiles(tx, call, command.pictures, {
        takenAfter: alarm.at,
        bc: alarm.bc_id,
        site: alarm.site_id,
        proves: alarm.id,
      })
      return { ...same, step: correctionStep.code.submitted, corrector_id: call.user.id }
    case 'pass':
      return { ...same, closedAt: now }
    case 'back':
      return { ...same, step: correctionStep.code.doing, round: alarm.round + 1 }
    // Assignee and clock stay: the reviewer hands it on or a supervisor cancels it.
    case 'dispute':
      return { ...same, disputed: true }
    case 'cancel':
      return {
        ...same,
        verdict: command.cause === cancelReason.code.wrong ? alarmVerdict.code.wrong : same.verdict,
        step: null,
        closedAt: now,
      }
    case 'reopen': {
      const again = { ...same, corrector_id: null, closedAt: null, round: alarm.round + 1 }
      const due = (key: SettingKey) => dueAfter(tx, call.user.tenant, alarm.bc_id, key, now)
      const next = to === correcting ? await whoCorrects(tx, call, alarm) : null
      return to === correcting
        ? {
            ...again,
            step: next ? correctionStep.code.assigned : null,
            assignee_id: next,
            dueAt: await due(`correctionHours.${alarm.type}`),
          }
        : {
            ...again,
            verdict: alarmVerdict.code.none,
            step: null,
            assignee_id: null,
            dueAt: await due('answerHours'),
          }
    }
  }
}

/** What was said with a command, as its log shows it. */
function wordsOf(command: AlarmCommand): string {
  switch (command.action) {
    case 'cancel':
      return `${cancelReason.label(command.cause)}：${command.reason}`
    case 'submit':
      return command.text
    case 'back':
    case 'dispute':
    case 'reopen':
      return command.reason
    default:
      return ''
  }
}

/** One command on one alarm: load, refuse, move, log, tell. */
export async function changeAlarm(tx: Tx, call: Call, command: AlarmCommand): Promise<void> {
  const alarm = found(await lockAlarm(tx, call.user.scope, command.id))
  const action = alarmActions.table[command.action]
  if (alarm.version !== command.version)
    throw overtaken('条报警', { name: alarm.changedBy || '系统', at: alarm.changedAt })
  refuse(alarmActions.refusal(command.action, alarm, actorAt(call.user, alarm), call.now().getTime() / 1000))
  const to = await outcome(tx, call, alarm, command)
  if (!isOpen(alarm.correctionStatus) && isOpen(to.correctionStatus)) await refuseSecondOpen(tx, call, alarm)
  if (!(await moveAlarm(tx, call.user.tenant, alarm, to, call.user.nickname, call.now())))
    throw overtaken('条报警')
  await followAlarm(tx, call, alarm, to)
  if (isOpen(alarm.correctionStatus) !== isOpen(to.correctionStatus))
    await countOpen(tx, call.user.tenant, alarm.site_id, isOpen(to.correctionStatus) ? 1 : -1)

  const text = wordsOf(command)
  const pictures = command.action === 'submit' ? command.pictures : []
  const { tenant } = call.user
  await tellChange(tx, call, alarm, to, { label: action.label, text, pictures, whom: to.whom ?? '' })
  if (command.action === 'dispute') await tellDispute(tx, call, alarm, text)
  // Who acted, and who had it until now, have it in their list of notices no more; who has to act next is told.
  const over = !isOpen(to.correctionStatus) || to.assignee_id !== alarm.assignee_id
  const link = `/image/AlarmEvent?id=${alarm.id}`
  await settle(tx, { tenant, users: [call.user.id, over ? alarm.assignee_id : null], link })
  const begins = to.step === correctionStep.code.assigned && to.assignee_id !== null
  if (
    begins &&
    (command.action === 'assign' || command.action === 'reopen') &&
    to.assignee_id !== call.user.id
  )
    await notify(tx, {
      tenant,
      user: to.assignee_id!,
      title: `${alarm.siteName} 的“${alarmType.label(alarm.type)}”${command.action === 'assign' ? '指派给您' : '重新打开，请您'}整改`,
      link,
      id: call.newId(),
    })
}

/** A change of an alarm as everybody reads it: in its own log, on the site's timeline, in the journal and live. */
async function tellChange(
  tx: Tx,
  call: Call,
  alarm: LockedAlarm,
  to: AlarmChange,
  {
    label,
    pictures = [],
    text,
    whom = '',
  }: {
    label: string
    text: string
    pictures?: string[]
    /** Who has it from now on; the journal knows it by its own field. */
    whom?: string
  },
): Promise<void> {
  const { nickname: actor, tenant } = call.user
  await addAlarmLog(tx, {
    tenant,
    id: call.newId(),
    alarm: alarm.id,
    actor,
    action: label,
    text: text || whom,
    pictures,
  })
  tell(tx, call, {
    topic: 'alarm',
    bc: alarm.bc_id,
    site: alarm.site_id,
    id: alarm.id,
    line: {
      kind: 'correction',
      title: `${alarmType.label(alarm.type)}：${label}`,
      picture: pictures[0] ?? null,
    },
  })
  await call.log(tx, {
    action: label,
    object: 'alarm',
    objectId: alarm.id,
    before: state(alarm),
    after: { ...state({ ...alarm, ...to }), ...(text ? { text } : {}) },
  })
}

/**
 * Somebody leaves a post of the site: what they were correcting there goes to who takes the post, unless they can still
 * do it. Told after the site's people are changed, in the same transaction.
 */
export async function handOver(
  tx: Tx,
  call: Call,
  site: { id: string; ws_name: string },
  change: { from: string; to: string | null; post: string },
): Promise<void> {
  const { nickname, scope, tenant } = call.user
  const left = await lockCorrecting(tx, scope, site.id, change.from)
  if (left.length === 0 || (await assignable(tx, scope, change.from, site.id))) return
  const next = change.to === null ? undefined : await assignable(tx, scope, change.to, site.id)
  if (!next)
    throw new Refused(
      `${change.post}${left[0]!.assigneeName}还有 ${left.length} 条报警正在整改，` +
        (change.to === null ? '请先改派给别人' : '接任的人不能整改报警，请先改派给别人'),
    )
  for (const alarm of left) {
    const to = { ...unchanged(alarm), assignee_id: next.id }
    // What is submitted waits for its reviewer; anything else the next person begins anew. The clock runs on.
    if (alarm.step !== correctionStep.code.submitted) to.step = correctionStep.code.assigned
    await moveAlarm(tx, tenant, alarm, to, nickname, call.now())
    await tellChange(tx, call, alarm, to, { label: '改派', text: `负责人更换，转给 ${next.nickname}` })
  }
  if (next.id !== call.user.id)
    await notify(tx, {
      tenant,
      user: next.id,
      title: `您接任 ${site.ws_name} 的${change.post}，${left.length} 条整改中的报警转给您`,
      link: `/image/AlarmEvent?site_id=${site.id}&assignee_id=${next.id}&correctionStatus=${correcting}`,
      id: call.newId(),
    })
}

/** Who leads the alarm's site, but for the caller. */
async function leadersOf(tx: Tx, call: Call, alarm: LockedAlarm): Promise<string[]> {
  const { rows } = await tx.query(
    'alarms.leaders',
    row({ id: uuid }),
    `SELECT DISTINCT u.id FROM sites w
     JOIN users u ON u.tenant_id = w.tenant_id AND u.id IN (w.manager_id, w.steward_id)
     WHERE w.tenant_id = $1 AND w.id = $2 AND u.id <> $3`,
    [call.user.tenant, alarm.site_id, call.user.id],
  )
  return rows.map((r) => r.id)
}

/** What a drawer for assigning begins with, for who may assign: the site's steward, and until when it would be due. */
export async function assignmentOf(
  tx: Tx,
  call: Call,
  alarm: Pick<LockedAlarm, 'bc_id' | 'correctionStatus' | 'dueAt' | 'site_id' | 'type'>,
) {
  const { user } = call
  if (!isOpen(alarm.correctionStatus) || !hasPermission(actorAt(user, alarm), 'alarm:assign')) return null
  const { rows } = await tx.query(
    'alarms.steward',
    row({ id: uuid.null }),
    'SELECT steward_id AS id FROM sites WHERE tenant_id = $1 AND id = $2',
    [user.tenant, alarm.site_id],
  )
  const id = rows[0]?.id
  const steward = id ? await assignable(tx, user.scope, id, alarm.site_id) : undefined
  // Handed on, the clock runs on.
  if (alarm.correctionStatus === correcting) return { steward: steward ?? null, dueAt: alarm.dueAt }
  const due = await dueAfter(tx, user.tenant, alarm.bc_id, `correctionHours.${alarm.type}`, call.now())
  return { steward: steward ?? null, dueAt: Math.floor(due.getTime() / 1000) }
}

/** Who had it, or who leads the site now where they have left it; nobody where none of them may correct. */
async function whoCorrects(tx: Tx, call: Call, alarm: LockedAlarm): Promise<string | null> {
  const canCorrect = (id: string) => assignable(tx, call.user.scope, id, alarm.site_id)
  if (alarm.assignee_id && (await canCorrect(alarm.assignee_id))) return alarm.assignee_id
  for (const id of await leadersOf(tx, call, alarm)) if (await canCorrect(id)) return id
  return null
}

/** Who leads the site hears that its work is disputed: it is handed on, or a supervisor cancels it. */
async function tellDispute(tx: Tx, call: Call, alarm: LockedAlarm, reason: string): Promise<void> {
  for (const user of await leadersOf(tx, call, alarm))
    await notify(tx, {
      tenant: call.user.tenant,
      user,
      title: `${alarm.siteName} 的“${alarmType.label(alarm.type)}”被${call.user.nickname}申诉：${reason}`,
      link: `/image/AlarmEvent?id=${alarm.id}`,
      id: call.newId(),
    })
}

const state = (a: {
  correctionStatus: number
  step: string | null
  assignee_id: string | null
  verdict: string
}) => ({ correctionStatus: a.correctionStatus, step: a.step, assignee_id: a.assignee_id, verdict: a.verdict })

/** One open alarm per camera and type (docs/states.md): a closed one cannot come back beside it. */
async function refuseSecondOpen(tx: Tx, call: Call, alarm: LockedAlarm): Promise<void> {
  const { rowCount } = await tx.query(
    'alarms.other',
    there,
    'SELECT 1 FROM alarms WHERE tenant_id = $1 AND device_id = $2 AND type = $3 AND correction_status IN (1, 2)',
    [call.user.tenant, alarm.device_id, alarm.type],
  )
  if (rowCount) throw new Refused('这台摄像头已有一条同类未结报警，请处理那一条')
}

/** Does the eligible rows, each in its own transaction, and names the others. */
export async function changeMany(
  call: Call,
  alarms: readonly Seen[],
  commandOn: (alarm: Seen) => AlarmCommand,
) {
  let done = 0
  const skipped: { id: string; why: string }[] = []
  for (const one of alarms) {
    try {
      await call.write((tx) => changeAlarm(tx, call, commandOn(one)))
      done += 1
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      skipped.push({ id: one.id, why: error.message })
    }
  }
  return { done, skipped }
}
