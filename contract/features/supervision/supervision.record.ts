import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { patrolKind } from '../patrols/patrols.record.ts'
import { siteStage } from '../sites/sites.record.ts'
import { principalPost } from '../users/users.record.ts'

/** So many days are looked at unless others are asked for, today as one of them; never more than `MOST_DAYS`. */
export const SUPERVISE_DAYS = 30
export const MOST_DAYS = 92
/** Under so many judged records there is no rank. */
export const FEW_JUDGED = 5
/** So many records are named that moved a rank most. */
export const MOVERS = 3
/** Complaints are told of so many sites. */
export const PER_SITES = 10

/** A figure of somebody; each has the list of the records behind it. */
export const figure = defineCodes('figure', '监督指标', {
  open: ['open', '手上没办的'],
  sites: ['sites', '在管工地'],
  homes: ['homes', '期间带过的工地'],
  planned: ['planned', '应巡检'],
  patrolled: ['patrolled', '已巡检'],
  missed: ['missed', '没巡检'],
  answered: ['answered', '首次回复业主'],
  responded: ['responded', '开始整改'],
  corrected: ['corrected', '完成整改'],
  late: ['late', '超期的整改'],
  complaints: ['complaints', '投诉'],
  kept: ['kept', '对本人回避的投诉'],
  firstDue: ['firstDue', '到期承诺（按最初日期）'],
  firstBroken: ['firstBroken', '没兑现的承诺（按最初日期）'],
  presentDue: ['presentDue', '到期承诺（按现在日期）'],
  presentBroken: ['presentBroken', '没兑现的承诺（按现在日期）'],
  done: ['done', '办好才关闭的预警'],
  replanned: ['replanned', '改期消除的预警'],
  byHand: ['byHand', '人工关闭的预警'],
})
export type Figure = (typeof figure.values)[number]

/** The kind of a record behind a figure. */
export const evidence = defineCodes('evidence', '记录', {
  site: ['site', '工地'],
  task: ['task', '巡检任务'],
  correction: ['correction', '整改单'],
  thread: ['thread', '业主留言'],
  feedback: ['feedback', '反馈'],
  promise: ['promise', '承诺'],
  warning: ['warning', '预警'],
})
export type Evidence = (typeof evidence.values)[number]

const count = z.number().int().nullable()
/** Half of them were as fast or faster, nine of ten were; seconds. Nothing where there are none. */
const pace = { p50: z.number().int().nullable(), p90: z.number().int().nullable() }

/** Somebody in a branch. What the reader may not read the records of is null. */
export const supervised = z.object({
  id: z.string(),
  nickname: z.string(),
  post: principalPost.schema,
  bc_id: z.string(),
  bc_name: z.string(),
  /** Their account is stopped: what was theirs in their time stays. */
  isStopped: z.boolean(),
  /** Since when the oldest has waited of what waits for them, and how many do. */
  oldestAt: z.number().int().nullable(),
  open: z.number().int(),
  /** Under construction and led by them now, and of the span. */
  sites: z.number().int(),
  homes: z.number().int(),
  planned: count,
  patrolled: count,
  missed: count,
  answered: count,
  answerP50: pace.p50,
  answerP90: pace.p90,
  responded: count,
  responseP50: pace.p50,
  responseP90: pace.p90,
  corrected: count,
  correctionP50: pace.p50,
  correctionP90: pace.p90,
  late: count,
  complaints: count,
  perTen: z.number().nullable(),
  firstDue: count,
  firstBroken: count,
  presentDue: count,
  presentBroken: count,
  done: count,
  replanned: count,
  byHand: count,
  /** Judged records, how many were bad, and how many would have been in the branch's usual way. */
  judged: z.number().int(),
  bad: z.number().int(),
  expected: z.number(),
  /** Among `ranked` of the same post; nothing where too few records were judged. */
  rank: z.number().int().nullable(),
  ranked: z.number().int(),
})
export type Supervised = z.output<typeof supervised>

/** Sites under construction that lack a steward or a manager: what happens there is nobody's. */
export const unled = z.array(z.object({ id: z.string(), ws_name: z.string() }))

/** One record behind a figure. */
export const evidenceRow = z.object({
  id: z.string(),
  kind: evidence.schema,
  site_id: z.string(),
  siteName: z.string(),
  /** The record; empty where the reader does not reach it any more. */
  title: z.string(),
  stage: siteStage.schema.nullable(),
  since: z.number().int().nullable(),
  at: z.number().int(),
  /** Seconds, where it is about a time. */
  took: z.number().int().nullable(),
  bad: z.number().int(),
  /** The reader reaches its site now: it can be opened. */
  isReached: z.boolean(),
})
export type EvidenceRow = z.output<typeof evidenceRow>

export const remark = z.object({
  id: z.string(),
  figure: figure.schema,
  from: z.string(),
  to: z.string(),
  words: z.string(),
  at: z.number().int(),
  version: z.number().int(),
})
export type Remark = z.output<typeof remark>

/** A record that moved a rank, and by how many bad records. */
export const mover = evidenceRow.extend({ weight: z.number() })

export const supervision = z.object({
  /** The time that the figures are of, in words: 截至 10:05. */
  asOf: z.string(),
  from: z.string(),
  to: z.string(),
  person: supervised,
  /** Branches of the person among which the reader may choose. */
  branches: z.array(z.object({ bc_id: z.string(), bc_name: z.string() })),
  /** The oldest of what waits for them. */
  oldest: evidenceRow.nullable(),
  movers: z.array(mover),
  remarks: z.array(remark),
  /** Complaints that are kept from the person and in no figure here; nothing for the person. */
  kept: z.number().int().nullable(),
})
export type Supervision = z.output<typeof supervision>

/** The outcome of a visit. */
export const visitResult = defineCodes('visitResult', '结果', {
  clear: ['clear', '没有问题'],
  problems: ['problems', '有问题'],
  begun: ['begun', '进行中'],
  abandoned: ['abandoned', '已放弃'],
})
export const inspection = z.object({
  id: z.string(),
  number: z.string(),
  inspector_id: z.string(),
  inspectorName: z.string(),
  site_id: z.string(),
  siteName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  at: z.number().int(),
  kind: patrolKind.schema,
  result: visitResult.schema,
  score: z.number().int().nullable(),
  problems: z.number().int(),
  isReached: z.boolean(),
})
export type Inspection = z.output<typeof inspection>

/** Sites that nobody visited for so many days, unless another number is asked for. */
export const UNVISITED_DAYS = 7
/** By a phone at the beginning of a patrol, or by a clock-in at the site. */
export const checkInBy = defineCodes('checkInBy', '签到方式', {
  patrol: ['patrol', '现场巡检'],
  terminal: ['terminal', '考勤打卡'],
})
const place = { lng: z.number().nullable(), lat: z.number().nullable() }
export const checkIn = z.object({
  at: z.number().int(),
  by: checkInBy.schema,
  site_id: z.string(),
  siteName: z.string(),
  /** GCJ-02. Of a patrol without a position there is none. */
  ...place,
})
export type CheckIn = z.output<typeof checkIn>
export const mapFigures = z.object({
  /** The branch that is looked at. */
  bc_name: z.string(),
  asOf: z.string(),
  days: z.number().int(),
  people: z.array(
    z.object({
      id: z.string(),
      nickname: z.string(),
      post: principalPost.schema,
      last: checkIn.nullable(),
      today: z.array(checkIn),
    }),
  ),
  /** Under construction and not visited for `days`, the longest first. */
  unvisited: z.array(
    z.object({ id: z.string(), ws_name: z.string(), ...place, lastAt: z.number().int().nullable() }),
  ),
})
export type MapFigures = z.output<typeof mapFigures>

/** The user log\'s names for the fields of a remark. */
export const supervisionLog = logged('监督说明', {
  words: ['说明', 'personal'],
  figure: ['监督指标', figure],
  bc_id: ['分公司', 'company'],
  from: '从',
  to: '至',
})
