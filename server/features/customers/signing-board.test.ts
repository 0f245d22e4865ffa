import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { type Deals, openDeals } from '../../testing/dealing.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

const HOUR = 3_600_000
const { customers, followUps, signingBoard } = api
let server: TestServer
let shop: Deals
let sales: Person, gm: Person
let place: { bc_id: string; store_id: string }
let me: { id: string; nickname: string }
beforeAll(async () => {
  server = await startTestServer()
  server.later(startOfDay(shanghaiDay(server.now())).getTime() + 10 * HOUR - server.now().getTime())
  shop = await openDeals(server)
  sales = await server.as('sales')
  gm = await server.as('branch_gm')
  place = { bc_id: shop.bc_id, store_id: shop.store_id }
  me = (await server.sql<typeof me>(`SELECT id, nickname FROM users WHERE user_name = 'sales'`))[0]!
})
afterAll(() => server.stop())
const today = () => shanghaiDay(server.now())
const seconds = () => Math.floor(server.now().getTime() / 1000)
let many = 0
const add = async (source: 'call' | 'walkIn') => {
  many += 1
  const body = {
    ...place,
    name: `漏斗${many}`,
    phone: `136${String(10_000_000 + many)}`,
    source,
    consultant_id: me.id,
  }
  return (await sales.call(customers.add, { body })).id
}
const talk = (customer_id: string, kind: 'phone' | 'store') =>
  sales.call(followUps.add, { body: { customer_id, kind, at: seconds(), content: '聊过了' } })
const quoted = async (customer_id: string) => {
  const { id } = await shop.quoter.call(api.quotations.add, {
    body: { customer_id, content: shop.content() },
  })
  await shop.submit(id)
  await shop.judge(id)
  return id
}
const contract = async (quotation: string) => {
  const { version } = await shop.seen(quotation)
  return (await gm.call(api.contracts.add, { body: { id: quotation, version } })).id
}
const board = (query: object = {}, who = gm) =>
  who.call(signingBoard.read, { query: { from: today(), to: today(), ...query } })

test('the funnel counts what happened, each customer once a step; money is the contracts’ own', async () => {
  const before = await board()
  expect(before.rows.find((r) => r.dimension === 'all')).toMatchObject({ came: 0, signed: 0 })
  const ids = await Promise.all([
    add('call'),
    add('call'),
    add('walkIn'),
    add('walkIn'),
    add('walkIn'),
    add('call'),
  ])
  for (const id of ids.slice(0, 5)) await talk(id, 'phone')
  for (const id of ids.slice(1, 5)) await talk(id, 'store')
  const quotations = []
  for (const id of ids.slice(2, 5)) quotations.push(await quoted(id))
  const contracts = []
  for (const q of quotations.slice(0, 2)) contracts.push(await contract(q))
  for (const c of contracts) expect((await shop.pay(c, '1234.56')).code).toBe(200)
  expect((await shop.sign(contracts[0]!)).code).toBe(200)
  const { version } = await sales.call(customers.details, { query: { id: ids[0] } })
  await sales.call(customers.lose, { body: { id: ids[0], version, why: 'price', reason: '嫌贵' } })

  const b = await board()
  const all = b.rows.find((r) => r.dimension === 'all')!
  // Six came; one was lost after its first call; five were spoken with, four met, three quoted, two paid, one signed.
  expect(all).toMatchObject({ came: 6, contacted: 5, met: 4, quoted: 3, deposit: 2, signed: 1, lost: 1 })
  const of = (dimension: string) =>
    Object.fromEntries(
      b.rows.filter((r) => r.dimension === dimension).map((r) => [r.label, [r.came, r.signed]]),
    )
  expect(of('source')).toEqual({ 来电: [3, 0], 自然到店: [3, 1] })
  expect(of('consultant')).toEqual({ [me.nickname]: [6, 1] })
  expect(b.lost).toEqual([{ reason: 'price', n: 1 }])
  // A package of 100 ㎡ as the shop sells it: 89,700.50; the deposit of the other one waits.
  expect(b.signedMoney).toBe('89700.50')
  expect(b.deposits[0]).toEqual({ from: 0, to: 7, n: 1, money: '1234.56' })
  expect(b.refunds).toEqual({ n: 0, money: '0' })
  // What happened tomorrow is another day's, though these customers came today.
  server.later(24 * HOUR)
  sales = await server.as('sales')
  gm = await server.as('branch_gm')
  await talk(ids[5], 'phone')
  const tomorrow = { from: today(), to: today() }
  const next = await gm.call(signingBoard.read, { query: { ...tomorrow, by: 'happened' } })
  expect(next.rows.find((r) => r.dimension === 'all')).toMatchObject({
    came: 0,
    contacted: 1,
    met: 0,
    signed: 0,
  })
  const none = await gm.call(signingBoard.read, { query: { ...tomorrow, by: 'came' } })
  expect(none.rows.find((r) => r.dimension === 'all')).toMatchObject({ came: 0, contacted: 0 })
  // The list behind a number has as many.
  const day = addDays(today(), -1)
  const behind = await gm.call(customers.list, {
    query: { enteredFrom: day, enteredTo: day, signingProgress: [3] },
  })
  expect(behind.totalCount).toBe(1)
})

test('a deposit that is given back is counted as refund, and waits no longer', async () => {
  shop = await openDeals(server)
  const id = await add('call')
  await talk(id, 'store')
  const c = await contract(await quoted(id))
  expect((await shop.pay(c, '800.05')).code).toBe(200)
  const waiting = (await board()).deposits.reduce((sum, d) => sum + d.n, 0)
  const asked = await shop.refund(c, '800.05')
  await shop.judge(asked.data.id)
  const b = await board()
  expect(b.refunds).toEqual({ n: 1, money: '800.05' })
  expect(b.deposits.reduce((sum, d) => sum + d.n, 0)).toBe(waiting - 1)
})

test('a target stands beside what was signed; of two hands at once one hears of the other', async () => {
  const month = today().slice(0, 7)
  const body = { month, ...place, consultant_id: me.id, people: 3, money: '300000', reason: '旺季' }
  const two = await Promise.all([
    gm.ask(signingBoard.setTarget, { body }),
    gm.ask(signingBoard.setTarget, { body: { ...body, people: 5 } }),
  ])
  expect(two.map((a) => a.code).toSorted()).toEqual([200, 409])
  const [t] = await gm.call(signingBoard.targets, { query: { month } })
  expect(t).toMatchObject({ consultant_id: me.id, money: '300000.00', version: 0 })
  expect((await sales.ask(signingBoard.setTarget, { body })).code).toBe(401)
  for (const people of [-1, 1.5])
    expect((await gm.ask(signingBoard.setTarget, { body: { ...body, people } })).code).toBe(400)
  expect((await gm.ask(signingBoard.setTarget, { body: { ...body, month: '2020-01' } })).msg).toContain(
    '月份应在',
  )
  const other = await server.as('branch_gm2')
  expect((await other.ask(signingBoard.setTarget, { body: { ...body, version: 0 } })).code).toBe(403)
  expect(await other.call(signingBoard.targets, { query: { month } })).toEqual([])
  expect((await gm.ask(signingBoard.read, { query: { from: today(), to: addDays(today(), -1) } })).code).toBe(
    400,
  )
})
