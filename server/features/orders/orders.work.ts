import { receiveState } from '@zhuguan/contract/features/orders/orders.record.ts'

import { int4, row } from '../../kit/row.ts'
import type { Queue } from '../users/open-work.service.ts'

const { rejected, waiting } = receiveState.code
/** What was refused, or is not answered yet, waits for who orders. */
export const placingQueue: Queue = {
  right: 'order:place',
  title: '下单和跟单',
  async waiting(tx, tenant, place) {
    const { rows } = await tx.query(
      'orders.toplace',
      row({ n: int4 }),
      `SELECT count(*)::int AS n FROM orders o
       WHERE o.tenant_id = $1 AND o.bc_id = $2 AND o.receive_state IN (${waiting}, ${rejected}) AND o.ended = ''`,
      [tenant, place],
    )
    return rows[0]!.n
  },
}
/** What was ordered waits for the receiver's answer. */
export const receivingQueue: Queue = {
  right: 'order:receive',
  title: '接单',
  receiver: true,
  async waiting(tx, tenant, place) {
    const { rows } = await tx.query(
      'orders.toreceive',
      row({ n: int4 }),
      `SELECT count(*)::int AS n FROM orders o
       WHERE o.tenant_id = $1 AND o.receiver_id = $2 AND o.receive_state = ${waiting} AND o.ended = ''`,
      [tenant, place],
    )
    return rows[0]!.n
  },
}
