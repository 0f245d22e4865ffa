import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { someOf } from '../../kit/decimals.ts'
import { phone, uploaded, words } from '../../kit/fields.ts'
import { logged } from '../../kit/logged.ts'
import { day, uuid } from '../../kit/paging.ts'
import { deliveryMethod } from '../orders/orders.record.ts'
import { checkState } from '../pieces/pieces.record.ts'
import { siteStatus } from '../sites/sites.record.ts'

export const dispatchState = defineCodes('dispatchState', '发货状态', {
  waiting: [0, '待发货'],
  cancelled: [1, '已取消'],
  shipped: [2, '已发货'],
  delivered: [3, '已送达'],
  checked: [4, '已验收'],
  returned: [5, '已退回'],
})
export const logisticsType = defineCodes('logisticsType', '物流类型', {
  unsent: [0, '未发退货'],
  ship: [1, '发货'],
  short: [2, '补货'],
  exchange: [3, '换货'],
  exchangeBack: [4, '退换货'],
  back: [5, '退货'],
})
export const logisticsProgress = defineCodes('logisticsProgress', '物流进度', {
  waiting: [0, '待处理'],
  underWay: [1, '运输中'],
  delivered: [2, '已送达'],
  checked: [3, '已验收'],
})
export const logisticsStatus = defineCodes('logisticsStatus', '物流状态', {
  waiting: [0, '待处理'],
  cancelled: [1, '已取消'],
  done: [2, '已完成'],
  partBack: [3, '部分退回'],
  back: [4, '已退回'],
})
/** The reason why a whole note goes back. */
export const sendBackReason = defineCodes('sendBackReason', '退回原因', {
  refused: ['refused', '拒收'],
  recalled: ['recalled', '召回'],
  uncollected: ['uncollected', '逾期未取'],
  lost: ['lost', '遗失'],
})
/** Kinds of a note: the logistics types that bring goods to the site. */
export const noteKind = defineCodes('noteKind', '发货类型', {
  ship: [1, '发货'],
  short: [2, '补货'],
  exchange: [3, '换货'],
})
const decimal = z.string()

export const noteRow = z.object({
  id: z.string(),
  code: z.string(),
  order_id: z.string(),
  orderCode: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  receiver_id: z.string(),
  receiverName: z.string(),
  site_id: z.string(),
  ws_name: z.string(),
  siteStatus: siteStatus.schema.nullable(),
  kind: noteKind.schema,
  /** To a home that is finished, within its warranty. */
  afterSale: z.boolean(),
  state: dispatchState.schema,
  /** Whether its order may still be shipped. */
  open: z.boolean(),
  method: deliveryMethod.schema,
  plannedOn: z.string().nullable(),
  carrier: z.string(),
  waybill: z.string(),
  trip_id: z.string().nullable(),
  tripCode: z.string(),
  stop: z.number().int().nullable(),
  pickupUntil: z.string().nullable(),
  lines: z.number().int(),
  parentCode: z.string(),
  madeAt: z.number().int(),
  shippedAt: z.number().int().nullable(),
  deliveredAt: z.number().int().nullable(),
  sheetCode: z.string(),
  checkState: checkState.schema.nullable(),
  /** Planned before today and not there. */
  late: z.boolean(),
  buyer: z.boolean(),
  receiver: z.boolean(),
  version: z.number().int(),
})
export type NoteRow = z.output<typeof noteRow>

export const noteLine = z.object({
  line_id: z.string(),
  code: z.string(),
  name: z.string(),
  detail: z.string(),
  unit: z.string(),
  quantity: decimal,
})
export const noteDetail = noteRow.extend({
  address: z.string(),
  contact: z.string(),
  contactPhone: z.string(),
  window: z.string(),
  pickupStore: z.string(),
  /** Only for the side that orders: whoever collects says it. */
  pickupCode: z.string(),
  madeBy: z.string(),
  shippedBy: z.string(),
  deliveredBy: z.string(),
  deliveredPlace: z.string(),
  photo: z.string().nullable(),
  signature: z.string().nullable(),
  /** The driver's report of the handover. */
  damage: z.string(),
  damagePhoto: z.string().nullable(),
  reason: z.string(),
  lineList: z.array(noteLine),
  /** Its way, parents first. */
  tracks: z.array(
    z.object({
      id: z.string(),
      code: z.string(),
      type: logisticsType.schema,
      progress: logisticsProgress.schema,
      status: logisticsStatus.schema,
      nodes: z.array(
        z.object({
          at: z.number().int(),
          heardAt: z.number().int(),
          source: z.enum(['system', 'person', 'driver', 'carrier']),
          title: z.string(),
          place: z.string(),
          who: z.string(),
          photo: z.string().nullable(),
        }),
      ),
    }),
  ),
})
export type NoteDetail = z.output<typeof noteDetail>

export const noteParts = z
  .array(z.object({ line_id: uuid.meta({ title: '行号' }), quantity: someOf('数量') }))
  .min(1, { error: '请选择商品' })
  .max(200, { error: '一张发货单最多 200 行' })
/** The facts that a delivery method asks for when the note leaves; docs/states.md, Dispatch. */
export const shipFacts = z.object({
  /** Less than the note holds leaves a note for the rest. */
  lines: noteParts.meta({ title: '发货内容' }),
  method: deliveryMethod.schema.meta({ title: '交付方式' }),
  plannedOn: day.meta({ title: '预计到达' }),
  address: words('地址', 120),
  contact: words('联系人', 20),
  contactPhone: phone('联系电话').default(''),
  window: words('送货时段', 40),
  trip_id: uuid.nullable().default(null).meta({ title: '车次' }),
  pickupStore: words('自提门店', 60),
  pickupUntil: day.nullable().default(null).meta({ title: '最晚自提' }),
  carrier: words('承运', 40),
  waybill: words('运单号', 60),
})
export type ShipFacts = z.output<typeof shipFacts>
/** Proof that goods were handed over. */
export const proofFacts = z.object({
  photo: uploaded.meta({ title: '照片' }),
  signature: uploaded.nullable().default(null).meta({ title: '签名' }),
  place: words('地点', 60),
  lng: z.number().min(-180).max(180).nullable().default(null).meta({ title: '经度' }),
  lat: z.number().min(-90).max(90).nullable().default(null).meta({ title: '纬度' }),
  pickupCode: words('取货码', 12),
})
export type ProofFacts = z.output<typeof proofFacts>

export const dispatchLog = logged('发货单', {
  code: '发货单号',
  order: '订单',
  lines: '行数',
  state: ['发货状态', dispatchState],
  method: ['交付方式', deliveryMethod],
  plannedOn: '预计到达',
  carrier: '承运',
  waybill: '运单号',
  back: ['退回原因', sendBackReason],
  rest: '余下发货单',
  trip: '车次',
  node: '节点',
  day: '日期',
  driver: ['司机', 'personal'],
  driverPhone: ['司机电话', 'personal'],
  plate: ['车牌', 'personal'],
  stops: '站',
  damage: '损坏情况',
  place: ['地点', 'personal'],
  progress: ['物流进度', logisticsProgress],
})
