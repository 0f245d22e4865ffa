import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { addDays } from '../../kit/shanghai.ts'
import { type Delivery, lawsBroken, openDelivery } from '../../testing/delivering.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { listen } from '../../testing/stream.ts'

let server: TestServer
let shop: Delivery
beforeAll(async () => {
  server = await startTestServer()
  shop = await openDelivery(server)
})
afterAll(() => server.stop())
afterEach(async () => expect(await lawsBroken(server)).toEqual([]))

let count = 0
/** An accepted order of so much of one thing, with the note that waits. */
async function accepted(quantity: string) {
  count += 1
  const name = `发货砖 ${count}`
  const { items, site } = await shop.sold({ name, quantity })
  const id = (await shop.place([{ item_id: items[name]!, quantity }])).orders[0]!.id
  const o = await shop.accept(id)
  return { id, site, note: o.notes[0]!.id, line: o.lineList[0]!.id }
}
const note = (id: string, who: Person = shop.supplier) => who.call(dispatchApi.details, { query: { id } })
const seen = async (id: string) => ({ id, version: (await note(id)).version })
const HOME = { method: 1 as const, address: '3 幢 1201', contact: '方经理', window: '9 点到 11 点' }
const ship = async (id: string, lines: { line_id: string; quantity: string }[], more: object = {}) =>
  shop.supplier.ask(dispatchApi.ship, {
    body: { ...(await seen(id)), lines, plannedOn: shop.expectedOn, ...HOME, ...more },
  })
const proof = async (who: Person) => ({ photo: await uploadPhoto(server.url, who), place: '3 幢楼下' })
const deliver = async (id: string, who = shop.acceptor, more: object = {}) =>
  who.ask(dispatchApi.deliver, { body: { ...(await seen(id)), ...(await proof(who)), ...more } })

test('shipped in parts: what is not on the truck stays on a note of its own', async () => {
  const { id, line, note: first } = await accepted('10')
  expect((await ship(first, [{ line_id: line, quantity: '10.5' }])).msg).toContain('只剩 10')
  const { rest } = (await ship(first, [{ line_id: line, quantity: '4' }])).data
  expect(await shop.seen(id)).toMatchObject({ orderState: 4, lineList: [{ shipped: '4', arrived: '0' }] })
  expect(await note(rest!.id)).toMatchObject({
    state: 0,
    lineList: [{ quantity: '6' }],
    parentCode: expect.any(String),
    // What waits has gone no way yet.
    tracks: [],
  })
  expect((await ship(first, [{ line_id: line, quantity: '1' }])).msg).toContain('当前为“已发货”')
  expect((await deliver(first)).msg).toBe('')
  expect(await shop.seen(id)).toMatchObject({ orderState: 5, lineList: [{ shipped: '4', arrived: '4' }] })
  const n = await note(first)
  expect(n).toMatchObject({ state: 3, checkState: 0, sheetCode: expect.stringMatching(/^YSHZ/) })
  expect(n.tracks[0]).toMatchObject({ type: 1, progress: 2, status: 0 })
  expect(n.tracks[0]!.nodes.map((k) => k.title)).toEqual([expect.stringContaining('已发货'), '已送达'])
  // A withdrawal comes too late; the remainder can be closed.
  const clerk = await shop.seen(id)
  const asked = { id, version: clerk.version, reason: '客户改了' }
  expect((await shop.clerk.ask(ordersApi.withdraw, { body: asked })).msg).toContain('可以结束剩余')
  await shop.clerk.call(ordersApi.close, { body: asked })
  const o = await shop.seen(id, shop.supplier)
  await shop.supplier.call(ordersApi.agree, { body: { id, version: o.version } })
  // Cancelled with the order it still says what stood on it.
  expect(await note(rest!.id)).toMatchObject({ state: 1, lines: 1, lineList: [{ quantity: '6' }] })
  expect(
    (await shop.clerk.call(ordersApi.plan, { query: { site_id: clerk.site_id } })).list[0],
  ).toMatchObject({
    quantity: '6',
  })
})

test('the last day of a pickup lies within the branch’s days; left empty, it is the last of them', async () => {
  const { line, note: id } = await accepted('3')
  const bc_id = shop.bc_id
  const days = (value: number) =>
    shop.gm.call(settingsApi.update, { body: { bcId: bc_id, values: { pickupDays: value } } })
  const pickup = (until?: number, part = '1') =>
    ship(id, [{ line_id: line, quantity: part }], {
      method: 3,
      pickupStore: '建材城 12 号',
      plannedOn: shop.today,
      ...(until === undefined ? {} : { pickupUntil: addDays(shop.today, until) }),
    })
  const beyond = (n: number) => `最晚自提不能晚于 ${addDays(shop.today, n)}：自提期限是 ${n} 天`
  for (const until of [400, 8]) expect((await pickup(until)).msg).toBe(beyond(7))
  await days(3)
  expect((await pickup(4)).msg).toBe(beyond(3))
  expect((await note(id)).state).toBe(0)
  expect((await pickup(3)).msg).toBe('')
  expect((await note(id)).pickupUntil).toBe(addDays(shop.today, 3))
  const next = (await accepted('1')).note
  const alone = await note(next)
  await ship(next, [{ line_id: alone.lineList[0]!.line_id, quantity: '1' }], {
    method: 3,
    pickupStore: '建材城 12 号',
    plannedOn: shop.today,
  })
  expect((await note(next)).pickupUntil).toBe(addDays(shop.today, 3))
  await days(7)
})

test('what a method of delivery asks; a pickup is handed over against its code, part of it too', async () => {
  const { line, note: id } = await accepted('5')
  const lines = [{ line_id: line, quantity: '5' }]
  expect((await ship(id, lines, { window: '' })).msg).toBe('送货上门要填送货时段')
  expect((await ship(id, lines, { method: 2 })).msg).toBe('集中配送要选车次')
  expect((await ship(id, lines, { method: 3 })).msg).toBe('到店自提要填自提门店')
  const pickup = { method: 3, pickupStore: '建材城 12 号' }
  expect((await ship(id, lines, { ...pickup, pickupUntil: shop.today })).msg).toBe('最晚自提不能早于预计到达')
  expect((await ship(id, lines, pickup)).msg).toBe('')
  const mine = await note(id, shop.clerk)
  expect(mine.pickupCode).toMatch(/^\d{6}$/)
  expect((await note(id)).pickupCode).toBe('')
  expect((await deliver(id)).msg).toBe('到店自提要核对取货码')
  const wrong = mine.pickupCode === '000000' ? '111111' : '000000'
  expect((await deliver(id, shop.acceptor, { pickupCode: wrong })).msg).toContain('取货码不对')
  const part = await shop.supplier.call(dispatchApi.handOver, {
    body: {
      ...(await seen(id)),
      ...(await proof(shop.supplier)),
      pickupCode: mine.pickupCode,
      lines: [{ line_id: line, quantity: '2' }],
      reason: '车装不下',
    },
  })
  expect(part.code).toBe(`${mine.code}-2`)
  expect(await note(part.id)).toMatchObject({ state: 3, lineList: [{ quantity: '2' }] })
  expect(await note(id)).toMatchObject({ state: 2, lineList: [{ quantity: '3' }] })
  // Five wrong ones in all, whoever says them: then the right one waits too. Of nobody else's note is anything said.
  const tries = []
  for (let i = 0; i < 5; i += 1) tries.push(await deliver(id, shop.acceptor, { pickupCode: wrong }))
  expect(tries.map((a) => a.code)).toEqual([400, 400, 400, 400, 429])
  const right = { pickupCode: mine.pickupCode }
  expect((await deliver(id, shop.supplier, right)).msg).toBe('取货码错了 5 次，请向取货人核对，5 分钟后再试')
  const out = { id, version: 0, ...(await proof(shop.gm2)), ...right }
  expect((await shop.gm2.ask(dispatchApi.deliver, { body: out })).status).toBe(403)
  expect(await note(id)).toMatchObject({ state: 2 })
  server.later(6 * 60_000)
  expect((await deliver(id, shop.acceptor, right)).msg).toBe('')
  const logs = await server.sql<{ action: string; before: unknown; after: { state: number } }>(
    `SELECT action, before, after FROM user_logs WHERE object_id = $1 AND outcome = 'done' AND action <> '发货'
     ORDER BY at`,
    [id],
  )
  expect(logs.map((l) => [l.action, l.before, l.after.state])).toEqual([
    ['部分交货', { state: 2 }, 2],
    ['确认送达', { state: 2 }, 3],
  ])
})

test('refused, recalled or lost: the whole note goes back and is shipped again', async () => {
  const { id, line, note: first } = await accepted('3')
  await ship(first, [{ line_id: line, quantity: '3' }])
  const back = async (why: 'refused' | 'lost', of: string) =>
    shop.clerk.ask(dispatchApi.sendBack, { body: { ...(await seen(of)), back: why, reason: '楼下没人' } })
  expect((await back('refused', first)).msg).toBe('')
  const n = await note(first)
  expect(n).toMatchObject({ state: 5 })
  expect(n.tracks.map((t) => [t.type, t.progress, t.status])).toEqual([
    [1, 1, 4],
    [5, 1, 0],
  ])
  const o = await shop.seen(id)
  expect(o).toMatchObject({ orderState: 3 })
  const again = o.notes.find((k) => k.state === 0)!.id
  await ship(again, [{ line_id: line, quantity: '3' }])
  expect((await back('lost', again)).msg).toBe('')
  expect((await note(again)).tracks.some((t) => t.type === 5 && t.status === 0)).toBe(true)
})

test('cancelled while nothing has left; two clerks, one wins', async () => {
  const { id, line, note: first } = await accepted('2')
  const body = { ...(await seen(first)), reason: '车坏了' }
  const both = await Promise.all([
    shop.supplier.ask(dispatchApi.cancel, { body }),
    shop.clerk.ask(dispatchApi.cancel, { body }),
  ])
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  // The other learns who it was, by the name that people know.
  const names = await server.sql<{ nickname: string }>(
    `SELECT nickname FROM users WHERE user_name IN ('supplier', 'order_clerk')`,
  )
  const late = both.find((a) => a.code === 409)!.msg
  expect(names.filter(({ nickname }) => late.includes(`已被 ${nickname} 于`))).toHaveLength(1)
  expect((await shop.seen(id)).orderState).toBe(3)
  expect((await note(first)).lineList).toMatchObject([{ line_id: line, quantity: '2' }])
  const made = await shop.clerk.call(dispatchApi.prepare, {
    body: { order_id: id, lines: [{ line_id: line, quantity: '2' }] },
  })
  expect((await ship(made.id, [{ line_id: line, quantity: '2' }])).msg).toBe('')
  expect(
    (
      await shop.clerk.ask(dispatchApi.prepare, {
        body: { order_id: id, lines: [{ line_id: line, quantity: '1' }] },
      })
    ).msg,
  ).toContain('没有还没安排发货的商品')
})

test('a photograph proves one delivery; nobody else’s note is seen', async () => {
  const { line, note: first } = await accepted('2')
  await ship(first, [{ line_id: line, quantity: '2' }])
  const photo = await uploadPhoto(server.url, shop.acceptor)
  expect(
    (
      await shop.acceptor.ask(dispatchApi.deliver, {
        body: { ...(await seen(first)), photo, signature: photo },
      })
    ).msg,
  ).toBe('照片和签名不能是同一张')
  // Who ordered does not say that it is there: the driver, the store and the site do.
  const clerk = await shop.clerk.ask(dispatchApi.deliver, { body: { ...(await seen(first)), photo } })
  expect([clerk.code, clerk.msg]).toEqual([401, 'No Permission'])
  expect(
    (await shop.acceptor.ask(dispatchApi.deliver, { body: { ...(await seen(first)), photo } })).msg,
  ).toBe('')
  const { line: other, note: second } = await accepted('2')
  await ship(second, [{ line_id: other, quantity: '2' }])
  expect(
    (await shop.acceptor.ask(dispatchApi.deliver, { body: { ...(await seen(second)), photo } })).msg,
  ).toBe('这张照片已经用过，请另拍一张')
  // Of a picture of somebody else nothing is said, used or not.
  for (const foreign of [photo, await uploadPhoto(server.url, shop.acceptor)])
    expect(
      (await shop.supplier.ask(dispatchApi.deliver, { body: { ...(await seen(second)), photo: foreign } }))
        .status,
    ).toBe(403)
  expect((await shop.gm2.ask(dispatchApi.details, { query: { id: second } })).status).toBe(403)
  expect((await shop.other.ask(dispatchApi.details, { query: { id: second } })).status).toBe(403)
})

test('a trip has its stops; goods come on another day, and the calendar says what speaks against it', async () => {
  const facts = { receiver_id: shop.merchant, day: shop.expectedOn, driver: '老周' }
  expect((await shop.clerk.ask(tripsApi.add, { body: facts })).code).toBe(401)
  expect((await shop.gm.ask(tripsApi.add, { body: facts })).status).toBe(403)
  const trip = await shop.supplier.call(tripsApi.add, { body: facts })
  expect(trip.code).toMatch(/^CCHZ/)
  const { line, note: id, site } = await accepted('2')
  const far = addDays(shop.today, 800)
  expect((await shop.supplier.ask(tripsApi.add, { body: { ...facts, day: far } })).msg).toBe(
    '车次日期不能晚于两年后',
  )
  const part = [{ line_id: line, quantity: '1' }]
  const byTrip = { method: 2, trip_id: trip.id }
  expect((await ship(id, part, byTrip)).msg).toBe('集中配送要填联系电话，司机到了要打电话')
  expect((await ship(id, part, { ...byTrip, contactPhone: '电话' })).msg).toContain(
    '联系电话应为 11 位手机号',
  )
  expect((await ship(id, part, { ...byTrip, plannedOn: far })).msg).toBe('预计到达不能晚于两年后')
  // Nobody is named: the manager of the site is called, if there is one who can be.
  const nobody = { ...byTrip, contact: '' }
  expect((await ship(id, part, nobody)).msg).toContain('集中配送要填联系人')
  const [pm] = await server.sql<{ nickname: string }>(
    `UPDATE users SET phone = '13900001234' WHERE user_name = 'pm' RETURNING nickname`,
  )
  await server.sql(
    `UPDATE sites SET manager_id = (SELECT id FROM users WHERE user_name = 'pm') WHERE id = $1`,
    [site],
  )
  expect((await ship(id, part, nobody)).msg).toBe('')
  expect(await note(id)).toMatchObject({ contact: pm!.nickname, contactPhone: '13900001234' })
  expect(
    (await shop.supplier.call(tripsApi.list, { query: {} })).find((t) => t.id === trip.id),
  ).toMatchObject({
    stops: 1,
    driver: '老周',
  })
  const one = (who: Person) => who.call(tripsApi.list, { query: { id: trip.id, from: '2099-01-01' } })
  expect([await one(shop.supplier), await one(shop.gm2)]).toEqual([[], []])
  const { day, stops } = (await shop.clerk.call(tripsApi.list, { query: { id: trip.id } }))[0]!
  expect([day, stops]).toEqual([shop.expectedOn, 1])
  const on = async (from: string) => {
    const query = { from, to: from, site_id: site }
    return (await shop.clerk.call(tripsApi.arrivals, { query })).list
  }
  // The rest of the note is planned for the same day; the site has not begun.
  expect((await on(shop.expectedOn)).map((a) => [a.lines, a.clashes])).toEqual([
    [1, ['crowded', 'nobody']],
    [1, ['crowded', 'nobody']],
  ])
  const later = addDays(shop.expectedOn, 1)
  const body = { ...(await seen(id)), plannedOn: later, reason: '业主不在家' }
  expect((await shop.acceptor.ask(tripsApi.replan, { body })).code).toBe(401)
  const years = await shop.clerk.ask(tripsApi.replan, { body: { ...body, plannedOn: far } })
  expect(years.msg).toBe('预计到达不能晚于两年后')
  expect((await shop.clerk.ask(tripsApi.replan, { body })).msg).toBe('')
  expect((await shop.supplier.ask(tripsApi.replan, { body })).code).toBe(409)
  expect((await on(later)).map((a) => [a.id, a.clashes])).toEqual([[id, ['nobody']]])
  const notices = await shop.supplier.call(notificationsApi.list)
  expect(JSON.stringify(notices)).toContain('业主不在家')
})

test('who receives hears of their note without its site; another receiver hears nothing of it', async () => {
  const { note: id, site } = await accepted('3')
  const hear = (who: Person) => listen(server.url, who)
  const heard = { clerk: hear(shop.clerk), supplier: hear(shop.supplier), gm2: hear(shop.gm2) }
  const all = Object.values(heard)
  await Promise.all(all.map((l) => l.until(() => l.heard.some((h) => h.kind === 'hello'))))
  const { version } = await note(id)
  await shop.clerk.call(dispatchApi.cancel, { body: { id, version, reason: '换一天' } })
  const told = (of: typeof heard.clerk) => of.heard.filter((h) => h.data.id === id).map((h) => h.data.site_id)
  await Promise.all([heard.clerk, heard.supplier].map((l) => l.until(() => told(l).length > 0)))
  expect([told(heard.clerk), told(heard.supplier), told(heard.gm2)]).toEqual([[site], [null], []])
  await Promise.all(all.map((l) => l.close()))
})
