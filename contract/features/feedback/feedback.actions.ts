import { defineActions } from '../../kit/actions.ts'
import { type Actor, hasPermission, waitsFor } from '../../kit/permits.ts'
import { LOW_SCORE, ownScoreStands, unlessTooLate } from '../../kit/score.ts'
import { feedbackKind, feedbackLevel, type FeedbackRow, feedbackStatus } from './feedback.record.ts'

const { cancelled, closed, handling, open } = feedbackStatus.code
const DAY = 86_400
/** 客服, 分公司总经理, 集团运营. */
export const TOP_RUNG = 3

export type FeedbackState = Pick<
  FeedbackRow,
  | 'status'
  | 'kind'
  | 'level'
  | 'about_id'
  | 'assignee_id'
  | 'assigneeName'
  | 'answeredAt'
  | 'pausedAt'
  | 'rung'
  | 'openChildren'
  | 'closedAt'
  | 'reopenUntil'
  | 'score'
  | 'scoredBy'
  | 'calledBack'
  | 'hidden'
  | 'promisor_id'
  | 'unjudged'
>
const supervises = (actor: Actor): boolean => hasPermission(actor, 'feedback:supervise')

/** Whom it is about judges nothing of it, nor whoever answers for the promise that it objects to. */
function unlessAbout(f: FeedbackState, actor: Actor): string | undefined {
  if (f.about_id === actor.id) return '这条反馈说的是您，请由他人处理'
  return f.promisor_id === actor.id ? '这条反馈是对您的承诺的异议，请由他人办理' : undefined
}
/** What an objection becomes is judged with the promise. */
const unlessJudged = (f: FeedbackState): string | undefined =>
  f.unjudged ? '对承诺的异议还没有裁定，请先在承诺里裁定' : undefined
/** The assignee's, and a supervisor's. */
const unlessTheirs = (what: string) => (f: FeedbackState, actor: Actor) =>
  waitsFor(actor, f.assignee_id) || supervises(actor)
    ? undefined
    : `责任人是${f.assigneeName || '别人'}，只有责任人或客服能${what}`

function closing(f: FeedbackState, actor: Actor): string[] {
  const why: string[] = []
  const about = unlessAbout(f, actor)
  if (about) why.push(about)
  const judged = unlessJudged(f)
  if (judged) why.push(judged)
  if (!supervises(actor) && (!waitsFor(actor, f.assignee_id) || f.level !== feedbackLevel.code.normal))
    why.push(
      f.level === feedbackLevel.code.normal
        ? `责任人是${f.assigneeName || '别人'}，只有责任人或客服能结案`
        : `等级是“${feedbackLevel.label(f.level)}”，由客服或分公司总经理结案`,
    )
  if (f.answeredAt === null) why.push('还没有回复业主')
  if (f.openChildren > 0) why.push(`还有 ${f.openChildren} 张整改单没有办结`)
  return why
}

/** docs/states.md. In the order in which they are offered. */
export const feedbackActions = defineActions<FeedbackState>()('status', feedbackStatus, {
  accept: {
    label: '受理',
    from: [open],
    to: handling,
    permission: 'feedback:accept',
    asks: true,
    unless: unlessAbout,
  },
  answer: {
    label: '回复',
    from: [handling],
    to: handling,
    permission: 'feedback:handle',
    asks: true,
    unless: unlessTheirs('回复'),
  },
  close: {
    label: '结案',
    from: [handling],
    to: closed,
    permission: 'feedback:handle',
    asks: true,
    unless: closing,
  },
  correct: {
    label: '开整改单',
    from: [handling],
    to: handling,
    permission: 'feedback:handle',
    asks: true,
    unless: unlessTheirs('开整改单'),
  },
  transfer: {
    label: '转派',
    from: [handling],
    to: handling,
    permission: 'feedback:handle',
    reason: true,
    asks: true,
    unless: unlessTheirs('转派'),
  },
  escalate: {
    label: '升级',
    from: [handling],
    to: handling,
    permission: 'feedback:handle',
    reason: true,
    unless: (f, actor) =>
      unlessTheirs('升级')(f, actor) ?? (f.rung >= TOP_RUNG ? '已经升级到集团' : undefined),
  },
  raise: {
    label: '提高等级',
    from: [handling],
    to: handling,
    permission: 'feedback:handle',
    reason: true,
    asks: true,
    absent: (f) => (f.level === feedbackLevel.code.urgent ? '已经是最高等级' : undefined),
    unless: unlessTheirs('提高等级'),
  },
  lower: {
    label: '降低等级',
    from: [handling],
    to: handling,
    permission: 'feedback:supervise',
    reason: true,
    asks: true,
    absent: (f) => (f.level === feedbackLevel.code.normal ? '已经是最低等级' : undefined),
    unless: unlessAbout,
  },
  pause: {
    label: '暂停',
    from: [handling],
    to: handling,
    permission: 'feedback:handle',
    reason: true,
    asks: true,
    absent: (f, actor) => {
      if (!waitsFor(actor, f.assignee_id)) return `责任人是${f.assigneeName || '别人'}，只有责任人能暂停`
      return f.pausedAt === null ? undefined : '已经暂停'
    },
  },
  resume: {
    label: '恢复计时',
    from: [handling],
    to: handling,
    permission: 'feedback:handle',
    absent: (f) => (f.pausedAt === null ? '没有暂停' : undefined),
    unless: unlessTheirs('恢复计时'),
  },
  thank: {
    label: '致谢结案',
    from: [open],
    to: closed,
    permission: 'feedback:accept',
    asks: true,
    absent: (f) =>
      f.kind === feedbackKind.code.praise || f.kind === feedbackKind.code.suggestion
        ? undefined
        : '只有表扬和建议可以致谢结案',
    unless: unlessAbout,
  },
  cancel: {
    label: '取消',
    from: [open, handling],
    to: cancelled,
    permission: 'feedback:supervise',
    reason: true,
    asks: true,
    unless: (f, actor) => unlessAbout(f, actor) ?? unlessJudged(f),
  },
  reopen: {
    label: '重新打开',
    from: [closed],
    to: handling,
    permission: 'feedback:supervise',
    reason: true,
    unless: (f, _actor, now) =>
      f.closedAt && f.reopenUntil && now > f.reopenUntil
        ? `结案超过 ${Math.round((f.reopenUntil - f.closedAt) / DAY)} 天，不能重新打开；请登记一条新的并关联这一条`
        : undefined,
  },
  score: {
    label: '代填满意度',
    from: [closed],
    to: closed,
    permission: 'feedback:handle',
    asks: true,
    // Their own word stands; what staff typed for them gives way to it.
    absent: ownScoreStands,
    unless: (f, actor, now) =>
      unlessAbout(f, actor) ??
      (f.assignee_id === actor.id ? '责任人不能代填自己处理的满意度，请由他人代填' : undefined) ??
      unlessTooLate('结案', f.closedAt, now),
  },
  callback: {
    label: '回访',
    from: [closed],
    to: closed,
    permission: 'feedback:supervise',
    asks: true,
    absent: (f) => (f.score !== null && f.score <= LOW_SCORE && !f.calledBack ? undefined : '不需要回访'),
    unless: unlessAbout,
  },
  release: {
    label: '解除回避',
    from: [open, handling, closed, cancelled],
    to: { [open]: open, [handling]: handling, [closed]: closed, [cancelled]: cancelled },
    permission: 'feedback:supervise',
    absent: (f) => (f.hidden ? undefined : '没有对管家回避'),
    unless: unlessAbout,
  },
})
export type FeedbackAction = (typeof feedbackActions.names)[number]
