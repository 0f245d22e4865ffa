import { z } from 'zod'

import { type Code, defineCodes } from '../../kit/codes.ts'
import { somePaid } from '../../kit/decimals.ts'
import { optionalReason, typed, words } from '../../kit/fields.ts'
import { logged } from '../../kit/logged.ts'
import { day, uuid } from '../../kit/paging.ts'
import { payMethod } from '../contracts/contracts.record.ts'

export const statementState = defineCodes('statementState', '对账状态', {
  draft: ['draft', '草稿'],
  sent: ['sent', '待对方确认'],
  disputed: ['disputed', '有异议'],
  agreed: ['agreed', '已确认'],
  dropped: ['dropped', '已作废'],
})
export type StatementState = Code<typeof statementState>
/** The reason why a receiver is owed more, or less (docs/decisions/0340). */
export const owedKind = defineCodes('owedKind', '事项', {
  accepted: ['accepted', '验收'],
  replacement: ['replacement', '换补验收'],
  short: ['short', '少件'],
  taken: ['taken', '退货'],
  scrapped: ['scrapped', '现场报废'],
  corrected: ['corrected', '更正'],
  damage: ['damage', '退货损坏赔付'],
  undone: ['undone', '退货损坏撤销'],
  freight: ['freight', '运费'],
  broken: ['broken', '损坏'],
  difference: ['difference', '差价'],
  fine: ['fine', '罚款'],
  other: ['other', '其他'],
})
/** Lines by hand. */
export const chargeKind = defineCodes('chargeKind', '手工行', {
  freight: ['freight', '运费'],
  broken: ['broken', '损坏'],
  difference: ['difference', '差价'],
  fine: ['fine', '罚款'],
  other: ['other', '其他'],
})
export const chargeSide = defineCodes('chargeSide', '方向', {
  take: ['take', '从应付中扣除'],
  add: ['add', '加给商家'],
})
export const chargeState = defineCodes('chargeState', '手工行状态', {
  waiting: ['waiting', '待审核'],
  approved: ['approved', '已通过'],
  rejected: ['rejected', '已驳回'],
  withdrawn: ['withdrawn', '已撤回'],
})
export const MOST_OBJECTIONS = 100

const decimal = z.string()
const totals = {
  acceptedAmount: decimal,
  returnedAmount: decimal,
  handAmount: decimal,
  due: decimal,
}
/** The debtor of a statement, for who reads it. */
export const owingSide = defineCodes('owingSide', '方向', {
  owe: ['owe', '应付'],
  owed: ['owed', '应收'],
})
/** The debt to a receiver for a month, by one branch or by the whole group. */
export const statementRow = z.object({
  id: z.string(),
  code: z.string(),
  receiver_id: z.string(),
  receiverName: z.string(),
  /** Empty: the whole group. */
  bc_id: z.string(),
  bc_name: z.string(),
  month: z.string(),
  ...totals,
  paid: decimal,
  /** The unpaid part of what both agreed to; below 0 it is the receiver who owes. */
  open: decimal,
  state: statementState.schema,
  /** The how manieth time it was put before the receiver. */
  round: z.number().int(),
  sent_by: z.string(),
  side: owingSide.schema,
  buyer: z.boolean(),
  receiver: z.boolean(),
  version: z.number().int(),
})
export type StatementRow = z.output<typeof statementRow>
export const statementLine = z.object({
  id: z.string(),
  at: z.number().int(),
  kind: owedKind.schema,
  order_id: z.string(),
  orderCode: z.string(),
  sheetCode: z.string(),
  name: z.string(),
  detail: z.string(),
  unit: z.string(),
  /** Below 0 for what ceased to stand accepted; empty of a line by hand. */
  quantity: decimal,
  price: decimal,
  amount: decimal,
  words: z.string(),
  /** The receiver's objection when it was last put before them. */
  objection: z.string(),
})
export type StatementLine = z.output<typeof statementLine>
export const chargeRow = z.object({
  id: z.string(),
  code: z.string(),
  kind: chargeKind.schema,
  side: chargeSide.schema,
  amount: decimal,
  reason: z.string(),
  state: chargeState.schema,
  made_by: z.string(),
  madeBy: z.string(),
  madeAt: z.number().int(),
  version: z.number().int(),
})
export type ChargeRow = z.output<typeof chargeRow>
const payment = z.object({
  id: z.string(),
  code: z.string(),
  /** Below 0 where the receiver paid. */
  amount: decimal,
  method: payMethod.schema,
  paidOn: z.string(),
  payee: z.string(),
  remark: z.string(),
  by: z.string(),
  at: z.number().int(),
  reversedAt: z.number().int().nullable(),
  reversedBy: z.string(),
  reverseReason: z.string(),
  version: z.number().int(),
})
export const statementDetail = statementRow.extend({
  madeBy: z.string(),
  sentBy: z.string(),
  sentAt: z.number().int().nullable(),
  answeredBy: z.string(),
  answeredAt: z.number().int().nullable(),
  /** The reason why the receiver disputes it, or did. */
  reason: z.string(),
  lines: z.array(statementLine),
  /** Lines by hand that wait for the examiner; the buyer's alone. */
  charges: z.array(chargeRow),
  payments: z.array(payment),
})
export type StatementDetail = z.output<typeof statementDetail>
/** What a month comes to so far, before somebody makes a statement of it. */
export const statementPreview = z.object({
  receiverName: z.string(),
  /** The reach of it: a branch, several, the group. */
  scope: z.string(),
  month: z.string(),
  ...totals,
  lines: z.array(statementLine),
  charges: z.array(chargeRow),
  /** The amount in no statement yet, of this month and those before, and its number of lines in the ledger. */
  rest: z.string(),
  loose: z.number().int(),
  /** The statements of this month, and of later ones in which lines of this month stand; each with its own sum. */
  made: z.array(
    z.object({ id: z.string(), code: z.string(), bc_name: z.string(), month: z.string(), due: z.string() }),
  ),
})

export const month = z
  .string()
  .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, { error: '月份格式应为 2026-01' })
  .meta({ title: '月份' })
export const paymentFacts = z.object({
  amount: somePaid('付款金额'),
  method: payMethod.schema.meta({ title: '付款方式' }),
  paidOn: day.meta({ title: '付款日期' }),
  payee: words('收款方', 40),
  remark: words('备注', 200),
})
export const chargeFacts = z.object({
  receiver_id: uuid.meta({ title: '商家' }),
  bc_id: uuid.meta({ title: '分公司' }),
  kind: chargeKind.schema.meta({ title: '事项' }),
  side: chargeSide.schema.meta({ title: '方向' }),
  amount: somePaid('金额'),
  reason: typed().min(2, { error: '请写明原因（至少 2 个字）' }).max(200).meta({ title: '说明' }),
  month,
})
export const objections = z
  .array(
    z.object({
      id: uuid.meta({ title: '行' }),
      words: typed()
        .min(2, { error: '请写明这一行哪里不对（至少 2 个字）' })
        .max(200)
        .meta({ title: '异议' }),
    }),
  )
  .min(1, { error: '请指出有异议的行' })
  .max(MOST_OBJECTIONS, { error: `一次最多 ${MOST_OBJECTIONS} 行` })
  .meta({ title: '有异议的行' })
export const disputeReason = optionalReason

export const statementLog = logged('对账单', {
  code: '单号',
  receiver: '商家',
  month: '月份',
  scope: '范围',
  due: '应付',
  round: '轮次',
  state: ['状态', statementState],
  payment: '付款单',
  charge: '手工行',
  kind: ['事项', chargeKind],
  side: ['方向', chargeSide],
  amount: '金额',
  method: ['付款方式', payMethod],
  lines: '有异议的行数',
})
