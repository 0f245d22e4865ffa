import { api } from '@zhuguan/contract/api.ts'
import { phone } from '@zhuguan/contract/kit/fields.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'

let server: TestServer
let gm: Person
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
})
afterAll(() => server.stop())

test('nobody is made up for twice at the same time, at one site or at two', async () => {
  const day = addDays(shanghaiDay(server.now()), -1)
  const [bc] = (await gm.call(api.sites.list, {})).list
  const [m] = await server.sql<{ site: string; worker: string; other: string }>(
    `SELECT m.site_id AS site, m.worker_id AS worker,
       (SELECT x.id FROM sites x WHERE x.bc_id = w.bc_id AND x.status = 1 AND x.id <> w.id LIMIT 1) AS other
     FROM site_members m JOIN sites w ON w.id = m.site_id
     WHERE w.bc_id = $1 AND w.status = 1 AND m.left_on IS NULL AND m.entered_on < $2::date LIMIT 1`,
    [bc!.bc_id, day],
  )
  await server.sql(
    `INSERT INTO site_members (tenant_id, site_id, worker_id, entered_on) VALUES ($1, $2, $3, $4::date - 9)`,
    [gm.tenant, m!.other, m!.worker, day],
  )
  const up = (site_id: string, from: string, to: string) =>
    gm.ask(api.attendance.makeup, {
      body: { site_id, worker_id: m!.worker, day, in: from, out: to, reason: '终端坏了' },
    })
  expect((await up(m!.site, '08:00', '12:00')).code).toBe(200)
  for (const [site, from, to] of [
    [m!.site, '09:00', '16:00'],
    [m!.other, '11:30', '14:00'],
    [m!.other, '09:00', '10:00'],
  ] as const) {
    const refused = await up(site, from, to)
    expect([refused.code, refused.msg]).toEqual([
      409,
      expect.stringMatching(/^与已有的补卡重叠：.* 08:00–12:00/),
    ])
  }
  expect((await up(m!.other, '12:00', '15:00')).code).toBe(200)
  const events = await server.sql('SELECT 1 FROM attendance_events WHERE worker_id = $1 AND day = $2', [
    m!.worker,
    day,
  ])
  expect(events).toHaveLength(4)
})

test('a picture is judged by how its camera stood when it was taken', async () => {
  const camera = server.devices.find((d) => d.type === 'camera' && d.site && d.sn.includes('HZ'))!
  const tidy = (id: string, ago: number) =>
    report(server.url, camera, [{ id, kind: 'tidiness', at: seconds() - ago, result: 1, confidence: 0.9 }])
  await report(server.url, camera, [
    { id: 'skew', kind: 'alarm', at: seconds() - 600, type: 'cameraproblem', confidence: 0.9 },
  ])
  await tidy('before', 1_200)
  await tidy('while', 300)
  const results = async () =>
    (
      await server.sql<{ result: number }>(
        `SELECT result FROM tidiness_checks WHERE device_id = (SELECT id FROM devices WHERE sn = $1) ORDER BY at`,
        [camera.sn],
      )
    ).map((r) => r.result)
  expect((await results()).slice(-2)).toEqual([1, 4])
  // Put right three minutes ago: what comes late from the time before is still of a skewed camera.
  await server.sql(
    `UPDATE alarms SET correction_status = 3, closed_at = :now::timestamptz - interval '180 seconds'
     WHERE type = 'cameraproblem' AND device_id = (SELECT id FROM devices WHERE sn = $1)`,
    [camera.sn],
  )
  await tidy('late', 240)
  await tidy('after', 60)
  expect((await results()).slice(-4)).toEqual([1, 4, 4, 1])
})

test('a telephone number is read as telephones and tables paste it', () => {
  const read = (text: string) => phone('电话').safeParse(text).data
  expect(['139 2222 3333', '１３９２２２２３３３３', '139-2222-3333', ' 13922223333 '].map(read)).toEqual(
    Array.from({ length: 4 }, () => '13922223333'),
  )
  expect(read('0571-88888888')).toBe('0571-88888888')
  expect(read('139 2222 333')).toBeUndefined()
})
