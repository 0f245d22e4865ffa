import { orderActions } from '@zhuguan/contract/features/orders/orders.actions.ts'
import { compare, inPacks } from '@zhuguan/contract/kit/money.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { TURNS } from '@zhuguan/contract/turns.ts'

import type { Tx } from '../../database/connect.ts'
import { type AtParties, onParties } from '../../kit/parties.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, overtaken, refuse, Refused } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { tell, tellPerson } from '../live/live.service.ts'
import type { Cause } from '../notifications/notifications.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { peopleOfReceiver } from '../pieces/pieces.reads.ts'
import { lastActor } from '../userlogs/userlogs.reads.ts'
import { lockOrder, type LockedOrder, partiesOf } from './orders.queries.ts'

/**
 * Finds an order in the caller's reach and works on it in the reach of both its parties.
 */
export async function onOrder<T>(
  call: Call,
  id: string,
  work: (tx: Tx, at: AtParties) => Promise<T>,
): Promise<T> {
  return onParties(call, found(await call.read((tx) => partiesOf(tx, call.user.scope, id))), work)
}

type Command = Parameters<typeof orderActions.refusal>[0]
/** Locks an order of which this version was seen, as the person sees it, and refuses what cannot be done to it now. */
export async function lockSeenOrder(
  tx: Tx,
  { call, sides }: AtParties,
  body: { id: string; version: number },
  action: Command,
): Promise<LockedOrder> {
  const o = { ...found(await lockOrder(tx, call.user.tenant, body.id)), ...sides }
  if (o.version !== body.version)
    throw overtaken('张订单', await lastActor(tx, call.user.tenant, 'order', o.id))
  refuse(orderActions.refusal(action, o, actorAt(call.user, { ...o, site_id: o.place_id })))
  return o
}

/** Whoever shows the order hears of it; what happened to goods of a site stands on its timeline. */
export const tellOrder = (
  tx: Tx,
  call: Pick<Call, 'newId' | 'now' | 'user'>,
  o: Pick<LockedOrder, 'id' | 'bc_id' | 'place_id' | 'receiver_id'>,
  title?: string,
): void =>
  tell(tx, call, {
    topic: 'order',
    bc: o.bc_id,
    site: o.place_id,
    receiver: o.receiver_id,
    id: o.id,
    ...(title ? { line: { kind: 'delivery', title } } : {}),
  })

export const causeOf = (id: string): Cause => ({ kind: 'order', id })
export const linkOf = (id: string) => linkTo('OrderDetail', { id })
/** What every message about an order has in common. */
export const noticeOf = (o: Pick<LockedOrder, 'id' | 'bc_id' | 'place_id' | 'receiver_id'>) => ({
  link: linkOf(o.id),
  cause: causeOf(o.id),
  place: { bc_id: o.bc_id, site_id: o.place_id, receiver_id: o.receiver_id },
})
/** An order has changed: who must act next hears, and what was said of it before is done with. */
export async function passOrder(
  tx: Tx,
  call: Pick<Call, 'user'>,
  o: Pick<LockedOrder, 'id' | 'bc_id' | 'place_id' | 'receiver_id' | 'made_by'> & { asker?: string | null },
  change: keyof (typeof TURNS)['order']['on'],
  title: string,
): Promise<void> {
  const { id: actor, tenant } = call.user
  const { told }: { told: readonly string[] } = TURNS.order.on[change]
  // The receiver may be of another branch, and hears of its orders by name.
  if (told.includes('receivers'))
    for (const id of await peopleOfReceiver(tx, tenant, o.receiver_id))
      tellPerson(tx, tenant, id, 'order', o.id)
  const named = { author: o.made_by, asker: o.asker ?? null }
  await passTurn(tx, 'order', change, { ...noticeOf(o), tenant, actor, named, title })
}

/** What comes in packs is ordered in whole ones. */
export function refuseOpenPack(
  of: { name: string; unit: string; pack: string | null },
  quantity: string,
): void {
  if (of.pack !== null && compare(inPacks(quantity, of.pack), quantity) !== 0)
    throw new Refused(`“${of.name}”每包 ${of.pack} ${of.unit}，请按整包下单`)
}
