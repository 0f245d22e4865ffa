import { createHash } from 'node:crypto'

import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { type Delivery, lawsBroken, openDelivery } from '../../testing/delivering.ts'
import { linkFrom, telephone } from '../../testing/driving.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let shop: Delivery
beforeAll(async () => {
  server = await startTestServer()
  shop = await openDelivery(server)
  // Hours pass in these stories.
  await server.sql(`UPDATE sessions SET expires_at = expires_at + interval '2 days'`)
})
afterAll(() => server.stop())
afterEach(async () => expect(await lawsBroken(server)).toEqual([]))

let count = 0
const MINUTE = 60_000
const NO = '链接打不开：可能已过期、被收回或用完次数，或者需要密码。请向发给您的人重新要一个'
/** A note that is on the road. */
async function underWay(quantity = '5', more: object = {}) {
  count += 1
  const name = `司机砖 ${count}`
  const { items } = await shop.sold({ name, quantity })
  const order = (await shop.place([{ item_id: items[name]!, quantity }])).orders[0]!.id
  const o = await shop.accept(order)
  const [id, line] = [o.notes[0]!.id, o.lineList[0]!.id]
  await shop.supplier.call(dispatchApi.ship, {
    body: {
      ...(await seen(id)),
      lines: [{ line_id: line, quantity }],
      plannedOn: shop.expectedOn,
      method: 1,
      address: '3 幢 1201',
      contact: '方经理',
      contactPhone: '13800001234',
      window: '9 点到 11 点',
      ...more,
    },
  })
  return { id, line, order, name }
}
const note = (id: string, who: Person = shop.supplier) => who.call(dispatchApi.details, { query: { id } })
const seen = async (id: string) => ({ id, version: (await note(id)).version })

test('a driver sees the stop and the goods, tells where they are and hands over, once', async () => {
  const { id, line, name } = await underWay()
  const { phone } = await linkFrom(server, shop.supplier, id)
  expect((await phone.open()).data).toEqual({ kind: 'driver', pass: '' })
  await phone.painted()
  const state = (await phone.state()).data
  expect(state).toMatchObject({ trip: false, person: '王师傅', stops: [{ state: 'open', needsCode: false }] })
  expect(state.stops[0]!.lines).toEqual([{ line_id: line, name, detail: '', unit: '片', quantity: '5' }])
  expect(JSON.stringify(state)).not.toMatch(/price|cost|amount|owner|王女士|50\.|"30/)
  expect((await phone.node(id, '萧山收费站', { lng: 120.2, lat: 30.1 })).msg).toBe('')
  expect((await phone.node(id, '')).msg).toContain('请写到了哪里')
  const at = Math.floor(server.now().getTime() / 1_000)
  const photo = (await phone.photo()).data.key
  const signature = (await phone.photo()).data.key
  const body = { ...phone.done(), photo, signature, at }
  const [one, two] = await Promise.all([phone.handOver(id, body), phone.handOver(id, body)])
  expect([one.msg, two.msg]).toEqual(['', ''])
  expect(one.data).toEqual(two.data)
  expect((await phone.handOver(id, body)).data).toEqual(one.data)
  const n = await note(id)
  expect(n).toMatchObject({
    state: 3,
    deliveredBy: '司机 王师傅',
    deliveredPlace: '3 幢楼下',
    photo,
    signature,
  })
  const nodes = n.tracks[0]!.nodes
  expect(nodes.map((k) => [k.source, k.title])).toEqual([
    ['person', expect.stringContaining('已发货')],
    ['driver', '在路上'],
    ['driver', '已送达'],
  ])
  // After the handover it says so, does nothing more, and tells nothing of anybody.
  const over = (await phone.state()).data
  expect(over.stops[0]).toMatchObject({ state: 'done', deliveredBy: '司机 王师傅', address: '', contact: '' })
  expect(JSON.stringify(over)).not.toMatch(/1201|13800001234|方经理|9 点/)
  expect((await phone.handOver(id)).msg).toMatch(/已由 司机 王师傅 于 .* 交货，不用再交/)
  expect((await phone.node(id, '回程')).msg).toBe('这张发货单不在路上，不用再报到哪了')
  const [kept] = await server.sql<{ hash: Buffer }>('SELECT hash FROM links WHERE target_id = $1', [id])
  expect(kept!.hash.equals(createHash('sha256').update(phone.bearer.token).digest())).toBe(false)
  expect(kept!.hash).toHaveLength(32)
})

test('part of it, and the rest later; what was done without a network has its own time', async () => {
  const { id, line } = await underWay('5')
  const { phone } = await linkFrom(server, shop.supplier, id)
  server.later(30 * MINUTE)
  const before = Math.floor(server.now().getTime() / 1_000) - 20 * 60
  const part = await phone.handOver(id, { lines: [{ line_id: line, quantity: '2' }], at: before })
  expect(part.data.code).toMatch(/-2$/)
  const carried = (await note(id)).tracks.flatMap((t) => t.nodes)
  expect(carried.find((n) => n.title === '部分交货，已送达')).toMatchObject({ at: before, source: 'driver' })
  const [stop] = (await phone.state()).data.stops
  expect(stop).toMatchObject({
    state: 'open',
    lines: [{ quantity: '3' }],
    parts: [{ code: part.data.code, at: before }],
  })
  expect((await phone.handOver(id, { lines: [{ line_id: line, quantity: '4' }] })).msg).toContain('只剩 3')
  const future = Math.floor(server.now().getTime() / 1_000) + 3_600
  expect((await phone.handOver(id, { at: future })).msg).toBe('')
  expect((await note(id)).deliveredAt).toBeLessThan(future - 3_000)
})

test('every kind of no is the same no', async () => {
  const { id } = await underWay()
  const { id: other } = await underWay()
  const { token, phone, id: linkId } = await linkFrom(server, shop.supplier, id, { hours: 1 })
  const answers = []
  answers.push(await telephone(server, 'x').open())
  answers.push(await telephone(server, token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')).open())
  const secret = await linkFrom(server, shop.supplier, other, { password: 'abcd1234' })
  answers.push(await secret.phone.open('wrong'), await secret.phone.open(), await secret.phone.state())
  expect((await secret.phone.open('abcd1234')).code).toBe(200)
  expect((await secret.phone.state()).code).toBe(200)
  const used = await linkFrom(server, shop.supplier, other, { most: 1 })
  expect((await used.phone.open()).code).toBe(200)
  expect((await used.phone.painted()).code).toBe(200)
  // The same device goes on, another one does not come in, and half an hour later neither does.
  expect((await used.phone.open()).code).toBe(200)
  const second = telephone(server, used.token)
  answers.push(await second.open(), await second.state(), await second.painted())
  await linkFrom(server, shop.supplier, id)
  await shop.supplier.call(linksApi.revoke, { body: { id: secret.id } })
  answers.push(await secret.phone.open('abcd1234'), await secret.phone.state())
  server.later(61 * MINUTE)
  answers.push(await phone.open(), await phone.state(), await used.phone.open())
  answers.push(await phone.handOver(id, { photo: `${crypto.randomUUID()}.jpg` }))
  for (const a of answers) expect([a.status, a.code, a.msg, a.data]).toEqual([404, 404, NO, null])
  const listed = await shop.supplier.call(linksApi.list, { query: { kind: 'driver', target_id: other } })
  expect(listed.map((l) => l.state).sort()).toEqual(['revoked', 'used'])
  expect((await shop.supplier.ask(linksApi.revoke, { body: { id: secret.id } })).msg).toBe(
    '这个链接已经收回了',
  )
  const logs = await server.sql<{ action: string }>(
    `SELECT action FROM user_logs WHERE object = 'link' AND object_id IN ($1, $2)`,
    [linkId, secret.id],
  )
  expect(logs.map((l) => l.action).sort()).toEqual(['收回链接', '新建链接', '新建链接'])
})

test('a password is guessed twenty times from one address, and the right one is then the same no', async () => {
  const { id } = await underWay()
  const { phone } = await linkFrom(server, shop.supplier, id, { password: 'abcd1234' })
  for (let i = 0; i < 20; i += 1) await phone.open(`guess${i}`)
  expect(await phone.open('abcd1234')).toMatchObject({ status: 404, msg: NO })
  server.later(6 * MINUTE)
  expect((await phone.open('abcd1234')).code).toBe(200)
  const stranger = telephone(server, 'nothing')
  let last = await stranger.open()
  for (let i = 0; i < 80 && last.code !== 429; i += 1) last = await stranger.open()
  expect(last).toMatchObject({ code: 429, msg: expect.stringContaining('试得太多了') })
  // Who has a link is not hindered by who has none behind the same address.
  expect((await phone.open('abcd1234')).code).toBe(200)
  server.later(11 * MINUTE)
})

test('openings are counted by the server, whatever the page says; strangers lock nobody out', async () => {
  const { id } = await underWay()
  const {
    phone,
    token,
    id: linkId,
  } = await linkFrom(server, shop.supplier, id, { most: 1, password: 'abcd1234' })
  const openings = async () =>
    (await shop.supplier.call(linksApi.list, { query: { kind: 'driver', target_id: id } })).map(
      (l) => l.openings,
    )
  /** Somebody at another address who has the link. */
  const from = async (ip: string, password: string) => {
    const device = createHash('md5').update(ip).digest('hex')
    const response = await fetch(server.url + linksApi.open.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
      body: JSON.stringify({ token, device, password }),
    })
    return response.status
  }
  // Two addresses that guess, then a third one that guesses: it has few tries, and who knows the password comes in.
  for (const ip of ['10.1.0.1', '10.1.0.2'])
    for (let i = 0; i < 25; i += 1) expect(await from(ip, `guess${i}`)).toBe(404)
  for (let i = 0; i < 3; i += 1) expect(await from('10.1.0.3', `guess${i}`)).toBe(404)
  expect(await from('10.1.0.3', 'abcd1234')).toBe(404)
  expect(await from('10.1.0.4', 'abcd1234')).toBe(200)
  expect((await phone.open('abcd1234')).code).toBe(200)
  expect(await openings()).toEqual([0])
  // Its page never says that it is painted.
  const [one, two] = await Promise.all([phone.state(), phone.state()])
  expect([one.code, two.code]).toEqual([200, 200])
  expect(await openings()).toEqual([1])
  const second = telephone(server, token)
  await second.open('abcd1234')
  expect((await second.state()).msg).toBe(NO)
  expect((await second.handOver(id, { photo: `${crypto.randomUUID()}.jpg` })).msg).toBe(NO)
  expect((await phone.node(id, '萧山收费站')).msg).toBe('')
  expect(await openings()).toEqual([1])
  await shop.supplier.call(linksApi.revoke, { body: { id: linkId } })
})

test('all addresses have a hundred guesses at a link; who opened it before goes on, its maker is told', async () => {
  const { id } = await underWay()
  const { phone, token, id: linkId } = await linkFrom(server, shop.supplier, id, { password: '7391' })
  expect((await phone.open('7391')).code).toBe(200)
  expect((await phone.state()).code).toBe(200)
  const from = async (ip: string, password: string, device = createHash('md5').update(ip).digest('hex')) =>
    (
      await server
        .nobody()
        .ask(linksApi.open, { body: { token, pass: '', device, password } }, { 'x-forwarded-for': ip })
    ).code
  for (let i = 0; i < 104; i += 1) expect(await from(`10.2.${i}.1`, `1${100 + i}`)).toBe(404)
  // A stranger who is right now is not heard: nobody finds the number by going on.
  expect(await from('10.3.0.1', '7391')).toBe(404)
  // The driver's telephone in another network, and another telephone where the driver's was.
  expect(await from('10.3.0.2', '7391', phone.bearer.device)).toBe(200)
  expect((await telephone(server, token).open('7391')).code).toBe(200)
  const told = await server.sql(
    `SELECT u.user_name FROM notifications n JOIN users u ON u.tenant_id = n.tenant_id AND u.id = n.user_id
     WHERE n.title LIKE '有人在猜您发给王师傅的链接的密码%'`,
  )
  expect(told).toEqual([{ user_name: 'supplier' }])
  server.later(61 * MINUTE)
  expect(await from('10.3.0.1', '7391')).toBe(200)
  await shop.supplier.call(linksApi.revoke, { body: { id: linkId } })
})

test('two drivers with one note, a clerk who was faster, a note that went back', async () => {
  const { id } = await underWay()
  const [a, b] = [await linkFrom(server, shop.supplier, id), await linkFrom(server, shop.clerk, id)]
  const both = await Promise.all([a.phone.handOver(id), b.phone.handOver(id)])
  expect(both.map((x) => x.code).sort()).toEqual([200, 409])
  expect(both.find((x) => x.code === 409)!.msg).toMatch(/已由 司机 王师傅 于 .* 交货/)
  const { id: sent } = await underWay()
  const { phone } = await linkFrom(server, shop.supplier, sent)
  await shop.clerk.call(dispatchApi.sendBack, {
    body: { ...(await seen(sent)), back: 'refused', reason: '楼下没人' },
  })
  expect((await phone.open()).msg).toBe(NO)
  expect((await phone.handOver(sent, { photo: `${crypto.randomUUID()}.jpg` })).msg).toBe(NO)
  const again = await shop.supplier.ask(linksApi.create, { body: { kind: 'driver', target_id: sent } })
  expect(again.msg).toContain('不能再发链接')
})

test('a picture is its link’s and proves one note; another note and a strange group are out of reach', async () => {
  const [{ id }, { id: second }] = [await underWay(), await underWay()]
  const [one, two] = [
    await linkFrom(server, shop.supplier, id),
    await linkFrom(server, shop.supplier, second),
  ]
  const photo = (await one.phone.photo()).data.key
  expect((await two.phone.handOver(second, { photo })).status).toBe(403)
  expect((await one.phone.handOver(second, { photo })).msg).toBe(
    '这张发货单不在这个链接里，可能已改由别的车送',
  )
  expect((await one.phone.photo(Buffer.from('<html>'))).msg).toContain('这不是一张图片')
  expect((await one.phone.photo(Buffer.alloc(1_100_000))).code).toBe(413)
  expect((await telephone(server, 'x').photo()).msg).toBe(NO)
  expect((await one.phone.handOver(id, { photo, signature: photo })).msg).toContain('不能是同一张')
  expect((await one.phone.handOver(id, { photo })).msg).toBe('')
  for (const who of [shop.gm2, shop.other]) {
    expect((await who.ask(linksApi.create, { body: { kind: 'driver', target_id: id } })).status).not.toBe(200)
    expect((await who.ask(linksApi.revoke, { body: { id: one.id } })).code).not.toBe(200)
    expect((await who.ask(linksApi.list, { query: { kind: 'driver', target_id: id } })).code).not.toBe(200)
  }
  expect((await shop.acceptor.ask(linksApi.create, { body: { kind: 'driver', target_id: id } })).code).toBe(
    401,
  )
})

test('a trip has its stops in order, whatever branches they are of, and one link for all of them', async () => {
  const trip = crypto.randomUUID()
  await server.sql(
    `INSERT INTO trips (tenant_id, id, code, bc_id, receiver_id, day, driver, made_by, made_at)
     SELECT $1, $2, 'CC-TEST-1', c.bc_id, $3, :today, '王师傅', u.id, :now
     FROM users u, companies c WHERE u.user_name = 'supplier' AND c.code = 'NB'`,
    [shop.supplier.tenant, trip, shop.merchant],
  )
  // It may come to carry goods of any branch: who orders in one of them has the links of their notes.
  for (const who of [shop.clerk, shop.gm2]) {
    expect((await who.ask(linksApi.create, { body: { kind: 'driver', target_id: trip } })).status).toBe(403)
    expect((await who.ask(linksApi.list, { query: { kind: 'driver', target_id: trip } })).status).toBe(403)
  }
  const { phone } = await linkFrom(server, shop.supplier, trip)
  expect((await phone.state()).data).toMatchObject({ code: 'CC-TEST-1', trip: true, stops: [] })
  const first = await underWay('4', { method: 2, trip_id: trip })
  const second = await underWay('1', { method: 2, trip_id: trip })
  await phone.handOver(first.id, { lines: [{ line_id: first.line, quantity: '1' }] })
  const { stops } = (await phone.state()).data
  expect(stops.map((s) => [s.stop, s.id, s.parts.length])).toEqual([
    [1, first.id, 1],
    [2, second.id, 0],
  ])
  for (const { id } of [first, second]) expect((await phone.handOver(id)).msg).toBe('')
  expect((await phone.state()).data.stops.map((s) => s.state)).toEqual(['done', 'done'])
})

test('whoever collects says the code; it is not found by trying', async () => {
  const { id } = await underWay('2', { method: 3, pickupStore: '建材城 12 号' })
  const { phone } = await linkFrom(server, shop.supplier, id)
  const { pickupCode } = await note(id, shop.clerk)
  expect((await phone.state()).data.stops[0]!.needsCode).toBe(true)
  expect((await phone.handOver(id)).msg).toBe('到店自提要核对取货码')
  const photo = (await phone.photo()).data.key
  const wrong = pickupCode === '000000' ? '111111' : '000000'
  const tries = []
  for (let i = 0; i < 11; i += 1) tries.push(await phone.handOver(id, { photo, pickupCode: wrong }))
  expect(tries[0]!.msg).toContain('取货码不对')
  expect(tries.at(-1)).toMatchObject({ code: 429 })
  server.later(60 * MINUTE)
  expect((await phone.handOver(id, { photo, pickupCode })).msg).toBe('')
})

test('without hours a driver’s link lives until three days after the arrival, a month at most', async () => {
  const HOUR = 3_600
  const today = shanghaiDay(server.now())
  const ends = async (days: number, more: object = {}) => {
    const { id } = await underWay('1', { plannedOn: addDays(today, days) })
    const { expiresAt } = await linkFrom(server, shop.supplier, id, more)
    return expiresAt
  }
  const now = () => Math.floor(server.now().getTime() / 1_000)
  const arrival = startOfDay(addDays(today, 10)).getTime() / 1_000
  expect(await ends(10)).toBe(arrival + 72 * HOUR)
  expect(Math.abs((await ends(40)) - (now() + 720 * HOUR))).toBeLessThan(60)
  expect(Math.abs((await ends(0)) - (now() + 72 * HOUR))).toBeLessThan(60)
  // Who says hours means hours.
  expect(Math.abs((await ends(10, { hours: 2 })) - (now() + 2 * HOUR))).toBeLessThan(60)
})
