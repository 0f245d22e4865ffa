import { afterAll, beforeAll, expect, test } from 'vitest'

import { countYesterday } from '../../app/clock.ts'
import { report } from '../../testing/device.ts'
import { startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const DAY = 86_400
const siteOf = async (id: string) =>
  (
    await server.sql<{ run: number; codes: number[] }>(
      'SELECT no_work_run AS run, no_work AS codes FROM sites WHERE id = $1',
      [id],
    )
  )[0]!

test('three empty days with a camera on line are three days without work; a blind site is unknown; a clock-in ends the run', async () => {
  const terminals = server.devices.filter(
    (d) => d.type === 'faceTerminal' && d.workers.length > 0 && d.sn.includes('HZ'),
  )
  const [empty, busy, blind] = terminals as [
    (typeof terminals)[0],
    (typeof terminals)[0],
    (typeof terminals)[0],
  ]
  const now = seconds()
  for (const d of [empty, busy])
    await report(server.url, d, [{ id: 'up', kind: 'heartbeat', at: now - 6 * DAY, frameAt: now - 6 * DAY }])
  await report(server.url, busy, [
    { id: 'in', kind: 'clockin', at: now - 2 * DAY, w_id: busy.workers[0]!, direction: 'in' },
  ])
  expect(await countYesterday(server.db, new Date(now * 1000))).toBe(true)
  expect(await siteOf(empty.site)).toEqual({ run: 3, codes: [1] })
  expect(await siteOf(busy.site)).toEqual({ run: 1, codes: [] })
  expect(await siteOf(blind.site)).toEqual({ run: 0, codes: [] })
  // The same day again, by another server: nothing is counted twice.
  expect(await countYesterday(server.db, new Date(now * 1000))).toBe(false)
})

test('a rest day of the branch does not count', async () => {
  const device = server.devices.find((d) => d.type === 'faceTerminal' && d.sn.includes('SZ'))!
  const [{ tenant }] = (await server.sql<{ tenant: string }>(
    'SELECT tenant_id AS tenant FROM sites WHERE id = $1',
    [device.site],
  )) as [{ tenant: string }]
  await server.sql(
    `INSERT INTO settings (tenant_id, key, value) VALUES ($1, 'restDays', '[0,1,2,3,4,5,6]')`,
    [tenant],
  )
  // As if nobody had opened those days yet: one that was opened keeps what it was.
  await server.sql('DELETE FROM site_days WHERE tenant_id = $1', [tenant])
  const now = seconds()
  await report(server.url, device, [
    { id: 'up', kind: 'heartbeat', at: now - 6 * DAY, frameAt: now - 6 * DAY },
  ])
  expect(await countYesterday(server.db, new Date((now + DAY) * 1000))).toBe(true)
  expect(await siteOf(device.site)).toEqual({ run: 0, codes: [] })
})
