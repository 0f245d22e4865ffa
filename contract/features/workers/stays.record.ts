import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { workerType } from './trades.record.ts'

/** Whether somebody is still on the site. */
export const stayState = defineCodes('stayState', '在场', { now: [1, '在场'], left: [2, '已离场'] })
/** The kind of a worker's stay on a site. */
export const stayScore = defineCodes('stayScore', '评分', {
  bad: [1, '1 分 很差'],
  poor: [2, '2 分 较差'],
  fair: [3, '3 分 一般'],
  good: [4, '4 分 好'],
  best: [5, '5 分 很好'],
})

/** A worker's time on one site. */
export const stayRow = z.object({
  /** site:entered */
  id: z.string(),
  site_id: z.string(),
  ws_name: z.string(),
  bc_name: z.string(),
  w_type: workerType.schema,
  enteredOn: z.string(),
  leftOn: z.string().nullable(),
  /** Days on which they clocked in there. */
  days: z.number().int(),
  /** Violations of that time that stand. */
  breaks: z.number().int(),
  score: stayScore.schema.nullable(),
  scoredBy: z.string(),
})
export type StayRow = z.output<typeof stayRow>

/** A clock-in of a day with the place of its site. */
export const trackPoint = z.object({
  at: z.number().int(),
  direction: z.string(),
  source: z.string(),
  picture: z.string().nullable(),
  site_id: z.string(),
  ws_name: z.string(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
})
export type TrackPoint = z.output<typeof trackPoint>
