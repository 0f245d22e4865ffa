import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { contactRelation } from '../customers/customers.record.ts'
import { promiseState, promiseSubject } from '../promises/promises.record.ts'
import { principalPost } from '../users/users.record.ts'

export const handoverState = defineCodes('handoverState', '交底', {
  waiting: ['waiting', '待管家确认'],
  asked: ['asked', '待顾问答复'],
  confirmed: ['confirmed', '已确认'],
})
/** A promise that was given before anybody signed. */
export const earlyState = defineCodes('earlyState', '签约前的承诺', {
  open: ['open', '签约时带到工地'],
  carried: ['carried', '已带到工地'],
  withdrawn: ['withdrawn', '撤回'],
})

/** What whoever builds a home has to know of it, each in the consultant's words. */
const told = {
  taste: z.string(),
  people: z.string(),
  fears: z.string(),
  given: z.string(),
}
export const earlyPromise = z.object({
  id: z.string(),
  content: z.string(),
  subject: promiseSubject.schema,
  due: z.string(),
  post: principalPost.schema,
  state: earlyState.schema,
  text: z.string(),
  authorName: z.string(),
  madeAt: z.number().int(),
  version: z.number().int(),
})
export type EarlyPromise = z.output<typeof earlyPromise>

export const handoverSheet = z.object({
  id: z.string(),
  bc_id: z.string(),
  site_id: z.string(),
  siteName: z.string(),
  steward_id: z.string().nullable(),
  stewardName: z.string(),
  customer_id: z.string(),
  customerName: z.string(),
  /** Whoever follows the customer now answers what is asked. */
  consultant_id: z.string().nullable(),
  consultantName: z.string(),
  state: handoverState.schema,
  madeAt: z.number().int(),
  ...told,
  contacts: z.array(z.object({ name: z.string(), relation: contactRelation.schema })),
  promises: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      subject: promiseSubject.schema,
      due: z.string(),
      state: promiseState.schema,
      post: principalPost.schema,
      authorName: z.string(),
    }),
  ),
  questions: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      askedBy: z.string(),
      askedAt: z.number().int(),
      answer: z.string(),
      answeredBy: z.string(),
      answeredAt: z.number().int().nullable(),
    }),
  ),
  confirmedBy: z.string(),
  confirmedAt: z.number().int().nullable(),
  version: z.number().int(),
})
export type HandoverSheet = z.output<typeof handoverSheet>

/** What is known of a customer before the signature, and the sheets that signatures have made of it. */
export const customerBrief = z.object({
  ...told,
  changedBy: z.string(),
  changedAt: z.number().int().nullable(),
  version: z.number().int(),
  promises: z.array(earlyPromise),
  sheets: z.array(handoverSheet),
})
export type CustomerBrief = z.output<typeof customerBrief>

/** The log\'s names for its fields. */
export const handoverLog = logged('交底', {
  customer: ['客户', 'personal'],
  site_id: ['工地', 'site'],
  state: ['状态', handoverState],
  taste: ['喜好', 'personal'],
  people: ['家里的人', 'personal'],
  fears: ['担心的事', 'personal'],
  given: ['答应送的', 'personal'],
  content: ['承诺内容', 'personal'],
  subject: ['事项', promiseSubject],
  due: '到期',
  early: ['承诺', earlyState],
  question: ['问题', 'personal'],
  answer: ['答复', 'personal'],
})
