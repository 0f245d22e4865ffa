import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'

/** A week starts on Monday (docs/product.md). */
export const grain = defineCodes('grain', '粒度', {
  day: ['day', '日'],
  week: ['week', '周'],
  month: ['month', '月'],
})
export const attendBy = defineCodes('attendBy', '维度', {
  branch: ['branch', '分公司'],
  site: ['site', '工地'],
  trade: ['trade', '工种'],
  person: ['person', '人员'],
})
/** The kind of a site's day. */
export const siteDayState = defineCodes('siteDayState', '当日情况', {
  worked: ['worked', '有人施工'],
  noWork: ['noWork', '无人施工'],
  rest: ['rest', '休息日'],
  unknown: ['unknown', '情况不明'],
  waiting: ['waiting', '暂无打卡'],
})

const counts = {
  /** Person-days expected on days that can speak of attendance (docs/decisions/0005). */
  due: z.number().int(),
  /** Those of them who came. */
  attended: z.number().int(),
  /** Person-days of people who came without being expected there; beside the rate, never in it. */
  guests: z.number().int(),
  /** All person-days with a clock-in: the total of the list of attendance. */
  present: z.number().int(),
}
export const attendPeriod = z.object({
  from: z.string(),
  to: z.string(),
  ...counts,
  sites: z.number().int(),
  worked: z.number().int(),
  noWork: z.number().int(),
})
export type AttendPeriod = z.output<typeof attendPeriod>
export const attendDay = z.object({ day: z.string(), due: z.number().int(), attended: z.number().int() })
export const attendGroup = z.object({
  id: z.string(),
  name: z.string(),
  /** Branch of a site, trade of a person. */
  beside: z.string(),
  ...counts,
  /** attended / due in percent; null where nobody was expected. */
  rate: z.number().nullable(),
  /** Hours between first and last clock-in, summed. */
  hours: z.number(),
})
export type AttendGroup = z.output<typeof attendGroup>

export const siteDayRow = z.object({
  id: z.string(),
  day: z.string(),
  site_id: z.string(),
  code: z.string(),
  ws_name: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  managerName: z.string(),
  expected: z.number().int(),
  present: z.number().int(),
  /** Those present who were not expected there. */
  guests: z.number().int(),
  state: siteDayState.schema,
  firstAt: z.number().int().nullable(),
  lastAt: z.number().int().nullable(),
  alarms: z.number().int(),
  corrected: z.number().int(),
  /** The last verdict of the day. */
  tidiness: z.number().int().nullable(),
})
export type SiteDayRow = z.output<typeof siteDayRow>
