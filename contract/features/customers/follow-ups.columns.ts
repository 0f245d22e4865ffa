import { code, columnsOf, flag, number, text, time } from '../../kit/columns.ts'
import type { followUpsApi } from './follow-ups.api.ts'
import { followKind, followState } from './follow-ups.record.ts'

export const followColumns = columnsOf<typeof followUpsApi.list>()({
  customer: text('客户', 'customerName', { fixed: true }),
  at: time('时间', 'at', { sort: 'at' }),
  kind: code('方式', 'kind', followKind),
  content: text('内容', 'content'),
  result: text('结果', 'result'),
  next: time('下次', 'nextAt'),
  user: text('顾问', 'userName'),
  state: code('状态', 'state', followState),
  community: text('小区', 'community', { only: 'file' }),
  late: flag('补记', 'late', { only: 'file' }),
  moved: number('改期次数', 'moved', { only: 'file' }),
})
