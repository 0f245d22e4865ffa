import { code, columnsOf, day, number, text, time } from '../../kit/columns.ts'
import { deliveryMethod } from '../orders/orders.record.ts'
import type { dispatchApi } from './dispatch.api.ts'
import { dispatchState, noteKind } from './dispatch.record.ts'

export const dispatchColumns = columnsOf<typeof dispatchApi.list>()({
  code: text('发货单号', 'code', { sort: 'code', fixed: true }),
  order: text('订单号', 'orderCode'),
  kind: code('类型', 'kind', noteKind, { wide: true }),
  site: text('工地', 'ws_name'),
  bc: text('分公司', 'bc_name', { wide: true }),
  receiver: text('商家', 'receiverName'),
  lines: number('行数', 'lines', { wide: true }),
  method: code('交付方式', 'method', deliveryMethod, { wide: true }),
  carrier: text('承运', 'carrier'),
  waybill: text('运单号', 'waybill', { wide: true }),
  planned: day('预计到达', 'plannedOn', { sort: 'plannedOn', wide: true }),
  state: code('发货状态', 'state', dispatchState),
  shipped: time('发货时间', 'shippedAt', { sort: 'shippedAt' }),
  delivered: time('送达时间', 'deliveredAt', { sort: 'deliveredAt' }),
})
