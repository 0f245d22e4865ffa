import { api } from '@zhuguan/contract/api.ts'
import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { type Book, type LedSite, openBook } from '../../testing/supervised.ts'

const HOUR = 3_600_000
let server: TestServer
let gm: Person, pm: Person, hq: Person
let book: Book
let site: LedSite
let bc: string, far: string, ann: string, bob: string, keeper: string
beforeAll(async () => {
  server = await startTestServer()
  server.later(startOfDay(shanghaiDay(server.now())).getTime() + 12 * HOUR - server.now().getTime())
  await enter()
  const [found] = await server.sql<LedSite>(
    `SELECT w.id, w.bc_id AS bc, w.ws_name AS name FROM sites w JOIN users m ON m.id = w.manager_id
     JOIN users s ON s.id = w.steward_id
     WHERE m.user_name = 'pm' AND s.user_name = 'steward' AND w.status = 1 ORDER BY w.code LIMIT 1`,
  )
  site = found!
  bc = site.bc
  far = (await server.sql<{ bc_id: string }>(`SELECT bc_id FROM users WHERE user_name = 'pm2'`))[0]!.bc_id
  const idOf = async (name: string) =>
    (await server.sql<{ id: string }>('SELECT id FROM users WHERE user_name = $1', [name]))[0]!.id
  ann = await idOf('pm')
  keeper = await idOf('steward')
  book = await openBook(server, bc)
  bob = (
    await server.sql<{ id: string }>(
      `INSERT INTO users (tenant_id, id, user_name, nickname, bc_id, post, password)
       VALUES ($1, gen_random_uuid(), 'bob', 'bob', $2, 2, '') RETURNING id`,
      [book.tenant, bc],
    )
  )[0]!.id
  await server.sql(
    `INSERT INTO user_roles (tenant_id, user_id, role_id)
     SELECT tenant_id, $1, role_id FROM user_roles WHERE user_id = $2`,
    [bob, ann],
  )
})
afterAll(() => server.stop())
async function enter() {
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
  hq = await server.as('hq_ops')
}

const leads = () =>
  server.sql<{ user_id: string; isOpen: boolean }>(
    `SELECT user_id, to_at IS NULL AS "isOpen" FROM site_leads WHERE of_site = $1 AND post = 2 ORDER BY from_at`,
    [site.id],
  )
const hand = async (manager_id: string) => {
  const { version } = await gm.call(api.sites.details, { query: { id: site.id } })
  await gm.call(api.sites.people, { body: { id: site.id, version, steward_id: keeper, manager_id } })
}
const figures = async (id: string, who = gm, at = bc) =>
  (await who.call(supervisionApi.person, { query: { id, bc_id: at } })).person

test('the times in which sites are led follow what their rows say, whatever changed them', async () => {
  const adrift = () =>
    server.sql(
      `SELECT w.id FROM sites w CROSS JOIN LATERAL (VALUES (1, w.steward_id), (2, w.manager_id)) x(post, who)
       LEFT JOIN site_leads l ON l.of_site = w.id AND l.post = x.post AND l.to_at IS NULL
       WHERE l.user_id IS DISTINCT FROM x.who`,
    )
  expect(await adrift()).toEqual([])
  const added = await gm.call(api.sites.add, {
    body: {
      ws_name: '新工地 1 幢',
      bc_id: bc,
      community: '新',
      address: '新路',
      steward_id: keeper,
      manager_id: ann,
    },
  })
  expect(await adrift()).toEqual([])
  const { version } = await gm.call(api.sites.details, { query: { id: added.id } })
  await gm.call(api.sites.people, { body: { id: added.id, version, steward_id: null, manager_id: bob } })
  expect(await adrift()).toEqual([])
  const now = (await gm.call(api.sites.details, { query: { id: added.id } })).version
  const admin = await server.as('admin')
  await admin.call(api.sites.move, {
    body: { id: added.id, version: now, bc_id: far, reason: '划给宁波' },
  })
  expect(await adrift()).toEqual([])
})

test('replaced in the middle of the month: what was theirs stays theirs, and what comes is the others’', async () => {
  await book.leads(site.id, 2, [[ann, 60]])
  await server.sql('UPDATE sites SET start_date = :today - 60 WHERE id = $1', [site.id])
  await book.complaint({ site: site.id, people: [ann], daysAgo: 5 })
  const before = await figures(ann)
  expect(before.complaints).toBe(1)
  await hand(bob)
  expect(await leads()).toEqual([
    { user_id: ann, isOpen: false },
    { user_id: bob, isOpen: true },
  ])
  server.later(26 * HOUR)
  await enter()
  await book.complaint({ site: site.id, people: [bob], daysAgo: -1 })
  expect([(await figures(ann)).complaints, (await figures(bob)).complaints]).toEqual([1, 1])
  expect([(await figures(ann)).homes, (await figures(ann)).sites]).toEqual([before.homes, before.sites - 1])
  // Who handed it over reads the own page whole; what they do not reach any more is there without its words.
  const own = await pm.call(supervisionApi.records, { query: { bc_id: bc, figure: 'complaints' } })
  expect(own.list.map((r) => [r.site_id, r.isReached, r.title])).toEqual([[site.id, false, '']])
  const asSuperior = await gm.call(supervisionApi.person, { query: { id: ann, bc_id: bc } })
  const asOneself = await pm.call(supervisionApi.person, { query: {} })
  expect(asOneself.person).toEqual(asSuperior.person)
  await hand(ann)
})

test('a manager of two branches is there per branch, with what was theirs in it', async () => {
  const [other] = await server.sql<{ id: string }>(
    `SELECT id FROM sites WHERE bc_id = $1 AND status = 1 ORDER BY code LIMIT 1`,
    [far],
  )
  const books = await openBook(server, far)
  await books.leads(other!.id, 2, [[ann, 40]])
  await server.sql('UPDATE sites SET start_date = :today - 40 WHERE id = $1', [other!.id])
  await book.complaint({ site: site.id, people: [ann], daysAgo: 0 })
  await books.complaint({ site: other!.id, people: [ann], daysAgo: 2 })
  await books.complaint({ site: other!.id, people: [ann], daysAgo: 3 })
  const gm2 = await server.as('branch_gm2')
  expect([(await figures(ann)).complaints, (await figures(ann, gm2, far)).complaints]).toEqual([1, 2])
  expect((await figures(ann, hq, far)).complaints).toBe(2)
  // Each general manager sees their own part, and is not told that there is another.
  for (const [who, its] of [
    [gm, bc],
    [gm2, far],
  ] as const) {
    const { branches } = await who.call(supervisionApi.person, { query: { id: ann } })
    expect(branches.map((b) => b.bc_id)).toEqual([its])
    const strange = await who.ask(supervisionApi.person, { query: { id: ann, bc_id: its === bc ? far : bc } })
    expect(strange.code).toBe(403)
  }
  const mine = await pm.call(supervisionApi.person, { query: {} })
  expect(new Set(mine.branches.map((b) => b.bc_id))).toEqual(new Set([bc, far]))
})

test('an account that is stopped keeps what was theirs in their time; a site without manager is nobody’s', async () => {
  const waited = (await figures(bob)).open
  // Late since yesterday evening, and still to be done for some hours.
  await book.task({ site: site.id, people: [bob], daysAgo: 0, outcome: null })
  const old = await figures(bob)
  expect(old.open).toBe(waited + 1)
  await server.sql(`UPDATE users SET status = 2 WHERE id = $1`, [bob])
  const list = await gm.call(supervisionApi.people, { query: { bc_id: bc, pageSize: 100 } })
  const row = list.list.find((p) => p.id === bob)!
  expect([row.isStopped, row.complaints, row.homes]).toEqual([true, old.complaints, old.homes])
  // Who cannot sign in patrols nothing any more.
  expect(row.open).toBe(waited)
  await server.sql('UPDATE sites SET manager_id = NULL WHERE id = $1', [site.id])
  await server.sql('DELETE FROM site_leads WHERE of_site = $1 AND post = 2 AND to_at IS NULL', [site.id])
  server.later(24 * HOUR)
  await enter()
  const before = await gm.call(supervisionApi.people, { query: { bc_id: bc, post: 2, pageSize: 100 } })
  await book.complaint({ site: site.id, people: [], daysAgo: -2 })
  await book.warning({ site: site.id, people: [], daysAgo: -2, ended: 'done' })
  const after = await gm.call(supervisionApi.people, { query: { bc_id: bc, post: 2, pageSize: 100 } })
  expect(after.list.map((p) => [p.id, p.complaints, p.done])).toEqual(
    before.list.map((p) => [p.id, p.complaints, p.done]),
  )
  // It is named, so that somebody gives it one.
  expect(after.unled.map((w) => w.id)).toEqual([site.id])
})
