import { receiveState } from '@zhuguan/contract/features/orders/orders.record.ts'

import { countWaiting } from '../../kit/count-waiting.ts'
import type { Queue } from '../users/open-work.service.ts'
import { ASKED } from './orders.reads.ts'

const { rejected, waiting } = receiveState.code
/** What was refused, or is not answered yet, waits for who orders. */
export const placingQueue: Queue = {
  right: 'order:place',
  title: '下单和跟单',
  waiting: countWaiting(
    'orders.toplace',
    `orders o WHERE o.tenant_id = $1 AND o.bc_id = $2 AND o.receive_state IN (${waiting}, ${rejected})
       AND o.ended = ''`,
  ),
}
/** What one party asked of the other waits for its word. */
const asked = (name: string, place: 'bc_id' | 'receiver_id', side: 'buyer' | 'receiver') =>
  countWaiting(
    name,
    `orders o WHERE o.tenant_id = $1 AND o.${place} = $2 AND o.ask <> '' AND o.ask_side = '${side}'`,
  )
const ANSWER = { right: 'order:answer', title: '答复撤销、结束剩余的申请' }
export const askedQueues: readonly Queue[] = [
  { ...ANSWER, waiting: asked('orders.askedbuyer', 'bc_id', 'receiver') },
  { ...ANSWER, receiver: true, waiting: asked('orders.askedreceiver', 'receiver_id', 'buyer') },
]
/** What was ordered waits for the receiver's answer. */
export const receivingQueue: Queue = {
  right: 'order:receive',
  title: '接单',
  receiver: true,
  waiting: countWaiting(
    'orders.toreceive',
    `orders o WHERE o.tenant_id = $1 AND o.receiver_id = $2 AND ${ASKED}`,
  ),
}
