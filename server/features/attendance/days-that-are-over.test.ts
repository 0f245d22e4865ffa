import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openToday } from '../../app/clock.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { recomputeDays } from './attendance.service.ts'

const HOUR = 3_600_000
let server: TestServer
let pm: Person
let gm: Person
let site: string
let sn: string
let crew: string[]

beforeAll(async () => {
  server = await startTestServer()
  server.later(startOfDay(shanghaiDay(server.now())).getTime() + 15 * HOUR - server.now().getTime())
  await enter()
  const [row] = await server.sql<{ site: string; sn: string; workers: string[] }>(
    `SELECT w.id AS site, min(d.sn) AS sn, array_agg(DISTINCT m.worker_id::text) AS workers
     FROM sites w
     JOIN users u ON u.id = w.manager_id AND u.user_name = 'pm'
     JOIN devices d ON d.site_id = w.id AND d.type = 'faceTerminal'
     JOIN site_members m ON m.site_id = w.id AND m.left_on IS NULL
     WHERE w.status = 1 AND w.start_date < $1
     GROUP BY w.id HAVING count(DISTINCT m.worker_id) > 3 ORDER BY w.id LIMIT 1`,
    [addDays(shanghaiDay(server.now()), -10)],
  )
  ;({ site, sn, workers: crew } = row!)
})
afterAll(() => server.stop())

async function enter() {
  await openToday(server.db, server.now())
  pm = await server.as('pm')
  gm = await server.as('branch_gm')
}
const nextDay = async () => {
  server.later(24 * HOUR)
  await enter()
}
const today = () => shanghaiDay(server.now())
async function punch(worker: string, at = Math.floor(server.now().getTime() / 1000) - 60) {
  const device = server.devices.find((d) => d.sn === sn)!
  const [w] = await server.sql<{ w_id: string }>('SELECT w_id FROM workers WHERE id = $1', [worker])
  const event = { id: `${worker}${at}`, kind: 'clockin', at, w_id: w!.w_id, direction: 'in' }
  const { data } = await report(server.url, device, [event], server.now())
  expect(data.rejected).toEqual([])
}
/** What every page says of a day. */
async function told(day: string) {
  const span = { from: day, to: day }
  const groups = async (by: 'site' | 'person' | 'trade', more: object = {}) =>
    (
      await gm.call(api.statistics.attendGroups, {
        query: { by, ...span, pageSize: 100, sort: ['name'], ...more },
      })
    ).list
  const listed = async (more: object) =>
    (await gm.call(api.attendance.list, { query: { ...span, site_id: site, ...more } })).totalCount
  return {
    sheet: (await gm.call(api.statistics.dailySheet, { query: span })).list,
    attend: (await gm.call(api.statistics.attend, { query: { ...span, grain: 'day' } })).periods,
    trades: (
      await gm.call(api.statistics.attend, { query: { ...span, grain: 'day', w_type: [3, 4, 5, 6, 7] } })
    ).periods,
    sites: (await groups('site')).filter((g) => g.id === site),
    people: (await groups('person', { site_id: site }))
      .map((g) => [g.id, g.due, g.attended, g.guests])
      .sort(),
    trade: await groups('trade', { site_id: site }),
    days: (await gm.call(api.statistics.siteDays, { query: span })).list.filter((d) => d.site_id === site),
    absent: await listed({ attendance: [2] }),
    members: await listed({ attendance: [1], guest: false }),
    guests: await listed({ attendance: [1], guest: true }),
  }
}

test('who is taken off and sent again in name changes no day that is over; what comes late of it does', async () => {
  const [came, absent, late] = crew
  const first = today()
  await punch(came!)
  await nextDay()
  const second = today()
  await nextDay()
  await server.db.tx(SYSTEM, (tx) => recomputeDays(tx, gm.tenant, first, second))
  const before = [await told(first), await told(second)]
  expect(before[0]).toMatchObject({ absent: crew.length - 1, members: 1, guests: 0 })
  expect(before[1]).toMatchObject({ absent: crew.length, members: 0 })
  const expected = async () =>
    (await gm.call(api.statistics.siteDays, { query: { from: today(), to: today() } })).list.find(
      (d) => d.site_id === site,
    )?.expected

  for (const id of [came!, absent!, late!])
    await pm.call(api.workers.recall, { body: { id, site_id: site, day: addDays(first, -1) } })
  expect(await expected()).toBe(crew.length - 3)
  expect([await told(first), await told(second)]).toEqual(before)
  for (const id of [came!, absent!])
    await pm.call(api.workers.send, { body: { id, site_id: site, day: today() } })
  expect(await expected()).toBe(crew.length - 1)
  expect([await told(first), await told(second)]).toEqual(before)
  // Back to the day after they left in name: the days between were counted with them, and count them once.
  await pm.call(api.workers.send, { body: { id: late!, site_id: site, day: first } })
  expect(await expected()).toBe(crew.length)
  expect([await told(first), await told(second)]).toEqual(before)
  // Who comes in name to days that were counted without them is none of whom those days expected.
  const { bc_id } = (await gm.call(api.sites.list, { query: { pageSize: 100 } })).list.find(
    (w) => w.id === site,
  )!
  const { w_id } = await gm.call(api.workers.add, { body: { w_name: '新来的', bc_id, w_type: 3 } })
  const stranger = (await gm.call(api.workers.list, { query: { keyword: w_id } })).list[0]!.id
  await gm.call(api.workers.send, { body: { id: stranger, site_id: site, day: first } })
  expect(await expected()).toBe(crew.length + 1)
  expect(await told(first)).toEqual(before[0])
  const track = (await gm.call(api.stays.list, { query: { worker_id: absent!, site_id: site } })).list
  expect(track.map((s) => [s.enteredOn, s.leftOn]).slice(0, 2)).toMatchObject([
    [today(), null],
    [expect.any(String), addDays(first, -1)],
  ])
  // The night counts the same again, and a punch that arrives late is a member's, as the day expected them.
  await server.db.tx(SYSTEM, (tx) => recomputeDays(tx, gm.tenant, first, second))
  expect([await told(first), await told(second)]).toEqual(before)
  await punch(absent!, startOfDay(second).getTime() / 1000 + 9 * 3600)
  expect(await told(second)).toMatchObject({ absent: crew.length - 1, members: 1, guests: 0 })
})
