import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { nearbyApi } from '@zhuguan/contract/features/nearby/nearby.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { caseStage, type CaseStage } from '../../testing/casing.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { testNow } from '../../testing/time.ts'

/** Homes of a story of its own, in a city where nothing else is: metres east and north of the middle. */
const HOMES = [
  { name: '云', east: 0, status: 1, style: '北欧', stage: 'tiling' },
  { name: '云', east: 40, status: 4, style: '北欧', took: 60, late: 0 },
  { name: '云', east: -40, status: 4, style: '日式', took: 70, late: 3 },
  { name: '溪', east: 800, status: 1, style: '北欧', stage: 'plumbing' },
  { name: '溪', east: 800, status: 4, style: '北欧', took: 80, late: 0 },
  { name: '溪', east: 800, status: 4, style: '', took: 90, late: 0 },
  { name: '湖', east: 1_900, status: 4, style: '轻奢', took: 100, late: 9 },
  { name: '海', east: 2_600, status: 1, style: '北欧', stage: 'tiling' },
  // Not begun, ended, of another group, without a place: told of by nobody.
  { name: '云', east: 10, status: 2, style: '北欧' },
  { name: '云', east: 10, status: 3, style: '北欧' },
] as const
let server: TestServer
let sales: Person
let gm: Person
let c: CaseStage
let ids: string[]
const today = shanghaiDay(testNow())

beforeAll(async () => {
  server = await startTestServer()
  const [steward, service] = await Promise.all([server.as('steward'), server.as('service')])
  sales = await server.as('sales')
  gm = await server.as('branch_gm')
  c = await caseStage(server, { gm, steward, service })
  const [me] = await server.sql<{ tenant: string; bc: string }>(
    `SELECT tenant_id AS tenant, bc_id AS bc FROM users WHERE user_name = 'sales'`,
  )
  await server.sql(`UPDATE companies SET city = '仙境' WHERE bc_id = $1`, [me!.bc])
  await server.sql(`UPDATE sites SET community = '' WHERE tenant_id = $1`, [me!.tenant])
  ids = []
  for (const [i, h] of HOMES.entries()) {
    const start = addDays(today, -300)
    const took = 'took' in h ? h.took : null
    const [site] = await server.sql<{ id: string }>(
      `INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, community, style, area, lng, lat, status, stage,
         start_date, planned_finish, actual_finish)
       VALUES ($1, gen_random_uuid(), $2, $2, $3, $4, $5, 95, $6::float8, 60, $7, $8, $9, $10, $11)
       RETURNING id`,
      [
        me!.tenant,
        `近${i}`,
        me!.bc,
        h.name,
        h.style,
        100 + h.east / (111_320 * Math.cos(Math.PI / 3)),
        h.status,
        'stage' in h ? h.stage : null,
        start,
        took === null ? addDays(start, 90) : addDays(start, took - 1 - ('late' in h ? h.late : 0)),
        took === null ? null : addDays(start, took - 1),
      ],
    )
    ids.push(site!.id)
  }
})
afterAll(() => server.stop())
const around = (more: object = {}, who = sales) =>
  who.call(nearbyApi.around, { query: { community: '云', city: '仙境', ...more } })

test('around a community: what stands there, how long it took, how much was on time', async () => {
  const { figures, points, homes, total, styles } = await around()
  expect(figures).toEqual({
    hereBuilding: 1,
    hereFinished: 2,
    building: 2,
    finished: 5,
    working: 0,
    typicalDays: 80,
    typicalOf: 5,
    onTime: 60,
    onTimeOf: 5,
  })
  expect(points.map((p) => [p.community, p.building, p.finished, p.east, p.north, p.metres])).toEqual([
    ['云', 1, 2, 0, 0, 0],
    ['溪', 1, 2, 800, 0, 800],
    ['湖', 0, 1, 1_900, 0, 1_900],
  ])
  expect(homes.map((h) => [h.community, h.status])).toEqual([
    ['云', 1],
    ['云', 4],
    ['云', 4],
    ['溪', 1],
    ['溪', 4],
    ['溪', 4],
    ['湖', 4],
  ])
  expect(total).toBe(7)
  expect(styles).toEqual(['北欧', '日式', '轻奢'])
  // Of four homes nothing typical is said.
  const near = await around({ radius: 1_000 })
  expect(near.figures).toMatchObject({
    building: 2,
    finished: 4,
    typicalDays: null,
    typicalOf: 4,
    onTime: null,
  })
  expect((await around({ radius: 500 })).total).toBe(3)
})

test('the list obeys stage, style and state; the figures are those of the radius', async () => {
  const q = { style: '北欧', status: 'building' as const }
  const chosen = await around(q)
  expect(chosen.homes.map((h) => h.id)).toEqual([ids[0], ids[3]])
  expect(chosen.figures.finished).toBe(5)
  expect((await around({ stage: 'plumbing' })).homes.map((h) => h.id)).toEqual([ids[3]])
  await server.sql(
    `INSERT INTO attendance_days (tenant_id, day, site_id, worker_id, bc_id, first_at, last_at, count)
     SELECT w.tenant_id, :today, w.id, k.id, w.bc_id, :now, :now, 1
     FROM sites w JOIN workers k ON k.bc_id = w.bc_id WHERE w.id = $1 LIMIT 1`,
    [ids[3]],
  )
  const working = await around({ status: 'working' })
  expect(working.homes.map((h) => h.id)).toEqual([ids[3]])
  expect(working.figures.working).toBe(1)
  expect(working.total).toBe(working.figures.working)
})

test('nothing of it finds a home: no address, no name, no number, and a place of the community alone', async () => {
  const text = JSON.stringify(await around())
  expect(text).not.toMatch(/address|ws_name|owner|phone|近\d|lng|lat/)
  const two = await sales.call(nearbyApi.places, { query: { keyword: '溪' } })
  expect(two).toEqual([{ community: '溪', city: '仙境', building: 1, finished: 2 }])
  const strange = await (
    await server.as('other')
  ).ask(nearbyApi.around, {
    query: { community: '云', city: '仙境' },
  })
  expect([strange.code, strange.msg]).toEqual([400, '没有在“云”做过工地，请换一个小区'])
  expect(
    (await sales.ask(nearbyApi.around, { query: { community: '云', city: '仙境', radius: 700 } })).code,
  ).toBe(400)
  expect((await (await server.as('cashier')).ask(nearbyApi.places, { query: { keyword: '溪' } })).msg).toBe(
    'No Permission',
  )
  expect((await sales.ask(nearbyApi.places, { query: { keyword: '' } })).code).toBe(400)
})

test('a point beside a community or typed: no community in its middle, and none told exactly', async () => {
  const beside = await around({ east: 800, north: 0, radius: 1_000 })
  expect(beside.points.map((p) => [p.community, p.east, p.metres])).toEqual([
    ['云', -800, 800],
    ['溪', 0, 0],
  ])
  expect(beside.figures).toMatchObject({ hereBuilding: null, hereFinished: null, building: 2, finished: 4 })
  // Nothing is there: so it says, and no mistake.
  expect(await around({ east: -9_000, north: 9_000, radius: 500 })).toMatchObject({
    points: [],
    homes: [],
    total: 0,
  })
  const typed = (point: string, more: object = {}) =>
    sales.ask(nearbyApi.around, { query: { point, radius: 1_000, ...more } })
  // 130 metres north of the middle, in degrees; told to fifty metres.
  const { data } = await typed(`100,${(60 + 130 / 111_320).toFixed(6)}`)
  expect(data.points.map((p) => [p.community, p.east, p.north, p.metres])).toEqual([
    ['云', 0, -150, 150],
    ['溪', 800, -150, 800],
  ])
  expect(new Set(data.homes.map((h) => h.metres % 50))).toEqual(new Set([0]))
  for (const bad of ['100', 'a,b', '100;60', '-1,5', '1000,60', "100,60' OR 1=1"])
    expect([bad, (await typed(bad)).msg]).toEqual([bad, '点：请按“经度,纬度”输入'])
  expect((await sales.ask(nearbyApi.around, { query: {} })).msg).toBe('请选择小区')
  expect((await sales.ask(nearbyApi.around, { query: { community: '云', east: 30_000 } })).msg).toBe(
    '往东：离小区太远了',
  )
  expect((await sales.ask(nearbyApi.around, { query: { community: '无此', east: 100 } })).msg).toBe(
    '没有在“无此”做过工地，请换一个小区',
  )
})

test('a picture comes with what its people agreed to, their community among it, and goes with it', async () => {
  const home = c.homes[0]!
  await server.sql(`UPDATE sites SET community = '云', lng = 100, lat = 60 WHERE id = $1`, [home.site])
  const mine = async () => (await around()).homes.find((h) => h.id === home.site)
  expect(await mine()).toMatchObject({ case: null })
  const id = await c.published({ ...home, community: '云' })
  expect(await mine()).toMatchObject({ case: { id, title: '南北通透的家' } })
  const { version } = await c.details(id)
  await gm.call(casesApi.withdraw, { body: { id, version, reason: '业主来电' } })
  expect(await mine()).toMatchObject({ case: null })
  // Shown without its community it is shown here by no picture: its place would tell it.
  const again = await c.made(home)
  await c.maskAll(again)
  await c.releaseAll(again)
  expect((await c.askFor(again, { scope: ['photos'] })).code).toBe(200)
  expect((await c.onPaper(again, home)).code).toBe(200)
  expect((await c.publish(again)).code).toBe(200)
  expect((await gm.call(casesApi.field, { query: {} })).list.map((k) => k.id)).toContain(again)
  expect(await mine()).toMatchObject({ case: null })
  expect((await around({}, gm)).homes.find((h) => h.id === home.site)).toMatchObject({ inReach: true })
})

test('beside a picture stands the area only where its people agreed to that, too', async () => {
  const home = c.homes[1]!
  await server.sql(`UPDATE sites SET community = '云', lng = 100, lat = 60 WHERE id = $1`, [home.site])
  const mine = async () => (await around()).homes.find((h) => h.id === home.site)
  // A home as anybody may know it, of which nothing else is shown.
  expect(await mine()).toMatchObject({ case: null, areaRange: '80–100 ㎡' })
  const id = await c.made({ ...home, community: '云' })
  await c.maskAll(id)
  await c.releaseAll(id)
  expect((await c.askFor(id, { scope: ['photos', 'community'] })).code).toBe(200)
  expect((await c.onPaper(id, home)).code).toBe(200)
  expect((await c.publish(id)).code).toBe(200)
  expect(await mine()).toMatchObject({ case: { id }, areaRange: null })
  const other = c.homes[2]!
  await server.sql(`UPDATE sites SET community = '云', lng = 100, lat = 60 WHERE id = $1`, [other.site])
  const whole = await c.published({ ...other, community: '云' })
  expect((await around()).homes.find((h) => h.id === other.site)).toMatchObject({
    case: { id: whole },
    areaRange: '80–100 ㎡',
  })
})
