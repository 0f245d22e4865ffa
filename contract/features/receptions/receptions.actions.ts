import { defineActions } from '../../kit/actions.ts'
import { type ReceptionRow, receptionState } from './receptions.record.ts'

const { arrived, cancelled, done, missed, planned } = receptionState.code
export type ReceptionStanding = Pick<ReceptionRow, 'state' | 'at'>

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
  cancel: { label: '取消', from: [planned], to: cancelled, permission: 'reception:edit', reason: true },
})
export type ReceptionAction = (typeof receptionActions.names)[number]
