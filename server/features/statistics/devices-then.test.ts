import { api } from '@zhuguan/contract/api.ts'
import { onlineRate } from '@zhuguan/contract/features/statistics/daily-sheet.record.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

const HOUR = 3_600_000
const DAYS = 90
let server: TestServer
let gm: Person
let keeper: Person
let admin: Person
let today: string
let bc: string
let site: string
let cameras: { id: string; site: string }[]
const at = (day: number, hours: number) => new Date(startOfDay(addDays(today, day)).getTime() + hours * HOUR)

beforeAll(async () => {
  server = await startTestServer()
  today = shanghaiDay(server.now())
  server.later(startOfDay(today).getTime() + 15 * HOUR - server.now().getTime())
  gm = await server.as('branch_gm')
  keeper = await server.as('device_keeper')
  admin = await server.as('admin')
  const [branch] = await server.sql<{ bc: string }>(
    `SELECT bc_id AS bc FROM companies WHERE code = 'HZ' AND tenant_id = $1`,
    [gm.tenant],
  )
  bc = branch!.bc
  // A server listened all the time; the branch has four cameras that anybody wrote of, and days to be told of.
  await server.sql('DELETE FROM hearing')
  await server.sql(`DELETE FROM device_spans s USING devices d WHERE d.id = s.device_id AND d.bc_id = $1`, [
    bc,
  ])
  await server.sql(`UPDATE devices SET device_status = 3 WHERE bc_id = $1 AND bind_status = 2`, [bc])
  cameras = await server.sql<{ id: string; site: string }>(
    `SELECT d.id, d.site_id AS site FROM devices d JOIN sites w ON w.id = d.site_id AND w.status = 1
     WHERE d.bc_id = $1 AND d.type = 'camera' ORDER BY d.sn LIMIT 4`,
    [bc],
  )
  site = cameras[0]!.site
  await server.sql(
    `INSERT INTO site_days (tenant_id, day, site_id, bc_id)
     SELECT $1, d::date, $2, $3 FROM generate_series($4::date::timestamp, $5::date::timestamp, interval '1 day') d
     ON CONFLICT DO NOTHING`,
    [gm.tenant, site, bc, addDays(today, -DAYS), today],
  )
})
afterAll(() => server.stop())

/** What the devices were, hour by hour of 90 days: own books, a figure an hour. */
const books: { on: number; watched: number }[] = []
async function live() {
  for (let d = 0; d < DAYS; d += 1) books.push({ on: 0, watched: 0 })
  let seed = 7
  const random = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * n)
  }
  for (const { id } of cameras) {
    let state = 1
    let begun = 0
    const spans: [state: number, from: number, to: number][] = []
    for (let hour = 0; hour < DAYS * 24; hour += 1) {
      if (random(40) === 0 && hour > begun) {
        spans.push([state, begun, hour])
        state = [1, 2, 4][random(3)]!
        begun = hour
      }
      const book = books[Math.floor(hour / 24)]!
      book.watched += 3_600
      if (state === 1) book.on += 3_600
    }
    spans.push([state, begun, DAYS * 24])
    await server.sql(
      `INSERT INTO device_spans (tenant_id, device_id, from_at, to_at, state, cause)
       SELECT $1, $2, x.f, x.t, x.s, '断网' FROM json_to_recordset($3::json) AS x(s int, f timestamptz, t timestamptz)`,
      [gm.tenant, id, JSON.stringify(spans.map(([s, f, t]) => ({ s, f: at(-DAYS, f), t: at(-DAYS, t) })))],
    )
  }
}
const span = () => ({ from: addDays(today, -DAYS), to: addDays(today, -1) })
/** Both pages, day by day. */
async function told() {
  const sheet = new Map<string, number | null>()
  for (let from = span().from; from <= span().to; from = addDays(from, 30)) {
    const to = addDays(from, 29) < span().to ? addDays(from, 29) : span().to
    const { list } = await gm.call(api.statistics.dailySheet, { query: { from, to, pageSize: 100 } })
    for (const r of list) sheet.set(r.day, onlineRate(r))
  }
  const { onlineByDay } = await gm.call(api.statistics.devices, { query: span() })
  return {
    sheet: books.map((_, i) => sheet.get(addDays(today, i - DAYS))),
    pages: onlineByDay.map((d) => d.rate),
  }
}
const trend = async () =>
  (await gm.call(api.home.cards, {})).figures.find((f) => f.card === 'online')!.trend.slice(0, -1)

test('ninety days against books of hours; unbinding, moving and redistributing change no day of them', async () => {
  await live()
  // As the database of a product that runs for days knows its tables.
  await server.sql('ANALYZE')
  const byHand = books.map((b) => Math.round((1000 * b.on) / b.watched) / 10)
  expect(new Set(byHand).size).toBeGreaterThan(10)
  expect(await told()).toEqual({ sheet: byHand, pages: byHand })
  const curve = await trend()
  expect(curve.some((v) => v !== null && v < 100)).toBe(true)

  const neighbour = await server.as('branch_gm2')
  const theirs = (await neighbour.call(api.statistics.devices, { query: span() })).onlineByDay
  const [gone, moved, given] = cameras
  const rowOf = async (id: string) =>
    (
      await server.sql<{ id: string; version: number }>('SELECT id, version FROM devices WHERE id = $1', [id])
    )[0]!
  const unbind = async (id: string) => {
    const d = await rowOf(id)
    await keeper.call(api.devices.change, {
      body: { id, version: d.version, action: 'unbind', remark: '换工地' },
    })
  }
  for (const c of [gone!, moved!, given!]) await unbind(c.id)
  expect(await told()).toEqual({ sheet: byHand, pages: byHand })
  expect(await trend()).toEqual(curve)
  const [elsewhere] = await server.sql<{ id: string }>(
    `SELECT id FROM sites WHERE bc_id = $1 AND status = 1 AND id <> $2 ORDER BY id LIMIT 1`,
    [bc, moved!.site],
  )
  await keeper.call(api.devices.bind, {
    body: { id: moved!.id, version: (await rowOf(moved!.id)).version, site_id: elsewhere!.id },
  })
  const [nb] = await server.sql<{ bc: string }>(
    `SELECT bc_id AS bc FROM companies WHERE code = 'NB' AND tenant_id = $1`,
    [gm.tenant],
  )
  const answer = await admin.call(api.deviceStock.distribution, { body: { ids: [given!.id], bc_id: nb!.bc } })
  const retired = answer.done === 1 ? [] : answer.refused
  expect(retired).toEqual([])
  expect(await told()).toEqual({ sheet: byHand, pages: byHand })
  expect(await trend()).toEqual(curve)
  // Nor does the branch that has it now inherit its past.
  expect((await neighbour.call(api.statistics.devices, { query: span() })).onlineByDay).toEqual(theirs)
})
