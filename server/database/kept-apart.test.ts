import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { row, uuid } from '../kit/row.ts'
import { report } from '../testing/device.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { seconds } from '../testing/time.ts'

/** What the database itself keeps apart, whatever a query says (G-02). */
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  for (const branch of ['HZ', 'NB', 'SZ']) {
    const camera = server.devices.find((d) => d.sn.includes(branch) && d.type === 'camera')!
    const seen = { id: 'seen', kind: 'alarm', at: seconds() - 9, type: 'smoking', confidence: 0.9 } as const
    await report(server.url, camera, [seen])
  }
  // Somebody looks, so that the login of people's calls is there.
  await (await server.as('branch_gm')).call(sitesApi.list)
})
afterAll(() => server?.stop())

test('in the database: every table forces its rules, the login owns nothing, a query stays inside', async () => {
  const [login] = await server.sql<{ name: string }>(
    `SELECT usename AS name FROM pg_stat_activity WHERE datname = current_database() AND usename LIKE '%_app' LIMIT 1`,
  )
  expect(
    await server.sql(
      `SELECT 1 FROM pg_roles WHERE rolname = $1 AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb)`,
      [login!.name],
    ),
  ).toEqual([])
  expect(
    await server.sql(`SELECT relname FROM pg_class WHERE pg_get_userbyid(relowner) = $1`, [login!.name]),
  ).toEqual([])
  expect(
    await server.sql(
      `SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r','p')
         AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`,
    ),
  ).toEqual([])
  const [sz] = await server.sql<{ tenant_id: string }>(`SELECT tenant_id FROM companies WHERE code = 'SZ'`)
  const [hz] = await server.sql<{ tenant_id: string; bc_id: string }>(
    `SELECT tenant_id, bc_id FROM companies WHERE code = 'HZ'`,
  )
  for (const table of ['sites', 'alarms', 'devices', 'users', 'site_events', 'raw_events']) {
    const rows = await server.db.tx(
      { tenant: hz!.tenant_id, bcs: null, sites: null, user: null },
      (tx) =>
        tx.query(`rls.${table}`, row({ tenant_id: uuid }), `SELECT DISTINCT tenant_id FROM ${table}`, []),
      { readOnly: true },
    )
    expect(
      rows.rows.map((r) => r.tenant_id),
      table,
    ).toEqual([hz!.tenant_id])
  }
  for (const table of ['sites', 'alarms', 'devices']) {
    const rows = await server.db.tx(
      { tenant: hz!.tenant_id, bcs: [hz!.bc_id], sites: null, receivers: [hz!.bc_id], user: null },
      (tx) => tx.query(`rls.bc.${table}`, row({ bc_id: uuid }), `SELECT DISTINCT bc_id FROM ${table}`, []),
      { readOnly: true },
    )
    expect(
      rows.rows.map((r) => r.bc_id),
      table,
    ).toEqual([hz!.bc_id])
  }
  await expect(
    server.db.tx({ tenant: hz!.tenant_id, bcs: null, sites: null, user: null }, (tx) =>
      tx.run('rls.write', `UPDATE sites SET tenant_id = '${sz!.tenant_id}'`, []),
    ),
  ).rejects.toThrow()
  await expect(
    server.db.tx({ tenant: `x'; DROP TABLE sites; --`, bcs: null, sites: null, user: null }, async () => {}),
  ).rejects.toThrow(/not an id/)
})
