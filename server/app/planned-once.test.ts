import { api } from '@zhuguan/contract/api.ts'
import { attendance } from '@zhuguan/contract/features/attendance/attendance.record.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { int4, row, text, type RowOf, uuid } from '../kit/row.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import { type Person, startTestServer, type TestServer } from '../testing/start.ts'

/** PostgreSQL plans a prepared statement anew five times, then keeps a plan unless it looks dear: then it plans for ever. */
const FREE = 5
/** More than both of two connections that take turns need. */
const CALLS = 14
const CONNECTIONS = 8
/** The sealing of the log runs beside: what it reads is new with every second. */
const BESIDE = /^log\./
const ROWS = 40_000

let server: TestServer
let admin: Person
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('admin')
  // Tables of some size: in an empty one every plan is as good.
  const days = [0, 1, 2].map((n) => addDays(shanghaiDay(server.now()), -n))
  for (const day of days) {
    await server.sql(
      `INSERT INTO site_days (tenant_id, day, site_id, bc_id, expected, present)
       SELECT tenant_id, $1::date, id, bc_id, 5, 1 FROM sites ON CONFLICT DO NOTHING`,
      [day],
    )
    await server.sql(
      `INSERT INTO attendance_days (tenant_id, day, site_id, worker_id, bc_id, first_at, last_at, count)
       SELECT w.tenant_id, $1::date, w.id, gen_random_uuid(), w.bc_id, $1::timestamptz, $1::timestamptz, 1
       FROM generate_series(1, $2::int) n
       JOIN (SELECT *, row_number() OVER (ORDER BY id) AS r, count(*) OVER () AS all FROM sites) w ON w.r = 1 + n % w.all`,
      [day, ROWS],
    )
  }
  await server.sql(
    `INSERT INTO user_logs (tenant_id, id, at, action, object)
     SELECT $1, gen_random_uuid(), :now - n * interval '1 minute', '编辑工地', 'site' FROM generate_series(1, $2::int) n`,
    [admin.tenant, ROWS],
  )
  await server.sql(
    `INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, address)
     SELECT w.tenant_id, gen_random_uuid(), 'P' || n, '工地' || n, w.bc_id, '某路'
     FROM (SELECT * FROM sites WHERE tenant_id = $1 ORDER BY id LIMIT 1) w, generate_series(1, $2::int) n`,
    [admin.tenant, ROWS / 10],
  )
  await server.sql('ANALYZE')
})
afterAll(() => server.stop())

/** Everything that answers pages. */
const lists = Object.values(api).flatMap((feature) =>
  (Object.values(feature) as Endpoint[]).filter((e) => {
    const shape = (e.data as { shape?: Record<string, unknown> }).shape
    return shape !== undefined && 'totalCount' in shape && 'list' in shape
  }),
)

const preparedRow = row({ name: text, statement: text, custom: int4 })
type Prepared = RowOf<typeof preparedRow>
const SCOPE = () => ({ tenant: admin.tenant, bcs: null, sites: null, user: null })
/** What each connection of the pool has prepared: all are held at once, so that each is asked. */
async function prepared(): Promise<Prepared[]> {
  const scope = SCOPE()
  let arrived = 0
  let open: () => void
  const all = new Promise<void>((resolve) => (open = resolve))
  const asked = Array.from({ length: CONNECTIONS }, () =>
    server.db.tx(
      scope,
      async (tx) => {
        const { rows } = await tx.query(
          'test.prepared',
          preparedRow,
          `SELECT name, statement, custom_plans::int AS custom FROM pg_prepared_statements`,
          [],
        )
        arrived += 1
        if (arrived === CONNECTIONS) open()
        await all
        return rows
      },
      { readOnly: true },
    ),
  )
  return (await Promise.all(asked)).flat()
}

/** Asks for every list that this person has, by two connections in turn. */
async function askEach(person: Person): Promise<number> {
  // Rows of one import or one record are asked for by its id: no list of everything.
  const open: Endpoint[] = []
  for (const endpoint of lists) if ((await person.ask(endpoint, {})).code === 200) open.push(endpoint)
  for (const endpoint of open)
    for (let n = 0; n < CALLS; n += 1) {
      const { code, msg } = await person.ask(endpoint, {})
      expect([endpoint.path, code, msg]).toEqual([endpoint.path, 200, ''])
    }
  const came = { query: { attendance: [attendance.code.present] } }
  for (let n = 0; n < CALLS; n += 1) await person.call(api.attendance.list, came)
  return open.length
}

// The whole tenant and one branch have roles of their own; who leads single sites keeps the login's rule.
test('every list is planned at most five times a connection, however often it is asked for, in every kind of reach', async () => {
  expect(await askEach(admin)).toBeGreaterThan(12)
  expect(await askEach(await server.as('branch_gm'))).toBeGreaterThan(12)
  expect(await askEach(await server.as('pm'))).toBeGreaterThan(5)
  const all = await prepared()
  for (const name of ['attendance.page', 'attendance.first'])
    expect(
      new Set(all.filter((p) => p.name.startsWith(name)).map((p) => p.name)).size,
      name,
    ).toBeGreaterThanOrEqual(3)
  expect(
    all
      .filter((p) => p.custom > FREE && !BESIDE.test(p.name))
      .map((p) => [p.name, p.custom, p.statement.slice(0, 200)]),
  ).toEqual([])
}, 600_000)

test('control: a page whose size the planner does not know is found', async () => {
  const planted = `SELECT l.id, u.nickname FROM user_logs l LEFT JOIN users u ON u.tenant_id = l.tenant_id AND u.id = l.user_id
    WHERE l.tenant_id = $1 ORDER BY l.at DESC LIMIT $2::int OFFSET $3::int`
  for (let n = 0; n < 2 * CALLS; n += 1)
    await server.db.tx(SCOPE(), (tx) =>
      tx.query('test.planted', row({ id: uuid, nickname: text.null }), planted, [admin.tenant, 20, 0]),
    )
  const found = (await prepared()).filter((p) => p.name.startsWith('test.planted') && p.custom > FREE)
  expect(found.length).toBeGreaterThan(0)
})
