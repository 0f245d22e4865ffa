import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  // A hundred more for each of four cameras of every branch, all closed.
  await server.sql(
    `INSERT INTO alarms (tenant_id, id, site_id, bc_id, device_id, type, at, last_seen, confidence, correction_status, verdict, closed_at)
     SELECT d.tenant_id, gen_random_uuid(), d.site_id, d.bc_id, d.id, 'smoking', m.at, m.at, 0.9, 4, 'wrong', m.at + interval '1 hour'
     FROM (SELECT *, row_number() OVER (PARTITION BY bc_id ORDER BY sn) AS n FROM devices
           WHERE site_id IS NOT NULL AND type = 'camera') d
     CROSS JOIN LATERAL (SELECT :now::timestamptz - n * interval '1 hour' AS at FROM generate_series(1, 100) n) m
     WHERE d.n <= 4`,
  )
})
afterAll(() => server.stop())

test('the total of all alarms is what each person’s rows come to, of the group, a branch and single sites', async () => {
  for (const role of ['admin', 'branch_gm', 'pm']) {
    const person = await server.as(role)
    const ids = new Set<string>()
    const first = await person.call(alarmsApi.list, { query: { pageSize: 100 } })
    for (let pageNo = 1; (pageNo - 1) * 100 < first.totalCount; pageNo += 1)
      for (const a of (await person.call(alarmsApi.list, { query: { pageNo, pageSize: 100 } })).list)
        ids.add(a.id)
    expect([role, first.totalCount]).toEqual([role, ids.size])
    expect(first.totalCount).toBeGreaterThan(0)
  }
  const admin = await server.as('admin')
  const gm = await server.as('branch_gm')
  const all = (await admin.call(alarmsApi.list)).totalCount
  expect((await gm.call(alarmsApi.list)).totalCount).toBeLessThan(all)
  // Filters are counted by themselves.
  const closed = (await admin.call(alarmsApi.list, { query: { correctionStatus: [4] } })).totalCount
  expect(closed).toBe(all)
  expect((await admin.call(alarmsApi.list, { query: { correctionStatus: [1, 2] } })).totalCount).toBe(0)
})
