import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { alarmRow } from '../alarms/alarms.record.ts'

/** A subject that can change for somebody who is looking: a page names those that it shows. */
export const LIVE_TOPICS = [
  'alarm',
  'correction',
  'trust',
  'device',
  'site',
  'attendance',
  'tidiness',
  'worker',
  'violation',
  'promise',
  'warning',
  'question',
  'feedback',
  'patrol',
  'visitor',
  'reception',
  'thread',
  'view',
  'examine',
  'contract',
  'case',
  'order',
  'dispatch',
  'goods',
  'statement',
  'share',
  'notification',
  'access',
] as const
export type LiveTopic = (typeof LIVE_TOPICS)[number]

/**
 * Server-sent events: `id: <n>`, `event: change`, `data: LiveEvent`; `event: reset` when too much was missed. Where the
 * database has replicas also `seen: <n>`: sent back as `x-seen`, it keeps what is fetched next from being older.
 */
export const liveApi = defineApi({
  stream: {
    method: 'GET',
    path: '/user/api/live/stream',
    title: '实时消息',
    access: 'signedIn',
    work: 'stream',
    data: nothing,
    raw: true,
  },
})
export const liveEvent = z.object({
  topic: z.enum(LIVE_TOPICS),
  /** The event: raised, changed, … */
  what: z.string(),
  id: z.string(),
  site_id: z.string().nullable(),
  at: z.number().int(),
  /** Of a new alarm: its row, for those who read the alarms' list there; without it the page asks. */
  row: alarmRow.optional(),
})
export type LiveEvent = z.output<typeof liveEvent>
