import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

import { SYSTEM } from '../features/session/access.reads.ts'
import { row, text } from '../kit/row.ts'
import { dropDatabases, freshDatabase } from '../testing/database.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { backup } from './backup.ts'
import { migrate } from './migrate.ts'
import { restore } from './restore.ts'
import { roomFor } from './room.ts'

/** What a managed PostgreSQL gives: somebody who makes roles and databases, and is above nobody. */
const { root } = inject('cluster')
const name = `zg_lesser_${randomBytes(5).toString('hex')}`
const role = `${name}_owner`
const folder = mkdtempSync(join(tmpdir(), 'zhuguan-lesser-'))
const urlOf = (user: string) => {
  const url = new URL(root)
  url.pathname = `/${name}`
  if (user) [url.username, url.password] = [user, 'lesser']
  return url.href
}
async function as<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
let server: TestServer
beforeAll(async () => {
  await as(root, async (client) => {
    await client.query(`CREATE ROLE ${role} LOGIN CREATEROLE NOSUPERUSER PASSWORD 'lesser'`)
    await client.query(`CREATE DATABASE ${name} OWNER ${role}`)
  })
  server = await startTestServer({}, { url: urlOf(role), replicas: [] })
})
afterAll(async () => {
  await server.stop()
  await dropDatabases(root, [name])
  await as(root, (client) => client.query(`DROP ROLE ${role}`))
  rmSync(folder, { recursive: true, force: true })
})

test('an owner that is no superuser has the product whole: people work, a backup comes back', async () => {
  expect(await server.sql('SELECT rolsuper FROM pg_roles WHERE rolname = current_user')).toEqual([
    { rolsuper: false },
  ])
  const admin = await server.as('admin')
  const [branch] = await server.sql<{ bc_id: string }>(
    `SELECT bc_id FROM companies WHERE tenant_id = $1 LIMIT 1`,
    [admin.tenant],
  )
  await admin.call(sitesApi.add, { body: { ws_name: '新的工地', bc_id: branch!.bc_id, address: '某路' } })
  // A name is taken over all groups: the directory is kept by a function that acts as the owner.
  const [kept] = await server.sql<{ names: number; people: number }>(
    `SELECT count(*)::int AS names, (SELECT count(*)::int FROM users WHERE deleted_at IS NULL) AS people
     FROM account_names`,
  )
  expect(kept!.names).toBe(kept!.people)
  expect(kept!.names).toBeGreaterThan(15)
  const file = join(folder, 'lesser.gz')
  await backup(server.ownerUrl, server.dataDir, file)
  await as(root, async (client) => {
    await client.query(`CREATE DATABASE ${name}_back OWNER ${role}`)
  })
  const back = new URL(server.ownerUrl)
  back.pathname = `/${name}_back`
  try {
    await restore(back.href, folder, file)
    const sites = `SELECT md5(string_agg(s::text, ',' ORDER BY s.id)) AS all FROM sites s`
    const digest = (url: string) =>
      as(url, async (client) => {
        await client.query(`SET app.tenant = '*'`)
        return (await client.query<{ all: string }>(sites)).rows[0]!.all
      })
    const [here, there] = [await digest(server.ownerUrl), await digest(back.href)]
    expect(there).toBe(here)
    expect(here).toMatch(/^[0-9a-f]{32}$/)
  } finally {
    await dropDatabases(root, [`${name}_back`])
  }
}, 600_000)

test('its own session sees nothing before it says so, no function has a setting, logins see one group', async () => {
  await as(urlOf(role), async (client) => {
    expect((await client.query('SELECT 1 FROM users')).rowCount).toBe(0)
    expect((await client.query('SELECT 1 FROM account_names')).rowCount).toBe(0)
    const { rows } = await client.query(
      `SELECT proname FROM pg_proc WHERE array_to_string(proconfig, ',') LIKE '%app.%'`,
    )
    expect(rows).toEqual([])
  })
  const [one, two] = await server.sql<{ id: string }>('SELECT id FROM tenants ORDER BY name LIMIT 2')
  await as(server.logins.app, async (client) => {
    const seen = async () => (await client.query('SELECT DISTINCT tenant_id AS id FROM users')).rows
    expect(await seen()).toEqual([])
    await client.query(
      `BEGIN; SET LOCAL app.tenant = '${one!.id}'; SET LOCAL app.bcs = '*'; SET LOCAL app.sites = '*'`,
    )
    expect(await seen()).toEqual([{ id: one!.id }])
    await client.query('ROLLBACK')
    await client.query(`BEGIN; SET LOCAL ROLE ${pg.escapeIdentifier(server.logins.reach!.tenant)}`)
    await client.query(`SET LOCAL app.tenant = '${two!.id}'`)
    expect(await seen()).toEqual([{ id: two!.id }])
    await client.query('ROLLBACK')
    await expect(client.query(`SET ROLE ${role}`)).rejects.toThrow(/permission denied/)
  })
})

test('where a superuser gave functions the setting before, an upgrade takes it back', async () => {
  const database = await freshDatabase()
  const upgraded = new URL(root)
  upgraded.pathname = new URL(database.ownerUrl).pathname
  const carried = (client: pg.Client) =>
    client.query<{ name: string }>(
      `SELECT proname AS name FROM pg_proc WHERE 'app.tenant=*' = ANY (proconfig) ORDER BY 1`,
    )
  try {
    await as(upgraded.href, async (client) => {
      await client.query(`ALTER FUNCTION account_named() SET app.tenant = '*'`)
      await client.query(`ALTER FUNCTION finish_contract(uuid, uuid, date) SET app.tenant = '*'`)
      await client.query(`DELETE FROM schema_migrations WHERE name LIKE '0440%'`)
      await client.query('DROP FUNCTION owner_rules()')
      expect((await carried(client)).rows.map((r) => r.name)).toEqual(['account_named', 'finish_contract'])
      expect((await migrate(upgraded.href)).applied).toEqual(['0440-an-owner-without-superuser.sql'])
      expect((await carried(client)).rows).toEqual([])
    })
  } finally {
    await database.drop()
  }
})

const SET_INSIDE = [
  `SELECT set_config('app.tenant', '*', true) AS said`,
  `SELECT pg_catalog."set_config"('app.tenant', '*', true) AS said`,
  `SELECT U&"\\0073et_config"('app.tenant', '*', true) AS said`,
  `SELECT query_to_xml('SELECT set_' || 'config(''app.tenant'', ''*'', true)', true, true, '')::text AS said`,
  `SELECT word AS said FROM ts_stat('SELECT set_' || 'config(''app.tenant'', ''*'', true)::tsvector')`,
]
test.each(SET_INSIDE)('no statement sets what its transaction may see: %s', async (statement) => {
  const [{ id }] = (await server.sql<{ id: string }>('SELECT id FROM tenants LIMIT 1')) as [{ id: string }]
  for (const scope of [SYSTEM, { tenant: id, bcs: null, sites: null, user: null, system: false }])
    await expect(
      server.db.tx(scope, (tx) => tx.query('test.sets', row({ said: text }), statement)),
    ).rejects.toThrow('test.sets could set what its transaction may see')
})

test('what the database does not refuse is said at the start, and no more once a superuser took it', async () => {
  const open = async () =>
    (await roomFor(server.ownerUrl, server.logins, 4)).lines.filter((line) => line.includes('REVOKE EXECUTE'))
  expect(await open()).toHaveLength(1)
  await as(urlOf(''), (client) =>
    client.query('REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) FROM PUBLIC'),
  )
  expect(await open()).toEqual([])
  await as(server.logins.app, (client) =>
    expect(client.query(`SELECT set_config('app.tenant', '*', true)`)).rejects.toThrow(/permission denied/),
  )
  // Nothing of the product needs it.
  expect((await migrate(server.ownerUrl)).applied).toEqual([])
  expect((await (await server.as('branch_gm')).ask(sitesApi.list)).code).toBe(200)
})
