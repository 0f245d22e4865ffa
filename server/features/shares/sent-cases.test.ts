import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { sharesApi } from '@zhuguan/contract/features/shares/shares.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { caseStage, type CaseStage } from '../../testing/casing.ts'
import { openShop, type Shop } from '../../testing/selling.ts'
import { approvedQuotation, customerPhone, shareBy } from '../../testing/sharing.ts'
import { cellsOf, download } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { dayAhead } from '../../testing/time.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { takeBackFallen } from './fallen.service.ts'

let server: TestServer
let shop: Shop
let sales: Person
let gm: Person
let c: CaseStage
beforeAll(async () => {
  server = await startTestServer()
  shop = await openShop(server)
  sales = await server.as('sales')
  gm = await server.as('branch_gm')
  c = await caseStage(server, {
    gm,
    steward: await server.as('steward'),
    service: await server.as('service'),
  })
})
afterAll(() => server.stop())

const password = 'abcd1234'
const row = async (id: string, who: Person) => (await who.call(sharesApi.list, { query: { id } })).list[0]
const told = async (words: string) =>
  (
    await server.sql<{ user_name: string }>(
      `SELECT DISTINCT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
       WHERE n.title LIKE $1 ORDER BY 1`,
      [`%${words}%`],
    )
  ).map((r) => r.user_name)

test('a case may be of any branch, a link to it is of who sent it: others neither list, copy nor end it', async () => {
  const id = await c.published(c.homes[0]!)
  const link = await shareBy(sales, { kind: 'share', target_id: id, person: '客户王小明' })
  for (const name of ['branch_gm2', 'quoter2', 'other_quoter']) {
    const who = await server.as(name)
    const list = await who.ask(linksApi.list, { query: { kind: 'share', target_id: id } })
    expect(list.code === 200 ? list.data : [], name).toEqual([])
    for (const call of [linksApi.copy, linksApi.renew, linksApi.revoke])
      expect((await who.ask(call, { body: { id: link.id } })).status, `${name} ${call.path}`).toBe(403)
  }
  expect(await row(link.id, sales)).toMatchObject({ state: 'live' })
  // Its own store and branch go on.
  expect((await sales.call(linksApi.copy, { body: { id: link.id } })).token).toBe(link.token)
  const list = await gm.call(linksApi.list, { query: { kind: 'share', target_id: id } })
  expect(list.map((l) => l.person)).toEqual(['客户王小明'])
  // Another branch sends the same case, and sees its own link alone.
  const far = await server.as('quoter2')
  const own = await shareBy(far, { kind: 'share', target_id: id, person: '宁波客户' })
  const seen = await far.call(linksApi.list, { query: { kind: 'share', target_id: id } })
  expect(seen.map((l) => l.id)).toEqual([own.id])
})

test('a link to a case of another branch is valid for its maker and their branch, until they end it', async () => {
  const id = await c.published(c.homes[4]!)
  const far = await server.as('quoter2')
  const boss = await server.as('branch_gm2')
  const link = await shareBy(far, { kind: 'share', target_id: id, person: '宁波客户二' })
  for (const who of [far, boss]) {
    expect(await row(link.id, who)).toMatchObject({ state: 'live', customerName: '宁波客户二' })
    const only = async (state: 'live' | 'over') =>
      (await who.call(sharesApi.list, { query: { state: [state], id: link.id } })).totalCount
    expect([await only('live'), await only('over')]).toEqual([1, 0])
    const { link: told } = await who.call(sharesApi.openings, { query: { id: link.id } })
    expect(told.state).toBe('live')
  }
  const sheet = await cellsOf(await download(server.url, boss, sharesApi.export, { id: link.id }))
  expect(sheet).toHaveLength(2)
  expect(sheet[1]).toContain('有效')
  // The branch of the case did not send it, and reads nothing of it.
  expect(await row(link.id, gm)).toBeUndefined()
  expect((await gm.ask(sharesApi.openings, { query: { id: link.id } })).status).toBe(403)
  await boss.call(linksApi.revoke, { body: { id: link.id } })
  for (const who of [far, boss]) expect(await row(link.id, who)).toMatchObject({ state: 'revoked' })
})

test('no link to a case says or lives longer than its home agreed', async () => {
  const id = await c.made(c.homes[5]!)
  await c.maskAll(id)
  await c.releaseAll(id)
  expect((await c.askFor(id, { until: dayAhead(5) })).code).toBe(200)
  expect((await c.onPaper(id, c.homes[5]!)).code).toBe(200)
  expect((await c.publish(id)).code).toBe(200)
  const lastSecond = (days: number) => Date.parse(`${dayAhead(days)}T23:59:59+08:00`) / 1_000
  const body = { kind: 'share' as const, target_id: id }
  const [usual, long, short] = [
    await shareBy(sales, body),
    await shareBy(sales, { ...body, hours: 180 * 24 }),
    await shareBy(sales, { ...body, hours: 24 }),
  ]
  expect([usual.expiresAt, long.expiresAt]).toEqual([lastSecond(5), lastSecond(5)])
  expect(Math.abs(short.expiresAt - server.now().getTime() / 1_000 - 86_400)).toBeLessThan(60)
  expect(await row(usual.id, sales)).toMatchObject({ expiresAt: lastSecond(5), state: 'live' })
  // Agreed to anew for less, the links of before follow; what ends sooner stays as it is.
  await server.sql('UPDATE cases SET until = $2 WHERE id = $1', [id, dayAhead(3)])
  expect(await server.db.tx(SYSTEM, (tx) => takeBackFallen(tx, sales.tenant))).toBe(0)
  expect((await row(long.id, sales))!.expiresAt).toBe(lastSecond(3))
  expect((await row(short.id, sales))!.expiresAt).toBe(short.expiresAt)
})

test('what is shown no more is no valid link: the list says so, nobody copies it, its maker hears once', async () => {
  const id = await c.published(c.homes[1]!)
  const link = await shareBy(sales, { kind: 'share', target_id: id, person: '陈女士' })
  expect(await row(link.id, sales)).toMatchObject({ state: 'live' })
  const { version } = await c.details(id, gm)
  await gm.call(casesApi.takeDown, { body: { id, version, reason: '换一张照片' } })
  expect(await row(link.id, sales)).toMatchObject({ state: 'over' })
  for (const call of [linksApi.copy, linksApi.renew])
    expect((await sales.ask(call, { body: { id: link.id } })).msg).toBe(
      '这个案例没有上架，或者业主没有同意用链接分享',
    )
  const back = () => server.db.tx(SYSTEM, (tx) => takeBackFallen(tx, sales.tenant))
  // Taken down it may come back; what its home took back does not.
  expect(await back()).toBe(0)
  expect((await c.publish(id)).code).toBe(200)
  expect(await row(link.id, sales)).toMatchObject({ state: 'live' })
  const now = await c.details(id, gm)
  await gm.call(casesApi.withdraw, { body: { id, version: now.version, reason: '业主来电' } })
  expect(await row(link.id, sales)).toMatchObject({ state: 'over' })
  expect(await back()).toBe(1)
  expect(await back()).toBe(0)
  expect(await row(link.id, sales)).toMatchObject({ state: 'revoked' })
  expect(await told('您发给陈女士的链接已收回')).toEqual(['sales'])
})

test('a quotation that is void ends its links in the list, and is sent by none', async () => {
  const q = await approvedQuotation(shop)
  const link = await shareBy(shop.quoter, { kind: 'quotation', target_id: q.version_id, password })
  const { version } = await shop.seen(q.id)
  await shop.quoter.call(quotationsApi.void, { body: { id: q.id, version, reason: '客户不做了' } })
  expect(await row(link.id, shop.quoter)).toMatchObject({ state: 'over' })
  expect(
    (await shop.quoter.call(sharesApi.list, { query: { state: ['live'], id: link.id } })).totalCount,
  ).toBe(0)
  expect((await shop.quoter.ask(linksApi.renew, { body: { id: link.id } })).msg).toBe(
    '只能分享审核通过、没有作废、还在有效期内的报价',
  )
})

test('who does not want to hear from us is sent nothing, by no door', async () => {
  const q = await approvedQuotation(shop)
  const link = await shareBy(shop.quoter, { kind: 'quotation', target_id: q.version_id, password })
  const [k] = await server.sql<{ id: string }>(
    'UPDATE customers SET refuses = true WHERE id = (SELECT customer_id FROM quotations WHERE id = $1) RETURNING id',
    [q.id],
  )
  const WHY = '王女士 拒绝联系，不能再给他发内容'
  const body = { kind: 'quotation' as const, target_id: q.version_id, password }
  expect((await shop.quoter.ask(linksApi.create, { body })).msg).toBe(WHY)
  for (const call of [linksApi.copy, linksApi.renew])
    expect((await shop.quoter.ask(call, { body: { id: link.id } })).msg).toBe(WHY)
  const shown = await c.published(c.homes[2]!)
  const share = { kind: 'share' as const, target_id: shown, customer_id: k!.id }
  expect((await shop.gm.ask(linksApi.create, { body: share })).msg).toBe(WHY)
  // What was sent before is theirs to look at.
  expect((await customerPhone(server, link.token).open(password)).code).toBe(200)
})

test('a number of somebody whom nobody has stands in their history, and who sent the link hears of it', async () => {
  const id = await c.published(c.homes[3]!)
  const link = await shareBy(sales, { kind: 'share', target_id: id, person: '' })
  const phone = customerPhone(server, link.token)
  await phone.open()
  const [place] = await server.sql<{ bc_id: string; store_id: string }>(
    'SELECT bc_id, store_id FROM links WHERE id = $1',
    [link.id],
  )
  const known = await sales.call(customersApi.add, {
    body: { ...place!, name: '王先生', phone: '13655558888', community: '', address: '' },
  })
  await server.sql(`UPDATE customers SET held = 'pool', consultant_id = NULL WHERE id = $1`, [known.id])
  await server.sql('DELETE FROM notifications')
  expect((await phone.interest({ name: '王先生', phone: '13655558888' })).data).toBeNull()
  const events = await server.sql<{ act: string; text: string }>(
    `SELECT act, text FROM customer_events WHERE customer_id = $1 AND act = 'left'`,
    [known.id],
  )
  expect(events).toEqual([
    { act: 'left', text: '在“南北通透的家”里点了“我要了解”，留的是王先生 136****8888' },
  ])
  expect(await told('留了电话想了解，请尽快联系')).toContain('sales')
  // Another number than the customer's, left behind a link of theirs, is one of theirs: it can be rung back.
  const [me] = await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'sales'`)
  const theirs = await sales.call(customersApi.add, {
    body: { ...place!, name: '张三', phone: '13700137771', consultant_id: me!.id },
  })
  const sent = await shareBy(sales, { kind: 'share', target_id: id, customer_id: theirs.id, person: '' })
  const other = customerPhone(server, sent.token)
  await other.open()
  for (let i = 0; i < 2; i += 1)
    expect((await other.interest({ name: '李四', phone: '13700137770' })).data).toBeNull()
  const kept = await server.sql<{ name: string; phone: string }>(
    'SELECT name, phone FROM customer_contacts WHERE customer_id = $1',
    [theirs.id],
  )
  expect(kept).toEqual([{ name: '李四', phone: '13700137770' }])
  // Under other names the same number is the same call to make; another number is another.
  for (const name of ['李小姐', '李四太太', '四'])
    expect((await other.interest({ name, phone: '13700137770' })).data).toBeNull()
  const planned = async () =>
    (
      await server.sql<{ content: string }>(
        `SELECT content FROM follow_ups WHERE customer_id = $1 AND state = 'planned' ORDER BY made_at`,
        [theirs.id],
      )
    ).map((f) => f.content)
  expect(await planned()).toEqual(['在“南北通透的家”里点了“我要了解”，留的是李四 137****7770'])
  await other.interest({ name: '李四', phone: '13700137771' })
  expect(await planned()).toHaveLength(2)
})
