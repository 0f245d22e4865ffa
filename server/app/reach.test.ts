import { api } from '@zhuguan/contract/api.ts'
import { LIVE_TOPICS } from '@zhuguan/contract/features/live/live.api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Scope } from '../database/connect.ts'
import { SEED_ROLES } from '../database/seed/roles.ts'
import { int4, row, uuid } from '../kit/row.ts'
import { report } from '../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../testing/start.ts'
import { seconds } from '../testing/time.ts'

interface Place {
  bc: string
  site: string
  device: string
  worker: string
  alarm: string
}
let server: TestServer
let tenant: string
/** pm's own site in Hangzhou, and one in Ningbo where pm is nobody. */
let own: Place
let far: Place

beforeAll(async () => {
  server = await startTestServer()
  const camera = async (where: string) => {
    const [row] = await server.sql<{ sn: string }>(
      `SELECT d.sn FROM devices d JOIN sites w ON w.id = d.site_id JOIN companies c ON c.bc_id = w.bc_id LEFT JOIN users m ON m.id = w.manager_id
       WHERE d.type = 'camera' AND w.status = 1 AND EXISTS (SELECT 1 FROM site_members e WHERE e.site_id = w.id) AND ${where} LIMIT 1`,
    )
    const device = server.devices.find((d) => d.sn === row!.sn)!
    await report(server.url, device, [
      { id: 'reach', kind: 'alarm', at: seconds() - 60, type: 'smoking', confidence: 0.9 },
    ])
    const [place] = await server.sql<Place>(
      `SELECT w.bc_id AS bc, w.id AS site, d.id AS device, (SELECT e.worker_id FROM site_members e WHERE e.site_id = w.id LIMIT 1) AS worker,
         (SELECT a.id FROM alarms a WHERE a.device_id = d.id ORDER BY a.id DESC LIMIT 1) AS alarm FROM devices d JOIN sites w ON w.id = d.site_id WHERE d.sn = $1`,
      [device.sn],
    )
    return place!
  }
  own = await camera(`m.user_name = 'pm'`)
  far = await camera(`c.code = 'NB'`)
  const [pm] = await server.sql<{ tenant: string }>(
    `SELECT tenant_id AS tenant FROM users WHERE user_name = 'pm'`,
  )
  tenant = pm!.tenant
})
afterAll(() => server.stop())

/** Gives an account these roles and no others; a new role may be described on the spot. */
async function holding(
  account: string,
  ...roles: (string | { scope: string; pages: string[]; powers: string[] })[]
): Promise<Person> {
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
        `INSERT INTO role_pages SELECT r.tenant_id, r.id, p.id FROM roles r JOIN pages p ON p.tenant_id = r.tenant_id WHERE r.code = $1 AND p.component_name = ANY ($2)`,
        [code, role.pages],
      )
      await server.sql(
        'INSERT INTO role_powers SELECT tenant_id, id, unnest($2::text[]) FROM roles WHERE code = $1',
        [code, role.powers],
      )
    }
    await server.sql(
      `INSERT INTO user_roles SELECT u.tenant_id, u.id, r.id FROM users u JOIN roles r ON r.tenant_id = u.tenant_id AND r.code = $2 WHERE u.user_name = $1`,
      [account, code],
    )
  }
  await server.sql(`SELECT pg_notify('access', '')`)
  await new Promise((r) => setTimeout(r, 200))
  return server.as(account)
}

/** What a call on a place looks like; only calls that change nothing when they are let through at a wrong version. */
const calls = (at: Place): [Endpoint, { query?: object; body?: object }][] => {
  const v = { version: 9_999 }
  return [
    [api.sites.details, { query: { id: at.site } }],
    [api.timeline.list, { query: { site_id: at.site } }],
    [api.alarms.details, { query: { id: at.alarm } }],
    [api.workers.details, { query: { id: at.worker } }],
    [api.devices.history, { query: { id: at.device } }],
    [api.sites.edit, { body: { id: at.site, ...v, ws_name: '改名', bc_id: at.bc, address: '某地' } }],
    [api.sites.state, { body: { id: at.site, ...v, action: 'terminate', reason: '试试看' } }],
    [api.sites.people, { body: { id: at.site, ...v, steward_id: null, manager_id: null } }],
    [api.alarms.cancel, { body: { id: at.alarm, ...v, cause: 'wrong', reason: '误报了' } }],
    [api.alarms.reopen, { body: { id: at.alarm, ...v, reason: '再看一次' } }],
    [api.alarms.start, { body: { id: at.alarm, ...v } }],
    [api.devices.change, { body: { id: at.device, ...v, action: 'unbind' } }],
    [api.workers.state, { body: { id: at.worker, ...v, action: 'stop', reason: '试试看' } }],
  ]
}
const labels = (e: Endpoint) => (Array.isArray(e.access) ? (e.access as string[]) : [])
/** Written apart from the server: one role alone must hold the label and reach the place. */
const mayBy = (roles: string[], e: Endpoint, at: 'own' | 'far') =>
  SEED_ROLES.filter((r) => roles.includes(r.code)).some(
    (r) =>
      labels(e).some((l) =>
        l.startsWith('page:')
          ? r.pages.some((p) => `page:${p}` === l)
          : r.powers.includes(l) || r.powers.includes('*:*:*'),
      ) &&
      (at === 'own' || r.scope === 'tenant'),
  )

test.each([
  ['hq_ops', 'pm'],
  ['inspector', 'pm'],
  ['hq_ops', 'branch_gm'],
  ['hq_ops', 'steward', 'device_keeper'],
  ['pm', 'steward'],
])('a right counts where the role that gives it reaches: %s and %s', async (...roles) => {
  const person = await holding('pm', ...roles)
  let asked = 0
  for (const [at, place] of [
    ['own', own],
    ['far', far],
  ] as const)
    for (const [endpoint, input] of calls(place)) {
      const anywhere = mayBy(roles, endpoint, 'own')
      const answer = await person.ask(endpoint, input as never)
      const what = `${roles.join('+')} ${endpoint.path} ${at}: ${answer.status} ${answer.code} ${answer.msg}`
      if (!anywhere) expect(answer.msg, what).toBe('No Permission')
      else if (!mayBy(roles, endpoint, at)) expect([answer.status, answer.code], what).toEqual([403, 403])
      else expect([200, 409], what).toContain(answer.code)
      asked += 1
    }
  expect(asked).toBe(26)
})

test('who reads the group and leads own sites ends no contract elsewhere, and ends one of theirs', async () => {
  const person = await holding('pm', 'hq_ops', 'pm')
  const end = async (place: Place) => {
    const { version } = await person.call(api.sites.details, { query: { id: place.site } })
    return person.ask(api.sites.state, {
      body: { id: place.site, version, action: 'terminate', reason: '客户退单' },
    })
  }
  expect(await end(far)).toMatchObject({ status: 403, code: 403 })
  expect(await server.sql('SELECT status FROM sites WHERE id = $1', [far.site])).toEqual([{ status: 1 }])
  expect(await end(own)).toMatchObject({ code: 200 })
  await server.sql('UPDATE sites SET status = 1 WHERE id = $1', [own.site])
})

test('where one call takes several rights, each counts at the place of its own role', async () => {
  const person = await holding(
    'pm',
    { scope: 'tenant', pages: ['DeviceList'], powers: ['device:delete'] },
    { scope: 'ownSites', pages: [], powers: ['device:edit'] },
  )
  const fault = async (at: Place) => {
    const [d] = await server.sql<{ version: number }>('SELECT version FROM devices WHERE id = $1', [
      at.device,
    ])
    return person.ask(api.devices.change, {
      body: { id: at.device, version: d!.version, action: 'fault', remark: '没有画面' },
    })
  }
  const before = await server.sql('SELECT device_status, version FROM devices WHERE id = $1', [far.device])
  expect(await fault(far)).toMatchObject({ code: 409, msg: '您没有“报修”的权限' })
  expect(await server.sql('SELECT device_status, version FROM devices WHERE id = $1', [far.device])).toEqual(
    before,
  )
  expect(await fault(own)).toMatchObject({ code: 200, msg: '' })
  await server.sql('UPDATE devices SET device_status = 1, last_seen = :now WHERE id = $1', [own.device])
})

test('a branch and a single site elsewhere add up, in lists and in the database', async () => {
  await server.sql(
    `UPDATE sites SET steward_id = (SELECT id FROM users WHERE user_name = 'inspector') WHERE id = $1`,
    [far.site],
  )
  const person = await holding('inspector', 'inspector', 'steward')
  const [n] = await server.sql<{ hz: number; nb: number }>(
    `SELECT count(*) FILTER (WHERE bc_id = $1)::int AS hz, count(*) FILTER (WHERE bc_id = $2)::int AS nb FROM sites WHERE deleted_at IS NULL`,
    [own.bc, far.bc],
  )
  expect(n!.nb).toBeGreaterThan(1)
  const sites = await person.call(api.sites.list, { query: { pageSize: 100 } })
  expect(sites.totalCount).toBe(n!.hz + 1)
  expect(sites.list.filter((s) => s.bc_id === far.bc).map((s) => s.id)).toEqual([far.site])
  expect((await person.call(api.alarms.list, { query: { bc_id: [far.bc] } })).list.map((a) => a.id)).toEqual([
    far.alarm,
  ])
  const workers = await person.call(api.workers.list, { query: { bc_id: [far.bc], pageSize: 100 } })
  const team = await server.sql(
    `SELECT worker_id FROM site_members WHERE site_id = $1
     UNION SELECT k.id FROM workers k JOIN sites w ON k.user_id IN (w.manager_id, w.steward_id) WHERE w.id = $1`,
    [far.site],
  )
  expect(workers.totalCount).toBe(team.length)
  // Devices are the inspector's page: the steward's reach adds none.
  expect((await person.call(api.devices.list, { query: { bc_id: [far.bc] } })).totalCount).toBe(0)
  const scope: Scope = { tenant, user: null, bcs: [own.bc], sites: [far.site] }
  const places = await server.db.tx(
    scope,
    (tx) =>
      tx.query(
        'reach.rows',
        row({ bc_id: uuid, n: int4 }),
        'SELECT bc_id, count(*)::int AS n FROM sites WHERE deleted_at IS NULL GROUP BY 1',
        [],
      ),
    { readOnly: true },
  )
  expect(Object.fromEntries(places.rows.map((r) => [r.bc_id, r.n]))).toEqual({ [own.bc]: n!.hz, [far.bc]: 1 })
})

test('search and live messages reach as far as the page that shows them', async () => {
  const person = await holding(
    'examiner',
    { scope: 'tenant', pages: ['SiteInfo'], powers: [] },
    { scope: 'branches', pages: ['DeviceList', 'AlarmEvent'], powers: [] },
  )
  const [{ sn, code }] = (await server.sql<{ sn: string; code: string }>(
    `SELECT d.sn, w.code FROM devices d JOIN sites w ON w.id = d.site_id WHERE d.id = $1`,
    [far.device],
  )) as [{ sn: string; code: string }]
  const hits = async (keyword: string) =>
    (await person.call(api.search.all, { query: { keyword } })).map((h) => h.kind)
  expect(await hits(code)).toEqual(['site'])
  expect(await hits(sn)).toEqual([])
  const [{ sn: near }] = (await server.sql<{ sn: string }>('SELECT sn FROM devices WHERE id = $1', [
    own.device,
  ])) as [{ sn: string }]
  expect(await hits(near)).toEqual(['device'])

  const lone = await holding(
    'acceptor',
    { scope: 'tenant', pages: ['WorkerList'], powers: [] },
    { scope: 'branches', pages: ['AlarmEvent'], powers: [] },
  )
  const stop = new AbortController()
  const response = await fetch(`${server.url}${api.live.stream.path}`, {
    headers: { token: lone.token, 'tenant-id': lone.tenant },
    signal: stop.signal,
  })
  const heard: string[] = []
  const reading = (async () => {
    for await (const chunk of response.body!) heard.push(Buffer.from(chunk).toString())
  })().catch(() => {})
  const tell = (place: Place, id: string) =>
    server.sql(
      `INSERT INTO live_events (tenant_id, bc_id, site_id, topic, what, ref_id) VALUES ($1, $2, $3, 'alarm', 'changed', $4)`,
      [tenant, place.bc, place.site, id],
    )
  await tell(far, 'far-one')
  await tell(own, 'near-one')
  for (let i = 0; i < 40 && !heard.join('').includes('near-one'); i += 1)
    await new Promise((r) => setTimeout(r, 100))
  stop.abort()
  await reading
  expect(heard.join('')).toContain('near-one')
  expect(heard.join('')).not.toContain('far-one')
  expect(LIVE_TOPICS).toContain('alarm')
})

test('a figure of the home page reaches as far as the list behind it', async () => {
  const person = await holding(
    'service',
    { scope: 'tenant', pages: ['HomeMaster', 'SiteList'], powers: [] },
    { scope: 'branches', pages: ['AlarmEvent', 'DeviceList'], powers: [] },
  )
  const { figures } = await person.call(api.home.cards, {})
  const value = (card: string) => figures.find((f) => f.card === card)!.value
  const building = await person.call(api.sites.list, { query: { status: [1] } })
  const alarms = await person.call(api.alarms.list, { query: { correctionStatus: [1, 2] } })
  expect(value('building')).toBe(building.totalCount)
  expect(value('openAlarms')).toBe(alarms.totalCount)
  const [all] = await server.sql<{ n: number }>(
    'SELECT count(*)::int AS n FROM alarms WHERE tenant_id = $1 AND correction_status IN (1, 2)',
    [tenant],
  )
  expect(alarms.totalCount).toBeLessThan(all!.n)
})

test('nobody gives in a wide reach what they hold in a narrow one', async () => {
  const person = await holding(
    'quoter',
    { scope: 'tenant', pages: ['RoleList', 'SiteList'], powers: ['role:add'] },
    { scope: 'branches', pages: ['SiteList', 'AlarmEvent'], powers: ['site:state'] },
  )
  const pages = await server.sql<{ id: string }>(
    `SELECT id FROM pages WHERE tenant_id = $1 AND component_name = 'SiteList'`,
    [tenant],
  )
  const role = (dataScope: 'tenant' | 'branches') => ({
    body: {
      code: `give_${dataScope}`,
      name: `给出${dataScope}`,
      dataScope,
      remark: '',
      status: 1 as const,
      pageIds: pages.map((p) => p.id),
      labels: ['site:state'],
    },
  })
  const wide = await person.ask(api.roles.add, role('tenant'))
  expect(wide).toMatchObject({ code: 403, msg: expect.stringContaining('范围里没有这些权限') })
  expect((await person.ask(api.roles.add, role('branches'))).code).toBe(200)
})

test('a later table is reached by store and by receiver, on a site or not', async () => {
  await server.sql(
    `CREATE TABLE orders_to_come (tenant_id uuid NOT NULL, id int, bc_id uuid NOT NULL, store_id uuid, receiver_id uuid, PRIMARY KEY (tenant_id, id))`,
  )
  await server.sql(`SELECT protect('orders_to_come')`)
  const [store, merchant] = await server.sql<{ id: string }>(
    'SELECT id FROM stores WHERE tenant_id = $1 ORDER BY id',
    [tenant],
  )
  await server.sql(`SET app.tenant = '*'`)
  await server.sql(
    `INSERT INTO orders_to_come VALUES ($1, 1, $2, $4, NULL), ($1, 2, $3, NULL, $5), ($1, 3, $2, NULL, $2), ($1, 4, $3, NULL, NULL)`,
    [tenant, own.bc, far.bc, store!.id, merchant!.id],
  )
  await server.sql('RESET app.tenant')
  const seen = async (scope: Partial<Scope>) =>
    (
      await server.db.tx(
        { tenant, user: null, bcs: null, sites: null, ...scope },
        (tx) => tx.query('reach.orders', row({ id: int4 }), 'SELECT id FROM orders_to_come ORDER BY id', []),
        { readOnly: true },
      )
    ).rows.map((r) => r.id)
  expect(await seen({})).toEqual([1, 2, 3, 4])
  expect(await seen({ bcs: [own.bc], receivers: [own.bc] })).toEqual([1, 3])
  expect(await seen({ bcs: [far.bc], receivers: [far.bc] })).toEqual([2, 4])
  // A shop sees what names it, though no site is theirs; who sees own sites sees none of this.
  expect(await seen({ sites: [], stores: [store!.id], receivers: [merchant!.id] })).toEqual([1, 2])
  expect(await seen({ sites: [own.site] })).toEqual([])
  await server.sql('DROP TABLE orders_to_come')
})
