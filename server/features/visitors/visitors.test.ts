import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { timelineApi } from '@zhuguan/contract/features/timeline/timeline.api.ts'
import { visitorsApi } from '@zhuguan/contract/features/visitors/visitors.api.ts'
import { facesApi } from '@zhuguan/contract/features/workers/faces.api.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { shanghaiDay } from '../../kit/shanghai.ts'
import { report, sendFile } from '../../testing/device.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds, testNow } from '../../testing/time.ts'

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

interface Shot {
  visit: string
  picture: string
  site: string
}
/** A visit with a picture that the camera took of its site. */
async function shot(): Promise<Shot> {
  const bytes = await sharp({
    create: { width: 320, height: 240, channels: 3, background: `#${500 + event}` },
  })
    .jpeg()
    .toBuffer()
  const { key } = (await sendFile(server.url, camera, bytes)).data
  const at = seconds() - 10
  await report(server.url, camera, [{ id: `v${++event}`, kind: 'visitor', at, seconds: 90, picture: key }])
  const [row] = await server.sql<{ id: string; site_id: string }>(
    'SELECT id, site_id FROM visits WHERE picture = $1',
    [key],
  )
  return { visit: row!.id, picture: key, site: row!.site_id }
}
const crew = (site: string, who = pm) => who.call(workersApi.pick, { query: { site_id: site } })
const workerOf = (id: string) => gm.call(workersApi.details, { query: { id } })
const markAs = (who: Person, id: string, worker_id: string | null, identity: 'owner' | 'worker' = 'worker') =>
  who.ask(visitorsApi.mark, { body: { id, version: 0, identity, worker_id } })
const consent = { how: 'spoken', answeredOn: shanghaiDay(testNow()), scope: '只用于工地考勤打卡' } as const
const face = (who: Person, id: string, worker_version: number, more: object = {}) =>
  who.ask(visitorsApi.face, { body: { id, version: 1, worker_version, ...more } })
const stored = (kind: string) => server.sql('SELECT key FROM files WHERE kind = $1 ORDER BY key', [kind])

test('a worker of ours is named, of the site first and of the reach alone', async () => {
  const { visit, site } = await shot()
  const here = await crew(site)
  expect(here[0]!.onSite).toBe(true)
  const off = here.findIndex((w) => !w.onSite)
  expect(here.slice(off === -1 ? here.length : off).some((w) => w.onSite)).toBe(false)
  const [abroad] = await server.sql<{ id: string }>(
    `SELECT k.id FROM workers k JOIN companies c ON c.bc_id = k.bc_id WHERE c.code = 'NB' LIMIT 1`,
  )
  const before = await one(visit)
  for (const who of [gm, pm]) expect(await markAs(who, visit, abroad!.id)).toMatchObject({ status: 403 })
  expect(await markAs(pm, visit, here[0]!.id, 'owner')).toMatchObject({ code: 400 })
  expect(await one(visit)).toEqual(before)
  expect((await markAs(pm, visit, here[0]!.id)).msg).toBe('')
  const w_name = here[0]!.w_name
  expect(await one(visit)).toMatchObject({ state: 2, identity: 'worker', worker_id: here[0]!.id, w_name })
  const line = await gm.call(timelineApi.list, { query: { site_id: site, kinds: ['visitor'] } })
  expect(JSON.stringify(line)).toContain(`标记为工人 ${w_name}`)
})

test('a picture becomes a face under a consent alone, replaces one if told to; the visit keeps its own', async () => {
  const { visit, site, picture } = await shot()
  const [, who] = (await crew(site)) as [unknown, { id: string; w_name: string }]
  expect(await face(pm, visit, 0)).toMatchObject({ code: 409 })
  await markAs(pm, visit, who.id)
  let w = await workerOf(who.id)
  const files = [await stored('face'), await stored('picture')]
  const refused = async (msg: string, asked: ReturnType<typeof face>) => {
    expect(await asked).toMatchObject({ code: expect.any(Number), msg: expect.stringContaining(msg) })
    expect(await workerOf(who.id)).toEqual(w)
    expect([await stored('face'), await stored('picture')]).toEqual(files)
  }
  await refused('请先登记本人的同意', face(pm, visit, w.version))
  await refused('签字', face(pm, visit, w.version, { ...consent, how: 'written' }))
  await refused('No Permission', face(await server.as('inspector'), visit, w.version, consent))
  for (const stranger of ['branch_gm2', 'pm2', 'other'])
    expect(await face(await server.as(stranger), visit, w.version, consent)).toMatchObject({ status: 403 })
  // Of two at once one is the face.
  const both = await Promise.all([pm, gm].map((p) => face(p, visit, w.version, consent)))
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  w = await workerOf(who.id)
  expect(w.face).toBe(1)
  expect(w.w_face).not.toBe(picture)
  expect(await one(visit)).toMatchObject({ picture, worker_id: who.id })
  const log = await server.sql<{ action: string }>(
    `SELECT action FROM user_logs WHERE object_id IN ($1, $2) ORDER BY id`,
    [visit, who.id],
  )
  expect(log.map((l) => l.action)).toEqual(['标记身份', '登记人脸同意', '录入人脸', '用抓拍采集人脸'])
  const line = await gm.call(timelineApi.list, { query: { site_id: site, kinds: ['visitor'] } })
  expect(JSON.stringify(line)).toContain(`抓拍用作 ${who.w_name} 的人脸`)

  const again = await shot()
  await markAs(pm, again.visit, who.id)
  expect(await face(pm, again.visit, w.version)).toMatchObject({
    code: 409,
    msg: `${who.w_name} 已经有人脸，要更换请先确认`,
  })
  expect((await face(pm, again.visit, w.version, { replace: true })).msg).toBe('')
  expect(await stored('face')).toHaveLength(files[0]!.length + 1)
  w = await workerOf(who.id)
  await pm.call(facesApi.withdraw, { body: { id: who.id, version: w.version, reason: '本人要求' } })
  w = await workerOf(who.id)
  expect(w.w_face).toBeNull()
  // Taken back, no face comes of it, and both visits still have their pictures.
  expect(await face(pm, visit, w.version)).toMatchObject({
    code: 409,
    msg: expect.stringContaining('没有同意采集人脸'),
  })
  for (const key of [picture, again.picture])
    expect((await pm.ask(filesApi.get, { query: { key, size: 'full' } })).status).toBe(200)
})

test('a picture of another site is nobody’s face here; without one there is nothing to take', async () => {
  const { visit, site } = await shot()
  const [, , who] = (await crew(site)) as [unknown, unknown, { id: string }]
  await markAs(pm, visit, who.id)
  const { version } = await workerOf(who.id)
  const before = await stored('face')
  await server.sql(
    `UPDATE visits SET picture = (SELECT key FROM files WHERE kind = 'picture' AND site_id <> $2 LIMIT 1)
     WHERE id = $1`,
    [visit, site],
  )
  await server.sql(
    `UPDATE visits SET picture = gen_random_uuid() || '.jpg' WHERE id = $1 AND picture IS NULL`,
    [visit],
  )
  expect(await face(pm, visit, version, consent)).toMatchObject({ status: 403 })
  await server.sql('UPDATE visits SET picture = NULL WHERE id = $1', [visit])
  expect(await face(pm, visit, version, consent)).toMatchObject({ code: 409, msg: '这次来访没有抓拍' })
  expect(await stored('face')).toEqual(before)
  expect(await workerOf(who.id)).toMatchObject({ version, w_face: null })
})

test('who is no worker yet becomes one of the branch and of the site, once, and the visit is theirs', async () => {
  const { visit, site } = await shot()
  const day = shanghaiDay(testNow())
  const enrol = (who: Person, version = 0, more: object = {}) =>
    who.ask(visitorsApi.enrol, { body: { id: visit, version, w_name: '潘新来', w_type: 5, day, ...more } })
  expect((await enrol(pm)).msg).toBe('No Permission')
  for (const stranger of ['branch_gm2', 'other'])
    expect(await enrol(await server.as(stranger))).toMatchObject({ status: 403 })
  // Refused the site, nothing is left of the worker.
  expect(await enrol(gm, 0, { day: '2020-01-01' })).toMatchObject({ code: 400 })
  expect(await server.sql(`SELECT 1 FROM workers WHERE w_name = '潘新来'`)).toEqual([])
  expect(await one(visit)).toMatchObject({ state: 1, version: 0 })
  // A leader of the site says that it was a worker, the branch says who.
  await markAs(pm, visit, null)
  expect(await one(visit)).toMatchObject({ state: 2, identity: 'worker', worker_id: null })
  const both = await Promise.all([enrol(gm, 1), enrol(gm, 1)])
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  const { worker_id, w_name, bc_id } = await one(visit)
  expect(w_name).toBe('潘新来')
  const w = await workerOf(worker_id!)
  expect(w).toMatchObject({ bc_id, sites: [{ site_id: site, enteredOn: day, leftOn: null }] })
  expect(await server.sql(`SELECT 1 FROM workers WHERE w_name = '潘新来'`)).toHaveLength(1)
  expect((await enrol(gm, 2)).msg).toBe('这次来访已经写明是哪位工人')
})
