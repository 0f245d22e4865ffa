import { code, columnsOf, day, number, text } from '../../kit/columns.ts'
import type { staysApi } from './stays.api.ts'
import { stayScore } from './stays.record.ts'
import { workerType } from './trades.record.ts'

export const stayColumns = columnsOf<typeof staysApi.list>()({
  site: text('工地', 'ws_name', { fixed: true }),
  bc: text('分公司', 'bc_name'),
  type: code('工种', 'w_type', workerType),
  entered: day('进场', 'enteredOn', { sort: 'enteredOn' }),
  left: day('离场', 'leftOn'),
  days: number('出勤天数', 'days', { sort: 'days' }),
  breaks: number('违规', 'breaks'),
  score: code('评分', 'score', stayScore, { sort: 'score' }),
  by: text('评分人', 'scoredBy'),
})
