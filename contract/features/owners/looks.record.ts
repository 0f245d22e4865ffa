import { z } from 'zod'

import { viewPurpose } from '../video/purposes.record.ts'

/** A page says so often that it still looks, and is then told of what has ended. */
export const LOOK_KEEP_S = 4
/** What no page has said for so long is over. */
export const LOOK_LOST_S = 20
/** The most for one home, on all its telephones. */
export const LOOKS_EACH = 2

const ofHome = {
  id: z.string(),
  at: z.number().int(),
  site_id: z.string(),
  siteName: z.string(),
  cameraSn: z.string(),
  from: z.number().int(),
  to: z.number().int(),
  seconds: z.number().int(),
}
/** Somebody of the home looked, by their link. */
export const lookRow = z.object({
  ...ofHome,
  person: z.string(),
  /** The device that it was looked at on. */
  device: z.string(),
  /** Goes on now. */
  running: z.boolean(),
  /** The way it ended, in words. */
  ended: z.string(),
})
export type LookRow = z.output<typeof lookRow>

/** Somebody of the company looked at the home. */
export const homeViewRow = z.object({
  ...ofHome,
  userName: z.string(),
  post: z.string(),
  /** 直播 or 录像. */
  what: z.string(),
  purpose: viewPurpose.schema,
  words: z.string(),
})
export type HomeViewRow = z.output<typeof homeViewRow>
