import { sum } from '@zhuguan/contract/kit/money.ts'

import type { PaperSubtotal } from './paper.ts'

/** A line of a paper that is read room by room. */
export interface RoomLine {
  room: string
  /** Within the package: it has no amount of its own. */
  included: boolean
  amount: string
}

/**
 * Lines as an owner walks through the home: room after room, in the order in which the rooms first come, each with what
 * it comes to. A home of one room needs no subtotal.
 */
export function byRoom<L extends RoomLine>(
  lines: readonly L[],
  cells: (line: L, at: number) => readonly string[],
  amountText: (amount: string) => string,
): (readonly string[] | PaperSubtotal)[] {
  const rooms = [...new Set(lines.map((line) => line.room))]
  let at = 0
  return rooms.flatMap((room) => {
    const here = lines.filter((line) => line.room === room)
    const priced = here.filter((line) => !line.included)
    const rows = here.map((line) => cells(line, at++))
    if (rooms.length === 1) return rows
    const amount = priced.length > 0 ? amountText(sum(priced.map((line) => line.amount))) : '含在套餐里'
    return [
      ...rows,
      {
        subtotal: `${room} 小计${priced.length < here.length && priced.length > 0 ? '（套餐以外）' : ''}`,
        amount,
      },
    ]
  })
}
