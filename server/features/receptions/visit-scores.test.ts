import { homePageApi } from '@zhuguan/contract/features/owners/home-page.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { receptionsApi as api } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import { userlogsApi } from '@zhuguan/contract/features/userlogs/userlogs.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { boundPhone } from '../../testing/homes.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person, steward: Person, service: Person
let homes: { site: string; contact: string; steward: string }[]
type Phone = Awaited<ReturnType<typeof boundPhone>>
let phone: Phone, neighbour: Phone, spouse: Phone
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  steward = await server.as('steward')
  service = await server.as('service')
  homes = await server.sql(
    `SELECT w.id AS site, h.id AS contact, s.id AS steward FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     WHERE w.status = 1 ORDER BY w.code LIMIT 2`,
  )
  phone = await boundPhone(server, steward, homes[0]!, service)
  neighbour = await boundPhone(server, steward, homes[1]!, service)
  const { id } = await steward.call(ownersApi.addContact, {
    body: { site_id: homes[0]!.site, name: '陈先生', relation: 'spouse', phone: '13700001112' },
  })
  spouse = await boundPhone(server, steward, { ...homes[0]!, contact: id }, service)
})
afterAll(() => server.stop())

const one = async (id: string, home = homes[0]!, who = gm) =>
  (await who.call(api.list, { query: { site_id: home.site, pageSize: 100 } })).list.find((r) => r.id === id)!
const seen = async (id: string, home = homes[0]!) => ({ id, version: (await one(id, home)).version })
/** Somebody came, and it is over. */
async function visited(home = homes[0]!): Promise<string> {
  const { id } = await steward.call(api.add, {
    body: { site_id: home.site, host_id: home.steward, purpose: 'look', remark: '' },
  })
  await steward.call(api.finish, { body: { ...(await seen(id, home)), reason: '看了水电' } })
  return id
}
const shown = async (id: string, by = phone) => (await by.page()).visits.find((v) => v.id === id)!
const rates = async (who = gm) => {
  const { branch, home } = await who.call(api.rates, { query: { site_id: homes[0]!.site } })
  return { branch, home }
}
const unread = (id: string) =>
  server
    .sql<{ user_name: string }>(
      `SELECT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
       WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY 1`,
      [id],
    )
    .then((rows) => rows.map((r) => r.user_name))

test('a visit that is over asks the home once: whoever is first counts, sent twice it is one score', async () => {
  const planned = await steward.call(api.add, {
    body: { site_id: homes[0]!.site, host_id: homes[0]!.steward, purpose: 'look', remark: '' },
  })
  expect(await shown(planned.id)).toMatchObject({ mayScore: false, score: null })
  expect(await phone.scoreVisit(planned.id, 5)).toMatchObject({
    code: 409,
    msg: '这次到访还没有结束，或没有来',
  })
  const id = await visited()
  expect(await shown(id)).toMatchObject({ mayScore: true, score: null })
  expect((await neighbour.scoreVisit(id, 1)).code).toBe(404)
  const body = { ...phone.act(), id, score: 4, words: '讲得很清楚' }
  for (let twice = 0; twice < 2; twice += 1)
    expect((await phone.who.ask(homePageApi.scoreVisit, { body })).code).toBe(200)
  expect((await spouse.scoreVisit(id, 1)).msg).toBe('这次到访已经有满意度')
  expect(await shown(id, spouse)).toMatchObject({ mayScore: false, score: 4 })
  expect(await one(id)).toMatchObject({ score: 4, scoreWords: '讲得很清楚', scoredBy: '' })
  const typed = await service.ask(api.score, { body: { ...(await seen(id)), score: 5, words: '' } })
  expect([typed.code, typed.msg]).toEqual([409, '已经有满意度'])
  // Of two of the home who tap at once one counts.
  const other = await visited()
  const both = await Promise.all([phone.scoreVisit(other, 5), spouse.scoreVisit(other, 3)])
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  for (const score of [0, 6, 2.5]) expect((await phone.scoreVisit(await visited(), score)).code).toBe(400)
  // The log says the score and none of the words.
  const admin = await server.as('admin')
  const { list } = await admin.call(userlogsApi.list, { query: { pageSize: 100 } })
  expect(JSON.stringify(list)).not.toContain('讲得很清楚')
})

test('a week after the visit it is asked no more, nor typed; the home’s own word replaces a typed one', async () => {
  const id = await visited()
  const ago = (minutes: number) =>
    server.sql(
      `UPDATE receptions SET at = :now - interval '8 days', arrived_at = :now - interval '8 days',
         ended_at = :now - interval '7 days' + $2 * interval '1 minute' WHERE id = $1`,
      [id, minutes],
    )
  await ago(2)
  expect(await shown(id)).toMatchObject({ mayScore: true })
  await ago(-1)
  expect(await shown(id)).toMatchObject({ mayScore: false })
  expect((await phone.scoreVisit(id, 5)).msg).toBe('到访结束已满 7 天，不能再评分')
  const said = async (who: Person) =>
    who.ask(api.score, { body: { ...(await seen(id)), score: 5, words: '电话里说很好' } })
  expect((await said(service)).msg).toBe('到访结束已满 7 天，不能再评分')
  await ago(2)
  // Whoever received them does not say how content they were.
  expect((await said(steward)).msg).toBe('接待人不能代填自己接待的满意度，请由他人代填')
  expect((await said(service)).code).toBe(200)
  expect(await one(id)).toMatchObject({ score: 5, scoredBy: expect.stringMatching(/./) })
  expect(await shown(id)).toMatchObject({ score: 5, typed: true, mayScore: true })
  expect((await said(service)).msg).toBe('已经有满意度')
  expect((await phone.scoreVisit(id, 1, '等了半天')).code).toBe(200)
  expect(await one(id)).toMatchObject({ score: 1, scoredBy: '', scoreWords: '等了半天' })
  expect(await shown(id)).toMatchObject({ score: 1, typed: false, mayScore: false })
  expect((await said(service)).msg).toBe('已经有满意度')
  // What was typed stands in the log all the same.
  const admin = await server.as('admin')
  const { list } = await admin.call(userlogsApi.list, { query: { object_id: id, pageSize: 100 } })
  expect(list.map((l) => l.action)).toContain('到访代填满意度')
})

test('the rate counts own scores alone, of the owner of today; the score of others is in none', async () => {
  await server.sql(
    `UPDATE receptions SET score = NULL, score_words = '', scored_by = '', called_back = false`,
  )
  const given = [5, 4, 3]
  for (const score of given) expect((await phone.scoreVisit(await visited(), score)).code).toBe(200)
  await service.call(api.score, { body: { ...(await seen(await visited())), score: 5, words: '' } })
  expect((await neighbour.scoreVisit(await visited(homes[1]), 5)).code).toBe(200)
  expect(await rates()).toEqual({ home: { n: 3, good: 2 }, branch: { n: 4, good: 3 } })
  await server.sql(
    `UPDATE receptions SET at = :now - interval '91 days', arrived_at = :now - interval '91 days',
       ended_at = :now - interval '91 days' WHERE score = 3`,
  )
  expect(await rates()).toEqual({ home: { n: 3, good: 2 }, branch: { n: 3, good: 3 } })
  const theirs = await (await server.as('branch_gm2')).ask(api.rates, { query: { site_id: homes[0]!.site } })
  expect(theirs.code).toBe(403)
  await gm.call(ownersApi.change, {
    body: {
      ...(await (async () => {
        const { contacts } = await gm.call(ownersApi.details, { query: { site_id: homes[0]!.site } })
        const { id, version } = contacts.find((c) => c.signatory)!
        return { id, version }
      })()),
      name: '新业主',
      phone: '13900009999',
      promises: 'taken',
      reason: '房子卖了',
    },
  })
  expect((await rates()).home).toEqual({ n: 0, good: 0 })
})

test('of up to two points service and the general manager are told to call, until somebody has', async () => {
  const home = homes[1]!
  const id = await visited(home)
  expect((await neighbour.scoreVisit(id, 3)).code).toBe(200)
  expect(await unread(id)).toEqual([])
  const low = await visited(home)
  expect((await neighbour.scoreVisit(low, 2, '等了一个小时')).code).toBe(200)
  expect(await unread(low)).toEqual(['branch_gm', 'service'])
  const denied = await steward.ask(api.callback, { body: { ...(await seen(low, home)), words: '已道歉' } })
  expect(denied.code).toBe(401)
  await service.call(api.callback, { body: { ...(await seen(low, home)), words: '已道歉，改天再约' } })
  expect(await one(low, home)).toMatchObject({ score: 2, calledBack: true })
  expect(await unread(low)).toEqual([])
  const again = await gm.ask(api.callback, { body: { ...(await seen(low, home)), words: '再打一次' } })
  expect([again.code, again.msg]).toEqual([409, '不需要回访'])
})
