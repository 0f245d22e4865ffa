import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { optionalReason, reason, uploaded, version } from '../../kit/fields.ts'
import { commaList, day, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { attendance } from '../attendance/attendance.record.ts'
import { told } from '../consents/notices.record.ts'
import { documentState } from './documents.record.ts'
import { stayScore } from './stays.record.ts'
import { workerType } from './trades.record.ts'
import {
  faceState,
  workerDay,
  workerDetail,
  workerFacts,
  workerPhone,
  workerRow,
  workerSex,
  workerStatus,
} from './workers.record.ts'

const query = listQuery(['w_id', 'w_name', 'w_type', 'status'], {
  keyword,
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '所在工地' }),
  w_type: commaList(workerType.schema).meta({ title: '工种' }),
  w_sex: optional(workerSex.schema).meta({ title: '性别' }),
  face: commaList(faceState.schema).meta({ title: '人脸' }),
  today: optional(attendance.schema).meta({ title: '今日打卡' }),
  status: commaList(workerStatus.schema).meta({ title: '状态' }),
  /** One of their documents. */
  document: optional(documentState.schema).meta({ title: '证件有效期' }),
})
const one = z.object({ id: uuid.meta({ title: '工人' }) })

export const workersApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/worker/list',
    title: '工人列表',
    access: ['page:WorkerList'],
    query,
    data: paged(workerRow),
  },
  details: {
    method: 'POST',
    path: '/osmcore/api/worker/details',
    title: '工人基本信息',
    access: ['page:WorkerInfo'],
    query: one,
    data: workerDetail,
  },
  calendar: {
    method: 'POST',
    path: '/osmcore/api/worker/calendar',
    title: '工人出勤日历',
    access: ['page:WorkerInfo'],
    query: one.extend({ from: day.meta({ title: '开始日期' }), to: day.meta({ title: '结束日期' }) }),
    data: z.array(workerDay),
  },
  /** People a filter or a form can name, inside the caller's scope. */
  pick: {
    method: 'POST',
    path: '/osmcore/api/worker/pick',
    title: '选择工人',
    access: ['page:WorkerAttend', 'page:WorkerList'],
    query: z.object({
      keyword,
      id: optional(uuid).meta({ title: '工人' }),
      /** Those who are on it now come first. */
      site_id: optional(uuid).meta({ title: '工地' }),
    }),
    data: z.array(z.object({ id: z.string(), w_id: z.string(), w_name: z.string(), onSite: z.boolean() })),
  },
  /** Without a number one is made. */
  add: {
    method: 'POST',
    path: '/osmcore/api/worker/add',
    title: '新增工人',
    access: ['worker:add'],
    body: workerFacts.extend({ told }),
    data: z.object({ id: z.string(), w_id: z.string() }),
  },
  /** A phone that is left out stays: who edits may not be who reads it. The number stands on terminals and never changes. */
  edit: {
    method: 'POST',
    path: '/osmcore/api/worker/edit',
    title: '编辑工人',
    access: ['worker:edit'],
    body: workerFacts.omit({ w_id: true, w_contact: true }).extend({
      id: uuid,
      version,
      w_contact: workerPhone.optional(),
      /** The value for who leads sites; left out it stays. */
      user_id: uuid.nullish().meta({ title: '对应账号' }),
    }),
    data: nothing,
  },
  state: {
    method: 'POST',
    path: '/osmcore/api/worker/state',
    title: '停用或启用工人',
    access: ['worker:edit'],
    body: z.object({
      id: uuid,
      version,
      action: z.enum(['stop', 'start']).meta({ title: '动作' }),
      reason: optionalReason,
    }),
    data: nothing,
  },
  send: {
    method: 'POST',
    path: '/osmcore/api/worker/send',
    title: '派往工地',
    access: ['worker:send'],
    body: z.object({ id: uuid, site_id: uuid.meta({ title: '工地' }), day: day.meta({ title: '进场日期' }) }),
    data: nothing,
  },
  recall: {
    method: 'POST',
    path: '/osmcore/api/worker/recall',
    title: '撤离工地',
    access: ['worker:send'],
    body: z.object({
      id: uuid,
      site_id: uuid.meta({ title: '工地' }),
      day: day.meta({ title: '离场日期' }),
      score: stayScore.schema.nullable().default(null).meta({ title: '评分' }),
    }),
    data: nothing,
  },
  /** A picture that the caller uploaded, of somebody who has agreed. */
  face: {
    method: 'POST',
    path: '/osmcore/api/worker/face',
    title: '录入人脸',
    access: ['worker:face'],
    body: z.object({ id: uuid, version, key: uploaded }),
    data: nothing,
  },
  /** The picture is destroyed, the consent stays. */
  forgetFace: {
    method: 'POST',
    path: '/osmcore/api/worker/forgetface',
    title: '删除人脸',
    access: ['worker:face'],
    body: z.object({ id: uuid, version, reason }),
    data: nothing,
  },
  /** One phone, for a reason; every look is in the log. */
  phone: {
    method: 'POST',
    path: '/osmcore/api/worker/phone',
    title: '查看完整电话',
    access: ['worker:unmask', 'worker:phone'],
    body: z.object({ id: uuid, reason }),
    data: z.object({ phone: z.string() }),
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/worker/export',
    title: '导出工人',
    access: ['worker:export'],
    query,
    data: nothing,
    raw: true,
  },
})
