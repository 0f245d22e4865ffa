import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { addDays } from '../../kit/shanghai.ts'
import { type Delivery, lawsBroken, openDelivery } from '../../testing/delivering.ts'
import { linkFrom } from '../../testing/driving.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let shop: Delivery
beforeAll(async () => {
  server = await startTestServer()
  shop = await openDelivery(server)
  // Hours pass in these stories.
  await server.sql(`UPDATE sessions SET expires_at = expires_at + interval '3 days'`)
})
afterAll(() => server.stop())
afterEach(async () => expect(await lawsBroken(server)).toEqual([]))

let count = 0
async function waiting(quantity = '4', byBranch = false) {
  count += 1
  const name = `车次砖 ${count}`
  const { items } = await shop.sold({ name, quantity, ...(byBranch ? { byBranch } : {}) })
  const who = byBranch ? shop.gm : shop.supplier
  const order = (await shop.place([{ item_id: items[name]!, quantity }])).orders[0]!.id
  const o = await shop.accept(order, who)
  return { id: o.notes[0]!.id, code: o.notes[0]!.code, line: o.lineList[0]!.id, order }
}
const note = (id: string, who: Person = shop.supplier) => who.call(dispatchApi.details, { query: { id } })
async function onTrip(trip: string, quantity = '4') {
  const n = await waiting(quantity)
  await shop.supplier.call(dispatchApi.ship, {
    body: {
      id: n.id,
      version: (await note(n.id)).version,
      lines: [{ line_id: n.line, quantity }],
      method: 2,
      trip_id: trip,
      plannedOn: shop.expectedOn,
      address: '3 幢 1201',
      contact: '方经理',
      contactPhone: '13800001234',
    },
  })
  return n
}
const FACTS = { driver: '老周', driverPhone: '13900001111', plate: '浙A12345' }
const add = () =>
  shop.supplier.call(tripsApi.add, { body: { receiver_id: shop.merchant, day: shop.expectedOn, ...FACTS } })
const seen = async (id: string) => (await shop.supplier.call(tripsApi.list, { query: { id } }))[0]!
type Change = Partial<BodyOf<typeof tripsApi.edit>> & { stops: string[] }
const edit = async (id: string, change: Change, who: Person = shop.supplier) => {
  const { version } = await seen(id)
  return who.ask(tripsApi.edit, { body: { id, version, day: shop.expectedOn, ...FACTS, ...change } })
}
const stopsOf = async (id: string) => {
  const { list } = await shop.supplier.call(dispatchApi.list, { query: { trip_id: id } })
  return list.toSorted((a, b) => (a.stop ?? 0) - (b.stop ?? 0)).map((n) => [n.stop, n.id])
}
const told = async (cause: string) =>
  (
    await server.sql<{ user_name: string; title: string }>(
      `SELECT u.user_name, n.title FROM notifications n JOIN users u ON u.tenant_id = n.tenant_id AND u.id = n.user_id
       WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY u.user_name`,
      [cause],
    )
  ).map((t) => `${t.user_name} ${t.title}`)

test('stops stand in the order that the person says; one is taken off, a waiting one comes on', async () => {
  const { id: trip } = await add()
  const [a, b, c] = [await onTrip(trip), await onTrip(trip), await onTrip(trip)]
  const { phone } = await linkFrom(server, shop.supplier, trip)
  expect((await edit(trip, { stops: [c.id, a.id, b.id] })).msg).toBe('')
  expect(await stopsOf(trip)).toEqual([
    [1, c.id],
    [2, a.id],
    [3, b.id],
  ])
  expect((await phone.state()).data.stops.map((s) => s.id)).toEqual([c.id, a.id, b.id])
  const d = await waiting()
  expect((await edit(trip, { stops: [c.id, b.id, d.id], reason: '随车送' })).data).toEqual({ revoked: 0 })
  expect(await stopsOf(trip)).toEqual([
    [1, c.id],
    [2, b.id],
    [3, d.id],
  ])
  expect(await note(a.id)).toMatchObject({ state: 2, trip_id: null, stop: null, method: 1 })
  expect(await note(d.id)).toMatchObject({ state: 0, trip_id: trip, stop: 3, method: 2 })
  expect((await phone.node(a.id, '路上')).msg).toContain('可能已改由别的车送')
  // Shipped, it keeps its place.
  const version = (await note(d.id)).version
  await shop.supplier.call(dispatchApi.ship, {
    body: {
      id: d.id,
      version,
      lines: [{ line_id: d.line, quantity: '4' }],
      method: 2,
      trip_id: trip,
      plannedOn: shop.expectedOn,
      contact: '方经理',
      contactPhone: '13800001234',
    },
  })
  expect((await note(d.id)).stop).toBe(3)
  const [log] = await server.sql<{ before: { stops: string }; after: { stops: string } }>(
    `SELECT before, after FROM user_logs WHERE object_id = $1 AND action = '改车次' ORDER BY at DESC LIMIT 1`,
    [trip],
  )
  expect(log!.before.stops).toBe([c.code, a.code, b.code].join('、'))
  expect(log!.after.stops).toBe([c.code, b.code, d.code].join('、'))
})

test('what was handed over keeps its place, part of one too; once all is, nothing is changed', async () => {
  const { id: trip } = await add()
  const [a, b, c] = [await onTrip(trip), await onTrip(trip), await onTrip(trip)]
  const { phone } = await linkFrom(server, shop.supplier, trip)
  await phone.handOver(a.id, { lines: [{ line_id: a.line, quantity: '1' }] })
  await phone.handOver(b.id)
  expect((await seen(trip)).stops).toBe(3)
  // The person had seen all three; what was handed over meanwhile is no mistake of theirs.
  expect((await edit(trip, { stops: [c.id, b.id, a.id] })).msg).toBe('')
  const { stops } = (await phone.state()).data
  expect(stops.map((s) => [s.stop, s.id, s.parts.length])).toEqual([
    [1, c.id, 0],
    [2, b.id, 0],
    [3, a.id, 1],
  ])
  // Taking off what is there already leaves it where it is.
  expect((await edit(trip, { stops: [a.id] })).msg).toBe(`${c.code} 已在路上，从车次拿下请写明原因`)
  expect((await note(c.id)).trip_id).toBe(trip)
  expect((await edit(trip, { stops: [a.id], day: shop.today, reason: '换一天' })).msg).toBe(
    '这个车次已经交过货，日期不能再改；没送的可以拿下来另建车次',
  )
  expect((await edit(trip, { stops: [a.id], reason: '车坏了' })).msg).toBe('')
  expect((await told(c.id)).filter((t) => t.endsWith('现在没有车送：车坏了'))).toEqual([
    expect.stringContaining('order_clerk'),
  ])
  expect((await stopsOf(trip)).map((s) => s[1])).toContain(b.id)
  expect((await note(c.id)).trip_id).toBe(null)
  await phone.handOver(a.id)
  expect((await edit(trip, { stops: [] })).msg).toBe('这个车次的货都已交完，不能再改')
  expect((await seen(trip)).open).toBe(false)
})

test('another driver has another link; what the former did before still arrives, nothing after', async () => {
  const { id: trip } = await add()
  const [a, b, c] = [await onTrip(trip), await onTrip(trip), await onTrip(trip)]
  const stops = [a.id, b.id, c.id]
  const { phone } = await linkFrom(server, shop.supplier, trip)
  // Not in the second in which it was shipped.
  server.later(2_000)
  const away = { ...phone.done(), photo: (await phone.photo()).data.key }
  server.later(60_000)
  expect((await edit(trip, { stops, plate: '浙B54321' })).data).toEqual({ revoked: 0 })
  expect((await phone.state()).code).toBe(200)
  expect((await edit(trip, { stops, driver: '老李', driverPhone: '13900002222' })).data).toEqual({
    revoked: 1,
  })
  expect(
    (await shop.supplier.call(linksApi.list, { query: { kind: 'driver', target_id: trip } }))[0]!.state,
  ).toBe('revoked')
  expect((await phone.state()).status).toBe(404)
  server.later(60_000)
  expect((await phone.handOver(b.id)).status).toBe(404)
  // Without a network until now: it was handed over while this one drove.
  for (let i = 0; i < 2; i += 1) expect((await phone.handOver(a.id, away)).msg).toBe('')
  expect(await note(a.id)).toMatchObject({ state: 3, deliveredAt: away.at })
  const next = await linkFrom(server, shop.supplier, trip)
  expect((await next.phone.handOver(a.id)).msg).toMatch(/已由 司机 王师傅 于 .* 交货/)
  expect((await next.phone.handOver(b.id)).msg).toBe('')
  // Taken back by hand it is over at once, whatever the telephone says.
  await shop.supplier.call(linksApi.revoke, { body: { id: next.id } })
  expect((await next.phone.say(c.id, 'lost', { photo: null, at: away.at })).status).toBe(404)
  server.later(25 * 3_600_000)
  expect((await phone.say(c.id, 'lost', { photo: null, at: away.at })).status).toBe(404)
})

test('another day: every note moves, both its author and its plan know, with the reason', async () => {
  const { id: trip } = await add()
  const [a, b] = [await onTrip(trip), await onTrip(trip)]
  await server.sql('UPDATE notifications SET read_at = :now')
  const later = addDays(shop.expectedOn, 2)
  const stops = [a.id, b.id]
  expect((await edit(trip, { stops, day: later })).msg).toContain('请写明原因')
  expect((await note(a.id)).plannedOn).toBe(shop.expectedOn)
  expect((await edit(trip, { stops, day: addDays(shop.today, -1), reason: '车坏了' })).msg).toBe(
    '车次日期不能早于今天',
  )
  expect((await edit(trip, { stops, day: later, reason: '车坏了' })).msg).toBe('')
  for (const n of [a, b]) {
    expect((await note(n.id)).plannedOn).toBe(later)
    expect(await told(n.id)).toEqual([`order_clerk ${n.code} 改到 ${later} 到货：车坏了`])
  }
  const [leg] = await server.sql<{ on: string }>(
    'SELECT expected_on::text AS on FROM logistics WHERE note_id = $1',
    [a.id],
  )
  expect(leg!.on).toBe(later)
})

test('what is not theirs, not to be driven, twice, or seen too early: refused, nothing changed', async () => {
  const { id: trip } = await add()
  const { id: second } = await add()
  const [a, b, c] = [await onTrip(trip), await onTrip(second), await onTrip(trip)]
  const foreign = await waiting('2', true)
  const done = await onTrip(second)
  await shop.deliver(done.id)
  const before = [await seen(trip), await stopsOf(trip), await stopsOf(second)]
  const tries = [
    [{ stops: [a.id, a.id, c.id] }, '同一张发货单选了两次'],
    [{ stops: [a.id, c.id, foreign.id] }, '没有权限'],
    [{ stops: [a.id, c.id, crypto.randomUUID()] }, '没有权限'],
    [{ stops: [a.id, c.id, b.id] }, `${b.code} 已在车次`],
    [{ stops: [a.id, c.id, done.id] }, '当前为“已送达”，不能加进车次'],
    [{ stops: [a.id, c.id], driverPhone: '电话' }, '11 位手机号'],
    [{ stops: [a.id, c.id], day: addDays(shop.today, 900) }, '车次日期不能晚于两年后'],
  ] as const
  for (const [change, msg] of tries)
    expect((await edit(trip, { reason: '改', ...change, stops: [...change.stops] })).msg).toContain(msg)
  // The side that ordered has no trips to change, nor has anybody else's company.
  for (const who of [shop.gm, shop.gm2, shop.other])
    expect((await edit(trip, { stops: [a.id, c.id] }, who)).status).toBe(403)
  expect((await edit(trip, { stops: [a.id, c.id] }, shop.clerk)).code).toBe(401)
  expect([await seen(trip), await stopsOf(trip), await stopsOf(second)]).toEqual(before)
  // Somebody ships another one with it meanwhile: it does not fall off unseen.
  const { version } = await seen(trip)
  const late = await onTrip(trip)
  const body = { id: trip, version, day: shop.expectedOn, ...FACTS, stops: [a.id, c.id] }
  expect(await shop.supplier.ask(tripsApi.edit, { body })).toMatchObject({ code: 409 })
  expect((await note(late.id)).trip_id).toBe(trip)
})

test('a stop is handed over while its trip changes: both happen, nothing is lost', async () => {
  const { id: trip } = await add()
  const [a, b] = [await onTrip(trip), await onTrip(trip)]
  const { phone } = await linkFrom(server, shop.supplier, trip)
  const photo = (await phone.photo()).data.key
  const part = { lines: [{ line_id: b.line, quantity: '1' }] }
  const at = phone.done()
  server.later(2_000)
  const answers = await Promise.all([
    phone.handOver(a.id, { ...at, photo }),
    edit(trip, { stops: [b.id, a.id], driver: '老李' }),
    phone.handOver(b.id, part),
  ])
  expect(answers.slice(0, 2).map((x) => x.msg)).toEqual(['', ''])
  expect([200, 404]).toContain(answers[2].status)
  expect((await note(a.id)).state).toBe(3)
  expect((await note(b.id)).state).toBe(2)
})
