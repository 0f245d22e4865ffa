import { type CheckIn, type MapFigures } from '@zhuguan/contract/features/supervision/supervision.record.ts'
import type { Place } from '@zhuguan/contract/kit/places.ts'

import { MOST_SERIES } from '../../kit/chart/colours.ts'
import type { Way } from '../../kit/map/pointMap.ts'
import type { Kind } from '../../kit/map/signs.ts'

/** The sites that need a person first. */
export const SIGNS: readonly Kind[] = [
  { shape: 'diamond', tone: 'bad', label: '没有到访的工地' },
  { shape: 'circle', tone: 'ok', label: '最近一次签到' },
  { shape: 'triangle', tone: 'wait', label: '今天的签到' },
]
/** The map counts in millionths. */
const DEGREE = 1_000_000
type Person = MapFigures['people'][number]
interface Spot extends Place {
  kind: number
  /** What is said of it under the pointer. */
  about: string
  /** The labels beside it: of a way not each stop, or names lie on each other. */
  name?: string
  person?: string
}
const placed = <T extends { lng: number | null; lat: number | null }>(of: T): of is T & Place =>
  of.lng !== null && of.lat !== null
const wayOf = (today: readonly CheckIn[]) => today.filter(placed)

/** The stops of today in their order, the last of them named; without any where they were last. */
function spotsOf({ id, last, nickname, today }: Person, isChosen: boolean): Spot[] {
  const way = wayOf(today)
  const of = { person: id }
  if (way.length === 0)
    return last && placed(last)
      ? [{ ...of, lng: last.lng, lat: last.lat, kind: 1, about: nickname, name: nickname }]
      : []
  return way.map((c, i) => {
    const about = `${i + 1} ${c.siteName}`
    const spot = { ...of, lng: c.lng, lat: c.lat, kind: 2, about: isChosen ? about : `${nickname} ${about}` }
    if (isChosen) return { ...spot, name: about }
    return i === way.length - 1 ? { ...spot, name: nickname } : spot
  })
}

/** Of whom a way is drawn, each in a colour of their own as far as there are colours. */
export function huesOf(people: readonly Person[]): ReadonlyMap<string, number | null> {
  const out = people.filter((p) => wayOf(p.today).length > 1)
  return new Map(out.map((p, i) => [p.id, i < MOST_SERIES ? i : null]))
}

/** The points of the map with their names and lines: of one person the stops of today in their order. */
export function picture(data: MapFigures | undefined, picked: string | null) {
  const people = data?.people ?? []
  const chosen = people.find((p) => p.id === picked)
  const shown = chosen ? [chosen] : people
  const hues = huesOf(people)
  const spots: Spot[] = [
    ...(data?.unvisited ?? [])
      .filter(placed)
      .map((s) => ({ lng: s.lng, lat: s.lat, kind: 0, about: s.ws_name, name: s.ws_name })),
    ...shown.flatMap((p) => spotsOf(p, p === chosen)),
  ]
  return {
    points: {
      lng: spots.map((s) => Math.round(s.lng * DEGREE)),
      lat: spots.map((s) => Math.round(s.lat * DEGREE)),
      kind: new Uint8Array(spots.map((s) => s.kind)),
    },
    names: new Map(spots.flatMap((s, i) => (s.name === undefined ? [] : [[i, s.name] as const]))),
    abouts: spots.map((s) => s.about),
    people: spots.map((s) => s.person),
    lines: shown.map((p): Way => ({ places: wayOf(p.today), hue: hues.get(p.id) ?? null })),
  }
}
