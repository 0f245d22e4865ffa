import { randomUUID } from 'node:crypto'

import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { previewsApi } from '@zhuguan/contract/features/shares/previews.api.ts'
import { sharesApi } from '@zhuguan/contract/features/shares/shares.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openShop, type Shop } from '../../testing/selling.ts'
import { approvedQuotation, customerPhone, shareBy } from '../../testing/sharing.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { dropFallen } from './previews.service.ts'

let server: TestServer
let shop: Shop
let sales: Person
beforeAll(async () => {
  server = await startTestServer()
  shop = await openShop(server)
  sales = await server.as('sales')
})
afterAll(() => server.stop())

const password = 'abcd1234'
const NO = '链接打不开：可能已过期、被收回或用完次数，或者需要密码。请向发给您的人重新要一个'
/** A published case of a home in a branch, whose signatory agreed to links. */
async function publishedCase(branch: string, places = ['link']) {
  const id = randomUUID()
  const [home] = await server.sql<{ site_id: string; contact: string; community: string }>(
    `SELECT w.id AS site_id, h.id AS contact, w.community FROM sites w
     JOIN companies c ON c.bc_id = w.bc_id AND c.code = $1
     JOIN home_contacts h ON h.site_id = w.id AND h.ended_at IS NULL
     WHERE w.status = 1 AND w.deleted_at IS NULL AND w.community <> ''
       AND NOT EXISTS (SELECT FROM cases k WHERE k.site_id = w.id)
     ORDER BY w.code LIMIT 1`,
    [branch],
  )
  await server.sql(
    `INSERT INTO cases (tenant_id, id, bc_id, site_id, state, title, words, scope, places, until, contact_id, asked_at,
       made_by, made_at, changed_at)
     SELECT w.tenant_id, $2::uuid, w.bc_id, w.id, 'published', '暖白三居 ' || left($2::uuid::text, 4), '住得舒服',
       '{photos,community}',
       $4::text[], '2099-01-01', $3, :now, '', :now, :now FROM sites w WHERE w.id = $1`,
    [home!.site_id, id, home!.contact, places],
  )
  await server.sql(
    `INSERT INTO consents (tenant_id, id, kind, subject_type, subject_id, state, how, answered_on, scope, recorded_by,
       recorded_at)
     SELECT tenant_id, gen_random_uuid(), 'case', 'contact', $2, 1, 'electronic', :today, '', '', :now
     FROM cases WHERE id = $1`,
    [id, home!.contact],
  )
  const key = `${randomUUID()}.jpg`
  await server.sql(
    `INSERT INTO case_pictures (tenant_id, id, case_id, picture, masked_picture, masked_id, state, taken_on)
     SELECT tenant_id, gen_random_uuid(), id, $2::text, $2::text, gen_random_uuid(), 'released', :today
     FROM cases WHERE id = $1`,
    [id, key],
  )
  await server.sql('UPDATE cases SET agreed = ARRAY[$2::text] WHERE id = $1', [id, key])
  return { id, ...home! }
}
const withdraw = (contact: string) =>
  server.sql(
    `UPDATE consents SET state = 3, withdrawn_at = :now, withdrawn_by = '', withdrawn_why = ''
     WHERE kind = 'case' AND subject_id = $1`,
    [contact],
  )
const preview = (id: string) => sales.call(previewsApi.details, { query: { id } })
interface Item {
  kind: 'case' | 'package' | 'quotation' | 'site'
  target_id: string
}
async function composed(items: Item[], customer_id: string) {
  const { id } = await sales.call(previewsApi.add, { body: { customer_id, title: '', words: '请看', items } })
  return id
}

test('a case is sent to a customer of one’s own; the next byte after a withdrawal is refused', async () => {
  const k = await publishedCase('HZ')
  const { id, token } = await shareBy(sales, { kind: 'share', target_id: k.id, person: '陈女士' })
  const phone = customerPhone(server, token)
  expect((await phone.open()).data).toEqual({ kind: 'share', pass: '' })
  const { data } = await phone.state()
  expect(data.cases).toHaveLength(1)
  expect(data.cases[0]).toMatchObject({ community: k.community, words: '住得舒服', priceRange: null })
  expect(JSON.stringify(data)).not.toContain(k.site_id)
  const [place] = await server.sql<{ store: string }>('SELECT store_id AS store FROM links WHERE id = $1', [
    id,
  ])
  expect(place!.store).not.toBeNull()
  // Whoever is new is a lead of who sent it.
  expect((await phone.interest({ name: '陈<b>女士', phone: '13655557777' })).data).toBeNull()
  const [lead] = await server.sql<{ source: string; name: string; user_name: string }>(
    `SELECT k.source, k.name, u.user_name FROM customers k JOIN users u ON u.id = k.consultant_id
     WHERE k.phone = '13655557777'`,
  )
  expect(lead).toEqual({ source: 'link', name: '陈<b>女士', user_name: 'sales' })
  expect((await phone.interest({ name: '陈女士', phone: '13655557777' })).data).toBeNull()
  const [follows] = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM follow_ups f JOIN customers k ON k.id = f.customer_id
     WHERE k.phone = '13655557777' AND f.state = 'planned'`,
  )
  expect(follows!.n).toBe(1)
  expect((await phone.picture(randomUUID() + '.jpg')).code).not.toBe(200)
  // Of a case there is no price to be looked at, nor lines, homes or packages.
  await phone.seen(0, ['total', 'lines', 'sites', 'package', 'cases', 'pictures', 'contact'])
  const [opening] = (await sales.call(sharesApi.openings, { query: { id } })).list
  expect(opening!.looked).toEqual(['cases', 'contact', 'pictures'])
  await withdraw(k.contact)
  for (const answer of [await phone.state(), await phone.open(), await phone.seen(5, ['cases'])])
    expect(answer).toMatchObject({ status: 404, msg: NO })
  expect(
    (
      await sales.ask(linksApi.create, {
        body: {
          kind: 'share',
          target_id: k.id,
          person: '',
          customer_id: null,
          hours: null,
          most: null,
          password: null,
        },
      })
    ).msg,
  ).toBe('这个案例没有上架，或者业主没有同意用链接分享')
})

test('what its people agreed to in a store alone is sent by nobody', async () => {
  const k = await publishedCase('HZ', ['store'])
  const answer = await sales.ask(linksApi.create, {
    body: {
      kind: 'share',
      target_id: k.id,
      person: '',
      customer_id: null,
      hours: null,
      most: null,
      password: null,
    },
  })
  expect(answer.code).not.toBe(200)
})

test('composed, sent, revised, ended; what lost its consent falls out and the maker is told', async () => {
  const [k, far] = [await publishedCase('HZ'), await publishedCase('NB')]
  const q = await approvedQuotation(shop)
  const { customer_id } = q
  const site = k.site_id
  const id = await composed(
    [
      { kind: 'case', target_id: k.id },
      { kind: 'case', target_id: far.id },
      { kind: 'site', target_id: site },
    ],
    customer_id,
  )
  const made = await shareBy(sales, { kind: 'preview', target_id: id })
  expect((await preview(id)).state).toBe('sent')
  const phone = customerPhone(server, made.token)
  await phone.open()
  const first = (await phone.state()).data
  expect(first).toMatchObject({ kind: 'preview', title: '给您的装修方案', words: '请看', person: '王女士' })
  expect(first.cases.map((c) => c.id)).toEqual([k.id, far.id])
  expect(first.sites).toMatchObject([{ community: k.community }])
  expect(Object.keys(first.sites[0]!).sort()).toEqual(['community', 'days', 'id', 'stage', 'status', 'style'])
  // A price is not put behind a door that stands open.
  const save = async (items: Item[]) =>
    sales.ask(previewsApi.save, {
      body: { id, version: (await preview(id)).version, title: '新的标题', words: '', items },
    })
  const quoted: Item = { kind: 'quotation', target_id: q.version_id }
  expect((await save([quoted])).msg).toBe('已经发出的链接没有密码，不能加报价；请先收回它，再带密码重新发送')
  await withdraw(k.contact)
  expect((await phone.state()).data.cases.map((c) => c.id)).toEqual([far.id])
  expect(await server.db.tx(SYSTEM, (tx) => dropFallen(tx, sales.tenant))).toBe(1)
  expect(await server.db.tx(SYSTEM, (tx) => dropFallen(tx, sales.tenant))).toBe(0)
  expect((await preview(id)).items.filter((i) => i.droppedFor)).toMatchObject([
    { target_id: k.id, droppedFor: '业主不再同意公开，或者已经下架' },
  ])
  const told = await server.sql(
    `SELECT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id WHERE n.title LIKE '%不能再公开%'`,
  )
  expect(told).toEqual([{ user_name: 'sales' }])
  await sales.call(linksApi.revoke, { body: { id: made.id } })
  expect((await save([quoted, { kind: 'case', target_id: far.id }])).code).toBe(200)
  expect((await preview(id)).state).toBe('revised')
  expect(
    (
      await sales.ask(linksApi.create, {
        body: {
          kind: 'preview',
          target_id: id,
          person: '',
          customer_id: null,
          hours: null,
          most: null,
          password: null,
        },
      })
    ).msg,
  ).toContain('必须设密码')
  const again = customerPhone(
    server,
    (await shareBy(sales, { kind: 'preview', target_id: id, password })).token,
  )
  await again.open(password)
  expect((await again.state()).data).toMatchObject({ title: '新的标题', quotation: { code: q.code } })
  const { version } = await preview(id)
  await sales.call(previewsApi.end, { body: { id, version, reason: '客户签了' } })
  expect(await again.state()).toMatchObject({ status: 404, msg: NO })
  expect((await save([])).msg).not.toBe('')
  const listed = await sales.call(sharesApi.list, { query: { customer_id, kind: ['preview'] } })
  expect(listed.list.map((l) => l.state)).toEqual(['revoked', 'revoked'])
})

test('what could be put in: packages that are sold, homes of a community without their place', async () => {
  const q = await approvedQuotation(shop)
  const choices = (kind: 'package' | 'quotation' | 'site', keyword = '') =>
    sales.call(previewsApi.choices, { query: { customer_id: q.customer_id, kind, keyword } })
  const packages = await choices('package')
  expect(packages.length).toBeGreaterThan(0)
  expect(packages[0]!.detail).toMatch(/元\/㎡$/)
  expect(await choices('package', '没有这个套餐')).toEqual([])
  const [known] = await server.sql<{ community: string; address: string }>(
    `SELECT w.community, w.address FROM sites w JOIN users u ON u.user_name = 'sales' AND u.tenant_id = w.tenant_id
     WHERE w.status = 1 AND w.community <> '' LIMIT 1`,
  )
  const homes = await choices('site', known!.community)
  expect(homes.length).toBeGreaterThan(0)
  for (const h of homes) expect(h.title).toContain(known!.community)
  expect(JSON.stringify(homes)).not.toContain(known!.address)
  expect((await choices('quotation')).map((c) => c.target_id)).toEqual([q.version_id])
})

test('only what may be sent to this customer is put in, of one’s own reach, and by who saw the newest', async () => {
  const q = await approvedQuotation(shop)
  const other = (
    await shop.gm.call(customersApi.add, {
      body: { bc_id: shop.bc_id, store_id: shop.store_id, name: '李先生', phone: '13655558888' },
    })
  ).id
  const add = (items: Item[], customer_id = other) =>
    sales.ask(previewsApi.add, { body: { customer_id, title: '', words: '', items } })
  const quoted: Item = { kind: 'quotation', target_id: q.version_id }
  expect((await add([quoted])).msg).toBe('只能放这位客户审核通过、还在有效期内的报价')
  expect((await add([{ kind: 'case', target_id: randomUUID() }])).msg).toContain('有案例没有上架')
  expect((await add([{ kind: 'site', target_id: randomUUID() }])).msg).toContain('有工地已经不能展示')
  expect((await add([quoted, quoted], q.customer_id)).msg).toBe('同一项内容放了两次，请去掉一个')
  const id = await composed([quoted], q.customer_id)
  for (const name of ['quoter2', 'other_quoter']) {
    const who = await server.as(name)
    expect((await who.ask(previewsApi.details, { query: { id } })).code).not.toBe(200)
    expect((await who.ask(previewsApi.shown, { query: { id } })).code).not.toBe(200)
    expect(
      (
        await who.ask(linksApi.create, {
          body: {
            kind: 'preview',
            target_id: id,
            person: '',
            customer_id: null,
            hours: null,
            most: null,
            password,
          },
        })
      ).code,
    ).not.toBe(200)
  }
  const body = { id, version: 7, title: '', words: '', items: [] }
  expect((await sales.ask(previewsApi.save, { body })).code).not.toBe(200)
  const refuses = await shop.gm.call(customersApi.details, { query: { id: other } })
  expect(refuses.refuses).toBe(false)
  await server.sql('UPDATE customers SET refuses = true WHERE id = $1', [other])
  expect((await add([])).msg).toBe('李先生 拒绝联系，不能再给他发内容')
})
