import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../testing/start.ts'
import { listen } from '../testing/stream.ts'

let server: TestServer
let tenant: string
/** pm's own site and another of the same branch, each with a camera. */
let own: { sn: string; site: string }
let beside: { sn: string; site: string }

beforeAll(async () => {
  server = await startTestServer()
  const camera = async (whose: string) =>
    (
      await server.sql<{ sn: string; site: string }>(
        `SELECT d.sn, w.id AS site
         FROM devices d
         JOIN sites w ON w.id = d.site_id
         JOIN companies c ON c.bc_id = w.bc_id
         JOIN users m ON m.id = w.manager_id
         WHERE d.type = 'camera' AND c.code = 'HZ' AND ${whose} ORDER BY d.sn LIMIT 1`,
      )
    )[0]!
  own = await camera(`m.user_name = 'pm'`)
  beside = await camera(`m.user_name <> 'pm'`)
  const [pm] = await server.sql<{ id: string }>(`SELECT tenant_id AS id FROM users WHERE user_name = 'pm'`)
  tenant = pm!.id
})
afterAll(() => server.stop())

type Role = string | { scope: string; pages: string[] }
/** Gives an account these roles and no others; a new role may be described on the spot. */
async function give(account: string, ...roles: Role[]): Promise<void> {
  await server.sql('DELETE FROM user_roles WHERE user_id = (SELECT id FROM users WHERE user_name = $1)', [
    account,
  ])
  for (const role of roles) {
    let code = role
    if (typeof role !== 'string') {
      code = `t${Math.random().toString(36).slice(2, 10)}`
      await server.sql(
        `INSERT INTO roles (tenant_id, id, code, name, data_scope) VALUES ($1, gen_random_uuid(), $2, $2, $3)`,
        [tenant, code, role.scope],
      )
      await server.sql(
        `INSERT INTO role_pages SELECT r.tenant_id, r.id, p.id
         FROM roles r JOIN pages p ON p.tenant_id = r.tenant_id
         WHERE r.code = $1 AND p.component_name = ANY ($2)`,
        [code, role.pages],
      )
    }
    await server.sql(
      `INSERT INTO user_roles SELECT u.tenant_id, u.id, r.id
       FROM users u JOIN roles r ON r.tenant_id = u.tenant_id AND r.code = $2 WHERE u.user_name = $1`,
      [account, code],
    )
  }
  await server.sql(`SELECT pg_notify('access', '')`)
  await new Promise((r) => setTimeout(r, 200))
}
async function holding(account: string, ...roles: Role[]): Promise<Person> {
  await give(account, ...roles)
  return server.as(account)
}
async function hearing(person: Person) {
  const stream = listen(server.url, person)
  await stream.until(() => stream.heard.some((h) => h.kind === 'hello'))
  return stream
}
type Stream = Awaited<ReturnType<typeof hearing>>
/** The rows that the stream was told, and null for an alarm that it was only told of. */
const rowsOf = (stream: Stream) =>
  stream
    .alarms()
    .filter((h) => h.data.what === 'raised')
    .map((h) => h.data.row ?? null)

let n = 0
async function raise({ sn }: { sn: string }): Promise<void> {
  await server.sql(
    'UPDATE alarms SET correction_status = 4, closed_at = :now WHERE correction_status IN (1, 2)',
  )
  const device = server.devices.find((d) => d.sn === sn)!
  const at = Math.floor(server.now().getTime() / 1000) - 5
  const event = { id: `row${++n}`, kind: 'alarm', at, type: 'smoking', confidence: 0.9 }
  const answer = await report(server.url, device, [event], server.now())
  expect(answer.data.accepted).toBe(1)
}
/** A busy machine may tell without rows what it should tell with them: again until these streams were told one. */
async function raiseTold(place: { sn: string }, ...streams: Stream[]): Promise<void> {
  for (let tries = 0; tries < 8; tries += 1) {
    const before = streams.map((stream) => rowsOf(stream).length)
    await raise(place)
    for (const [i, stream] of streams.entries()) await stream.until(() => rowsOf(stream).length > before[i]!)
    if (streams.every((stream) => rowsOf(stream).at(-1))) return
  }
  expect('a row').toBe('told')
}
const newest = async (person: Person) => (await person.call(api.alarms.list)).list[0]!
/** Everybody has been told what there was to tell. */
const settle = () => new Promise((r) => setTimeout(r, 400))

test('a new alarm comes with its row to those who read it in the list, as the list shows it; to nobody else', async () => {
  const people = {
    gm: await server.as('branch_gm'),
    pm: await server.as('pm'),
    hq: await server.as('hq_ops'),
    gm2: await server.as('branch_gm2'),
    pm2: await server.as('pm2'),
    other: await server.as('other'),
    supplier: await server.as('supplier'),
  }
  const streams = new Map<string, Stream>()
  for (const [name, person] of Object.entries(people)) streams.set(name, await hearing(person))
  const of = (...names: string[]) => names.map((name) => streams.get(name)!)
  await raiseTold(own, ...of('gm', 'pm', 'hq'))
  for (const name of ['gm', 'pm', 'hq'] as const) {
    const row = rowsOf(streams.get(name)!).at(-1)
    expect([name, row]).toEqual([name, await newest(people[name])])
    expect(row).toMatchObject({ deviceSn: own.sn, site_id: own.site })
  }
  await settle()
  for (const name of ['gm2', 'pm2', 'other', 'supplier'] as const)
    expect([name, streams.get(name)!.alarms()]).toEqual([name, []])

  const before = rowsOf(streams.get('pm')!).length
  await raiseTold(beside, ...of('gm'))
  await settle()
  expect(rowsOf(streams.get('gm')!).at(-1)).toMatchObject({ deviceSn: beside.sn })
  expect(rowsOf(streams.get('pm')!)).toHaveLength(before)
  for (const stream of streams.values()) await stream.close()
})

test('whoever hears of alarms by another page is told no row, and each role gives it only where it reaches', async () => {
  const site = await holding('service', { scope: 'branches', pages: ['SiteInfo'] })
  // The list on single sites, another page on the whole branch.
  const both = await holding(
    'pm',
    { scope: 'ownSites', pages: ['AlarmEvent'] },
    { scope: 'branches', pages: ['SiteInfo'] },
  )
  const [siteOnly, mixed] = [await hearing(site), await hearing(both)]
  await raise(beside)
  await mixed.until(() => mixed.alarms().length === 1)
  await siteOnly.until(() => siteOnly.alarms().length === 1)
  expect(rowsOf(mixed)).toEqual([null])
  await raiseTold(own, mixed)
  await settle()
  expect(rowsOf(siteOnly).length).toBeGreaterThan(1)
  expect(rowsOf(siteOnly).filter((row) => row !== null)).toEqual([])
  expect(rowsOf(mixed).at(-1)).toEqual(await newest(both))
  for (const stream of [siteOnly, mixed]) await stream.close()
  await give('pm', 'pm')
})

test('who loses the page, the role or the site while the stream is open is told no row any more', async () => {
  const gm = await holding('branch_gm', { scope: 'branches', pages: ['AlarmEvent', 'SiteInfo'] })
  const stream = await hearing(gm)
  await raiseTold(own, stream)
  const told = rowsOf(stream).length
  await server.sql(
    `DELETE FROM role_pages WHERE role_id IN (SELECT r.role_id FROM user_roles r JOIN users u ON u.id = r.user_id WHERE u.user_name = 'branch_gm')
       AND page_id IN (SELECT id FROM pages WHERE component_name = 'AlarmEvent')`,
  )
  await server.sql(`SELECT pg_notify('access', '')`)
  await new Promise((r) => setTimeout(r, 300))
  await raise(own)
  await stream.until(() => rowsOf(stream).length > told)
  expect(rowsOf(stream).at(-1)).toBeNull()
  await stream.close()
  await give('branch_gm', 'branch_gm')

  const pm = await server.as('pm')
  const his = await hearing(pm)
  await raiseTold(own, his)
  const rows = rowsOf(his).filter((row) => row !== null).length
  const [before] = await server.sql<{ id: string }>('SELECT manager_id AS id FROM sites WHERE id = $1', [
    own.site,
  ])
  await server.sql(
    `UPDATE sites SET manager_id = (SELECT id FROM users WHERE user_name = 'pm2') WHERE id = $1`,
    [own.site],
  )
  // One second past the time for which a person's rights are remembered.
  server.later(21_000)
  await raise(own)
  await settle()
  expect(rowsOf(his).filter((row) => row !== null)).toHaveLength(rows)
  await server.sql('UPDATE sites SET manager_id = $2 WHERE id = $1', [own.site, before!.id])
  await his.close()
})

test('many at once are told without rows, in their order, each once', async () => {
  const gm = await server.as('branch_gm')
  const stream = await hearing(gm)
  await server.sql(
    'UPDATE alarms SET correction_status = 4, closed_at = :now WHERE correction_status IN (1, 2)',
  )
  const cameras = server.devices.filter((d) => d.type === 'camera' && d.sn.includes('HZ'))
  await Promise.all(
    cameras.map((device) =>
      report(
        server.url,
        device,
        ['smoking', 'noclothes'].map((type) => ({
          id: `many-${type}`,
          kind: 'alarm',
          at: Math.floor(server.now().getTime() / 1000) - 5,
          type,
          confidence: 0.9,
        })),
        server.now(),
      ),
    ),
  )
  await stream.until(() => stream.alarms().length >= cameras.length * 2)
  await settle()
  expect(new Set(stream.alarms().map((h) => h.data.id)).size).toBe(cameras.length * 2)
  expect(stream.alarms()).toHaveLength(cameras.length * 2)
  await stream.close()
})
