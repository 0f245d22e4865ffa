import { sum } from '@zhuguan/contract/kit/money.ts'

import type { PaperColumn, PaperSubtotal, PaperTable } from './paper.ts'

const COLUMNS: readonly PaperColumn[] = [
  { title: '序', width: 22 },
  { title: '房间', width: 46 },
  { title: '属性', width: 40 },
  { title: '名称、规格' },
  { title: '单位', width: 24 },
  { title: '数量', width: 50, right: true },
  { title: '单价', width: 58, right: true },
  { title: '金额', width: 72, right: true },
]
/** A figure of this many points fits on the paper beside the name; a longer one breaks. */
const WIDEST = 104
const POINTS_PER_SIGN = 5
const PADDING = 10
/** Numbers stand on one line: their columns are as wide as the longest of them needs. */
export const roomColumns = (rows: PaperTable['rows']): PaperColumn[] =>
  COLUMNS.map((column, i) => {
    if (!column.right || column.width === undefined) return column
    const figures = rows.flatMap((row) => ('subtotal' in row ? [] : row[i]!.split('\n')))
    const longest = Math.max(0, ...figures.map((text) => text.length))
    const wanted = Math.min(WIDEST, longest * POINTS_PER_SIGN + PADDING)
    return { ...column, width: Math.max(column.width, wanted) }
  })

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
