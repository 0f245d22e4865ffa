import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { recountFigures } from '../../app/clock.ts'
import { shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { type Book, type LedSite, openBook } from '../../testing/supervised.ts'

/** What is kept for supervision against the records themselves, whatever was done to these. */
const HOUR = 3_600_000
const DAY = 24 * HOUR
let server: TestServer
let gm: Person
let book: Book
let sites: LedSite[]
let pm: string
let keeper: string
beforeAll(async () => {
  server = await startTestServer()
  server.later(startOfDay(shanghaiDay(server.now())).getTime() + 12 * HOUR - server.now().getTime())
  gm = await server.as('branch_gm')
  sites = await server.sql<LedSite>(
    `SELECT w.id, w.bc_id AS bc, w.ws_name AS name FROM sites w JOIN users u ON u.bc_id = w.bc_id
     WHERE u.user_name = 'branch_gm' AND w.status = 1 ORDER BY w.code LIMIT 3`,
  )
  book = await openBook(server, sites[0]!.bc)
  const idOf = async (name: string) =>
    (await server.sql<{ id: string }>('SELECT id FROM users WHERE user_name = $1', [name]))[0]!.id
  pm = await idOf('pm')
  keeper = await idOf('steward')
})
afterAll(() => server.stop())

const day = (moment: string) => `to_char(${moment} AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD')`
const PAIRS = `SELECT t.tenant_id, c.bc_id, c.site_id, t.user_id, c.correction_status, min(t.from_at) AS since,
    min(CASE WHEN t.due_at >= t.from_at AND (t.to_at IS NULL OR t.due_at < t.to_at) THEN t.due_at END) AS ran_out,
    max(CASE WHEN t.ended = 'submitted' AND c.correction_status = 3 THEN t.to_at END) AS handed,
    sum(CASE WHEN t.ended = 'submitted' THEN extract(epoch FROM t.to_at - t.from_at) END) AS took,
    (SELECT min(l.at) FROM correction_logs l WHERE l.correction_id = c.id AND l.action IN ('开始整改', '提交整改照片')
      AND l.at BETWEEN min(t.from_at) AND coalesce((SELECT f.to_at FROM correction_turns f
        WHERE f.correction_id = c.id AND f.user_id = t.user_id ORDER BY f.from_at LIMIT 1), 'infinity')) AS acted
  FROM correction_turns t JOIN corrections c ON c.id = t.correction_id
  WHERE c.correction_status <> 4 AND c.source <> 'feedback'
  GROUP BY t.tenant_id, c.tenant_id, c.id, t.user_id`
interface Row {
  key: string
  n: number[]
}
const lines = (rows: { key: string; n: number[] }[]) => rows.map((r) => `${r.key}: ${r.n.join(' ')}`)
const keptDays = async () =>
  lines(
    await server.sql<Row>(
      `SELECT bc_id || ' ' || day || ' ' || user_id || ' ' || of_site AS key,
         ARRAY[late, in_time, corrected, responded, planned, patrolled] AS n
       FROM supervised_days
       WHERE (late, in_time, corrected, responded, planned, patrolled) <> (0, 0, 0, 0, 0, 0)
       ORDER BY 1`,
    ),
  )
const countedDays = async () =>
  lines(
    await server.sql<Row>(
      `SELECT x.bc_id || ' ' || x.day || ' ' || x.user_id || ' ' || x.site_id AS key,
         ARRAY[count(*) FILTER (WHERE what = 'late'), count(*) FILTER (WHERE what = 'in_time'),
           count(*) FILTER (WHERE what IN ('in_time', 'after')), count(*) FILTER (WHERE what = 'responded'),
           count(*) FILTER (WHERE what IN ('done', 'missed')), count(*) FILTER (WHERE what = 'done')]::int[] AS n
       FROM (SELECT p.bc_id, ${day('p.ran_out')} AS day, p.user_id, p.site_id, 'late' AS what FROM (${PAIRS}) p
           WHERE p.ran_out IS NOT NULL
         UNION ALL SELECT p.bc_id, ${day('p.handed')}, p.user_id, p.site_id,
           CASE WHEN p.ran_out IS NULL THEN 'in_time' ELSE 'after' END
           FROM (${PAIRS}) p WHERE p.handed IS NOT NULL
         UNION ALL SELECT p.bc_id, ${day('p.acted')}, p.user_id, p.site_id, 'responded' FROM (${PAIRS}) p
           WHERE p.acted IS NOT NULL
         UNION ALL SELECT k.bc_id, ${day('k.closes_at')}, unnest(k.user_ids), k.site_id,
           CASE WHEN k.outcome IN (3, 4) THEN 'done' ELSE 'missed' END
           FROM patrol_tasks k WHERE coalesce(k.outcome, 0) <> 6) x
       GROUP BY 1 ORDER BY 1`,
    ),
  )
const keptStages = async () =>
  lines(
    await server.sql<Row>(
      `SELECT key, n FROM (SELECT bc_id || ' ' || day || ' ' || user_id || ' ' || stage AS key,
         ARRAY[sum(late), sum(in_time), sum(corrected), sum(responded), sum(planned), sum(patrolled)]::int[] AS n
       FROM supervised_stages GROUP BY 1) x WHERE n <> '{0,0,0,0,0,0}' ORDER BY 1`,
    ),
  )
/** The days as they are counted, each in the stage that had begun last by then, worked out here. */
async function countedStages(): Promise<string[]> {
  const stages = await server.sql<{ site: string; stage: string; from: string; sort: number }>(
    `SELECT site_id AS site, stage, actual_start::text AS from, sort FROM site_stages WHERE actual_start IS NOT NULL`,
  )
  const sums = new Map<string, number[]>()
  for (const line of await countedDays()) {
    const [, bc, on, user, site, n] = /^(\S+) (\S+) (\S+) (\S+): (.*)$/.exec(line)!
    const [last] = stages
      .filter((g) => g.site === site && g.from <= on!)
      .toSorted((a, b) => b.from.localeCompare(a.from) || b.sort - a.sort)
    const key = `${bc} ${on} ${user} ${last?.stage ?? ''}`
    const sum = sums.get(key) ?? [0, 0, 0, 0, 0, 0]
    sums.set(
      key,
      n!.split(' ').map((x, i) => sum[i]! + Number(x)),
    )
  }
  return [...sums].map(([key, n]) => `${key}: ${n.join(' ')}`).toSorted()
}
const keptTimes = async () =>
  lines(
    await server.sql<Row>(
      `SELECT bc_id || ' ' || day || ' ' || user_id || ' ' || what || ' ' || step AS key, ARRAY[n] AS n
       FROM supervised_times WHERE n <> 0 ORDER BY 1`,
    ),
  )
/** Minutes within an hour, ten minutes within a day, then hours; always up. */
function stepOf(seconds: number): number {
  for (const [most, step] of [
    [3_600, 60],
    [86_400, 600],
  ] as const)
    if (seconds <= most) return Math.ceil(seconds / step) * step
  return Math.ceil(seconds / 3_600) * 3_600
}
async function countedTimes() {
  const rows = await server.sql<{ key: string; what: string; took: number }>(
    `SELECT p.bc_id || ' ' || ${day('m.at')} || ' ' || p.user_id AS key, m.what, round(m.took)::int AS took
     FROM (${PAIRS}) p
     CROSS JOIN LATERAL (VALUES ('corrected', p.handed, p.took),
       ('responded', p.acted, extract(epoch FROM p.acted - p.since))) AS m(what, at, took)
     WHERE m.at IS NOT NULL`,
  )
  const all = Map.groupBy(rows, (r) => `${r.key} ${r.what} ${stepOf(r.took)}`)
  return [...all].map(([key, same]) => `${key}: ${same.length}`).toSorted()
}
async function asCounted(what: string): Promise<void> {
  expect(await keptDays(), what).toEqual(await countedDays())
  expect((await keptStages()).toSorted(), what).toEqual(await countedStages())
  expect((await keptTimes()).toSorted(), what).toEqual(await countedTimes())
}
const one = async (id = pm) =>
  (await gm.call(supervisionApi.people, { query: { pageSize: 100 } })).list.find((p) => p.id === id)!

test('what is kept is what the records say, after each thing that may happen to them', async () => {
  await asCounted('nothing')
  const site = sites[0]!.id
  const open = await book.correction({ site, who: pm, daysAgo: 2, hours: 0, ended: null, status: 2, due: 54 })
  for (const [daysAgo, hours] of [
    [9, 3],
    [8, 40],
    [5, 0.51],
  ] as const)
    await book.correction({ site, who: pm, daysAgo, hours, started: 0.255 })
  await asCounted('laid')
  const before = await one()
  expect([before.corrected, before.late, before.correctionP90]).toEqual([3, 1, 40 * 3_600])
  // The time of the open one runs out this afternoon: it is late then, and nothing has to happen for it.
  server.later(6 * HOUR)
  gm = await server.as('branch_gm')
  expect((await one()).late).toBe(2)
  server.later(-6 * HOUR)
  gm = await server.as('branch_gm')

  await server.sql(`UPDATE corrections SET assignee_id = $2, changed_at = :now WHERE id = $1`, [open, keeper])
  await asCounted('handed on')
  await server.sql(
    `UPDATE corrections SET step = 'submitted', changed_at = :now + interval '1 hour' WHERE id = $1`,
    [open],
  )
  await asCounted('submitted')
  await server.sql(
    `UPDATE corrections SET correction_status = 3, step = NULL, closed_at = :now, changed_at = :now WHERE id = $1`,
    [open],
  )
  await asCounted('verified')
  expect((await one(keeper)).corrected).toBe(1)
  await server.sql(
    `UPDATE corrections SET correction_status = 2, step = 'doing', closed_at = NULL, changed_at = :now
     WHERE id = $1`,
    [open],
  )
  await asCounted('opened again')
  expect((await one(keeper)).corrected).toBe(0)
  await server.sql(`UPDATE corrections SET correction_status = 4, step = NULL WHERE id = $1`, [open])
  await asCounted('cancelled')

  const task = await book.task({ site, people: [pm, keeper], daysAgo: 4, outcome: null })
  await asCounted('not made')
  expect([(await one()).planned, (await one()).missed]).toEqual([1, 1])
  // Made up for days later, by an event that came late.
  await server.sql('UPDATE patrol_tasks SET outcome = 4 WHERE id = $1', [task])
  await asCounted('made late')
  expect([(await one()).patrolled, (await one()).missed, (await one(keeper)).patrolled]).toEqual([1, 0, 1])
  await server.sql('UPDATE patrol_tasks SET outcome = 6 WHERE id = $1', [task])
  await asCounted('excused')
  expect((await one()).planned).toBe(0)

  // A stage that is said to have begun on another day takes along what happened since; others stay where they are.
  const has = async (stage: string) =>
    (await keptStages()).filter((line) => line.includes(` ${stage}: `)).length
  const began = (sort: number, daysAgo: number | null) =>
    server.sql(
      `UPDATE site_stages SET actual_start = (:now AT TIME ZONE 'Asia/Shanghai')::date - $3::int
       WHERE site_id = $1 AND sort = $2`,
      [site, sort, daysAgo],
    )
  const [first, second] = await server.sql<{ stage: string; sort: number }>(
    'SELECT stage, sort FROM site_stages WHERE site_id = $1 ORDER BY sort LIMIT 2',
    [site],
  )
  await server.sql('UPDATE site_stages SET actual_start = NULL WHERE site_id = $1', [site])
  await asCounted('no stage yet')
  expect(await has('')).toBeGreaterThan(2)
  await began(first!.sort, 20)
  await began(second!.sort, 6)
  await asCounted('two stages')
  const later = await has(second!.stage)
  expect(later).toBeGreaterThan(0)
  await began(second!.sort, 20)
  await asCounted('both on one day')
  await began(first!.sort, 2)
  await asCounted('the first one later')
  await began(second!.sort, null)
  await asCounted('taken back')
  await began(first!.sort, 9)
  await asCounted('began nine days ago')
  await server.sql(`DELETE FROM site_stages WHERE site_id = $1 AND stage = $2`, [site, first!.stage])
  await asCounted('gone')
  await server.sql(
    `INSERT INTO site_stages (tenant_id, site_id, stage, sort, actual_start)
     VALUES ($1, $2, $3, $4, (:now AT TIME ZONE 'Asia/Shanghai')::date - 7)`,
    [gm.tenant, site, first!.stage, first!.sort],
  )
  await asCounted('there again')

  const [other] = await server.sql<{ bc_id: string }>(
    'SELECT bc_id FROM companies WHERE bc_id <> $1 AND tenant_id = $2 LIMIT 1',
    [sites[0]!.bc, gm.tenant],
  )
  await server.sql('UPDATE corrections SET bc_id = $2 WHERE site_id = $1', [site, other!.bc_id])
  await asCounted('of another branch')
  expect((await one()).corrected).toBe(0)
  await server.sql('UPDATE corrections SET bc_id = $2 WHERE site_id = $1', [site, sites[0]!.bc])
  await server.sql('DELETE FROM correction_logs')
  await server.sql('DELETE FROM corrections WHERE id = $1', [open])
})

test('before work begins figures are of this minute, as what they count is', async () => {
  const at = (hours: number) => startOfDay(shanghaiDay(server.now())).getTime() + hours * HOUR
  for (const [hours, words] of [
    [4 + 40 / 60, '截至 04:40'],
    [23.5, '截至 23:30'],
    [12, '截至 12:00'],
  ] as const) {
    server.later(at(hours) + 1_000 - server.now().getTime())
    gm = await server.as('branch_gm')
    const { asOf } = await gm.call(supervisionApi.map, { query: {} })
    const { list: _rows, ...all } = await gm.call(supervisionApi.people, { query: {} })
    const own = await gm.call(supervisionApi.person, { query: { id: pm } })
    expect([asOf, all.asOf, own.asOf]).toEqual([words, words, words])
  }
})

test('the night puts right what it is off by, and says how much', async () => {
  await book.correction({ site: sites[1]!.id, who: pm, daysAgo: 3, hours: 2 })
  const right = [await keptDays(), await keptTimes(), await keptStages()]
  expect(right[0]!.length).toBeGreaterThan(2)
  // The log went without a word above: the night finds out.
  await server.sql('UPDATE supervised_days SET late = late + 2, planned = planned - 1')
  await server.sql(`DELETE FROM supervised_times WHERE what = 'corrected'`)
  await server.sql('UPDATE supervised_corrections SET took = took + 7200 WHERE handed IS NOT NULL')
  await server.sql(`UPDATE supervised_days SET stage = 'paint' WHERE day < :now::date - 4`)
  await server.sql('DELETE FROM supervised_stages WHERE corrected > 0')
  expect(await keptDays()).not.toEqual(await countedDays())
  expect(await keptStages()).not.toEqual(await countedStages())
  server.later(DAY)
  await recountFigures(server.db, server.now())
  await asCounted('after the night')
  const [run] = await server.sql<{ note: string }>(
    `SELECT note FROM job_runs WHERE kind = 'figures' AND tenant_id = $1`,
    [gm.tenant],
  )
  expect(run!.note).toMatch(/^改正报警 \d+ 行，巡检 \d+ 行，监督 [1-9]\d* 行$/)
  gm = await server.as('branch_gm')
  expect((await one()).corrected).toBe(4)
})
