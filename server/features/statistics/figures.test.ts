import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { SUBSCRIPTION } from '@zhuguan/contract/features/statistics/daily-sheet.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { viewsApi } from '@zhuguan/contract/features/views/views.api.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { countYesterday, openToday, tellDailySheet } from '../../app/clock.ts'
import { addDays, shanghaiDay, shanghaiTime, startOfDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds, testNow } from '../../testing/time.ts'
import { watchSilence } from '../devices/heartbeats.service.ts'
import { SYSTEM } from '../session/access.reads.ts'

/** Every figure of the statistics pages against SQL of its own over the raw events, and against the list it opens. */
let server: TestServer
let hq: Person
let gm: Person
const today = shanghaiDay(testNow())
const [from, to] = [addDays(today, -6), today]
/** The demo's branches begin at half past seven: before it today is no point of a curve. */
const BEGUN = shanghaiTime(testNow()).slice(11, 16) >= '07:30'
const noon = (ago: number) =>
  ago === 0 ? seconds() - 60 : startOfDay(addDays(today, -ago)).getTime() / 1000 + 12 * 3_600

beforeAll(async () => {
  server = await startTestServer()
  const terminals = server.devices.filter((d) => d.type === 'faceTerminal' && d.workers.length > 1)
  const cameras = server.devices.filter((d) => d.type === 'camera')
  for (const [i, t] of terminals.entries()) {
    // Every fifth site stands.
    const days = i % 5 === 4 ? [] : [6, 5, 4, 3, 2, 1, 0].filter((ago) => (i + ago) % (2 + (i % 3)) !== 0)
    await report(server.url, t, [
      { id: 'up', kind: 'heartbeat', at: noon(6) - 3_600, frameAt: noon(6) - 3_600 },
      ...days.flatMap((ago) =>
        t.workers.slice(0, 1 + ((i + ago) % 3)).map((w, k) => ({
          id: `in${ago}.${k}`,
          kind: 'clockin',
          at: noon(ago) + k,
          w_id: w,
          direction: 'in',
        })),
      ),
    ])
  }
  for (const [i, c] of cameras.entries()) {
    await report(server.url, c, [
      ...(i % 2
        ? [
            {
              id: 'a',
              kind: 'alarm',
              at: noon(i % 5),
              type: i % 3 ? 'smoking' : 'noclothes',
              confidence: 0.9,
            },
          ]
        : []),
      ...(i % 3
        ? [{ id: 't', kind: 'tidiness', at: noon(i % 4), result: 1 + (i % 3), confidence: 0.9 }]
        : []),
      { id: 'h', kind: 'heartbeat', at: noon(5), frameAt: noon(5) },
    ])
  }
  // A database that has lived for a day knows how many rows its tables have; one that was filled a second ago does not.
  await server.sql('ANALYZE')
  await countYesterday(server.db, testNow())
  // Devices that have said nothing for days are off line from here on, not from whenever the watch comes by.
  await server.db.tx(SYSTEM, (tx) => watchSilence(tx, testNow()))
  hq = await server.as('hq_ops')
  gm = await server.as('branch_gm')
})
afterAll(() => server.stop())

const one = async <R = { n: number }>(text: string, values: unknown[] = []) =>
  (await server.sql<R>(text, values))[0]!
const tenant = () => hq.tenant
const total = async (person: Person, endpoint: Parameters<Person['call']>[0], query: object) =>
  ((await person.call(endpoint, { query } as never)) as { totalCount: number }).totalCount

test('a day is opened once for everybody who is expected, before anyone has come', async () => {
  expect(await openToday(server.db, testNow())).toBe(false)
  const { n } = await one('SELECT count(*)::int AS n FROM site_days WHERE day = $1', [today])
  expect(n).toBe((await one('SELECT count(*)::int AS n FROM sites WHERE status = 1')).n)
})

describe('daily sheet', () => {
  test('each figure of each branch and day equals the raw events, and the list behind it', async () => {
    const sheet = await hq.call(statisticsApi.dailySheet, { query: { from, to, pageSize: 50 } })
    expect(sheet.totalCount).toBe(sheet.list.length)
    for (const row of sheet.list) {
      const [begin, end] = [startOfDay(row.day), startOfDay(addDays(row.day, 1))]
      const raw = await one<Record<string, number>>(
        `SELECT (SELECT count(DISTINCT (worker_id, site_id))::int FROM attendance_events e WHERE e.tenant_id = $1 AND e.bc_id = $2 AND e.at >= $3 AND e.at < $4) AS present,
          (SELECT count(DISTINCT site_id)::int FROM attendance_events e WHERE e.tenant_id = $1 AND e.bc_id = $2 AND e.at >= $3 AND e.at < $4) AS worked,
          (SELECT count(*)::int FROM alarms a WHERE a.tenant_id = $1 AND a.bc_id = $2 AND a.at >= $3 AND a.at < $4) AS alarms,
          (SELECT count(*)::int FROM alarms a WHERE a.tenant_id = $1 AND a.bc_id = $2
            AND a.at >= $3 AND a.at < $4 AND a.correction_status = 3) AS corrected,
          (SELECT count(*)::int FROM alarms a WHERE a.tenant_id = $1 AND a.bc_id = $2
            AND a.at >= $3 AND a.at < $4 AND a.correction_status = 4) AS cancelled,
          (SELECT count(*)::int FROM (SELECT DISTINCT ON (site_id) result FROM tidiness_checks t WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.at >= $3 AND t.at < $4 AND result < 4 ORDER BY site_id, at DESC, id DESC) x WHERE result = 2) AS good`,
        [tenant(), row.bc_id, begin, end],
      )
      expect(
        {
          present: row.present,
          worked: row.worked,
          alarms: row.alarms,
          corrected: row.corrected,
          cancelled: row.cancelled,
          good: row.good,
        },
        `${row.bc_name} ${row.day}`,
      ).toEqual(raw)
      const behind = { from: row.day, to: row.day, bc_id: row.bc_id }
      expect(await total(hq, statisticsApi.siteDays, behind)).toBe(row.sites)
      expect(await total(hq, statisticsApi.siteDays, { ...behind, state: 'worked' })).toBe(row.worked)
      expect(await total(hq, statisticsApi.siteDays, { ...behind, state: 'noWork' })).toBe(row.noWork)
      expect(await total(hq, statisticsApi.siteDays, { ...behind, state: 'rest,unknown' })).toBe(row.apart)
      for (const [i, level] of (['excellent', 'good', 'poor'] as const).entries())
        expect(await total(hq, statisticsApi.siteDays, { ...behind, tidiness: String(i + 1) })).toBe(
          row[level],
        )
      const alarms = { bc_id: row.bc_id, from: begin.getTime() / 1000, to: end.getTime() / 1000 }
      expect(await total(hq, alarmsApi.list, alarms)).toBe(row.alarms)
      expect(await total(hq, alarmsApi.list, { ...alarms, correctionStatus: '3' })).toBe(row.corrected)
    }
    // The running day is a row, and left out of the sums.
    const over = sheet.list.filter((r) => r.day < today)
    expect(sheet.whole).toEqual({ from, to: addDays(today, -1) })
    expect(sheet.list.length).toBeGreaterThan(over.length)
    expect(sheet.total.present).toBe(over.reduce((n, r) => n + r.present, 0))
    expect(sheet.total.sites).toBe(over.reduce((n, r) => n + r.sites, 0))
    for (const r of sheet.list)
      expect(
        await total(hq, statisticsApi.siteDays, { from: r.day, to: r.day, bc_id: r.bc_id, state: 'waiting' }),
      ).toBe(r.sites - r.worked - r.noWork - r.apart)
    expect(sheet.total.present).toBeGreaterThan(20)
  })

  test('on line time equals the spans, second for second within a rounding', async () => {
    const day = addDays(today, -2)
    const sheet = await gm.call(statisticsApi.dailySheet, { query: { from: day, to: day } })
    expect(sheet.list).toHaveLength(1)
    const spans = await server.sql<{ state: number; a: number; b: number }>(
      'SELECT s.state, extract(epoch FROM s.from_at)::float8 AS a, extract(epoch FROM coalesce(s.to_at, :now))::float8 AS b FROM device_spans s JOIN devices d ON d.id = s.device_id WHERE d.bc_id = $1 AND d.bind_status = 2 AND s.state IN (1, 2, 4)',
      [sheet.list[0]!.bc_id],
    )
    const [begin, end] = [startOfDay(day).getTime() / 1000, startOfDay(addDays(day, 1)).getTime() / 1000]
    const inside = (s: { a: number; b: number }) => Math.max(0, Math.min(s.b, end) - Math.max(s.a, begin))
    expect(Math.abs(sheet.list[0]!.watched - spans.reduce((n, s) => n + inside(s), 0))).toBeLessThan(3)
    expect(
      Math.abs(sheet.list[0]!.online - spans.filter((s) => s.state === 1).reduce((n, s) => n + inside(s), 0)),
    ).toBeLessThan(3)
  })

  test('who subscribed is told once in the morning, others are not', async () => {
    await gm.call(viewsApi.save, { body: { name: SUBSCRIPTION, value: { on: true } } })
    expect(await tellDailySheet(server.db, testNow())).toBe(true)
    expect(await tellDailySheet(server.db, testNow())).toBe(false)
    const notices = async (p: Person) =>
      (await p.call(notificationsApi.list)).list.filter((n: { title: string }) => n.title.includes('日报'))
    expect(await notices(gm)).toHaveLength(1)
    expect(await notices(hq)).toHaveLength(0)
    // The settings say who of the branch is told; another branch has nobody.
    const [name] = await server.sql<{ nickname: string }>(
      `SELECT nickname FROM users WHERE user_name = 'branch_gm'`,
    )
    const told = async (p: Person) =>
      (await p.call(statisticsApi.subscribers, { query: {} })).map((u) => u.nickname)
    expect(await told(gm)).toEqual([name!.nickname])
    expect(await told(await server.as('branch_gm2'))).toEqual([])
  })
})

describe('attendance', () => {
  for (const grain of ['day', 'week', 'month'] as const) {
    test(`by ${grain}: person-days equal the raw punches`, async () => {
      const answer = await hq.call(statisticsApi.attend, { query: { from, to, grain } })
      const until = (day: string) =>
        one(
          `SELECT count(DISTINCT (day, worker_id, site_id))::int AS n
           FROM attendance_events
           WHERE tenant_id = $1 AND day BETWEEN $2 AND $3`,
          [tenant(), from, day],
        )
      // Rankings, weeks and months are of whole days; by day the running one is the last point.
      const raw = await until(addDays(today, -1))
      const over = answer.periods.filter((p) => p.from < today)
      expect(answer.whole).toEqual({ from, to: addDays(today, -1) })
      expect(over.reduce((n, p) => n + p.present, 0)).toBe(raw.n)
      const shown = grain === 'day' && BEGUN ? await until(today) : raw
      expect(answer.periods.reduce((n, p) => n + p.present, 0)).toBe(shown.n)
      if (grain === 'week')
        for (const p of answer.periods.slice(1)) expect(new Date(`${p.from}T00:00:00Z`).getUTCDay()).toBe(1)
      if (grain === 'day') expect(answer.periods.map((p) => p.due)).toEqual(answer.days.map((d) => d.due))
    })
  }

  test('the groups of every dimension come to the person-days of the whole days', async () => {
    const whole = { from, to: addDays(today, -1) }
    const { n: present } = await one(
      `SELECT count(DISTINCT (day, worker_id, site_id))::int AS n
       FROM attendance_events
       WHERE tenant_id = $1 AND day BETWEEN $2 AND $3`,
      [tenant(), whole.from, whole.to],
    )
    const due = (await hq.call(statisticsApi.attend, { query: { ...whole, grain: 'day' } })).periods.reduce(
      (n, p) => n + p.due,
      0,
    )
    for (const by of ['branch', 'site', 'trade', 'person'] as const) {
      const groups = await hq.call(statisticsApi.attendGroups, { query: { from, to, by, pageSize: 100 } })
      const pages = Math.ceil(groups.totalCount / 100)
      const sum = { present: 0, due: 0 }
      for (let pageNo = 1; pageNo <= pages; pageNo += 1)
        for (const g of (
          await hq.call(statisticsApi.attendGroups, { query: { from, to, by, pageSize: 100, pageNo } })
        ).list) {
          sum.present += g.present
          sum.due += g.due
        }
      expect({ by, ...sum }).toEqual({ by, present, due })
    }
  })

  test('one trade only: counted from its own people', async () => {
    const raw = await one(
      'SELECT count(DISTINCT (e.day, e.worker_id, e.site_id))::int AS n FROM attendance_events e JOIN workers k ON k.id = e.worker_id WHERE e.tenant_id = $1 AND e.day BETWEEN $2 AND $3 AND k.w_type = 3',
      [tenant(), from, BEGUN ? to : addDays(to, -1)],
    )
    const answer = await hq.call(statisticsApi.attend, { query: { from, to, w_type: [3] } })
    expect(answer.periods.reduce((n, p) => n + p.present, 0)).toBe(raw.n)
    expect(raw.n).toBeGreaterThan(0)
  })

  test('standing sites by code are the lists of standing sites', async () => {
    const { noWork } = await hq.call(statisticsApi.attend, { query: { from, to } })
    for (const { code, count } of noWork)
      expect(await total(hq, noWorkApi.list, { noWork: String(code) })).toBe(count)
    const cards = await hq.call(homeApi.cards)
    expect(await total(hq, noWorkApi.list, {})).toBe(cards.figures.find((f) => f.card === 'noWork')!.value)
    expect(noWork.some((n) => n.count > 0)).toBe(true)
  })
})

test('devices: every count is the total of the list of devices with that filter', async () => {
  for (const person of [hq, gm]) {
    const figures = await person.call(statisticsApi.devices, { query: {} })
    expect(await total(person, devicesApi.list, {})).toBe(figures.total)
    for (const s of figures.byStatus)
      expect(await total(person, devicesApi.list, { deviceStatus: s.key })).toBe(s.count)
    for (const t of figures.byType)
      expect(await total(person, devicesApi.list, { type: t.key })).toBe(t.count)
    for (const b of figures.byBranch) {
      expect(await total(person, devicesApi.list, { bc_id: b.bc_id, deviceStatus: '1' })).toBe(b.online)
      expect(await total(person, devicesApi.list, { bc_id: b.bc_id, deviceStatus: '5' })).toBe(b.spare)
    }
    const offline = await server.sql<{ sn: string }>(
      `SELECT d.sn FROM devices d JOIN device_spans s ON s.device_id = d.id AND s.to_at IS NULL WHERE d.tenant_id = $1 AND d.device_status = 2 ${person === gm ? `AND d.bc_id = '${figures.byBranch[0]!.bc_id}'` : ''} ORDER BY s.from_at, d.id LIMIT 10`,
      [person.tenant],
    )
    expect(figures.longest.map((l) => l.sn)).toEqual(offline.map((o) => o.sn))
  }
})

test('the monitor of today adds up, by hour and by branch', async () => {
  const m = await hq.call(statisticsApi.monitor, { query: {} })
  const present = m.branches.reduce((n, b) => n + b.present, 0)
  expect(m.hours.reduce((n, h) => n + h.arrived, 0)).toBe(present)
  expect(present).toBe(
    (
      await one(
        'SELECT count(DISTINCT (worker_id, site_id))::int AS n FROM attendance_events WHERE tenant_id = $1 AND day = $2',
        [tenant(), today],
      )
    ).n,
  )
  expect(m.hours.reduce((n, h) => n + h.raised, 0)).toBe(m.branches.reduce((n, b) => n + b.raised, 0))
  expect(m.branches.reduce((n, b) => n + b.open, 0)).toBe(
    await total(hq, alarmsApi.list, { correctionStatus: '1,2' }),
  )
  expect((await gm.call(statisticsApi.monitor, { query: {} })).branches).toHaveLength(1)
  // What was closed today is a list as well, however old it is.
  await server.sql(
    `UPDATE alarms SET correction_status = 4, closed_at = $1 WHERE id IN (SELECT id FROM alarms ORDER BY at LIMIT 3)`,
    [new Date(seconds() * 1000 - 1000)],
  )
  const closed = (await hq.call(statisticsApi.monitor, { query: {} })).branches
  for (const b of closed)
    expect(await total(hq, alarmsApi.list, { closedOn: today, bc_id: b.bc_id })).toBe(b.done)
  // The sheet counts what became of the alarms of a day, the monitor what was closed today: of whatever day it was.
  const { list } = await hq.call(statisticsApi.dailySheet, { query: { from, to, pageSize: 50 } })
  for (const b of closed) {
    const raw = await one<{ any: number; own: number }>(
      `SELECT count(*)::int AS any, count(*) FILTER (WHERE a.at >= $3)::int AS own
       FROM alarms a
       WHERE a.tenant_id = $1 AND a.bc_id = $2 AND a.closed_at >= $3`,
      [tenant(), b.bc_id, startOfDay(today)],
    )
    expect(b.done).toBe(raw.any)
    const row = list.find((r) => r.day === today && r.bc_id === b.bc_id)
    if (row) expect(row.corrected + row.cancelled).toBe(raw.own)
  }
  expect(closed.reduce((n, b) => n + b.done, 0)).toBeGreaterThanOrEqual(3)
})

test('bad spans get a sentence', async () => {
  expect(await hq.ask(statisticsApi.dailySheet, { query: { from: to, to: from } })).toMatchObject({
    code: 400,
    msg: '开始日期不能晚于结束日期',
  })
  expect(await hq.ask(statisticsApi.attend, { query: { from: '2020-01-01', to } })).toMatchObject({
    code: 400,
    msg: '一次最多统计 400 天',
  })
  for (const endpoint of [
    statisticsApi.dailyExport,
    statisticsApi.siteDaysExport,
    statisticsApi.attendExport,
  ])
    expect((await hq.ask(endpoint, { query: { from, to } })).text.startsWith('PK')).toBe(true)
})
