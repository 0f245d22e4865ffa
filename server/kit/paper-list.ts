import { maskPhone } from '@zhuguan/contract/kit/masked.ts'

import type { PaperColumn, PaperPart } from './paper.ts'

const MOBILE = /(?<!\d)(?:\+?86[ -]?)?(1[3-9]\d[ .·—-]?\d{4}[ .·—-]?\d{4})(?!\d)/g
/** Somebody's words, without the telephone numbers in them but for these. */
export const withoutNumbersBut =
  (own: readonly string[]) =>
  (words: string): string =>
    words.replace(MOBILE, (said, number: string) => {
      const digits = number.replace(/\D/g, '')
      return own.includes(digits) ? said : maskPhone(digits)
    })
export const withoutNumbers = withoutNumbersBut([])

const length = (n: number, shown: number): string =>
  n > shown ? `（共 ${n} 条，列出 ${shown} 条）` : `（${n} 条）`
/** So many signs of one kind are drawn in a few seconds; more of them would be given up. */
const MOST_SIGNS = 30_000
function fitting(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  let signs = 0
  return rows.filter((cells) => (signs += cells.join('').length) <= MOST_SIGNS)
}

/** A table that says how much there is; where there is nothing, that. */
export function listed<R extends { n: number }>(
  title: string,
  columns: readonly PaperColumn[],
  rows: readonly R[],
  cells: (row: R) => readonly string[],
): PaperPart {
  if (rows.length === 0) return { kind: 'words', title, text: '没有' }
  const shown = fitting(rows.map((row) => cells(row).map(withoutNumbers)))
  return { kind: 'table', title: `${title}${length(rows[0]!.n, shown.length)}`, columns, rows: shown }
}
