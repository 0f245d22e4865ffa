import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { alarmType } from '../alarms/alarms.record.ts'

/** By what alarms are told apart: what they are, when and where they were seen, who answers for them. */
export const alarmBy = defineCodes('alarmBy', '报警统计维度', {
  day: ['day', '日期'],
  type: ['type', '报警类型'],
  branch: ['branch', '分公司'],
  hour: ['hour', '时段'],
  site: ['site', '工地'],
  person: ['person', '责任人'],
  camera: ['camera', '摄像头'],
  time: ['time', '整改用时'],
})
export type AlarmBy = (typeof alarmBy.values)[number]
/** Of these there are many: they are asked for page by page. */
export const rankedBy = z.enum([alarmBy.code.site, alarmBy.code.person, alarmBy.code.camera])

/** Of fewer no median and no ninetieth percentile is told, only how many there are. */
export const ENOUGH_TIMES = 5

const counts = {
  raised: z.number().int(),
  /** As they are judged by now: 属实, 误报; the rest is not judged. */
  real: z.number().int(),
  wrong: z.number().int(),
  /** As they stand by now: 已整改, 已取消; the rest is open. */
  corrected: z.number().int(),
  cancelled: z.number().int(),
}
const COUNTS = ['raised', 'real', 'wrong', 'corrected', 'cancelled'] as const
export type AlarmCounts = Record<(typeof COUNTS)[number], number>
export const sumOfAlarms = (cells: readonly AlarmCounts[]): AlarmCounts => {
  const sum = (field: keyof AlarmCounts) => cells.reduce((n, cell) => n + cell[field], 0)
  return {
    raised: sum('raised'),
    real: sum('real'),
    wrong: sum('wrong'),
    corrected: sum('corrected'),
    cancelled: sum('cancelled'),
  }
}

/** Alarms of a type in a day, an hour of the day or a branch. */
export const alarmCell = z.object({ key: z.string(), name: z.string(), type: alarmType.schema, ...counts })
export type AlarmCell = z.output<typeof alarmCell>

/** From being seen to being verified, of those verified in the span; in seconds, nothing of too few. */
const times = {
  n: z.number().int(),
  p50: z.number().int().nullable(),
  p90: z.number().int().nullable(),
}
export const alarmTime = z.object({
  /** One type, one branch, or all of them where both are empty. */
  type: alarmType.schema.nullable(),
  bc_id: z.string().nullable(),
  bc_name: z.string(),
  ...times,
})
export type AlarmTime = z.output<typeof alarmTime>

/** Alarms of a site, of a person, or of a camera that raised the same type on the same site more than once. */
export const alarmGroup = z.object({
  id: z.string(),
  name: z.string(),
  /** Branch of a site, site of a camera. */
  beside: z.string(),
  site_id: z.string().nullable(),
  device_id: z.string().nullable(),
  /** The type that the camera repeats. */
  type: alarmType.schema.nullable(),
  assignee_id: z.string().nullable(),
  ...counts,
})
export type AlarmGroup = z.output<typeof alarmGroup>
