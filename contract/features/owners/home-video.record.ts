import { z } from 'zod'

import { consentState } from '../consents/consents.record.ts'
import { viewPurpose } from '../video/purposes.record.ts'

/** Somebody of the company looked: by post and surname, and no word that they wrote. */
export const seenBy = z.object({
  at: z.number().int(),
  who: z.string(),
  camera: z.string(),
  from: z.number().int(),
  to: z.number().int(),
  /** A recording of that time, looked at on another day. */
  recorded: z.boolean(),
  purpose: viewPurpose.schema,
})
export type SeenBy = z.output<typeof seenBy>

/** The cameras that one contact may see by this device, and the people who looked into the home. */
export const homeVideoState = z.object({
  consent: consentState.schema.nullable(),
  consentAt: z.number().int().nullable(),
  wording: z.string(),
  grant: z
    .object({
      fromDay: z.string(),
      toDay: z.string(),
      from: z.string(),
      to: z.string(),
      stopped: z.boolean(),
      changedAt: z.number().int(),
    })
    .nullable(),
  cameras: z.array(
    z.object({ id: z.string(), sn: z.string(), online: z.boolean(), pictureAt: z.number().int().nullable() }),
  ),
  /** The reason why nothing can be seen now; empty where it can. */
  why: z.string(),
  /** When it will be possible, where that is known. */
  nextAt: z.number().int().nullable(),
  seenBy: z.array(seenBy),
})
export type HomeVideoState = z.output<typeof homeVideoState>
