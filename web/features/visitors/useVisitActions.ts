import { tellTitle, visitActions } from '@zhuguan/contract/features/visitors/visitors.actions.ts'
import { visitorsApi } from '@zhuguan/contract/features/visitors/visitors.api.ts'
import type { VisitRow } from '@zhuguan/contract/features/visitors/visitors.record.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'
import type { Opened } from './VisitDrawers.tsx'

/** What this person may do to a visit; all but telling opens a drawer. */
export function useVisitActions(open: (what: Opened) => void): (visit: VisitRow) => RowAction[] {
  const actor = useActor()
  return (visit) =>
    actionsOf(visitActions, visit, actor, {
      mark: { open: () => open({ kind: 'mark', visit }) },
      tell: {
        confirm: `将通知管家 ${visit.stewardName}：“${tellTitle(visit)}”。每次来访只通知一次。`,
        run: () => call(visitorsApi.tell, { body: { id: visit.id, version: visit.version } }),
      },
      enrol: { open: () => open({ kind: 'enrol', visit }) },
      face: { open: () => open({ kind: 'face', visit }) },
    })
}
