import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../testing/device.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { seconds } from '../testing/time.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const KEPT = ['alarms', 'tidiness_checks', 'visits'] as const

test('a site that changes its branch while its camera reports leaves nothing behind in the old one', async () => {
  const admin = await server.as('admin')
  const [site] = await server.sql<{ id: string; sn: string; here: string; there: string }>(
    `SELECT w.id, d.sn, w.bc_id AS here,
       (SELECT c.bc_id FROM companies c WHERE c.tenant_id = w.tenant_id AND c.bc_id <> w.bc_id
        ORDER BY c.code DESC LIMIT 1) AS there
     FROM sites w JOIN devices d ON d.tenant_id = w.tenant_id AND d.site_id = w.id AND d.type = 'camera'
     WHERE w.tenant_id = $1 AND w.status = 1 LIMIT 1`,
    [admin.tenant],
  )
  const camera = server.devices.find((d) => d.sn === site!.sn)!
  let going = true
  let n = 0
  const reporting = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (going) {
        const i = (n += 1)
        const at = seconds()
        await report(server.url, camera, [
          { id: `a${i}`, kind: 'alarm', at, type: i % 2 ? 'smoking' : 'noclothes', confidence: 0.9 },
          { id: `t${i}`, kind: 'tidiness', at, result: 1 },
          { id: `v${i}`, kind: 'visitor', at, seconds: 5 },
        ])
      }
    }),
  )
  const moves: string[] = []
  for (const to of [site!.there, site!.here, site!.there, site!.here, site!.there]) {
    await new Promise((r) => setTimeout(r, 150))
    const { version } = await admin.call(api.sites.details, { query: { id: site!.id } })
    moves.push(
      (await admin.ask(api.sites.move, { body: { id: site!.id, version, bc_id: to, reason: '并入那边' } }))
        .msg,
    )
  }
  going = false
  await reporting
  expect(moves).toEqual(moves.map(() => ''))
  for (const table of KEPT) {
    const left = await server.sql(
      `SELECT k.id FROM ${table} k JOIN sites w ON w.tenant_id = k.tenant_id AND w.id = k.site_id
       WHERE k.site_id = $1 AND k.bc_id <> w.bc_id`,
      [site!.id],
    )
    expect([table, left]).toEqual([table, []])
  }
  expect((await server.sql('SELECT 1 FROM alarms WHERE site_id = $1', [site!.id])).length).toBeGreaterThan(0)
})
