import { followActions } from '@zhuguan/contract/features/customers/follow-ups.actions.ts'
import { followUpsApi } from '@zhuguan/contract/features/customers/follow-ups.api.ts'
import type { FollowRow } from '@zhuguan/contract/features/customers/follow-ups.record.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'
import type { OpenedFollow } from './FollowDrawers.tsx'

/** What this person may do with something that is planned. */
export function useFollowActions(open: (o: OpenedFollow) => void): (follow: FollowRow) => RowAction[] {
  const actor = useActor()
  return (follow) =>
    actionsOf(followActions, follow, actor, {
      done: { open: () => open({ kind: 'done', follow }) },
      move: { open: () => open({ kind: 'move', follow }) },
      cancel: {
        confirm: `取消对 ${follow.customerName} 的跟进？请写明原因`,
        run: (reason) =>
          call(followUpsApi.cancel, { body: { id: follow.id, version: follow.version, reason } }),
      },
    })
}
