import { questionState } from '@zhuguan/contract/features/questions/questions.record.ts'

import { countWaiting } from '../../kit/count-waiting.ts'
import type { Queue } from '../users/open-work.service.ts'
import { OPEN } from './undecided.reads.ts'

const { answered } = questionState.code
const waiting = (name: string, condition: string) =>
  countWaiting(name, `questions q WHERE q.tenant_id = $1 AND q.bc_id = $2 AND ${condition}`)

export const questionQueues: readonly Queue[] = [
  {
    right: 'question:ask',
    title: '跟进待业主决定的问题',
    waiting: waiting('questions.undecided', OPEN),
  },
  {
    right: 'contract:change',
    title: '办理业主已定、要变更合同的事项',
    // Until the contract of the home has been changed since.
    waiting: waiting(
      'questions.tochange',
      `q.state = '${answered}' AND q.costs AND NOT EXISTS (
         SELECT 1 FROM contracts c JOIN contract_changes k ON k.tenant_id = $1 AND k.contract_id = c.id
         WHERE c.tenant_id = $1 AND c.site_id = q.site_id AND k.at >= q.closed_at)`,
    ),
  },
]
