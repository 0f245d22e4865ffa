import { RADII } from '@zhuguan/contract/features/nearby/nearby.record.ts'
import type { RingPoint } from '@zhuguan/contract/features/screens/walls-content.record.ts'

/** A community around the middle, in metres to the east and the north. */
type Point = RingPoint
/** Beyond the outermost ring, so that a name at its edge is whole. */
export const ROOM = 1.12
/** In parts of the radius. */
const LEAST_DOT = 0.014
const DOT_OF_HOME = 0.008
const BIGGEST_DOT = 0.05
const CHARACTERS_WIDE = 1.05
const BESIDE = 0.02

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}
const meets = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** The name of a ring stands on its top: so many characters wide, and as far above it. */
const RING_NAME = 4
const ringName = (r: number, text: number): Box => ({
  left: (-RING_NAME / 2) * text,
  right: (RING_NAME / 2) * text,
  top: -r - 1.5 * text,
  bottom: -r,
})

/**
 * Names as text beside their dots: to the right or else to the left, where they lie upon no other and on no
 * ring's name and end within the picture; the nearest and the biggest ones first. `textSize` is in parts of the radius.
 */
export function named<P extends Point>(
  points: readonly P[],
  radius: number,
  textSize: number,
): Map<P, { x: number; textAnchor: 'start' | 'end' }> {
  const text = textSize * radius
  const edge = radius * ROOM
  const taken = RADII.filter((r) => r <= radius).map((r) => ringName(r, text))
  const shown = new Map<P, { x: number; textAnchor: 'start' | 'end' }>()
  for (const p of points.toSorted((a, b) => weight(b) - weight(a) || a.metres - b.metres)) {
    const off = dotOf(p, radius) + BESIDE * radius
    const wide = p.community.length * text * CHARACTERS_WIDE
    for (const side of [1, -1] as const) {
      const [near, far] = [p.east + side * off, p.east + side * (off + wide)]
      const box = {
        left: Math.min(near, far),
        right: Math.max(near, far),
        top: -p.north - text / 2,
        bottom: -p.north + text / 2,
      }
      if (Math.abs(far) > edge || taken.some((other) => meets(box, other))) continue
      taken.push(box)
      shown.set(p, { x: side * off, textAnchor: side === 1 ? 'start' : 'end' })
      break
    }
  }
  return shown
}
const weight = (p: Point) => (p.metres === 0 ? Infinity : p.building + p.finished)
export const dotOf = (p: Point, radius: number) =>
  radius * Math.min(BIGGEST_DOT, LEAST_DOT + DOT_OF_HOME * Math.sqrt(p.building + p.finished))
