import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { weighTonight } from '../../app/clock.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { openDelivery } from '../../testing/delivering.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { remind } from '../notifications/reminders.service.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { tellWarnings } from './warning-history.service.ts'
import { warningReminders } from './warning-reminders.service.ts'
import { weighAll, weighChanged } from './weighing.service.ts'

const HOUR = 3_600_000
const warnings = api.warnings
let server: TestServer
let gm: Person, pm: Person, steward: Person, hq: Person
let sites: { id: string; bc: string; name: string; manager: string; code: string }[]
let site: string
beforeAll(async () => {
  server = await startTestServer()
  server.later(startOfDay(today()).getTime() + 10 * HOUR - server.now().getTime())
  await enter()
  sites = await server.sql(
    `SELECT w.id, w.bc_id AS bc, w.ws_name AS name, m.id AS manager, w.code
     FROM sites w JOIN users m ON m.id = w.manager_id JOIN users s ON s.id = w.steward_id
     WHERE w.status = 1 AND m.user_name = 'pm' AND s.user_name = 'steward' ORDER BY w.code`,
  )
  site = sites[0]!.id
})
afterAll(() => server.stop())
/** Each story has one site with a plan to which nothing has happened; all others stand still. */
beforeEach(async () => {
  await server.sql('DELETE FROM warnings')
  await server.sql(`DELETE FROM notifications WHERE cause_kind = 'warning'`)
  await server.sql(`DELETE FROM settings WHERE key LIKE 'warn%' OR key = 'restDays'`)
  await server.sql('DELETE FROM calendar_days')
  await server.sql(
    `UPDATE site_stages SET planned_start = NULL, planned_finish = NULL, actual_start = NULL, actual_finish = NULL,
       baseline_start = NULL, baseline_finish = NULL`,
  )
  await server.sql('DELETE FROM correction_logs')
  await server.sql('UPDATE patrol_items SET correction_id = NULL')
  await server.sql('DELETE FROM corrections')
  await server.sql('DELETE FROM tidiness_judgings')
  await server.sql('DELETE FROM tidiness_checks')
  await server.sql(`UPDATE site_days SET no_work = false`)
  await server.sql(`UPDATE sites SET stop_reason = NULL, start_date = :today - 200`)
  await server.sql('DELETE FROM sites_to_weigh')
})

async function enter() {
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
  steward = await server.as('steward')
  hq = await server.as('hq_ops')
}
const today = () => shanghaiDay(server.now())
const inDays = (n: number) => addDays(today(), n)
/** The next days pass, each night looks. */
async function days(n: number) {
  for (let i = 0; i < n; i += 1) {
    server.later(24 * HOUR)
    await night()
  }
  await enter()
}
const night = () => server.db.tx(SYSTEM, (tx) => weighAll(tx, gm.tenant))
/** What the clock does every minute. */
const look = () => server.db.tx(SYSTEM, (tx) => weighChanged(tx, gm.tenant))
const list = async (query: object = {}, who = gm) =>
  (await who.call(warnings.list, { query: { pageSize: 100, ...query } })).list
const only = async (query: object = {}) => {
  const all = await list({ site_id: site, ...query })
  expect(all).toHaveLength(1)
  return all[0]!
}
const acts = async (id: string) => (await gm.call(warnings.details, { query: { id } })).log.map((l) => l.act)
type Stage = { stage: string; plan?: [number, number]; begun?: number; done?: number; of?: string }
/** A stage of the site, its days counted from today. */
const stage = (s: Stage) =>
  server.sql(
    `UPDATE site_stages SET planned_start = $3, planned_finish = $4, actual_start = $5, actual_finish = $6,
       baseline_start = $3, baseline_finish = $4
     WHERE site_id = $1 AND stage = $2`,
    [
      s.of ?? site,
      s.stage,
      ...[s.plan?.[0], s.plan?.[1], s.begun, s.done].map((n) => (n === undefined ? null : inDays(n))),
    ],
  )
/** All up to a stage are accepted. */
const upTo = (last: string) =>
  server.sql(
    `UPDATE site_stages g SET actual_start = :today - 100, actual_finish = :today - 90
     WHERE g.site_id = $1 AND g.sort < (SELECT k.sort FROM site_stages k WHERE k.site_id = $1 AND k.stage = $2)`,
    [site, last],
  )
const version = async () =>
  (await server.sql<{ version: number }>('SELECT version FROM sites WHERE id = $1', [site]))[0]!.version
const change = async (name: 'plumbing' | 'waterproof', action: 'begin' | 'accept' | 'redo', reason = '') =>
  (action === 'begin' ? pm : gm).call(api.stages.change, {
    body: { id: site, version: await version(), stage: name, action, reason },
  })
const plan = async (plannedStart: string, plannedFinish: string) =>
  pm.call(api.stages.plan, {
    body: {
      id: site,
      version: await version(),
      stages: [{ stage: 'plumbing', plannedStart, plannedFinish }],
    },
  })
const told = async (who: string) =>
  server.sql<{ title: string; link: string }>(
    `SELECT n.title, n.link FROM notifications n JOIN users u ON u.id = n.user_id
     WHERE n.cause_kind = 'warning' AND u.user_name = $1 AND n.read_at IS NULL ORDER BY n.at`,
    [who],
  )
const set = (values: Record<string, unknown>, who = gm) =>
  who.ask(api.settings.update, { body: { bcId: sites[0]!.bc, values } })
const close = async (who: Person, id: string, reason = '已经和工长说好') =>
  who.ask(warnings.close, { body: { id, version: (await list({ id }))[0]!.version, reason } })
const take = async (who: Person, id: string, until: string, at?: number) =>
  who.ask(warnings.take, {
    body: { id, version: at ?? (await list({ id }))[0]!.version, text: '明天加两个人', until },
  })

test('a stage that should have begun: opens, grows as one, tells once a level, ends when it begins', async () => {
  await upTo('plumbing')
  await stage({ stage: 'plumbing', plan: [-2, 20] })
  await stage({ stage: 'waterproof', plan: [-1, 22] })
  await night()
  expect(await list({ site_id: site })).toEqual([])
  await days(1)
  const first = await only()
  // The stage after it waits for it: one cause, one warning.
  expect(first).toMatchObject({
    kind: 'schedule',
    rule: 'lateStart',
    stage: 'plumbing',
    level: 1,
    state: 'open',
    deviation: 3,
    baselineDeviation: 3,
    planned: inDays(-3),
    ball: 'manager',
    responsible_id: sites[0]!.manager,
    siteName: sites[0]!.name,
  })
  expect(await told('pm')).toEqual([
    {
      title: `${sites[0]!.name} 预警（一般）：水电该开始没开始，3 个工作日`,
      link: `/owner/WarningList?id=${first.id}`,
    },
  ])
  await days(2)
  expect((await only()).level).toBe(1)
  const times = await server.sql(`SELECT 1 FROM notifications WHERE cause_id = $1 AND times > 1`, [first.id])
  expect(times).toEqual([])
  await days(1)
  expect(await only()).toMatchObject({ id: first.id, level: 2, deviation: 6 })
  expect((await told('pm')).map((n) => n.title)).toEqual([
    `${sites[0]!.name} 预警（重要）：水电该开始没开始，6 个工作日`,
  ])
  await stage({ stage: 'waterproof', plan: [21, 30] })
  await change('plumbing', 'begin')
  await look()
  expect(await only()).toMatchObject({ id: first.id, state: 'closed', end: 'done' })
  expect(await acts(first.id)).toEqual(['open', 'rise', 'close'])
  expect(await told('pm')).toEqual([])
  const line = await gm.call(api.timeline.list, { query: { site_id: site, kinds: ['warning'] } })
  expect(line.list.map((l) => l.title)).toContain('预警关闭（已办）：水电该开始没开始，6 个工作日')
})

test('a plan that is moved ends it as moved, and what the first plan said stays', async () => {
  await upTo('plumbing')
  await stage({ stage: 'plumbing', plan: [-5, 20] })
  await night()
  const { id } = await only()
  // Moved a little it is still late: the same one, less late.
  await plan(inDays(-4), inDays(20))
  await look()
  expect(await only()).toMatchObject({ id, deviation: 4, baselineDeviation: 5, state: 'open' })
  await plan(inDays(3), inDays(20))
  await look()
  expect(await only()).toMatchObject({ id, state: 'closed', end: 'replanned', manager_id: sites[0]!.manager })
  // The ledger and the site's time name who moved it, and when; who moves another day afterwards is not meant.
  const { log } = await gm.call(warnings.details, { query: { id } })
  const me = (await server.sql<{ nickname: string }>(`SELECT nickname FROM users WHERE user_name = 'pm'`))[0]!
  const at = `${today()} ${new Date(server.now().getTime() + 8 * HOUR).toISOString().slice(11, 16)}`
  const said = `改期消除：${me.nickname} ${at} 把计划日期从 ${inDays(-4)} 改到 ${inDays(3)}`
  expect(log.at(-1)).toMatchObject({ act: 'close', actor: '系统', text: said })
  const { list: lines } = await gm.call(api.timeline.list, { query: { site_id: site, kinds: ['warning'] } })
  expect(lines.map((l) => l.title)).toContain(`预警关闭（${said}）：水电该开始没开始，4 个工作日`)
  const moved = (query: object) => list({ end: ['replanned'], ...query })
  expect(await moved({ manager_id: sites[0]!.manager })).toHaveLength(1)
  expect(await moved({ manager_id: (await list({ site_id: site }))[0]!.steward_id })).toEqual([])
  // Late by the new plan too: a new one, whose first plan is still the old one.
  await days(6)
  const again = (await list({ site_id: site, state: ['open'] }))[0]!
  expect(again).toMatchObject({ deviation: 3, baselineDeviation: 11 })
  expect(again.id).not.toBe(id)
})

test('two plans within one look: who moved the day is named, not who moved the end after it', async () => {
  await upTo('plumbing')
  await stage({ stage: 'plumbing', plan: [-5, 20] })
  await night()
  const { id } = await only()
  await plan(inDays(3), inDays(20))
  server.later(HOUR / 120)
  await gm.call(api.stages.plan, {
    body: {
      id: site,
      version: await version(),
      stages: [{ stage: 'plumbing', plannedStart: inDays(3), plannedFinish: inDays(25) }],
    },
  })
  await look()
  const { log } = await gm.call(warnings.details, { query: { id } })
  const me = (await server.sql<{ nickname: string }>(`SELECT nickname FROM users WHERE user_name = 'pm'`))[0]!
  expect(log.at(-1)!.text).toContain(`改期消除：${me.nickname} `)
})

test('past its end, and the next begun without acceptance: one cause, one warning; rework is a new one', async () => {
  await upTo('plumbing')
  await stage({ stage: 'plumbing', plan: [-20, -3], begun: -20 })
  await server.sql('UPDATE site_days SET present = 1 WHERE site_id = $1', [site])
  await night()
  expect(await only()).toMatchObject({ rule: 'lateFinish', deviation: 3, actualStart: inDays(-20) })
  await change('waterproof', 'begin')
  await look()
  const closed = await list({ site_id: site, state: ['closed'] })
  expect(closed).toMatchObject([{ rule: 'lateFinish', end: 'lifted' }])
  expect(await list({ site_id: site, state: ['open'] })).toEqual([])
  await days(2)
  const second = (await list({ site_id: site, state: ['open'] }))[0]!
  expect(second).toMatchObject({ rule: 'unaccepted', stage: 'plumbing', deviation: 2, ball: 'manager' })
  await change('plumbing', 'accept')
  await look()
  expect((await list({ id: second.id }))[0]).toMatchObject({ state: 'closed', end: 'done' })
  await change('plumbing', 'redo', '打压不合格')
  await look()
  const open = await list({ site_id: site, state: ['open'] })
  expect(open).toMatchObject([{ rule: 'unaccepted', stage: 'plumbing' }])
  expect(open[0]!.id).not.toBe(second.id)
})

test('stages that the plan lets overlap may; before their own end nobody asks for acceptance', async () => {
  await upTo('plumbing')
  await stage({ stage: 'plumbing', plan: [-20, 5], begun: -20 })
  await stage({ stage: 'waterproof', plan: [-10, 10], begun: -10 })
  await server.sql('UPDATE site_days SET present = 1 WHERE site_id = $1', [site])
  await night()
  expect(await list({ site_id: site })).toEqual([])
})

/** Whole days of the site, the last ones first: a letter each; absent, rest, blind, present. */
async function lived(letters: string) {
  await server.sql('DELETE FROM site_days WHERE site_id = $1', [site])
  for (const [i, letter] of letters.split('').entries())
    await server.sql(
      `INSERT INTO site_days (tenant_id, day, site_id, bc_id, present, no_work, rest, blind)
       SELECT tenant_id, :today - $2::int - 1, id, bc_id, $3, $4, $5, $6 FROM sites WHERE id = $1`,
      [site, i, letter === 'p' ? 1 : 0, letter === 'a', letter === 'r', letter === 'b'],
    )
}

test('nobody in a running stage: rest days, blind ones and a reason that is said are none', async () => {
  await upTo('plumbing')
  await stage({ stage: 'plumbing', plan: [-10, 20], begun: -10 })
  await lived('aabarp')
  await night()
  const { id } = await only()
  expect(await only()).toMatchObject({ rule: 'nobody', stage: 'plumbing', deviation: 3, planned: null })
  // Somebody came yesterday after all: a late report ends it.
  await server.sql(`UPDATE site_days SET present = 1, no_work = false WHERE site_id = $1 AND day = $2`, [
    site,
    inDays(-1),
  ])
  await look()
  expect(await only()).toMatchObject({ id, state: 'closed', end: 'done' })
  await server.sql('DELETE FROM warnings')
  await lived('bbbbrrbp')
  await night()
  expect(await list({ site_id: site })).toEqual([])
  await lived('aaaap')
  await server.sql(`UPDATE sites SET stop_reason = 'material' WHERE id = $1`, [site])
  await night()
  expect(await list({ site_id: site })).toEqual([])
  // Days before the stage began are not its own.
  await server.sql(`UPDATE sites SET stop_reason = NULL WHERE id = $1`, [site])
  await stage({ stage: 'plumbing', plan: [-10, 20], begun: -2 })
  await night()
  expect(await list({ site_id: site })).toEqual([])
})

test('a holiday week opens none and lets none grow', async () => {
  await upTo('plumbing')
  await stage({ stage: 'plumbing', plan: [0, 20] })
  const holiday = Array.from({ length: 7 }, (_, i) => `${inDays(i + 1)} 休 国庆`).join('\n')
  expect((await set({ calendar: holiday })).code).toBe(200)
  await days(7)
  expect(await list({ site_id: site })).toEqual([])
  await days(2)
  expect(await list({ site_id: site })).toEqual([])
  await days(1)
  expect(await only()).toMatchObject({ deviation: 3, level: 1 })
  expect((await set({ calendar: null })).code).toBe(200)
})

test('goods that are lacking are named with their order, and the ball is with them', async () => {
  const shop = await openDelivery(server)
  const sold = await shop.sold({ name: '停工砖', quantity: '4' })
  const { orders } = await shop.place([{ item_id: sold.items['停工砖']!, quantity: '4' }])
  await shop.accept(orders[0]!.id)
  await server.sql('UPDATE sites SET status = 1 WHERE id = $1', [sold.site])
  await server.sql(
    `UPDATE site_stages g SET actual_start = :today - 100, actual_finish = :today - 90
     WHERE g.site_id = $1 AND g.stage IN ('briefing', 'demolition', 'plumbing', 'waterproof')`,
    [sold.site],
  )
  await stage({ of: sold.site, stage: 'tiling', plan: [-4, 20] })
  await night()
  const [w] = await list({ site_id: sold.site })
  expect(w).toMatchObject({
    rule: 'lateStart',
    ball: 'goods',
    ballAbout: '停工砖（待发货）',
    responsible_id: null,
  })
  const { orders: behind } = await gm.call(warnings.details, { query: { id: w!.id } })
  expect(behind).toEqual([{ id: orders[0]!.id, code: orders[0]!.code }])
  // Who orders hears of it, and may say what is done.
  expect((await told('order_clerk')).map((n) => n.title).join()).toContain('在等：停工砖（待发货）')
  expect((await take(await server.as('order_clerk'), w!.id, inDays(1))).code).toBe(200)
})

test('a question that is open is the owner’s ball', async () => {
  await upTo('plumbing')
  await stage({ stage: 'plumbing', plan: [-3, 20] })
  await steward.call(api.questions.ask, {
    body: {
      site_id: site,
      words: '插座要不要多加两个',
      neededBy: inDays(2),
      stage: 'plumbing',
      options: [],
      costs: false,
    },
  })
  await night()
  expect(await only()).toMatchObject({ ball: 'owner', ballAbout: '插座要不要多加两个', responsible_id: null })
})

const correction = async (due: number, more: { source?: string; status?: number } = {}) =>
  (
    await server.sql<{ id: string }>(
      `INSERT INTO corrections (tenant_id, id, bc_id, site_id, source, source_id, problem, at, due_at,
         correction_status, step, assignee_id)
       SELECT tenant_id, gen_random_uuid(), bc_id, id, $2, gen_random_uuid(), '线管没有固定', :now - interval '20 days',
         ($3::date + time '12:00') AT TIME ZONE 'Asia/Shanghai', 2, 'assigned', steward_id
       FROM sites WHERE id = $1 RETURNING id`,
      [site, more.source ?? 'patrol', inDays(due)],
    )
  )[0]!.id

test('a correction past its time: one warning that names who has it, and ends with it', async () => {
  const id = await correction(-1)
  await night()
  const w = await only({ kind: ['quality'] })
  expect(w).toMatchObject({
    rule: 'overdue',
    about: '线管没有固定',
    correction_id: id,
    deviation: 1,
    ball: 'assignee',
  })
  expect(w.responsibleName).toBe((await list({ id: w.id }))[0]!.responsibleName)
  expect(w.responsible_id).toBe(w.steward_id)
  await server.sql(`UPDATE corrections SET correction_status = 3 WHERE id = $1`, [id])
  await look()
  expect(await only()).toMatchObject({ id: w.id, state: 'closed', end: 'done' })
  // Put off, it is not done.
  const other = await correction(-2)
  await night()
  await server.sql(`UPDATE corrections SET due_at = :now + interval '3 days' WHERE id = $1`, [other])
  await look()
  const put = await list({ site_id: site, end: ['replanned'] })
  expect(put.map((r) => r.correction_id)).toEqual([other])
  // By whom nobody can say: no name is made up.
  expect((await gm.call(warnings.details, { query: { id: put[0]!.id } })).log.at(-1)!.text).toBe('改期消除')
})

test('the demo tells of corrections that were late and are done: each opened, rose and was closed, once', async () => {
  const id = await correction(-5)
  const inTime = await correction(-5)
  await server.sql(
    `UPDATE corrections SET correction_status = 3,
       closed_at = CASE WHEN id = $1 THEN due_at + interval '2 days' ELSE due_at - interval '1 hour' END
     WHERE id = ANY ($2)`,
    [id, [id, inTime]],
  )
  const tell = () => server.db.tx(SYSTEM, (tx) => tellWarnings(tx, gm.tenant))
  await tell()
  const w = await only({ kind: ['quality'] })
  expect(w).toMatchObject({
    rule: 'overdue',
    correction_id: id,
    about: '线管没有固定',
    state: 'closed',
    end: 'done',
    deviation: 2,
    level: 2,
    planned: inDays(-5),
    openedAt: startOfDay(inDays(-4)).getTime() / 1000 + 3_600,
    closedAt: startOfDay(inDays(-3)).getTime() / 1000 + 12 * 3_600,
  })
  const { log } = await gm.call(warnings.details, { query: { id: w.id } })
  expect(log.map((l) => [l.act, l.level, l.deviation, l.text])).toEqual([
    ['open', 1, 1, ''],
    ['rise', 2, 2, '一般 → 重要'],
    ['close', 2, 2, '已办'],
  ])
  await tell()
  await only({ kind: ['quality'] })
})

test.each([
  ['it is told', false],
  ['it was found, minutes before', true],
])('what is wrong in the demo today began and rose on its days, not when %s', async (_when, isFound) => {
  const id = await correction(-5)
  if (isFound) {
    await night()
    server.later(3 * 60_000)
  }
  await server.db.tx(SYSTEM, (tx) => tellWarnings(tx, gm.tenant))
  const w = await only({ kind: ['quality'] })
  expect(w).toMatchObject({
    correction_id: id,
    state: 'open',
    deviation: 5,
    level: 3,
    openedAt: startOfDay(inDays(-4)).getTime() / 1000 + 3_600,
  })
  const { log } = await gm.call(warnings.details, { query: { id: w.id } })
  expect(log.map((l) => [l.act, l.level, l.deviation, l.at])).toEqual(
    [-4, -3, -2].map((day, i) => [
      i === 0 ? 'open' : 'rise',
      i + 1,
      i + 1,
      startOfDay(inDays(day)).getTime() / 1000 + 3_600,
    ]),
  )
})

const checked = (result: number, ago: number) =>
  server.sql(
    `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, at, result, picture)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, :now - $3 * interval '1 hour', $2, 'x.jpg'
     FROM sites WHERE id = $1`,
    [site, result, ago],
  )
test('untidy three times running, not two and not with a tidy one between', async () => {
  await checked(3, 50)
  await checked(2, 40)
  await checked(3, 30)
  await checked(3, 20)
  await look()
  expect(await list({ site_id: site })).toEqual([])
  await checked(3, 10)
  await look()
  const w = await only()
  expect(w).toMatchObject({ kind: 'quality', rule: 'untidy', deviation: 3, level: 1 })
  // What was judged anew was no third time.
  await server.sql(
    `UPDATE tidiness_checks SET result = 4
     WHERE site_id = $1 AND at = (SELECT max(at) FROM tidiness_checks WHERE site_id = $1)`,
    [site],
  )
  await look()
  expect(await only()).toMatchObject({ id: w.id, state: 'closed', end: 'lifted' })
})

async function patrolled(verdict: 'passed' | 'failed', ago: number) {
  const [p] = await server.sql<{ id: string }>(
    `INSERT INTO patrols (tenant_id, id, number, bc_id, site_id, kind, inspector_id, begun_at, status)
     SELECT tenant_id, gen_random_uuid(), gen_random_uuid()::text, bc_id, id, 'scene', manager_id,
       :now - $2 * interval '1 hour', 1 FROM sites WHERE id = $1 RETURNING id`,
    [site, ago],
  )
  await server.sql(
    `INSERT INTO patrol_items (tenant_id, id, patrol_id, sort, title, weight, photo, verdict)
     SELECT tenant_id, gen_random_uuid(), id, 1, '线管固定', 1, false, $2 FROM patrols WHERE id = $1`,
    [p!.id, verdict],
  )
  await server.sql('UPDATE patrols SET status = 2, score = 60, submitted_at = begun_at WHERE id = $1', [
    p!.id,
  ])
}
test('one item that failed twice, until it passes', async () => {
  await patrolled('failed', 60)
  await patrolled('passed', 50)
  await patrolled('failed', 40)
  await look()
  expect(await list({ site_id: site })).toEqual([])
  await patrolled('failed', 30)
  await look()
  const w = await only()
  expect(w).toMatchObject({ rule: 'failed', about: '线管固定', deviation: 2, ball: 'assignee', level: 1 })
  // Nobody corrects it: it is the manager's.
  expect(w.responsible_id).toBe(sites[0]!.manager)
  await patrolled('passed', 1)
  await look()
  expect(await only()).toMatchObject({ id: w.id, state: 'closed', end: 'done' })
  await server.sql('DELETE FROM patrol_items')
})

test('closed by a person it is silent until the level rises, or until its cause was gone once', async () => {
  await upTo('plumbing')
  await stage({ stage: 'plumbing', plan: [-4, 20] })
  await night()
  const first = await only()
  expect((await close(steward, first.id)).msg).toBe('No Permission')
  expect((await close(hq, first.id)).msg).toBe('No Permission')
  expect((await close(pm, first.id, '好')).msg).toBe('原因：请写明原因（至少 2 个字）')
  expect((await close(pm, first.id)).code).toBe(200)
  await days(1)
  expect(await list({ site_id: site, state: ['open'] })).toEqual([])
  await days(1)
  const second = (await list({ site_id: site, state: ['open'] }))[0]!
  expect(second).toMatchObject({ level: 2, deviation: 6 })
  // What is important is closed by the branch.
  expect((await close(pm, second.id)).msg).toBe('等级为“重要”的预警由分公司总经理关闭')
  expect((await close(gm, second.id)).code).toBe(200)
  expect((await close(gm, second.id)).msg).toMatch(/当前为“已关闭”，不能关闭/)
  await night()
  expect(await list({ site_id: site, state: ['open'] })).toEqual([])
  // Gone once, then there again: that is a new cause.
  await plan(inDays(2), inDays(20))
  await look()
  await days(5)
  expect(await list({ site_id: site, state: ['open'] })).toMatchObject([{ level: 1, deviation: 3 }])
})

test('taken until a day nobody is reminded before, then they are; of two at once one sees the other', async () => {
  await upTo('plumbing')
  await stage({ stage: 'plumbing', plan: [-3, 20] })
  await night()
  const { id, version: seen } = await only()
  expect((await take(gm, id, inDays(2))).msg).toBe('只有工地的项目经理、项目管家和轮到的人能处理')
  expect((await take(pm, id, inDays(-1))).msg).toBe('处理到的日期不能早于今天')
  const [one, other] = await Promise.all([take(pm, id, inDays(2), seen), take(steward, id, inDays(1), seen)])
  expect([one.code, other.code].sort()).toEqual([200, 409])
  // Who was slower reads who was faster.
  expect([one, other].find((a) => a.code === 409)!.msg).toMatch(/^已被 .+ 于 .+处理|.+刚刚被.+改过/)
  const taken = await only()
  expect(taken).toMatchObject({ state: 'handling', until: one.code === 200 ? inDays(2) : inDays(1) })
  expect(await told('pm')).toEqual([])
  const reminded = () => server.db.tx(SYSTEM, (tx) => remind(tx, gm.tenant, warningReminders))
  expect(await reminded()).toBe(0)
  await days(2)
  expect(await reminded()).toBe(1)
  expect(await reminded()).toBe(0)
  expect((await told('pm')).map((n) => n.title).join()).toMatch(/原定 .* 处理好，现在还在/)
})

test('who has taken one and goes: it waits again at once, and whose turn it is hears', async () => {
  await upTo('plumbing')
  await stage({ stage: 'plumbing', plan: [-3, 20] })
  await night()
  const { id } = await only()
  const days = Math.floor(60 / (await only()).level)
  expect((await take(pm, id, inDays(days + 31))).msg).toMatch(/^等级为“.+”的预警最多处理 \d+ 天/)
  expect((await take(pm, id, inDays(5))).msg).toBe('')
  await server.sql('UPDATE notifications SET read_at = :now WHERE read_at IS NULL')
  await look()
  expect(await only()).toMatchObject({ state: 'handling' })
  const [{ former, next }] = (await server.sql(
    `SELECT w.manager_id AS former, (SELECT id FROM users WHERE user_name = 'pm_hz') AS next
     FROM sites w WHERE w.id = $1`,
    [site],
  )) as [{ former: string; next: string }]
  await server.sql('UPDATE sites SET manager_id = $2 WHERE id = $1', [site, next])
  await look()
  expect(await only()).toMatchObject({ state: 'open', until: null, takenBy: '', manager_id: next })
  expect((await told('pm_hz')).length).toBe(1)
  const { log } = await gm.call(warnings.details, { query: { id } })
  expect(log.map((l) => l.act)).toContain('back')
  // A closed account does not keep it either; once more is nothing new.
  await server.sql('UPDATE sites SET manager_id = $2 WHERE id = $1', [site, former])
  await look()
  expect((await take(pm, id, inDays(5))).msg).toBe('')
  await server.sql('UPDATE users SET status = 2 WHERE id = $1', [former])
  await look()
  expect(await only()).toMatchObject({ state: 'open', until: null })
  const { version } = await only()
  await look()
  expect(await only()).toMatchObject({ version })
  await server.sql('UPDATE users SET status = 1 WHERE id = $1', [former])
})

test('a site without a manager: who leads the branch takes it; without a first plan nothing is compared', async () => {
  await stage({ stage: 'briefing', plan: [-3, 20] })
  await server.sql('UPDATE site_stages SET baseline_start = NULL WHERE site_id = $1', [site])
  const [{ former }] = (await server.sql('SELECT manager_id AS former FROM sites WHERE id = $1', [site])) as [
    { former: string },
  ]
  await server.sql('UPDATE sites SET manager_id = NULL WHERE id = $1', [site])
  await night()
  const one = await only()
  expect(one).toMatchObject({ ball: 'manager', responsible_id: null, baselineDeviation: null })
  expect((await take(gm, one.id, inDays(2))).msg).toBe('')
  await server.sql('UPDATE sites SET manager_id = $2 WHERE id = $1', [site, former])
})

test('an import with the plan of last year is one message a branch and person', async () => {
  const many = sites.slice(0, 6)
  for (const s of many) await stage({ of: s.id, stage: 'briefing', plan: [-300, -290] })
  await night()
  const mine = await list({ rule: ['lateStart'] })
  expect(mine.length).toBeGreaterThanOrEqual(6)
  for (const who of ['branch_gm', 'pm', 'steward']) {
    const heard = await told(who)
    expect(heard, who).toHaveLength(1)
    expect(heard[0]!.title, who).toMatch(/有 \d+ 条新的或升级的预警：紧急 \d+/)
  }
  await night()
  expect(await told('branch_gm')).toHaveLength(1)
})

test('a threshold of 0 is refused, a read says how many there would be, stages without days are none', async () => {
  for (const [i, s] of sites.slice(0, 4).entries()) {
    await server.sql(
      `UPDATE site_stages SET actual_start = :today - 50, actual_finish = :today - 40
      WHERE site_id = $1 AND stage = 'briefing'`,
      [s.id],
    )
    await stage({ of: s.id, stage: 'demolition', plan: [-1 - i, 10] })
  }
  expect((await set({ warnStartDays: 0 })).msg).toBe('该开始没开始：至少 1')
  expect((await set({ warnFailTimes: 1 })).msg).toBe('同一项多次不合格：至少 2')
  const bc_id = sites[0]!.bc
  const would = async (threshold: number) =>
    (await gm.call(warnings.foresee, { query: { bc_id, rule: 'lateStart', threshold } })).n
  expect([await would(1), await would(3), await would(4), await would(5)]).toEqual([4, 2, 1, 0])
  expect((await gm.ask(warnings.foresee, { query: { bc_id, rule: 'lateStart', threshold: 0 } })).msg).toMatch(
    /至少 1/,
  )
  const elsewhere = await (
    await server.as('branch_gm2')
  ).ask(warnings.foresee, {
    query: { bc_id, rule: 'lateStart', threshold: 1 },
  })
  expect(elsewhere.status).toBe(403)
  await night()
  expect(await list({ rule: ['lateStart'] })).toHaveLength(2)
  expect((await set({ warnStartDays: 1 })).code).toBe(200)
  await look()
  expect(await list({ rule: ['lateStart'] })).toHaveLength(4)
  // The others have no plan at all.
  expect(await list({ rule: ['lateFinish', 'unaccepted', 'nobody'] })).toEqual([])
})

test('a site that ends takes its warnings along; another branch and another group see none', async () => {
  await upTo('plumbing')
  await stage({ stage: 'plumbing', plan: [-3, 20] })
  await night()
  const { id } = await only()
  for (const name of ['branch_gm2', 'pm2', 'other']) {
    const stranger = await server.as(name)
    expect(await list({ id }, stranger), name).toEqual([])
    expect((await stranger.ask(warnings.details, { query: { id } })).status, name).not.toBe(200)
  }
  const foreseen = await gm.call(api.sites.foresee, { query: { id: site, change: 'terminate' } })
  expect(foreseen.effects).toContain('1 条没有关闭的预警由系统关闭')
  await server.sql(`UPDATE sites SET status = 3 WHERE id = $1`, [site])
  await look()
  expect(await only()).toMatchObject({ id, state: 'closed', end: 'over' })
  await server.sql(`UPDATE sites SET status = 1 WHERE id = $1`, [site])
})

test('two servers that look at once open one', async () => {
  await upTo('plumbing')
  await stage({ stage: 'plumbing', plan: [-3, 20] })
  await Promise.all([night(), night(), night()])
  const w = await only()
  expect(await acts(w.id)).toEqual(['open'])
  expect(await told('pm')).toHaveLength(1)
})

test('the night’s own job looks', async () => {
  await upTo('plumbing')
  await stage({ stage: 'plumbing', plan: [-3, 20] })
  server.later(24 * HOUR)
  expect(await weighTonight(server.db, server.now())).toBe(true)
  await enter()
  expect(await only()).toMatchObject({ rule: 'lateStart' })
})
