import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { boundPhone, homeLink, homePhone } from '../../testing/homes.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let steward: Person, service: Person
let home: { site: string; contact: string; steward: string; name: string }
let spouse: { site: string; contact: string }
let husband: Awaited<ReturnType<typeof boundPhone>>
/** The name that stands beside an answer from a device that one hand alone vouches for. */
let alone: string
beforeAll(async () => {
  server = await startTestServer()
  ;[steward, service] = await Promise.all([server.as('steward'), server.as('service')])
  ;[home] = (await server.sql<typeof home>(
    `SELECT w.id AS site, h.id AS contact, s.id AS steward, s.nickname AS name FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     WHERE w.status = 1 ORDER BY w.code LIMIT 1`,
  )) as [typeof home]
  const { id } = await steward.call(api.owners.addContact, {
    body: { site_id: home.site, name: '陈太太', relation: 'spouse', phone: '13700001113' },
  })
  spouse = { site: home.site, contact: id }
  alone = `${home.name}（链接和设备一人经手，未经第二人核对）`
  husband = await boundPhone(server, steward, home, service)
})
afterAll(() => server.stop())

const NOT_THEIRS =
  '这个链接和这台手机是同一位同事办的，还不能代表业主本人；请让另一位同事核对，或者请业主用核对过的手机来做'
const ALONE = '链接和设备由同一个人经手：请业主用核对过的另一台设备，或请另一位同事来核对'
const unread = async (cause: string) =>
  (
    await server.sql<{ user_name: string }>(
      `SELECT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
       WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY 1`,
      [cause],
    )
  ).map((n) => n.user_name)
const allow = (who: Person, id: string) => who.ask(api.homeDevices.allow, { body: { id } })
const seen = async (id: string) => ({
  id,
  version: (await service.call(api.feedback.details, { query: { id } })).version,
})
/** The steward received somebody, and it is over. */
async function visited() {
  const { id } = await steward.call(api.receptions.add, {
    body: { site_id: home.site, host_id: home.steward, purpose: 'look', remark: '' },
  })
  await steward.call(api.receptions.finish, { body: { id, version: 0, reason: '看了水电' } })
  return id
}
const scoredBy = async (id: string) =>
  (await service.call(api.receptions.list, { query: { site_id: home.site, pageSize: 100 } })).list.find(
    (r) => r.id === id,
  )!.scoredBy

test('who made the link and let in the device alone reads on it nothing that is kept from them', async () => {
  const plain = (await husband.feedback('地面不平')).data.no
  const hidden = (await husband.feedback('管家三天不回电话', { steward: true })).data.no
  const [{ id }] = (await server.sql('SELECT id FROM feedback WHERE no = $1', [hidden])) as [{ id: string }]
  const own = await boundPhone(server, steward, spouse)
  const shown = async (phone = own) => (await phone.page()).feedback.map((f) => f.no)
  expect(await shown()).toContain(plain)
  expect(await shown()).not.toContain(hidden)
  expect(await shown(husband)).toContain(hidden)
  for (const { code } of [await own.reopen(id, '没有解决'), await own.score(id, 5)]) expect(code).toBe(404)
  // Nor on a device that this one lets in, nor by saying it twice.
  const next = homePhone(server, own.token)
  await next.state()
  const asking = (await own.page()).devices.find((d) => d.state === 'asking')!
  expect((await own.allow(asking.id)).code).toBe(200)
  expect(await shown({ ...own, ...next })).not.toContain(hidden)
  const byPost = `工作人员 ${home.name[0]}`
  expect((await own.page()).devices.map((d) => d.onlyHand)).toEqual([byPost, byPost])
  for (const refused of [await allow(steward, own.id), await own.allow(asking.id), await next.allow(own.id)])
    expect([refused.code, refused.msg]).toEqual([409, ALONE])
  // Service hears of it, and vouches for it: then it is the wife's, and she lets in the other one.
  expect(await unread(own.id)).toEqual(['branch_gm', 'service'])
  expect((await allow(service, own.id)).code).toBe(200)
  expect(await unread(own.id)).toEqual([])
  expect(await shown()).toContain(hidden)
  expect((await own.allow(asking.id)).code).toBe(200)
  expect(await shown({ ...own, ...next })).toContain(hidden)
  expect([(await allow(service, own.id)).code, (await allow(steward, own.id)).code]).toEqual([409, 409])
})

test('a score by that one hand is typed for the owner and in no rate, until somebody else has vouched', async () => {
  const own = await boundPhone(server, steward, spouse)
  const [first, second] = [await visited(), await visited()]
  expect((await own.scoreVisit(first, 5)).code).toBe(200)
  expect(await scoredBy(first)).toBe(alone)
  const rates = () => service.call(api.receptions.rates, { query: { site_id: home.site } })
  expect((await rates()).home).toEqual({ n: 0, good: 0 })
  const { data } = await husband.feedback('门关不上')
  const [{ id }] = (await server.sql('SELECT id FROM feedback WHERE no = $1', [data.no])) as [{ id: string }]
  await service.call(api.feedback.accept, {
    body: { ...(await seen(id)), level: 1, assignee_id: home.steward },
  })
  await service.call(api.feedback.answer, { body: { id, answers: 0, words: '马上修', pictures: [] } })
  await service.call(api.feedback.close, { body: { ...(await seen(id)), cause: 'works', result: '修好' } })
  expect((await own.score(id, 5)).code).toBe(200)
  expect(await service.call(api.feedback.details, { query: { id } })).toMatchObject({
    score: 5,
    scoredBy: alone,
  })
  await allow(service, own.id)
  expect((await own.scoreVisit(second, 4)).code).toBe(200)
  expect(await scoredBy(second)).toBe('')
  expect((await rates()).home).toEqual({ n: 1, good: 1 })
})

test('the home hears of every link and device, service of a link that puts out a telephone', async () => {
  const before = await boundPhone(server, steward, spouse)
  await service.call(api.homeDevices.allow, { body: { id: before.id } })
  await homeLink(steward, spouse.contact)
  expect((await before.state()).code).toBe(404)
  expect(await unread(spouse.contact)).toEqual(['branch_gm', 'service'])
  const own = await boundPhone(server, steward, spouse)
  const week = async () => (await husband.page()).week.map((w) => w.text)
  const post = `项目管家 ${home.name[0]}`
  expect(await week()).toEqual(
    expect.arrayContaining([
      `${post} 给陈太太发了新的业主链接，以前的链接和设备不能再用`,
      expect.stringMatching(
        new RegExp(`^由${post} 允许的陈太太的新设备：.*（链接也是同一个人发的，还没有另一个人核对）$`),
      ),
    ]),
  )
  // The husband's own was sent by another, and is nobody's alone.
  const theirs = (await week()).filter((t) => !t.includes('陈太太') && t.includes('新设备'))
  expect(theirs.join()).not.toContain('还没有另一个人核对')
  expect((await own.page()).devices[0]).toMatchObject({ onlyHand: `工作人员 ${home.name[0]}` })
  // A neighbour hears nothing of it.
  const [other] = await server.sql<{ site: string; contact: string }>(
    `SELECT w.id AS site, h.id AS contact FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     WHERE w.steward_id = $1 AND w.status = 1 AND w.id <> $2 ORDER BY w.code LIMIT 1`,
    [home.steward, home.site],
  )
  const neighbour = await boundPhone(server, steward, other!)
  expect(JSON.stringify((await neighbour.page()).week)).not.toContain('陈太太')
})

test('what that one hand agrees to is written down as theirs, and it decides nothing', async () => {
  const own = await boundPhone(server, steward, spouse)
  const wording = (await own.video()).wording
  expect((await own.answerVideo(1, wording)).code).toBe(200)
  const by = async () =>
    (
      await server.sql<{ recorded_by: string }>(
        `SELECT recorded_by FROM consents WHERE subject_id = $1 AND kind = 'ownerVideo'
         ORDER BY recorded_at DESC`,
        [spouse.contact],
      )
    ).map((c) => c.recorded_by)
  expect(await by()).toEqual([alone])
  const ask = (words: string) =>
    steward.call(api.questions.ask, {
      body: {
        site_id: home.site,
        words,
        neededBy: addDays(shanghaiDay(server.now()), 9),
        options: ['灰', '白'],
      },
    })
  const answers = async (id: string) =>
    (await steward.call(api.questions.list, { query: { id } })).list[0]!.answers.map((a) => a.recordedBy)
  const [first, second] = [await ask('地砖选哪种颜色'), await ask('踢脚线选哪种颜色')]
  const refused = await own.decide(first.id, 1)
  expect([refused.code, refused.msg]).toEqual([409, NOT_THEIRS])
  expect(await answers(first.id)).toEqual([])
  expect((await allow(service, own.id)).code).toBe(200)
  expect((await own.decide(second.id, 2)).code).toBe(200)
  expect(await answers(second.id)).toEqual([''])
  // Taken back it is whoever does it, by any device.
  expect((await own.withdrawVideo()).code).toBe(200)
  expect((await own.answerVideo(1, wording)).code).toBe(200)
  expect(await by()).toEqual(['业主 陈太太', alone])
})

test('from there nobody reopens, objects, introduces or has read, and what is said bears the mark', async () => {
  const own = await boundPhone(server, steward, spouse)
  const { data } = await husband.feedback('窗户漏风')
  const [{ id }] = (await server.sql('SELECT id FROM feedback WHERE no = $1', [data.no])) as [{ id: string }]
  await service.call(api.feedback.accept, {
    body: { ...(await seen(id)), level: 1, assignee_id: home.steward },
  })
  await service.call(api.feedback.answer, { body: { id, answers: 0, words: '明天来', pictures: [] } })
  await service.call(api.feedback.close, { body: { ...(await seen(id)), cause: 'works', result: '打了胶' } })
  expect((await husband.score(id, 1)).code).toBe(200)
  const again = await own.reopen(id, '再看看')
  expect([again.code, again.msg]).toEqual([409, NOT_THEIRS])
  expect(await service.call(api.feedback.details, { query: { id } })).toMatchObject({
    score: 1,
    status: 3,
    round: 1,
  })
  const friend = await own.introduce('老同学', '13500004321')
  expect([friend.code, friend.msg]).toEqual([409, NOT_THEIRS])
  expect(await server.sql(`SELECT 1 FROM customers WHERE name = '老同学'`)).toEqual([])

  const praised = await own.feedback('管家真好', { kind: 'praise' })
  const [told] = await server.sql<{ entered_by: string }>('SELECT entered_by FROM feedback WHERE no = $1', [
    praised.data.no,
  ])
  expect(told!.entered_by).toBe('业主 陈太太（未经第二人核对）')
  await own.say('我同意加三千元')
  const [line] = await server.sql<{ who: string }>(
    `SELECT who FROM thread_messages WHERE words = '我同意加三千元'`,
  )
  expect(line!.who).toBe('陈太太（未经第二人核对）')
  const reads = () => server.sql('SELECT 1 FROM thread_reads WHERE contact_id = $1', [spouse.contact])
  await steward.call(api.threads.say, { body: { site_id: home.site, after: await newest(), words: '收到' } })
  await own.saw(await newest())
  expect(await reads()).toEqual([])
  await allow(service, own.id)
  await own.saw(await newest())
  expect(await reads()).toHaveLength(1)
})
const newest = async () => (await steward.call(api.threads.details, { query: { site_id: home.site } })).newest
