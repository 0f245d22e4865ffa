import { z } from 'zod'

export const monitorFigures = z.object({
  day: z.string(),
  at: z.number().int(),
  branches: z.array(
    z.object({
      bc_id: z.string(),
      bc_name: z.string(),
      sites: z.number().int(),
      worked: z.number().int(),
      expected: z.number().int(),
      present: z.number().int(),
      guests: z.number().int(),
      devicesOnline: z.number().int(),
      devicesTotal: z.number().int(),
      raised: z.number().int(),
      done: z.number().int(),
      open: z.number().int(),
    }),
  ),
  /** 24 hours: first clock-ins, alarms raised, alarms closed. */
  hours: z.array(
    z.object({
      hour: z.number().int(),
      arrived: z.number().int(),
      raised: z.number().int(),
      done: z.number().int(),
    }),
  ),
  arrivals: z.array(
    z.object({
      worker_id: z.string(),
      w_name: z.string(),
      w_type: z.number().int(),
      site_id: z.string(),
      ws_name: z.string(),
      at: z.number().int(),
      picture: z.string().nullable(),
    }),
  ),
  down: z.array(
    z.object({
      id: z.string(),
      sn: z.string(),
      type: z.string(),
      site_id: z.string(),
      ws_name: z.string(),
      since: z.number().int(),
      cause: z.string(),
    }),
  ),
  alarms: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      site_id: z.string(),
      ws_name: z.string(),
      at: z.number().int(),
      correctionStatus: z.number().int(),
      picture: z.string().nullable(),
    }),
  ),
})
export type MonitorFigures = z.output<typeof monitorFigures>
