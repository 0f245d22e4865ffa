import { patrolKind, type WallSite } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { OVER, taskState } from '@zhuguan/contract/features/patrols/plans.record.ts'

import { clock } from '../../kit/time.ts'

const { due, planned } = taskState.code
type WallTask = WallSite['tasks'][number]
export const isEarly = (task: WallTask, now: number): boolean => now < task.opensAt

/** The task that waits; once its window is over it says so, though it may still be made up for. */
export const dueText = (isOver: boolean): string => (isOver ? OVER : taskState.label(due))
/** The same of an occurrence on the wall, which before its window says when that opens. */
export const wallText = (task: WallTask, now: number): string =>
  isEarly(task, now) ? `巡检 ${clock(task.opensAt)} 起` : dueText(task.closesAt < now)

/** The looks that plans ask for there today by camera, and nobody has taken yet; first what ends first. */
export const openOf = (site: WallSite) =>
  site.tasks.filter((t) => t.kind === patrolKind.code.remote && (t.state === due || t.state === planned))
/** The tasks that a verdict of this person closes. Its window may have opened since the round was asked for. */
export const dueOf = (site: WallSite, now: number) => openOf(site).find((t) => t.mine && !isEarly(t, now))
/** Why a verdict of this person does not count for today's plan; nothing where it does, or none is asked. */
export function earlyText(site: WallSite, now: number): string | undefined {
  const task = dueOf(site, now) ? undefined : openOf(site).find((t) => t.mine)
  return task && `现在看不算今天的巡检，${clock(task.opensAt)} 起才算`
}
