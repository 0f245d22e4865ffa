import { tidinessLevel } from '@zhuguan/contract/features/sites/sites.record.ts'
import { attendBy, grain, siteDayState } from '@zhuguan/contract/features/statistics/attend.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson, settled } from '../../kit/statement.ts'
import { DAY_STATE } from '../attendance/attendance.reads.ts'
import { dayColumn, sendWorkbook, timeColumn, word } from '../exports/exports.service.ts'
import { alarmCells, alarmTimes, groupPage } from './alarm-figures.queries.ts'
import { asOf } from './as-of.reads.ts'
import { attendDays, attendPeriods, groupsOf, noWorkCounts } from './attend.queries.ts'
import { dailySheet, dailySource, dailyWhere } from './daily-sheet.queries.ts'
import { subscribersOf } from './daily-sheet.service.ts'
import { dataView } from './data-view.queries.ts'
import { deviceStatistics } from './device.queries.ts'
import { alarmSheet, patrolSheet } from './figure-sheets.ts'
import { monitor } from './monitor.queries.ts'
import { patrolFigures, peoplePage } from './patrol-figures.queries.ts'
import { LAST_TIDINESS, SITE_DAY_JOINS, siteDaysPage, siteDaysWhere } from './site-days.queries.ts'
import { type Span, spanOf, wholeDays } from './span.ts'
import { sitePage, taskRows } from './task-figures.queries.ts'

const MONTH = 30
const WEEK = 7
/** People and branches are ranked by days that are over. */
const ranked = (query: Parameters<typeof spanOf>[0], now: Date): Span => {
  const span = spanOf(query, now, MONTH)
  return wholeDays(span, now) ?? span
}
/**
 * What was asked for: the days that are shown, today among them once it has begun, and those that are counted together,
 * which are over.
 */
async function spansOf(tx: Tx, scope: Scope, query: Parameters<typeof spanOf>[0], now: Date) {
  const span = spanOf(query, now, MONTH)
  const whole = wholeDays(span, now)
  const { begun, words } = await asOf(tx, scope, now)
  return { span, whole, begun, words, counted: whole ?? span, shown: begun ? span : (whole ?? span) }
}
const percent = (part: string, whole: string) =>
  `coalesce(round(100.0 * ${part} / nullif(${whole}, 0), 1)::text, '--')`

export const statisticsFeature = serve(statisticsApi, {
  attend: ({ query }, call) => {
    const span = spanOf(query, call.now(), MONTH)
    const { scope } = call.user
    const whole = wholeDays(span, call.now())
    return call.read(async (tx) => {
      const { begun } = await asOf(tx, scope, call.now())
      // A running day is a point of its own; in a week or a month it would pull the others down.
      const shown = begun ? span : (whole ?? span)
      const counted = query.grain === grain.code.day ? shown : (whole ?? span)
      const [periods, days, noWork] = await Promise.all([
        attendPeriods(tx, scope, counted, query),
        attendDays(tx, scope, shown, query),
        noWorkCounts(tx, scope, query),
      ])
      return { ...span, whole, begun, periods, days, noWork }
    })
  },
  attendGroups: ({ query }, call) => {
    const { from, where } = groupsOf(call.user.scope, ranked(query, call.now()), query)
    return call.read((tx) =>
      pageJson(tx, {
        name: 'statistics.groups',
        columns: 'r.*',
        base: from,
        alias: 'r',
        joins: '',
        where: settled(where),
        sort: query.sort,
        otherwise: 'r.rate DESC NULLS LAST',
        tie: 'r.id',
        pageNo: query.pageNo,
        pageSize: query.pageSize,
        sortable: {
          rate: 'r.rate',
          present: 'r.present',
          due: 'r.due',
          hours: 'r.hours',
          name: 'r.name COLLATE "zh-x-icu"',
        },
        filled: ['present', 'due', 'hours', 'name'],
      }),
    )
  },
  attendExport: ({ query }, call) => {
    const { from, where } = groupsOf(call.user.scope, ranked(query, call.now()), query)
    return sendWorkbook(call, '考勤统计', {
      from,
      where: settled(where),
      order: 'r.rate DESC NULLS LAST, r.id',
      columns: [
        [attendBy.label(query.by), 'r.name'],
        ['所属', 'r.beside'],
        ['应出勤人次', 'r.due', 'number'],
        ['实出勤人次', 'r.attended', 'number'],
        ['出勤率%', `coalesce(r.rate::text, '--')`, 'number'],
        ['外援人次', 'r.guests', 'number'],
        ['打卡人次', 'r.present', 'number'],
        ['工时', 'r.hours', 'number'],
      ],
    })
  },
  dailySheet: ({ query }, call) =>
    call.read((tx) => dailySheet(tx, call.user.scope, spanOf(query, call.now(), WEEK), call.now(), query)),
  dailyExport: async ({ query }, call) => {
    const where = dailyWhere(call.user.scope, spanOf(query, call.now(), WEEK), query)
    const { begun, today } = await call.read((tx) => asOf(tx, call.user.scope, call.now()))
    /** A day that has not begun has no rate, as on the page. */
    const rate = (part: string, whole: string) =>
      begun ? percent(part, whole) : `CASE WHEN s.day = '${today}' THEN '--' ELSE ${percent(part, whole)} END`
    await sendWorkbook(call, '日报表', {
      from: dailySource(call.user.scope, where, ''),
      where: settled(where),
      order: 's.day DESC, s.bc_id',
      columns: [
        dayColumn('日期', 's.day'),
        ['分公司', 'c.bc_name'],
        ['在建工地', 's.sites', 'number'],
        ['有人施工', 's.worked', 'number'],
        ['无人施工', 's."noWork"', 'number'],
        ['休息/不明', 's.apart', 'number'],
        ['暂无打卡', 's.sites - s.worked - s."noWork" - s.apart', 'number'],
        ['应出勤人次', 's.due', 'number'],
        ['实出勤人次', 's.attended', 'number'],
        ['外援人次', 's.guests', 'number'],
        ['打卡人次', 's.present', 'number'],
        ['出勤率%', rate('s.attended', 's.due'), 'number'],
        ['新增报警', 's.alarms', 'number'],
        ['其中已整改', 's.corrected', 'number'],
        ['其中已取消', 's.cancelled', 'number'],
        ['整改率%', rate('s.corrected', '(s.alarms - s.cancelled)'), 'number'],
        ['巡检数', 's.patrols', 'number'],
        ['整洁优', 's.excellent', 'number'],
        ['整洁良', 's.good', 'number'],
        ['整洁差', 's.poor', 'number'],
        ['设备在线率%', rate('s.online', 's.watched'), 'number'],
        ['新增投诉', 's.complaints', 'number'],
      ],
    })
  },
  subscribers: ({ query }, call) => call.read((tx) => subscribersOf(tx, call.user.scope, query.bc_id)),
  siteDays: ({ query }, call) =>
    call.read((tx) => pageJson(tx, siteDaysPage(call.user.scope, spanOf(query, call.now(), WEEK), query))),
  siteDaysExport: ({ query }, call) =>
    sendWorkbook(call, '工地日报', {
      from: `site_days d ${SITE_DAY_JOINS}`,
      where: siteDaysWhere(call.user.scope, spanOf(query, call.now(), WEEK), query),
      order: 'd.day DESC, w.code',
      columns: [
        dayColumn('日期', 'd.day'),
        ['工地编号', 'w.code'],
        ['工地', 'w.ws_name'],
        ['分公司', 'c.bc_name'],
        ['项目经理', 'm.nickname'],
        ['应到', 'd.expected', 'number'],
        ['实到', 'd.expected - d.absent', 'number'],
        ['外援', 'd.present - d.expected + d.absent', 'number'],
        ['当日情况', word(`(${DAY_STATE})`, siteDayState)],
        timeColumn('首次打卡', 'b.first_at'),
        timeColumn('末次打卡', 'b.last_at'),
        ['新增报警', 'r.raised', 'number'],
        ['已整改', 'r.corrected', 'number'],
        ['整洁度', `coalesce(${word(LAST_TIDINESS, tidinessLevel)}, '')`],
      ],
    }),
  devices: ({ query }, call) =>
    call.read((tx) => deviceStatistics(tx, call.user.scope, spanOf(query, call.now(), MONTH), query.bc_id)),
  monitor: ({ query }, call) => call.read((tx) => monitor(tx, call.user.scope, call.now(), query.bc_id)),
  dataView: ({ query }, call) => call.read((tx) => dataView(tx, call, query.bc_id)),
  alarms: ({ query }, call) =>
    call.read(async (tx) => {
      const { scope } = call.user
      const { span, whole, begun, words, counted, shown } = await spansOf(tx, scope, query, call.now())
      const [days, branches, hours] = await Promise.all([
        alarmCells(tx, scope, shown, query, 'day'),
        alarmCells(tx, scope, counted, query, 'branch'),
        alarmCells(tx, scope, counted, query, 'hour'),
      ])
      return { ...span, whole, begun, words, days, branches, hours }
    }),
  alarmTimes: ({ query }, call) =>
    call.read((tx) => alarmTimes(tx, call.user.scope, ranked(query, call.now()), query)),
  alarmGroups: ({ query }, call) =>
    call.read((tx) => pageJson(tx, groupPage(call.user.scope, ranked(query, call.now()), query))),
  alarmExport: async ({ query }, call) => {
    const { scope } = call.user
    const spans = await call.read((tx) => spansOf(tx, scope, query, call.now()))
    await sendWorkbook(call, '报警统计', alarmSheet(scope, spans, query))
  },
  patrols: ({ query }, call) =>
    call.read(async (tx) => {
      const { scope } = call.user
      const { span, whole, begun, words, counted, shown } = await spansOf(tx, scope, query, call.now())
      const [days, figures] = await Promise.all([
        taskRows(tx, scope, shown, query, 'day'),
        patrolFigures(tx, scope, counted, query),
      ])
      return { ...span, whole, begun, words, days, ...figures }
    }),
  patrolSites: ({ query }, call) =>
    call.read((tx) => pageJson(tx, sitePage(call.user.scope, ranked(query, call.now()), query))),
  patrolPeople: ({ query }, call) =>
    call.read((tx) => pageJson(tx, peoplePage(call.user.scope, ranked(query, call.now()), query))),
  patrolExport: async ({ query }, call) => {
    const { scope } = call.user
    const spans = await call.read((tx) => spansOf(tx, scope, query, call.now()))
    await sendWorkbook(call, '巡检统计', patrolSheet(scope, spans, query))
  },
})
