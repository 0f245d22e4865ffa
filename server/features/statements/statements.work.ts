import { statementState } from '@zhuguan/contract/features/statements/statements.record.ts'

import { countWaiting } from '../../kit/count-waiting.ts'
import type { Queue } from '../users/open-work.service.ts'
import { UNPAID } from './statements.queries.ts'

const { agreed, disputed, draft, sent } = statementState.code

/** What both sides agreed to waits for whoever pays. */
export const payingQueue: Queue = {
  right: 'statement:pay',
  title: '付对账单的款',
  waiting: countWaiting(
    'statements.topay',
    `statements s WHERE s.tenant_id = $1 AND s.bc_id = $2 AND s.state = '${agreed}' AND ${UNPAID} <> 0`,
  ),
}
/** Drafts and what the merchant disputed wait for whoever sends it (again). */
export const statementsQueue: Queue = {
  right: 'statement:edit',
  title: '出对账单、处理异议',
  waiting: countWaiting(
    'statements.tosend',
    `statements s WHERE s.tenant_id = $1 AND s.bc_id = $2 AND s.state IN ('${draft}', '${disputed}')`,
  ),
}
export const confirmingQueue: Queue = {
  right: 'statement:confirm',
  title: '确认对账单',
  receiver: true,
  waiting: countWaiting(
    'statements.toconfirm',
    `statements s WHERE s.tenant_id = $1 AND s.receiver_id = $2 AND s.state = '${sent}'`,
  ),
}
