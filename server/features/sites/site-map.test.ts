import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { InputOf } from '@zhuguan/contract/kit/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startTestServer, type TestServer } from '../../testing/start.ts'
import { toldLog } from '../../testing/told-log.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const idsOf = (text: string): string[] =>
  (text.match(/.{32}/g) ?? []).map((h) => h.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))
const everybody = ['admin', 'branch_gm', 'pm', 'pm2', 'sales', 'other']

test('everybody sees on the map exactly the sites of their list, whatever is filtered', async () => {
  await server.sql(
    `UPDATE sites SET no_work = '{2}', no_work_run = 5, open_alarms = 2 WHERE code LIKE '%004'`,
  )
  await server.sql(`UPDATE sites SET lng = NULL, lat = NULL WHERE code LIKE '%006'`)
  const seen = new Set<number>()
  for (const role of everybody) {
    const person = await server.as(role)
    const [manager] = (await person.call(sitesApi.list)).list.map((s) => s.manager_id)
    for (const query of [
      {},
      { status: [1] },
      { stopped: true },
      { keyword: '00' },
      { manager_id: manager! },
      { deviceStatus: 2 },
      { located: true },
      { located: false },
    ] as const) {
      const points = await person.call(sitesApi.points, { query: query })
      const list = await person.call(sitesApi.list, { query: { ...query, pageSize: 100 } })
      const ids = idsOf(points.ids)
      expect(ids.length + points.unplaced, `${role} ${JSON.stringify(query)}`).toBe(list.totalCount)
      expect(list.list.map((s) => s.id)).toEqual(expect.arrayContaining(ids))
      for (const column of [
        points.lng,
        points.lat,
        points.status,
        points.stopped,
        points.alarms,
        points.overdue,
      ])
        expect(column).toHaveLength(ids.length)
      const rows = new Map(list.list.map((s) => [s.id, s]))
      ids.forEach((id, i) =>
        expect({ status: points.status[i], stopped: points.stopped[i], alarms: points.alarms[i] }).toEqual({
          status: rows.get(id)!.status,
          stopped: rows.get(id)!.noWork.length ? rows.get(id)!.noWorkRun : 0,
          alarms: rows.get(id)!.openAlarms,
        }),
      )
      seen.add(ids.length)
    }
  }
  expect(seen.size).toBeGreaterThan(4)
})

test('whatever the legend counts, the list has as many under the same words', async () => {
  const gm = await server.as('branch_gm')
  const [late, inTime, silent] = (await gm.call(sitesApi.list, { query: { status: [1] } })).list
  const open = (site: string, due: string) =>
    server.sql(
      `INSERT INTO alarms (tenant_id, id, bc_id, site_id, device_id, type, confidence, at, last_seen, due_at)
       SELECT d.tenant_id, gen_random_uuid(), d.bc_id, $1, d.id, 'smoking', 0.9, :now, :now, :now + $2::interval
       FROM devices d WHERE d.site_id = $1 LIMIT 1`,
      [site, due],
    )
  await server.sql(
    `UPDATE sites SET open_alarms = 0, no_work = '{}', no_work_run = 0 WHERE code LIKE 'GDHZ%'`,
  )
  await open(late!.id, '-1 hour')
  await open(inTime!.id, '5 hours')
  await server.sql('UPDATE sites SET open_alarms = 1 WHERE id = ANY ($1)', [[late!.id, inTime!.id]])
  // Standing still as well as late: it is both to those who count, and late on the map.
  await server.sql(`UPDATE sites SET no_work = '{1}', no_work_run = 3 WHERE id = ANY ($1)`, [
    [late!.id, silent!.id],
  ])
  const { counts, ids, overdue } = await gm.call(sitesApi.points)
  const many = async (query: NonNullable<InputOf<(typeof sitesApi)['list']>['query']>) =>
    (await gm.call(sitesApi.list, { query })).totalCount
  expect(counts).toEqual({
    all: await many({}),
    overdue: await many({ overdue: true }),
    inTime: await many({ alarmed: true, overdue: false }),
    stopped: await many({ stopped: true }),
    quiet: await many({ status: [1], alarmed: false, stopped: false }),
    notStarted: await many({ status: [2] }),
    ended: await many({ status: [3, 4] }),
  })
  expect(counts).toMatchObject({ overdue: 1, inTime: 1, stopped: 2 })
  expect(idsOf(ids).filter((_, i) => overdue[i])).toEqual([late!.id])
  expect((await gm.call(sitesApi.list, { query: { overdue: true } })).list.map((s) => s.id)).toEqual([
    late!.id,
  ])
})

test('a drawn line holds the same sites on the map and in the list; a bad one is refused', async () => {
  const gm = await server.as('branch_gm')
  const all = await gm.call(sitesApi.points)
  const west = [...all.lng].sort((a, b) => a - b)[5]! / 1e6
  const area = `100,10;${west},10;${west},50;100,50`
  const points = await gm.call(sitesApi.points, { query: { area } })
  expect(idsOf(points.ids).length).toBeGreaterThanOrEqual(5)
  expect(idsOf(points.ids).length).toBeLessThan(all.lng.length)
  expect(
    (await gm.call(sitesApi.list, { query: { area, pageSize: 100 } })).list.map((s) => s.id).sort(),
  ).toEqual(idsOf(points.ids).sort())
  expect((await gm.call(sitesApi.list, { query: { ids: idsOf(points.ids).slice(0, 3) } })).totalCount).toBe(3)
  for (const wrong of ['1,1;2,2', "1,1;2,2;3,3'", '1;2;3', '1,1;2,2;x,3'])
    expect(await gm.ask(sitesApi.points, { query: { area: wrong } })).toMatchObject({
      code: 400,
      msg: expect.stringContaining('圈选范围'),
    })
})

test('a point is moved by who may edit, with before and after in the log; a stale version and a place abroad are refused', async () => {
  const gm = await server.as('branch_gm')
  const site = (await gm.call(sitesApi.list, { query: { located: true, keyword: 'GDHZ002' } })).list[0]!
  const before = await gm.call(sitesApi.details, { query: { id: site.id } })
  const body = { id: site.id, version: site.version, lng: 120.211111, lat: 30.222222 }
  expect(await gm.ask(sitesApi.place, { body: { ...body, lng: 200 } })).toMatchObject({
    code: 400,
    msg: expect.stringContaining('位置不在国内'),
  })
  await gm.call(sitesApi.place, { body })
  expect(await gm.call(sitesApi.details, { query: { id: site.id } })).toMatchObject({
    lng: 120.211111,
    lat: 30.222222,
    version: site.version + 1,
  })
  expect(await gm.ask(sitesApi.place, { body: { ...body, lng: 120.3 } })).toMatchObject({
    code: 409,
    msg: expect.stringMatching(/^已被 \S+ 于 .+ 处理，请刷新后再试$/),
  })
  expect(await toldLog(server, `action = '修正工地位置' AND object_id = $1`, [site.id])).toEqual([
    expect.objectContaining({
      user_name: 'branch_gm',
      before: { lng: before.lng, lat: before.lat },
      after: { lng: 120.211111, lat: 30.222222 },
    }),
  ])
  expect(
    (
      await server.sql<{ title: string }>(
        `SELECT title FROM site_events WHERE site_id = $1 ORDER BY at DESC LIMIT 1`,
        [site.id],
      )
    )[0]!.title,
  ).toMatch(/^修正位置，移动了 [\d.]+ (米|公里)$/)
  // A site that was never on the map is put there the same way.
  const blank = (await gm.call(sitesApi.list, { query: { located: false } })).list[0]!
  await gm.call(sitesApi.place, { body: { ...body, id: blank.id, version: blank.version } })
  expect((await gm.call(sitesApi.points, { query: { ids: [blank.id] } })).lng).toEqual([120211111])
  for (const role of ['pm', 'inspector'])
    expect(await (await server.as(role)).ask(sitesApi.place, { body })).toMatchObject({
      code: 401,
      msg: 'No Permission',
    })
  expect((await (await server.as('branch_gm2')).ask(sitesApi.place, { body })).status).toBe(403)
})
