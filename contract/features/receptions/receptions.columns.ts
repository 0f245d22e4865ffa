import { code, columnsOf, number, text, time } from '../../kit/columns.ts'
import type { receptionsApi } from './receptions.api.ts'
import { receptionPurpose, receptionState } from './receptions.record.ts'

export const receptionColumns = columnsOf<typeof receptionsApi.list>()({
  at: time('时间', 'at', { sort: 'at', fixed: true }),
  owner: text('业主', 'ownerName'),
  host: text('接待人', 'hostName'),
  purpose: code('目的', 'purpose', receptionPurpose),
  remark: text('说明', 'remark'),
  record: text('记录', 'record'),
  state: code('状态', 'state', receptionState, { sort: 'state' }),
  score: number('满意度', 'score'),
  scoreWords: text('业主的话', 'scoreWords', { only: 'file' }),
  scored: text('满意度代填人', 'scoredBy', { only: 'file' }),
  by: text('登记人', 'enteredBy', { wide: true }),
  arrived: time('到达', 'arrivedAt', { wide: true }),
})
