import { orderAsk } from '@zhuguan/contract/features/orders/orders.record.ts'

import type { Tx } from '../../database/connect.ts'
import { row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { tellPerson } from '../live/live.service.ts'
import { passOrder, tellOrder } from './orders.service.ts'

/**
 * Something of an order has shipped: it can no longer be withdrawn. A request for that, to which nobody could agree
 * now, is over, and who made it is told. The caller has locked the order.
 */
export async function lapseWithdrawal(tx: Tx, call: Call, order: string): Promise<void> {
  const { tenant } = call.user
  const { rows } = await tx.query(
    'orders.lapse',
    row({
      id: uuid,
      code: text,
      bc_id: uuid,
      place_id: uuid,
      receiver_id: uuid,
      made_by: uuid,
      ask_by: uuid.null,
    }),
    `UPDATE orders o SET ask = '', ask_side = '', version = o.version + 1
     WHERE o.tenant_id = $1 AND o.id = $2 AND o.ask = '${orderAsk.code.withdraw}'
     RETURNING o.id, o.code, o.bc_id, o.site_id AS place_id, o.receiver_id, o.made_by,
       o.ask_by`,
    [tenant, order],
  )
  const [o] = rows
  if (!o) return
  await call.log(tx, {
    action: '撤销请求失效',
    object: 'order',
    objectId: o.id,
    after: { code: o.code, ask: orderAsk.code.withdraw, reason: '已经发货' },
  })
  tellOrder(tx, call, o)
  if (o.ask_by === null) return
  tellPerson(tx, tenant, o.ask_by, 'order', o.id)
  const title = `订单 ${o.code} 已经发货，撤销请求失效；未发的可以申请结束剩余`
  await passOrder(tx, call, { ...o, asker: o.ask_by }, 'lapse', title)
}
