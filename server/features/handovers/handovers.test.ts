import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { type Deals, openDeals } from '../../testing/dealing.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

const { customers, handovers } = api
let server: TestServer
let shop: Deals
let sales: Person, gm: Person, quoter: Person, steward: Person, hq: Person
let place: { bc_id: string; store_id: string }
const people: Record<string, string> = {}
beforeAll(async () => {
  server = await startTestServer()
  server.later(startOfDay(shanghaiDay(server.now())).getTime() + 36_000_000 - server.now().getTime())
  sales = await server.as('sales')
  gm = await server.as('branch_gm')
  quoter = await server.as('quoter')
  steward = await server.as('steward')
  hq = await server.as('hq_ops')
  shop = await openDeals(server)
  place = (
    await server.sql<typeof place>(
      `SELECT s.bc_id, s.id AS store_id FROM users u JOIN user_stores t ON t.user_id = u.id
       JOIN stores s ON s.id = t.store_id WHERE u.user_name = 'sales' ORDER BY s.name LIMIT 1`,
    )
  )[0]!
  for (const u of await server.sql<{ user_name: string; id: string }>('SELECT user_name, id FROM users'))
    people[u.user_name] = u.id
})
afterAll(() => server.stop())
const today = () => shanghaiDay(server.now())
let many = 0
const add = async (who: Person, more: object = {}) => {
  many += 1
  const body = {
    ...place,
    name: `业主${many}`,
    phone: `1360000${String(1000 + many)}`,
    community: '江南里',
    ...more,
  }
  return (await who.call(customers.add, { body })).id
}
const brief = (id: string, who = sales) => who.call(handovers.brief, { query: { customer_id: id } })
const WORDS = {
  taste: '原木色，少吊顶',
  people: '老人腿脚不便，孩子两岁',
  fears: '怕拖工期，怕增项',
  given: '送全屋窗帘杆',
}
const write = async (id: string, more: object = {}, who = sales) =>
  who.ask(handovers.write, {
    body: { customer_id: id, version: (await brief(id)).version, ...WORDS, ...more },
  })
const promise = (id: string, more: object = {}, who = sales) =>
  who.ask(handovers.promise, {
    body: {
      customer_id: id,
      subject: 'goods',
      content: '瓷砖按样板间的型号',
      due: addDays(today(), 40),
      post: 1,
      ...more,
    },
  })
/** From the quotation to the signature, by the people who do it. */
const signFor = async (id: string) => {
  const quotation = await quoter.call(api.quotations.add, {
    body: { customer_id: id, content: shop.content() },
  })
  await shop.submit(quotation.id)
  await shop.judge(quotation.id)
  const { version } = await shop.seen(quotation.id)
  const contract = await gm.call(api.contracts.add, { body: { id: quotation.id, version } })
  const signed = await shop.sign(contract.id)
  expect(signed.msg).toBe('')
  return signed.data.site_id
}
const sheetAt = async (site: string, who = gm) =>
  (await who.call(handovers.ofSite, { query: { site_id: site } })).sheet!
const keep = async (site: string) => {
  const [w] = await server.sql<{ version: number }>('SELECT version FROM sites WHERE id = $1', [site])
  await gm.call(api.sites.people, {
    body: { id: site, version: w!.version, steward_id: people.steward!, manager_id: people.pm! },
  })
}
const one = async (site: string) => {
  const { id, version } = await sheetAt(site)
  return { id, version }
}
const unread = async (cause: string) =>
  (
    await server.sql<{ user_name: string }>(
      `SELECT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
       WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY 1`,
      [cause],
    )
  ).map((n) => n.user_name)

test('a signature makes one sheet of what the consultant knew; asked, answered, confirmed by the steward', async () => {
  const id = await add(sales, { consultant_id: people.sales })
  await sales.call(customers.addContact, {
    body: { id, version: 0, name: '李先生', relation: 'spouse', phone: '13900138999' },
  })
  expect((await write(id)).code).toBe(200)
  expect((await promise(id)).code).toBe(200)
  expect((await promise(id, { subject: 'schedule', content: '九十天完工', post: 2 })).code).toBe(200)
  expect((await promise(id, { content: '送一台净水器' })).code).toBe(200)
  const gift = (await brief(id)).promises.find((p) => p.content === '送一台净水器')!
  const back = { id: gift.id, version: gift.version, reason: '客户改要折扣' }
  await sales.call(handovers.withdraw, { body: back })
  const site = await signFor(id)
  const sheet = await sheetAt(site)
  expect(sheet).toMatchObject({
    ...WORDS,
    state: 'waiting',
    consultantName: (await brief(id)).promises[0]!.authorName,
    contacts: [{ name: '李先生', relation: 'spouse' }],
    questions: [],
  })
  // Both are promises of the home now, by who gave them; what was taken back is none.
  expect(sheet.promises.map((p) => [p.content, p.state, p.post]).toSorted()).toEqual([
    ['九十天完工', 'open', 2],
    ['瓷砖按样板间的型号', 'open', 1],
  ])
  const rows = await server.sql(
    `SELECT p.source, p.author_id, p.responsible_id, p.due = p.first_due AS same FROM promises p WHERE p.site_id = $1`,
    [site],
  )
  expect(rows).toEqual(
    [1, 2].map(() => ({ source: 'customer', author_id: people.sales, responsible_id: null, same: true })),
  )
  // Nobody keeps the home yet, and who names somebody has signed it: the steward hears once named, and alone confirms.
  expect(await unread(sheet.id)).toEqual([])
  const early = await steward.ask(handovers.confirm, { body: await one(site) })
  expect(early.code).not.toBe(200)
  await keep(site)
  expect(await unread(sheet.id)).toEqual(['steward'])
  const kept = await server.sql(
    'SELECT post, responsible_id FROM promises WHERE site_id = $1 ORDER BY post',
    [site],
  )
  expect(kept).toEqual([
    { post: 1, responsible_id: people.steward },
    { post: 2, responsible_id: people.pm },
  ])
  for (const who of [await server.as('pm'), hq, sales]) {
    const refused = await who.ask(handovers.confirm, { body: await one(site) })
    expect([401, 403, 404]).toContain(refused.code)
  }
  // Asked back: the consultant hears, only they answer, and nothing is confirmed meanwhile.
  await steward.call(handovers.ask, { body: { ...(await one(site)), text: '窗帘杆送几根' } })
  expect(await unread(sheet.id)).toEqual(['sales'])
  const soon = await steward.ask(handovers.confirm, { body: await one(site) })
  expect(soon.msg).toContain('待顾问答复')
  const notTheirs = await quoter.ask(handovers.answer, { body: { ...(await one(site)), text: '两根' } })
  expect(notTheirs.msg).toContain('顾问')
  const stale = { ...(await one(site)), version: 0, text: '四根，含卫生间' }
  expect((await sales.ask(handovers.answer, { body: stale })).code).toBe(409)
  await sales.call(handovers.answer, { body: { ...stale, ...(await one(site)) } })
  expect(await unread(sheet.id)).toEqual(['steward'])
  await steward.call(handovers.confirm, { body: await one(site) })
  const [at] = (await brief(id)).sheets
  expect(at).toMatchObject({
    state: 'confirmed',
    questions: [{ text: '窗帘杆送几根', answer: '四根，含卫生间' }],
  })
  expect(at!.confirmedBy).toBe(at!.stewardName)
  expect(await unread(sheet.id)).toEqual([])
  expect((await steward.ask(handovers.confirm, { body: await one(site) })).code).not.toBe(200)
  // What was handed over is not rewritten.
  expect((await write(id, { given: '什么都没送' })).msg).toContain('已经签约')
  expect((await promise(id)).msg).toContain('已经签约')
  const log = await server.sql<{ action: string }>(
    `SELECT action FROM user_logs WHERE object = 'handover' AND object_id = $1 ORDER BY at, action`,
    [sheet.id],
  )
  expect(log.map((l) => l.action).toSorted()).toEqual(['交底确认交底', '交底答复', '交底问顾问'].toSorted())
})

test('only the consultant writes it, no number stands in it, two hands do not overwrite each other', async () => {
  const id = await add(sales, { consultant_id: people.sales })
  expect((await write(id, {}, quoter)).msg).toContain('顾问是')
  for (const people of [
    '妈妈 13812345678',
    '妈妈 138 1234 5678',
    '爸爸１３８１２３４５６７８',
    '座机 0571-88886666',
  ])
    expect((await write(id, { people })).msg, people).toContain('电话号码')
  expect((await promise(id, { content: '打 13812345678 约时间' })).msg).toContain('电话号码')
  expect((await promise(id, { due: addDays(today(), -1) })).msg).toContain('不能早于今天')
  expect((await promise(id, { due: addDays(today(), 731) })).msg).toContain('两年之内')
  const { version } = await brief(id)
  const both = await Promise.all(
    ['甲', '乙'].map((taste) =>
      sales.ask(handovers.write, { body: { customer_id: id, version, ...WORDS, taste } }),
    ),
  )
  expect(both.map((b) => b.code).toSorted()).toEqual([200, 409])
  // Of another store, branch or group nothing is read.
  for (const who of ['quoter2', 'other_quoter'])
    expect((await (await server.as(who)).ask(handovers.brief, { query: { customer_id: id } })).code).toBe(403)
  // Nobody wrote anything: an empty sheet is one all the same.
  const bare = await add(sales, { consultant_id: people.sales })
  const sheet = await sheetAt(await signFor(bare))
  expect(sheet).toMatchObject({ taste: '', people: '', fears: '', promises: [], state: 'waiting' })
})

test('merged: what was written of both goes to the one, with what was promised to either', async () => {
  const wife = await add(sales, { name: '王女士', consultant_id: people.sales })
  const husband = await add(sales, { name: '李先生', consultant_id: people.sales })
  await write(wife, { taste: '浅色' })
  await write(husband, { taste: '要大书房', given: '' })
  await promise(husband)
  const seen = async (id: string) => (await gm.call(customers.details, { query: { id } })).version
  await gm.call(customers.merge, {
    body: {
      id: husband,
      version: await seen(husband),
      into: wife,
      intoVersion: await seen(wife),
      reason: '夫妻',
    },
  })
  const both = await brief(wife)
  expect(both.taste).toBe('浅色；要大书房')
  expect(both.given).toBe(WORDS.given)
  expect(both.promises.map((p) => p.content)).toEqual(['瓷砖按样板间的型号'])
  expect((await sheetAt(await signFor(wife))).promises).toHaveLength(1)
})
