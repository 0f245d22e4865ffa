import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen } from '../../kit/fields.ts'
import { commaList, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { alarmType, alarmVerdict } from '../alarms/alarms.record.ts'
import { labelRow, trustDetail, trustRow, trustState } from './trusts.record.ts'

const instant = optional(z.coerce.number({ error: '时间应为秒数' }).int())
const model = optional(z.string().trim().max(40)).meta({ title: '型号版本' })
const query = listQuery(['n', 'wrong', 'share', 'since'], {
  keyword,
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  device_id: optional(uuid).meta({ title: '设备' }),
  type: commaList(alarmType.schema).meta({ title: '报警类型' }),
  state: commaList(trustState.schema).meta({ title: '提醒' }),
  model,
  id: optional(uuid).meta({ title: '摄像头和类型' }),
})
const labels = listQuery(['at'], {
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  type: commaList(alarmType.schema).meta({ title: '报警类型' }),
  verdict: commaList(alarmVerdict.schema).meta({ title: '判定' }),
  model,
  from: instant.meta({ title: '开始时间' }),
  to: instant.meta({ title: '结束时间' }),
})
const command = z.object({ ...seen('摄像头和类型'), reason })

export const trustsApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/trust/list',
    title: 'AI 信任账',
    access: ['page:AlarmTrust'],
    query,
    data: paged(trustRow),
  },
  details: {
    method: 'POST',
    path: '/osmcore/api/trust/details',
    title: '信任账详情',
    access: ['page:AlarmTrust'],
    query: z.object({ id: uuid.meta({ title: '摄像头和类型' }) }),
    data: trustDetail,
  },
  pinNotify: {
    method: 'POST',
    path: '/osmcore/api/trust/pinnotify',
    title: '固定通知',
    access: ['alarm:pin'],
    body: command,
    data: nothing,
  },
  pinReview: {
    method: 'POST',
    path: '/osmcore/api/trust/pinreview',
    title: '固定需人工看',
    access: ['alarm:pin'],
    body: command,
    data: nothing,
  },
  unpin: {
    method: 'POST',
    path: '/osmcore/api/trust/unpin',
    title: '取消固定',
    access: ['alarm:pin'],
    body: command,
    data: nothing,
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/trust/export',
    title: '导出信任账',
    access: ['alarm:export'],
    query,
    data: nothing,
    raw: true,
  },
  /** Judged alarms, before they are taken along. */
  labels: {
    method: 'POST',
    path: '/osmcore/api/trust/labels',
    title: '训练标签',
    access: ['alarm:labels'],
    query: labels,
    data: paged(labelRow),
  },
  exportLabels: {
    method: 'POST',
    path: '/osmcore/api/trust/exportlabels',
    title: '导出训练标签',
    access: ['alarm:labels'],
    query: labels,
    data: nothing,
    raw: true,
  },
})
