import { handoverState } from '@zhuguan/contract/features/handovers/handovers.record.ts'

import { countWaiting } from '../../kit/count-waiting.ts'
import type { Queue } from '../users/open-work.service.ts'

/** A sheet of a site that nobody keeps yet waits for whoever names its steward. */
export const stewardsQueue: Queue = {
  right: 'site:edit',
  title: '给有交底单的工地指派管家',
  waiting: countWaiting(
    'handovers.nosteward',
    `handovers h
     JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
     WHERE h.tenant_id = $1 AND h.bc_id = $2 AND h.state <> '${handoverState.code.confirmed}'
       AND w.steward_id IS NULL AND w.deleted_at IS NULL`,
  ),
}
