import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { boundPhone, homePhone } from '../../testing/homes.ts'
import { uploadPhoto } from '../../testing/photo.ts'
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
    formerComplaints: open,
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
  expect(await figures()).toMatchObject({ openComplaints: open + 1, formerComplaints: open })
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

test('what is said late of a time that is over is of whoever had the home then, and no page shows it', async () => {
  const site = home.site
  // What is told in whole seconds counts as said at their beginning.
  server.later(2_000)
  const before = await figures()
  const oldPhone = await boundPhone(server, steward, { contact: before.contact_id, site }, service)
  await oldPhone.say('钥匙放在物业')
  const complaint = await complain()
  const kept = [await promise(), await promise()]
  for (const id of kept) {
    const { version } = await steward.call(api.promises.details, { query: { id } })
    const pictures = [await uploadPhoto(server.url, steward)]
    await steward.call(api.promises.keep, { body: { id, version, pictures, text: '装好了' } })
  }
  const contacts = async () => (await gm.call(api.owners.details, { query: { site_id: site } })).contacts
  const { version } = (await contacts()).find((c) => c.id === before.contact_id)!
  const sale = { id: before.contact_id, version, name: '第四位', phone: '13600009999' }
  await gm.call(api.owners.change, { body: { ...sale, promises: 'withdrawn', reason: '又卖了' } })

  const { id, version: seen } = await service.call(api.promises.details, { query: { id: kept[0]! } })
  const objection = { id, version: seen, channel: 'phone', reason: '前业主来电：柜门没装' } as const
  await service.call(api.promises.object, { body: objection })
  const said = (await steward.call(api.threads.list, { query: { site_id: site } })).list.find(
    (m) => m.words === '钥匙放在物业',
  )!
  const body = {
    site_id: site,
    kind: 'complaint',
    level: 1,
    about: 'work',
    channel: 'phone',
  } as const
  const late = [
    await service.call(api.feedback.enter, { body: { ...body, words: '接着上次的', of_id: complaint } }),
    await service.call(api.feedback.enter, { body: { ...body, words: said.words, said_at: said.at } }),
  ]
  const future = { ...body, words: '明天说的', said_at: said.at + 86_400 }
  expect((await service.ask(api.feedback.enter, { body: future })).msg).toContain('不能晚于现在')
  // Of a message of before something is made for its owner alone.
  const toPromise = { id: said.id, kind: 'promise', record_id: kept[1]! } as const
  expect((await steward.ask(api.threads.become, { body: toPromise })).msg).toContain('前业主')
  const toFeedback = { id: said.id, kind: 'feedback', record_id: late[1]!.id } as const
  await steward.call(api.threads.become, { body: toFeedback })

  const { list } = await service.call(api.feedback.list, { query: { site_id: site, pageSize: 100 } })
  const theirs = list.filter((f) => f.words.includes('柜门没装') || late.some((l) => l.id === f.id))
  expect(theirs).toHaveLength(3)
  for (const f of theirs) expect(f).toMatchObject({ ownerName: before.ownerName, former: true })
  const found = async (keyword: string) =>
    (await service.call(api.feedback.list, { query: { keyword, pageSize: 100 } })).list.map((f) => f.id)
  expect(await found(before.ownerName)).toEqual(expect.arrayContaining(theirs.map((f) => f.id)))
  expect(await found('第四位')).toEqual([])

  const newContact = (await figures()).contact_id
  const newPhone = await boundPhone(server, steward, { contact: newContact, site }, service)
  const page = await newPhone.page()
  expect([page.feedback, page.promises]).toEqual([[], []])
  for (const f of theirs) expect((await newPhone.score(f.id, 1)).code).toBe(404)
  await server.sql(
    `UPDATE feedback SET status = 3, close_due_at = :now, closed_at = :now WHERE id = ANY ($1::uuid[])`,
    [theirs.map((f) => f.id)],
  )
  for (const f of theirs) expect((await newPhone.reopen(f.id, '我也要')).code).toBe(404)
  expect(await figures()).toMatchObject({ score: null, scores: 0 })
})

test('where one hand alone stands behind a telephone nothing is offered that it may not do', async () => {
  const contact = (await figures()).contact_id
  const id = await promise()
  const { version } = await steward.call(api.promises.details, { query: { id } })
  const pictures = [await uploadPhoto(server.url, steward)]
  await steward.call(api.promises.keep, { body: { id, version, pictures, text: '装好了' } })
  const isOffered = async (phone: ReturnType<typeof homePhone>) =>
    (await phone.page()).promises.find((p) => p.id === id)!.mayObject
  expect(await isOffered(await boundPhone(server, steward, { contact, site: home.site }, service))).toBe(true)
  expect(await isOffered(await boundPhone(server, steward, { contact, site: home.site }))).toBe(false)
})
