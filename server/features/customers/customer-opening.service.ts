import { unlessConsultant } from '@zhuguan/contract/features/customers/customers.actions.ts'
import type { CustomerFacts } from '@zhuguan/contract/features/customers/customers.record.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, outside, refuse, Refused, unlessSeen } from '../../kit/refuse.ts'
import { there } from '../../kit/row.ts'
import { hasStore } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { unlessForgotten } from '../persons/forgotten.reads.ts'
import { lockCustomer, type LockedCustomer } from './customers.queries.ts'

interface Seen {
  id: string
  version: number
}
/** The customer, locked, as the caller has seen it; throws where it is not theirs to see or was changed since. */
export async function lockSeen(tx: Tx, { user }: Call, { id, version }: Seen): Promise<LockedCustomer> {
  const k = found(await lockCustomer(tx, user.scope, id))
  unlessSeen(k, version, '位客户')
  unlessForgotten(k.name)
  return k
}
/** The same, and refused unless the caller follows it up or leads its store. */
export async function lockTheirs(tx: Tx, call: Call, seen: Seen): Promise<LockedCustomer> {
  const k = await lockSeen(tx, call, seen)
  refuse(unlessConsultant(k, actorAt(call.user, k)))
  return k
}

export type Place = Pick<CustomerFacts, 'bc_id' | 'store_id' | 'consultant_id'>
/** The branch or store is the caller's, the store and the consultant are the branch's. */
export async function checkPlace(
  tx: Tx,
  { user }: Call,
  { bc_id, store_id, consultant_id }: Place,
): Promise<void> {
  if (!hasStore(user.scope, bc_id, store_id)) throw outside()
  const known = async (name: string, text: string, id: string | null) =>
    id === null || (await tx.query(name, there, text, [user.tenant, bc_id, id])).rows.length > 0
  const isBranch = await known(
    'customers.branch',
    'SELECT 1 FROM companies c WHERE c.tenant_id = $1 AND c.bc_id = $2 AND c.bc_id = $3 AND c.status = 1',
    bc_id,
  )
  if (!isBranch) throw outside()
  const isStore = await known(
    'customers.store',
    'SELECT 1 FROM stores s WHERE s.tenant_id = $1 AND s.bc_id = $2 AND s.id = $3',
    store_id,
  )
  if (!isStore) throw outside()
  const isPerson = await known(
    'customers.consultant',
    `SELECT 1 FROM users u
     WHERE u.tenant_id = $1 AND u.id = $3 AND u.status = 1 AND u.deleted_at IS NULL AND u.bc_id = $2`,
    consultant_id,
  )
  if (!isPerson) throw invalid('consultant_id', '请选择本分公司在职的顾问')
}

export const unlessGone = (k: LockedCustomer) => {
  if (k.merged_into) throw new Refused('这位客户已并入另一位，请打开合并后的客户')
}
