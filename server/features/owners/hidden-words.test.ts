import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { boundPhone } from '../../testing/homes.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person, steward: Person, service: Person
let home: { site: string; contact: string; steward: string; pm: string }
let phone: Awaited<ReturnType<typeof boundPhone>>
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  steward = await server.as('steward')
  service = await server.as('service')
  ;[home] = (await server.sql<typeof home>(
    `SELECT w.id AS site, h.id AS contact, s.id AS steward, m.id AS pm FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     JOIN users m ON m.id = w.manager_id AND m.user_name = 'pm'
     WHERE w.status = 1 ORDER BY w.code LIMIT 1`,
  )) as [typeof home]
  phone = await boundPhone(server, steward, home, service)
  // Whoever keeps a home may also be one who reads the journal of the whole group.
  await server.sql(
    `INSERT INTO role_pages SELECT r.tenant_id, r.id, p.id
     FROM roles r JOIN pages p ON p.tenant_id = r.tenant_id AND p.component_name = 'UserLog'
     WHERE r.code = 'steward'`,
  )
  await server.sql(`UPDATE roles SET data_scope = 'tenant' WHERE code = 'steward'`)
  steward = await server.as('steward')
})
afterAll(() => server.stop())

const { feedback, home: start, owners, search, timeline } = api
const unread = async (cause: string) =>
  (
    await server.sql<{ user_name: string }>(
      `SELECT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
       WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY 1`,
      [cause],
    )
  ).map((n) => n.user_name)
const idOf = async (no: string) =>
  (await server.sql<{ id: string }>('SELECT id FROM feedback WHERE no = $1', [no]))[0]!.id
const seen = async (id: string) => ({
  id,
  version: (await gm.call(feedback.details, { query: { id } })).version,
})
async function closed(id: string, answers: number) {
  await service.call(feedback.answer, { body: { id, answers, words: '已经谈过', pictures: [] } })
  await service.call(feedback.close, { body: { ...(await seen(id)), cause: 'service', result: '换了做法' } })
}
/** All places that tell somebody of it. */
async function told(who: Person, { id, no }: { id: string; no: string }) {
  const list = await who.call(feedback.list, { query: { site_id: home.site, pageSize: 100 } })
  const found = await who.call(search.all, { query: { keyword: no } })
  const lines = await who.call(timeline.list, { query: { site_id: home.site, kinds: ['feedback'] } })
  const [owner] = (await who.call(owners.list, { query: { id: home.site } })).list
  return {
    list: list.list.filter((f) => f.id === id).length,
    count: list.totalCount,
    details: (await who.ask(feedback.details, { query: { id } })).code,
    search: found.filter((h) => h.kind === 'feedback').length,
    timeline: lines.list.filter((e) => e.ref_id === id).length > 0,
    owner: owner!.openComplaints,
    card: (await who.call(start.cards)).figures.find((f) => f.card === 'complaints')!.value,
    log: (await who.call(api.userlogs.list, { query: { object_id: id, pageSize: 100 } })).list.length,
    logs: (await who.call(api.userlogs.list, { query: { object: ['feedback'], pageSize: 100 } })).totalCount,
  }
}

test('what an owner says of the steward by the link goes past the steward until it is released', async () => {
  const plain = await phone.feedback('地面不平')
  const before = await told(steward, { id: await idOf(plain.data.no), no: plain.data.no })
  expect(before).toMatchObject({ list: 1, search: 1, timeline: true })
  const all = await told(gm, { id: await idOf(plain.data.no), no: plain.data.no })
  const sent = await phone.feedback('管家三天不回电话', { steward: true })
  expect(sent.code).toBe(200)
  const { no } = sent.data
  const id = await idOf(no)
  expect(await gm.call(feedback.details, { query: { id } })).toMatchObject({
    about: 'person',
    about_id: home.steward,
    hidden: true,
    channel: 'link',
  })
  // The person who supervises hears, and the steward by no way at all.
  expect(await unread(id)).toEqual(['branch_gm', 'service'])
  expect(await told(gm, { id, no })).toMatchObject({
    list: 1,
    details: 200,
    search: 1,
    timeline: true,
    owner: all.owner + 1,
    count: all.count + 1,
    card: all.card! + 1,
  })
  const kept = { list: 0, details: 403, search: 0, timeline: false, log: 0 }
  const { card, count, logs, owner } = before
  expect(await told(steward, { id, no })).toEqual({ ...kept, card, count, logs, owner })
  expect(
    (await steward.ask(feedback.accept, { body: { id, version: 0, level: 1, assignee_id: home.pm } })).code,
  ).toBe(403)
  // Without a filter the journal counts the same lines.
  const lines = async (query: object) =>
    (await steward.call(api.userlogs.list, { query: { pageSize: 1, ...query } })).totalCount
  expect(await lines({})).toBe(await lines({ from: '2000-01-01' }))
  // The owner reads it on the own page all the same.
  expect((await phone.page()).feedback.map((f) => f.no)).toContain(no)
  await service.call(feedback.accept, { body: { ...(await seen(id)), level: 1, assignee_id: home.pm } })
  expect(await unread(id)).toEqual(['pm'])
  await service.call(feedback.release, { body: await seen(id) })
  expect(await told(steward, { id, no })).toMatchObject({ list: 1, details: 200, search: 1, timeline: true })
  expect((await told(steward, { id, no })).log).toBeGreaterThan(0)
})

test('the owner scores and reopens what is kept from the steward', async () => {
  const { data } = await phone.feedback('管家态度很差', { steward: true })
  const id = await idOf(data.no)
  await service.call(feedback.accept, { body: { ...(await seen(id)), level: 1, assignee_id: home.pm } })
  await closed(id, 0)
  expect((await phone.score(id, 2)).code).toBe(200)
  expect(await gm.call(feedback.details, { query: { id } })).toMatchObject({ score: 2, hidden: true })
  expect((await phone.reopen(id, '还是老样子')).code).toBe(200)
  expect(await gm.call(feedback.details, { query: { id } })).toMatchObject({
    status: 2,
    round: 2,
    hidden: true,
  })
  expect(await unread(id)).not.toContain('steward')
})

test('what repeats something kept from the steward says nothing of that to the steward', async () => {
  const hidden = (await phone.feedback('管家收了我的红包', { steward: true })).data.no
  const of_id = await idOf(hidden)
  const entered = {
    site_id: home.site,
    kind: 'complaint',
    level: 1,
    about: 'work',
    channel: 'phone',
  } as const
  const { id } = await service.call(feedback.enter, {
    body: { ...entered, words: '红包的事', pictures: [], of_id },
  })
  const { id: second } = await service.call(feedback.enter, {
    body: { ...entered, words: '又打来说红包', pictures: [] },
  })
  await service.call(feedback.cancel, {
    body: { ...(await seen(second)), cause: 'repeated', reason: '同一件事', of_id, cancelled: [], kept: [] },
  })
  for (const one of [id, second]) {
    expect((await gm.call(feedback.details, { query: { id: one } })).of).toEqual({ id: of_id, no: hidden })
    const told_ = JSON.stringify([
      await steward.call(feedback.details, { query: { id: one } }),
      await steward.call(timeline.list, { query: { site_id: home.site } }),
      await steward.call(api.userlogs.list, { query: { object: ['feedback'], pageSize: 100 } }),
    ])
    for (const word of [hidden, of_id, '重复']) expect(told_, word).not.toContain(word)
  }
  // Who may know of it reads which one it repeats; the owner, too.
  const { events } = await gm.call(feedback.details, { query: { id: second } })
  expect(events.at(-1)).toMatchObject({ act: 'cancel', words: '重复：同一件事' })
  expect((await phone.page()).feedback.find((f) => f.id === second)).toMatchObject({
    status: 4,
    cancelledFor: '重复',
    ofNo: hidden,
  })
  await service.call(feedback.release, { body: await seen(of_id) })
  expect((await steward.call(feedback.details, { query: { id: second } })).of).toEqual({
    id: of_id,
    no: hidden,
  })
})

test('a correction of what is kept from the steward is kept from them too, and never theirs to do', async () => {
  const { corrections, sites } = api
  const problem = '管家答应的门没有换'
  const { data } = await phone.feedback('管家说话不算数', { steward: true })
  const id = await idOf(data.no)
  await service.call(feedback.accept, { body: { ...(await seen(id)), level: 1, assignee_id: home.pm } })
  const opening = { problem, assignee_id: home.steward }
  expect(await service.ask(feedback.correct, { body: { ...(await seen(id)), ...opening } })).toMatchObject({
    code: 400,
    msg: '这张整改单来自一条说他的反馈，请交给别人',
  })
  /** Everything that says how much of it there is, or what. */
  const places = async (who: Person) => {
    const [site] = (await who.call(sites.list, { query: { ids: [home.site] } })).list
    const list = await who.call(corrections.list, { query: { site_id: home.site, pageSize: 100 } })
    return {
      site: site!.openCorrections,
      page: (await who.call(sites.details, { query: { id: home.site } })).openCorrections,
      total: list.totalCount,
      list: list.list.filter((k) => k.problem === problem).length,
      lines: (
        await who.call(timeline.list, { query: { site_id: home.site, kinds: ['correction'] } })
      ).list.filter((e) => e.title.includes(problem)).length,
      logs: (await who.call(api.userlogs.list, { query: { object: ['correction'], pageSize: 100 } }))
        .totalCount,
    }
  }
  const before = await places(steward)
  const ofGm = await places(gm)
  const made = await service.call(feedback.correct, {
    body: { ...(await seen(id)), problem, assignee_id: home.pm },
  })
  expect(await places(steward)).toEqual(before)
  expect(before).toMatchObject({ list: 0, lines: 0 })
  const shown = { site: ofGm.site + 1, page: ofGm.page + 1, total: ofGm.total + 1, list: 1, lines: 1 }
  expect(await places(gm)).toMatchObject(shown)
  expect((await steward.ask(corrections.details, { query: { id: made.id } })).code).toBe(403)
  const found = async () => ({
    id: made.id,
    version: (await gm.call(corrections.details, { query: { id: made.id } })).version,
  })
  expect((await steward.ask(corrections.start, { body: await found() })).code).toBe(403)
  expect(await unread(made.id)).toEqual(['pm'])
  // Who may hand it on is never offered the steward, nor may name them; nor does it go to them when the manager leaves.
  expect((await gm.call(corrections.details, { query: { id: made.id } })).assign?.first).toBeNull()
  expect(
    await gm.ask(corrections.assign, { body: { ...(await found()), assignee_id: home.steward } }),
  ).toMatchObject({ code: 400, msg: '这张整改单来自一条说他的反馈，请交给别人' })
  const { work } = await gm.call(api.accounts.leaving, { query: { id: home.pm } })
  const theirs = work.find((w) => w.kind === 'corrections')!
  expect(theirs.people.map((p) => p.id)).not.toContain(home.steward)
  expect(theirs.count).toBeGreaterThan(0)
  // What is handed in waits for whoever reviews, and that is not whom it is about; late, neither are they reminded.
  await server.sql(`UPDATE corrections SET step = 'submitted', corrector_id = assignee_id WHERE id = $1`, [
    made.id,
  ])
  await gm.call(corrections.urge, { body: await found() })
  expect(await unread(made.id)).not.toContain('steward')
  await service.call(feedback.release, { body: await seen(id) })
  expect(await places(steward)).toMatchObject({
    list: 1,
    lines: 2,
    total: before.total + 1,
    site: before.site + 1,
  })
  expect((await places(steward)).logs).toBeGreaterThan(before.logs)
  expect((await steward.ask(corrections.details, { query: { id: made.id } })).code).toBe(200)
  // Released, it still is nothing for them to do.
  await server.sql(`UPDATE corrections SET step = 'assigned' WHERE id = $1`, [made.id])
  expect(
    (await gm.ask(corrections.assign, { body: { ...(await found()), assignee_id: home.steward } })).code,
  ).toBe(400)
})
