import { z } from 'zod'

const figures = {
  sites: z.number().int(),
  worked: z.number().int(),
  noWork: z.number().int(),
  /** Rest days and days on which the site was blind. */
  apart: z.number().int(),
  present: z.number().int(),
  due: z.number().int(),
  /** Those due who came; guests are never among them. */
  attended: z.number().int(),
  /** People who came without being expected there. */
  guests: z.number().int(),
  /** Alarms raised that day; of them corrected, and cancelled as false. */
  alarms: z.number().int(),
  corrected: z.number().int(),
  cancelled: z.number().int(),
  /** Handed in that day. */
  patrols: z.number().int(),
  /** Sites by the last verdict of the day. */
  excellent: z.number().int(),
  good: z.number().int(),
  poor: z.number().int(),
  /** Seconds that devices on sites were on line, and should have been. */
  online: z.number().int(),
  watched: z.number().int(),
  /** Complaints entered that day. */
  complaints: z.number().int(),
}
export const dailyFigures = z.object(figures)
export type DailyFigures = z.output<typeof dailyFigures>
/** One branch on one day. */
export const dailyRow = z.object({
  id: z.string(),
  day: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  ...figures,
})
export type DailyRow = z.output<typeof dailyRow>

/** Name of the personal view that says whether its holder wants the report every morning. */
export const SUBSCRIPTION = 'dailySheet.subscription'

/** States of a day: over several days they are a mean, never a sum. */
const STANDING = ['sites', 'worked', 'noWork', 'apart', 'excellent', 'good', 'poor'] as const
/** Of several days together: what happened is summed, what stood is the mean of a day. */
export const perDay = (sum: DailyFigures, days: number): DailyFigures => ({
  ...sum,
  ...Object.fromEntries(STANDING.map((f) => [f, Math.round(sum[f] / Math.max(1, days))])),
})

const percent = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((part / whole) * 1000) / 10 : null
/** 出勤率, 整改率 (false alarms left out), 设备在线率 in percent; null where there is nothing to divide by. */
export const attendRate = (f: Pick<DailyFigures, 'attended' | 'due'>) => percent(f.attended, f.due)
export const correctionRate = (f: Pick<DailyFigures, 'corrected' | 'alarms' | 'cancelled'>) =>
  percent(f.corrected, f.alarms - f.cancelled)
export const onlineRate = (f: Pick<DailyFigures, 'online' | 'watched'>) => percent(f.online, f.watched)
