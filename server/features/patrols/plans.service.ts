import { planActions, templateActions } from '@zhuguan/contract/features/patrols/patrols.actions.ts'
import { patrolKind, type TemplateItem } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import type { patrolPlansApi, patrolTemplatesApi } from '@zhuguan/contract/features/patrols/plans.api.ts'
import { planEvery, planStatus, templateStatus } from '@zhuguan/contract/features/patrols/plans.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, outside, refuse, unlessSeen } from '../../kit/refuse.ts'
import { hasBranch, whole } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { tell } from '../live/live.service.ts'
import { settingOf } from '../settings/settings.reads.ts'
import {
  addPlan,
  addTemplate,
  branchOpen,
  type LockedPlan,
  lockPlan,
  lockTemplate,
  peopleOf,
  type PlanBody,
  sitesIn,
  sitesLiving,
  stopPlan as markStopped,
  writePlan,
  writeTemplate,
} from './plans.queries.ts'
import { dropTasks, makeDays, makeStages } from './tasks.queries.ts'
import { settleTasks } from './tasks.service.ts'

/** What belongs to the whole group is changed by who reaches all of it. */
function refuseStrange(scope: Scope, bc: string | null): void {
  if (bc === null ? !whole(scope) : !hasBranch(scope, bc)) throw outside()
}
function refuseTwice(items: readonly TemplateItem[]): void {
  const twice = items.find((item, i) => items.findIndex((other) => other.title === item.title) !== i)
  if (twice) throw invalid('items', `检查项“${twice.title}”写了两遍`)
}

export async function newTemplate(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof patrolTemplatesApi)['add']>,
): Promise<{ id: string }> {
  const { nickname, scope, tenant } = call.user
  const bc = body.bc_id ?? null
  if (bc === null && !whole(scope)) throw invalid('bc_id', '请选择分公司：集团的模板由集团人员新增')
  refuseStrange(scope, bc)
  if (bc !== null && !(await branchOpen(tx, tenant, bc))) throw outside()
  refuseTwice(body.items)
  const id = call.newId()
  await addTemplate(tx, tenant, { id, bc, name: body.name, items: body.items, by: nickname })
  await call.log(tx, {
    action: '新增巡检模板',
    object: 'patrolTemplate',
    objectId: id,
    after: { name: body.name, bc_id: bc, items: body.items },
  })
  return { id }
}

/** Patrols that have begun keep the items that they began with. */
export async function changeTemplate(
  tx: Tx,
  call: Call,
  action: 'edit' | 'stop' | 'start',
  body: { id: string; version: number; name?: string; items?: TemplateItem[] },
): Promise<void> {
  const { nickname, scope, tenant } = call.user
  const template = found(await lockTemplate(tx, scope, body.id))
  if (template.bc_id === null && !whole(scope))
    throw invalid('id', '这是集团的模板，分公司不能修改；可以新增一个自己的模板')
  unlessSeen(template, body.version, '个模板')
  const place = { bc_id: template.bc_id, site_id: null }
  const actor = template.bc_id === null ? call.user : actorAt(call.user, place)
  refuse(templateActions.refusal(action, template, actor))
  const next = {
    name: body.name ?? template.name,
    items: body.items ?? template.items,
    status: Number(templateActions.arrives(action, template.status)),
  }
  refuseTwice(next.items)
  await writeTemplate(tx, tenant, { id: template.id, ...next, by: nickname })
  await call.log(tx, {
    action: `${templateActions.table[action].label}巡检模板`,
    object: 'patrolTemplate',
    objectId: template.id,
    before: { name: template.name, items: template.items, status: template.status },
    after: next,
  })
}

const isRemote = (plan: PlanBody): boolean => plan.kind === patrolKind.code.remote
const isStage = (plan: PlanBody): boolean => plan.every === planEvery.code.stage

/** Days from one of these weekdays to the next, where that is soonest. */
function gapOf(weekdays: readonly number[]): number {
  const days = [...new Set(weekdays)].toSorted((a, b) => a - b)
  return Math.min(...days.map((day, i) => (days[i + 1] ?? days[0]! + 7) - day))
}
/** What is said together must fit together. */
function refuseUnfit(plan: PlanBody): void {
  if (!isRemote(plan) && !plan.template_id) throw invalid('template_id', '请选择模板')
  if (isStage(plan) && !plan.stage) throw invalid('stage', '请选择阶段')
  if (!isStage(plan) && plan.weekdays.length === 0) throw invalid('weekdays', '请至少选择一天')
  const gap = gapOf(plan.weekdays)
  if (!isStage(plan) && plan.days > gap)
    throw invalid('days', `两次之间最短隔 ${gap} 天，持续天数不能比它长：上一次没结束，下一次又开始了`)
  if (plan.days === 1 && plan.toTime <= plan.fromTime) throw invalid('toTime', '结束时间应晚于开始时间')
}
async function checkTemplate(tx: Tx, scope: Scope, bc: string, id: string): Promise<void> {
  const template = found(await lockTemplate(tx, scope, id))
  if (template.bc_id !== null && template.bc_id !== bc)
    throw invalid('template_id', `模板“${template.name}”属于${template.bc_name}`)
  if (template.status !== templateStatus.code.active)
    throw invalid('template_id', `模板“${template.name}”已停用`)
}
async function checkPeople(tx: Tx, tenant: string, bc: string, plan: PlanBody): Promise<void> {
  const people = await peopleOf(tx, {
    tenant,
    bc,
    people: plan.user_ids,
    power: isRemote(plan) ? 'patrol:remote' : 'patrol:do',
  })
  if (people.length !== plan.user_ids.length) throw outside()
  const unable = people.filter((p) => p.able === 0).map((p) => p.nickname)
  if (unable.length)
    throw invalid('user_ids', `${unable.join('、')}没有${isRemote(plan) ? '远程' : '现场'}巡检的权限`)
}
/** A plan for weekdays on which the branch always rests would never come to anything. */
async function refuseRest(tx: Tx, tenant: string, bc: string, plan: PlanBody): Promise<void> {
  if (isStage(plan) || plan.days > 1) return
  const rests = await settingOf<number[]>(tx, tenant, bc, 'restDays')
  if (plan.weekdays.every((day) => rests.includes(day % 7)))
    throw invalid('weekdays', '所选的都是分公司的每周休息日，不会生成任务')
}
/** Everybody and everything that a plan names is of its branch; what does not belong to its kind is left out. */
async function checkPlan(tx: Tx, call: Call, bc: string, said: PlanBody): Promise<PlanBody> {
  const { scope, tenant } = call.user
  refuseUnfit(said)
  await refuseRest(tx, tenant, bc, said)
  const sites = [...new Set(said.site_ids)]
  const plan = {
    ...said,
    user_ids: [...new Set(said.user_ids)],
    template_id: isRemote(said) ? null : said.template_id,
    site_ids: sites.length ? sites : null,
    stage: isStage(said) ? said.stage : null,
    weekdays: isStage(said) ? [] : [...new Set(said.weekdays)].sort((a, b) => a - b),
  }
  if (plan.template_id) await checkTemplate(tx, scope, bc, plan.template_id)
  if (sites.length && (await sitesIn(tx, scope, bc, sites)) !== sites.length) throw outside()
  if (sites.length && (await sitesLiving(tx, tenant, sites)) === 0)
    throw invalid('site_ids', '所选的工地都已完工或终止，这个计划不会产生任务')
  await checkPeople(tx, tenant, bc, plan)
  return plan
}

/** What is left of today, and tomorrow; the nights after go on from there. */
async function makePlan(tx: Tx, call: Call, plan: string): Promise<void> {
  const { tenant } = call.user
  const today = shanghaiDay(call.now())
  await makeDays(tx, { tenant, days: [today, addDays(today, 1)], plan, over: false })
  await makeStages(tx, { tenant, today, plan })
}
const told = ({ template_id: _template, ...plan }: PlanBody) => plan

export async function newPlan(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof patrolPlansApi)['add']>,
): Promise<{ id: string }> {
  const { nickname, scope, tenant } = call.user
  refuseStrange(scope, body.bc_id)
  const { bc_id: bc, ...said } = body
  if (!(await branchOpen(tx, tenant, bc))) throw outside()
  const plan = await checkPlan(tx, call, bc, said)
  const id = call.newId()
  await addPlan(tx, tenant, id, bc, plan, nickname)
  await makePlan(tx, call, id)
  await call.log(tx, {
    action: '新增巡检计划',
    object: 'patrolPlan',
    objectId: id,
    after: { ...told(plan), bc_id: bc },
  })
  tell(tx, call, { topic: 'patrol', bc, site: null, id })
  return { id }
}

const asBody = ({
  id: _id,
  bc_id: _bc,
  status: _s,
  version: _v,
  changedBy: _b,
  changedAt: _a,
  ...plan
}: LockedPlan) => plan
/** What nobody has begun follows the new words; what was begun or is over stays. */
export async function editPlan(
  tx: Tx,
  call: Call,
  { id, version, ...said }: BodyOf<(typeof patrolPlansApi)['edit']>,
): Promise<void> {
  const { nickname, scope, tenant } = call.user
  const before = found(await lockPlan(tx, scope, id))
  unlessSeen(before, version, '个计划')
  refuse(planActions.refusal('edit', before, actorAt(call.user, { bc_id: before.bc_id, site_id: null })))
  const plan = await checkPlan(tx, call, before.bc_id, said)
  await writePlan(tx, tenant, id, before.bc_id, plan, nickname)
  const dropped = await dropTasks(tx, tenant, { plan: id })
  await makePlan(tx, call, id)
  await settleTasks(tx, call, dropped.people)
  await call.log(tx, {
    action: '编辑巡检计划',
    object: 'patrolPlan',
    objectId: id,
    before: told(asBody(before)),
    after: told(plan),
  })
  tell(tx, call, { topic: 'patrol', bc: before.bc_id, site: null, id })
}

/** What nobody has begun goes; a patrol that was begun may still be handed in. */
export async function stopPlan(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof patrolPlansApi)['stop']>,
): Promise<void> {
  const { nickname, scope, tenant } = call.user
  const plan = found(await lockPlan(tx, scope, body.id))
  unlessSeen(plan, body.version, '个计划')
  refuse(planActions.refusal('stop', plan, actorAt(call.user, { bc_id: plan.bc_id, site_id: null })))
  await markStopped(tx, tenant, plan.id, nickname)
  const dropped = await dropTasks(tx, tenant, { plan: plan.id })
  await settleTasks(tx, call, dropped.people)
  await call.log(tx, {
    action: '停用巡检计划',
    object: 'patrolPlan',
    objectId: plan.id,
    before: { status: plan.status },
    after: { name: plan.name, status: planStatus.code.stopped, reason: body.reason, dropped: dropped.n },
  })
  tell(tx, call, { topic: 'patrol', bc: plan.bc_id, site: null, id: plan.id })
}

/** Another person stands in a plan for one who is gone; what nobody has begun is theirs from now on. */
export async function givePlan(
  tx: Tx,
  call: Call,
  id: string,
  from: { id: string; nickname: string },
  to: { id: string; nickname: string },
): Promise<void> {
  const { nickname, scope, tenant } = call.user
  const plan = found(await lockPlan(tx, scope, id))
  const people = [...new Set(plan.user_ids.map((user) => (user === from.id ? to.id : user)))]
  await writePlan(tx, tenant, id, plan.bc_id, { ...asBody(plan), user_ids: people }, nickname)
  const dropped = await dropTasks(tx, tenant, { plan: id })
  await makePlan(tx, call, id)
  await settleTasks(tx, call, dropped.people)
  await call.log(tx, {
    action: '移交巡检计划',
    object: 'patrolPlan',
    objectId: id,
    before: { user_ids: plan.user_ids },
    after: { name: plan.name, user_ids: people },
  })
  tell(tx, call, { topic: 'patrol', bc: plan.bc_id, site: null, id })
}
