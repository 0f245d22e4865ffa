import { violationStatus } from '@zhuguan/contract/features/violations/violations.record.ts'

import { countWaiting } from '../../kit/count-waiting.ts'
import type { Queue } from '../users/open-work.service.ts'

const { objected, open } = violationStatus.code

export const violationsQueue: Queue = {
  right: 'violation:handle',
  title: '处理违规、裁定申诉',
  waiting: countWaiting(
    'violations.tohandle',
    `violations v WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.status IN (${open}, ${objected})`,
  ),
}
