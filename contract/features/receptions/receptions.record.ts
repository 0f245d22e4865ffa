import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'

/** Somebody of a home comes to the site, and is received; strangers are `visits`. */
export const receptionState = defineCodes('receptionState', '到访状态', {
  planned: ['planned', '已约'],
  arrived: ['arrived', '到访中'],
  done: ['done', '已完成'],
  missed: ['missed', '未到'],
  cancelled: ['cancelled', '已取消'],
})
export const receptionPurpose = defineCodes('receptionPurpose', '到访目的', {
  look: ['look', '看工地'],
  choose: ['choose', '选材确认'],
  accept: ['accept', '阶段验收'],
  repair: ['repair', '维修'],
  complain: ['complain', '反映问题'],
  other: ['other', '其他'],
})

export const receptionRow = z.object({
  id: z.string(),
  site_id: z.string(),
  siteName: z.string(),
  ownerName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  /** When they are expected; of who came unasked, when they came. */
  at: z.number().int(),
  planned: z.boolean(),
  arrivedAt: z.number().int().nullable(),
  endedAt: z.number().int().nullable(),
  /** Nobody: whoever received there cannot any more, and somebody must be named. */
  host_id: z.string().nullable(),
  hostName: z.string(),
  purpose: receptionPurpose.schema,
  remark: z.string(),
  /** What was shown, said and agreed; why nobody came, or it was called off. */
  record: z.string(),
  /** Of the message that it was made of. */
  pictures: z.array(z.string()),
  state: receptionState.schema,
  /** The home's score, and its words with it. */
  score: z.number().int().nullable(),
  scoreWords: z.string(),
  /** Typed by staff for the owner (代填): in no rate. */
  scoredBy: z.string(),
  calledBack: z.boolean(),
  /** Planned and its time is over, or begun a day ago: somebody must say what became of it. */
  overdue: z.boolean(),
  entered_id: z.string().nullable(),
  enteredBy: z.string(),
  version: z.number().int(),
})
export type ReceptionRow = z.output<typeof receptionRow>

/** Own scores of homes: how many of them are good, of how many. */
export const scoreRate = z.object({ n: z.number().int(), good: z.number().int() })
export type ScoreRate = z.output<typeof scoreRate>
/** Visits of so many days are in the rate beside that of one home. */
export const RATED_DAYS = 90

/** So many hours after somebody came the visit is forgotten rather than going on. */
export const FORGOTTEN_HOURS = 24
/** The word for an overdue one. */
export const overdueVisit = (r: ReceptionRow): string => (r.state === 'planned' ? '已过时' : '忘了结束')

export const receptionLog = logged('业主到访', {
  site_id: ['工地', 'site'],
  at: ['时间', 'time'],
  host_id: ['接待人', 'user'],
  purpose: ['目的', receptionPurpose],
  state: ['状态', receptionState],
  text: ['说明', 'personal'],
  score: '满意度',
})
