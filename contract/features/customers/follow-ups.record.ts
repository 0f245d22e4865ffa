import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'

export const followKind = defineCodes('followKind', '方式', {
  phone: ['phone', '电话'],
  wechat: ['wechat', '微信'],
  store: ['store', '到店'],
  measure: ['measure', '量房'],
  other: ['other', '其他'],
})
export const followState = defineCodes('followState', '状态', {
  planned: ['planned', '待跟进'],
  done: ['done', '已完成'],
  cancelled: ['cancelled', '已取消'],
})
/** What was done is written down so many days afterwards at most, and is marked then. */
export const FOLLOW_DAYS = 3
/** A next one is planned so many days ahead at most. */
export const FURTHEST_FOLLOW = 365

export const followRow = z.object({
  id: z.string(),
  customer_id: z.string(),
  customerName: z.string(),
  community: z.string(),
  bc_id: z.string(),
  kind: followKind.schema,
  state: followState.schema,
  at: z.number().int(),
  content: z.string(),
  result: z.string(),
  user_id: z.string(),
  userName: z.string(),
  madeBy: z.string(),
  closedAt: z.number().int().nullable(),
  closedBy: z.string(),
  /** Written down on a later day than it was done. */
  late: z.boolean(),
  moved: z.number().int(),
  /** Planned, and its day is over. */
  overdue: z.boolean(),
  /** The next one that is planned with this customer. */
  nextAt: z.number().int().nullable(),
  version: z.number().int(),
})
export type FollowRow = z.output<typeof followRow>

/** The log\'s names for the fields of a follow-up. */
export const followLog = logged('跟进', {
  customer: ['客户', 'personal'],
  kind: ['方式', followKind],
  at: ['时间', 'time'],
  state: ['状态', followState],
  content: ['内容', 'personal'],
  result: ['结果', 'personal'],
  next: ['下次', 'time'],
})
