import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { commaList, day, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { alarmType } from '../alarms/alarms.record.ts'
import { patrolKind } from '../patrols/patrols.record.ts'
import { noWork, tidinessLevel } from '../sites/sites.record.ts'
import { workerType } from '../workers/trades.record.ts'
import { alarmBy, alarmCell, alarmGroup, alarmTime, rankedBy } from './alarm-figures.record.ts'
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
import { dataView } from './data-view.record.ts'
import { deviceFigures } from './device.record.ts'
import { monitorFigures } from './monitor.record.ts'
import { patrolBy, patrolCoverage, patrolFigures, patrolPerson, patrolSite } from './patrol-figures.record.ts'

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
const alarms = {
  ...days,
  bc_id: place.bc_id,
  type: commaList(alarmType.schema).meta({ title: '报警类型' }),
}
const patrols = {
  ...days,
  bc_id: place.bc_id,
  kind: commaList(patrolKind.schema).meta({ title: '类型' }),
}

const whole = z.object({ from: z.string(), to: z.string() }).nullable()
/** Whether today's work has begun: before it, today says nothing of people. */
const begun = z.boolean()
/** The days that were asked for, those that are over, and the time as of which the running one speaks. */
const asked = { from: z.string(), to: z.string(), whole, begun, words: z.string() }

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
  dataView: {
    method: 'POST',
    path: '/osmcore/api/statistics/dataview',
    title: '数据大屏',
    work: 'heavy',
    access: ['page:DataV'],
    query: z.object({ bc_id: place.bc_id }),
    data: dataView,
  },
  /** Alarms raised in the span: by day, and of the days that are over by branch and hour of the day. */
  alarms: {
    method: 'POST',
    path: '/osmcore/api/statistics/alarms',
    title: '报警统计',
    work: 'heavy',
    access: ['page:AlarmStatistics'],
    query: z.object(alarms),
    data: z.object({
      ...asked,
      days: z.array(alarmCell),
      branches: z.array(alarmCell),
      hours: z.array(alarmCell),
    }),
  },
  alarmTimes: {
    method: 'POST',
    path: '/osmcore/api/statistics/alarmtimes',
    title: '整改用时',
    work: 'heavy',
    access: ['page:AlarmStatistics'],
    query: z.object(alarms),
    data: z.array(alarmTime),
  },
  alarmGroups: {
    method: 'POST',
    path: '/osmcore/api/statistics/alarmgroups',
    title: '报警排行',
    work: 'heavy',
    access: ['page:AlarmStatistics'],
    query: listQuery(['raised', 'wrong'], {
      ...alarms,
      by: rankedBy.default(alarmBy.code.site).meta({ title: '维度' }),
    }),
    data: paged(alarmGroup),
  },
  alarmExport: {
    method: 'POST',
    path: '/osmcore/api/statistics/alarmexport',
    title: '导出报警统计',
    access: ['alarmfigures:export'],
    query: z.object({ ...alarms, by: alarmBy.schema.default(alarmBy.code.day).meta({ title: '维度' }) }),
    data: nothing,
    raw: true,
  },
  /** Patrols that plans wanted of the days that are over, by day also of the running one, and their findings. */
  patrols: {
    method: 'POST',
    path: '/osmcore/api/statistics/patrols',
    title: '巡检统计',
    work: 'heavy',
    access: ['page:PatrolStatistics'],
    query: z.object(patrols),
    data: patrolFigures.extend(asked),
  },
  patrolSites: {
    method: 'POST',
    path: '/osmcore/api/statistics/patrolsites',
    title: '巡检覆盖',
    work: 'heavy',
    access: ['page:PatrolStatistics'],
    query: listQuery(['tasks', 'missed', 'late'], {
      ...patrols,
      coverage: optional(patrolCoverage.schema).meta({ title: '是否巡到' }),
    }),
    data: paged(patrolSite),
  },
  patrolPeople: {
    method: 'POST',
    path: '/osmcore/api/statistics/patrolpeople',
    title: '巡检人',
    work: 'heavy',
    access: ['page:PatrolStatistics'],
    query: listQuery(['made', 'found', 'problems'], patrols),
    data: paged(patrolPerson),
  },
  patrolExport: {
    method: 'POST',
    path: '/osmcore/api/statistics/patrolexport',
    title: '导出巡检统计',
    access: ['patrolfigures:export'],
    query: z.object({ ...patrols, by: patrolBy.schema.default(patrolBy.code.day).meta({ title: '维度' }) }),
    data: nothing,
    raw: true,
  },
})
