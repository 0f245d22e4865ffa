import { type CheckIn, type MapFigures } from '@zhuguan/contract/features/supervision/supervision.record.ts'
import type { Place } from '@zhuguan/contract/kit/places.ts'

import type { Kind } from '../../kit/map/signs.ts'

/** What needs a person first. */
export const SIGNS: readonly Kind[] = [
  { shape: 'diamond', tone: 'bad', label: '没有到访的工地' },
  { shape: 'circle', tone: 'ok', label: '最近一次签到' },
  { shape: 'triangle', tone: 'wait', label: '今天的签到' },
]
/** The map counts in millionths. */
const DEGREE = 1_000_000
interface Spot extends Place {
  kind: number
  name: string
  person?: string
}
const placed = <T extends { lng: number | null; lat: number | null }>(of: T): of is T & Place =>
  of.lng !== null && of.lat !== null
const wayOf = (today: readonly CheckIn[]) => today.filter(placed)

/** The stops of today in their order; without any where they were last. */
function spotsOf({ id, last, nickname, today }: MapFigures['people'][number], isChosen: boolean): Spot[] {
  const way = wayOf(today)
  if (way.length === 0)
    return last && placed(last) ? [{ lng: last.lng, lat: last.lat, kind: 1, name: nickname, person: id }] : []
  return way.map((c, i) => ({
    lng: c.lng,
    lat: c.lat,
    kind: 2,
    name: isChosen ? `${i + 1} ${c.siteName}` : `${nickname} ${i + 1}`,
    person: id,
  }))
}

/** The points of the map with their names and lines: of one person the stops of today in their order. */
export function picture(data: MapFigures | undefined, picked: string | null) {
  const people = data?.people ?? []
  const chosen = people.find((p) => p.id === picked)
  const shown = chosen ? [chosen] : people
  const spots: Spot[] = [
    ...(data?.unvisited ?? [])
      .filter(placed)
      .map((s) => ({ lng: s.lng, lat: s.lat, kind: 0, name: s.ws_name })),
    ...shown.flatMap((p) => spotsOf(p, p === chosen)),
  ]
  return {
    points: {
      lng: spots.map((s) => Math.round(s.lng * DEGREE)),
      lat: spots.map((s) => Math.round(s.lat * DEGREE)),
      kind: new Uint8Array(spots.map((s) => s.kind)),
    },
    names: new Map(spots.map((s, i) => [i, s.name])),
    people: spots.map((s) => s.person),
    lines: shown.map((p) => wayOf(p.today)),
  }
}
