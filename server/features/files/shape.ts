import { loadSharp } from '../../kit/native.ts'
import { MAX_PIXELS } from './file-store.ts'

/** Cells in a row and in a column, and points of a cell in a row: docs/decisions/0281 says why so many. */
const CELLS = 20
const POINTS = 16
const SIDE = CELLS * POINTS
/** Tolerances of a copy, measured in docs/decisions/0281: encoding moves a cell either way, a mark's white words up. */
const DARKER = 7
const BRIGHTER = 22
/** Two pictures of a blank wall or of the dark look alike without being copies. */
const PLAIN = 40
/** What may have been cut off at each side, in points. */
const CUT = SIDE * 0.08

/** What is left off at the left, top, right and bottom, in points. */
type Window = readonly number[]
const WHOLE: Window = [0, 0, 0, 0]
/** For every corner of a point, the sum of the light above and to the left of it. */
type Sums = Float64Array
const STRIDE = SIDE + 1

async function sumsOf(bytes: Buffer): Promise<Sums> {
  const points = await (
    await loadSharp()
  )(bytes, { limitInputPixels: MAX_PIXELS })
    .resize(SIDE, SIDE, { fit: 'fill', fastShrinkOnLoad: false })
    .greyscale()
    .raw()
    .toBuffer()
  const sums = new Float64Array(STRIDE * STRIDE)
  for (let y = 0; y < SIDE; y += 1)
    for (let x = 0, row = 0; x < SIDE; x += 1) {
      row += points[y * SIDE + x]!
      sums[(y + 1) * STRIDE + x + 1] = sums[y * STRIDE + x + 1]! + row
    }
  return sums
}
/** The sum up to a place between corners. */
function sumAt(sums: Sums, x: number, y: number): number {
  const [left, top] = [Math.min(SIDE - 1, Math.floor(x)), Math.min(SIDE - 1, Math.floor(y))]
  const [right, down] = [x - left, y - top]
  const at = top * STRIDE + left
  const above = sums[at]! * (1 - right) + sums[at + 1]! * right
  const below = sums[at + STRIDE]! * (1 - right) + sums[at + STRIDE + 1]! * right
  return above * (1 - down) + below * down
}
/** The mean light of the cells into which a window is cut. */
function cellsIn(sums: Sums, window: Window): number[] {
  const [left = 0, top = 0, right = 0, bottom = 0] = window
  const [width, height] = [(SIDE - left - right) / CELLS, (SIDE - top - bottom) / CELLS]
  const corner = (column: number, row: number) => sumAt(sums, left + column * width, top + row * height)
  return Array.from({ length: CELLS ** 2 }, (_, i) => {
    const [row, column] = [Math.floor(i / CELLS), i % CELLS]
    const light =
      corner(column + 1, row + 1) - corner(column, row + 1) - corner(column + 1, row) + corner(column, row)
    return light / (width * height)
  })
}
const rounded = (cells: number[]) => Buffer.from(cells.map(Math.round))
const isPlain = (shape: Buffer) => Math.max(...shape) - Math.min(...shape) < PLAIN

/** How bright each part of a picture is, whatever its size and however it is encoded. */
export const shapeOf = async (bytes: Buffer): Promise<Buffer> => rounded(cellsIn(await sumsOf(bytes), WHOLE))

/** Whether each cell is brighter than the next in its row: finds what may be a copy. A plain picture has none. */
export const lookOf = (shape: Buffer): string | null =>
  isPlain(shape)
    ? null
    : [...shape]
        .map((light, i) => (light > shape[i + 1]! ? '1' : '0'))
        .filter((_, i) => i % CELLS < CELLS - 1)
        .join('')

/** Whether the one was made of the other: encoded anew, made smaller, marked with the words of who looked at it. */
export const isCopy = (original: Buffer, other: Buffer): boolean =>
  !isPlain(original) &&
  original.every((light, i) => other[i]! > light - DARKER && other[i]! < light + BRIGHTER)

/** One side in or out, or the whole window aside. */
const MOVES: readonly Window[] = [
  [1, 0, 0, 0],
  [-1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, -1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, -1, 0],
  [0, 0, 0, 1],
  [0, 0, 0, -1],
  [1, 0, -1, 0],
  [-1, 0, 1, 0],
  [0, 1, 0, -1],
  [0, -1, 0, 1],
]
const COARSE = 8
const FINE = 0.25
/** The cells of the window of a picture that differs least from the shape of another. */
function nearest(sums: Sums, shape: Buffer): Buffer {
  const apart = (cells: number[]) => cells.reduce((sum, light, i) => sum + Math.abs(light - shape[i]!), 0)
  let window = WHOLE
  let cells = cellsIn(sums, WHOLE)
  for (let step = COARSE; step >= FINE; step /= 2)
    for (let isMoved = true; isMoved;) {
      isMoved = false
      for (const move of MOVES) {
        const next = window.map((cut, i) => cut + move[i]! * step)
        if (next.some((cut) => cut < 0 || cut > CUT)) continue
        const there = cellsIn(sums, next)
        if (apart(there) >= apart(cells)) continue
        ;[window, cells, isMoved] = [next, there, true]
      }
    }
  return rounded(cells)
}

/** Whether one of two pictures is a part of the other whose edges were cut off, or all of it. */
export async function isCut(original: Buffer, other: Buffer): Promise<boolean> {
  const [first, second] = [await sumsOf(original), await sumsOf(other)]
  const [a, b] = [rounded(cellsIn(first, WHOLE)), rounded(cellsIn(second, WHOLE))]
  return isCopy(nearest(first, b), b) || isCopy(a, nearest(second, a))
}
