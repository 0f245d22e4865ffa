import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { type Deals, openDeals } from '../../testing/dealing.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { remind } from '../notifications/reminders.service.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { customerReminders, returnCustomers } from './customers-back.service.ts'

const DAY = 86_400_000
const { customers, followUps } = api
let server: TestServer
let shop: Deals
let sales: Person, gm: Person
let place: { bc_id: string; store_id: string }
let me: string, tenant: string
beforeAll(async () => {
  server = await startTestServer()
  server.later(startOfDay(shanghaiDay(server.now())).getTime() + 10 * 3_600_000 - server.now().getTime())
  shop = await openDeals(server)
  await enter()
  place = { bc_id: shop.bc_id, store_id: shop.store_id }
  const [u] = await server.sql<{ id: string; tenant_id: string }>(
    `SELECT id, tenant_id FROM users WHERE user_name = 'sales'`,
  )
  me = u!.id
  tenant = u!.tenant_id
})
afterAll(() => server.stop())
/** Sessions end after an hour: whoever lives through more enters again. */
async function enter() {
  sales = await server.as('sales')
  gm = await server.as('branch_gm')
}
let many = 0
const add = async (name: string, more: object = {}) => {
  many += 1
  const body = { ...place, name, phone: `1590000${String(1000 + many)}`, consultant_id: me, ...more }
  return (await gm.call(customers.add, { body })).id
}
const held = async (id: string) => (await gm.call(customers.details, { query: { id } })).held
/** One night of the server: who is told, then who goes back. */
async function night() {
  server.later(DAY)
  await enter()
  for (const source of customerReminders) await server.db.tx(SYSTEM, (tx) => remind(tx, tenant, source))
  await server.db.tx(SYSTEM, (tx) => returnCustomers(tx, tenant))
}
test('back to the pool after the working days, a holiday not counted; who is held by something stays', async () => {
  const today = shanghaiDay(server.now())
  // Five working days; of the days to come the third to the ninth are a holiday, all others are worked.
  const admin = await server.as('admin')
  const calendar = `${addDays(today, 3)}~${addDays(today, 9)} 休 长假`
  await admin.call(api.settings.update, {
    body: { bcId: place.bc_id, values: { leadDays: 5, restDays: [], calendar } },
  })
  const loose = await add('没人跟进')
  const planned = await add('有计划')
  const examined = await add('报价在审')
  const paid = await add('付了定金')
  const at = Math.floor((server.now().getTime() + 13 * DAY) / 1000)
  await sales.call(followUps.plan, { body: { customer_id: planned, kind: 'phone', at, content: '节后再打' } })
  const quote = async (customer_id: string) => {
    const { id } = await shop.quoter.call(api.quotations.add, {
      body: { customer_id, content: shop.content() },
    })
    await shop.submit(id)
    return id
  }
  await quote(examined)
  const approved = await quote(paid)
  await shop.judge(approved)
  const { version } = await shop.seen(approved)
  const contract = await gm.call(api.contracts.add, { body: { id: approved, version } })
  expect((await shop.pay(contract.id, '2000')).code).toBe(200)

  // Worked are tomorrow and the day after, then the tenth, the eleventh and the twelfth, whose end is its end.
  const { backDue } = await gm.call(customers.details, { query: { id: loose } })
  expect(shanghaiDay(new Date(backDue! * 1000 - 1000))).toBe(addDays(today, 12))
  const fate: string[] = []
  for (let n = 1; n <= 13; n += 1) {
    await night()
    fate.push(await held(loose))
  }
  // Twelve nights it is theirs, in the thirteenth it goes back: its notice was three days old.
  expect(fate).toEqual([...Array.from({ length: 12 }, () => 'assigned'), 'pool'])
  for (const id of [planned, examined, paid]) expect(await held(id)).toBe('assigned')
  const [line] = (await gm.call(customers.details, { query: { id: loose } })).lines
  expect(line).toMatchObject({ title: '退回公海', text: '5 个工作日未跟进，由系统退回' })
  const told = await server.sql<{ user_name: string }>(
    `SELECT DISTINCT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
     WHERE n.title LIKE '客户 没人跟进 已退回公海%' ORDER BY 1`,
  )
  expect(told.map((t) => t.user_name)).toContain('sales')
})

test('a hundred claim one lead: one has it, and the others hear that it is gone', async () => {
  const id = await add('抢手', { consultant_id: null })
  const { version } = await gm.call(customers.details, { query: { id } })
  const both = [sales, await server.as('quoter')]
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => both[i % 2]!.ask(customers.claim, { body: { id, version } })),
  )
  expect(answers.filter((a) => a.code === 200)).toHaveLength(1)
  for (const a of answers.filter((one) => one.code !== 200)) expect(a.msg).toMatch(/\p{Script=Han}/u)
  const acts = await server.sql(`SELECT 1 FROM customer_events WHERE customer_id = $1 AND act = 'claim'`, [
    id,
  ])
  expect(acts).toHaveLength(1)
})
