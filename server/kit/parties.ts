import type { Call } from './serve.ts'
import type { Tx } from './tx.ts'

/** The person who orders and who receives; a person may stand on both sides. */
export interface Sides {
  buyer: boolean
  receiver: boolean
}
export interface TwoParties extends Sides {
  bc_id: string
  receiver_id: string
}
/** Somebody acts on what has two parties: `call` reaches both, `sides` are those that the person stands on. */
export interface AtParties {
  call: Call
  sides: Sides
}
/**
 * Works in the reach of both parties of something that was found in the caller's own: what one of them does to goods
 * concerns the other's rows too. `work` says by `sides` what this person may do of it.
 */
export function onParties<T>(
  call: Call,
  of: TwoParties,
  work: (tx: Tx, at: AtParties) => Promise<T>,
): Promise<T> {
  const { id: user, tenant } = call.user
  const both = call.within({ tenant, user, bcs: [of.bc_id], sites: null, receivers: [of.receiver_id] })
  return both.write((tx) => work(tx, { call: both, sides: { buyer: of.buyer, receiver: of.receiver } }))
}
