import { dispatchState } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import type { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'
import type { TripRow } from '@zhuguan/contract/features/dispatch/trips.record.ts'
import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import type { AtParties } from '../../kit/parties.ts'
import { checkDay } from '../../kit/planned-day.ts'
import { found, invalid, overtaken, refuse, Refused } from '../../kit/refuse.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { whole } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { relieveLinks } from '../links/links.service.ts'
import { nextNumbers } from '../numbers/numbers.service.ts'
import { lastActor } from '../userlogs/userlogs.reads.ts'
import { lockWithOrder, passNote, tellNote } from './dispatch.service.ts'
import { lockOnTrip, lockTrip, type NoteOnTrip, putOnTrip, renumberParts } from './trips.queries.ts'

const { checked, delivered, shipped, waiting } = dispatchState.code

/** A trip of a receiver in reach: a driver and a day; notes join it as its stops. */
export async function addTrip(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof tripsApi)['add']>,
): Promise<{ id: string; code: string }> {
  const { id: me, scope, tenant } = call.user
  if (!whole(scope) && !scope.receivers?.includes(body.receiver_id)) found(undefined)
  const { rows } = await tx.query(
    'dispatch.receiver',
    row({ bc_id: uuid, code: text }),
    `SELECT b.bc_id, b.code
     FROM companies b
     WHERE b.tenant_id = $1 AND b.bc_id = coalesce(
       (SELECT s.bc_id FROM stores s WHERE s.tenant_id = $1 AND s.id = $2), $2)`,
    [tenant, body.receiver_id],
  )
  const of = found(rows[0])
  checkDay(call, 'day', '车次日期', body.day)
  const id = call.newId()
  const code = (await nextNumbers(tx, { tenant, kind: 'trip', of: { id: of.bc_id, code: of.code } }))[0]!
  await tx.run(
    'dispatch.addtrip',
    `INSERT INTO trips (tenant_id, id, code, bc_id, receiver_id, day, driver, driver_phone, plate, made_by, made_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, :now)`,
    [tenant, id, code, of.bc_id, body.receiver_id, body.day, body.driver, body.driverPhone, body.plate, me],
  )
  await call.log(tx, { action: '新建车次', object: 'dispatch', objectId: id, after: { trip: code } })
  return { id, code }
}

async function moveDay(tx: Tx, tenant: string, note: string, on: string): Promise<void> {
  await tx.run(
    'dispatch.replan',
    `UPDATE dispatches d SET planned_on = $3, moved_on = $3, version = d.version + 1
     WHERE d.tenant_id = $1 AND d.id = $2`,
    [tenant, note, on],
  )
  await tx.run(
    'dispatch.replanleg',
    `UPDATE logistics g SET expected_on = $3, version = g.version + 1
     WHERE g.tenant_id = $1 AND g.note_id = $2 AND g.type IN (1, 2, 3)`,
    [tenant, note, on],
  )
}

/** Goods come on another day: whoever says so gives a reason, and the other side is told. */
export async function replanNote(
  tx: Tx,
  at: AtParties,
  order: string,
  body: BodyOf<(typeof tripsApi)['replan']>,
): Promise<void> {
  const { call } = at
  const { tenant } = call.user
  const { n, o } = await lockWithOrder(tx, tenant, body.id, order)
  if (n.version !== body.version) throw overtaken('张发货单')
  refuse(
    n.state === waiting || n.state === shipped
      ? undefined
      : `当前为“${dispatchState.label(n.state)}”，不能改到货日期`,
  )
  checkDay(call, 'plannedOn', '预计到达', body.plannedOn)
  if (body.plannedOn === n.plannedOn) throw new Refused('到货日期没有变')
  await moveDay(tx, tenant, n.id, body.plannedOn)
  await call.log(tx, {
    action: '改到货日期',
    object: 'dispatch',
    objectId: n.id,
    before: { plannedOn: n.plannedOn },
    after: { code: n.code, order: o.code, plannedOn: body.plannedOn, reason: body.reason },
  })
  tellNote(tx, call, n, `${n.code} 改到 ${body.plannedOn} 到货：${body.reason}`)
  await passNote(tx, call, { n, o }, 'replan', `${n.code} 改到 ${body.plannedOn} 到货：${body.reason}`)
}

const isOpen = (n: NoteOnTrip) => n.state === waiting || n.state === shipped
const isOver = (n: NoteOnTrip) => n.state === delivered || n.state === checked
/** The reason why something cannot be put on a trip. */
function whyNotOn(n: NoteOnTrip, trip: string): string | undefined {
  if (!isOpen(n)) return `${n.code} 当前为“${dispatchState.label(n.state)}”，不能加进车次`
  if (n.trip_id !== null && n.trip_id !== trip) return `${n.code} 已在车次 ${n.tripCode}，请先从那里拿下`
  if (n.method === deliveryMethod.code.pickup) return `${n.code} 是到店自提的，不用送`
  if (n.state === shipped && !n.phone) return `${n.code} 没有联系电话，司机到了要打电话，不能加进车次`
  return undefined
}
/** The notes on it from now on, in the order that the person says; what was handed over keeps its place. */
function stopsFor(trip: string, notes: readonly NoteOnTrip[], ids: readonly string[]) {
  if (new Set(ids).size < ids.length) throw invalid('stops', '同一张发货单选了两次')
  const listed = ids.map((id) => found(notes.find((n) => n.id === id)))
  const mine = notes.filter((n) => n.trip_id === trip && n.part_of === null)
  const over = mine.filter(isOver)
  if (over.length && !mine.some(isOpen)) throw new Refused('这个车次的货都已交完，不能再改')
  // Handed over, cancelled or sent back since the person looked: it stays as it is, and the rest is done.
  const open = listed.filter((n) => n.trip_id !== trip || isOpen(n))
  for (const n of open) {
    const why = whyNotOn(n, trip)
    if (why) throw invalid('stops', why)
  }
  const taken = new Set(over.map((n) => n.stop))
  let next = 0
  const stops = open.map((note) => {
    do next += 1
    while (taken.has(next))
    return { note, stop: next }
  })
  return { stops, off: mine.filter((n) => isOpen(n) && !ids.includes(n.id)), over: over.length > 0 }
}

/** Another driver, lorry, day or order of stops; only by the side whose goods it carries. */
export async function editTrip(
  tx: Tx,
  call: Call,
  receiver: string,
  body: BodyOf<(typeof tripsApi)['edit']>,
): Promise<{ revoked: number }> {
  const { tenant } = call.user
  const notes = await lockOnTrip(tx, tenant, { receiver, trip: body.id, stops: body.stops })
  const trip = found(await lockTrip(tx, tenant, body.id))
  if (trip.version !== body.version)
    throw overtaken('个车次', await lastActor(tx, tenant, 'dispatch', trip.id))
  const { off, over, stops } = stopsFor(trip.id, notes, body.stops)
  if (over && body.day !== trip.day)
    throw invalid('day', '这个车次已经交过货，日期不能再改；没送的可以拿下来另建车次')
  const away = off.filter((n) => n.state === shipped)
  if (away.length && body.reason.length < 2)
    throw invalid('reason', `${away.map((n) => n.code).join('、')} 已在路上，从车次拿下请写明原因`)
  if (body.day !== trip.day) checkDay(call, 'day', '车次日期', body.day)
  const moved = stops.filter(
    ({ note: n }) => n.plannedOn !== body.day && (body.day !== trip.day || n.trip_id !== trip.id),
  )
  if (moved.length && body.reason.length < 2)
    throw invalid(
      'reason',
      `${moved.map(({ note }) => note.code).join('、')} 要改到 ${body.day} 到货，请写明原因`,
    )
  await tx.run(
    'trips.edit',
    `UPDATE trips t SET day = $3, driver = $4, driver_phone = $5, plate = $6, version = t.version + 1
     WHERE t.tenant_id = $1 AND t.id = $2`,
    [tenant, trip.id, body.day, body.driver, body.driverPhone, body.plate],
  )
  const { home, trip: byTrip } = deliveryMethod.code
  for (const n of off) await putOnTrip(tx, tenant, n.id, { trip: null, stop: null, method: home })
  for (const { note: n, stop } of stops)
    if (n.trip_id !== trip.id || n.stop !== stop)
      await putOnTrip(tx, tenant, n.id, { trip: trip.id, stop, method: byTrip })
  await renumberParts(tx, tenant, trip.id)
  for (const { note: n } of moved) {
    await moveDay(tx, tenant, n.id, body.day)
    const title = `${n.code} 改到 ${body.day} 到货：${body.reason}`
    tellNote(tx, call, n, title)
    await passNote(tx, call, { n, o: { ...n, site_id: n.place_id } }, 'replan', title)
  }
  for (const n of [...off, ...stops.map((s) => s.note)]) tellNote(tx, call, n)
  for (const n of away)
    await passNote(
      tx,
      call,
      { n, o: { ...n, site_id: n.place_id } },
      'offTrip',
      `${n.code} 已在路上，从车次 ${trip.code} 拿下，现在没有车送：${body.reason}`,
    )
  const isOther = body.driver !== trip.driver || body.driverPhone !== trip.driverPhone
  const revoked = isOther ? await relieveLinks(tx, tenant, 'driver', trip.id) : 0
  const was = notes.filter((n) => n.trip_id === trip.id && n.part_of === null && isOpen(n))
  const inTurn = was.toSorted((a, b) => (a.stop ?? 0) - (b.stop ?? 0)).map((n) => n.code)
  await call.log(tx, {
    action: '改车次',
    object: 'dispatch',
    objectId: trip.id,
    before: { trip: trip.code, ...factsOf(trip), stops: inTurn.join('、') },
    after: {
      trip: trip.code,
      ...factsOf(body),
      stops: stops.map((s) => s.note.code).join('、'),
      ...(body.reason ? { reason: body.reason } : {}),
    },
  })
  return { revoked }
}
const factsOf = ({
  day,
  driver,
  driverPhone,
  plate,
}: Pick<TripRow, 'day' | 'driver' | 'driverPhone' | 'plate'>) => ({
  day,
  driver,
  driverPhone,
  plate,
})
