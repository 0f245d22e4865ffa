import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

import { startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
/** What an owner without superuser leaves to whoever runs the database (README). */
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
  // New entries of the index wait in a list that makes it look dear until they are filed.
  await server.sql('VACUUM ANALYZE sites')
  await server.sql('VACUUM ANALYZE workers')
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

test('a search inside the rules reads the trigram index', async () => {
  expect(await planOf('sites')).toContain('Bitmap Index Scan on sites_search')
  expect(await planOf('workers')).toContain('Bitmap Index Scan on workers_search')
})
