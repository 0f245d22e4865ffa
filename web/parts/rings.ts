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
export const BESIDE = 0.02

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}
const meets = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** Names where they do not lie upon each other; the nearest and the biggest ones first. */
export function named<P extends Point>(points: readonly P[], radius: number, textSize: number): Set<P> {
  const taken: Box[] = []
  const shown = new Set<P>()
  const text = textSize * radius
  for (const p of points.toSorted((a, b) => weight(b) - weight(a) || a.metres - b.metres)) {
    const left = p.east + dotOf(p, radius) + BESIDE * radius
    const box = {
      left,
      right: left + p.community.length * text * CHARACTERS_WIDE,
      top: -p.north - text / 2,
      bottom: -p.north + text / 2,
    }
    if (taken.some((other) => meets(box, other))) continue
    taken.push(box)
    shown.add(p)
  }
  return shown
}
const weight = (p: Point) => (p.metres === 0 ? Infinity : p.building + p.finished)
export const dotOf = (p: Point, radius: number) =>
  radius * Math.min(BIGGEST_DOT, LEAST_DOT + DOT_OF_HOME * Math.sqrt(p.building + p.finished))
