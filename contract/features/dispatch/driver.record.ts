import { z } from 'zod'

import { type Code, defineCodes } from '../../kit/codes.ts'
import { deliveryMethod } from '../orders/orders.record.ts'

/** The progress of a stop, for who drives. */
export const STOP_STATES = ['waiting', 'open', 'done', 'back'] as const
/** The driver's word at the door, besides handing over; the first two send the whole note back. */
export const doorWord = defineCodes('doorWord', '门口情况', {
  refused: ['refused', '拒收'],
  lost: ['lost', '遗失'],
  nobody: ['nobody', '无人收货'],
})
export type DoorWord = Code<typeof doorWord>

export const driverStop = z.object({
  id: z.string(),
  code: z.string(),
  /** Its place in the trip; nothing where the link is of one note. */
  stop: z.number().int().nullable(),
  state: z.enum(STOP_STATES),
  method: deliveryMethod.schema,
  plannedOn: z.string().nullable(),
  community: z.string(),
  /** Address and person, until it is done: afterwards it says so and nothing of anybody. */
  address: z.string(),
  contact: z.string(),
  phone: z.string(),
  window: z.string(),
  /** Whoever collects says a code. */
  needsCode: z.boolean(),
  lines: z.array(
    z.object({
      line_id: z.string(),
      name: z.string(),
      detail: z.string(),
      unit: z.string(),
      quantity: z.string(),
    }),
  ),
  /** The part of it that was handed over before, each on a note of its own. */
  parts: z.array(z.object({ code: z.string(), at: z.number().int() })),
  deliveredAt: z.number().int().nullable(),
  deliveredBy: z.string(),
  /** The reason why it went back, where the driver said so. */
  back: z.string(),
  /** The last that was heard of it. */
  node: z.object({ title: z.string(), place: z.string(), at: z.number().int() }).nullable(),
})
export type DriverStop = z.output<typeof driverStop>
/** All that the holder of a driver's link is told: no prices, no owner, no other note. */
export const driverState = z.object({
  /** The number of the trip, or of the one note. */
  code: z.string(),
  trip: z.boolean(),
  person: z.string(),
  /** What the telephone keeps of it is forgotten then. */
  expiresAt: z.number().int(),
  stops: z.array(driverStop),
})
export type DriverState = z.output<typeof driverState>
