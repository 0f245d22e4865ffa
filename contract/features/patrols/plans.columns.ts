import { code, codes, columnsOf, number, share, text, time } from '../../kit/columns.ts'
import { siteStage } from '../sites/sites.record.ts'
import { patrolKind } from './patrols.record.ts'
import type { patrolPlansApi, patrolTasksApi } from './plans.api.ts'
import { planEvery, planStatus, taskState, weekday } from './plans.record.ts'

export const planColumns = columnsOf<typeof patrolPlansApi.list>()({
  name: text('计划', 'name', { sort: 'name', fixed: true }),
  kind: code('类型', 'kind', patrolKind, { sort: 'kind' }),
  template: text('模板', 'templateName'),
  every: code('频率', 'every', planEvery),
  weekdays: codes('星期', 'weekdays', weekday, { only: 'file' }),
  stage: code('阶段', 'stage', siteStage, { only: 'file' }),
  from: text('开始时间', 'fromTime', { only: 'file' }),
  to: text('结束时间', 'toTime', { only: 'file' }),
  days: number('持续天数', 'days', { only: 'file' }),
  bc: text('分公司', 'bc_name', { wide: true }),
  sites: number('覆盖工地', 'sites'),
  users: text('执行人', 'userNames'),
  share: share('本期完成率', 'done', 'due'),
  next: time('下次到期', 'nextDue', { sort: 'nextDue' }),
  status: code('状态', 'status', planStatus, { sort: 'status' }),
})

export const taskColumns = columnsOf<typeof patrolTasksApi.list>()({
  plan: text('计划', 'planName', { fixed: true }),
  kind: code('类型', 'kind', patrolKind),
  site: text('工地', 'siteName'),
  bc: text('分公司', 'bc_name', { wide: true }),
  opens: time('计划时间', 'opensAt', { sort: 'opensAt' }),
  closes: time('截止', 'closesAt', { sort: 'closesAt' }),
  done: time('实际时间', 'submittedAt'),
  users: text('执行人', 'userNames', { wide: true }),
  by: text('巡检人', 'inspectorName'),
  status: code('结果', 'state', taskState),
  problems: number('问题数', 'problems'),
})
