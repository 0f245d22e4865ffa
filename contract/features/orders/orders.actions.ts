import { defineActions } from '../../kit/actions.ts'
import { orderEnd, receiveState, type OrderRow } from './orders.record.ts'

const { accepted, rejected, waiting } = receiveState.code
export type OrderStanding = Pick<
  OrderRow,
  | 'receiveState'
  | 'ended'
  | 'ask'
  | 'askBy'
  | 'askSide'
  | 'buyer'
  | 'receiver'
  | 'shipped'
  | 'remains'
  | 'lines'
  | 'linesAccepted'
>
const isOver = (o: OrderStanding) =>
  o.ended === orderEnd.code.live ? undefined : `订单${orderEnd.label(o.ended)}，不能再办理`
const byBuyer = (o: OrderStanding) => (o.buyer ? isOver(o) : '这是下单方办理的')
const byReceiver = (o: OrderStanding) => (o.receiver ? isOver(o) : '这是接单方办理的')
const byEither = (o: OrderStanding) => (o.buyer || o.receiver ? isOver(o) : '只有下单方和接单方可以办理')
const isDone = (o: OrderStanding) => o.lines > 0 && o.lines === o.linesAccepted
const unlessAsked = (o: OrderStanding) => (o.ask === '' ? undefined : '已有一个请求在等对方答复')
type Asked = Pick<OrderStanding, 'ask' | 'askBy' | 'askSide' | 'buyer' | 'receiver'>
/** Asked by one side, answered by the other; who stands on both sides does not answer what they asked themselves. */
const asked = (o: Asked, actor: { id: string }) => {
  if (o.ask === '') return '没有等待答复的请求'
  if (o.askBy === actor.id) return '要由对方答复'
  return (o.askSide === 'buyer' ? o.receiver : o.buyer) ? undefined : '要由对方答复'
}
/** Whether this person, who does not answer it, is of the side that asked: declining is taking the request back. */
export const takesBack = (o: Asked, actor: { id: string }): boolean =>
  o.ask !== '' && asked(o, actor) !== undefined && (o.askSide === 'buyer' ? o.buyer : o.receiver)

/** docs/states.md, orderActions. */
export const orderActions = defineActions<OrderStanding>()('receiveState', receiveState, {
  accept: {
    label: '接单',
    from: [waiting],
    to: accepted,
    permission: 'order:receive',
    asks: true,
    absent: byReceiver,
  },
  reject: {
    label: '拒单',
    from: [waiting],
    to: rejected,
    permission: 'order:receive',
    asks: true,
    absent: byReceiver,
  },
  split: {
    label: '拆单',
    from: [waiting],
    to: waiting,
    permission: 'order:receive',
    asks: true,
    absent: byReceiver,
  },
  recall: {
    label: '撤回',
    from: [waiting],
    to: rejected,
    permission: 'order:place',
    reason: true,
    absent: byBuyer,
  },
  urge: {
    label: '催单',
    from: [waiting, accepted],
    to: { [waiting]: waiting, [accepted]: accepted },
    permission: 'order:place',
    absent: (o) => byBuyer(o) ?? (isDone(o) ? '订单已经全部验收' : undefined),
  },
  resubmit: {
    label: '重新提交',
    from: [rejected],
    to: waiting,
    permission: 'order:place',
    asks: true,
    absent: byBuyer,
  },
  release: {
    label: '释放',
    from: [rejected],
    to: rejected,
    permission: 'order:place',
    reason: true,
    absent: byBuyer,
  },
  withdraw: {
    label: '申请撤销',
    from: [accepted],
    to: accepted,
    permission: 'order:answer',
    reason: true,
    absent: byEither,
    unless: (o) => (o.shipped ? '已经发过货，不能撤销；可以结束剩余' : unlessAsked(o)),
  },
  close: {
    label: '申请结束剩余',
    from: [accepted],
    to: accepted,
    permission: 'order:answer',
    reason: true,
    absent: (o) => byEither(o) ?? (isDone(o) ? '订单已经全部验收' : undefined),
    unless: (o) => {
      if (!o.shipped) return '还没有发过货，要停就申请撤销'
      return o.remains ? unlessAsked(o) : '没有还没发的商品，没有剩余可以结束'
    },
  },
  agree: {
    label: '同意',
    from: [accepted],
    to: accepted,
    permission: 'order:answer',
    absent: (o, actor) => isOver(o) ?? asked(o, actor),
    unless: (o) =>
      o.ask === 'withdraw' && o.shipped ? '已经发过货，不能撤销；可以不同意，再结束剩余' : undefined,
  },
  decline: {
    label: '不同意',
    from: [accepted],
    to: accepted,
    permission: 'order:answer',
    reason: true,
    absent: (o, actor) => isOver(o) ?? (takesBack(o, actor) ? undefined : asked(o, actor)),
  },
})
