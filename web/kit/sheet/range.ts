/** A place in a sheet. */
export interface Spot {
  row: number
  col: number
}
/** A block of cells: where it was begun, and where it ends. */
export interface Range {
  from: Spot
  to: Spot
}
export const at = (row: number, col: number): Range => ({ from: { row, col }, to: { row, col } })

export interface Box {
  top: number
  bottom: number
  left: number
  right: number
}
export const boxOf = ({ from, to }: Range): Box => ({
  top: Math.min(from.row, to.row),
  bottom: Math.max(from.row, to.row),
  left: Math.min(from.col, to.col),
  right: Math.max(from.col, to.col),
})
export const holds = (box: Box, row: number, col: number): boolean =>
  row >= box.top && row <= box.bottom && col >= box.left && col <= box.right

/** The range with its end moved, inside a sheet of so many rows and columns. */
export const stretched = (
  range: Range,
  rows: number,
  cols: number,
  size: { rows: number; cols: number },
): Range => ({
  from: range.from,
  to: {
    row: Math.max(0, Math.min(size.rows - 1, range.to.row + rows)),
    col: Math.max(0, Math.min(size.cols - 1, range.to.col + cols)),
  },
})
