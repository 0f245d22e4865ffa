import { taskActions } from '@zhuguan/contract/features/patrols/patrols.actions.ts'
import type { patrolTasksApi } from '@zhuguan/contract/features/patrols/plans.api.ts'
import { taskState } from '@zhuguan/contract/features/patrols/plans.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, refuse, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { tell } from '../live/live.service.ts'
import { type Cause, notify, settle } from '../notifications/notifications.service.ts'
import { lockPlace } from './patrols.queries.ts'
import { excuseTask, lockTask, makeDays, makeStages, siteOfTask, waitingFor } from './tasks.queries.ts'

/** So many days of a silence are made up for. */
const MADE_UP_DAYS = 7

/** The occurrences of today and tomorrow, and of the days that no night has made; done twice it does nothing. */
export async function makeTasks(
  tx: Tx,
  run: { tenant: string; day: string; since: Date | null },
): Promise<void> {
  const tomorrow = addDays(run.day, 1)
  const first = addDays(run.day, -MADE_UP_DAYS)
  const days = [run.day, tomorrow]
  // The last night made its own day and the one after it.
  const left = run.since ? addDays(shanghaiDay(run.since), 2) : run.day
  for (let day = left < first ? first : left; day < run.day; day = addDays(day, 1)) days.push(day)
  await makeDays(tx, { tenant: run.tenant, days, plan: null, over: true })
}
export const makeStageTasks = (tx: Tx, tenant: string, today: string) =>
  makeStages(tx, { tenant, today, plan: null })

const endOf = (day: string): Date => startOfDay(addDays(day, 1))
/** What one person has to do today. */
const todoOf = (user: string): Cause => ({ kind: 'patrol', id: user })
const todoLink = (user: string, day: string) =>
  linkTo('PatrolRecord', { view: 'tasks', user_id: user, state: '1,2', to: endOf(day).getTime() / 1000 })
/** Everybody who has something to do today is told so, once. */
export async function tellTasks(tx: Tx, tenant: string, day: string): Promise<void> {
  for (const { user_id: user, n } of await waitingFor(tx, { tenant, until: endOf(day), people: null }))
    await notify(tx, {
      tenant,
      user,
      title: `今天有 ${n} 个工地待巡检`,
      link: todoLink(user, day),
      cause: todoOf(user),
    })
}
/** Who has nothing left to do today is no longer told of it. */
export async function settleTasks(tx: Tx, call: Call, people: readonly string[]): Promise<void> {
  const { tenant } = call.user
  const day = shanghaiDay(call.now())
  const busy = await waitingFor(tx, { tenant, until: endOf(day), people })
  const free = people.filter((id) => !busy.some((b) => b.user_id === id))
  await settle(tx, tenant, ...free.map(todoOf))
}

/** A superior says that what was missed need not have been done. */
export async function excuse(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof patrolTasksApi)['excuse']>,
): Promise<void> {
  const { nickname, scope, tenant } = call.user
  found(await lockPlace(tx, scope, found(await siteOfTask(tx, scope, body.id))))
  const task = found(await lockTask(tx, scope, body.id))
  unlessSeen(task, body.version, '个任务')
  refuse(taskActions.refusal('excuse', task, actorAt(call.user, task)))
  await excuseTask(tx, tenant, { id: task.id, reason: body.reason, by: nickname })
  await call.log(tx, {
    action: '免除巡检',
    object: 'patrolTask',
    objectId: task.id,
    before: { status: task.state },
    after: {
      site_id: task.site_id,
      plan: task.planName,
      at: task.opensAt,
      status: taskState.code.excused,
      reason: body.reason,
    },
  })
  tell(tx, call, { topic: 'patrol', bc: task.bc_id, site: task.site_id, id: task.id })
}
