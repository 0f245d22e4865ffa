import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import { questionsApi } from '@zhuguan/contract/features/questions/questions.api.ts'
import { receptionsApi } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import { searchApi } from '@zhuguan/contract/features/search/search.api.ts'
import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { threadsApi as api } from '@zhuguan/contract/features/threads/threads.api.ts'
import { timelineApi } from '@zhuguan/contract/features/timeline/timeline.api.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { remind } from '../notifications/reminders.service.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { threadReminders } from './thread-reminders.service.ts'

const HOUR = 3_600_000
let server: TestServer
let gm: Person, steward: Person, pm: Person, service: Person, hq: Person
let site: { id: string; bc: string; name: string; steward: string; manager: string; tenant: string }

beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  steward = await server.as('steward')
  pm = await server.as('pm')
  service = await server.as('service')
  hq = await server.as('hq_ops')
  ;[site] = (await server.sql<typeof site>(
    `SELECT w.id, w.bc_id AS bc, w.ws_name AS name, w.steward_id AS steward, w.manager_id AS manager,
       w.tenant_id AS tenant
     FROM sites w
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     JOIN users m ON m.id = w.manager_id AND m.user_name = 'pm'
     WHERE w.status = 1 ORDER BY w.code LIMIT 1`,
  )) as [typeof site]
  // Working time is all of the time here; how it stands still at night is a story of its own.
  await server.sql(`UPDATE settings SET value = '"00:00"' WHERE key = 'workStart'`)
  await server.sql(`UPDATE settings SET value = '"23:59"' WHERE key = 'workEnd'`)
})
afterAll(() => server.stop())
beforeEach(async () => {
  for (const table of ['thread_outcomes', 'thread_messages', 'threads', 'notifications', 'reminders'])
    await server.sql(`DELETE FROM ${table}`)
})

const lines = async (who = gm) =>
  (await who.call(api.list, { query: { site_id: site.id, pageSize: 50 } })).list
const about = (who = gm) => who.call(api.details, { query: { site_id: site.id } })
const instant = () => Math.floor(server.now().getTime() / 1000)
const hear = async (who: Person, words: string, more: object = {}) =>
  who.call(api.hear, { body: { site_id: site.id, channel: 'phone', words, ...more } })
const say = async (who: Person, words: string, more: object = {}) =>
  who.ask(api.say, { body: { site_id: site.id, after: (await about(who)).newest, words, ...more } })
const unread = async (): Promise<string[]> =>
  (
    await server.sql<{ name: string }>(
      `SELECT DISTINCT u.user_name AS name FROM notifications n JOIN users u ON u.id = n.user_id
       WHERE n.cause_kind = 'thread' AND n.read_at IS NULL ORDER BY 1`,
    )
  ).map((n) => n.name)
const look = () => server.db.tx(SYSTEM, (tx) => remind(tx, site.tenant, threadReminders))
const [minute, hour] = [60_000, HOUR]
/** So much time has gone by for the thread; sessions are as they were. */
const passed = async (ms: number) => {
  for (const [table, columns] of [
    ['threads', ['waiting_since', 'due_at', 'late_at', 'changed_at']],
    ['thread_messages', ['at', 'taken_at']],
  ] as const)
    await server.sql(
      `UPDATE ${table} SET ${columns.map((c) => `${c} = ${c} - $1 * interval '1 ms'`).join(', ')}`,
      [ms],
    )
}

test('what the home said by telephone waits for an answer; whoever answers settles it for everybody', async () => {
  await hear(service, '卫生间的灯换了吗', { channel: 'wechat' })
  await hear(service, '还有门口的鞋柜')
  expect(await unread()).toEqual(['steward'])
  const [second, first] = await lines()
  expect(first).toMatchObject({
    seq: 1,
    side: 'owner',
    channel: 'wechat',
    words: '卫生间的灯换了吗',
    waits: true,
    takenAt: null,
  })
  expect([first!.enteredBy, second!.enteredBy]).toEqual([first!.enteredBy, first!.enteredBy])
  expect(first!.enteredBy).not.toBe('')
  expect(await about()).toMatchObject({ newest: 2, waitingSince: first!.at, dueAt: first!.at + 4 * 3600 })
  server.later(5 * minute)
  expect((await say(pm, '明天换')).code).toBe(200)
  expect(await about()).toMatchObject({ waitingSince: null, dueAt: null })
  expect((await lines()).map((m) => m.waits)).toEqual([false, false, false])
  expect(await unread()).toEqual([])
  const { list } = await gm.call(timelineApi.list, { query: { site_id: site.id } })
  const titles = list.map((l) => l.title)
  expect(titles).toEqual(expect.arrayContaining(['回复业主留言', '业主留言（微信，代录）']))
  expect(titles.join()).not.toContain('鞋柜')
})

test('of two who answer at once the second reads the first; a newer word of the home is read as well', async () => {
  await hear(steward, '什么时候贴砖')
  const { newest } = await about()
  const both = await Promise.all(
    [steward, pm].map((who) =>
      who.ask(api.say, { body: { site_id: site.id, after: newest, words: `周五贴 ${who.token.length}` } }),
    ),
  )
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  const refused = both.find((a) => a.code === 409)!
  const { at } = (refused.data as unknown as { overtaken: { at: number } }).overtaken
  expect(Number.isInteger(at)).toBe(true)
  expect(refused.msg).toMatch(/^.+ 在 \d\d:\d\d 已经回复：“周五贴 .+”。请先看过再发$/)
  expect((await lines()).filter((m) => m.side === 'staff')).toHaveLength(1)
  // Nobody has seen what is not there yet, and by saying so speaks past what comes.
  const ahead = await steward.ask(api.say, { body: { site_id: site.id, after: newest + 100, words: '好' } })
  expect([ahead.code, ahead.msg]).toEqual([400, '没有这么新的一条，请刷新后再发'])
  await hear(service, '那周六呢')
  const past = await steward.ask(api.say, { body: { site_id: site.id, after: newest + 1, words: '好' } })
  expect([past.code, past.msg]).toEqual([409, expect.stringContaining('又说了：“那周六呢”')])
  const silent = await steward.ask(api.silence, {
    body: { site_id: site.id, after: newest + 1, reason: '不用回' },
  })
  expect(silent.code).toBe(409)
  expect((await say(steward, '周六可以')).code).toBe(200)
})

test('nothing to be said is said with a reason, and only where something waits', async () => {
  await hear(steward, '收到了，谢谢')
  const { newest: after } = await about()
  expect((await pm.ask(api.silence, { body: { site_id: site.id, after, reason: '' } })).code).toBe(400)
  await pm.call(api.silence, { body: { site_id: site.id, after, reason: '业主只是道谢' } })
  expect(await about()).toMatchObject({ waitingSince: null })
  expect((await lines())[0]).toMatchObject({ kind: 'silence', words: '业主只是道谢', side: 'staff' })
  const again = await pm.ask(api.silence, {
    body: { site_id: site.id, after: after + 1, reason: '再说一次' },
  })
  expect([again.code, again.msg]).toEqual([409, '没有等待回复的留言'])
})

test('own words go back within two minutes and nobody else’s; the gap shows, and what waited waits again', async () => {
  await hear(service, '阳台漏水')
  const key = await uploadPhoto(server.url, pm)
  const made = await pm.call(api.say, {
    body: { site_id: site.id, after: 1, words: '马上来', pictures: [key] },
  })
  const theirs = await steward.ask(api.takeBack, { body: { id: made.id } })
  expect([theirs.code, theirs.msg]).toEqual([409, '只能撤回自己写的留言'])
  server.later(minute)
  await pm.call(api.takeBack, { body: { id: made.id } })
  expect((await lines())[0]).toMatchObject({ words: '', pictures: [], takenAt: instant(), seq: 2 })
  const [first] = (await lines()).slice(-1)
  expect(await about()).toMatchObject({ waitingSince: first!.at, dueAt: first!.at + 4 * 3600 })
  expect(await unread()).toEqual(['steward'])
  expect(await server.sql('SELECT 1 FROM files WHERE key = $1', [key])).toEqual([])
  const twice = await pm.ask(api.takeBack, { body: { id: made.id } })
  expect(twice.msg).toBe('这条留言已经撤回')
  const late = await steward.call(api.say, { body: { site_id: site.id, after: 2, words: '在路上' } })
  server.later(2 * minute + 1_000)
  expect((await steward.ask(api.takeBack, { body: { id: late.id } })).msg).toContain('超过 2 分钟')
  const mine = await hear(service, '写错人家了')
  await service.call(api.takeBack, { body: { id: mine.id } })
  expect(await about()).toMatchObject({ waitingSince: null })
  expect(await unread()).toEqual([])
})

test('after so many hours the steward is reminded, after as many again the manager and the service', async () => {
  await hear(gm, '厨房的插座不够')
  await server.sql('DELETE FROM notifications')
  await passed(4 * hour - minute)
  expect(await look()).toBe(0)
  await passed(2 * minute)
  expect([await look(), await look()]).toEqual([1, 0])
  expect(await unread()).toEqual(['steward'])
  expect((await gm.call(ownersApi.list, { query: { id: site.id } })).list[0]).toMatchObject({
    replyLate: true,
    waitingSince: expect.any(Number),
  })
  await hear(gm, '还没有人回我')
  expect(await look()).toBe(0)
  await passed(4 * hour)
  expect([await look(), await look()]).toEqual([1, 0])
  expect(await unread()).toEqual(['pm', 'service', 'steward'])
  await say(service, '今天下午加')
  expect(await unread()).toEqual([])
  await passed(9 * hour)
  expect(await look()).toBe(0)
})

test('the clock runs in working time alone, and moves with a calendar that is entered later', async () => {
  const admin = await server.as('admin')
  const today = shanghaiDay(server.now())
  const calendar = (text: string | null) =>
    admin.call(settingsApi.update, { body: { values: { calendar: text } } })
  const tomorrow = startOfDay(addDays(today, 1)).getTime() / 1000
  await calendar(`${today} 休`)
  await hear(gm, '放假也想问')
  expect(await about()).toMatchObject({ dueAt: tomorrow + 4 * 3600 })
  await calendar(`${today}~${addDays(today, 1)} 休`)
  expect((await about()).dueAt).toBe(tomorrow + 28 * 3600)
  expect(await server.sql('SELECT floor(extract(epoch FROM late_at))::float8 AS at FROM threads')).toEqual([
    { at: tomorrow + 32 * 3600 },
  ])
  await calendar(null)
})

test('a message becomes a promise, a visit, a feedback: each is of this home, and found from the message', async () => {
  const { id } = await hear(steward, '周五前把柜门换好吧')
  const due = addDays(shanghaiDay(server.now()), 3)
  const promise = await steward.call(promisesApi.add, {
    body: { site_id: site.id, subject: 'goods', content: '周五前把柜门换好', due, post: 1, answers: [] },
  })
  await steward.call(api.become, { body: { id, kind: 'promise', record_id: promise.id } })
  const visit = await steward.call(receptionsApi.add, {
    body: { site_id: site.id, purpose: 'look', host_id: site.steward, remark: '' },
  })
  await steward.call(api.become, { body: { id, kind: 'reception', record_id: visit.id } })
  const question = await steward.call(questionsApi.ask, {
    body: { site_id: site.id, words: '柜门换哪一种颜色', neededBy: due },
  })
  await steward.call(api.become, { body: { id, kind: 'question', record_id: question.id } })
  expect((await about()).outcomes.map((o) => [o.message_id, o.kind, o.id])).toEqual([
    [id, 'promise', promise.id],
    [id, 'reception', visit.id],
    [id, 'question', question.id],
  ])
  const { list } = await gm.call(promisesApi.list, { query: { id: promise.id } })
  expect(list[0]).toMatchObject({ source: 'message' })
  const [other] = await server.sql<{ id: string }>(
    `SELECT id FROM receptions WHERE site_id <> $1 AND bc_id = $2 LIMIT 1`,
    [site.id, site.bc],
  )
  const [elsewhere] = await server.sql<{ id: string }>(
    `SELECT id FROM sites WHERE id <> $1 AND bc_id = $2 AND status = 1 AND owner_id IS NOT NULL LIMIT 1`,
    [site.id, site.bc],
  )
  const theirs = await gm.call(questionsApi.ask, {
    body: { site_id: elsewhere!.id, words: '别家的瓷砖', neededBy: due },
  })
  const asked = await gm.ask(api.become, { body: { id, kind: 'question', record_id: theirs.id } })
  expect(asked.code).toBe(403)
  const strange = await gm.ask(api.become, { body: { id, kind: 'reception', record_id: other!.id } })
  expect(strange.code).toBe(403)
  const answer = await steward.call(api.say, { body: { site_id: site.id, after: 1, words: '好的' } })
  const ours = await gm.ask(api.become, { body: { id: answer.id, kind: 'promise', record_id: promise.id } })
  expect([ours.code, ours.msg]).toEqual([409, '只有业主的留言可以转为别的记录'])
})

test('homes that wait are found, the longest first; the card of the steward says as many as its list', async () => {
  await hear(gm, '第一家')
  const homes = await gm.call(ownersApi.list, { query: { waiting: true } })
  expect(homes.list.map((h) => h.id)).toEqual([site.id])
  const cards = await steward.call(homeApi.cards, {})
  const figure = cards.figures.find((f) => f.card === 'replies')!
  const list = await steward.call(ownersApi.list, { query: { waiting: true } })
  expect([figure.value, figure.trend.at(-1), figure.rows.map((r) => r.id)]).toEqual([
    list.totalCount,
    list.totalCount,
    [site.id],
  ])
  expect(cards.places.map((p) => p.card)).toContain('replies')
  const before = figure.trend.at(-2)
  await passed(24 * hour)
  const next = (await steward.call(homeApi.cards, {})).figures.find((f) => f.card === 'replies')!
  expect([next.trend.at(-2), next.trend.at(-3)]).toEqual([1, before])
  await say(steward, '在')
  const quiet = await gm.call(ownersApi.list, { query: { waiting: true } })
  expect(quiet.totalCount).toBe(0)
  const { figures } = await steward.call(homeApi.cards, {})
  expect(figures.find((f) => f.card === 'replies')!.value).toBe(0)
  const found = await gm.call(searchApi.all, { query: { keyword: '第一家' } })
  expect(found.filter((h) => h.kind === 'message')).toMatchObject([
    { title: '第一家', link: `/OwnerInteract?site_id=${site.id}` },
  ])
})

test('who else is writing is seen for a while', async () => {
  const write = (who: Person) => who.call(api.writing, { body: { site_id: site.id } })
  expect(await write(steward)).toEqual([])
  expect(await write(pm)).toEqual([expect.any(String)])
  server.later(21_000)
  expect(await write(service)).toEqual([])
})

test('a branch keeps what it says often; of two who change it one is told', async () => {
  const save = (who: Person, version: number, texts: string[], bc_id = site.bc) =>
    who.ask(api.saveTemplates, { body: { bc_id, version, texts } })
  expect((await save(service, 0, ['已收到，马上安排', '今天下班前给您答复'])).code).toBe(200)
  expect(await about(steward)).toMatchObject({
    templates: ['已收到，马上安排', '今天下班前给您答复'],
    templatesVersion: 1,
  })
  const late = await save(gm, 0, ['别的'])
  expect([late.code, late.msg]).toEqual([409, expect.stringMatching(/^已被 .+ 于 .+ 处理/)])
  expect((await save(steward, 1, ['管家的'])).code).toBe(401)
  const [elsewhere] = await server.sql<{ bc_id: string }>(
    'SELECT bc_id FROM companies WHERE bc_id <> $1 AND tenant_id = $2 LIMIT 1',
    [site.bc, site.tenant],
  )
  expect((await save(gm, 0, ['别家的'], elsewhere!.bc_id)).code).toBe(403)
})

test('with another owner nobody waits; another steward is told of what waits', async () => {
  const owner = await gm.call(ownersApi.list, { query: { id: site.id } })
  await hear(gm, '卖家的问题')
  const { contact_id, contactVersion } = owner.list[0]!
  await gm.call(ownersApi.change, {
    body: {
      id: contact_id,
      version: contactVersion,
      name: '新来的',
      phone: '',
      promises: 'taken',
      reason: '房子卖了',
    },
  })
  expect(await about()).toMatchObject({ waitingSince: null, ownerName: '新来的' })
  expect((await lines())[0]).toMatchObject({ kind: 'silence', who: '系统', words: '业主已更换' })
  await hear(gm, '新业主的问题')
  const [other] = await server.sql<{ id: string; user_name: string }>(
    `SELECT u.id, u.user_name FROM users u JOIN users s ON s.id = $1 AND u.bc_id = s.bc_id AND u.post = s.post
     WHERE u.id <> s.id AND u.status = 1 LIMIT 1`,
    [site.steward],
  )
  const { version } = await gm.call(sitesApi.details, { query: { id: site.id } })
  await gm.call(sitesApi.people, {
    body: { id: site.id, version, steward_id: other!.id, manager_id: site.manager },
  })
  expect(await unread()).toEqual([other!.user_name])
})

test('who reads answers nothing; who sees the home neither sees anybody else’s', async () => {
  expect((await hq.ask(api.list, { query: { site_id: site.id } })).code).toBe(200)
  expect((await hq.ask(api.say, { body: { site_id: site.id, after: 0, words: '你好' } })).code).toBe(401)
  const theirs = await server.as('branch_gm2')
  expect((await theirs.ask(api.list, { query: { site_id: site.id } })).code).toBe(403)
  expect((await theirs.ask(api.say, { body: { site_id: site.id, after: 0, words: '你好' } })).code).toBe(403)
  const empty = await gm.ask(api.say, { body: { site_id: site.id, after: 0, words: ' ', pictures: [] } })
  expect([empty.code, empty.msg]).toEqual([400, '请写点什么，或选一张照片'])
  const key = await uploadPhoto(server.url, pm)
  const others = await gm.ask(api.say, { body: { site_id: site.id, after: 0, words: '图', pictures: [key] } })
  expect(others.code).toBe(403)
  await hear(gm, '导出看看')
  const file = await hq.ask(api.export, { query: { site_id: site.id } })
  const cells = await cellsOf(file.bytes)
  expect(cells[0]!.slice(0, 5)).toEqual(['时间', '谁说的', '姓名', '种类', '留言'])
  expect(cells[1]).toContain('导出看看')
})

test('what waits goes along into another branch with its clock; what will become of it is said before', async () => {
  const admin = await server.as('admin')
  const { id } = await gm.call(sitesApi.add, {
    body: {
      ws_name: '要搬的家',
      bc_id: site.bc,
      address: '某路 10 号',
      owner: '范女士',
      steward_id: site.steward,
      manager_id: site.manager,
    },
  })
  await gm.call(api.hear, { body: { site_id: id, channel: 'phone', words: '搬走前的问题' } })
  const before = await admin.call(api.details, { query: { site_id: id } })
  const [to] = await server.sql<{ bc_id: string }>(`SELECT bc_id FROM companies WHERE code = 'NB'`)
  const said = async (query: { change: 'terminate' | 'move'; bc_id?: string }) =>
    (await admin.call(sitesApi.foresee, { query: { id, ...query } })).effects.join()
  expect(await said({ change: 'terminate' })).toContain('1 条业主留言还没有回复，工地结束后仍由项目管家回复')
  expect(await said({ change: 'move', ...to })).toContain('1 条业主留言还没有回复，随工地转过去，期限不变')
  const { version } = await admin.call(sitesApi.details, { query: { id } })
  await admin.call(sitesApi.move, { body: { id, version, bc_id: to!.bc_id, reason: '业主搬家' } })
  // Nobody keeps it there yet: who may answer there hears, and the old branch no more.
  const heard = await unread()
  expect(heard).toContain('branch_gm2')
  expect(heard).not.toContain('steward')
  expect((await gm.ask(api.list, { query: { site_id: id } })).code).toBe(403)
  const theirs = await server.as('branch_gm2')
  const { bc_id, dueAt, waitingSince } = await theirs.call(api.details, { query: { site_id: id } })
  expect({ bc_id, dueAt, waitingSince }).toEqual({
    bc_id: to!.bc_id,
    dueAt: before.dueAt,
    waitingSince: before.waitingSince,
  })
})
