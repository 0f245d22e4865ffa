import { z } from 'zod'

import { type Code, defineCodes } from '../../kit/codes.ts'
import { someOf } from '../../kit/decimals.ts'
import { words } from '../../kit/fields.ts'
import { logged } from '../../kit/logged.ts'
import { day, uuid } from '../../kit/paging.ts'
import { acceptanceResult, checkState, orderState, piecePlace } from '../pieces/pieces.record.ts'
import { attribute } from '../quotations/quotations.sum.ts'
import { siteStage, siteStatus } from '../sites/sites.record.ts'

export const receiveState = defineCodes('receiveState', '接单状态', {
  waiting: [0, '待接单'],
  rejected: [1, '已拒单'],
  accepted: [2, '已接单'],
})
export const deliveryMethod = defineCodes('deliveryMethod', '交付方式', {
  home: [1, '送货上门'],
  trip: [2, '集中配送'],
  pickup: [3, '到店自提'],
})
/** What of an order is late: nobody answered in time, or it was expected and is not all there. */
export const orderLateness = defineCodes('orderLateness', '逾期在', {
  answer: ['answer', '超时未答复'],
  arrival: ['arrival', '应到未到'],
})
/** Over before everything was accepted. */
export const orderEnd = defineCodes('orderEnd', '结束方式', {
  live: ['', '进行中'],
  recalled: ['recalled', '已撤回'],
  released: ['released', '已释放'],
  withdrawn: ['withdrawn', '已撤销'],
  closed: ['closed', '已结束剩余'],
  terminated: ['terminated', '工地已终止'],
})
export const rejectReason = defineCodes('rejectReason', '拒单原因', {
  stock: ['stock', '缺货'],
  price: ['price', '价格不符'],
  time: ['time', '时间来不及'],
  area: ['area', '送不到'],
  wrong: ['wrong', '下单有误'],
  other: ['other', '其他'],
})
/** One party's request that the other has to answer. */
export const orderAsk = defineCodes('orderAsk', '待对方同意', {
  none: ['', '无'],
  withdraw: ['withdraw', '撤销订单'],
  close: ['close', '结束剩余'],
})
export const orderSide = defineCodes('orderSide', '一方', {
  buyer: ['buyer', '下单方'],
  receiver: ['receiver', '接单方'],
})
export type OrderSide = Code<typeof orderSide>
/** The reason why a line cannot be ordered yet. */
export const planBar = defineCodes('planBar', '不能下单的原因', {
  product: ['product', '未选定款式'],
  change: ['change', '变更待审核'],
  money: ['money', '款项未到'],
  receiver: ['receiver', '商家停用'],
  cost: ['cost', '成本未定'],
})
export const MOST_ORDER_LINES = 200
const decimal = z.string()

/** The rest of a contract's item that is still to be ordered. */
export const planRow = z.object({
  id: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  site_id: z.string(),
  ws_name: z.string(),
  contract_id: z.string(),
  contractCode: z.string(),
  stage: siteStage.schema.nullable(),
  room: z.string(),
  category: z.string(),
  code: z.string(),
  name: z.string(),
  detail: z.string(),
  unit: z.string(),
  attribute: attribute.schema,
  quantity: decimal,
  /** The part of that in an order that was refused: not to be ordered before it is released. */
  held: decimal,
  pack: decimal.nullable(),
  receiver_id: z.string().nullable(),
  receiverName: z.string(),
  leadDays: z.number().int(),
  /** The stage's planned start, and the day on which it should be ordered; null where the stage has no plan. */
  stageOn: z.string().nullable(),
  suggestedOn: z.string().nullable(),
  late: z.boolean(),
  /** When the site can take goods, as its manager said. */
  readyOn: z.string().nullable(),
  orderState: orderState.schema,
  /** The reason why it cannot be ordered; empty where it can. */
  bars: z.array(planBar.schema),
})
export type PlanRow = z.output<typeof planRow>

export const orderRow = z.object({
  id: z.string(),
  code: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  receiver_id: z.string(),
  receiverName: z.string(),
  /** Empty for whoever may not see the site; the place stands for it. */
  site_id: z.string(),
  ws_name: z.string(),
  community: z.string(),
  batch: z.string(),
  method: deliveryMethod.schema,
  expectedOn: z.string(),
  receiveState: receiveState.schema,
  ended: orderEnd.schema,
  orderState: orderState.schema.nullable(),
  /** Lines of which something is in force, and those of which everything is accepted or settled. */
  lines: z.number().int(),
  linesAccepted: z.number().int(),
  /** The amount in force, at purchase prices; only with the right to see them. */
  amount: decimal.nullable(),
  /** As it was placed, before anything was refused, freed or left unshipped. */
  placedLines: z.number().int(),
  placedAmount: decimal.nullable(),
  madeAt: z.number().int(),
  madeBy: z.string(),
  dueAt: z.number().int(),
  answeredAt: z.number().int().nullable(),
  urgedAt: z.number().int().nullable(),
  /** Expected before today, and not everything has arrived; or not answered in time. */
  late: z.boolean(),
  ask: orderAsk.schema,
  askSide: z.union([orderSide.schema, z.literal('')]),
  askBy: z.string().nullable(),
  /** The person who asks, and the reason; of what was answered, the last request's. */
  askName: z.string(),
  askReason: z.string(),
  /** The sides that the caller stands on. */
  buyer: z.boolean(),
  receiver: z.boolean(),
  made_by: z.string(),
  siteStatus: siteStatus.schema.nullable(),
  /** Something of it has shipped. */
  shipped: z.boolean(),
  /** Something of it is still to be shipped. */
  remains: z.boolean(),
  version: z.number().int(),
})
export type OrderRow = z.output<typeof orderRow>

/** A part of a line and the way that it goes. */
export const orderPiece = z.object({
  id: z.string(),
  quantity: decimal,
  place: piecePlace.schema,
  result: acceptanceResult.schema.nullable(),
  orderState: orderState.schema.nullable(),
  round: z.number().int(),
  noteCode: z.string(),
  nextNoteCode: z.string(),
  changeCode: z.string(),
  since: z.number().int(),
})
export const orderLine = z.object({
  id: z.string(),
  item_id: z.string(),
  code: z.string(),
  name: z.string(),
  detail: z.string(),
  unit: z.string(),
  stage: siteStage.schema.nullable(),
  /** As it was placed; what of it is in force, and what that comes to. */
  quantity: decimal,
  inForce: decimal,
  price: decimal.nullable(),
  amount: decimal.nullable(),
  promisedOn: z.string().nullable(),
  orderState: orderState.schema.nullable(),
  /** Its track: what of it got so far. */
  shipped: decimal,
  arrived: decimal,
  accepted: decimal,
  returned: decimal,
  pieces: z.array(orderPiece),
})
export type OrderLine = z.output<typeof orderLine>
export const orderNote = z.object({
  id: z.string(),
  code: z.string(),
  kind: z.number().int(),
  state: z.number().int(),
  checkState: checkState.schema.nullable(),
  shippedAt: z.number().int().nullable(),
  deliveredAt: z.number().int().nullable(),
})
export const orderDetail = orderRow.extend({
  /** Empty for its receiver, like the item and the stage of its lines. */
  contract_id: z.string(),
  contractCode: z.string(),
  remark: z.string(),
  revision: z.number().int(),
  rejectCode: z.union([rejectReason.schema, z.literal('')]),
  reason: z.string(),
  askAt: z.number().int().nullable(),
  address: z.string(),
  contact: z.string(),
  contactPhone: z.string(),
  parent_id: z.string().nullable(),
  parentCode: z.string(),
  children: z.array(z.object({ id: z.string(), code: z.string() })),
  lineList: z.array(orderLine),
  notes: z.array(orderNote),
  changes: z.array(
    z.object({
      id: z.string(),
      code: z.string(),
      result: z.number().int().nullable(),
      examineState: z.number().int(),
    }),
  ),
  /** The order's events, the newest first. */
  log: z.array(z.object({ at: z.number().int(), who: z.string(), action: z.string(), reason: z.string() })),
  /** The person who has to act now, and since when; empty when nobody has. */
  turn: z.string(),
  turnSince: z.number().int().nullable(),
  revisions: z.array(z.object({ revision: z.number().int(), at: z.number().int(), text: z.string() })),
})
export type OrderDetail = z.output<typeof orderDetail>

/** What a company or a store was asked, delivered and is owed in a span of days. */
export const unitRow = z.object({
  id: z.string(),
  name: z.string(),
  bc_name: z.string(),
  orders: z.number().int(),
  waiting: z.number().int(),
  rejected: z.number().int(),
  accepted: z.number().int(),
  /** Recalled, released or withdrawn; with the three before they are all that was ordered. */
  ended: z.number().int(),
  /** Working hours in which an order lay before them, on average of the times that they answered. */
  answerHours: z.number().nullable(),
  /** The number of answers behind that average. */
  answers: z.number().int(),
  /** Notes with a promised day that arrived; of them after it, and by a later day to which it was moved. */
  arrived: z.number().int(),
  arrivedLate: z.number().int(),
  arrivedMoved: z.number().int(),
  /** The share in time of those that arrived, in percent; null where none did. */
  onTime: z.number().nullable(),
  late: z.number().int(),
  acceptedAmount: decimal.nullable(),
  returnedAmount: decimal.nullable(),
  /** Freight, damage and the like. */
  handAmount: decimal.nullable(),
  due: decimal.nullable(),
  /** Paid in the span, whichever month it was for. */
  paid: decimal.nullable(),
})
export type UnitRow = z.output<typeof unitRow>
export const orderRemark = words('备注', 200)
export const placeFacts = z.object({
  lines: z
    .array(
      z.object({
        item_id: uuid.meta({ title: '合同项' }),
        quantity: someOf('数量'),
        /** Of what names none. */
        receiver_id: uuid.nullable().default(null).meta({ title: '商家' }),
        /** It may differ from that of all: goods of a later stage are an order of their own. */
        expectedOn: day.optional().meta({ title: '期望到货' }),
      }),
    )
    .min(1, { error: '请选择要下单的商品' })
    .max(MOST_ORDER_LINES, { error: `一次最多下 ${MOST_ORDER_LINES} 行` })
    .meta({ title: '商品' }),
  method: deliveryMethod.schema.meta({ title: '交付方式' }),
  expectedOn: day.meta({ title: '期望到货' }),
  remark: orderRemark,
})
export type PlaceFacts = z.output<typeof placeFacts>
/** The price for which an item of the plan would be ordered now; null where nobody has said what it costs. */
export const planPrice = z.object({ item_id: z.string(), price: decimal.nullable() })
/** Lines of an order, or part of them. */
export const partFacts = z
  .array(z.object({ line_id: uuid.meta({ title: '行号' }), quantity: someOf('数量') }))
  .min(1, { error: '请选择行' })
  .max(MOST_ORDER_LINES, { error: `一次最多 ${MOST_ORDER_LINES} 行` })
export type PartFacts = z.output<typeof partFacts>

/** The log\'s names for the fields of an order. */
export const orderLog = logged('订单', {
  code: '订单号',
  site_id: ['工地', 'site'],
  bc_id: ['分公司', 'company'],
  receiver: '商家',
  lines: '行数',
  method: ['交付方式', deliveryMethod],
  expectedOn: '期望到货',
  receiveState: ['接单状态', receiveState],
  ended: ['结束方式', orderEnd],
  rejectCode: ['拒单原因', rejectReason],
  ask: ['请求', orderAsk],
  batch: '批次',
  to: '拆出订单',
  quantity: '数量',
  item: '商品',
  promisedOn: '承诺到货',
  readyOn: '可以到货',
  place: ['卸货位置', 'personal'],
})
