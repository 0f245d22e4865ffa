import { companiesApi, storesApi } from '@zhuguan/contract/features/companies/companies.api.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { productCategoriesApi, productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import { searchApi } from '@zhuguan/contract/features/search/search.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { stagesApi } from '@zhuguan/contract/features/sites/stages.api.ts'
import { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { addDays } from '../../kit/shanghai.ts'
import { type Delivery, lawsBroken, openDelivery } from '../../testing/delivering.ts'
import { cellsOf, download } from '../../testing/sheets.ts'
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

test('the day by which goods are to be ordered follows the plan of their stage and their lead time', async () => {
  const { site, items } = await shop.sold({ name: '甲灰', quantity: '2' })
  const planned = addDays(shop.expectedOn, 60)
  const days = async () => {
    const [row] = await plan(site)
    return [row!.stageOn, row!.leadDays, row!.suggestedOn]
  }
  const category = async (leadDays: number | null) => {
    const list = await shop.admin.call(productCategoriesApi.list)
    const { id, version, name } = list.find((g) => g.id === shop.category)!
    await shop.admin.call(productCategoriesApi.edit, {
      body: { id, version, name, stage: null, receiver_id: null, leadDays },
    })
  }
  const stage = async (plannedStart: string) => {
    const { version } = await shop.gm.call(sitesApi.details, { query: { id: site } })
    await shop.gm.call(stagesApi.plan, {
      body: { id: site, version, stages: [{ stage: 'tiling', plannedStart, plannedFinish: plannedStart }] },
    })
  }
  await stage(planned)
  expect(await days()).toEqual([planned, 0, planned])
  await category(21)
  expect(await days()).toEqual([planned, 21, addDays(planned, -21)])
  // A product says its own.
  const { id } = (await shop.admin.call(productsApi.list, { query: { keyword: '甲灰' } })).list[0]!
  const product = await shop.admin.call(productsApi.details, { query: { id } })
  await shop.admin.call(productsApi.edit, {
    body: {
      id,
      version: product.version,
      name: product.name,
      kind: product.kind,
      category_id: shop.category,
      unit: product.unit,
      stage: 'tiling',
      receiver_id: shop.merchant,
      leadDays: 5,
    },
  })
  expect(await days()).toEqual([planned, 5, addDays(planned, -5)])
  await category(null)
  await stage(addDays(planned, 3))
  expect(await days()).toEqual([addDays(planned, 3), 5, addDays(planned, -2)])
  // What comes back to be ordered is due by the day that its stage has by then.
  const [order] = (await shop.place([{ item_id: items['甲灰']!, quantity: '2' }])).orders
  expect(await plan(site)).toEqual([])
  await stage(addDays(planned, 9))
  await shop.clerk.call(ordersApi.recall, { body: { ...(await as(order!.id, shop.clerk)), reason: '改期' } })
  expect(await days()).toEqual([addDays(planned, 9), 5, addDays(planned, 4)])
})

test('goods of a later day are an order of their own, at the price that was told before', async () => {
  const { items } = await shop.sold({ name: '早砖', quantity: '4' }, { name: '晚门', quantity: '2' })
  const [early, late] = [items['早砖']!, items['晚门']!]
  const later = addDays(shop.expectedOn, 9)
  const asked = (expectedOn: string) =>
    shop.clerk.ask(ordersApi.place, {
      body: {
        lines: [
          { item_id: early, quantity: '4' },
          { item_id: late, quantity: '2', expectedOn },
        ],
        method: 1,
        expectedOn: shop.expectedOn,
      },
    })
  const told = await shop.clerk.call(ordersApi.planPrices, { query: { items: [early, late].join() } })
  expect((await asked('2020-01-01')).msg).toContain('不能早于今天')
  const answer = await asked(later)
  expect(answer.msg).toBe('')
  const made = await Promise.all(
    (answer.data as { orders: { id: string }[] }).orders.map(({ id }) => shop.seen(id)),
  )
  expect(made.map((o) => [o.expectedOn, o.lineList.map((l) => l.name)]).toSorted()).toEqual([
    [shop.expectedOn, ['早砖']],
    [later, ['晚门']],
  ])
  // One site takes no number of a batch.
  expect(made.map((o) => o.batch)).toEqual(['', ''])
  const prices = new Map(told.list.map((p) => [p.item_id, p.price]))
  for (const line of made.flatMap((o) => o.lineList))
    expect(Number(line.price)).toBe(Number(prices.get(line.item_id)))
  const strange = await shop.clerk.ask(ordersApi.planPrices, {
    query: { items: [early, '00000000-0000-4000-8000-000000000000'].join() },
  })
  expect(strange.code).toBe(403)
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
  // By the name that people know, not the one they sign in with.
  const [{ nickname }] = (await server.sql<{ nickname: string }>(
    `SELECT nickname FROM users WHERE user_name = 'supplier'`,
  )) as [{ nickname: string }]
  expect(late.msg).toContain(`已被 ${nickname} 于`)
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

test('split: whole packs go, or the whole rest of a line; what has no pack may be divided', async () => {
  const { items } = await shop.sold(
    { name: '包装砖', quantity: '9', pack: '3' },
    { name: '散装线', quantity: '2', cost: '1.005' },
  )
  const lines = [
    { item_id: items['包装砖']!, quantity: '9' },
    { item_id: items['散装线']!, quantity: '2' },
  ]
  const id = (await shop.place(lines)).orders[0]!.id
  const split = async (parts: Record<string, string>) => {
    const o = await shop.seen(id, shop.supplier)
    return shop.supplier.ask(ordersApi.split, {
      body: {
        id,
        version: o.version,
        parts: Object.entries(parts).map(([name, quantity]) => ({
          line_id: o.lineList.find((l) => l.name === name)!.id,
          quantity,
        })),
      },
    })
  }
  for (const quantity of ['1.5', '0.001', '8'])
    expect((await split({ 包装砖: quantity })).msg).toBe('“包装砖”每包 3 片，请按整包下单')
  expect((await shop.seen(id)).children).toEqual([])
  expect((await split({ 包装砖: '3', 散装线: '0.5' })).msg).toBe('')
  // Three parts of 0.50 would leave 0.51 of 2.01; the half that is left comes to 0.50.
  expect((await split({ 散装线: '0.5' })).msg).toBe('')
  expect((await split({ 散装线: '0.5' })).msg).toBe('')
  expect(await shop.seen(id)).toMatchObject({ amount: '180.50', placedAmount: '180.50' })
  // All that is left of a line may go.
  expect((await split({ 包装砖: '6' })).msg).toBe('')
  expect((await shop.seen(id)).lineList.map((l) => l.name)).toEqual(['散装线'])
})

test('goods are not expected or promised for more than two years ahead', async () => {
  const { items, site } = await shop.sold({ name: '远期砖', quantity: '2' })
  const year = Number(shop.today.slice(0, 4)) + 2
  const far = [`${year}-12-31`, `${year + 1}-01-01`, '9999-12-31'].filter(
    (day) => day > `${year}${shop.today.slice(4)}`,
  )
  const line = { item_id: items['远期砖']!, quantity: '1' }
  const id = (await shop.place([line])).orders[0]!.id
  const o = await shop.seen(id, shop.supplier)
  const promised = (promisedOn: string) => ({
    id,
    version: o.version,
    lines: [{ line_id: o.lineList[0]!.id, promisedOn }],
  })
  for (const day of far) {
    const placing = { lines: [line], method: 1 as const, expectedOn: day }
    const said = [
      await shop.clerk.ask(ordersApi.place, { body: placing }),
      await shop.supplier.ask(ordersApi.accept, { body: promised(day) }),
      await shop.supplier.ask(ordersApi.acceptAll, {
        body: { orders: [{ id, version: o.version }], promisedOn: day },
      }),
      await shop.gm.ask(ordersApi.ready, { body: { site_id: site, readyOn: day } }),
    ]
    expect(said.map((a) => [a.code, a.msg])).toEqual([
      [400, '期望到货不能晚于两年后'],
      [400, '承诺到货不能晚于两年后'],
      [400, '承诺到货不能晚于两年后'],
      [400, '可以到货的日期不能晚于两年后'],
    ])
  }
  await shop.supplier.call(ordersApi.reject, {
    body: { id, version: o.version, rejectCode: 'stock', reason: '没有货' },
  })
  const again = { ...(await as(id, shop.clerk)), expectedOn: '9999-12-31' }
  expect((await shop.clerk.ask(ordersApi.resubmit, { body: again })).msg).toBe('期望到货不能晚于两年后')
  expect(await shop.seen(id)).toMatchObject({ receiveState: 1, expectedOn: shop.expectedOn })
  // A day that can be meant stands beside what is to be ordered.
  await shop.gm.call(ordersApi.ready, { body: { site_id: site, readyOn: shop.expectedOn, place: '东门' } })
  const { list } = await shop.clerk.call(ordersApi.plan, { query: { site_id: site } })
  expect(list.map((l) => l.readyOn)).toEqual([shop.expectedOn])
})

test('what is shipped is not withdrawn: the request lapses; and whoever asked may take one back', async () => {
  const { items } = await shop.sold({ name: '抢发板', quantity: '6' })
  const id = (await shop.place([{ item_id: items['抢发板']!, quantity: '6' }])).orders[0]!.id
  const first = (await shop.accept(id)).notes[0]!.id
  const ask = async (what: 'withdraw' | 'close', who: Person) =>
    (await who.ask(ordersApi[what], { body: { ...(await as(id, who)), reason: '客户不要了' } })).msg
  const decline = async (who: Person) =>
    (await who.ask(ordersApi.decline, { body: { ...(await as(id, who)), reason: '再想想' } })).msg
  const last = async () => (await shop.seen(id)).log[0]
  const notices = async (who: Person) => (await who.call(notificationsApi.list, {})).list.map((n) => n.title)
  expect(await decline(shop.clerk)).toBe('没有等待答复的请求')
  expect(await ask('withdraw', shop.clerk)).toBe('')
  expect(await decline(shop.clerk)).toBe('')
  expect(await shop.seen(id)).toMatchObject({ ask: '', receiveState: 2, ended: '' })
  expect(await last()).toMatchObject({ action: '撤回请求', reason: '再想想' })
  expect((await notices(shop.supplier))[0]).toContain('撤回了对订单')
  expect(await ask('withdraw', shop.clerk)).toBe('')
  expect(await shop.seen(id, shop.supplier)).toMatchObject({ ask: 'withdraw', askReason: '客户不要了' })
  expect((await shop.ship(first, { 抢发板: '2' })).msg).toBe('')
  const o = await shop.seen(id)
  expect(o).toMatchObject({ ask: '', ended: '', turn: expect.any(String) })
  expect(o.log[0]).toMatchObject({ action: '撤销请求失效', reason: '已经发货' })
  expect((await notices(shop.clerk)).some((t) => t.includes(`${o.code} 已经发货，撤销请求失效`))).toBe(true)
  // Nothing stands in the way of what can still be asked; that is answered as ever.
  expect(await ask('close', shop.clerk)).toBe('')
  expect(await decline(shop.supplier)).toBe('')
  expect(await last()).toMatchObject({ action: '不同意请求' })
  expect(await ask('close', shop.supplier)).toBe('')
  expect(await decline(shop.supplier)).toBe('')
  expect(await last()).toMatchObject({ action: '撤回请求' })
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
  // Nobody refused it.
  const found = async (query: object) =>
    (await shop.clerk.call(ordersApi.list, { query: { site_id: site, ...query } })).list.map((o) => o.id)
  expect(await found({ receiveState: '1' })).toEqual([])
  expect(await found({ receiveState: '0,1,2' })).toEqual([])
  expect(await found({ ended: 'recalled' })).toEqual([first])
  const sheet = async (who: Person, endpoint: 'export' | 'receivedExport') => {
    const [titles, ...rows] = await cellsOf(
      await download(server.url, who, ordersApi[endpoint], { pageSize: '100' }),
    )
    const ends = rows.map((r) => r[titles!.indexOf('结束方式')])
    expect(rows.flat().filter((cell) => cell.startsWith("'"))).toEqual([])
    return new Set(ends)
  }
  for (const ends of [await sheet(shop.admin, 'export'), await sheet(shop.supplier, 'receivedExport')]) {
    expect(ends.has('进行中')).toBe(false)
    expect(ends.has('')).toBe(true)
    expect(ends.has('已撤回')).toBe(true)
  }
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
    await shop.gm.call(statementsApi.preview, {
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

test('the search finds what is on its way by its number for both its parties, and for nobody else', async () => {
  const { order, note } = await shop.arrived({ name: '癸灯', quantity: '2' })
  await shop.judge(note, [{ name: '癸灯', quantity: '2', result: 4 }])
  const { code, notes } = await shop.seen(order)
  const { sheetCode } = await shop.sheet(note)
  const change = (await shop.clerk.call(goodsApi.list, { query: { order_id: order } })).list[0]!
  const hits = async (who: Person, keyword: string, kind: string) =>
    (await who.call(searchApi.all, { query: { keyword } })).filter((h) => h.kind === kind)
  const parties = [shop.clerk, shop.supplier]
  for (const [kind, keyword, people, found] of [
    ['order', code, parties, { id: order, link: `/order/OrderDetail?id=${order}` }],
    ['note', notes[0]!.code, parties, { id: note, link: `/dispatch/DispatchList?keyword=${notes[0]!.code}` }],
    ['sheet', sheetCode, [shop.acceptor], { id: note, link: `/check/AcceptanceList?keyword=${sheetCode}` }],
    [
      'goodsChange',
      change.code,
      parties,
      { id: change.id, link: `/check/ChangeGoods?keyword=${change.code}` },
    ],
  ] as const) {
    for (const who of people)
      expect(await hits(who, keyword, kind), kind).toMatchObject([{ ...found, title: `${keyword} 江南里` }])
    for (const who of [shop.gm2, shop.other, shop.quoter])
      expect(await hits(who, keyword, kind), kind).toEqual([])
  }
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

test('the remainder is closed where something remains, and asked for in vain where nothing does', async () => {
  const name = '都发完的板'
  const { items } = await shop.sold({ name, quantity: '4' })
  const id = (await shop.place([{ item_id: items[name]!, quantity: '4' }])).orders[0]!.id
  const note = (await shop.accept(id)).notes[0]!.id
  await shop.ship(note, { [name]: '3' })
  expect((await shop.seen(id)).remains).toBe(true)
  await shop.ship((await shop.seen(id)).notes.find((n) => n.state === 0)!.id)
  const o = await shop.seen(id)
  expect(o).toMatchObject({ shipped: true, remains: false })
  const body = { id, version: o.version, reason: '不要剩余' }
  for (const who of [shop.clerk, shop.supplier])
    expect((await who.ask(ordersApi.close, { body })).msg).toBe('没有还没发的商品，没有剩余可以结束')
  expect(await shop.seen(id)).toMatchObject({ ask: '', version: o.version })
})

test('what waits for an answer stands first with who receives, the longest on top', async () => {
  const ids: string[] = []
  for (const name of ['先单', '中单', '后单']) {
    const { items } = await shop.sold({ name, quantity: '1' })
    ids.push((await shop.place([{ item_id: items[name]!, quantity: '1' }])).orders[0]!.id)
  }
  const [first, second, last] = ids as [string, string, string]
  await shop.accept(last)
  await server.sql(`UPDATE orders SET due_at = due_at - interval '3 days' WHERE id = $1`, [second])
  const { list } = await shop.supplier.call(ordersApi.received, { query: { pageSize: 100 } })
  const at = (id: string) => list.findIndex((o) => o.id === id)
  expect(at(second)).toBeLessThan(at(first))
  const answered = list.findIndex((o) => o.receiveState !== 0)
  const waiting = list.filter((o) => o.receiveState === 0 && o.ended === '')
  expect(answered).toBe(waiting.length)
  expect(at(last)).toBeGreaterThanOrEqual(answered)
})

test('late in answering and late in arriving are two lists, together they are what is late', async () => {
  const ids: string[] = []
  for (const name of ['没答复', '没到货', '都不晚']) {
    const { items } = await shop.sold({ name, quantity: '1' })
    ids.push((await shop.place([{ item_id: items[name]!, quantity: '1' }])).orders[0]!.id)
  }
  const [silent, away] = ids as [string, string]
  await shop.accept(away)
  await server.sql(`UPDATE orders SET due_at = :now - interval '1 hour' WHERE id = $1`, [silent])
  await server.sql(`UPDATE orders SET expected_on = :today - 1 WHERE id = $1`, [away])
  const among = async (query: object) => {
    const { list } = await shop.clerk.call(ordersApi.list, { query: { pageSize: 100, ...query } })
    return ids.map((id) => list.some((o) => o.id === id))
  }
  expect(await among({ lateness: 'answer' })).toEqual([true, false, false])
  expect(await among({ lateness: 'arrival' })).toEqual([false, true, false])
  expect(await among({ late: true })).toEqual([true, true, false])
})
