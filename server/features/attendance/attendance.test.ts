import { attendanceApi } from '@zhuguan/contract/features/attendance/attendance.api.ts'
import { attendance } from '@zhuguan/contract/features/attendance/attendance.record.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { testNow } from '../../testing/time.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { cut } from './attendance.queries.ts'
import { recomputeDays } from './attendance.service.ts'

let server: TestServer
let terminal: TestServer['devices'][number]
let pm: Person
const workers: { id: string; w_id: string; w_name: string }[] = []
const today = shanghaiDay(testNow())
const day = (ago: number) => addDays(today, -ago)
const at = (ago: number, hour: number) => startOfDay(day(ago)).getTime() / 1000 + hour * 3_600
const clockin = (id: string, ago: number, hour: number, who: number, direction = 'in') =>
  report(server.url, terminal, [
    { id, kind: 'clockin', at: at(ago, hour), w_id: workers[who]!.w_id, direction },
  ])

beforeAll(async () => {
  server = await startTestServer()
  pm = await server.as('pm')
  const mine = new Set(
    (await pm.call(sitesApi.list, { query: { pageSize: 100 } })).list
      .filter((s) => s.status === 1)
      .map((s) => s.id),
  )
  terminal = server.devices.find(
    (d) => d.type === 'faceTerminal' && d.workers.length > 4 && mine.has(d.site),
  )!
  workers.push(
    ...(await server.sql<never>('SELECT id, w_id, w_name FROM workers WHERE w_id = ANY ($1) ORDER BY w_id', [
      terminal.workers,
    ])),
  )
  // The site has stood for a month, so that days before its people came are not in question.
  await server.sql('UPDATE sites SET start_date = $2 WHERE id = $1', [terminal.site, day(30)])
  await server.sql('UPDATE site_members SET entered_on = $2 WHERE site_id = $1', [terminal.site, day(10)])
})
afterAll(() => server.stop())

const list = (person: Person, query: object) => person.call(attendanceApi.list, { query: query })
const on = (ago: number, more: object = {}) => ({
  from: day(ago),
  to: day(ago),
  site_id: terminal.site,
  ...more,
})
/** The kept figures of the group, past every rule. */
async function kept() {
  const people = await server.sql(
    `SELECT day::text, site_id, worker_id, first_at, last_at, count, makeups FROM attendance_days WHERE tenant_id = $1 ORDER BY 1, 2, 3`,
    [pm.tenant],
  )
  const sites = await server.sql(
    `SELECT day::text, site_id, expected, absent, present, no_work FROM site_days WHERE tenant_id = $1 ORDER BY 1, 2`,
    [pm.tenant],
  )
  return { people, sites }
}
async function recomputed() {
  const before = await kept()
  expect(await server.db.tx(SYSTEM, (tx) => recomputeDays(tx, pm.tenant, day(20), today))).toBe(0)
  return { before, after: await kept() }
}

test('a day shows who came with hours, then who was expected and did not come; the total is exact', async () => {
  await clockin('a1', 1, 7.5, 0)
  await clockin('a2', 1, 17, 0, 'out')
  await clockin('a3', 1, 8, 1)
  const page = await list(pm, on(1))
  expect(page.totalCount).toBe(terminal.workers.length)
  expect(page.list.slice(0, 2).map((r) => [r.w_id, r.count, r.hours, r.status])).toEqual([
    [workers[1]!.w_id, 1, null, 1],
    [workers[0]!.w_id, 2, 9.5, 1],
  ])
  expect(page.list.slice(2).every((r) => r.status === attendance.code.absent && r.count === 0)).toBe(true)
  expect((await list(pm, on(1, { attendance: 1 }))).totalCount).toBe(2)
  expect((await list(pm, on(1, { attendance: 2 }))).totalCount).toBe(terminal.workers.length - 2)
  expect((await list(pm, on(1, { worker_id: workers[0]!.id }))).list.map((r) => r.w_id)).toEqual([
    workers[0]!.w_id,
  ])
  expect((await list(pm, on(1, { sort: 'firstAt' }))).list[0]!.w_id).toBe(workers[0]!.w_id)
})

test('pages of several days never overlap and together are the whole, whatever the filter', async () => {
  for (const ago of [2, 3, 4]) await clockin(`p${ago}`, ago, 8, ago)
  for (const filter of [{}, { attendance: 1 }, { attendance: 2 }, { w_type: '3,4,5' }, { sort: 'day' }]) {
    const query = { from: day(6), to: day(1), site_id: terminal.site, ...filter }
    const whole = await list(pm, { ...query, pageSize: 100 })
    const seen: string[] = []
    for (let pageNo = 1; pageNo <= Math.ceil(whole.totalCount / 10); pageNo += 1)
      seen.push(...(await list(pm, { ...query, pageNo, pageSize: 10 })).list.map((r) => r.id))
    expect(whole.list).toHaveLength(whole.totalCount)
    expect(seen, JSON.stringify(filter)).toEqual(whole.list.map((r) => r.id))
    expect(new Set(seen).size).toBe(seen.length)
  }
})

test('the page is cut where the days end', () => {
  const days = [
    { day: 'b', present: 3, absent: 2 },
    { day: 'a', present: 1, absent: 0 },
  ]
  expect(cut(days, [1, 2], 2, 3)).toEqual({
    total: 6,
    slices: [
      { day: 'b', status: 1, skip: 2, take: 1 },
      { day: 'b', status: 2, skip: 0, take: 2 },
    ],
  })
  expect(cut(days, [1], 3, 20)).toEqual({ total: 4, slices: [{ day: 'a', status: 1, skip: 0, take: 1 }] })
  expect(cut(days, [2], 5, 20)).toEqual({ total: 2, slices: [] })
})

test('a makeup is a record of its own: marked, with who and why, counted at once; a second one for the same time is refused', async () => {
  const body = {
    site_id: terminal.site,
    worker_id: workers[2]!.id,
    day: day(1),
    in: '07:40',
    out: '17:10',
    reason: '考勤机断电',
  }
  await pm.call(attendanceApi.makeup, { body })
  const [row] = (await list(pm, on(1, { worker_id: workers[2]!.id }))).list
  expect(row).toMatchObject({ status: 1, count: 2, makeups: 2, hours: 9.5 })
  const punches = await pm.call(attendanceApi.punches, {
    query: { site_id: terminal.site, worker_id: workers[2]!.id, day: day(1) },
  })
  expect(punches).toMatchObject([
    { source: 'makeup', direction: 'in', reason: '考勤机断电', withdrawn: null },
    { source: 'makeup', direction: 'out' },
  ])
  expect(punches[0]!.actor).not.toBe('')
  expect(await pm.ask(attendanceApi.makeup, { body })).toMatchObject({ code: 409, msg: '这个时间已经补过卡' })
  expect(
    await server.sql(`SELECT count(*)::int AS n FROM user_logs WHERE action = '补卡' AND outcome = 'done'`),
  ).toEqual([{ n: 1 }])
  expect(
    await server.sql(`SELECT title FROM site_events WHERE site_id = $1 AND title LIKE '%补卡进场%'`, [
      terminal.site,
    ]),
  ).toHaveLength(1)
})

test('makeups that cannot be: the future, too long ago, before the person came to the site, no time, no reason', async () => {
  const body = {
    site_id: terminal.site,
    worker_id: workers[3]!.id,
    day: day(1),
    in: '08:00',
    reason: '忘记打卡',
  }
  const before = await kept()
  const no = async (change: object, words: string) =>
    expect(await pm.ask(attendanceApi.makeup, { body: { ...body, ...change } }), words).toMatchObject({
      code: 400,
      msg: expect.stringContaining(words),
    })
  await no({ day: addDays(today, 1) }, '将来')
  await no({ day: day(8) }, '最近 7 天')
  await no({ in: undefined }, '至少填写')
  await no({ in: '18:00', out: '08:00' }, '晚于')
  await no({ reason: '' }, '原因')
  await server.sql('UPDATE site_members SET entered_on = $3 WHERE site_id = $1 AND worker_id = $2', [
    terminal.site,
    workers[3]!.id,
    day(2),
  ])
  await no({ day: day(3) }, '才进场')
  await server.sql('UPDATE site_members SET entered_on = $3 WHERE site_id = $1 AND worker_id = $2', [
    terminal.site,
    workers[3]!.id,
    day(10),
  ])
  expect((await pm.ask(attendanceApi.makeup, { body: { ...body, in: '25:00' } })).code).toBe(400)
  // Who never stood there is told so by whoever sees both; somebody of another branch is not even there.
  const elsewhere = async (same: boolean) =>
    (
      await server.sql<{ id: string }>(
        `SELECT k.id FROM workers k
         WHERE (k.bc_id = (SELECT bc_id FROM sites WHERE id = $1)) = $2 AND k.tenant_id = $3
           AND NOT EXISTS (SELECT 1 FROM site_members m WHERE m.worker_id = k.id AND m.site_id = $1)
         ORDER BY k.id LIMIT 1`,
        [terminal.site, same, pm.tenant],
      )
    )[0]!.id
  const gm = await server.as('branch_gm')
  const never = { ...body, worker_id: await elsewhere(true) }
  expect(await gm.ask(attendanceApi.makeup, { body: never })).toMatchObject({
    code: 400,
    msg: expect.stringMatching(/这一天不在 /),
  })
  const stranger = { ...body, worker_id: await elsewhere(false) }
  expect((await gm.ask(attendanceApi.makeup, { body: stranger })).status).toBe(403)
  expect(await kept()).toEqual(before)
  await server.sql(`INSERT INTO settings (tenant_id, key, value) VALUES ($1, 'makeupDays', '9')`, [pm.tenant])
  await pm.call(attendanceApi.makeup, { body: { ...body, day: day(8) } })
})

test('a wrong makeup is taken back by a record of its own, once; the day is what it was, and a day without work again', async () => {
  await server.sql(
    `UPDATE device_spans SET state = 1 WHERE device_id IN (SELECT id FROM devices WHERE site_id = $1)`,
    [terminal.site],
  )
  const who = workers[4]!.id
  await server.db.tx(SYSTEM, (tx) => recomputeDays(tx, pm.tenant, day(20), today))
  const standing = async () =>
    (
      await server.sql<{ no_work: boolean }>(
        'SELECT no_work FROM site_days WHERE site_id = $1 AND day = $2',
        [terminal.site, day(5)],
      )
    )[0]!.no_work
  expect(await standing()).toBe(true)
  await pm.call(attendanceApi.makeup, {
    body: { site_id: terminal.site, worker_id: who, day: day(5), in: '09:00', reason: '补错的' },
  })
  expect(await standing()).toBe(false)
  const query = { site_id: terminal.site, worker_id: who, day: day(5) }
  const [made] = await pm.call(attendanceApi.punches, { query })
  const twice = await Promise.all(
    [1, 2].map(() => pm.ask(attendanceApi.withdraw, { body: { id: made!.id, reason: '不是这一天' } })),
  )
  expect(twice.map((a) => a.code).sort()).toEqual([200, 409])
  expect(twice.find((a) => a.code === 409)!.msg).toBe('这条补卡已经撤回')
  expect(await standing()).toBe(true)
  expect(await pm.call(attendanceApi.punches, { query })).toMatchObject([
    { id: made!.id, withdrawn: { reason: '不是这一天' } },
  ])
  expect((await list(pm, on(5, { worker_id: who }))).list).toMatchObject([{ status: 2, count: 0 }])
})

test('late punches, makeups and reversals in any order leave exactly what the raw events say', async () => {
  await clockin('late', 5, 6, 2)
  await clockin('again', 1, 12, 2)
  await clockin('a1', 1, 7.5, 0)
  const { before, after } = await recomputed()
  expect(before.people.length).toBeGreaterThan(6)
  expect(after).toEqual(before)
})

test('the control: a spoilt figure is found and put right', async () => {
  const before = await kept()
  await server.sql('UPDATE attendance_days SET count = count + 1 WHERE tenant_id = $2 AND day = $1', [
    day(1),
    pm.tenant,
  ])
  await server.sql('UPDATE site_days SET present = 99, absent = 0 WHERE tenant_id = $2 AND day = $1', [
    day(1),
    pm.tenant,
  ])
  expect(await server.db.tx(SYSTEM, (tx) => recomputeDays(tx, pm.tenant, day(3), today))).toBeGreaterThan(0)
  expect(await kept()).toEqual(before)
})

test('people of other sites, branches and groups see none of it and may change none of it', async () => {
  const [made] = (
    await pm.call(attendanceApi.punches, {
      query: { site_id: terminal.site, worker_id: workers[2]!.id, day: day(1) },
    })
  ).filter((p) => p.source === 'makeup')
  const before = await kept()
  for (const name of ['pm_hz', 'pm2', 'branch_gm2', 'other']) {
    const stranger = await server.as(name)
    expect((await list(stranger, on(1))).totalCount, name).toBe(0)
    expect(
      (await list(stranger, { from: day(10), to: today, worker_id: workers[2]!.id })).totalCount,
      name,
    ).toBe(0)
    expect(
      await stranger.call(attendanceApi.punches, {
        query: { site_id: terminal.site, worker_id: workers[2]!.id, day: day(1) },
      }),
    ).toEqual([])
    expect(
      (
        await stranger.ask(attendanceApi.makeup, {
          body: {
            site_id: terminal.site,
            worker_id: workers[2]!.id,
            day: day(1),
            in: '10:00',
            reason: '试试看',
          },
        })
      ).code,
      name,
    ).toBe(403)
    expect(
      (await stranger.ask(attendanceApi.withdraw, { body: { id: made!.id, reason: '试试看' } })).code,
      name,
    ).toBe(403)
  }
  expect(await kept()).toEqual(before)
  expect((await list(await server.as('branch_gm'), on(1))).totalCount).toBe(terminal.workers.length)
  expect(
    (
      await (
        await server.as('steward')
      ).ask(attendanceApi.makeup, {
        body: {
          site_id: terminal.site,
          worker_id: workers[2]!.id,
          day: day(1),
          in: '10:00',
          reason: '试试看',
        },
      })
    ).msg,
  ).toBe('No Permission')
})

test('today is open from its morning: everybody expected is listed before anybody came', async () => {
  const page = await list(pm, { site_id: terminal.site })
  expect(page.totalCount).toBe(terminal.workers.length)
  expect(page.list.every((r) => r.day === today)).toBe(true)
})

test('a year at most, the last day not before the first', async () => {
  expect(await pm.ask(attendanceApi.list, { query: { from: day(1), to: day(2) } })).toMatchObject({
    code: 400,
    msg: expect.stringContaining('不能早于'),
  })
  expect(await pm.ask(attendanceApi.list, { query: { from: day(500), to: day(2) } })).toMatchObject({
    code: 400,
    msg: expect.stringContaining('400'),
  })
})

test('the workbook has the rows of the list', async () => {
  const answer = await fetch(`${server.url}${attendanceApi.export.path}?from=${day(1)}&to=${day(1)}`, {
    method: 'POST',
    headers: { token: pm.token, 'tenant-id': pm.tenant, 'content-type': 'application/json' },
  })
  expect(answer.headers.get('content-type')).toContain('spreadsheetml')
  expect(
    Buffer.from(await answer.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
})
