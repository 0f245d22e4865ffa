import { code, columnsOf, lasting, money, number, text, time } from '../../kit/columns.ts'
import type { examineApi } from './examine.api.ts'
import { examineKind, examineState } from './examine.record.ts'

export const examineColumns = columnsOf<typeof examineApi.list>()({
  number: text('编号', 'number', { fixed: true }),
  kind: code('类型', 'kind', examineKind, { sort: 'kind' }),
  state: code('状态', 'examineState', examineState),
  waiting: lasting('等待', 'submittedAt', 'judgedAt'),
  summary: text('摘要', 'summary'),
  amount: money('金额', 'amount', { sort: 'amount' }),
  change: text('变化', 'change'),
  submitter: text('提交人', 'submitter'),
  at: time('提交时间', 'submittedAt', { sort: 'submittedAt', wide: true }),
  due: time('审核期限', 'dueAt', { sort: 'dueAt', wide: true }),
  bc: text('分公司', 'bc_name', { wide: true }),
  judge: text('审核人', 'judge', { wide: true }),
  round: number('第几次提交', 'round', { only: 'file' }),
  judged: time('审核时间', 'judgedAt', { only: 'file' }),
  reason: text('意见', 'reason', { only: 'file' }),
})
