import { z } from 'zod'

import { alarmType } from '../alarms/alarms.record.ts'
import { nearbyPoint, RADII } from '../nearby/nearby.record.ts'
import { siteStage } from '../sites/sites.record.ts'

const count = z.number().int()
const base = { key: z.string(), seconds: count }
/** Fewer are too few for a share. */
export const LEAST_FOR_SHARE = 5

const wallPicture = z.object({ key: z.string(), stage: siteStage.schema.nullable(), day: z.string() })
/** A community's place and homes, as rings show it: its city is that of the wall. */
const ringPoint = nearbyPoint.omit({ city: true })
export type RingPoint = z.output<typeof ringPoint>

/** A scene as it is painted: counts, names of communities and stages, words of the store; never a person. */
export const paintedScene = z.discriminatedUnion('kind', [
  z.object({
    ...base,
    kind: z.literal('figures'),
    at: count,
    building: count,
    present: count,
    finished: count,
  }),
  z.object({
    ...base,
    kind: z.literal('now'),
    at: count,
    sites: count,
    people: count,
    places: z.array(
      z.object({ community: z.string(), stage: siteStage.schema.nullable(), sites: count, people: count }),
    ),
  }),
  z.object({ ...base, kind: z.literal('notice'), words: z.string() }),
  /** A home whose people agreed to be shown on screens: no name of anybody, no price, not even a range of one. */
  z.object({
    ...base,
    kind: z.literal('case'),
    case_id: z.string(),
    title: z.string(),
    words: z.string(),
    style: z.string(),
    layout: z.string().nullable(),
    area: z.string().nullable(),
    community: z.string().nullable(),
    days: count.nullable(),
    /** The secret of its link on this wall, where its home agreed to links as well. */
    token: z.string().nullable(),
    pictures: z.array(wallPicture),
  }),
  /** Such a home from day to day: one released picture a day of the same camera at the same hour. */
  z.object({
    ...base,
    kind: z.literal('rail'),
    case_id: z.string(),
    title: z.string(),
    community: z.string().nullable(),
    pictures: z.array(wallPicture),
  }),
  /** The stages in their order: homes that are in each now, and the usual days of a year's homes. */
  z.object({
    ...base,
    kind: z.literal('craft'),
    at: count,
    stages: z.array(
      z.object({ stage: siteStage.schema, building: count, days: count.nullable(), daysOf: count }),
    ),
  }),
  /** Communities around one of them, by metres to the east and the north: no street, no border, no home. */
  z.object({
    ...base,
    kind: z.literal('rings'),
    at: count,
    community: z.string(),
    building: count,
    finished: count,
    points: z.array(ringPoint),
  }),
  z.object({
    ...base,
    kind: z.literal('praise'),
    case_id: z.string(),
    praise: z.string(),
    style: z.string(),
    community: z.string().nullable(),
  }),
  z.object({
    ...base,
    kind: z.literal('alarms'),
    at: count,
    types: z.array(z.object({ type: alarmType.schema, open: count, today: count })),
  }),
  z.object({
    ...base,
    kind: z.literal('ranking'),
    at: count,
    branches: z.array(
      z.object({ bc_name: z.string(), building: count, judged: count, tidy: count.nullable() }),
    ),
  }),
])
/** A scene of cases shows the newest of so many, each for its seconds, with so many pictures. */
export const MOST_CASES = 8
export const MOST_CASE_PICTURES = 3
/** The newest homes whose days are shown one after the other, and so many of their days. */
export const MOST_RAILS = 3
export const MOST_RAIL_PICTURES = 18
/** Communities of a wall's rings, and how far away they may be. */
export const MOST_RING_POINTS = 60
export const RING_METRES = RADII.at(-1)!
export type PaintedScene = z.output<typeof paintedScene>

/** All that a wall needs to go on for as long as nobody answers. */
export const wallContent = z.object({
  at: count,
  group: z.string(),
  store: z.string(),
  arrangement: z.string().nullable(),
  opens: z.string().nullable(),
  closes: z.string().nullable(),
  /** The coming days off on which it stays dark. */
  darkDays: z.array(z.string()),
  scenes: z.array(paintedScene),
})
export type WallContent = z.output<typeof wallContent>
