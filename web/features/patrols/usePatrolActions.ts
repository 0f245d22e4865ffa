import { patrolActions, taskActions } from '@zhuguan/contract/features/patrols/patrols.actions.ts'
import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import type { PatrolRow } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { patrolTasksApi } from '@zhuguan/contract/features/patrols/plans.api.ts'
import type { TaskRow } from '@zhuguan/contract/features/patrols/plans.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { usePage } from '../../kit/page.tsx'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'

/** What this person may do to a patrol; what was begun goes on where it is done, on the phone's page. */
export function usePatrolActions(): (patrol: PatrolRow) => RowAction[] {
  const actor = useActor()
  const page = usePage()
  return (p) =>
    actionsOf(patrolActions, p, actor, {
      submit: { open: () => page.go(linkTo('PatrolDo', { id: p.id })) },
      abandon: {
        confirm: `放弃 ${p.inspectorName} 在${p.siteName}的巡检：请写明原因，计划里的任务会重新等待巡检`,
        run: (reason) => call(patrolsApi.abandon, { body: { id: p.id, version: p.version, reason } }),
      },
    })
}
/** What this person may do to an occurrence; one at a camera is done on the wall. */
export function useTaskActions(): (task: TaskRow) => RowAction[] {
  const actor = useActor()
  const page = usePage()
  return (t) =>
    actionsOf(taskActions, t, actor, {
      begin: { open: () => page.go(linkTo('PatrolDo')) },
      watch: { open: () => window.open(hrefOf('Patrol', { site_id: t.site_id }), '_blank', 'noopener') },
      excuse: {
        confirm: `免除${t.siteName}的“${t.planName}”：请写明原因，免除的不再计入完成率`,
        run: (reason) => call(patrolTasksApi.excuse, { body: { id: t.id, version: t.version, reason } }),
      },
    })
}
