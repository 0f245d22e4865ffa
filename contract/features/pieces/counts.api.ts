import { z } from 'zod'

import { defineApi } from '../../kit/api.ts'
import { day, optional, uuid } from '../../kit/paging.ts'
import { siteStage } from '../sites/sites.record.ts'
import { orderState } from './pieces.record.ts'

const counts = {
  name: z.string(),
  /** Pieces by orderState, "1" to "7". */
  states: z.record(z.string(), z.number().int()),
  /** Ordered pieces that were expected before that day and have not arrived. */
  late: z.number().int(),
  at: z.number().int(),
}
const byBranch = z.object({ bc_id: z.string(), ...counts })
const byManager = z.object({ manager_id: z.string().nullable(), ...counts })
const listOf = <T extends z.ZodType>(row: T) => z.object({ list: z.array(row) })
const branch = optional(uuid).meta({ title: '分公司' })
const query = z.object({ bc_id: branch })
const history = z.object({
  bc_id: branch,
  from: optional(day).meta({ title: '从' }),
  to: optional(day).meta({ title: '至' }),
})
const access = ['page:DeliveryBoard']
export const DELIVERY_STEPS = ['answer', 'ship', 'carry', 'check'] as const

/** The calls of spec 7, and what the delivery board shows beside them. */
export const countsApi = defineApi({
  dcountbc: {
    method: 'POST',
    path: '/dsmcore/api/count/dcountbc',
    title: '各分公司商品状态',
    access,
    query,
    data: listOf(byBranch),
  },
  dcountwboss: {
    method: 'POST',
    path: '/dsmcore/api/count/dcountwboss',
    title: '各工长商品状态',
    access,
    query,
    data: listOf(byManager),
  },
  /** One row a day and branch, as they stood that evening. */
  dcountbchistory: {
    method: 'POST',
    path: '/dsmcore/api/count/dcountbchistory',
    title: '各分公司商品状态历史',
    access,
    query: history,
    data: listOf(byBranch.extend({ day: z.string() })),
  },
  dcountwbosshistory: {
    method: 'POST',
    path: '/dsmcore/api/count/dcountwbosshistory',
    title: '各工长商品状态历史',
    access,
    query: history,
    data: listOf(byManager.extend({ day: z.string() })),
  },
  board: {
    method: 'POST',
    path: '/dsmcore/api/count/board',
    title: '交付总览',
    access,
    query,
    data: z.object({
      /** Over so many days up to now. */
      days: z.number().int(),
      at: z.number().int(),
      /** Hours that half, and nine of ten, took; null where nothing was done. */
      steps: z.array(
        z.object({
          step: z.enum(DELIVERY_STEPS),
          count: z.number().int(),
          p50: z.number().nullable(),
          p90: z.number().nullable(),
        }),
      ),
      /** Notes with a promised day that arrived; of them after it, and after it by a day to which it was moved. */
      arrived: z.number().int(),
      arrivedLate: z.number().int(),
      arrivedMoved: z.number().int(),
      /** Sheets of ordered goods that were judged whole. */
      sheets: z.number().int(),
      /** The part of their price that goes back, said at once or later; null of nothing. */
      returnedPart: z.number().nullable(),
      /** Sites whose stage is here, or near, while goods of it are missing; the most urgent first. */
      blocks: z.array(
        z.object({
          site_id: z.string(),
          ws_name: z.string(),
          stage: siteStage.schema,
          stageOn: z.string(),
          state: orderState.schema,
          pieces: z.number().int(),
          names: z.string(),
        }),
      ),
    }),
  },
})
