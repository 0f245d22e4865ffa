import { api } from '@zhuguan/contract/api.ts'
import { arrangementsApi } from '@zhuguan/contract/features/screens/arrangements.api.ts'
import { isLit } from '@zhuguan/contract/features/screens/arrangements.record.ts'
import { screensApi } from '@zhuguan/contract/features/screens/screens.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { shownHome } from '../../testing/shown-home.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { type Wall, wallOf } from '../../testing/walls.ts'

let server: TestServer
let gm: Person
let store: { id: string; bc_id: string }
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  ;[store] = (await server.sql(
    `SELECT k.id, k.bc_id FROM stores k JOIN users u ON u.bc_id = k.bc_id
     WHERE u.user_name = 'branch_gm' AND k.status = 1 ORDER BY k.name LIMIT 1`,
  )) as [typeof store]
})
afterAll(() => server.stop())

const SECOND = 1_000
let count = 0
type Arranged = BodyOf<typeof arrangementsApi.add>
type Scene = Arranged['scenes'][number]
const scene = (kind: Scene['kind'], more: Partial<Scene> = {}): Scene => ({
  kind,
  seconds: 10,
  words: '',
  from: null,
  to: null,
  ...more,
})
const add = (scenes: Scene[], more: Partial<Arranged> = {}) =>
  gm.ask(arrangementsApi.add, {
    body: { store_id: store.id, name: `场景 ${(count += 1)}`, scenes, opens: null, closes: null, ...more },
  })
async function wallWith(scenes: Scene[], more: Partial<Arranged> = {}): Promise<Wall> {
  const { data } = await add(scenes, more)
  const wall = wallOf(server)
  const { code } = await wall.look()
  await gm.call(screensApi.pair, {
    body: { code, name: `墙 ${count}`, store_id: store.id, kind: 'public', arrangement_id: data.id },
  })
  // What is kept for all walls is asked anew.
  server.later(20 * SECOND)
  return wall
}
const shownOn = async (wall: Wall) => (await wall.look()).content!.scenes

test('each stage says how many homes are in it now, and its usual days where enough have ended', async () => {
  const sites = await server.sql<{ id: string }>(
    'SELECT id FROM sites WHERE bc_id = $1 AND deleted_at IS NULL ORDER BY code LIMIT 6',
    [store.bc_id],
  )
  await server.sql(
    `UPDATE site_stages t SET actual_start = NULL, actual_finish = NULL FROM sites w
     WHERE w.id = t.site_id AND w.bc_id = $1`,
    [store.bc_id],
  )
  // Six took 3, 5, 7, 9, 11 and 13 days: the middle of them is 7. Of tiling only four have ended, and one long ago.
  for (const [i, { id }] of sites.entries())
    await server.sql(
      `UPDATE site_stages SET actual_start = :today - 20, actual_finish = :today - 20 + $2::int
       WHERE site_id = $1 AND stage = 'plumbing'`,
      [id, 2 + i * 2],
    )
  for (const [i, { id }] of sites.slice(0, 5).entries())
    await server.sql(
      `UPDATE site_stages SET actual_start = :today - $2::int - 4, actual_finish = :today - $2::int
       WHERE site_id = $1 AND stage = 'tiling'`,
      [id, i === 4 ? 500 : 2],
    )
  const [craft] = await shownOn(await wallWith([scene('craft')]))
  const stages = craft?.kind === 'craft' ? craft.stages : []
  const now = await server.sql<{ stage: string; n: number }>(
    `SELECT stage, count(*)::int AS n FROM sites
     WHERE bc_id = $1 AND status = 1 AND deleted_at IS NULL AND stage IS NOT NULL GROUP BY stage`,
    [store.bc_id],
  )
  expect(now.length).toBeGreaterThan(2)
  for (const { n, stage } of now) expect(stages.find((s) => s.stage === stage)?.building).toBe(n)
  expect(stages.find((s) => s.stage === 'plumbing')).toMatchObject({ days: 7, daysOf: 6 })
  expect(stages.find((s) => s.stage === 'tiling')).toMatchObject({ days: null, daysOf: 4 })
})

test('rings stand around the community that was said: metres, both counts, no house number', async () => {
  const sites = await server.sql<{ id: string }>(
    'SELECT id FROM sites WHERE bc_id = $1 AND deleted_at IS NULL ORDER BY code LIMIT 4',
    [store.bc_id],
  )
  const put = (site: string, community: string, lng: number, lat: number, status: number) =>
    server.sql('UPDATE sites SET community = $2, lng = $3, lat = $4, status = $5 WHERE id = $1', [
      site,
      community,
      lng,
      lat,
      status,
    ])
  // A thousandth of a degree of latitude is 111 metres; three kilometres are outside.
  await put(sites[0]!.id, '环中苑', 110, 30, 1)
  await put(sites[1]!.id, '环北里 3 幢 502 室', 110, 30.005, 4)
  await put(sites[2]!.id, '环北里', 110, 30.005, 1)
  await put(sites[3]!.id, '环外村', 110, 30.03, 1)
  const wall = await wallWith([scene('rings', { words: '环中苑' })])
  const [rings] = await shownOn(wall)
  expect(rings).toMatchObject({
    kind: 'rings',
    community: '环中苑',
    building: 2,
    finished: 1,
    points: [
      { community: '环中苑', building: 1, finished: 0, metres: 0 },
      { community: '环北里', building: 1, finished: 1, east: 0, north: 557, metres: 557 },
    ],
  })
  expect(wall.heard.join()).not.toMatch(/502|环外村/)
  const refused = await add([scene('rings', { words: '没有的小区' })])
  expect([refused.code, refused.msg]).toEqual([
    400,
    '这个分公司在 没有的小区 没有标过位置的工地，周边小区画不出来；请换一个小区，或留空',
  ])
  // A name that is all number is none: the community with the next most homes stands in the middle.
  await server.sql(
    `UPDATE sites SET community = '8 号院', lng = 120, lat = 30, status = 1
     WHERE id IN (SELECT id FROM sites WHERE bc_id = $1 AND deleted_at IS NULL ORDER BY code DESC LIMIT 9)`,
    [store.bc_id],
  )
  const [most] = await shownOn(await wallWith([scene('rings')]))
  const [hand] = await server.sql<{ community: string }>(
    `SELECT community FROM sites WHERE bc_id = $1 AND deleted_at IS NULL AND status IN (1, 4)
       AND community NOT IN ('', '8 号院')
       AND lng IS NOT NULL GROUP BY community ORDER BY count(*) DESC, community LIMIT 1`,
    [store.bc_id],
  )
  expect(most).toMatchObject({ community: hand!.community })
})

test('a home from day to day: released pictures of one camera, the earliest first; two days are no film', async () => {
  const short = await shownHome(server, gm, { bc: store.bc_id, filmDays: 2 })
  const wall = await wallWith([scene('rail')])
  expect(await shownOn(wall)).toEqual([])
  const home = await shownHome(server, gm, { bc: store.bc_id, filmDays: 4 })
  server.later(20 * SECOND)
  const [rail, ...others] = await shownOn(wall)
  // The picture that no camera took is in no film.
  expect(rail?.kind === 'rail' && rail.pictures.map((p) => p.key)).toEqual(home.film)
  expect(rail).toMatchObject({ title: '南北通透的家', case_id: home.id })
  expect(others).toEqual([])
  expect(wall.heard.join()).not.toContain(short.id)
})

test('a wall stays dark on the days off that the calendar names, where its arrangement says so', async () => {
  const today = shanghaiDay(server.now())
  const calendar = [`${addDays(today, 1)} 休 店休`, `${addDays(today, 2)} 班 补班`].join('\n')
  await gm.call(api.settings.update, { body: { bcId: store.bc_id, values: { calendar } } })
  const dark = await wallWith([scene('figures')], { holidays: 'dark' })
  const lit = await wallWith([scene('figures')])
  const [{ content: off }, { content: usual }] = [await dark.look(), await lit.look()]
  expect([off!.darkDays, usual!.darkDays]).toEqual([[addDays(today, 1)], []])
  const noon = (day: string, content = off!) => isLit(content, day, '12:00')
  expect([noon(today), noon(addDays(today, 1)), noon(addDays(today, 2))]).toEqual([true, false, true])
  expect(noon(addDays(today, 1), usual!)).toBe(true)
  // A version that was kept before there were holidays comes back lit.
  const { data } = await add([scene('figures')], { holidays: 'dark' })
  const one = async () => gm.call(arrangementsApi.details, { query: { id: data.id } })
  const { closes, name, opens, scenes, version } = await one()
  await gm.call(arrangementsApi.edit, {
    body: { id: data.id, version, name, scenes, opens, closes, holidays: 'dark' },
  })
  await server.sql(`UPDATE arrangements SET before = before - 'holidays' WHERE id = $1`, [data.id])
  await gm.call(arrangementsApi.undo, { body: { id: data.id, version: (await one()).version } })
  expect((await one()).holidays).toBe('lit')
})
