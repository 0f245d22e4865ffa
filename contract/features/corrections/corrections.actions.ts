import { defineActions } from '../../kit/actions.ts'
import { type Actor, waitsFor } from '../../kit/permits.ts'
import { type AlarmRow, correctionStatus, correctionStep } from '../alarms/alarms.record.ts'
import type { CorrectionSource } from './corrections.record.ts'

const { cancelled, corrected, correcting, open } = correctionStatus.code
const step = correctionStep.code
const DAY = 86_400
export type CorrectionState = Pick<
  AlarmRow,
  | 'correctionStatus'
  | 'step'
  | 'disputed'
  | 'assignee_id'
  | 'assigneeName'
  | 'corrector_id'
  | 'corrector_ids'
  | 'closedAt'
  | 'reopenUntil'
>

/** What only the assignee does, and only before the photos are submitted. */
const whileCorrecting = (what: string) => (correction: CorrectionState, actor: Actor) => {
  if (!waitsFor(actor, correction.assignee_id))
    return `责任人是${correction.assigneeName || '别人'}，只有责任人能${what}`
  return correction.step === step.submitted ? '整改照片已提交，等待复核' : undefined
}
/** The photos of every round stand in the thread: who took some of them does not judge the rest. */
function unlessCorrector(correction: CorrectionState, actor: Actor): string | undefined {
  if (correction.corrector_id === actor.id) return '整改人不能复核自己的整改，请由他人复核'
  return correction.corrector_ids.includes(actor.id)
    ? '您整改过前面的一轮，不能复核，请由他人复核'
    : undefined
}
const unlessSubmitted = (correction: CorrectionState) =>
  correction.step === step.submitted ? undefined : '责任人还没有提交整改照片'

/**
 * docs/states.md. In the order in which they are offered: what brings the correction to its end first. `assign` also
 * hands what is already being corrected to someone else. Alarms are corrected by the same changes with rights of their
 * own.
 */
const machine = (power: 'alarm' | 'correction', thing: string) =>
  defineActions<CorrectionState>()('correctionStatus', correctionStatus, {
    submit: {
      label: '提交整改照片',
      from: [correcting],
      to: correcting,
      permission: `${power}:correct`,
      asks: true,
      absent: whileCorrecting('提交'),
    },
    start: {
      label: '开始整改',
      from: [correcting],
      to: correcting,
      permission: `${power}:correct`,
      absent: (correction, actor) =>
        whileCorrecting('整改')(correction, actor) ??
        (correction.step === step.doing ? '已经开始整改' : undefined),
    },
    pass: {
      label: '复核通过',
      from: [correcting],
      to: corrected,
      permission: `${power}:review`,
      absent: unlessSubmitted,
      unless: unlessCorrector,
    },
    back: {
      label: '退回',
      from: [correcting],
      to: correcting,
      permission: `${power}:review`,
      reason: true,
      absent: (correction, actor) =>
        correction.assignee_id === actor.id
          ? '责任人不能退回自己的整改，请由他人复核'
          : unlessSubmitted(correction),
    },
    assign: {
      label: '指派',
      from: [open, correcting],
      to: correcting,
      permission: `${power}:assign`,
      asks: true,
      unless(correction, actor) {
        if (correction.step === step.submitted) return '整改照片已提交，请先复核或退回'
        if (correction.disputed && correction.assignee_id === actor.id)
          return '您已申诉，由他人改派或由主管取消'
        return undefined
      },
    },
    dispute: {
      label: '申诉',
      from: [correcting],
      to: correcting,
      permission: `${power}:correct`,
      reason: true,
      absent: whileCorrecting('申诉'),
      unless: (correction) => (correction.disputed ? '已经申诉，等待项目经理改派或主管取消' : undefined),
    },
    cancel: {
      label: `取消${thing}`,
      from: [open, correcting],
      to: cancelled,
      permission: { [open]: `${power}:cancel`, [correcting]: `${power}:supervise` },
      reason: true,
      asks: true,
      absent: (correction, actor) =>
        correction.correctionStatus === correcting && correction.assignee_id === actor.id
          ? '责任人不能取消自己的整改，可以申诉，由主管取消'
          : undefined,
    },
    reopen: {
      label: '重新打开',
      from: [corrected, cancelled],
      to: { [corrected]: correcting, [cancelled]: open },
      permission: `${power}:supervise`,
      reason: true,
      unless: (correction, _actor, now) =>
        correction.closedAt && correction.reopenUntil && now > correction.reopenUntil
          ? `已结束超过 ${Math.round((correction.reopenUntil - correction.closedAt) / DAY)} 天，不能重新打开；再次出现时会有新的${thing}`
          : undefined,
    },
  })

export const correctionActions = machine('correction', '整改')
export const alarmActions = machine('alarm', '报警')
export type CorrectionAction = (typeof correctionActions.names)[number]

/** The table that a correction of this source goes by. */
export const actionsOfSource = (source: CorrectionSource) =>
  source === 'alarm' ? alarmActions : correctionActions

/** An hour lies between one urging and the next. */
export const URGE_AGAIN = 3_600
/** Why nobody can be urged to do it now; nothing where somebody can. */
export function urgeRefusal(
  correction: { closedAt: number | null; urgedAt: number | null },
  now: number,
): string | undefined {
  if (correction.closedAt !== null) return '已经办结，不用催办'
  if (correction.urgedAt !== null && now - correction.urgedAt < URGE_AGAIN)
    return '一小时内已经催办过，请稍后再催'
  return undefined
}
