import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { homePageApi } from '@zhuguan/contract/features/owners/home-page.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { boundPhone } from '../../testing/homes.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person, steward: Person, service: Person
let homes: { site: string; contact: string; steward: string; pm: string }[]
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  steward = await server.as('steward')
  service = await server.as('service')
  homes = await server.sql(
    `SELECT w.id AS site, h.id AS contact, s.id AS steward, m.id AS pm FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     JOIN users m ON m.id = w.manager_id AND m.user_name = 'pm'
     WHERE w.status = 1 ORDER BY w.code`,
  )
})
afterAll(() => server.stop())

const one = async (site: string, who = gm) =>
  (await who.call(ownersApi.list, { query: { id: site } })).list[0]!
const complain = async (site: string, more: object = {}) =>
  service.call(feedbackApi.enter, {
    body: {
      site_id: site,
      kind: 'complaint',
      level: 1,
      about: 'work',
      channel: 'phone',
      words: '墙面不平',
      pictures: [],
      ...more,
    },
  })
const ids = async (query: object, who = gm) =>
  (await who.call(ownersApi.list, { query: { pageSize: 100, ...query } })).list.map((h) => h.id)

test('complaints that are not closed are counted; one about the steward is kept from them', async () => {
  const [a, b] = [homes[0]!.site, homes[1]!.site]
  expect(await one(a)).toMatchObject({ openComplaints: 0, lateComplaints: 0 })
  const { id } = await complain(a)
  await complain(a, { kind: 'praise', words: '师傅很好' })
  await complain(b, { about: 'person', about_id: homes[1]!.steward, words: '管家不接电话' })
  expect(await one(a)).toMatchObject({ openComplaints: 1, lateComplaints: 0 })
  expect([(await one(b)).openComplaints, (await one(b, steward)).openComplaints]).toEqual([1, 0])
  expect((await ids({ complaint: true })).sort()).toEqual([a, b].sort())
  expect(await ids({ complaint: true }, steward)).toEqual([a])
  expect(await ids({ complaint: false }, steward)).toContain(b)
  // The figure is the list behind it.
  for (const [who, site] of [
    [gm, a],
    [gm, b],
    [steward, b],
  ] as const) {
    const query = { site_id: site, kind: 'complaint' as const, status: '1,2' }
    const { totalCount } = await who.call(feedbackApi.list, { query })
    expect((await one(site, who)).openComplaints).toBe(totalCount)
  }
  await server.sql(`UPDATE feedback SET answer_due_at = :now - interval '1 hour' WHERE id = $1`, [id])
  expect(await one(a)).toMatchObject({ openComplaints: 1, lateComplaints: 1 })
  await gm.call(feedbackApi.cancel, {
    body: {
      ...(({ id: of, version }) => ({ id: of, version }))(
        await gm.call(feedbackApi.details, { query: { id } }),
      ),
      cause: 'withdrawn',
      reason: '业主撤回了',
    },
  })
  expect(await one(a)).toMatchObject({ openComplaints: 0, lateComplaints: 0 })
})

test('promises of today and before are due; those of tomorrow and those kept are not', async () => {
  const { site } = homes[2]!
  const today = shanghaiDay(server.now())
  const promise = async (due: string, subject: 'quality' | 'cost' | 'goods') =>
    (
      await steward.call(promisesApi.add, {
        body: { site_id: site, content: '会做好的', subject, post: 1, due, answers: [] },
      })
    ).id
  await promise(today, 'quality')
  const over = await promise(today, 'cost')
  await promise(addDays(today, 1), 'goods')
  await server.sql(`UPDATE promises SET due = due - 3, first_due = first_due - 3 WHERE id = $1`, [over])
  expect((await one(site)).duePromises).toBe(2)
  expect(await ids({ promise: true })).toEqual([site])
  expect(await ids({ promise: false })).not.toContain(site)
  const behind = await gm.call(promisesApi.list, {
    query: { site_id: site, state: 'open,extended', to: today },
  })
  expect(behind.totalCount).toBe(2)
})

test('how content a home is comes from its own people; what staff typed is in no figure', async () => {
  const [home, other] = [homes[3]!, homes[0]!]
  const score = async (value: number, more: object = {}) => {
    const { id } = await complain(home.site, more)
    const hand = 'about_id' in more ? { to: home.pm, by: service } : { to: home.steward, by: steward }
    const seen = async () => ({
      id,
      version: (await gm.call(feedbackApi.details, { query: { id } })).version,
    })
    await service.call(feedbackApi.accept, {
      body: { ...(await seen()), level: 1, assignee_id: hand.to },
    })
    await hand.by.call(feedbackApi.answer, { body: { id, answers: 0, words: '马上来', pictures: [] } })
    await service.call(feedbackApi.close, { body: { ...(await seen()), cause: 'works', result: '修好了' } })
    return { id, seen, value }
  }
  const phone = await boundPhone(server, steward, home, service)
  const neighbour = await boundPhone(server, steward, other, service)
  const [first, second, typed] = [await score(5), await score(4), await score(1)]
  // Of another home it is not there; of this one it counts once.
  expect((await neighbour.score(first.id, 1)).code).toBe(404)
  const act = phone.act()
  const sent = { ...act, id: first.id, score: 5 }
  for (let i = 0; i < 2; i += 1)
    expect((await phone.who.ask(homePageApi.score, { body: sent })).code).toBe(200)
  expect((await phone.score(first.id, 1)).msg).toBe('这条反馈已经有满意度')
  expect((await phone.score(second.id, 4)).code).toBe(200)
  await service.call(feedbackApi.score, { body: { ...(await typed.seen()), score: 1, words: '' } })
  expect(await one(home.site)).toMatchObject({ score: 4.5, scores: 2 })
  expect(await one(other.site)).toMatchObject({ score: null, scores: 0 })
  // How content they are with the steward is told to the steward when that is released.
  const hidden = await score(1, { about: 'person', about_id: home.steward })
  expect((await phone.score(hidden.id, 1)).code).toBe(200)
  expect(await one(home.site)).toMatchObject({ score: 3.3, scores: 3 })
  expect(await one(home.site, steward)).toMatchObject({ score: 4.5, scores: 2 })
  await service.call(feedbackApi.release, { body: await hidden.seen() })
  expect(await one(home.site, steward)).toMatchObject({ score: 3.3, scores: 3 })
})
