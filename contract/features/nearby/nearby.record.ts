import { z } from 'zod'

import { siteStage, siteStatus } from '../sites/sites.record.ts'
import { workerType } from '../workers/trades.record.ts'

/** Distances around a home, in metres; the rings are drawn at the same distances. */
export const RADII = [500, 1_000, 2_000] as const
/** How far a point is put beside the community that was said, in metres. */
export const FARTHEST_BESIDE = 20_000
/** A point that is typed: longitude, latitude. */
export const TYPED_POINT = /^(\d{2,3}(?:\.\d{1,8})?),(\d{1,2}(?:\.\d{1,8})?)$/
/** Of fewer homes nothing typical is said. */
export const LEAST_HOMES = 5

/** A community that the group builds or has built in. It stands at the average of its homes, never at one of them. */
export const nearbyPlace = z.object({
  community: z.string(),
  city: z.string(),
  building: z.number().int(),
  finished: z.number().int(),
})
export type NearbyPlace = z.output<typeof nearbyPlace>
/** Metres from the community in the middle. */
export const nearbyPoint = nearbyPlace.extend({
  east: z.number().int(),
  north: z.number().int(),
  metres: z.number().int(),
})
export type NearbyPoint = z.output<typeof nearbyPoint>

/** A home as anybody may know it: nothing of it finds it within its community. */
export const nearbyHome = z.object({
  id: z.string(),
  community: z.string(),
  city: z.string(),
  metres: z.number().int(),
  status: siteStatus.schema,
  stage: siteStage.schema.nullable(),
  days: z.number().int().nullable(),
  style: z.string(),
  areaRange: z.string().nullable(),
  /** Somebody has clocked in there today. */
  working: z.boolean(),
  /** Its people agreed that it is shown in stores, community and all; the newest picture under its own day. */
  case: z.object({ id: z.string(), title: z.string(), cover: z.string(), day: z.string() }).nullable(),
  /** The caller sees the site itself. */
  inReach: z.boolean(),
})
export type NearbyHome = z.output<typeof nearbyHome>

export const nearbyView = z.object({
  at: z.number().int(),
  /** Within the radius, whatever stage and style are chosen. */
  figures: z.object({
    /** The place of the community in the middle; null where a point is. */
    hereBuilding: z.number().int().nullable(),
    hereFinished: z.number().int().nullable(),
    building: z.number().int(),
    finished: z.number().int(),
    working: z.number().int(),
    /** Half of the finished homes took no longer; null where there are fewer than `LEAST_HOMES`. */
    typicalDays: z.number().int().nullable(),
    typicalOf: z.number().int(),
    /** Per cent that were finished by the day that was planned, of those that had one. */
    onTime: z.number().int().nullable(),
    onTimeOf: z.number().int(),
  }),
  points: z.array(nearbyPoint),
  /** The nearest ones, and how many there are. */
  homes: z.array(nearbyHome),
  total: z.number().int(),
  styles: z.array(z.string()),
})
export type NearbyView = z.output<typeof nearbyView>

/** From where it is measured: a community that was said, the store of whoever asks, or nowhere. */
export const nearbyMiddle = z.object({ kind: z.enum(['community', 'store', 'none']), name: z.string() })
export type NearbyMiddle = z.output<typeof nearbyMiddle>
/** Of how many homes it is told that somebody works there now. */
export const MOST_NOW = 3
/** What is farther from the place that was said is not near it, in metres. */
export const FARTHEST_NOW = 30_000

/** A home in which somebody works today, as far as its people agreed; nobody of those who work is told. */
export const homeNow = z.object({
  /** Its case. */
  id: z.string(),
  title: z.string(),
  stage: siteStage.schema.nullable(),
  community: z.string().nullable(),
  /** From the middle to its community, in tens; null where that is not agreed to, or stands nowhere. */
  metres: z.number().int().nullable(),
  trades: z.array(workerType.schema),
  /** The newest one that people have masked and released, and of which day it is. */
  picture: z.object({ key: z.string(), day: z.string() }),
})
export type HomeNow = z.output<typeof homeNow>
export const workingNow = z.object({
  at: z.number().int(),
  middle: nearbyMiddle,
  homes: z.array(homeNow),
  /** How many there are of them in all, those that are too far left out. */
  total: z.number().int(),
})
export const casesAway = z.object({
  middle: nearbyMiddle,
  list: z.array(z.object({ id: z.string(), metres: z.number().int() })),
})
