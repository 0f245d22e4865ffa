import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import { FEW_JUDGED, figure, type Figure } from '@zhuguan/contract/features/supervision/supervision.record.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { type Book, type Laid, type LedSite, openBook } from '../../testing/supervised.ts'

const HOUR = 3_600_000
let server: TestServer
let gm: Person
let book: Book
let sites: LedSite[]
/** Managers of the branch: two who are there, two more who are made for it; and a steward. */
let ann: string, bob: string, cem: string, dan: string, keeper: string
beforeAll(async () => {
  server = await startTestServer()
  server.later(startOfDay(shanghaiDay(server.now())).getTime() + 12 * HOUR - server.now().getTime())
  gm = await server.as('branch_gm')
  sites = await server.sql<LedSite>(
    `SELECT w.id, w.bc_id AS bc, w.ws_name AS name FROM sites w JOIN users u ON u.bc_id = w.bc_id
     WHERE u.user_name = 'branch_gm' AND w.status = 1 ORDER BY w.code LIMIT 8`,
  )
  const bc = sites[0]!.bc
  book = await openBook(server, bc)
  const idOf = async (name: string) =>
    (await server.sql<{ id: string }>('SELECT id FROM users WHERE user_name = $1', [name]))[0]!.id
  ann = await idOf('pm')
  keeper = await idOf('steward')
  const another = async (name: string) =>
    (
      await server.sql<{ id: string }>(
        `INSERT INTO users (tenant_id, id, user_name, nickname, bc_id, post, password)
         VALUES ($1, gen_random_uuid(), $2, $2, $3, 2, '') RETURNING id`,
        [book.tenant, name, bc],
      )
    )[0]!.id
  bob = await another('bob')
  cem = await another('cem')
  dan = await another('dan')
  await server.sql('DELETE FROM site_leads')
  await server.sql(`UPDATE sites SET manager_id = NULL, steward_id = NULL, start_date = :today - 120`)
  // Two sites each for three of them, and two that ann handed to bob ten days ago.
  for (const [i, site] of sites.entries()) {
    await book.stages(site.id, i % 2 ? { tiling: 90 } : { plumbing: 90, tiling: 15 })
    await book.leads(site.id, 1, [[keeper, 100]])
  }
  for (const i of [0, 1]) await book.leads(sites[i]!.id, 2, [[ann, 100]])
  for (const i of [2, 3]) await book.leads(sites[i]!.id, 2, [[bob, 100]])
  for (const i of [4, 5]) await book.leads(sites[i]!.id, 2, [[cem, 100]])
  for (const i of [6, 7]) {
    await book.leads(sites[i]!.id, 2, [
      [ann, 100],
      [bob, 10],
    ])
  }
  await lay()
})
afterAll(() => server.stop())

async function lay() {
  const at = (i: number) => sites[i]!.id
  // Corrections: in time, late, handed on before the time ran out, closed by nobody yet, opened again, cancelled.
  for (const [who, i, daysAgo, hours] of [
    [ann, 0, 20, 5],
    [ann, 0, 12, 30],
    [ann, 1, 8, 50],
    [ann, 6, 14, 7],
    [bob, 2, 25, 11],
    [bob, 2, 6, 3],
    [bob, 3, 5, 4],
    [bob, 6, 4, 26],
    [cem, 4, 22, 40],
    [cem, 4, 11, 2],
    [cem, 5, 9, 60],
  ] as const)
    await book.correction({ site: at(i), who, daysAgo, hours })
  await book.correction({
    site: at(7),
    who: ann,
    daysAgo: 11,
    hours: 20,
    due: 48,
    ended: 'handed',
    status: 2,
  })
  await book.correction({ site: at(1), who: ann, daysAgo: 3, hours: 0, ended: null, status: 2, started: 2 })
  await book.correction({ site: at(3), who: bob, daysAgo: 7, hours: 6, status: 2 })
  // Before the span it was late, and so it is in none of it.
  await book.correction({ site: at(0), who: ann, daysAgo: 45, hours: 60 })
  for (const [who, i, daysAgo, outcome] of [
    [ann, 0, 9, 3],
    [ann, 1, 9, null],
    [ann, 1, 8, 4],
    [bob, 2, 9, 3],
    [bob, 3, 9, 3],
    [bob, 3, 8, 6],
    [cem, 4, 9, null],
    [cem, 5, 9, null],
    [cem, 5, 20, 3],
  ] as const)
    await book.task({ site: at(i), people: [who], daysAgo, outcome })
  // Still to be made up for.
  await book.task({ site: at(0), people: [ann], daysAgo: 0, outcome: null })
  for (const [who, i, daysAgo, kept] of [
    [ann, 0, 4, true],
    [ann, 6, 15, false],
    [bob, 2, 3, true],
    [cem, 4, 6, false],
  ] as const)
    await book.promise({ site: at(i), who, daysAgo, kept })
  await book.complaint({ site: at(6), people: [ann, keeper], daysAgo: 12 })
  await book.complaint({ site: at(6), people: [bob, keeper], daysAgo: 2 })
  await book.complaint({ site: at(5), people: [cem, keeper], daysAgo: 2 })
  await book.complaint({ site: at(2), people: [bob, cem, keeper], daysAgo: 5, about: cem })
  await book.warning({ site: at(0), people: [ann, keeper], daysAgo: 5, ended: 'done' })
  await book.warning({ site: at(7), people: [ann, keeper], daysAgo: 20, ended: 'replanned' })
  await book.warning({ site: at(4), people: [cem, keeper], daysAgo: 5, ended: 'replanned' })
  await book.warning({ site: at(4), people: [cem, keeper], daysAgo: 4, ended: 'hand' })
}

const people = async (query: object = {}) =>
  (await gm.call(supervisionApi.people, { query: { pageSize: 100, ...query } })).list
const one = async (id: string) => (await people()).find((p) => p.id === id)!
const behind = async (id: string, name: Figure, who = gm) =>
  who.call(supervisionApi.records, {
    query: { id, bc_id: sites[0]!.bc, figure: name, pageSize: 100 },
  })

/** Of what was laid: in the last thirty days, and whose it was. */
const inSpan = (r: Laid) => r.at >= book.moment(29, 0)
const of = (who: string, what: Laid['what']) =>
  book.laid.filter((r) => r.what === what && r.people.includes(who) && inSpan(r))
const bad = (all: Laid[]) => all.filter((r) => r.bad > 0)

test('figures are those of what was laid, of whoever had it then', async () => {
  for (const who of [ann, bob, cem, dan]) {
    const p = await one(who)
    const [corrections, tasks] = [of(who, 'correction'), of(who, 'task')]
    expect([p.nickname, p.late, p.planned, p.missed, p.patrolled]).toEqual([
      p.nickname,
      bad(corrections).length,
      tasks.length,
      bad(tasks).length,
      tasks.length - bad(tasks).length,
    ])
    expect([p.complaints, p.firstDue, p.firstBroken]).toEqual([
      of(who, 'complaint').length,
      of(who, 'promise').length,
      bad(of(who, 'promise')).length,
    ])
    const warnings = of(who, 'warning')
    expect([p.done, p.replanned]).toEqual([warnings.length - bad(warnings).length, bad(warnings).length])
    expect(p.byHand).toBe([cem, keeper].includes(who) ? 1 : 0)
  }
  // ann had six homes in the span though four are hers: complaints are told of those.
  expect(await one(ann)).toMatchObject({ sites: 2, homes: 4, complaints: 1, perTen: 2.5 })
  expect(await one(bob)).toMatchObject({ sites: 4, homes: 4 })
  expect(await one(dan)).toMatchObject({ sites: 0, homes: 0, perTen: null, judged: 0, rank: null })
})

test('half and nine tenths are of what was verified, and each with its number', async () => {
  // Of bob's five corrections one was opened again: it counts when it is verified again.
  const hours = [11, 3, 4, 26].map((h) => h * 3600).toSorted((a, b) => a - b)
  const p = await one(bob)
  expect([p.corrected, p.correctionP50, p.correctionP90]).toEqual([4, hours[1], hours[3]])
  expect([p.responded, p.responseP50]).toEqual([5, 3600])
  const again = await server.sql<{ id: string }>(
    `SELECT id FROM corrections WHERE assignee_id = $1 AND correction_status = 2`,
    [bob],
  )
  await server.sql(
    `UPDATE corrections SET correction_status = 3, step = NULL, closed_at = :now WHERE id = $1`,
    [again[0]!.id],
  )
  expect((await one(bob)).corrected).toBe(5)
  await server.sql(
    `UPDATE corrections SET correction_status = 2, step = 'doing', closed_at = NULL WHERE id = $1`,
    [again[0]!.id],
  )
  await server.sql(`DELETE FROM correction_turns WHERE correction_id = $1 AND to_at IS NULL`, [again[0]!.id])
  expect((await one(bob)).corrected).toBe(4)
})

test('every number opens its list, and the list shows exactly that many', async () => {
  let asked = 0
  for (const who of [ann, bob, cem, dan, keeper]) {
    const p = await one(who)
    for (const name of figure.values.filter((f) => f !== 'kept')) {
      const { list, totalCount } = await behind(who, name)
      expect([p.nickname, name, totalCount, list.length]).toEqual([p.nickname, name, p[name], p[name]])
      asked += totalCount
    }
  }
  expect(asked).toBeGreaterThan(60)
  const late = await behind(ann, 'late')
  expect(new Set(late.list.map((r) => r.id))).toEqual(new Set(bad(of(ann, 'correction')).map((r) => r.id)))
  const file = await gm.ask(supervisionApi.recordsExport, {
    query: { id: ann, bc_id: sites[0]!.bc, figure: 'late' },
  })
  expect((await cellsOf(file.bytes)).length - 1).toBe(late.totalCount)
})

/** The stage that a site was in, by how it was laid above. */
function stageOf(site: string, at: Date): string {
  const i = sites.findIndex((s) => s.id === site)
  return i % 2 || shanghaiDay(at) >= shanghaiDay(book.moment(15)) ? 'tiling' : 'plumbing'
}
/** Who had a home in the span and until when, by how it was laid above. */
const homesOf = (who: string): [site: string, until: Date][] => {
  const now = server.now()
  const his: Record<string, [number, Date][]> = {
    [ann]: [0, 1].map((i): [number, Date] => [i, now]).concat([6, 7].map((i) => [i, book.moment(10, 0)])),
    [bob]: [2, 3, 6, 7].map((i) => [i, now]),
    [cem]: [4, 5].map((i) => [i, now]),
    [dan]: [],
  }
  return his[who]!.map(([i, until]) => [sites[i]!.id, until])
}
/** Every judged record of the managers, with its cell: kind and stage. */
function judged() {
  const managers = [ann, bob, cem, dan]
  const records = book.laid
    .filter((r) => r.what !== 'complaint' && inSpan(r))
    .flatMap((r) =>
      r.people
        .filter((who) => managers.includes(who))
        .map((who) => ({ who, cell: `${r.what} ${stageOf(r.site, r.at)}`, bad: r.bad, id: r.id })),
    )
  const homes = managers.flatMap((who) => {
    const complaints = of(who, 'complaint')
    const his = new Map(homesOf(who))
    // About somebody on a site that was not theirs it is a home of its own.
    for (const c of complaints) if (!his.has(c.site)) his.set(c.site, c.at)
    return [...his].map(([site, until]) => ({
      who,
      cell: `home ${stageOf(site, until)}`,
      bad: complaints.filter((c) => c.site === site).length,
      id: site,
    }))
  })
  return [...records, ...homes]
}

test('the rank compares with the branch in the same stages, worked out again from what was laid', async () => {
  const all = judged()
  const mean = new Map(
    [...Map.groupBy(all, (r) => r.cell)].map(([cell, rs]) => [
      cell,
      rs.reduce((sum, r) => sum + r.bad, 0) / rs.length,
    ]),
  )
  const scored = [...Map.groupBy(all, (r) => r.who)].map(([who, rs]) => {
    const expected = rs.reduce((sum, r) => sum + mean.get(r.cell)!, 0)
    const real = rs.reduce((sum, r) => sum + r.bad, 0)
    return { who, n: rs.length, real, expected, off: (real - expected) / rs.length }
  })
  const ranked = scored.filter((s) => s.n >= FEW_JUDGED).toSorted((a, b) => a.off - b.off)
  expect(ranked).toHaveLength(3)
  for (const s of scored) {
    const p = await one(s.who)
    const place = ranked.findIndex((r) => r.who === s.who) + 1
    expect([p.nickname, p.judged, p.bad, p.expected, p.rank, p.ranked]).toEqual([
      p.nickname,
      s.n,
      s.real,
      Math.round(s.expected * 10) / 10,
      place || null,
      3,
    ])
  }
  // What was not as it should be is worse than the mean somewhere: the ranks are not all the same.
  expect(new Set(ranked.map((r) => Math.round(r.off * 1e6))).size).toBe(3)
  // The three that moved a rank most are the bad ones of which the least was expected.
  const { movers } = await gm.call(supervisionApi.person, { query: { id: cem, bc_id: sites[0]!.bc } })
  const weights = all
    .filter((r) => r.who === cem && r.bad > 0)
    .flatMap((r) => Array.from({ length: r.bad }, () => 1 - mean.get(r.cell)! / r.bad))
    .toSorted((a, b) => b - a)
  expect(movers.map((m) => m.weight)).toEqual(weights.slice(0, 3).map((w) => Math.round(w * 100) / 100))
  for (const m of movers) expect([m.bad, m.isReached]).toEqual([1, true])
})

test('under five judged records there is no rank but the number of them', async () => {
  const before = await one(dan)
  expect([before.rank, before.judged]).toEqual([null, 0])
  for (const daysAgo of [3, 4, 5, 6])
    await book.task({ site: sites[0]!.id, people: [dan], daysAgo, outcome: 3 })
  expect([(await one(dan)).rank, (await one(dan)).judged]).toEqual([null, 4])
  await book.task({ site: sites[0]!.id, people: [dan], daysAgo: 7, outcome: 3 })
  const after = await one(dan)
  expect([after.judged, after.ranked]).toEqual([5, 4])
  expect(after.rank).not.toBeNull()
  await server.sql('DELETE FROM patrol_tasks WHERE user_ids = ARRAY[$1::uuid]', [dan])
  book.laid.splice(0, book.laid.length, ...book.laid.filter((r) => !r.people.includes(dan)))
})

test('what waits the longest comes before how much waits; the list of all stands by it', async () => {
  const { oldest, person } = await gm.call(supervisionApi.person, { query: { id: ann, bc_id: sites[0]!.bc } })
  const open = await behind(ann, 'open')
  expect([person.open, oldest!.id, oldest!.since]).toEqual([
    open.totalCount,
    open.list[0]!.id,
    person.oldestAt,
  ])
  const since = open.list.map((r) => r.since!)
  expect(since).toEqual(since.toSorted((a, b) => a - b))
  const all = (await people()).map((p) => p.oldestAt ?? Infinity)
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  expect(person.open).toBeGreaterThan(0)
})

test('the file of all people is the list; days that end before they begin are refused', async () => {
  const [head, ...rows] = await cellsOf((await gm.ask(supervisionApi.peopleExport, { query: {} })).bytes)
  const shown = await people()
  expect(rows.map((r) => r[0])).toEqual(shown.map((p) => p.nickname))
  const at = head!.indexOf('超期整改')
  expect(rows.map((r) => Number(r[at]))).toEqual(shown.map((p) => p.late))
  const asked = (from: string, to: string) => gm.ask(supervisionApi.people, { query: { from, to } })
  expect((await asked('2026-02-02', '2026-02-01')).msg).toBe('开始日期不能晚于结束日期')
  expect((await asked('2026-01-01', '2026-06-01')).msg).toBe('一次最多看 92 天')
})
