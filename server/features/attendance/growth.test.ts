import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import { attendance } from '@zhuguan/contract/features/attendance/attendance.record.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Tx } from '../../database/connect.ts'
import { json, row } from '../../kit/row.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { startTestServer, type TestServer } from '../../testing/start.ts'
import { testNow } from '../../testing/time.ts'
import { attendDays, attendPeriods } from '../statistics/attend.queries.ts'
import { attendancePage } from './attendance.queries.ts'

let server: TestServer
let tenant: string
let bc: string
const today = shanghaiDay(testNow())
const PER_DAY = 400
beforeAll(async () => {
  server = await startTestServer()
  ;[{ tenant, bc }] = (await server.sql<{ tenant: string; bc: string }>(
    `SELECT tenant_id AS tenant, bc_id AS bc FROM companies WHERE code = 'HZ'`,
  )) as [{ tenant: string; bc: string }]
  await server.sql(
    `INSERT INTO workers (tenant_id, id, w_id, w_name, bc_id, w_type) SELECT $1, gen_random_uuid(), 'G' || i, '工人' || i, $2, 1 FROM generate_series(1, ${PER_DAY}) i`,
    [tenant, bc],
  )
})
afterAll(() => server.stop())

/** People's days of the days [from, to) before today, on one site each tenth person. */
async function fill(from: number, to: number): Promise<void> {
  await server.sql(
    `INSERT INTO attendance_days (tenant_id, day, site_id, worker_id, bc_id, first_at, last_at, count) SELECT k.tenant_id, d::date, w.id, k.id, k.bc_id, d + interval '7 hours', d + interval '17 hours', 1
    FROM generate_series(:today - $1::int, :today - $2::int, interval '1 day') d, (SELECT *, row_number() OVER (ORDER BY w_id) AS n FROM workers WHERE w_id LIKE 'G%') k JOIN (SELECT *, row_number() OVER (ORDER BY code) AS n FROM sites WHERE bc_id = $3) w ON w.n = 1 + k.n % 5`,
    [to, from + 1, bc],
  )
  await server.sql(
    `INSERT INTO site_days (tenant_id, day, site_id, bc_id, expected, present) SELECT tenant_id, day, site_id, bc_id, count(*), count(*) FROM attendance_days WHERE day BETWEEN :today - $1::int AND :today - $2::int GROUP BY 1, 2, 3, 4`,
    [to, from + 1],
  )
  await server.sql('ANALYZE attendance_days, site_days, branch_attend')
}

/** Pages of the database that the statements of `ask` touch, each run once to warm what is planned once. */
async function touched(ask: (tx: Tx) => Promise<unknown>): Promise<number> {
  let pages = 0
  await server.db.tx(
    { tenant, bcs: [bc], sites: null, receivers: [bc], user: null },
    (tx) => {
      const watched: Tx['query'] = async (name, columns, text, values) => {
        const plan = await tx.query(
          `${name}.explain`,
          row({
            'QUERY PLAN': json<[{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }]>(),
          }),
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
          values,
        )
        const { Plan } = plan.rows[0]!['QUERY PLAN'][0]
        pages += Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
        return tx.query(name, columns, text, values)
      }
      return ask({ ...tx, query: watched, last: watched })
    },
    { readOnly: true },
  )
  return pages
}

test('first page, a day, daily totals and a page in the middle read as much from eight times the rows (P-06)', async () => {
  const scope = { tenant, bcs: [bc], sites: null, user: null }
  const query = (more: object) =>
    ({ pageNo: 1, pageSize: 20, attendance: [attendance.code.present], ...more }) as never
  const range = { from: addDays(today, -300), to: addDays(today, -1) }
  const week = { from: addDays(today, -7), to: addDays(today, -1) }
  const asks: Record<string, (tx: Tx) => Promise<unknown>> = {
    'first page': (tx) => attendancePage(tx, scope, query(range), today),
    'a page in the middle': (tx) => attendancePage(tx, scope, query({ ...range, pageNo: 60 }), today),
    'one day': (tx) => attendancePage(tx, scope, query({ from: week.to, to: week.to }), today),
    'daily totals': async (tx) => [
      await attendPeriods(tx, scope, week, { ...week, grain: 'day' } as never),
      await attendDays(tx, scope, week, { ...week, grain: 'day' } as never),
    ],
  }
  await fill(0, 30)
  const small = new Map<string, number>()
  for (const [name, ask] of Object.entries(asks)) small.set(name, await touched(ask))
  await fill(30, 240)
  for (const [name, ask] of Object.entries(asks)) {
    const [before, after] = [small.get(name)!, await touched(ask)]
    expect(before, name).toBeGreaterThan(1)
    // A level more in an index, and a row a day in the kept sums.
    expect(after, `${name}: ${before} → ${after} pages`).toBeLessThanOrEqual(before * 1.2 + 20)
  }
})

test('the kept sums of a branch are the sums of its sites, whatever was changed', async () => {
  const differ = () =>
    server.sql(`SELECT * FROM (SELECT tenant_id, bc_id, day, count(*)::int AS sites, (count(*) FILTER (WHERE present > 0))::int AS worked, (count(*) FILTER (WHERE no_work))::int AS no_work, sum(present)::int AS present, sum(absent)::int AS absent, coalesce(sum(expected) FILTER (WHERE NOT rest AND NOT (blind AND present = 0)), 0)::int AS due, coalesce(sum(expected - absent) FILTER (WHERE NOT rest), 0)::int AS attended,
    sum(present - expected + absent)::int AS guests FROM site_days GROUP BY 1, 2, 3) s
    FULL JOIN branch_attend k USING (tenant_id, bc_id, day, sites, worked, no_work, present, absent, due, attended, guests) WHERE (s.day IS NULL AND k.sites <> 0) OR k.day IS NULL`)
  expect(await differ()).toEqual([])
  await server.sql(
    `UPDATE site_days SET present = present + 3, rest = site_id::text < '8', blind = NOT blind, no_work = site_id::text > '4' WHERE day > :today - 9`,
  )
  await server.sql(`DELETE FROM site_days WHERE day < :today - 200`)
  expect(await differ()).toEqual([])
  // The control: a sum that is wrong is seen.
  await server.sql(`UPDATE branch_attend SET present = present + 1 WHERE day = :today - 3 AND bc_id = $1`, [
    bc,
  ])
  expect(await differ()).toHaveLength(2)
  const gm = await server.as('branch_gm')
  expect(
    (
      await gm.call(attendanceApi.list, {
        query: {
          from: addDays(today, -3),
          to: addDays(today, -3),
          attendance: [attendance.code.present],
        },
      })
    ).totalCount,
  ).toBeGreaterThan(PER_DAY)
})
