import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { openDeals } from '../../testing/dealing.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { feedbackReminders } from '../feedback/ladder.service.ts'
import { remind } from '../notifications/reminders.service.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { promiseReminders } from './promise-reminders.service.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
let server: TestServer
let gm: Person, pm: Person, steward: Person, service: Person, hq: Person
let sites: { id: string; bc: string; name: string; owner: string; steward: string; manager: string }[]
let site: string
beforeAll(async () => {
  server = await startTestServer()
  // Ten in the morning.
  server.later(startOfDay(today()).getTime() + 10 * HOUR - server.now().getTime())
  await enter()
  sites = await server.sql(
    `SELECT w.id, w.bc_id AS bc, w.ws_name AS name, o.name AS owner, s.id AS steward, m.id AS manager
     FROM sites w JOIN users m ON m.id = w.manager_id JOIN users s ON s.id = w.steward_id
     JOIN owners o ON o.id = w.owner_id
     WHERE w.status = 1 AND m.user_name = 'pm' AND s.user_name = 'steward' ORDER BY w.code`,
  )
  site = sites[0]!.id
})
afterAll(() => server.stop())

/** Sessions end after an hour: whoever lives through more enters again. */
async function enter() {
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
  steward = await server.as('steward')
  service = await server.as('service')
  hq = await server.as('hq_ops')
}
async function later(ms: number) {
  server.later(ms)
  await enter()
}
const today = () => shanghaiDay(server.now())
const inDays = (n: number) => addDays(today(), n)
const days = (n: number) => later(n * DAY)
const promises = api.promises
const list = async (who: Person, query: object = {}) =>
  (await who.call(promises.list, { query: { pageSize: 100, ...query } })).list
const seen = async (id: string) => (await list(hq, { id }))[0]!
const told = async (id: string) =>
  (
    await server.sql<{ user_name: string }>(
      `SELECT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
       WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY u.user_name`,
      [id],
    )
  ).map((n) => n.user_name)
let many = 0
const body = (more: object = {}) => ({
  site_id: site,
  subject: 'other' as const,
  content: `第 ${(many += 1)} 件事办好`,
  // Every one its own site or the same day: none of these contradict each other.
  due: inDays(2),
  post: 1 as const,
  answers: [],
  ...more,
})
const promise = async (who: Person, more: object = {}) =>
  (await who.call(promises.add, { body: body(more) })).id
type Command = 'object' | 'uphold' | 'dismiss' | 'break' | 'withdraw'
const say = async (who: Person, command: Command, id: string, reason = '和业主说好了') => {
  const body = { id, version: (await seen(id)).version, reason }
  return command === 'object'
    ? who.ask(promises.object, { body: { ...body, channel: 'phone' } })
    : who.ask(promises[command], { body })
}
const extend = async (who: Person, id: string, due: string) =>
  who.ask(promises.extend, { body: { id, version: (await seen(id)).version, due, reason: '材料晚到' } })
const keep = async (who: Person, id: string, pictures?: string[]) =>
  who.ask(promises.keep, {
    body: {
      id,
      version: (await seen(id)).version,
      pictures: pictures ?? [await uploadPhoto(server.url, who)],
      text: '办好了',
    },
  })
/** Nothing is left open on these homes: each story begins with its own. */
const clear = () => server.sql(`DELETE FROM promises WHERE state IN ('open', 'extended')`)
const acts = async (id: string) => (await hq.call(promises.details, { query: { id } })).log.map((l) => l.act)

test('the site’s people promise, a post answers for it, and it stands on the timeline', async () => {
  const id = await promise(service, { content: '周五前铺完客厅瓷砖', subject: 'schedule', post: 2 })
  const at = sites[0]!
  expect(await seen(id)).toMatchObject({
    content: '周五前铺完客厅瓷砖',
    ownerName: at.owner,
    siteName: at.name,
    responsible_id: at.manager,
    state: 'open',
    firstDue: inDays(2),
    due: inDays(2),
    extensions: 0,
    lateDays: null,
    objected: false,
  })
  expect(await told(id)).toEqual(['pm'])
  const lines = await gm.call(api.timeline.list, { query: { site_id: site, kinds: ['promise'] } })
  expect(JSON.stringify(lines.list)).toContain('周五前铺完客厅瓷砖')
  for (const who of [steward, pm, gm]) await promise(who)
  const add = (who: Person, more: object) => who.ask(promises.add, { body: body(more) })
  expect((await add(hq, {})).msg).toBe('No Permission')
  expect(await add(steward, { due: inDays(-1) })).toMatchObject({ code: 400, msg: '到期不能早于今天' })
  // Nobody promises for a day of which nobody will know: two years ahead at most.
  expect(await add(steward, { due: inDays(731) })).toMatchObject({
    code: 400,
    msg: `到期最晚 ${inDays(730)}（两年之内）`,
  })
  expect((await add(steward, { due: today() })).code).toBe(409)
  expect((await add(steward, { content: '好' })).msg).toMatch(/请写明承诺了什么/)
  // Sites that are not theirs, of another branch, ended.
  const [other] = await server.sql<{ id: string }>(
    `SELECT w.id FROM sites w JOIN users s ON s.id = w.steward_id
     WHERE w.bc_id = $1 AND s.user_name <> 'steward' AND w.status = 1 LIMIT 1`,
    [at.bc],
  )
  const [far] = await server.sql<{ id: string }>(
    `SELECT w.id FROM sites w JOIN companies c ON c.bc_id = w.bc_id WHERE c.code = 'NB' LIMIT 1`,
  )
  for (const site_id of [other!.id, far!.id]) expect((await add(steward, { site_id })).status).toBe(403)
  const [ended] = await server.sql<{ id: string }>(
    'SELECT id FROM sites WHERE bc_id = $1 AND status = 3 LIMIT 1',
    [at.bc],
  )
  expect((await add(gm, { site_id: ended!.id })).msg).toMatch(/已经终止，不能再登记承诺/)
  await server.sql('UPDATE sites SET manager_id = NULL WHERE id = $1', [other!.id])
  expect((await add(gm, { site_id: other!.id, post: 2 })).msg).toBe('工地还没有项目经理，请先指定')
  await clear()
})

test('the list is as wide as its reader, says no telephone, and the file is the list', async () => {
  const here = await promise(steward, { content: '阳台柜门换新' })
  const far = await server.as('branch_gm2')
  for (const who of [hq, gm, pm, steward, service]) expect((await list(who, { id: here })).length).toBe(1)
  expect(await list(far, { id: here })).toEqual([])
  for (const role of ['inspector', 'supplier', 'quoter'])
    expect((await (await server.as(role)).ask(promises.list)).msg).toBe('No Permission')
  expect((await list(gm, { keyword: '柜门' })).map((p) => p.id)).toEqual([here])
  expect(await list(gm, { keyword: '100%' })).toEqual([])
  const hits = async (who: Person) =>
    (await who.call(api.search.all, { query: { keyword: '阳台柜门' } })).map((h) => [h.kind, h.id])
  expect(await hits(steward)).toEqual([['promise', here]])
  expect(await hits(far)).toEqual([])
  const file = await service.ask(promises.export, { query: { site_id: site } })
  const [head, ...rows] = await cellsOf(file.bytes)
  const shown = await list(service, { site_id: site })
  expect(rows.map((r) => r[head!.indexOf('承诺内容')])).toEqual(shown.map((p) => p.content))
  expect((await steward.ask(promises.export, { query: {} })).msg).toBe('No Permission')
  const [owner] = await server.sql<{ phone: string }>(
    'SELECT o.phone FROM owners o JOIN sites w ON w.owner_id = o.id WHERE w.id = $1',
    [site],
  )
  expect(JSON.stringify([shown, rows])).not.toContain(owner!.phone)
  await clear()
})

test('another date for the same thing is answered: it takes the place of the old one or stands beside it', async () => {
  const old = await promise(steward, { subject: 'goods', due: inDays(3), content: '地板周三到' })
  const asked = (due: string, subject: 'goods' | 'cost' = 'goods') =>
    pm.call(promises.contradictions, { query: { site_id: site, subject, due } })
  expect((await asked(inDays(5))).list).toMatchObject([{ id: old, content: '地板周三到', due: inDays(3) }])
  // The same day, and another subject, contradict nothing.
  expect((await asked(inDays(3))).list).toEqual([])
  expect((await asked(inDays(5), 'cost')).list).toEqual([])
  const next = { subject: 'goods' as const, due: inDays(5), content: '地板周五到' }
  const add = (answers: object[], more: object = {}) =>
    pm.ask(promises.add, { body: body({ ...next, answers, ...more }) })
  const before = (await list(gm, { site_id: site })).length
  const refused = await add([])
  expect(refused).toMatchObject({ code: 409, msg: expect.stringContaining('请逐条选择取代或并存') })
  expect(refused.msg).toContain('地板周三到')
  expect((await add([{ id: old, how: 'coexist', reason: '' }])).msg).toMatch(/请写明为什么两条并存/)
  expect((await list(gm, { site_id: site })).length).toBe(before)

  const both = (await add([{ id: old, how: 'coexist', reason: '两个房间' }])).data.id
  expect((await seen(old)).state).toBe('open')
  expect(await acts(both)).toEqual(['promise', 'coexist'])
  const open = [old, both].map((id) => ({ id, how: 'supersede', reason: '' }))
  const third = await add(open, { due: inDays(7), content: '地板下周到' })
  expect(third.msg).toBe('')
  for (const id of [old, both]) {
    expect((await seen(id)).state).toBe('withdrawn')
    expect(await told(id)).toEqual(id === old ? ['steward'] : ['steward'])
  }
  const { log } = await hq.call(promises.details, { query: { id: old } })
  expect(log.at(-1)).toMatchObject({ act: 'withdraw', text: expect.stringContaining('地板下周到') })
  // An answer about a promise of another home is about nothing that can be seen from here.
  const elsewhere = await promise(gm, { site_id: sites[1]!.id, subject: 'goods' })
  const strange = await add([{ id: elsewhere, how: 'supersede', reason: '' }], { due: inDays(7) })
  expect(strange.status).toBe(403)
  expect((await seen(elsewhere)).state).toBe('open')
  await clear()
})

test('of those who promise at once every other sees what the first has promised', async () => {
  const at = (n: number) => body({ subject: 'cost', due: inDays(n), content: `退差价 ${n}` })
  const crowd = [steward, pm, gm, service, steward, pm, gm, service]
  const answers = await Promise.all(crowd.map((who, i) => who.ask(promises.add, { body: at(2 + i) })))
  expect(answers.filter((a) => a.code === 200).length).toBe(1)
  for (const { code, msg } of answers.filter((a) => a.code !== 200)) {
    expect(code).toBe(409)
    expect(msg).toMatch(/同一事项还有日期不同的承诺：“退差价 \d”/)
  }
  expect((await list(gm, { site_id: site, subject: 'cost', state: 'open' })).length).toBe(1)
  await clear()
})

test('a rest day and a day before the plan’s are shown and allowed', async () => {
  const due = inDays(10)
  await server.sql(
    `UPDATE site_stages SET planned_start = $2, planned_finish = $3, actual_finish = NULL
     WHERE site_id = $1 AND stage = 'tiling'`,
    [site, inDays(8), inDays(12)],
  )
  await server.sql(
    `INSERT INTO calendar_days (tenant_id, day, rest) SELECT tenant_id, $2, true FROM sites WHERE id = $1`,
    [site, due],
  )
  const { notes } = await steward.call(promises.contradictions, {
    query: { site_id: site, subject: 'schedule', due },
  })
  expect(notes[0]).toBe(`${due} 是休息日`)
  expect(notes[1]).toMatch(/^按阶段计划，那天还在做“.+”，计划 .+ 完成$/)
  await promise(steward, { subject: 'schedule', due })
  await clear()
})

test('it is put off with a reason by whoever answers for it, the third time by a supervisor', async () => {
  const id = await promise(gm, { post: 1 })
  // Not theirs, and not theirs to supervise.
  expect((await extend(pm, id, inDays(4))).msg).toMatch(/^责任人是.+，只有责任人或主管能办$/)
  expect(await extend(steward, id, inDays(2))).toMatchObject({
    code: 400,
    msg: `新的到期须晚于现在的到期 ${inDays(2)}`,
  })
  const version = (await seen(id)).version
  const bare = await steward.ask(promises.extend, { body: { id, version, due: inDays(4), reason: '' } })
  expect(bare.msg).toMatch(/请写明原因/)
  expect((await extend(steward, id, inDays(4))).code).toBe(200)
  expect((await extend(steward, id, inDays(5))).code).toBe(200)
  expect(await seen(id)).toMatchObject({
    state: 'extended',
    firstDue: inDays(2),
    due: inDays(5),
    extensions: 2,
  })
  expect((await extend(steward, id, inDays(6))).msg).toBe('已经延期 2 次，再延期须由主管办理')
  expect((await extend(service, id, inDays(6))).code).toBe(200)
  expect(await told(id)).toEqual(['steward'])
  const { log } = await hq.call(promises.details, { query: { id } })
  expect(log.map((l) => [l.act, l.fromDue, l.toDue])).toEqual([
    ['promise', null, inDays(2)],
    ['extend', inDays(2), inDays(4)],
    ['extend', inDays(4), inDays(5)],
    ['extend', inDays(5), inDays(6)],
  ])
  // Two at once: the second hears who was faster, and nothing happens twice.
  const now = (await seen(id)).version
  const twice = await Promise.all(
    [gm, service].map((who) =>
      who.ask(promises.extend, { body: { id, version: now, due: inDays(8), reason: '材料晚到' } }),
    ),
  )
  expect(twice.map((a) => a.code).sort()).toEqual([200, 409])
  expect(twice.find((a) => a.code === 409)!.msg).toMatch(/^已被 .+ 处理，请刷新后再试$/)
  expect((await seen(id)).extensions).toBe(4)
  await clear()
})

test('it is kept with a picture that is newer than the promise and proves nothing else', async () => {
  const early = await uploadPhoto(server.url, steward)
  await server.sql(`UPDATE files SET taken_at = :now - interval '1 hour' WHERE key = $1`, [early])
  const id = await promise(gm)
  expect((await keep(steward, id, [])).msg).toMatch(/请至少上传一张照片/)
  expect(await keep(steward, id, [early])).toMatchObject({
    code: 400,
    msg: expect.stringMatching(/^照片必须在作出承诺之后拍摄/),
  })
  expect((await keep(pm, id)).msg).toMatch(/只有责任人或主管能办/)
  expect((await keep(hq, id)).msg).toBe('No Permission')
  const picture = await uploadPhoto(server.url, steward)
  expect((await keep(steward, id, [picture])).code).toBe(200)
  expect(await seen(id)).toMatchObject({ state: 'kept', lateDays: null })
  expect((await seen(id)).keptAt).not.toBeNull()
  expect(await told(id)).toEqual([])
  expect((await pm.ask(api.files.get, { query: { key: picture } })).status).toBe(200)
  expect((await keep(steward, id)).msg).toMatch(/^当前为“已兑现”，不能兑现/)
  expect((await say(gm, 'withdraw', id)).msg).toMatch(/^当前为“已兑现”，不能撤回/)
  const again = await promise(gm)
  await server.sql('UPDATE files SET taken_at = :now WHERE key = $1', [picture])
  expect((await keep(steward, again, [picture])).msg).toMatch(/这张照片已经用于另一条记录/)
  await clear()
})

test('within seven days the owner objects; a supervisor who does not answer for it decides', async () => {
  const id = await promise(gm)
  expect((await say(steward, 'object', id)).msg).toMatch(/^当前为“待兑现”，不能代录异议/)
  await keep(steward, id)
  expect((await say(gm, 'uphold', id)).msg).toBe('业主没有提出异议')
  expect((await say(pm, 'object', id)).msg).toBe('No Permission')
  expect((await say(service, 'object', id, '柜门还是歪的')).code).toBe(200)
  expect(await seen(id)).toMatchObject({ state: 'kept', objected: true })
  expect((await list(gm, { objected: true })).map((p) => p.id)).toEqual([id])
  expect((await told(id)).filter((who) => who !== 'admin')).toEqual(['branch_gm', 'steward'])
  expect((await say(steward, 'object', id)).msg).toMatch(/已经提出异议/)
  // It is a complaint of the home as well, with the clock of one.
  const { content, site_id, log } = await hq.call(promises.details, { query: { id } })
  const of = { query: { site_id, keyword: content, pageSize: 100 } }
  const { list: complaints } = await service.call(api.feedback.list, of)
  expect(complaints).toMatchObject([
    {
      kind: 'complaint',
      level: 1,
      about: 'work',
      channel: 'phone',
      status: 1,
      words: `对承诺“${content}”的兑现有异议：柜门还是歪的`,
      answerDueAt: expect.any(Number),
    },
  ])
  expect(log.map((l) => l.feedback_id)).toEqual([null, null, complaints[0]!.id])
  const tiles = await promise(gm, { subject: 'goods', content: '瓷砖周三送到' })
  await keep(steward, tiles)
  const { version } = await seen(tiles)
  const byLink = { id: tiles, version, channel: 'link', reason: '颜色不对' }
  expect((await service.askAny(promises.object, { body: byLink })).msg).toContain('由业主自己提交')
  expect(await seen(tiles)).toMatchObject({ objected: false })
  await say(service, 'object', tiles, '颜色不对')
  const ofTiles = await service.call(api.feedback.list, { query: { keyword: '瓷砖周三送到' } })
  expect(ofTiles.list.map((f) => f.about)).toEqual(['goods'])
  expect((await say(steward, 'dismiss', id)).msg).toBe('No Permission')
  // Until it is judged nobody ends the complaint, and whoever answers for the promise never does.
  const stands = async (no: string) =>
    (await service.call(api.feedback.list, { query: { keyword: no } })).list[0]!
  const refused = async (who: Person, no: string, act: 'accept' | 'cancel' | 'close', more: object) => {
    const { id: one, version } = await stands(no)
    return (await who.askAny(api.feedback[act], { body: { id: one, version, ...more } })).msg
  }
  const [complaint, aboutTiles] = [complaints[0]!.no, ofTiles.list[0]!.no]
  expect(await stands(complaint)).toMatchObject({ promise_id: id, unjudged: true })
  const withdrawn = { cause: 'withdrawn', reason: '业主撤回' }
  expect(await refused(service, complaint, 'cancel', withdrawn)).toContain('还没有裁定')
  const { responsible_id: answerable } = await seen(id)
  const toThem = { level: 1, assignee_id: answerable }
  expect(await refused(steward, complaint, 'accept', toThem)).toContain('对您的承诺的异议')
  expect((await say(gm, 'dismiss', tiles, '照片上是好的')).code).toBe(200)
  expect(await seen(tiles)).toMatchObject({ state: 'kept', objected: false, judged: true })
  expect((await say(service, 'object', tiles, '还是歪的')).msg).toContain('已经裁定过')
  expect(await stands(aboutTiles)).toMatchObject({ unjudged: false })
  expect(await refused(service, aboutTiles, 'cancel', withdrawn)).toBe('')
  expect((await stands(aboutTiles)).status).toBe(4)
  // Nobody judges what the owner says of them.
  await server.sql(
    `UPDATE promises SET responsible_id = u.id FROM users u WHERE u.user_name = 'service' AND promises.id = $1`,
    [id],
  )
  expect((await say(service, 'uphold', id)).msg).toBe('责任人不能裁定对自己的异议，请由其他主管裁定')
  expect((await say(gm, 'uphold', id, '上门看过，没有修好')).code).toBe(200)
  expect(await seen(id)).toMatchObject({ state: 'broken', objected: false })
  expect(await acts(id)).toEqual(['promise', 'keep', 'object', 'uphold'])
  expect(await acts(tiles)).toEqual(['promise', 'keep', 'object', 'dismiss'])
  // Decided, it still is one that the owner objected to.
  const found = async (objected: boolean) =>
    (await gm.call(promises.list, { query: { objected, pageSize: 100 } })).list.find((p) => p.id === id)
  expect(await found(true)).toMatchObject({ state: 'broken', objected: false, upheld: true })
  expect(await found(false)).toBeUndefined()
  expect(await told(id)).toEqual(['service'])

  const [six, seven] = [await promise(gm), await promise(gm)]
  await keep(steward, six)
  await keep(steward, seven)
  await days(7)
  await later(-60_000)
  expect((await say(steward, 'object', six)).code).toBe(200)
  await later(120_000)
  expect((await say(steward, 'object', seven)).msg).toBe('兑现已满 7 天，不能再提异议')
})

test('not kept is said by a supervisor, and not before the day is over', async () => {
  const id = await promise(gm, { due: today() })
  expect((await say(steward, 'break', id)).msg).toBe('No Permission')
  expect((await say(gm, 'break', id)).msg).toBe(`${today()} 还没有过完，不能认定未兑现`)
  await later(startOfDay(inDays(1)).getTime() - 60_000 - server.now().getTime())
  expect((await say(gm, 'break', id)).code).toBe(409)
  expect((await seen(id)).lateDays).toBe(null)
  await later(60_000)
  expect((await seen(id)).lateDays).toBe(1)
  expect((await say(gm, 'break', id, '人没有来')).code).toBe(200)
  expect(await seen(id)).toMatchObject({ state: 'broken' })
  expect(await told(id)).toEqual(['steward'])
  await later(10 * HOUR)
  const early = await promise(gm)
  expect((await say(steward, 'withdraw', early)).msg).toBe('No Permission')
  expect((await say(service, 'withdraw', early, '业主不要了')).code).toBe(200)
  expect((await say(gm, 'break', early)).msg).toMatch(/^当前为“撤回”，不能认定未兑现/)
})

test('rates by the day first named and by the day that stands: with their n, at whose time each fell due', async () => {
  const at = sites[2]!
  const mine = (more: object = {}) => promise(gm, { site_id: at.id, ...more })
  const rates = (query: object = {}) => gm.call(promises.rates, { query: { site_id: at.id, ...query } })
  const [kept, late, missed, early, after, running] = [
    await mine(),
    await mine(),
    await mine(),
    await mine(),
    await mine(),
    await mine(),
  ]
  await keep(steward, kept)
  await keep(steward, running)
  await extend(steward, late, inDays(4))
  await say(gm, 'withdraw', early)
  // Nothing is counted before its day is over.
  expect(await rates()).toMatchObject({ first: { kept: 0, n: 0 }, present: { kept: 0, n: 0 } })
  await days(3)
  await say(gm, 'withdraw', after)
  expect(await rates()).toMatchObject({ first: { kept: 2, n: 5 }, present: { kept: 2, n: 4 } })
  await keep(steward, late)
  await days(3)
  // Put off and kept by then: late by the day first named. Taken back after its day: not kept; before it: in neither.
  const first = { kept: 2, n: 5 }
  const present = { kept: 3, n: 5 }
  expect(await rates()).toMatchObject({ first, present })
  expect((await rates()).at).toBe(Math.floor(server.now().getTime() / 1000))
  expect(await rates({ subject: 'goods' })).toMatchObject({ first: { kept: 0, n: 0 } })
  // The steward is replaced: what fell due before is of whose time it was.
  const [other] = await server.sql<{ id: string }>(
    `SELECT id FROM users WHERE bc_id = $1 AND post = 1 AND id <> $2 LIMIT 1`,
    [at.bc, at.steward],
  )
  const next = await mine({ subject: 'cost' })
  const version = async () => (await gm.call(api.sites.details, { query: { id: at.id } })).version
  await gm.call(api.sites.people, {
    body: { id: at.id, version: await version(), steward_id: other!.id, manager_id: at.manager },
  })
  expect(await seen(next)).toMatchObject({ responsible_id: other!.id })
  expect((await seen(missed)).responsible_id).toBe(other!.id)
  await days(3)
  const of = async (responsible_id: string) => (await rates({ responsible_id })).first
  expect(await of(at.steward)).toEqual({ kept: 2, n: 5 })
  expect(await of(other!.id)).toEqual({ kept: 0, n: 1 })
  const { log } = await hq.call(promises.details, { query: { id: next } })
  expect(log.at(-1)).toMatchObject({ act: 'hand', text: '负责人更换' })
  await gm.call(api.sites.people, {
    body: { id: at.id, version: await version(), steward_id: at.steward, manager_id: at.manager },
  })
  await clear()
})

const sweep = () => server.db.tx(SYSTEM, (tx) => remind(tx, steward.tenant, promiseReminders))
test('the responsible is reminded on the morning of the day, and with the supervisors when it is over', async () => {
  const id = await promise(gm, { due: inDays(1) })
  await server.sql('UPDATE notifications SET read_at = :now')
  await sweep()
  expect(await told(id)).toEqual([])
  // Half past seven is too early.
  await later(startOfDay(inDays(1)).getTime() + 7.5 * HOUR - server.now().getTime())
  await sweep()
  expect(await told(id)).toEqual([])
  await later(HOUR)
  expect(await sweep()).toBe(1)
  expect(await told(id)).toEqual(['steward'])
  expect(await sweep()).toBe(0)
  await server.sql('UPDATE notifications SET read_at = :now')
  await days(1)
  expect(await sweep()).toBe(1)
  expect((await told(id)).filter((who) => who !== 'admin')).toEqual(['branch_gm', 'service', 'steward'])
  expect(await sweep()).toBe(0)
  // Acted on, nobody waits for it; put off, it is reminded of anew.
  await extend(steward, id, inDays(2))
  expect(await told(id)).toEqual([])
  await days(2)
  expect(await sweep()).toBe(1)
  await clear()
})

test('what is due stands on the home page and leads to its list', async () => {
  for (const due of [today(), inDays(1)])
    await promise(gm, {
      due,
      site_id: sites[3]!.id,
      answers: [],
      subject: due === today() ? 'goods' : 'cost',
    })
  await promise(gm, { site_id: sites[4]!.id, due: inDays(3) })
  await days(1)
  const { figures } = await steward.call(api.home.cards)
  const card = figures.find((f) => f.card === 'promises')!
  expect([card.value, card.parts.map((p) => p.value)]).toEqual([2, [1, 1]])
  expect(card.before).toBe(1)
  for (const { link, value } of [{ link: card.link, value: card.value }, ...card.parts]) {
    const query = Object.fromEntries(new URLSearchParams(link.split('?')[1]))
    expect((await list(steward, query)).length).toBe(value)
  }
  expect(card.rows.map((r) => r.late)).toEqual([true, false])
  const far = await (await server.as('branch_gm2')).call(api.home.cards)
  expect(far.figures.find((f) => f.card === 'promises')!.value).toBe(0)
  const keeper = await (await server.as('device_keeper')).call(api.home.cards)
  expect(keeper.figures.some((f) => f.card === 'promises')).toBe(false)
  await clear()
})

const foresee = (id: string, change: 'finish' | 'terminate') =>
  gm.call(api.sites.foresee, { query: { id, change } })
const end = async (id: string, action: 'finish' | 'terminate', aftercare_id?: string) =>
  gm.ask(api.sites.state, {
    body: {
      id,
      version: (await gm.call(api.sites.details, { query: { id } })).version,
      action,
      reason: '业主退单',
      aftercare_id,
    },
  })
test('a home is not finished with promises due by then; later ones go to who is named for them', async () => {
  const at = sites[5]!
  await server.sql(`UPDATE sites SET progress = 100, contract = '' WHERE id = $1`, [at.id])
  await server.sql(`DELETE FROM contracts WHERE site_id = $1`, [at.id])
  const due = await promise(gm, { site_id: at.id, due: today() })
  const after = await promise(gm, { site_id: at.id, due: inDays(9), subject: 'quality', post: 2 })
  const told_ = await foresee(at.id, 'finish')
  expect(told_.blocks).toContain('还有 1 条到期的承诺没有兑现，请先兑现、延期，或由主管处理')
  expect(told_.later).toEqual(['1 条还没到期的承诺'])
  expect(await end(at.id, 'finish')).toMatchObject({ code: 409, msg: expect.stringContaining('到期的承诺') })
  await keep(steward, due)
  expect((await end(at.id, 'finish')).msg).toBe('1 条还没到期的承诺要移交，请选择售后负责人')
  expect((await end(at.id, 'finish', at.steward)).msg).toBe('')
  expect(await seen(after)).toMatchObject({ state: 'open', responsible_id: at.steward, post: 2 })
  expect(await told(after)).toEqual([])
  expect(await told(at.id)).toContain('steward')
  expect((await keep(steward, after)).code).toBe(200)
})
test('a terminated home keeps its promises until the contract is settled, then the system ends them', async () => {
  const at = sites[6]!
  await server.sql(`UPDATE sites SET contract = '' WHERE id = $1`, [at.id])
  const id = await promise(gm, { site_id: at.id })
  const done = await promise(gm, { site_id: at.id })
  expect((await foresee(at.id, 'terminate')).effects).toContain(
    '2 条没有兑现的承诺继续到合同结清，然后由系统撤回，已到期的算没有兑现',
  )
  expect((await end(at.id, 'terminate')).msg).toBe('')
  // As long as a contract of it is being settled, it is kept, put off and reminded of like any other.
  const contract = await (await openDeals(server)).signed()
  await server.sql('UPDATE contracts SET site_id = $2 WHERE id = $1', [contract, at.id])
  const [{ tenant }] = (await server.sql<{ tenant: string }>(
    'SELECT tenant_id AS tenant FROM sites WHERE id = $1',
    [at.id],
  )) as [{ tenant: string }]
  const look = () => server.db.tx(SYSTEM, (tx) => remind(tx, tenant, feedbackReminders))
  await look()
  expect((await seen(id)).state).toBe('open')
  expect((await keep(steward, done)).code).toBe(200)
  await server.sql(`UPDATE contracts SET state = 'ended' WHERE id = $1`, [contract])
  await look()
  expect((await seen(id)).state).toBe('withdrawn')
  expect((await seen(done)).state).toBe('kept')
  const { log } = await hq.call(promises.details, { query: { id } })
  expect(log.at(-1)).toMatchObject({ act: 'withdraw', actor: '系统', text: '工地已终止、合同已结清' })
  expect(await told(id)).toEqual(['steward'])
})

test('into another branch it goes along with its day: gone from the old one, who leads there answers', async () => {
  const at = sites[7]!
  await server.sql(`UPDATE sites SET contract = '' WHERE id = $1`, [at.id])
  const id = await promise(gm, { site_id: at.id, due: inDays(5) })
  const admin = await server.as('admin')
  const [to] = await server.sql<{ bc: string; steward: string; manager: string }>(
    `SELECT c.bc_id AS bc, s.id AS steward, m.id AS manager FROM companies c
     JOIN users s ON s.bc_id = c.bc_id AND s.user_name = 'steward2'
     JOIN users m ON m.bc_id = c.bc_id AND m.user_name = 'pm2' WHERE c.code = 'NB'`,
  )
  const q = { id: at.id, change: 'move' as const, bc_id: to!.bc }
  expect((await admin.call(api.sites.foresee, { query: q })).effects).toContain(
    '1 条没有兑现的承诺随工地转过去，到期不变，由新的项目管家、项目经理负责',
  )
  const version = async () => (await admin.call(api.sites.details, { query: { id: at.id } })).version
  const moved = await admin.ask(api.sites.move, {
    body: { id: at.id, version: await version(), bc_id: to!.bc, reason: '业主要求宁波施工' },
  })
  expect(moved.msg).toBe('')
  for (const who of [gm, steward, service]) expect(await list(who, { id })).toEqual([])
  const there = await server.as('branch_gm2')
  expect((await list(there, { id }))[0]).toMatchObject({
    due: inDays(5),
    responsible_id: null,
    bc_id: to!.bc,
  })
  await there.call(api.sites.people, {
    body: { id: at.id, version: await version(), steward_id: to!.steward, manager_id: to!.manager },
  })
  expect((await seen(id)).responsible_id).toBe(to!.steward)
  expect(await told(id)).toEqual(['steward2'])
})

test('nothing that was promised waits at a closed account', async () => {
  const at = sites[3]!
  const [done] = await server.sql<{ id: string }>(
    `SELECT id FROM sites WHERE bc_id = $1 AND status = 4 LIMIT 1`,
    [at.bc],
  )
  const [role] = await server.sql<{ id: string }>(
    `SELECT ur.role_id AS id FROM user_roles ur JOIN users u ON u.id = ur.user_id WHERE u.user_name = 'steward'`,
  )
  const { id: leaver } = await gm.call(api.accounts.add, {
    body: { userName: 'leaving_steward', nickname: '要走的管家', bc_id: at.bc, roles: [role!.id], post: 1 },
  })
  const people = async (id: string, steward_id: string) => {
    const s = await gm.call(api.sites.details, { query: { id } })
    await gm.call(api.sites.people, {
      body: { id, version: s.version, steward_id, manager_id: s.manager_id },
    })
  }
  await people(at.id, leaver)
  await people(done!.id, leaver)
  const building = await promise(gm, { site_id: at.id })
  const finished = await promise(gm, { site_id: done!.id })
  const { work } = await gm.call(api.accounts.leaving, { query: { id: leaver } })
  // What is promised on a site that goes on comes with the site.
  expect(work.map((w) => [w.kind, w.count])).toEqual([
    ['sites', 1],
    ['promises', 1],
  ])
  const able = work.find((w) => w.kind === 'promises')!.people.map((p) => p.id)
  expect(able).not.toContain(leaver)
  const stop = async (successors: { kind: 'sites' | 'promises'; user_id: string }[]) => {
    const [account] = await server.sql<{ version: number }>('SELECT version FROM users WHERE id = $1', [
      leaver,
    ])
    const body = { id: leaver, version: account!.version, status: 2 as const, confirmed: true, successors }
    return gm.ask(api.accounts.state, { body })
  }
  const leads = { kind: 'sites' as const, user_id: at.steward }
  expect((await stop([leads])).msg).toMatch(/还有1 条没有兑现的承诺，请选择接手人/)
  expect((await seen(building)).responsible_id).toBe(leaver)
  expect((await stop([leads, { kind: 'promises', user_id: able[0]! }])).msg).toBe('')
  expect((await seen(building)).responsible_id).toBe(at.steward)
  expect((await seen(finished)).responsible_id).toBe(able[0])
})
