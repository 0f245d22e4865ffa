import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openDelivery } from '../../testing/delivering.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

/** Stands in no name of the site and in no community. */
const ADDRESS = '鸢尾弄七十九号'
const STREET = '鸢尾弄'
/** By hand, from the people who work at a home; everybody else reads its community. */
const TOLD = ['admin', 'branch_gm', 'pm', 'steward', 'inspector', 'acceptor', 'device_keeper', 'order_clerk']
const NOT_TOLD = ['hq_ops', 'examiner', 'cashier', 'service']

let server: TestServer
let at: { site: string; order: string; note: string; contract: string; code: string; community: string }
let feedback: string
let quotation: string

beforeAll(async () => {
  server = await startTestServer()
  const delivery = await openDelivery(server)
  const of = await delivery.arrived({ name: '鸢尾砖', quantity: '10' })
  const people = await server.sql<{ id: string; name: string }>(
    `SELECT id, user_name AS name FROM users WHERE user_name IN ('pm', 'steward')`,
  )
  const idOf = (name: string) => people.find((p) => p.name === name)!.id
  const [site] = await server.sql<{ code: string; community: string }>(
    `UPDATE sites SET address = $2, manager_id = $3, steward_id = $4, lng = 120.165584, lat = 30.271007
     WHERE id = $1 RETURNING code, community`,
    [of.site, ADDRESS, idOf('pm'), idOf('steward')],
  )
  await server.sql('UPDATE orders SET address = $2 WHERE site_id = $1', [of.site, ADDRESS])
  await server.sql('UPDATE dispatches SET address = $2 WHERE site_id = $1', [of.site, ADDRESS])
  const [deal] = await server.sql<{ quotation: string }>(
    `UPDATE customers u SET address = $2 FROM contracts c WHERE c.id = $1 AND u.id = c.customer_id
     RETURNING c.quotation_id AS quotation`,
    [of.contract, ADDRESS],
  )
  quotation = deal!.quotation
  at = { ...of, ...site! }
  const service = await server.as('service')
  const made = await service.call(api.feedback.enter, {
    body: {
      site_id: of.site,
      kind: 'complaint',
      level: 2,
      about: 'work',
      channel: 'phone',
      words: '墙面不平，请来看看',
    },
  })
  feedback = made.id
})
afterAll(() => server.stop())

/** What of the home's own pages somebody is answered; nothing of those that they may not open. */
async function read(who: Person) {
  const asked: Record<string, [Endpoint, object]> = {
    list: [api.sites.list, { keyword: at.code }],
    details: [api.sites.details, { id: at.site }],
    owner: [api.owners.details, { site_id: at.site }],
    order: [api.orders.details, { id: at.order }],
    note: [api.dispatch.details, { id: at.note }],
    contract: [api.contracts.details, { id: at.contract }],
    quotation: [api.quotations.details, { id: quotation }],
    feedback: [api.feedback.details, { id: feedback }],
  }
  const said: Record<string, boolean> = {}
  for (const [name, [endpoint, query]] of Object.entries(asked)) {
    const answer = await who.askAny(endpoint, { query })
    if (answer.code === 200) said[name] = answer.text.includes(ADDRESS)
  }
  return said
}
const point = async (who: Person) => {
  const { lat, lng } = await who.call(api.sites.details, { query: { id: at.site } })
  const points = await who.call(api.sites.points, { query: { keyword: at.code } })
  return { lng, lat, map: [points.lng[0], points.lat[0]] }
}
/** In how many places it is found by its street. */
async function found(who: Person) {
  const by: Record<string, [Endpoint, object]> = {
    search: [api.search.all, { keyword: STREET }],
    list: [api.sites.list, { keyword: STREET }],
    pick: [api.sites.pick, { keyword: STREET }],
    owners: [api.owners.list, { keyword: STREET }],
    orders: [api.orders.list, { keyword: STREET }],
    notes: [api.dispatch.list, { keyword: STREET }],
    contracts: [api.contracts.list, { keyword: STREET }],
    feedback: [api.feedback.list, { keyword: STREET }],
  }
  const names: string[] = []
  for (const [name, [endpoint, query]] of Object.entries(by)) {
    const answer = await who.askAny(endpoint, { query })
    if (answer.code === 200 && answer.text.includes(at.site)) names.push(name)
  }
  return names
}

test.each(TOLD)(
  '%s works at the home: every page says its address, and it is found by its street',
  async (role) => {
    const who = await server.as(role)
    const said = await read(who)
    expect(Object.keys(said)).toContain('details')
    expect(Object.entries(said).filter(([, told]) => !told)).toEqual([])
    expect(await found(who)).toContain('list')
    expect(await point(who)).toEqual({ lng: 120.165_584, lat: 30.271_007, map: [120_165_584, 30_271_007] })
  },
)

test.each(NOT_TOLD)('%s reads the community alone, and finds nothing by the street', async (role) => {
  const who = await server.as(role)
  const said = await read(who)
  expect(Object.keys(said)).toContain('details')
  expect(Object.entries(said).filter(([, told]) => told)).toEqual([])
  expect(await found(who)).toEqual([])
  // Of where it stands the community, to half a kilometre.
  expect(await point(who)).toEqual({ lng: 120.165, lat: 30.27, map: [120_165_000, 30_270_000] })
  // The home is still there, by its number.
  const rows = (await who.call(api.sites.list, { query: { keyword: at.code } })).list
  expect(rows.map((r) => [r.id, r.community, r.address])).toEqual([[at.site, at.community, '']])
})

test('no list that somebody without the right may open says it, whatever it is a list of', async () => {
  const reads = Object.values(api)
    .flatMap((f) => Object.values(f) as Endpoint[])
    .filter((e) => !e.body && !e.raw && Array.isArray(e.access) && e !== api.live.stream)
  let heard = 0
  for (const role of ['hq_ops', 'service']) {
    const who = await server.as(role)
    for (const endpoint of reads) {
      for (const query of [{}, { site_id: at.site }, { id: at.site }]) {
        const answer = await who.askAny(endpoint, { query })
        if (answer.code !== 200) continue
        heard += 1
        expect(answer.text.includes(ADDRESS), `${role} ${endpoint.path}`).toBe(false)
      }
    }
  }
  expect(heard).toBeGreaterThan(60)
})

test('who writes a store’s customers is told where they live until they sign', async () => {
  await server.sql(
    `UPDATE sites SET store_id = (SELECT t.store_id FROM user_stores t JOIN users u ON u.id = t.user_id
       WHERE u.user_name = 'sales' LIMIT 1) WHERE id = $1`,
    [at.site],
  )
  await server.sql(
    `UPDATE customers SET store_id = (SELECT store_id FROM sites WHERE id = $1)
     WHERE id = (SELECT customer_id FROM contracts WHERE id = $2)`,
    [at.site, at.contract],
  )
  await server.sql(`SELECT pg_notify('access', '')`)
  const sales = await server.as('sales')
  const [customer] = await server.sql<{ id: string }>(
    'SELECT customer_id AS id FROM contracts WHERE id = $1',
    [at.contract],
  )
  const details = () => sales.ask(api.customers.details, { query: { id: customer!.id } })
  await expect.poll(async () => (await details()).data?.name).toBeTruthy()
  const customers = { query: { id: customer!.id } }
  const told = async () => [
    (await details()).data.address,
    (await sales.call(api.customers.list, customers)).list[0]!.address,
    (await sales.call(api.customers.pick, customers))[0]!.address,
  ]
  expect(await told()).toEqual(['', '', ''])
  // Whoever works at the home reads it on the customer as well; who edits the rest leaves it as it is.
  const gm = await server.as('branch_gm')
  expect((await gm.call(api.customers.details, customers)).address).toBe(ADDRESS)
  await server.sql('UPDATE customers SET step = 4 WHERE id = $1', [customer!.id])
  expect(await told()).toEqual([ADDRESS, ADDRESS, ADDRESS])
  await server.sql('UPDATE customers SET step = 6 WHERE id = $1', [customer!.id])
  const site = await sales.ask(api.sites.details, { query: { id: at.site } })
  expect([site.code, site.data?.address]).toEqual([200, ''])
  expect((await found(sales)).filter((name) => ['search', 'list', 'pick'].includes(name))).toEqual([])
})

test('the merchant learns it with the acceptance, and finds nobody by a street', async () => {
  const supplier = await server.as('supplier')
  expect(await read(supplier)).toEqual({ order: true, note: true })
  expect(await found(supplier)).toEqual([])
  await server.sql('UPDATE orders SET receive_state = 0 WHERE id = $1', [at.order])
  expect((await read(supplier)).order).toBe(false)
  await server.sql('UPDATE orders SET receive_state = 1 WHERE id = $1', [at.order])
})

test('two roles: the address is told where the role reaches that gives it, and nowhere else', async () => {
  const [far] = await server.sql<{ id: string; code: string }>(
    `SELECT w.id, w.code FROM sites w JOIN companies c ON c.bc_id = w.bc_id
     WHERE c.code = 'NB' AND w.deleted_at IS NULL ORDER BY w.code LIMIT 1`,
  )
  await server.sql('UPDATE sites SET address = $2 WHERE id = $1', [far!.id, `${STREET}八号`])
  await server.sql(
    `INSERT INTO user_roles SELECT u.tenant_id, u.id, r.id FROM users u
     JOIN roles r ON r.tenant_id = u.tenant_id AND r.code = 'hq_ops' WHERE u.user_name = 'pm'`,
  )
  await server.sql(`SELECT pg_notify('access', '')`)
  const both = await server.as('pm')
  const addressOf = async (id: string) => (await both.call(api.sites.details, { query: { id } })).address
  await expect.poll(() => addressOf(far!.id).catch(() => 'not yet')).toBe('')
  expect(await addressOf(at.site)).toBe(ADDRESS)
  const { list } = await both.call(api.sites.list, { query: { keyword: STREET } })
  expect(list.map((r) => r.id)).toEqual([at.site])
})

test('the log says an address to who is told it', async () => {
  const gm = await server.as('branch_gm')
  const site = await gm.call(api.sites.details, { query: { id: at.site } })
  await gm.call(api.sites.edit, {
    body: {
      id: site.id,
      version: site.version,
      ws_name: site.ws_name,
      bc_id: site.bc_id,
      community: site.community,
      address: `${ADDRESS}二楼`,
    },
  })
  const lines = async (who: Person) => {
    const { list } = await who.call(api.userlogs.list, { query: { object_id: at.site } })
    return JSON.stringify(list)
  }
  await expect.poll(() => lines(gm)).toContain(`${ADDRESS}二楼`)
  const hidden = await lines(await server.as('hq_ops'))
  expect(hidden).not.toContain(STREET)
  expect(hidden).toContain('（按权限不显示）')
})
