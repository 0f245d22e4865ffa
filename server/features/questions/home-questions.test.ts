import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { remind } from '../notifications/reminders.service.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { questionReminders } from './question-reminders.service.ts'

const HOUR = 3_600_000
let server: TestServer
let gm: Person, pm: Person, steward: Person, service: Person, hq: Person
interface Home {
  id: string
  bc: string
  tenant: string
  name: string
  owner: string
  stage: string
  steward: string
  contact: string
}
let homes: Home[]
let home: Home
beforeAll(async () => {
  server = await startTestServer()
  // Ten in the morning.
  server.later(startOfDay(today()).getTime() + 10 * HOUR - server.now().getTime())
  await enter()
  homes = await server.sql(
    `SELECT w.id, w.bc_id AS bc, w.tenant_id AS tenant, w.ws_name AS name, o.name AS owner, w.stage, s.id AS steward,
       h.id AS contact
     FROM sites w JOIN users m ON m.id = w.manager_id JOIN users s ON s.id = w.steward_id
     JOIN owners o ON o.id = w.owner_id
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id = w.owner_id AND h.ended_at IS NULL
     WHERE w.status = 1 AND m.user_name = 'pm' AND s.user_name = 'steward' ORDER BY w.code`,
  )
  home = homes[0]!
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
const { questions } = api
const TILES = ['浅灰 800×800', '米白 800×800', '木纹 200×1000']
const body = (more: object = {}) => ({
  site_id: home.id,
  words: '客厅瓷砖选哪一款',
  options: TILES,
  neededBy: inDays(3),
  ...more,
})
const ask = async (who: Person, more: object = {}) => (await who.call(questions.ask, { body: body(more) })).id
const list = async (who: Person, query: object = {}) =>
  (await who.call(questions.list, { query: { pageSize: 100, ...query } })).list
const one = async (id: string) => (await list(hq, { id }))[0]!
const seen = async (id: string) => ({ id, version: (await one(id)).version })
const told = async (id: string) =>
  (
    await server.sql<{ user_name: string }>(
      `SELECT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
       WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY u.user_name`,
      [id],
    )
  ).map((n) => n.user_name)
const record = async (who: Person, id: string, more: object = {}) =>
  who.ask(questions.record, {
    body: {
      ...(await seen(id)),
      contact_id: home.contact,
      choice: 1,
      pictures: [await uploadPhoto(server.url, who)],
      ...more,
    },
  })
const withdraw = async (who: Person, id: string, reason = '业主已当面说好') =>
  who.ask(questions.withdraw, { body: { ...(await seen(id)), reason } })
const clear = () => server.sql(`DELETE FROM questions`)

test('staff ask, the steward hears, it stands on the home, the timeline, in the search and in the file', async () => {
  const picture = await uploadPhoto(server.url, pm)
  const id = await ask(pm, { stage: home.stage, pictures: [picture], costs: true, estimate: '约 800 元' })
  expect(await one(id)).toMatchObject({
    words: '客厅瓷砖选哪一款',
    options: TILES,
    ownerName: home.owner,
    siteName: home.name,
    neededBy: inDays(3),
    stage: home.stage,
    pictures: [picture],
    costs: true,
    estimate: '约 800 元',
    state: 'open',
    lateDays: null,
    answers: [],
    contract_id: null,
  })
  expect(await told(id)).toEqual(['steward'])
  for (const who of [hq, gm, pm, steward, service])
    expect((await list(who, { site_id: home.id })).map((q) => q.id)).toEqual([id])
  const lines = await gm.call(api.timeline.list, { query: { site_id: home.id, kinds: ['owner'] } })
  expect(lines.list[0]).toMatchObject({
    title: `问业主“客厅瓷砖选哪一款”，${inDays(3)} 前答复`,
    picture,
  })
  const hits = await steward.call(api.search.all, { query: { keyword: '瓷砖选哪' } })
  expect(hits.map((h) => [h.kind, h.id, h.link])).toEqual([['question', id, `/OwnerInfo?site_id=${home.id}`]])
  const far = await server.as('branch_gm2')
  expect(await list(far, { id })).toEqual([])
  expect(await far.call(api.search.all, { query: { keyword: '瓷砖选哪' } })).toEqual([])
  const file = await service.ask(questions.export, { query: { site_id: home.id } })
  const [head, ...rows] = await cellsOf(file.bytes)
  expect(rows.map((r) => [r[head!.indexOf('问题')], r[head!.indexOf('状态')]])).toEqual([
    ['客厅瓷砖选哪一款', '待决定'],
  ])
  expect((await steward.ask(questions.export, { query: {} })).msg).toBe('No Permission')
  // Of other people's sites nobody reads or asks anything.
  for (const role of ['inspector', 'supplier', 'quoter'])
    expect((await (await server.as(role)).ask(questions.list)).msg).toBe('No Permission')
  expect((await hq.ask(questions.ask, { body: body() })).msg).toBe('No Permission')
  expect((await far.ask(questions.ask, { body: body() })).status).toBe(403)
  const theirs = { ...(await seen(id)), reason: '试试看' }
  expect((await far.ask(questions.withdraw, { body: theirs })).status).toBe(403)
  await clear()
})

test('what makes no question is refused in words, and nothing is asked', async () => {
  const no = async (more: object) => {
    const { code, msg } = await steward.ask(questions.ask, { body: body(more) })
    return [code, msg]
  }
  expect(await no({ neededBy: inDays(-1) })).toEqual([400, '最晚答复不能早于今天'])
  expect(await no({ options: ['只有一个'] })).toEqual([400, '选项至少 2 个；没有选项的，由业主用文字答复'])
  expect(await no({ options: ['浅灰', '浅灰'] })).toEqual([400, '有两个一样的选项'])
  expect((await no({ options: ['1', '2', '3', '4', '5', '6', '7'] }))[1]).toContain('最多 6 个选项')
  expect((await no({ words: '选' }))[1]).toContain('请写明要业主决定什么')
  expect(await no({ costs: true })).toEqual([400, '会改变费用的，请写明大约多少，例如 约 800 元'])
  expect(await no({ estimate: '约 800 元' })).toEqual([400, '不改变费用的不用写估计费用'])
  const [done] = await server.sql<{ stage: string }>(
    'SELECT stage FROM site_stages WHERE site_id = $1 AND actual_finish IS NOT NULL LIMIT 1',
    [home.id],
  )
  if (done) expect((await no({ stage: done.stage }))[1]).toContain('已经完成，或不在这个工地的计划里')
  const [ended] = await server.sql<{ id: string }>(
    'SELECT id FROM sites WHERE bc_id = $1 AND status = 3 AND owner_id IS NOT NULL LIMIT 1',
    [home.bc],
  )
  expect((await gm.ask(questions.ask, { body: body({ site_id: ended!.id }) })).msg).toBe(
    '合同已终止，不再询问业主',
  )
  // The last day that is still one.
  await ask(steward, { neededBy: today() })
  expect(await list(gm)).toHaveLength(1)
  await clear()
})

test('a rest day is shown while it is typed and afterwards; it forbids nothing', async () => {
  const foresee = (more: object) => steward.call(questions.foresee, { query: { site_id: home.id, ...more } })
  const { stages } = await foresee({})
  expect(stages).toContain(home.stage)
  const day = inDays(4)
  await server.sql(
    `INSERT INTO calendar_days (tenant_id, bc_id, day, rest) VALUES ($1, $2, $3, true)
     ON CONFLICT DO NOTHING`,
    [home.tenant, home.bc, day],
  )
  expect((await foresee({ neededBy: day, stage: home.stage })).notes).toContain(`${day} 是休息日`)
  const id = await ask(steward, { neededBy: day })
  expect((await one(id)).rest).toBe(true)
  const next = await ask(steward, { neededBy: inDays(5) })
  expect((await one(next)).rest).toBe(false)
  await clear()
})

test('overdue begins when its day is over: on the home, the list, the card, where the site stands', async () => {
  const id = await ask(steward, { neededBy: today(), stage: home.stage })
  const other = homes[1]!
  const plain = await ask(steward, { site_id: other.id, neededBy: inDays(9) })
  const [day] = await server.sql<{ was: number[] }>('SELECT no_work AS was FROM sites WHERE id = $1', [
    home.id,
  ])
  await server.sql(`UPDATE sites SET no_work = '{1}' WHERE id = $1`, [home.id])
  const standing = async () => {
    const { list: rows } = await gm.call(api.noWork.list, { query: { pageSize: 100 } })
    return rows.find((r) => r.id === home.id)!
  }
  const owners = async (question: 'open' | 'late') =>
    (await steward.call(api.owners.list, { query: { question, pageSize: 100 } })).list.map((h) => [
      h.id,
      h.openQuestions,
      h.lateQuestions,
    ])
  const card = async () => (await steward.call(api.home.cards)).figures.find((f) => f.card === 'questions')!
  await server.sql('UPDATE devices SET device_status = 1, last_seen = :now WHERE site_id = $1', [home.id])
  await server.sql('UPDATE sites SET devices_online = devices_total WHERE id = $1', [home.id])
  expect(await standing()).toMatchObject({ likely: 'owner', undecided: `客厅瓷砖选哪一款（${today()} 前）` })
  expect(await owners('late')).toEqual([])
  const before = await card()
  expect([before.value, before.parts[0]!.value, before.link]).toEqual([
    2,
    0,
    '/owner/OwnerList?question=open',
  ])

  const midnight = startOfDay(inDays(1)).getTime() - server.now().getTime()
  await later(midnight - 1_000)
  expect((await one(id)).lateDays).toBeNull()
  await later(1_000)
  expect((await one(id)).lateDays).toBe(1)
  expect((await list(gm, { late: true })).map((q) => q.id)).toEqual([id])
  expect(await standing()).toMatchObject({
    likely: 'owner',
    undecided: '客厅瓷砖选哪一款（已逾期 1 天）',
  })
  expect(await owners('late')).toEqual([[home.id, 1, 1]])
  expect((await owners('open')).map((h) => h[0]).toSorted()).toEqual([home.id, other.id].toSorted())
  const after = await card()
  expect([after.value, after.parts.map((p) => p.value), after.aside]).toEqual([2, [1], '共 2 个问题'])
  expect(after.link).toBe('/owner/OwnerList?question=open')
  expect(after.parts[0]!.link).toBe('/owner/OwnerList?question=late')
  expect(after.before).toBe(2)
  if (after.rows.length)
    expect(after.rows.map((r) => [r.id, r.late])).toEqual([
      [id, true],
      [plain, false],
    ])
  // A stage that is not the present one waits for nothing yet.
  await server.sql(`UPDATE questions SET stage = 'handover' WHERE id = $1`, [id])
  const waits = await standing()
  expect(waits.undecided).toBe('')
  expect(waits.likely).not.toBe('owner')
  await server.sql('UPDATE sites SET no_work = $2 WHERE id = $1', [home.id, day!.was])
  await clear()
})

test('written down for the owner: whose words they are, what proves it, who hears', async () => {
  const before = await uploadPhoto(server.url, steward)
  await later(60_000)
  const id = await ask(pm, { costs: true, estimate: '约 800 元' })
  expect((await record(steward, id, { pictures: [before] })).msg).toContain('照片必须在提出问题之后拍摄')
  expect(await record(steward, id, { pictures: [] })).toMatchObject({ code: 400 })
  expect((await record(steward, id, { choice: null })).msg).toBe('请选一个选项')
  expect((await record(steward, id, { choice: 4 })).msg).toBe('请选一个选项')
  expect((await record(steward, id, { choice: null, words: '随便' })).msg).toBe('这个问题请选一个选项')
  // Somebody of another home has nothing to say here.
  expect((await record(steward, id, { contact_id: homes[1]!.contact })).status).toBe(403)
  expect((await one(id)).state).toBe('open')
  expect((await record(steward, id, { choice: 2 })).msg).toBe('')
  const is = await one(id)
  expect(is).toMatchObject({ state: 'answered', answer: TILES[1], disputed: false })
  expect(is.answers).toMatchObject([{ contactName: home.owner, choice: 2, counts: true, words: '' }])
  expect(is.answers[0]!.recordedBy).not.toBe('')
  expect(is.answers[0]!.pictures).toHaveLength(1)
  // Of what costs money also who may change the contract; nothing is booked by it.
  expect(await told(id)).toEqual(['branch_gm', 'pm'])
  const [heard] = await server.sql<{ title: string }>(
    'SELECT title FROM notifications WHERE cause_id = $1 AND read_at IS NULL LIMIT 1',
    [id],
  )
  expect(heard!.title).toContain('米白 800×800；费用有变（约 800 元），需要另签增减项变更')
  const again = await record(pm, id)
  expect([again.code, again.msg]).toEqual([409, '当前为“已答复”，不能代录答复；可以：重新询问'])
  // A picture proves one thing.
  const other = await ask(pm)
  const used = await record(steward, other, { pictures: is.answers[0]!.pictures })
  expect([used.code, (await one(other)).state]).toEqual([400, 'open'])
  await clear()
})

test('in words where there are no options', async () => {
  const id = await ask(service, { options: [], words: '主卧窗帘盒要不要做' })
  expect((await record(steward, id, { choice: 1 })).msg).toBe('这个问题没有选项，请用文字答复')
  expect((await record(steward, id, { choice: null })).msg).toBe('请写下答复')
  expect((await record(steward, id, { choice: null, words: '做，和吊顶齐平' })).msg).toBe('')
  expect(await one(id)).toMatchObject({ answer: '做，和吊顶齐平' })
  expect(await told(id)).toEqual(['service'])
  await clear()
})

test('withdrawn with a reason, once; asked anew it is a new question, linked, once', async () => {
  const picture = await uploadPhoto(server.url, steward)
  const id = await ask(steward, { pictures: [picture] })
  expect((await withdraw(steward, id, '')).code).toBe(400)
  const stale = { ...(await seen(id)), reason: '不用问了' }
  expect((await gm.ask(questions.withdraw, { body: stale })).msg).toBe('')
  expect(await steward.ask(questions.withdraw, { body: stale })).toMatchObject({
    code: 409,
    msg: expect.stringContaining('已被'),
  })
  expect(await one(id)).toMatchObject({ state: 'withdrawn', withdrawnFor: '不用问了' })
  expect(await told(id)).toEqual(['steward'])
  const anew = async (more: object = {}) =>
    steward.ask(questions.ask, {
      body: body({ again: await seen(id), pictures: [picture], words: '客厅瓷砖，只剩两款', ...more }),
    })
  // Of another home it is not asked anew.
  expect((await anew({ site_id: homes[1]!.id })).status).toBe(403)
  const next = (await anew()).data.id
  expect(await one(next)).toMatchObject({ againOf: id, state: 'open', pictures: [picture] })
  expect((await one(id)).askedAnew).toBe(next)
  expect((await anew()).msg).toBe('这个问题已经重新询问过')
  await clear()
})

test('the steward is reminded the day before and once when it is over; what is settled is not', async () => {
  // Ten in the morning again.
  await later(10 * HOUR)
  const id = await ask(pm, { neededBy: inDays(2) })
  const answered = await ask(pm, { neededBy: inDays(2), words: '踢脚线颜色' })
  const remindNow = async () => {
    await server.sql('UPDATE notifications SET read_at = :now WHERE read_at IS NULL')
    await server.db.tx(SYSTEM, (tx) => remind(tx, home.tenant, questionReminders))
    return [await told(id), await told(answered)]
  }
  expect(await remindNow()).toEqual([[], []])
  await later(24 * HOUR)
  expect(await remindNow()).toEqual([['steward'], ['steward']])
  expect(await remindNow()).toEqual([[], []])
  await record(steward, answered)
  await later(24 * HOUR)
  expect(await remindNow()).toEqual([[], []])
  await later(24 * HOUR)
  expect(await remindNow()).toEqual([['steward'], []])
  await later(24 * HOUR)
  expect(await remindNow()).toEqual([[], []])
  // Asked yesterday evening for tomorrow it is no news in the morning.
  await clear()
  const soon = await ask(pm, { neededBy: inDays(1) })
  await server.sql('UPDATE notifications SET read_at = :now WHERE read_at IS NULL')
  await server.db.tx(SYSTEM, (tx) => remind(tx, home.tenant, questionReminders))
  expect(await told(soon)).toEqual([])
  await clear()
})
