import { api } from '@zhuguan/contract/api.ts'
import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { TURNS } from '@zhuguan/contract/turns.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { shanghaiDay } from '../../kit/shanghai.ts'
import { behind, waiting } from '../../testing/behind.ts'
import { openDeals } from '../../testing/dealing.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { remind } from '../notifications/reminders.service.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { tellFeedback } from './feedback-history.service.ts'
import { feedbackReminders } from './ladder.service.ts'

let server: TestServer
let gm: Person, pm: Person, steward: Person, service: Person, admin: Person, hq: Person
let ids: Record<string, string>
let tenant: string
let sites: { id: string; bc_id: string; version: number }[]

beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
  steward = await server.as('steward')
  service = await server.as('service')
  admin = await server.as('admin')
  hq = await server.as('hq_ops')
  const users = await server.sql<{ id: string; user_name: string; tenant_id: string }>(
    'SELECT id, user_name, tenant_id FROM users',
  )
  ids = Object.fromEntries(users.map((u) => [u.user_name, u.id]))
  tenant = users.find((u) => u.user_name === 'branch_gm')!.tenant_id
  sites = await server.sql(
    `SELECT id, bc_id, version FROM sites WHERE manager_id = $1 AND steward_id = $2 AND status = 1 ORDER BY code`,
    [ids.pm, ids.steward],
  )
  await server.sql(`UPDATE settings SET value = '"00:00"' WHERE key = 'workStart'`)
  await server.sql(`UPDATE settings SET value = '"23:59"' WHERE key = 'workEnd'`)
})
afterAll(() => server.stop())
beforeEach(() => server.sql('DELETE FROM notifications'))

type More = Partial<Parameters<typeof body>[1]>
const body = (
  site: string,
  more: { level?: 1 | 2 | 3; about_id?: string; kind?: 'complaint' | 'praise' } = {},
) => ({
  site_id: site,
  kind: 'complaint' as const,
  level: 1 as const,
  about: more.about_id ? ('person' as const) : ('work' as const),
  channel: 'phone' as const,
  words: '墙面开裂',
  pictures: [],
  ...more,
})
const enter = async (site: string, more: More = {}, who = service) =>
  (await who.call(feedbackApi.enter, { body: body(site, more) })).id
const get = (id: string, who: Person = hq) => who.call(feedbackApi.details, { query: { id } })
const seen = async (id: string) => ({ id, version: (await get(id)).version })
const accept = async (id: string, to = 'steward', who = service) =>
  who.call(feedbackApi.accept, { body: { ...(await seen(id)), level: 1, assignee_id: ids[to]! } })
const unread = async (id: string): Promise<string[]> =>
  (
    await server.sql<{ user_name: string }>(
      `SELECT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
       WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY 1`,
      [id],
    )
  ).map((n) => n.user_name)
const hence = (hours: number) => new Date(server.now().getTime() + hours * 3_600_000)
const look = () => server.db.tx(SYSTEM, (tx) => remind(tx, tenant, feedbackReminders))

/** Lines of the table of turns that the next story has walked. */
const walked = new Set<string>()
test('whose turn it is hears it, at every line of the table', async () => {
  const site = sites[0]!.id
  const then = async (line: string, id: string, act: Promise<unknown>, people: string[]) => {
    await server.sql('DELETE FROM notifications WHERE cause_id = $1', [id])
    await act
    expect(await unread(id), line).toEqual(people)
    walked.add(line)
  }
  const clocks = (id: string, warn: number, due: number) =>
    server.sql('UPDATE feedback SET answer_warn_at = $2, answer_due_at = $3 WHERE id = $1', [
      id,
      hence(warn),
      hence(due),
    ])
  const id = await enter(site)
  expect(await unread(id)).toEqual(['branch_gm', 'steward'])
  walked.add('enter')
  await clocks(id, -1, 1)
  await then('warnOpen', id, look(), ['branch_gm', 'service', 'steward'])
  await then('accept', id, accept(id), ['steward'])
  await clocks(id, -1, 2)
  await then('warn', id, look(), ['steward'])
  await clocks(id, -2, -1)
  await then('step', id, look(), ['service'])
  const up = { ...(await seen(id)), reason: '业主很急' }
  await then('escalate', id, steward.call(feedbackApi.escalate, { body: up }), ['branch_gm'])
  const answer = steward.call(feedbackApi.answer, { body: { id, answers: 0, words: '马上到', pictures: [] } })
  await then('answer', id, answer, [])
  const raise = { ...(await seen(id)), level: 3 as const, reason: '裂缝变大' }
  await then('raise', id, service.call(feedbackApi.raise, { body: raise }), ['branch_gm', 'steward'])
  const lower = { ...(await seen(id)), level: 1 as const, reason: '只是抹灰' }
  await then('lower', id, service.call(feedbackApi.lower, { body: lower }), ['steward'])
  const pause = {
    ...(await seen(id)),
    pauseFor: 'third' as const,
    until: shanghaiDay(server.now()),
    reason: '等物业',
  }
  await then('pause', id, steward.call(feedbackApi.pause, { body: pause }), [])
  const over = server
    .sql('UPDATE feedback SET paused_at = $2, paused_until = $3 WHERE id = $1', [id, hence(-3), hence(-1)])
    .then(look)
  await then('resume', id, over, ['steward'])
  const transfer = { ...(await seen(id)), assignee_id: ids.pm!, reason: '泥工的事' }
  await then('transfer', id, service.call(feedbackApi.transfer, { body: transfer }), ['pm', 'steward'])
  walked.add('takenOver')
  const close = { ...(await seen(id)), cause: 'works' as const, result: '补好了' }
  await then('close', id, service.call(feedbackApi.close, { body: close }), [])
  const score = { ...(await seen(id)), score: 1, words: '' }
  await then('lowScore', id, steward.call(feedbackApi.score, { body: score }), ['branch_gm', 'service'])
  const called = { ...(await seen(id)), words: '解释过了' }
  await then('callback', id, service.call(feedbackApi.callback, { body: called }), [])
  const again = { ...(await seen(id)), reason: '又裂了' }
  await then('reopen', id, gm.call(feedbackApi.reopen, { body: again }), ['pm', 'service'])
  await server.sql('UPDATE feedback SET status = 3, closed_at = $2 WHERE id = $1', [id, hence(0)])
  await server.sql(
    `INSERT INTO feedback_supervisors SELECT tenant_id, id, $2, 3, entered_at FROM feedback WHERE id = $1`,
    [id, ids.hq_ops],
  )
  const once = { ...(await seen(id)), reason: '还在裂' }
  await then('reopened', id, service.call(feedbackApi.reopen, { body: once }), ['branch_gm', 'hq_ops', 'pm'])
  const cancel = {
    ...(await seen(id)),
    cause: 'withdrawn' as const,
    reason: '业主说算了',
    cancelled: [],
    kept: [],
  }
  await then('cancel', id, service.call(feedbackApi.cancel, { body: cancel }), ['pm'])
  const praise = await enter(site, { kind: 'praise' })
  const thanks = { ...(await seen(praise)), words: '谢谢您' }
  await then('thank', praise, steward.call(feedbackApi.thank, { body: thanks }), [])
  expect([...walked].toSorted()).toEqual(Object.keys(TURNS.feedback.on).toSorted())
})

test('a home that changes its branch takes its feedback along; the old branch loses it at once', async () => {
  const { id: site } = sites[1]!
  const open = await enter(site)
  const mine = await enter(site)
  await accept(mine)
  const before = await get(mine)
  const [to] = await server.sql<{ bc_id: string }>(`SELECT bc_id FROM companies WHERE code = 'NB'`)
  const [{ version }] = (await server.sql<{ version: number }>('SELECT version FROM sites WHERE id = $1', [
    site,
  ])) as [{ version: number }]
  const foreseen = await admin.call(api.sites.foresee, {
    query: { id: site, change: 'move', bc_id: to!.bc_id },
  })
  expect(foreseen.effects.join()).toMatch(/2 条反馈随工地转到.+已经开始的期限不变/)
  await admin.call(api.sites.move, { body: { id: site, version, bc_id: to!.bc_id, reason: '划给宁波' } })
  const after = await get(mine)
  expect(after).toMatchObject({
    bc_id: to!.bc_id,
    closeDueAt: before.closeDueAt,
    answerDueAt: before.answerDueAt,
  })
  // Neither the steward of before nor anybody of the old branch has it; whoever can there has.
  expect(after.assignee_id).toBeNull()
  for (const who of [steward, service, gm, pm])
    expect((await who.ask(feedbackApi.details, { query: { id: mine } })).status).toBe(403)
  expect(await unread(mine)).toEqual(['branch_gm2'])
  expect(await unread(open)).toEqual(['branch_gm2'])
})

test('what is entered while the home moves is of the branch into which it went', async () => {
  const { id: site } = sites[3]!
  const [to] = await server.sql<{ bc_id: string }>(`SELECT bc_id FROM companies WHERE code = 'NB'`)
  const { version } = await admin.call(api.sites.details, { query: { id: site } })
  const [moved, entered, refused] = await behind<{ code: number; data: unknown }>(server, site, [
    () => admin.ask(api.sites.move, { body: { id: site, version, bc_id: to!.bc_id, reason: '划给宁波' } }),
    () => admin.ask(feedbackApi.enter, { body: body(site) }),
    // Whoever has lost it enters nothing there any more.
    () => service.ask(feedbackApi.enter, { body: body(site) }),
  ])
  expect([moved!.code, entered!.code, refused!.code]).toEqual([200, 200, 403])
  const { id } = entered!.data as { id: string }
  expect(await get(id)).toMatchObject({ bc_id: to!.bc_id })
  expect((await service.ask(feedbackApi.details, { query: { id } })).status).toBe(403)
})

test('a home is not finished over feedback that is due, and what is not goes on', async () => {
  const { id: site } = sites[2]!
  const late = await enter(site)
  const words = async (change: 'finish' | 'terminate') =>
    gm.call(api.sites.foresee, { query: { id: site, change } })
  const finish = await words('finish')
  expect(finish.blocks.join()).not.toContain('条反馈')
  expect(finish.later).toEqual(['1 条没有到期的反馈'])
  await server.sql('UPDATE feedback SET answer_due_at = $2 WHERE id = $1', [late, hence(-1)])
  expect((await words('finish')).blocks.join()).toContain('还有 1 条反馈已经到期，请先结案')
  expect((await words('terminate')).effects.join()).toContain('1 条反馈继续处理到合同结清，然后由系统结案')
})

test('on a home that was terminated it goes on until the contract is settled, then the system closes it', async () => {
  const contract = await (await openDeals(server)).signed()
  const [signed] = await server.sql<{ site: string }>('SELECT site_id AS site FROM contracts WHERE id = $1', [
    contract,
  ])
  const { site } = signed!
  await server.sql('UPDATE sites SET steward_id = $2, status = 3 WHERE id = $1', [site, ids.steward])
  const id = await enter(site)
  await accept(id, 'service')
  const answer = { id, answers: 0, words: '结算前处理完', pictures: [] }
  await service.call(feedbackApi.answer, { body: answer })
  const next = await enter(site)
  await look()
  expect([(await get(id)).status, (await get(next)).status]).toEqual([2, 1])
  await server.sql(`UPDATE contracts SET state = 'ended' WHERE id = $1`, [contract])
  await look()
  for (const one of [id, next]) {
    const f = await get(one)
    expect(f).toMatchObject({ status: 3, result: '工地已终止、合同已结清，系统结案' })
    expect(f.events.at(-1)).toMatchObject({ act: 'close', actor: '系统' })
    expect(await unread(one)).toEqual([])
  }
})

test('an account that is stopped names who takes its feedback, and nothing waits at it', async () => {
  const { id: site } = sites[4]!
  const [role] = await server.sql<{ id: string }>(
    `SELECT ur.role_id AS id FROM user_roles ur WHERE ur.user_id = $1`,
    [ids.service],
  )
  const { id: leaver } = await gm.call(api.accounts.add, {
    body: { userName: 'service9', nickname: '客服九', bc_id: sites[4]!.bc_id, roles: [role!.id] },
  })
  const id = await enter(site)
  await service.call(feedbackApi.accept, { body: { ...(await seen(id)), level: 1, assignee_id: leaver } })
  const { work } = await gm.call(api.accounts.leaving, { query: { id: leaver } })
  const own = work.find((w) => w.kind === 'feedback')!
  expect(own).toMatchObject({ count: 1, title: '1 条处理中的反馈' })
  expect(own.people[0]!.id).toBe(ids.steward)
  const [{ version }] = (await server.sql<{ version: number }>('SELECT version FROM users WHERE id = $1', [
    leaver,
  ])) as [{ version: number }]
  const stop = (successors: { kind: 'feedback'; user_id: string }[]) =>
    gm.ask(api.accounts.state, { body: { id: leaver, version, status: 2, confirmed: true, successors } })
  expect((await stop([{ kind: 'feedback', user_id: ids.inspector! }])).code).not.toBe(200)
  expect((await stop([{ kind: 'feedback', user_id: ids.steward! }])).code).toBe(200)
  const f = await get(id)
  expect(f.assignee_id).toBe(ids.steward)
  expect(f.events.at(-1)).toMatchObject({ act: 'transfer', words: expect.stringContaining('客服九不再负责') })
  expect(await unread(id)).toEqual(['steward'])
})

test('what is given while its account is being stopped waits for that, and goes to nobody who is gone', async () => {
  const { id: site } = sites[0]!
  const roles = await server.sql<{ id: string }>('SELECT role_id AS id FROM user_roles WHERE user_id = $1', [
    ids.service,
  ])
  const { id: leaver } = await gm.call(api.accounts.add, {
    body: { userName: 'service8', nickname: '客服八', bc_id: sites[0]!.bc_id, roles: roles.map((r) => r.id) },
  })
  const id = await enter(site)
  await service.call(feedbackApi.accept, { body: { ...(await seen(id)), level: 1, assignee_id: leaver } })
  await service.call(feedbackApi.answer, { body: { id, answers: 0, words: '明天上门', pictures: [] } })
  const close = { ...(await seen(id)), cause: 'works' as const, result: '已经修补' }
  await service.call(feedbackApi.close, { body: close })
  const other = await enter(site)
  const asks = [
    { reopen: { ...(await seen(id)), reason: '又裂开了' } },
    { accept: { ...(await seen(other)), level: 1 as const, assignee_id: leaver } },
  ]
  await server.sql('BEGIN')
  let answers: Promise<{ code: number }>[] = []
  try {
    // As far as stopping the account has come when the others ask.
    await server.sql('UPDATE users SET status = 2 WHERE id = $1', [leaver])
    answers = asks.map(({ accept, reopen }) =>
      accept
        ? service.ask(feedbackApi.accept, { body: accept })
        : service.ask(feedbackApi.reopen, { body: reopen }),
    )
    await expect.poll(() => waiting(server), { timeout: 15_000 }).toBe(2)
  } finally {
    await server.sql('COMMIT')
  }
  expect((await Promise.all(answers)).map((a) => a.code === 200)).toEqual([true, false])
  expect((await get(id)).assignee_id).toBe(ids.steward)
  expect((await get(other)).assignee_id).toBe(null)
})

test('a changed calendar moves ends that lie ahead, those of urgent feedback excepted', async () => {
  const one = await enter(sites[5]!.id, { level: 1 })
  const urgent = await enter(sites[5]!.id, { level: 3 })
  const [a, b] = [await get(one), await get(urgent)]
  const day = shanghaiDay(server.now())
  await admin.call(api.settings.update, { body: { values: { calendar: `${day} 休息` } } })
  expect((await get(one)).answerDueAt!).toBeGreaterThan(a.answerDueAt!)
  expect((await get(urgent)).answerDueAt).toBe(b.answerDueAt)
})

test('the card and the daily sheet count what their lists show, to each what they may know of', async () => {
  const day = shanghaiDay(server.now())
  await enter(sites[0]!.id, { about_id: ids.steward! })
  const card = async (who: Person) =>
    (await who.call(api.home.cards)).figures.find((f) => f.card === 'complaints')!.value
  const listed = async (who: Person) =>
    (await who.call(feedbackApi.list, { query: { kind: ['complaint'], status: [1, 2] } })).totalCount
  for (const who of [gm, service, steward, pm]) expect(await card(who)).toBe(await listed(who))
  const sheet = async (who: Person) =>
    (await who.call(api.statistics.dailySheet, { query: { from: day, to: day } })).list.reduce(
      (sum, r) => sum + r.complaints,
      0,
    )
  const from = Date.parse(`${day}T00:00:00+08:00`) / 1000
  const entered = async (who: Person) =>
    (await who.call(feedbackApi.list, { query: { kind: ['complaint'], from, to: from + 86_400 } })).totalCount
  for (const who of [gm, hq]) expect(await sheet(who)).toBe(await entered(who))
})

test('the demo shows every state in both groups, and tells it once', async () => {
  await server.sql('UPDATE feedback SET of_id = NULL')
  await server.sql('UPDATE recording_holds SET feedback_id = NULL')
  await server.sql('DELETE FROM feedback')
  const tenants = await server.sql<{ id: string }>('SELECT id FROM tenants')
  for (let i = 0; i < 2; i += 1)
    for (const { id } of tenants) await server.db.tx(SYSTEM, (tx) => tellFeedback(tx, id))
  const rows = await server.sql<{
    tenant_id: string
    n: number
    states: number[]
    levels: number[]
    hidden: number
  }>(
    `SELECT tenant_id, count(*)::int AS n, array_agg(DISTINCT status ORDER BY status) AS states,
       array_agg(DISTINCT level ORDER BY level) AS levels, count(hidden_from)::int AS hidden
     FROM feedback GROUP BY tenant_id`,
  )
  expect(rows).toHaveLength(2)
  for (const r of rows) {
    expect(r.states).toEqual([1, 2, 3, 4])
    expect(r.levels).toEqual([1, 2, 3])
    expect(r.hidden).toBeGreaterThan(0)
    expect(r.n % 13).toBe(0)
  }
  const list = await gm.call(feedbackApi.list, { query: { pageSize: 50 } })
  expect(list.list.some((f) => f.pausedAt !== null)).toBe(true)
  expect(list.list.some((f) => f.round === 2)).toBe(true)
  expect(list.list.some((f) => f.openChildren === 1)).toBe(true)
  for (const f of list.list) expect((await get(f.id, gm)).events.length).toBeGreaterThan(0)
})
