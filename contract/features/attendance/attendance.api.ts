import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason } from '../../kit/fields.ts'
import { commaList, day, flag, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { workerType } from '../workers/trades.record.ts'
import { attendance, attendanceRow, punch } from './attendance.record.ts'

/** Days are the first order, newest first unless `day`; the other fields order the people of one day. Without dates: today. */
const query = listQuery(['day', 'firstAt', 'lastAt', 'hours', 'count'], {
  from: optional(day).meta({ title: '开始日期' }),
  to: optional(day).meta({ title: '结束日期' }),
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  w_type: commaList(workerType.schema).meta({ title: '工种' }),
  worker_id: optional(uuid).meta({ title: '工人' }),
  attendance: commaList(attendance.schema).meta({ title: '打卡状态' }),
  /** Counted among those who came: not expected there that day, or expected. */
  guest: flag.meta({ title: '是否外援' }),
})
const person = {
  site_id: uuid.meta({ title: '工地' }),
  worker_id: uuid.meta({ title: '工人' }),
  day: day.meta({ title: '日期' }),
}
const clock = optional(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: '时间格式应为 07:30' }))

export const attendanceApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/attend/list',
    title: '工人考勤',
    access: ['page:WorkerAttend', 'page:SiteAttendance'],
    query,
    data: paged(attendanceRow),
  },
  punches: {
    method: 'POST',
    path: '/osmcore/api/attend/punches',
    title: '打卡明细',
    access: ['page:WorkerAttend', 'page:SiteAttendance'],
    query: z.object(person),
    data: z.array(punch),
  },
  /** One or two punches that the terminal missed. */
  makeup: {
    method: 'POST',
    path: '/osmcore/api/attend/makeup',
    title: '补卡',
    access: ['attend:makeup'],
    body: z.object({
      ...person,
      in: clock.meta({ title: '进场时间' }),
      out: clock.meta({ title: '离场时间' }),
      reason,
    }),
    /** The punches that were made up, for whoever takes them back at once. */
    data: z.object({ ids: z.array(z.string()) }),
  },
  /** A wrong makeup is taken back by a record of its own. */
  withdraw: {
    method: 'POST',
    path: '/osmcore/api/attend/withdraw',
    title: '撤回补卡',
    access: ['attend:makeup'],
    body: z.object({ id: uuid.meta({ title: '补卡' }), reason }),
    data: nothing,
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/attend/export',
    title: '导出考勤',
    access: ['attend:export'],
    query,
    data: nothing,
    raw: true,
  },
})
