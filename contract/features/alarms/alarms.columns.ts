import { code, columnsOf, drawn, lasting, number, percent, text, time } from '../../kit/columns.ts'
import type { alarmsApi } from './alarms.api.ts'
import { alarmAttention, alarmType, correctionStatus } from './alarms.record.ts'

export const alarmColumns = columnsOf<typeof alarmsApi.list>()({
  type: code('报警类型', 'type', alarmType, { sort: 'type', fixed: true }),
  picture: drawn('抓拍'),
  site: text('工地', 'siteName'),
  status: code('整改状态', 'correctionStatus', correctionStatus, { sort: 'correctionStatus' }),
  due: time('截止时间', 'dueAt', { sort: 'dueAt' }),
  assignee: text('责任人', 'assigneeName'),
  lastSeen: time('最近', 'lastSeen', { sort: 'lastSeen' }),
  took: lasting('用时', 'at', 'closedAt'),
  bc: text('分公司', 'bc_name'),
  at: time('时间', 'at', { sort: 'at', wide: true }),
  device: text('设备', 'deviceSn', { wide: true }),
  seen: number('次数', 'seen', { only: 'file' }),
  attention: code('提醒', 'attention', alarmAttention, { only: 'file' }),
  model: text('型号版本', 'model', { only: 'file' }),
  confidence: percent('置信度', 'confidence', { sort: 'confidence', wide: true }),
})
/** On the owner's page of a home. */
export const homeAlarmColumns = columnsOf<typeof alarmsApi.list>()({
  picture: drawn('抓拍'),
  type: code('类型', 'type', alarmType, { sort: 'type', fixed: true }),
  at: time('时间', 'at', { sort: 'at' }),
  status: code('整改状态', 'correctionStatus', correctionStatus, { sort: 'correctionStatus' }),
  took: lasting('用时', 'at', 'closedAt'),
})
