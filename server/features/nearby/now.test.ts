import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { nearbyApi } from '@zhuguan/contract/features/nearby/nearby.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { caseStage, type CaseStage, type Home } from '../../testing/casing.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { testNow } from '../../testing/time.ts'

let server: TestServer
let gm: Person
let steward: Person
let sales: Person
let c: CaseStage
const today = shanghaiDay(testNow())
/** Kilometres east of the middle, at sixty degrees north. */
const EAST = 100
const kmEast = (km: number) => EAST + (km * 1_000) / (111_195 * Math.cos(Math.PI / 3))
const PLACES = [
  ['云', 0],
  ['溪', 3],
  ['湖', 8],
  ['海', 40],
  ['山', 1],
] as const

beforeAll(async () => {
  server = await startTestServer()
  ;[gm, steward, sales] = await Promise.all([
    server.as('branch_gm'),
    server.as('steward'),
    server.as('sales'),
  ])
  c = await caseStage(server, { gm, steward, service: await server.as('service') })
  await server.sql(`UPDATE companies SET city = '仙境' WHERE tenant_id = $1`, [sales.tenant])
  await server.sql(`UPDATE sites SET community = '' WHERE tenant_id = $1`, [sales.tenant])
  for (const [i, [name, km]] of PLACES.entries())
    await server.sql(`UPDATE sites SET community = $2, lng = $3, lat = 60 WHERE id = $1`, [
      c.homes[i]!.site,
      name,
      kmEast(km),
    ])
  await server.sql('DELETE FROM attendance_days WHERE tenant_id = $1', [sales.tenant])
  await server.sql('UPDATE stores SET lng = NULL, lat = NULL')
})
afterAll(() => server.stop())

const homeAt = (name: string) => ({
  ...c.homes[PLACES.findIndex(([one]) => one === name)]!,
  community: name,
})
const now = (query: object = {}, who = sales) => who.call(nearbyApi.now, { query })
const away = (query: object = {}, who = sales) => who.call(nearbyApi.cases, { query })
/** Workers of these trades have clocked in there on that day. */
const clockIn = (home: Home, trades: readonly number[], day = today) =>
  server.sql(
    `INSERT INTO attendance_days (tenant_id, day, site_id, worker_id, bc_id, first_at, last_at, count)
     SELECT DISTINCT ON (k.w_type) k.tenant_id, $2::date, $1::uuid, k.id, k.bc_id, :now, :now, 1
     FROM workers k WHERE k.bc_id = $3 AND k.w_type = ANY ($4::int[]) AND k.deleted_at IS NULL
     ORDER BY k.w_type, k.id
     ON CONFLICT DO NOTHING`,
    [home.site, day, home.bc, trades],
  )
/** Published with this scope; its place is the store. */
async function shown(home: Home, scope?: readonly string[]): Promise<string> {
  const id = await c.made(home)
  await c.maskAll(id)
  await c.releaseAll(id)
  const words = await c.askFor(id, scope ? { scope } : {})
  expect([words.code, words.msg]).toEqual([200, words.msg])
  expect((await c.onPaper(id, home)).code).toBe(200)
  expect((await c.publish(id)).code).toBe(200)
  return id
}

test('nobody is there: neither of yesterday, nor where nothing is shown, nor where it is finished', async () => {
  expect(await now({ community: '云', city: '仙境' })).toMatchObject({
    middle: { kind: 'community', name: '云' },
    homes: [],
    total: 0,
  })
  const id = await shown(homeAt('溪'))
  await clockIn(homeAt('溪'), [3], addDays(today, -1))
  await clockIn(homeAt('山'), [3])
  expect((await now({ community: '云', city: '仙境' })).homes).toEqual([])
  await clockIn(homeAt('溪'), [6, 3])
  const { at, homes } = await now({ community: '云', city: '仙境' })
  expect(shanghaiDay(new Date(at * 1_000))).toBe(today)
  const [picture] = (await c.details(id)).pictures
  expect(homes).toEqual([
    {
      id,
      title: '南北通透的家',
      stage: homes[0]!.stage,
      community: '溪',
      metres: 3_000,
      // 瓦工, 水电工
      trades: [3, 6],
      picture: { key: picture!.rendition, day: picture!.day },
    },
  ])
  await server.sql('UPDATE sites SET status = 4 WHERE id = $1', [homeAt('溪').site])
  expect((await now({ community: '云', city: '仙境' })).homes).toEqual([])
  await server.sql('UPDATE sites SET status = 1 WHERE id = $1', [homeAt('溪').site])
})

test('the nearest three of what was said, or of one’s own store; no name and no address', async () => {
  const near = await shown(homeAt('云'))
  const far = await shown(homeAt('海'))
  const middle = await shown(homeAt('湖'))
  for (const name of ['云', '海', '湖']) await clockIn(homeAt(name), [4])
  const from = async (query: object) => {
    const { homes, total } = await now(query)
    // No more than three: all of them are reached.
    expect(total).toBe(homes.length)
    return homes.map((h) => [h.community, h.metres])
  }
  expect(await from({ community: '云', city: '仙境' })).toEqual([
    ['云', 0],
    ['溪', 3_000],
    ['湖', 8_000],
  ])
  expect(await from({ community: '海' })).toEqual([
    // What is thirty-two kilometres away is not near.
    ['海', 0],
  ])
  // Their own store, and no other one's.
  await server.sql(`UPDATE stores SET lng = $1, lat = 60 WHERE bc_id = $2 AND NOT receives_orders`, [
    kmEast(100),
    c.homes[0]!.bc,
  ])
  await server.sql(
    `UPDATE stores SET lng = $1 WHERE id = (SELECT store_id FROM user_stores t JOIN users u ON u.id = t.user_id
       WHERE u.user_name = 'sales')`,
    [kmEast(8)],
  )
  const told = await now()
  const [store] = await server.sql<{ name: string }>(
    `SELECT s.name FROM stores s JOIN user_stores t ON t.store_id = s.id JOIN users u ON u.id = t.user_id
     WHERE u.user_name = 'sales'`,
  )
  expect(told.middle).toEqual({ kind: 'store', name: store!.name })
  expect(told.homes.map((h) => [h.id, h.metres])).toEqual([
    [middle, 0],
    [expect.any(String), 5_000],
    [near, 8_000],
  ])
  const distances = new Map((await away()).list.map((k) => [k.id, k.metres]))
  expect(distances.get(far)).toBe(32_000)
  // Of a whole group there is no store: nothing is far from nowhere.
  const all = await now({}, await server.as('hq_ops'))
  expect([all.middle.kind, all.homes.every((h) => h.metres === null)]).toEqual(['none', true])
  expect((await away({}, await server.as('hq_ops'))).list).toEqual([])
  const text = JSON.stringify([told, await away()])
  const people = await server.sql<{ name: string }>(
    `SELECT DISTINCT k.w_name AS name FROM attendance_days y JOIN workers k ON k.id = y.worker_id
     UNION SELECT w.address FROM sites w WHERE w.id = ANY ($1::uuid[]) AND w.address <> ''`,
    [c.homes.map((h) => h.site)],
  )
  expect(people.length).toBeGreaterThan(2)
  for (const { name } of people) expect(text).not.toContain(name)
  expect(text).not.toMatch(/address|ws_name|owner|lng|lat|worker/)
})

test('without its community a home comes last and is nowhere; taken back it is gone', async () => {
  const home = homeAt('山')
  const id = await shown(home, ['photos'])
  const { homes, total } = await now({ community: '山' })
  // It is the nearest, and nothing says so.
  expect([homes.map((h) => h.id).includes(id), total]).toEqual([false, 4])
  expect((await away({ community: '山' })).list.map((k) => k.id)).not.toContain(id)
  await server.sql('DELETE FROM attendance_days WHERE site_id <> $1 AND tenant_id = $2', [
    home.site,
    home.tenant,
  ])
  const alone = await now({ community: '山' })
  expect(alone.homes).toMatchObject([{ id, community: null, metres: null, trades: [3] }])
  const { version } = await c.details(id)
  await gm.call(casesApi.withdraw, { body: { id, version, reason: '业主来电' } })
  expect((await now({ community: '山' })).homes).toEqual([])
})

test('a picture is one that people have masked and released; places for links alone are not the store', async () => {
  const home = homeAt('溪')
  await clockIn(home, [5])
  const [first] = (await now()).homes
  expect(first!.community).toBe('溪')
  const id = first!.id
  const bytes = await fetch(`${server.url}${casesApi.picture.path}?key=${first!.picture.key}`, {
    headers: { token: sales.token, 'tenant-id': sales.tenant },
  })
  expect(bytes.status).toBe(200)
  const [p] = (await c.details(id)).pictures
  expect(first!.picture.key).not.toBe(p!.source)
  await server.sql(`UPDATE cases SET places = '{link}' WHERE id = $1`, [id])
  expect((await now()).homes).toEqual([])
  await server.sql(`UPDATE cases SET places = '{store}' WHERE id = $1`, [id])
  await gm.call(casesApi.pull, { body: { id: p!.id, version: p!.version, reason: '有人入镜' } })
  expect((await now()).homes).toEqual([])
})

test('it is for who shows cases, of one group; a community that nobody knows is refused', async () => {
  const strange = await sales.ask(nearbyApi.now, { query: { community: '无' } })
  expect([strange.code, strange.msg]).toEqual([400, '没有在“无”做过工地，请换一个小区'])
  expect((await (await server.as('other')).ask(nearbyApi.now, { query: { community: '云' } })).code).toBe(400)
  for (const call of [nearbyApi.now, nearbyApi.cases])
    expect((await (await server.as('cashier')).ask(call, { query: {} })).msg).toBe('No Permission')
})
