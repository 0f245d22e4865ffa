import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'

export const visitState = defineCodes('visitState', '处理', {
  open: [1, '未处理'],
  marked: [2, '已标记'],
})
/** The person that the stranger turned out to be. */
export const visitIdentity = defineCodes('visitIdentity', '身份', {
  owner: ['owner', '业主'],
  worker: ['worker', '工人'],
  neighbour: ['neighbour', '邻居'],
  delivery: ['delivery', '送货'],
  other: ['other', '其他'],
})

/** A stranger that a camera saw on a site. */
export const visitRow = z.object({
  id: z.string(),
  picture: z.string().nullable(),
  site_id: z.string(),
  siteName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  /** Empty where no device stands behind it. */
  deviceSn: z.string(),
  at: z.number().int(),
  /** The time that they stayed. */
  seconds: z.number().int(),
  minutes: z.number().int(),
  identity: visitIdentity.schema.nullable(),
  /** The worker it was, where that is known. */
  worker_id: z.string().nullable(),
  w_name: z.string(),
  /** The words beside the identity. */
  remark: z.string(),
  state: visitState.schema,
  handledBy: z.string(),
  handledAt: z.number().int().nullable(),
  /** The site's steward, who can be told of it. */
  steward_id: z.string().nullable(),
  stewardName: z.string(),
  /** The person who was told, and when: once a visit. */
  toldName: z.string(),
  toldAt: z.number().int().nullable(),
  version: z.number().int(),
})
export type VisitRow = z.output<typeof visitRow>

/** The user log\'s names for the fields of a visit. */
export const visitLog = logged('陌生人来访', {
  site_id: ['工地', 'site'],
  identity: ['身份', visitIdentity],
  worker_id: ['工人', 'worker'],
  state: ['处理', visitState],
  steward_id: ['管家', 'user'],
})
