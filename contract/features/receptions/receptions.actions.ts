import { defineActions } from '../../kit/actions.ts'
import { hasPermission } from '../../kit/permits.ts'
import { LOW_SCORE, ownScoreStands, unlessTooLate } from '../../kit/score.ts'
import { type ReceptionRow, receptionState } from './receptions.record.ts'

const { arrived, cancelled, done, missed, planned } = receptionState.code
export type ReceptionStanding = Pick<
  ReceptionRow,
  'state' | 'at' | 'endedAt' | 'entered_id' | 'host_id' | 'score' | 'scoredBy' | 'calledBack'
>

/** docs/states.md */
export const receptionActions = defineActions<ReceptionStanding>()('state', receptionState, {
  arrive: { label: '已到', from: [planned], to: arrived, permission: 'reception:edit' },
  finish: { label: '完成', from: [arrived], to: done, permission: 'reception:edit', reason: true },
  miss: {
    label: '未到',
    from: [planned],
    to: missed,
    permission: 'reception:edit',
    reason: true,
    unless: ({ at }, _actor, now) => (now < at ? '还没有到约定的时间' : undefined),
  },
  host: {
    label: '改接待人',
    from: [planned, arrived],
    to: { [planned]: planned, [arrived]: arrived },
    permission: 'reception:edit',
    asks: true,
  },
  cancel: {
    label: '取消',
    from: [planned, arrived],
    to: cancelled,
    permission: 'reception:edit',
    reason: true,
    // Entered by mistake, at another home: who has come does not simply vanish.
    unless: (r, actor) =>
      r.state === planned || r.entered_id === actor.id || hasPermission(actor, 'feedback:supervise')
        ? undefined
        : '已经到访；录错了由登记人、客服或分公司总经理取消',
  },
  score: {
    label: '代填满意度',
    from: [done],
    to: done,
    permission: 'reception:edit',
    asks: true,
    absent: ownScoreStands,
    unless: (r, actor, now) =>
      r.host_id === actor.id
        ? '接待人不能代填自己接待的满意度，请由他人代填'
        : unlessTooLate('到访结束', r.endedAt, now),
  },
  callback: {
    label: '回访',
    from: [done],
    to: done,
    permission: 'feedback:supervise',
    asks: true,
    absent: (r) => (r.score !== null && r.score <= LOW_SCORE && !r.calledBack ? undefined : '不需要回访'),
  },
})
export type ReceptionAction = (typeof receptionActions.names)[number]
