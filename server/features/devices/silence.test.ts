import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Tx } from '../../database/connect.ts'
import { startTestServer, type TestServer } from '../../testing/start.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { silentTenants, watchSilence } from './heartbeats.service.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const MANY = 2_500

test('thousands of devices that fall silent at once are written in a few statements, a thousand at a time', async () => {
  const [place] = await server.sql<{ tenant_id: string; bc_id: string; id: string }>(
    `SELECT tenant_id, bc_id, id FROM sites WHERE status = 1 ORDER BY code LIMIT 1`,
  )
  await server.sql(
    `INSERT INTO devices (tenant_id, id, sn, secret, type, bc_id, bind_status, site_id, device_status, last_seen)
     SELECT $1, gen_random_uuid(), 'SILENT-' || n, '', 'camera', $2, 2, $3, 1, :now - interval '1 hour'
     FROM generate_series(1, $4::int) n`,
    [place!.tenant_id, place!.bc_id, place!.id, MANY],
  )
  await server.sql(
    `INSERT INTO device_spans (tenant_id, device_id, from_at, state, cause)
     SELECT tenant_id, id, :now - interval '2 days', 1, 'heartbeat' FROM devices WHERE sn LIKE 'SILENT-%'`,
  )
  await server.sql('ANALYZE devices')
  await server.sql('ANALYZE device_spans')
  const now = server.now()
  expect(await server.db.tx(SYSTEM, (tx) => silentTenants(tx, now))).toEqual([place!.tenant_id])
  let statements = 0
  const counted = (tx: Tx): Tx => ({
    ...tx,
    now: tx.now,
    query: (...call) => ((statements += 1), tx.query(...call)),
    send: (...call) => ((statements += 1), tx.send(...call)),
  })
  const turned: number[] = []
  do turned.push(await server.db.tx(SYSTEM, (tx) => watchSilence(counted(tx), now, place!.tenant_id)))
  while (turned.at(-1))
  expect(turned).toEqual([1_000, 1_000, 500, 0])
  expect(statements).toBeLessThan(40)
  const [after] = await server.sql(
    `SELECT (SELECT count(*)::int FROM devices WHERE sn LIKE 'SILENT-%' AND device_status = 2 AND cause = 'silent') AS off,
       (SELECT count(*)::int FROM device_spans s JOIN devices d ON d.id = s.device_id
        WHERE d.sn LIKE 'SILENT-%' AND s.to_at IS NULL AND s.state = 2) AS open,
       (SELECT count(*)::int FROM device_spans s JOIN devices d ON d.id = s.device_id
        WHERE d.sn LIKE 'SILENT-%' AND s.to_at IS NOT NULL AND s.state = 1) AS closed`,
  )
  expect(after).toEqual({ off: MANY, open: MANY, closed: MANY })
  expect(await server.db.tx(SYSTEM, (tx) => silentTenants(tx, now))).toEqual([])
})
