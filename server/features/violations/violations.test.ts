import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import { timelineApi } from '@zhuguan/contract/features/timeline/timeline.api.ts'
import { violationsApi } from '@zhuguan/contract/features/violations/violations.api.ts'
import { staysApi } from '@zhuguan/contract/features/workers/stays.api.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'

let server: TestServer
let gm: Person
let pm: Person
let steward: Person
let inspector: Person
let camera: TestServer['devices'][number]
let site: string
let manager: string
let worker: { id: string; w_id: string; w_name: string }
let event = 0

beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
  steward = await server.as('steward')
  inspector = await server.as('inspector')
  const [mine] = await server.sql<{ sn: string; site: string; manager: string }>(
    `SELECT d.sn, w.id AS site, w.manager_id AS manager FROM devices d JOIN sites w ON w.id = d.site_id
     JOIN users m ON m.id = w.manager_id JOIN users s ON s.id = w.steward_id
     WHERE d.type = 'camera' AND m.user_name = 'pm' AND s.user_name = 'steward'
       AND EXISTS (SELECT 1 FROM site_members x WHERE x.site_id = w.id AND x.left_on IS NULL) LIMIT 1`,
  )
  camera = server.devices.find((d) => d.sn === mine!.sn)!
  site = mine!.site
  manager = mine!.manager
  const [first] = await server.sql<typeof worker>(
    `SELECT k.id, k.w_id, k.w_name FROM site_members m JOIN workers k ON k.id = m.worker_id
     WHERE m.site_id = $1 AND m.left_on IS NULL LIMIT 1`,
    [site],
  )
  worker = first!
})
afterAll(() => server.stop())

/** An alarm in which the camera knew the worker. */
async function raise(type: string): Promise<string> {
  await report(server.url, camera, [
    { id: `b${++event}`, kind: 'alarm', at: seconds() - 60, type, confidence: 0.9, w_id: worker.w_id },
  ])
  const [row] = await server.sql<{ id: string }>('SELECT id FROM alarms ORDER BY id DESC LIMIT 1')
  return row!.id
}
const confirm = async (id: string) =>
  gm.call(alarmsApi.assign, {
    body: { id, version: (await alarm(id)).version, assignee_id: manager },
  })
const alarm = (id: string) => gm.call(alarmsApi.details, { query: { id } })
const list = (who: Person, query: object = {}) => who.call(violationsApi.list, { query })
const of = async (alarm: string) => (await list(gm)).list.find((v) => v.alarm_id === alarm)
/** What each place says of the worker's violations. */
async function counted() {
  const row = (await gm.call(workersApi.list, { query: { keyword: worker.w_id } })).list[0]!
  const stays = await gm.call(staysApi.list, { query: { worker_id: worker.id, site_id: site } })
  return [row.breaks, stays.list.reduce((n, s) => n + s.breaks, 0)]
}
const photo = (who: Person) => uploadPhoto(server.url, who)
const today = () => shanghaiDay(server.now())
const entry = async (who: Person, more: object = {}) => ({
  body: {
    worker_id: worker.id,
    site_id: site,
    type: 'helmet' as const,
    day: today(),
    time: '00:00',
    pictures: [await photo(who)],
    remark: '在二层阳台',
    ...more,
  },
})

test('an alarm found to be true is a violation of its worker; cancelled it is none, true again it is one', async () => {
  expect(await counted()).toEqual([0, 0])
  const id = await raise('smoking')
  expect(await of(id)).toBeUndefined()
  await confirm(id)
  const made = (await of(id))!
  expect(made).toMatchObject({
    worker_id: worker.id,
    w_name: worker.w_name,
    site_id: site,
    type: 'smoking',
    points: 5,
    status: 1,
    enteredBy: '',
  })
  expect(await counted()).toEqual([1, 1])
  // Handed on it is the same one.
  await confirm(id)
  expect(await of(id)).toEqual(made)
  await gm.call(alarmsApi.cancel, {
    body: { id, version: (await alarm(id)).version, cause: 'wrong', reason: '看错了画面' },
  })
  expect(await of(id)).toMatchObject({ id: made.id, status: 5 })
  expect(await counted()).toEqual([0, 0])
  await gm.call(alarmsApi.reopen, { body: { id, version: (await alarm(id)).version, reason: '又看了' } })
  expect((await of(id))!.status).toBe(5)
  await confirm(id)
  expect(await of(id)).toMatchObject({ id: made.id, status: 1 })
  expect(await counted()).toEqual([1, 1])
  const { log } = await gm.call(violationsApi.details, { query: { id: made.id } })
  expect(log.map((l) => l.action)).toEqual(['报警属实', '报警取消，违规撤销', '报警属实'])
  // A camera that looks the wrong way is nobody's violation.
  const skewed = await raise('cameraproblem')
  await confirm(skewed)
  expect(await of(skewed)).toBeUndefined()
})

test('an objection is judged by somebody who had no part in it, and comes before it is handled', async () => {
  const id = await raise('noclothes')
  await confirm(id)
  const made = (await of(id))!
  const ask = (who: Person, action: 'handle' | 'object' | 'uphold' | 'withdraw', version: number) =>
    who.ask(violationsApi[action], { body: { id: made.id, version, reason: '当时正在换衣服' } })
  expect(await ask(pm, 'withdraw', 0)).toMatchObject({
    code: 409,
    msg: '当前为“待处理”，不能撤销；可以：处理、申诉',
  })
  // Both at once: the second hears who was faster.
  const both = await Promise.all([ask(inspector, 'handle', 0), ask(gm, 'handle', 0)])
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  expect(both.find((a) => a.code === 409)!.msg).toMatch(/^已被 .+ 于 .+ 处理，请刷新后再试$/)
  // Handled is done: nobody objects any more, nobody decides.
  expect(await ask(pm, 'object', 1)).toMatchObject({ code: 409, msg: '当前为“已处理”，不能申诉' })
  expect((await ask(gm, 'withdraw', 1)).msg).toBe('当前为“已处理”，不能撤销')
  expect(await of(id)).toMatchObject({ status: 2, version: 1, objected_id: null })

  // The next one is written down by the inspector, objected to by who leads the site, decided by the branch.
  const written = await inspector.call(violationsApi.add, await entry(inspector, { type: 'litter' }))
  const judge = (who: Person, action: 'handle' | 'object' | 'uphold' | 'withdraw', version: number) =>
    who.ask(violationsApi[action], { body: { id: written.id, version, reason: '当时正在换衣服' } })
  expect((await judge(inspector, 'object', 0)).msg).toBe('No Permission')
  expect((await judge(pm, 'object', 0)).code).toBe(200)
  expect((await judge(inspector, 'withdraw', 1)).msg).toBe('登记或处理的人不能裁定申诉，请由他人裁定')
  expect((await judge(pm, 'uphold', 1)).msg).toBe('申诉的人不能裁定自己的申诉，请由他人裁定')
  expect((await judge(steward, 'uphold', 1)).msg).toBe('No Permission')
  const before = await counted()
  expect((await judge(gm, 'withdraw', 1)).code).toBe(200)
  expect(await counted()).toEqual(before.map((n) => n - 1))
  expect((await judge(gm, 'handle', 2)).msg).toBe('当前为“撤销”，不能处理')
})

test('what a person took back stays so, whatever becomes of its alarm', async () => {
  // An alarm of its own, not one more of an open one.
  await server.sql(
    'UPDATE alarms SET correction_status = 3, closed_at = :now WHERE correction_status IN (1, 2)',
  )
  const id = await raise('smoking')
  await confirm(id)
  const { id: made } = (await of(id))!
  const reason = '认错了人'
  await pm.call(violationsApi.object, { body: { id: made, version: 0, reason } })
  await gm.call(violationsApi.withdraw, { body: { id: made, version: 1, reason } })
  // The alarm comes and goes; the judgement stays.
  await gm.call(alarmsApi.cancel, {
    body: { id, version: (await alarm(id)).version, cause: 'repeated', reason: '同一件事' },
  })
  await gm.call(alarmsApi.reopen, { body: { id, version: (await alarm(id)).version, reason: '再看' } })
  await confirm(id)
  expect((await of(id))!.status).toBe(5)
})

test('somebody writes one down with a picture; without, of another day or with a used one it is refused', async () => {
  const total = (await list(gm)).totalCount
  const add = (who: Person, input: Awaited<ReturnType<typeof entry>>) => who.ask(violationsApi.add, input)
  const good = await entry(pm)
  expect((await add(steward, good)).msg).toBe('No Permission')
  const [{ id: elsewhere }] = (await server.sql<{ id: string }>(
    `SELECT w.id FROM sites w JOIN companies c ON c.bc_id = w.bc_id WHERE c.code = 'NB' LIMIT 1`,
  )) as [{ id: string }]
  const refused: [object, RegExp][] = [
    [{ pictures: [] }, /请上传一张照片作为证据/],
    [{ day: '2020-01-01' }, /那天不在这个工地/],
    [{ day: addDays(today(), 2) }, /违规的时间不能晚于现在/],
    [{ site_id: elsewhere }, /没有权限/],
    [{ time: '25:00' }, /时间应为/],
  ]
  for (const [more, msg] of refused) expect((await add(pm, await entry(pm, more))).msg).toMatch(msg)
  expect((await list(gm)).totalCount).toBe(total)
  const answer = await add(pm, good)
  expect(answer.msg).toBe('')
  expect(await add(pm, { body: { ...good.body, type: 'helmet' } })).toMatchObject({
    msg: expect.stringMatching(/^这张照片已经用于另一条记录：.+ 上传的照片，请重新拍摄$/),
  })
  // The same once more, with another photo; of several at once one is written down.
  expect((await add(pm, await entry(pm))).msg).toMatch(/这一分钟的未戴安全帽已经记录过/)
  const twins = await Promise.all([1, 2, 3].map(() => entry(pm, { type: 'smoking' })))
  const answers = await Promise.all(twins.map((one) => add(pm, one)))
  expect(answers.filter((a) => a.code === 200)).toHaveLength(1)
  const made = (await list(gm, { id: answer.data.id })).list[0]!
  expect(made).toMatchObject({ type: 'helmet', points: 3, alarm_id: null, status: 1, remark: '在二层阳台' })
  expect(made.enteredBy).not.toBe('')
  const picture = { query: { key: made.picture! } }
  expect((await inspector.ask(filesApi.get, picture)).status).toBe(200)
  expect((await (await server.as('branch_gm2')).ask(filesApi.get, picture)).status).toBe(403)
  const line = await gm.call(timelineApi.list, { query: { site_id: site, kinds: ['violation'] } })
  expect(JSON.stringify(line)).toContain(`${worker.w_name} 未戴安全帽`)
})

test('a violation is written down within the days that its branch allows', async () => {
  const [{ bc }] = (await server.sql<{ bc: string }>('SELECT bc_id AS bc FROM sites WHERE id = $1', [
    site,
  ])) as [{ bc: string }]
  await server.sql(
    `UPDATE site_members SET entered_on = $3 WHERE site_id = $1 AND worker_id = $2 AND left_on IS NULL`,
    [site, worker.id, addDays(today(), -60)],
  )
  const add = async (days: number, type: string) =>
    pm.ask(violationsApi.add, await entry(pm, { day: addDays(today(), -days), type }))
  for (const days of [8, 60])
    expect(await add(days, 'fire')).toMatchObject({ code: 400, msg: '只能登记最近 7 天的违规' })
  expect((await add(7, 'fire')).code).toBe(200)
  await gm.call(settingsApi.update, { body: { bcId: bc, values: { violationDays: 0 } } })
  expect(await add(1, 'electric')).toMatchObject({ code: 400, msg: '只能登记当天的违规' })
  await gm.call(settingsApi.update, { body: { bcId: bc, values: { violationDays: 10 } } })
  expect([(await add(10, 'electric')).code, (await add(11, 'litter')).msg]).toEqual([
    200,
    '只能登记最近 10 天的违规',
  ])
})

test('the list is as wide as its reader, narrows by what it shows, and the file is the list', async () => {
  const all = (await list(gm)).list
  expect(all.length).toBeGreaterThan(2)
  for (const who of [pm, steward])
    expect((await list(who)).list.map((v) => v.id)).toEqual(all.map((v) => v.id))
  expect((await list(await server.as('branch_gm2'))).list).toEqual([])
  expect((await (await server.as('device_keeper')).ask(violationsApi.list)).msg).toBe('No Permission')
  expect((await list(gm, { type: 'helmet' })).list.map((v) => v.type)).toEqual(['helmet'])
  expect((await list(gm, { status: '5' })).list.every((v) => v.status === 5)).toBe(true)
  expect((await list(gm, { worker_id: worker.id, w_type: '1,2,3,4,5,6,7' })).totalCount).toBe(all.length)
  expect((await list(gm, { site_id: site, from: seconds() + 60 })).list).toEqual([])
  const sheet = await cellsOf((await gm.ask(violationsApi.export, { query: { sort: ['points'] } })).bytes)
  const [head, ...rows] = sheet
  const shown = (await list(gm, { sort: 'points' })).list
  expect(rows.map((r) => [r[head!.indexOf('工人')], Number(r[head!.indexOf('扣分')])])).toEqual(
    shown.map((v) => [v.w_name, v.points]),
  )
  expect((await pm.ask(violationsApi.export, { query: {} })).msg).toBe('No Permission')
  await report(server.url, camera, [
    { id: `t${++event}`, kind: 'tidiness', at: seconds() - 30, result: 2, confidence: 0.9 },
  ])
  const checks = await steward.call(violationsApi.tidiness, { query: { site_id: site } })
  expect(checks[0]).toMatchObject({ deviceSn: camera.sn })
  expect(
    (await (await server.as('branch_gm2')).ask(violationsApi.tidiness, { query: { site_id: site } })).status,
  ).toBe(403)
})

test('what a violation costs is set by its branch; what was written before stays', async () => {
  const before = (await list(gm)).list.map((v) => [v.id, v.points])
  const [{ bc }] = (await server.sql<{ bc: string }>('SELECT bc_id AS bc FROM sites WHERE id = $1', [
    site,
  ])) as [{ bc: string }]
  const cost = (type: 'smoking' | 'helmet') =>
    pm.call(violationsApi.points, { query: { site_id: site, type } })
  expect(await cost('helmet')).toEqual({ points: 3 })
  await gm.call(settingsApi.update, {
    body: { bcId: bc, values: { 'violationPoints.helmet': 12, 'violationPoints.smoking': 0 } },
  })
  expect([await cost('helmet'), await cost('smoking')]).toEqual([{ points: 12 }, { points: 0 }])
  const { id } = await pm.call(violationsApi.add, await entry(pm, { time: '00:01' }))
  // An alarm of its own, not one more of an open one.
  await server.sql(
    'UPDATE alarms SET correction_status = 3, closed_at = :now WHERE correction_status IN (1, 2)',
  )
  const seen = await raise('smoking')
  await confirm(seen)
  const now = (await list(gm)).list
  expect(now.find((v) => v.id === id)!.points).toBe(12)
  expect(now.find((v) => v.alarm_id === seen)!.points).toBe(0)
  expect(now.map((v) => [v.id, v.points])).toEqual(expect.arrayContaining(before))
  // It is nobody else's site.
  const stranger = await (
    await server.as('branch_gm2')
  ).ask(violationsApi.points, {
    query: { site_id: site, type: 'helmet' },
  })
  expect(stranger.status).toBe(403)
})
