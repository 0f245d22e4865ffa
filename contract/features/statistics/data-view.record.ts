import { z } from 'zod'

import { monitorFigures } from './monitor.record.ts'

/** Sites under construction by their last verdict; `none`: not judged yet. */
const tidy = z.object({
  bc_id: z.string(),
  city: z.string(),
  excellent: z.number().int(),
  good: z.number().int(),
  poor: z.number().int(),
  none: z.number().int(),
})
/** The day as 每日监控 has it, and how tidy the sites are; pictures and names only for who may open their lists. */
export const dataView = z.object({ today: monitorFigures, tidiness: z.array(tidy) })
export type DataView = z.output<typeof dataView>
