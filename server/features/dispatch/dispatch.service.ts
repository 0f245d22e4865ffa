import { randomInt } from 'node:crypto'

import { dispatchActions } from '@zhuguan/contract/features/dispatch/dispatch.actions.ts'
import type { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import {
  logisticsStatus,
  logisticsType,
  type ProofFacts,
  sendBackReason,
  type ShipFacts,
} from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { deliveryMethod, receiveState } from '@zhuguan/contract/features/orders/orders.record.ts'
import { acceptanceResult } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { type AtParties, onParties } from '../../kit/parties.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, overtaken, refuse, Refused } from '../../kit/refuse.ts'
import { float8, int4, row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { epoch } from '../../kit/statement.ts'
import { claimPicture } from '../files/files.service.ts'
import { tell } from '../live/live.service.ts'
import { notify } from '../notifications/notifications.service.ts'
import { nextNumbers } from '../numbers/numbers.service.ts'
import { peopleOfReceiver } from '../pieces/pieces.reads.ts'
import {
  carryOver,
  freePieces,
  insertCarried,
  lockPieces,
  movePieces,
  type Piece,
  sumOf,
  takeFrom,
  tellMoves,
} from '../pieces/pieces.service.ts'
import { settingOf } from '../settings/settings.reads.ts'
import { addNode, legOf, moveLegOf, type NewNode, openLeg } from './logistics.service.ts'
import {
  lockNote,
  type LockedNote,
  lockOrderOf,
  type OrderOfNote,
  partiesOfNote,
  partiesOfOrder,
} from './notes.queries.ts'
import { type NoteCall, openNote } from './notes.service.ts'

type Body<K extends keyof typeof dispatchApi> = BodyOf<(typeof dispatchApi)[K]>
type Command = Parameters<typeof dispatchActions.refusal>[0]
type Parts = Body<'prepare'>['lines']
const { underWay, waiting } = acceptanceResult.code
const FIRST = logisticsType.code.ship
export interface AtNote {
  o: OrderOfNote
  n: LockedNote
}

/** Finds a note in the caller's reach and works on it in the reach of both its parties. */
export async function onNote<T>(
  call: Call,
  id: string,
  work: (tx: Tx, at: AtParties) => Promise<T>,
): Promise<T> {
  return onParties(call, found(await call.read((tx) => partiesOfNote(tx, call.user.scope, id))), work)
}
async function lastActor(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'dispatch.lastactor',
    row({ name: text, at: float8 }),
    `SELECT g.user_name AS name, ${epoch('g.at')} AS at
     FROM user_logs g
     WHERE g.tenant_id = $1 AND g.object = 'dispatch' AND g.object_id = $2 AND g.outcome = 'done'
     ORDER BY g.at DESC
     LIMIT 1`,
    [tenant, id],
  )
  return rows[0]
}
/** A note and its order, locked in that order. */
export async function lockWithOrder(tx: Tx, tenant: string, note: string, order: string): Promise<AtNote> {
  const o = found(await lockOrderOf(tx, tenant, order))
  return { o, n: found(await lockNote(tx, tenant, note)) }
}
async function orderOf(tx: Tx, tenant: string, note: string): Promise<string> {
  const { rows } = await tx.query(
    'dispatch.orderof',
    row({ id: text }),
    'SELECT d.order_id::text AS id FROM dispatches d WHERE d.tenant_id = $1 AND d.id = $2',
    [tenant, note],
  )
  return found(rows[0]).id
}
async function lockSeenNote(
  tx: Tx,
  { call, sides }: AtParties,
  body: { id: string; version: number },
  action: Command,
): Promise<AtNote> {
  const { tenant } = call.user
  const { n, o } = await lockWithOrder(tx, tenant, body.id, await orderOf(tx, tenant, body.id))
  if (n.version !== body.version) throw overtaken('张发货单', await lastActor(tx, tenant, n.id))
  const seen = { ...n, ...sides }
  refuse(dispatchActions.refusal(action, seen, actorAt(call.user, { ...n, site_id: n.place_id })))
  return { o, n: seen }
}

export const tellNote = (
  tx: Tx,
  call: NoteCall,
  n: Pick<LockedNote, 'bc_id' | 'id' | 'place_id'>,
  title?: string,
) =>
  tell(tx, call, {
    topic: 'dispatch',
    bc: n.bc_id,
    site: n.place_id,
    id: n.id,
    ...(title ? { line: { kind: 'delivery' as const, title } } : {}),
  })
export const linkOfNote = (id: string): string => `/dispatch/DispatchList?id=${id}`

/** Of these pieces so much of each line; more than there is of one is refused. */
async function partsOf(
  tx: Tx,
  call: NoteCall,
  pieces: readonly Piece[],
  parts: Parts,
): Promise<{ taken: Piece[]; rest: Piece[] }> {
  if (new Set(parts.map((p) => p.line_id)).size < parts.length) throw invalid('lines', '同一行选了两次')
  const taken: Piece[] = []
  const rest = pieces.filter((p) => !parts.some((part) => part.line_id === p.line_id))
  for (const part of parts) {
    const own = pieces.filter((p) => p.line_id === part.line_id)
    if (own.length === 0) throw invalid('lines', '有的行不在这里')
    const cut = await takeFrom(tx, call, own, part.quantity)
    if (!cut) throw new Refused(`有一行只剩 ${sumOf(own)}，不能是 ${part.quantity}`)
    taken.push(...cut.taken)
    rest.push(...cut.rest)
  }
  return { taken, rest }
}
const linesIn = (pieces: readonly Piece[]) => new Set(pieces.map((p) => p.line_id)).size
const setLines = (tx: Tx, tenant: string, note: string, lines: number) =>
  tx.run('dispatch.lines', 'UPDATE dispatches d SET lines = $3 WHERE d.tenant_id = $1 AND d.id = $2', [
    tenant,
    note,
    lines,
  ])

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

/** What the delivery method asks (docs/states.md, Dispatch). */
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

export async function shipNote(
  tx: Tx,
  at: AtParties,
  body: Body<'ship'>,
): Promise<{ rest: { id: string; code: string } | null }> {
  const { call } = at
  const { nickname, tenant } = call.user
  // What is not the receiver's is not there, whatever state the note is in.
  if (body.trip_id) await refuseStrangeTrip(tx, tenant, body.id, body.trip_id)
  const { n, o } = await lockSeenNote(tx, at, body, 'ship')
  const today = shanghaiDay(call.now())
  checkShipping(body, today)
  const isPickup = body.method === deliveryMethod.code.pickup
  const days = isPickup ? await settingOf<number>(tx, tenant, n.bc_id, 'pickupDays') : 0
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
  const stop = body.trip_id === null ? null : await lastStop(tx, tenant, n, body.trip_id)
  await tx.run(
    'dispatch.ship',
    `UPDATE dispatches d
     SET state = 2, method = $3, planned_on = $4, address = $5, contact = $6, contact_phone = $7, window_text = $8,
       trip_id = $9, stop = $10, pickup_store = $11, pickup_code = $12, pickup_until = $13, carrier = $14, waybill = $15,
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
  await notify(tx, {
    tenant,
    user: o.made_by,
    actor: call.user.id,
    title: `订单 ${o.code} 已发货 ${n.code}，预计 ${body.plannedOn} 到达`,
    link: linkOfNote(n.id),
    cause: { kind: 'dispatch', id: n.id },
  })
  return { rest: after }
}
async function refuseStrangeTrip(tx: Tx, tenant: string, note: string, trip: string): Promise<void> {
  const { rows } = await tx.query(
    'dispatch.tripof',
    row({ id: text }),
    `SELECT t.id::text AS id
     FROM trips t
     JOIN dispatches d ON d.tenant_id = $1 AND d.id = $2 AND d.receiver_id = t.receiver_id
     WHERE t.tenant_id = $1 AND t.id = $3`,
    [tenant, note, trip],
  )
  found(rows[0])
}
/** The next stop of a trip of the same receiver that has not driven yet. */
async function lastStop(tx: Tx, tenant: string, n: LockedNote, trip: string): Promise<number> {
  const { rows } = await tx.query(
    'dispatch.laststop',
    row({ stop: int4 }),
    `SELECT (SELECT coalesce(max(d.stop), 0) + 1 FROM dispatches d WHERE d.tenant_id = $1 AND d.trip_id = t.id) AS stop
     FROM trips t
     WHERE t.tenant_id = $1 AND t.id = $2 AND t.receiver_id = $3
     FOR UPDATE OF t`,
    [tenant, trip, n.receiver_id],
  )
  return found(rows[0]).stop
}

export async function cancelNote(tx: Tx, at: AtParties, body: Body<'cancel'>): Promise<void> {
  const { call } = at
  const { tenant } = call.user
  const { n, o } = await lockSeenNote(tx, at, body, 'cancel')
  await tx.run(
    'dispatch.cancel',
    'UPDATE dispatches d SET state = 1, reason = $3, version = d.version + 1 WHERE d.tenant_id = $1 AND d.id = $2',
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
    after: { code: n.code, order: o.code, reason: body.reason },
  })
  tellNote(tx, call, n)
}

/** Goods that a note carries are there now. */
const arrived =
  (note: string) =>
  (p: Piece): Partial<Piece> => ({
    place: 'waiting',
    result: waiting,
    note_id: note,
    next_note_id: p.next_note_id === note ? null : p.next_note_id,
    replaced: '',
  })
const onItsWay = (note: string) => (p: Piece) =>
  p.next_note_id === note ? p.replaced === 'way' : p.note_id === note && p.place === 'way'
async function sheetNumber(tx: Tx, call: NoteCall, bc: string): Promise<string> {
  const { tenant } = call.user
  const { rows } = await tx.query(
    'dispatch.branchcode',
    row({ code: text }),
    'SELECT b.code FROM companies b WHERE b.tenant_id = $1 AND b.bc_id = $2',
    [tenant, bc],
  )
  return (await nextNumbers(tx, { tenant, kind: 'sheet', of: { id: bc, code: rows[0]!.code } }))[0]!
}
async function writeProof(tx: Tx, call: NoteCall, n: Pick<LockedNote, 'id' | 'bc_id'>, proof: ProofFacts) {
  await tx.run(
    'dispatch.deliver',
    `UPDATE dispatches d
     SET state = 3, delivered_name = $3, delivered_at = :now, delivered_place = $4, lng = $5, lat = $6, photo = $7,
       signature = $8, sheet_code = $9, check_state = 0, version = d.version + 1
     WHERE d.tenant_id = $1 AND d.id = $2`,
    [
      call.user.tenant,
      n.id,
      call.user.nickname,
      proof.place,
      proof.lng,
      proof.lat,
      proof.photo,
      proof.signature,
      await sheetNumber(tx, call, n.bc_id),
    ],
  )
}
function checkCode(n: LockedNote, proof: ProofFacts): void {
  if (n.method !== deliveryMethod.code.pickup) return
  if (!proof.pickupCode) throw invalid('pickupCode', '到店自提要核对取货码')
  if (proof.pickupCode !== n.pickupCode) throw invalid('pickupCode', '取货码不对，请向取货人核对')
}
async function tellArrival(tx: Tx, call: NoteCall, { n, o }: AtNote, code: string): Promise<void> {
  tellNote(tx, call, n, `${o.receiverName} 送达 ${code}，等待验收`)
  await notify(tx, {
    tenant: call.user.tenant,
    user: o.made_by,
    actor: call.user.id,
    title: `${code} 已送达，等待验收`,
    link: linkOfNote(n.id),
    cause: { kind: 'dispatch', id: n.id },
  })
}

/** All that a note carries is handed over; the caller has locked it and claimed the pictures. */
export async function deliverWhole(
  tx: Tx,
  call: NoteCall,
  at: AtNote,
  proof: ProofFacts,
  source: NewNode['source'] = 'person',
): Promise<void> {
  const { n } = at
  checkCode(n, proof)
  const { tenant } = call.user
  const on = (await lockPieces(tx, tenant, { note: n.id })).filter(onItsWay(n.id))
  await movePieces(tx, call, on, arrived(n.id))
  await writeProof(tx, call, n, proof)
  await moveLegOf(tx, call, n.id, { progress: 2, signed: true })
  const leg = await legOf(tx, tenant, n.id)
  if (leg) await addNode(tx, call, leg, { title: '已送达', place: proof.place, source })
  await tellArrival(tx, call, at, n.code)
}
export async function deliverNote(tx: Tx, at: AtParties, body: Body<'deliver'>): Promise<void> {
  const { call } = at
  const both = await lockSeenNote(tx, at, body, 'deliver')
  await claimProof(tx, call, both.n.bc_id, body)
  await deliverWhole(tx, call, both, body)
  await call.log(tx, {
    action: '确认送达',
    object: 'dispatch',
    objectId: both.n.id,
    before: { state: both.n.state },
    after: { code: both.n.code, order: both.o.code, place: body.place },
  })
}
async function claimProof(tx: Tx, call: Call, bc: string, proof: ProofFacts): Promise<void> {
  if (proof.signature === proof.photo) throw invalid('signature', '照片和签名不能是同一张')
  for (const key of [proof.photo, proof.signature]) if (key) await claimPicture(tx, call, key, 'goods', bc)
}

/** Part is handed over and stands on a note of its own; the rest is still under way. */
export async function handOverPart(
  tx: Tx,
  call: NoteCall,
  { n, o }: AtNote,
  body: ProofFacts & { lines: Parts },
  source: NewNode['source'] = 'person',
): Promise<{ id: string; code: string }> {
  checkCode(n, body)
  const { tenant } = call.user
  const on = (await lockPieces(tx, tenant, { note: n.id })).filter(onItsWay(n.id))
  const { rest, taken } = await partsOf(tx, call, on, body.lines)
  if (rest.length === 0) throw invalid('lines', '全部交完请用“确认送达”')
  const id = call.newId()
  const code = await partCode(tx, tenant, n.code)
  await tx.run(
    'dispatch.part',
    `INSERT INTO dispatches (tenant_id, id, code, bc_id, receiver_id, site_id, order_id, kind, state, parent_id, change_id,
       method, planned_on, address, contact, contact_phone, window_text, trip_id, stop, pickup_store, pickup_code,
       pickup_until, carrier, waybill, lines, made_name, made_at, shipped_name, shipped_at)
     SELECT d.tenant_id, $3, $4, d.bc_id, d.receiver_id, d.site_id, d.order_id, d.kind, d.state, d.id, d.change_id,
       d.method, d.planned_on, d.address, d.contact, d.contact_phone, d.window_text, d.trip_id, d.stop, d.pickup_store,
       d.pickup_code, d.pickup_until, d.carrier, d.waybill, $5, $6, :now, d.shipped_name, d.shipped_at
     FROM dispatches d
     WHERE d.tenant_id = $1 AND d.id = $2`,
    [tenant, n.id, id, code, linesIn(taken), call.user.nickname],
  )
  await setLines(tx, tenant, n.id, linesIn(rest))
  await carryOver(
    tx,
    tenant,
    n.id,
    id,
    taken.map((p) => p.id),
  )
  await movePieces(tx, call, taken, (p) => ({ ...arrived(id)(p), next_note_id: null }))
  const part = { ...n, id, code }
  await openLeg(
    tx,
    call,
    { type: n.kind, order: o.id, bc: o.bc_id, note: id, change: n.change_id, progress: 2, parentNote: n.id },
    { title: '部分交货，已送达', place: body.place, source },
  )
  await writeProof(tx, call, part, body)
  await tx.run(
    'dispatch.touch',
    'UPDATE dispatches d SET version = d.version + 1 WHERE d.tenant_id = $1 AND d.id = $2',
    [tenant, n.id],
  )
  await tellArrival(tx, call, { n: part, o }, code)
  return { id, code }
}
export async function handOverNote(
  tx: Tx,
  at: AtParties,
  body: Body<'handOver'>,
): Promise<{ id: string; code: string }> {
  const { call } = at
  const both = await lockSeenNote(tx, at, body, 'handOver')
  await claimProof(tx, call, both.n.bc_id, body)
  const part = await handOverPart(tx, call, both, body)
  await call.log(tx, {
    action: '部分交货',
    object: 'dispatch',
    objectId: both.n.id,
    after: { code: both.n.code, order: both.o.code, rest: part.code, lines: body.lines.length },
  })
  return part
}
/** The first number with the next free ending: …-2, …-3. */
async function partCode(tx: Tx, tenant: string, code: string): Promise<string> {
  const base = code.replace(/-\d+$/, '')
  const { rows } = await tx.query(
    'dispatch.parts',
    row({ last: int4 }),
    `SELECT coalesce(max(substring(d.code FROM '-(\\d+)$')::int), 1) AS last
     FROM dispatches d
     WHERE d.tenant_id = $1 AND (d.code = $2 OR d.code LIKE $2 || '-%')`,
    [tenant, base],
  )
  return `${base}-${rows[0]!.last + 1}`
}

/** A whole note comes back, or is lost; its goods are to be shipped again, or ordered where the order is over. */
export async function sendBackNote(tx: Tx, at: AtParties, body: Body<'sendBack'>): Promise<void> {
  const { call } = at
  const { tenant } = call.user
  const { n, o } = await lockSeenNote(tx, at, body, 'sendBack')
  const why = `${sendBackReason.label(body.back)}：${body.reason}`
  const isLost = body.back === sendBackReason.code.lost
  const on = (await lockPieces(tx, tenant, { note: n.id })).filter(onItsWay(n.id))
  await tellMoves(tx, call, isLost ? 'lost' : 'back', on, { note: n.id })
  await tx.run(
    'dispatch.sendback',
    'UPDATE dispatches d SET state = 5, reason = $3, version = d.version + 1 WHERE d.tenant_id = $1 AND d.id = $2',
    [tenant, n.id, why],
  )
  await moveLegOf(tx, call, n.id, { status: logisticsStatus.code.back })
  if (!isLost)
    await openLeg(
      tx,
      call,
      { type: logisticsType.code.back, order: o.id, bc: o.bc_id, note: n.id, progress: 1, parentNote: n.id },
      `整单退回（${why}）`,
    )
  if (n.kind !== FIRST) {
    const again = await movePieces(tx, call, on, () => ({ replaced: '', next_note_id: null }))
    await openNote(tx, call, { order: o.id, kind: n.kind, parent: n.parent_id, change: n.change_id }, again)
  } else if (o.ended) await freePieces(tx, call, on, { ended: !o.contractLive })
  else {
    const again = await movePieces(tx, call, on, () => ({ place: 'ship', result: null, note_id: null }))
    await openNote(tx, call, { order: o.id, parent: n.id }, again)
  }
  await call.log(tx, {
    action: '整单退回',
    object: 'dispatch',
    objectId: n.id,
    before: { state: n.state },
    after: { code: n.code, order: o.code, back: body.back, reason: body.reason },
  })
  tellNote(tx, call, n, `${n.code} ${why}`)
  const others = [o.made_by, ...(await peopleOfReceiver(tx, tenant, o.receiver_id))]
  await notify(tx, {
    tenant,
    user: others,
    actor: call.user.id,
    title: `${n.code} ${why}`,
    link: linkOfNote(n.id),
    cause: { kind: 'dispatch', id: n.id },
  })
}
