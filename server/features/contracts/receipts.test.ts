import { changesApi, contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { receiptsApi } from '@zhuguan/contract/features/contracts/receipts.api.ts'
import { DUE_SOON } from '@zhuguan/contract/features/contracts/receipts.record.ts'
import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays } from '../../kit/shanghai.ts'
import { type Deals, openDeals } from '../../testing/dealing.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let deals: Deals
beforeAll(async () => {
  server = await startTestServer()
  deals = await openDeals(server)
})
afterAll(() => server.stop())

const dues = async (query: object = {}, who: Person = deals.cashier) =>
  (await who.call(receiptsApi.due, { query: { pageSize: 100, ...query } })).list
const flows = async (query: object = {}, who: Person = deals.cashier) =>
  (await who.call(receiptsApi.flow, { query: { pageSize: 100, ...query } })).list
const totals = (query: object = {}, who: Person = deals.cashier) => who.call(receiptsApi.totals, { query })
const cardOf = async (name: string, who: Person = deals.cashier) =>
  (await who.call(homeApi.cards)).figures.find((f) => f.card === name)
const queryOf = (link: string) => {
  const { view: _, ...query } = Object.fromEntries(new URLSearchParams(link.split('?')[1]))
  return query
}
/** What the bell says of customers to be paid. */
const told = async (who: Person, id: string) =>
  (await who.call(notificationsApi.list)).list
    .filter((n) => n.link.includes(id) && n.title.includes('应退'))
    .map((n) => [n.title, n.read])
const stageOf = (id: string, stage: string, set: string, day: string) =>
  server.sql(
    `UPDATE site_stages g SET ${set} = $3 FROM contracts c WHERE c.id = $1 AND g.site_id = c.site_id AND g.stage = $2`,
    [id, stage, day],
  )

test('what is due: today, before, this week by the plan and later; what is open of it adds up to the 欠款', async () => {
  const { cashier, pay, signed, today } = deals
  const id = await signed()
  await stageOf(id, 'plumbing', 'actual_start', addDays(today, -20))
  await stageOf(id, 'tiling', 'planned_start', today)
  await pay(id, '30000.15')
  const mine = (await dues()).filter((r) => r.contract_id === id)
  expect(
    mine.map((r) => [r.name, r.amount, r.covered, r.open, r.dueOn, r.planned, r.when, r.lateDays]),
  ).toEqual([
    ['水电', '26910.15', '26910.15', '0.00', addDays(today, -20), false, 'before', 0],
    ['首期', '26910.15', '3090.00', '23820.15', today, false, 'today', 0],
    ['瓦工', '26910.15', '0.00', '26910.15', today, true, 'week', 0],
    ['尾款', '8970.05', '0.00', '8970.05', null, false, 'later', 0],
  ])
  const c = await deals.contract(id)
  expect(c).toMatchObject({ owed: '23820.15', overdue: '0.00', dueOn: today, back: '0.00' })
  // A stage that should have begun and has not: named with what is older than today, not forgotten, and nobody is late.
  const slow = await signed()
  await stageOf(slow, 'tiling', 'planned_start', addDays(today, -3))
  for (const query of [{ when: 'before' }, { when: DUE_SOON.join(',') }, {}])
    expect((await dues(query)).filter((r) => r.contract_id === slow && r.name === '瓦工')).toMatchObject([
      { when: 'before', planned: true, dueOn: addDays(today, -3), lateDays: 0 },
    ])
  for (const when of ['week', 'later'])
    expect((await dues({ when })).filter((r) => r.contract_id === slow).map((r) => r.name)).not.toContain(
      '瓦工',
    )
  // Older than a payment may take: late from the day after the last one that is in time.
  const other = await signed()
  await stageOf(other, 'plumbing', 'actual_start', addDays(today, -8))
  const late = (await dues({ overdue: true })).filter((r) => r.contract_id === other)
  expect(late.map((r) => [r.name, r.lateDays])).toEqual([['水电', 1]])
  expect(await deals.contract(other)).toMatchObject({ overdue: '26910.15', dueOn: addDays(today, -8) })
  // The card says what its list holds, and each part a part of it.
  const card = (await cardOf('due'))!
  const behind = await dues(queryOf(card.link))
  expect(card.value).toBe(behind.length)
  expect(behind.every((r) => r.open !== '0.00' && r.when !== 'later')).toBe(true)
  for (const part of card.parts) expect((await dues(queryOf(part.link))).length, part.label).toBe(part.value)
  expect(card.parts.slice(0, 3).reduce((sum, p) => sum + p.value, 0)).toBe(card.value)
  // The list of contracts asks and sorts by the same.
  const { list } = await cashier.call(contractsApi.list, {
    query: { owing: true, sort: ['-owed'], pageSize: 100 },
  })
  expect(list.map((r) => r.id)).toContain(id)
  expect(list.map((r) => Number(r.owed))).toEqual(list.map((r) => Number(r.owed)).sort((a, b) => b - a))
  for (const name of ['branch_gm2', 'cashier2', 'other_cashier'])
    expect((await dues({}, await server.as(name))).filter((r) => r.contract_id === id)).toEqual([])
  expect((await (await server.as('quoter')).ask(receiptsApi.due, { query: {} })).code).toBe(401)
})

test('taken and given back by way of payment; what is kept or moved goes over no counter', async () => {
  const { cashier, judge, made, pay, paper, refund, signed, today } = deals
  const before = await totals({ from: today, to: today })
  const kept = await made()
  await pay(kept, '5000')
  const back = await refund(kept, '5000', {
    kept: '800',
    keptReason: '量房费',
    proof: await paper(cashier),
  })
  const waits = await flows({ state: 'waiting' })
  expect(waits.map((r) => [r.code, r.amount, r.paidOn, r.kind])).toContainEqual([
    back.data.code,
    '-5000.00',
    null,
    'giveBack',
  ])
  expect(await totals({ from: today, to: today })).toMatchObject({ given: before.given })
  await judge(back.data.id)
  const id = await signed()
  await pay(id, '20000', { method: 'transfer' })
  await pay(id, '100.50')
  await pay(id, '7', { method: 'card', paidOn: addDays(today, -1) })
  const to = await signed()
  expect((await judge((await refund(id, '1000', { to_id: to })).data.id)).msg).toBe('')
  const last = await refund(id, '300', { method: 'transfer' })
  expect(last.msg).toBe('')
  await judge(last.data.id)
  const now = await totals({ from: today, to: today })
  const grown = (was: string, is: string) => (Number(is) - Number(was)).toFixed(2)
  expect([
    grown(before.taken, now.taken),
    grown(before.given, now.given),
    grown(before.net, now.net),
  ]).toEqual(['25100.50', '4500.00', '20600.50'])
  const net = (t: typeof now, method: string) => t.methods.find((m) => m.method === method)?.net ?? '0.00'
  expect(grown(net(before, 'cash'), net(now, 'cash'))).toBe('900.50')
  expect(grown(net(before, 'transfer'), net(now, 'transfer'))).toBe('19700.00')
  expect(now.still - before.still).toBe(3)
  expect(now.methods.find((m) => m.method === 'card')).toEqual(
    before.methods.find((m) => m.method === 'card'),
  )
  expect(await totals({ from: addDays(today, -1), to: addDays(today, -1), method: 'card' })).toMatchObject({
    net: '7.00',
  })
  // Each who took it, and nobody else's.
  const [me] = await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'cashier'`)
  expect(now.people.map((p) => p.id)).toContain(me!.id)
  const card = (await cardOf('taken'))!
  expect(card.value).toBe((await flows(queryOf(card.link))).length)
  expect(card.value).toBe(now.count)
  for (const part of card.parts) expect((await flows(queryOf(part.link))).length).toBe(part.value)
  expect(card.aside.replaceAll(',', '')).toBe(`收 ${now.taken} 元，退 ${now.given} 元`)
  expect((await flows({ from: addDays(today, 1) })).length).toBe(0)
  expect(await flows({ keyword: (await deals.contract(id)).code }, await server.as('cashier2'))).toEqual([])
})

test('what we owe to customers: a figure, a filter, a card, and a task until the refund is asked for', async () => {
  const { cashier, changed, contract, judge, pay, refund, signed } = deals
  const id = await signed()
  await pay(id, '89700.50')
  expect(await told(cashier, id)).toEqual([])
  const c = await contract(id)
  const paint = c.items.find((i) => i.name === '店里乳胶漆')!
  expect((await changed(id, [{ attribute: 4, item_id: paint.id, quantity: '1' }])).msg).toBe('')
  expect(await contract(id)).toMatchObject({
    total: '89667.00',
    back: '33.50',
    owed: '0.00',
    overdue: '0.00',
  })
  const words = `合同 ${c.code} 王女士：应退客户 33.50 元，请申请退款`
  expect(await told(cashier, id)).toEqual([[words, false]])
  // Only who may ask for the refund hears of it.
  for (const name of ['branch_gm', 'quoter', 'examiner', 'cashier2'])
    expect(await told(await server.as(name), id), name).toEqual([])
  const query = { back: true, sort: ['-back' as const], pageSize: 100 }
  const { list } = await cashier.call(contractsApi.list, { query })
  expect(list.find((r) => r.id === id)).toMatchObject({ back: '33.50' })
  expect(list.every((r) => Number(r.back) > 0)).toBe(true)
  const card = (await cardOf('back'))!
  expect(card.value).toBe(list.length)
  expect(card.aside.replaceAll(',', '')).toBe(
    `应退 ${list.reduce((sum, r) => sum + Number(r.back), 0).toFixed(2)} 元`,
  )
  const asked = await refund(id, '33.50')
  expect(await told(cashier, id)).toEqual([[words, true]])
  expect((await judge(asked.data.id, 'reject')).msg).toBe('')
  expect((await told(cashier, id)).filter(([, read]) => !read)).toEqual([[words, false]])
  const again = await refund(id, '33.50')
  expect((await judge(again.data.id)).msg).toBe('')
  expect((await told(cashier, id)).filter(([, read]) => !read)).toEqual([])
  expect(await contract(id)).toMatchObject({ back: '0.00', paid: '89667.00' })
})

test('terminated: what was paid beyond the settlement is owed to the customer', async () => {
  const { cashier, contract, gm, one, pay, signed } = deals
  const id = await signed()
  await pay(id, '30000')
  await gm.call(contractsApi.terminate, { body: { ...(await one(id)), reason: '客户出国', value: '10000' } })
  expect(await contract(id)).toMatchObject({ back: '20000.00', endValue: '10000.00', total: '89700.50' })
  expect(await told(cashier, id)).toHaveLength(1)
  const owes = await signed()
  await gm.call(contractsApi.terminate, { body: { ...(await one(owes)), reason: '客户出国', value: '500' } })
  const row = (await dues({ unpaid: true })).filter((r) => r.contract_id === owes)
  expect(row.map((r) => [r.name, r.open, r.when])).toEqual([['终止结算', '500.00', 'today']])
  const card = (await cardOf('signed', gm))!
  const { list } = await gm.call(contractsApi.list, {
    query: { ...queryOf(card.link), pageSize: 100 },
  })
  const worth = list.reduce((sum, c) => sum + Number(c.endValue ?? c.total), 0).toFixed(2)
  expect(card.aside.replaceAll(',', '')).toBe(`合同额 ${worth} 元，终止的按结算金额`)
  expect(card.parts[0]).toMatchObject({ label: '其中已终止', value: 2 })
})

test('money for a contract that is over, or more than is open: a sentence, and nothing is changed', async () => {
  const { contract, gm, one, pay, signed } = deals
  const id = await signed()
  await gm.call(contractsApi.terminate, { body: { ...(await one(id)), reason: '客户出国', value: '0' } })
  expect((await pay(id, '1')).msg).toContain('超过结算金额 0.00 元')
  await server.sql(
    `UPDATE retrievals SET closed_at = :now WHERE site_id = (SELECT site_id FROM contracts WHERE id = $1)`,
    [id],
  )
  expect((await gm.ask(contractsApi.close, { body: await one(id) })).msg).toBe('')
  expect((await pay(id, '1')).msg).toBe('合同已终止，不能再办理')
  expect(await contract(id)).toMatchObject({ paid: '0.00', receipts: [] })
})

test('more than the newest version comes to is not signed, and more than it takes is not moved', async () => {
  const { contract, judge, made, pay, quoter, refund, revise, seen, sign, signed, submit } = deals
  const id = await made()
  await pay(id, '89000')
  const { quotation_id } = await contract(id)
  await revise(quotation_id, (was) => ({ lines: was.lines.filter((l) => l.attribute !== 3), area: '90' }))
  await submit(quotation_id)
  expect((await judge(quotation_id)).msg).toBe('')
  expect((await seen(quotation_id, quoter)).total).toBe('80600.00')
  expect((await sign(id)).msg).toBe('已收 89,000.00 元，超过签约版本的总价 80,600.00 元，请先退定')
  expect(await contract(id)).toMatchObject({ signingProgress: 2, site_id: null })
  const [from, to] = [await signed(), await signed()]
  await pay(from, '20000')
  await pay(to, '80000')
  const papers = () => server.sql('SELECT count(*)::int AS n FROM contract_refunds')
  const before = await papers()
  expect((await refund(from, '9700.51', { to_id: to })).msg).toContain('超过合同额 89,700.50 元')
  expect(await papers()).toEqual(before)
  const fits = await refund(from, '9700.50', { to_id: to })
  expect(fits.msg).toBe('')
  // Between the asking and the word somebody else pays: then there is no room for it any more.
  await pay(to, '0.01')
  expect((await judge(fits.data.id)).msg).toContain('超过合同额 89,700.50 元')
  expect(await contract(to)).toMatchObject({ paid: '80000.01' })
})

test('what is removed piece by piece never comes to more than was asked; the last takes the rest', async () => {
  const { changed, contract, quoter, signed } = deals
  const id = await signed()
  const fee = { attribute: 3 as const, name: '零头配件', unit: '个', kind: 'fee' as const }
  expect((await changed(id, [{ ...fee, quantity: '3', price: '0.335' }])).msg).toBe('')
  const item = (await contract(id)).items.find((i) => i.name === '零头配件')!
  expect(item.amount).toBe('1.01')
  const one = { attribute: 4 as const, item_id: item.id, quantity: '1' }
  expect((await changed(id, [one])).msg).toBe('')
  // Written while the second is not approved yet: each alone would give back a cent too much.
  const drafts = await Promise.all(
    [1, 2].map(async (n) => {
      const body = { contract_id: id, reason: `退掉第 ${n} 个`, lines: [one] }
      return (await quoter.call(changesApi.add, { body })).id
    }),
  )
  for (const draft of drafts) await quoter.call(changesApi.submit, { body: { id: draft, version: 0 } })
  expect((await deals.judge(drafts[0]!)).msg).toBe('')
  expect((await deals.judge(drafts[1]!)).msg).toContain('“零头配件”的金额只剩 0.33 元')
  expect((await deals.judge(drafts[1]!, 'reject')).msg).toBe('')
  expect((await changed(id, [one])).msg).toBe('')
  const amounts = (await contract(id)).changeList.filter((h) => h.status === 3).map((h) => h.amount)
  expect(amounts).toEqual(['1.01', '-0.34', '-0.34', '-0.33'])
  expect(await contract(id)).toMatchObject({ total: '89700.50' })
  // Both at once, in one document.
  expect((await changed(id, [{ ...fee, name: '另一种', quantity: '2', price: '0.335' }])).msg).toBe('')
  const other = (await contract(id)).items.find((i) => i.name === '另一种')!
  const two = { ...one, item_id: other.id }
  expect((await changed(id, [two, two])).msg).toBe('')
  expect(await contract(id)).toMatchObject({ total: '89700.50' })
})

test('lines whose sum nobody can keep are refused in a sentence, and nothing of them is written', async () => {
  const id = await deals.signed()
  const before = await deals.contract(id)
  const TOO_LONG = { code: 400, msg: '数字超过 40 位，请检查数量和单价' }
  const line = (i: number, quantity: string) => ({
    attribute: 3 as const,
    name: `巨款 ${i}`,
    unit: '项',
    kind: 'work' as const,
    quantity,
    price: '9'.repeat(34),
  })
  const add = (...quantities: string[]) =>
    deals.quoter.ask(changesApi.add, {
      body: { contract_id: id, reason: '数字写错了', lines: quantities.map((q, i) => line(i, q)) },
    })
  // With its cents each line has forty digits, which can be kept; two of them together have more.
  expect(await add('10000', '10000')).toMatchObject(TOO_LONG)
  expect(await add('100000')).toMatchObject(TOO_LONG)
  expect(await deals.contract(id)).toEqual(before)
  // One alone can be kept, but not beside what the contract comes to.
  expect(await add('10000')).toMatchObject(TOO_LONG)
  expect(await deals.contract(id)).toEqual(before)
  expect((await add('9999')).code).toBe(200)
})
