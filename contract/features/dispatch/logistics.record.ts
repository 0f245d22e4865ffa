import { z } from 'zod'

import { logisticsProgress, logisticsStatus, logisticsType } from './dispatch.record.ts'

const node = z.object({
  at: z.number().int(),
  heardAt: z.number().int(),
  source: z.enum(['system', 'person', 'driver', 'carrier']),
  title: z.string(),
  place: z.string(),
  who: z.string(),
  photo: z.string().nullable(),
})
export const logisticsRow = z.object({
  id: z.string(),
  code: z.string(),
  type: logisticsType.schema,
  progress: logisticsProgress.schema,
  status: logisticsStatus.schema,
  /** The status in words; of lost goods it does not say that they came back. */
  statusText: z.string(),
  /** The note that it is the way of, else the order. */
  note_id: z.string().nullable(),
  related: z.string(),
  order_id: z.string(),
  orderCode: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  ws_name: z.string(),
  receiver_id: z.string(),
  receiverName: z.string(),
  carrier: z.string(),
  waybill: z.string(),
  nodeText: z.string(),
  nodeAt: z.number().int().nullable(),
  expectedOn: z.string().nullable(),
  /** Expected before today and not there. */
  late: z.boolean(),
  signedBy: z.string(),
  signedAt: z.number().int().nullable(),
  madeAt: z.number().int(),
  buyer: z.boolean(),
  receiver: z.boolean(),
  version: z.number().int(),
})
export type LogisticsRow = z.output<typeof logisticsRow>
export const logisticsDetail = logisticsRow.extend({
  /** The goods that are on the way, in words. */
  goods: z.string(),
  /** It and all that it came from or that came of it, in the order in which they began. */
  tracks: z.array(
    z.object({
      id: z.string(),
      code: z.string(),
      type: logisticsType.schema,
      progress: logisticsProgress.schema,
      status: logisticsStatus.schema,
      statusText: z.string(),
      related: z.string(),
      carrier: z.string(),
      waybill: z.string(),
      nodes: z.array(node),
    }),
  ),
})
export type LogisticsDetail = z.output<typeof logisticsDetail>
