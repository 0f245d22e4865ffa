import { orderActions } from '@zhuguan/contract/features/orders/orders.actions.ts'
import type { OrderSide } from '@zhuguan/contract/features/orders/orders.record.ts'
import { compare, inPacks } from '@zhuguan/contract/kit/money.ts'

import type { Tx } from '../../database/connect.ts'
import { type AtParties, onParties } from '../../kit/parties.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, overtaken, refuse, Refused } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { tell, tellPerson } from '../live/live.service.ts'
import { type Cause, notify } from '../notifications/notifications.service.ts'
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
export const linkOf = (id: string): string => `/order/OrderDetail?id=${id}`
/** Tells the people of one side; the buyer's is who placed it. */
export async function notifySide(
  tx: Tx,
  call: Pick<Call, 'user'>,
  o: Pick<LockedOrder, 'id' | 'receiver_id' | 'made_by'>,
  side: OrderSide,
  title: string,
): Promise<void> {
  const { id: actor, tenant } = call.user
  const user = side === 'buyer' ? [o.made_by] : await peopleOfReceiver(tx, tenant, o.receiver_id)
  // The receiver may be of another branch, and hears of its orders by name.
  if (side === 'receiver') for (const id of user) tellPerson(tx, tenant, id, 'order', o.id)
  await notify(tx, { tenant, user, actor, title, link: linkOf(o.id), cause: causeOf(o.id) })
}

/** What comes in packs is ordered in whole ones. */
export function refuseOpenPack(
  of: { name: string; unit: string; pack: string | null },
  quantity: string,
): void {
  if (of.pack !== null && compare(inPacks(quantity, of.pack), quantity) !== 0)
    throw new Refused(`“${of.name}”每包 ${of.pack} ${of.unit}，请按整包下单`)
}
