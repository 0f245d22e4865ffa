import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { reason, seen, words } from '../../kit/fields.ts'
import { commaList, day, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { orderState } from '../pieces/pieces.record.ts'
import { siteStage } from '../sites/sites.record.ts'
import {
  deliveryMethod,
  orderDetail,
  orderEnd,
  orderLateness,
  orderRemark,
  orderRow,
  orderSide,
  partFacts,
  placeFacts,
  planPrice,
  planRow,
  receiveState,
  rejectReason,
  unitRow,
} from './orders.record.ts'

const site = optional(uuid).meta({ title: '工地' })
const branch = optional(uuid).meta({ title: '分公司' })
/** The person who leads the site. */
const manager = optional(uuid).meta({ title: '项目经理' })
const receiver = optional(uuid).meta({ title: '商家' })
const planQuery = listQuery(['suggestedOn', 'stageOn', 'quantity'], {
  keyword,
  bc_id: branch,
  site_id: site,
  stage: commaList(siteStage.schema).meta({ title: '阶段' }),
  category_id: optional(uuid).meta({ title: '品类' }),
  receiver_id: receiver,
  manager_id: manager,
  late: flag.meta({ title: '逾期' }),
  /** Only what can be ordered now, or only what cannot. */
  ready: flag.meta({ title: '可以下单' }),
})
const orderQuery = listQuery(['code', 'expectedOn', 'amount', 'madeAt', 'lines'], {
  keyword,
  bc_id: branch,
  site_id: site,
  receiver_id: receiver,
  manager_id: manager,
  batch: optional(z.string().trim().max(40)).meta({ title: '批次' }),
  receiveState: commaList(receiveState.schema).meta({ title: '接单状态' }),
  orderState: commaList(orderState.schema).meta({ title: '订单状态' }),
  /** Orders with a piece that stands there, whatever stands before it. */
  pieceState: commaList(orderState.schema).meta({ title: '商品状态' }),
  ended: commaList(orderEnd.schema).meta({ title: '结束方式' }),
  method: commaList(deliveryMethod.schema).meta({ title: '交付方式' }),
  expectedFrom: optional(day).meta({ title: '期望到货从' }),
  expectedTo: optional(day).meta({ title: '期望到货至' }),
  madeFrom: optional(day).meta({ title: '下单日期从' }),
  madeTo: optional(day).meta({ title: '下单日期至' }),
  late: flag.meta({ title: '是否逾期' }),
  lateness: optional(orderLateness.schema).meta({ title: '逾期在' }),
  side: optional(orderSide.schema).meta({ title: '我方' }),
})
const span = {
  from: optional(day).meta({ title: '从' }),
  to: optional(day).meta({ title: '至' }),
}
const unitQuery = listQuery(['orders', 'waiting', 'late', 'arrivedLate', 'onTime'], {
  keyword,
  bc_id: branch,
  ...span,
})
const one = seen('订单')
const made = z.object({ id: z.string(), code: z.string() })
const orders = ['page:OrderList', 'page:ReceiveOrder']

export const ordersApi = defineApi({
  plan: {
    method: 'POST',
    path: '/dsmcore/api/order/plan',
    title: '待下单',
    access: ['page:OrderPlan'],
    query: planQuery,
    data: paged(planRow),
  },
  planExport: {
    method: 'POST',
    path: '/dsmcore/api/order/planexport',
    title: '导出待下单',
    access: ['order:export'],
    query: planQuery,
    data: nothing,
    raw: true,
  },
  list: {
    method: 'POST',
    path: '/dsmcore/api/order/list',
    title: '订单列表',
    access: ['page:OrderList'],
    query: orderQuery,
    data: paged(orderRow),
  },
  export: {
    method: 'POST',
    path: '/dsmcore/api/order/export',
    title: '导出订单',
    access: ['order:export'],
    query: orderQuery,
    data: nothing,
    raw: true,
  },
  /** The companies and stores that the caller receives for. */
  received: {
    method: 'POST',
    path: '/dsmcore/api/order/received',
    title: '接单',
    access: ['page:ReceiveOrder'],
    query: orderQuery,
    data: paged(orderRow),
  },
  receivedExport: {
    method: 'POST',
    path: '/dsmcore/api/order/receivedexport',
    title: '导出接单',
    access: ['order:receive'],
    query: orderQuery,
    data: nothing,
    raw: true,
  },
  details: {
    method: 'POST',
    path: '/dsmcore/api/order/details',
    title: '订单详情',
    access: orders,
    query: z.object({ id: uuid.meta({ title: '订单' }) }),
    data: orderDetail,
  },
  /** Purchase prices of what is about to be ordered. */
  planPrices: {
    method: 'GET',
    path: '/dsmcore/api/order/planprices',
    title: '待下单价格',
    access: ['order:place'],
    query: z.object({ items: commaList(uuid).meta({ title: '合同项' }) }),
    data: z.object({ list: z.array(planPrice) }),
  },
  /** One order a site, receiver and day; several sites of one receiver share a batch. */
  place: {
    method: 'POST',
    path: '/dsmcore/api/order/place',
    title: '下单',
    access: ['order:place'],
    body: placeFacts,
    data: z.object({ orders: z.array(made) }),
    long: true,
  },
  accept: {
    method: 'POST',
    path: '/dsmcore/api/order/accept',
    title: '接单',
    access: ['order:receive'],
    body: z.object({
      ...one,
      lines: z
        .array(
          z.object({ line_id: uuid.meta({ title: '行号' }), promisedOn: day.meta({ title: '承诺到货' }) }),
        )
        .min(1, { error: '请给每一行填承诺到货日期' })
        .max(200, { error: '一张订单最多 200 行' })
        .meta({ title: '承诺到货' }),
    }),
    data: nothing,
  },
  /** Each with one date for all its lines; those that cannot be accepted are named. */
  acceptAll: {
    method: 'POST',
    path: '/dsmcore/api/order/acceptall',
    title: '批量接单',
    access: ['order:receive'],
    body: z.object({
      orders: z
        .array(z.object(one))
        .min(1, { error: '请选择订单' })
        .max(100, { error: '一次最多 100 张' })
        .meta({ title: '订单' }),
      promisedOn: day.meta({ title: '承诺到货' }),
    }),
    data: z.object({
      done: z.number().int(),
      skipped: z.array(z.object({ code: z.string(), why: z.string() })),
    }),
  },
  reject: {
    method: 'POST',
    path: '/dsmcore/api/order/reject',
    title: '拒单',
    access: ['order:receive'],
    body: z.object({ ...one, rejectCode: rejectReason.schema.meta({ title: '拒单原因' }), reason }),
    data: nothing,
  },
  split: {
    method: 'POST',
    path: '/dsmcore/api/order/split',
    title: '拆单',
    access: ['order:receive'],
    body: z.object({ ...one, parts: partFacts.meta({ title: '拆出的行' }) }),
    data: made,
  },
  recall: {
    method: 'POST',
    path: '/dsmcore/api/order/recall',
    title: '撤回订单',
    access: ['order:place'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  urge: {
    method: 'POST',
    path: '/dsmcore/api/order/urge',
    title: '催单',
    access: ['order:place'],
    body: z.object(one),
    data: nothing,
  },
  resubmit: {
    method: 'POST',
    path: '/dsmcore/api/order/resubmit',
    title: '重新提交订单',
    access: ['order:place'],
    body: z.object({
      ...one,
      expectedOn: day.meta({ title: '期望到货' }),
      remark: orderRemark,
    }),
    data: nothing,
  },
  release: {
    method: 'POST',
    path: '/dsmcore/api/order/release',
    title: '释放订单',
    access: ['order:place'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  withdraw: {
    method: 'POST',
    path: '/dsmcore/api/order/withdraw',
    title: '申请撤销订单',
    access: ['order:answer'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  close: {
    method: 'POST',
    path: '/dsmcore/api/order/close',
    title: '申请结束剩余',
    access: ['order:answer'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  agree: {
    method: 'POST',
    path: '/dsmcore/api/order/agree',
    title: '同意请求',
    access: ['order:answer'],
    body: z.object(one),
    data: nothing,
  },
  decline: {
    method: 'POST',
    path: '/dsmcore/api/order/decline',
    title: '不同意请求',
    access: ['order:answer'],
    body: z.object({ ...one, reason }),
    data: nothing,
  },
  /** 可以到货: when the site can take goods, and where they are unloaded. */
  ready: {
    method: 'POST',
    path: '/dsmcore/api/order/ready',
    title: '可以到货',
    access: ['order:ready'],
    body: z.object({
      site_id: uuid.meta({ title: '工地' }),
      readyOn: day.meta({ title: '可以到货' }),
      place: words('卸货位置', 60),
    }),
    data: nothing,
  },
  units: {
    method: 'POST',
    path: '/dsmcore/api/order/units',
    title: '公司订单',
    access: ['page:OrderUnits'],
    query: unitQuery,
    data: paged(unitRow),
  },
  unitsExport: {
    method: 'POST',
    path: '/dsmcore/api/order/unitsexport',
    title: '导出公司订单',
    access: ['order:export'],
    query: unitQuery,
    data: nothing,
    raw: true,
  },
})
