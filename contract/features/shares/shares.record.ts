import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { linkKind, linkState, SHARED_KINDS } from '../links/links.record.ts'

/** Parts of a page that a customer has looked at. */
export const shareSection = defineCodes('shareSection', '看了', {
  total: ['total', '总价'],
  lines: ['lines', '报价明细'],
  cases: ['cases', '案例'],
  pictures: ['pictures', '照片'],
  sites: ['sites', '附近工地'],
  package: ['package', '套餐'],
  contact: ['contact', '我要了解'],
})

/** The time after its beginning in which a visit still tells how long it lasts, a beat of the page. */
export const SEEN_EVERY_SECONDS = 10

export const sharedKind = z.enum(SHARED_KINDS, { error: `${linkKind.title}不正确` })

export const shareRow = z.object({
  id: z.string(),
  kind: linkKind.schema,
  title: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  storeName: z.string(),
  customer_id: z.string().nullable(),
  /** The customer, or to whom it was given in words. */
  customerName: z.string(),
  /** Nobody, where a wall shows its code. */
  maker_id: z.string().nullable(),
  makerName: z.string(),
  madeAt: z.number().int(),
  expiresAt: z.number().int(),
  /** Openings that were in somebody's sight. */
  openings: z.number().int(),
  /** How often it has told what it shows, seen or not: that is what a limit is spent by. */
  told: z.number().int(),
  most: z.number().int().nullable(),
  lastOpenedAt: z.number().int().nullable(),
  /** A second device was seen: a guess. */
  otherDevice: z.boolean(),
  /** Opened, and nobody has followed it up since. */
  unfollowed: z.boolean(),
  hasPassword: z.boolean(),
  state: linkState.schema,
})
export type ShareRow = z.output<typeof shareRow>

export const shareOpening = z.object({
  id: z.string(),
  at: z.number().int(),
  /** The time that it was in sight. */
  seconds: z.number().int(),
  looked: z.array(shareSection.schema),
  /** The number of the device in the order in which they came; nothing where the browser keeps nothing. */
  device: z.number().int().nullable(),
})
export type ShareOpening = z.output<typeof shareOpening>
