import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen } from '../../kit/fields.ts'
import { commaList, day, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { siteStage } from '../sites/sites.record.ts'
import { patrolKind, templateItem } from './patrols.record.ts'
import {
  planEvery,
  planRow,
  planShare,
  planStatus,
  taskRow,
  taskState,
  templateRow,
  templateStatus,
  weekday,
} from './plans.record.ts'

const name = (title: string) =>
  z
    .string()
    .trim()
    .min(2, { error: `${title}至少 2 个字` })
    .max(40)
    .meta({ title })
const templateBody = {
  name: name('模板名称'),
  items: z.array(templateItem).min(1, { error: '请至少写一个检查项' }).max(60).meta({ title: '检查项' }),
}

export const patrolTemplatesApi = defineApi({
  /** All that the reader may use: of the group, and of branches in reach. */
  list: {
    method: 'POST',
    path: '/osmcore/api/patrol/templatelist',
    title: '巡检模板',
    access: ['page:PatrolPlan', 'patrol:do'],
    query: z.object({
      status: commaList(templateStatus.schema).meta({ title: '状态' }),
      bc_id: optional(uuid).meta({ title: '分公司' }),
    }),
    data: z.array(templateRow),
  },
  /** Without a branch it is the whole group's, which only who reaches all of it may make. */
  add: {
    method: 'POST',
    path: '/osmcore/api/patrol/templateadd',
    title: '新增巡检模板',
    access: ['patrol:template'],
    body: z.object({ ...templateBody, bc_id: uuid.nullish().meta({ title: '分公司' }) }),
    data: z.object({ id: z.string() }),
  },
  edit: {
    method: 'POST',
    path: '/osmcore/api/patrol/templateedit',
    title: '编辑巡检模板',
    access: ['patrol:template'],
    body: z.object({ ...seen('模板'), ...templateBody }),
    data: nothing,
  },
  stop: {
    method: 'POST',
    path: '/osmcore/api/patrol/templatestop',
    title: '停用巡检模板',
    access: ['patrol:template'],
    body: z.object(seen('模板')),
    data: nothing,
  },
  start: {
    method: 'POST',
    path: '/osmcore/api/patrol/templatestart',
    title: '启用巡检模板',
    access: ['patrol:template'],
    body: z.object(seen('模板')),
    data: nothing,
  },
})

const clock = (title: string) =>
  z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: '时间应为 08:30 的样子' })
    .meta({ title })
const planBody = {
  name: name('计划名称'),
  kind: patrolKind.schema.meta({ title: '类型' }),
  /** None of a remote one: tidiness and problems are what a camera shows. */
  template_id: uuid.nullish().meta({ title: '模板' }),
  site_ids: z.array(uuid).min(1, { error: '请至少选择一个工地' }).max(500).nullish().meta({ title: '工地' }),
  every: planEvery.schema.meta({ title: '频率' }),
  weekdays: z.array(weekday.schema).max(7).default([]).meta({ title: '星期' }),
  stage: siteStage.schema.nullish().meta({ title: '阶段' }),
  share: planShare.schema.meta({ title: '分配方式' }),
  user_ids: z.array(uuid).min(1, { error: '请至少选择一位执行人' }).max(50).meta({ title: '执行人' }),
  fromTime: clock('开始时间'),
  toTime: clock('结束时间'),
  days: z.coerce
    .number({ error: '天数应为数字' })
    .int()
    .min(1, { error: '至少 1 天' })
    .max(14, { error: '最多 14 天' })
    .default(1)
    .meta({ title: '持续天数' }),
}
const planQuery = listQuery(['name', 'kind', 'nextDue', 'status'], {
  kind: commaList(patrolKind.schema).meta({ title: '类型' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  user_id: optional(uuid).meta({ title: '执行人' }),
  status: commaList(planStatus.schema).meta({ title: '状态' }),
  id: optional(uuid).meta({ title: '计划' }),
})

export const patrolPlansApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/patrol/planlist',
    title: '巡检计划',
    access: ['page:PatrolPlan'],
    query: planQuery,
    data: paged(planRow),
  },
  add: {
    method: 'POST',
    path: '/osmcore/api/patrol/planadd',
    title: '新增巡检计划',
    access: ['patrol:plan'],
    body: z.object({ ...planBody, bc_id: uuid.meta({ title: '分公司' }) }),
    data: z.object({ id: z.string() }),
  },
  edit: {
    method: 'POST',
    path: '/osmcore/api/patrol/planedit',
    title: '编辑巡检计划',
    access: ['patrol:plan'],
    body: z.object({ ...seen('计划'), ...planBody }),
    data: nothing,
  },
  stop: {
    method: 'POST',
    path: '/osmcore/api/patrol/planstop',
    title: '停用巡检计划',
    access: ['patrol:plan'],
    body: z.object({ ...seen('计划'), reason }),
    data: nothing,
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/patrol/planexport',
    title: '导出巡检计划',
    access: ['patrol:export'],
    query: planQuery,
    data: nothing,
    raw: true,
  },
})

const taskQuery = listQuery(['opensAt', 'closesAt'], {
  kind: commaList(patrolKind.schema).meta({ title: '类型' }),
  state: commaList(taskState.schema).meta({ title: '状态' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  plan_id: optional(uuid).meta({ title: '计划' }),
  user_id: optional(uuid).meta({ title: '执行人' }),
  worker_id: optional(uuid).meta({ title: '管理人员' }),
  /** Those whose window has a part in this time. */
  from: optional(z.coerce.number().int()).meta({ title: '开始时间' }),
  to: optional(z.coerce.number().int()).meta({ title: '结束时间' }),
  /** Those whose window ends on one of these days. */
  closesFrom: optional(day).meta({ title: '截止开始日期' }),
  closesTo: optional(day).meta({ title: '截止结束日期' }),
  id: optional(uuid).meta({ title: '巡检任务' }),
})

export const patrolTasksApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/patrol/tasklist',
    title: '巡检任务',
    access: [
      'page:PatrolRecord',
      'page:SiteplanPatrol',
      'page:WorkerplanPatrol',
      'patrol:do',
      'patrol:remote',
    ],
    query: taskQuery,
    data: paged(taskRow),
  },
  excuse: {
    method: 'POST',
    path: '/osmcore/api/patrol/taskexcuse',
    title: '免除巡检任务',
    access: ['patrol:excuse'],
    body: z.object({ ...seen('巡检任务'), reason }),
    data: nothing,
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/patrol/taskexport',
    title: '导出巡检任务',
    access: ['patrol:export'],
    query: taskQuery,
    data: nothing,
    raw: true,
  },
})
