import { rankingsApi } from '@zhuguan/contract/features/rankings/rankings.api.ts'
import { reasonWords } from '@zhuguan/contract/features/rankings/rankings.record.ts'
import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { rankToday } from '../../app/clock.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { rankSites } from './rankings.service.ts'

let server: TestServer
let gm: Person
let bc: string
let sites: string[]
let today: string
let inspector: string

beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  today = shanghaiDay(server.now())
  const [branch] = await server.sql<{ bc: string; id: string }>(
    `SELECT c.bc_id AS bc, u.id FROM companies c JOIN users u ON u.user_name = 'inspector' WHERE c.code = 'HZ'`,
  )
  bc = branch!.bc
  inspector = branch!.id
  await quiet()
  const rows = await server.sql<{ id: string }>(
    'SELECT id FROM sites WHERE bc_id = $1 AND status = 1 AND deleted_at IS NULL ORDER BY id',
    [bc],
  )
  sites = rows.map((r) => r.id)
  expect(sites.length).toBeGreaterThan(8)
  await gm.call(settingsApi.update, { body: { bcId: bc, values: { rankSize: 7 } } })
})
afterAll(() => server.stop())

/** Nothing speaks for any site. */
async function quiet(): Promise<void> {
  await server.sql('UPDATE sites SET open_alarms = 0, no_work_run = 0, start_date = :today')
  await server.sql('UPDATE site_stages SET planned_finish = planned_finish - 1000')
  await server.sql('DELETE FROM tidiness_checks')
}
const make = (day: string) =>
  server.db.tx({ ...SYSTEM }, (tx) =>
    rankSites(tx, gm.tenant, day, new Date(startOfDay(day).getTime() + 6 * 3_600_000)),
  )
const list = async (query: object = {}, who = gm) => (await who.call(rankingsApi.list, { query })).list
const weights = () => gm.call(rankingsApi.weights, { query: { bc_id: bc } })
const weightOf = async (reason: string) => (await weights()).weights.find((w) => w.reason === reason)!
let patrols = 0
/** A patrol that was handed in on a day, and what it found. */
const patrol = (site: string, day: string, problems: number, kind = 'scene') =>
  server.sql(
    `INSERT INTO patrols (tenant_id, id, number, bc_id, site_id, kind, inspector_id, begun_at, submitted_at, status,
       problems)
     VALUES ($1, gen_random_uuid(), $2, $3, $4, $5, $6, $7::timestamptz, $7::timestamptz, 2, $8)`,
    [
      gm.tenant,
      `R${++patrols}`,
      bc,
      site,
      kind,
      inspector,
      new Date(startOfDay(day).getTime() + 36_000_000),
      problems,
    ],
  )

test('the morning’s list: what weighs most comes first, with its reasons in words, one of ten by chance', async () => {
  const [a, b, c, d, e, f] = sites as [string, string, string, string, string, string]
  await server.sql('UPDATE sites SET open_alarms = 5 WHERE id = $1', [a])
  for (const [site, stage, days] of [
    [b, 'plumbing', 0],
    [c, 'waterproof', 2],
  ] as const)
    await server.sql(
      `INSERT INTO site_stages (tenant_id, site_id, stage, sort, planned_finish, actual_start)
       VALUES ($1, $2, $3, 3, $4::date, $4::date - 9)
       ON CONFLICT (tenant_id, site_id, stage) DO UPDATE SET planned_finish = excluded.planned_finish,
         actual_start = excluded.actual_start, actual_finish = NULL`,
      [gm.tenant, site, stage, addDays(today, days)],
    )
  await server.sql('UPDATE sites SET no_work_run = 7 WHERE id = $1', [d])
  await server.sql('UPDATE sites SET start_date = $2::date WHERE id = $1', [e, addDays(today, -30)])
  // Seven days ago somebody was there; that the camera was looked at since is no visit.
  await patrol(e, addDays(today, -7), 0)
  await patrol(e, addDays(today, -2), 0, 'remote')
  await server.sql('UPDATE sites SET open_alarms = 3 WHERE id = $1', [f])
  for (const day of [-1, -2, -3, -9])
    await server.sql(
      `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, at, result)
       VALUES ($1, gen_random_uuid(), $2, $3, $4::timestamptz, 3)`,
      [gm.tenant, bc, f, startOfDay(addDays(today, day))],
    )
  await make(today)
  const rows = await list()
  // Reckoned by hand: points of each reason are its share of the full measure, times its weight.
  expect(rows.slice(0, 6).map((r) => [r.rank, r.id, r.score, r.reasons.map(reasonWords).join('，')])).toEqual(
    [
      [1, f, 1.4, '近 7 天 3 次整洁度差，3 条未整改报警'],
      [2, b, 1.2, '今天水电封槽'],
      [3, a, 1, '5 条未整改报警'],
      [4, d, 0.8, '连续 7 天无人施工'],
      [5, c, 0.6, '防水 2 天后铺贴'],
      [6, e, 0.5, '7 天没人去过'],
    ],
  )
  expect(rows).toHaveLength(7)
  expect(rows[6]!.reasons.map((r) => r.code)).toEqual(['random'])
  expect(rows[5]).toMatchObject({ lastAt: expect.any(Number), doneAt: null })
  await patrol(a, today, 1)
  expect((await list()).find((r) => r.id === a)!.doneAt).toEqual(expect.any(Number))
  expect((await list({ reason: ['covering'] })).map((r) => r.id)).toEqual([b, c])
})

test('made twice it is made once: the list of the morning stays as people have seen it', async () => {
  const before = await server.sql('SELECT * FROM site_ranks ORDER BY tenant_id, day, bc_id, rank')
  await server.sql('UPDATE sites SET open_alarms = 5 WHERE id = $1', [sites[7]])
  await make(today)
  await rankToday(server.db, server.now())
  expect(
    await server.sql('SELECT * FROM site_ranks WHERE day = $1 AND bc_id = $2', [today, bc]),
  ).toHaveLength(7)
  const after = await server.sql('SELECT * FROM site_ranks WHERE bc_id = $1 ORDER BY rank', [bc])
  expect(after).toEqual(before.filter((r) => (r as { bc_id: string }).bc_id === bc))
  await quiet()
})

test('weights follow what patrols found, a small step a week; pinned they stay, and none falls too low', async () => {
  await server.sql('DELETE FROM site_ranks')
  await server.sql('DELETE FROM patrols')
  // Twenty patrols for alarms found something sixteen times, twenty for silence twice, five for chance once.
  const told: [code: string, n: number, found: number][] = [
    ['alarms', 20, 16],
    ['silence', 20, 2],
    ['covering', 12, 4],
    ['random', 5, 1],
  ]
  for (const [kind, [code, n, found]] of told.entries())
    for (let i = 0; i < n; i += 1) {
      // Each reason on sites of its own, each patrol further from the next than it counts.
      const site = sites[2 * kind + (i % 2)]!
      const day = addDays(today, -3 - Math.floor(i / 2) * 3)
      await server.sql('INSERT INTO site_ranks VALUES ($1, $2, $3, $4::date, 1, 1, $5)', [
        gm.tenant,
        bc,
        site,
        day,
        JSON.stringify([{ code, n: 1, stage: null, points: 1 }]),
      ])
      await patrol(site, day, i < found ? 2 : 0)
    }
  const yielded = await weights()
  expect(yielded.all).toEqual({ n: 57, found: 23 })
  expect(await weightOf('unvisited')).toMatchObject({ n: 0, found: 0, weight: 1, version: 0 })
  await gm.call(rankingsApi.setWeight, {
    body: { bc_id: bc, kind: 'covering', weight: 2, version: 0, reason: '隐蔽工程必须看' },
  })
  const monday = addDays(today, 7 - ((new Date(today).getUTCDay() + 6) % 7))
  await make(monday)
  await make(addDays(monday, 1))
  expect((await weightOf('alarms')).weight).toBe(1.1)
  expect((await weightOf('silence')).weight).toBe(0.72)
  expect(await weightOf('covering')).toMatchObject({ weight: 2, pinned: true, version: 1 })
  expect((await weightOf('unvisited')).weight).toBe(1)
  const { history } = await weights()
  expect(history.find((h) => h.reason === 'alarms')).toMatchObject({ actor: '系统', was: 1, weight: 1.1 })
  expect(history.find((h) => h.reason === 'alarms')!.text).toMatch(
    /^60 天内为此去了 \d+ 次，\d+ 次发现问题（\d+%），全部巡检/,
  )
  expect(history.filter((h) => h.actor === '系统')).toHaveLength(2)
  await server.sql(`UPDATE rank_weights SET weight = 0.21 WHERE reason = 'silence'`)
  await make(addDays(monday, 7))
  expect((await weightOf('alarms')).weight).toBe(1.21)
  expect((await weightOf('silence')).weight).toBe(0.2)
  expect((await weightOf('covering')).weight).toBe(2)
})

test('a weight is set by who may, in their own branch, once; let go it learns again', async () => {
  const set = async (who: Person, more: object = {}) =>
    who.ask(rankingsApi.setWeight, {
      body: {
        bc_id: bc,
        kind: 'untidy',
        weight: 1.5,
        version: (await weightOf('untidy')).version,
        reason: '业主常投诉脏乱',
        ...more,
      },
    })
  const free = async () =>
    gm.ask(rankingsApi.freeWeight, {
      body: { bc_id: bc, kind: 'untidy', version: (await weightOf('untidy')).version, reason: '再试试' },
    })
  expect((await set(await server.as('inspector'))).msg).toBe('No Permission')
  expect((await set(await server.as('branch_gm2'))).status).toBe(403)
  expect((await set(gm, { weight: 9 })).msg).toContain('权重最多 3')
  expect((await set(gm, { reason: '' })).code).toBe(400)
  expect((await free()).msg).toBe('这项权重没有固定，本来就在按效果学习')
  const both = await Promise.all([set(gm, { version: 0 }), set(gm, { version: 0 })])
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  expect(await weightOf('untidy')).toMatchObject({ weight: 1.5, pinned: true, version: 1 })
  expect((await free()).code).toBe(200)
  expect(await weightOf('untidy')).toMatchObject({ weight: 1.5, pinned: false, version: 2 })
  const logged = await server.sql<{ action: string }>(
    `SELECT action FROM user_logs WHERE object = 'ranking' AND outcome = 'done' ORDER BY id`,
  )
  expect(logged.map((l) => l.action)).toEqual(['设置巡检权重', '设置巡检权重', '恢复权重学习'])
})

test('each branch sees its own list and weights; the file holds the reasons in words', async () => {
  await server.sql('DELETE FROM site_ranks WHERE day = $1', [today])
  await server.sql('UPDATE sites SET open_alarms = 2 WHERE id = $1', [sites[0]])
  await make(today)
  for (const name of ['branch_gm2', 'other']) {
    const stranger = await server.as(name)
    expect((await list({ bc_id: [bc] }, stranger)).length, name).toBe(0)
    expect((await stranger.ask(rankingsApi.weights, { query: { bc_id: bc } })).status, name).toBe(403)
  }
  const hq = await server.as('hq_ops')
  expect((await list({ bc_id: [bc] }, hq)).map((r) => r.id)).toEqual((await list()).map((r) => r.id))
  const cells = await cellsOf((await gm.ask(rankingsApi.export, { query: {} })).bytes)
  expect(cells[0]!.slice(0, 4)).toEqual(['名次', '工地', '分公司', '为什么'])
  expect(cells.slice(1).some((row) => row[3]!.includes('2 条未整改报警'))).toBe(true)
})

test('promises due or broken and open complaints speak for a site, what is kept from anybody does not', async () => {
  await quiet()
  await server.sql('DELETE FROM patrols')
  const steward = await server.sql<{ id: string }>(`SELECT steward_id AS id FROM sites WHERE id = $1`, [
    sites[0],
  ])
  const promise = (site: string, due: string, state: string, changed: string) =>
    server.sql(
      `INSERT INTO promises (tenant_id, id, bc_id, site_id, content, subject, author_id, post, first_due, due, state,
         made_at, changed_by, changed_at)
       VALUES ($1, gen_random_uuid(), $2, $3, '周五前装好', 'schedule', $4, 1, $5, $5, $6, :now - interval '60 days',
         '管家', $7)`,
      [gm.tenant, bc, site, inspector, due, state, startOfDay(changed)],
    )
  const complaint = (site: string, status: number, hidden: string | null = null) =>
    server.sql(
      `INSERT INTO feedback (tenant_id, id, no, bc_id, site_id, kind, level, about, channel, words, status, entered_by,
         entered_at, answer_warn_at, answer_due_at, close_due_at, closed_at, hidden_from, changed_by, changed_at)
       SELECT $1, gen_random_uuid(), 'T' || gen_random_uuid(), $2, $3, 'complaint', 1, 'work', 'phone', '不平', $4::int,
         '客服',
         :now, :now, :now, :now, CASE WHEN $4::int > 2 THEN :now END, $5, '客服', :now`,
      [gm.tenant, bc, site, status, hidden],
    )
  const [a, b, c, d] = [sites[0]!, sites[1]!, sites[2]!, sites[3]!]
  await server.sql('DELETE FROM site_ranks')
  await server.sql('DELETE FROM rank_weight_logs')
  await server.sql('DELETE FROM rank_weights')
  await server.sql(`UPDATE promises SET state = 'kept', changed_at = :now - interval '90 days'`)
  for (const [site, due, state, changed] of [
    // Due today, late, broken last week: three are the full measure.
    [a, today, 'open', addDays(today, -20)],
    [a, addDays(today, -4), 'extended', addDays(today, -20)],
    [a, addDays(today, -9), 'broken', addDays(today, -7)],
    // Not yet due, broken long ago, withdrawn.
    [c, addDays(today, 1), 'open', today],
    [c, addDays(today, -30), 'broken', addDays(today, -15)],
    [c, addDays(today, -1), 'withdrawn', today],
  ] as const)
    await promise(site, due, state, changed)
  for (const [site, status] of [
    [b, 1],
    [b, 2],
    [b, 2],
    [c, 3],
  ] as const)
    await complaint(site, status)
  await complaint(d, 1, steward[0]!.id)
  await make(today)
  const rows = await list()
  const of = (site: string) =>
    rows
      .find((r) => r.id === site && r.reasons[0]!.code !== 'random')
      ?.reasons.map((r) => [reasonWords(r), r.points])
  expect(of(a)).toEqual([['3 条承诺到期或未兑现', 0.8]])
  expect(of(b)).toEqual([['3 条未结投诉', 1]])
  expect([of(c), of(d)]).toEqual([undefined, undefined])
  expect((await list({ reason: ['complaints'] })).map((r) => r.id)).toEqual([b])
  expect((await weights()).weights.map((w) => w.reason)).toEqual(
    expect.arrayContaining(['promises', 'complaints']),
  )
  await server.sql('DELETE FROM rank_weight_logs')
  await server.sql('DELETE FROM rank_weights')
  await server.sql(
    `INSERT INTO rank_weights (tenant_id, bc_id, reason, weight, pinned) VALUES ($1, $2, 'complaints', 2, true)`,
    [gm.tenant, bc],
  )
  await server.sql('DELETE FROM site_ranks')
  await make(today)
  expect((await list())[0]).toMatchObject({ id: b, score: 2 })
})
