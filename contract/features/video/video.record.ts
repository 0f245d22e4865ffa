import { z } from 'zod'

import { deviceStatus, spanCause } from '../devices/devices.record.ts'

/** A stretch of a day in which a camera was in one state. */
export const onlineBand = z.object({
  /** Null where no server listened: how the camera was then, nobody knows. */
  state: deviceStatus.schema.nullable(),
  /** Empty where no server listened. */
  cause: z.string(),
  from: z.number().int(),
  to: z.number().int(),
})
export type OnlineBand = z.output<typeof onlineBand>

/** Minutes of a time. A rate is of the minutes that were measured: on line, and off line or faulty. */
export const onlineFigures = z.object({
  online: z.number().int(),
  /** Off line, or faulty. */
  offline: z.number().int(),
  /** No server listened. */
  unknown: z.number().int(),
  measured: z.number().int(),
  /** 0–100, one decimal; null where nothing was measured. */
  rate: z.number().nullable(),
})
export type OnlineFigures = z.output<typeof onlineFigures>

export const onlineDay = onlineFigures.extend({ day: z.string(), bands: z.array(onlineBand) })

export const onlineCamera = onlineFigures.extend({
  id: z.string(),
  sn: z.string(),
  model: z.string(),
  /** Whether it stands here now, and whether whoever asks may open its own page. */
  here: z.boolean(),
  reachable: z.boolean(),
  outages: z.number().int(),
  frozen: z.object({ times: z.number().int(), minutes: z.number().int() }),
  /** 摄像头偏移: its alarms, from the first sight to the end of the alarm. */
  skewed: z.array(z.object({ id: z.string(), from: z.number().int(), to: z.number().int().nullable() })),
  /** Number of checks of tidiness that could not be judged because it was skewed. */
  skewedChecks: z.number().int(),
  days: z.array(onlineDay),
})
export type OnlineCamera = z.output<typeof onlineCamera>

/** Off line or faulty without a break and for one cause, whole, also where it began before the days asked for. */
export const outage = z.object({
  device_id: z.string(),
  sn: z.string(),
  reachable: z.boolean(),
  cause: z.string(),
  from: z.number().int(),
  to: z.number().int().nullable(),
  minutes: z.number().int(),
  /** Null while it lasts. */
  endedBy: z.string().nullable(),
})
export type Outage = z.output<typeof outage>

/** The end of an outage, in words. */
export const endOf = (endedBy: string | null): string =>
  endedBy === null ? '仍未恢复' : spanCause.label(endedBy)

export const siteOnline = z.object({
  siteName: z.string(),
  from: z.string(),
  to: z.string(),
  total: onlineFigures.extend({
    cameras: z.number().int(),
    outages: z.number().int(),
    frozen: z.number().int(),
    skewed: z.number().int(),
  }),
  /** Worst rate first; what was not measured comes last. */
  cameras: z.array(onlineCamera),
  /** Newest first. */
  outages: z.array(outage),
})
export type SiteOnline = z.output<typeof siteOnline>
