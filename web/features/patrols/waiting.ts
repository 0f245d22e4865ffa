import { patrolKind, type WallSite } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { OVER, taskState } from '@zhuguan/contract/features/patrols/plans.record.ts'

const { due, planned } = taskState.code

/** What waits to be done; once its window is over it says so, though it may still be made up for. */
export const dueText = (isOver: boolean): string => (isOver ? OVER : taskState.label(due))

/** What plans ask anybody to look at there today by camera, and nobody has yet; first what ends first. */
export const openOf = (site: WallSite) =>
  site.tasks.filter((t) => t.kind === patrolKind.code.remote && (t.state === due || t.state === planned))
/** What a verdict of this person closes. */
export const dueOf = (site: WallSite) => openOf(site).find((t) => t.mine && t.state === due)
