import { request } from 'node:http'

import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.sql(
    `INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, address) SELECT w.tenant_id, gen_random_uuid(), 'X' || i, md5(i::text) || md5((i + 1)::text), w.bc_id, md5((i + 2)::text) || md5((i + 3)::text) FROM (SELECT * FROM sites WHERE code = 'GDHZ001') w, generate_series(1, 20000) i`,
  )
})
afterAll(() => server.stop())

const open = async () =>
  Number(
    (
      await server.sql<{ n: string }>(
        `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND (state LIKE 'idle in transaction%' OR (state = 'active' AND pid <> pg_backend_pid()))`,
      )
    )[0]!.n,
  )

test('a cancelled export ends its cursor, its transaction and its connection', async () => {
  const admin = await server.as('admin')
  for (let round = 0; round < 10; round += 1) {
    await new Promise<void>((resolve) => {
      const asked = request(
        `${server.url}${sitesApi.export.path}`,
        {
          method: 'POST',
          agent: false,
          headers: { token: admin.token, 'tenant-id': admin.tenant, 'content-type': 'application/json' },
        },
        (answer) => {
          // Nothing is read on: the server waits for room while it holds the cursor, or is in the middle of a page.
          answer.once('data', () =>
            setTimeout(
              () => {
                asked.destroy()
                resolve()
              },
              (round % 3) * 30,
            ),
          )
          answer.pause()
          answer.once('readable', () => answer.read(1))
        },
      )
      asked.on('error', () => {})
      asked.end()
    })
  }
  const until = performance.now() + 20_000
  // Once is enough: what the server does by itself opens others at any moment.
  let left = await open()
  while (left > 0 && performance.now() < until) {
    await new Promise((r) => setTimeout(r, 50))
    left = await open()
  }
  expect(left).toBe(0)
  // The pool has eight: were one lost each time, nobody would be answered any more.
  expect((await admin.call(sitesApi.list)).totalCount).toBeGreaterThan(20_000)
})
