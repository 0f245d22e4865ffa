import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import { questionsApi } from '@zhuguan/contract/features/questions/questions.api.ts'
import { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person, steward: Person, service: Person
let homes: { site: string; steward: string; pm: string }[]
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  steward = await server.as('steward')
  service = await server.as('service')
  homes = await server.sql(
    `SELECT w.id AS site, s.id AS steward, m.id AS pm FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     JOIN users m ON m.id = w.manager_id AND m.user_name = 'pm'
     WHERE w.status = 1 ORDER BY w.code`,
  )
})
afterAll(() => server.stop())

const rows = async (who: Person, query: object = {}) =>
  (await who.call(ownersApi.list, { query: { pageSize: 100, ...query } })).list
const places = async (who: Person, query: object = {}) => {
  const all = (await rows(who, query)).map((h) => homes.findIndex((at) => at.site === h.id))
  return all.slice(0, 5)
}
const complain = async (at: number, more: object = {}) =>
  (
    await service.call(feedbackApi.enter, {
      body: {
        site_id: homes[at]!.site,
        kind: 'complaint',
        level: 1,
        about: 'work',
        channel: 'phone',
        words: '墙面不平',
        pictures: [],
        ...more,
      },
    })
  ).id
const promise = async (at: number, due: string) =>
  (
    await steward.call(promisesApi.add, {
      body: { site_id: homes[at]!.site, content: '会做好的', subject: 'quality', post: 1, due, answers: [] },
    })
  ).id

test('the home that waits the worst stands first; who asks for theirs reads what is theirs to do', async () => {
  const today = shanghaiDay(server.now())
  // Of home 4 nothing waits yet: its promise is of tomorrow and its question is not overdue.
  await promise(4, addDays(today, 1))
  const ask = async (at: number, neededBy: string) =>
    (
      await steward.call(questionsApi.ask, {
        body: { site_id: homes[at]!.site, words: '选哪种地砖', neededBy },
      })
    ).id
  await ask(4, addDays(today, 2))
  expect(await rows(gm, { waits: 'any' })).toEqual([])

  await service.call(threadsApi.hear, {
    body: { site_id: homes[0]!.site, channel: 'phone', words: '什么时候贴砖' },
  })
  const complaint = await complain(1)
  const kept = await promise(2, today)
  const asked = await ask(3, addDays(today, 1))
  await server.sql('UPDATE questions SET needed_by = needed_by - 4 WHERE id = $1', [asked])
  await server.sql('UPDATE promises SET due = due - 1, first_due = first_due - 1 WHERE id = $1', [kept])
  await server.sql(`UPDATE threads SET due_at = :now - interval '3 hours' WHERE site_id = $1`, [
    homes[0]!.site,
  ])
  await server.sql(`UPDATE feedback SET answer_due_at = :now + interval '1 hour' WHERE id = $1`, [complaint])
  // The question ended three days ago, the promise last midnight, the words three hours ago.
  const midnight = Date.parse(`${today}T00:00:00+08:00`)
  const first = server.now().getTime() - 3 * 3_600_000 < midnight ? [3, 0, 2, 1] : [3, 2, 0, 1]
  expect((await places(gm)).slice(0, 4)).toEqual(first)
  expect(await places(gm, { waits: 'any' })).toEqual(first)
  expect((await rows(gm))[0]!.urgentAt).toBe(Date.parse(`${addDays(today, -2)}T00:00:00+08:00`) / 1000)

  // The steward's are all four; the manager's are not the promise that the steward gave.
  expect(await places(steward, { waits: 'mine' })).toEqual(first)
  const pm = await server.as('pm')
  expect(await places(pm, { waits: 'mine' })).toEqual(first.filter((at) => at !== 2))
  // Who supervises has what is past its time and what nobody has accepted; who only reads has nothing.
  expect(await places(service, { waits: 'mine' })).toEqual(first)
  expect(await rows(await server.as('hq_ops'), { waits: 'mine' })).toEqual([])
  await server.sql(`UPDATE threads SET due_at = :now + interval '2 hours' WHERE site_id = $1`, [
    homes[0]!.site,
  ])
  expect(await places(service, { waits: 'mine' })).toEqual(first.filter((at) => at !== 0))
  expect(await places(gm)).toContain(0)

  // Accepted it waits for its assignee, and no longer for those who might accept it.
  const { version } = await gm.call(feedbackApi.details, { query: { id: complaint } })
  await service.call(feedbackApi.accept, {
    body: { id: complaint, version, level: 1, assignee_id: homes[1]!.pm },
  })
  expect(await places(service, { waits: 'mine' })).not.toContain(1)
  expect(await places(steward, { waits: 'mine' })).not.toContain(1)
  expect(await places(pm, { waits: 'mine' })).toContain(1)
})

test('a complaint that is kept from the steward moves nothing in the list of the steward', async () => {
  const before = await places(steward)
  const id = await complain(4, { about: 'person', about_id: homes[4]!.steward, words: '管家不接电话' })
  await server.sql(`UPDATE feedback SET answer_due_at = :now - interval '40 days' WHERE id = $1`, [id])
  expect(await places(steward)).toEqual(before)
  expect(await places(steward, { waits: 'any' })).not.toContain(4)
  expect((await places(gm))[0]).toBe(4)
})
