import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { videoApi } from '@zhuguan/contract/features/video/video.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, shanghaiTime } from '../../kit/shanghai.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

/**
 * Two cameras and two sites of one branch, told here by hand: A stands on the first site until noon of the third day
 * and on the second one from then on; B stands on the first site all the time. The fifth day is today.
 */
let server: TestServer
let gm: Person
let keeper: Person
let today: string
let A: Device
let B: Device
let first: string
let second: string
let empty: string
let bc: string
interface Device {
  id: string
  sn: string
}

/** A moment of a day by the clock of Shanghai, in seconds; the days are 1 to 4, the fifth is today. */
const at = (day: number, clock: string) => Date.parse(`${dayOf(day)}T${clock}:00+08:00`) / 1000
const dayOf = (day: number) => addDays(today, day - 5)
const date = (seconds: number) => new Date(seconds * 1000)
const [ONLINE, OFFLINE, WAITING, FAULTY, SPARE] = [1, 2, 3, 4, 5]
type Told = readonly [day: number, clock: string, state: number, cause: string]

/** What A was, from when on. */
const OF_A: readonly Told[] = [
  [0, '08:00', WAITING, 'bound'],
  [1, '06:00', ONLINE, 'heartbeat'],
  [1, '22:00', OFFLINE, 'silent'],
  [2, '03:00', ONLINE, 'heartbeat'],
  [2, '10:00', OFFLINE, 'frozen'],
  [2, '10:30', ONLINE, 'heartbeat'],
  [3, '11:00', OFFLINE, 'silent'],
  [3, '12:00', SPARE, 'unbound'],
  [3, '12:30', WAITING, 'bound'],
  [3, '13:00', ONLINE, 'heartbeat'],
  [3, '20:00', FAULTY, 'reported'],
  [4, '08:00', ONLINE, 'repaired'],
]
const OF_B: readonly Told[] = [
  [0, '08:00', ONLINE, 'heartbeat'],
  [2, '04:00', OFFLINE, 'silent'],
  [2, '09:00', ONLINE, 'heartbeat'],
]

async function tell(device: Device, told: readonly Told[]): Promise<void> {
  await server.sql('DELETE FROM device_spans WHERE device_id = $1', [device.id])
  for (const [i, [day, clock, state, cause]] of told.entries()) {
    const next = told[i + 1]
    await server.sql(
      `INSERT INTO device_spans (tenant_id, device_id, from_at, to_at, state, cause)
       SELECT tenant_id, id, $2, $3, $4, $5 FROM devices WHERE id = $1`,
      [device.id, date(at(day, clock)), next ? date(at(next[0], next[1])) : null, state, cause],
    )
  }
}
const stand = (device: Device, site: string, from: number, to: number | null) =>
  server.sql(
    `INSERT INTO device_stands (tenant_id, device_id, site_id, from_at, to_at)
     SELECT tenant_id, id, $2, $3, $4 FROM devices WHERE id = $1`,
    [device.id, site, date(from), to === null ? null : date(to)],
  )
const ask = (who: Person, site_id: string, from = dayOf(1), to = dayOf(4)) =>
  who.call(videoApi.online, { query: { site_id, from, to } })
type Answer = Awaited<ReturnType<typeof ask>>
const minutesOf = (c: { days: Answer['cameras'][number]['days'] }) =>
  c.days.map((d) => [d.online, d.offline, d.unknown, d.rate])
const bandsOf = (answer: Answer, sn: string, day: number) =>
  answer.cameras
    .find((c) => c.sn === sn)!
    .days.find((d) => d.day === dayOf(day))!
    .bands.map((b) => [b.state, b.cause, b.from, b.to])

beforeAll(async () => {
  server = await startTestServer()
  today = shanghaiDay(server.now())
  gm = await server.as('branch_gm')
  keeper = await server.as('device_keeper')
  const [branch] = await server.sql<{ bc_id: string }>(`SELECT bc_id FROM companies WHERE code = 'HZ'`)
  bc = branch!.bc_id
  const sites = await server.sql<{ id: string }>(
    `SELECT id FROM sites WHERE bc_id = $1 AND status = 1 ORDER BY code LIMIT 3`,
    [bc],
  )
  ;[first, second, empty] = sites.map((s) => s.id) as [string, string, string]
  const cameras = await server.sql<Device>(
    `SELECT id, sn FROM devices WHERE bc_id = $1 AND type = 'camera' AND bind_status = 2 ORDER BY sn LIMIT 2`,
    [bc],
  )
  ;[A, B] = cameras as [Device, Device]
  // Nothing else is bound in the branch, so that its figures are those of the two cameras.
  await server.sql(
    `UPDATE devices SET site_id = NULL, bind_status = 1, device_status = 5 WHERE bc_id = $1 AND bind_status = 2`,
    [bc],
  )
  await server.sql('DELETE FROM device_stands WHERE device_id IN (SELECT id FROM devices WHERE bc_id = $1)', [
    bc,
  ])
  for (const [device, site] of [
    [A, second],
    [B, first],
  ] as const)
    await server.sql(
      'UPDATE devices SET site_id = $2, bind_status = 2, device_status = 1, last_seen = :now WHERE id = $1',
      [device.id, site],
    )
  await tell(A, OF_A)
  await tell(B, OF_B)
  await stand(A, first, at(0, '08:00'), at(3, '12:00'))
  await stand(A, second, at(3, '12:30'), null)
  // B was there before anybody wrote down where devices stand.
})
afterAll(() => server.stop())

test('each day of a camera that was moved: its time here only, over midnight, with causes', async () => {
  const here = await ask(gm, first)
  const there = await ask(gm, second)
  const a = here.cameras.find((c) => c.sn === A.sn)!
  //                 online  offline
  expect(minutesOf(a)).toEqual([
    [16 * 60, 2 * 60, 0, 88.9],
    [20.5 * 60, 3.5 * 60, 0, 85.4],
    [11 * 60, 60, 0, 91.7],
    [0, 0, 0, null],
  ])
  expect([a.online, a.offline, a.measured, a.rate]).toEqual([2850, 390, 3240, 88])
  expect(a.here).toBe(false)
  expect(minutesOf(here.cameras.find((c) => c.sn === B.sn)!)).toEqual([
    [1440, 0, 0, 100],
    [1140, 300, 0, 79.2],
    [1440, 0, 0, 100],
    [1440, 0, 0, 100],
  ])
  // Worst first.
  expect(here.cameras.map((c) => c.sn)).toEqual([A.sn, B.sn])
  expect(minutesOf(there.cameras[0]!)).toEqual([
    [0, 0, 0, null],
    [0, 0, 0, null],
    [7 * 60, 4 * 60, 0, 63.6],
    [16 * 60, 8 * 60, 0, 66.7],
  ])
  expect(there.cameras.map((c) => [c.sn, c.here])).toEqual([[A.sn, true]])
  expect(bandsOf(here, A.sn, 2)).toEqual([
    [OFFLINE, 'silent', at(2, '00:00'), at(2, '03:00')],
    [ONLINE, 'heartbeat', at(2, '03:00'), at(2, '10:00')],
    [OFFLINE, 'frozen', at(2, '10:00'), at(2, '10:30')],
    [ONLINE, 'heartbeat', at(2, '10:30'), at(3, '00:00')],
  ])
  expect(bandsOf(here, A.sn, 3)).toEqual([
    [ONLINE, 'heartbeat', at(3, '00:00'), at(3, '11:00')],
    [OFFLINE, 'silent', at(3, '11:00'), at(3, '12:00')],
  ])
  expect(bandsOf(there, A.sn, 3)).toEqual([
    [WAITING, 'bound', at(3, '12:30'), at(3, '13:00')],
    [ONLINE, 'heartbeat', at(3, '13:00'), at(3, '20:00')],
    [FAULTY, 'reported', at(3, '20:00'), at(4, '00:00')],
  ])
})

test('outages: whole, with what ended them; frozen ones are counted by themselves', async () => {
  const here = await ask(gm, first)
  const lines = (answer: Answer) =>
    answer.outages.map((o) => [o.sn, o.cause, o.from, o.to, o.minutes, o.endedBy])
  const OF_FIRST = [
    [A.sn, 'silent', at(3, '11:00'), at(3, '12:00'), 60, 'unbound'],
    [A.sn, 'frozen', at(2, '10:00'), at(2, '10:30'), 30, 'heartbeat'],
    [B.sn, 'silent', at(2, '04:00'), at(2, '09:00'), 300, 'heartbeat'],
    [A.sn, 'silent', at(1, '22:00'), at(2, '03:00'), 300, 'heartbeat'],
  ]
  expect(lines(here)).toEqual(OF_FIRST)
  expect(here.cameras.map((c) => [c.outages, c.frozen])).toEqual([
    [3, { times: 1, minutes: 30 }],
    [1, { times: 0, minutes: 0 }],
  ])
  expect(here.total).toMatchObject({ cameras: 2, outages: 4, frozen: 1, skewed: 0 })
  // Asked for the second day alone, the one over midnight is the same one.
  expect(lines(await ask(gm, first, dayOf(2), dayOf(2)))).toEqual(OF_FIRST.slice(1))
  expect(lines(await ask(gm, second))).toEqual([
    [A.sn, 'reported', at(3, '20:00'), at(4, '08:00'), 720, 'repaired'],
  ])
})

test('what lasts has no end; the running day is measured up to now', async () => {
  const now = Math.floor(server.now().getTime() / 1000)
  await server.sql(`UPDATE device_spans SET to_at = $2 WHERE device_id = $1 AND to_at IS NULL`, [
    B.id,
    date(at(4, '23:00')),
  ])
  await server.sql(
    `INSERT INTO device_spans (tenant_id, device_id, from_at, state, cause)
     SELECT tenant_id, id, $2, 2, 'silent' FROM devices WHERE id = $1`,
    [B.id, date(at(4, '23:00'))],
  )
  const answer = await ask(gm, first, today, today)
  expect(answer.outages).toHaveLength(1)
  expect(answer.outages[0]).toMatchObject({ from: at(4, '23:00'), to: null, endedBy: null })
  expect(Math.abs(answer.outages[0]!.minutes - (now - at(4, '23:00')) / 60)).toBeLessThan(2)
  const b = answer.cameras.find((c) => c.sn === B.sn)!
  expect(Math.abs(b.offline - (now - at(5, '00:00')) / 60)).toBeLessThan(2)
  await tell(B, OF_B)
})

test('the figures are those of the statistics, the daily report and the device’s own page', async () => {
  // The daily report has a line where a site was worked on.
  await server.sql(
    `INSERT INTO site_days (tenant_id, day, bc_id, site_id, expected, present)
     SELECT tenant_id, t::date, bc_id, id, 1, 1 FROM sites, generate_series($2::date, $3::date, '1 day') t WHERE id = $1
     ON CONFLICT DO NOTHING`,
    [first, dayOf(1), dayOf(4)],
  )
  for (const day of [1, 2, 3, 4].map(dayOf)) {
    const [here, there] = [await ask(gm, first, day, day), await ask(gm, second, day, day)]
    const [on, off] = [here.total.online + there.total.online, here.total.offline + there.total.offline]
    const rate = Math.round((1000 * on) / (on + off)) / 10
    const figures = await gm.call(statisticsApi.devices, { query: { from: day, to: day, bc_id: [bc] } })
    expect(figures.onlineByDay, day).toEqual([{ day, rate }])
    const sheet = await gm.call(statisticsApi.dailySheet, { query: { from: day, to: day } })
    expect(sheet.list.map((r) => [r.online, r.watched])).toEqual([[on * 60, (on + off) * 60]])
    expect(
      figures.causes.reduce((n, c) => n + c.hours, 0),
      day,
    ).toBeCloseTo(off / 60, 0)
  }
  // What the device's page draws: the same spans with the same causes.
  const { spans } = await keeper.call(devicesApi.history, { query: { id: A.id } })
  const drawn = spans.toReversed().map((s) => [s.state, s.cause, s.from])
  expect(drawn).toEqual(OF_A.map(([day, clock, state, cause]) => [state, cause, at(day, clock)]))
})

test('where no server listened nobody knows: it counts for nothing, here and in every statistic', async () => {
  const kept = await server.sql<{ from_at: Date; to_at: Date }>('SELECT from_at, to_at FROM hearing')
  await server.sql('DELETE FROM hearing')
  for (const [from, to] of [
    [at(-80, '00:00'), at(2, '08:00')],
    [at(2, '12:00'), server.now().getTime() / 1000],
  ] as const)
    await server.sql('INSERT INTO hearing (from_at, to_at) VALUES ($1, $2)', [date(from), date(to)])
  const here = await ask(gm, first, dayOf(2), dayOf(2))
  // From 08:00 to 12:00: A was frozen for half an hour of it, B off line for one hour.
  expect(here.cameras.map((c) => [c.sn, ...minutesOf(c)[0]!])).toEqual([
    [B.sn, 960, 240, 240, 80],
    [A.sn, 1020, 180, 240, 85],
  ])
  expect(here.total).toMatchObject({ online: 1980, offline: 420, unknown: 480, measured: 2400, rate: 82.5 })
  expect(bandsOf(here, A.sn, 2)).toEqual([
    [OFFLINE, 'silent', at(2, '00:00'), at(2, '03:00')],
    [ONLINE, 'heartbeat', at(2, '03:00'), at(2, '08:00')],
    [null, '', at(2, '08:00'), at(2, '12:00')],
    [ONLINE, 'heartbeat', at(2, '12:00'), at(3, '00:00')],
  ])
  const day = dayOf(2)
  const figures = await gm.call(statisticsApi.devices, { query: { from: day, to: day, bc_id: [bc] } })
  expect(figures.onlineByDay).toEqual([{ day, rate: 82.5 }])
  const sheet = await gm.call(statisticsApi.dailySheet, { query: { from: day, to: day } })
  expect(sheet.list.map((r) => [r.online, r.watched])).toEqual([[1980 * 60, 2400 * 60]])
  const { unheard } = await keeper.call(devicesApi.history, { query: { id: A.id } })
  expect(unheard).toEqual([{ from: at(2, '08:00'), to: at(2, '12:00') }])
  await server.sql('DELETE FROM hearing')
  for (const h of kept)
    await server.sql('INSERT INTO hearing (from_at, to_at) VALUES ($1, $2)', [h.from_at, h.to_at])
})

test('skewed: from its alarm to the end of it, while it stood here; a wrong alarm does not count', async () => {
  const alarm = (device: Device, site: string, from: number, to: number | null, verdict = 'none') =>
    server.sql(
      `INSERT INTO alarms (tenant_id, id, bc_id, site_id, device_id, type, confidence, at, last_seen, closed_at,
         correction_status, verdict)
       SELECT tenant_id, gen_random_uuid(), bc_id, $2, id, 'cameraproblem', 0.9, $3, $3, $4,
         CASE WHEN $4::timestamptz IS NULL THEN 1 WHEN $5 = 'wrong' THEN 4 ELSE 3 END, $5
       FROM devices WHERE id = $1`,
      [device.id, site, date(from), to === null ? null : date(to), verdict],
    )
  await alarm(A, first, at(2, '09:00'), at(2, '11:00'))
  await alarm(A, first, at(1, '09:00'), at(1, '11:00'), 'wrong')
  await alarm(B, first, at(3, '23:00'), null)
  await server.sql(
    `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, device_id, at, result)
     SELECT tenant_id, gen_random_uuid(), bc_id, $2, id, t, 4 FROM devices, unnest($3::timestamptz[]) t WHERE id = $1`,
    [A.id, first, [date(at(2, '09:30')), date(at(2, '10:30'))]],
  )
  const here = await ask(gm, first)
  const of = (d: Device) => here.cameras.find((c) => c.sn === d.sn)!
  expect(of(A).skewed.map(({ from, to }) => [from, to])).toEqual([[at(2, '09:00'), at(2, '11:00')]])
  expect(of(A).skewedChecks).toBe(2)
  expect(of(B).skewed.map(({ from, to }) => [from, to])).toEqual([[at(3, '23:00'), null]])
  expect(here.total.skewed).toBe(2)
})

test('a site without cameras, and days that cannot be asked for', async () => {
  const nothing = await ask(gm, empty)
  expect([nothing.cameras, nothing.outages]).toEqual([[], []])
  expect(nothing.total).toMatchObject({ cameras: 0, measured: 0, rate: null })
  const refused = async (from: string, to: string) =>
    (await gm.ask(videoApi.online, { query: { site_id: first, from, to } })).msg
  expect(await refused(dayOf(2), dayOf(1))).toContain('开始日期不能晚于结束日期')
  expect(await refused(addDays(today, -31), today)).toContain('一次最多看 31 天')
  expect((await ask(gm, first, addDays(today, -30), today)).cameras[0]!.days).toHaveLength(31)
})

test('the file says what the page says', async () => {
  const query = { site_id: first, from: dayOf(1), to: dayOf(4) }
  const file = await gm.ask(videoApi.outagesExport, { query })
  const excel = (seconds: number) => shanghaiTime(date(seconds))
  const [head, ...rows] = await cellsOf(file.bytes)
  expect(head).toEqual(['摄像头', '原因', '开始', '结束', '时长(分钟)', '怎样结束'])
  const [begin, end] = [at(3, '11:00'), at(3, '12:00')].map(excel)
  expect(rows[0]).toEqual([A.sn, '超时无心跳', begin, end, '60', '解绑'])
  const page = await ask(gm, first)
  expect(rows.map((r) => [r[0], r[2], r[4]])).toEqual(
    page.outages.map((o) => [o.sn, excel(o.from), String(o.minutes)]),
  )
})

test('another branch and another group see nothing of it; who leads the old site still sees what left it', async () => {
  const query = { site_id: first, from: dayOf(1), to: dayOf(4) }
  for (const who of ['branch_gm2', 'other']) {
    const answer = await (await server.as(who)).ask(videoApi.online, { query })
    expect([answer.status, answer.data], who).toEqual([403, null])
    expect(answer.text).not.toContain(A.sn)
  }
  // The manager of the first site alone: the camera is on a site that is not his.
  await server.sql(`UPDATE sites SET manager_id = NULL WHERE id = $1`, [second])
  await server.sql(
    `UPDATE sites SET manager_id = (SELECT id FROM users WHERE user_name = 'pm') WHERE id = $1`,
    [first],
  )
  await server.sql(`SELECT pg_notify('access', '')`)
  await new Promise((r) => setTimeout(r, 200))
  const pm = await server.as('pm')
  const seen = await ask(pm, first)
  expect(seen.cameras.map((c) => [c.sn, c.reachable])).toEqual([
    [A.sn, false],
    [B.sn, true],
  ])
  expect((await pm.ask(videoApi.online, { query: { ...query, site_id: second } })).status).toBe(403)
  expect((await pm.ask(videoApi.outagesExport, { query })).msg).toBe('No Permission')
})
