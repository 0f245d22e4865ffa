import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

const { ending, finishing, live } = contractState.code
/** Site `w` was terminated and no contract of it runs or is being settled, in a statement whose tenant is $1. */
export const SETTLED = `w.status = ${siteStatus.code.terminated} AND NOT EXISTS (SELECT FROM contracts t
         WHERE t.tenant_id = $1 AND t.site_id = w.id AND t.state IN ('${live}', '${ending}', '${finishing}'))`
