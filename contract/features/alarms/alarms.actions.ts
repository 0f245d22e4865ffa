import { defineActions } from '../../kit/actions.ts'
import type { Actor } from '../../kit/permits.ts'
import { type AlarmRow, correctionStatus, correctionStep } from './alarms.record.ts'

const { cancelled, corrected, correcting, open } = correctionStatus.code
const step = correctionStep.code
const DAY = 86_400
export type AlarmState = Pick<
  AlarmRow,
  | 'correctionStatus'
  | 'step'
  | 'disputed'
  | 'assignee_id'
  | 'assigneeName'
  | 'corrector_id'
  | 'closedAt'
  | 'reopenUntil'
>

/** What only the assignee does, and only before the photos are submitted. */
const whileCorrecting = (what: string) => (alarm: AlarmState, actor: Actor) => {
  if (alarm.assignee_id !== actor.id) return `责任人是${alarm.assigneeName || '别人'}，只有责任人能${what}`
  return alarm.step === step.submitted ? '整改照片已提交，等待复核' : undefined
}
const unlessSubmitted = (alarm: AlarmState) =>
  alarm.step === step.submitted ? undefined : '责任人还没有提交整改照片'

/**
 * docs/states.md. In the order in which they are offered: what brings the alarm to its end first. `assign` also hands
 * an alarm that is already being corrected to someone else.
 */
export const alarmActions = defineActions<AlarmState>()('correctionStatus', correctionStatus, {
  submit: {
    label: '提交整改照片',
    from: [correcting],
    to: correcting,
    permission: 'alarm:correct',
    asks: true,
    absent: whileCorrecting('提交'),
  },
  start: {
    label: '开始整改',
    from: [correcting],
    to: correcting,
    permission: 'alarm:correct',
    absent: (alarm, actor) =>
      whileCorrecting('整改')(alarm, actor) ?? (alarm.step === step.doing ? '已经开始整改' : undefined),
  },
  pass: {
    label: '复核通过',
    from: [correcting],
    to: corrected,
    permission: 'alarm:review',
    absent: unlessSubmitted,
    unless: (alarm, actor) =>
      alarm.corrector_id === actor.id ? '整改人不能复核自己的整改，请由他人复核' : undefined,
  },
  back: {
    label: '退回',
    from: [correcting],
    to: correcting,
    permission: 'alarm:review',
    reason: true,
    absent: (alarm, actor) =>
      alarm.assignee_id === actor.id ? '责任人不能退回自己的整改，请由他人复核' : unlessSubmitted(alarm),
  },
  assign: {
    label: '指派',
    from: [open, correcting],
    to: correcting,
    permission: 'alarm:assign',
    asks: true,
    unless: (alarm) => (alarm.step === step.submitted ? '整改照片已提交，请先复核或退回' : undefined),
  },
  dispute: {
    label: '申诉',
    from: [correcting],
    to: correcting,
    permission: 'alarm:correct',
    reason: true,
    absent: whileCorrecting('申诉'),
    unless: (alarm) => (alarm.disputed ? '已经申诉，等待项目经理改派或主管取消' : undefined),
  },
  cancel: {
    label: '取消报警',
    from: [open, correcting],
    to: cancelled,
    permission: { [open]: 'alarm:cancel', [correcting]: 'alarm:supervise' },
    reason: true,
    asks: true,
    absent: (alarm, actor) =>
      alarm.correctionStatus === correcting && alarm.assignee_id === actor.id
        ? '责任人不能取消自己的整改，可以申诉，由主管取消'
        : undefined,
  },
  reopen: {
    label: '重新打开',
    from: [corrected, cancelled],
    to: { [corrected]: correcting, [cancelled]: open },
    permission: 'alarm:supervise',
    reason: true,
    unless: (alarm, _actor, now) =>
      alarm.closedAt && alarm.reopenUntil && now > alarm.reopenUntil
        ? `已结束超过 ${Math.round((alarm.reopenUntil - alarm.closedAt) / DAY)} 天，不能重新打开；再次出现时会有新的报警`
        : undefined,
  },
})
export type AlarmAction = (typeof alarmActions.names)[number]
