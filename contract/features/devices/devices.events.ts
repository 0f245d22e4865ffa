import { z } from 'zod'

import { alarmType } from '../alarms/alarms.record.ts'
import { tidinessResult } from '../sites/sites.record.ts'

/** An event that a device may report (docs/device-protocol.md), the same by every transport. */
const id = z.string().min(1).max(64)
const at = z.number().int().min(0)
const ratio = z.number().min(0).max(1)
const key = z.string().regex(/^[A-Za-z0-9_-]{1,64}(\.[a-z0-9]{2,4})?$/)
const w_id = z.string().min(1).max(32)

export const deviceEvent = z.discriminatedUnion('kind', [
  z.object({
    id,
    at,
    kind: z.literal('heartbeat'),
    signal: z.number().int().min(0).max(100).optional(),
    firmware: z.string().max(40).optional(),
    frameAt: at.optional(),
    streams: z
      .object({ live: z.string().max(300).optional(), preview: z.string().max(300).optional() })
      .optional(),
  }),
  z.object({
    id,
    at,
    kind: z.literal('clockin'),
    w_id,
    direction: z.enum(['in', 'out']),
    similarity: ratio.optional(),
    picture: key.optional(),
  }),
  z.object({
    id,
    at,
    kind: z.literal('alarm'),
    type: alarmType.schema,
    confidence: ratio,
    picture: key.optional(),
    clip: key.optional(),
    model: z.string().max(40).optional(),
    w_id: w_id.optional(),
  }),
  z.object({
    id,
    at,
    kind: z.literal('tidiness'),
    result: tidinessResult.schema,
    confidence: ratio.optional(),
    picture: key.optional(),
  }),
  z.object({
    id,
    at,
    kind: z.literal('visitor'),
    seconds: z.number().int().min(0),
    picture: key.optional(),
    similarity: ratio.optional(),
  }),
  z.object({
    id,
    at,
    kind: z.literal('recording'),
    from: at,
    to: at,
    file: key,
    bytes: z.number().int().min(0),
  }),
])
export type DeviceEvent = z.output<typeof deviceEvent>
export const DEVICE_EVENT_KINDS = [
  'heartbeat',
  'clockin',
  'alarm',
  'tidiness',
  'visitor',
  'recording',
] as const

export const MAX_EVENTS = 500
export const MAX_BODY_BYTES = 2 * 1024 * 1024
export const MAX_FILE_BYTES = 8 * 1024 * 1024
export const CLOCK_SKEW_SECONDS = 300
export const LATE_SECONDS = 7 * 86_400

export const eventsAnswer = z.object({
  accepted: z.number().int(),
  duplicate: z.number().int(),
  rejected: z.array(z.object({ id: z.string(), reason: z.string() })),
})
export type EventsAnswer = z.output<typeof eventsAnswer>

/** The string a device signs: non-empty parameters sorted by name, joined as k=v with & (docs/device-protocol.md). */
export const canonical = (params: { digest: string; nonce: string; sn: string; timestamp: string }): string =>
  Object.entries(params)
    .filter(([, v]) => v !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${k}=${v}`)
    .join('&')
