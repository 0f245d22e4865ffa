import { randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import { homePageApi } from '@zhuguan/contract/features/owners/home-page.api.ts'
import { homeVideoApi } from '@zhuguan/contract/features/owners/home-video.api.ts'
import { questionPageApi } from '@zhuguan/contract/features/questions/question-page.api.ts'
import { threadPageApi } from '@zhuguan/contract/features/threads/thread-page.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { behind } from '../../testing/behind.ts'
import { boundPhone } from '../../testing/homes.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { dayAhead } from '../../testing/time.ts'

let server: TestServer
let gm: Person, steward: Person, service: Person
interface Home {
  site: string
  contact: string
  steward: string
  pm: string
}
let homes: Home[]
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  steward = await server.as('steward')
  service = await server.as('service')
  homes = await server.sql<Home & Record<string, unknown>>(
    `SELECT w.id AS site, h.id AS contact, s.id AS steward, m.id AS pm FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     JOIN users m ON m.id = w.manager_id AND m.user_name = 'pm'
     WHERE w.status = 1 ORDER BY w.code LIMIT 4`,
  )
})
afterAll(() => server.stop())

const { feedback, owners, promises, questions, receptions } = api
type Phone = Awaited<ReturnType<typeof boundPhone>>
const idOf = async (no: string) =>
  (await server.sql<{ id: string }>('SELECT id FROM feedback WHERE no = $1', [no]))[0]!.id
const seen = async (id: string) => ({
  id,
  version: (await gm.call(feedback.details, { query: { id } })).version,
})
const promise = async (home: Home, content: string) =>
  (
    await steward.call(promises.add, {
      body: { site_id: home.site, content, subject: 'quality', post: 1, due: dayAhead(700), answers: [] },
    })
  ).id
const promised = async (id: string) => ({
  id,
  version: (await gm.call(promises.details, { query: { id } })).version,
})
async function keep(id: string): Promise<string> {
  const picture = await uploadPhoto(server.url, steward)
  await steward.call(promises.keep, {
    body: { ...(await promised(id)), pictures: [picture], text: '办好了' },
  })
  return picture
}
async function close(id: string) {
  await service.call(feedback.accept, {
    body: { ...(await seen(id)), level: 1, assignee_id: homes[0]!.steward },
  })
  await steward.call(feedback.answer, { body: { id, answers: 0, words: '明天上午来看', pictures: [] } })
  await service.call(feedback.close, { body: { ...(await seen(id)), cause: 'works', result: '修好了' } })
}
const ask = async (home: Home, words: string) =>
  (
    await steward.call(questions.ask, {
      body: {
        site_id: home.site,
        words,
        options: ['浅灰', '米白'],
        neededBy: addDays(shanghaiDay(server.now()), 3),
        stage: null,
        pictures: [],
        costs: false,
        estimate: '',
      },
    })
  ).id
/** The home is somebody else's; who is its owner now, on a telephone that was let in. */
async function change(home: Home, taken: 'taken' | 'withdrawn' = 'taken') {
  const [now] = (await gm.call(owners.list, { query: { id: home.site } })).list
  return gm.ask(owners.change, {
    body: {
      id: now!.contact_id,
      version: now!.contactVersion,
      name: '接手的人',
      phone: '',
      promises: taken,
      reason: '房屋转让',
    },
  })
}
async function nextPhone(home: Home): Promise<Phone> {
  const [now] = (await gm.call(owners.list, { query: { id: home.site } })).list
  return boundPhone(server, steward, { contact: now!.contact_id, site: home.site })
}

test('whoever writes while the home is sold is not of it any more: nothing of theirs arrives', async () => {
  const home = homes[0]!
  const phone = await boundPhone(server, steward, home, service)
  const done = await idOf((await phone.feedback('灯不亮')).data.no)
  await close(done)
  const kept = await promise(home, '换灯')
  await keep(kept)
  const question = await ask(home, '什么颜色')
  const count = async () =>
    (
      await server.sql(
        `SELECT (SELECT count(*) FROM feedback WHERE site_id = $1)::int AS feedback,
           (SELECT count(*) FROM thread_messages WHERE site_id = $1 AND kind = 'words')::int AS words,
           (SELECT count(*) FROM question_answers WHERE question_id = $2)::int AS answers,
           (SELECT count(*) FROM consents WHERE subject_id = $3)::int AS consents,
           (SELECT status FROM feedback WHERE id = $4) AS status, (SELECT score FROM feedback WHERE id = $4) AS score,
           (SELECT objected FROM promises WHERE id = $5) AS objected`,
        [home.site, question, home.contact, done, kept],
      )
    )[0]
  const before = await count()
  const { who } = phone
  const [changed, ...late] = await behind<{ code: number }>(server, home.site, [
    () => change(home),
    () => phone.feedback('我还有话说'),
    () => who.ask(threadPageApi.say, { body: { ...phone.act(), words: '还在吗', pictures: [] } }),
    () => who.ask(questionPageApi.answer, { body: { ...phone.act(), id: question, choice: 1, words: '' } }),
    () => phone.reopen(done, '又不亮了'),
    () => phone.score(done, 1),
    () => phone.object(kept, '没有换'),
  ])
  expect(changed!.code).toBe(200)
  expect(late.map((a) => a.code)).toEqual(late.map(() => 404))
  expect(await count()).toEqual(before)
})

test('a consent that is given while the home is sold is not given', async () => {
  const home = homes[3]!
  const phone = await boundPhone(server, steward, home, service)
  const { wording } = await phone.who.call(homeVideoApi.state, { body: phone.bearer })
  const [changed, agreed] = await behind<{ code: number }>(server, home.site, [
    () => change(home),
    () => phone.who.ask(homeVideoApi.answer, { body: { ...phone.act(), answer: 1, wording } }),
  ])
  expect([changed!.code, agreed!.code]).toEqual([200, 404])
  const given = await server.sql('SELECT 1 FROM consents WHERE subject_id = $1 AND state = 1', [home.contact])
  expect(given).toEqual([])
})

test('the next owner reads what was taken over to its end, and acts on nothing of the one before', async () => {
  const home = homes[1]!
  const old = await boundPhone(server, steward, home, service)
  const [taken, broken, over] = [
    await promise(home, '换锁'),
    await promise(home, '补漆'),
    await promise(home, '擦窗'),
  ]
  await keep(over)
  const done = await idOf((await old.feedback('以前的事')).data.no)
  await close(done)
  await server.sql(
    `INSERT INTO patrols (tenant_id, id, number, bc_id, site_id, kind, inspector_id, status, begun_at, submitted_at)
     SELECT tenant_id, $2, 'XJ-yesterday', bc_id, id, 'scene', $3, 2, :now - interval '1 day', :now - interval '1 day'
     FROM sites WHERE id = $1`,
    [home.site, randomUUID(), home.pm],
  )
  const patrolled = /^工程巡检/
  expect((await old.page()).week.some((w) => patrolled.test(w.text))).toBe(true)
  expect((await change(home)).code).toBe(200)
  const phone = await nextPhone(home)
  const shown = async () => (await phone.page()).promises
  expect((await shown()).map((p) => p.id).toSorted()).toEqual([taken, broken].toSorted())
  expect((await phone.page()).week.some((w) => patrolled.test(w.text))).toBe(false)
  const picture = await keep(taken)
  await server.sql(`UPDATE promises SET first_due = :today - 1, due = :today - 1 WHERE id = $1`, [broken])
  await gm.call(promises.break, { body: { ...(await promised(broken)), reason: '一直没有来补' } })
  expect((await shown()).find((p) => p.id === taken)).toMatchObject({ state: 'kept', pictures: [picture] })
  expect((await phone.picture(picture)).status).toBe(200)
  expect((await shown()).find((p) => p.id === broken)).toMatchObject({
    state: 'broken',
    said: 'break',
    saidFor: '一直没有来补',
  })
  expect((await shown()).map((p) => p.id)).not.toContain(over)
  // What is not theirs is not there for them, by its number either.
  for (const no of [
    await phone.reopen(done, '还没有好'),
    await phone.score(done, 1),
    await phone.object(over, '没有'),
  ])
    expect(no.code).toBe(404)
  expect(await gm.call(feedback.details, { query: { id: done } })).toMatchObject({ status: 3, score: null })
  expect((await gm.call(promises.details, { query: { id: over } })).objected).toBe(false)
  // What was taken back as the home was sold was never theirs.
  const back = await promise(home, '修门')
  await change(home, 'withdrawn')
  expect((await (await nextPhone(home)).page()).promises.map((p) => p.id)).not.toContain(back)
})

test('answered, waiting, called off, taken back: the owner reads since when and why', async () => {
  const home = homes[2]!
  const phone = await boundPhone(server, steward, home, service)
  const spouse = await steward.call(owners.addContact, {
    body: { site_id: home.site, name: '陈太太', relation: 'spouse', phone: '13700001111' },
  })
  const at = Math.floor(server.now().getTime() / 1000)
  const id = await idOf((await phone.feedback('柜门关不上')).data.no)
  const mine = async (by = phone) => (await by.page()).feedback.find((f) => f.id === id)!
  await service.call(feedback.accept, { body: { ...(await seen(id)), level: 1, assignee_id: home.steward } })
  expect(await mine()).toMatchObject({ answeredAt: null, answer: '', pausedAt: null })
  await steward.call(feedback.answer, { body: { id, answers: 0, words: '厂家周五来换', pictures: [] } })
  const until = addDays(shanghaiDay(server.now()), 3)
  await steward.call(feedback.pause, {
    body: { ...(await seen(id)), pauseFor: 'third', reason: '等厂家发铰链', until },
  })
  const paused = await mine()
  expect(paused).toMatchObject({ answer: '厂家周五来换', pauseFor: 'third', pauseText: '等厂家发铰链' })
  expect(paused.answeredAt).toBeGreaterThanOrEqual(at)
  expect(paused.pausedAt).toBeGreaterThanOrEqual(at)
  expect(shanghaiDay(new Date((paused.pausedUntil! - 1) * 1000))).toBe(until)
  await service.call(feedback.cancel, {
    body: { ...(await seen(id)), cause: 'withdrawn', reason: '业主自己修好了', cancelled: [], kept: [] },
  })
  // Whoever came to the home later reads the same: it is the home's.
  const hers = await boundPhone(server, steward, { contact: spouse.id, site: home.site })
  for (const by of [phone, hers])
    expect(await mine(by)).toMatchObject({
      status: 4,
      cancelledFor: '业主撤回',
      pausedAt: null,
      mayReopen: false,
    })
  expect((await mine()).closedAt).toBeGreaterThanOrEqual(at)

  const back = await promise(home, '周五换铰链')
  await gm.call(promises.withdraw, { body: { ...(await promised(back)), reason: '业主不要了' } })
  expect((await phone.page()).promises.find((p) => p.id === back)).toMatchObject({
    state: 'withdrawn',
    said: 'withdraw',
    saidFor: '业主不要了',
  })

  const question = await ask(home, '铰链要哪一种')
  const asked = async () =>
    (await phone.who.call(questionPageApi.questions, { body: phone.bearer })).find((q) => q.id === question)!
  expect(await asked()).toMatchObject({ withdrawnFor: '', mayAnswer: true })
  await steward.call(questions.withdraw, { body: { id: question, version: 0, reason: '只剩一种了' } })
  expect(await asked()).toMatchObject({ withdrawnFor: '只剩一种了', mayAnswer: false, answered: false })
  expect((await asked()).closedAt).toBeGreaterThanOrEqual(at)

  const visit = {
    site_id: home.site,
    purpose: 'look',
    host_id: home.steward,
    remark: '内部：带合同',
  } as const
  const { id: called } = await steward.call(receptions.add, {
    body: { ...visit, day: addDays(shanghaiDay(server.now()), 5), time: '10:00' },
  })
  const visits = async () => (await phone.page()).visits
  const [{ surname }] = (await server.sql<{ surname: string }>(
    `SELECT left(nickname, 1) AS surname FROM users WHERE id = $1`,
    [home.steward],
  )) as [{ surname: string }]
  expect((await visits()).find((v) => v.id === called)).toMatchObject({
    state: 'planned',
    why: '',
    host: `项目管家 ${surname}`,
  })
  await steward.call(receptions.cancel, { body: { id: called, version: 0, reason: '师傅请假' } })
  expect((await visits()).find((v) => v.id === called)).toMatchObject({ state: 'cancelled', why: '师傅请假' })
  expect(JSON.stringify(await visits())).not.toContain('内部')
  // The next owner hears nothing of whom the one before was to meet.
  await change(home)
  expect((await (await nextPhone(home)).page()).visits).toEqual([])
  expect((await phone.who.ask(homePageApi.state, { body: phone.bearer })).code).toBe(404)
})
