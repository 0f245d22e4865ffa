import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'

/** The cards of HomeMaster whose data exist (pages.yaml). */
export const homeCard = defineCodes('homeCard', '卡片', {
  building: ['building', '在建工地'],
  attendance: ['attendance', '今日出勤率'],
  noWork: ['noWork', '连续无人施工'],
  online: ['online', '设备在线率'],
  openAlarms: ['openAlarms', '未整改报警'],
  overdue: ['overdue', '整改超期'],
  tidiness: ['tidiness', '整洁度分布'],
})
export const cardFigure = z.object({
  card: homeCard.schema,
  value: z.number(),
  unit: z.string(),
  /** The same figure a day (or a week) before; null when it was not kept. */
  before: z.number().nullable(),
  against: z.string(),
  /** Whether more of it is better; colours the change. */
  better: z.enum(['more', 'less', 'neither']),
  /** The last fourteen days, oldest first. */
  trend: z.array(z.number()),
  /** Named parts (six no-work codes, tidiness levels), each with the filter that shows them. */
  parts: z.array(z.object({ label: z.string(), value: z.number(), link: z.string() })),
  /** Page and filter of the list behind the figure. */
  link: z.string(),
  at: z.number().int(),
})
export type CardFigure = z.output<typeof cardFigure>
export const cardPlace = z.object({
  card: homeCard.schema,
  x: z.number().int().min(0).max(11),
  y: z.number().int().min(0).max(200),
  w: z.number().int().min(2).max(12),
  h: z.number().int().min(1).max(8),
})
export type CardPlace = z.output<typeof cardPlace>
