import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { contractState, payMethod } from './contracts.record.ts'

/** When an instalment falls due, seen from today; of a stage that has not begun its planned day counts. */
export const dueWhen = defineCodes('dueWhen', '到期', {
  before: ['before', '今天以前'],
  today: ['today', '今天'],
  week: ['week', '本周内'],
  later: ['later', '以后'],
})
/** Until the end of this week. */
export const DUE_SOON = ['before', 'today', 'week'] as const
export const flowType = defineCodes('flowType', '类型', {
  taken: ['taken', '收款'],
  given: ['given', '退款'],
})
export const flowKind = defineCodes('flowKind', '明细', {
  deposit: ['deposit', '定金'],
  payment: ['payment', '收款'],
  kept: ['kept', '留用'],
  movedIn: ['movedIn', '转入'],
  giveBack: ['giveBack', '退定'],
  refund: ['refund', '退款'],
  movedOut: ['movedOut', '转出'],
})
/** Money went over the counter; what is kept never left, and what is moved stands with us before and after. */
export const COUNTER = ['deposit', 'payment', 'giveBack', 'refund'] as const
export const flowState = defineCodes('flowState', '状态', {
  booked: ['booked', '已入账'],
  waiting: ['waiting', '待审核'],
  rejected: ['rejected', '已驳回'],
  withdrawn: ['withdrawn', '已撤回'],
})

const decimal = z.string()
/** An instalment that a customer has to pay for a contract that is signed. */
export const dueRow = z.object({
  id: z.string(),
  contract_id: z.string(),
  code: z.string(),
  bc_name: z.string(),
  customerName: z.string(),
  site_id: z.string().nullable(),
  ws_name: z.string(),
  name: z.string(),
  state: contractState.schema,
  amount: decimal,
  covered: decimal,
  open: decimal,
  /** The day on which it fell due, or will by the plan of its stage; null where nobody has planned it. */
  dueOn: z.string().nullable(),
  /** It is the plan's day: the stage has not begun. */
  planned: z.boolean(),
  when: dueWhen.schema,
  /** Days since the last one that was in time. */
  lateDays: z.number().int(),
})
export type DueRow = z.output<typeof dueRow>

/** Money that came in or went back, and what waits to go back. */
export const flowRow = z.object({
  id: z.string(),
  code: z.string(),
  type: flowType.schema,
  kind: flowKind.schema,
  contract_id: z.string(),
  contractCode: z.string(),
  customerName: z.string(),
  bc_name: z.string(),
  /** With its sign. */
  amount: decimal,
  method: payMethod.schema,
  payer: z.string(),
  by: z.string(),
  /** The day on which it was paid; null while it waits. */
  paidOn: z.string().nullable(),
  at: z.number().int(),
  state: flowState.schema,
})
export type FlowRow = z.output<typeof flowRow>
const moved = { taken: decimal, given: decimal, net: decimal, count: z.number().int() }
/** The sum of a list's rows that are booked; money that only changed its contract is not in it. */
export const flowTotals = z.object({
  ...moved,
  methods: z.array(z.object({ method: payMethod.schema, ...moved })),
  people: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Kept of a deposit, and moved between contracts: no money went over the counter. */
  still: z.number().int(),
  at: z.number().int(),
})
export type FlowTotals = z.output<typeof flowTotals>
