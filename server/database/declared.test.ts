import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { date, int2, int4, row, type Row, text, timestamptz, uuid } from '../kit/row.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import type { Scope } from './connect.ts'

const SYSTEM: Scope = { tenant: '', bcs: null, sites: null, user: null, system: true }
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const ask = <R>(columns: Row<R>, sql: string, values: unknown[] = []): Promise<R[]> =>
  server.db.tx(SYSTEM, async (tx) => (await tx.query('test.sites', columns, sql, values)).rows)

test('what a statement declares is what its rows are', async () => {
  const [site] = await ask(
    row({
      id: uuid,
      ws_name: text,
      status: int2.of(siteStatus),
      started: date.null,
      at: timestamptz,
    }),
    `SELECT id, :now AS at, ws_name, status, NULL::date AS started FROM sites WHERE status = $1 LIMIT 1`,
    [siteStatus.code.building],
  )
  expect(site!.id).toMatch(/^[0-9a-f-]{36}$/)
  expect([site!.status, site!.started]).toEqual([1, null])
  expect(site!.at).toBeInstanceOf(Date)
})

const LIES: [title: string, columns: Row<object>, sql: string, told: string][] = [
  [
    'a column that it does not answer, with no row at all',
    row({ id: uuid, ws_name: text }),
    'SELECT id FROM sites WHERE false',
    'test.sites answers (id uuid), declared are (id uuid, ws_name text)',
  ],
  [
    'a column that nobody declares',
    row({ id: uuid }),
    'SELECT id, ws_name FROM sites WHERE false',
    'test.sites answers (id uuid, ws_name text), declared are (id uuid)',
  ],
  [
    'another type',
    row({ status: int4 }),
    'SELECT status FROM sites WHERE false',
    'test.sites answers (status int2), declared are (status int4)',
  ],
  [
    'a value that is empty',
    row({ started: date }),
    'SELECT NULL::date AS started',
    'test.sites answers an empty started, declared is date',
  ],
  [
    'a code that is none of its list',
    row({ status: int2.of(siteStatus) }),
    'SELECT 9::int2 AS status',
    'test.sites answers status 9, declared are 1, 2, 3, 4',
  ],
]
test.each(LIES)('a lie is told with the name of its statement: %s', async (_title, columns, sql, told) => {
  await expect(ask(columns, sql)).rejects.toThrow(told)
})

test('a statement that declares no columns answers no rows, whichever way it is sent', async () => {
  const told = 'test.count answers (n int4), declared are ()'
  const sql = 'SELECT count(*)::int AS n FROM sites'
  await expect(server.db.tx(SYSTEM, (tx) => tx.run('test.count', sql))).rejects.toThrow(told)
  await expect(server.db.tx(SYSTEM, async (tx) => tx.send('test.count', sql))).rejects.toThrow(told)
  await server.db.tx(SYSTEM, (tx) => tx.run('test.lock', 'SELECT pg_advisory_xact_lock(724099)'))
})
