import { companiesApi, storesApi } from '@zhuguan/contract/features/companies/companies.api.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { searchApi } from '@zhuguan/contract/features/search/search.api.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { type Delivery, lawsBroken, openDelivery } from '../../testing/delivering.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let shop: Delivery
beforeAll(async () => {
  server = await startTestServer()
  shop = await openDelivery(server)
})
afterAll(() => server.stop())
afterEach(async () => expect(await lawsBroken(server)).toEqual([]))

const plan = async (site: string, who: Person = shop.clerk) =>
  (await who.call(ordersApi.plan, { query: { site_id: site } })).list
const as = async (id: string, who: Person) => ({ id, version: (await shop.seen(id, who)).version })

test('approved goods wait to be ordered; ordered ones are asked of their receiver', async () => {
  const { site, items } = await shop.sold(
    { name: '甲砖', quantity: '10', cost: '30.5' },
    { name: '乙柜', quantity: '2', byBranch: true },
  )
  const rows = await plan(site)
  expect(rows.map((r) => [r.name, r.quantity, r.held, r.orderState, r.bars])).toEqual(
    expect.arrayContaining([
      ['甲砖', '10', '0', 1, []],
      ['乙柜', '2', '0', 1, []],
    ]),
  )
  const { orders } = await shop.place([
    { item_id: items['甲砖']!, quantity: '6' },
    { item_id: items['乙柜']!, quantity: '2' },
  ])
  // Two receivers, two orders.
  expect(orders).toHaveLength(2)
  expect((await plan(site)).map((r) => [r.name, r.quantity])).toEqual([['甲砖', '4']])
  const mine = (await shop.supplier.call(ordersApi.received, { query: { site_id: site } })).list
  expect(mine).toHaveLength(1)
  expect(mine[0]).toMatchObject({ amount: '183.00', receiveState: 0, orderState: 2, site_id: '', lines: 1 })
  // What the receiver may not see yet.
  const detail = await shop.seen(mine[0]!.id, shop.supplier)
  expect(detail).toMatchObject({ address: '', contact: '', ws_name: '江南里', buyer: false, receiver: true })
  expect(detail).toMatchObject({
    contract_id: '',
    contractCode: '',
    lineList: [{ item_id: '', stage: null }],
  })
  const other = orders.find((o) => o.id !== mine[0]!.id)!
  expect((await shop.supplier.ask(ordersApi.details, { query: { id: other.id } })).status).toBe(403)
  expect((await shop.gm2.ask(ordersApi.details, { query: { id: other.id } })).status).toBe(403)
})

test('more than is open cannot be ordered, twice neither', async () => {
  const { items } = await shop.sold({ name: '丙漆', quantity: '5' })
  const item_id = items['丙漆']!
  const ask = (quantity: string) =>
    shop.clerk.ask(ordersApi.place, {
      body: { lines: [{ item_id, quantity }], method: 1, expectedOn: shop.expectedOn },
    })
  expect((await ask('5.001')).msg).toContain('待下单只剩 5 片')
  const both = await Promise.all([ask('3'), ask('3')])
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  expect((await ask('2')).code).toBe(200)
  expect((await ask('0')).msg).toContain('应大于 0')
})

test('accepted with a promise: the receiver learns the address, the goods wait on a note', async () => {
  const { items, site } = await shop.sold({ name: '丁板', quantity: '8' })
  const [order] = (await shop.place([{ item_id: items['丁板']!, quantity: '8' }])).orders
  const before = await shop.seen(order!.id)
  expect(
    (
      await shop.supplier.ask(ordersApi.accept, {
        body: {
          id: order!.id,
          version: before.version,
          lines: [{ line_id: before.lineList[0]!.id, promisedOn: '2020-01-01' }],
        },
      })
    ).msg,
  ).toContain('不能早于今天')
  const o = await shop.accept(order!.id)
  expect(o).toMatchObject({ receiveState: 2, orderState: 3, turn: expect.any(String) })
  expect(o.notes).toMatchObject([{ state: 0, kind: 1 }])
  expect((await shop.seen(o.id, shop.supplier)).address).toContain('3 幢')
  // The second of two people learns who was faster.
  const late = await shop.supplier.ask(ordersApi.reject, {
    body: { id: o.id, version: before.version, rejectCode: 'stock', reason: '没有货' },
  })
  expect(late.code).toBe(409)
  expect(late.msg).toContain('已被')
  expect((await plan(site)).length).toBe(0)
})

test('refused pieces stay held until they are resubmitted or released', async () => {
  const { items, site } = await shop.sold({ name: '戊灯', quantity: '3' })
  const [order] = (await shop.place([{ item_id: items['戊灯']!, quantity: '3' }])).orders
  const id = order!.id
  const rejected = { rejectCode: 'stock' as const, reason: '厂家停产' }
  await shop.supplier.call(ordersApi.reject, { body: { ...(await as(id, shop.supplier)), ...rejected } })
  expect((await plan(site)).map((r) => [r.quantity, r.held])).toEqual([['0', '3']])
  // What is refused is not in force; what was placed stays readable.
  const nothing = { lines: 0, amount: '0.00', placedLines: 1, placedAmount: '90.00' }
  expect(await shop.seen(id)).toMatchObject({
    ...nothing,
    lineList: [{ quantity: '3', inForce: '0', amount: '0.00' }],
  })
  expect(
    (
      await shop.clerk.ask(ordersApi.place, {
        body: { lines: [{ item_id: items['戊灯']!, quantity: '1' }], method: 1, expectedOn: shop.expectedOn },
      })
    ).msg,
  ).toContain('待下单只剩 0')
  await shop.clerk.call(ordersApi.resubmit, {
    body: { ...(await as(id, shop.clerk)), expectedOn: shop.expectedOn },
  })
  expect(await shop.seen(id)).toMatchObject({ receiveState: 0, orderState: 2, revision: 2 })
  expect(await shop.seen(id)).toMatchObject({ lines: 1, amount: '90.00', lineList: [{ inForce: '3' }] })
  expect((await shop.seen(id)).revisions).toHaveLength(1)
  await shop.supplier.call(ordersApi.reject, { body: { ...(await as(id, shop.supplier)), ...rejected } })
  await shop.clerk.call(ordersApi.release, { body: { ...(await as(id, shop.clerk)), reason: '换一家' } })
  expect(await shop.seen(id)).toMatchObject({ ended: 'released', orderState: null, ...nothing })
  expect((await plan(site)).map((r) => [r.quantity, r.held])).toEqual([['3', '0']])
  expect(
    (await shop.clerk.ask(ordersApi.release, { body: { ...(await as(id, shop.clerk)), reason: '再来' } }))
      .msg,
  ).toContain('已释放')
})

test('split: half is refused, half accepted, nothing is ordered twice', async () => {
  const { items, site } = await shop.sold({ name: '己门', quantity: '10' })
  const [order] = (await shop.place([{ item_id: items['己门']!, quantity: '10' }])).orders
  const o = await shop.seen(order!.id, shop.supplier)
  const part = await shop.supplier.call(ordersApi.split, {
    body: { id: o.id, version: o.version, parts: [{ line_id: o.lineList[0]!.id, quantity: '4' }] },
  })
  expect(part.code).toBe(`${o.code}-2`)
  await shop.accept(o.id)
  await shop.supplier.call(ordersApi.reject, {
    body: { ...(await as(part.id, shop.supplier)), rejectCode: 'stock', reason: '只有六扇' },
  })
  expect((await shop.seen(o.id)).lineList[0]).toMatchObject({ quantity: '6', orderState: 3 })
  expect(await shop.seen(o.id)).toMatchObject({ amount: '180.00', placedAmount: '180.00' })
  expect(await shop.seen(part.id)).toMatchObject({ amount: '0.00', placedAmount: '120.00' })
  expect(await shop.seen(part.id)).toMatchObject({ receiveState: 1, orderState: 1, parentCode: o.code })
  expect((await plan(site)).map((r) => [r.quantity, r.held])).toEqual([['0', '4']])
})

test('recalled before the answer; withdrawn after it only when the other side agrees', async () => {
  const { items, site } = await shop.sold({ name: '庚窗', quantity: '4' })
  const order = async () => (await shop.place([{ item_id: items['庚窗']!, quantity: '4' }])).orders[0]!.id
  const first = await order()
  expect(
    (
      await shop.supplier.ask(ordersApi.recall, {
        body: { ...(await as(first, shop.supplier)), reason: '不要' },
      })
    ).code,
  ).toBe(401)
  await shop.clerk.call(ordersApi.recall, { body: { ...(await as(first, shop.clerk)), reason: '下错了' } })
  expect(await shop.seen(first)).toMatchObject({ ended: 'recalled', receiveState: 1 })
  const second = await order()
  await shop.accept(second)
  await shop.clerk.call(ordersApi.withdraw, {
    body: { ...(await as(second, shop.clerk)), reason: '客户不要了' },
  })
  expect((await shop.clerk.ask(ordersApi.agree, { body: await as(second, shop.clerk) })).msg).toContain(
    '要由对方答复',
  )
  await shop.supplier.call(ordersApi.decline, {
    body: { ...(await as(second, shop.supplier)), reason: '已经备货' },
  })
  expect(await shop.seen(second)).toMatchObject({ ask: '', ended: '' })
  await shop.supplier.call(ordersApi.withdraw, {
    body: { ...(await as(second, shop.supplier)), reason: '断货' },
  })
  await shop.clerk.call(ordersApi.agree, { body: await as(second, shop.clerk) })
  expect(await shop.seen(second)).toMatchObject({ ended: 'withdrawn', notes: [{ state: 1 }] })
  expect((await plan(site)).map((r) => r.quantity)).toEqual(['4'])
})

test('urged once a day; several at once are accepted and the others named', async () => {
  const { items } = await shop.sold({ name: '辛扣', quantity: '4' })
  const place = async (quantity: string) =>
    (await shop.place([{ item_id: items['辛扣']!, quantity }])).orders[0]!.id
  const [one, two] = [await place('1'), await place('3')]
  await shop.clerk.call(ordersApi.urge, { body: await as(one, shop.clerk) })
  expect((await shop.clerk.ask(ordersApi.urge, { body: await as(one, shop.clerk) })).msg).toContain(
    '今天已经催过',
  )
  const orders = [await as(one, shop.supplier), { id: two, version: 99 }]
  // As a browser sends it: under one key, though each order is a transaction of its own.
  const body = { orders, promisedOn: shop.expectedOn }
  const send = (key: string) => shop.supplier.ask(ordersApi.acceptAll, { body }, { 'idempotency-key': key })
  const { data: answer } = await send('accept-1')
  expect(answer.done).toBe(1)
  expect(answer.skipped).toHaveLength(1)
  expect((await shop.seen(two)).receiveState).toBe(0)
  // Sent again it is answered as the first time; asked anew each is named.
  expect((await send('accept-1')).data).toEqual(answer)
  const anew = (await send('accept-2')).data
  expect([anew.done, anew.skipped.length]).toEqual([0, 2])
  expect((await send('accept-2')).data).toEqual(anew)
})

test('amounts are nobody’s without the right to them', async () => {
  const { list } = await shop.acceptor.call(ordersApi.list, { query: {} })
  expect(list.length).toBeGreaterThan(3)
  expect(list.every((o) => o.amount === null)).toBe(true)
  const { list: units } = await shop.gm.call(ordersApi.units, { query: {} })
  expect(units.find((u) => u.id === shop.merchant)).toMatchObject({ due: '0.00' })
  expect(
    await shop.gm.call(ordersApi.statement, {
      query: { receiver_id: shop.merchant, month: shop.today.slice(0, 7) },
    }),
  ).toMatchObject({ lines: [], due: '0.00' })
})

test('one receiver for several sites: an order each, with one batch', async () => {
  const [one, two] = [
    await shop.sold({ name: '壬一', quantity: '1' }),
    await shop.sold({ name: '壬二', quantity: '1' }),
  ]
  const { orders } = await shop.place([
    { item_id: one.items['壬一']!, quantity: '1' },
    { item_id: two.items['壬二']!, quantity: '1' },
  ])
  const placed = await Promise.all(orders.map((o) => shop.seen(o.id)))
  expect(new Set(placed.map((o) => o.site_id))).toEqual(new Set([one.site, two.site]))
  expect(placed[0]!.batch).toMatch(/^PCHZ/)
  expect(new Set(placed.map((o) => o.batch)).size).toBe(1)
  const { list } = await shop.clerk.call(ordersApi.list, { query: { batch: placed[0]!.batch } })
  expect(list).toHaveLength(2)
})

test('what is counted as it is written is what is counted row by row', async () => {
  const totals = async (who: typeof shop.clerk, path: 'list' | 'received') => {
    const of = async (query: object) => (await who.call(ordersApi[path], { query })).totalCount
    return [await of({}), await of({ madeFrom: '2020-01-01' })]
  }
  for (const [kept, counted] of [
    await totals(shop.clerk, 'list'),
    await totals(shop.admin, 'list'),
    await totals(shop.supplier, 'received'),
  ]) {
    expect(kept).toBeGreaterThan(5)
    expect(kept).toBe(counted)
  }
  const plan = async (query: object) => (await shop.clerk.call(ordersApi.plan, { query })).totalCount
  expect(await plan({})).toBe((await plan({ late: true })) + (await plan({ late: false })))
})

test('the search finds an order by its number for both its parties, and for nobody else', async () => {
  const { items } = await shop.sold({ name: '癸灯', quantity: '1' })
  const { code, id } = (await shop.place([{ item_id: items['癸灯']!, quantity: '1' }])).orders[0]!
  const hits = async (who: Person) =>
    (await who.call(searchApi.all, { query: { keyword: code } })).filter((h) => h.kind === 'order')
  for (const who of [shop.clerk, shop.supplier])
    expect(await hits(who)).toMatchObject([
      { id, title: `${code} 江南里`, link: `/order/OrderDetail?id=${id}` },
    ])
  for (const who of [shop.gm2, shop.other, shop.quoter]) expect(await hits(who)).toEqual([])
})

test('a branch counts what it was asked and has taken on; its orders tie it, and a store', async () => {
  const { items } = await shop.sold({ name: '自营柜', quantity: '3', byBranch: true })
  const place = async () => (await shop.place([{ item_id: items['自营柜']!, quantity: '1' }])).orders[0]!.id
  const [first] = [await place(), await place()]
  await shop.accept(first, shop.gm)
  const row = async () =>
    (await shop.admin.call(companiesApi.list, { query: {} })).list.find((c) => c.id === shop.bc_id)!
  const c = await row()
  const total = async (receiveState: string) =>
    (await shop.admin.call(ordersApi.list, { query: { receiver_id: shop.bc_id, receiveState } })).totalCount
  expect([c.ordersWaiting, c.ordersTaken]).toEqual([await total('0'), await total('2')])
  expect(c.ordersWaiting).toBeGreaterThan(0)
  expect(c.ordersTaken).toBe(1)
  const branch = await shop.admin.ask(companiesApi.del, { body: { id: c.id, version: c.version } })
  expect(branch.code).toBe(409)
  for (const what of ['下的订单', '接的订单', '发货单'])
    expect(branch.msg).toMatch(new RegExp(`\\d+ 个${what}`))
  const store = (await shop.admin.call(storesApi.list, { query: { pageSize: 100 } })).list.find(
    (t) => t.id === shop.merchant,
  )!
  const gone = await shop.admin.ask(storesApi.del, { body: { id: store.id, version: store.version } })
  expect(gone.msg).toMatch(/\d+ 个接的订单/)
})
