import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { commaList, day, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { noWork, tidinessLevel } from '../sites/sites.record.ts'
import { workerType } from '../workers/trades.record.ts'
import {
  attendBy,
  attendDay,
  attendGroup,
  attendPeriod,
  grain,
  siteDayRow,
  siteDayState,
} from './attend.record.ts'
import { dailyFigures, dailyRow } from './daily-sheet.record.ts'
import { deviceFigures } from './device.record.ts'
import { monitorFigures } from './monitor.record.ts'

const place = {
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
}
const days = {
  from: optional(day).meta({ title: '开始日期' }),
  to: optional(day).meta({ title: '结束日期' }),
}
const attend = { ...days, ...place, w_type: commaList(workerType.schema).meta({ title: '工种' }) }
const groups = listQuery(['rate', 'present', 'due', 'hours', 'name'], {
  ...attend,
  by: attendBy.schema.default('branch').meta({ title: '维度' }),
})
const sheet = listQuery(['day'], { ...days, bc_id: place.bc_id })
const siteDays = listQuery(['day', 'present', 'expected', 'code'], {
  ...days,
  ...place,
  state: commaList(siteDayState.schema).meta({ title: '当日情况' }),
  tidiness: commaList(tidinessLevel.schema).meta({ title: '整洁度' }),
})

const whole = z.object({ from: z.string(), to: z.string() }).nullable()
/** Whether today's work has begun: before it, today says nothing of people. */
const begun = z.boolean()

export const statisticsApi = defineApi({
  attend: {
    method: 'POST',
    path: '/osmcore/api/statistics/attend',
    title: '考勤统计',
    work: 'heavy',
    access: ['page:AttendStatistics'],
    query: z.object({ ...attend, grain: grain.schema.default('day').meta({ title: '粒度' }) }),
    data: z.object({
      from: z.string(),
      to: z.string(),
      /** The days that are over: totals, weeks, months and rankings are of these; null when there are none. */
      whole,
      begun,
      periods: z.array(attendPeriod),
      days: z.array(attendDay),
      noWork: z.array(z.object({ code: noWork.schema, count: z.number().int() })),
    }),
  },
  attendGroups: {
    method: 'POST',
    path: '/osmcore/api/statistics/attendgroups',
    title: '考勤排行',
    work: 'heavy',
    access: ['page:AttendStatistics'],
    query: groups,
    data: paged(attendGroup),
  },
  attendExport: {
    method: 'POST',
    path: '/osmcore/api/statistics/attendexport',
    title: '导出考勤统计',
    access: ['statistics:export'],
    query: groups,
    data: nothing,
    raw: true,
  },
  dailySheet: {
    method: 'POST',
    path: '/osmcore/api/statistics/dailysheet',
    title: '日报表',
    work: 'heavy',
    access: ['page:DailySheet'],
    query: sheet,
    /** `total` is of the days that are over (`whole`), or of today when nothing else was asked for. */
    data: paged(dailyRow).extend({ total: dailyFigures, whole, begun }),
  },
  dailyExport: {
    method: 'POST',
    path: '/osmcore/api/statistics/dailyexport',
    title: '导出日报表',
    access: ['daily:export'],
    query: sheet,
    data: nothing,
    raw: true,
  },
  /** Who of a branch, or of all that one sees, is told every morning that the report is there. */
  subscribers: {
    method: 'POST',
    path: '/osmcore/api/statistics/subscribers',
    title: '日报订阅人',
    access: ['page:SetSelf'],
    query: z.object({ bc_id: optional(uuid).meta({ title: '分公司' }) }),
    data: z.array(z.object({ id: z.string(), nickname: z.string() })),
  },
  siteDays: {
    method: 'POST',
    path: '/osmcore/api/statistics/sitedays',
    title: '工地日报',
    work: 'heavy',
    access: ['page:DailySheet', 'page:AttendStatistics'],
    query: siteDays,
    data: paged(siteDayRow),
  },
  siteDaysExport: {
    method: 'POST',
    path: '/osmcore/api/statistics/sitedaysexport',
    title: '导出工地日报',
    access: ['daily:export'],
    query: siteDays,
    data: nothing,
    raw: true,
  },
  devices: {
    method: 'POST',
    path: '/osmcore/api/statistics/devices',
    title: '设备统计',
    work: 'heavy',
    access: ['page:DeviceStatistics'],
    query: z.object({ ...days, bc_id: place.bc_id }),
    data: deviceFigures,
  },
  monitor: {
    method: 'POST',
    path: '/osmcore/api/statistics/monitor',
    title: '每日监控',
    access: ['page:DailyMonitor'],
    query: z.object({ bc_id: place.bc_id }),
    data: monitorFigures,
  },
})
