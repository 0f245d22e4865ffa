import { z } from 'zod'

import { principalPost } from '../users/users.record.ts'

/** Corrections of so many days say how fast somebody is. */
export const ON_TIME_DAYS = 30
/** Complaints of so many days are counted, today as one of them. */
export const COMPLAINT_DAYS = 30
export const managerRow = z.object({
  id: z.string(),
  nickname: z.string(),
  phone: z.string(),
  bc_id: z.string().nullable(),
  bc_name: z.string(),
  post: principalPost.schema,
  /** Sites under construction that they are in charge of. */
  sites: z.number().int(),
  /** Patrols that they handed in today and in this month; nothing for who may not read patrols. */
  patrolsToday: z.number().int().nullable(),
  patrolsMonth: z.number().int().nullable(),
  /** Of corrections handed in within their time and those whose time ran out with them: the share, and of how many. */
  onTime: z.number().nullable(),
  corrections: z.number().int(),
  /** Corrections that are theirs and not done, and those of them that are late. */
  open: z.number().int(),
  late: z.number().int(),
  /** Complaints of late about them or of their sites, without cancelled ones; nothing for who may not read feedback. */
  complaints: z.number().int().nullable(),
})
export type ManagerRow = z.output<typeof managerRow>
