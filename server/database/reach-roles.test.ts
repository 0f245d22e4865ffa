import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { int4, row, type Row, text } from '../kit/row.ts'
import { report } from '../testing/device.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { seconds } from '../testing/time.ts'
import { connect, type Database, type Scope } from './connect.ts'
import { migrate } from './migrate.ts'

let server: TestServer
/** As a server of the release before: the login keeps its own rule, whatever is in reach. */
let before: Database
let owner: pg.Client
let tables: string[]
let branches: { tenant: string; bc: string }[]

beforeAll(async () => {
  server = await startTestServer()
  before = connect({ app: server.logins.app, system: server.logins.system }, { max: 2, now: server.now })
  const now = seconds()
  for (const device of server.devices) {
    const clockins = device.workers.map((w_id, i) => {
      return { id: `r${i}`, kind: 'clockin', at: now - i, w_id, direction: 'in' }
    })
    const alarms = [{ id: 'r', kind: 'alarm', at: now - 9, type: 'smoking', confidence: 0.9 }]
    await report(server.url, device, device.type === 'camera' ? alarms : clockins)
  }
  owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  const ruled = `SELECT tablename FROM pg_policies WHERE schemaname = 'public' AND policyname = 'scope' ORDER BY 1`
  tables = (await owner.query<{ tablename: string }>(ruled)).rows.map((r) => r.tablename)
  branches = await server.sql('SELECT tenant_id AS tenant, bc_id AS bc FROM companies ORDER BY 1, 2')
})
afterAll(async () => {
  await before.close()
  await owner.end()
  await server.stop()
})

const ofTenant = (tenant: string): Scope => ({ tenant, bcs: null, sites: null, user: null })
const ofBranch = (tenant: string, bc: string): Scope => ({
  tenant,
  bcs: [bc],
  sites: null,
  receivers: [bc],
  user: null,
})
const read = async <R>(db: Database, scope: Scope, columns: Row<R>, sql: string): Promise<R[]> =>
  (await db.tx(scope, (tx) => tx.query('test.reach', columns, sql, []), { readOnly: true })).rows

const counted = row({ n: int4, all: text.null })

test('a role shows of every table exactly what the login’s own rule shows', async () => {
  expect(tables.length).toBeGreaterThan(40)
  const filled = new Set<string>()
  for (const { tenant, bc } of branches)
    for (const scope of [ofTenant(tenant), ofBranch(tenant, bc)]) {
      const role = (
        await read(server.db, scope, row({ role: text }), 'SELECT current_user::text AS role')
      )[0]!.role
      expect(role).toBe(server.logins.reach![scope.bcs ? 'branch' : 'tenant'])
      for (const table of tables) {
        const rows = `SELECT count(*)::int AS n, md5(string_agg(t::text, ',' ORDER BY t::text)) AS all FROM ${table} t`
        const [mine] = await read(server.db, scope, counted, rows)
        expect(mine, `${table} ${JSON.stringify(scope)}`).toEqual(
          (await read(before, scope, counted, rows))[0],
        )
        if (mine!.n) filled.add(table)
      }
    }
  expect(filled.size).toBeGreaterThan(25)
}, 600_000)

test('a role writes no further than the login’s own rule lets it', async () => {
  const [home, sibling] = branches.filter((b, _i, all) =>
    all.some((o) => o.tenant === b.tenant && o.bc !== b.bc),
  )
  const other = branches.find((b) => b.tenant !== home!.tenant)!
  const scope = ofBranch(home!.tenant, home!.bc)
  const says = async (db: Database, text: string) =>
    db
      .tx(scope, (tx) => tx.run('test.write', text, []))
      .then(
        ({ rowCount }) => rowCount,
        (error: Error) => error.message,
      )
  const insert = (tenant: string, bc: string) =>
    `INSERT INTO owners (tenant_id, id, bc_id, name, phone) VALUES ('${tenant}', gen_random_uuid(), '${bc}', '甲', '')`
  const attempts = {
    [insert(home!.tenant, home!.bc)]: 1,
    [insert(home!.tenant, sibling!.bc)]: /row-level security/,
    [insert(other.tenant, other.bc)]: /row-level security/,
    [`UPDATE sites SET bc_id = '${sibling!.bc}' WHERE bc_id = '${home!.bc}'`]: /row-level security/,
    [`UPDATE workers SET bc_id = '${sibling!.bc}' WHERE bc_id = '${home!.bc}'`]: /row-level security/,
    [`UPDATE sites SET tenant_id = '${other.tenant}' WHERE true`]: /row-level security/,
    [`UPDATE sites SET address = address WHERE bc_id = '${sibling!.bc}'`]: 0,
    [`DELETE FROM alarms WHERE bc_id = '${sibling!.bc}'`]: 0,
  }
  for (const [text, expected] of Object.entries(attempts))
    for (const db of [server.db, before]) {
      const said = await says(db, text)
      if (expected instanceof RegExp) expect(said, text).toMatch(expected)
      else expect(said, text).toBe(expected)
    }
})

test('nobody signs in as the roles, they own nothing and stand above nothing, and the login has nothing of theirs', async () => {
  const login = decodeURIComponent(new URL(server.logins.app).username)
  const roles = Object.values(server.logins.reach!)
  const wide = `SELECT rolname FROM pg_roles
    WHERE rolname = ANY ($1) AND (rolcanlogin OR rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication)`
  expect((await owner.query(wide, [roles])).rows).toEqual([])
  const owned = `SELECT 1 FROM pg_shdepend d JOIN pg_roles r ON r.oid = d.refobjid
    WHERE d.refclassid = 'pg_authid'::regclass AND d.deptype = 'o' AND r.rolname = ANY ($1)`
  expect((await owner.query(owned, [[...roles, login]])).rows).toEqual([])
  const reaches = `SELECT role, pg_has_role($1::name, role::name, 'USAGE') AS inherits, pg_has_role($1::name, role::name, 'MEMBER') AS takes,
      pg_has_role(role::name, $1::name, 'MEMBER') AS back
    FROM unnest($2::text[]) role`
  for (const row of (await owner.query(reaches, [login, roles])).rows)
    expect(row).toMatchObject({ inherits: false, takes: true, back: false })

  // The settings of a branch without its role: the login's own rule, to which they say nothing.
  const { tenant, bc } = branches[0]!
  const client = new pg.Client({ connectionString: server.logins.app })
  await client.connect()
  const count = async () => (await client.query('SELECT count(*)::int AS n FROM sites')).rows[0].n as number
  await client.query(`BEGIN; SET LOCAL app.tenant = '${tenant}'; SET LOCAL app.bc = '${bc}'`)
  expect(await count()).toBe(0)
  await client.query(`SET LOCAL ROLE ${pg.escapeIdentifier(server.logins.reach!.branch)}`)
  expect(await count()).toBeGreaterThan(0)
  await expect(
    client.query(`SET LOCAL ROLE ${pg.escapeIdentifier(login.replace(/_app$/, '_system'))}`),
  ).rejects.toThrow(/permission denied/)
  await client.query('ROLLBACK')
  // The role ended with the transaction.
  expect((await client.query('SELECT current_user = session_user AS own')).rows[0]).toEqual({ own: true })
  await client.end()
})

test('the roles may do what the login may, and every table that has its rule has theirs with what they may write', async () => {
  const ruled = `SELECT t.name, array_agg(p.policyname::text ORDER BY p.policyname)
        FILTER (WHERE p.qual IS NOT NULL AND p.with_check IS NOT NULL AND p.permissive = 'PERMISSIVE' AND p.cmd = 'ALL') AS rules
    FROM unnest($1::text[]) t(name) JOIN pg_policies p ON p.schemaname = 'public' AND p.tablename = t.name
    GROUP BY 1`
  for (const { name, rules } of (await owner.query(ruled, [tables])).rows)
    expect(rules, name).toEqual(['branch', 'owner', 'scope', 'server', 'tenant'])
  // The copy's login and roles have the template's rights by membership, so that PostgreSQL itself is asked.
  const differ = `SELECT c.relname, role, privilege
    FROM pg_class c, unnest($2::text[]) role, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) privilege
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v')
      AND has_table_privilege($1::name, c.oid, privilege) <> has_table_privilege(role::name, c.oid, privilege)
    UNION ALL
    SELECT c.relname || '.' || a.attname, role, privilege
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped, unnest($2::text[]) role, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE']) privilege
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v')
      AND has_column_privilege($1::name, c.oid, a.attnum, privilege) <> has_column_privilege(role::name, c.oid, a.attnum, privilege)
    UNION ALL
    SELECT c.relname, role, privilege
    FROM pg_class c, unnest($2::text[]) role, unnest(ARRAY['USAGE', 'SELECT', 'UPDATE']) privilege
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'S'
      AND has_sequence_privilege($1::name, c.oid, privilege) <> has_sequence_privilege(role::name, c.oid, privilege)
    UNION ALL
    SELECT f.proname, role, 'EXECUTE'
    FROM pg_proc f, unnest($2::text[]) role
    WHERE f.pronamespace IN ('public'::regnamespace, 'pg_catalog'::regnamespace)
      AND has_function_privilege($1::name, f.oid, 'EXECUTE') <> has_function_privilege(role::name, f.oid, 'EXECUTE')`
  const login = decodeURIComponent(new URL(server.logins.app).username)
  const asked = () => owner.query(differ, [login, Object.values(server.logins.reach!)])
  expect((await asked()).rows).toEqual([])
  // The control: a right that the login alone was given is found.
  await owner.query(
    `BEGIN; CREATE TABLE to_come (id int); GRANT SELECT ON to_come TO ${pg.escapeIdentifier(login)}`,
  )
  expect((await asked()).rows.length).toBeGreaterThan(0)
  await owner.query('ROLLBACK')
})

test('a login that has a role’s rights without taking it is refused at the start', async () => {
  const login = pg.escapeIdentifier(decodeURIComponent(new URL(server.logins.app).username))
  const role = pg.escapeIdentifier(server.logins.reach!.tenant)
  await owner.query(`GRANT ${role} TO ${login}`)
  await expect(migrate(server.ownerUrl)).rejects.toThrow(/权限过大/)
  await owner.query(`REVOKE ${role} FROM ${login}`)
  expect((await migrate(server.ownerUrl)).applied).toEqual([])
})
