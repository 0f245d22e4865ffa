import { code, codes, columnsOf, number, percent, text, time } from '../../kit/columns.ts'
import { alarmType, alarmVerdict } from '../alarms/alarms.record.ts'
import type { trustsApi } from './trusts.api.ts'
import { trustState } from './trusts.record.ts'

export const trustColumns = columnsOf<typeof trustsApi.list>()({
  name: text('摄像头', 'deviceSn', { fixed: true }),
  type: code('类型', 'type', alarmType),
  site: text('工地', 'siteName'),
  bc: text('分公司', 'bc_name'),
  model: text('型号版本', 'model'),
  n: number('判定数', 'n', { sort: 'n' }),
  wrong: number('误报数', 'wrong', { sort: 'wrong' }),
  share: percent('误报率', 'share', { sort: 'share' }),
  last: codes('最近判定', 'last', alarmVerdict),
  undecided: number('未判', 'undecided', { wide: true }),
  status: code('提醒', 'state', trustState),
  why: text('原因', 'why'),
  since: time('起始', 'since', { sort: 'since' }),
  by: text('变更人', 'by', { only: 'file' }),
})

export const labelColumns = columnsOf<typeof trustsApi.labels>()({
  picture: text('图片编号', 'picture', { fixed: true }),
  type: code('报警类型', 'type', alarmType),
  verdict: code('判定', 'verdict', alarmVerdict),
  reason: text('原因', 'reason'),
  model: text('型号版本', 'model'),
  confidence: percent('置信度', 'confidence'),
  at: time('时间', 'at', { sort: 'at' }),
  site: text('工地', 'siteName'),
  bc: text('分公司', 'bc_name'),
  device: text('设备', 'deviceSn'),
})
