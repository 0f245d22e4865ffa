import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import { attendance, type AttendanceRow } from '@zhuguan/contract/features/attendance/attendance.record.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

/** How many came, day by day backwards from yesterday: pages begin and end inside days and run over days without anybody. */
const CAME = [3, 0, 7, 1, 0, 0, 25, 2]
let server: TestServer
let gm: Person
let last: string

beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  last = addDays(shanghaiDay(server.now()), -1)
  const bcs = await server.sql<{ bc_id: string }>(
    `SELECT bc_id FROM companies WHERE code IN ('HZ', 'NB') ORDER BY code`,
  )
  // The sibling branch has people on every day: none of them may fill this one's pages.
  for (const [b, { bc_id }] of bcs.entries()) {
    await server.sql(
      `INSERT INTO workers (tenant_id, id, w_id, w_name, bc_id, w_type)
       SELECT c.tenant_id, gen_random_uuid(), c.code || i, '工人' || i, c.bc_id, 1 + i % 3
       FROM companies c, generate_series(1, 40) i WHERE c.bc_id = $1`,
      [bc_id],
    )
    for (const [back, came] of CAME.entries()) {
      const day = addDays(last, -back)
      await server.sql(
        `INSERT INTO attendance_days (tenant_id, day, site_id, worker_id, bc_id, first_at, last_at, count)
         SELECT k.tenant_id, $1::date, w.id, k.id, k.bc_id, $1::date + interval '7 hours' + k.n % 4 * interval '1 minute',
           $1::date + interval '17 hours' - k.n % 5 * interval '1 hour', 1 + k.n % 2
         FROM (SELECT *, row_number() OVER (ORDER BY w_id) AS n FROM workers WHERE bc_id = $2 AND w_name LIKE '工人%') k,
           (SELECT id FROM sites WHERE bc_id = $2 ORDER BY code LIMIT 1) w
         WHERE k.n <= $3`,
        [day, bc_id, b === 0 ? came : 12],
      )
      await server.sql(
        `INSERT INTO site_days (tenant_id, day, site_id, bc_id, expected, present)
         SELECT tenant_id, day, site_id, bc_id, count(*), count(*) FROM attendance_days WHERE day = $1 AND bc_id = $2 GROUP BY 1, 2, 3, 4
         ON CONFLICT (tenant_id, day, site_id) DO UPDATE SET present = excluded.present`,
        [day, bc_id],
      )
    }
  }
})
afterAll(() => server.stop())

const page = (more: object) =>
  gm.call(attendanceApi.list, {
    query: { attendance: [attendance.code.present], from: addDays(last, 1 - CAME.length), to: last, ...more },
  })
const total = CAME.reduce((n, came) => n + came, 0)
/** The order that is told to people, by the rows' own words. */
const newestFirst = (a: AttendanceRow, b: AttendanceRow) =>
  b.day.localeCompare(a.day) ||
  b.firstAt! - a.firstAt! ||
  a.site_id.localeCompare(b.site_id) ||
  a.worker_id.localeCompare(b.worker_id)

test('the first page is the newest of all, over days with few and days with nobody, with the exact total', async () => {
  const all = await page({ pageSize: 100 })
  expect(all.list).toHaveLength(total)
  expect(all.list).toEqual([...all.list].sort(newestFirst))
  for (const pageSize of [1, 3, 4, 10, 11, 12, 20]) {
    const first = await page({ pageSize })
    expect([first.list, first.totalCount], `${pageSize} a page`).toEqual([all.list.slice(0, pageSize), total])
    const second = await page({ pageSize, pageNo: 2 })
    expect(second.list).toEqual(all.list.slice(pageSize, 2 * pageSize))
  }
})

test('it keeps every order that the list has', async () => {
  for (const sort of ['day', '-day', 'firstAt', '-lastAt', 'hours', '-count']) {
    const all = await page({ sort, pageSize: 100 })
    const halves = [await page({ sort, pageSize: 19 }), await page({ sort, pageSize: 19, pageNo: 2 })]
    expect(
      halves.flatMap((h) => h.list),
      sort,
    ).toEqual(all.list.slice(0, 38))
    const days = all.list.map((r) => r.day)
    expect(days, sort).toEqual(sort === 'day' ? days.toSorted() : days.toSorted().reverse())
  }
})

test('one site, another branch and days on which nobody came', async () => {
  const [site] = await server.sql<{ id: string }>(`SELECT site_id AS id FROM attendance_days LIMIT 1`)
  const all = await page({ pageSize: 100 })
  const mine = all.list.filter((r) => r.site_id === site!.id)
  expect((await page({ pageSize: 5, site_id: site!.id })).list).toEqual(mine.slice(0, 5))
  const nobody = addDays(last, -1)
  expect(await page({ from: nobody, to: nobody })).toMatchObject({ list: [], totalCount: 0 })
  const [other] = await server.sql<{ bc_id: string }>(`SELECT bc_id FROM companies WHERE code = 'NB'`)
  expect(await page({ bc_id: other!.bc_id })).toMatchObject({ list: [], totalCount: 0 })
})
