import { contractState, signingProgress } from '@zhuguan/contract/features/contracts/contracts.record.ts'

import { countWaiting } from '../../kit/count-waiting.ts'
import type { Queue } from '../users/open-work.service.ts'
import { BACK } from './contracts.queries.ts'
import { dueNow } from './receipts.queries.ts'

const { ending, finishing } = contractState.code

/** Instalments that are due wait for whoever takes the money. */
export const takingQueue: Queue = {
  right: 'contract:pay',
  title: '收款',
  waiting: async (tx, tenant, bc) => (await dueNow(tx, { tenant, bcs: [bc], sites: null, user: null })).n,
}
/** What customers are owed waits for whoever asks for its refund. */
export const backQueue: Queue = {
  right: 'contract:refund',
  title: '申请退款',
  waiting: countWaiting(
    'contracts.toback',
    `contracts c WHERE c.tenant_id = $1 AND c.bc_id = $2 AND ${BACK} > 0`,
  ),
}
/** A contract whose deposit is paid waits to be signed. */
export const signingQueue: Queue = {
  right: 'contract:sign',
  title: '签约',
  waiting: countWaiting(
    'contracts.tosign',
    `contracts c WHERE c.tenant_id = $1 AND c.bc_id = $2 AND c.state = 'live'
       AND c.signing_progress = ${signingProgress.code.deposit}`,
  ),
}
/** A finished home waits for its final bill. */
export const settlingQueue: Queue = {
  right: 'contract:settle',
  title: '办理竣工结算',
  waiting: countWaiting(
    'contracts.tosettle',
    `contracts c WHERE c.tenant_id = $1 AND c.bc_id = $2 AND c.state = '${finishing}' AND c.bill_signed_on IS NULL`,
  ),
}
/** What is settled, or ends, waits to be closed. */
export const closingQueue: Queue = {
  right: 'contract:void',
  title: '作废、终止和结清合同',
  waiting: countWaiting(
    'contracts.toclose',
    `contracts c WHERE c.tenant_id = $1 AND c.bc_id = $2
       AND (c.state = '${ending}' OR c.state = '${finishing}' AND c.bill_signed_on IS NOT NULL)`,
  ),
}
