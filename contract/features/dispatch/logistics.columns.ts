import { code, columnsOf, day, text, time } from '../../kit/columns.ts'
import { logisticsProgress, logisticsType } from './dispatch.record.ts'
import type { logisticsApi } from './logistics.api.ts'

export const logisticsColumns = columnsOf<typeof logisticsApi.list>()({
  code: text('物流单号', 'code', { sort: 'code', fixed: true }),
  type: code('类型', 'type', logisticsType),
  related: text('关联单', 'related'),
  order: text('订单号', 'orderCode', { wide: true }),
  site: text('工地', 'ws_name'),
  bc: text('分公司', 'bc_name', { wide: true }),
  receiver: text('商家', 'receiverName', { wide: true }),
  progress: code('进度', 'progress', logisticsProgress),
  status: text('状态', 'statusText'),
  node: text('最近节点', 'nodeText'),
  nodeAt: time('节点时间', 'nodeAt', { sort: 'nodeAt', wide: true }),
  expected: day('预计到达', 'expectedOn', { sort: 'expectedOn' }),
  signed: text('签收', 'signedBy'),
  signedAt: time('签收时间', 'signedAt', { only: 'file' }),
  carrier: text('承运', 'carrier', { wide: true }),
  waybill: text('运单号', 'waybill', { wide: true }),
})
