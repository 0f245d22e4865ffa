import { loadSharp } from '../../kit/native.ts'
import { MAX_PIXELS } from './file-store.ts'

/** Cells in a row and in a column, and points of a cell in a row: docs/decisions/0281 says why so many. */
const CELLS = 20
const POINTS = 16
/** Encoding makes a cell a little darker or brighter, the white words of a mark make it brighter. */
const DARKER = 7
const BRIGHTER = 22
/** Two pictures of a blank wall or of the dark look alike without being copies. */
const PLAIN = 40

/** How bright each part of a picture is, whatever its size and however it is encoded. */
export async function shapeOf(bytes: Buffer): Promise<Buffer> {
  const side = CELLS * POINTS
  const points = await (
    await loadSharp()
  )(bytes, { limitInputPixels: MAX_PIXELS })
    .resize(side, side, { fit: 'fill', fastShrinkOnLoad: false })
    .greyscale()
    .raw()
    .toBuffer()
  const sums = new Float64Array(CELLS * CELLS)
  for (const [i, light] of points.entries()) {
    const [row, column] = [Math.floor(i / side / POINTS), Math.floor((i % side) / POINTS)]
    sums[row * CELLS + column]! += light
  }
  return Buffer.from(sums.map((sum) => Math.round(sum / POINTS ** 2)))
}

/** Whether the one was made of the other: encoded anew, made smaller, marked with the words of who looked at it. */
export const isCopy = (original: Buffer, other: Buffer): boolean =>
  Math.max(...original) - Math.min(...original) >= PLAIN &&
  original.every((light, i) => other[i]! > light - DARKER && other[i]! < light + BRIGHTER)
