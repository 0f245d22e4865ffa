import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { countYesterday } from '../../app/clock.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds, testNow } from '../../testing/time.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { countSiteDays } from './attendance.service.ts'

let server: TestServer
let terminal: TestServer['devices'][number]
let tenant: string
const today = shanghaiDay(testNow())
/** Noon of a past day; of today, now, which may be earlier than noon. */
const noon = (ago: number) =>
  ago === 0 ? seconds() : startOfDay(addDays(today, -ago)).getTime() / 1000 + 12 * 3_600
beforeAll(async () => {
  server = await startTestServer()
  terminal = server.devices.find(
    (d) => d.type === 'faceTerminal' && d.workers.length > 2 && d.sn.includes('HZ'),
  )!
  tenant = (
    await server.sql<{ tenant_id: string }>('SELECT tenant_id FROM sites WHERE id = $1', [terminal.site])
  )[0]!.tenant_id
})
afterAll(() => server.stop())

const site = async () =>
  (await (await server.as('admin')).call(sitesApi.list, { query: { pageSize: 100 } })).list.find(
    (s) => s.id === terminal.site,
  )!
const clockin = (id: string, ago: number) =>
  report(server.url, terminal, [
    { id, kind: 'clockin', at: noon(ago), w_id: terminal.workers[0]!, direction: 'in' },
  ])
const close = (day: string) => countYesterday(server.db, new Date(startOfDay(day).getTime() + 3_600_000))

test('two servers filing the same day at once are both counted', async () => {
  const day = addDays(today, -20)
  const workers = await server.sql<{ id: string; bc_id: string }>(
    'SELECT id, bc_id FROM workers WHERE w_id = ANY ($1)',
    [terminal.workers.slice(0, 2)],
  )
  let filed = 0
  let both!: () => void
  const bothFiled = new Promise<void>((resolve) => (both = resolve))
  await Promise.all(
    workers.map((w) =>
      server.db.tx(SYSTEM, async (tx) => {
        await tx.run('test.day', 'INSERT INTO attendance_days VALUES ($1, $2, $3, $4, $5, :now, :now, 1)', [
          tenant,
          day,
          terminal.site,
          w.id,
          w.bc_id,
        ])
        if ((filed += 1) === 2) both()
        await bothFiled
        await countSiteDays(tx, [{ tenant, day, site: terminal.site }])
      }),
    ),
  )
  expect(
    await server.sql('SELECT present FROM site_days WHERE site_id = $1 AND day = $2', [terminal.site, day]),
  ).toEqual([{ present: 2 }])
})

test('days without a clock-in add up at night, once; whoever comes ends the run, a late clock-in shortens the sum', async () => {
  // The site's devices were on line all the time, so that an empty day is known to be empty.
  await server.sql(
    `UPDATE device_spans SET state = 1 WHERE device_id IN (SELECT id FROM devices WHERE site_id = $1)`,
    [terminal.site],
  )
  await server.sql(`UPDATE sites SET start_date = $2 WHERE id = $1`, [terminal.site, addDays(today, -30)])
  await clockin('before', 5)
  // Two servers share the groups between them; what each group has is had once.
  expect(await Promise.all([close(today), close(today)])).toContain(true)
  expect(await site()).toMatchObject({ noWorkRun: 3, noWork: [1] })
  await clockin('late', 3)
  expect(await site()).toMatchObject({ noWorkRun: 2, noWork: [] })
  await clockin('today', 0)
  expect(await site()).toMatchObject({ noWorkRun: 0, noWork: [] })
  expect(await server.sql('SELECT no_work_sum FROM sites WHERE id = $1', [terminal.site])).toEqual([
    { no_work_sum: 2 },
  ])
})

test('a planned rest day is no day without work, and a day when nothing could be seen is unknown', async () => {
  const day = addDays(today, 1)
  await server.sql(`INSERT INTO settings (tenant_id, key, value) VALUES ($1, 'restDays', $2)`, [
    tenant,
    JSON.stringify([new Date(`${addDays(today, -1)}T00:00:00Z`).getUTCDay()]),
  ])
  // As if nobody had opened that day yet: one that was opened keeps what it was.
  await server.sql('DELETE FROM site_days WHERE day = $1', [addDays(today, -1)])
  await server.sql(
    `UPDATE device_spans SET to_at = $2 WHERE device_id IN (SELECT id FROM devices WHERE site_id = $1)`,
    [terminal.site, startOfDay(today)],
  )
  expect(await close(day)).toBe(true)
  const days = await server.sql<{ day: string; no_work: boolean }>(
    'SELECT day::text, no_work FROM site_days WHERE site_id = $1 AND day >= $2 ORDER BY day',
    [terminal.site, addDays(today, -2)],
  )
  expect(days).toEqual([
    { day: addDays(today, -2), no_work: true },
    { day: addDays(today, -1), no_work: false },
    { day: today, no_work: false },
  ])
  const other = server.devices.find(
    (d) => d.type === 'faceTerminal' && d.site !== terminal.site && d.sn.includes('HZ'),
  )!
  expect(
    await server.sql('SELECT no_work FROM site_days WHERE site_id = $1 AND day = $2', [other.site, today]),
  ).toEqual([{ no_work: false }])
})
