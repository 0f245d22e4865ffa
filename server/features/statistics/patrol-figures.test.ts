import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import {
  patrolPlansApi,
  patrolTasksApi,
  patrolTemplatesApi,
} from '@zhuguan/contract/features/patrols/plans.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { TaskCounts } from '@zhuguan/contract/features/statistics/patrol-figures.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { recountFigures } from '../../app/clock.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

/** Every figure of PatrolStatistics against the raw occurrences and patrols, and against the list it opens. */
let server: TestServer
let people: Record<'hq' | 'gm' | 'gm2' | 'pm' | 'inspector', Person>
let today: string
let plan: string
let user: Record<string, string>
/** Under construction in the branch of `gm`; the first two are led by `pm`. */
let sites: { id: string; bc: string }[]
const HOUR = 3_600
const DAY = 86_400
const day = (ago: number) => addDays(today, -ago)
const moment = (ago: number, hour: number) => new Date(startOfDay(day(ago)).getTime() + hour * HOUR * 1000)

beforeAll(async () => {
  server = await startTestServer()
  const ten = startOfDay(addDays(shanghaiDay(server.now()), 1)).getTime() + 10 * HOUR * 1000
  server.later(ten - server.now().getTime())
  today = shanghaiDay(server.now())
  people = {
    hq: await server.as('hq_ops'),
    gm: await server.as('branch_gm'),
    gm2: await server.as('branch_gm2'),
    pm: await server.as('pm'),
    inspector: await server.as('inspector'),
  }
  const rows = await server.sql<{ user_name: string; id: string }>('SELECT user_name, id FROM users')
  user = Object.fromEntries(rows.map((r) => [r.user_name, r.id]))
  sites = await server.sql(
    `SELECT w.id, w.bc_id AS bc
     FROM (SELECT s.*, coalesce(s.manager_id = $1, false) AS led, row_number() OVER (
         PARTITION BY coalesce($1 IN (s.manager_id, s.steward_id), false) ORDER BY s.code) AS n
       FROM sites s JOIN companies c ON c.bc_id = s.bc_id AND c.code = 'HZ' WHERE s.status = 1) w
     WHERE w.n <= CASE WHEN w.led THEN 2 ELSE 4 END
     ORDER BY w.led DESC, w.code LIMIT 6`,
    [user.pm],
  )
  const template = await people.gm.call(patrolTemplatesApi.add, {
    body: { name: '日检', bc_id: sites[0]!.bc, items: [{ title: '地面清洁', weight: 1 }] },
  })
  plan = (
    await people.gm.call(patrolPlansApi.add, {
      body: {
        name: '每日巡检',
        kind: 'scene',
        bc_id: sites[0]!.bc,
        template_id: template.id,
        site_ids: sites.map((s) => s.id),
        every: 'day',
        weekdays: [1, 2, 3, 4, 5, 6, 7],
        share: 'one',
        user_ids: [user.pm!, user.inspector!],
        fromTime: '08:00',
        toTime: '18:00',
      },
    })
  ).id
  await fill()
})
afterAll(() => server.stop())

let number = 0
async function handIn(patrol: {
  site: string
  bc: string
  at: Date
  by: string
  kind?: string
  task?: string
  problems?: number
  tidiness?: number
}): Promise<void> {
  await server.sql(
    `INSERT INTO patrols (tenant_id, id, number, bc_id, site_id, kind, task_id, inspector_id, begun_at, submitted_at,
       status, problems, tidiness)
     VALUES ($1, gen_random_uuid(), $2, $3, $4, $5, $6, $7, $8::timestamptz, $8::timestamptz, 2, $9, $10)`,
    [
      people.hq.tenant,
      `S${++number}`,
      patrol.bc,
      patrol.site,
      patrol.kind ?? 'scene',
      patrol.task ?? null,
      patrol.by,
      patrol.at,
      patrol.problems ?? 0,
      patrol.tidiness ?? null,
    ],
  )
}
/** Ten days of six sites: done, late by different hours, missed, excused; one site never. */
async function fill(): Promise<void> {
  for (const [i, { bc, id: site }] of sites.entries())
    for (let ago = 10; ago >= 1; ago -= 1) {
      const n = i + ago
      const outcome = i === 5 ? null : ([3, 4, null, 6, 3][n % 5] ?? null)
      const [task] = await server.sql<{ id: string }>(
        `INSERT INTO patrol_tasks (tenant_id, id, bc_id, site_id, plan_id, day, user_ids, opens_at, closes_at,
           lapses_at, outcome)
         VALUES ($1, gen_random_uuid(), $2, $3, $4, $5, ARRAY[$6::uuid], $7, $8, $9, $10) RETURNING id`,
        [
          people.hq.tenant,
          bc,
          site,
          plan,
          day(ago),
          user.pm,
          moment(ago, 8),
          moment(ago, 18),
          moment(ago, 42),
          outcome,
        ],
      )
      if (outcome === 3 || outcome === 4)
        await handIn({
          site,
          bc,
          by: user[n % 2 ? 'pm' : 'inspector']!,
          at: moment(ago, outcome === 3 ? 17 : 18 + (n % 7) + 1),
          task: task!.id,
          problems: n % 3,
        })
    }
  // At the camera, one second before midnight and at midnight; what is begun and what is given up counts nowhere.
  const [first, second] = sites as [{ id: string; bc: string }, { id: string; bc: string }]
  for (const [at, tidiness] of [
    [new Date(moment(3, 24).getTime() - 1_000), 3],
    [moment(3, 24), 1],
  ] as const)
    await handIn({ site: first.id, bc: first.bc, by: user.inspector!, at, kind: 'remote', tidiness })
  await handIn({ site: second.id, bc: second.bc, by: user.inspector!, at: moment(0, 9), problems: 2 })
  // The morning's lists: each patrol counts for the reasons of its day and the two before, once.
  await server.sql('DELETE FROM site_ranks')
  for (const [i, { bc, id: site }] of sites.entries())
    for (const ago of [9, 8, 4])
      await server.sql(
        `INSERT INTO site_ranks (tenant_id, bc_id, site_id, day, rank, score, reasons)
         VALUES ($1, $2, $3, $4, $5, 1, $6::jsonb)`,
        [
          people.hq.tenant,
          bc,
          site,
          day(ago),
          i + 1,
          JSON.stringify(
            (i % 2 ? ['alarms', 'unvisited'] : ['random']).map((code) => ({
              code,
              n: 1,
              stage: null,
              points: 1,
            })),
          ),
        ],
      )
}

interface Task {
  id: string
  site_id: string
  bc_id: string
  day: string
  outcome: number | null
  lapsed: boolean
  lateness: number | null
}
interface Patrol {
  id: string
  bc_id: string
  site_id: string
  kind: string
  by: string
  day: string
  problems: number
  tidiness: number | null
}
type Who = keyof typeof people
const reach = (who: Who) =>
  ({
    hq: 'true',
    gm: `c.code = 'HZ'`,
    inspector: `c.code = 'HZ'`,
    gm2: `c.code = 'NB'`,
    pm: `'pm' = ANY (ARRAY(SELECT u.user_name FROM users u WHERE u.id IN (w.manager_id, w.steward_id)))`,
  })[who]
const dayOf = (column: string) => `to_char(${column} AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD')`
const tasksOf = (who: Who) =>
  server.sql<Task>(
    `SELECT t.id, t.site_id, t.bc_id, ${dayOf('t.closes_at')} AS day, t.outcome, t.lapses_at <= :now AS lapsed,
       floor(extract(epoch FROM p.submitted_at - t.closes_at))::int AS lateness
     FROM patrol_tasks t JOIN sites w ON w.id = t.site_id JOIN companies c ON c.bc_id = t.bc_id
     LEFT JOIN patrols p ON p.task_id = t.id AND p.status = 2
     WHERE t.tenant_id = $1 AND ${reach(who)}`,
    [people.hq.tenant],
  )
const patrolsOf = (who: Who) =>
  server.sql<Patrol>(
    `SELECT p.id, p.bc_id, p.site_id, p.kind, p.inspector_id AS by, ${dayOf('p.submitted_at')} AS day, p.problems,
       p.tidiness
     FROM patrols p JOIN sites w ON w.id = p.site_id JOIN companies c ON c.bc_id = p.bc_id
     WHERE p.tenant_id = $1 AND p.status = 2 AND ${reach(who)}`,
    [people.hq.tenant],
  )
const tally = (rows: readonly Task[]): TaskCounts => ({
  tasks: rows.length,
  done: rows.filter((t) => t.outcome === 3).length,
  late: rows.filter((t) => t.outcome === 4).length,
  missed: rows.filter((t) => t.outcome === null && t.lapsed).length,
  waiting: rows.filter((t) => t.outcome === null && !t.lapsed).length,
  excused: rows.filter((t) => t.outcome === 6).length,
})
const countsOf = ({ done, excused, late, missed, tasks, waiting }: TaskCounts): TaskCounts => ({
  tasks,
  done,
  late,
  missed,
  waiting,
  excused,
})
const total = async (person: Person, endpoint: Endpoint, query: object) =>
  ((await person.askAny(endpoint, { query })).data as { totalCount: number }).totalCount
const STATES = { done: '3', late: '4', missed: '5', waiting: '1,2', excused: '6' } as const
async function opens(person: Person, figure: TaskCounts, query: object): Promise<void> {
  expect(await total(person, patrolTasksApi.list, query)).toBe(figure.tasks)
  for (const [name, state] of Object.entries(STATES))
    expect(await total(person, patrolTasksApi.list, { ...query, state }), name).toBe(
      figure[name as keyof typeof STATES],
    )
}
const found = (p: Patrol) => p.problems > 0 || p.tidiness === 3
const within = (values: readonly number[], hundredth: number) => {
  if (values.length < 5) return null
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil((sorted.length * hundredth) / 100) - 1]!
}
const handedIn = (from: string, to: string) => ({
  status: '2',
  from: startOfDay(from).getTime() / 1000,
  to: startOfDay(addDays(to, 1)).getTime() / 1000,
})

async function check(who: Who, query: { from?: string; to?: string; kind?: ['scene' | 'remote'] } = {}) {
  const person = people[who]
  const figures = await person.call(statisticsApi.patrols, { query })
  const [from, to] = [query.from ?? day(29), query.to ?? today]
  const last = to < today ? to : day(1)
  expect(figures).toMatchObject({ from, to, whole: { from, to: last } })
  const kind = query.kind ? { kind: query.kind[0] } : {}
  // All plans of the story are of one kind.
  const all = (await tasksOf(who)).filter(() => query.kind?.[0] !== 'remote')
  const over = all.filter((t) => t.day >= from && t.day <= last)
  for (let d = from; d <= to; d = addDays(d, 1)) {
    const cell = figures.days.find((c) => c.key === d)
    const expected = tally(all.filter((t) => t.day === d))
    expect(cell ? countsOf(cell) : tally([]), `${who} ${d}`).toEqual(expected)
    if (cell) await opens(person, cell, { closesFrom: d, closesTo: d, ...kind })
  }
  for (const cell of figures.branches) {
    expect(countsOf(cell)).toEqual(tally(over.filter((t) => t.bc_id === cell.key)))
    await opens(person, cell, { closesFrom: from, closesTo: last, bc_id: cell.key, ...kind })
  }
  expect(figures.branches.map((c) => c.key).sort()).toEqual([...new Set(over.map((t) => t.bc_id))].sort())
  await checkSites(person, over, figures.sites, {
    ...query,
    closes: { closesFrom: from, closesTo: last, ...kind },
  })
  const late = over.filter((t) => t.outcome === 4).map((t) => t.lateness!)
  expect(figures.late).toEqual({ n: late.length, p50: within(late, 50), p90: within(late, 90) })
  const made = (await patrolsOf(who)).filter(
    (p) => p.day >= from && p.day <= last && (!query.kind || p.kind === query.kind[0]),
  )
  await checkYields(person, made, figures, { query, span: handedIn(from, last), kind })
  return { figures, over, made }
}
async function checkSites(
  person: Person,
  over: Task[],
  figure: { due: number; covered: number },
  { closes, ...query }: { closes: object; from?: string; to?: string },
) {
  const bySite = [...Map.groupBy(over, (t) => t.site_id)].map(([id, tasks]) => ({ id, ...tally(tasks) }))
  const covered = bySite.filter((s) => s.done + s.late > 0)
  const due = bySite.filter((s) => s.tasks > s.excused || s.done + s.late > 0)
  expect(figure).toEqual({ due: due.length, covered: covered.length })
  expect(await total(person, statisticsApi.patrolSites, { ...query, coverage: 'covered' })).toBe(
    covered.length,
  )
  expect(await total(person, statisticsApi.patrolSites, { ...query, coverage: 'uncovered' })).toBe(
    due.length - covered.length,
  )
  const { list } = await person.call(statisticsApi.patrolSites, { query: { ...query, pageSize: 100 } })
  expect(list.map((s) => s.missed)).toEqual(bySite.map((s) => s.missed).sort((a, b) => b - a))
  for (const row of list) {
    expect({ id: row.id, ...countsOf(row) }).toEqual(bySite.find((s) => s.id === row.id))
    await opens(person, row, { ...closes, site_id: row.id })
  }
}
async function checkYields(
  person: Person,
  made: Patrol[],
  figures: {
    kinds: { kind: string; made: number; found: number; problems: number }[]
    reasons: { reason: string; made: number; found: number }[]
  },
  { query, span, kind }: { query: object; span: object; kind: object },
) {
  const yields = (rows: Patrol[]) => ({
    made: rows.length,
    found: rows.filter(found).length,
    problems: rows.reduce((n, p) => n + p.problems, 0),
  })
  expect(figures.kinds).toEqual(
    [...Map.groupBy(made, (p) => p.kind)]
      .map(([name, rows]) => ({ kind: name, ...yields(rows) }))
      .sort((a, b) => (a.kind < b.kind ? -1 : 1)),
  )
  for (const k of figures.kinds)
    for (const [isFound, n] of [
      [true, k.found],
      [false, k.made - k.found],
    ] as const)
      expect(await total(person, patrolsApi.list, { ...span, kind: k.kind, found: isFound })).toBe(n)
  const { list } = await person.call(statisticsApi.patrolPeople, { query: { ...query, pageSize: 100 } })
  expect(list).toHaveLength(new Set(made.map((p) => p.by)).size)
  for (const { id, name: _name, ...row } of list) {
    expect(row).toEqual(yields(made.filter((p) => p.by === id)))
    expect(await total(person, patrolsApi.list, { ...span, ...kind, user_id: id, found: true })).toBe(
      row.found,
    )
  }
  const lists = await server.sql<{ site_id: string; day: string; codes: string[] }>(
    `SELECT site_id, day::text, ARRAY(SELECT e->>'code' FROM jsonb_array_elements(reasons) e) AS codes FROM site_ranks
     WHERE tenant_id = $1`,
    [people.hq.tenant],
  )
  const reasonsOf = (p: Patrol) =>
    new Set(
      lists
        .filter((l) => l.site_id === p.site_id && l.day <= p.day && p.day <= addDays(l.day, 2))
        .flatMap((l) => l.codes),
    )
  for (const reason of ['alarms', 'unvisited', 'random', 'covering']) {
    const counted = made.filter((p) => reasonsOf(p).has(reason))
    const figure = figures.reasons.find((r) => r.reason === reason) ?? { made: 0, found: 0 }
    expect(figure, reason).toMatchObject({ made: counted.length, found: counted.filter(found).length })
    expect(await total(person, patrolsApi.list, { ...span, ...kind, reason })).toBe(counted.length)
    expect(await total(person, patrolsApi.list, { ...span, ...kind, reason, found: true })).toBe(figure.found)
  }
}

test('each figure is what plans wanted and people did, and what its list counts', async () => {
  const { figures, over, made } = await check('hq')
  expect(over).toHaveLength(60)
  expect(made.length).toBeGreaterThan(25)
  expect(figures.sites).toEqual({ due: 6, covered: 5 })
  expect(figures.late.p50).toBeGreaterThan(HOUR)
  expect(figures.reasons.map((r) => r.reason).sort()).toEqual(['alarms', 'random', 'unvisited'])
  // Of yesterday something may still be done, so it is not missed yet.
  expect(figures.days.find((d) => d.key === day(1))!.waiting).toBeGreaterThan(0)
  // Today is a point of its own.
  expect(figures.days.some((d) => d.key === today)).toBe(true)
  const own = await check('pm')
  expect(own.over.length).toBeGreaterThan(0)
  expect(own.over.length).toBeLessThan(60)
  await check('inspector', { from: day(6), to: day(2) })
  // Of the first site all of that day was excused: nobody was wanted there.
  const one = await check('gm', { from: day(3), to: day(3) })
  expect(one.figures.sites).toEqual({ due: 5, covered: 3 })
  await check('gm', { kind: ['remote'] })
  await check('gm', { kind: ['scene'] })
  expect((await check('gm2')).over).toEqual([])
})

test('made up for today, excused afterwards, handed in today: yesterday says so at once', async () => {
  const yesterday = async () => countsOf((await check('gm')).figures.days.find((d) => d.key === day(1))!)
  const before = await yesterday()
  const { list } = await people.pm.call(patrolTasksApi.list, {
    query: { closesFrom: day(1), closesTo: day(1), state: [2] },
  })
  const patrol = await people.pm.call(patrolsApi.begin, { body: { task_id: list[0]!.id } })
  await people.pm.call(patrolsApi.submit, {
    body: {
      id: patrol.id,
      items: [
        {
          id: patrol.items[0]!.id,
          verdict: 'passed' as const,
          pictures: [await uploadPhoto(server.url, people.pm)],
        },
      ],
    },
  })
  expect(await yesterday()).toEqual({ ...before, late: before.late + 1, waiting: before.waiting - 1 })
  const missed = await people.gm.call(patrolTasksApi.list, { query: { state: [5] } })
  const { closesAt, id, version } = missed.list[0]!
  const on = shanghaiDay(new Date(closesAt * 1000))
  const that = async () => countsOf((await check('gm')).figures.days.find((d) => d.key === on)!)
  const then = await that()
  await people.gm.call(patrolTasksApi.excuse, { body: { id, version, reason: '当天停电' } })
  expect(await that()).toEqual({ ...then, missed: then.missed - 1, excused: then.excused + 1 })
})

test('a site that changes its branch takes what was patrolled along, and its new branch sees each row', async () => {
  const home = sites[3]!
  const sum = async (who: Who) => (await check(who)).over.length
  const [old, next] = [await sum('gm'), await sum('gm2')]
  const admin = await server.as('admin')
  const [to] = await server.sql<{ bc_id: string }>(`SELECT bc_id FROM companies WHERE code = 'NB'`)
  const { version } = await admin.call(sitesApi.details, { query: { id: home.id } })
  await admin.call(sitesApi.move, { body: { id: home.id, version, bc_id: to!.bc_id, reason: '划归宁波' } })
  expect([await sum('gm'), await sum('gm2')]).toEqual([old - 10, next + 10])
  const shown = await people.gm2.call(patrolTasksApi.list, {
    query: { closesFrom: day(10), closesTo: day(1), pageSize: 50 },
  })
  expect(shown.list).toHaveLength(shown.totalCount)
  expect(shown.totalCount).toBe(10)
})

test('what is kept is put right at night by what it is off by', async () => {
  const kept = async () => [
    await server.sql(
      `SELECT tenant_id, day::text, bc_id, plan_id, tasks, done, late, excused FROM patrol_task_days WHERE tasks <> 0
       ORDER BY 1, 2, 3, 4`,
    ),
    await server.sql(
      `SELECT tenant_id, day::text, bc_id, kind, inspector_id, made, found, problems FROM patrol_days WHERE made <> 0
       ORDER BY 1, 2, 3, 4, 5`,
    ),
  ]
  const counted = async () => [
    await server.sql(
      `SELECT tenant_id, ${dayOf('closes_at')} AS day, bc_id, plan_id, count(*)::int AS tasks,
         count(*) FILTER (WHERE outcome = 3)::int AS done, count(*) FILTER (WHERE outcome = 4)::int AS late,
         count(*) FILTER (WHERE outcome = 6)::int AS excused
       FROM patrol_tasks GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
    ),
    await server.sql(
      `SELECT tenant_id, ${dayOf('submitted_at')} AS day, bc_id, kind, inspector_id, count(*)::int AS made,
         count(*) FILTER (WHERE problems > 0 OR tidiness = 3)::int AS found, sum(problems)::int AS problems
       FROM patrols WHERE status = 2 GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
    ),
  ]
  expect(await kept()).toEqual(await counted())
  await server.sql('UPDATE patrol_task_days SET late = late + 2, tasks = tasks - 1')
  await server.sql(`DELETE FROM patrol_days WHERE kind = 'remote'`)
  expect(await kept()).not.toEqual(await counted())
  server.later(DAY * 1000)
  await recountFigures(server.db, server.now())
  expect(await kept()).toEqual(await counted())
  server.later(-DAY * 1000)
})

test('each table as a file has the rows of the page; who has no such page is refused', async () => {
  const figures = await people.gm.call(statisticsApi.patrols, { query: {} })
  const file = async (by: string) =>
    cellsOf((await people.gm.askAny(statisticsApi.patrolExport, { query: { by } })).bytes)
  const numbers = (rows: string[][], column: string) =>
    rows.slice(1).map((r) => Number(r[rows[0]!.indexOf(column)]))
  expect(numbers(await file('day'), '任务')).toEqual(figures.days.map((d) => d.tasks))
  expect(numbers(await file('branch'), '未巡检')).toEqual(figures.branches.map((b) => b.missed))
  const { list } = await people.gm.call(statisticsApi.patrolSites, { query: { pageSize: 100 } })
  expect(numbers(await file('site'), '未巡检')).toEqual(list.map((s) => s.missed))
  const persons = await people.gm.call(statisticsApi.patrolPeople, { query: { pageSize: 100 } })
  expect(numbers(await file('person'), '巡检')).toEqual(persons.list.map((p) => p.made))
  expect(numbers(await file('reason'), '有收获')).toEqual(figures.reasons.map((r) => r.found))
  const pm = people.pm
  expect((await pm.askAny(statisticsApi.patrolExport, { query: {} })).msg).toBe('No Permission')
  for (const role of ['steward', 'device_keeper', 'service']) {
    const person = await server.as(role)
    for (const endpoint of [statisticsApi.patrols, statisticsApi.patrolSites, statisticsApi.patrolPeople])
      expect((await person.askAny(endpoint, { query: {} })).msg, role).toBe('No Permission')
  }
})
