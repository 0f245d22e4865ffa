import { type CaseMask, MASK_UNIT } from '@zhuguan/contract/features/cases/cases.record.ts'

import { loadSharp } from '../../kit/native.ts'
import { invalid } from '../../kit/refuse.ts'

/** Nothing public is wider. */
export const WIDEST = 1_600
const QUALITY = 84
/** Edge of a cell of a mask, in pixels of the finished picture. */
const CELL = 18
const MOST_PIXELS = 40_000_000
/** Two greys, alternating: a mask is seen to be one, and holds nothing of what lies under it. */
const GREYS = [96, 120] as const
const BYTES = 3

export type Turn = 0 | 90 | 180 | 270
interface Box {
  left: number
  top: number
  width: number
  height: number
}
/**
 * The rectangle in whole pixels: of a mask outwards, no line of what is under its edge is left; of what is left of a
 * picture inwards, no line of what was cut off stays.
 */
function boxOf(m: CaseMask, width: number, height: number, way: 'inwards' | 'outwards'): Box {
  const [first, last] = way === 'outwards' ? [Math.floor, Math.ceil] : [Math.ceil, Math.floor]
  const from = (part: number, of: number) => first((part / MASK_UNIT) * of)
  const to = (part: number, of: number) => Math.min(of, last((part / MASK_UNIT) * of))
  const [left, top] = [from(m.x, width), from(m.y, height)]
  return { left, top, width: to(m.x + m.w, width) - left, height: to(m.y + m.h, height) - top }
}
/** Filled cells of the size of the box; not one pixel is made of the picture. */
function cells({ height, width }: Box): Buffer {
  const bytes = Buffer.alloc(width * height * BYTES)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const odd = (Math.floor(x / CELL) + Math.floor(y / CELL)) % 2
      bytes.fill(GREYS[odd]!, (y * width + x) * BYTES, (y * width + x + 1) * BYTES)
    }
  return bytes
}

/** A rectangle of the picture as its camera takes it, on the turned one. */
export function turned(m: CaseMask, turn: Turn): CaseMask {
  if (turn === 0) return m
  const quarter = { x: MASK_UNIT - m.y - m.h, y: m.x, w: m.h, h: m.w }
  return turned(quarter, (turn - 90) as Turn)
}

/**
 * A picture of a site as it may be shown to strangers: turned, at most so wide, with its masks filled in, cut to what
 * is left of it, and with no word of where, when and by what it was taken. Rectangles are of the turned picture, as it
 * was looked at.
 */
export async function burn(
  source: Buffer,
  { crop, masks, turn }: { turn: Turn; masks: readonly CaseMask[]; crop: CaseMask | null },
): Promise<Buffer> {
  const sharp = await loadSharp()
  try {
    const upright = await sharp(source, { limitInputPixels: MOST_PIXELS }).rotate().toBuffer()
    const { data, info } = await sharp(upright)
      .rotate(turn)
      .resize({ width: WIDEST, withoutEnlargement: true })
      .flatten()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    const { channels, height, width } = info
    const boxes = masks
      .map((m) => boxOf(m, width, height, 'outwards'))
      .filter((b) => b.width > 0 && b.height > 0)
    const covered = await sharp(data, { raw: { width, height, channels } })
      .composite(
        boxes.map((box) => ({
          input: cells(box),
          raw: { width: box.width, height: box.height, channels: BYTES },
          left: box.left,
          top: box.top,
        })),
      )
      .raw()
      .toBuffer({ resolveWithObject: true })
    const whole = sharp(covered.data, { raw: covered.info })
    return await (crop ? whole.extract(boxOf(crop, width, height, 'inwards')) : whole)
      .jpeg({ quality: QUALITY })
      .toBuffer()
  } catch {
    throw invalid('file', '这张照片读不出来，请换一张')
  }
}
