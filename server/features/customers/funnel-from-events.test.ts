import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { type Deals, openDeals } from '../../testing/dealing.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

const DAY = 86_400_000
const { customers, followUps, signingBoard } = api
let server: TestServer
let shop: Deals
let sales: Person, gm: Person
let place: { bc_id: string; store_id: string }
let me: string
beforeAll(async () => {
  server = await startTestServer()
  server.later(startOfDay(shanghaiDay(server.now())).getTime() + 10 * 3_600_000 - server.now().getTime())
  await enter()
  place = { bc_id: shop.bc_id, store_id: shop.store_id }
  me = (await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'sales'`))[0]!.id
})
afterAll(() => server.stop())
async function enter() {
  shop = await openDeals(server)
  sales = await server.as('sales')
  gm = await server.as('branch_gm')
}
const SOURCES = ['call', 'walkIn', 'online'] as const
let many = 0
async function lead(): Promise<string> {
  many += 1
  const body = {
    ...place,
    name: `事件${many}`,
    phone: `1580000${String(1000 + many)}`,
    source: SOURCES[many % SOURCES.length],
    consultant_id: me,
  }
  return (await sales.call(customers.add, { body })).id
}
const talk = (customer_id: string, kind: 'measure' | 'phone' | 'store') =>
  sales.call(followUps.add, {
    body: { customer_id, kind, at: Math.floor(server.now().getTime() / 1000), content: '聊过了' },
  })
const lose = async (id: string) => {
  const { version } = await sales.call(customers.details, { query: { id } })
  await sales.call(customers.lose, { body: { id, version, why: 'rival', reason: '选了别家' } })
}
const deal = async (customer_id: string) => {
  const { id } = await shop.quoter.call(api.quotations.add, {
    body: { customer_id, content: shop.content() },
  })
  await shop.submit(id)
  await shop.judge(id)
  const { version } = await shop.seen(id)
  return (await gm.call(api.contracts.add, { body: { id, version } })).id
}

/**
 * The figures again, from what was written down as it happened: ledger, follow-ups, judged requests, receipts and
 * signatures. `of`: the days in which the customers came, or in which it happened.
 */
const EVENTS = `WITH happened AS (
    SELECT e.customer_id AS k, 'came' AS what, e.at FROM customer_events e WHERE e.act = 'enter'
    UNION ALL SELECT e.customer_id, 'lost', e.at FROM customer_events e
      WHERE e.act = 'lose' AND NOT EXISTS (SELECT FROM customer_events r
        WHERE r.customer_id = e.customer_id AND r.act = 'revive' AND r.at > e.at)
    UNION ALL SELECT f.customer_id, 'contacted', f.at FROM follow_ups f WHERE f.state = 'done'
    UNION ALL SELECT f.customer_id, 'met', f.at FROM follow_ups f
      WHERE f.state = 'done' AND f.kind IN ('store', 'measure')
    UNION ALL SELECT q.customer_id, 'quoted', x.judged_at FROM examine_requests x
      JOIN quotations q ON q.id = x.object_id WHERE x.state = 1
    UNION ALL SELECT c.customer_id, 'deposit', r.at FROM contract_receipts r
      JOIN contracts c ON c.id = r.contract_id
    UNION ALL SELECT c.customer_id, 'signed', c.signed_on::timestamp AT TIME ZONE 'Asia/Shanghai' FROM contracts c
      WHERE c.signed_on IS NOT NULL),
  first AS (SELECT h.k, h.what, min((h.at AT TIME ZONE 'Asia/Shanghai')::date) AS day
    FROM happened h JOIN customers c ON c.id = h.k AND c.bc_id = $1 GROUP BY 1, 2)`
const FIGURES = ['came', 'contacted', 'met', 'quoted', 'deposit', 'signed', 'lost'] as const
async function again(by: 'came' | 'happened', from: string, to: string) {
  const rows = await server.sql<{ what: string; n: number }>(
    `${EVENTS}
     SELECT f.what, count(*)::int AS n FROM first f
     ${by === 'came' ? `JOIN first o ON o.k = f.k AND o.what = 'came'` : ''}
     WHERE ${by === 'came' ? 'o' : 'f'}.day BETWEEN $2::date AND $3::date
     GROUP BY f.what`,
    [place.bc_id, from, to],
  )
  return FIGURES.map((what) => rows.find((r) => r.what === what)?.n ?? 0)
}

test('the funnel is what the events say, by the days in which they came and in which it happened', async () => {
  const began = shanghaiDay(server.now())
  // What stands there before began by itself.
  const before = { came: 0 }
  expect(before.came).toBe(0)
  for (let day = 0; day < 3; day += 1) {
    const all = []
    for (let i = 0; i < 6; i += 1) all.push(await lead())
    for (const id of all.slice(0, 5)) await talk(id, 'phone')
    for (const [i, id] of all.slice(1, 5).entries()) await talk(id, i % 2 ? 'store' : 'measure')
    const contract = await deal(all[2]!)
    if (day > 0) expect((await shop.pay(contract, '1000')).code).toBe(200)
    if (day === 1) expect((await shop.sign(contract)).code).toBe(200)
    await lose(all[0]!)
    server.later(DAY)
    await enter()
  }
  // The last of the first day is spoken with on the fourth.
  const [late] = await server.sql<{ id: string }>(`SELECT id FROM customers WHERE name = '事件6'`)
  await talk(late!.id, 'phone')
  for (const by of ['came', 'happened'] as const)
    for (const [from, to] of [
      [0, 3],
      [0, 0],
      [1, 2],
      [3, 3],
    ] as const) {
      const span = { from: addDays(began, from), to: addDays(began, to) }
      const { rows } = await gm.call(signingBoard.read, { query: { by, ...span, bc_id: [place.bc_id] } })
      const said = rows.find((r) => r.dimension === 'all')!
      const figures = FIGURES.map((what) => said[what])
      expect(figures, `${by} ${from}-${to}`).toEqual(await again(by, span.from, span.to))
      // Each grouping counts the same customers.
      for (const dimension of ['source', 'store', 'consultant']) {
        const parts = rows.filter((r) => r.dimension === dimension)
        expect(FIGURES.map((what) => parts.reduce((sum, r) => sum + r[what], 0))).toEqual(figures)
      }
    }
})
