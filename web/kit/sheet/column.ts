import type { ReactNode } from 'react'

/** Why a cell does not take what it is given: the contract's sentence. */
export interface Refused {
  refused: string
}
export const refusedIn = (answer: object): string | undefined => (answer as Partial<Refused>).refused

/** Something that a cell offers while it is typed in. */
export interface Offer {
  key: string
  text: string
  note?: string
  /** Nothing else can have been meant. */
  isExact?: boolean
}
export interface SheetRow {
  readonly id: string
}
/** A column of a sheet: what is shown, copied, typed and refused there. */
export interface SheetColumn<R extends SheetRow> {
  key: string
  title: string
  width: number
  /** It takes what the others leave. */
  isWide?: boolean
  /** The value of the cell: shown, copied, edited. */
  text: (row: R) => string
  show?: (row: R) => ReactNode
  /** The row with what was typed; without it the column is worked out and cannot be written. */
  put?: (row: R, text: string) => R | Refused
  /** The reason why this row's cell cannot be written. */
  locked?: (row: R) => string | undefined
  /** The choices that fit to what is typed. */
  offers?: (row: R, text: string) => readonly Offer[] | Promise<readonly Offer[]>
  /** The row with what was chosen; without it the offer's text is put. */
  take?: (row: R, offer: Offer) => R | Refused
  right?: boolean
  frozen?: boolean
  tone?: (row: R) => string | undefined
}

/** The reason why nothing can be written there. */
export const whyNot = <R extends SheetRow>(column: SheetColumn<R>, row: R): string | undefined =>
  column.put ? column.locked?.(row) : `“${column.title}”是算出来的，不能填写`

/** The row with another text; the row itself where it says the same already. */
export function written<R extends SheetRow>(column: SheetColumn<R>, row: R, text: string): R | Refused {
  if (text === column.text(row)) return row
  const reason = whyNot(column, row)
  return reason === undefined ? column.put!(row, text) : { refused: reason }
}

/** Digits as a Chinese keyboard or a formatted sheet writes them: １２．５, 1,234.50. */
export function plainDigits(text: string): string {
  const half = text
    .trim()
    .replace(/[０-９．，－]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
  return /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(half) ? half.replaceAll(',', '') : half
}
