import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { AlarmCell } from '@zhuguan/contract/features/statistics/alarm-figures.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { recountFigures } from '../../app/clock.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

/** Every figure of AlarmStatistics against the raw alarms, reckoned here by hand, and against the list it opens. */
let server: TestServer
let people: Record<'hq' | 'gm' | 'gm2' | 'pm', Person>
let today: string
const HOUR = 3_600
const DAY = 86_400

interface Raw {
  id: string
  tenant_id: string
  bc_id: string
  site_id: string
  device_id: string
  type: string
  verdict: string
  correction_status: number
  assignee_id: string | null
  day: string
  hour: number
  closed: string | null
  took: number | null
}
const day = (ago: number) => addDays(today, -ago)
const at = (ago: number, seconds: number) => startOfDay(day(ago)).getTime() / 1000 + seconds

beforeAll(async () => {
  server = await startTestServer()
  // Ten in the morning of tomorrow: today has begun and is not over, at whatever hour the story is told.
  const ten = startOfDay(addDays(shanghaiDay(server.now()), 1)).getTime() + 10 * HOUR * 1000
  server.later(ten - server.now().getTime())
  today = shanghaiDay(server.now())
  await fill()
  await signIn()
})
/** A clock that is moved ends the sessions. */
async function signIn(): Promise<void> {
  people = {
    hq: await server.as('hq_ops'),
    gm: await server.as('branch_gm'),
    gm2: await server.as('branch_gm2'),
    pm: await server.as('pm'),
  }
}
afterAll(() => server.stop())

/** Alarms of many cameras over five weeks: judged and not, corrected soon and late, at both ends of a day. */
async function fill(): Promise<void> {
  const cameras = await server.sql<{ tenant: string; id: string; site: string; bc: string; pm: string }>(
    `SELECT d.tenant_id AS tenant, d.id, d.site_id AS site, d.bc_id AS bc, w.manager_id AS pm
     FROM devices d JOIN sites w ON w.id = d.site_id
     WHERE d.type = 'camera' AND w.manager_id IS NOT NULL ORDER BY d.sn`,
  )
  const types = ['smoking', 'noclothes', 'smoking', 'cameraproblem']
  const rows = cameras.flatMap((c, i) =>
    Array.from({ length: 2 + (i % 5) }, (_, k) => {
      const n = i * 7 + k * 3
      const seconds = [0, DAY - 0.1, 6 * HOUR, 11 * HOUR + 1, 15 * HOUR][n % 5]!
      const seen = at(1 + (n % 35), seconds)
      const [status, verdict] = [
        [3, 'real'],
        [4, 'wrong'],
        [3, 'real'],
        [4, 'none'],
        [3, 'real'],
      ][n % 5] as [number, string]
      return {
        ...c,
        type: types[n % 4],
        at: seen,
        closed: seen + 60 + ((n * 7_919) % 50) * HOUR,
        status,
        verdict,
        who: status === 3 ? c.pm : null,
      }
    }),
  )
  // An open one of each third camera, and one of today.
  const open = cameras
    .filter((_, i) => i % 3 === 0)
    .map((c, i) => ({
      ...c,
      type: 'noclothes',
      at: i % 2 ? at(2, 22 * HOUR) : at(0, 9 * HOUR),
      closed: null,
      status: i % 4 ? 2 : 1,
      verdict: i % 4 ? 'real' : 'none',
      who: i % 4 ? c.pm : null,
    }))
  await server.sql(
    `INSERT INTO alarms (tenant_id, id, bc_id, site_id, device_id, type, at, last_seen, confidence, correction_status,
       verdict, assignee_id, closed_at, due_at, step)
     SELECT x.tenant, gen_random_uuid(), x.bc, x.site, x.id, x.type, to_timestamp(x.at), to_timestamp(x.at), 0.9,
       x.status, x.verdict, x.who, least(to_timestamp(x.closed), :now), to_timestamp(x.at + 7200),
       CASE x.status WHEN 2 THEN 'assigned' WHEN 3 THEN 'submitted' END
     FROM json_to_recordset($1::json) AS x(tenant uuid, id uuid, site uuid, bc uuid, type text, at float8,
       closed float8, status smallint, verdict text, who uuid)`,
    [JSON.stringify([...rows, ...open])],
  )
}

/** The alarms that somebody sees, as they stand in the table. */
async function rawOf(who: keyof typeof people): Promise<Raw[]> {
  const rows = await server.sql<Raw & { branch: string; leads: boolean }>(
    `SELECT a.id, a.tenant_id, a.bc_id, a.site_id, a.device_id, a.type, a.verdict, a.correction_status, a.assignee_id,
       to_char(a.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD') AS day,
       to_char(a.at AT TIME ZONE 'Asia/Shanghai', 'HH24')::int AS hour,
       to_char(a.closed_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD') AS closed,
       floor(extract(epoch FROM a.closed_at - a.at))::int AS took, c.code AS branch,
       'pm' = ANY (ARRAY(SELECT u.user_name FROM users u WHERE u.id IN (w.manager_id, w.steward_id))) AS leads
     FROM alarms a JOIN companies c ON c.bc_id = a.bc_id JOIN sites w ON w.id = a.site_id`,
  )
  return rows.filter(
    (r) =>
      r.tenant_id === people.hq.tenant &&
      (who === 'hq' || (who === 'pm' ? r.leads : r.branch === { gm: 'HZ', gm2: 'NB' }[who])),
  )
}
const total = async (person: Person, query: object) =>
  ((await person.askAny(alarmsApi.list, { query })).data as { totalCount: number }).totalCount
const span = (from: string, to: string) => ({
  from: startOfDay(from).getTime() / 1000,
  to: startOfDay(addDays(to, 1)).getTime() / 1000,
})
const tally = (rows: readonly Raw[]) => ({
  raised: rows.length,
  real: rows.filter((r) => r.verdict === 'real').length,
  wrong: rows.filter((r) => r.verdict === 'wrong').length,
  corrected: rows.filter((r) => r.correction_status === 3).length,
  cancelled: rows.filter((r) => r.correction_status === 4).length,
})
type Tally = ReturnType<typeof tally>
const countsOf = ({ raised, real, wrong, corrected, cancelled }: Tally): Tally => ({
  raised,
  real,
  wrong,
  corrected,
  cancelled,
})
/** A figure and each of its parts has the list that says as many. */
async function opens(person: Person, figure: Tally, filters: object): Promise<void> {
  const parts: [number, object][] = [
    [figure.raised, {}],
    [figure.real, { verdict: 'real' }],
    [figure.wrong, { verdict: 'wrong' }],
    [figure.raised - figure.real - figure.wrong, { verdict: 'none' }],
    [figure.corrected, { correctionStatus: '3' }],
    [figure.raised - figure.corrected - figure.cancelled, { correctionStatus: '1,2' }],
  ]
  for (const [n, part] of parts) expect(await total(person, { ...filters, ...part })).toBe(n)
}
const cell = (cells: readonly AlarmCell[], key: string, type: string) => {
  const found = cells.find((c) => c.key === key && c.type === type)
  return found ? countsOf(found) : tally([])
}
const TYPES = ['smoking', 'noclothes', 'cameraproblem']
/** The smallest of them that so many of a hundred do not exceed; nothing of fewer than five. */
const within = (values: readonly number[], hundredth: number) => {
  if (values.length < 5) return null
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil((sorted.length * hundredth) / 100) - 1]!
}

/** All figures of somebody for a span, each reckoned again and opened. */
async function check(who: keyof typeof people, query: { from?: string; to?: string } = {}) {
  const person = people[who]
  const raw = await rawOf(who)
  const figures = await person.call(statisticsApi.alarms, { query })
  const [from, to] = [query.from ?? day(29), query.to ?? today]
  const last = to < today ? to : day(1)
  expect(figures).toMatchObject({ from, to, whole: { from, to: last } })
  const over = raw.filter((r) => r.day >= from && r.day <= last)
  for (const type of TYPES) {
    for (let d = from; d <= to; d = addDays(d, 1)) {
      const figure = cell(figures.days, d, type)
      expect(figure, `${who} ${d} ${type}`).toEqual(tally(raw.filter((r) => r.day === d && r.type === type)))
      expect(await total(person, { ...span(d, d), type })).toBe(figure.raised)
    }
    for (const bc of new Set(raw.map((r) => r.bc_id))) {
      const figure = cell(figures.branches, bc, type)
      expect(figure).toEqual(tally(over.filter((r) => r.bc_id === bc && r.type === type)))
      await opens(person, figure, { ...span(from, last), type, bc_id: bc })
    }
    for (let hour = 0; hour < 24; hour += 1) {
      const figure = cell(figures.hours, String(hour), type)
      expect(figure).toEqual(tally(over.filter((r) => r.hour === hour && r.type === type)))
      expect(await total(person, { ...span(from, last), type, hour: String(hour) })).toBe(figure.raised)
    }
  }
  const keys = new Set(figures.branches.map((b) => b.key))
  expect([...keys].sort()).toEqual([...new Set(over.map((r) => r.bc_id))].sort())
  await checkRanks(person, over, { from, to: last }, query)
  await checkTimes(person, raw, { from, to: last }, query)
  return { figures, over }
}

async function checkRanks(
  person: Person,
  over: Raw[],
  { from, to }: { from: string; to: string },
  query: object,
) {
  const keyOf = {
    site: (r: Raw) => r.site_id,
    person: (r: Raw) => r.assignee_id ?? 'nobody',
    camera: (r: Raw) => [r.device_id, r.site_id, r.type].join('.'),
  }
  for (const by of ['site', 'person', 'camera'] as const) {
    const page = await person.call(statisticsApi.alarmGroups, { query: { ...query, by, pageSize: 100 } })
    const groups = Map.groupBy(over, keyOf[by])
    const expected = [...groups].filter(([, rows]) => by !== 'camera' || rows.length > 1)
    expect(page.totalCount).toBe(expected.length)
    expect(page.list.map((g) => g.raised)).toEqual(
      expected
        .map(([, rows]) => rows.length)
        .sort((a, b) => b - a)
        .slice(0, 100),
    )
    for (const g of page.list) {
      expect(countsOf(g), `${by} ${g.name}`).toEqual(tally(groups.get(g.id)!))
      expect(g.name).not.toBe('')
    }
    for (const g of page.list.slice(0, 4))
      await opens(person, g, {
        ...span(from, to),
        ...(g.site_id && { site_id: g.site_id }),
        ...(g.device_id && { device_id: g.device_id }),
        ...(g.type && { type: g.type }),
        ...(by === 'person' && (g.assignee_id ? { assignee_id: g.assignee_id } : { assigned: 'false' })),
      })
  }
}
async function checkTimes(
  person: Person,
  raw: Raw[],
  { from, to }: { from: string; to: string },
  query: object,
) {
  const done = raw.filter((r) => r.correction_status === 3 && r.closed! >= from && r.closed! <= to)
  const times = await person.call(statisticsApi.alarmTimes, { query })
  expect(times[0]).toMatchObject({ type: null, bc_id: null, n: done.length })
  for (const t of times) {
    const took = done
      .filter((r) => (!t.type || r.type === t.type) && (!t.bc_id || r.bc_id === t.bc_id))
      .map((r) => r.took!)
    expect(t).toMatchObject({ n: took.length, p50: within(took, 50), p90: within(took, 90) })
    const filters = { ...(t.type && { type: t.type }), ...(t.bc_id && { bc_id: t.bc_id }) }
    expect(await total(person, { correctionStatus: '3', closedFrom: from, closedTo: to, ...filters })).toBe(
      t.n,
    )
  }
  const groups = new Set([...done.map((r) => r.type), ...done.map((r) => r.bc_id)])
  expect(times.filter((t) => t.type || t.bc_id)).toHaveLength(groups.size)
}

test('each figure is what the alarms say and what its list counts: of the group, a branch, single sites', async () => {
  const { figures, over } = await check('hq')
  expect(over.length).toBeGreaterThan(100)
  expect(figures.begun).toBe(true)
  expect(figures.words).toBe('截至 10:00')
  // The running day is drawn, and in nothing else.
  expect(figures.days.filter((d) => d.key === today).length).toBeGreaterThan(0)
  const branch = await check('gm')
  const own = await check('pm')
  expect(own.over.length).toBeGreaterThan(3)
  expect(own.over.length).toBeLessThan(branch.over.length)
  expect(branch.over.length).toBeLessThan(over.length)
  await check('gm2', { from: day(12), to: day(3) })
})

test('a span of fewer than five corrections tells how many there are, and no time', async () => {
  const [short] = await server.sql<{ day: string }>(
    `SELECT (a.closed_at AT TIME ZONE 'Asia/Shanghai')::date::text AS day FROM alarms a
     WHERE a.tenant_id = $1 AND a.correction_status = 3 AND a.closed_at < $2
     GROUP BY 1 HAVING count(*) BETWEEN 1 AND 4 ORDER BY 1 DESC LIMIT 1`,
    [people.hq.tenant, startOfDay(today)],
  )
  const query = { from: short!.day, to: short!.day }
  const [all] = await people.hq.call(statisticsApi.alarmTimes, { query })
  expect(all).toMatchObject({ p50: null, p90: null })
  expect([1, 2, 3, 4]).toContain(all!.n)
})

test('judged false later, opened again, raised late: the day it was raised on says so at once', async () => {
  const [closed] = await server.sql<{ id: string; version: number; day: string; type: string }>(
    `SELECT a.id, a.version, to_char(a.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD') AS day, a.type
     FROM alarms a JOIN companies c ON c.bc_id = a.bc_id AND c.code = 'HZ'
     WHERE a.correction_status = 3 AND a.closed_at > :now - interval '3 days'
       AND NOT EXISTS (SELECT 1 FROM alarms o WHERE o.device_id = a.device_id AND o.type = a.type
         AND o.correction_status IN (1, 2))
     ORDER BY a.at LIMIT 1`,
  )
  const figure = async () => {
    const { figures } = await check('gm', { from: closed!.day, to: today })
    return cell(figures.days, closed!.day, closed!.type)
  }
  const before = await figure()
  await people.gm.call(settingsApi.update, {
    body: { bcId: (await rawOf('gm'))[0]!.bc_id, values: { reopenDays: 30 } },
  })
  await people.gm.call(alarmsApi.reopen, {
    body: { id: closed!.id, version: closed!.version, reason: '又出现了' },
  })
  expect(await figure()).toEqual({ ...before, corrected: before.corrected - 1 })
  const { version } = await people.gm.call(alarmsApi.details, { query: { id: closed!.id } })
  await people.gm.call(alarmsApi.cancel, {
    body: { id: closed!.id, version, cause: 'wrong', reason: '是一盏灯' },
  })
  expect(await figure()).toEqual({
    ...before,
    corrected: before.corrected - 1,
    cancelled: before.cancelled + 1,
    real: before.real - 1,
    wrong: before.wrong + 1,
  })
  // A camera that was cut off tells of yesterday, one second before midnight, and of midnight.
  const yesterday = async () => {
    const { figures } = await check('gm', { from: day(1), to: today })
    return ['23', '0'].map((hour) => TYPES.reduce((n, type) => n + cell(figures.hours, hour, type).raised, 0))
  }
  const [late, early] = (await yesterday()) as [number, number]
  const free = await server.sql<{ sn: string }>(
    `SELECT d.sn FROM devices d JOIN companies c ON c.bc_id = d.bc_id AND c.code = 'HZ'
     WHERE d.type = 'camera' AND d.site_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM alarms o
       WHERE o.device_id = d.id AND o.correction_status IN (1, 2)) ORDER BY d.sn LIMIT 1`,
  )
  const camera = server.devices.find((d) => d.sn === free[0]!.sn)!
  const told = await report(
    server.url,
    camera,
    [
      { id: 'late', kind: 'alarm', at: at(0, -1), type: 'smoking', confidence: 0.9 },
      { id: 'midnight', kind: 'alarm', at: at(0, 0), type: 'noclothes', confidence: 0.9 },
    ],
    server.now(),
  )
  expect(told.data.rejected).toEqual([])
  expect(await yesterday()).toEqual([late + 1, early])
})

test('a site that changes its branch takes its alarms along, those of before too, as its list does', async () => {
  const [home] = await server.sql<{ site: string; n: number; type: string }>(
    `SELECT a.site_id AS site, count(*)::int AS n FROM alarms a JOIN companies c ON c.bc_id = a.bc_id AND c.code = 'HZ'
     WHERE NOT EXISTS (SELECT 1 FROM alarms o WHERE o.site_id = a.site_id AND o.correction_status = 2)
       AND a.at >= $1 AND a.at < $2
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1`,
    [startOfDay(day(29)), startOfDay(today)],
  )
  const sum = (cells: readonly AlarmCell[]) => cells.reduce((n, c) => n + c.raised, 0)
  const old = sum((await check('gm')).figures.branches)
  const next = sum((await check('gm2')).figures.branches)
  const admin = await server.as('admin')
  const [to] = await server.sql<{ bc_id: string }>(`SELECT bc_id FROM companies WHERE code = 'NB'`)
  const { version } = await admin.call(sitesApi.details, { query: { id: home!.site } })
  await admin.call(sitesApi.move, {
    body: { id: home!.site, version, bc_id: to!.bc_id, reason: '划归宁波' },
  })
  expect(sum((await check('gm')).figures.branches)).toBe(old - home!.n)
  expect(sum((await check('gm2')).figures.branches)).toBe(next + home!.n)
})

test('what is kept is put right at night by what it is off by, and says how much', async () => {
  const kept = () =>
    server.sql(
      `SELECT tenant_id, day::text, bc_id, hour, type, raised, "real", wrong, corrected, cancelled FROM alarm_hours
       WHERE raised <> 0 ORDER BY 1, 2, 3, 4, 5`,
    )
  const counted = () =>
    server.sql(
      `SELECT a.tenant_id, to_char(a.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD') AS day, a.bc_id,
         to_char(a.at AT TIME ZONE 'Asia/Shanghai', 'HH24')::smallint AS hour, a.type, count(*)::int AS raised,
         count(*) FILTER (WHERE verdict = 'real')::int AS "real",
         count(*) FILTER (WHERE verdict = 'wrong')::int AS wrong,
         count(*) FILTER (WHERE correction_status = 3)::int AS corrected,
         count(*) FILTER (WHERE correction_status = 4)::int AS cancelled
       FROM alarms a GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
    )
  expect(await kept()).toEqual(await counted())
  await server.sql(`UPDATE alarm_hours SET raised = raised + 3, wrong = wrong - 1 WHERE hour = 6`)
  await server.sql(`DELETE FROM alarm_hours WHERE hour = 11`)
  expect(await kept()).not.toEqual(await counted())
  server.later(DAY * 1000)
  await recountFigures(server.db, server.now())
  expect(await kept()).toEqual(await counted())
  const [run] = await server.sql<{ note: string }>(
    `SELECT note FROM job_runs WHERE kind = 'figures' AND tenant_id = $1`,
    [people.hq.tenant],
  )
  expect(run!.note).toMatch(/^改正报警 \d+ 行，巡检 0 行，监督 0 行$/)
  server.later(-DAY * 1000)
})

test('before work begins the running day is no point of the curve and of nothing else', async () => {
  server.later(-5 * HOUR * 1000)
  await signIn()
  const early = await people.gm.call(statisticsApi.alarms, { query: {} })
  expect(early).toMatchObject({ begun: false, words: `${day(1).slice(5)} 全天`, to: today })
  expect(early.days.every((d) => d.key < today)).toBe(true)
  server.later(5 * HOUR * 1000)
  await signIn()
})

test('what cannot be asked is said in a sentence; who has no such page is refused', async () => {
  const ask = (query: object) => people.gm.askAny(statisticsApi.alarms, { query })
  expect(await ask({ from: day(1), to: day(3) })).toMatchObject({ msg: '开始日期不能晚于结束日期' })
  expect(await ask({ from: day(800), to: day(1) })).toMatchObject({ msg: '一次最多统计 400 天' })
  expect((await people.gm.askAny(alarmsApi.list, { query: { hour: '24' } })).code).not.toBe(200)
  for (const role of ['steward', 'inspector', 'device_keeper', 'service']) {
    const person = await server.as(role)
    for (const endpoint of [statisticsApi.alarms, statisticsApi.alarmTimes, statisticsApi.alarmGroups])
      expect((await person.askAny(endpoint, { query: {} })).msg, role).toBe('No Permission')
  }
})

test('each table as a file has the rows of the page', async () => {
  const { days, branches } = await people.gm.call(statisticsApi.alarms, { query: {} })
  const file = async (by: string) =>
    cellsOf((await people.gm.askAny(statisticsApi.alarmExport, { query: { by } })).bytes)
  const sum = (cells: readonly AlarmCell[]) => cells.reduce((n, c) => n + c.raised, 0)
  const raised = (rows: string[][]) =>
    rows.slice(1).reduce((n, r) => n + Number(r[rows[0]!.indexOf('报警')]), 0)
  const byDay = await file('day')
  expect(byDay[0]).toEqual(['日期', '报警', '属实', '误报', '未判', '已整改', '已取消', '未办结'])
  expect([byDay.length - 1, raised(byDay)]).toEqual([new Set(days.map((d) => d.key)).size, sum(days)])
  for (const by of ['type', 'branch', 'hour', 'site', 'person'])
    expect(raised(await file(by)), by).toBe(sum(branches))
  const cameras = await people.gm.call(statisticsApi.alarmGroups, { query: { by: 'camera', pageSize: 100 } })
  expect((await file('camera')).slice(1).map((r) => Number(r[3]))).toEqual(cameras.list.map((g) => g.raised))
  const times = await people.gm.call(statisticsApi.alarmTimes, { query: {} })
  expect((await file('time')).slice(1).map((r) => Number(r[2]))).toEqual(times.map((t) => t.n))
  // Who may not export is told so.
  const service = await server.as('inspector')
  expect((await service.askAny(statisticsApi.alarmExport, { query: {} })).msg).toBe('No Permission')
})
