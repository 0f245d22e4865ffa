import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { phone, words } from '../../kit/fields.ts'
import { day, uuid } from '../../kit/paging.ts'
import { deliveryMethod } from '../orders/orders.record.ts'
import { siteStage } from '../sites/sites.record.ts'
import { dispatchState } from './dispatch.record.ts'

/** Reasons that speak against goods on that day. */
export const clash = defineCodes('clash', '冲突', {
  crowded: ['crowded', '同一天多车到货'],
  stage: ['stage', '阶段还没到'],
  ready: ['ready', '工地说还不能到货'],
  nobody: ['nobody', '工地未开工，现场没人'],
  rest: ['rest', '休息日'],
})
/** The longest span that a calendar asks for. */
export const MOST_DAYS = 62
export const tripRow = z.object({
  id: z.string(),
  code: z.string(),
  day: z.string(),
  driver: z.string(),
  driverPhone: z.string(),
  plate: z.string(),
  receiver_id: z.string(),
  stops: z.number().int(),
  /** The caller stands on the side whose goods it carries: its link is theirs to give. */
  receiver: z.boolean(),
  /** Something is still to be handed over, or nothing is on it yet. */
  open: z.boolean(),
  version: z.number().int(),
})
export type TripRow = z.output<typeof tripRow>
export const tripFacts = z.object({
  /** The receiver whose goods it carries. */
  receiver_id: uuid.meta({ title: '商家' }),
  day: day.meta({ title: '日期' }),
  driver: words('司机', 20),
  driverPhone: phone('司机电话').default(''),
  plate: words('车牌', 12),
})
/** The most stops that one trip has. */
export const MOST_STOPS = 100
export const arrivalRow = z.object({
  id: z.string(),
  code: z.string(),
  order_id: z.string(),
  orderCode: z.string(),
  site_id: z.string(),
  ws_name: z.string(),
  receiverName: z.string(),
  plannedOn: z.string(),
  state: dispatchState.schema,
  method: deliveryMethod.schema,
  lines: z.number().int(),
  /** The first goods on it. */
  names: z.string(),
  stage: siteStage.schema.nullable(),
  stageOn: z.string().nullable(),
  readyOn: z.string().nullable(),
  place: z.string(),
  clashes: z.array(clash.schema),
  late: z.boolean(),
  version: z.number().int(),
})
export type ArrivalRow = z.output<typeof arrivalRow>
