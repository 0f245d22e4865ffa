import { changesApi, contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { type Delivery, lawsBroken, openDelivery } from '../../testing/delivering.ts'
import { uploadPhoto } from '../../testing/photo.ts'
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

/** Nothing is left undone by a step that holds only at its end. */
const holds = async () => expect(await lawsBroken(server)).toEqual([])
const state = async (order: string) => (await shop.seen(order)).orderState
const open = async (site: string) =>
  (await shop.clerk.call(ordersApi.plan, { query: { site_id: site } })).list.map((r) => [r.name, r.quantity])

test('split shipment: one short, one broken, one wrong', async () => {
  const { note, order } = await shop.arrived({ name: '一砖', quantity: '10' })
  const crumbs = async (length: number, result: 2 | 4) =>
    (
      await shop.judge(
        note,
        Array.from({ length }, () => ({ name: '一砖', quantity: '0.001', result })),
      )
    ).msg
  expect(await crumbs(2, 2)).toBe('同一行的“合格”请合并成一条')
  expect(await crumbs(11, 4)).toBe('同一行一次最多 10 条结论')
  const answer = await shop.judge(note, [
    { name: '一砖', quantity: '7', result: 2 },
    { name: '一砖', quantity: '1', result: 3 },
    { name: '一砖', quantity: '1', result: 4 },
    { name: '一砖', quantity: '1', result: 5 },
  ])
  expect(answer.msg).toBe('')
  await holds()
  const [short, exchange, back] = answer.data.changes.map((c) => c.id)
  expect(await shop.note(note)).toMatchObject({ state: 4, checkState: 1 })
  // The return stands before all others from the request on.
  expect(await state(order)).toBe(7)
  for (const id of [short, exchange, back]) {
    expect((await shop.examine(id!)).msg).toBe('')
    await holds()
  }
  const notes = (await shop.seen(order)).notes.filter((n) => n.kind !== 1)
  expect(notes.map((n) => [n.kind, n.state])).toEqual([
    [2, 0],
    [3, 0],
  ])
  for (const n of notes) {
    expect((await shop.ship(n.id)).msg).toBe('')
    expect((await shop.deliver(n.id)).msg).toBe('')
    // What comes instead waits on its own note; how far the first one is accepted follows it there.
    await holds()
    expect((await shop.judge(n.id, [{ name: '一砖', quantity: '1', result: 2 }])).msg).toBe('')
    await holds()
  }
  expect((await shop.change(short!)).state).toBe('closed')
  // Its wrong one still stands on the site.
  expect((await shop.change(exchange!)).state).toBe('open')
  expect(await state(order)).toBe(7)
  for (const id of [exchange!, back!]) {
    expect((await shop.takeBack(id)).msg).toBe('')
    await holds()
    expect((await shop.change(id)).state).toBe('closed')
  }
  expect(await state(order)).toBe(6)
  expect(await shop.note(note)).toMatchObject({ state: 4, checkState: 2 })
  expect((await shop.seen(order)).lineList[0]).toMatchObject({ accepted: '9', returned: '1' })
})

test('replacement broken again', async () => {
  const { note, order } = await shop.arrived({ name: '二灯', quantity: '2' })
  let at = note
  let id = ''
  for (const round of [1, 2, 3]) {
    const judged = await shop.judge(at, [{ name: '二灯', quantity: '2', result: 4 }])
    const before = id
    id = judged.data.changes[0]!.id
    expect((await shop.change(id)).round).toBe(round)
    if (before) expect((await shop.change(before)).state).toBe('unsolved')
    await shop.examine(id)
    at = await shop.instead(order, id)
    await shop.ship(at)
    await shop.deliver(at)
    await holds()
  }
  expect((await shop.judge(at, [{ name: '二灯', quantity: '2', result: 2 }])).msg).toBe('')
  expect(await state(order)).toBe(7)
  for (const round of (await shop.change(id)).rounds) {
    expect((await shop.takeBack(round.id)).msg).toBe('')
    await holds()
  }
  expect(await state(order)).toBe(6)
  expect((await shop.change(id)).state).toBe('closed')
})

test('return after acceptance', async () => {
  const { items, note, order, site } = await shop.arrived({ name: '三柜', quantity: '3' })
  await shop.judge(note, [{ name: '三柜', quantity: '3', result: 2 }])
  expect(await state(order)).toBe(6)
  const s = await shop.sheet(note)
  const complaint = async (quantity: string, outcome: 'again' | 'reduce') =>
    shop.clerk.ask(goodsApi.complain, {
      body: {
        id: note,
        version: (await shop.sheet(note)).version,
        line_id: s.lineList[0]!.line_id,
        quantity,
        result: 5,
        reasonCode: 'quality',
        reason: '开裂',
        photos: [await uploadPhoto(server.url, shop.clerk)],
        outcome,
      },
    })
  expect((await complaint('4', 'again')).msg).toContain('已验收的只有 3')
  const twice = { id: note, version: s.version, line_id: s.lineList[0]!.line_id, quantity: '0.5' }
  const surplus = async () => {
    const photos = [await uploadPhoto(server.url, shop.acceptor)]
    return shop.acceptor.ask(goodsApi.surplus, { body: { ...twice, photos, outcome: 'back' } })
  }
  // The second of two people who saw the same sheet hears of the first.
  expect([await surplus(), await surplus()].map((a) => a.code)).toEqual([200, 409])
  const first = (await complaint('1', 'again')).data.id
  // Nothing moves before it is approved.
  expect(await state(order)).toBe(6)
  await shop.examine(first, 'reject')
  expect(await state(order)).toBe(6)
  const again = (await complaint('1', 'again')).data.id
  await shop.examine(again)
  await holds()
  // An equal piece can be ordered at once; the old one is on its way back.
  expect(await open(site)).toEqual([['三柜', '1']])
  expect(await state(order)).toBe(7)
  const { steps, version } = await shop.change(again)
  const send = await shop.clerk.ask(goodsApi.send, { body: { id: again, version } })
  expect(send.msg).toBe('退货不用再发货；等取回、签收和验货')
  const leg = steps.find((k) => k.type === 5)!
  const early = { id: leg.id, version: leg.version, grade: 'good' as const }
  expect((await shop.supplier.ask(goodsApi.grade, { body: early })).msg).toContain('签收以后再验货')
  await shop.takeBack(again)
  await holds()
  // What is not wanted any more can leave the contract then, and not before.
  const unwanted = (await complaint('1', 'reduce')).data.id
  await shop.examine(unwanted)
  const contract = (await shop.seen(order)).contract_id
  const reduce = async () => {
    const { id } = await shop.quoter.call(changesApi.add, {
      body: {
        contract_id: contract,
        reason: '退了不要',
        lines: [{ attribute: 4, item_id: items['三柜']!, quantity: '2' }] as never,
      },
    })
    return id
  }
  expect(
    (
      await shop.quoter.ask(changesApi.add, {
        body: {
          contract_id: contract,
          reason: '退了不要',
          lines: [{ attribute: 4, item_id: items['三柜']!, quantity: '2' }] as never,
        },
      })
    ).msg,
  ).toContain('已下单 2')
  await shop.takeBack(unwanted)
  // It is back, and waits for the reduction.
  expect(await shop.change(unwanted)).toMatchObject({ state: 'open', toReduce: true })
  const id = await reduce()
  await shop.quoter.call(changesApi.submit, { body: { id, version: 0 } })
  const r = (await shop.examiner.call(examineApi.list, { query: { object_id: id } })).list[0]!
  expect(
    (
      await shop.examiner.ask(examineApi.pass, {
        body: { id: r.id, version: r.version, hash: r.hash, reason: '好' },
      })
    ).msg,
  ).toBe('')
  await holds()
  expect(await open(site)).toEqual([])
  expect(await shop.change(unwanted)).toMatchObject({ state: 'closed', toReduce: false })
})

test('surplus goes back, at most what the note brought; what is kept is ordered anew', async () => {
  const { note, order } = await shop.arrived({ name: '余砖', quantity: '10' })
  const add = async (quantity: string, outcome: 'back' | 'bought' = 'back') => {
    const s = await shop.sheet(note)
    const photos = [await uploadPhoto(server.url, shop.acceptor)]
    const line_id = s.lineList[0]!.line_id
    return shop.acceptor.ask(goodsApi.surplus, {
      body: { id: note, version: s.version, line_id, quantity, reason: '多送', photos, outcome },
    })
  }
  expect((await add('2', 'bought')).msg).toBe(
    '多件只能退回商家；要留下用，请先在合同里做增项，再按新订单下单',
  )
  expect((await add('10.001')).msg).toBe('“余砖”这张单送来 10 片，多件不能比这还多，最多再登记 10 片')
  const { id } = (await add('8')).data
  expect((await add('3')).msg).toContain('已登记 8 片，最多再登记 2 片')
  await shop.examine(id)
  await holds()
  const { amount, lineList } = await shop.seen(order)
  expect([amount, lineList[0]!.quantity]).toEqual(['300.00', '10'])
  expect((await shop.change(id)).steps.map((k) => k.type)).toEqual([5])
})

test('order withdrawn after part was dispatched', async () => {
  const { items, site } = await shop.sold({ name: '四板', quantity: '10' })
  const order = (await shop.place([{ item_id: items['四板']!, quantity: '10' }])).orders[0]!.id
  const first = (await shop.accept(order)).notes[0]!.id
  await shop.ship(first, { 四板: '4' })
  const o = await shop.seen(order)
  const body = { id: order, version: o.version, reason: '客户改了' }
  expect((await shop.clerk.ask(ordersApi.withdraw, { body })).code).toBe(409)
  await shop.clerk.call(ordersApi.close, { body })
  const { version } = await shop.seen(order, shop.supplier)
  await shop.supplier.call(ordersApi.agree, { body: { id: order, version } })
  await holds()
  expect(await open(site)).toEqual([['四板', '6']])
  expect(await shop.seen(order)).toMatchObject({ amount: '120.00', placedAmount: '300.00', lines: 1 })
  // What has shipped goes on; sent back, it can be ordered too.
  const n = await shop.note(first)
  await shop.clerk.call(dispatchApi.sendBack, {
    body: { id: first, version: n.version, back: 'recalled', reason: '不要了' },
  })
  await holds()
  expect(await open(site)).toEqual([['四板', '10']])
  expect(await shop.seen(order)).toMatchObject({ amount: '0.00', placedAmount: '300.00', lines: 0 })
})

test('supplier rejects half', async () => {
  const { items, site } = await shop.sold({ name: '五门', quantity: '8' })
  const order = (await shop.place([{ item_id: items['五门']!, quantity: '8' }])).orders[0]!.id
  const o = await shop.seen(order, shop.supplier)
  const half = await shop.supplier.call(ordersApi.split, {
    body: { id: order, version: o.version, parts: [{ line_id: o.lineList[0]!.id, quantity: '4' }] },
  })
  const other = await shop.seen(half.id, shop.supplier)
  await shop.supplier.call(ordersApi.reject, {
    body: { id: half.id, version: other.version, rejectCode: 'stock', reason: '没货' },
  })
  await shop.accept(order)
  await holds()
  expect(await open(site)).toEqual([['五门', '0']])
  const held = await shop.seen(half.id)
  const resubmit = { id: half.id, version: held.version, expectedOn: shop.expectedOn }
  const both = await Promise.all([
    shop.clerk.ask(ordersApi.resubmit, { body: resubmit }),
    shop.clerk.ask(ordersApi.release, { body: { id: half.id, version: held.version, reason: '换家' } }),
  ])
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
})

test('of goods in whole packs a change takes what is not shipped, and the crumb of the last pack with it', async () => {
  const reducing = (contract: string, item: string) => ({
    add: (quantity: string) =>
      shop.quoter.ask(changesApi.add, {
        body: {
          contract_id: contract,
          reason: '少铺一间',
          lines: [{ attribute: 4, item_id: item, quantity }] as never,
        },
      }),
    async pass(id: string) {
      await shop.quoter.call(changesApi.submit, { body: { id, version: 0 } })
      const [r] = (await shop.examiner.call(examineApi.list, { query: { object_id: id } })).list
      const { hash, id: request, version } = r!
      await shop.examiner.call(examineApi.pass, { body: { id: request, version, hash, reason: '看过了' } })
    },
    async left() {
      const c = await shop.gm.call(contractsApi.details, { query: { id: contract } })
      const [i] = c.items.filter((one) => one.id === item)
      return [i!.left, i!.orderedLeft]
    },
  })
  // Ten are sold, twelve are bought: three packs of four, of which two are on their way.
  const { contract, items, site } = await shop.sold({ name: '七砖', quantity: '10', pack: '4' })
  const item = items['七砖']!
  const change = reducing(contract, item)
  expect(await change.left()).toEqual(['10', '12'])
  const order = (await shop.place([{ item_id: item, quantity: '8' }])).orders[0]!.id
  await shop.ship((await shop.accept(order)).notes[0]!.id)
  // Eight are shipped, of which two at most are more than was sold: six stay to be paid.
  for (const [quantity, left] of [
    ['10', '0'],
    ['5', '5'],
    ['4.001', '5.999'],
  ])
    expect((await change.add(quantity!)).msg).toBe(
      `“七砖”已下单 8 片，变更后只剩 ${left} 片；请先撤回、结束剩余或退货`,
    )
  expect((await change.add('11')).msg).toBe('“七砖”只剩 10 片，不能变更 11 片')
  expect(await change.left()).toEqual(['10', '12'])
  const four = await change.add('4')
  expect(four.code).toBe(200)
  await change.pass(four.data.id)
  expect(await change.left()).toEqual(['6', '8'])
  const plan = async (of: string) =>
    (await shop.clerk.call(ordersApi.plan, { query: { site_id: of } })).list.map((r) => r.quantity)
  expect((await plan(site)).filter((q) => q !== '0')).toEqual([])
  expect((await change.add('0.5')).msg).toContain('已下单 8 片，变更后只剩 5.5 片')

  // Nothing shipped: what is left is bought in whole packs, and no part of one stays open.
  const free = await shop.sold({ name: '八砖', quantity: '10', pack: '4' })
  const other = reducing(free.contract, free.items['八砖']!)
  const seven = await other.add('3')
  await other.pass(seven.data.id)
  expect([await other.left(), await plan(free.site)]).toEqual([['7', '8'], ['8']])
  const three = await other.add('4')
  await other.pass(three.data.id)
  expect([await other.left(), await plan(free.site)]).toEqual([['3', '4'], ['4']])

  // One pack of three is shipped: the others are given back by packs.
  const half = await shop.sold({ name: '九砖', quantity: '12', pack: '4' })
  const third = reducing(half.contract, half.items['九砖']!)
  const one = (await shop.place([{ item_id: half.items['九砖']!, quantity: '4' }])).orders[0]!.id
  await shop.ship((await shop.accept(one)).notes[0]!.id)
  const five = await third.add('5')
  await third.pass(five.data.id)
  expect([await third.left(), await plan(half.site)]).toEqual([['7', '8'], ['4']])
  expect((await third.add('5')).msg).toContain('已下单 4 片，变更后只剩 2 片')
})

test('change reduces a shipped line', async () => {
  const { contract, items, note } = await shop.arrived({ name: '六漆', quantity: '5' })
  const add = (quantity: string) =>
    shop.quoter.ask(changesApi.add, {
      body: {
        contract_id: contract,
        reason: '少用一点',
        lines: [{ attribute: 4, item_id: items['六漆']!, quantity }] as never,
      },
    })
  expect((await add('1')).msg).toContain('已下单 5')
  await shop.judge(note, [{ name: '六漆', quantity: '5', result: 2 }])
  expect((await add('1')).msg).toContain('请先撤回、结束剩余或退货')
})

test('site terminated, goods under way', async () => {
  const { contract, items } = await shop.sold(
    { name: '七开', quantity: '1' },
    { name: '七问', quantity: '1' },
    { name: '七发', quantity: '2' },
  )
  const place = async (name: string, quantity: string) =>
    (await shop.place([{ item_id: items[name]!, quantity }])).orders[0]!.id
  const asked = await place('七问', '1')
  const sent = await place('七发', '2')
  const first = (await shop.accept(sent)).notes[0]!.id
  const { rest } = (await shop.ship(first, { 七发: '1' })).data
  const c = await shop.gm.call(contractsApi.details, { query: { id: contract } })
  const end = { id: contract, version: c.version, reason: '客户不做了', value: '0' }
  expect((await shop.gm.ask(contractsApi.terminate, { body: end })).msg).toBe('')
  await holds()
  expect(await shop.seen(asked)).toMatchObject({ ended: 'terminated', orderState: null })
  expect(await shop.seen(sent)).toMatchObject({ ask: 'close', askSide: 'buyer' })
  // What waits on the note for the rest does not leave any more.
  expect((await shop.ship(rest!.id)).msg).toContain('合同终止')
  const close = async () => {
    const { version } = await shop.gm.call(contractsApi.details, { query: { id: contract } })
    return shop.gm.ask(contractsApi.close, { body: { id: contract, version } })
  }
  expect((await close()).msg).toContain('还有 2 项商品')
  const { version } = await shop.seen(sent, shop.supplier)
  await shop.supplier.call(ordersApi.agree, { body: { id: sent, version } })
  await shop.deliver(first)
  expect((await shop.judge(first, [{ name: '七发', quantity: '1', result: 2 }])).msg).toBe('')
  expect((await close()).msg).toBe('')
})

test('pickup never, or partly, collected', async () => {
  const { items, site } = await shop.sold({ name: '八扣', quantity: '6' })
  const order = (await shop.place([{ item_id: items['八扣']!, quantity: '6' }])).orders[0]!.id
  const first = (await shop.accept(order)).notes[0]!.id
  const n = await shop.note(first, shop.supplier)
  await shop.supplier.call(dispatchApi.ship, {
    body: {
      id: first,
      version: n.version,
      lines: [{ line_id: n.lineList[0]!.line_id, quantity: '6' }],
      method: 3,
      plannedOn: shop.expectedOn,
      pickupStore: '建材城',
    },
  })
  const there = await shop.note(first)
  await shop.supplier.call(dispatchApi.handOver, {
    body: {
      id: first,
      version: there.version,
      ...(await shop.proof(shop.supplier)),
      pickupCode: there.pickupCode,
      lines: [{ line_id: n.lineList[0]!.line_id, quantity: '2' }],
      reason: '余下的明天来取',
    },
  })
  await holds()
  const left = await shop.note(first)
  expect(left.pickupUntil).not.toBeNull()
  await shop.clerk.call(dispatchApi.sendBack, {
    body: { id: first, version: left.version, back: 'uncollected', reason: '一周没来' },
  })
  await holds()
  expect((await shop.seen(order)).lineList[0]).toMatchObject({ arrived: '2', shipped: '2' })
  expect(await open(site)).toEqual([])
})

test('deposit refunded, site made by mistake', async () => {
  const { contract, items } = await shop.sold({ name: '九砖', quantity: '2' })
  const order = (await shop.place([{ item_id: items['九砖']!, quantity: '2' }])).orders[0]!.id
  const c = await shop.gm.call(contractsApi.details, { query: { id: contract } })
  const ask = () =>
    shop.gm.ask(contractsApi.void, { body: { id: contract, version: c.version, reason: '签错了' } })
  expect((await ask()).msg).toContain('还有 1 张订单')
  const o = await shop.seen(order)
  await shop.clerk.call(ordersApi.recall, { body: { id: order, version: o.version, reason: '签错了' } })
  expect((await ask()).msg).toBe('')
  const r = (await shop.examiner.call(examineApi.list, { query: { object_id: contract } })).list[0]!
  expect(
    (
      await shop.examiner.ask(examineApi.pass, {
        body: { id: r.id, version: r.version, hash: r.hash, reason: '好' },
      })
    ).msg,
  ).toBe('')
  await holds()
})

test('supplier of two branches', async () => {
  const { items } = await shop.sold({ name: '十门', quantity: '1', byBranch: true })
  const order = (await shop.place([{ item_id: items['十门']!, quantity: '1' }])).orders[0]!.id
  // The branch receives for itself: its manager answers, the merchant sees nothing of it, the other branch neither.
  for (const who of [shop.supplier, shop.gm2, shop.other])
    expect((await who.ask(ordersApi.details, { query: { id: order } })).status).toBe(403)
  expect(await shop.seen(order, shop.gm)).toMatchObject({ buyer: true, receiver: true })
  await shop.accept(order, shop.gm)
  await server.sql(
    `UPDATE orders SET receiver_id = (SELECT bc_id FROM companies WHERE code = 'NB') WHERE id = $1`,
    [order],
  )
  const theirs = await shop.seen(order, shop.gm2)
  expect(theirs).toMatchObject({ buyer: false, receiver: true, site_id: '' })
  expect(theirs.ws_name).toBe('江南里')
})

test('a note for what comes instead is made once more where it was cancelled, and not beside another', async () => {
  const { note, order } = await shop.arrived({ name: '十一灯', quantity: '2' })
  const id = (await shop.judge(note, [{ name: '十一灯', quantity: '1', result: 4 }])).data.changes[0]!.id
  await shop.examine(id)
  const send = async () => {
    const { loose, version } = await shop.change(id)
    return { loose, ...(await shop.clerk.ask(goodsApi.send, { body: { id, version } })) }
  }
  expect(await send()).toMatchObject({ loose: false, msg: '补货和换货都已经有发货单' })
  // A dash is drawn; a cell in which nothing stands is empty.
  const cells = await cellsOf((await shop.clerk.ask(goodsApi.export, { query: { order_id: order } })).bytes)
  expect(cells.flat()).toContain('换货')
  expect(cells.flat().filter((c) => String(c).includes('--'))).toEqual([])
  const first = await shop.instead(order, id)
  const n = await shop.note(first)
  await shop.clerk.call(dispatchApi.cancel, { body: { id: first, version: n.version, reason: '开错了' } })
  expect(await send()).toMatchObject({ loose: true, msg: '' })
  expect((await send()).loose).toBe(false)
})

/** All stages accepted and finished, as the site's people do it. */
/** Built to its last stage, with who leads it. */
async function built(site: string) {
  const at = async () => (await shop.gm.call(sitesApi.details, { query: { id: site } })).version
  const [people] = await server.sql<{ manager: string; steward: string }>(
    `SELECT (SELECT id FROM users WHERE user_name = 'pm') AS manager,
       (SELECT id FROM users WHERE user_name = 'steward') AS steward`,
  )
  await shop.gm.call(sitesApi.people, {
    body: { id: site, version: await at(), steward_id: people!.steward, manager_id: people!.manager },
  })
  await server.sql(`UPDATE sites SET status = 1, progress = 100, stage = 'handover' WHERE id = $1`, [site])
  await server.sql(
    `UPDATE site_stages SET actual_start = :today, actual_finish = :today WHERE site_id = $1`,
    [site],
  )
  return at
}
async function finish(site: string, reason = '') {
  const at = await built(site)
  return shop.gm.ask(sitesApi.state, {
    body: { id: site, version: await at(), action: 'finish', reason },
  })
}
async function complained(of: { note: string }, name: string, facts: object) {
  const s = await shop.sheet(of.note)
  return shop.clerk.ask(goodsApi.complain, {
    body: {
      id: of.note,
      version: s.version,
      line_id: s.lineList.find((l) => l.name === name)!.line_id,
      quantity: '2',
      reasonCode: 'broken',
      reason: '住进去才发现',
      photos: [await uploadPhoto(server.url, shop.clerk)],
      result: 4,
      outcome: '',
      ...facts,
    },
  })
}

test('a finished home: within its warranty broken goods are exchanged to the end, nothing is ordered', async () => {
  const of = await shop.arrived({ name: '保修砖', quantity: '10' })
  await shop.judge(of.note, [{ name: '保修砖', quantity: '10', result: 2 }])
  expect((await finish(of.site)).msg).toBe('')
  expect((await complained(of, '保修砖', { result: 5, outcome: 'again' })).msg).toContain('不能退货后再订')
  const made = await complained(of, '保修砖', {})
  expect(made.msg).toBe('')
  expect((await shop.examine(made.data.id)).msg).toBe('')
  const instead = await shop.instead(of.order, made.data.id)
  expect((await shop.note(instead)).afterSale).toBe(true)
  expect((await shop.ship(instead)).msg).toBe('')
  expect((await shop.deliver(instead)).msg).toBe('')
  expect((await shop.judge(instead, [{ name: '保修砖', quantity: '2', result: 2 }])).msg).toBe('')
  await shop.takeBack(made.data.id)
  expect((await shop.change(made.data.id)).state).toBe('closed')
  expect(await state(of.order)).toBe(6)
  // Its last day is the last: what was asked for until then goes on.
  const begun = await complained(of, '保修砖', { result: 3, reasonCode: 'short' })
  await server.sql(`UPDATE sites SET actual_finish = :today - 730 WHERE id = $1`, [of.site])
  const last = await complained(of, '保修砖', {})
  expect(last.msg).toBe('')
  await server.sql(`UPDATE sites SET actual_finish = :today - 731 WHERE id = $1`, [of.site])
  await server.sql(`UPDATE dispatches SET checked_at = :now - interval '40 days' WHERE site_id = $1`, [
    of.site,
  ])
  expect((await complained(of, '保修砖', {})).msg).toContain('已经过了')
  expect((await shop.examine(begun.data.id)).msg).toBe('')
  const resend = await shop.instead(of.order, begun.data.id)
  expect((await shop.ship(resend)).msg).toBe('')
})

test('finishing with goods that nobody ordered names them, asks why, and drops them', async () => {
  const of = await shop.sold({ name: '没下单的', quantity: '4' }, { name: '下了单的', quantity: '2' })
  await built(of.site)
  const foretold = await shop.gm.call(sitesApi.foresee, { query: { id: of.site, change: 'finish' } })
  expect(foretold.reasons.join()).toContain('没下单的')
  expect((await finish(of.site)).msg).toContain('请写明原因')
  expect(await open(of.site)).toHaveLength(2)
  expect((await finish(of.site, '业主自己买')).msg).toBe('')
  expect(await open(of.site)).toEqual([])
  expect(
    (
      await shop.clerk.ask(ordersApi.place, {
        body: {
          lines: [{ item_id: of.items['没下单的']!, quantity: '1' }],
          method: 1,
          expectedOn: shop.expectedOn,
        },
      })
    ).code,
  ).not.toBe(200)
})

test('a terminated home: goods go back and are not ordered again; nothing is exchanged', async () => {
  const of = await shop.arrived({ name: '终止砖', quantity: '10' })
  await shop.judge(of.note, [{ name: '终止砖', quantity: '10', result: 2 }])
  const waits = await complained(of, '终止砖', { result: 5, outcome: 'again' })
  expect(waits.msg).toBe('')
  const c = await shop.gm.call(contractsApi.details, { query: { id: of.contract } })
  await shop.gm.call(contractsApi.terminate, {
    body: { id: c.id, version: c.version, value: '0', reason: '业主退单' },
  })
  for (const facts of [{}, { result: 3 }, { result: 5, outcome: 'again' }])
    expect((await complained(of, '终止砖', facts)).msg).toContain('工地合同终止，不能')
  // What was asked for before and cannot be carried out is not approved.
  expect((await shop.examine(waits.data.id)).msg).toContain('不能退货后再订')
  expect((await shop.examine(waits.data.id, 'reject')).msg).toBe('')
  const back = await complained(of, '终止砖', { result: 5, outcome: 'borne', outcomeReason: '退给商家' })
  expect((await shop.examine(back.data.id)).msg).toBe('')
  await shop.takeBack(back.data.id)
  expect((await shop.change(back.data.id)).state).toBe('closed')
  // Who bears it is said inside: the merchant reads what comes back and how much, in detail, list and file.
  expect(await shop.change(back.data.id)).toMatchObject({ outcome: 'borne', outcomeReason: '退给商家' })
  const theirs = await shop.change(back.data.id, shop.supplier)
  expect(theirs).toMatchObject({ result: 5, quantity: expect.any(String), outcome: '', outcomeReason: '' })
  const query = { order_id: of.order, pageSize: 100 }
  const listed = async (who: Person) => (await who.call(goodsApi.list, { query })).list.map((g) => g.outcome)
  expect(await listed(shop.clerk)).toContain('borne')
  expect(await listed(shop.supplier)).not.toContain('borne')
  const file = await shop.supplier.ask(goodsApi.export, { query: { order_id: of.order } })
  expect(JSON.stringify(await cellsOf(file.bytes))).not.toContain('公司承担')
})
