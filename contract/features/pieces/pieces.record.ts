import { type Code, defineCodes } from '../../kit/codes.ts'

export const orderState = defineCodes('orderState', '订单状态', {
  toOrder: [1, '待下单'],
  ordered: [2, '已下单'],
  toShip: [3, '待发货'],
  shipped: [4, '已发货'],
  arrived: [5, '待验收'],
  accepted: [6, '已验收'],
  toReturn: [7, '待退货'],
})
export type OrderState = Code<typeof orderState>
export const acceptanceResult = defineCodes('acceptanceResult', '验收结果', {
  underWay: [0, '运输中'],
  waiting: [1, '待验收'],
  accepted: [2, '已验收'],
  short: [3, '补货'],
  exchange: [4, '换货'],
  return: [5, '退货'],
})
export type AcceptanceResult = Code<typeof acceptanceResult>
export const checkState = defineCodes('checkState', '验收状态', {
  none: [0, '待验收'],
  part: [1, '部分验收'],
  all: [2, '已验收'],
})
export type CheckState = Code<typeof checkState>
/** The place of a quantity; it is in one place only. */
export const piecePlace = defineCodes('piecePlace', '所在环节', {
  open: ['open', '待下单'],
  held: ['held', '已拒单'],
  asked: ['asked', '待接单'],
  ship: ['ship', '待发货'],
  way: ['way', '运输中'],
  waiting: ['waiting', '待验收'],
  accepted: ['accepted', '已验收'],
  change: ['change', '退换补'],
  back: ['back', '已退货'],
  dropped: ['dropped', '已取消'],
})
export type PiecePlace = Code<typeof piecePlace>

/** A quantity of one item of a contract, as far as its state depends on it. */
export interface PieceStanding {
  place: PiecePlace
  result: AcceptanceResult | null
  /** The progress of the goods that come instead, after a shortage or an exchange. */
  replaced: '' | 'ship' | 'way'
  /** Legs back to the supplier that are open. */
  legs: number
}

const state = orderState.code
const BY_PLACE: Readonly<Record<Exclude<PiecePlace, 'change' | 'dropped'>, OrderState>> = {
  open: state.toOrder,
  held: state.toOrder,
  asked: state.ordered,
  ship: state.toShip,
  way: state.shipped,
  waiting: state.arrived,
  accepted: state.accepted,
  back: state.accepted,
}
/** The orderState of a piece (docs/states.md, Pieces); what was dropped has none. */
export function stateOfPiece({ place, result, replaced, legs }: PieceStanding): OrderState | null {
  if (place === 'dropped') return null
  if (legs > 0) return state.toReturn
  if (place !== 'change') return BY_PLACE[place]
  if (result === acceptanceResult.code.return) return state.toReturn
  return replaced === 'way' ? state.shipped : state.toShip
}

/** A header stands where the first of these stands among its pieces. */
const HEADER: readonly OrderState[] = [
  state.toReturn,
  state.arrived,
  state.shipped,
  state.toShip,
  state.ordered,
  state.accepted,
  state.toOrder,
]
export const stateOfAll = (states: readonly (OrderState | null)[]): OrderState | null =>
  HEADER.find((one) => states.includes(one)) ?? null

/** The checkState of what a note carried: by the present results of its pieces. */
export function checkOf(pieces: readonly Pick<PieceStanding, 'place' | 'result'>[]): CheckState {
  const { accepted, underWay, waiting } = acceptanceResult.code
  const results = pieces.map((p) => p.result ?? underWay)
  if (results.every((r) => r === underWay || r === waiting)) return checkState.code.none
  const isOpen = (p: Pick<PieceStanding, 'place' | 'result'>) => p.result !== accepted && p.place !== 'back'
  return pieces.some(isOpen) ? checkState.code.part : checkState.code.all
}
