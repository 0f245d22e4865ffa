import { code, columnsOf, lasting, number, text, time } from '../../kit/columns.ts'
import { correctionStatus } from '../alarms/alarms.record.ts'
import type { correctionsApi } from './corrections.api.ts'
import { correctionSource, correctionTurn } from './corrections.record.ts'

export const correctionColumns = columnsOf<typeof correctionsApi.list>()({
  problem: text('问题', 'problem', { fixed: true }),
  source: code('来源', 'source', correctionSource, { sort: 'source' }),
  site: text('工地', 'siteName'),
  status: code('状态', 'correctionStatus', correctionStatus, { sort: 'correctionStatus' }),
  turn: code('等待', 'turn', correctionTurn),
  assignee: text('责任人', 'assigneeName'),
  due: time('截止', 'dueAt', { sort: 'dueAt' }),
  took: lasting('用时', 'at', 'closedAt'),
  verified: text('复核人', 'verifiedBy'),
  bc: text('分公司', 'bc_name'),
  no: text('编号', 'no'),
  at: time('发现时间', 'at', { sort: 'at', wide: true }),
  round: number('轮次', 'round', { only: 'file' }),
  closed: time('办结时间', 'closedAt', { only: 'file', sort: 'closedAt' }),
})
