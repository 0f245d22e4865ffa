import { receiveState } from '@zhuguan/contract/features/orders/orders.record.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'

import { TODAY } from '../../kit/statement.ts'
import { MOVING_HEADERS } from '../pieces/pieces.reads.ts'

const { waiting } = receiveState.code
const { arrived, ordered, shipped, toReturn, toShip } = orderState.code

/** Of an order `o`: a piece in one of these states, as a comparison says it. */
export const hasPiece = (states: string): string =>
  `EXISTS (SELECT 1 FROM pieces x
           WHERE x.tenant_id = $1 AND x.order_id = o.id AND x.order_state = ${states})`
/** Not answered in time, and expected before today and not all there, whatever else of it has arrived. */
export const LATE_IN = {
  answer: `(o.ended = '' AND o.receive_state = ${waiting} AND o.due_at < :now)`,
  arrival: `(o.ended IN ('', 'closed') AND coalesce(o.order_state IN (${MOVING_HEADERS}), false)
         AND o.expected_on < ${TODAY} AND ${hasPiece(`ANY('{${[ordered, toShip, shipped].join(',')}}'::smallint[])`)})`,
}
/** Either of them. */
export const LATE = `(${LATE_IN.answer} OR ${LATE_IN.arrival})`
/** Orders of which something is to be shipped; under any other header nothing can be. */
export const TO_SHIP = `(o.order_state IN (${[toShip, shipped, arrived, toReturn].join(', ')})
         AND ${hasPiece(String(toShip))})`
/** Nobody has answered. */
export const ASKED = `o.receive_state = ${waiting} AND o.ended = ''`
