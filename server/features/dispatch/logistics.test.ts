import { carrierDoorApi, carriersApi } from '@zhuguan/contract/features/dispatch/carriers.api.ts'
import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { logisticsApi } from '@zhuguan/contract/features/dispatch/logistics.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { type Delivery, lawsBroken, openDelivery } from '../../testing/delivering.ts'
import { post, signed } from '../../testing/device.ts'
import { linkFrom } from '../../testing/driving.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let shop: Delivery
beforeAll(async () => {
  server = await startTestServer()
  shop = await openDelivery(server)
})
afterAll(() => server.stop())
afterEach(async () => expect(await lawsBroken(server)).toEqual([]))

let count = 0
/** A note that went off with a carrier, and its way. */
async function sent(carrier: string, quantity = '2') {
  count += 1
  const name = `物流砖 ${count}`
  const { items } = await shop.sold({ name, quantity })
  const order = (await shop.place([{ item_id: items[name]!, quantity }])).orders[0]!.id
  const o = await shop.accept(order)
  const [note, line] = [o.notes[0]!.id, o.lineList[0]!.id]
  const waybill = `YD${count}`
  await shop.supplier.call(dispatchApi.ship, {
    body: {
      ...(await seenNote(note)),
      lines: [{ line_id: line, quantity }],
      plannedOn: shop.expectedOn,
      method: 1,
      address: '3 幢 1201',
      contact: '方经理',
      window: '9 点到 11 点',
      carrier,
      waybill,
    },
  })
  return { order, note, line, waybill, leg: (await legs(order))[0]! }
}
const seenNote = async (id: string) => ({
  id,
  version: (await shop.supplier.call(dispatchApi.details, { query: { id } })).version,
})
const legs = async (order_id: string, who: Person = shop.clerk) =>
  (await who.call(logisticsApi.list, { query: { order_id, sort: ['madeAt'] } })).list
const detail = (id: string, who: Person = shop.clerk) => who.call(logisticsApi.details, { query: { id } })

test('the ways of goods: list, late ones, nodes by people, the whole track as one', async () => {
  const { leg, line, note, order, waybill } = await sent('自有车')
  expect(leg).toMatchObject({ type: 1, progress: 1, status: 0, late: false, waybill, carrier: '自有车' })
  const one = async () => ({ id: leg.id, version: (await detail(leg.id)).version })
  await shop.supplier.call(logisticsApi.node, {
    body: { ...(await one()), title: '已到中转站', place: '萧山' },
  })
  const stale = await shop.supplier.ask(logisticsApi.node, {
    body: { id: leg.id, version: leg.version, title: '已出发' },
  })
  expect(stale.code).toBe(409)
  const tomorrow = Math.floor(server.now().getTime() / 1_000) + 86_400
  const future = await shop.clerk.ask(logisticsApi.node, {
    body: { ...(await one()), title: '已到工地', at: tomorrow },
  })
  expect(future.msg).toBe('时间不能晚于现在')
  expect((await shop.supplier.ask(logisticsApi.sign, { body: await one() })).msg).toContain('由确认送达签收')
  // Part is handed over through the driver's link: parent and child are one track, whichever of them is opened.
  const { phone } = await linkFrom(server, shop.supplier, note)
  await phone.handOver(note, { lines: [{ line_id: line, quantity: '1' }] })
  const [first, part] = await legs(order)
  expect([first!.progress, part!.progress]).toEqual([1, 2])
  for (const id of [first!.id, part!.id]) {
    const { tracks } = await detail(id)
    expect(tracks.map((t) => t.nodes.map((n) => n.source))).toEqual([
      ['person', 'person', 'driver'],
      ['driver'],
    ])
  }
  expect((await detail(first!.id)).goods).toContain('物流砖')
  await server.sql(`UPDATE logistics SET expected_on = :today - 1 WHERE id = $1`, [first!.id])
  const late = await shop.clerk.call(logisticsApi.list, { query: { late: true } })
  expect(late.list.map((l) => l.id)).toEqual([first!.id])
  const sheet = await shop.clerk.ask(logisticsApi.export, { query: { order_id: order } })
  expect(JSON.stringify(await cellsOf(sheet.bytes))).toContain(first!.code)
})

test('what goes back is signed for by the receiver, once', async () => {
  const { note, order } = await sent('自有车')
  await shop.clerk.call(dispatchApi.sendBack, {
    body: { ...(await seenNote(note)), back: 'refused', reason: '楼下没人' },
  })
  const back = (await legs(order)).find((l) => l.type === 5)!
  const body = { id: back.id, version: back.version }
  expect((await shop.gm.ask(logisticsApi.sign, { body })).msg).toContain('由商家签收')
  expect((await shop.clerk.ask(logisticsApi.sign, { body })).code).toBe(401)
  const both = await Promise.all([1, 2].map(() => shop.supplier.ask(logisticsApi.sign, { body })))
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  expect(await detail(back.id)).toMatchObject({ progress: 2, signedBy: expect.any(String) })
  const { tracks } = await detail(back.id)
  expect(tracks.map((t) => [t.type, t.statusText, t.nodes[1]?.title])).toEqual([
    [1, '已退回', '拒收：楼下没人'],
    [5, '待处理', expect.stringContaining('已签收')],
  ])
})

test('what is lost reads as lost, and its way says so', async () => {
  const { note, order } = await sent('自有车')
  const back = { ...(await seenNote(note)), back: 'lost' as const, reason: '车翻了' }
  await shop.clerk.call(dispatchApi.sendBack, { body: back })
  const [leg, ...more] = await legs(order)
  expect(more).toEqual([])
  expect(leg).toMatchObject({ progress: 1, status: 4, statusText: '遗失', nodeText: '遗失：车翻了' })
  const { tracks } = await detail(leg!.id)
  expect(tracks.map((t) => [t.statusText, t.nodes.at(-1)!.title])).toEqual([['遗失', '遗失：车翻了']])
  const sheet = await shop.clerk.ask(logisticsApi.export, { query: { order_id: order } })
  const cells = JSON.stringify(await cellsOf(sheet.bytes))
  expect([cells.includes('遗失'), cells.includes('已退回')]).toEqual([true, false])
})

test('each side sees its own; a strange group sees nothing', async () => {
  const { leg, order } = await sent('自有车')
  expect((await legs(order, shop.supplier))[0]).toMatchObject({ receiver: true, buyer: false })
  for (const who of [shop.gm2, shop.other]) {
    expect(await legs(order, who)).toEqual([])
    expect((await who.ask(logisticsApi.details, { query: { id: leg.id } })).status).toBe(403)
  }
})

test('a carrier signs as a device does, tells once and in its own time, and proves nothing', async () => {
  const mine = await shop.admin.call(carriersApi.add, { body: { name: '德邦物流' } })
  const again = await shop.admin.ask(carriersApi.add, { body: { name: '德邦物流' } })
  expect(again.msg).toContain('已经有接口')
  expect((await shop.gm.ask(carriersApi.add, { body: { name: '顺丰' } })).code).toBe(401)
  const carrier = { sn: mine.account, secret: mine.secret }
  const { leg, note, waybill } = await sent('德邦物流')
  const now = () => Math.floor(server.now().getTime() / 1_000)
  const event = (id: string, more: object = {}) => ({
    id,
    at: now(),
    carrier: '德邦物流',
    waybill,
    text: '运输中',
    ...more,
  })
  const request = (events: unknown, at = now(), who: typeof carrier = carrier) =>
    signed(who, Buffer.from(JSON.stringify({ events })), at, 'x-carrier')
  const tell = (r: ReturnType<typeof request>) => post(server.url, carrierDoorApi.events.path, r)

  const third = event('e3', { at: now() - 60, text: '派送中', code: 'arriving', place: '余杭' })
  expect((await tell(request([third]))).data).toEqual({ accepted: 1, duplicate: 0, rejected: [] })
  // Out of order, twice, of the future, of nobody's waybill, of somebody else: each judged by itself.
  const told = await tell(
    request([
      event('e1', { at: now() - 600, text: '已揽收', code: 'collected' }),
      third,
      event('e4', { at: now() + 4_000 }),
      event('e5', { waybill: 'NONE-1' }),
      event('e6', { carrier: '顺丰' }),
      { id: 'e7' },
    ]),
  )
  expect(told.data).toMatchObject({ accepted: 1, duplicate: 1 })
  expect(told.data.rejected.map((r) => r.reason).sort()).toEqual([
    '只能上报“德邦物流”的运单',
    '字段不正确：at',
    '时间在未来',
    '没有运单号 NONE-1 的物流',
  ])
  expect(await detail(leg.id)).toMatchObject({ progress: 1, nodeText: expect.any(String) })
  const titles = (await detail(leg.id)).tracks[0]!.nodes.filter((n) => n.source === 'carrier').map(
    (n) => n.title,
  )
  expect(titles).toEqual(['已揽收', '派送中'])

  const done = request([event('e8', { text: '客户已签收', code: 'delivered' })])
  expect((await tell(done)).data.accepted).toBe(1)
  expect((await shop.supplier.call(dispatchApi.details, { query: { id: note } })).state).toBe(2)
  expect((await detail(leg.id)).progress).toBe(1)
  const notices = await shop.clerk.call(notificationsApi.list)
  expect(JSON.stringify(notices)).toContain('德邦物流 称')

  // A message of long ago does not take back what has arrived meanwhile.
  const { phone } = await linkFrom(server, shop.supplier, note)
  expect((await phone.handOver(note)).msg).toBe('')
  await tell(request([event('e9', { at: now() - 30, code: 'underWay' })]))
  expect((await detail(leg.id)).progress).toBe(2)

  const refused = { status: 401, msg: '承运商未登记或签名不正确' }
  expect(await tell(done)).toMatchObject({ status: 401, msg: '重复的请求' })
  expect(await tell(request([event('f1')], now() - 301))).toMatchObject({ status: 401 })
  expect(await tell(request([event('f2')], now(), { ...carrier, secret: 'x' }))).toMatchObject(refused)
  expect(await tell(request([event('f3')], now(), { ...carrier, sn: 'nobody' }))).toMatchObject(refused)
  const spoiled = request([event('f4')])
  spoiled.body = Buffer.from(spoiled.body.toString().replace('f4', 'f5'))
  expect(await tell(spoiled)).toMatchObject(refused)
  expect(await tell(request('x'))).toMatchObject({ status: 400, msg: '缺少 events' })
  // A new secret ends the former one; the account stays.
  const anew = await shop.admin.call(carriersApi.renew, { body: { id: mine.id } })
  expect(anew.account).toBe(mine.account)
  expect(await tell(request([event('f7')]))).toMatchObject(refused)
  const renewed = { sn: anew.account, secret: anew.secret }
  expect((await tell(request([event('f7')], now(), renewed))).data.accepted).toBe(1)
  expect((await shop.gm.ask(carriersApi.renew, { body: { id: mine.id } })).code).toBe(401)
  await shop.admin.call(carriersApi.stop, { body: { id: mine.id } })
  expect((await shop.admin.ask(carriersApi.renew, { body: { id: mine.id } })).status).toBe(403)
  expect(await tell(request([event('f6')]))).toMatchObject(refused)
  expect(await shop.admin.call(carriersApi.list)).toMatchObject([{ name: '德邦物流', stopped: true }])
})
