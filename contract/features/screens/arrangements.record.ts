import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { words } from '../../kit/fields.ts'
import { logged } from '../../kit/logged.ts'
import { day } from '../../kit/paging.ts'

/** The scenes that a wall shows one after the other. */
export const sceneKind = defineCodes('sceneKind', '场景', {
  figures: ['figures', '数字'],
  now: ['now', '正在施工'],
  notice: ['notice', '门店通知'],
  case: ['case', '案例'],
  rail: ['rail', '施工过程'],
  craft: ['craft', '施工工序'],
  rings: ['rings', '周边小区'],
  praise: ['praise', '业主评价'],
  alarms: ['alarms', '报警统计'],
  ranking: ['ranking', '分公司排名'],
})
export type SceneKind = z.output<typeof sceneKind.schema>
/** For the people of the house alone: refused on a screen that guests see, when sent and again when painted. */
const STAFF_ONLY: readonly SceneKind[] = [sceneKind.code.alarms, sceneKind.code.ranking]
export const isStaffOnly = (kind: SceneKind): boolean => STAFF_ONLY.includes(kind)
export const staffScenesOf = (scenes: readonly { kind: SceneKind }[]): string[] => [
  ...new Set(scenes.filter((s) => isStaffOnly(s.kind)).map((s) => sceneKind.label(s.kind))),
]

export const MOST_SCENES = 40
export const LEAST_SECONDS = 5
export const MOST_SECONDS = 600
/** The time that a scene stands where nobody says. */
export const USUAL_SECONDS = 15

const optionalDay = day.nullable().default(null)
export const scene = z
  .object({
    kind: sceneKind.schema.meta({ title: '场景' }),
    seconds: z
      .number({ error: '秒数应为数字' })
      .int({ error: '秒数应为整数' })
      .min(LEAST_SECONDS, { error: `每个场景至少 ${LEAST_SECONDS} 秒` })
      .max(MOST_SECONDS, { error: `每个场景最多 ${MOST_SECONDS} 秒` })
      .meta({ title: '秒数' }),
    /** The words of a notice; the community in the middle of the rings. */
    words: words('文字', 120),
    /** A notice's days of showing, both included. */
    from: optionalDay.meta({ title: '从' }),
    to: optionalDay.meta({ title: '至' }),
  })
  .refine((s) => s.kind !== sceneKind.code.notice || s.words.length >= 2, {
    error: '请写门店通知的文字（至少 2 个字）',
  })
  .refine((s) => !s.from || !s.to || s.from <= s.to, { error: '通知的开始日期不能晚于结束日期' })
export type Scene = z.output<typeof scene>

const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: '时间应为 08:30 这样的格式' })
  .nullable()
  .default(null)
/** Light or dark on the days off of the branch's calendar. */
export const holidayLight = defineCodes('holidayLight', '假日', {
  lit: ['lit', '照常亮屏'],
  dark: ['dark', '全天息屏'],
})
export type HolidayLight = z.output<typeof holidayLight.schema>
/** When the wall is lit; without both hours it always is, but for the days off on which it stays dark. */
export const hours = {
  opens: clock.meta({ title: '开屏' }),
  closes: clock.meta({ title: '息屏' }),
  holidays: holidayLight.schema.default(holidayLight.code.lit).meta({ title: '假日' }),
}

/** What a page keeps of the program before it may know no days off. */
interface WallHours {
  opens: string | null
  closes: string | null
  darkDays?: readonly string[]
}
/** Whether the wall is lit on a day at a time, 08:30; a store may close after midnight. */
export function isLit({ opens, closes, darkDays = [] }: WallHours, today: string, time: string): boolean {
  if (darkDays.includes(today)) return false
  if (!opens || !closes || opens === closes) return true
  return opens < closes ? time >= opens && time < closes : time >= opens || time < closes
}

export const arrangementRow = z.object({
  id: z.string(),
  name: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  store_id: z.string(),
  storeName: z.string(),
  sceneCount: z.number().int(),
  /** The length of one round. */
  seconds: z.number().int(),
  /** Scenes for the people of the house are among them. */
  staffOnly: z.boolean(),
  /** Screens that show it, and those of them that paint. */
  screens: z.number().int(),
  online: z.number().int(),
  changedBy: z.string(),
  changedAt: z.number().int(),
  /** There is one before to go back to. */
  hasBefore: z.boolean(),
  version: z.number().int(),
})
export type ArrangementRow = z.output<typeof arrangementRow>
export const arrangementDetail = arrangementRow.extend({
  scenes: z.array(scene),
  opens: z.string().nullable(),
  closes: z.string().nullable(),
  holidays: holidayLight.schema,
})
export type ArrangementDetail = z.output<typeof arrangementDetail>

export const arrangementLog = logged('屏幕编排', {
  name: '名称',
  store: '门店',
  scenes: '场景',
  opens: '开屏',
  closes: '息屏',
  holidays: ['假日', holidayLight],
  screens: '屏幕',
})
