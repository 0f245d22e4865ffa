import type { Tx } from '../../database/connect.ts'
import { type AtParties, onParties } from '../../kit/parties.ts'
import { found, unlessSeen } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { lockOrderOf } from '../dispatch/notes.reads.ts'
import { lockLeg, type LockedLeg, partiesOf } from './goods.queries.ts'

/** Finds a way back in the caller's reach and works on it, its order locked. */
export async function onLeg(
  call: Call,
  body: { id: string; version: number },
  work: (tx: Tx, at: AtParties, leg: LockedLeg) => Promise<void>,
): Promise<void> {
  const parties = found(await call.read((tx) => partiesOf(tx, call.user.scope, 'leg', body.id)))
  return onParties(call, parties, async (tx, at) => {
    const { tenant } = at.call.user
    found(await lockOrderOf(tx, tenant, parties.order_id))
    const leg = found(await lockLeg(tx, tenant, body.id))
    unlessSeen(leg, body.version, '条退货物流')
    return work(tx, at, leg)
  })
}
