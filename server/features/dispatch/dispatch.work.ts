import { dispatchState } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'

import { countWaiting } from '../../kit/count-waiting.ts'
import type { Queue } from '../users/open-work.service.ts'

const { delivered, shipped, waiting } = dispatchState.code

/** Goods that are there wait for somebody who accepts them. */
export const acceptanceQueue: Queue = {
  right: 'accept:do',
  title: '验收到货',
  waiting: countWaiting(
    'dispatch.toaccept',
    `dispatches d WHERE d.tenant_id = $1 AND d.bc_id = $2 AND d.state = ${delivered}`,
  ),
}
export const arrivalQueue: Queue = {
  right: 'dispatch:deliver',
  title: '确认送达',
  waiting: countWaiting(
    'dispatch.todeliver',
    `dispatches d WHERE d.tenant_id = $1 AND d.bc_id = $2 AND d.state = ${shipped}`,
  ),
}
export const shippingQueue: Queue = {
  right: 'dispatch:ship',
  title: '发货',
  receiver: true,
  waiting: countWaiting(
    'dispatch.toship',
    `dispatches d WHERE d.tenant_id = $1 AND d.receiver_id = $2 AND d.state = ${waiting}`,
  ),
}
