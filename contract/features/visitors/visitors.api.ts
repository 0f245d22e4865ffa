import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { seen } from '../../kit/fields.ts'
import { commaList, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { visitIdentity, visitRow, visitState } from './visitors.record.ts'

const instant = optional(z.coerce.number({ error: '时间应为秒数' }).int())
const query = listQuery(['at', 'seconds'], {
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  state: optional(visitState.schema).meta({ title: '处理状态' }),
  from: instant.meta({ title: '开始时间' }),
  to: instant.meta({ title: '结束时间' }),
  id: optional(uuid).meta({ title: '来访' }),
  /** Visits of the same site, a week before and after this one. */
  near: optional(uuid).meta({ title: '来访' }),
})
const one = seen('来访')

export const visitorsApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/visitor/list',
    title: '陌生人来访',
    access: ['page:VisitorList', 'page:VisitorVisit'],
    query,
    data: paged(visitRow),
  },
  mark: {
    method: 'POST',
    path: '/osmcore/api/visitor/mark',
    title: '标记身份',
    access: ['visitor:mark'],
    body: z.object({
      ...one,
      identity: visitIdentity.schema.meta({ title: '身份' }),
      remark: z.string().trim().max(100).default('').meta({ title: '说明' }),
    }),
    data: nothing,
  },
  tell: {
    method: 'POST',
    path: '/osmcore/api/visitor/tell',
    title: '通知管家',
    access: ['visitor:mark'],
    body: z.object(one),
    data: nothing,
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/visitor/export',
    title: '导出陌生人来访',
    access: ['visitor:export'],
    query,
    data: nothing,
    raw: true,
  },
})
