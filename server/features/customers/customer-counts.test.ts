import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { recountFigures } from '../../app/clock.ts'
import { type Deals, openDeals } from '../../testing/dealing.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

const { customers } = api
let server: TestServer
let shop: Deals
let gm: Person, sales: Person
let place: { bc_id: string; store_id: string }
beforeAll(async () => {
  server = await startTestServer()
  shop = await openDeals(server)
  gm = await server.as('branch_gm')
  sales = await server.as('sales')
  place = { bc_id: shop.bc_id, store_id: shop.store_id }
})
afterAll(() => server.stop())

const enter = async (n: number) => {
  const body = { ...place, name: `来客${n}`, phone: `1580000${String(1000 + n)}` }
  return (await gm.call(customers.add, { body })).id
}
/** The total of a list beside the number of rows on all its pages. */
async function both(who: Person, query: object = {}): Promise<[number, number]> {
  let seen = 0
  for (let pageNo = 1; ; pageNo += 1) {
    const page = await who.call(customers.list, { query: { ...query, pageNo, pageSize: 100 } })
    seen += page.list.length
    if (page.list.length < 100) return [page.totalCount, seen]
  }
}
async function agree(): Promise<number> {
  const narrowed = [
    {},
    { held: ['pool'] },
    { held: ['assigned', 'lost'] },
    { step: [1] },
    { step: [2, 3, 4, 5, 6] },
    { signingProgress: [3] },
    { store_id: [place.store_id] },
    { bc_id: [place.bc_id], held: ['pool'] },
    { keyword: '来客' },
    { keyword: '来客3' },
  ]
  for (const who of [gm, sales, await server.as('hq_ops'), await server.as('branch_gm2')])
    for (const query of narrowed) {
      const [total, rows] = await both(who, query)
      expect(total, JSON.stringify(query)).toBe(rows)
    }
  return (await both(gm))[0]
}

test('a list says how many there are, whatever was written since, and the night changes nothing', async () => {
  const before = await agree()
  const ids = []
  for (let n = 0; n < 6; n += 1) ids.push(await enter(n))
  expect(await agree()).toBe(before + 6)

  // Claimed, spoken with, lost; two that were one; refused, which leaves nothing behind.
  const [claimed, lost, kept, gone] = ids as [string, string, string, string]
  const versionOf = async (id: string) => (await gm.call(customers.details, { query: { id } })).version
  await sales.call(customers.claim, { body: { id: claimed, version: await versionOf(claimed) } })
  await gm.call(customers.lose, {
    body: { id: lost, version: await versionOf(lost), why: 'price', reason: '觉得太贵了' },
  })
  const into = { into: kept, intoVersion: await versionOf(kept) }
  const merged = { id: gone, version: await versionOf(gone), ...into, take: [], reason: '同一家' }
  await gm.call(customers.merge, { body: merged })
  const again = { ...place, name: '来客0', phone: '15800001000' }
  expect((await sales.ask(customers.add, { body: again })).code).not.toBe(200)
  expect(await agree()).toBe(before + 5)
  expect((await gm.call(customers.list, { query: { held: ['lost'], keyword: '来客1' } })).totalCount).toBe(1)

  const lines = async () =>
    (await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM customer_counts'))[0]!.n
  const many = await lines()
  await recountFigures(server.db, server.now())
  expect(await lines()).toBeLessThan(many)
  expect(await agree()).toBe(before + 5)
})
