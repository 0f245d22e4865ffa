import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { dayAhead } from '../../testing/time.ts'

let server: TestServer
let gm: Person, steward: Person, service: Person
let home: { site: string; contact: string; version: number; steward: string; owner: string }
beforeAll(async () => {
  server = await startTestServer()
  ;[gm, steward, service] = await Promise.all([
    server.as('branch_gm'),
    server.as('steward'),
    server.as('service'),
  ])
  ;[home] = (await server.sql<typeof home>(
    `SELECT w.id AS site, h.id AS contact, h.version, s.id AS steward, o.name AS owner FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN owners o ON o.id = h.owner_id
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     WHERE w.status = 1 ORDER BY w.code LIMIT 1`,
  )) as [typeof home]
})
afterAll(() => server.stop())

const NEW = '接手的新业主'
const complain = async () =>
  (
    await service.call(api.feedback.enter, {
      body: {
        site_id: home.site,
        kind: 'complaint',
        level: 1,
        about: 'work',
        channel: 'phone',
        words: '墙面开裂',
        pictures: [],
      },
    })
  ).id
const promise = async () =>
  (
    await steward.call(api.promises.add, {
      body: {
        site_id: home.site,
        content: '装好柜门',
        subject: 'quality',
        post: 1,
        due: dayAhead(9),
        answers: [],
      },
    })
  ).id
const visit = async () =>
  (
    await steward.call(api.receptions.add, {
      body: {
        site_id: home.site,
        host_id: home.steward,
        purpose: 'look',
        remark: '',
        day: dayAhead(2),
        time: '10:00',
      },
    })
  ).id
const ask = async () =>
  (
    await steward.call(api.questions.ask, {
      body: {
        site_id: home.site,
        words: '墙漆颜色',
        options: ['浅灰', '米白'],
        neededBy: dayAhead(3),
        stage: null,
        pictures: [],
        costs: false,
        estimate: '',
      },
    })
  ).id
const ownerOf = async (what: 'feedback' | 'promises' | 'questions' | 'receptions', id: string) => {
  const query = { site_id: home.site, pageSize: 100 }
  const lists = {
    feedback: () => gm.call(api.feedback.list, { query }),
    promises: () => gm.call(api.promises.list, { query }),
    questions: () => gm.call(api.questions.list, { query }),
    receptions: () => gm.call(api.receptions.list, { query }),
  }
  const { list }: { list: { id: string; ownerName: string }[] } = await lists[what]()
  return list.find((r) => r.id === id)!.ownerName
}
const figures = async () => (await gm.call(api.owners.list, { query: { id: home.site } })).list[0]!

test('a home is sold: what is of before keeps its owner’s name, and the new one has what still waits', async () => {
  const of = { feedback: await complain(), receptions: await visit(), questions: await ask() }
  const promised = await promise()
  const open = (await figures()).openComplaints
  expect(open).toBeGreaterThan(0)
  const body = {
    id: home.contact,
    version: home.version,
    name: NEW,
    phone: '13600007777',
    reason: '房屋转让',
  }
  const silent = await gm.ask(api.owners.change, { body })
  expect([silent.code, silent.msg]).toEqual([
    400,
    expect.stringMatching(/^还有 \d+ 个承诺没有兑现，请选由新业主接着，还是撤回$/),
  ])
  expect((await figures()).ownerName).toBe(home.owner)
  await gm.call(api.owners.change, { body: { ...body, promises: 'taken' } })

  for (const what of ['feedback', 'receptions', 'questions'] as const)
    expect([what, await ownerOf(what, of[what])]).toEqual([what, home.owner])
  const complaint = async (id: string) => gm.call(api.feedback.details, { query: { id } })
  expect(await complaint(of.feedback)).toMatchObject({ ownerName: home.owner, former: true })
  // What was taken over is the new owner's.
  expect(await ownerOf('promises', promised)).toBe(NEW)
  expect(await figures()).toMatchObject({
    ownerName: NEW,
    // Somebody still has to end it.
    openComplaints: open,
    lastLookAt: null,
    score: null,
    scores: 0,
  })
  const { list } = await gm.call(api.receptions.list, { query: { site_id: home.site, pageSize: 100 } })
  expect(list.find((r) => r.id === of.receptions)).toMatchObject({ state: 'cancelled', record: '更换业主' })
  // What comes from now on is the new owner's.
  const now = { feedback: await complain(), receptions: await visit(), questions: await ask() }
  for (const what of ['feedback', 'receptions', 'questions'] as const)
    expect([what, await ownerOf(what, now[what])]).toEqual([what, NEW])
  expect(await complaint(now.feedback)).toMatchObject({ ownerName: NEW, former: false })
  expect((await figures()).openComplaints).toBe(open + 1)
  // A promise that is taken back with the next sale stays with whom it was made to.
  const { version } = (await gm.call(api.owners.details, { query: { site_id: home.site } })).contacts.find(
    (c) => c.signatory && c.endedAt === null,
  )!
  const { contact_id } = await figures()
  await gm.call(api.owners.change, {
    body: { id: contact_id, version, name: '第三位', phone: '', promises: 'withdrawn', reason: '又卖了' },
  })
  expect(await ownerOf('promises', promised)).toBe(NEW)
})
