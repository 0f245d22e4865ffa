import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen } from '../../kit/fields.ts'
import { commaList, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { tidinessResult } from '../sites/sites.record.ts'
import { tidinessBy, tidinessDetail, tidinessRow, tidinessSource, tidinessTrend } from './tidiness.record.ts'

const instant = optional(z.coerce.number({ error: '时间应为秒数' }).int())
/** Which sites, whose, looked at by whom and when. */
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
    access: ['page:Tidiness'],
    query: z.object({ ...places, by: optional(tidinessBy.schema).meta({ title: '分组' }) }),
    data: tidinessTrend,
  },
  judge: {
    method: 'POST',
    path: '/osmcore/api/tidiness/judge',
    title: '改判',
    access: ['tidiness:judge'],
    body: z.object({ ...one, result: tidinessResult.schema.meta({ title: '改判为' }), reason }),
    data: nothing,
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
