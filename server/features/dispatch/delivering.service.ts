import {
  dispatchState,
  logisticsStatus,
  logisticsType,
  type ProofFacts,
  sendBackReason,
} from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'
import { acceptanceResult } from '@zhuguan/contract/features/pieces/pieces.record.ts'

import type { Tx } from '../../database/connect.ts'
import type { AtParties } from '../../kit/parties.ts'
import { invalid } from '../../kit/refuse.ts'
import { int4, row } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { claimPicture, tieToOrder } from '../files/files.service.ts'
import { nextNumberIn } from '../numbers/numbers.service.ts'
import {
  carryOver,
  freePieces,
  lockPieces,
  movePieces,
  type Piece,
  tellMoves,
} from '../pieces/pieces.service.ts'
import { recheck } from './checking.service.ts'
import {
  type AtNote,
  type Body,
  FIRST,
  linesIn,
  passNote,
  lockSeenNote,
  partsOf,
  type Parts,
  tellNote,
} from './dispatch.service.ts'
import { holdHandover } from './handover.service.ts'
import { addNode, legOf, moveLegOf, type NewNode, openLeg } from './logistics.service.ts'
import type { LockedNote } from './notes.queries.ts'
import { type NoteCall, openNote, touchNote } from './notes.service.ts'
import { WrongCode } from './pickup-codes.service.ts'

const { waiting } = acceptanceResult.code
const { delivered, returned } = dispatchState.code
const setLines = (tx: Tx, tenant: string, note: string, lines: number) =>
  tx.run('dispatch.lines', 'UPDATE dispatches d SET lines = $3 WHERE d.tenant_id = $1 AND d.id = $2', [
    tenant,
    note,
    lines,
  ])

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
/** The driver's word about goods that were damaged on the way; whoever accepts them judges. */
interface Damage {
  damage?: string
  damagePhoto?: string | null
}
async function writeProof(tx: Tx, call: NoteCall, n: LockedNote, proof: Damage & ProofFacts) {
  await tx.run(
    'dispatch.deliver',
    `UPDATE dispatches d
     SET state = 3, delivered_name = $3, delivered_at = :now, delivered_place = $4, lng = $5, lat = $6, photo = $7,
       signature = $8, sheet_code = $9, check_state = 0, damage = $10, damage_photo = $11, version = d.version + 1
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
      await nextNumberIn(tx, { tenant: call.user.tenant, kind: 'sheet', bc: n.bc_id }),
      proof.damage ?? '',
      proof.damagePhoto ?? null,
    ],
  )
  const pictures = [proof.photo, proof.signature, proof.damagePhoto ?? null].filter((key) => key !== null)
  if (pictures.length) await tieToOrder(tx, call.user.tenant, pictures, n.order_id)
  // Who comes to fetch goods is not on the site.
  if (n.method !== deliveryMethod.code.pickup) await holdHandover(tx, call, n)
}
function checkCode(n: LockedNote, proof: ProofFacts): void {
  if (n.method !== deliveryMethod.code.pickup) return
  if (!proof.pickupCode) throw invalid('pickupCode', '到店自提要核对取货码')
  if (proof.pickupCode !== n.pickupCode) throw new WrongCode()
}
async function tellArrival(
  tx: Tx,
  call: NoteCall,
  { n, o }: AtNote,
  code: string,
  change: 'deliver' | 'handOver',
): Promise<void> {
  tellNote(tx, call, n, `${o.receiverName} 送达 ${code}，等待验收`)
  // Nobody is asked to collect what has been collected; who judges it is told.
  await passNote(tx, call, { n, o }, change, `${code} 已送达，请验收`)
}

/** What comes instead waits to be judged: the note that brought it first is as far as that. */
async function recheckFormer(tx: Tx, call: NoteCall, { n, o }: AtNote, pieces: readonly Piece[]) {
  if (n.kind === FIRST) return
  await recheck(
    tx,
    call,
    o.id,
    pieces.map((p) => p.id),
  )
}

/** Goods were damaged on the way: it stands on the track, and who accepts them hears. */
async function tellDamage(
  tx: Tx,
  call: NoteCall,
  { n, o }: AtNote,
  { damage, damagePhoto, place }: Damage & ProofFacts,
  source: NewNode['source'],
): Promise<void> {
  if (!damage) return
  const leg = await legOf(tx, call.user.tenant, n.id)
  const title = `送货人说有损坏：${damage}`
  if (leg) await addNode(tx, call, leg, { title, place, source, photo: damagePhoto ?? null, at: call.now() })
  await passNote(tx, call, { n, o }, 'damaged', `${n.code} 已送达，请验收；${title}`)
}

/** All that a note carries is handed over; the caller has locked it and claimed the pictures. */
export async function deliverWhole(
  tx: Tx,
  call: NoteCall,
  at: AtNote,
  proof: Damage & ProofFacts,
  source: NewNode['source'] = 'person',
): Promise<void> {
  const { n } = at
  checkCode(n, proof)
  const { tenant } = call.user
  const on = (await lockPieces(tx, tenant, { note: n.id })).filter(onItsWay(n.id))
  await movePieces(tx, call, on, arrived(n.id))
  await writeProof(tx, call, n, proof)
  await recheckFormer(tx, call, at, on)
  await moveLegOf(tx, call, n.id, { progress: 2, signed: true })
  const leg = await legOf(tx, tenant, n.id)
  if (leg) await addNode(tx, call, leg, { title: '已送达', place: proof.place, source })
  await tellArrival(tx, call, at, n.code, 'deliver')
  await tellDamage(tx, call, at, proof, source)
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
    after: { state: delivered, code: both.n.code, order: both.o.code, place: body.place },
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
  body: Damage & ProofFacts & { lines: Parts; reason: string },
  source: NewNode['source'] = 'person',
): Promise<{ id: string; code: string }> {
  checkCode(n, body)
  const { tenant } = call.user
  const on = (await lockPieces(tx, tenant, { note: n.id })).filter(onItsWay(n.id))
  const { rest, taken } = await partsOf(tx, call, on, body.lines)
  if (rest.length === 0) throw invalid('lines', '全部交完请用“确认送达”')
  const id = call.newId()
  const code = await partCode(tx, tenant, n)
  await tx.run(
    'dispatch.part',
    `INSERT INTO dispatches (tenant_id, id, code, bc_id, receiver_id, site_id, order_id, kind, state, parent_id,
    change_id,
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
  await recheckFormer(tx, call, { n, o }, taken)
  await touchNote(tx, tenant, n.id)
  const leg = await legOf(tx, tenant, n.id)
  const kept = `余下的没有交：${body.reason}`
  if (leg)
    await addNode(tx, call, leg, { title: `交了一部分（${code}），${kept}`, place: body.place, source })
  await tellArrival(tx, call, { n: part, o }, code, 'handOver')
  await tellDamage(tx, call, { n: part, o }, body, source)
  await passNote(tx, call, { n, o }, 'partLeft', `${n.code} 只交了一部分（${code}），${kept}`)
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
    before: { state: both.n.state },
    after: {
      state: both.n.state,
      code: both.n.code,
      order: both.o.code,
      rest: part.code,
      lines: body.lines.length,
      reason: body.reason,
    },
  })
  return part
}
/** The first number with the next free ending, among the notes of its order: …-2, …-3. */
async function partCode(tx: Tx, tenant: string, n: { code: string; order_id: string }): Promise<string> {
  const base = n.code.replace(/-\d+$/, '')
  const { rows } = await tx.query(
    'dispatch.parts',
    row({ last: int4 }),
    `SELECT coalesce(max(substring(d.code FROM '-(\\d+)$')::int), 1) AS last
     FROM dispatches d
     WHERE d.tenant_id = $1 AND d.order_id = $3 AND (d.code = $2 OR d.code LIKE $2 || '-%')`,
    [tenant, base, n.order_id],
  )
  return `${base}-${rows[0]!.last + 1}`
}

/** A whole note comes back, or is lost; its goods are to be shipped again, or ordered where the order is over. */
export async function sendBackNote(tx: Tx, at: AtParties, body: Body<'sendBack'>): Promise<void> {
  const both = await lockSeenNote(tx, at, body, 'sendBack')
  await sendBackWhole(tx, at.call, both, body)
  const { n, o } = both
  await at.call.log(tx, {
    action: '整单退回',
    object: 'dispatch',
    objectId: n.id,
    before: { state: n.state },
    after: { state: returned, code: n.code, order: o.code, back: body.back, reason: body.reason },
  })
}
/** The same of a note that the caller has locked; the driver says where and shows it. */
export async function sendBackWhole(
  tx: Tx,
  call: NoteCall,
  { n, o }: AtNote,
  body: Pick<Body<'sendBack'>, 'back' | 'reason'>,
  said: Pick<NewNode, 'photo' | 'place' | 'source'> = {},
): Promise<void> {
  const { tenant } = call.user
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
  const leg = await legOf(tx, tenant, n.id)
  if (leg) await addNode(tx, call, leg, { title: why, ...said })
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
  tellNote(tx, call, n, `${n.code} ${why}`)
  await passNote(tx, call, { n, o }, 'sendBack', `${n.code} ${why}`)
}
