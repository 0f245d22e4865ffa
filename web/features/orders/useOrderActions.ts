import { orderActions, takesBack } from '@zhuguan/contract/features/orders/orders.actions.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { orderAsk, type OrderRow, type OrderSide } from '@zhuguan/contract/features/orders/orders.record.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { useActor } from '../../parts/session.ts'

export interface OpenedOrder {
  kind: 'accept' | 'reject' | 'split' | 'resubmit'
  order: OrderRow
}
/** What the other side waits for is answered first. */
const FIRST = ['agree', 'decline']

/** What this person may do to an order; a page of one side offers what is that side's. */
export function useOrderActions(
  open: (o: OpenedOrder) => void,
  side?: OrderSide,
): (order: OrderRow) => RowAction[] {
  const actor = useActor()
  return (order) => {
    const { code, receiverName } = order
    const one = { id: order.id, version: order.version }
    const opens = (kind: OpenedOrder['kind']) => ({ open: () => open({ kind, order }) })
    const ofBuyer = <T>(doing: T): T | null => (side === 'receiver' ? null : doing)
    const ofReceiver = <T>(doing: T): T | null => (side === 'buyer' ? null : doing)
    const asked = orderAsk.label(order.ask)
    const request = `${order.askName}申请${asked}：${order.askReason}。`
    const isMine = takesBack(order, actor)
    const actions = actionsOf(orderActions, order, actor, {
      accept: ofReceiver(opens('accept')),
      reject: ofReceiver(opens('reject')),
      split: ofReceiver(opens('split')),
      recall: ofBuyer({
        confirm: `撤回订单 ${code}？${receiverName}还没有接单，里面的商品回到待下单`,
        run: (reason) => call(ordersApi.recall, { body: { ...one, reason } }),
      }),
      urge: ofBuyer({ run: () => call(ordersApi.urge, { body: one }) }),
      resubmit: ofBuyer(opens('resubmit')),
      release: ofBuyer({
        confirm: `释放订单 ${code}？这张订单结束，里面的商品回到待下单，可以改向别家下单`,
        run: (reason) => call(ordersApi.release, { body: { ...one, reason } }),
      }),
      withdraw: {
        confirm: `申请撤销订单 ${code}？对方同意以后订单结束，商品回到待下单`,
        run: (reason) => call(ordersApi.withdraw, { body: { ...one, reason } }),
      },
      close: {
        confirm: `申请结束订单 ${code} 的剩余部分？对方同意以后没有发出的商品不再发货，回到待下单`,
        run: (reason) => call(ordersApi.close, { body: { ...one, reason } }),
      },
      agree: {
        confirm: `订单 ${code}，${request}同意以后${
          order.ask === orderAsk.code.withdraw ? '订单结束，商品' : '没有发出的商品'
        }回到待下单`,
        run: () => call(ordersApi.agree, { body: one }),
      },
      decline: {
        confirm: isMine
          ? `撤回对订单 ${code} 的请求（${asked}）？订单照常进行`
          : `订单 ${code}，${request}不同意的话订单照常进行`,
        run: (reason) => call(ordersApi.decline, { body: { ...one, reason } }),
      },
    })
    const rank = (a: RowAction) => (FIRST.includes(a.key) ? 0 : 1)
    // On a list the button itself says what is asked; an order's own page says it beside.
    const labelOf = ({ key, label }: RowAction) => {
      if (key === 'decline' && isMine) return '撤回请求'
      return side && FIRST.includes(key) ? `${label}${asked}` : label
    }
    return actions.map((a) => ({ ...a, label: labelOf(a) })).toSorted((a, b) => rank(a) - rank(b))
  }
}
