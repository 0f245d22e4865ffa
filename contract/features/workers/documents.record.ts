import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'

/** Papers that a site may ask of the people on it. */
export const documentKind = defineCodes('documentKind', '证件', {
  identity: ['identity', '身份证'],
  electrician: ['electrician', '电工证'],
  welder: ['welder', '焊工证'],
  heights: ['heights', '高处作业证'],
  training: ['training', '安全培训'],
  insurance: ['insurance', '意外险'],
  health: ['health', '健康证'],
  other: ['other', '其他'],
})
/** A document that ends within so many days is about to. */
export const SOON_DAYS = 30
export const documentState = defineCodes('documentState', '证件有效期', {
  valid: [1, '有效'],
  soon: [2, `${SOON_DAYS} 天内到期`],
  expired: [3, '已过期'],
})

export const documentRow = z.object({
  id: z.string(),
  kind: documentKind.schema,
  /** The middle is hidden from everybody; the whole is shown for a reason. */
  number: z.string(),
  /** Key of its picture, for who may see documents. */
  picture: z.string().nullable(),
  /** Its last day; null for one without end. */
  validUntil: z.string().nullable(),
  state: documentState.schema,
  addedBy: z.string(),
  addedAt: z.number().int(),
  version: z.number().int(),
})
export type DocumentRow = z.output<typeof documentRow>

/** What the log tells of a worker's document: never its number. */
export const documentLog = logged('证件', {
  worker_id: ['工人', 'worker'],
  kind: ['证件', documentKind],
  validUntil: '有效期至',
  picture: '照片',
  number: ['号码', 'personal'],
})
