import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openToday } from '../../app/clock.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person
let pm: Person
const HOUR = 3_600_000
const clockOf = (day: string, hour: number) => startOfDay(day).getTime() + hour * HOUR
/** Puts the server's clock to an hour of a day; sessions do not outlive that, so everybody signs in anew. */
async function stand(day: string, hour: number) {
  server.later(clockOf(day, hour) - server.now().getTime())
  ;[gm, pm] = await Promise.all([server.as('branch_gm'), server.as('pm')])
}
const card = async (who: Person, name: string) =>
  (await who.call(homeApi.cards)).figures.find((f) => f.card === name)!
const DAY_ONE = () => addDays(shanghaiDay(new Date(begin)), 2)
let begin: number

beforeAll(async () => {
  server = await startTestServer()
  begin = server.now().getTime()
  const day = DAY_ONE()
  await stand(day, 7)
  const admin = await server.as('admin')
  await admin.call(settingsApi.update, { body: { values: { workStart: '07:30', workEnd: '18:00' } } })
  await openToday(server.db, server.now())
  // Thirty people of the first day come between eight and nine; on the second, ten by half past eight.
  const terminals = server.devices.filter((d) => d.workers.length && d.sn.includes('HZ')).slice(0, 5)
  const come = async (day: string, hour: number, each: number) => {
    for (const t of terminals) {
      const events = t.workers.slice(0, each).map((w_id, i) => ({
        id: `${day}-${w_id}`,
        kind: 'clockin',
        at: clockOf(day, hour) / 1000 + i * 60,
        w_id,
        direction: 'in',
      }))
      const answer = await report(server.url, t, events, server.now())
      expect(answer.data.rejected).toEqual([])
    }
  }
  await stand(day, 20)
  await come(day, 8, 3)
  await come(day, 15, 6)
  await stand(addDays(day, 1), 8.5)
  await openToday(server.db, server.now())
  await come(addDays(day, 1), 8, 2)
})
afterAll(() => server.stop())

/** People of the branch who came on the day by the hour, and who was expected: counted by hand. */
async function people(day: string, until: Date) {
  const bc = (await gm.call(sitesApi.list, { query: {} })).list[0]!.bc_id
  const [came] = await server.sql<{ n: number }>(
    `SELECT count(DISTINCT (worker_id, site_id))::int AS n FROM attendance_events WHERE bc_id = $1 AND day = $2 AND at <= $3`,
    [bc, day, until],
  )
  const [due] = await server.sql<{ n: number }>(
    `SELECT sum(expected)::int AS n FROM site_days WHERE bc_id = $1 AND day = $2 AND NOT rest`,
    [bc, day],
  )
  return { came: came!.n, due: due!.n, rate: Math.round((1000 * came!.n) / due!.n) / 10 }
}

test('before work begins the last whole day stands there with its date, beside the day before it', async () => {
  const [first, second] = [DAY_ONE(), addDays(DAY_ONE(), 1)]
  await stand(second, 4 + 2 / 3)
  const whole = await people(first, startOfDay(second))
  const figure = await card(gm, 'attendance')
  expect(figure).toMatchObject({ of: `${first.slice(5)} 全天`, value: whole.rate, against: '较前一日' })
  expect(figure.running).toBe(false)
  expect(figure.days.at(-1)).toBe(first)
  expect(figure.trend.at(-1)).toBe(figure.value)
})

test('a running day is compared with the same hour of yesterday and drawn apart', async () => {
  const [first, second] = [DAY_ONE(), addDays(DAY_ONE(), 1)]
  await stand(second, 10)
  const today = await people(second, server.now())
  const before = await people(first, new Date(server.now().getTime() - 24 * HOUR))
  expect(today.came).toBe(10)
  expect(before.came).toBe(15)
  const figure = await card(gm, 'attendance')
  expect(figure).toMatchObject({
    of: '截至 10:00',
    value: today.rate,
    before: before.rate,
    against: '较昨日同一时刻',
    running: true,
    n: today.due,
  })
  expect(figure.trend.at(-1)).toBe(figure.value)
  expect(figure.trend.at(-2)).toBe((await people(first, startOfDay(second))).rate)
  const listed = await gm.call(attendanceApi.list, {
    query: { from: second, to: second, attendance: '1' },
  })
  expect(figure.parts[0]!.value).toBe(listed.totalCount)
})

test('alarms of earlier days come from what is kept of a branch and equal the alarms themselves', async () => {
  const second = addDays(DAY_ONE(), 1)
  await stand(second, 11)
  const camera = server.devices.filter((d) => d.type === 'camera' && d.sn.includes('HZ')).slice(0, 6)
  for (const [i, device] of camera.entries())
    await report(
      server.url,
      device,
      [
        {
          id: `a${i}`,
          kind: 'alarm',
          at: clockOf(addDays(second, -i - 1), 9) / 1000,
          type: 'smoking',
          confidence: 0.9,
        },
      ],
      server.now(),
    )
  await server.sql(
    `UPDATE alarms SET correction_status = 3, closed_at = at + interval '30 hours'
     WHERE id IN (SELECT id FROM alarms WHERE type = 'smoking' ORDER BY at LIMIT 2)`,
  )
  await server.sql(`UPDATE alarms SET due_at = at + interval '26 hours' WHERE type = 'smoking'`)
  const bc = (await gm.call(sitesApi.list, { query: {} })).list[0]!.bc_id
  for (const [name, condition] of [
    ['openAlarms', 'true'],
    ['overdue', 'a.due_at < e.at'],
  ] as const) {
    const figure = await card(gm, name)
    const ends = figure.days.slice(0, -1).map((d) => startOfDay(addDays(d, 1)))
    const counted = await server.sql<{ n: number }>(
      `SELECT count(a.id)::int AS n FROM unnest($1::timestamptz[]) WITH ORDINALITY AS e(at, i)
       LEFT JOIN alarms a ON a.bc_id = $2 AND a.at < e.at AND (a.closed_at IS NULL OR a.closed_at >= e.at) AND ${condition}
       GROUP BY e.i ORDER BY e.i`,
      [ends, bc],
    )
    expect(figure.trend.slice(0, -1)).toEqual(counted.map((c) => c.n))
    expect(figure.trend.some((n) => n! > 0)).toBe(true)
    const query = name === 'overdue' ? { overdue: 'true' } : { correctionStatus: '1,2' }
    expect(figure.value).toBe((await gm.call(alarmsApi.list, { query: query })).totalCount)
    expect((await card(pm, name)).value).toBe((await pm.call(alarmsApi.list, { query: query })).totalCount)
  }
  // Alarms that go take what is kept of them with them.
  await server.sql('DELETE FROM alarm_logs')
  await server.sql('DELETE FROM alarms')
  expect(
    await server.sql('SELECT * FROM branch_alarms WHERE (raised, closed, due, relieved) <> (0, 0, 0, 0)'),
  ).toEqual([])
})

test('devices: on line, off line and not yet enabled are three things, each the total of its list', async () => {
  const figure = await card(gm, 'online')
  const total = async (deviceStatus: string) =>
    (await gm.call(devicesApi.list, { query: { bindStatus: '2', deviceStatus } })).totalCount
  expect(figure.parts.map((p) => [p.label, p.value])).toEqual([
    ['在线', await total('1')],
    ['不在线', await total('2,4')],
    ['未启用', await total('3')],
  ])
  expect(figure.n).toBe((await total('1')) + (await total('2,4')))
  expect(figure.trend.at(-1)).toBe(figure.value)
})
