import { api } from '@zhuguan/contract/api.ts'
import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import {
  patrolPlansApi,
  patrolTasksApi,
  patrolTemplatesApi,
} from '@zhuguan/contract/features/patrols/plans.api.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { feedbackReminders } from '../feedback/ladder.service.ts'
import { remind } from '../notifications/reminders.service.ts'
import { tellTasks } from '../patrols/tasks.service.ts'
import { promiseReminders } from '../promises/promise-reminders.service.ts'
import { questionReminders } from '../questions/question-reminders.service.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { threadReminders } from '../threads/thread-reminders.service.ts'

const HOUR = 3_600_000
let server: TestServer
let gm: Person, steward: Person, service: Person
let ids: Record<string, string>
let site: { id: string; name: string; tenant: string; bc: string }
/** Keeps homes of the branch too; `both` manages the home as well, with the rights of a steward. */
let other: Hired, both: Hired
interface Hired {
  id: string
  userName: string
  nickname: string
}
beforeAll(async () => {
  server = await startTestServer()
  // Ten in the morning.
  server.later(startOfDay(today()).getTime() + 10 * HOUR - server.now().getTime())
  await enter()
  const users = await server.sql<{ id: string; user_name: string }>('SELECT id, user_name FROM users')
  ids = Object.fromEntries(users.map((u) => [u.user_name, u.id]))
  const [mine] = await server.sql<typeof site>(
    `SELECT w.id, w.ws_name AS name, w.tenant_id AS tenant, w.bc_id AS bc FROM sites w
     WHERE w.manager_id = $1 AND w.steward_id = $2 AND w.status = 1 ORDER BY w.code LIMIT 1`,
    [ids.pm, ids.steward],
  )
  site = mine!
  other = await hire('钱管家', ['steward'])
  both = await hire('孙经理', ['pm', 'steward'])
  await server.sql('UPDATE sites SET manager_id = $2 WHERE id = $1', [site.id, both.id])
  // Of the steward's other homes the colleague manages one.
  await server.sql(
    `UPDATE sites SET manager_id = $1 WHERE id = (SELECT w.id FROM sites w
     WHERE w.steward_id = $2 AND w.id <> $3 AND w.status = 1 ORDER BY w.code LIMIT 1)`,
    [other.id, ids.steward, site.id],
  )
  await server.sql(`UPDATE settings SET value = '"00:00"' WHERE key = 'workStart'`)
  await server.sql(`UPDATE settings SET value = '"23:59"' WHERE key = 'workEnd'`)
})
afterAll(() => server.stop())
beforeEach(async () => {
  await server.sql('DELETE FROM absences')
  await server.sql('DELETE FROM notifications')
  await server.sql('DELETE FROM promises')
  await server.sql('UPDATE users SET status = 1')
  await server.sql(`SELECT pg_notify('access', '')`)
  await enter()
})

/** Sessions end after an hour: whoever lives through more enters again. */
async function enter() {
  gm = await server.as('branch_gm')
  steward = await server.as('steward')
  service = await server.as('service')
}
const today = () => shanghaiDay(server.now())
const inDays = (n: number) => addDays(today(), n)
/** Somebody new of the branch, by these roles. */
async function hire(nickname: string, codes: string[], more: object = {}): Promise<Hired> {
  const roles = await server.sql<{ id: string }>(
    'SELECT id FROM roles WHERE tenant_id = $1 AND code = ANY ($2)',
    [site.tenant, codes],
  )
  const userName = `away${Math.floor(Math.random() * 1e9)}`
  const { id } = await gm.call(api.accounts.add, {
    body: { userName, nickname, bc_id: site.bc, roles: roles.map((r) => r.id), ...more },
  })
  await server.sql(
    `UPDATE users SET must_change = false, password = (SELECT password FROM users WHERE user_name = 'pm')
     WHERE id = $1`,
    [id],
  )
  return { id, userName, nickname }
}
const says = (who: Person, deputy_id: string, from = today(), to = inDays(4)) =>
  who.ask(api.absences.away, { body: { deputy_id, from, to } })
const sets = (user_id: string, deputy_id: string, from = today(), to = inDays(4), who = gm) =>
  who.ask(api.absences.set, { body: { user_id, deputy_id, from, to } })
const mine = (who: Person) => who.call(api.absences.mine, {})
/** The person who has an unread word of this record. */
const told = async (id: string): Promise<string[]> =>
  (
    await server.sql<{ nickname: string }>(
      `SELECT u.nickname FROM notifications n JOIN users u ON u.id = n.user_id
       WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY u.nickname`,
      [id],
    )
  ).map((n) => n.nickname)
const names = async (...logins: string[]): Promise<string[]> =>
  (
    await server.sql<{ nickname: string }>(
      'SELECT nickname FROM users WHERE user_name = ANY ($1) ORDER BY nickname',
      [logins],
    )
  ).map((n) => n.nickname)
const titlesOf = async (id: string): Promise<string[]> =>
  (await server.sql<{ title: string }>('SELECT title FROM notifications WHERE cause_id = $1', [id])).map(
    (n) => n.title,
  )
let many = 0
/** The steward answers for it; who supervises promises made it for a home. */
const promise = async (more: object = {}, who = service) =>
  (
    await who.call(api.promises.add, {
      body: {
        site_id: site.id,
        subject: 'other',
        content: `第 ${(many += 1)} 件事办好`,
        due: inDays(2),
        post: 1,
        answers: [],
        ...more,
      },
    })
  ).id
const complain = async (who: Person, more: object = {}) =>
  (
    await who.call(api.feedback.enter, {
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
const feedback = (id: string) => gm.call(api.feedback.details, { query: { id } })
const accept = async (id: string, to: string, who = gm) =>
  who.ask(api.feedback.accept, {
    body: { id, version: (await feedback(id)).version, level: 1, assignee_id: to },
  })
const quiet = () => server.sql('UPDATE notifications SET read_at = :now WHERE read_at IS NULL')
const look = (source: typeof promiseReminders) =>
  server.db.tx(SYSTEM, (tx) => remind(tx, site.tenant, source))

test('a person says that they are away, and until when who stands in; what cannot be is refused in words', async () => {
  const gone = await hire('赵停用', ['steward'])
  await server.sql('UPDATE users SET status = 2 WHERE id = $1', [gone.id])
  const bad: [Promise<{ code: number; msg: string }>, string | RegExp][] = [
    [says(steward, ids.steward!), '不能由本人代班，请选一位同事'],
    [says(steward, other.id, inDays(3), inDays(1)), '最后一天不能早于第一天'],
    [says(steward, other.id, inDays(-4), inDays(-1)), '这几天已经过去'],
    [says(steward, other.id, today(), inDays(366)), '一次最多 366 天'],
    [says(steward, gone.id), '赵停用的账号已停用，请换一位代班人'],
    [says(steward, ids.order_clerk!), /没有“.*整改”.*权限，请换一位代班人$/],
    [says(steward, ids.service!), /没有“.*”.*权限，请换一位代班人$/],
  ]
  for (const [answer, why] of bad) {
    const { code, msg } = await answer
    expect(code, msg).not.toBe(200)
    if (typeof why === 'string') expect(msg).toBe(why)
    else expect(msg).toMatch(why)
  }
  // Of another branch or group: not even whether there is somebody.
  for (const stranger of [ids.steward2!, ids.other_steward!])
    expect(await says(steward, stranger)).toMatchObject({ status: 403, msg: '没有权限查看或操作这条数据' })
  expect(await mine(steward)).toEqual([])

  const offered = await steward.call(api.absences.myDeputies, { query: {} })
  const offeredIds = offered.map((p) => p.id)
  expect(offeredIds).toContain(other.id)
  expect(offeredIds).toContain(ids.branch_gm)
  for (const no of [gone.id, ids.hq_ops, ids.steward, ids.steward2, ids.other_steward])
    expect(offeredIds).not.toContain(no)

  expect((await says(steward, other.id, today(), inDays(365))).msg).toBe('')
  expect(await mine(steward)).toMatchObject([
    { from: today(), to: inDays(365), deputyName: '钱管家', state: 'away', endedAt: null },
  ])
  const [log] = await server.sql<{ action: string; after: string }>(
    `SELECT action, concat(after, beside) AS after FROM user_logs
     WHERE object_id = $1 AND action = '登记不在'
     ORDER BY seq DESC LIMIT 1`,
    [ids.steward],
  )
  expect(log!.after).toContain('钱管家')
  expect((await says(steward, other.id, inDays(10), inDays(11))).msg).toMatch(/不在，日子不能重叠$/)
})

test('a deputy sees something of what the person keeps, is offered for it, and hears once', async () => {
  const blind = await hire('周管家', ['steward'])
  const [{ n }] = (await server.sql(
    `SELECT count(*)::int AS n FROM sites WHERE steward_id = $1 AND status IN (1, 2) AND deleted_at IS NULL`,
    [ids.steward],
  )) as [{ n: number }]
  const [me] = await names('steward')
  const no = await says(steward, blind.id)
  expect([no.code, no.msg]).toEqual([400, `周管家看不到${me}的 ${n} 个工地，请换一位代班人`])
  expect(await mine(steward)).toEqual([])
  const offered = (await steward.call(api.absences.myDeputies, { query: {} })).map((d) => d.id)
  for (const lost of [blind.id, ids.order_clerk, ids.service]) expect(offered).not.toContain(lost)
  expect(offered.indexOf(ids.branch_gm!)).toBe(0)
  expect(offered).toContain(other.id)
  const some = await says(steward, other.id)
  expect(some.data).toMatchObject({
    warning: `钱管家看不到其中 ${n - 1} 个工地，那里的事交给下一级，最后是分公司总经理`,
  })
  const heard = await server.sql(
    `SELECT n.title, n.times FROM notifications n WHERE n.user_id = $1 AND n.read_at IS NULL`,
    [other.id],
  )
  expect(heard).toEqual([{ title: `${me} ${today()} 至 ${inDays(4)} 不在，这几天由你代班`, times: 1 }])
  await server.sql('DELETE FROM absences')
  expect((await says(steward, ids.branch_gm!)).data).toMatchObject({ warning: '' })
})

test('a deputy who is away in the same days is refused; of two who name each other at once one is', async () => {
  expect((await sets(other.id, ids.branch_gm!, inDays(2), inDays(3))).msg).toBe('')
  expect((await says(steward, other.id, today(), inDays(2))).msg).toBe(
    `钱管家 ${inDays(2)} 至 ${inDays(3)} 自己也不在，请换一位代班人`,
  )
  // The days beside it are free.
  expect((await says(steward, other.id, today(), inDays(1))).msg).toBe('')
  await server.sql('DELETE FROM absences')
  const answers = await Promise.all([sets(ids.steward!, other.id), sets(other.id, ids.steward!)])
  expect(answers.map((a) => a.code).sort()).toEqual([200, 400])
  expect(await server.sql('SELECT 1 FROM absences')).toHaveLength(1)
  await server.sql('DELETE FROM absences')
  const twice = await Promise.all([says(steward, other.id), says(steward, other.id)])
  expect(twice.map((a) => a.code).sort()).toEqual([200, 409])
})

test('who may edit the account says it for a person, in their own branch alone; and ends it', async () => {
  expect((await sets(ids.steward!, other.id)).msg).toBe('')
  expect((await sets(ids.steward2!, ids.branch_gm2!)).status).toBe(403)
  expect(await sets(ids.steward!, other.id, inDays(9), inDays(9), steward)).toMatchObject({ code: 401 })
  const [one] = await gm.call(api.absences.list, { query: { user_id: ids.steward! } })
  const gm2 = await server.as('branch_gm2')
  expect((await gm2.ask(api.absences.list, { query: { user_id: ids.steward! } })).status).toBe(403)
  expect((await gm2.ask(api.absences.end, { body: { id: one!.id, version: 0 } })).status).toBe(403)
  expect((await service.ask(api.absences.back, { body: { id: one!.id, version: 0 } })).status).toBe(403)
  // Back at the same time by two: one ends it.
  const both_ = await Promise.all([
    gm.ask(api.absences.end, { body: { id: one!.id, version: 0 } }),
    steward.ask(api.absences.back, { body: { id: one!.id, version: 0 } }),
  ])
  expect(both_.map((a) => a.code).sort()).toEqual([200, 409])
  const [ended] = await mine(steward)
  expect(ended).toMatchObject({ state: 'back', version: 1 })
  // Sent a second time, whatever version it names.
  for (const at of [0, 1])
    expect((await steward.ask(api.absences.back, { body: { id: one!.id, version: at } })).msg).toBe(
      '这次“不在”已经提前结束，不用再结束',
    )
  // One that has not begun is called off, and its days are free again.
  expect((await says(steward, other.id, inDays(2), inDays(3))).msg).toBe('')
  const coming = (await mine(steward)).find((a) => a.state === 'coming')!
  expect((await steward.ask(api.absences.back, { body: { id: coming.id, version: 0 } })).msg).toBe('')
  expect((await mine(steward)).map((a) => a.state).sort()).toEqual(['back', 'called'])
  expect((await says(steward, other.id, inDays(2), inDays(3))).msg).toBe('')
})

test('new work goes to who stands in, from the first day to the last; what was told stays', async () => {
  const before = await promise()
  expect(await told(before)).toEqual(await names('steward'))
  // Begins tomorrow: today it is still theirs.
  await sets(ids.steward!, both.id, inDays(1), inDays(2))
  const sooner = await promise()
  expect(await told(sooner)).toEqual(await names('steward'))
  await server.sql('DELETE FROM absences')
  await sets(ids.steward!, both.id)
  const during = await promise()
  expect(await told(during)).toEqual(['孙经理'])
  expect(await told(before)).toEqual(await names('steward'))
  // For whom is said; a word that is one's own has nothing beside it.
  const [name] = await names('steward')
  expect((await titlesOf(during)).every((title) => title.endsWith(`（代 ${name}）`))).toBe(true)
  expect(await titlesOf(before)).not.toContainEqual(expect.stringContaining('代'))
  // It stands in the steward's list all the same.
  const own = await steward.call(api.promises.list, { query: { id: during } })
  expect(own.list).toMatchObject([{ responsible_id: ids.steward }])
  // The last day was yesterday: it is theirs again.
  await server.sql('UPDATE absences SET from_day = :today - 3, to_day = :today - 1')
  const after = await promise()
  expect(await told(after)).toEqual(await names('steward'))
  // Back before the last day.
  await server.sql('UPDATE absences SET to_day = :today + 3')
  const [one] = await mine(steward)
  expect((await steward.ask(api.absences.back, { body: { id: one!.id, version: one!.version } })).msg).toBe(
    '',
  )
  expect(await told(await promise())).toEqual(await names('steward'))
})

test('who stands in does what is asked of the person, while it lasts and where they reach it', async () => {
  await sets(ids.steward!, both.id)
  const id = await promise()
  const deputy = await server.as(both.userName)
  const keep = async (who: Person) =>
    who.ask(api.promises.keep, {
      body: { id, version: 0, pictures: [await uploadPhoto(server.url, who)], text: '办好了' },
    })
  const complaint = await complain(gm)
  expect((await accept(complaint, ids.steward!)).msg).toBe('')
  const answer = (who: Person) =>
    who.ask(api.feedback.answer, { body: { id: complaint, answers: 0, words: '明天上门', pictures: [] } })
  await server.sql('UPDATE absences SET from_day = :today + 1')
  await server.sql(`SELECT pg_notify('access', '')`)
  await expect.poll(async () => (await answer(deputy)).msg).toMatch(/^责任人是.*，只有责任人或客服能回复$/)
  expect((await keep(deputy)).msg).toMatch(/^责任人是.*，只有责任人或主管能办$/)
  await server.sql('UPDATE absences SET from_day = :today')
  await server.sql(`SELECT pg_notify('access', '')`)
  await expect.poll(async () => (await answer(deputy)).msg).toBe('')
  expect((await keep(deputy)).msg).toBe('')
})

test('patrols of who is away are heard of and made by who stands in, and by nobody else', async () => {
  const templates = await gm.call(patrolTemplatesApi.list, { query: { status: [1], bc_id: site.bc } })
  const { id: plan } = await gm.call(patrolPlansApi.add, {
    body: {
      name: '代班巡检',
      kind: 'plan',
      bc_id: site.bc,
      template_id: templates[0]!.id,
      site_ids: [site.id],
      every: 'day',
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      share: 'one',
      user_ids: [ids.inspector!],
      fromTime: '00:00',
      toTime: '23:59',
      days: 1,
    },
  })
  const [task] = (await gm.call(patrolTasksApi.list, { query: { plan_id: plan, sort: ['opensAt'] } })).list
  const begin = (who: Person) => who.ask(patrolsApi.begin, { body: { task_id: task!.id } })
  const deputy = await server.as(both.userName)
  expect((await begin(deputy)).msg).toMatch(/^这次巡检由.+执行$/)
  await sets(ids.inspector!, both.id)
  await server.sql(`SELECT pg_notify('access', '')`)
  await quiet()
  await server.db.tx(SYSTEM, (tx) => tellTasks(tx, site.tenant, today()))
  const [inspector] = await names('inspector')
  expect(await told(ids.inspector!)).toEqual(['孙经理'])
  expect(await titlesOf(ids.inspector!)).toEqual([
    expect.stringMatching(new RegExp(`个工地待巡检（代 ${inspector}）$`)),
  ])
  expect((await begin(await server.as(other.userName))).code).not.toBe(200)
  await expect.poll(async () => (await begin(deputy)).msg).toBe('')
})

test('a word of one’s own says nothing of who is away', async () => {
  const who = await server.as(both.userName)
  const { id } = await who.call(api.questions.ask, {
    body: { site_id: site.id, words: '选哪种门', neededBy: inDays(1), options: ['灰', '白'] },
  })
  await sets(ids.steward!, both.id)
  await quiet()
  const [contact] = await server.sql<{ id: string }>(
    'SELECT id FROM home_contacts WHERE site_id = $1 AND owner_id IS NOT NULL AND ended_at IS NULL',
    [site.id],
  )
  const pictures = [await uploadPhoto(server.url, gm)]
  const said = { id, version: 0, contact_id: contact!.id, choice: 1, words: '', pictures }
  expect((await gm.ask(api.questions.record, { body: said })).msg).toBe('')
  expect(await told(id)).toEqual(['孙经理'])
  expect((await titlesOf(id)).filter((title) => title.includes('（代'))).toEqual([])
})

test('a deputy who does not reach the home hears nothing: the next step does, or who leads the branch', async () => {
  await sets(ids.steward!, other.id)
  // The person who supervises promises; service made it and needs no telling.
  const id = await promise()
  expect(await told(id)).toEqual(await names('branch_gm'))
  // A visit: nobody stands in by a word of the table, so who leads the branch hears.
  await quiet()
  const visit = { site_id: site.id, host_id: ids.steward!, purpose: 'look', remark: '' } as const
  const reception = await service.call(api.receptions.add, {
    body: { ...visit, day: inDays(1), time: '15:00' },
  })
  expect(await told(reception.id)).toEqual(await names('branch_gm'))
  // The home is sold: no word of the table stands in for the steward, so who leads the branch hears.
  const [owner] = await server.sql<{ id: string; version: number }>(
    'SELECT id, version FROM home_contacts WHERE site_id = $1 AND owner_id IS NOT NULL AND ended_at IS NULL',
    [site.id],
  )
  const admin = await server.as('admin')
  await admin.call(api.owners.change, {
    body: { ...owner!, name: '周女士', promises: 'taken', reason: '房子卖了' },
  })
  expect(await told(site.id)).toEqual([...(await names('branch_gm')), '孙经理'].toSorted())
})

test('a deputy whose account is stopped meanwhile, or who leaves too: the next step', async () => {
  await sets(ids.steward!, both.id)
  expect(await told(await promise())).toEqual(['孙经理'])
  await server.sql('UPDATE users SET status = 2 WHERE id = $1', [both.id])
  const id = await promise()
  expect(await told(id)).toEqual(await names('branch_gm'))
  await server.sql('UPDATE users SET status = 1 WHERE id = $1', [both.id])
  // Somebody who stands in may fall ill: they say so, and a chain is one step long.
  expect((await sets(both.id, ids.branch_gm!)).msg).toBe('')
  const again = await promise()
  expect(await told(again)).toEqual(await names('branch_gm'))
})

test('reminders of questions and of unanswered words go the same way', async () => {
  await sets(ids.steward!, both.id)
  const { id } = await gm.call(api.questions.ask, {
    body: { site_id: site.id, words: '选哪种地砖', neededBy: inDays(1), options: ['灰', '白'] },
  })
  await server.sql(`UPDATE questions SET asked_at = :now - interval '2 days' WHERE id = $1`, [id])
  await quiet()
  await look(questionReminders)
  expect(await told(id)).toEqual(['孙经理'])
  await server.sql(
    `INSERT INTO threads (tenant_id, site_id, bc_id, changed_at) SELECT tenant_id, id, bc_id, :now
     FROM sites WHERE id = $1
     ON CONFLICT DO NOTHING`,
    [site.id],
  )
  await server.sql(
    `UPDATE threads SET waiting_since = :now, waiting_from = 1, due_at = :now - interval '1 hour',
       late_at = :now + interval '9 hours'
     WHERE site_id = $1`,
    [site.id],
  )
  await quiet()
  await look(threadReminders)
  expect(await told(site.id)).toEqual(['孙经理'])
})

test('the ladder climbs while its person is away: to who stands in, or the next step', async () => {
  const late = async () => {
    const id = await complain(gm)
    expect((await accept(id, ids.steward!)).msg).toBe('')
    await server.sql(
      `UPDATE feedback SET answer_warn_at = :now - interval '2 hours', answer_due_at = :now - interval '1 hour'
       WHERE id = $1`,
      [id],
    )
    await quiet()
    await look(feedbackReminders)
    return id
  }
  // 客服 is away, and somebody of the branch with the rights stands in.
  await sets(ids.service!, ids.branch_gm!)
  const id = await late()
  expect((await feedback(id)).supervisors.map((s) => s.id)).toEqual([ids.branch_gm])
  expect(await feedback(id)).toMatchObject({ rung: 1, assignee_id: ids.steward })
  expect(await told(id)).toEqual(await names('branch_gm'))
  // Who stands in is whom it is about: the step after.
  await server.sql('DELETE FROM absences')
  await sets(ids.service!, both.id)
  const about = await complain(gm, { about: 'person', about_id: both.id })
  expect((await accept(about, ids.steward!)).msg).toBe('')
  await server.sql(
    `UPDATE feedback SET answer_warn_at = :now - interval '2 hours', answer_due_at = :now - interval '1 hour'
     WHERE id = $1`,
    [about],
  )
  await quiet()
  await look(feedbackReminders)
  expect(await feedback(about)).toMatchObject({ rung: 2 })
  expect(await told(about)).toEqual(await names('branch_gm'))
})

test('what is theirs to know stays theirs, and what nobody else can be told is not lost', async () => {
  const id = await promise({ due: today() })
  await sets(ids.steward!, both.id)
  await quiet()
  // Withdrawn: whose it was reads it when they are back.
  const { version } = (await gm.call(api.promises.list, { query: { id } })).list[0]!
  await gm.call(api.promises.withdraw, { body: { id, version, reason: '业主自己取消了' } })
  expect(await told(id)).toEqual(await names('steward'))
})
