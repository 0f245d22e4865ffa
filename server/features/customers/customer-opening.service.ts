import { unlessConsultant } from '@zhuguan/contract/features/customers/customers.actions.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, refuse, unlessSeen } from '../../kit/refuse.ts'
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
