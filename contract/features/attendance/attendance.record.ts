import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { faceWhy } from '../workers/faces.record.ts'
import { workerType } from '../workers/trades.record.ts'

/** A person on a site on a day: came, or was expected and did not come. */
export const attendance = defineCodes('attendance', '打卡状态', {
  present: [1, '已打卡'],
  absent: [2, '未打卡'],
})
export const punchSource = defineCodes('punchSource', '来源', {
  face: ['face', '人脸'],
  app: ['app', '手机'],
  makeup: ['makeup', '补卡'],
})
/** A person at a site: one of those who were expected there, or somebody beside them. */
export const guest = defineCodes('guest', '是否外援', { no: ['false', '应到的人'], yes: ['true', '外援'] })
export const punchDirection = defineCodes('punchDirection', '方向', {
  in: ['in', '进场'],
  out: ['out', '离场'],
})

/**
 * Work of an evening ends by this hour of the next morning: who leaves before it and has not entered since midnight
 * entered the day before, and the exit is of that day.
 */
export const NIGHT_ENDS = '06:00'

export const attendanceRow = z.object({
  /** day:site:worker */
  id: z.string(),
  worker_id: z.string(),
  w_id: z.string(),
  w_name: z.string(),
  w_type: workerType.schema,
  bc_id: z.string(),
  bc_name: z.string(),
  site_id: z.string(),
  siteName: z.string(),
  day: z.string(),
  firstAt: z.number().int().nullable(),
  lastAt: z.number().int().nullable(),
  /** From the first to the last punch; null where there are not two. */
  hours: z.number().nullable(),
  count: z.number().int(),
  /** How many of them were made up. */
  makeups: z.number().int(),
  /** The first picture of the day. */
  picture: z.string().nullable(),
  status: attendance.schema,
})
export type AttendanceRow = z.output<typeof attendanceRow>

/** One raw punch, makeup or reversal behind a row. */
export const punch = z.object({
  id: z.string(),
  at: z.number().int(),
  direction: punchDirection.schema,
  source: punchSource.schema,
  picture: z.string().nullable(),
  similarity: z.number().nullable(),
  deviceSn: z.string(),
  /** The face should not have been known any more: why. */
  faceWhy: faceWhy.schema.nullable(),
  reason: z.string(),
  /** The person who made it up, and when. */
  actor: z.string(),
  madeAt: z.number().int().nullable(),
  /** Set once the makeup was taken back: who, when, why. */
  withdrawn: z.object({ actor: z.string(), at: z.number().int(), reason: z.string() }).nullable(),
})
export type Punch = z.output<typeof punch>

/** The source of a row's punches, in words. */
export function sourcesOf(row: { count: number; makeups: number }): string {
  if (row.count === 0) return '--'
  if (row.makeups === 0) return punchSource.label('face')
  if (row.makeups === row.count) return punchSource.label('makeup')
  return `${punchSource.label('face')}、${punchSource.label('makeup')}`
}

/** The log\'s names for the fields of a clock-in. */
export const attendanceLog = logged('考勤', {
  worker_id: ['工人', 'worker'],
  site_id: ['工地', 'site'],
  day: '日期',
  at: ['时间', 'time'],
  direction: ['方向', punchDirection],
  in: '进场时间',
  out: '离场时间',
})
