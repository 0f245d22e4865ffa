import { z } from 'zod'

const count = z.object({ key: z.string(), count: z.number().int() })
export const deviceFigures = z.object({
  total: z.number().int(),
  byStatus: z.array(count),
  byType: z.array(count),
  byBranch: z.array(
    z.object({
      bc_id: z.string(),
      bc_name: z.string(),
      online: z.number().int(),
      offline: z.number().int(),
      notEnabled: z.number().int(),
      faulty: z.number().int(),
      spare: z.number().int(),
      inStock: z.number().int(),
    }),
  ),
  /** Share of the time that bound devices were on line, by day, in percent; null where none was watched. */
  onlineByDay: z.array(z.object({ day: z.string(), rate: z.number().nullable() })),
  /** Times and hours off line within the period, by cause. */
  causes: z.array(z.object({ cause: z.string(), times: z.number().int(), hours: z.number() })),
  /** Off line now, the longest first. */
  longest: z.array(
    z.object({
      id: z.string(),
      sn: z.string(),
      type: z.string(),
      site_id: z.string().nullable(),
      siteName: z.string(),
      bc_name: z.string(),
      since: z.number().int(),
      cause: z.string(),
    }),
  ),
  /** Sites under construction without a camera or a terminal, against what lies spare or in stock. */
  need: z.array(
    z.object({
      bc_id: z.string(),
      bc_name: z.string(),
      noCamera: z.number().int(),
      noTerminal: z.number().int(),
      cameras: z.number().int(),
      terminals: z.number().int(),
    }),
  ),
})
export type DeviceFigures = z.output<typeof deviceFigures>
