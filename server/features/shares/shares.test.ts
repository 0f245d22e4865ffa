import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { followUpsApi } from '@zhuguan/contract/features/customers/follow-ups.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { sharesApi } from '@zhuguan/contract/features/shares/shares.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays } from '../../kit/shanghai.ts'
import { forgetTonight } from '../../testing/nights.ts'
import { openShop, type Shop } from '../../testing/selling.ts'
import { approvedQuotation, customerPhone, shareBy } from '../../testing/sharing.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let shop: Shop
let sales: Person
beforeAll(async () => {
  server = await startTestServer()
  shop = await openShop(server)
  sales = await server.as('sales')
  // Hours and days pass in these stories.
  await server.sql(`UPDATE sessions SET expires_at = expires_at + interval '900 days'`)
})
afterAll(() => server.stop())

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const NO = '链接打不开：可能已过期、被收回或用完次数，或者需要密码。请向发给您的人重新要一个'
const password = 'abcd1234'
/** A link to a quotation of somebody new, and the telephone that it was sent to. */
async function sent(more: object = {}, content: object = {}) {
  const q = await approvedQuotation(shop, content)
  const made = await shareBy(shop.quoter, { kind: 'quotation', target_id: q.version_id, password, ...more })
  const phone = customerPhone(server, made.token)
  return { q, ...made, phone }
}
const row = async (id: string, who = shop.quoter) =>
  (await who.call(sharesApi.list, { query: { id } })).list[0]!
const openings = async (id: string) => (await shop.quoter.call(sharesApi.openings, { query: { id } })).list

test('a quotation as its paper says it: no cost, no name of ours but who sent it', async () => {
  const { id, phone, q } = await sent()
  expect((await phone.open(password)).data).toMatchObject({ kind: 'quotation' })
  const { data } = await phone.read()
  expect(data).toMatchObject({ kind: 'quotation', title: `${q.code} 第 1 版`, person: '王女士' })
  expect(data.quotation).toMatchObject({
    code: q.code,
    number: 1,
    expired: false,
    total: '89,700.50',
    community: '江南里',
  })
  expect(data.quotation!.steps.map((s) => s.amount)).toEqual([
    '90,000.00',
    '-400.00',
    '0.00',
    '100.50',
    '0.00',
  ])
  expect(data.quotation!.lines.map((l) => [l.room, l.name, l.price, l.amount])).toEqual([
    ['客厅', '店里地砖', '套餐内', ''],
    ['客厅', '店里地砖', '40.00', '-400.00'],
    ['客厅', '店里乳胶漆', '33.50', '100.50'],
  ])
  const own = await shop.seen(q.id, shop.gm)
  const text = JSON.stringify(data)
  expect(own.sum.cost).not.toBeNull()
  for (const word of ['31.07', '20.19', own.sum.cost!, own.sum.margin!, '3 幢 1201', '1382', 'product_id'])
    expect(text).not.toContain(word)
  expect(await row(id)).toMatchObject({
    kind: 'quotation',
    title: `${q.code} 第 1 版`,
    customerName: '王女士',
    openings: 1,
    state: 'live',
    hasPassword: true,
    unfollowed: true,
    otherDevice: false,
  })
})

test('only what was approved, is not void and is in its days is sent, and never without a password', async () => {
  const draft = await shop.draft()
  const { version_id } = await shop.seen(draft)
  const over = '只能分享审核通过、没有作废、还在有效期内的报价'
  const ask = (target_id: string, more: object = {}) =>
    shop.quoter.ask(linksApi.create, {
      body: {
        kind: 'quotation',
        target_id,
        person: '',
        customer_id: null,
        hours: null,
        most: null,
        password,
        ...more,
      },
    })
  expect((await ask(version_id)).msg).toBe(over)
  const q = await approvedQuotation(shop)
  expect((await ask(q.version_id, { password: null })).msg).toBe(
    '看得到报价的链接必须设密码（4-20 位字母或数字）',
  )
  expect((await ask(q.version_id, { hours: 60 * 24 + 1 })).msg).toBe('最多有效 60 天')
  const { token } = await shareBy(shop.quoter, { kind: 'quotation', target_id: q.version_id, password })
  const phone = customerPhone(server, token)
  expect((await phone.open(password)).code).toBe(200)
  const { version } = await shop.seen(q.id)
  await shop.quoter.call(quotationsApi.void, { body: { id: q.id, version, reason: '客户不装了' } })
  expect(await phone.state()).toMatchObject({ code: 404, msg: NO })
  expect((await ask(q.version_id)).msg).toBe(over)
})

test('past its days the page says so and no price; a new link to it is refused', async () => {
  const { phone, q } = await sent({ hours: 60 * 24 }, { validUntil: addDays(shop.today, 2) })
  await phone.open(password)
  const before = (await phone.state()).data
  expect(before.quotation!.expired).toBe(false)
  server.later(4 * DAY)
  const { data } = await phone.state()
  expect(data.quotation).toMatchObject({
    expired: true,
    total: '',
    steps: [],
    lines: [],
    others: [],
    sums: [],
    validUntil: addDays(shop.today, 2),
  })
  expect(JSON.stringify(data)).not.toMatch(/89,700|100\.50|90,000/)
  expect(
    (
      await shop.quoter.ask(linksApi.create, {
        body: {
          kind: 'quotation',
          target_id: q.version_id,
          password,
          person: '',
          customer_id: null,
          hours: null,
          most: null,
        },
      })
    ).msg,
  ).toBe('只能分享审核通过、没有作废、还在有效期内的报价')
})

test('its maker copies it again, and a new one kills the one before; both are in the log', async () => {
  const { id, phone, token } = await sent()
  expect((await phone.open(password)).code).toBe(200)
  const copied = await shop.quoter.call(linksApi.copy, { body: { id } })
  expect(copied.token).toBe(token)
  const renewed = await shop.quoter.call(linksApi.renew, { body: { id } })
  expect(renewed.token).not.toBe(token)
  expect(await phone.state()).toMatchObject({ status: 404, msg: NO })
  expect(await phone.open(password)).toMatchObject({ status: 404, msg: NO })
  const next = customerPhone(server, renewed.token)
  expect((await next.open(password)).code).toBe(200)
  expect((await shop.quoter.call(linksApi.copy, { body: { id } })).token).toBe(renewed.token)
  const logs = await server.sql<{ action: string }>(
    `SELECT action FROM user_logs WHERE object = 'link' AND object_id = $1 ORDER BY action`,
    [id],
  )
  expect(logs.map((l) => l.action).toSorted()).toEqual(['复制链接', '复制链接', '换新链接', '新建链接'])
  await shop.quoter.call(linksApi.revoke, { body: { id } })
  expect(await next.state()).toMatchObject({ status: 404, msg: NO })
  expect((await next.seen(10, ['total'])).msg).toBe(NO)
  expect((await next.interest()).msg).toBe(NO)
  expect((await shop.quoter.ask(linksApi.copy, { body: { id } })).msg).toContain('已经收回或过期')
  expect((await shop.quoter.ask(linksApi.renew, { body: { id } })).msg).toContain('已经收回或过期')
  // Nobody knows the secret from what is kept.
  const [kept] = await server.sql<{ hash: Buffer }>('SELECT hash FROM links WHERE id = $1', [id])
  expect(renewed.token).not.toContain(kept!.hash.toString('base64url'))
})

test('who may not send it neither sees it nor copies it', async () => {
  const { id } = await sent()
  const people = ['quoter2', 'other_quoter', 'pm', 'acceptor']
  for (const name of people) {
    const who = await server.as(name)
    for (const call of [linksApi.copy, linksApi.renew, linksApi.revoke])
      expect((await who.ask(call, { body: { id } })).code, `${name} ${call.path}`).not.toBe(200)
    const list = await who.ask(sharesApi.list, { query: { id } })
    if (list.code === 200) expect(list.data.list, name).toEqual([])
    expect((await who.ask(sharesApi.openings, { query: { id } })).code, name).not.toBe(200)
  }
  const hq = await server.as('hq_ops')
  expect((await hq.call(sharesApi.list, { query: { id } })).list).toHaveLength(1)
  expect((await hq.ask(linksApi.copy, { body: { id } })).code).not.toBe(200)
  expect(await row(id)).toMatchObject({ state: 'live' })
})

test('an opening is when, how long and what; a second device is a guess, without storage there is none', async () => {
  const { id, phone, token } = await sent()
  await phone.open(password)
  await phone.state()
  server.later(10_000)
  await phone.seen(10, ['total'])
  server.later(10_000)
  await phone.seen(10, ['total', 'lines'])
  // What the page of a quotation does not have, nobody has looked at.
  await phone.seen(0, ['cases', 'pictures', 'sites', 'package'])
  expect(await openings(id)).toMatchObject([{ seconds: 20, looked: ['lines', 'total'], device: 1 }])
  expect(await row(id)).toMatchObject({ openings: 1, otherDevice: false })
  // Whoever says more than has passed is not believed.
  for (let i = 0; i < 5; i += 1) await phone.seen(15, ['total'])
  expect((await openings(id))[0]!.seconds).toBeLessThan(40)
  for (let i = 0; i < 2; i += 1) {
    const visit = customerPhone(server, token, { kept: false })
    await visit.open(password)
    expect((await visit.read()).code).toBe(200)
  }
  expect((await openings(id)).map((o) => o.device).sort()).toEqual([1, null, null])
  expect(await row(id)).toMatchObject({ openings: 3, otherDevice: false })
  const other = customerPhone(server, token)
  await other.open(password)
  await other.read()
  expect(await row(id)).toMatchObject({ openings: 4, otherDevice: true })
  expect((await phone.seen(16, ['total'])).code).not.toBe(200)
})

test('what is fetched and not looked at is no opening; it spends what a limit leaves, and nobody is told', async () => {
  const { id, phone, token } = await sent({ most: 2 })
  const told = async () =>
    (
      await server.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM notifications n JOIN links l ON l.id = $1 WHERE position(l.title IN n.title) > 0
           AND n.title LIKE '%打开了您发的%'`,
        [id],
      )
    )[0]!.n
  const reader = customerPhone(server, token, { kept: false })
  await reader.open(password)
  expect((await reader.state()).code).toBe(200)
  // A page in the background says that nothing of it was in sight.
  await reader.seen(0, ['total'])
  expect(await row(id)).toMatchObject({
    openings: 0,
    told: 1,
    lastOpenedAt: null,
    unfollowed: false,
    state: 'live',
  })
  expect([await openings(id), await told()]).toEqual([[], 0])
  await phone.open(password)
  await phone.state()
  server.later(20_000)
  const before = Math.floor(server.now().getTime() / 1_000)
  // Its page was lost on the way to say that it is there: its next word does.
  await phone.seen(10, ['total'])
  expect(await row(id)).toMatchObject({
    openings: 1,
    told: 2,
    otherDevice: false,
    unfollowed: true,
    state: 'used',
  })
  const [one, ...more] = await openings(id)
  expect([one!.device, one!.at >= before, more]).toEqual([1, true, []])
  expect(await told()).toBe(1)
  // Once more is the same opening, whoever says so at the same time.
  await Promise.all([phone.painted(), phone.painted(), phone.seen(5, ['lines'])])
  expect(await row(id)).toMatchObject({ openings: 1, told: 2 })
  // Nobody else gets in by never saying that they look.
  const third = customerPhone(server, token)
  await third.open(password)
  expect(await third.state()).toMatchObject({ code: 404, msg: NO })
  // The page that lay behind is brought to the front.
  await reader.painted()
  expect(await row(id)).toMatchObject({ openings: 2, told: 2, otherDevice: false })
  expect((await openings(id)).map((o) => o.device)).toEqual([null, 1])
})

test('staff who look at their own link open nothing; programs that read it are told nothing', async () => {
  const { id, phone } = await sent({ most: 1 })
  await phone.open(password)
  const cookie = { cookie: `a=b; Access-Token=${shop.quoter.token}` }
  expect((await phone.read(cookie)).code).toBe(200)
  expect((await phone.state({ 'user-agent': 'Mozilla/5.0 (compatible; Baiduspider/2.0)' })).code).toBe(404)
  expect(await row(id)).toMatchObject({ openings: 0, lastOpenedAt: null })
  const stranger = await server.as('other_quoter')
  expect((await phone.read({ cookie: `Access-Token=${stranger.token}` })).code).toBe(200)
  expect(await row(id)).toMatchObject({ openings: 1 })
})

test('the first opening tells who sent it, once; followed up it is done', async () => {
  const { id, phone, q } = await sent()
  await phone.open(password)
  await phone.read()
  server.later(40 * MINUTE)
  await phone.read()
  const told = await server.sql<{ user_name: string }>(
    `SELECT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id WHERE n.title LIKE $1`,
    [`王女士 打开了您发的报价单“${q.code}%`],
  )
  expect(told).toEqual([{ user_name: 'quoter' }])
  const listed = (who: Person) => who.call(sharesApi.list, { query: { unfollowed: true, id } })
  expect((await listed(shop.quoter)).list).toHaveLength(1)
  const { id: me } = (await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'quoter'`))[0]!
  const { version } = await shop.gm.call(customersApi.details, { query: { id: q.customer_id } })
  await shop.gm.call(customersApi.assign, { body: { list: [{ id: q.customer_id, version }], to: me } })
  await shop.quoter.call(followUpsApi.add, {
    body: {
      customer_id: q.customer_id,
      kind: 'phone',
      at: Math.floor(server.now().getTime() / 1_000),
      content: '聊了报价',
    },
  })
  expect((await listed(shop.quoter)).list).toEqual([])
})

test('我要了解: a follow-up where it is known, the same answer to all of them, and bounded', async () => {
  const { id, phone, q } = await sent()
  await phone.open(password)
  const act = crypto.randomUUID()
  const one = await phone.interest({ act })
  const again = await phone.interest({ act })
  expect([one.code, one.data, again.code]).toEqual([200, null, 200])
  // It is of a customer already: theirs is the follow-up, and nobody new is written down.
  const [k] = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM customers WHERE phone = '13655550001'`,
  )
  expect(k!.n).toBe(0)
  const notes = await server.sql<{ title: string }>(
    `SELECT DISTINCT title FROM notifications WHERE cause_id = $1 AND title LIKE '%留了电话想了解%'`,
    [q.customer_id],
  )
  expect(notes).toHaveLength(1)
  for (const bad of [{ phone: '12345' }, { phone: '' }, { name: ' ' }, { agreed: false as never }])
    expect((await phone.interest(bad)).code).not.toBe(200)
  const answers = []
  for (let i = 0; i < 14; i += 1)
    answers.push((await phone.interest({ phone: `1366666${String(1_000 + i)}` })).code)
  expect(answers).toContain(429)
  expect(await row(id)).toMatchObject({ state: 'live' })
})

test('after half a year the visits are gone, and the count stays', async () => {
  const { id, phone } = await sent()
  await phone.open(password)
  await phone.read()
  await server.sql(`UPDATE link_openings SET at = at - interval '181 days' WHERE link_id = $1`, [id])
  await forgetTonight(server, 'link_openings', shop.quoter.tenant)
  expect(await openings(id)).toEqual([])
  expect(await row(id)).toMatchObject({ openings: 1 })
})

test('a customer who is merged away takes along what was sent; sales of another store see nothing of it', async () => {
  const { id, q } = await sent()
  const into = (
    await shop.gm.call(customersApi.add, {
      body: {
        bc_id: shop.bc_id,
        store_id: shop.store_id,
        name: '王先生',
        phone: '13655559999',
        community: '江南里',
      },
    })
  ).id
  const seen = async (of: string) => ({
    id: of,
    version: (await shop.gm.call(customersApi.details, { query: { id: of } })).version,
  })
  const to = await seen(into)
  await shop.gm.call(customersApi.merge, {
    body: { ...(await seen(q.customer_id)), into, intoVersion: to.version, reason: '夫妻' },
  })
  expect(await row(id)).toMatchObject({ customer_id: into, customerName: '王先生' })
  expect(sales.tenant).toBe(shop.quoter.tenant)
})
