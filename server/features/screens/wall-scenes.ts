import type { PublicCase } from '@zhuguan/contract/features/cases/cases.record.ts'
import {
  LEAST_FOR_SHARE,
  MOST_CASE_PICTURES,
  MOST_RAIL_PICTURES,
  MOST_RING_POINTS,
  type PaintedScene,
  RING_METRES,
  type RingPoint,
} from '@zhuguan/contract/features/screens/walls-content.record.ts'
import { offset } from '@zhuguan/contract/kit/places.ts'

import type { communitiesOf, stagesOf, tidyOf, workedToday } from './wall-figures.queries.ts'

type Painted<K extends PaintedScene['kind']> = Extract<PaintedScene, { kind: K }>
type Answer<F extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<F>>
const MOST_PLACES = 12
/** A house number that somebody wrote into the name of a community is nobody's to read. */
const HOUSE =
  /[\s\d０-９一二三四五六七八九十A-Za-z#-]*[\d０-９一二三四五六七八九十A-Za-z]\s*(幢|栋|座|号楼|号|单元|室|弄).*$/u
export const communityOf = (written: string): string => written.replace(HOUSE, '').trim()

/** Rows that are written in two ways become one; a place without a name counts and is not shown. */
export function placesOf(rows: Answer<typeof workedToday>) {
  const places = new Map<string, (typeof rows)[number]>()
  for (const found of rows) {
    const community = communityOf(found.community)
    if (!community) continue
    const key = `${community} ${found.stage}`
    const same = places.get(key)
    places.set(key, {
      community,
      stage: found.stage,
      sites: found.sites + (same?.sites ?? 0),
      people: found.people + (same?.people ?? 0),
    })
  }
  return [...places.values()].toSorted((a, b) => b.people - a.people).slice(0, MOST_PLACES)
}

export const paintedCase = (k: PublicCase, { key, token }: { key: string; token: string | null }) => ({
  key: `${key}-${k.id}`,
  case_id: k.id,
  title: k.title,
  words: k.words,
  style: k.style,
  layout: k.layout,
  area: k.areaRange,
  community: k.community,
  days: k.days,
  token,
  // How it began is nothing to look at: the last ones.
  pictures: k.pictures
    .slice(-MOST_CASE_PICTURES)
    .map(({ day, key: picture, stage }) => ({ key: picture, day, stage })),
})
export const paintedPraise = (k: PublicCase, base: { key: string; seconds: number }): PaintedScene[] =>
  k.praise
    ? [
        {
          ...base,
          kind: 'praise',
          key: `${base.key}-${k.id}`,
          case_id: k.id,
          praise: k.praise,
          style: k.style,
          community: k.community,
        },
      ]
    : []
export type Ranked = Painted<'ranking'>['branches'][number]
/** The tidiest first; of too few sites no share is said. */
export const rankedBy = (rows: Answer<typeof tidyOf>): Ranked[] =>
  rows
    .map(({ tidy, ...b }) => ({
      ...b,
      tidy: b.judged < LEAST_FOR_SHARE ? null : Math.round((tidy / b.judged) * 100),
    }))
    .toSorted((a, b) => (b.tidy ?? -1) - (a.tidy ?? -1))

/** So many of them, with the same distance between any two; the first and the last among them. */
function spread<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list]
  return Array.from({ length: most }, (_, i) => list[Math.round((i * (list.length - 1)) / (most - 1))]!)
}
/** A home from day to day; none where its days are too few for a film. */
export function paintedRail(k: PublicCase, base: { key: string; seconds: number }): Painted<'rail'>[] {
  const pictures = k.pictures
    .filter((p) => k.film.includes(p.key))
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
  if (pictures.length === 0) return []
  return [
    {
      ...base,
      kind: 'rail',
      key: `${base.key}-${k.id}`,
      case_id: k.id,
      title: k.title,
      community: k.community,
      pictures: spread(pictures, MOST_RAIL_PICTURES).map(({ day, key, stage }) => ({ key, day, stage })),
    },
  ]
}

/** Of too few homes no usual length is said. */
export const craftOf = (rows: Answer<typeof stagesOf>): Painted<'craft'>['stages'] =>
  rows.map((s) => ({ ...s, days: s.daysOf < LEAST_FOR_SHARE ? null : s.days }))

/**
 * Communities around the one that was said, or around the one with the most homes; its own homes count with it, however
 * it was written. None where no such one is known.
 */
export function ringsOf(
  rows: Answer<typeof communitiesOf>,
  said: string,
): Omit<Painted<'rings'>, 'at' | 'key' | 'kind' | 'seconds'> | undefined {
  // One whose name is nothing but a number has none that may be read.
  const centre = rows.find((r) =>
    said ? communityOf(r.community) === said : communityOf(r.community) !== '',
  )
  if (!centre) return undefined
  const points = new Map<string, RingPoint>()
  for (const { building, finished, lat, lng, ...r } of rows) {
    const community = communityOf(r.community)
    const same = points.get(community)
    const at = offset(centre, { lng, lat })
    const metres = Math.round(Math.hypot(at.east, at.north))
    if (!community || metres > RING_METRES) continue
    points.set(community, {
      ...(same ?? { community, ...at, metres }),
      building: building + (same?.building ?? 0),
      finished: finished + (same?.finished ?? 0),
    })
  }
  const near = [...points.values()].toSorted((a, b) => a.metres - b.metres)
  const sum = (of: 'building' | 'finished') => near.reduce((n, p) => n + p[of], 0)
  return {
    community: communityOf(centre.community),
    building: sum('building'),
    finished: sum('finished'),
    points: near.slice(0, MOST_RING_POINTS),
  }
}
