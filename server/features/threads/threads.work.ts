import { countWaiting } from '../../kit/count-waiting.ts'
import type { Queue } from '../users/open-work.service.ts'

export const repliesQueue: Queue = {
  right: 'thread:reply',
  title: '回复业主的留言',
  waiting: countWaiting(
    'threads.waiting',
    'threads t WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.waiting_since IS NOT NULL',
  ),
}
