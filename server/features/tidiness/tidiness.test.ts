import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import { timelineApi } from '@zhuguan/contract/features/timeline/timeline.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { countYesterday } from '../../app/clock.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { cellsOf, download } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { testNow } from '../../testing/time.ts'

let server: TestServer
let pm: Person
let gm: Person
let inspector: Person
/** A camera of the manager's own site, another of the same branch and one of the other branch. */
let mine: TestServer['devices'][number]
let near: TestServer['devices'][number]
let far: TestServer['devices'][number]
const today = shanghaiDay(testNow())
const yesterday = addDays(today, -1)
const at = (day: string, hour: number) => startOfDay(day).getTime() / 1000 + hour * 3_600
const NEVER = '01900000-0000-7000-8000-000000000000'

beforeAll(async () => {
  server = await startTestServer()
  pm = await server.as('pm')
  gm = await server.as('branch_gm')
  inspector = await server.as('inspector')
  const own = (await pm.call(sitesApi.list, { query: { pageSize: 100 } })).list.map((s) => s.id)
  const branch = (await gm.call(sitesApi.list, { query: { pageSize: 100, status: [1] } })).list.map(
    (s) => s.id,
  )
  const cameras = server.devices.filter((d) => d.type === 'camera' && d.site)
  mine = cameras.find((d) => own.includes(d.site) && branch.includes(d.site))!
  near = cameras.find((d) => branch.includes(d.site) && !own.includes(d.site))!
  far = cameras.find((d) => d.sn.includes('NB'))!
  const [week, before] = [addDays(today, -6), addDays(today, -2)]
  for (const [device, checks] of [
    [
      mine,
      [
        [at(week, 9), 1],
        [at(before, 9), 2],
        [at(yesterday, 9), 3],
      ],
    ],
    [near, [[at(yesterday, 10), 1]]],
    [far, [[at(yesterday, 11), 2]]],
  ] as const)
    expect(
      (
        await report(
          server.url,
          device,
          checks.map(([time, result], i) => ({
            id: `t${i}`,
            kind: 'tidiness',
            at: time,
            result,
            confidence: 0.9,
          })),
        )
      ).data.rejected,
    ).toEqual([])
  await countYesterday(server.db, testNow())
})
afterAll(() => server.stop())

const ofSite = async (person: Person, site = mine.site) =>
  (await person.call(tidinessApi.list, { query: { site_id: site } })).list
const one = async <R>(sql: string, values: unknown[]) => (await server.sql<R>(sql, values))[0]!

test('a manager sees the checks of their sites, a branch its own, nobody those of strangers', async () => {
  const [newest, middle, oldest] = await ofSite(pm)
  expect(newest).toMatchObject({ result: 3, change: 'worse', lastResult: 2, source: 'camera', given: null })
  expect(middle).toMatchObject({ result: 2, change: 'worse', lastResult: 1 })
  expect(oldest).toMatchObject({ result: 1, change: 'first', lastResult: null, judgedBy: '' })
  expect(await ofSite(pm, near.site)).toEqual([])
  expect(await ofSite(gm, near.site)).toHaveLength(1)
  expect(await ofSite(gm, far.site)).toEqual([])
  const hq = await server.as('hq_ops')
  expect(await ofSite(hq, far.site)).toHaveLength(1)
  for (const name of ['pm2', 'branch_gm2', 'other', 'other_pm']) {
    const stranger = await server.as(name)
    expect(await ofSite(stranger), name).toEqual([])
    const details = await stranger.ask(tidinessApi.details, { query: { id: newest!.id } })
    expect([details.status, details.code], name).toEqual([403, 403])
    expect(details.msg).toBe((await stranger.ask(tidinessApi.details, { query: { id: NEVER } })).msg)
  }
  const keeper = await (await server.as('device_keeper')).ask(tidinessApi.list, {})
  expect(keeper.msg).toBe('No Permission')
})

test('judged anew it counts everywhere from then on: site, days, daily sheet, home, trend', async () => {
  const [check] = await ofSite(inspector)
  const bc = check!.bc_id
  /** The last verdict on each building site of the branch that day, by the events themselves. */
  const sheetSays = async () => {
    const { list } = await gm.call(statisticsApi.dailySheet, {
      query: { from: yesterday, to: yesterday, bc_id: [bc] },
    })
    return { excellent: list[0]!.excellent, poor: list[0]!.poor }
  }
  const eventsSay = () =>
    one(
      `SELECT count(*) FILTER (WHERE x.result = 1)::int AS excellent, count(*) FILTER (WHERE x.result = 3)::int AS poor
       FROM (SELECT DISTINCT ON (site_id) result FROM tidiness_checks
         WHERE bc_id = $1 AND at >= $2 AND at < $3 AND result < 4 ORDER BY site_id, at DESC) x`,
      [bc, startOfDay(yesterday), startOfDay(today)],
    )
  const tidyShare = async () =>
    (await gm.call(homeApi.cards)).figures.find((f) => f.card === 'tidiness')!.value
  const trend = () => gm.call(tidinessApi.trend, { query: { by: 'site', site_id: mine.site } })
  expect(await sheetSays()).toEqual({ excellent: 1, poor: 1 })
  expect(await tidyShare()).toBe(50)
  expect((await trend()).total).toEqual({ n: 3, excellent: 1, good: 1, poor: 1 })

  const judge = { id: check!.id, version: check!.version, result: 1 as const }
  const mute = await inspector.ask(tidinessApi.judge, { body: { ...judge, reason: '' } })
  expect(mute).toMatchObject({ code: 400, msg: expect.stringContaining('请写明原因') })
  const same = await inspector.ask(tidinessApi.judge, { body: { ...judge, result: 3, reason: '看过了' } })
  expect(same).toMatchObject({ code: 409, msg: '现在的结果就是“差”，没有需要改判的' })
  const manager = await pm.ask(tidinessApi.judge, { body: { ...judge, reason: '其实很干净' } })
  expect(manager.msg).toBe('No Permission')
  expect((await ofSite(pm))[0]).toMatchObject({ result: 3, version: 0 })

  const answers = await Promise.all(
    [inspector, gm].map((p) => p.ask(tidinessApi.judge, { body: { ...judge, reason: '材料已经归堆' } })),
  )
  expect(answers.map((a) => a.code).sort()).toEqual([200, 409])
  expect(answers.find((a) => a.code === 409)!.msg).toMatch(/^已被 .+ 于 .+ 处理/)

  expect(await one('SELECT tidiness FROM sites WHERE id = $1', [mine.site])).toEqual({ tidiness: 1 })
  expect(
    await server.sql('SELECT tidiness FROM site_days WHERE site_id = $1 AND day >= $2', [
      mine.site,
      yesterday,
    ]),
  ).not.toContainEqual({ tidiness: 3 })
  expect(await sheetSays()).toEqual({ excellent: 2, poor: 0 })
  expect(await sheetSays()).toEqual(await eventsSay())
  expect(await tidyShare()).toBe(100)
  const after = await trend()
  expect(after.total).toEqual({ n: 3, excellent: 2, good: 1, poor: 0 })
  expect(after.groups).toMatchObject([
    { id: mine.site, n: 3, excellent: 2, early: { n: 0, excellent: 0 }, late: { n: 3, excellent: 2 } },
  ])
  expect(after.periods.reduce((n, p) => n + p.n, 0)).toBe(3)

  const second = await gm.call(tidinessApi.details, { query: { id: check!.id } })
  expect(second).toMatchObject({ result: 1, given: 3, version: 1, change: 'better' })
  await gm.call(tidinessApi.judge, {
    body: { id: check!.id, version: 1, result: 2, reason: '角落还有水泥袋' },
  })
  const { history } = await gm.call(tidinessApi.details, { query: { id: check!.id } })
  expect(history.map(({ was, result, reason }) => ({ was, result, reason }))).toEqual([
    { was: 1, result: 2, reason: '角落还有水泥袋' },
    { was: 3, result: 1, reason: '材料已经归堆' },
  ])
  expect(history.every((h) => h.actor !== '' && h.at > 0)).toBe(true)
  const lines = await gm.call(timelineApi.list, { query: { site_id: mine.site, kinds: ['tidiness'] } })
  expect(lines.list.filter((l) => l.ref_id === check!.id).map((l) => l.title)).toEqual([
    '整洁度改判：优 → 良，角落还有水泥袋',
    '整洁度改判：差 → 优，材料已经归堆',
    '整洁度：差',
  ])
})

test('an earlier check changes the days until the next one, and not what the site shows now', async () => {
  const [, middle] = await ofSite(inspector)
  const shown = await one('SELECT tidiness FROM sites WHERE id = $1', [mine.site])
  await inspector.call(tidinessApi.judge, {
    body: { id: middle!.id, version: middle!.version, result: 3, reason: '地面有积水' },
  })
  expect(await one('SELECT tidiness FROM sites WHERE id = $1', [mine.site])).toEqual(shown)
  const days = await server.sql<{ day: string; tidiness: number }>(
    'SELECT day::text AS day, tidiness FROM site_days WHERE site_id = $1 AND day >= $2 ORDER BY day',
    [mine.site, addDays(today, -2)],
  )
  expect(days.length).toBeGreaterThan(1)
  for (const { day, tidiness } of days) expect(tidiness, day).toBe(day < yesterday ? 3 : 2)
})

test('what a skewed camera saw is in no average, and is no verdict while its alarm is open', async () => {
  const hq = await server.as('hq_ops')
  const total = async () => (await hq.call(tidinessApi.trend, { query: { site_id: far.site } })).total.n
  expect(await total()).toBe(1)
  await report(server.url, far, [
    { id: 'skew', kind: 'alarm', at: at(yesterday, 12), type: 'cameraproblem', confidence: 0.9 },
  ])
  await report(server.url, far, [
    { id: 'blind', kind: 'tidiness', at: at(yesterday, 13), result: 1, confidence: 0.9 },
  ])
  const [blind] = await ofSite(hq, far.site)
  expect(blind).toMatchObject({ result: 4, change: null })
  expect(await total()).toBe(1)
  expect((await hq.call(tidinessApi.trend, { query: { site_id: far.site } })).skewed).toBe(1)
  expect(await one('SELECT tidiness FROM sites WHERE id = $1', [far.site])).toEqual({ tidiness: 2 })
  const gm2 = await server.as('branch_gm2')
  const judge = { id: blind!.id, version: 0, result: 1 as const, reason: '画面其实是正的' }
  expect(await gm2.ask(tidinessApi.judge, { body: judge })).toMatchObject({
    code: 409,
    msg: expect.stringContaining('偏移报警还没有办结'),
  })
  const [alarm] = (await gm2.call(alarmsApi.list, { query: { site_id: far.site } })).list
  await gm2.call(alarmsApi.cancel, {
    body: { id: alarm!.id, version: alarm!.version, cause: 'wrong', reason: '画面没有偏' },
  })
  await gm2.call(tidinessApi.judge, { body: judge })
  expect(await total()).toBe(2)
  expect(await one('SELECT tidiness FROM sites WHERE id = $1', [far.site])).toEqual({ tidiness: 1 })
  // The only verdicts taken away, the site has none.
  for (const { id, version } of await ofSite(gm2, far.site))
    await gm2.call(tidinessApi.judge, { body: { id, version, result: 4, reason: '画面被挡住' } })
  expect(await one('SELECT tidiness FROM sites WHERE id = $1', [far.site])).toEqual({ tidiness: null })
})

test('the trend by person and over weeks adds up to what was seen', async () => {
  const hq = await server.as('hq_ops')
  const from = at(addDays(today, -69), 0)
  for (const post of ['manager', 'steward'] as const) {
    const trend = await hq.call(tidinessApi.trend, { query: { by: post, from } })
    const raw = await server.sql(
      `SELECT w.${post}_id AS id, count(*)::int AS n, count(*) FILTER (WHERE t.result = 1)::int AS excellent
       FROM tidiness_checks t JOIN sites w ON w.id = t.site_id
       WHERE w.tenant_id = $1 AND t.result < 4 AND w.${post}_id IS NOT NULL GROUP BY 1 ORDER BY 1`,
      [hq.tenant],
    )
    const groups = trend.groups.map(({ id, n, excellent }) => ({ id, n, excellent }))
    expect(groups.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(raw)
    expect(trend.groupsTotal).toBe(raw.length)
    const one = await hq.call(tidinessApi.trend, { query: { [`${post}_id`]: groups[0]!.id, from } })
    expect(one.total.n).toBe(groups[0]!.n)
    // Weeks from Monday, without a gap, the first and the last cut where the span ends.
    expect(trend.periods[0]!.from).toBe(addDays(today, -69))
    expect(trend.periods.at(-1)!.to).toBe(today)
    trend.periods.slice(1).forEach((p, i) => {
      expect(new Date(p.from).getUTCDay(), p.from).toBe(1)
      expect(p.from).toBe(addDays(trend.periods[i]!.to, 1))
    })
    expect(trend.periods.reduce((n, p) => n + p.n, 0)).toBe(trend.total.n)
  }
})

test('the file holds what the list shows, and what was judged anew', async () => {
  const { list } = await gm.call(tidinessApi.list, { query: { pageSize: 100, sort: ['at'] } })
  const [head, ...rows] = await cellsOf(await download(server.url, gm, tidinessApi.export, { sort: 'at' }))
  expect(head).toEqual([
    '工地',
    '分公司',
    '设备',
    '时间',
    '结果',
    '来源',
    '较上次',
    '整改',
    '复核',
    '复核时间',
    '改判前',
  ])
  const words = { 1: '优', 2: '良', 3: '差', 4: '摄像头偏移' }
  expect(rows.map((r) => [r[0], r[2], r[4], r[8], r[10]])).toEqual(
    list.map((t) => [t.siteName, t.deviceSn, words[t.result], t.judgedBy, t.given ? words[t.given] : '']),
  )
  expect(list.some((t) => t.given !== null)).toBe(true)
  expect((await pm.ask(tidinessApi.export, {})).msg).toBe('No Permission')
})

test('a picture that the camera and people judged counts once, as the last person said', async () => {
  const bcs = await one<{ bc: string; device: string; tenant: string }>(
    `SELECT bc_id AS bc, id AS device, tenant_id AS tenant FROM devices WHERE sn = $1`,
    [near.sn],
  )
  const key = `${crypto.randomUUID()}.jpg`
  const moment = Math.floor(testNow().getTime() / 1000) - 120
  const total = async () =>
    (await gm.call(tidinessApi.trend, { query: { by: 'site', site_id: near.site } })).total
  const before = await total()
  await server.sql(
    `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, device_id, at, picture, result)
     VALUES ($1, '01900000-0000-7000-8000-0000000000aa', $2, $3, $4, to_timestamp($5), $6, 1)`,
    [bcs.tenant, bcs.bc, near.site, bcs.device, moment, key],
  )
  expect((await total()).n).toBe(before.n + 1)
  await server.sql(
    `UPDATE devices SET device_status = 1, last_seen = :now, last_picture = $2, last_picture_at = to_timestamp($3)
     WHERE id = $1`,
    [bcs.device, key, moment],
  )
  const look = (who: Person, tidiness: 2 | 3) =>
    who.call(patrolsApi.remote, {
      body: { site_id: near.site, device_id: bcs.device, picture: key, picture_at: moment, tidiness },
    })
  await look(inspector, 3)
  expect(await total()).toEqual({ ...before, n: before.n + 1, poor: before.poor + 1 })
  const [person, camera] = (await ofSite(gm, near.site)).filter((c) => c.picture === key)
  // What came before both is another picture: 优, of yesterday.
  expect(person).toMatchObject({
    source: 'patrol',
    result: 3,
    change: 'worse',
    lastResult: 1,
    replaced: false,
  })
  expect(camera).toMatchObject({ source: 'camera', result: 1, change: null, replaced: true })
  expect(await one('SELECT tidiness FROM sites WHERE id = $1', [near.site])).toEqual({ tidiness: 3 })
  // Judged anew, it is what counts.
  await gm.call(tidinessApi.judge, {
    body: { id: camera!.id, version: 0, result: 2, reason: '一半一半' },
  })
  expect(await total()).toEqual({ ...before, n: before.n + 1, good: before.good + 1 })
  expect(await one('SELECT tidiness FROM sites WHERE id = $1', [near.site])).toEqual({ tidiness: 2 })
})

test('bad input gets a clear sentence', async () => {
  for (const [query, msg] of [
    [{ from: at(today, 0), to: at(yesterday, 0) }, '开始时间不能晚于结束时间'],
    [{ from: at(addDays(today, -900), 0) }, '趋势一次最多看 400 天'],
  ] as const)
    expect(await gm.ask(tidinessApi.trend, { query })).toMatchObject({ status: 200, code: 400, msg })
  expect(await gm.ask(tidinessApi.list, { query: { result: '7' } })).toMatchObject({ code: 400 })
})

test('of one person: their own sites alone, a picture of each camera and day, the oldest first', async () => {
  await server.sql('UPDATE workers SET user_id = NULL')
  const led = await one<{ id: string }>(
    `INSERT INTO workers (tenant_id, id, bc_id, w_id, w_name, w_type, user_id)
     SELECT u.tenant_id, gen_random_uuid(), w.bc_id, 'GRTIDY01', '整洁经理', 2, u.id
     FROM users u JOIN sites w ON w.tenant_id = u.tenant_id AND w.manager_id = u.id
     WHERE w.id = $1 RETURNING id`,
    [mine.site],
  )
  await server.sql(`UPDATE tidiness_checks SET picture = 'seen.jpg' WHERE site_id = ANY ($1)`, [
    [mine.site, near.site],
  ])
  const query = { worker_id: led.id }
  const shots = await gm.call(tidinessApi.shots, { query })
  expect(shots.map((s) => [s.site_id, s.device_id !== null])).toEqual(shots.map(() => [mine.site, true]))
  expect(shots.map((s) => s.at)).toEqual([...new Set(shots.map((s) => s.at))].sort((a, b) => a - b))
  expect(shots.map((s) => shanghaiDay(new Date(s.at * 1000)))).toEqual([
    addDays(today, -6),
    addDays(today, -2),
    yesterday,
  ])
  // Of many days the last of each week: of the same checks there are fewer.
  const weeks = await gm.call(tidinessApi.shots, { query: { ...query, from: at(addDays(today, -83), 0) } })
  expect(weeks.length).toBeLessThan(shots.length)
  expect(weeks.at(-1)!.at).toBe(at(yesterday, 9))

  const trend = await gm.call(tidinessApi.trend, { query: { ...query, by: 'site' } })
  expect(trend.groups.map((g) => g.id)).toEqual([mine.site])
  expect(trend.total.n).toBe(3)
  // Who does not see the worker is refused, and so is who has not the page.
  for (const name of ['branch_gm2', 'pm2', 'other']) {
    const stranger = await server.as(name)
    expect((await stranger.ask(tidinessApi.shots, { query })).status, name).toBe(403)
    expect((await stranger.call(tidinessApi.trend, { query })).total.n, name).toBe(0)
  }
  const keeper = await (await server.as('device_keeper')).ask(tidinessApi.shots, { query })
  expect(keeper.msg).toBe('No Permission')
  // A trade leads no sites, whatever account stands beside it.
  await server.sql('UPDATE workers SET w_type = 3 WHERE id = $1', [led.id])
  expect(await gm.call(tidinessApi.shots, { query })).toEqual([])
})

test('what its branch has set a time for and nobody looked at is told, until somebody has', async () => {
  const site = await one<{ bc: string; name: string }>(
    'SELECT bc_id AS bc, ws_name AS name FROM sites WHERE id = $1',
    [mine.site],
  )
  const missed = async (person = gm) => await person.call(tidinessApi.missed, { query: {} })
  const set = (values: Record<string, unknown>) =>
    gm.call(settingsApi.update, { body: { bcId: site.bc, values } })
  const clock = (minutes: number) =>
    new Date(testNow().getTime() + (8 * 60 + minutes) * 60_000).toISOString().slice(11, 16)
  await set({ tidinessTimes: [] })
  expect(await missed()).toEqual([])
  // Half an hour is left to do it; before that nothing is missing.
  await set({ tidinessTimes: [clock(-20)] })
  expect(await missed()).toEqual([])
  // A day that has only begun has missed nothing.
  if (clock(0) < '00:45') return expect(await missed()).toEqual([])
  const due = clock(-40)
  await set({ tidinessTimes: [due] })
  const all = await missed()
  expect(all.find((m) => m.site_id === mine.site)).toMatchObject({
    time: due,
    siteName: site.name,
    cameras: expect.any(Number),
    lastAt: at(yesterday, 9),
  })
  expect(all.length).toBeGreaterThan(1)
  expect(new Set(all.map((m) => m.bc_id))).toEqual(new Set([site.bc]))
  // Of one's own sites alone; another branch has set nothing, another group sees nothing.
  expect((await missed(pm)).map((m) => m.site_id)).toContain(mine.site)
  expect((await missed(pm)).map((m) => m.site_id)).not.toContain(near.site)
  expect((await missed(await server.as('branch_gm2'))).filter((m) => m.bc_id === site.bc)).toEqual([])
  expect((await missed(await server.as('other'))).filter((m) => m.bc_id === site.bc)).toEqual([])

  const seen = Math.floor(testNow().getTime() / 1000) - 40 * 60
  await report(server.url, mine, [{ id: 'in time', kind: 'tidiness', at: seen, result: 2, confidence: 0.9 }])
  const left = await missed()
  expect(left.map((m) => m.site_id)).not.toContain(mine.site)
  expect(left).toHaveLength(all.length - 1)
  // Nobody works on a day of rest.
  await set({ restDays: [new Date(`${today}T00:00:00Z`).getUTCDay()] })
  expect(await missed()).toEqual([])

  for (const [times, why] of [
    [['9:00'], '时间格式应为 08:00'],
    [['09:00', '09:00'], '同一个时间写了两遍'],
  ] as const) {
    const refused = await gm.ask(settingsApi.update, {
      body: { bcId: site.bc, values: { tidinessTimes: times } },
    })
    expect([refused.code, refused.msg]).toEqual([400, expect.stringContaining(why)])
  }
  await set({ tidinessTimes: null, restDays: null })
})
