import { code, columnsOf, drawn, lasting, percent, text, time } from '../../kit/columns.ts'
import type { alarmsApi } from './alarms.api.ts'
import { alarmType, correctionStatus } from './alarms.record.ts'

export const alarmColumns = columnsOf<typeof alarmsApi.list>()({
  type: code('报警类型', 'type', alarmType, { sort: 'type', fixed: true }),
  picture: drawn('抓拍'),
  site: text('工地', 'siteName'),
  bc: text('分公司', 'bc_name'),
  device: text('设备', 'deviceSn'),
  at: time('时间', 'at', { sort: 'at' }),
  confidence: percent('置信度', 'confidence', { sort: 'confidence' }),
  status: code('整改状态', 'correctionStatus', correctionStatus, { sort: 'correctionStatus' }),
  assignee: text('责任人', 'assigneeName'),
  due: time('截止时间', 'dueAt', { sort: 'dueAt' }),
  took: lasting('用时', 'at', 'closedAt'),
})
