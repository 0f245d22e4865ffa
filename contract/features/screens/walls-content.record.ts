import { z } from 'zod'

import { alarmType } from '../alarms/alarms.record.ts'
import { siteStage } from '../sites/sites.record.ts'

const count = z.number().int()
const base = { key: z.string(), seconds: count }
/** Fewer are too few for a share. */
export const LEAST_FOR_SHARE = 5

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
    pictures: z.array(z.object({ key: z.string(), stage: siteStage.schema.nullable(), day: z.string() })),
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
export type PaintedScene = z.output<typeof paintedScene>

/** All that a wall needs to go on for as long as nobody answers. */
export const wallContent = z.object({
  at: count,
  group: z.string(),
  store: z.string(),
  arrangement: z.string().nullable(),
  opens: z.string().nullable(),
  closes: z.string().nullable(),
  scenes: z.array(paintedScene),
})
export type WallContent = z.output<typeof wallContent>
