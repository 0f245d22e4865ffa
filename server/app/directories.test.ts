import { rolesApi } from '@zhuguan/contract/features/roles/roles.api.ts'
import { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openFileStore } from '../features/files/file-store.ts'
import { type Person, startTestServer, type TestServer } from '../testing/start.ts'
import { startClock } from './clock.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const TAKEN = { code: 400, msg: expect.stringContaining('已经有人用了') }
/** What the two directories say and what stands in no group, and the other way round. */
const differences = () =>
  server.sql(
    `WITH said AS (
       SELECT 'account' AS kind, name, tenant_id FROM account_names
       UNION ALL SELECT 'device', sn, tenant_id FROM serial_numbers
     ), living AS (
       SELECT 'account' AS kind, lower(user_name), tenant_id FROM users WHERE deleted_at IS NULL
       UNION ALL SELECT 'device', sn, tenant_id FROM devices WHERE deleted_at IS NULL
     )
     (TABLE said EXCEPT ALL TABLE living) UNION ALL (TABLE living EXCEPT ALL TABLE said)`,
  )

async function clerkOf(admin: Person) {
  const { list } = await admin.call(rolesApi.list, { query: { pageSize: 50 } })
  const roles = [list.find((role) => role.dataScope === 'tenant')!.id]
  const facts = (userName: string) => ({ userName, nickname: '某职员', roles })
  const find = async (name: string) =>
    (await admin.call(accountsApi.list, { query: { keyword: name } })).list.find(
      (row) => row.userName === name,
    )!
  return {
    add: (name: string) => admin.ask(accountsApi.add, { body: facts(name) }),
    async rename(from: string, to: string) {
      const { id, version } = await find(from)
      return admin.ask(accountsApi.edit, { body: { ...facts(to), id, version } })
    },
    async remove(name: string) {
      const { id, version } = await find(name)
      return admin.ask(accountsApi.del, { body: { id, version, reason: '离职' } })
    },
  }
}

test('a name is one group’s at a time: taken, renamed, removed, used again, and the directory says so', async () => {
  const [ours, theirs] = [await clerkOf(await server.as('admin')), await clerkOf(await server.as('other'))]
  expect(await differences()).toEqual([])
  expect(await ours.add('zhang')).toMatchObject({ code: 200, msg: '' })
  expect(await theirs.add('Zhang')).toMatchObject(TAKEN)
  expect(await ours.add('ZHANG')).toMatchObject(TAKEN)
  expect((await ours.rename('zhang', 'Zhang')).code).toBe(200)
  expect((await ours.rename('Zhang', 'zhang2')).code).toBe(200)
  expect((await theirs.add('zhang')).code).toBe(200)
  expect(await ours.rename('zhang2', 'zhang')).toMatchObject(TAKEN)
  expect((await theirs.remove('zhang')).code).toBe(200)
  expect((await ours.rename('zhang2', 'zhang')).code).toBe(200)
  expect((await ours.remove('zhang')).code).toBe(200)
  const again = await ours.add('zhang')
  expect(again.code).toBe(200)
  expect((await server.as('zhang', again.data.password)).token).not.toBe('')
  expect(await differences()).toEqual([])
  // The control: a name that the directory does not know is found.
  await server.sql(`DELETE FROM account_names WHERE name = 'zhang'`)
  expect(await differences()).toHaveLength(1)
  await server.sql(`INSERT INTO account_names SELECT 'zhang', tenant_id FROM users WHERE user_name = 'admin'`)
})

test('of many hands of two groups that take one name at once one has it', async () => {
  const both = [await clerkOf(await server.as('admin')), await clerkOf(await server.as('other'))]
  const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((i) => both[i % 2]!.add('wang')))
  expect(answers.filter((answer) => answer.code === 200)).toHaveLength(1)
  for (const answer of answers.filter((a) => a.code !== 200)) expect(answer).toMatchObject(TAKEN)
  expect(await differences()).toEqual([])
})

test('a person’s own login reads no directory', async () => {
  const app = new pg.Client({ connectionString: server.logins.app })
  await app.connect()
  for (const table of ['account_names', 'serial_numbers'])
    await expect(app.query(`SELECT 1 FROM ${table}`)).rejects.toThrow(/permission denied/)
  await app.end()
})

test('beside a server of the release before both add accounts; its index goes when it has gone', async () => {
  const old = new pg.Client({ connectionString: server.logins.app })
  // Such a server's own work is done by the system login; it says which release it is.
  const itsWork = new pg.Client({ connectionString: server.logins.system, application_name: 'zhuguan 155' })
  await Promise.all([old.connect(), itsWork.connect()])
  await server.sql('CREATE UNIQUE INDEX users_user_name ON users (lower(user_name)) WHERE deleted_at IS NULL')
  const clock = startClock({
    db: server.db,
    now: server.now,
    secretKey: server.secretKey,
    files: openFileStore(server.dataDir),
    dataDir: server.dataDir,
    warn: (error) => {
      throw error
    },
    everyMs: 3_600_000,
  })
  const rules = async () => (
    server.later(6 * 60_000),
    await clock.look(),
    (await server.sql(`SELECT 1 FROM pg_class WHERE relname = 'users_user_name'`)).length
  )
  const { tenant } = await server.as('admin')
  /** The statement of release 155. */
  const add = async (name: string) => {
    await old.query('BEGIN')
    await old.query(`SET LOCAL app.tenant = '${tenant}'; SET LOCAL app.bcs = '*'; SET LOCAL app.sites = '*'`)
    const { rowCount } = await old.query(
      `INSERT INTO users (tenant_id, id, user_name, nickname, password) VALUES ($1, gen_random_uuid(), $2, '旧版', 'x')
       ON CONFLICT (lower(user_name)) WHERE deleted_at IS NULL DO NOTHING`,
      [tenant, name],
    )
    await old.query('COMMIT')
    return rowCount
  }
  const theirs = await clerkOf(await server.as('other'))
  expect(await rules()).toBe(1)
  expect(await add('li')).toBe(1)
  expect(await add('LI')).toBe(0)
  expect(await theirs.add('li')).toMatchObject(TAKEN)
  expect((await theirs.add('zhao')).code).toBe(200)
  expect(await add('zhao')).toBe(0)
  expect(await differences()).toEqual([])

  await Promise.all([old.end(), itsWork.end()])
  await new Promise((r) => setTimeout(r, 200))
  expect(await rules()).toBe(0)
  expect(await theirs.add('li')).toMatchObject(TAKEN)
  await clock.close()
})
