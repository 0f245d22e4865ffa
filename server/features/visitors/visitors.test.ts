import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { timelineApi } from '@zhuguan/contract/features/timeline/timeline.api.ts'
import { visitorsApi } from '@zhuguan/contract/features/visitors/visitors.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../../testing/device.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'

let server: TestServer
let gm: Person
let pm: Person
let steward: Person
let camera: TestServer['devices'][number]
let event = 0

beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
  steward = await server.as('steward')
  const [mine] = await server.sql<{ sn: string }>(
    `SELECT d.sn FROM devices d JOIN sites w ON w.id = d.site_id JOIN users m ON m.id = w.manager_id
     JOIN users s ON s.id = w.steward_id
     WHERE d.type = 'camera' AND m.user_name = 'pm' AND s.user_name = 'steward' LIMIT 1`,
  )
  camera = server.devices.find((d) => d.sn === mine!.sn)!
})
afterAll(() => server.stop())

const list = (who: Person, query: object = {}) => who.call(visitorsApi.list, { query })
async function comes(ago: number, stays: number, at = camera) {
  await report(server.url, at, [{ id: `v${++event}`, kind: 'visitor', at: seconds() - ago, seconds: stays }])
  const [row] = await server.sql<{ id: string }>('SELECT id FROM visits ORDER BY id DESC LIMIT 1')
  return row!.id
}
const one = async (id: string, who = gm) => (await list(who, { id })).list[0]!

test('a visit is seen in its reach: branch, own sites, not the other branch, not without the page', async () => {
  const id = await comes(60, 200)
  const [abroad] = await server.sql<{ sn: string }>(
    `SELECT d.sn FROM devices d JOIN companies c ON c.bc_id = d.bc_id
     WHERE c.code = 'NB' AND d.type = 'camera' AND d.site_id IS NOT NULL LIMIT 1`,
  )
  const there = await comes(50, 30, server.devices.find((d) => d.sn === abroad!.sn) ?? camera)
  expect(await one(id)).toMatchObject({
    deviceSn: camera.sn,
    seconds: 200,
    minutes: 3,
    state: 1,
    identity: null,
    version: 0,
  })
  for (const who of [pm, steward]) expect((await list(who)).list.map((v) => v.id)).toEqual([id])
  expect((await list(gm, { id: there })).list).toEqual([])
  expect((await list(await server.as('hq_ops'))).list.map((v) => v.id).sort()).toEqual([id, there].sort())
  expect((await (await server.as('device_keeper')).ask(visitorsApi.list)).msg).toBe('No Permission')
})

test('of two who mark a visit the second is told who was faster, and the mark stays', async () => {
  const id = await comes(40, 61)
  const mark = (who: Person, identity: 'neighbour' | 'owner') =>
    who.ask(visitorsApi.mark, { body: { id, version: 0, identity, remark: '楼上的' } })
  const both = await Promise.all([mark(pm, 'neighbour'), mark(steward, 'owner')])
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  const after = await one(id)
  const first = both[0].code === 200 ? 'neighbour' : 'owner'
  expect(after).toMatchObject({ state: 2, identity: first, remark: '楼上的', version: 1 })
  expect(both.find((a) => a.code === 409)!.msg).toMatch(
    new RegExp(`^已被 ${after.handledBy} 于 .+ 处理，请刷新后再试$`),
  )
  // With the version that stands it is no better: what is marked stays marked.
  const again = await gm.ask(visitorsApi.mark, {
    body: { id, version: 1, identity: 'other', remark: '' },
  })
  expect(again).toMatchObject({ code: 409, msg: '当前为“已标记”，不能标记身份' })
  expect(await one(id)).toEqual(after)
  expect((await list(gm, { state: 2 })).list.map((v) => v.id)).toEqual([id])
  expect((await list(gm, { state: 1 })).list.map((v) => v.id)).not.toContain(id)
  const inspector = await server.as('inspector')
  expect((await inspector.ask(visitorsApi.mark, { body: { id, version: 1, identity: 'other' } })).msg).toBe(
    'No Permission',
  )
  // The release before asks `handled`.
  expect(await server.sql('SELECT handled, identity FROM visits WHERE id = $1', [id])).toEqual([
    { handled: true, identity: first },
  ])
  const line = await gm.call(timelineApi.list, { query: { site_id: after.site_id, kinds: ['visitor'] } })
  expect(JSON.stringify(line)).toContain(first === 'owner' ? '标记为业主' : '标记为邻居')
})

test('the steward is told once, by name and in these words; marked, the notice waits no longer', async () => {
  const id = await comes(30, 300)
  const before = await one(id)
  expect(before.stewardName).not.toBe('')
  const tell = (who: Person, version: number) => who.ask(visitorsApi.tell, { body: { id, version } })
  expect((await tell(steward, 0)).msg).toBe('您就是这个工地的管家')
  expect((await tell(pm, 0)).code).toBe(200)
  expect(await one(id)).toMatchObject({ state: 1, toldName: before.stewardName, version: 1 })
  expect(await tell(gm, 1)).toMatchObject({ code: 409, msg: `已经通知过${before.stewardName}` })
  const told = async () =>
    (await steward.call(notificationsApi.list)).list.filter((n) => n.link === `/image/VisitorList?id=${id}`)
  expect((await told()).map((n) => n.title)).toEqual([
    `${before.siteName} 有陌生人来访，停留 5 分钟，请确认身份`,
  ])
  await gm.call(visitorsApi.mark, { body: { id, version: 1, identity: 'delivery' } })
  expect(
    await server.sql('SELECT 1 FROM notifications WHERE link = $1 AND read_at IS NULL', [
      `/image/VisitorList?id=${id}`,
    ]),
  ).toEqual([])
})

test('around a visit stand those of its site within a week; bad input is named, the file is the list', async () => {
  const id = await comes(20, 60)
  const [far] = await server.sql<{ id: string }>(
    `INSERT INTO visits (tenant_id, id, bc_id, site_id, at, seconds)
     SELECT tenant_id, gen_random_uuid(), bc_id, site_id, at - interval '8 days', 60 FROM visits WHERE id = $1
     RETURNING id`,
    [id],
  )
  const near = (await list(gm, { near: id })).list
  expect(near.length).toBeGreaterThan(2)
  expect(new Set(near.map((v) => v.site_id)).size).toBe(1)
  expect(near.map((v) => v.id)).not.toContain(far!.id)
  expect((await list(gm, { near: far!.id })).list.map((v) => v.id)).toEqual([far!.id])
  expect(await gm.ask(visitorsApi.list, { query: { state: 3 } })).toMatchObject({ code: 400 })
  expect(
    (await gm.ask(visitorsApi.mark, { body: { id, version: 0, identity: 'ghost', remark: '' } })).code,
  ).toBe(400)
  const [head, ...rows] = await cellsOf((await gm.ask(visitorsApi.export, { query: { state: 1 } })).bytes)
  const shown = (await list(gm, { state: 1 })).list
  expect(head).toEqual(expect.arrayContaining(['工地', '设备', '停留（分钟）', '身份', '处理']))
  expect(rows.map((r) => r[head!.indexOf('停留（分钟）')]).map(Number)).toEqual(shown.map((v) => v.minutes))
  expect((await pm.ask(visitorsApi.export, { query: {} })).msg).toBe('No Permission')
})
