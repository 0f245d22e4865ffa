import { randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { type Book, type LedSite, openBook } from '../../testing/supervised.ts'

const HOUR = 3_600_000
let server: TestServer
let gm: Person
let book: Book
let site: LedSite
let ann: string, first: string, second: string
beforeAll(async () => {
  server = await startTestServer()
  server.later(startOfDay(shanghaiDay(server.now())).getTime() + 12 * HOUR - server.now().getTime())
  gm = await server.as('branch_gm')
  const [found] = await server.sql<LedSite & { steward: string; manager: string }>(
    `SELECT w.id, w.bc_id AS bc, w.ws_name AS name, w.steward_id AS steward, w.manager_id AS manager
     FROM sites w JOIN users u ON u.bc_id = w.bc_id
     WHERE u.user_name = 'branch_gm' AND w.status = 1 ORDER BY w.code LIMIT 1`,
  )
  site = found!
  ann = found!.manager
  first = found!.steward
  book = await openBook(server, site.bc)
  second = (
    await server.sql<{ id: string }>(
      `INSERT INTO users (tenant_id, id, user_name, nickname, bc_id, post, password)
       VALUES ($1, gen_random_uuid(), 'second', 'second', $2, 1, '') RETURNING id`,
      [book.tenant, site.bc],
    )
  )[0]!.id
  await server.sql('DELETE FROM thread_outcomes')
  await server.sql('DELETE FROM thread_messages')
  await server.sql('DELETE FROM site_leads')
  await book.leads(site.id, 2, [[ann, 90]])
  await book.leads(site.id, 1, [
    [first, 90],
    [second, 10],
  ])
})
afterAll(() => server.stop())

let seq = 0
const line = async (side: 'owner' | 'staff', daysAgo: number, hour: number, kind = 'words') => {
  seq += 1
  await server.sql(
    `INSERT INTO thread_messages (tenant_id, id, site_id, bc_id, seq, kind, side, channel, who, words, at)
     VALUES ($1, gen_random_uuid(), $2, $3, $4, $5, $6, 'page', '', '什么时候铺砖', $7)`,
    [book.tenant, site.id, site.bc, seq, kind, side, book.moment(daysAgo, hour)],
  )
}
const one = async (id: string) =>
  (await gm.call(supervisionApi.person, { query: { id, bc_id: site.bc } })).person
const answered = async (id: string) => {
  const p = await one(id)
  return [p.answered, p.answerP50, p.answerP90]
}

test('the first answer is whoever kept the home then, from when it was said or theirs', async () => {
  // Asked twice, answered once: from the first word on. What is said after it answers nothing more.
  await line('owner', 20, 9)
  await line('owner', 20, 10)
  await line('staff', 20, 12)
  await line('staff', 20, 13)
  expect(await answered(first)).toEqual([1, 3 * 3600, 3 * 3600])
  // What needed no answer is none, and ends the wait.
  await line('owner', 18, 9)
  await line('staff', 18, 11, 'silence')
  await line('staff', 18, 12)
  expect(await answered(first)).toEqual([1, 3 * 3600, 3 * 3600])
  // Asked before the home was handed over: the second answers for the time since.
  await line('owner', 12, 9)
  await line('staff', 10, 5)
  expect(await answered(second)).toEqual([1, 5 * 3600, 5 * 3600])
  expect(await answered(first)).toEqual([1, 3 * 3600, 3 * 3600])
  // Before the span nothing counts, and the manager answers only where there is no steward.
  expect((await one(ann)).answered).toBe(0)
  const { list } = await gm.call(supervisionApi.records, {
    query: { id: second, bc_id: site.bc, figure: 'answered' },
  })
  expect(list.map((r) => [r.kind, r.site_id, r.took])).toEqual([['thread', site.id, 5 * 3600]])
})

test('feedback counts for who answered it; handed to somebody else since, for nobody', async () => {
  const entered = await book.complaint({ site: site.id, people: [], daysAgo: 5 })
  const answer = (who: string) =>
    server.sql('UPDATE feedback SET assignee_id = $2, answered_at = $3 WHERE id = $1', [
      entered,
      who,
      book.moment(5, 14),
    ])
  await answer(ann)
  expect(await answered(ann)).toEqual([1, 4 * 3600, 4 * 3600])
  const transfer = (hour: number) =>
    server.sql(
      `INSERT INTO feedback_events (tenant_id, id, feedback_id, at, actor, act)
       VALUES ($1, gen_random_uuid(), $2, $3, '', 'transfer')`,
      [book.tenant, entered, book.moment(5, hour)],
    )
  await transfer(12)
  expect(await answered(ann)).toEqual([1, 4 * 3600, 4 * 3600])
  await transfer(16)
  expect((await one(ann)).answered).toBe(0)
})

test('promises by both days are those of the promises’ own rates, also put off and handed over', async () => {
  await book.promise({ site: site.id, who: ann, daysAgo: 8, kept: true })
  await book.promise({ site: site.id, who: ann, daysAgo: 9, kept: false })
  // Put off by three days and kept then; and one that was handed on after its day was over.
  const put = await book.promise({ site: site.id, who: ann, daysAgo: 3, kept: true })
  await server.sql('UPDATE promises SET first_due = :today - 6 WHERE id = $1', [put])
  const handed = await book.promise({ site: site.id, who: ann, daysAgo: 7, kept: false })
  await server.sql('UPDATE promises SET responsible_id = $2 WHERE id = $1', [handed, second])
  await server.sql(
    `INSERT INTO promise_events (tenant_id, id, promise_id, act, actor, from_id, to_id, at)
     VALUES ($1, $2, $3, 'hand', '', $4, $5, $6)`,
    [book.tenant, randomUUID(), handed, ann, second, book.moment(5)],
  )
  const today = shanghaiDay(server.now())
  const span = { from: addDays(today, -29), to: today }
  for (const who of [ann, second]) {
    const p = await one(who)
    const rates = await gm.call(api.promises.rates, {
      query: { ...span, responsible_id: who, bc_id: [site.bc] },
    })
    expect([
      p.firstDue! - p.firstBroken!,
      p.firstDue,
      p.presentDue! - p.presentBroken!,
      p.presentDue,
    ]).toEqual([rates.first.kept, rates.first.n, rates.present.kept, rates.present.n])
  }
  expect(await one(ann)).toMatchObject({ firstDue: 4, firstBroken: 3, presentDue: 4, presentBroken: 2 })
  expect((await one(second)).firstDue).toBe(0)
})
