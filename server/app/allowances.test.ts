import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { viewsApi } from '@zhuguan/contract/features/views/views.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Delivery, openDelivery } from '../testing/delivering.ts'
import { linkFrom } from '../testing/driving.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'

/** Nobody writes, or reads what is dear, without end. */
let server: TestServer
let shop: Delivery
beforeAll(async () => {
  server = await startTestServer()
  shop = await openDelivery(server)
  // Hours pass in these stories.
  await server.sql(`UPDATE sessions SET expires_at = expires_at + interval '2 days'`)
})
afterAll(() => server.stop())

async function underWay() {
  const name = `没有完的砖 ${Math.random()}`
  const { items } = await shop.sold({ name, quantity: '5' })
  const order = (await shop.place([{ item_id: items[name]!, quantity: '5' }])).orders[0]!.id
  const { notes } = await shop.accept(order)
  expect((await shop.ship(notes[0]!.id)).code).toBe(200)
  return notes[0]!.id
}

/** How much dear work runs at once until something is done. */
async function mostAtOnce(work: Promise<unknown>): Promise<number> {
  let most = 0
  let over = false
  const done = work.finally(() => (over = true))
  while (!over) {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    most = Math.max(most, Number(/^zhuguan_bound{class="heavy",state="running"} (\d+)$/m.exec(text)![1]))
  }
  await done
  return most
}

test('figures are asked one after the other; who asks for more is told so, and nobody else waits', async () => {
  const [gm, pm] = await Promise.all([server.as('branch_gm'), server.as('pm')])
  await Promise.all([gm.call(sitesApi.list), pm.call(sitesApi.list)])
  // The first waits for its rows until all others have been asked, however slow the machine is.
  const held = server.sql(
    `DO $$ BEGIN LOCK TABLE attendance_days IN ACCESS EXCLUSIVE MODE; PERFORM pg_sleep(3); END $$`,
  )
  const asked = Array.from({ length: 60 }, () =>
    gm.ask(statisticsApi.attendGroups, { query: { by: 'person' } }),
  )
  const most = mostAtOnce(Promise.all(asked))
  const at = performance.now()
  expect((await pm.ask(sitesApi.list)).code).toBe(200)
  expect(performance.now() - at).toBeLessThan(2_000)
  const told = await Promise.all(asked)
  await held
  expect(await most).toBe(1)
  const refused = told.filter(({ code }) => code !== 200)
  // One runs and twelve wait.
  expect(refused.length).toBeGreaterThanOrEqual(20)
  for (const { status, msg } of refused)
    expect([status, msg]).toEqual([429, '您的上一个统计（或翻到很后面的一页）还没有完成，请等它完成再试'])
  expect((await gm.ask(statisticsApi.attendGroups, { query: { by: 'person' } })).code).toBe(200)
})

test('pages far behind the first are asked one after the other, too', async () => {
  const gm = await server.as('branch_gm')
  // Known by now: what is too much is hers, not the address's.
  await gm.call(sitesApi.list)
  const told = await Promise.all(
    Array.from({ length: 60 }, () => gm.ask(sitesApi.list, { query: { pageNo: 60, pageSize: 100 } })),
  )
  const refused = told.filter(({ code }) => code !== 200)
  expect(refused.length).toBeGreaterThanOrEqual(20)
  for (const { msg } of refused)
    expect(msg).toBe('您的上一个统计（或翻到很后面的一页）还没有完成，请等它完成再试')
})

test('a driver tells sixty times an hour and three hundred times a way where they are, on one line', async () => {
  const note = await underWay()
  const { phone } = await linkFrom(server, shop.supplier, note)
  await phone.open()
  const codes: number[] = []
  for (let i = 0; i < 62; i += 1) codes.push((await phone.node(note, `第 ${i} 站\n收费站`)).code)
  expect(codes.filter((code) => code === 200)).toHaveLength(60)
  expect(codes.slice(60)).toEqual([429, 429])
  // Of whatever it does, a link has so much an hour.
  for (let i = 62; i < 240; i += 1) await phone.node(note, '太多了')
  expect((await phone.node(note, '太多了')).msg).toBe('这个链接一小时内的操作太多，请稍后再试')
  const places = await server.sql<{ place: string }>(
    `SELECT place FROM logistics_nodes WHERE source = 'driver'`,
  )
  expect(places.map(({ place }) => place)).toContain('第 59 站 收费站')
  await server.sql(
    `INSERT INTO logistics_nodes (tenant_id, id, logistics_id, at, heard_at, source, title, place, user_name)
     SELECT n.tenant_id, gen_random_uuid(), n.logistics_id, n.at, n.heard_at, 'driver', n.title, n.place, n.user_name
     FROM logistics_nodes n, generate_series(1, 4) WHERE n.source = 'driver'`,
  )
  server.later(61 * 60_000)
  expect((await phone.node(note, '又一站')).msg).toBe('这一程已经报过 300 次到哪了，不能再报')
  server.later(-61 * 60_000)
})

test('twenty links lead to one note, however many are made at once; what was taken back makes room', async () => {
  const target_id = await underWay()
  const make = () =>
    shop.supplier.ask(linksApi.create, {
      body: { kind: 'driver', target_id, person: '王师傅' },
    })
  const made = await Promise.all(Array.from({ length: 24 }, make))
  const refused = made.filter(({ code }) => code !== 200)
  expect(refused.map(({ msg }) => msg)).toEqual(
    Array<string>(4).fill('这张单已有 20 个能打开的链接，请先收回不用的'),
  )
  const [first] = await shop.supplier.call(linksApi.list, { query: { kind: 'driver', target_id } })
  await shop.supplier.call(linksApi.revoke, { body: { id: first!.id } })
  expect((await make()).code).toBe(200)
})

test('thirty views of a page, however many are kept at once', async () => {
  const pm = await server.as('pm')
  const kept = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      pm.ask(viewsApi.keep, { body: { page: '/SiteList', title: `视图 ${i}`, search: `?pageNo=${i + 1}` } }),
    ),
  )
  expect(kept.filter(({ code }) => code === 200)).toHaveLength(30)
})
