import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import { trustsApi } from '@zhuguan/contract/features/trusts/trusts.api.ts'
import type { trustRow } from '@zhuguan/contract/features/trusts/trusts.record.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'

import { weighTrusts } from '../../app/clock.ts'
import { report } from '../../testing/device.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { listen } from '../../testing/stream.ts'
import { seconds } from '../../testing/time.ts'

type Type = 'smoking' | 'noclothes' | 'cameraproblem'
type Pair = z.output<typeof trustRow>
let server: TestServer
let gm: Person
let pm: Person
let inspector: Person
let cameras: TestServer['devices']
let event = 0

beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
  inspector = await server.as('inspector')
  const mine = await server.sql<{ sn: string }>(
    `SELECT d.sn FROM devices d JOIN sites w ON w.id = d.site_id JOIN users m ON m.id = w.manager_id
     WHERE d.type = 'camera' AND m.user_name = 'pm' AND w.status = 1 ORDER BY d.sn`,
  )
  cameras = mine.map(({ sn }) => server.devices.find((d) => d.sn === sn)!)
})
afterAll(() => server.stop())

const detail = (id: string) => gm.call(alarmsApi.details, { query: { id } })
/** One detection; the alarm that it opened. */
async function raise(camera: TestServer['devices'][number], type: Type, model = 'v2.3'): Promise<string> {
  event += 1
  await report(server.url, camera, [
    { id: `t${event}`, kind: 'alarm', at: seconds() - 5_000 + event, type, confidence: 0.8, model },
  ])
  const [row] = await server.sql<{ id: string }>('SELECT id FROM alarms ORDER BY id DESC LIMIT 1')
  return row!.id
}
const cancel = async (id: string, cause: 'wrong' | 'repeated' | 'stopped' = 'wrong') =>
  gm.call(alarmsApi.cancel, {
    body: { id, version: (await detail(id)).version, cause, reason: '画面里没有人' },
  })
async function confirm(id: string): Promise<void> {
  const [row] = await server.sql<{ manager: string }>(
    'SELECT w.manager_id AS manager FROM alarms a JOIN sites w ON w.id = a.site_id WHERE a.id = $1',
    [id],
  )
  const { version } = await detail(id)
  await gm.call(alarmsApi.assign, { body: { id, version, assignee_id: row!.manager } })
}
/** 误报 and 属实 one after the other, as the letters w and r say; what is true is closed, so that the next is a new one. */
async function judge(camera: TestServer['devices'][number], type: Type, letters: string, model?: string) {
  for (const letter of letters) {
    const id = await raise(camera, type, model)
    if (letter === 'w') await cancel(id)
    else {
      await confirm(id)
      await cancel(id, 'repeated')
    }
  }
}
async function pairOf(camera: TestServer['devices'][number], type: Type, who = gm): Promise<Pair> {
  const { list } = await who.call(trustsApi.list, { query: { keyword: camera.sn, type: [type] } })
  return list[0]!
}
const history = async (pair: Pair) =>
  (await gm.call(trustsApi.details, { query: { id: pair.id } })).history.map((h) => [
    h.event,
    h.text,
    h.actor,
  ])

test('verdicts are counted by camera, type and version, and taken back when the alarm is opened again', async () => {
  const camera = cameras[0]!
  const id = await raise(camera, 'smoking')
  expect(await pairOf(camera, 'smoking')).toMatchObject({
    model: 'v2.3',
    n: 0,
    wrong: 0,
    undecided: 1,
    share: null,
    last: [],
    state: 'notify',
    since: null,
  })
  await cancel(id)
  expect(await pairOf(camera, 'smoking')).toMatchObject({ n: 1, wrong: 1, undecided: 0, last: ['wrong'] })
  await gm.call(alarmsApi.reopen, { body: { id, version: (await detail(id)).version, reason: '再看一次' } })
  expect(await pairOf(camera, 'smoking')).toMatchObject({ n: 0, wrong: 0, undecided: 1, last: [] })
  // Neither 重复 nor 停工 is a verdict on the model.
  await cancel(id, 'stopped')
  expect(await pairOf(camera, 'smoking')).toMatchObject({ n: 0, wrong: 0, undecided: 1 })
  await judge(camera, 'smoking', 'rw')
  expect(await pairOf(camera, 'smoking')).toMatchObject({
    n: 2,
    wrong: 1,
    undecided: 1,
    last: ['real', 'wrong'],
  })
  // Another type is another pair.
  await judge(camera, 'noclothes', 'w')
  expect(await pairOf(camera, 'noclothes')).toMatchObject({ n: 1, wrong: 1 })
  expect((await pairOf(camera, 'smoking')).n).toBe(2)
})

test('too often wrong, alarms are filed and counted and nobody is told; right again, they are told', async () => {
  const camera = cameras[1]!
  await judge(camera, 'smoking', 'rrrwwwwww')
  // Nine verdicts are too few for anything.
  expect(await pairOf(camera, 'smoking')).toMatchObject({ n: 9, wrong: 6, share: null, state: 'notify' })
  await judge(camera, 'smoking', 'r')
  const pair = await pairOf(camera, 'smoking')
  expect(pair).toMatchObject({ n: 10, wrong: 6, share: 0.6, state: 'review', why: '误报 6/10', by: '系统' })

  const stream = listen(server.url, gm)
  await stream.until(() => stream.heard.length > 0)
  const quiet = await raise(camera, 'smoking')
  const loud = await raise(camera, 'noclothes')
  await stream.until(() => stream.alarms().some((a) => a.data.id === loud))
  // What was judged before may still be told.
  const heard = stream.alarms().filter((a) => a.data.id === quiet || a.data.id === loud)
  expect(heard.map((a) => [a.data.id, a.data.what])).toEqual([
    [quiet, 'seen'],
    [loud, 'raised'],
  ])
  await stream.close()
  expect(await detail(quiet)).toMatchObject({ attention: 'review', model: 'v2.3', correctionStatus: 1 })
  expect((await detail(loud)).attention).toBe('notify')
  const shown = await gm.call(alarmsApi.list, { query: { attention: 'review' } })
  expect(shown.list.map((a) => a.id)).toEqual([quiet])
  const [site] = await server.sql<{ open: number; counted: number }>(
    `SELECT w.open_alarms AS open, (SELECT count(*)::int FROM alarms x
       WHERE x.site_id = w.id AND x.correction_status IN (1, 2)) AS counted
     FROM sites w JOIN alarms a ON a.site_id = w.id WHERE a.id = $1`,
    [quiet],
  )
  expect(site!.open).toBe(site!.counted)

  await confirm(quiet)
  await cancel(quiet, 'repeated')
  // The last ten: six wrong and the four good ones around; three good ones more leave three of ten.
  await judge(camera, 'smoking', 'rrrr')
  expect(await pairOf(camera, 'smoking')).toMatchObject({ state: 'review', n: 15 })
  await judge(camera, 'smoking', 'rr')
  expect(await pairOf(camera, 'smoking')).toMatchObject({
    state: 'notify',
    why: '误报 3/10',
    n: 17,
    wrong: 6,
  })
  expect((await detail(await raise(camera, 'smoking'))).attention).toBe('notify')
  expect(await history(pair)).toEqual([
    ['promoted', '误报 3/10', '系统'],
    ['demoted', '误报 6/10', '系统'],
  ])
})

test('a new version counts anew and keeps what was decided until then; a clear difference is noted once', async () => {
  const camera = cameras[2]!
  await judge(camera, 'noclothes', 'wwwwwwwwrr', 'v2.3')
  const pair = await pairOf(camera, 'noclothes')
  expect(pair).toMatchObject({ state: 'review', model: 'v2.3', n: 10, wrong: 8 })
  await judge(camera, 'noclothes', 'rrrrrrrrr', 'v2.4')
  expect(await pairOf(camera, 'noclothes')).toMatchObject({ state: 'review', model: 'v2.4', n: 9, wrong: 0 })
  await judge(camera, 'noclothes', 'rrr', 'v2.4')
  expect(await pairOf(camera, 'noclothes')).toMatchObject({ state: 'notify', n: 12, wrong: 0 })
  // A version is met when its first alarm was seen, which here was before all of this.
  expect((await history(pair)).toSorted()).toEqual([
    ['demoted', '误报 8/10', '系统'],
    ['model', 'v2.3 → v2.4，判定从头计数', '系统'],
    ['promoted', '误报 0/10', '系统'],
    ['shift', 'v2.3 误报 8/10，v2.4 误报 0/10', '系统'],
  ])
  const { models } = await gm.call(trustsApi.details, { query: { id: pair.id } })
  expect(models).toEqual([
    { model: 'v2.4', n: 12, wrong: 0, undecided: 0 },
    { model: 'v2.3', n: 10, wrong: 8, undecided: 0 },
  ])
  // What comes late from the version before is not the present one.
  await report(server.url, camera, [
    { id: 'late', kind: 'alarm', at: seconds() - 90_000, type: 'noclothes', confidence: 0.7, model: 'v2.3' },
  ])
  expect(await pairOf(camera, 'noclothes')).toMatchObject({ model: 'v2.4', n: 12 })
})

test('a person pins a pair with a reason; pinned it follows no verdicts, unpinned it does at once', async () => {
  const camera = cameras[3]!
  await judge(camera, 'smoking', 'r')
  const pin = (who: Person, action: 'pinNotify' | 'pinReview' | 'unpin', body: object = {}) =>
    pairOf(camera, 'smoking').then(({ id, version }) =>
      who.ask(trustsApi[action], { body: { id, version, reason: '镜头正对吸烟区', ...body } }),
    )
  expect((await pin(pm, 'pinReview')).msg).toBe('No Permission')
  expect((await pin(gm, 'pinReview', { reason: '' })).code).toBe(400)
  expect((await pin(gm, 'unpin')).msg).toBe('当前为“通知”，不能取消固定；可以：固定通知、固定需人工看')
  expect((await pin(inspector, 'pinReview')).code).toBe(200)
  const pinned = await pairOf(camera, 'smoking')
  expect(pinned).toMatchObject({ state: 'alwaysReview', why: '镜头正对吸烟区', version: 1 })
  expect((await pin(gm, 'pinNotify', { version: 0 })).msg).toMatch(/^已被 .+ 于 .+ 处理/)
  expect((await detail(await raise(camera, 'smoking'))).attention).toBe('review')
  await cancel((await gm.call(alarmsApi.list, { query: { attention: 'review' } })).list[0]!.id, 'stopped')
  await judge(camera, 'smoking', 'rrrrrrrrr')
  expect((await pairOf(camera, 'smoking')).state).toBe('alwaysReview')
  expect((await pin(gm, 'unpin')).code).toBe(200)
  expect(await pairOf(camera, 'smoking')).toMatchObject({ state: 'notify', why: '误报 0/10', by: '系统' })
  expect((await history(pinned)).map(([what]) => what)).toEqual(['promoted', 'unpin', 'pinReview'])
  const logged = await server.sql<{ action: string }>(
    `SELECT action FROM user_logs WHERE object = 'trust' AND object_id = $1 ORDER BY id`,
    [pinned.id],
  )
  expect(logged.map((l) => l.action)).toEqual(['固定需人工看', '取消固定'])
})

test('the branch sets what is too often; the night weighs every pair with it, and twice is once', async () => {
  const camera = cameras[4]!
  await judge(camera, 'smoking', 'rrrwwwrrww')
  expect(await pairOf(camera, 'smoking')).toMatchObject({ state: 'notify', wrong: 5 })
  const bcId = (await pairOf(camera, 'smoking')).bc_id
  await gm.call(settingsApi.update, { body: { bcId, values: { trustDemote: 50 } } })
  await weighTrusts(server.db, new Date(server.now().getTime() + 86_400_000))
  const pair = await pairOf(camera, 'smoking')
  expect(pair).toMatchObject({ state: 'review', why: '误报 5/10', version: 1 })
  await weighTrusts(server.db, new Date(server.now().getTime() + 2 * 86_400_000))
  expect(await pairOf(camera, 'smoking')).toEqual(pair)
  await gm.call(settingsApi.update, { body: { bcId, values: { trustDemote: null } } })
})

test('each sees the pairs of their own reach, and no other’s', async () => {
  const pair = await pairOf(cameras[1]!, 'smoking')
  expect((await pairOf(cameras[1]!, 'smoking', pm)).id).toBe(pair.id)
  for (const name of ['pm2', 'branch_gm2', 'other']) {
    const stranger = await server.as(name)
    expect((await stranger.call(trustsApi.list, { query: { id: pair.id } })).totalCount, name).toBe(0)
    expect((await stranger.ask(trustsApi.details, { query: { id: pair.id } })).status, name).toBe(403)
  }
  const other = await server.as('branch_gm2')
  const strange = await other.ask(trustsApi.pinReview, {
    body: { id: pair.id, version: pair.version, reason: '别人的' },
  })
  expect(strange.status).toBe(403)
  // A camera that was moved begins anew: what it saw elsewhere is not listed here.
  const camera = cameras[0]!
  const elsewhere = cameras.find((c) => c.site !== camera.site)!
  const site = await server.sql<{ id: string }>('SELECT site_id AS id FROM devices WHERE sn = $1', [
    camera.sn,
  ])
  await server.sql('UPDATE devices SET site_id = (SELECT site_id FROM devices WHERE sn = $2) WHERE sn = $1', [
    camera.sn,
    elsewhere.sn,
  ])
  expect(await pairOf(camera, 'smoking')).toBeUndefined()
  await server.sql('UPDATE devices SET site_id = $2 WHERE sn = $1', [camera.sn, site[0]!.id])
  expect((await pairOf(camera, 'smoking')).n).toBe(2)
})

test('what was judged is taken along as training labels, by whoever may, and the log knows it', async () => {
  expect((await pm.ask(trustsApi.exportLabels, { query: {} })).msg).toBe('No Permission')
  const { totalCount, list } = await gm.call(trustsApi.labels, { query: { verdict: ['wrong'] } })
  const [counted] = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM alarms a JOIN companies c ON c.bc_id = a.bc_id
     WHERE a.verdict = 'wrong' AND c.code = 'HZ'`,
  )
  expect(totalCount).toBe(counted!.n)
  expect(list[0]).toMatchObject({ verdict: 'wrong', reason: '误报：画面里没有人', confidence: 0.8 })
  expect((await gm.call(trustsApi.labels, { query: { verdict: ['none'] } })).totalCount).toBe(0)
  const answer = await gm.ask(trustsApi.exportLabels, { query: { type: ['smoking'] } })
  const rows = await cellsOf(answer.bytes)
  expect(rows[0]).toEqual([
    '图片编号',
    '报警类型',
    '判定',
    '原因',
    '型号版本',
    '置信度',
    '时间',
    '工地',
    '分公司',
    '设备',
  ])
  expect(rows.length - 1).toBe(
    (await gm.call(trustsApi.labels, { query: { type: ['smoking'], pageSize: 1 } })).totalCount,
  )
  expect(
    await server.sql(`SELECT 1 FROM user_logs WHERE action = '导出训练标签' AND outcome = 'done'`),
  ).toHaveLength(1)
  const ledger = await cellsOf((await gm.ask(trustsApi.export, { query: {} })).bytes)
  expect(ledger[0]!.slice(0, 3)).toEqual(['摄像头', '类型', '工地'])
})
