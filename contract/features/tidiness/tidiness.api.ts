import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen } from '../../kit/fields.ts'
import { commaList, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { tidinessResult } from '../sites/sites.record.ts'
import {
  missedCheck,
  tidinessBy,
  tidinessDetail,
  tidinessRow,
  tidinessSource,
  tidinessTrend,
} from './tidiness.record.ts'

/** No later than the year 2100: days are counted between two of them. */
const instant = optional(
  z.coerce.number({ error: '时间应为秒数' }).int().min(0).max(4_102_444_800, { error: '时间太晚' }),
)
/** The filter of sites, with person and time of the look. */
const places = {
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  manager_id: optional(uuid).meta({ title: '项目经理' }),
  steward_id: optional(uuid).meta({ title: '项目管家' }),
  source: commaList(tidinessSource.schema).meta({ title: '来源' }),
  from: instant.meta({ title: '开始时间' }),
  to: instant.meta({ title: '结束时间' }),
}
const query = listQuery(['at', 'result'], {
  ...places,
  result: commaList(tidinessResult.schema).meta({ title: '结果' }),
  id: optional(uuid).meta({ title: '整洁度检查' }),
  ids: commaList(uuid).meta({ title: '指定检查' }),
})
const one = seen('整洁度检查')

export const tidinessApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/tidiness/list',
    title: '整洁度检查列表',
    access: ['page:Tidiness'],
    query,
    data: paged(tidinessRow),
  },
  details: {
    method: 'POST',
    path: '/osmcore/api/tidiness/details',
    title: '整洁度检查详情',
    access: ['page:Tidiness'],
    query: z.object({ id: one.id }),
    data: tidinessDetail,
  },
  trend: {
    method: 'POST',
    path: '/osmcore/api/tidiness/trend',
    title: '整洁度趋势',
    access: ['page:Tidiness', 'page:CleanChange'],
    query: z.object({
      ...places,
      /** Sites that the account of this worker leads now. */
      worker_id: optional(uuid).meta({ title: '管理人员' }),
      by: optional(tidinessBy.schema).meta({ title: '分组' }),
    }),
    data: tidinessTrend,
  },
  /** Pictures of each camera of the sites that one person leads: one of each day or week, the oldest first. */
  shots: {
    method: 'POST',
    path: '/osmcore/api/tidiness/shots',
    title: '工地整洁度变化',
    access: ['page:CleanChange'],
    query: z.object({
      worker_id: uuid.meta({ title: '管理人员' }),
      from: places.from,
      to: places.to,
    }),
    data: z.array(tidinessRow),
  },
  /** Sites that no check saw at a time that their branch has set for it, today. */
  missed: {
    method: 'POST',
    path: '/osmcore/api/tidiness/missed',
    title: '今天应检未检',
    access: ['page:Tidiness'],
    query: z.object({ bc_id: places.bc_id }),
    data: z.array(missedCheck),
  },
  judge: {
    method: 'POST',
    path: '/osmcore/api/tidiness/judge',
    title: '改判',
    access: ['tidiness:judge'],
    body: z.object({ ...one, result: tidinessResult.schema.meta({ title: '改判为' }), reason }),
    data: nothing,
  },
  /** Somebody has to tidy up: a correction with the check's picture. */
  correct: {
    method: 'POST',
    path: '/osmcore/api/tidiness/correct',
    title: '生成整改',
    access: ['tidiness:correct'],
    body: z.object({
      ...one,
      problem: z
        .string()
        .trim()
        .min(2, { error: '请写明要整改什么（至少 2 个字）' })
        .max(100)
        .meta({ title: '问题' }),
      assignee_id: uuid.meta({ title: '责任人' }),
    }),
    data: z.object({ id: z.string() }),
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/tidiness/export',
    title: '导出整洁度检查',
    access: ['tidiness:export'],
    query,
    data: nothing,
    raw: true,
  },
})
