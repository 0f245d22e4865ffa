import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { siteStage } from '../sites/sites.record.ts'

/** Something that the owner of a home has to decide. That it is overdue is computed. */
export const questionState = defineCodes('questionState', '待业主决定', {
  open: ['open', '待决定'],
  answered: ['answered', '已答复'],
  withdrawn: ['withdrawn', '撤回'],
})
/** Homes by what their owners have not decided. */
export const questionWait = defineCodes('questionWait', '待业主决定', {
  open: ['open', '有待决定'],
  late: ['late', '有逾期'],
})

/** The words of somebody of the home. */
export const questionAnswer = z.object({
  id: z.string(),
  contactName: z.string(),
  /** Its place among the options, from 1; nothing where it is said in words. */
  choice: z.number().int().nullable(),
  words: z.string(),
  /** The first one. */
  counts: z.boolean(),
  at: z.number().int(),
  /** The member of staff who wrote it down, with the proof; nobody where it came by the owner's link. */
  recordedBy: z.string(),
  pictures: z.array(z.string()),
})
export type QuestionAnswer = z.output<typeof questionAnswer>

export const questionRow = z.object({
  id: z.string(),
  site_id: z.string(),
  siteName: z.string(),
  ownerName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  words: z.string(),
  /** Two to six, or none: then it is answered in words. */
  options: z.array(z.string()),
  /** Until the end of this day, and whether it is a day of rest. */
  neededBy: z.string(),
  rest: z.boolean(),
  /** The stage of the plan that waits for it. */
  stage: siteStage.schema.nullable(),
  pictures: z.array(z.string()),
  /** It changes the price: about how much, in words. Nothing is booked by an answer. */
  costs: z.boolean(),
  estimate: z.string(),
  state: questionState.schema,
  /** Days past its day, while nothing is decided. */
  lateDays: z.number().int().nullable(),
  asker_id: z.string(),
  askerName: z.string(),
  askedAt: z.number().int(),
  /** The question that was asked before this one, and the one that was asked after it. */
  againOf: z.string().nullable(),
  askedAnew: z.string().nullable(),
  answers: z.array(questionAnswer),
  /** The one that counts, in words. */
  answer: z.string(),
  /** Others of the home said something else than what counts. */
  disputed: z.boolean(),
  withdrawnFor: z.string(),
  closedAt: z.number().int().nullable(),
  /** The contract that a decision which costs money changes. */
  contract_id: z.string().nullable(),
  version: z.number().int(),
})
export type QuestionRow = z.output<typeof questionRow>

/** The user log\'s names for the fields of a question. */
export const questionLog = logged('待业主决定', {
  words: ['问题', 'personal'],
  site_id: ['工地', 'site'],
  options: '选项',
  neededBy: '最晚答复',
  stage: ['等它的阶段', siteStage],
  estimate: '估计费用',
  state: ['状态', questionState],
  contact: ['答复人', 'personal'],
  answer: ['答复', 'personal'],
  text: ['说明', 'personal'],
})
