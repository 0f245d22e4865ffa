import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'

import { countWaiting } from '../../kit/count-waiting.ts'
import type { Queue } from '../users/open-work.service.ts'

/** What was submitted waits for somebody who judges it. */
export const examineQueue: Queue = {
  right: 'examine:judge',
  title: '审核',
  waiting: countWaiting(
    'examine.tojudge',
    `examine_requests x WHERE x.tenant_id = $1 AND x.bc_id = $2 AND x.state = ${examineState.code.waiting}
       AND x.withdrawn_at IS NULL`,
  ),
}
