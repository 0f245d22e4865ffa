import { countWaiting } from '../../kit/count-waiting.ts'
import type { Queue } from '../users/open-work.service.ts'

export const visitsQueue: Queue = {
  right: 'visitor:mark',
  title: '标记来访的陌生人',
  waiting: countWaiting(
    'visits.tomark',
    'visits v WHERE v.tenant_id = $1 AND v.bc_id = $2 AND NOT v.handled',
  ),
}
