import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { feedbackReminders } from '../features/feedback/ladder.service.ts'
import { endPauses } from '../features/feedback/pausing.service.ts'
import { remind } from '../features/notifications/reminders.service.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { weighAll } from '../features/warnings/weighing.service.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import { type Person, startTestServer, type TestServer } from '../testing/start.ts'

/** The clocks of owners by the calendar on the wall: work is 08:00 to 18:00, Monday to Friday. */
let server: TestServer
let gm: Person, steward: Person, service: Person, admin: Person
let site: { id: string; name: string; bc: string; tenant: string }
let ids: Record<string, string>

async function enter() {
  gm = await server.as('branch_gm')
  steward = await server.as('steward')
  service = await server.as('service')
  admin = await server.as('admin')
}
beforeAll(async () => {
  server = await startTestServer()
  const users = await server.sql<{ id: string; user_name: string }>('SELECT id, user_name FROM users')
  ids = Object.fromEntries(users.map((u) => [u.user_name, u.id]))
  ;[site] = (await server.sql<typeof site>(
    `SELECT w.id, w.ws_name AS name, w.bc_id AS bc, w.tenant_id AS tenant FROM sites w
     WHERE w.manager_id = $1 AND w.steward_id = $2 AND w.status = 1 ORDER BY w.code LIMIT 1`,
    [ids.pm, ids.steward],
  )) as [typeof site]
})
afterAll(() => server.stop())
beforeEach(async () => {
  for (const [key, value] of [
    ['workStart', '"08:00"'],
    ['workEnd', '"18:00"'],
    ['restDays', '[0, 6]'],
  ] as const) {
    await server.sql('DELETE FROM settings WHERE key = $1', [key])
    await server.sql('INSERT INTO settings (tenant_id, key, value) VALUES ($1, $2, $3::jsonb)', [
      site.tenant,
      key,
      value,
    ])
  }
  await server.sql('DELETE FROM calendar_days')
  for (const table of ['notifications', 'reminders', 'thread_messages', 'threads'])
    await server.sql(`DELETE FROM ${table}`)
})

const at = (day: string, time: string) => Date.parse(`${day}T${time}:00+08:00`)
/** It is this minute of the wall. */
async function goTo(day: string, time: string): Promise<void> {
  server.later(at(day, time) - server.now().getTime())
  await enter()
}
/** Only ever forward: the next such day after today. */
function next(weekday: number): string {
  const today = shanghaiDay(server.now())
  const all = Array.from({ length: 7 }, (_, i) => addDays(today, i + 1))
  return all.find((day) => new Date(`${day}T12:00:00Z`).getUTCDay() === weekday)!
}
const [THURSDAY, FRIDAY] = [4, 5]
/** A moment in seconds as a clock on the wall shows it, to the minute: signing in takes seconds. */
const wall = (seconds: number | null) =>
  seconds === null ? null : new Date((seconds + 30) * 1000 + 8 * 3_600_000).toISOString().slice(0, 16)
const calendar = (text: string | null) =>
  admin.call(api.settings.update, { body: { values: { calendar: text } } })
const complain = async (level: 1 | 2 | 3, who = steward) =>
  (
    await who.call(api.feedback.enter, {
      body: {
        site_id: site.id,
        kind: 'complaint',
        level,
        about: 'work',
        channel: 'phone',
        words: '水管一直在漏',
        pictures: [],
      },
    })
  ).id
const get = (id: string) => gm.call(api.feedback.details, { query: { id } })
const waits = () => gm.call(api.threads.details, { query: { site_id: site.id } })
const hear = () =>
  steward.call(api.threads.hear, { body: { site_id: site.id, channel: 'phone', words: '什么时候来人' } })

test('the Saturday that is worked in exchange counts for the answer to words and to feedback', async () => {
  const friday = next(FRIDAY)
  await goTo(friday, '17:00')
  const [saturday, monday] = [addDays(friday, 1), addDays(friday, 3)]
  const id = await complain(1)
  await hear()
  // An hour of Friday is left: eight hours end on Monday at three, four at eleven.
  expect(wall((await get(id)).answerDueAt)).toBe(`${monday}T15:00`)
  expect(wall((await waits()).dueAt)).toBe(`${monday}T11:00`)
  // Entered while both run: Saturday is worked, Monday is not.
  await calendar(`${saturday} 上班\n${monday} 休`)
  expect(wall((await get(id)).answerDueAt)).toBe(`${saturday}T15:00`)
  expect(wall((await waits()).dueAt)).toBe(`${saturday}T11:00`)
  // What ended by the calendar of then has ended, whatever is entered afterwards.
  await goTo(saturday, '17:00')
  await calendar(`${saturday} 休`)
  expect(wall((await get(id)).answerDueAt)).toBe(`${saturday}T15:00`)
  expect((await get(id)).overdue).toBe(true)
})

test('words and level 1 on the eve of a long holiday run on when work begins again', async () => {
  const thursday = next(THURSDAY)
  await goTo(thursday, '09:00')
  await calendar(`${addDays(thursday, 1)}~${addDays(thursday, 10)} 休 国庆`)
  await goTo(thursday, '17:59')
  const back = addDays(thursday, 11)
  const id = await complain(1)
  await hear()
  // A minute has run on the eve.
  expect(wall((await get(id)).answerDueAt)).toBe(`${back}T15:59`)
  expect(wall((await waits()).dueAt)).toBe(`${back}T11:59`)
  // In the middle of the holiday nothing is late and nobody is called.
  await goTo(addDays(thursday, 5), '12:00')
  await server.db.tx(SYSTEM, (tx) => remind(tx, site.tenant, feedbackReminders))
  expect(await server.sql(`SELECT FROM reminders WHERE cause_id = $1`, [id])).toEqual([])
  expect((await get(id)).overdue).toBe(false)
})

test('a pause over days of rest holds back the hours of work that lay in it, and no more', async () => {
  const thursday = next(THURSDAY)
  await goTo(thursday, '10:00')
  const id = await complain(1)
  const seen = async () => ({ id, version: (await get(id)).version })
  await steward.call(api.feedback.accept, {
    body: { ...(await seen()), level: 1, assignee_id: ids.steward! },
  })
  await steward.call(api.feedback.answer, {
    body: { id, answers: (await get(id)).answers, words: '已经联系楼上物业', pictures: [] },
  })
  // 72 hours of ten a day: eight on Thursday, ten on Friday, fifty in the week after, four on the Monday that follows.
  expect(wall((await get(id)).closeDueAt)).toBe(`${addDays(thursday, 11)}T12:00`)
  await goTo(thursday, '16:00')
  const [friday, sunday] = [addDays(thursday, 1), addDays(thursday, 3)]
  await steward.call(api.feedback.pause, {
    body: { ...(await seen()), pauseFor: 'third', reason: '等楼上物业来人', until: sunday },
  })
  await goTo(friday, '12:00')
  expect((await get(id)).dueAt).toBeNull()
  // Noticed long after Sunday was over: six hours had run, 66 are left from Monday morning on.
  await goTo(addDays(sunday, 1), '09:30')
  await server.db.tx(SYSTEM, (tx) => endPauses(tx, site.tenant))
  expect(wall((await get(id)).closeDueAt)).toBe(`${addDays(thursday, 12)}T14:00`)
})

test('a pipe bursts at 23:59 before New Year: an hour by the wall, then whom the branch names is called', async () => {
  const friday = next(FRIDAY)
  await goTo(friday, '10:00')
  const [eve, newYear] = [addDays(friday, 7), addDays(friday, 8)]
  await calendar(`${eve}~${addDays(eve, 7)} 休 春节`)
  await admin.call(api.settings.update, {
    body: { bcId: site.bc, values: { 'escalatePerson.1': ids.branch_gm! } },
  })
  await goTo(eve, '23:59')
  const id = await complain(3, service)
  const look = () => server.db.tx(SYSTEM, (tx) => remind(tx, site.tenant, feedbackReminders))
  const called = async () =>
    (
      await server.sql<{ user_name: string }>(
        `SELECT DISTINCT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
         WHERE n.cause_id = $1 AND n.read_at IS NULL AND n.at > $2`,
        [id, new Date(at(newYear, '00:10'))],
      )
    ).map((n) => n.user_name)
  expect(wall((await get(id)).answerDueAt)).toBe(`${newYear}T00:59`)
  await steward.call(api.feedback.accept, {
    body: { id, version: (await get(id)).version, level: 3, assignee_id: ids.steward! },
  })
  await goTo(newYear, '00:43')
  await look()
  expect(await called()).toEqual([])
  await goTo(newYear, '00:45')
  await look()
  expect(await called()).toContain('steward')
  expect(await called()).not.toContain('branch_gm')
  await goTo(newYear, '01:00')
  await look()
  expect(await called()).toContain('branch_gm')
  expect(await called()).not.toContain('service')
  await admin.call(api.settings.update, { body: { bcId: site.bc, values: { 'escalatePerson.1': null } } })
})

test('a promise and a question of today are in time until 23:59, and late a minute after', async () => {
  const friday = next(FRIDAY)
  const saturday = addDays(friday, 1)
  await goTo(friday, '23:58')
  const promise = {
    site_id: site.id,
    subject: 'other' as const,
    content: '今晚把钥匙送回',
    due: friday,
    post: 1 as const,
    answers: [],
  }
  const { id } = await steward.call(api.promises.add, { body: promise })
  const asked = { site_id: site.id, words: '门锁留哪一把', options: [], stage: null, pictures: [] }
  const question = await steward.call(api.questions.ask, { body: { ...asked, neededBy: friday } })
  const late = async () => [
    (await gm.call(api.promises.list, { query: { id } })).list[0]!.lateDays,
    (await gm.call(api.questions.list, { query: { site_id: site.id } })).list.find(
      (q) => q.id === question.id,
    )!.lateDays,
  ]
  await goTo(friday, '23:59')
  expect(await late()).toEqual([null, null])
  await goTo(saturday, '00:00')
  expect(await late()).toEqual([1, 1])
  const again = await steward.ask(api.promises.add, { body: promise })
  expect([again.code, again.data]).toMatchObject([400, { fields: { due: expect.any(String) } }])
  const more = await steward.ask(api.questions.ask, { body: { ...asked, neededBy: friday } })
  expect([more.code, more.data]).toMatchObject([400, { fields: { neededBy: expect.any(String) } }])
})

test('a night of 5,000 sites whose plans are over writes one message a person and branch', async () => {
  await server.sql('DELETE FROM warnings')
  await server.sql(
    `WITH w AS (
       INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, address, status, steward_id, manager_id)
       SELECT w.tenant_id, gen_random_uuid(), 'N' || i, '夜里的工地 ' || i, w.bc_id, '', 1, w.steward_id, w.manager_id
       FROM sites w, generate_series(1, 5000) i WHERE w.id = $1
       RETURNING tenant_id, id)
     INSERT INTO site_stages (tenant_id, site_id, stage, sort, planned_start, planned_finish)
     SELECT w.tenant_id, w.id, 'briefing', 1, :today - 300, :today - 290 FROM w`,
    [site.id],
  )
  await server.db.tx(SYSTEM, (tx) => weighAll(tx, site.tenant))
  const [n] = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM warnings v JOIN sites w ON w.id = v.site_id WHERE w.code LIKE 'N%'`,
  )
  expect(n).toEqual({ n: 5_000 })
  const told = await server.sql<{ user_name: string; n: number; title: string }>(
    `SELECT u.user_name, count(*)::int AS n, min(n.title) AS title FROM notifications n
     JOIN users u ON u.id = n.user_id
     WHERE n.cause_kind = 'warning' AND n.title LIKE '%预警%'
     GROUP BY u.user_name, n.link HAVING min(n.title) LIKE '%杭州%'`,
  )
  expect(told.map((t) => t.n)).toEqual(told.map(() => 1))
  for (const who of ['branch_gm', 'pm', 'steward'])
    expect(told.find((t) => t.user_name === who)?.title).toMatch(/有 5\d\d\d 条新的或升级的预警/)
}, 120_000)
