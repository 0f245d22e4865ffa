import { defineActions } from '../../kit/actions.ts'
import { type Actor, hasPermission, waitsFor } from '../../kit/permits.ts'
import { LEAD } from './customers.actions.ts'
import { type FollowRow, followState } from './follow-ups.record.ts'

const { cancelled, done, planned } = followState.code
export type FollowStanding = Pick<FollowRow, 'state' | 'user_id' | 'userName'>

function unlessTheirs(follow: FollowStanding, actor: Actor): string | undefined {
  if (waitsFor(actor, follow.user_id) || hasPermission(actor, LEAD)) return undefined
  return `由${follow.userName}跟进，只有本人或能分配客户的人能办`
}
const theirs = { from: [planned], permission: 'customer:follow', absent: unlessTheirs } as const

/** docs/states.md */
export const followActions = defineActions<FollowStanding>()('state', followState, {
  done: { ...theirs, label: '完成', to: done, asks: true },
  move: { ...theirs, label: '改期', to: planned, asks: true },
  cancel: { ...theirs, label: '取消', to: cancelled, reason: true },
})
