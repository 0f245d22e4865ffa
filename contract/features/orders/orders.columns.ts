import { code, columnsOf, day, lasting, money, number, price, share, text, time } from '../../kit/columns.ts'
import { orderState } from '../pieces/pieces.record.ts'
import { attribute } from '../quotations/quotations.sum.ts'
import { siteStage } from '../sites/sites.record.ts'
import type { ordersApi } from './orders.api.ts'
import { deliveryMethod, orderEnd, receiveState } from './orders.record.ts'

/** The outcome in a file; nothing of what goes on, or of which everything was accepted. */
const ends = {
  ...orderEnd,
  options: orderEnd.options.map((o) => (o.value === orderEnd.code.live ? { ...o, label: '' } : o)),
}

export const planColumns = columnsOf<typeof ordersApi.plan>()({
  site: text('工地', 'ws_name', { fixed: true }),
  bc: text('分公司', 'bc_name', { wide: true }),
  contract: text('合同', 'contractCode'),
  stage: code('阶段', 'stage', siteStage),
  name: text('商品', 'name'),
  detail: text('规格', 'detail', { wide: true }),
  quantity: price('数量', 'quantity', { sort: 'quantity' }),
  unit: text('单位', 'unit', { only: 'file' }),
  suggested: day('建议下单日', 'suggestedOn', { sort: 'suggestedOn' }),
  stageOn: day('阶段开始', 'stageOn', { sort: 'stageOn', wide: true }),
  ready: day('可以到货', 'readyOn', { wide: true }),
  attribute: code('属性', 'attribute', attribute),
  receiver: text('商家', 'receiverName'),
  state: code('订单状态', 'orderState', orderState),
})
export const orderColumns = columnsOf<typeof ordersApi.list>()({
  code: text('订单号', 'code', { sort: 'code', fixed: true }),
  site: text('工地', 'ws_name'),
  bc: text('分公司', 'bc_name', { wide: true }),
  receiver: text('商家', 'receiverName'),
  lines: number('行数', 'lines', { sort: 'lines', wide: true }),
  amount: money('金额', 'amount', { sort: 'amount' }),
  method: code('交付方式', 'method', deliveryMethod, { wide: true }),
  expected: day('期望到货', 'expectedOn', { sort: 'expectedOn' }),
  receive: code('接单状态', 'receiveState', receiveState),
  state: code('订单状态', 'orderState', orderState),
  progress: share('进度', 'linesAccepted', 'lines'),
  ended: code('结束方式', 'ended', ends, { only: 'file' }),
  batch: text('批次', 'batch', { wide: true }),
  made: time('下单时间', 'madeAt', { sort: 'madeAt', wide: true }),
})
export const receivedColumns = columnsOf<typeof ordersApi.received>()({
  code: text('订单号', 'code', { sort: 'code', fixed: true }),
  /** The branch that orders: a receiver may serve several. */
  buyer: text('分公司', 'bc_name'),
  site: text('工地', 'community'),
  lines: number('行数', 'lines', { sort: 'lines', wide: true }),
  amount: money('金额', 'amount', { sort: 'amount' }),
  expected: day('期望到货', 'expectedOn', { sort: 'expectedOn' }),
  made: time('下单时间', 'madeAt', { sort: 'madeAt' }),
  wait: lasting('等待时长', 'madeAt', 'answeredAt'),
  receive: code('接单状态', 'receiveState', receiveState),
  state: code('订单状态', 'orderState', orderState, { wide: true }),
  ended: code('结束方式', 'ended', ends, { only: 'file' }),
})
export const unitColumns = columnsOf<typeof ordersApi.units>()({
  name: text('公司', 'name', { fixed: true }),
  bc: text('分公司', 'bc_name', { wide: true }),
  orders: number('订单数', 'orders', { sort: 'orders' }),
  waiting: number('待接', 'waiting', { sort: 'waiting' }),
  rejected: number('已拒', 'rejected', { wide: true }),
  accepted: number('已接', 'accepted', { wide: true }),
  ended: number('已结束', 'ended', { wide: true }),
  answer: number('平均接单时长/小时', 'answerHours'),
  answers: number('答复次数', 'answers', { wide: true }),
  late: number('逾期未完', 'late', { sort: 'late' }),
  arrived: number('到货张数', 'arrived', { wide: true }),
  arrivedLate: number('逾期到货', 'arrivedLate', { sort: 'arrivedLate' }),
  arrivedMoved: number('改期到货', 'arrivedMoved', { wide: true }),
  onTime: number('准时率%', 'onTime', { sort: 'onTime' }),
  acceptedAmount: money('验收金额', 'acceptedAmount'),
  returnedAmount: money('退货金额', 'returnedAmount'),
  handAmount: money('手工行', 'handAmount'),
  due: money('应付', 'due'),
  paid: money('已付', 'paid'),
})
