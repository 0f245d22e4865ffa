import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'

/** What a carrier may say of a waybill; without one of these it is only told. */
export const carrierStep = defineCodes('carrierStep', '承运节点', {
  collected: ['collected', '已揽收'],
  underWay: ['underWay', '运输中'],
  arriving: ['arriving', '派送中'],
  delivered: ['delivered', '承运商称已送达'],
})
export const carrierEvent = z.object({
  /** The carrier's own number: told again, it is counted as a repeat. */
  id: z.string().min(1).max(64),
  at: z.number().int().min(0),
  carrier: z.string().min(1).max(40),
  waybill: z.string().min(1).max(60),
  text: z.string().max(100).default(''),
  place: z.string().max(60).default(''),
  code: carrierStep.schema.optional(),
})
export type CarrierEvent = z.output<typeof carrierEvent>
export const MAX_CARRIER_EVENTS = 100
export const carrierAnswer = z.object({
  accepted: z.number().int(),
  duplicate: z.number().int(),
  rejected: z.array(z.object({ id: z.string(), reason: z.string() })),
})
export type CarrierAnswer = z.output<typeof carrierAnswer>

export const carrierRow = z.object({
  id: z.string(),
  name: z.string(),
  /** The header by which it signs in: `x-carrier` of the door. */
  account: z.string(),
  madeBy: z.string(),
  madeAt: z.number().int(),
  heardAt: z.number().int().nullable(),
  stopped: z.boolean(),
})
export const carrierLog = logged('承运商', { name: '承运商' })
