import { randomUUID } from 'node:crypto'

import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { threadPageApi as page } from '@zhuguan/contract/features/threads/thread-page.api.ts'
import { threadsApi as api } from '@zhuguan/contract/features/threads/threads.api.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { boundPhone, homeLink, homePhone } from '../../testing/homes.ts'
import { plainJpeg, uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person, steward: Person, pm: Person, service: Person
let home: { site: string; contact: string; owner: string; surname: string }
let spouse: string
type Phone = Awaited<ReturnType<typeof boundPhone>>
let phone: Phone
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  steward = await server.as('steward')
  pm = await server.as('pm')
  service = await server.as('service')
  ;[home] = (await server.sql<typeof home>(
    `SELECT w.id AS site, h.id AS contact, o.name AS owner, left(s.nickname, 1) AS surname
     FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN owners o ON o.id = h.owner_id
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     JOIN users m ON m.id = w.manager_id AND m.user_name = 'pm'
     WHERE w.status = 1 ORDER BY w.code LIMIT 1`,
  )) as [typeof home]
  spouse = (
    await steward.call(ownersApi.addContact, {
      body: { site_id: home.site, name: '陈太太', relation: 'spouse', phone: '13700001111' },
    })
  ).id
  phone = await boundPhone(server, steward, home, service)
})
afterAll(() => server.stop())
beforeEach(async () => {
  for (const table of ['thread_reads', 'thread_messages', 'threads', 'notifications'])
    await server.sql(`DELETE FROM ${table}`)
})

const say = (by: Phone, words: string, more: { act?: string; pictures?: string[] } = {}) =>
  by.who.ask(page.say, { body: { ...by.act(), words, ...more } })
const read = async (by: Phone, before?: number) =>
  (await by.who.call(page.thread, { body: { ...by.bearer, before: before ?? null } })).messages
const back = (by: Phone, id: string) => by.who.ask(page.takeBack, { body: { ...by.bearer, id } })
const saw = (by: Phone, seq: number) => by.who.ask(page.saw, { body: { ...by.bearer, seq } })
const about = () => gm.call(api.details, { query: { site_id: home.site } })
const lines = async () => (await gm.call(api.list, { query: { site_id: home.site, pageSize: 50 } })).list
const answer = async (who: Person, words: string, pictures: string[] = []) =>
  who.call(api.say, { body: { site_id: home.site, after: (await about()).newest, words, pictures } })
/** A picture through the link. */
async function photo(by: Phone): Promise<string> {
  const { device, token } = by.bearer
  const response = await fetch(server.url + page.photo.path, {
    method: 'POST',
    headers: { 'content-type': 'image/jpeg', 'x-link': token, 'x-link-device': device },
    body: new Uint8Array(await plainJpeg()),
  })
  return ((await response.json()) as { data: { key: string } }).data.key
}
const looks = async (by: Phone, key: string) =>
  (await by.who.ask(linksApi.picture, { body: { ...by.bearer, key } })).code

test('the owner asks from the own telephone; the steward answers and is read by post and surname', async () => {
  expect((await say(phone, '瓷砖什么时候贴？')).code).toBe(200)
  expect((await lines())[0]).toMatchObject({
    side: 'owner',
    channel: 'page',
    who: home.owner,
    enteredBy: '',
    waits: true,
  })
  const told = await server.sql(
    `SELECT u.user_name, n.title FROM notifications n JOIN users u ON u.id = n.user_id WHERE n.read_at IS NULL`,
  )
  expect(told).toEqual([{ user_name: 'steward', title: expect.stringMatching(/的业主留言了，请回复$/) }])
  await answer(steward, '周五上午开始贴')
  await pm.call(api.hear, { body: { site_id: home.site, channel: 'phone', words: '电话里又问了一遍' } })
  const { newest: after } = await about()
  await pm.call(api.silence, { body: { site_id: home.site, after, reason: '内部：同一件事' } })
  const seen = await read(phone)
  expect(seen.map((m) => [m.side, m.who, m.words, m.mine])).toEqual([
    ['owner', home.owner, '瓷砖什么时候贴？', true],
    ['staff', `管家 ${home.surname}`, '周五上午开始贴', false],
    ['owner', '业主', '电话里又问了一遍', false],
  ])
  expect(JSON.stringify(seen)).not.toContain('内部')
})

test('what we wrote is unread until a telephone of the home has shown it, and says who saw it first', async () => {
  await say(phone, '在吗')
  const made = await answer(steward, '在的')
  expect((await lines())[0]).toMatchObject({ seenAt: null, seenBy: '' })
  const at = Math.floor(server.now().getTime() / 1000)
  expect((await saw(phone, made.seq)).code).toBe(200)
  const second = await boundPhone(server, steward, { contact: spouse, site: home.site }, service)
  const next = await answer(steward, '还有一件事')
  await saw(second, next.seq)
  const [newer, older] = await lines()
  expect(older).toMatchObject({ seenBy: home.owner })
  expect(older!.seenAt).toBeGreaterThanOrEqual(at)
  expect(newer).toMatchObject({ seenBy: '陈太太' })
  // Seen again, also further than there is, it says nothing else.
  await saw(phone, made.seq)
  await saw(phone, 9_999)
  expect((await lines())[1]).toMatchObject({ seenBy: home.owner, seenAt: older!.seenAt })
})

test('sent twice it is said once; own words go back, the spouse’s do not', async () => {
  const act = randomUUID()
  expect([(await say(phone, '一次', { act })).code, (await say(phone, '一次', { act })).code]).toEqual([
    200, 200,
  ])
  expect(await lines()).toHaveLength(1)
  const [mine] = await read(phone)
  const second = await boundPhone(server, steward, { contact: spouse, site: home.site }, service)
  expect((await read(second))[0]).toMatchObject({ words: '一次', mine: false })
  expect((await back(second, mine!.id)).code).toBe(409)
  expect((await back(phone, mine!.id)).code).toBe(200)
  expect((await read(second))[0]).toMatchObject({ words: '', isTaken: true })
  expect(await about()).toMatchObject({ waitingSince: null })
  await say(phone, '晚了')
  await server.sql(`UPDATE thread_messages SET at = at - interval '3 minutes'`)
  const late = (await read(phone)).at(-1)!
  expect((await back(phone, late.id)).msg).toContain('超过 2 分钟')
})

test('pictures of the home and of ours are seen by both; of another home, and taken back, by nobody', async () => {
  const key = await photo(phone)
  expect((await say(phone, '', { pictures: [key] })).code).toBe(200)
  const ours = await uploadPhoto(server.url, steward)
  await answer(steward, '样板', [ours])
  expect([await looks(phone, key), await looks(phone, ours)]).toEqual([200, 200])
  const stray = await uploadPhoto(server.url, steward)
  expect(await looks(phone, stray)).toBe(403)
  expect((await say(phone, '别人的', { pictures: [stray] })).code).toBe(403)
  const [other] = await server.sql<{ site: string; contact: string }>(
    `SELECT w.id AS site, h.id AS contact FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     WHERE w.steward_id = (SELECT id FROM users WHERE user_name = 'steward') AND w.id <> $1 AND w.status = 1 LIMIT 1`,
    [home.site],
  )
  const neighbour = await boundPhone(server, steward, other!)
  expect(await looks(neighbour, key)).toBe(403)
  expect(await read(neighbour)).toEqual([])
  const [mine] = await read(phone)
  expect((await back(neighbour, mine!.id)).code).toBe(403)
  await back(phone, mine!.id)
  expect(await looks(phone, key)).toBe(403)
})

test('thirty words an hour; a telephone that nobody let in says and reads nothing', async () => {
  const { token } = await homeLink(steward, spouse)
  const stranger = homePhone(server, token)
  await stranger.state()
  const asked = await stranger.who.ask(page.say, { body: { ...stranger.act(), words: '你好' } })
  expect(asked.code).toBe(403)
  expect((await stranger.who.ask(page.thread, { body: { ...stranger.bearer } })).code).toBe(403)
  server.later(3_600_000 + 1_000)
  await server.sql(`UPDATE sessions SET expires_at = expires_at + interval '1 day'`)
  const codes: number[] = []
  for (let i = 0; i < 31; i += 1) codes.push((await say(phone, `第 ${i} 条`)).code)
  expect([codes.filter((c) => c === 200).length, codes.at(-1)]).toEqual([30, 429])
  const first = await read(phone)
  expect([first.length, (await read(phone, first[0]!.seq)).length]).toEqual([30, 0])
  // A word that was wrong goes back all the same, and that it does costs none.
  expect((await back(phone, first.at(-1)!.id)).code).toBe(200)
})

test('who buys the home reads nothing of the seller’s thread, and nothing of it turns read', async () => {
  await say(phone, '卖家的话')
  const old = await answer(steward, '给卖家的话')
  server.later(1_000)
  const list = await gm.call(ownersApi.list, { query: { id: home.site } })
  const { contact_id: id, contactVersion: version } = list.list[0]!
  await gm.call(ownersApi.change, {
    body: { id, version, name: '买家', phone: '', promises: 'taken', reason: '房子卖了' },
  })
  expect((await phone.who.ask(page.thread, { body: { ...phone.bearer } })).code).not.toBe(200)
  server.later(1_000)
  const [{ contact }] = (await server.sql<{ contact: string }>(
    `SELECT id AS contact FROM home_contacts WHERE site_id = $1 AND owner_id IS NOT NULL AND ended_at IS NULL`,
    [home.site],
  )) as [{ contact: string }]
  const buyer = await boundPhone(server, steward, { contact, site: home.site }, service)
  expect(await read(buyer)).toEqual([])
  const fresh = await answer(steward, '欢迎')
  await saw(buyer, fresh.seq)
  const all = await lines()
  expect(all.find((m) => m.id === fresh.id)).toMatchObject({ seenBy: '买家' })
  expect(all.find((m) => m.id === old.id)).toMatchObject({ seenAt: null })
})
