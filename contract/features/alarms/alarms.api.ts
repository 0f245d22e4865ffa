import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen } from '../../kit/fields.ts'
import { commaList, day, flag, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import {
  alarmAttention,
  alarmDetail,
  alarmRow,
  alarmTodo,
  alarmType,
  alarmVerdict,
  cancelReason,
  correctionStatus,
} from './alarms.record.ts'

const instant = optional(z.coerce.number({ error: '时间应为秒数' }).int())
const query = listQuery(['at', 'lastSeen', 'confidence', 'dueAt', 'correctionStatus', 'type'], {
  type: commaList(alarmType.schema).meta({ title: '报警类型' }),
  correctionStatus: commaList(correctionStatus.schema).meta({ title: '整改状态' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  device_id: optional(uuid).meta({ title: '设备' }),
  assignee_id: optional(uuid).meta({ title: '责任人' }),
  from: instant.meta({ title: '开始时间' }),
  to: instant.meta({ title: '结束时间' }),
  attention: optional(alarmAttention.schema).meta({ title: '提醒' }),
  overdue: flag.meta({ title: '是否超期' }),
  closedOn: optional(day).meta({ title: '办结日期' }),
  closedFrom: optional(day).meta({ title: '办结开始日期' }),
  closedTo: optional(day).meta({ title: '办结结束日期' }),
  verdict: commaList(alarmVerdict.schema).meta({ title: '判定' }),
  /** The day in Asia/Shanghai on which it was seen first. */
  hour: commaList(z.coerce.number({ error: '时段应为 0–23' }).int().min(0).max(23)).meta({ title: '时段' }),
  assigned: flag.meta({ title: '是否有责任人' }),
  todo: optional(alarmTodo.schema).meta({ title: '待我处理' }),
  id: optional(uuid).meta({ title: '报警' }),
  ids: commaList(uuid).meta({ title: '指定报警' }),
})
const one = seen('报警')
const picture = z.string().regex(/^[A-Za-z0-9_-]{1,64}\.[a-z0-9]{2,4}$/, { error: '照片编号不正确' })
const many = z.array(z.object(one)).min(1, { error: '请先选择报警' }).max(100, { error: '一次最多 100 条' })
/** A batch does the eligible rows and names the others (docs/states.md). */
const batchAnswer = z.object({
  done: z.number().int(),
  skipped: z.array(z.object({ id: z.string(), why: z.string() })),
})

export const alarmsApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/alarm/list',
    title: '报警列表',
    access: ['page:AlarmEvent', 'page:OwnerWarnrecord'],
    query,
    data: paged(alarmRow),
  },
  details: {
    method: 'POST',
    path: '/osmcore/api/alarm/details',
    title: '报警详情',
    access: ['page:AlarmEvent', 'page:SiteInfo'],
    query: z.object({ id: one.id }),
    data: alarmDetail,
  },
  assign: {
    method: 'POST',
    path: '/osmcore/api/alarm/assign',
    title: '指派',
    access: ['alarm:assign'],
    body: z.object({ ...one, assignee_id: uuid.meta({ title: '责任人' }) }),
    data: nothing,
  },
  assignMany: {
    method: 'POST',
    path: '/osmcore/api/alarm/assignmany',
    title: '批量指派',
    access: ['alarm:assign'],
    body: z.object({ alarms: many, assignee_id: uuid.meta({ title: '责任人' }) }),
    data: batchAnswer,
  },
  start: {
    method: 'POST',
    path: '/osmcore/api/alarm/start',
    title: '开始整改',
    access: ['alarm:correct'],
    body: z.object(one),
    data: nothing,
  },
  submit: {
    method: 'POST',
    path: '/osmcore/api/alarm/submit',
    title: '提交整改照片',
    access: ['alarm:correct'],
    body: z.object({
      ...one,
      pictures: z.array(picture).min(1, { error: '请至少上传一张整改照片' }).max(9).meta({ title: '照片' }),
      text: z.string().trim().max(200).default('').meta({ title: '说明' }),
    }),
    data: nothing,
  },
  pass: {
    method: 'POST',
    path: '/osmcore/api/alarm/pass',
    title: '复核通过',
    access: ['alarm:review'],
    body: z.object(one),
    data: nothing,
  },
  back: {
    method: 'POST',
    path: '/osmcore/api/alarm/back',
    title: '退回',
    access: ['alarm:review'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  dispute: {
    method: 'POST',
    path: '/osmcore/api/alarm/dispute',
    title: '申诉',
    access: ['alarm:correct'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  cancel: {
    method: 'POST',
    path: '/osmcore/api/alarm/cancel',
    title: '取消报警',
    access: ['alarm:cancel', 'alarm:supervise'],
    body: z.object({ ...one, cause: cancelReason.schema, reason }),
    data: nothing,
  },
  cancelMany: {
    method: 'POST',
    path: '/osmcore/api/alarm/cancelmany',
    title: '批量取消',
    access: ['alarm:cancel', 'alarm:supervise'],
    body: z.object({ alarms: many, cause: cancelReason.schema, reason }),
    data: batchAnswer,
  },
  reopen: {
    method: 'POST',
    path: '/osmcore/api/alarm/reopen',
    title: '重新打开',
    access: ['alarm:supervise'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/alarm/export',
    title: '导出报警',
    access: ['alarm:export'],
    query,
    data: nothing,
    raw: true,
  },
})
