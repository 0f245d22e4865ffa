import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'

/** So many days somebody may be away at a stretch, the first and the last counted. */
export const LONGEST_ABSENCE = 366

/** The state of an absence; its days and its early end say it. */
export const absenceState = defineCodes('absenceState', '不在', {
  coming: ['coming', '还没开始'],
  away: ['away', '不在'],
  over: ['over', '已过'],
  back: ['back', '提前回来'],
  called: ['called', '已取消'],
})

/** Somebody is away from a day to a day, and whom new work and escalations go to meanwhile. */
export const absenceRow = z.object({
  id: z.string(),
  user_id: z.string(),
  nickname: z.string(),
  deputy_id: z.string(),
  deputyName: z.string(),
  from: z.string(),
  to: z.string(),
  state: absenceState.schema,
  enteredBy: z.string(),
  enteredAt: z.number().int(),
  endedBy: z.string(),
  endedAt: z.number().int().nullable(),
  version: z.number().int(),
})
export type AbsenceRow = z.output<typeof absenceRow>
