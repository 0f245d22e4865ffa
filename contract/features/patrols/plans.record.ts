import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { siteStage } from '../sites/sites.record.ts'
import { patrolKind, templateItem } from './patrols.record.ts'

export const templateStatus = defineCodes('templateStatus', '模板状态', {
  active: [1, '启用'],
  stopped: [2, '已停用'],
})
export const planStatus = defineCodes('planStatus', '计划状态', {
  active: [1, '进行中'],
  stopped: [2, '已停用'],
})
/** When it is time again. */
export const planEvery = defineCodes('planEvery', '频率', {
  day: ['day', '每天'],
  week: ['week', '每周'],
  stage: ['stage', '阶段开始时'],
})
/** Of several people: whoever comes first does it for all, or everybody does it. */
export const planShare = defineCodes('planShare', '分配方式', {
  one: ['one', '其中一人完成'],
  each: ['each', '每人各一次'],
})
export const weekday = defineCodes('weekday', '星期', {
  monday: [1, '周一'],
  tuesday: [2, '周二'],
  wednesday: [3, '周三'],
  thursday: [4, '周四'],
  friday: [5, '周五'],
  saturday: [6, '周六'],
  sunday: [7, '周日'],
})
/** One time at which a plan wants a site to be patrolled. Planned, due and missed are what the clock says. */
export const taskState = defineCodes('taskState', '任务状态', {
  planned: [1, '未到时间'],
  due: [2, '待巡检'],
  done: [3, '按时完成'],
  late: [4, '逾期完成'],
  missed: [5, '未巡检'],
  excused: [6, '已免除'],
})
/** What is still due when its window has ended says so, on the page and in the file; it may yet be made up for. */
export const OVER = '已过时间'

export const templateRow = z.object({
  id: z.string(),
  name: z.string(),
  /** Null: of the whole group. */
  bc_id: z.string().nullable(),
  bc_name: z.string(),
  items: z.array(templateItem),
  status: templateStatus.schema,
  /** Plans under way that use it. */
  plans: z.number().int(),
  version: z.number().int(),
})
export type TemplateRow = z.output<typeof templateRow>

export const planRow = z.object({
  id: z.string(),
  name: z.string(),
  kind: patrolKind.schema,
  template_id: z.string().nullable(),
  templateName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  /** Null: all sites of the branch that are under construction. */
  site_ids: z.array(z.string()).nullable(),
  /** Sites under construction that it covers now. */
  sites: z.number().int(),
  every: planEvery.schema,
  weekdays: z.array(weekday.schema),
  stage: siteStage.schema.nullable(),
  share: planShare.schema,
  user_ids: z.array(z.string()),
  userNames: z.string(),
  fromTime: z.string(),
  toTime: z.string(),
  /** Number of days the window lasts. */
  days: z.number().int(),
  status: planStatus.schema,
  /** Of what was due this month and is not excused: what was done, and how much there was. */
  done: z.number().int(),
  due: z.number().int(),
  nextDue: z.number().int().nullable(),
  version: z.number().int(),
})
export type PlanRow = z.output<typeof planRow>

export const taskRow = z.object({
  id: z.string(),
  plan_id: z.string(),
  planName: z.string(),
  planStopped: z.boolean(),
  kind: patrolKind.schema,
  template_id: z.string().nullable(),
  site_id: z.string(),
  siteName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  opensAt: z.number().int(),
  closesAt: z.number().int(),
  state: taskState.schema,
  /** Who is to do it. */
  user_ids: z.array(z.string()),
  userNames: z.string(),
  /** The patrol that does it, begun or handed in. */
  patrol_id: z.string().nullable(),
  inspector_id: z.string().nullable(),
  inspectorName: z.string(),
  begunAt: z.number().int().nullable(),
  submittedAt: z.number().int().nullable(),
  score: z.number().int().nullable(),
  problems: z.number().int().nullable(),
  /** The reason why it is excused, and by whom. */
  reason: z.string(),
  excusedBy: z.string(),
  version: z.number().int(),
})
export type TaskRow = z.output<typeof taskRow>

/** The user log\'s names for the fields of templates, plans and occurrences. */
export const patrolTemplateLog = logged('巡检模板', {
  name: '模板',
  bc_id: ['分公司', 'company'],
  status: ['状态', templateStatus],
  items: ['检查项', { title: '', weight: '权重', photo: '必须拍照', hint: '怎样算合格' }],
})
export const patrolPlanLog = logged('巡检计划', {
  name: '计划',
  kind: ['类型', patrolKind],
  bc_id: ['分公司', 'company'],
  template: '模板',
  site_ids: ['工地', 'site'],
  every: ['频率', planEvery],
  weekdays: ['星期', weekday],
  stage: ['阶段', siteStage],
  share: ['分配方式', planShare],
  user_ids: ['执行人', 'user'],
  fromTime: '开始时间',
  toTime: '结束时间',
  days: '持续天数',
  status: ['状态', planStatus],
  dropped: '取消的任务',
})
export const patrolTaskLog = logged('巡检任务', {
  site_id: ['工地', 'site'],
  plan: '计划',
  at: ['时间', 'time'],
  status: ['状态', taskState],
})
