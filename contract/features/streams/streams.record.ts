import { z } from 'zod'

/** The way in which a browser plays what the gateway gives: WebRTC, HLS or FLV over HTTP. */
export const STREAM_KINDS = ['whep', 'hls', 'flv'] as const
export const streamKind = z.enum(STREAM_KINDS)
export type StreamKind = z.output<typeof streamKind>

/** A page says so often which streams somebody still looks at. */
export const KEEP_S = 20
/** What nobody has said for so long is over. */
export const LOST_S = 60
/** The most for one person, in all windows together. */
export const STREAMS_EACH = 20
/** Longer than any browser's offer. */
export const OFFER_CHARS = 65_536

export const still = z.object({
  picture: z.string().nullable(),
  pictureAt: z.number().int().nullable(),
  /** When nobody may look any more: where people live, working hours end then (docs/decisions/0505). */
  lookUntil: z.number().int().nullable(),
})
/** As many cameras as a page shows. */
export const MOST_LOOKED_AT = 200
export const lookingOf = z.object({
  device_id: z.string(),
  /** The reason why nobody looks there now; empty where somebody may. */
  why: z.string(),
  /** When nobody may any more; null where no end is known. */
  until: z.number().int().nullable(),
})
export type LookingOf = z.output<typeof lookingOf>
export const openStream = still.extend({
  /** The line of the view log; `keep` and `close` name it. */
  view: z.string(),
  deviceSn: z.string(),
  /** Where it stands: what becomes of this home decides whether the view goes on. */
  siteId: z.string(),
  kind: streamKind.nullable(),
  /** The address of what is fetched: below our own origin, for this view and this session. */
  address: z.string().nullable(),
  /** The reason why there is no stream. */
  why: z.string(),
  keepS: z.number().int(),
})
export type OpenStream = z.output<typeof openStream>
