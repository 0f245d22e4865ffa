import { code, columnsOf, day, money, number, price, text } from '../../kit/columns.ts'
import type { contractsApi } from './contracts.api.ts'
import { contractState, signingProgress } from './contracts.record.ts'

export const contractColumns = columnsOf<typeof contractsApi.list>()({
  code: text('合同号', 'code', { sort: 'code', fixed: true }),
  customer: text('客户', 'customerName'),
  site: text('工地', 'ws_name'),
  bc: text('分公司', 'bc_name', { wide: true }),
  store: text('门店', 'storeName', { wide: true }),
  package: text('套餐', 'packageName'),
  area: price('面积', 'area', { wide: true }),
  total: money('合同额', 'total', { sort: 'total' }),
  paid: money('已收', 'paid', { sort: 'paid' }),
  end: money('结算金额', 'endValue', { wide: true }),
  owed: money('欠款', 'owed', { sort: 'owed' }),
  due: day('欠款到期', 'dueOn', { sort: 'dueOn' }),
  overdue: money('逾期', 'overdue', { sort: 'overdue' }),
  back: money('应退', 'back', { sort: 'back' }),
  /** For who may read costs. */
  quoted: price('报价毛利率 %', 'quotedMargin', { wide: true }),
  real: price('实际毛利率 %', 'realMargin'),
  progress: code('签约进度', 'signingProgress', signingProgress),
  state: code('合同状态', 'state', contractState, { only: 'file' }),
  signed: day('签约日期', 'signedOn', { sort: 'signedOn' }),
  changes: number('变更次数', 'changes', { sort: 'changes' }),
})
