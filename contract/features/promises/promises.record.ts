import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { principalPost } from '../users/users.record.ts'

/** So many days ahead a promise is due at most: two years. */
export const FURTHEST_DUE = 730

/** The subject of a promise to the owner; two of one subject with different dates contradict each other. */
export const promiseSubject = defineCodes('promiseSubject', '事项', {
  schedule: ['schedule', '工期'],
  goods: ['goods', '材料'],
  quality: ['quality', '质量'],
  cost: ['cost', '费用'],
  attendance: ['attendance', '到场'],
  other: ['other', '其他'],
})
/** The place where it was given. */
export const promiseSource = defineCodes('promiseSource', '来源', {
  hand: ['hand', '直接登记'],
  message: ['message', '业主互动'],
  visit: ['visit', '业主到访'],
  feedback: ['feedback', '反馈与投诉'],
  patrol: ['patrol', '巡检'],
  customer: ['customer', '签约前的客户'],
})
export const promiseState = defineCodes('promiseState', '承诺状态', {
  open: ['open', '待兑现'],
  extended: ['extended', '已延期'],
  kept: ['kept', '已兑现'],
  broken: ['broken', '未兑现'],
  withdrawn: ['withdrawn', '撤回'],
})
/** Lines of the ledger; what is counted of promises is counted from them. */
export const promiseAct = defineCodes('promiseAct', '承诺记录', {
  promise: ['promise', '承诺'],
  coexist: ['coexist', '与另一条并存'],
  extend: ['extend', '延期'],
  keep: ['keep', '兑现'],
  object: ['object', '异议'],
  uphold: ['uphold', '异议成立'],
  dismiss: ['dismiss', '驳回异议'],
  break: ['break', '认定未兑现'],
  withdraw: ['withdraw', '撤回'],
  hand: ['hand', '换责任人'],
})
/** The fate of an older promise with another date. */
export const contradictionAnswer = defineCodes('contradictionAnswer', '另一条承诺', {
  supersede: ['supersede', '取代它'],
  coexist: ['coexist', '两条并存'],
})

export const promiseRow = z.object({
  id: z.string(),
  content: z.string(),
  subject: promiseSubject.schema,
  source: promiseSource.schema,
  site_id: z.string(),
  siteName: z.string(),
  ownerName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  author_id: z.string(),
  authorName: z.string(),
  madeAt: z.number().int(),
  /** Who leads the site by this post answers for it. */
  post: principalPost.schema,
  responsible_id: z.string().nullable(),
  responsibleName: z.string(),
  /** Days; a promise is due at the end of its day. */
  firstDue: z.string(),
  due: z.string(),
  state: promiseState.schema,
  /** The number of times it was put off. */
  extensions: z.number().int(),
  keptAt: z.number().int().nullable(),
  /** The owner says that it was not kept, and nobody has decided yet. */
  objected: z.boolean(),
  /** Not kept because what the owner objected was right: found among those with an objection all the same. */
  upheld: z.boolean(),
  /** Kept, as was judged when the owner objected: nobody objects again. */
  judged: z.boolean(),
  /** Days past its present date: up to now, or up to the day on which it was kept. */
  lateDays: z.number().int().nullable(),
  version: z.number().int(),
})
export type PromiseRow = z.output<typeof promiseRow>
export const promiseDetail = promiseRow.extend({
  /** Of the message that it was made of. */
  pictures: z.array(z.string()),
  log: z.array(
    z.object({
      at: z.number().int(),
      actor: z.string(),
      act: promiseAct.schema,
      text: z.string(),
      fromDue: z.string().nullable(),
      toDue: z.string().nullable(),
      pictures: z.array(z.string()),
      /** The feedback that an objection became. */
      feedback_id: z.string().nullable(),
    }),
  ),
})

/** An open promise of the same home and subject with another date. */
export const contradiction = z.object({
  id: z.string(),
  content: z.string(),
  due: z.string(),
  authorName: z.string(),
  madeAt: z.number().int(),
})
export type Contradiction = z.output<typeof contradiction>

/** Below so many rows no percentage is shown: it would not be meaningful. */
export const FEW_PROMISES = 5
/** Only promises whose day is over. */
export const promiseRate = z.object({ kept: z.number().int(), n: z.number().int() })
export type PromiseRate = z.output<typeof promiseRate>

/** The user log\'s names for the fields of a promise. */
export const promiseLog = logged('承诺', {
  content: ['承诺内容', 'personal'],
  site_id: ['工地', 'site'],
  subject: ['事项', promiseSubject],
  due: '到期',
  state: ['状态', promiseState],
  responsible_id: ['责任人', 'user'],
  text: ['说明', 'personal'],
})
