import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { RETENTION } from '../../app/retention.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

const HOUR = 3_600_000
let server: TestServer
let gm: Person, pm: Person
let sites: { id: string; lng: number; lat: number }[]
let bc: string, ann: string, keeper: string, tenant: string
beforeAll(async () => {
  server = await startTestServer()
  server.later(startOfDay(shanghaiDay(server.now())).getTime() + 15 * HOUR - server.now().getTime())
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
  const [me] = await server.sql<{ id: string; bc_id: string; tenant_id: string }>(
    `SELECT id, bc_id, tenant_id FROM users WHERE user_name = 'pm'`,
  )
  ann = me!.id
  bc = me!.bc_id
  tenant = me!.tenant_id
  keeper = (await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'steward'`))[0]!.id
  sites = await server.sql(
    'SELECT id, lng, lat FROM sites WHERE bc_id = $1 AND status = 1 AND manager_id = $2 ORDER BY code LIMIT 4',
    [bc, ann],
  )
  await server.sql('DELETE FROM patrol_items')
  await server.sql('DELETE FROM patrols')
  await server.sql('DELETE FROM attendance_days')
  await server.sql('DELETE FROM attendance_events')
})
afterAll(() => server.stop())

let n = 0
const today = () => shanghaiDay(server.now())
const moment = (daysAgo: number, hour: number) =>
  new Date(startOfDay(addDays(today(), -daysAgo)).getTime() + hour * HOUR)
/** A patrol that somebody began, and where they stood then. */
async function began(
  site: number,
  daysAgo: number,
  hour: number,
  more: {
    who?: string
    kind?: string
    at?: [number, number] | null
    status?: number
    problems?: number
  } = {},
) {
  const { at = [sites[site]!.lng + 0.001, sites[site]!.lat], kind = 'scene', problems = 0, status = 2 } = more
  n += 1
  const [row] = await server.sql<{ id: string }>(
    `INSERT INTO patrols (tenant_id, id, number, bc_id, site_id, kind, inspector_id, begun_at, submitted_at, status,
       lng, lat, accuracy, distance, place, problems)
     VALUES ($1, gen_random_uuid(), $2, $3, $4, $5, $6, $7, CASE WHEN $8 = 2 THEN $7::timestamptz END, $8, $9, $10, 12,
       90, $11, $12)
     RETURNING id`,
    [
      tenant,
      `XJ-T${n}`,
      bc,
      sites[site]!.id,
      kind,
      more.who ?? ann,
      moment(daysAgo, hour),
      status,
      at?.[0] ?? null,
      at?.[1] ?? null,
      at ? 'near' : 'unknown',
      problems,
    ],
  )
  return row!.id
}
const map = (who = gm, query: object = {}) => who.call(supervisionApi.map, { query })
const mine = async (query: object = {}) => (await map(gm, query)).people.find((p) => p.id === ann)!

test('last check-ins and the way of today are patrols on the spot and clock-ins, and nothing else', async () => {
  await began(0, 3, 9)
  await began(1, 0, 9)
  await began(0, 0, 10, { kind: 'remote', at: null })
  await began(2, 0, 14, { at: null })
  const [worker] = await server.sql<{ id: string }>(
    `INSERT INTO workers (tenant_id, id, w_id, w_name, bc_id, w_type, user_id)
     VALUES ($1, gen_random_uuid(), 'M1', '经理', $2, 2, $3) ON CONFLICT DO NOTHING RETURNING id`,
    [tenant, bc, ann],
  )
  const worker_id =
    worker?.id ??
    (await server.sql<{ id: string }>('SELECT id FROM workers WHERE user_id = $1', [ann]))[0]!.id
  const punch = (site: number, hour: number, source: string) =>
    server.sql(
      `INSERT INTO attendance_events (tenant_id, id, bc_id, site_id, worker_id, at, day, direction, source)
       VALUES ($1, gen_random_uuid(), $2, $3, $4, $5, $6, 'in', $7)`,
      [tenant, bc, sites[site]!.id, worker_id, moment(0, hour), today(), source],
    )
  await punch(3, 11, 'face')
  await punch(0, 12, 'makeup')
  const { last, today: way } = await mine()
  const spot = (site: number, east = 0) => [sites[site]!.id, sites[site]!.lng + east, sites[site]!.lat]
  expect(way.map((c) => [c.site_id, c.lng, c.lat])).toEqual([
    spot(1, 0.001),
    spot(3),
    [sites[2]!.id, null, null],
  ])
  expect(way.map((c) => c.by)).toEqual(['patrol', 'terminal', 'patrol'])
  expect([last!.site_id, last!.at]).toEqual([sites[2]!.id, moment(0, 14).getTime() / 1000])
})

test('sites are named on which none of those who lead was for so many days', async () => {
  await server.sql('DELETE FROM patrols')
  await server.sql('DELETE FROM attendance_events')
  await began(0, 6, 9)
  await began(1, 7, 9)
  await began(2, 8, 9)
  await began(3, 2, 9, { kind: 'remote', at: null })
  const unvisited = async (query: object = {}, who = gm) =>
    (await map(who, query)).unvisited.filter((s) => sites.some((own) => own.id === s.id))
  const names = async (query: object = {}) =>
    (await unvisited(query)).map((s) => sites.findIndex((o) => o.id === s.id))
  // Seven days unless another number is asked for; what nobody ever visited comes first, a look by camera is no visit.
  expect(await names()).toEqual([3, 2, 1])
  expect(await names({ days: 6 })).toEqual([3, 2, 1, 0])
  expect(await names({ days: 30 })).toEqual([3])
  expect((await gm.ask(supervisionApi.map, { query: { days: 0 } })).msg).toBe('没有到访的天数：至少 1 天')
  // An inspector who leads no site visits for nobody.
  await began(3, 1, 9, {
    who: (await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'inspector'`))[0]!.id,
  })
  expect(await names()).toEqual([3, 2, 1])
  // Who sees themselves sees their own sites.
  const own = (await map(pm)).unvisited.map((s) => s.id)
  const led = await server.sql<{ id: string }>('SELECT id FROM sites WHERE manager_id = $1 AND status = 1', [
    ann,
  ])
  expect(own.filter((id) => !led.some((s) => s.id === id))).toEqual([])
})

test('a place is kept ninety days and no longer; how far it was from the site stays', async () => {
  await server.sql('DELETE FROM patrols')
  const kept = await began(0, 89, 9)
  const old = await began(1, 90, 9, { who: keeper })
  const older = await began(2, 300, 9)
  // Also before the night has come nothing older is shown.
  expect((await mine()).last!.site_id).toBe(sites[0]!.id)
  expect((await map()).people.find((p) => p.id === keeper)!.last).toBeNull()
  const night = RETENTION.find((j) => j.kind === 'retention.places')!
  const run = {
    db: server.db,
    tenant,
    day: today(),
    since: startOfDay(addDays(today(), -1)),
    met: server.now(),
    now: server.now(),
    stopped: () => false,
  }
  expect(await night.run(run)).toBe('删除 2 次签到的位置')
  const rows = await server.sql<{
    id: string
    lng: number | null
    accuracy: number | null
    distance: number
  }>('SELECT id, lng, accuracy, distance FROM patrols ORDER BY begun_at DESC')
  expect(rows.map((r) => [r.id, r.lng !== null, r.accuracy, r.distance])).toEqual([
    [kept, true, 12, 90],
    [old, false, null, 90],
    [older, false, null, 90],
  ])
  expect(await night.run(run)).toBe('')
})

test('every visit is a row with its kind, result and problems; the file is the list', async () => {
  await server.sql('DELETE FROM patrols')
  const clear = await began(0, 1, 9)
  const bad = await began(1, 2, 9, { problems: 3, kind: 'remote', at: null })
  const left = await began(2, 3, 9, { status: 3 })
  const open = await began(3, 0, 9, { status: 1, who: keeper })
  await began(0, 40, 9)
  const visits = async (query: object = {}, who = gm) =>
    (await who.call(supervisionApi.visits, { query: { pageSize: 100, ...query } })).list
  expect((await visits()).map((v) => [v.id, v.result, v.problems, v.isReached])).toEqual([
    [open, 'begun', 0, true],
    [clear, 'clear', 0, true],
    [bad, 'problems', 3, true],
    [left, 'abandoned', 0, true],
  ])
  expect((await visits({ id: ann })).map((v) => v.id)).toEqual([clear, bad, left])
  expect((await visits({ kind: ['remote'] })).map((v) => v.id)).toEqual([bad])
  expect((await visits({ result: ['problems', 'begun'] })).map((v) => v.id)).toEqual([open, bad])
  expect((await visits({ from: addDays(today(), -60) })).length).toBe(5)
  expect((await visits({}, pm)).map((v) => v.id)).toEqual([clear, bad, left])
  // What was handed over since is still one's own visit, and cannot be opened.
  await server.sql('UPDATE sites SET manager_id = $2 WHERE id = $1', [sites[0]!.id, null])
  const again = await server.as('pm')
  expect((await visits({}, again)).map((v) => [v.id, v.isReached])).toEqual([
    [clear, false],
    [bad, true],
    [left, true],
  ])
  const [head, ...rows] = await cellsOf((await gm.ask(supervisionApi.visitsExport, { query: {} })).bytes)
  expect(head!.slice(0, 6)).toEqual(['管理人员', '工地', '分公司', '时间', '类型', '结果'])
  expect(rows.map((r) => r[5])).toEqual(['进行中', '没有问题', '有问题', '已放弃'])
})
