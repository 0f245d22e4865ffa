import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen } from '../../kit/fields.ts'
import { commaList, day, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { workerType } from '../workers/trades.record.ts'
import {
  tidinessCheck,
  violationDetail,
  violationRow,
  violationStatus,
  violationType,
} from './violations.record.ts'

const instant = optional(z.coerce.number({ error: '时间应为秒数' }).int())
const query = listQuery(['at', 'points', 'status'], {
  type: commaList(violationType.schema).meta({ title: '违规类型' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  worker_id: optional(uuid).meta({ title: '工人' }),
  w_type: commaList(workerType.schema).meta({ title: '工种' }),
  status: commaList(violationStatus.schema).meta({ title: '处理状态' }),
  from: instant.meta({ title: '开始时间' }),
  to: instant.meta({ title: '结束时间' }),
  id: optional(uuid).meta({ title: '违规' }),
})
const command = z.object({ ...seen('违规'), reason })

export const violationsApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/violation/list',
    title: '违规记录',
    access: ['page:BreakList', 'page:BreakRecord', 'page:SiteBreak'],
    query,
    data: paged(violationRow),
  },
  details: {
    method: 'POST',
    path: '/osmcore/api/violation/details',
    title: '违规详情',
    access: ['page:BreakList', 'page:BreakRecord', 'page:SiteBreak'],
    query: z.object({ id: uuid.meta({ title: '违规' }) }),
    data: violationDetail,
  },
  /** The points of this type now on this site. */
  points: {
    method: 'POST',
    path: '/osmcore/api/violation/points',
    title: '违规扣分',
    access: ['violation:add'],
    query: z.object({
      site_id: uuid.meta({ title: '工地' }),
      type: violationType.schema.meta({ title: '违规类型' }),
    }),
    data: z.object({ points: z.number().int() }),
  },
  add: {
    method: 'POST',
    path: '/osmcore/api/violation/add',
    title: '登记违规',
    access: ['violation:add'],
    body: z.object({
      worker_id: uuid.meta({ title: '工人' }),
      site_id: uuid.meta({ title: '工地' }),
      type: violationType.schema.meta({ title: '违规类型' }),
      day: day.meta({ title: '日期' }),
      time: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: '时间应为 08:30 的样子' })
        .meta({ title: '时间' }),
      pictures: z
        .array(z.string().regex(/^[A-Za-z0-9_-]{1,64}\.[a-z0-9]{2,4}$/, { error: '照片编号不正确' }))
        .length(1, { error: '请上传一张照片作为证据' })
        .meta({ title: '证据照片' }),
      remark: z.string().trim().max(200).default('').meta({ title: '说明' }),
    }),
    data: z.object({ id: z.string() }),
  },
  handle: {
    method: 'POST',
    path: '/osmcore/api/violation/handle',
    title: '处理违规',
    access: ['violation:handle'],
    body: command,
    data: nothing,
  },
  object: {
    method: 'POST',
    path: '/osmcore/api/violation/object',
    title: '申诉违规',
    access: ['violation:object'],
    body: command,
    data: nothing,
  },
  uphold: {
    method: 'POST',
    path: '/osmcore/api/violation/uphold',
    title: '维持违规',
    access: ['violation:handle'],
    body: command,
    data: nothing,
  },
  withdraw: {
    method: 'POST',
    path: '/osmcore/api/violation/withdraw',
    title: '撤销违规',
    access: ['violation:handle'],
    body: command,
    data: nothing,
  },
  /** The checks of one site's tidiness, beside its violations. */
  tidiness: {
    method: 'POST',
    path: '/osmcore/api/violation/tidiness',
    title: '工地整洁度记录',
    access: ['page:SiteBreak'],
    query: z.object({ site_id: uuid.meta({ title: '工地' }) }),
    data: z.array(tidinessCheck),
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/violation/export',
    title: '导出违规记录',
    access: ['violation:export'],
    query,
    data: nothing,
    raw: true,
  },
})
