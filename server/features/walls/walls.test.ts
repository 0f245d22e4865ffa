import { wallsApi } from '@zhuguan/contract/features/walls/walls.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  // Always at work, until a story says otherwise.
  await server.sql(
    `INSERT INTO settings (tenant_id, bc_id, key, value)
     SELECT c.tenant_id, c.bc_id, x.key, x.value::jsonb
     FROM companies c, (VALUES ('workStart', '"00:00"'), ('workEnd', '"23:59"'), ('restDays', '[]')) AS x(key, value)
     WHERE c.code = 'HZ'`,
  )
})
afterAll(() => server.stop())

const [ONLINE, OFFLINE, FAULTY] = [1, 2, 4]
/** Cameras on sites of the branch, in the order of the wall where all see the same. */
const camerasOf = (branch: string) =>
  server.sql<{ id: string; site_id: string; sn: string }>(
    `SELECT d.id, d.site_id, d.sn
     FROM devices d JOIN companies c ON c.tenant_id = d.tenant_id AND c.bc_id = d.bc_id
     WHERE c.code = $1 AND d.type = 'camera' AND d.site_id IS NOT NULL AND d.deleted_at IS NULL
     ORDER BY d.site_id, d.id`,
    [branch],
  )
const see = (ids: readonly string[], status: number, minutes: number | null) =>
  server.sql(
    `UPDATE devices SET device_status = $2, last_picture = CASE WHEN $3::int IS NULL THEN NULL ELSE 'still.jpg' END,
       last_picture_at = :now - make_interval(mins => $3::int)
     WHERE id = ANY ($1)`,
    [ids, status, minutes],
  )

test('cameras that see something come first, then old ones, then dark ones; no camera twice', async () => {
  const gm = await server.as('branch_gm')
  const mine = await camerasOf('HZ')
  expect(mine.length).toBeGreaterThan(6)
  const ids = mine.map((c) => c.id)
  await see(ids, ONLINE, 5)
  await see([ids[0]!], OFFLINE, 5)
  await see([ids[1]!], ONLINE, 31)
  await see([ids[2]!], ONLINE, null)
  await see([ids[3]!], FAULTY, null)
  const expected = [...ids.slice(4), ids[1]!, ids[2]!, ids[0]!, ids[3]!]

  const seen: string[] = []
  let after: string | undefined
  do {
    const page = await gm.call(wallsApi.cameras, { query: { pageSize: 3, ...(after ? { after } : {}) } })
    expect(page).toMatchObject({ total: ids.length, asks: false })
    seen.push(...page.list.map((c) => c.id))
    after = page.next ?? undefined
  } while (after)
  expect(seen).toEqual(expected)

  const [dark] = (await gm.call(wallsApi.cameras, { query: { ids: [ids[3]!] } })).list
  expect(dark).toMatchObject({ id: ids[3], sn: mine[3]!.sn, site_id: mine[3]!.site_id, deviceStatus: FAULTY })
  expect([dark!.picture, dark!.pictureAt]).toEqual([null, null])
})

test('a branch, sites or a name narrow the turn', async () => {
  const gm = await server.as('branch_gm')
  const [one, ...others] = await camerasOf('HZ')
  const far = others.find((c) => c.site_id !== one!.site_id)!
  const at = (sites: string[]) => [one!, ...others].filter((c) => sites.includes(c.site_id)).length
  const two = await gm.call(wallsApi.cameras, { query: { site_id: [one!.site_id, far.site_id] } })
  expect(two.total).toBe(at([one!.site_id, far.site_id]))
  expect(new Set(two.list.map((c) => c.site_id))).toEqual(new Set([one!.site_id, far.site_id]))
  const byNumber = await gm.call(wallsApi.cameras, { query: { keyword: far.sn.toLowerCase() } })
  expect(byNumber.list.map((c) => c.id)).toEqual([far.id])
  const [site] = await server.sql<{ ws_name: string }>('SELECT ws_name FROM sites WHERE id = $1', [
    far.site_id,
  ])
  const byName = await gm.call(wallsApi.cameras, { query: { keyword: site!.ws_name } })
  expect(byName.list.every((c) => c.siteName === site!.ws_name)).toBe(true)
  expect((await gm.call(wallsApi.cameras, { query: { keyword: '%' } })).list).toEqual([])
})

test('nobody sees a camera of somebody else, whatever they ask for', async () => {
  const mine = new Set((await camerasOf('HZ')).map((c) => c.id))
  const [other] = await server.sql<{ id: string; site_id: string; bc_id: string }>(
    `SELECT d.id, d.site_id, d.bc_id FROM devices d
     WHERE d.type = 'camera' AND d.site_id IS NOT NULL AND NOT (d.id = ANY ($1)) LIMIT 1`,
    [[...mine]],
  )
  const gm = await server.as('branch_gm')
  for (const query of [{ ids: [other!.id] }, { site_id: [other!.site_id] }, { bc_id: [other!.bc_id] }])
    expect((await gm.call(wallsApi.cameras, { query })).list).toEqual([])
  // A manager has what stands on their own sites, nobody else's.
  const pm = await server.as('pm')
  const own = await pm.call(wallsApi.cameras, { query: { pageSize: 32 } })
  const [{ sites }] = (await server.sql<{ sites: string[] }>(
    `SELECT array_agg(w.id::text) AS sites FROM sites w JOIN users u ON u.tenant_id = w.tenant_id
       AND u.id IN (w.manager_id, w.steward_id) WHERE u.user_name = 'pm'`,
  )) as [{ sites: string[] }]
  expect(own.list.length).toBeGreaterThan(0)
  for (const camera of own.list) expect(sites).toContain(camera.site_id)
  expect((await (await server.as('hq_ops')).ask(wallsApi.cameras)).code).toBe(401)
  expect((await (await server.as('service')).ask(wallsApi.cameras)).code).toBe(401)
  // A steward sees what is given to owners: on their own sites.
  const steward = await (await server.as('steward')).call(wallsApi.cameras, { query: { pageSize: 32 } })
  const [{ kept }] = (await server.sql<{ kept: string[] }>(
    `SELECT array_agg(w.id::text) AS kept FROM sites w JOIN users u ON u.tenant_id = w.tenant_id
       AND u.id IN (w.manager_id, w.steward_id) WHERE u.user_name = 'steward'`,
  )) as [{ kept: string[] }]
  expect(steward.list.length).toBeGreaterThan(0)
  for (const camera of steward.list) expect(kept).toContain(camera.site_id)
})

test('where nobody works now it is said that a purpose is needed', async () => {
  const today = new Date(server.now().getTime() + 8 * 3_600_000).getUTCDay()
  await server.sql(`UPDATE settings SET value = $1 WHERE key = 'restDays'`, [
    JSON.stringify([today, (today + 1) % 7]),
  ])
  const gm = await server.as('branch_gm')
  expect((await gm.call(wallsApi.cameras)).asks).toBe(true)
  const none = await gm.call(wallsApi.cameras, { query: { keyword: '没有这个工地' } })
  expect(none).toEqual({ list: [], next: null, total: 0, asks: false })
})

test('what is asked wrongly is said in a sentence', async () => {
  const gm = await server.as('branch_gm')
  for (const query of [{ pageSize: 33 }, { after: '7:x' }, { ids: ['x'] }]) {
    const said = await gm.ask(wallsApi.cameras, { query })
    expect([said.status, said.code]).toEqual([200, 400])
    expect(said.msg).toMatch(/[\u4e00-\u9fff]/)
  }
})
