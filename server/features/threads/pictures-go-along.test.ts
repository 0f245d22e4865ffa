import { randomUUID } from 'node:crypto'

import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import { questionPageApi } from '@zhuguan/contract/features/questions/question-page.api.ts'
import { questionsApi } from '@zhuguan/contract/features/questions/questions.api.ts'
import { receptionsApi } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import { threadPageApi as page } from '@zhuguan/contract/features/threads/thread-page.api.ts'
import { threadsApi as api } from '@zhuguan/contract/features/threads/threads.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { boundPhone } from '../../testing/homes.ts'
import { plainJpeg } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person, steward: Person
let home: { site: string; contact: string; steward: string }
let other: typeof home
type Phone = Awaited<ReturnType<typeof boundPhone>>
let phone: Phone, neighbour: Phone
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  steward = await server.as('steward')
  ;[home, other] = (await server.sql<typeof home>(
    `SELECT w.id AS site, h.id AS contact, s.id AS steward FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     WHERE w.status = 1 ORDER BY w.code LIMIT 2`,
  )) as [typeof home, typeof home]
  phone = await boundPhone(server, steward, home)
  neighbour = await boundPhone(server, steward, other)
})
afterAll(() => server.stop())

/** A picture through the link of the home. */
async function photo(): Promise<string> {
  const { device, token } = phone.bearer
  const response = await fetch(server.url + page.photo.path, {
    method: 'POST',
    headers: { 'content-type': 'image/jpeg', 'x-link': token, 'x-link-device': device },
    body: new Uint8Array(await plainJpeg()),
  })
  return ((await response.json()) as { data: { key: string } }).data.key
}
/** The home writes with two pictures: the message and their keys. */
async function written() {
  const pictures = [await photo(), await photo()]
  const sent = await phone.who.ask(page.say, { body: { ...phone.act(), words: '墙面有裂缝', pictures } })
  expect(sent.code).toBe(200)
  const [line] = (await gm.call(api.list, { query: { site_id: home.site, pageSize: 1 } })).list
  return { id: line!.id, pictures }
}
const become = (id: string, kind: 'feedback' | 'promise' | 'question' | 'reception', record: string) =>
  steward.ask(api.become, { body: { id, kind, record_id: record } })
const complain = async () =>
  (
    await steward.call(feedbackApi.enter, {
      body: {
        site_id: home.site,
        kind: 'repair',
        level: 1,
        about: 'work',
        channel: 'other',
        words: '墙面有裂缝',
        pictures: [],
      },
    })
  ).id
const shown = async (id: string) => (await gm.call(feedbackApi.details, { query: { id } })).pictures
const ask = async () =>
  (
    await steward.call(questionsApi.ask, {
      body: { site_id: home.site, words: '裂缝怎么补', neededBy: addDays(shanghaiDay(server.now()), 2) },
    })
  ).id
const asked = async (id: string) => (await gm.call(questionsApi.list, { query: { id } })).list[0]!
const looks = async (by: Phone, key: string) =>
  (await by.who.ask(linksApi.picture, { body: { ...by.bearer, key } })).code
test('pictures of a message are shown with all that is made of it, once each', async () => {
  const { id, pictures } = await written()
  const [feedback, question] = [await complain(), await ask()]
  const promise = await steward.call(promisesApi.add, {
    body: {
      site_id: home.site,
      content: '三天内补好裂缝',
      subject: 'quality',
      post: 1,
      due: addDays(shanghaiDay(server.now()), 3),
      answers: [],
    },
  })
  const reception = await steward.call(receptionsApi.add, {
    body: { site_id: home.site, purpose: 'complain', host_id: home.steward, remark: '看裂缝' },
  })
  expect(await shown(feedback)).toEqual([])
  for (let twice = 0; twice < 2; twice += 1) {
    expect((await become(id, 'feedback', feedback)).code).toBe(200)
    expect((await become(id, 'promise', promise.id)).code).toBe(200)
    expect((await become(id, 'question', question)).code).toBe(200)
    expect((await become(id, 'reception', reception.id)).code).toBe(200)
  }
  expect(await shown(feedback)).toEqual(pictures)
  expect((await gm.call(promisesApi.details, { query: { id: promise.id } })).pictures).toEqual(pictures)
  expect((await asked(question)).pictures).toEqual(pictures)
  const visits = (await gm.call(receptionsApi.list, { query: { site_id: home.site } })).list
  expect(visits.find((r) => r.id === reception.id)!.pictures).toEqual(pictures)
  // A second message of the same matter adds its own, after those of the first.
  const more = await written()
  expect((await become(more.id, 'feedback', feedback)).code).toBe(200)
  expect(await shown(feedback)).toEqual([...pictures, ...more.pictures])
})

test('what the home takes back leaves the thread, and stays with what was made of it', async () => {
  const { id, pictures } = await written()
  const feedback = await complain()
  await become(id, 'feedback', feedback)
  expect((await phone.who.ask(page.takeBack, { body: { ...phone.bearer, id } })).code).toBe(200)
  const { list } = await gm.call(api.list, { query: { site_id: home.site, pageSize: 50 } })
  expect(list.find((m) => m.id === id)!.pictures).toEqual([])
  expect(await shown(feedback)).toEqual(pictures)
  const kept = await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM files WHERE key = ANY ($1)', [
    pictures,
  ])
  expect(kept).toEqual([{ n: 2 }])
  // Of what nothing was made nothing stays.
  const gone = await written()
  await phone.who.ask(page.takeBack, { body: { ...phone.bearer, id: gone.id } })
  expect(await server.sql('SELECT key FROM files WHERE key = ANY ($1)', [gone.pictures])).toEqual([])
})

test('the home sees the pictures of a question that was made of its words; another home does not', async () => {
  const { id, pictures } = await written()
  const question = await ask()
  await become(id, 'question', question)
  await phone.who.ask(page.takeBack, { body: { ...phone.bearer, id } })
  const questions = await phone.who.call(questionPageApi.questions, { body: phone.bearer })
  expect(questions.find((q) => q.id === question)!.pictures).toEqual(pictures)
  expect([await looks(phone, pictures[0]!), await looks(neighbour, pictures[0]!)]).toEqual([200, 403])
  expect((await become(randomUUID(), 'question', question)).code).toBe(403)
})
