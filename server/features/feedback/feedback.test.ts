import { api } from '@zhuguan/contract/api.ts'
import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { remind } from '../notifications/reminders.service.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { feedbackReminders } from './ladder.service.ts'

const HOUR = 3_600
let server: TestServer
let gm: Person, pm: Person, steward: Person, service: Person, hq: Person
let ids: Record<string, string>
let site: { id: string; name: string; tenant: string; bc: string }
let elsewhere: string

beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
  steward = await server.as('steward')
  service = await server.as('service')
  hq = await server.as('hq_ops')
  const users = await server.sql<{ id: string; user_name: string }>('SELECT id, user_name FROM users')
  ids = Object.fromEntries(users.map((u) => [u.user_name, u.id]))
  const [mine] = await server.sql<typeof site>(
    `SELECT w.id, w.ws_name AS name, w.tenant_id AS tenant, w.bc_id AS bc FROM sites w
     WHERE w.manager_id = $1 AND w.steward_id = $2 AND w.status = 1 ORDER BY w.code LIMIT 1`,
    [ids.pm, ids.steward],
  )
  site = mine!
  const [other] = await server.sql<{ id: string }>(
    'SELECT id FROM sites WHERE bc_id = $1 AND steward_id <> $2 AND status = 1 ORDER BY code LIMIT 1',
    [site.bc, ids.steward],
  )
  elsewhere = other!.id
  // Working time is all of the time here; how it stands still at night is a story of its own.
  await server.sql(`UPDATE settings SET value = '"00:00"' WHERE key = 'workStart'`)
  await server.sql(`UPDATE settings SET value = '"23:59"' WHERE key = 'workEnd'`)
})
afterAll(() => server.stop())
beforeEach(() => server.sql('DELETE FROM notifications'))

const instant = () => Math.floor(server.now().getTime() / 1000)
type Entry = BodyOf<(typeof feedbackApi)['enter']>
const enter = async (who: Person = steward, more: Partial<Entry> = {}) =>
  (
    await who.call(feedbackApi.enter, {
      body: {
        site_id: site.id,
        kind: 'complaint',
        level: 1,
        about: 'work',
        channel: 'phone',
        words: '卫生间的瓷砖空鼓',
        pictures: [],
        ...more,
      },
    })
  ).id
const get = (id: string, who: Person = gm) => who.call(feedbackApi.details, { query: { id } })
const seen = async (id: string) => ({ id, version: (await get(id)).version })
const accept = async (id: string, who: Person = steward, to = 'steward', level: 1 | 2 | 3 = 1) =>
  who.ask(feedbackApi.accept, { body: { ...(await seen(id)), level, assignee_id: ids[to]! } })
const answer = async (id: string, who: Person = steward, words = '明天上午上门看') =>
  who.ask(feedbackApi.answer, { body: { id, answers: (await get(id)).answers, words, pictures: [] } })
const close = async (id: string, who: Person = service) =>
  who.ask(feedbackApi.close, { body: { ...(await seen(id)), cause: 'works', result: '已经重新铺贴' } })
/** Entered, accepted by the steward and answered. */
async function handled(level: 1 | 2 | 3 = 1, more: Partial<Entry> = {}): Promise<string> {
  const id = await enter(steward, { level, ...more })
  expect((await accept(id, steward, 'steward', level)).code).toBe(200)
  expect((await answer(id)).code).toBe(200)
  return id
}
const unread = async (id: string): Promise<string[]> =>
  (
    await server.sql<{ user_name: string }>(
      `SELECT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
       WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY 1`,
      [id],
    )
  ).map((n) => n.user_name)
const set = (id: string, what: string) => server.sql(`UPDATE feedback SET ${what} WHERE id = $1`, [id])
const look = () => server.db.tx(SYSTEM, (tx) => remind(tx, site.tenant, feedbackReminders))

test('entered, accepted, answered and closed: who and when, a number of its day, both clocks, the thread', async () => {
  const at = instant()
  const photo = await uploadPhoto(server.url, steward)
  const id = await enter(steward, { pictures: [photo] })
  const entered = await get(id)
  const day = shanghaiDay(server.now()).slice(2).replaceAll('-', '')
  expect(entered.no).toMatch(new RegExp(`^FK${day}-\\d{5}$`))
  expect(entered).toMatchObject({ status: 1, level: 1, siteName: site.name, assignee_id: null, round: 1 })
  expect(entered.ownerName).not.toBe('')
  expect(entered.pictures).toEqual([photo])
  expect(entered.answerDueAt! - at).toBeGreaterThanOrEqual(8 * HOUR)
  expect(entered.answerDueAt! - at).toBeLessThan(8 * HOUR + 60)
  expect(entered.dueAt).toBe(entered.answerDueAt)
  expect(await unread(id)).toEqual(['branch_gm', 'service'])
  expect((await accept(id)).code).toBe(200)
  // Acted on, it waits in nobody's list.
  expect(await unread(id)).toEqual([])
  const accepted = await get(id)
  expect(accepted).toMatchObject({ status: 2, assignee_id: ids.steward, answeredAt: null })
  expect(accepted.closeDueAt! - at).toBeGreaterThanOrEqual(72 * HOUR)
  expect(accepted.dueAt).toBe(accepted.answerDueAt)
  expect((await close(id)).msg).toBe('还没有回复业主')
  expect((await answer(id)).code).toBe(200)
  const answered = await get(id)
  expect(answered.answeredAt).toBeGreaterThanOrEqual(at)
  expect(answered.dueAt).toBe(answered.closeDueAt)
  // The first words stop the clock, later ones leave it.
  await set(id, `answered_at = answered_at - interval '1 hour'`)
  expect((await answer(id)).code).toBe(200)
  expect((await get(id)).answeredAt).toBe(answered.answeredAt! - HOUR)
  expect((await close(id, steward)).code).toBe(200)
  const done = await get(id)
  expect(done).toMatchObject({ status: 3, cause: 'works', result: '已经重新铺贴', dueAt: null, answers: 2 })
  expect(done.events.map((e) => e.act)).toEqual(['enter', 'accept', 'answer', 'answer', 'close'])
  const lines = await server.sql<{ title: string }>(
    `SELECT title FROM site_events WHERE ref_id = $1 ORDER BY id`,
    [id],
  )
  expect(lines.map((l) => l.title)[0]).toBe(`投诉 ${done.no}：登记`)
  const logs = await server.sql<{ action: string; after: string }>(
    `SELECT action, concat(after, beside) AS after FROM user_logs WHERE object_id = $1`,
    [id],
  )
  expect(logs.map((l) => l.action)).toContain('结案反馈')
  // What the owner said stands in no log.
  expect(logs.every((l) => !l.after.includes('空鼓'))).toBe(true)
})

test('who may: each command is refused with a sentence, and a refused one changes nothing', async () => {
  const id = await enter()
  const say = async (a: { msg: string; code: number }) => (expect(a.code).not.toBe(200), a.msg)
  expect(await say(await answer(id))).toBe('当前为“待受理”，不能回复；可以：受理')
  expect(
    (await hq.ask(feedbackApi.accept, { body: { ...(await seen(id)), level: 1, assignee_id: ids.steward! } }))
      .code,
  ).toBe(401)
  expect((await accept(id, steward, 'steward', 2)).code).toBe(200)
  // Neither the assignee nor a supervisor.
  expect(await say(await answer(id, pm))).toMatch(/^责任人是.+只有责任人或客服能回复$/)
  expect((await answer(id, service)).code).toBe(200)
  expect(await say(await close(id, steward))).toBe('等级是“重要”，由客服或分公司总经理结案')
  const lower = { ...(await seen(id)), level: 1 as const, reason: '只是划痕' }
  expect((await steward.ask(feedbackApi.lower, { body: lower })).code).toBe(401)
  const cancel = {
    ...(await seen(id)),
    cause: 'notOurs' as const,
    reason: '物业的事',
    cancelled: [],
    kept: [],
  }
  expect((await pm.ask(feedbackApi.cancel, { body: cancel })).code).toBe(401)
  expect(
    await say(
      await steward.ask(feedbackApi.transfer, {
        body: { ...(await seen(id)), assignee_id: ids.steward!, reason: '转给自己' },
      }),
    ),
  ).toBe('已经是他负责')
  // Nobody who cannot handle it there takes it.
  for (const name of ['inspector', 'other_steward', 'steward2'])
    expect(
      (
        await service.ask(feedbackApi.transfer, {
          body: { ...(await seen(id)), assignee_id: ids[name]!, reason: '转出去' },
        })
      ).status,
    ).toBe(403)
  expect((await get(id)).events.map((e) => e.act)).toEqual(['enter', 'accept', 'answer'])
  // An old version changes nothing.
  const old = { ...(await seen(id)), level: 3 as const, reason: '漏水' }
  expect((await steward.ask(feedbackApi.raise, { body: old })).code).toBe(200)
  const late = await service.ask(feedbackApi.close, {
    body: { id, version: old.version, cause: 'works', result: '好了' },
  })
  const { overtaken } = (JSON.parse(late.text) as { data: { overtaken: { name: string; at: number } } }).data
  expect([late.code, late.msg.startsWith(`已被 ${overtaken.name} 于 `)]).toEqual([409, true])
  expect(Math.abs(overtaken.at * 1_000 - server.now().getTime())).toBeLessThan(60_000)
  expect((await get(id)).status).toBe(2)
  // Others' homes are nobody's business.
  expect(
    (
      await steward.ask(feedbackApi.enter, {
        body: {
          site_id: elsewhere,
          kind: 'repair',
          level: 1,
          about: 'work',
          channel: 'phone',
          words: '灯不亮',
          pictures: [],
        },
      })
    ).status,
  ).toBe(403)
})

test('a level goes up with clocks that never end later, and down with clocks that stay', async () => {
  const id = await handled(1)
  const before = await get(id)
  const up = async (level: 2 | 3, who = steward) =>
    who.ask(feedbackApi.raise, { body: { ...(await seen(id)), level, reason: '水漏到楼下' } })
  // Whose it is not does not hurry who has it.
  expect(await up(2, pm)).toMatchObject({
    code: 409,
    msg: expect.stringContaining('只有责任人或客服能提高等级'),
  })
  expect(await get(id)).toEqual(before)
  expect((await up(2)).code).toBe(200)
  const higher = await get(id)
  expect(higher.closeDueAt!).toBeLessThanOrEqual(instant() + 24 * HOUR)
  expect(higher.closeDueAt!).toBeLessThan(before.closeDueAt!)
  await set(id, `close_due_at = :now + interval '1 hour', close_warn_at = :now`)
  const soon = (await get(id)).closeDueAt!
  expect((await up(3)).code).toBe(200)
  expect(await get(id)).toMatchObject({ level: 3, closeDueAt: soon })
  expect((await up(3)).msg).toBe('已经是最高等级')
  const down = { ...(await seen(id)), level: 1 as const, reason: '已经止水' }
  expect((await service.ask(feedbackApi.lower, { body: down })).code).toBe(200)
  expect(await get(id)).toMatchObject({ level: 1, closeDueAt: soon })
  // Accepting is no way to lower it.
  const other = await enter(steward, { level: 2 })
  expect((await accept(other)).data).toMatchObject({ fields: { level: expect.stringContaining('降低等级') } })
  expect((await accept(other, service)).code).toBe(200)
  // Raised when accepted, the owner hears sooner.
  const third = await enter()
  const owed = (await get(third)).answerDueAt!
  await accept(third, steward, 'steward', 3)
  expect((await get(third)).answerDueAt!).toBeLessThanOrEqual(instant() + HOUR)
  expect((await get(third)).answerDueAt!).toBeLessThan(owed)
})

test('level 1 at 17:59 before a holiday: a minute has run when work begins; level 3 runs on', async () => {
  const set = (key: string, value: string) =>
    server.sql('UPDATE settings SET value = $2::jsonb WHERE key = $1', [key, value])
  await set('workStart', '"08:00"')
  await set('workEnd', '"18:00"')
  const today = shanghaiDay(server.now())
  await server.sql(
    `INSERT INTO calendar_days (tenant_id, day, rest)
     SELECT $1, $2::date + n, n BETWEEN 3 AND 5 FROM generate_series(1, 40) n`,
    [site.tenant, today],
  )
  const eve = addDays(today, 2)
  server.later(Date.parse(`${eve}T17:59:00+08:00`) - server.now().getTime())
  const [login, quiet] = [await server.as('steward'), await server.as('branch_gm')]
  const one = await enter(login)
  const urgent = await enter(login, { level: 3 })
  const due = (id: string) => get(id, quiet).then((f) => f.answerDueAt!)
  const opening = Date.parse(`${addDays(eve, 4)}T08:00:00+08:00`) / 1000
  expect(Math.abs((await due(one)) - (opening + 8 * HOUR - 60))).toBeLessThanOrEqual(30)
  expect((await due(urgent)) - instant()).toBeGreaterThan(HOUR - 30)
  expect((await due(urgent)) - instant()).toBeLessThanOrEqual(HOUR)
  await server.sql('DELETE FROM calendar_days WHERE tenant_id = $1', [site.tenant])
  await set('workStart', '"00:00"')
  await set('workEnd', '"23:59"')
  steward = login
  gm = quiet
  pm = await server.as('pm')
  service = await server.as('service')
  hq = await server.as('hq_ops')
})

test('a pause holds the close clock alone, ends by hand or by its day, and is seen in the time', async () => {
  const id = await handled(1)
  const before = await get(id)
  const pause = async (more: object, who = steward) =>
    who.ask(feedbackApi.pause, {
      body: { ...(await seen(id)), pauseFor: 'owner', reason: '请业主选定砖的颜色', ...more },
    })
  expect((await pause({}, service)).msg).toMatch(/只有责任人能暂停$/)
  // To wait for the owner, the owner must have been asked something.
  const unasked = await pause({})
  expect([unasked.code, unasked.msg]).toEqual([409, '业主现在没有待决定的问题，不能算等业主；请先向业主提问'])
  expect((await get(id)).pausedAt).toBeNull()
  const [sold] = await server.sql<{ since: Date }>(
    'SELECT since FROM home_contacts WHERE site_id = $1 AND owner_id IS NOT NULL AND ended_at IS NULL',
    [site.id],
  )
  const { id: question } = await steward.call(api.questions.ask, {
    body: {
      site_id: site.id,
      words: '砖要哪个颜色',
      options: [],
      neededBy: addDays(shanghaiDay(server.now()), 5),
      stage: null,
      pictures: [],
    },
  })
  // What the owner before was asked is nothing that the one of today decides.
  await server.sql(`UPDATE questions SET asked_at = $2::timestamptz - interval '1 day' WHERE id = $1`, [
    question,
    sold!.since,
  ])
  expect((await pause({})).code).toBe(409)
  await server.sql('UPDATE questions SET asked_at = :now WHERE id = $1', [question])
  expect((await pause({ pauseFor: 'third' })).data).toMatchObject({
    fields: { until: '等第三方要写明等到哪一天' },
  })
  const today = shanghaiDay(server.now())
  expect((await pause({ until: addDays(today, 8) })).data).toMatchObject({
    fields: { until: expect.stringContaining('一共可以暂停 7 天') },
  })
  expect((await pause({ until: addDays(today, 3) })).code).toBe(200)
  const paused = await get(id)
  expect(paused).toMatchObject({ pauseFor: 'owner', dueAt: null, overdue: false })
  expect((await pause({})).msg).toBe('已经暂停')
  // Two hours later by hand: what was left is left.
  await set(
    id,
    `paused_at = paused_at - interval '2 hours',
       close_due_at = close_due_at - interval '2 hours',
       close_warn_at = close_warn_at - interval '2 hours',
       entered_at = entered_at - interval '2 hours'`,
  )
  expect((await steward.ask(feedbackApi.resume, { body: await seen(id) })).code).toBe(200)
  const back = await get(id)
  expect(Math.abs(back.closeDueAt! - before.closeDueAt!)).toBeLessThan(60)
  expect(Math.abs(back.paused - 2 * HOUR)).toBeLessThan(60)
  expect(back.gross - back.paused).toBeLessThan(back.gross)
  // By its day, noticed a day later: it goes on from that moment.
  expect((await pause({ pauseFor: 'third', until: today })).code).toBe(200)
  await set(
    id,
    `paused_at = :now - interval '30 hours',
       paused_until = :now - interval '26 hours',
       close_due_at = :now - interval '20 hours',
       close_warn_at = :now - interval '25 hours'`,
  )
  await look()
  const over = await get(id)
  expect(over.pausedAt).toBeNull()
  expect(Math.abs(over.closeDueAt! - (instant() - 16 * HOUR))).toBeLessThan(60)
  expect(over.overdue).toBe(true)
  expect(over.events.at(-1)!.act === 'escalate' || over.events.some((e) => e.act === 'resume')).toBe(true)
  expect((await pause({})).msg).toBe('结案期限已经过了，不能再暂停；请结案或升级')
  // In all no more than the days of the branch.
  await set(id, `close_due_at = close_due_at + interval '90 hours', paused_s = 7 * 86400`)
  expect((await pause({})).msg).toBe('一条反馈一共可以暂停 7 天，已经用完')
  // The answer clock never pauses.
  const silent = await enter()
  await accept(silent)
  const owed = (await get(silent)).answerDueAt
  await steward.call(feedbackApi.pause, {
    body: { ...(await seen(silent)), pauseFor: 'owner', reason: '等业主回电话' },
  })
  expect(await get(silent)).toMatchObject({ dueAt: owed, answerDueAt: owed })
})

test('of two answers the second reads the first, and of two closes one is refused', async () => {
  const id = await handled()
  const both = ['今天下午到', '后天再看'].map((words, i) =>
    [steward, service][i]!.ask(feedbackApi.answer, { body: { id, answers: 1, words, pictures: [] } }),
  )
  const codes = await Promise.all(both)
  expect(codes.map((a) => a.code).sort()).toEqual([200, 409])
  const lost = codes.find((a) => a.code === 409)!
  expect(lost.msg).toMatch(/^.+ 已于 .+ 回复业主，请先看过再回复$/)
  expect((await get(id)).answers).toBe(2)
  const one = await seen(id)
  const closes = await Promise.all(
    [service, gm].map((who) =>
      who.ask(feedbackApi.close, { body: { ...one, cause: 'goods', result: '换了一批砖' } }),
    ),
  )
  expect(closes.map((a) => a.code).sort()).toEqual([200, 409])
  expect((await get(id)).events.filter((e) => e.act === 'close')).toHaveLength(1)
})

test('whom it is about judges nothing of it, and a steward hears nothing of it until it is released', async () => {
  const about = { about: 'person' as const, about_id: ids.pm! }
  const ofPm = await enter(steward, about)
  // A manager may have it, and takes nothing on (states: steward, service).
  expect((await accept(await enter(steward), pm)).code).toBe(401)
  const ofService = await enter(steward, { about: 'person' as const, about_id: ids.service! })
  expect((await accept(ofService, service)).msg).toBe('这条反馈说的是您，请由他人处理')
  expect((await accept(ofPm, steward, 'pm')).data).toMatchObject({
    fields: { assignee_id: expect.any(String) },
  })

  const id = await enter(service, { about: 'person', about_id: ids.steward!, words: '管家不接电话' })
  const { no } = await get(id)
  expect((await get(id)).hidden).toBe(true)
  expect(await unread(id)).toEqual(['branch_gm'])
  // Neither list nor count, details, search, timeline, home, nor any command.
  const listed = async (who: Person) => who.call(feedbackApi.list, { query: { site_id: site.id } })
  const [all, his] = [await listed(gm), await listed(steward)]
  expect(all.list.map((f) => f.id)).toContain(id)
  expect(his.list.map((f) => f.id)).not.toContain(id)
  const hidden = all.list.filter((f) => f.hidden).length
  expect(his.totalCount).toBe(all.totalCount - hidden)
  expect((await steward.ask(feedbackApi.details, { query: { id } })).status).toBe(403)
  expect(
    (await steward.ask(feedbackApi.accept, { body: { id, version: 0, level: 1, assignee_id: ids.pm! } }))
      .status,
  ).toBe(403)
  const found = async (who: Person) =>
    (await who.call(api.search.all, { query: { keyword: no } })).filter((h) => h.kind === 'feedback').length
  expect([await found(gm), await found(steward)]).toEqual([1, 0])
  const line = async (who: Person) =>
    (await who.call(api.timeline.list, { query: { site_id: site.id, kinds: ['feedback'] } })).list.filter(
      (e) => e.ref_id === id,
    ).length
  expect([await line(gm), await line(steward)]).toEqual([1, 0])
  const other = await enter()
  expect((await get(other)).earlier.map((e) => e.id)).toContain(id)
  expect((await get(other, steward)).earlier.map((e) => e.id)).not.toContain(id)
  const [told] = await server.sql<{ except_id: string }>(
    `SELECT except_id FROM live_events WHERE topic = 'feedback' AND ref_id = $1`,
    [id],
  )
  expect(told!.except_id).toBe(ids.steward)
  // No copy of it through what it repeats.
  expect(
    (
      await steward.ask(feedbackApi.enter, {
        body: {
          site_id: site.id,
          kind: 'complaint',
          level: 1,
          about: 'work',
          channel: 'phone',
          words: '又来了',
          pictures: [],
          of_id: id,
        },
      })
    ).status,
  ).toBe(403)
  expect(
    (
      await service.ask(feedbackApi.accept, {
        body: { ...(await seen(id)), level: 1, assignee_id: ids.steward! },
      })
    ).code,
  ).toBe(400)
  expect((await accept(id, service, 'pm')).code).toBe(200)
  expect(await unread(id)).not.toContain('steward')
  // Moved by time, still nothing.
  await set(id, `answer_warn_at = :now - interval '9 days', answer_due_at = :now - interval '8 days'`)
  await look()
  expect(await unread(id)).not.toContain('steward')
  expect((await pm.ask(feedbackApi.release, { body: await seen(id) })).code).toBe(401)
  expect((await service.ask(feedbackApi.release, { body: await seen(id) })).code).toBe(200)
  expect((await get(id, steward)).hidden).toBe(false)
  expect(await found(steward)).toBe(1)
  expect(await line(steward)).toBe(await line(gm))
  expect((await answer(id, pm)).code).toBe(200)
  // What it is about stays.
  expect((await close(id, steward)).msg).toContain('这条反馈说的是您，请由他人处理')
})

test('its corrections are its children: it is closed after them and cancelled with each or without', async () => {
  const id = await handled(1)
  const open = async (problem: string, who = service) =>
    who.call(feedbackApi.correct, {
      body: {
        ...(await seen(id)),
        problem,
        assignee_id: ids.pm!,
        due: addDays(shanghaiDay(server.now()), 2),
      },
    })
  const first = (await open('墙砖空鼓重贴')).id
  const second = (await open('地漏重做', steward)).id
  const detail = await get(id)
  expect(detail.children.map((k) => [k.id, k.problem, k.correctionStatus])).toEqual([
    [first, '墙砖空鼓重贴', 2],
    [second, '地漏重做', 2],
  ])
  const day = Date.parse(`${addDays(shanghaiDay(server.now()), 3)}T00:00:00+08:00`) / 1000
  expect(detail.children[0]!.dueAt).toBe(day)
  expect(await unread(first)).toEqual(['pm'])
  const listed = await gm.call(api.corrections.list, { query: { source: ['feedback'] } })
  expect(listed.list.map((k) => k.source_id)).toEqual([id, id])
  expect((await close(id)).msg).toBe('还有 2 张整改单没有办结')
  const cancel = async (more: object) =>
    service.ask(feedbackApi.cancel, {
      body: {
        ...(await seen(id)),
        cause: 'withdrawn',
        reason: '业主说算了',
        cancelled: [],
        kept: [],
        ...more,
      },
    })
  expect((await cancel({ cancelled: [first] })).data).toMatchObject({
    fields: { cancelled: expect.stringContaining('取消还是保留') },
  })
  expect((await cancel({ cancelled: [first], kept: [first, second] })).code).toBe(400)
  expect((await cancel({ cancelled: [first], kept: [second] })).code).toBe(200)
  const after = await get(id)
  expect(after).toMatchObject({ status: 4, openChildren: 1 })
  expect(after.children.map((k) => k.correctionStatus)).toEqual([4, 2])
  // A correction of another feedback is none of this one's.
  const other = await handled(1)
  expect(
    (
      await service.ask(feedbackApi.cancel, {
        body: { ...(await seen(other)), cause: 'notOurs', reason: '物业的', cancelled: [second], kept: [] },
      })
    ).status,
  ).toBe(403)
})

test('the second of two is cancelled as a repetition of the first of the same home', async () => {
  const first = await enter()
  const second = await enter(service, { channel: 'wechat' })
  const cancel = async (more: object) =>
    service.ask(feedbackApi.cancel, {
      body: {
        ...(await seen(second)),
        cause: 'repeated',
        reason: '同一件事',
        cancelled: [],
        kept: [],
        ...more,
      },
    })
  expect((await cancel({})).data).toMatchObject({ fields: { of_id: '请选择与哪一条重复' } })
  expect((await cancel({ of_id: second })).code).toBe(400)
  const away = await enter(gm, { site_id: elsewhere })
  expect((await cancel({ of_id: away })).code).toBe(400)
  expect((await cancel({ of_id: first })).code).toBe(200)
  expect(await get(second)).toMatchObject({ status: 4, of: { id: first } })
})

test('praise is thanked for; what waits for an answer is not', async () => {
  const id = await enter(steward, { kind: 'praise', words: '师傅很细心' })
  const thank = async (one: string) =>
    steward.ask(feedbackApi.thank, { body: { ...(await seen(one)), words: '谢谢您，已转告师傅' } })
  expect((await thank(id)).code).toBe(200)
  expect(await get(id)).toMatchObject({ status: 3, result: '谢谢您，已转告师傅' })
  expect((await thank(await enter())).msg).toBe('只有表扬和建议可以致谢结案')
})

test('opened again within its days: a round and a level higher, new clocks, the score void', async () => {
  const id = await handled(1)
  await close(id)
  const scored = { ...(await seen(id)), score: 5, words: '' }
  const own = await steward.ask(feedbackApi.score, { body: scored })
  expect([own.code, own.msg]).toEqual([409, '责任人不能代填自己处理的满意度，请由他人代填'])
  expect((await service.ask(feedbackApi.score, { body: scored })).code).toBe(200)
  expect((await service.ask(feedbackApi.score, { body: { ...(await seen(id)), score: 1 } })).msg).toBe(
    '已经有满意度',
  )
  expect(
    (await steward.ask(feedbackApi.reopen, { body: { ...(await seen(id)), reason: '又空鼓了' } })).code,
  ).toBe(401)
  await server.sql('DELETE FROM notifications')
  expect(
    (await service.ask(feedbackApi.reopen, { body: { ...(await seen(id)), reason: '又空鼓了' } })).code,
  ).toBe(200)
  const again = await get(id)
  expect(again).toMatchObject({
    status: 2,
    round: 2,
    level: 2,
    score: null,
    scoredBy: '',
    answeredAt: null,
    cause: null,
  })
  expect(again.assignee_id).toBe(ids.steward)
  expect(again.answerDueAt!).toBeLessThanOrEqual(instant() + 4 * HOUR)
  expect(again.closeDueAt!).toBeLessThanOrEqual(instant() + 24 * HOUR)
  expect(await unread(id)).toEqual(['branch_gm', 'steward'])
  expect((await close(id)).msg).toBe('还没有回复业主')
  await answer(id)
  await close(id)
  await set(id, `closed_at = closed_at - interval '8 days'`)
  expect(
    (await service.ask(feedbackApi.reopen, { body: { ...(await seen(id)), reason: '又来了' } })).msg,
  ).toBe('结案超过 7 天，不能重新打开；请登记一条新的并关联这一条')
  const next = await enter(service, { of_id: id })
  expect((await get(next)).of).toMatchObject({ id })
  expect(
    (
      await service.ask(feedbackApi.enter, {
        body: {
          site_id: elsewhere,
          kind: 'repair',
          level: 1,
          about: 'work',
          channel: 'phone',
          words: '灯不亮',
          pictures: [],
          of_id: id,
        },
      })
    ).code,
  ).toBe(400)
})

test('a score typed by staff is marked; a low one makes a call', async () => {
  const id = await handled(1)
  await close(id)
  await server.sql('DELETE FROM notifications')
  expect((await pm.ask(feedbackApi.score, { body: { ...(await seen(id)), score: 6 } })).code).toBe(400)
  // A week after the end nobody is asked any more, nor is anything typed.
  await set(id, `closed_at = :now - interval '7 days'`)
  expect((await pm.ask(feedbackApi.score, { body: { ...(await seen(id)), score: 5, words: '' } })).msg).toBe(
    '结案已满 7 天，不能再评分',
  )
  await set(id, `closed_at = :now - interval '7 days' + interval '2 minutes'`)
  await pm.call(feedbackApi.score, { body: { ...(await seen(id)), score: 2, words: '来得太晚' } })
  const low = await get(id)
  expect(low).toMatchObject({ score: 2, calledBack: false })
  expect(low.scoredBy).not.toBe('')
  expect(await unread(id)).toEqual(['branch_gm', 'service'])
  const toCall = async () =>
    (await gm.call(feedbackApi.list, { query: { callback: true } })).list.map((f) => f.id)
  expect(await toCall()).toEqual([id])
  await service.call(feedbackApi.callback, { body: { ...(await seen(id)), words: '道歉，送一次保洁' } })
  expect(await toCall()).toEqual([])
  expect(await unread(id)).toEqual([])
  expect(
    (await service.ask(feedbackApi.callback, { body: { ...(await seen(id)), words: '再打一次' } })).msg,
  ).toBe('不需要回访')
})

test('the ladder: three quarters remind, the end steps up, each step once, also after a day off', async () => {
  const id = await enter(service)
  await accept(id, service, 'steward')
  await server.sql('DELETE FROM notifications')
  const at = (warn: number, due: number) =>
    server.sql('UPDATE feedback SET answer_warn_at = $2, answer_due_at = $3 WHERE id = $1', [
      id,
      new Date(server.now().getTime() + warn * HOUR * 1000),
      new Date(server.now().getTime() + due * HOUR * 1000),
    ])
  await at(1, 2)
  await look()
  expect(await unread(id)).toEqual([])
  await at(-0.1, 1)
  await look()
  await look()
  expect(await unread(id)).toEqual(['steward'])
  const [times] = await server.sql<{ times: number }>('SELECT times FROM notifications WHERE cause_id = $1', [
    id,
  ])
  expect(times!.times).toBe(1)
  await at(-2, -1)
  await look()
  await look()
  expect(await unread(id)).toEqual(['service', 'steward'])
  expect(await get(id)).toMatchObject({ rung: 1, assignee_id: ids.steward, overdue: true })
  // A day off: one step at a look, and the next has its hours from when this one was told.
  await at(-20, -19)
  await set(id, `climbed_at = answer_due_at`)
  await look()
  await look()
  expect((await get(id)).rung).toBe(2)
  expect(await unread(id)).toEqual(['branch_gm', 'service', 'steward'])
  // Told just now: not again before four hours of this clock have run.
  await set(id, `climbed_at = :now - interval '4 hours' + interval '5 minutes'`)
  await look()
  expect((await get(id)).rung).toBe(2)
  await set(id, `climbed_at = :now - interval '5 hours'`)
  await look()
  const after = await get(id)
  expect(after.rung).toBe(3)
  expect(after.supervisors.map((s) => s.id).sort()).toEqual([ids.service, ids.branch_gm, ids.hq_ops].sort())
  expect(after.events.filter((e) => e.act === 'escalate')).toHaveLength(3)
  expect(await unread(id)).toEqual(['branch_gm', 'hq_ops', 'service', 'steward'])
  await look()
  expect((await get(id)).events.filter((e) => e.act === 'escalate')).toHaveLength(3)
  // The ball stays.
  expect((await answer(id, steward)).code).toBe(200)
  expect(
    (await steward.ask(feedbackApi.escalate, { body: { ...(await seen(id)), reason: '还要升级' } })).msg,
  ).toBe('已经升级到集团')
  // By hand one step.
  const mine = await handled(1)
  await steward.call(feedbackApi.escalate, { body: { ...(await seen(mine)), reason: '业主要投诉到总部' } })
  expect(await get(mine)).toMatchObject({ rung: 1, supervisors: [{ id: ids.service }] })
})

test('a complaint keeps the hour of recordings before it; other things keep none', async () => {
  const held = async () =>
    await server.sql<{ reason: string; for: string }>(
      `SELECT reason, "for" FROM recording_holds WHERE site_id = $1`,
      [site.id],
    )
  await server.sql('DELETE FROM recording_holds')
  await enter(steward, { kind: 'repair' })
  expect(await held()).toEqual([])
  const id = await enter()
  const { no } = await get(id)
  const rows = await held()
  expect(rows.length).toBeGreaterThan(0)
  expect(rows[0]).toEqual({ reason: `${no} 投诉`, for: 'complaint' })
  await server.sql('DELETE FROM recording_holds')
  await enter(service, { about: 'person', about_id: ids.steward! })
  // Of what is kept from somebody the holds say nothing.
  expect((await held()).every((h) => h.for === 'person' && !h.reason.includes('投诉'))).toBe(true)
})

test('filters, keyword and the file agree with the list; no telephone anywhere', async () => {
  const q = { kind: ['complaint' as const], status: [2 as const] }
  const list = await gm.call(feedbackApi.list, { query: { ...q, pageSize: 100 } })
  expect(list.list.every((f) => f.kind === 'complaint' && f.status === 2)).toBe(true)
  const late = await gm.call(feedbackApi.list, { query: { overdue: true } })
  const not = await gm.call(feedbackApi.list, { query: { overdue: false } })
  const all = await gm.call(feedbackApi.list, { query: {} })
  expect(late.totalCount + not.totalCount).toBe(all.totalCount)
  expect(late.list.every((f) => f.overdue)).toBe(true)
  const one = all.list[0]!
  const hit = await gm.call(feedbackApi.list, { query: { keyword: one.no.toLowerCase() } })
  expect(hit.list.map((f) => f.id)).toEqual([one.id])
  const file = await service.ask(feedbackApi.export, { query: q })
  const rows = (await cellsOf(file.bytes)).flat()
  expect(rows).toContain(list.list[0]!.no)
  expect(rows.some((c) => /1[3-9]\d{9}/.test(String(c)))).toBe(false)
  expect((await steward.ask(feedbackApi.export, { query: {} })).code).toBe(401)
})
