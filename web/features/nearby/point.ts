import { DEGREE_M } from '@zhuguan/contract/kit/places.ts'
const STEP = 10
const EXACT = 6
interface Asked {
  east?: string | undefined
  north?: string | undefined
  point?: string | undefined
}
/** Metres from the middle of the rings; to tens, as a finger points. */
export interface Beside {
  east: number
  north: number
}
const tens = (metres: number) => Math.round(metres / STEP) * STEP
const lengthOf = (metres: number, [one, other]: readonly [string, string]) =>
  metres === 0 ? '' : `${metres > 0 ? one : other} ${Math.abs(metres)} 米`

/** A point beside the one in the middle, as the address says it: of the community, or by itself. */
export function movedTo({ east, north, point }: Asked, by: Beside): [keyof Asked, string | undefined][] {
  if (!point)
    return [
      ['east', String(tens(Number(east ?? 0) + by.east))],
      ['north', String(tens(Number(north ?? 0) + by.north))],
    ]
  const [lng, lat] = point.split(',').map(Number) as [number, number]
  const there = [lng + by.east / (DEGREE_M * Math.cos((lat * Math.PI) / 180)), lat + by.north / DEGREE_M]
  return [['point', there.map((n) => n.toFixed(EXACT)).join(',')]]
}
/** 良渚文化村往东 320 米、往北 120 米; nothing where the community itself is in the middle. */
export function pointText(community: string, { east, north, point }: Asked): string {
  if (point) return `点 ${point}`
  const parts = [
    lengthOf(Number(east ?? 0), ['往东', '往西']),
    lengthOf(Number(north ?? 0), ['往北', '往南']),
  ].filter(Boolean)
  return parts.length ? `${community}${parts.join('、')}` : ''
}
