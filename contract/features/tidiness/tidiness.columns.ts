import { code, columnsOf, drawn, text, time } from '../../kit/columns.ts'
import { correctionStatus } from '../alarms/alarms.record.ts'
import { tidinessResult } from '../sites/sites.record.ts'
import type { tidinessApi } from './tidiness.api.ts'
import { tidinessChange, tidinessSource } from './tidiness.record.ts'

export const tidinessColumns = columnsOf<typeof tidinessApi.list>()({
  picture: drawn('抓拍'),
  name: text('工地', 'siteName', { fixed: true }),
  bc: text('分公司', 'bc_name'),
  device: text('设备', 'deviceSn'),
  at: time('时间', 'at', { sort: 'at' }),
  status: code('结果', 'result', tidinessResult, { sort: 'result' }),
  source: code('来源', 'source', tidinessSource),
  change: code('较上次', 'change', tidinessChange),
  correction: code('整改', 'correctionStatus', correctionStatus),
  judged: text('复核', 'judgedBy'),
  judgedAt: time('复核时间', 'judgedAt', { only: 'file' }),
  given: code('改判前', 'given', tidinessResult, { only: 'file' }),
})
