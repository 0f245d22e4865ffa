import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'

/** The cards of HomeMaster whose data exist (pages.yaml). */
export const homeCard = defineCodes('homeCard', '卡片', {
  building: ['building', '在建工地'],
  attendance: ['attendance', '出勤率'],
  noWork: ['noWork', '连续无人施工'],
  online: ['online', '设备在线率'],
  openAlarms: ['openAlarms', '未办结报警'],
  overdue: ['overdue', '整改超期'],
  retrieval: ['retrieval', '待回收设备'],
  tidiness: ['tidiness', '整洁度分布'],
  patrol: ['patrol', '今日巡检完成率'],
  complaints: ['complaints', '待处理投诉'],
  examine: ['examine', '待审核'],
  receiving: ['receiving', '待接单'],
  toShip: ['toShip', '待发货'],
  toAccept: ['toAccept', '待验收'],
  changes: ['changes', '退换补'],
  signed: ['signed', '本月签约'],
  due: ['due', '本周应收'],
  taken: ['taken', '今日收退'],
  back: ['back', '应退客户'],
  promises: ['promises', '到期承诺'],
  replies: ['replies', '待回复业主'],
  questions: ['questions', '业主待决定'],
  schedule: ['schedule', '工期预警'],
  quality: ['quality', '质量预警'],
  customers: ['customers', '客户待跟进'],
})
/** Work that waits for the person who looks, at the top of the page. */
export const homeWait = defineCodes('homeWait', '等我处理', {
  correct: ['correct', '指派给我（未超期）'],
  verify: ['verify', '待我复核'],
  overdue: ['overdue', '我的超期'],
  assign: ['assign', '待我指派'],
})
/** A kind of waiting that the person's roles know, with the first of it; `total` is that of the list behind `link`. */
export const waiting = z.object({
  wait: homeWait.schema,
  total: z.number().int(),
  link: z.string(),
  rows: z.array(
    z.object({
      id: z.string(),
      problem: z.string(),
      picture: z.string().nullable(),
      siteName: z.string(),
      dueAt: z.number().int().nullable(),
      late: z.boolean(),
      /** Whoever has to correct it says that it is not theirs. */
      disputed: z.boolean(),
      link: z.string(),
    }),
  ),
})
export type Waiting = z.output<typeof waiting>

/** One of the first rows of the list behind a card. */
export const homeRow = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  picture: z.string().nullable(),
  /** What the moment is, is the card's: a deadline, the beginning of an outage. */
  at: z.number().int().nullable(),
  /** Past its time. */
  late: z.boolean(),
  link: z.string(),
})
export type HomeRow = z.output<typeof homeRow>
/** Cards from this height on show the first rows of their list. */
export const TALL = 3

/** `late`: what it counts is past its time. */
const part = z.object({
  label: z.string(),
  value: z.number(),
  link: z.string(),
  late: z.boolean().optional(),
})
export const cardFigure = z.object({
  card: homeCard.schema,
  /** Null where there is nothing to speak of: nobody was expected, nothing was judged. */
  value: z.number().nullable(),
  unit: z.string(),
  /** The value in words, where a number alone says too little. */
  aside: z.string(),
  /** The time that the figure is about: 现在, 截至 10:05, 11-20 全天. */
  of: z.string(),
  /** The whole that a share is a part of; null for counts. */
  n: z.number().int().nullable(),
  /** The same measure at the time that `against` names; null when it was not kept. */
  before: z.number().nullable(),
  against: z.string(),
  /** Whether more of it is better; colours the change. */
  better: z.enum(['more', 'less', 'neither']),
  /** The same measure day by day, oldest first; null where it was not kept. */
  trend: z.array(z.number().nullable()),
  /** The last of these days, and whether it is not over yet. */
  until: z.string(),
  running: z.boolean(),
  /** Named parts (six no-work codes, tidiness levels), each with the filter that shows them. */
  parts: z.array(part),
  /** The same figure by whose turn it is (sites that stand still). */
  whose: z.array(part).optional(),
  /** Figures of other populations, which are in neither the figure nor its parts: 等我们答复 beside what we wait for. */
  beside: z.array(part),
  /** Some of its list is told elsewhere on the page, and not twice. */
  isElsewhere: z.boolean().optional(),
  /** The first rows of the list, of a card that stands there tall enough to show them. */
  rows: z.array(homeRow),
  /** Page and filter of the list behind the figure. */
  link: z.string(),
  at: z.number().int(),
})
export type CardFigure = z.output<typeof cardFigure>

/** What a manager of a branch is told in the morning; the worst first, as they stand here (docs/decisions/0593). */
const morningRule = z.enum([
  'complaints',
  'broken',
  'missed',
  'batch',
  'urgent',
  'overdue',
  'due',
  'unvisited',
])
/** One line; its number is the total of the list behind its link. */
export const morningLine = z.object({
  rule: morningRule,
  value: z.number().int(),
  text: z.string(),
  link: z.string(),
})
export type MorningLine = z.output<typeof morningLine>
/** More nobody reads before the meeting. */
export const MORNING_LINES = 5

export const cardPlace = z.object({
  card: homeCard.schema,
  x: z.number().int().min(0).max(11),
  y: z.number().int().min(0).max(200),
  w: z.number().int().min(2).max(12),
  h: z.number().int().min(1).max(8),
})
export type CardPlace = z.output<typeof cardPlace>
