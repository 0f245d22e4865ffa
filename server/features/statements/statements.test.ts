import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { searchApi } from '@zhuguan/contract/features/search/search.api.ts'
import { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { shanghaiDay } from '../../kit/shanghai.ts'
import { type Delivery, lawsBroken, openDelivery } from '../../testing/delivering.ts'
import { pdfText } from '../../testing/pdf-text.ts'
import type { Person } from '../../testing/person.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let shop: Delivery
let cashier: Person
let hq: Person
async function comeIn() {
  shop = await openDelivery(server)
  cashier = await server.as('cashier')
  hq = await server.as('admin')
}
beforeAll(async () => {
  server = await startTestServer()
  await comeIn()
})
afterAll(() => server.stop())
afterEach(async () => expect(await lawsBroken(server)).toEqual([]))

const monthNow = () => shanghaiDay(server.now()).slice(0, 7)
/** To the first day of the next month; sessions have ended until then. */
async function nextMonth() {
  const month = monthNow()
  while (monthNow() === month) server.later(24 * 3_600_000)
  await comeIn()
}
const billOf = async (of: { order: string }) => {
  const { lines } = await shop.gm.call(statementsApi.preview, {
    query: { receiver_id: shop.merchant, month: monthNow() },
  })
  return lines.filter((l) => l.order_id === of.order).map((l) => [l.kind, l.quantity, l.amount])
}
const amountOf = async (of: { order: string }) => {
  const { amount, lineList } = await shop.seen(of.order)
  return [amount, lineList[0]!.amount, lineList[0]!.inForce]
}
/** Complained of after it was accepted: the change, which the examiner has passed. */
async function complain(of: { note: string; order: string }, name: string, facts: object) {
  const sheet = await shop.sheet(of.note)
  const { id } = await shop.clerk.call(goodsApi.complain, {
    body: {
      id: of.note,
      version: sheet.version,
      line_id: sheet.lineList.find((l) => l.name === name)!.line_id,
      quantity: '2',
      reasonCode: 'broken',
      reason: '开箱才发现',
      photos: [await uploadPhoto(server.url, shop.clerk)],
      result: 5,
      outcome: 'again',
      ...facts,
    },
  })
  expect((await shop.examine(id)).msg).toBe('')
  return id
}
const accept = async (note: string, name: string, quantity: string) =>
  expect((await shop.judge(note, [{ name, quantity, result: 2 }])).msg).toBe('')
async function replace(of: { order: string }, change: string, name: string, quantity: string) {
  const note = await shop.instead(of.order, change)
  expect((await shop.ship(note)).msg).toBe('')
  expect((await shop.deliver(note)).msg).toBe('')
  await accept(note, name, quantity)
  return note
}

test('a hidden shortage is taken off and the resend added: ten are paid, not twelve', async () => {
  const of = await shop.arrived({ name: '账一', quantity: '10' })
  await accept(of.note, '账一', '10')
  const change = await complain(of, '账一', { result: 3, reasonCode: 'short', outcome: '' })
  expect(await billOf(of)).toEqual([
    ['accepted', '10', '300.00'],
    ['short', '-2', '-60.00'],
  ])
  await replace(of, change, '账一', '2')
  expect((await billOf(of)).at(-1)).toEqual(['replacement', '2', '60.00'])
  expect(await amountOf(of)).toEqual(['300.00', '300.00', '10'])
})

test('an exchange costs the same whichever lorry is faster', async () => {
  for (const isGradedFirst of [true, false]) {
    const of = await shop.arrived({ name: '账二', quantity: '10' })
    const judged = await shop.judge(of.note, [
      { name: '账二', quantity: '8', result: 2 },
      { name: '账二', quantity: '2', result: 4 },
    ])
    const change = judged.data.changes[0]!.id
    await shop.examine(change)
    if (isGradedFirst) await shop.takeBack(change)
    await replace(of, change, '账二', '2')
    if (!isGradedFirst) await shop.takeBack(change)
    expect(await billOf(of)).toEqual([
      ['accepted', '8', '240.00'],
      ['replacement', '2', '60.00'],
    ])
  }
})

test('part of an accepted line that goes back or is scrapped is owed no more; ordered again, once', async () => {
  const back = await shop.arrived({ name: '账三', quantity: '10' })
  await accept(back.note, '账三', '10')
  const change = await complain(back, '账三', { quantity: '3' })
  expect(await billOf(back)).toEqual([
    ['accepted', '10', '300.00'],
    ['taken', '-3', '-90.00'],
  ])
  // Ordered again, it is of this order no more, though it is still to be fetched.
  expect(await amountOf(back)).toEqual(['210.00', '210.00', '7'])
  await shop.takeBack(change)
  expect(await billOf(back)).toHaveLength(2)
  // What was ordered again stands in its new order alone.
  expect(await amountOf(back)).toEqual(['210.00', '210.00', '7'])
  const { orders } = await shop.place([{ item_id: back.items['账三']!, quantity: '3' }])
  expect((await shop.seen(orders[0]!.id)).amount).toBe('90.00')

  const scrap = await shop.arrived({ name: '账四', quantity: '10' })
  await accept(scrap.note, '账四', '10')
  await complain(scrap, '账四', { quantity: '3', outcome: 'borne', outcomeReason: '客户泡水', scrap: true })
  expect((await billOf(scrap)).at(-1)).toEqual(['scrapped', '-3', '-90.00'])
  expect(await amountOf(scrap)).toEqual(['210.00', '210.00', '7'])
})

test('a line comes to its quantity times its price, however many notes bring it', async () => {
  const of = await shop.sold({ name: '账五', quantity: '3', cost: '0.005' })
  const order = (await shop.place([{ item_id: of.items['账五']!, quantity: '3' }])).orders[0]!.id
  let note = (await shop.accept(order)).notes[0]!.id
  for (let i = 0; i < 3; i += 1) {
    expect((await shop.ship(note, { 账五: '1' })).msg).toBe('')
    expect((await shop.deliver(note)).msg).toBe('')
    await accept(note, '账五', '1')
    note = (await shop.seen(order)).notes.find((n) => n.state === 0)?.id ?? note
  }
  expect((await billOf({ order })).map(([, , amount]) => amount).sort()).toEqual(['0.00', '0.01', '0.01'])
  expect((await shop.seen(order)).amount).toBe('0.02')
})

test('an order that was recalled, released or withdrawn stands in a column of its own', async () => {
  const rowOf = async () =>
    (await shop.gm.call(ordersApi.units, { query: {} })).list.find((u) => u.id === shop.merchant)!
  const before = await rowOf()
  const of = await shop.sold({ name: '账六', quantity: '10' })
  const order = (await shop.place([{ item_id: of.items['账六']!, quantity: '10' }])).orders[0]!.id
  const { version } = await shop.seen(order)
  await shop.clerk.call(ordersApi.recall, { body: { id: order, version, reason: '下错了' } })
  const after = await rowOf()
  expect([after.orders - before.orders, after.ended - before.ended]).toEqual([1, 1])
  expect(after.orders).toBe(after.waiting + after.rejected + after.accepted + after.ended)
})

test('damage of goods that came back: asked for, disputed, decided with a sum', async () => {
  const graded = async (name: string) => {
    const of = await shop.arrived({ name, quantity: '4' })
    const judged = await shop.judge(of.note, [{ name, quantity: '4', result: 5, outcome: 'borne' }])
    const change = judged.data.changes[0]!.id
    await shop.examine(change)
    const leg = async () => (await shop.change(change)).steps.find((k) => k.type === 5)!
    for (let i = 0; i < 2; i += 1) {
      const { id, version } = await leg()
      await shop.supplier.call(goodsApi.collect, { body: { id, version } })
    }
    const grade = async (more: object) => {
      const { id, version } = await leg()
      return shop.supplier.ask(goodsApi.grade, {
        body: { id, version, grade: 'damaged', reason: '边角磕碰', ...more },
      })
    }
    return { of, change, grade, leg }
  }
  const { of, change, grade, leg } = await graded('损一')
  expect((await grade({ amount: '120.01' })).msg).toContain('采购价共 120.00 元')
  expect((await grade({ grade: 'good', amount: '1' })).msg).toBe('完好的退货没有赔付金额')
  expect((await grade({ amount: '50' })).msg).toBe('')
  expect(await billOf(of)).toEqual([['damage', '', '50.00']])
  expect((await shop.change(change)).state).toBe('closed')
  const dispute = async () => {
    const { id, version } = await leg()
    return shop.clerk.ask(goodsApi.disputeGrade, { body: { id, version, reason: '取走时完好，有照片' } })
  }
  expect((await dispute()).msg).toBe('')
  expect((await dispute()).msg).toBe('已经提过一次异议')
  expect(await billOf(of)).toEqual([
    ['damage', '', '50.00'],
    ['undone', '', '-50.00'],
  ])
  // Open again until an examiner has decided; who disputes it does not decide.
  expect((await shop.change(change)).state).toBe('open')
  const decide = async (word: 'pass' | 'reject', more: object = {}) => {
    const r = (await shop.examiner.call(examineApi.list, { query: { object_id: (await leg()).id } })).list[0]!
    return shop.examiner.ask(examineApi[word], {
      body: { id: r.id, version: r.version, hash: r.hash, reason: '看过照片', ...more },
    })
  }
  expect((await decide('pass', { amount: '50.01' })).msg).toContain('判定金额不能超过')
  expect((await decide('pass', { amount: '20' })).msg).toBe('')
  expect((await billOf(of)).at(-1)).toEqual(['damage', '', '20.00'])
  expect(await leg()).toMatchObject({ grade: 'damaged', damage: '20.00', deciding: false })
  expect((await shop.change(change)).state).toBe('closed')

  for (const [word, words, rest] of [
    ['pass', 'good', []],
    ['reject', 'damaged', [['damage', '', '30.00']]],
  ] as const) {
    const other = await graded(`损${word}`)
    await other.grade({ amount: '30' })
    const { id, version } = await other.leg()
    await shop.clerk.call(goodsApi.disputeGrade, { body: { id, version, reason: '不是我们弄坏的' } })
    const r = (await shop.examiner.call(examineApi.list, { query: { object_id: id } })).list[0]!
    await shop.examiner.call(examineApi[word], {
      body: { id: r.id, version: r.version, hash: r.hash, reason: '看过照片' },
    })
    expect((await billOf(other.of)).slice(2)).toEqual(rest)
    expect((await other.leg()).grade).toBe(words)
  }
})

/** What this person has heard of a statement and not read. */
const heard = async (who: Person, code: string) =>
  (await who.call(notificationsApi.list, {})).list
    .filter((n) => !n.read && n.link.includes(code))
    .map((n) => n.title)
const detail = (id: string, who: Person) => who.call(statementsApi.details, { query: { id } })
const one = async (id: string, who: Person) => ({ id, version: (await detail(id, who)).version })

test('a statement is sent, disputed by line, revised, agreed to and paid; then it is frozen', async () => {
  const of = await shop.arrived({ name: '对一', quantity: '10' })
  await accept(of.note, '对一', '10')
  const month = monthNow()
  const add = (who: Person, body: object = {}) =>
    who.ask(statementsApi.add, {
      body: { receiver_id: shop.merchant, bc_id: shop.bc_id, month, ...body },
    })
  expect((await add(shop.clerk)).msg).toBe('本月还没有结束，下个月 1 日起可以对账')
  await nextMonth()
  expect((await add(shop.clerk, { bc_id: null })).code).toBe(403)
  expect((await add(shop.gm2)).code).toBe(403)
  expect((await add(shop.supplier)).msg).toBe('No Permission')
  const { id, code } = (await add(shop.clerk)).data
  expect((await add(cashier)).msg).toContain(`已有${month} 的对账单 ${code}`)
  expect((await add(hq, { bc_id: null })).msg).toContain('全集团和分公司不能各对一次')
  // Nobody but the buyer sees a draft.
  expect((await shop.supplier.ask(statementsApi.details, { query: { id } })).code).toBe(403)
  expect((await shop.gm2.ask(statementsApi.details, { query: { id } })).code).toBe(403)

  // A line by hand counts once it is approved, and not by who asked for it.
  const charge = await cashier.call(statementsApi.charge, {
    body: {
      receiver_id: shop.merchant,
      bc_id: shop.bc_id,
      kind: 'freight',
      side: 'add',
      amount: '25.5',
      reason: '加急送货',
      month,
    },
  })
  const wait = await detail(id, shop.clerk)
  expect([wait.lines.filter((l) => l.kind === 'freight'), wait.charges.map((c) => c.code)]).toEqual([
    [],
    [charge.code],
  ])
  expect((await shop.clerk.ask(statementsApi.send, { body: await one(id, shop.clerk) })).msg).toBe(
    '还有 1 条手工行在等审核，审核以后再发出',
  )
  const judge = async (
    object_id: string,
    who = shop.examiner,
    word: 'pass' | 'reject' = 'pass',
    more = {},
  ) => {
    const r = (await shop.examiner.call(examineApi.list, { query: { object_id } })).list[0]!
    return who.ask(examineApi[word], {
      body: { id: r.id, version: r.version, hash: r.hash, reason: '看过了', ...more },
    })
  }
  expect((await judge(charge.id, shop.examiner, 'pass', { amount: '1' })).msg).toContain('不能改金额')
  expect((await judge(charge.id)).msg).toBe('')
  const approved = await detail(id, shop.clerk)
  expect([approved.charges, approved.lines.filter((l) => l.kind === 'freight').map((l) => l.amount)]).toEqual(
    [[], ['25.50']],
  )

  const sent = await one(id, shop.clerk)
  await shop.clerk.call(statementsApi.send, { body: sent })
  expect((await shop.clerk.ask(statementsApi.send, { body: sent })).code).toBe(409)
  expect(await heard(shop.supplier, id)).toHaveLength(1)
  const { due } = await detail(id, shop.supplier)
  // What was reckoned up is what stands in it.
  expect(due).toBe(approved.due)
  // What happens now is of the next month, whoever looks at this one.
  const more = await shop.arrived({ name: '对二', quantity: '1' })
  await accept(more.note, '对二', '1')
  expect((await detail(id, shop.supplier)).due).toBe(due)
  const seenBySupplier = await detail(id, shop.supplier)
  expect([seenBySupplier.buyer, seenBySupplier.receiver, seenBySupplier.charges]).toEqual([false, true, []])
  expect((await shop.supplier.ask(statementsApi.send, { body: await one(id, shop.supplier) })).msg).toBe(
    'No Permission',
  )

  const tiles = seenBySupplier.lines.find((l) => l.name === '对一')!
  const dispute = async (lines: object[]) =>
    shop.supplier.ask(statementsApi.dispute, {
      body: { ...(await one(id, shop.supplier)), lines: lines as never[], reason: '请核对' },
    })
  expect((await dispute([])).msg).toContain('请指出有异议的行')
  expect((await dispute([{ id: more.note, words: '不对' }])).msg).toBe('有的行不在这张对账单里')
  expect((await dispute([{ id: tiles.id, words: '当时送了 11 片' }])).msg).toBe('')
  expect(await heard(shop.clerk, id)).toHaveLength(1)
  expect(await heard(shop.supplier, id)).toEqual([])
  const disputed = await detail(id, shop.clerk)
  expect(disputed).toMatchObject({ state: 'disputed', reason: '请核对' })
  expect(disputed.lines.find((l) => l.id === tiles.id)!.objection).toBe('当时送了 11 片')

  const difference = await shop.clerk.call(statementsApi.charge, {
    body: {
      receiver_id: shop.merchant,
      bc_id: shop.bc_id,
      kind: 'difference',
      side: 'add',
      amount: '30',
      reason: '多送一片，按价收下',
      month,
    },
  })
  expect((await judge(difference.id)).msg).toBe('')
  await shop.clerk.call(statementsApi.revise, { body: await one(id, shop.clerk) })
  expect(await heard(shop.clerk, id)).toEqual([])
  await shop.clerk.call(statementsApi.send, { body: await one(id, shop.clerk) })
  const again = await detail(id, shop.supplier)
  expect(again.round).toBe(2)

  await shop.supplier.call(statementsApi.agree, { body: await one(id, shop.supplier) })
  expect(await heard(cashier, id)).toHaveLength(1)
  const seen = await one(id, shop.clerk)
  for (const word of ['recall', 'drop'] as const)
    expect((await shop.clerk.ask(statementsApi[word], { body: { ...seen, reason: '再改改' } })).code).toBe(
      409,
    )
  expect((await shop.clerk.ask(statementsApi.revise, { body: seen })).code).toBe(409)
  expect((await dispute([{ id: tiles.id, words: '还是不对' }])).code).toBe(409)
  const agreed = await detail(id, cashier)
  expect(agreed).toMatchObject({ state: 'agreed', paid: '0.00', open: agreed.due, side: 'owe' })
  // Whose debt it is, for who reads it; what was objected to before both agreed is history.
  const theirs = await detail(id, shop.supplier)
  expect([theirs.side, theirs.lines.map((l) => l.objection).join('')]).toEqual(['owed', ''])
  // The month says on which statement it stands, with that one's own sum, and that nothing of it is left.
  const of2 = await shop.clerk.call(statementsApi.preview, {
    query: { receiver_id: shop.merchant, bc_id: shop.bc_id, month },
  })
  expect([of2.loose, of2.rest, of2.made]).toEqual([
    0,
    '0.00',
    [{ id, code, bc_name: agreed.bc_name, month, due: agreed.due }],
  ])
  const cents = (text: string) => Math.round(Number(text) * 100)
  const pay = async (amount: string, who = cashier) =>
    who.ask(statementsApi.pay, {
      body: { ...(await one(id, cashier)), amount, method: 'transfer', paidOn: shanghaiDay(server.now()) },
    })
  expect((await pay('1', shop.clerk)).msg).toBe('No Permission')
  const before = await cashier.ask(statementsApi.pay, {
    body: { ...(await one(id, cashier)), amount: '1', method: 'transfer', paidOn: '2001-01-01' },
  })
  expect(before.msg).toBe(`付款日期不能早于对账的月份（${month}）`)
  expect((await pay(((cents(agreed.due) + 1) / 100).toFixed(2))).msg).toContain('未付只有')
  const first = await pay('100')
  expect((await detail(id, cashier)).open).toBe(((cents(agreed.due) - 10_000) / 100).toFixed(2))
  expect(await heard(cashier, id)).toHaveLength(1)
  const rest = await pay(((cents(agreed.due) - 10_000) / 100).toFixed(2))
  expect(rest.msg).toBe('')
  expect(await heard(cashier, id)).toEqual([])
  expect((await pay('1')).msg).toBe('已经付清')
  const reverse = { id: first.data.id, version: 0, reason: '付错账户' }
  const both = await Promise.all([1, 2].map(() => cashier.ask(statementsApi.reverse, { body: reverse })))
  expect(both.map((r) => r.code).sort()).toEqual([200, 409])
  expect((await detail(id, cashier)).open).toBe('100.00')
  const paper = async (who: Person) => {
    const answer = await who.ask(statementsApi.pdf, { query: { id } })
    return answer.bytes.length > 0 && answer.msg === '' && answer.status === 200
      ? (await pdfText(answer.bytes)).join(' ').replaceAll(/[ \n]+/g, ' ')
      : answer.status
  }
  const figures = (amount: string) => amount.replace(/\B(?=(\d{3})+(?!\d)\.?)(?<!\.\d*)/g, ',')
  for (const who of [cashier, shop.supplier]) {
    const text = await paper(who)
    for (const words of [
      '对账单 ',
      code,
      agreed.receiverName,
      agreed.bc_name,
      '对一',
      '加急送货',
      '手工行',
      `应付合计 ${figures(agreed.due)}`,
      '（大写：',
      '未付 100.00',
      '下单方（盖章）',
      '接单方（盖章）',
    ])
      expect(text).toContain(words)
    // As many as the lines of this story and of those before it need.
    const pages = Number(/第 1 \/ (\d+) 页/.exec(String(text))?.[1])
    expect(pages).toBeGreaterThan(0)
    for (let page = 1; page <= pages; page += 1) expect(text).toContain(`第 ${page} / ${pages} 页`)
    expect(text).not.toContain('待对方确认')
  }
  expect(await paper(shop.gm2)).toBe(403)
  const units = await cashier.call(ordersApi.units, {
    query: { from: shanghaiDay(server.now()), to: shanghaiDay(server.now()) },
  })
  expect(units.list.find((u) => u.id === shop.merchant)!.paid).toBe(
    ((cents(agreed.due) - 10_000) / 100).toFixed(2),
  )
  expect((await shop.supplier.call(statementsApi.list, { query: {} })).list.map((s) => s.id)).toContain(id)
  expect((await shop.gm2.call(statementsApi.list, { query: {} })).list.map((s) => s.id)).not.toContain(id)
  const found = async (who: Person) =>
    (await who.call(searchApi.all, { query: { keyword: code } })).map((hit) => hit.id)
  expect(await found(shop.supplier)).toContain(id)
  expect(await found(shop.gm2)).toEqual([])
})

test('who sent it does not agree to it, though they stand on both sides', async () => {
  // The branch orders of itself: its manager is buyer and receiver.
  const of = await shop.sold({ name: '自一', quantity: '4', byBranch: true })
  const order = (await shop.place([{ item_id: of.items['自一']!, quantity: '4' }])).orders[0]!.id
  await shop.accept(order, shop.gm)
  const [note] = (await shop.seen(order)).notes
  const lines = (await shop.note(note!.id, shop.gm)).lineList.map((l) => ({
    line_id: l.line_id,
    quantity: l.quantity,
  }))
  await shop.gm.call(dispatchApi.ship, {
    body: {
      id: note!.id,
      version: 0,
      lines,
      method: 1,
      plannedOn: shanghaiDay(server.now()),
      address: '3 幢 1201',
      contact: '方经理',
      window: '上午',
    },
  })
  await shop.deliver(note!.id)
  await accept(note!.id, '自一', '4')
  const month = monthNow()
  await nextMonth()
  const { id } = await shop.gm.call(statementsApi.add, {
    body: { receiver_id: shop.bc_id, bc_id: shop.bc_id, month },
  })
  await shop.gm.call(statementsApi.send, { body: await one(id, shop.gm) })
  expect((await shop.gm.ask(statementsApi.agree, { body: await one(id, shop.gm) })).msg).toBe(
    '对账单是您发出的，要由对方另一个人答复',
  )
  const { due } = await detail(id, shop.gm)
  // What the branch owes itself is one sum, what another branch owes it none of it.
  await server.sql(
    `INSERT INTO owed_lines (tenant_id, id, bc_id, receiver_id, kind, amount, words, at, month)
     SELECT c.tenant_id, gen_random_uuid(), c.bc_id, $1, 'other', 71.00, '宁波欠的', :now, $2
     FROM companies c WHERE c.code = 'NB' AND c.tenant_id = (SELECT tenant_id FROM companies WHERE bc_id = $1)`,
    [shop.bc_id, `${month}-01`],
  )
  const mine = await shop.gm.call(statementsApi.preview, { query: { receiver_id: shop.bc_id, month } })
  expect(mine.due).toBe(due)
  await shop.clerk.call(statementsApi.recall, { body: { ...(await one(id, shop.clerk)), reason: '换人发' } })
  await shop.clerk.call(statementsApi.drop, { body: { ...(await one(id, shop.clerk)), reason: '重新做' } })
  // What a dropped one took up stands in none again, and is in the next.
  const free = await shop.gm.call(statementsApi.preview, { query: { receiver_id: shop.bc_id, month } })
  expect([free.rest, free.made]).toEqual([due, []])
  const anew = await shop.clerk.call(statementsApi.add, {
    body: { receiver_id: shop.bc_id, bc_id: shop.bc_id, month },
  })
  await shop.clerk.call(statementsApi.send, { body: await one(anew.id, shop.clerk) })
  await shop.gm.call(statementsApi.agree, { body: await one(anew.id, shop.gm) })
  expect(await detail(anew.id, shop.gm)).toMatchObject({ state: 'agreed', due })
})
