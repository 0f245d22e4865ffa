import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { seen, version } from '../../kit/fields.ts'
import { commaList, day, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { consentFields } from '../consents/consents.record.ts'
import { told } from '../consents/notices.record.ts'
import { workerFacts } from '../workers/workers.record.ts'
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
  ids: commaList(uuid).meta({ title: '指定来访' }),
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
      /** The worker's number among the workers. */
      worker_id: uuid.nullable().default(null).meta({ title: '工人' }),
      remark: z.string().trim().max(100).default('').meta({ title: '说明' }),
    }),
    data: nothing,
  },
  /** A new worker of the site's branch, and the visit is theirs. */
  enrol: {
    method: 'POST',
    path: '/osmcore/api/visitor/enrol',
    title: '加入工人',
    access: ['worker:add'],
    body: workerFacts.omit({ bc_id: true }).extend({
      ...one,
      /** Without a day they are sent to no site. */
      day: day.nullable().default(null).meta({ title: '进场日期' }),
      told,
    }),
    data: z.object({ id: z.string(), w_id: z.string() }),
  },
  /** The visit's picture becomes the worker's face, their consent being in force or given with it. */
  face: {
    method: 'POST',
    path: '/osmcore/api/visitor/face',
    title: '用抓拍采集人脸',
    access: ['worker:face'],
    body: z.object({
      ...one,
      worker_version: version,
      /** The face that is kept now is destroyed. */
      replace: z.boolean().default(false).meta({ title: '更换现有人脸' }),
      how: consentFields.how.nullable().default(null).meta({ title: '答复方式' }),
      answeredOn: consentFields.answeredOn.nullable().default(null).meta({ title: '答复日期' }),
      scope: consentFields.scope.nullable().default(null).meta({ title: '用途' }),
      proof: consentFields.proof,
      told,
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
