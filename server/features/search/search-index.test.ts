import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

import type { Scope, Tx } from '../../database/connect.ts'
import { row, text } from '../../kit/row.ts'
import { pageJson } from '../../kit/statement.ts'
import { startTestServer, type TestServer } from '../../testing/start.ts'
import { homePage } from '../owners/owners.queries.ts'
import { findOwners, findSites } from './search.queries.ts'

let server: TestServer
/** What an owner without superuser leaves to whoever runs the database (docs/operations.md). */
async function trustLike(): Promise<void> {
  const url = new URL(inject('cluster').root)
  url.pathname = new URL(server.ownerUrl).pathname
  const root = new pg.Client({ connectionString: url.href })
  await root.connect()
  for (const like of ['textlike', 'texticlike'])
    await root.query(`ALTER FUNCTION pg_catalog.${like}(text, text) LEAKPROOF`)
  await root.end()
}
beforeAll(async () => {
  server = await startTestServer()
  await trustLike()
  // Enough of them that an index is worth its while.
  await server.sql(
    `INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, community, address, status)
     SELECT c.tenant_id, gen_random_uuid(), 'X' || i, '第 ' || i || ' 号院 ' || md5(i::text), c.bc_id, md5(i::text || 'c'), '某路', 2
     FROM (SELECT * FROM companies ORDER BY sort LIMIT 1) c, generate_series(1, 20000) i`,
  )
  await server.sql(
    `INSERT INTO workers (tenant_id, id, w_id, w_name, bc_id, w_type)
     SELECT c.tenant_id, gen_random_uuid(), 'X' || i, md5(i::text), c.bc_id, 3
     FROM (SELECT * FROM companies ORDER BY sort LIMIT 1) c, generate_series(1, 20000) i`,
  )
  await server.sql(
    `INSERT INTO owners (tenant_id, id, bc_id, name, phone)
     SELECT c.tenant_id, gen_random_uuid(), c.bc_id, md5(i::text || 'o'), (13000000000 + i)::text
     FROM (SELECT * FROM companies ORDER BY sort LIMIT 1) c, generate_series(1, 20000) i`,
  )
  await server.sql(
    `INSERT INTO home_contacts (tenant_id, id, bc_id, site_id, name, phone, relation, since)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, md5(w.code || 'k'), (14000000000 + n)::text, 'spouse', :now
     FROM (SELECT s.*, row_number() OVER (ORDER BY s.code) AS n FROM sites s WHERE s.code LIKE 'X%') w`,
  )
  // New entries of the index wait in a list that makes it look dear until they are filed.
  await server.sql('VACUUM ANALYZE sites')
  await server.sql('VACUUM ANALYZE workers')
  await server.sql('VACUUM ANALYZE owners')
  await server.sql('VACUUM ANALYZE home_contacts')
})
afterAll(() => server.stop())

/** The plan of a search as the app's own login, inside its row-level rules. */
async function planOf(table: string): Promise<string> {
  const [home] = await server.sql<{ tenant_id: string }>(
    'SELECT tenant_id FROM companies ORDER BY sort LIMIT 1',
  )
  const client = new pg.Client({ connectionString: server.logins.app })
  await client.connect()
  try {
    await client.query('BEGIN')
    await client.query(`SET LOCAL app.tenant = '${home!.tenant_id}'`)
    for (const axis of ['bcs', 'sites', 'stores', 'receivers'])
      await client.query(`SET LOCAL app.${axis} = '*'`)
    const { rows } = await client.query(
      `EXPLAIN SELECT id FROM ${table} WHERE tenant_id = '${home!.tenant_id}' AND search LIKE '%滨江锦绣%'`,
    )
    return rows.map((r) => r['QUERY PLAN'] as string).join('\n')
  } finally {
    await client.end()
  }
}

/** How tables are read for what is asked of the database meanwhile, as somebody of one branch asks it. */
async function scansOf(ask: (tx: Tx, scope: Scope) => Promise<unknown>): Promise<string[]> {
  const [home] = await server.sql<{ tenant: string; bc: string }>(
    'SELECT tenant_id AS tenant, bc_id AS bc FROM companies ORDER BY sort LIMIT 1',
  )
  // Somebody must ask: without, nothing is looked for.
  const scope = { tenant: home!.tenant, bcs: [home!.bc], sites: null, user: home!.tenant }
  const scans = new Set<string>()
  await server.db.tx(
    scope,
    (tx) => {
      const watched: Tx['query'] = async (name, columns, sql, values) => {
        const { rows } = await tx.query(
          `${name}.explain`,
          row({ 'QUERY PLAN': text }),
          `EXPLAIN ${sql}`,
          values,
        )
        for (const { 'QUERY PLAN': line } of rows)
          for (const [scan] of line.matchAll(/Bitmap Index Scan on \w+|Seq Scan on \w+/g)) scans.add(scan)
        return tx.query(name, columns, sql, values)
      }
      return ask({ ...tx, query: watched, last: watched }, scope)
    },
    { readOnly: true },
  )
  return [...scans]
}

test('a search inside the rules reads the trigram index', async () => {
  expect(await planOf('sites')).toContain('Bitmap Index Scan on sites_search')
  expect(await planOf('workers')).toContain('Bitmap Index Scan on workers_search')
})

test('people of homes are found by indexes of names and of numbers', async () => {
  const all = { pageNo: 1, pageSize: 20, keyword: '罕见姓名' }
  for (const scans of [
    await scansOf((tx, scope) => findOwners(tx, scope, '罕见姓名')),
    await scansOf((tx, scope) => pageJson(tx, homePage(scope, all, false))),
  ]) {
    for (const index of ['owners_name', 'owners_phone', 'home_contacts_name', 'home_contacts_phone'])
      expect(scans).toContain(`Bitmap Index Scan on ${index}`)
    expect(scans).not.toContain('Seq Scan on owners')
  }
  expect(await scansOf((tx, scope) => findSites(tx, scope, '罕见姓名'))).toContain(
    'Bitmap Index Scan on owners_name',
  )
})
