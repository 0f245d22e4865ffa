import type { Block } from './block.ts'
import { refusedIn, type Refused, type SheetColumn, type SheetRow, whyNot, written } from './column.ts'
import type { Box } from './range.ts'

export interface Sheeted<R extends SheetRow> {
  rows: readonly R[]
  columns: readonly SheetColumn<R>[]
  /** A row that nothing is known of yet, after another; without it the sheet does not grow. */
  fresh?: (after: R | undefined) => R
  most: number
}
/** Rows after a change, and what is said of it. */
export interface Changed<R> {
  rows: readonly R[]
  note?: string
}
type Answer<R> = Changed<R> | Refused

const column = (of: { title: string }) => `“${of.title}”`
const tooMany = (most: number): Refused => ({ refused: `最多 ${most} 行` })

/** What stands in a box, as it is copied. */
export const copied = <R extends SheetRow>({ rows, columns }: Sheeted<R>, box: Box): Block =>
  rows
    .slice(box.top, box.bottom + 1)
    .map((row) => columns.slice(box.left, box.right + 1).map((c) => c.text(row)))

/**
 * A block set down with its corner at the box's; one cell fills the whole box. Nothing changes where one cell refuses,
 * or where the block reaches beyond the sheet; what is worked out is passed over and named.
 */
export function pasted<R extends SheetRow>(sheet: Sheeted<R>, box: Box, block: Block): Answer<R> {
  const single = block.length === 1 && block[0]!.length === 1
  const cells = single ? filled(box, block[0]![0]!) : block
  const wide = Math.max(0, ...cells.map((row) => row.length))
  const left = sheet.columns.slice(box.left)
  if (wide > left.length)
    return {
      refused: `粘贴的内容有 ${wide} 列，从${column(left[0]!)}起只有 ${left.length} 列；什么都没有改`,
    }
  const grown = withRows(sheet, box.top + cells.length)
  const cannot = refusedIn(grown)
  if (cannot !== undefined)
    return { refused: `粘贴后有 ${box.top + cells.length} 行，${cannot}；什么都没有改` }
  const rows = [...(grown as readonly R[])]
  const passed = new Set<string>()
  for (const [i, texts] of cells.entries())
    for (const [j, text] of texts.entries()) {
      const [to, row] = [left[j]!, rows[box.top + i]!]
      if (!to.put) {
        if (text !== to.text(row)) passed.add(to.title)
        continue
      }
      const next = written(to, row, text)
      const reason = refusedIn(next)
      if (reason !== undefined)
        return { refused: `第 ${box.top + i + 1} 行${column(to)}：${reason}；什么都没有改` }
      rows[box.top + i] = next as R
    }
  return passed.size === 0 ? { rows } : { rows, note: `${[...passed].join('、')}是算出来的，没有粘贴` }
}
const filled = (box: Box, text: string): Block =>
  Array.from({ length: box.bottom - box.top + 1 }, () =>
    Array.from({ length: box.right - box.left + 1 }, () => text),
  )
function withRows<R extends SheetRow>(
  { rows, fresh, most }: Sheeted<R>,
  count: number,
): readonly R[] | Refused {
  if (count <= rows.length) return rows
  if (!fresh) return { refused: '这张表不能加行' }
  if (count > most) return tooMany(most)
  const all = [...rows]
  while (all.length < count) all.push(fresh(all.at(-1)))
  return all
}

/** Every cell of the box that can be written with another text; those that refuse stay, and the first says why. */
function each<R extends SheetRow>(
  { rows, columns }: Sheeted<R>,
  box: Box,
  textOf: (column: SheetColumn<R>) => string,
): Answer<R> {
  const chosen = columns.slice(box.left, box.right + 1)
  const open = chosen.filter((c) => c.put)
  let reason = open.length === 0 ? whyNot(chosen[0]!, rows[box.top]!) : undefined
  const next = rows.map((row, i) => {
    if (i < box.top || i > box.bottom) return row
    return open.reduce<R>((now, to) => {
      const answer = written(to, now, textOf(to))
      const no = refusedIn(answer)
      if (no !== undefined) reason ??= no
      return no === undefined ? (answer as R) : now
    }, row)
  })
  const some = next.some((row, i) => row !== rows[i])
  if (!some && reason !== undefined) return { refused: reason }
  return reason === undefined ? { rows: next } : { rows: next, note: reason }
}
export const cleared = <R extends SheetRow>(sheet: Sheeted<R>, box: Box): Answer<R> =>
  each(sheet, box, () => '')

/** As Ctrl+D: the first row of the box goes down; of one row, what stands above it. */
export function filledDown<R extends SheetRow>(sheet: Sheeted<R>, box: Box): Answer<R> {
  const source = box.top === box.bottom ? box.top - 1 : box.top
  if (source < 0) return { rows: sheet.rows }
  return each(sheet, { ...box, top: source + 1 }, (to) => to.text(sheet.rows[source]!))
}

export function inserted<R extends SheetRow>({ rows, fresh, most }: Sheeted<R>, after: number): Answer<R> {
  if (!fresh) return { refused: '这张表不能加行' }
  if (rows.length >= most) return tooMany(most)
  return { rows: [...rows.slice(0, after + 1), fresh(rows[after]), ...rows.slice(after + 1)] }
}
export const removed = <R extends SheetRow>({ rows }: Sheeted<R>, box: Box): readonly R[] =>
  rows.filter((_, i) => i < box.top || i > box.bottom)

/** The rows of the box one place up or down; none where there is no place. */
export function moved<R extends SheetRow>({ rows }: Sheeted<R>, box: Box, by: 1 | -1): readonly R[] | null {
  const other = by === 1 ? box.bottom + 1 : box.top - 1
  const over = rows[other]
  if (!over) return null
  const block = rows.slice(box.top, box.bottom + 1)
  const [before, after] = [
    rows.slice(0, Math.min(other, box.top)),
    rows.slice(Math.max(other, box.bottom) + 1),
  ]
  return by === 1 ? [...before, over, ...block, ...after] : [...before, ...block, over, ...after]
}
