import { correctionsApi } from '@zhuguan/contract/features/corrections/corrections.api.ts'
import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import type { PatrolDetail } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import {
  patrolPlansApi,
  patrolTasksApi,
  patrolTemplatesApi,
} from '@zhuguan/contract/features/patrols/plans.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import { timelineApi } from '@zhuguan/contract/features/timeline/timeline.api.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import type { BodyOf, InputOf } from '@zhuguan/contract/kit/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { makePatrolTasks, openToday, tellPatrolTasks } from '../../app/clock.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { makeStageTasks } from './tasks.service.ts'

const HOUR_MS = 3_600_000
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7] as const
let server: TestServer
let gm: Person
let pm: Person
let steward: Person
let inspector: Person
let stranger: Person
let other: Person
let bc: string
/** Of `pm` and `steward`. */
let site: { id: string; lng: number; lat: number }
let ids: Record<string, string>
let camera: TestServer['devices'][number]
let cameraId: string
let template: { id: string; version: number }
type Look = BodyOf<typeof patrolsApi.remote>

beforeAll(async () => {
  server = await startTestServer()
  await signIn()
  const [mine] = await server.sql<{
    id: string
    lng: number
    lat: number
    bc_id: string
    sn: string
    device: string
  }>(
    `SELECT w.id, w.lng, w.lat, w.bc_id, d.sn, d.id AS device FROM sites w
     JOIN users m ON m.id = w.manager_id AND m.user_name = 'pm'
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     JOIN devices d ON d.site_id = w.id AND d.type = 'camera'
     WHERE w.status = 1 ORDER BY w.code, d.sn LIMIT 1`,
  )
  site = mine!
  bc = mine!.bc_id
  cameraId = mine!.device
  camera = server.devices.find((d) => d.sn === mine!.sn)!
  const people = await server.sql<{ user_name: string; id: string }>('SELECT user_name, id FROM users')
  ids = Object.fromEntries(people.map((p) => [p.user_name, p.id]))
  const made = await gm.call(patrolTemplatesApi.add, {
    body: {
      name: '分公司日检',
      bc_id: bc,
      items: [
        { title: '地面清洁', hint: '没有积水', weight: 1, photo: false },
        { title: '临时用电', hint: '有漏电保护', weight: 3, photo: true },
      ],
    },
  })
  template = { id: made.id, version: 0 }
})
afterAll(() => server.stop())

async function signIn() {
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
  steward = await server.as('steward')
  inspector = await server.as('inspector')
  stranger = await server.as('branch_gm2')
  other = await server.as('other')
}
const photo = (who: Person) => uploadPhoto(server.url, who)
const plan = (more: Partial<BodyOf<typeof patrolPlansApi.add>> = {}) => ({
  body: {
    name: '每日巡检',
    kind: 'plan' as const,
    bc_id: bc,
    template_id: template.id,
    site_ids: [site.id],
    every: 'day' as const,
    weekdays: [...EVERY_DAY],
    share: 'one' as const,
    user_ids: [ids.pm!, ids.inspector!],
    fromTime: '00:00',
    toTime: '23:59',
    days: 1,
    ...more,
  },
})
const tasksOf = async (who: Person, query: object = {}) =>
  (await who.call(patrolTasksApi.list, { query: { sort: ['opensAt'], ...query } })).list
/** A plan of its own and today's occurrence of it. */
async function due(more: Parameters<typeof plan>[0] = {}) {
  const { id } = await gm.call(patrolPlansApi.add, plan(more))
  const [task] = await tasksOf(gm, { plan_id: id })
  return { plan: id, task: task! }
}
type Findings = InputOf<typeof patrolsApi.submit>
/** What somebody would hand in: all passed, with what is said otherwise. */
async function findings(who: Person, patrol: PatrolDetail, failed = false): Promise<Findings> {
  return {
    body: {
      id: patrol.id,
      remark: '总体正常',
      items: [
        { id: patrol.items[0]!.id, verdict: 'passed' as const },
        {
          id: patrol.items[1]!.id,
          verdict: failed ? ('failed' as const) : ('passed' as const),
          pictures: [await photo(who)],
          ...(failed ? { correction: { problem: '配电箱没有漏电保护' } } : {}),
        },
      ],
    },
  }
}
const state = async (id: string) => (await tasksOf(gm, { id }))[0]!.state

test('an occurrence is planned, due, done; what it asks for is frozen, handed in twice it is one', async () => {
  const { task } = await due()
  const [, tomorrow] = await tasksOf(gm, { plan_id: task.plan_id })
  expect([task.state, tomorrow!.state]).toEqual([2, 1])
  expect(task.userNames.split('、')).toHaveLength(2)
  const begin = (who: Person, id = task.id) => who.ask(patrolsApi.begin, { body: { task_id: id } })
  expect((await begin(pm, tomorrow!.id)).msg).toBe('当前为“未到时间”，不能现场巡检')
  expect((await begin(steward)).msg).toMatch(/^这次巡检由.+执行$/)
  expect((await begin(stranger)).status).toBe(403)
  const both = await Promise.all([begin(pm), begin(inspector)])
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  expect(both.find((a) => a.code === 409)!.msg).toMatch(/^已被 .+ 于 .+ 开始$/)
  const who = both[0].code === 200 ? pm : inspector
  const patrol = both.find((a) => a.code === 200)!.data
  // On another device it goes on where it was.
  expect((await begin(who)).data.id).toBe(patrol.id)
  expect(patrol).toMatchObject({ kind: 'plan', status: 1, place: 'unknown', task_id: task.id })
  await gm.call(patrolTemplatesApi.edit, {
    body: {
      ...template,
      name: '分公司日检',
      items: [
        { title: '门窗保护', weight: 5, hint: '', photo: false },
        { title: '动火', weight: 5, hint: '', photo: false },
      ],
    },
  })
  template.version += 1
  const seen = await who.call(patrolsApi.details, { query: { id: patrol.id } })
  expect(seen.items.map((i) => i.title)).toEqual(['地面清洁', '临时用电'])

  const good = await findings(who, patrol, true)
  const [first, second] = good.body.items
  const used = second!.pictures!
  const refused: [object, RegExp][] = [
    [{ items: [first] }, /还有 1 项没有判定：临时用电/],
    [{ items: [first, { ...second, correction: null }] }, /“临时用电”不合格，请写明要整改的问题/],
    [{ items: [first, { ...second, pictures: [] }] }, /“临时用电”不合格，必须拍照/],
    [
      { items: [first, { ...second, verdict: 'passed', correction: null, pictures: [] }] },
      /“临时用电”必须拍照/,
    ],
    [{ items: [{ ...first, pictures: used }, second] }, /已经用于另一条记录/],
    [{ items: [first, { ...second, pictures: [await photo(steward)] }] }, /没有权限/],
  ]
  for (const [more, msg] of refused)
    expect((await who.ask(patrolsApi.submit, { body: { ...good.body, ...more } })).msg).toMatch(msg)
  expect((await who.call(patrolsApi.details, { query: { id: patrol.id } })).status).toBe(1)
  const notMine = who === pm ? inspector : pm
  expect((await notMine.ask(patrolsApi.submit, good)).msg).toMatch(/^这次巡检由/)
  const done = await who.call(patrolsApi.submit, good)
  expect(done).toMatchObject({ id: patrol.id, score: 25, problems: 1 })
  expect(await who.call(patrolsApi.submit, good)).toEqual(done)
  expect((await who.ask(patrolsApi.submit, { body: { ...good.body, remark: '改一下' } })).msg).toBe(
    '当前为“已提交”，不能提交',
  )
  expect(await state(task.id)).toBe(3)
  const after = await gm.call(patrolsApi.details, { query: { id: patrol.id } })
  expect(after.items[1]).toMatchObject({ verdict: 'failed', problem: '配电箱没有漏电保护', pictures: used })
  const found = await gm.call(correctionsApi.list, { query: { site_id: site.id, source: 'patrol' } })
  expect(found.list).toMatchObject([
    { problem: '配电箱没有漏电保护', source_id: after.items[1]!.id, correctionStatus: 2, picture: used[0] },
  ])
  expect(after.items[1]!.correction).toMatchObject({ id: found.list[0]!.id, status: 2 })
  expect(after.unfixed).toBe(1)
  const lines = await gm.call(timelineApi.list, { query: { site_id: site.id, kinds: ['patrol'] } })
  expect(lines.list.map((l) => l.title)).toEqual(['计划巡检，25 分，1 个问题'])
  expect((await begin(notMine)).msg).toBe('当前为“按时完成”，不能现场巡检')
})

test('given up, it is due again; missed, a superior excuses it; handed in after its window it is late', async () => {
  const { task } = await due({ name: '缺勤', share: 'each', user_ids: [ids.pm!, ids.inspector!] })
  const [a, b] = (await tasksOf(gm, { plan_id: task.plan_id, state: '2' })).sort((x) =>
    x.user_ids[0] === ids.pm ? -1 : 1,
  )
  expect([a!.user_ids, b!.user_ids]).toEqual([[ids.pm], [ids.inspector]])
  const first = await pm.call(patrolsApi.begin, { body: { task_id: a!.id } })
  const abandon = (who: Person, p: PatrolDetail) =>
    who.ask(patrolsApi.abandon, { body: { id: p.id, version: p.version, reason: '业主不在家' } })
  expect((await abandon(steward, first)).msg).toMatch(/^这次巡检由/)
  expect((await abandon(pm, first)).code).toBe(200)
  expect((await abandon(pm, first)).msg).toMatch(/刚刚被别人改过/)
  expect(await state(a!.id)).toBe(2)
  const again = await pm.call(patrolsApi.begin, { body: { task_id: a!.id } })
  expect(again.id).not.toBe(first.id)
  const excuse = (who: Person, id: string) =>
    who.ask(patrolTasksApi.excuse, { body: { id, version: 0, reason: '台风停工' } })
  expect((await excuse(inspector, b!.id)).msg).toBe('No Permission')
  expect((await excuse(gm, b!.id)).msg).toMatch(/^当前为“待巡检”，不能免除/)
  // An hour after its window, at whatever hour the story is told.
  server.later(a!.closesAt * 1000 - server.now().getTime() + HOUR_MS)
  await signIn()
  expect([await state(a!.id), await state(b!.id)]).toEqual([2, 2])
  expect((await pm.call(patrolsApi.submit, await findings(pm, again))).score).toBe(100)
  expect(await state(a!.id)).toBe(4)
  server.later(24 * HOUR_MS)
  await signIn()
  expect(await state(b!.id)).toBe(5)
  expect((await inspector.ask(patrolsApi.begin, { body: { task_id: b!.id } })).msg).toMatch(
    /^当前为“未巡检”，不能现场巡检/,
  )
  expect((await excuse(stranger, b!.id)).status).toBe(403)
  expect((await excuse(gm, b!.id)).code).toBe(200)
  expect(await state(b!.id)).toBe(6)
  expect((await excuse(gm, b!.id)).msg).toMatch(/刚刚被别人改过/)
})

test('what makes occurrences makes each once, on two servers and after a silence; people are told once', async () => {
  await gm.call(patrolPlansApi.add, plan({ name: '夜里', user_ids: [ids.steward!], kind: 'scene' }))
  const count = async () =>
    (await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM patrol_tasks'))[0]!.n
  const before = await count()
  server.later(3 * 24 * HOUR_MS)
  await signIn()
  await Promise.all([
    makePatrolTasks(server.db, server.now()),
    makePatrolTasks(server.db, server.now()).catch(() => false),
  ])
  const made = await count()
  expect(made).toBeGreaterThan(before)
  await server.sql(`UPDATE job_runs SET done_for = NULL, done = '{}' WHERE kind = 'patrolTasks'`)
  await makePatrolTasks(server.db, server.now())
  expect(await count()).toBe(made)
  const told = async () =>
    (await steward.call(notificationsApi.list)).list.filter((n) => n.title === '今天有 1 个工地待巡检')
  await tellPatrolTasks(server.db, server.now())
  await tellPatrolTasks(server.db, server.now())
  expect((await told()).map((n) => n.read)).toEqual([false])
  for (const task of await tasksOf(steward, { user_id: ids.steward, state: '2' })) {
    const patrol = await steward.call(patrolsApi.begin, { body: { task_id: task.id } })
    await steward.call(patrolsApi.submit, await findings(steward, patrol))
  }
  expect((await told()).map((n) => n.read)).toEqual([true])
})

test('a stopped plan asks for nothing more; what was begun is still handed in and says so', async () => {
  const { plan: id, task } = await due({ name: '停用', user_ids: [ids.pm!] })
  const patrol = await pm.call(patrolsApi.begin, { body: { task_id: task.id } })
  const stop = (who: Person, version = 0) =>
    who.ask(patrolPlansApi.stop, { body: { id, version, reason: '换了办法' } })
  expect((await stop(stranger)).status).toBe(403)
  expect((await stop(pm)).msg).toBe('No Permission')
  expect((await stop(gm, 7)).code).toBe(409)
  expect((await stop(gm)).code).toBe(200)
  expect((await stop(gm, 1)).msg).toBe('当前为“已停用”，不能停用')
  expect((await tasksOf(gm, { plan_id: id })).map((t) => t.id)).toEqual([task.id])
  await pm.call(patrolsApi.submit, await findings(pm, patrol))
  expect(await gm.call(patrolsApi.details, { query: { id: patrol.id } })).toMatchObject({
    planStopped: true,
    status: 2,
  })
  expect(await state(task.id)).toBe(3)
})

test('a plan that fits nothing is refused, and changes nothing', async () => {
  const total = (await gm.call(patrolPlansApi.list)).totalCount
  const [elsewhere] = await server.sql<{ id: string; bc_id: string }>(
    `SELECT w.id, w.bc_id FROM sites w JOIN companies c ON c.bc_id = w.bc_id WHERE c.code = 'NB' LIMIT 1`,
  )
  const refused: [Parameters<typeof plan>[0], RegExp][] = [
    [{ template_id: null }, /请选择模板/],
    [{ weekdays: [] }, /请至少选择一天/],
    [{ every: 'stage' }, /请选择阶段/],
    [{ days: 2 }, /两次之间最短隔 1 天/],
    [{ weekdays: [1, 3, 7], days: 2 }, /两次之间最短隔 1 天/],
    [{ weekdays: [3], days: 8 }, /两次之间最短隔 7 天/],
    [{ toTime: '00:00' }, /结束时间应晚于开始时间/],
    [{ site_ids: [elsewhere!.id] }, /没有权限/],
    [{ bc_id: elsewhere!.bc_id }, /没有权限/],
    [{ user_ids: [ids.branch_gm2!] }, /没有权限/],
    [{ user_ids: [ids.device_keeper!] }, /没有现场巡检的权限/],
    [{ kind: 'remote', user_ids: [ids.pm!] }, /没有远程巡检的权限/],
  ]
  for (const [more, msg] of refused) expect((await gm.ask(patrolPlansApi.add, plan(more))).msg).toMatch(msg)
  expect((await pm.ask(patrolPlansApi.add, plan())).msg).toBe('No Permission')
  expect((await gm.call(patrolPlansApi.list)).totalCount).toBe(total)
  const [one] = (await gm.call(patrolPlansApi.list, { query: { status: '1' } })).list
  expect((await stranger.call(patrolPlansApi.list)).list).toEqual([])
  expect((await other.call(patrolPlansApi.list)).list).toEqual([])
  const { bc_id: _bc, ...same } = plan({ name: '改过的名字' }).body
  expect((await gm.ask(patrolPlansApi.edit, { body: { id: one!.id, version: 99, ...same } })).code).toBe(409)
  await gm.call(patrolPlansApi.edit, { body: { id: one!.id, version: one!.version, ...same } })
  expect((await gm.call(patrolPlansApi.list, { query: { id: one!.id } })).list[0]!.name).toBe('改过的名字')
})

test('templates: the group’s own are changed by the group, one in use is not stopped', async () => {
  const seen = await gm.call(patrolTemplatesApi.list)
  expect(seen.map((t) => t.name)).toEqual(
    expect.arrayContaining(['日常巡检', '水电阶段', '瓦工阶段', '分公司日检']),
  )
  const group = seen.find((t) => t.bc_id === null)!
  const one = (t: { id: string; version: number }) => ({ body: { id: t.id, version: t.version } })
  expect((await gm.ask(patrolTemplatesApi.stop, one(group))).msg).toMatch(/这是集团的模板/)
  const mine = seen.find((t) => t.id === template.id)!
  expect((await gm.ask(patrolTemplatesApi.stop, one(mine))).msg).toMatch(/个进行中的计划在用这个模板/)
  expect((await stranger.ask(patrolTemplatesApi.stop, one(mine))).status).toBe(403)
  expect((await stranger.call(patrolTemplatesApi.list)).some((t) => t.id === mine.id)).toBe(false)
  const admin = await server.as('admin')
  await admin.call(patrolTemplatesApi.stop, one(group))
  const begin = { body: { site_id: site.id, template_id: group.id } }
  expect((await pm.ask(patrolsApi.begin, begin)).msg).toMatch(/不能用在这个工地/)
  await admin.call(patrolTemplatesApi.start, one({ id: group.id, version: group.version + 1 }))
  const twice = [1, 2].map(() => ({ title: '地面清洁', hint: '', weight: 1, photo: false }))
  expect(
    (await gm.ask(patrolTemplatesApi.add, { body: { name: '写了两遍', bc_id: bc, items: twice } })).msg,
  ).toMatch(/写了两遍/)
})

test('where one stands is measured against the site; far or unknown is allowed and marked', async () => {
  const group = (await pm.call(patrolTemplatesApi.list)).find((t) => t.bc_id === null)!
  const begin = (place: object) =>
    pm.call(patrolsApi.begin, { body: { site_id: site.id, template_id: group.id, ...place } })
  const drop = (p: PatrolDetail) =>
    pm.call(patrolsApi.abandon, { body: { id: p.id, version: p.version, reason: '重新开始' } })
  const far = await begin({ lng: site.lng + 3, lat: site.lat, accuracy: 30 })
  expect(far.place).toBe('far')
  expect(far.distance).toBeGreaterThan(250_000)
  expect(await begin({})).toMatchObject({ id: far.id, place: 'far' })
  await drop(far)
  // Some 500 metres lie between what a phone measures and what the map shows.
  const near = await begin({ lng: site.lng - 0.0046, lat: site.lat + 0.0024, accuracy: 12 })
  expect(near).toMatchObject({ place: 'near', accuracy: 12, kind: 'scene', score: null })
  expect(near.distance).toBeLessThan(200)
  await drop(near)
  await server.sql('UPDATE sites SET lng = NULL, lat = NULL WHERE id = $1', [site.id])
  const lost = await begin({ lng: site.lng, lat: site.lat })
  expect(lost).toMatchObject({ place: 'unknown', distance: null })
  await drop(lost)
  await server.sql('UPDATE sites SET lng = $2, lat = $3 WHERE id = $1', [site.id, site.lng, site.lat])
})

test('a place that may be anywhere around says nothing against its inspector', async () => {
  const group = (await pm.call(patrolTemplatesApi.list)).find((t) => t.bc_id === null)!
  const standing = async (east: number, accuracy?: number) => {
    const p = await pm.call(patrolsApi.begin, {
      body: { site_id: site.id, template_id: group.id, lng: site.lng + east, lat: site.lat, accuracy },
    })
    await pm.call(patrolsApi.abandon, { body: { id: p.id, version: p.version, reason: '重新开始' } })
    return p
  }
  // Some five kilometres off: a phone without satellites, one that knows, one that is surer than it is far.
  const [lost, sure, roughly] = [
    await standing(0.05, 100_000),
    await standing(0.05, 10),
    await standing(0.05, 2_000),
  ]
  expect(lost.distance).toBeGreaterThan(4_000)
  expect(lost.distance).toBeLessThan(6_000)
  expect([lost.place, sure.place, roughly.place]).toEqual(['unknown', 'far', 'far'])
  // The accuracy itself is kept, and one that says nothing of it is taken at its word.
  expect([lost.accuracy, (await standing(0.05)).place]).toEqual([100_000, 'far'])
})

test('begun without a place, it takes the first that comes later, and keeps that', async () => {
  const group = (await pm.call(patrolTemplatesApi.list)).find((t) => t.bc_id === null)!
  const begin = (place: object) =>
    pm.ask(patrolsApi.begin, { body: { site_id: site.id, template_id: group.id, ...place } })
  expect(await begin({ lng: site.lng })).toMatchObject({
    code: 400,
    msg: expect.stringContaining('经度和纬度'),
  })
  const { data: patrol } = await begin({})
  expect(patrol).toMatchObject({ place: 'unknown', lng: null, distance: null })
  const here = { lng: site.lng - 0.0046, lat: site.lat + 0.0024, accuracy: 12 }
  const { data: again } = await begin(here)
  expect(again).toMatchObject({ id: patrol.id, place: 'near' })
  expect((await begin({ ...here, lng: site.lng + 3 })).data).toMatchObject({
    id: patrol.id,
    place: 'near',
    distance: again.distance,
  })
  await pm.call(patrolsApi.abandon, { body: { id: patrol.id, version: again.version, reason: '重新开始' } })

  // Handed in from another place than before, it is the same answer.
  const { task } = await due()
  const begun = await pm.call(patrolsApi.begin, { body: { task_id: task.id } })
  expect(begun.place).toBe('unknown')
  const { body: said } = await findings(pm, begun)
  expect((await pm.ask(patrolsApi.submit, { body: { ...said, lat: here.lat } })).code).toBe(400)
  const done = await pm.call(patrolsApi.submit, { body: { ...said, ...here } })
  expect(await pm.call(patrolsApi.submit, { body: said })).toEqual(done)
  const kept = await gm.call(patrolsApi.details, { query: { id: begun.id } })
  expect(kept).toMatchObject({ place: 'near', accuracy: 12, status: 2 })
})

test('at the camera: a verdict needs its newest still and is one check of tidiness', async () => {
  const still = async (age: number, picture = `${crypto.randomUUID()}.jpg`) => {
    const at = server.now().getTime() / 1000 - age
    await server.sql(
      `UPDATE devices SET device_status = 1, last_seen = :now, last_picture = $2, last_picture_at = to_timestamp($3)
       WHERE id = $1`,
      [cameraId, picture, at],
    )
    return { picture, picture_at: Math.floor(at) }
  }
  const look = (more: Pick<Look, 'picture' | 'picture_at'> & Partial<Look>, who = inspector) =>
    who.ask(patrolsApi.remote, {
      body: { site_id: site.id, device_id: cameraId, tidiness: 2, problems: [], ...more },
    })
  const old = await still(45 * 60)
  expect((await look(old)).msg).toBe('画面是 45 分钟前的，不能判定')
  const fresh = await still(60)
  expect((await look(old)).msg).toMatch(/已经有更新的画面/)
  expect((await look(fresh, pm)).msg).toBe('No Permission')
  expect((await look(fresh, stranger)).status).toBe(403)
  await server.sql('UPDATE devices SET device_status = 2 WHERE id = $1', [cameraId])
  expect((await look(fresh)).msg).toBe('摄像头离线，不能判定')
  await server.sql('UPDATE devices SET device_status = 1, last_seen = :now WHERE id = $1', [cameraId])
  const [elsewhere] = await server.sql<{ id: string }>(
    `SELECT id FROM sites WHERE bc_id = $1 AND id <> $2 AND status = 1 LIMIT 1`,
    [bc, site.id],
  )
  expect((await look({ ...fresh, site_id: elsewhere!.id })).msg).toMatch(/没有绑定在这个工地/)
  const { id: planned } = await gm.call(
    patrolPlansApi.add,
    plan({ name: '云巡检', kind: 'remote', template_id: null, user_ids: [ids.inspector!] }),
  )
  const [task] = await tasksOf(gm, { plan_id: planned })
  expect((await inspector.ask(patrolsApi.begin, { body: { task_id: task!.id } })).msg).toMatch(/远程巡检墙/)
  const wall = () => inspector.call(patrolsApi.wall, { query: { site_id: site.id } })
  expect((await wall()).list[0]!.tasks.find((t) => t.id === task!.id)).toMatchObject({ mine: true, state: 2 })
  const said = { ...fresh, tidiness: 3 as const, problems: [{ text: '客厅堆满垃圾' }], task_id: task!.id }
  const done = await look(said)
  expect(done).toMatchObject({ code: 200, data: { problems: 1 } })
  expect((await look(said)).data).toEqual(done.data)
  expect((await look({ ...said, tidiness: 1 })).msg).toMatch(/已经判定过/)
  expect(await state(task!.id)).toBe(3)
  const checks = await gm.call(tidinessApi.list, { query: { site_id: site.id, source: 'patrol' } })
  expect(checks.list.map((c) => [c.result, c.picture])).toEqual([[3, fresh.picture]])
  expect((await gm.call(sitesApi.details, { query: { id: site.id } })).tidiness).toBe(3)
  const seen = await gm.call(patrolsApi.details, { query: { id: done.data.id } })
  expect(seen).toMatchObject({
    kind: 'remote',
    tidiness: 3,
    picture: fresh.picture,
    score: null,
    problems: 1,
  })
  expect(seen.items.map((i) => [i.title, i.pictures])).toEqual([['客厅堆满垃圾', [fresh.picture]]])
  const opened = await gm.call(correctionsApi.list, { query: { site_id: site.id, source: 'patrol' } })
  expect(opened.list.map((c) => c.source_id)).toContain(seen.items[0]!.id)
  // Looking elsewhere is no verdict: it leaves the site as it was and is to be put right.
  const next = await still(30)
  const skewed = await look({ ...next, tidiness: 4 })
  expect(skewed.data.problems).toBe(1)
  expect((await gm.call(sitesApi.details, { query: { id: site.id } })).tidiness).toBe(3)
  await report(
    server.url,
    camera,
    [{ id: 'skewed', kind: 'alarm', at: seconds() - 60, type: 'cameraproblem', confidence: 0.9 }],
    server.now(),
  )
  expect((await look({ ...(await still(20)), tidiness: 1 })).msg).toMatch(/偏移报警还没有办结/)
  const { list, progress } = await wall()
  expect(list[0]).toMatchObject({ id: site.id, openCorrections: expect.any(Number) })
  expect(list[0]!.lastRemote).not.toBeNull()
  expect(progress).toEqual({ sites: 1, seen: 1, due: 0, over: 0 })
  const pages = await inspector.call(patrolsApi.wall, { query: { pageSize: 2 } })
  const after = await inspector.call(patrolsApi.wall, { query: { pageSize: 2, after: pages.next! } })
  const both = [...pages.list, ...after.list].map((s) => s.id)
  expect(new Set(both).size).toBe(4)
  expect(both).not.toContain(site.id)
  expect((await stranger.call(patrolsApi.wall)).list.some((s) => both.includes(s.id))).toBe(false)
})

test('the list is as wide as its reader, narrows by what it shows, and the file is the list', async () => {
  const list = (who: Person, query: object = {}) => who.call(patrolsApi.list, { query })
  const all = (await list(gm)).list
  expect(all.length).toBeGreaterThan(5)
  expect((await list(pm)).list.map((p) => p.id)).toEqual(all.map((p) => p.id))
  for (const who of [stranger, other]) expect((await list(who)).list).toEqual([])
  expect((await (await server.as('device_keeper')).ask(patrolsApi.list)).msg).toBe('No Permission')
  expect((await list(gm, { kind: 'remote' })).list.every((p) => p.kind === 'remote')).toBe(true)
  expect((await list(gm, { problems: 'true' })).list.every((p) => p.problems > 0)).toBe(true)
  expect((await list(gm, { place: 'far' })).list).toHaveLength(4)
  const [worker] = await server.sql<{ id: string }>('SELECT id FROM workers WHERE user_id = $1', [ids.pm])
  const mine = (await list(gm, { worker_id: worker!.id })).list
  expect(mine.length).toBeGreaterThan(0)
  expect(mine.map((p) => p.id)).toEqual((await list(gm, { user_id: ids.pm })).list.map((p) => p.id))
  // Who leads sites has a record of their own, and it opens for them.
  expect((await list(pm, { worker_id: worker!.id })).list.map((p) => p.id)).toEqual(mine.map((p) => p.id))
  expect((await pm.call(workersApi.details, { query: { id: worker!.id } })).account?.id).toBe(ids.pm)
  expect((await tasksOf(gm, { worker_id: worker!.id })).every((t) => t.user_ids.includes(ids.pm!))).toBe(true)
  const [head, ...rows] = await cellsOf((await gm.ask(patrolsApi.export, { query: {} })).bytes)
  expect(rows.map((r) => r[head!.indexOf('编号')])).toEqual(all.map((p) => p.number))
  expect((await pm.ask(patrolsApi.export, { query: {} })).msg).toBe('No Permission')
  const [latest] = (await list(gm, { kind: 'remote', status: '2' })).list
  const { before } = await gm.call(patrolsApi.details, { query: { id: latest!.id } })
  expect(before.map((b) => b.tidiness)).toEqual([3])
})

/** What the camera has just sent. */
async function still(picture = `${crypto.randomUUID()}.jpg`) {
  const at = Math.floor(server.now().getTime() / 1000) - 10
  await server.sql(
    `UPDATE devices SET device_status = 1, last_seen = :now, last_picture = $2, last_picture_at = to_timestamp($3)
     WHERE id = $1`,
    [cameraId, picture, at],
  )
  return { picture, picture_at: at }
}

test('without being asked, tasks come as they press: due, over, to come; the wall says whose is over', async () => {
  const own = {
    name: '次序',
    kind: 'remote' as const,
    template_id: null,
    user_ids: [ids.inspector!],
    days: 1,
  }
  const { id } = await gm.call(patrolPlansApi.add, plan(own))
  await server.sql('DELETE FROM patrol_tasks WHERE plan_id = $1', [id])
  // Hours from now at which each begins and ends, and what came of it: the order in which they should come.
  const wanted: [from: number, to: number, outcome: number | null, state: number][] = [
    [-5, -2, null, 2],
    [-3, 1, null, 2],
    [-1, 4, null, 2],
    [-4, 3, 3, 3],
    [-40, -30, null, 5],
    [-60, -50, 6, 6],
    [2, 3, null, 1],
    [20, 30, null, 1],
  ]
  for (const [at, [from, to, outcome]] of wanted.toReversed().entries())
    await server.sql(
      `INSERT INTO patrol_tasks (tenant_id, id, bc_id, site_id, plan_id, day, user_ids, opens_at, closes_at,
         lapses_at, outcome)
       VALUES ($1, gen_random_uuid(), $2, $3, $4, :today - 30 + $5::int, ARRAY[$6::uuid],
         :now + $7 * interval '1 hour', :now + $8 * interval '1 hour', :now + ($8 + 24) * interval '1 hour', $9)`,
      [gm.tenant, bc, site.id, id, at, ids.inspector, from, to, outcome],
    )
  const { list } = await gm.call(patrolTasksApi.list, { query: { plan_id: id } })
  const now = server.now().getTime() / 1000
  const hours = (moment: number) => Math.round((moment - now) / 3600)
  expect(list.map((t) => [hours(t.opensAt), hours(t.closesAt), t.state])).toEqual(
    wanted.map(([from, to, , is]) => [from, to, is]),
  )
  const half = await gm.call(patrolTasksApi.list, { query: { plan_id: id, pageNo: 2, pageSize: 5 } })
  expect(half.list.map((t) => t.id)).toEqual(list.slice(5).map((t) => t.id))
  const backwards = await gm.call(patrolTasksApi.list, { query: { plan_id: id, sort: ['-opensAt'] } })
  expect(backwards.list.map((t) => hours(t.opensAt))).toEqual([20, 2, -1, -3, -4, -5, -40, -60])
  const wall = (who: Person) => who.call(patrolsApi.wall, { query: { site_id: site.id } })
  expect((await wall(inspector)).progress).toMatchObject({ due: 1, over: 1 })
  const mine = async (who: Person) =>
    (await wall(who)).list[0]!.tasks.filter((t) => t.planName === '次序' && t.state === 2).map((t) => t.mine)
  expect([await mine(inspector), await mine(gm)]).toEqual([
    [true, true, true],
    [false, false, false],
  ])
  const early = (await wall(inspector)).list[0]!.tasks.find((t) => t.planName === '次序' && t.state === 1)!
  expect(hours(early.opensAt)).toBe(2)
  const look = await inspector.ask(patrolsApi.remote, {
    body: {
      site_id: site.id,
      device_id: cameraId,
      ...(await still()),
      tidiness: 4,
      task_id: early.id,
    },
  })
  expect(look).toMatchObject({ code: 409, msg: '当前为“未到时间”，不能远程巡检' })
  await server.sql('DELETE FROM patrol_tasks WHERE plan_id = $1', [id])
  await gm.call(patrolPlansApi.stop, { body: { id, version: 0, reason: '试完了' } })
})

test('when a plan is due next stands there before its day is made; of a stage nobody can say', async () => {
  const today = shanghaiDay(server.now())
  // Weekdays count from Monday.
  const weekdayOf = (days: number) =>
    EVERY_DAY[(new Date(`${addDays(today, days)}T00:00:00Z`).getUTCDay() + 6) % 7]!
  const seen = async (id: string) => (await gm.call(patrolPlansApi.list, { query: { id } })).list[0]!.nextDue
  // Days from today that it is about, how long each lasts, what happened to it; days from today at whose end it is due.
  const table: [about: number[], days: number, happened: string, ends: number | null][] = [
    [[0], 1, '', 0],
    [[1], 1, '', 1],
    [[2], 1, '', 2],
    [[6], 1, '', 6],
    [[5, 3], 1, '', 3],
    [[3], 4, '', 6],
    [[0], 1, 'UPDATE patrol_tasks SET outcome = 3 WHERE plan_id = $1', 7],
    [[0, 4], 1, 'UPDATE patrol_tasks SET outcome = 3 WHERE plan_id = $1', 4],
    [[3], 1, 'UPDATE patrol_plans SET starts_on = :today + 4 WHERE id = $1', 10],
    [[3], 1, 'UPDATE patrol_plans SET status = 2 WHERE id = $1', null],
  ]
  for (const [about, days, happened, ends] of table) {
    const weekdays = about.map(weekdayOf)
    const { id } = await gm.call(
      patrolPlansApi.add,
      plan({ name: '下次到期', every: 'week', weekdays, days, user_ids: [ids.pm!] }),
    )
    if (happened) await server.sql(happened, [id])
    const end = ends === null ? null : startOfDay(addDays(today, ends)).getTime() / 1000 + 86_340
    expect([about, days, happened, await seen(id)]).toEqual([about, days, happened, end])
    await server.sql('DELETE FROM patrol_tasks WHERE plan_id = $1', [id])
    await server.sql('DELETE FROM patrol_plans WHERE id = $1', [id])
  }
  const stage = { every: 'stage' as const, stage: 'handover' as const, weekdays: [] }
  const { id } = await gm.call(patrolPlansApi.add, plan({ name: '验收', user_ids: [ids.pm!], ...stage }))
  expect(await seen(id)).toBeNull()
  await gm.call(patrolPlansApi.stop, { body: { id, version: 0, reason: '试完了' } })
})

test('the files of plans and of tasks are what their lists are, in the same order', async () => {
  const WORDS: Record<number, string> = {
    1: '未到时间',
    2: '待巡检',
    3: '按时完成',
    4: '逾期完成',
    5: '未巡检',
    6: '已免除',
  }
  const WEEK = '零一二三四五六日'
  const EVERY = { day: '每天', week: '每周', stage: '阶段开始时' }
  const weekdays = [1 as const, 4 as const]
  await gm.call(patrolPlansApi.add, plan({ name: '周一周四', every: 'week', weekdays, user_ids: [ids.pm!] }))
  const plans = (await gm.call(patrolPlansApi.list, { query: { bc_id: bc, pageSize: 100 } })).list
  const files = async (
    who: Person,
    endpoint: typeof patrolPlansApi.export | typeof patrolTasksApi.export,
  ) => {
    const [head, ...rows] = await cellsOf((await who.ask(endpoint, { query: { bc_id: bc } })).bytes)
    return rows.map((row) => (title: string) => row[head!.indexOf(title)] ?? '')
  }
  const planFile = await files(gm, patrolPlansApi.export)
  expect(planFile.length).toBeGreaterThan(3)
  expect(
    planFile.map((r) => ['计划', '频率', '星期', '开始时间', '执行人', '状态', '本期完成率'].map(r)),
  ).toEqual(
    plans.map((p) => [
      p.name,
      EVERY[p.every],
      p.weekdays.map((d) => `周${WEEK[d]}`).join('、'),
      p.fromTime,
      p.userNames,
      p.status === 1 ? '进行中' : '已停用',
      p.due ? `${p.done}/${p.due}` : '',
    ]),
  )
  // One that is due and one whose window has just ended.
  const { id: late } = await gm.call(patrolPlansApi.add, plan({ name: '刚过', user_ids: [ids.pm!] }))
  await server.sql(
    `UPDATE patrol_tasks SET opens_at = :now - interval '2 hours', closes_at = :now - interval '1 minute',
       lapses_at = :now + interval '1 day' WHERE plan_id = $1`,
    [late],
  )
  const tasks = (await gm.call(patrolTasksApi.list, { query: { bc_id: bc, pageSize: 100 } })).list
  const now = server.now().getTime() / 1000
  const wordOf = (t: (typeof tasks)[number]) =>
    t.state === 2 && t.closesAt < now ? '已过时间' : WORDS[t.state]
  expect(tasks.filter((t) => t.plan_id === late).map(wordOf)).toContain('已过时间')
  const taskFile = await files(gm, patrolTasksApi.export)
  expect(tasks.length).toBeGreaterThan(3)
  expect(
    taskFile.slice(0, 100).map((r) => ['计划', '工地', '执行人', '巡检人', '结果', '问题数'].map(r)),
  ).toEqual(
    tasks.map((t) => [
      t.planName,
      t.siteName,
      t.userNames,
      t.inspectorName,
      wordOf(t),
      t.problems === null ? '' : String(t.problems),
    ]),
  )
  for (const endpoint of [patrolPlansApi.export, patrolTasksApi.export]) {
    expect((await pm.ask(endpoint, { query: {} })).msg).toBe('No Permission')
    expect(await files(stranger, endpoint)).toEqual([])
  }
})

test('a plan for a stage asks once when it begins, however often that is noticed', async () => {
  await server.sql(
    `UPDATE site_stages SET actual_start = :today, actual_finish = NULL WHERE site_id = $1 AND stage = 'painting'`,
    [site.id],
  )
  const stage = { every: 'stage' as const, stage: 'painting' as const, weekdays: [], days: 3 }
  const { plan: id, task } = await due({ name: '油工开工', user_ids: [ids.pm!], ...stage })
  expect(task.closesAt - task.opensAt).toBe(3 * 86_400 - 60)
  const day = shanghaiDay(server.now())
  for (const on of [day, addDays(day, 1)])
    await server.db.tx(SYSTEM, (tx) => makeStageTasks(tx, pm.tenant, on))
  expect((await tasksOf(gm, { plan_id: id })).map((t) => t.id)).toEqual([task.id])
})

test('a steward or manager among the workers names their account; nobody else’s, and no other trade', async () => {
  const [first] = await server.sql<{ id: string; w_name: string; w_type: 3; version: number }>(
    'SELECT id, w_name, w_type, version FROM workers WHERE bc_id = $1 AND user_id IS NULL ORDER BY w_id LIMIT 1',
    [bc],
  )
  const { id, version, w_name } = first!
  const edit = (more: object) =>
    gm.ask(workersApi.edit, { body: { id, version, w_name, bc_id: bc, w_type: 2, ...more } })
  const account = async () => (await gm.call(workersApi.details, { query: { id } })).account
  expect((await edit({ w_type: 3, user_id: ids.inspector })).msg).toMatch(/只有项目管家和项目经理/)
  expect((await edit({ user_id: ids.branch_gm2 })).status).toBe(403)
  expect((await edit({ user_id: ids.pm })).msg).toBe('这个账号已对应另一位工人')
  expect(await account()).toBeNull()
  expect((await edit({ user_id: ids.inspector })).code).toBe(200)
  expect((await account())!.id).toBe(ids.inspector)
  // Left out it stays; with another trade it goes.
  expect((await edit({ version: version + 1 })).code).toBe(200)
  expect((await account())!.id).toBe(ids.inspector)
  expect((await edit({ version: version + 2, w_type: 3 })).code).toBe(200)
  expect(await account()).toBeNull()
})

test('the card of home says how much of today is done; its links open lists of that length', async () => {
  const { figures } = await gm.call(homeApi.cards)
  const card = figures.find((f) => f.card === 'patrol')!
  const count = async (link: string) => {
    const { view: _view, ...query } = Object.fromEntries(new URLSearchParams(link.split('?')[1]))
    return (await gm.call(patrolTasksApi.list, { query })).totalCount
  }
  expect(card.n).toBeGreaterThan(2)
  expect(await count(card.link)).toBe(card.n)
  for (const part of card.parts)
    expect([part.label, await count(part.link)]).toEqual([part.label, part.value])
  expect(card.value).toBe(Math.round((card.parts[0]!.value / card.n!) * 1000) / 10)
  expect((await stranger.call(homeApi.cards)).figures.find((f) => f.card === 'patrol')!.n).toBe(0)
})

test('the daily sheet counts what was handed in that day, as its list does', async () => {
  const day = shanghaiDay(server.now())
  await openToday(server.db, server.now())
  const sheet = await gm.call(statisticsApi.dailySheet, { query: { from: day, to: day } })
  const from = startOfDay(day).getTime() / 1000
  const handed = await gm.call(patrolsApi.list, { query: { status: '2', from, to: from + 86_400 } })
  expect(handed.totalCount).toBeGreaterThan(2)
  expect(sheet.list.map((r) => r.patrols)).toEqual([handed.totalCount])
})

test('a site that ends takes what nobody has begun along; what is being done comes first', async () => {
  const { task } = await due({ name: '收尾', user_ids: [ids.pm!] })
  const patrol = await pm.call(patrolsApi.begin, { body: { task_id: task.id } })
  const [tenant] = await server.sql<{ id: string }>(
    `SELECT bc_id AS id FROM companies WHERE code = 'NB' LIMIT 1`,
  )
  const admin = await server.as('admin')
  const foresee = () =>
    admin.call(sitesApi.foresee, { query: { id: site.id, change: 'move', bc_id: tenant!.id } })
  expect((await foresee()).blocks.join()).toMatch(/还有 1 次巡检正在进行/)
  expect((await foresee()).effects.join()).toMatch(/个还没有开始的巡检任务取消/)
  await gm.call(patrolsApi.abandon, { body: { id: patrol.id, version: 0, reason: '工地要转走' } })
  expect((await foresee()).blocks.join()).not.toMatch(/巡检/)
})

test('one look does every remote task of the site that waits for who looked, also yesterday’s', async () => {
  const { id } = await gm.call(
    patrolPlansApi.add,
    plan({ name: '一天一次', kind: 'remote', template_id: null, user_ids: [ids.inspector!, ids.branch_gm!] }),
  )
  await server.sql('DELETE FROM patrol_tasks WHERE plan_id = $1', [id])
  // Hours from now between which it is open, and whose it is.
  const wanted = [
    { about: -1, from: -20, to: -2, whose: 'inspector', becomes: 4 },
    { about: 0, from: -1, to: 5, whose: 'inspector', becomes: 3 },
    { about: 1, from: 2, to: 8, whose: 'inspector', becomes: 1 },
    { about: 2, from: -1, to: 5, whose: 'branch_gm', becomes: 2 },
    { about: 3, from: -90, to: -80, whose: 'inspector', becomes: 5 },
  ] as const
  const made: string[] = []
  for (const t of wanted) {
    const [row] = await server.sql<{ id: string }>(
      `INSERT INTO patrol_tasks (tenant_id, id, bc_id, site_id, plan_id, day, user_ids, opens_at, closes_at, lapses_at)
       VALUES ($1, gen_random_uuid(), $2, $3, $4, :today + $5::int, ARRAY[$6::uuid],
         :now + $7 * interval '1 hour', :now + $8 * interval '1 hour', :now + ($8 + 24) * interval '1 hour')
       RETURNING id`,
      [gm.tenant, bc, site.id, id, t.about, ids[t.whose], t.from, t.to],
    )
    made.push(row!.id)
  }
  const listed = async () => {
    const { list } = await gm.call(patrolTasksApi.list, { query: { plan_id: id, pageSize: 50 } })
    return made.map((one) => list.find((t) => t.id === one)!)
  }
  const look = await inspector.call(patrolsApi.remote, {
    body: {
      site_id: site.id,
      device_id: cameraId,
      ...(await still()),
      tidiness: 4,
      problems: [],
      task_id: made[1],
    },
  })
  const after = await listed()
  expect(after.map((t) => t.state)).toEqual(wanted.map((t) => t.becomes))
  // Each opens the look that did it; what nobody did opens none.
  expect(after.map((t) => t.patrol_id)).toEqual([look.id, look.id, null, null, null])
  expect(after[1]!.submittedAt).toBe(after[0]!.submittedAt)
  const wall = await inspector.call(patrolsApi.wall, { query: { site_id: site.id } })
  expect(wall.list[0]!.tasks.filter((t) => t.kind === 'remote' && t.mine && t.state === 2)).toEqual([])
  await gm.call(patrolPlansApi.stop, { body: { id, version: 0, reason: '试完了' } })
})
