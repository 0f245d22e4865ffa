import { code, columnsOf, day, money, number, text, time } from '../../kit/columns.ts'
import { payMethod } from './contracts.record.ts'
import type { receiptsApi } from './receipts.api.ts'
import { dueWhen, flowKind, flowState, flowType } from './receipts.record.ts'

export const dueColumns = columnsOf<typeof receiptsApi.due>()({
  code: text('合同', 'code', { sort: 'code', fixed: true }),
  customer: text('客户', 'customerName'),
  site: text('工地', 'ws_name'),
  bc: text('分公司', 'bc_name', { wide: true }),
  name: text('期次', 'name'),
  amount: money('应收', 'amount', { sort: 'amount' }),
  covered: money('已收', 'covered'),
  open: money('未收', 'open', { sort: 'open' }),
  due: day('到期日', 'dueOn', { sort: 'dueOn' }),
  when: code('到期', 'when', dueWhen),
  late: number('逾期天数', 'lateDays', { sort: 'lateDays' }),
})
export const flowColumns = columnsOf<typeof receiptsApi.flow>()({
  code: text('单号', 'code', { sort: 'code', fixed: true }),
  type: code('类型', 'type', flowType),
  kind: code('明细', 'kind', flowKind),
  contract: text('合同', 'contractCode'),
  customer: text('客户', 'customerName'),
  bc: text('分公司', 'bc_name', { wide: true }),
  amount: money('金额', 'amount', { sort: 'amount' }),
  method: code('方式', 'method', payMethod),
  payer: text('付款/收款人', 'payer'),
  by: text('经手', 'by'),
  paid: day('日期', 'paidOn', { sort: 'paidOn' }),
  at: time('记账时间', 'at', { sort: 'at', wide: true }),
  state: code('状态', 'state', flowState),
})
