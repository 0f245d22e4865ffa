import { randomInt } from 'node:crypto'

import { dispatchState, type ShipFacts } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { deliveryMethod, receiveState } from '@zhuguan/contract/features/orders/orders.record.ts'
import { acceptanceResult } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { homeRefusal } from '@zhuguan/contract/features/sites/homes.record.ts'

import type { Tx } from '../../database/connect.ts'
import { type AtParties, onParties } from '../../kit/parties.ts'
import { found, invalid, refuse, Refused } from '../../kit/refuse.ts'
import { int4, row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { insertCarried, lockPieces, movePieces, tellMoves } from '../pieces/pieces.service.ts'
import { settingOf } from '../settings/settings.reads.ts'
import { homeOf } from '../sites/sites.reads.ts'
import { type Body, FIRST, linesIn, lockSeenNote, partsOf, passNote, tellNote } from './dispatch.service.ts'
import { openLeg } from './logistics.service.ts'
import { type LockedNote, lockOrderOf, partiesOfOrder } from './notes.queries.ts'
import { openNote, STANDING } from './notes.service.ts'

const { underWay } = acceptanceResult.code

/** Goods of an order that stand on no note yet get one. */
export async function prepareNote(call: Call, body: Body<'prepare'>): Promise<{ id: string; code: string }> {
  const parties = found(await call.read((tx) => partiesOfOrder(tx, call.user.scope, body.order_id)))
  return onParties(call, parties, async (tx, at) => {
    const { tenant } = at.call.user
    const o = found(await lockOrderOf(tx, tenant, body.order_id))
    if (o.receiveState !== receiveState.code.accepted || o.ended)
      throw new Refused('订单没有在待发货，不能新建发货单')
    const loose = (await lockPieces(tx, tenant, { order: o.id })).filter(
      (p) => p.place === 'ship' && !p.note_id,
    )
    refuse(homeRefusal('ship', await homeOf(tx, tenant, o.site_id), shanghaiDay(at.call.now())))
    if (loose.length === 0) throw new Refused('没有还没安排发货的商品：未发的都已经在发货单上')
    const { taken } = await partsOf(tx, at.call, loose, body.lines)
    const note = await openNote(tx, at.call, { order: o.id }, taken)
    await at.call.log(tx, {
      action: '新建发货单',
      object: 'dispatch',
      objectId: note.id,
      after: { code: note.code, order: o.code, lines: linesIn(taken) },
    })
    return note
  })
}

/** The facts that the delivery method asks for (docs/states.md, Dispatch). */
function checkShipping(facts: ShipFacts, today: string): void {
  const { home, pickup, trip } = deliveryMethod.code
  if (facts.plannedOn < today) throw invalid('plannedOn', '预计到达不能早于今天')
  if (facts.method === home) {
    if (!facts.address) throw invalid('address', '送货上门要填地址')
    if (!facts.contact) throw invalid('contact', '送货上门要填联系人')
    if (!facts.window) throw invalid('window', '送货上门要填送货时段')
  }
  if (facts.method === trip && !facts.trip_id) throw invalid('trip_id', '集中配送要选车次')
  if (facts.method === pickup) {
    if (!facts.pickupStore) throw invalid('pickupStore', '到店自提要填自提门店')
    if (facts.pickupUntil && facts.pickupUntil < today) throw invalid('pickupUntil', '最晚自提不能早于今天')
  }
}
const CODE_RANGE = 1_000_000

/** What becomes of an order when something of it has shipped: orders stand above dispatches, and say it here. */
export type OnShipped = (tx: Tx, call: Call, order: string) => Promise<void>

export async function shipNote(
  tx: Tx,
  at: AtParties,
  body: Body<'ship'>,
  onShipped: OnShipped,
): Promise<{ rest: { id: string; code: string } | null }> {
  const { call } = at
  const { nickname, tenant } = call.user
  // What is not the receiver's is not there, whatever state the note is in.
  if (body.trip_id !== null) await tripFor(tx, tenant, body.id, body.trip_id)
  const { n, o } = await lockSeenNote(tx, at, body, 'ship')
  const today = shanghaiDay(call.now())
  checkShipping(body, today)
  const isPickup = body.method === deliveryMethod.code.pickup
  const days = isPickup ? await settingOf<number>(tx, tenant, n.bc_id, 'pickupDays') : 0
  const last = addDays(today, days)
  if (isPickup && body.pickupUntil && body.pickupUntil > last)
    throw invalid('pickupUntil', `最晚自提不能晚于 ${last}：自提期限是 ${days} 天`)
  const on = await lockPieces(tx, tenant, { note: n.id })
  const { rest, taken } = await partsOf(
    tx,
    call,
    on.filter((p) => p.place === 'ship' || p.next_note_id === n.id),
    body.lines,
  )
  const after = rest.length
    ? await openNote(
        tx,
        call,
        { order: o.id, kind: n.kind, parent: n.kind === 1 ? n.id : n.parent_id, change: n.change_id },
        rest,
      )
    : null
  const gone = await movePieces(tx, call, taken, () =>
    n.kind === FIRST ? { place: 'way', result: underWay } : { replaced: 'way' },
  )
  await insertCarried(tx, tenant, n.id, gone)
  await tellMoves(tx, call, 'shipped', gone, { note: n.id })
  const stop = body.trip_id === null ? null : await stopOn(tx, tenant, n, body.trip_id)
  await tx.run(
    'dispatch.ship',
    `UPDATE dispatches d
     SET state = 2, method = $3, planned_on = $4, address = $5, contact = $6, contact_phone = $7, window_text = $8,
       trip_id = $9, stop = $10, pickup_store = $11, pickup_code = $12, pickup_until = $13, carrier = $14,
       waybill = $15,
       shipped_name = $16, shipped_at = :now, lines = $17, version = d.version + 1
     WHERE d.tenant_id = $1 AND d.id = $2`,
    [
      tenant,
      n.id,
      body.method,
      body.plannedOn,
      body.address,
      body.contact,
      body.contactPhone,
      body.window,
      body.trip_id,
      stop,
      body.pickupStore,
      isPickup ? String(randomInt(CODE_RANGE)).padStart(6, '0') : '',
      isPickup ? (body.pickupUntil ?? addDays(today, days)) : null,
      body.carrier,
      body.waybill,
      nickname,
      linesIn(gone),
    ],
  )
  const parentNote = n.parent_id
  await openLeg(
    tx,
    call,
    {
      type: n.kind,
      order: o.id,
      bc: o.bc_id,
      note: n.id,
      change: n.change_id,
      progress: 1,
      parentNote,
      carrier: body.carrier,
      waybill: body.waybill,
      expectedOn: body.plannedOn,
    },
    `${o.receiverName} 已发货`,
  )
  await call.log(tx, {
    action: '发货',
    object: 'dispatch',
    objectId: n.id,
    before: { state: n.state },
    after: {
      state: dispatchState.code.shipped,
      code: n.code,
      order: o.code,
      lines: linesIn(gone),
      method: body.method,
      plannedOn: body.plannedOn,
      carrier: body.carrier,
      waybill: body.waybill,
      ...(after ? { rest: after.code } : {}),
    },
  })
  tellNote(tx, call, n, `${o.receiverName} 发货 ${n.code}，预计 ${body.plannedOn} 到达`)
  await passNote(tx, call, { n, o }, 'ship', `订单 ${o.code} 已发货 ${n.code}，预计 ${body.plannedOn} 到达`)
  await onShipped(tx, call, o.id)
  return { rest: after }
}
/** A trip of the receiver of this note. */
async function tripFor(tx: Tx, tenant: string, note: string, trip: string): Promise<void> {
  const { rows } = await tx.query(
    'dispatch.tripfor',
    row({ id: uuid }),
    `SELECT t.id
     FROM trips t
     JOIN dispatches d ON d.tenant_id = $1 AND d.id = $3 AND d.receiver_id = t.receiver_id
     WHERE t.tenant_id = $1 AND t.id = $2`,
    [tenant, trip, note],
  )
  found(rows[0])
}
/** Where it stands on a trip of the same receiver already, or the next stop: who had seen the trip sees another one. */
async function stopOn(tx: Tx, tenant: string, n: LockedNote, trip: string): Promise<number> {
  if (n.trip_id === trip && n.stop !== null) return n.stop
  const { rows } = await tx.query(
    'dispatch.laststop',
    row({ stop: int4 }),
    `SELECT (SELECT coalesce(max(d.stop), 0) + 1 FROM dispatches d WHERE d.tenant_id = $1 AND d.trip_id = t.id) AS stop
     FROM trips t
     WHERE t.tenant_id = $1 AND t.id = $2 AND t.receiver_id = $3
     FOR UPDATE OF t`,
    [tenant, trip, n.receiver_id],
  )
  const { stop } = found(rows[0])
  await tx.run(
    'dispatch.joined',
    'UPDATE trips t SET version = t.version + 1 WHERE t.tenant_id = $1 AND t.id = $2',
    [tenant, trip],
  )
  return stop
}

export async function cancelNote(tx: Tx, at: AtParties, body: Body<'cancel'>): Promise<void> {
  const { call } = at
  const { tenant } = call.user
  const { n, o } = await lockSeenNote(tx, at, body, 'cancel')
  await tx.run(
    'dispatch.cancel',
    `UPDATE dispatches d SET state = 1, reason = $3, stood = ${STANDING}, version = d.version + 1
     WHERE d.tenant_id = $1 AND d.id = $2`,
    [tenant, n.id, body.reason],
  )
  const on = await lockPieces(tx, tenant, { note: n.id })
  await movePieces(tx, call, on, (p) =>
    p.next_note_id === n.id ? { next_note_id: null, replaced: '' } : { note_id: null },
  )
  await call.log(tx, {
    action: '取消发货单',
    object: 'dispatch',
    objectId: n.id,
    before: { state: n.state },
    after: { state: dispatchState.code.cancelled, code: n.code, order: o.code, reason: body.reason },
  })
  tellNote(tx, call, n)
  await passNote(tx, call, { n, o }, 'cancel', `发货单 ${n.code}（订单 ${o.code}）已取消：${body.reason}`)
}
