import { api } from '@zhuguan/contract/api.ts'
import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import { figure } from '@zhuguan/contract/features/supervision/supervision.record.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { type Book, openBook } from '../../testing/supervised.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { forgetRemarks } from './supervision.service.ts'

const HOUR = 3_600_000
let server: TestServer
let gm: Person, gm2: Person, hq: Person, pm: Person, steward: Person, service: Person, inspector: Person
let book: Book
let site: string, bc: string, far: string
const ids: Record<string, string> = {}
beforeAll(async () => {
  server = await startTestServer()
  server.later(startOfDay(shanghaiDay(server.now())).getTime() + 12 * HOUR - server.now().getTime())
  gm = await server.as('branch_gm')
  gm2 = await server.as('branch_gm2')
  hq = await server.as('hq_ops')
  pm = await server.as('pm')
  steward = await server.as('steward')
  service = await server.as('service')
  inspector = await server.as('inspector')
  for (const u of await server.sql<{ user_name: string; id: string }>('SELECT user_name, id FROM users'))
    ids[u.user_name] = u.id
  const [found] = await server.sql<{ id: string; bc: string }>(
    `SELECT w.id, w.bc_id AS bc FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     WHERE w.manager_id = $1 AND w.steward_id = $2 AND w.status = 1 ORDER BY w.code LIMIT 1`,
    [ids.pm, ids.steward],
  )
  site = found!.id
  bc = found!.bc
  far = (await server.sql<{ bc_id: string }>(`SELECT bc_id FROM users WHERE user_name = 'pm2'`))[0]!.bc_id
  book = await openBook(server, bc)
})
afterAll(() => server.stop())

const code = async (who: Person, query: { id?: string; bc_id?: string } = {}) =>
  (await who.ask(supervisionApi.person, { query })).code
const refused = (who: Person, id: string, bc_id?: string) =>
  Promise.all([
    code(who, { id, bc_id }),
    who.ask(supervisionApi.records, { query: { id, bc_id, figure: 'late' } }).then((a) => a.code),
    who.ask(supervisionApi.map, { query: { id, bc_id } }).then((a) => a.code),
  ])

test('a manager sees the own page and nobody else’s, by whatever call', async () => {
  expect((await pm.call(supervisionApi.person)).person.id).toBe(ids.pm)
  expect((await pm.call(supervisionApi.person, { query: { id: ids.pm } })).person.id).toBe(ids.pm)
  for (const other of ['steward', 'branch_gm', 'pm2', 'steward2'])
    expect(await refused(pm, ids[other]!)).toEqual([403, 403, 403])
  expect(await refused(pm, ids.pm!, far)).toEqual([403, 403, 403])
  expect((await pm.ask(supervisionApi.visits, { query: { id: ids.steward } })).code).toBe(403)
  expect((await pm.ask(supervisionApi.people)).msg).toBe('No Permission')
  expect((await pm.ask(supervisionApi.recordsExport, { query: { id: ids.steward } })).code).toBe(403)
  // The map is of oneself, and no name of a colleague is in it.
  const map = await pm.call(supervisionApi.map)
  expect(map.people.map((p) => p.id)).toEqual([ids.pm])
})

test('a general manager sees the own branch, headquarters all; who has no post has no page', async () => {
  expect(await code(gm, { id: ids.pm })).toBe(200)
  expect(await refused(gm, ids.pm2!)).toEqual([403, 403, 403])
  expect((await gm.ask(supervisionApi.people, { query: { bc_id: far } })).code).toBe(403)
  expect((await gm.ask(supervisionApi.map, { query: { bc_id: far } })).code).toBe(403)
  const visits = async (who: Person, query: object) =>
    (await who.call(supervisionApi.visits, { query: { from: '2020-01-01', ...query } })).totalCount
  expect(await visits(gm, { bc_id: [far] })).toBe(0)
  expect(await code(gm2, { id: ids.pm2 })).toBe(200)
  for (const id of [ids.pm, ids.pm2, ids.steward2]) expect(await code(hq, { id })).toBe(200)
  const names = async (who: Person, query: object = {}) =>
    (await who.call(supervisionApi.people, { query: { pageSize: 100, ...query } })).list.map((p) => p.bc_id)
  expect(new Set(await names(gm))).toEqual(new Set([bc]))
  expect(new Set(await names(hq, { bc_id: far }))).toEqual(new Set([far]))
  expect((await hq.ask(supervisionApi.person)).msg).toBe('您没有项目管家或项目经理的岗位，没有监督指标')
  for (const who of [service, inspector])
    expect((await who.ask(supervisionApi.person)).msg).toBe('No Permission')
})

test('days that are still to come rank nobody', async () => {
  const from = addDays(shanghaiDay(server.now()), 1)
  for (const query of [{ from }, { from, to: addDays(from, 6) }, { to: addDays(from, 60) }]) {
    const msg = '开始日期不能晚于今天，以后的日子还没有记录'
    expect((await gm.ask(supervisionApi.people, { query })).msg).toContain(msg)
    expect((await pm.ask(supervisionApi.person, { query })).msg).toContain(msg)
  }
})

test('what is kept from a steward is in no figure or list of theirs; a superior is told of it apart', async () => {
  const said = {
    site_id: site,
    kind: 'complaint',
    level: 1,
    about: 'person',
    channel: 'phone',
  } as const
  const page = async (who: Person) =>
    who.call(supervisionApi.person, { query: { id: ids.steward, bc_id: bc } })
  const lists = async (who: Person) =>
    Promise.all(
      figure.values
        .filter((f) => f !== figure.code.kept)
        .map(
          async (name) =>
            (await who.ask(supervisionApi.records, { query: { id: ids.steward, bc_id: bc, figure: name } }))
              .text,
        ),
    )
  const before = await page(steward)
  const { id } = await service.call(feedbackApi.enter, {
    body: { ...said, about_id: ids.steward!, words: '管家三天不回电话' },
  })
  const [{ no }] = (await server.sql<{ no: string }>('SELECT no FROM feedback WHERE id = $1', [id])) as [
    { no: string },
  ]
  const after = await page(steward)
  const still = ({ asOf: _said, ...rest }: typeof after) => rest
  expect(still(after)).toEqual(still(before))
  // The superior reads the same figures, and beside them how many are kept from the steward.
  const superior = await page(gm)
  expect([superior.person, superior.kept, after.kept]).toEqual([after.person, 1, null])
  for (const who of [steward, gm]) for (const text of await lists(who)) expect(text).not.toContain(no)
  const kept = (who: Person) =>
    who.ask(supervisionApi.records, { query: { id: ids.steward, bc_id: bc, figure: 'kept' } })
  expect((await kept(gm)).data.list.map((r) => [r.id, r.title])).toEqual([[id, no]])
  expect((await kept(steward)).code).toBe(403)
  // Who leads the same home is told, as on the list of feedback: it is about somebody else.
  expect((await pm.call(supervisionApi.person)).person.complaints).toBe(1)
  const seen = await gm.call(feedbackApi.details, { query: { id } })
  await gm.call(feedbackApi.release, { body: { id, version: seen.version } })
  expect([(await page(steward)).person.complaints, (await page(gm)).kept]).toEqual([
    before.person.complaints! + 1,
    0,
  ])
})

test('a correction of what is kept from somebody is in no figure of theirs', async () => {
  const hidden = await book.complaint({ site, people: [], daysAgo: 3, hidden: ids.steward! })
  const count = async () => {
    const { person } = await steward.call(supervisionApi.person)
    // Both read the same, also the superior who is told of the complaint.
    const superior = await server.as('branch_gm')
    const read = await superior.call(supervisionApi.person, { query: { id: ids.steward, bc_id: bc } })
    return [person, read.person].flatMap((p) => [p.corrected, p.responded, p.late])
  }
  const before = await count()
  await book.correction({
    site,
    who: ids.steward!,
    daysAgo: 3,
    hours: 30,
    source: 'feedback',
    source_id: hidden,
  })
  expect(await count()).toEqual(before)
  await server.sql('UPDATE feedback SET hidden_from = NULL WHERE id = $1', [hidden])
  expect(await count()).toEqual(before.map((n) => n! + 1))
})

test('where a reader may not open the records of a kind there is no figure of it', async () => {
  await server.sql(
    `DELETE FROM role_pages p USING roles r, pages g
     WHERE r.id = p.role_id AND r.code = 'branch_gm' AND g.id = p.page_id 
       AND g.component IN ('FeedbackList', 'Correction')`,
  )
  const again = await server.as('branch_gm')
  const { person } = await again.call(supervisionApi.person, { query: { id: ids.pm, bc_id: bc } })
  expect([person.complaints, person.perTen, person.corrected, person.late]).toEqual([null, null, null, null])
  const behind = await again.call(supervisionApi.records, {
    query: { id: ids.pm, bc_id: bc, figure: 'complaints' },
  })
  expect(behind.totalCount).toBe(0)
})

test('a remark stays beside its figure for whoever looks; the log keeps what was taken back', async () => {
  const today = shanghaiDay(server.now())
  const body = {
    bc_id: bc,
    figure: 'late',
    from: addDays(today, -6),
    to: today,
    words: '材料当天没到',
  } as const
  const { id } = await pm.call(supervisionApi.remark, { body })
  const remarks = async (who: Person, query: object = {}) =>
    (await who.call(supervisionApi.person, { query: { id: ids.pm, bc_id: bc, ...query } })).remarks
  expect(await remarks(hq)).toEqual(await remarks(pm))
  expect(await remarks(pm)).toMatchObject([{ id, figure: 'late', words: '材料当天没到', version: 0 }])
  // Of days that it was not said to it says nothing.
  expect(await remarks(pm, { from: addDays(today, -20), to: addDays(today, -10) })).toEqual([])
  // A general manager gives that right to others, and has no figure of their own.
  expect((await gm.ask(supervisionApi.remark, { body })).code).toBe(403)
  expect((await hq.ask(supervisionApi.remark, { body })).msg).toBe('No Permission')
  expect((await pm.ask(supervisionApi.remark, { body: { ...body, bc_id: far } })).code).toBe(403)
  expect((await pm.ask(supervisionApi.remark, { body: { ...body, words: ' ' } })).msg).toMatch(/请写明说明/)
  expect((await steward.ask(supervisionApi.unsay, { body: { id, version: 0 } })).code).toBe(403)
  expect((await pm.ask(supervisionApi.unsay, { body: { id, version: 3 } })).code).toBe(409)
  await pm.call(supervisionApi.unsay, { body: { id, version: 0 } })
  expect(await remarks(hq)).toEqual([])
  const admin = await server.as('admin')
  const { list } = await admin.call(api.userlogs.list, { query: { object: 'supervision', pageSize: 10 } })
  expect(list.map((l) => l.action)).toEqual(['收回监督说明', '写监督说明'])
  // What was said of days that long ago goes by itself.
  for (const days of [399, 402])
    await server.sql(
      `INSERT INTO supervision_remarks (tenant_id, id, bc_id, user_id, figure, from_day, to_day, words, at)
       VALUES ($1, gen_random_uuid(), $2, $3, 'late', :today - $4::int, :today - $4::int, '早', :now)`,
      [book.tenant, bc, ids.pm, days],
    )
  await server.db.tx(SYSTEM, (tx) => forgetRemarks(tx, book.tenant))
  expect(await server.sql('SELECT 1 FROM supervision_remarks')).toHaveLength(1)
})
