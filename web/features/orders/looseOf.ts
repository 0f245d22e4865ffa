import {
  type OrderDetail,
  orderEnd,
  type OrderLine,
  receiveState,
} from '@zhuguan/contract/features/orders/orders.record.ts'
import { piecePlace } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { total } from '@zhuguan/contract/kit/money.ts'

/** How much of each line waits to be shipped and stands on no note. */
export function looseOf(o: OrderDetail): { line: OrderLine; quantity: string }[] {
  if (o.receiveState !== receiveState.code.accepted || o.ended !== orderEnd.code.live) return []
  return o.lineList.flatMap((line) => {
    const loose = line.pieces.filter((p) => p.place === piecePlace.code.ship && p.noteCode === '')
    return loose.length ? [{ line, quantity: total(loose.map((p) => p.quantity)) }] : []
  })
}
