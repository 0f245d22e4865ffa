import { z } from 'zod'

import { type Code, defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'

export const examineState = defineCodes('examineState', '审核状态', {
  waiting: [0, '待审核'],
  approved: [1, '已通过'],
  rejected: [2, '已驳回'],
})
export const examineKind = defineCodes('examineKind', '类型', {
  quotation: ['quotation', '报价单'],
  change: ['change', '增减项变更'],
  refund: ['refund', '退款'],
  void: ['void', '合同作废'],
  goods: ['goods', '退换补'],
  charge: ['charge', '对账手工行'],
  grade: ['grade', '退货损坏'],
})
export type ExamineKind = Code<typeof examineKind>
/** The page on which a kind is read: who may not open it has nothing of that kind in the queue. */
export const PAGE_OF_KIND = {
  quotation: 'QuotationList',
  change: 'ContractList',
  refund: 'ContractList',
  void: 'ContractList',
  goods: 'ChangeGoods',
  charge: 'StatementList',
  grade: 'ChangeGoods',
} as const satisfies Record<ExamineKind, string>
export const MOST_AT_ONCE = 100

/** Something that waits for approval, or was judged: a version of it as it was submitted. */
export const examineRow = z.object({
  id: z.string(),
  kind: examineKind.schema,
  /** The record that is judged, and its version where it has versions. */
  object_id: z.string(),
  version_id: z.string().nullable(),
  /** On whose page it is read: the contract of a change or a refund. */
  of_id: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  store_id: z.string().nullable(),
  number: z.string(),
  /** The how manieth time it was submitted. */
  round: z.number().int(),
  summary: z.string(),
  amount: z.string().nullable(),
  /** The difference from what was submitted before it, in words. */
  change: z.string(),
  /** Of what was submitted: whoever judges says which they saw. */
  hash: z.string(),
  examineState: examineState.schema,
  submitted_by: z.string(),
  submitter: z.string(),
  submittedAt: z.number().int(),
  dueAt: z.number().int(),
  judge: z.string(),
  judgedAt: z.number().int().nullable(),
  reason: z.string(),
  version: z.number().int(),
})
export type ExamineRow = z.output<typeof examineRow>

/** The same thing as it was submitted before. */
const earlier = examineRow
  .pick({
    id: true,
    version_id: true,
    round: true,
    amount: true,
    examineState: true,
    submitter: true,
    submittedAt: true,
    judge: true,
    judgedAt: true,
    reason: true,
  })
  .extend({
    /** Taken back by who submitted it; nobody had judged it. */
    withdrawn: z.boolean(),
    /** When the caller opened it last. */
    seenAt: z.number().int().nullable(),
  })
export const examineDetail = examineRow.extend({
  /** The newest first. */
  earlier: z.array(earlier),
  /** The reason why the caller in particular may not judge it; empty where they may. */
  barred: z.string(),
})
export type ExamineDetail = z.output<typeof examineDetail>

/** The log\'s names for its fields. */
export const examineLog = logged('审核', {
  number: '编号',
  kind: ['类型', examineKind],
  round: '第几次提交',
  amount: '金额',
  examineState: ['审核状态', examineState],
})
