import { code, columnsOf, money, text } from '../../kit/columns.ts'
import type { statementsApi } from './statements.api.ts'
import { owingSide, statementState } from './statements.record.ts'

export const statementColumns = columnsOf<typeof statementsApi.list>()({
  code: text('单号', 'code', { sort: 'code', fixed: true }),
  receiver: text('商家', 'receiverName'),
  // Whoever serves several has to see of which one it is: no list of one branch.
  payer: text('分公司', 'bc_name'),
  side: code('方向', 'side', owingSide),
  month: text('月份', 'month', { sort: 'month' }),
  accepted: money('验收金额', 'acceptedAmount'),
  returned: money('退货金额', 'returnedAmount'),
  hand: money('手工行', 'handAmount'),
  due: money('应付', 'due'),
  paid: money('已付', 'paid'),
  open: money('未付', 'open'),
  state: code('状态', 'state', statementState),
})
