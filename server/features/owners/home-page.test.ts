import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { homeDevicesApi } from '@zhuguan/contract/features/owners/home-devices.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { boundPhone, homeLink, homePhone } from '../../testing/homes.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { dayAhead } from '../../testing/time.ts'

let server: TestServer
let gm: Person
let steward: Person
let service: Person
interface Home {
  site: string
  contact: string
}
/** Three homes of the steward's, each with its owner; the first has a spouse, too. */
let homes: Home[]
let spouse: string
const DAY_MS = 86_400_000
beforeAll(async () => {
  server = await startTestServer()
  ;[gm, steward, service] = await Promise.all([
    server.as('branch_gm'),
    server.as('steward'),
    server.as('service'),
  ])
  homes = await server.sql<Home & Record<string, unknown>>(
    `SELECT w.id AS site, h.id AS contact
     FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     WHERE w.steward_id = (SELECT id FROM users WHERE user_name = 'steward') AND w.status = 1
     ORDER BY w.code LIMIT 4`,
  )
  spouse = (
    await steward.call(ownersApi.addContact, {
      body: { site_id: homes[0]!.site, name: '陈太太', relation: 'spouse', phone: '13700001111' },
    })
  ).id
  // Days pass in these stories.
  await server.sql(`UPDATE sessions SET expires_at = expires_at + interval '40 days'`)
})
afterAll(() => server.stop())

const NO = '链接打不开：可能已过期、被收回或用完次数，或者需要密码。请向发给您的人重新要一个'
const NOT_BOUND = '这台设备还没有确认，或者已经移除，请联系您的管家'
const devices = (site: string, who = steward) => who.call(homeDevicesApi.list, { query: { site_id: site } })
const unread = async (cause: string) =>
  (
    await server.sql<{ user_name: string }>(
      `SELECT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
       WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY 1`,
      [cause],
    )
  ).map((n) => n.user_name)
const enteredOf = async (no: string) =>
  (
    await server.sql<{ id: string; channel: string; level: number; n: number }>(
      `SELECT id, channel, level, count(*) OVER ()::int AS n FROM feedback WHERE no = $1`,
      [no],
    )
  )[0]!

test('a telephone that opens the link is told nothing until somebody who knows it lets it in', async () => {
  const { contact, site } = homes[0]!
  const { token } = await homeLink(service, contact)
  const phone = homePhone(server, token)
  const first = (await phone.state()).data
  expect(first).toEqual({ state: 'asking', code: expect.stringMatching(/^\d{4}$/) })
  expect((await phone.state()).data).toEqual(first)
  for (const refused of [await phone.alive(), await phone.feedback('漏水了'), await phone.picture('x')])
    expect(refused.code).toBe(403)
  const [asking] = await devices(site)
  expect(asking).toMatchObject({ state: 'asking', code: (first as { code: string }).code, boundBy: '' })
  expect(asking!.name).toMatch(/Safari.*iOS.*手机/)
  // Who gave it hears, once, and is done with it when it is let in.
  expect(await unread(asking!.id)).toEqual(['steward'])
  await steward.call(homeDevicesApi.allow, { body: { id: asking!.id } })
  expect(await unread(asking!.id)).toEqual([])
  const again = await steward.ask(homeDevicesApi.allow, { body: { id: asking!.id } })
  expect([again.code, again.msg]).toEqual([409, '这台设备已经处理过了'])

  const page = await phone.page()
  const details = await gm.call(sitesApi.details, { query: { id: site } })
  const [{ surname }] = (await server.sql<{ surname: string }>(
    `SELECT left(nickname, 1) AS surname FROM users WHERE user_name = 'steward'`,
  )) as [{ surname: string }]
  expect(page).toMatchObject({ ws_name: details.ws_name, status: 1, steward: `项目管家 ${surname}` })
  expect(page.stages.map((s) => s.stage)).toEqual(details.stages.map((s) => s.stage))
  expect(page.devices).toMatchObject([{ mine: true, state: 'bound' }])
  expect((await phone.alive()).code).toBe(200)
  // Nobody who works there, no number, no price, no alarm.
  const workers = await server.sql<{ w_name: string }>(
    'SELECT k.w_name FROM site_members m JOIN workers k ON k.id = m.worker_id WHERE m.site_id = $1',
    [site],
  )
  expect(workers.length).toBeGreaterThan(0)
  const text = JSON.stringify(page)
  for (const { w_name } of workers) expect(text).not.toContain(w_name)
  expect(text).not.toMatch(/\b1[3-9]\d{9}\b|alarm|price|cost|phone/)
})

test('three devices at most; whoever holds one lets in the next and takes one away', async () => {
  const { contact, site } = homes[0]!
  const mine = await boundPhone(server, steward, { contact, site })
  const others = [1, 2, 3].map(() => homePhone(server, mine.token))
  for (const other of others) expect((await other.state()).data).toMatchObject({ state: 'asking' })
  const asking = (await mine.page()).devices.filter((d) => !d.mine)
  expect(asking).toHaveLength(3)
  expect((await mine.allow(asking[0]!.id)).code).toBe(200)
  expect((await mine.allow(asking[1]!.id)).code).toBe(200)
  const fourth = await mine.allow(asking[2]!.id)
  expect([fourth.code, fourth.msg]).toEqual([409, '一位联系人最多 3 台设备，请先移除一台'])
  // Two at once take the last place: one of them does.
  expect((await mine.remove(asking[0]!.id)).code).toBe(200)
  expect((await others[0]!.state()).data).toEqual({ state: 'removed' })
  expect((await others[0]!.alive()).msg).toBe(NOT_BOUND)
  const last = homePhone(server, mine.token)
  await last.state()
  const waiting = (await mine.page()).devices.filter((d) => d.state === 'asking')
  const both = await Promise.all(
    waiting.map((d) => steward.ask(homeDevicesApi.allow, { body: { id: d.id } })),
  )
  expect(both.map((a) => a.code).toSorted()).toEqual([200, 409])
  // What asks has an end, too: three from one network, five in all.
  const asks = async (ip?: string) => (await homePhone(server, mine.token, ip).state()).msg
  const FULL = '等待确认的设备太多了，请联系您的管家'
  expect([await asks(), await asks(), await asks()]).toEqual(['', '', FULL])
  expect([await asks('10.7.0.1'), await asks('10.7.0.2'), await asks('10.7.0.3')]).toEqual(['', '', FULL])
  // The device of one home cannot be spoken of by another's.
  const elsewhere = await boundPhone(server, steward, homes[1]!)
  expect((await elsewhere.remove(mine.id)).code).toBe(403)
  expect((await elsewhere.allow(asking[2]!.id)).code).toBe(403)
  expect(
    (await (await server.as('branch_gm2')).ask(homeDevicesApi.list, { query: { site_id: site } })).code,
  ).toBe(403)
  expect(
    (
      await (
        await server.as('branch_gm2')
      ).ask(homeDevicesApi.remove, { body: { id: mine.id, reason: '试试' } })
    ).code,
  ).toBe(403)
  expect((await (await server.as('pm')).ask(homeDevicesApi.allow, { body: { id: mine.id } })).code).toBe(401)
})

test('one link a contact: a new one, another number, a removal and another owner end it', async () => {
  const home = homes[0]!
  const old = await boundPhone(server, steward, home)
  const wife = await boundPhone(server, service, { contact: spouse, site: home.site })
  const husband = await boundPhone(server, steward, home)
  for (const { code, msg } of [await old.state(), await old.alive()]) expect([code, msg]).toEqual([404, NO])
  expect((await wife.alive()).code).toBe(200)
  const links = await steward.call(linksApi.list, { query: { kind: 'owner', target_id: home.contact } })
  expect(links.filter((l) => l.state === 'live')).toHaveLength(1)
  expect(links[0]!.person).not.toBe('')
  // One of a couple takes nothing from the other; the steward does.
  expect((await wife.remove(husband.id)).code).toBe(403)
  expect((await husband.remove(wife.id)).code).toBe(403)
  // Another number is another hand.
  const edit = { id: spouse, version: 0, name: '陈太太', relation: 'spouse' as const }
  await steward.call(ownersApi.editContact, { body: { ...edit, name: '陈女士', phone: '' } })
  expect((await wife.page()).name).toBe('陈女士')
  await steward.call(ownersApi.editContact, { body: { ...edit, version: 1, phone: '13700002222' } })
  expect((await wife.state()).code).toBe(404)
  const anew = await boundPhone(server, service, { contact: spouse, site: home.site })
  await steward.call(ownersApi.endContact, { body: { id: spouse, version: 2, reason: '不再联系' } })
  expect((await anew.alive()).code).toBe(404)
  expect((await husband.alive()).code).toBe(200)
  expect((await husband.feedback('以前业主的事')).code).toBe(200)
  const [signed] = (await gm.call(ownersApi.list, { query: { id: home.site } })).list
  await gm.call(ownersApi.change, {
    body: {
      id: home.contact,
      version: signed!.contactVersion,
      name: '新业主',
      phone: '13600003333',
      promises: 'taken',
      reason: '房屋转让',
    },
  })
  expect((await husband.state()).code).toBe(404)
  expect(await devices(home.site)).toEqual([])
  expect(
    (await steward.ask(linksApi.create, { body: { kind: 'owner', target_id: home.contact } })).code,
  ).toBe(403)
  // The new owner sees from that day on: nothing of what was told before.
  const [now] = (await gm.call(ownersApi.list, { query: { id: home.site } })).list
  const theirs = await boundPhone(server, steward, { contact: now!.contact_id, site: home.site })
  expect(await theirs.page()).toMatchObject({ name: '新业主', feedback: [] })
})

test('an owner tells what is wrong, once however often it is sent; scores it, and opens it again', async () => {
  const home = homes[1]!
  const phone = await boundPhone(server, steward, home, service)
  const { act } = phone.act()
  const sent = await phone.feedback('厨房漏水', { urgent: true, act })
  expect(await phone.feedback('厨房漏水', { urgent: true, act })).toMatchObject({
    code: 200,
    data: sent.data,
  })
  const { no } = sent.data
  const entered = await enteredOf(no)
  expect(entered).toMatchObject({ channel: 'link', level: 3, n: 1 })
  expect(await unread(entered.id)).toEqual(expect.arrayContaining(['steward']))
  const said = await steward.ask(feedbackApi.enter, {
    body: {
      site_id: home.site,
      kind: 'complaint',
      level: 1,
      about: 'work',
      channel: 'link',
      words: '假装业主',
      pictures: [],
    },
  })
  expect([said.code, said.msg]).toEqual([400, '渠道：业主链接里的反馈由业主自己提交'])
  expect((await phone.feedback('哦')).code).toBe(400)

  const seen = async () => {
    const { id, version } = await gm.call(feedbackApi.details, { query: { id: entered.id } })
    return { id, version }
  }
  const [me] = await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'steward'`)
  await steward.call(feedbackApi.accept, { body: { ...(await seen()), level: 3, assignee_id: me!.id } })
  await steward.call(feedbackApi.answer, {
    body: { id: entered.id, answers: 0, words: '马上来', pictures: [] },
  })
  expect((await phone.score(entered.id, 5)).code).toBe(409)
  await service.call(feedbackApi.close, { body: { ...(await seen()), cause: 'works', result: '换了角阀' } })
  expect((await phone.page()).feedback[0]).toMatchObject({
    status: 3,
    result: '换了角阀',
    mayScore: true,
    mayReopen: true,
  })
  expect((await phone.score(entered.id, 2)).code).toBe(200)
  // It is the owner's own: no name of staff stands beside it, and so low a score is called back.
  expect(await gm.call(feedbackApi.details, { query: { id: entered.id } })).toMatchObject({
    score: 2,
    scoredBy: '',
  })
  expect((await phone.score(entered.id, 5)).msg).toBe('这条反馈已经有满意度')
  expect((await phone.reopen(entered.id, '还在滴水')).code).toBe(200)
  expect((await phone.page()).feedback[0]).toMatchObject({ status: 2, score: null, mayReopen: false })
  // A home reads words of its own, not a clerk's.
  expect((await phone.score(entered.id, 5)).msg).toBe('这条反馈还没有结案，结案以后可以评分')
  expect((await phone.reopen(entered.id, '还在滴水')).msg).toBe('这条反馈还没有结案，不用重新打开')
  await service.call(feedbackApi.answer, {
    body: { id: entered.id, answers: 1, words: '再来看', pictures: [] },
  })
  await service.call(feedbackApi.close, { body: { ...(await seen()), cause: 'works', result: '换了水管' } })
  await server.sql(`UPDATE feedback SET closed_at = :now - interval '7 days' WHERE id = $1`, [entered.id])
  expect((await phone.page()).feedback[0]).toMatchObject({ mayScore: false })
  expect((await phone.score(entered.id, 5)).msg).toBe('结案已满 7 天，不能再评分')
  await server.sql(`UPDATE feedback SET closed_at = :now - interval '9 days' WHERE id = $1`, [entered.id])
  expect((await phone.reopen(entered.id, '又滴水')).msg).toBe('已经过了可以重新打开的日子，请再提一条新的')
  // Of another home nothing is said.
  const other = await boundPhone(server, steward, homes[2]!)
  for (const { code } of [await other.score(entered.id, 1), await other.reopen(entered.id, '不是我家')])
    expect(code).toBe(404)
  expect((await other.page()).feedback.map((f) => f.id)).not.toContain(entered.id)
  // What staff wrote down for them says so, and does not pass for their own words.
  const written = { site_id: home.site, kind: 'praise', level: 1, about: 'work', channel: 'phone' } as const
  const byStaff = await service.call(feedbackApi.enter, {
    body: { ...written, words: '业主来电说谢谢', pictures: [] },
  })
  expect((await phone.page()).feedback.find((f) => f.id === byStaff.id)).toMatchObject({ recorded: true })
  expect((await phone.page()).feedback.find((f) => f.id === entered.id)).toMatchObject({ recorded: false })
  const [line] = await server.sql<{ user_name: string }>(
    `SELECT user_name FROM user_logs WHERE object = 'feedback' AND object_id = $1 AND action = '登记反馈'`,
    [entered.id],
  )
  expect(line!.user_name).toMatch(/^业主 /)
})

test('a promise with its proof comes to the bound device of that home alone; the owner objects', async () => {
  const home = homes[2]!
  const phone = await boundPhone(server, steward, home, service)
  const { id } = await steward.call(promisesApi.add, {
    body: {
      site_id: home.site,
      content: '装好浴室柜',
      subject: 'quality',
      post: 1,
      due: dayAhead(700),
      answers: [],
    },
  })
  const version = async () => (await gm.call(promisesApi.details, { query: { id } })).version
  const picture = await uploadPhoto(server.url, steward)
  expect((await phone.object(id, '没有装')).code).toBe(409)
  await steward.call(promisesApi.keep, {
    body: { id, version: await version(), pictures: [picture], text: '装好了' },
  })
  const shown = (await phone.page()).promises.find((p) => p.id === id)!
  expect(shown).toMatchObject({ state: 'kept', mayObject: true, pictures: [picture] })
  // Kept after its day, the owner reads by how much.
  const lateDays = async () => (await phone.page()).promises.find((p) => p.id === id)!.lateDays
  expect(await lateDays()).toBe(0)
  await server.sql(`UPDATE promises SET due = :today::date - 3, first_due = :today::date - 3 WHERE id = $1`, [
    id,
  ])
  expect(await lateDays()).toBe(3)
  const bytes = await phone.picture(picture)
  expect([bytes.status, bytes.headers.get('cache-control'), bytes.headers.get('content-type')]).toEqual([
    200,
    'no-store',
    'image/webp',
  ])
  const stranger = homePhone(server, phone.token)
  await stranger.state()
  const neighbour = await boundPhone(server, steward, homes[1]!)
  for (const other of [stranger, neighbour]) expect((await other.picture(picture)).status).toBe(403)
  const mine = await uploadPhoto(server.url, steward)
  expect((await phone.picture(mine)).status).toBe(403)
  expect((await phone.object(id, '柜门关不上')).code).toBe(200)
  expect((await gm.call(promisesApi.details, { query: { id } })).objected).toBe(true)
  expect((await phone.page()).promises.find((p) => p.id === id)).toMatchObject({
    objected: true,
    mayObject: false,
  })
  // What they say is a complaint of theirs as well, by their link.
  const words = '对承诺“装好浴室柜”的兑现有异议：柜门关不上'
  expect((await phone.page()).feedback.filter((f) => f.words === words)).toHaveLength(1)
  const { list } = await service.call(feedbackApi.list, { query: { site_id: home.site, keyword: '浴室柜' } })
  expect(list).toMatchObject([{ kind: 'complaint', channel: 'link', words, status: 1 }])
  await steward.call(homeDevicesApi.remove, { body: { id: phone.id, reason: '手机丢了' } })
  expect((await phone.picture(picture)).status).toBe(403)
})

test('the link outlives the works: thirty days after the contract was terminated, once', async () => {
  const home = homes[3]!
  const phone = await boundPhone(server, steward, home, service)
  await server.sql(`UPDATE sites SET contract = '' WHERE id = $1`, [home.site])
  const foreseen = await gm.call(sitesApi.foresee, { query: { id: home.site, change: 'terminate' } })
  expect(JSON.stringify(foreseen)).toContain('1 个业主链接用到终止后 30 天，之后打不开')
  const { version } = await gm.call(sitesApi.details, { query: { id: home.site } })
  await gm.call(sitesApi.state, { body: { id: home.site, version, action: 'terminate', reason: '业主退单' } })
  const terminated = server.now().getTime()
  const [until] = await server.sql<{ at: Date }>(
    `SELECT expires_at AS at FROM links WHERE kind = 'owner' AND target_id = $1 AND revoked_at IS NULL`,
    [home.contact],
  )
  expect(Math.abs(until!.at.getTime() - terminated - 30 * DAY_MS)).toBeLessThan(DAY_MS / 24)
  expect((await phone.alive()).code).toBe(200)
  // One that is made on the twentieth day ends with the thirty days, too.
  server.later(20 * DAY_MS)
  const made = await homeLink(steward, home.contact)
  expect(Math.abs(made.expiresAt * 1_000 - terminated - 30 * DAY_MS)).toBeLessThan(DAY_MS / 24)
  const late = homePhone(server, made.token)
  expect((await late.state()).code).toBe(200)
  server.later(10 * DAY_MS + DAY_MS / 24)
  expect([(await late.state()).msg, (await phone.state()).msg]).toEqual([NO, NO])
  const more = await steward.ask(linksApi.create, { body: { kind: 'owner', target_id: home.contact } })
  expect([more.code, more.msg]).toEqual([409, '保修期已经结束，或者合同终止已满 30 天，不能再发链接'])
})

test('a forwarded link: strangers use up nothing of a telephone that was let in', async () => {
  const home = homes[1]!
  const mine = await boundPhone(server, steward, home)
  const stranger = homePhone(server, mine.token, '10.8.0.1')
  expect((await stranger.state()).data).toMatchObject({ state: 'asking' })
  // As many as they may: then they, and their network, wait; whoever was let in does not.
  const asked = await Promise.all(
    Array.from({ length: 40 }, () => homePhone(server, mine.token, '10.8.0.1').alive()),
  )
  expect(asked.filter((a) => a.code === 429).length).toBeGreaterThan(5)
  let last = await stranger.alive()
  for (let n = 0; n < 60 && last.code !== 429; n += 1)
    last = (await Promise.all(Array.from({ length: 50 }, () => stranger.alive()))).at(-1)!
  expect([last.code, last.msg]).toEqual([429, '这个链接看得太频繁了，请稍后再试'])
  expect((await mine.alive()).code).toBe(200)
  expect((await mine.page()).devices.find((d) => d.mine)).toMatchObject({ state: 'bound' })
  // Nor of one of theirs that waits elsewhere.
  expect((await homePhone(server, mine.token, '10.8.0.2').state()).data).toMatchObject({ state: 'asking' })
  // A link that may be opened twice: strangers open it, and the telephone that was let in goes on.
  const { token } = await steward.call(linksApi.create, {
    body: { kind: 'owner', target_id: home.contact, most: 2 },
  })
  const twice = homePhone(server, token)
  await twice.state()
  const asking = (await devices(home.site)).find((d) => d.state === 'asking')!
  await steward.call(homeDevicesApi.allow, { body: { id: asking.id } })
  await homePhone(server, token, '10.8.0.3').state()
  server.later(40 * 60_000)
  expect((await homePhone(server, token, '10.8.0.3').state()).msg).toBe(NO)
  expect((await twice.alive()).code).toBe(200)
}, 600_000)
