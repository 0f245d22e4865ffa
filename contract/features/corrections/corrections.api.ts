import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen, uploaded } from '../../kit/fields.ts'
import { commaList, flag, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { alarmTodo, cancelReason, correctionStatus } from '../alarms/alarms.record.ts'
import { correctionDetail, correctionRow, correctionSource } from './corrections.record.ts'

const instant = optional(z.coerce.number({ error: '时间应为秒数' }).int())
const query = listQuery(['at', 'dueAt', 'closedAt', 'correctionStatus', 'source'], {
  source: commaList(correctionSource.schema).meta({ title: '来源' }),
  correctionStatus: commaList(correctionStatus.schema).meta({ title: '状态' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  assignee_id: optional(uuid).meta({ title: '责任人' }),
  overdue: flag.meta({ title: '是否超期' }),
  todo: optional(alarmTodo.schema).meta({ title: '待我处理' }),
  from: instant.meta({ title: '开始时间' }),
  to: instant.meta({ title: '结束时间' }),
  id: optional(uuid).meta({ title: '整改单' }),
  ids: commaList(uuid).meta({ title: '指定整改单' }),
})
const one = seen('整改单')

/** Corrections of every source; those of alarms need the rights of alarms. */
export const correctionsApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/correction/list',
    title: '整改单列表',
    access: ['page:Correction'],
    query,
    data: paged(correctionRow),
  },
  details: {
    method: 'POST',
    path: '/osmcore/api/correction/details',
    title: '整改单详情',
    access: ['page:Correction'],
    query: z.object({ id: one.id }),
    data: correctionDetail,
  },
  assign: {
    method: 'POST',
    path: '/osmcore/api/correction/assign',
    title: '指派',
    access: ['correction:assign', 'alarm:assign'],
    body: z.object({ ...one, assignee_id: uuid.meta({ title: '责任人' }) }),
    data: nothing,
  },
  start: {
    method: 'POST',
    path: '/osmcore/api/correction/start',
    title: '开始整改',
    access: ['correction:correct', 'alarm:correct'],
    body: z.object(one),
    data: nothing,
  },
  submit: {
    method: 'POST',
    path: '/osmcore/api/correction/submit',
    title: '提交整改照片',
    access: ['correction:correct', 'alarm:correct'],
    body: z.object({
      ...one,
      pictures: z.array(uploaded).min(1, { error: '请至少上传一张整改照片' }).max(9).meta({ title: '照片' }),
      text: z.string().trim().max(200).default('').meta({ title: '说明' }),
    }),
    data: nothing,
  },
  pass: {
    method: 'POST',
    path: '/osmcore/api/correction/pass',
    title: '复核通过',
    access: ['correction:review', 'alarm:review'],
    body: z.object(one),
    data: nothing,
  },
  back: {
    method: 'POST',
    path: '/osmcore/api/correction/back',
    title: '退回',
    access: ['correction:review', 'alarm:review'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  dispute: {
    method: 'POST',
    path: '/osmcore/api/correction/dispute',
    title: '申诉',
    access: ['correction:correct', 'alarm:correct'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  cancel: {
    method: 'POST',
    path: '/osmcore/api/correction/cancel',
    title: '取消整改',
    access: ['correction:cancel', 'correction:supervise', 'alarm:cancel', 'alarm:supervise'],
    body: z.object({ ...one, cause: cancelReason.schema, reason }),
    data: nothing,
  },
  reopen: {
    method: 'POST',
    path: '/osmcore/api/correction/reopen',
    title: '重新打开',
    access: ['correction:supervise', 'alarm:supervise'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  urge: {
    method: 'POST',
    path: '/osmcore/api/correction/urge',
    title: '催办',
    access: ['correction:urge'],
    body: z.object(one),
    data: z.object({ told: z.number().int() }),
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/correction/export',
    title: '导出整改单',
    access: ['correction:export'],
    query,
    data: nothing,
    raw: true,
  },
})
