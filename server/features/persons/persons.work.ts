import { personState } from '@zhuguan/contract/features/persons/persons.record.ts'

import { countWaiting } from '../../kit/count-waiting.ts'
import type { Queue } from '../users/open-work.service.ts'

const waits = (state: string) =>
  countWaiting(
    'persons.waiting',
    `person_requests p WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.state = '${state}'`,
  )
/** What waits for whoever looks at who asks, and for whoever does it. */
export const personQueues: readonly Queue[] = [
  {
    right: 'person:verify',
    title: '核实个人信息请求',
    waiting: waits(personState.code.received),
  },
  {
    right: 'person:execute',
    title: '执行个人信息请求',
    waiting: waits(personState.code.verified),
  },
]
