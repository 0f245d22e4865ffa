import { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'
import { productCategoriesApi, productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let [admin, gm, clerk, quoter]: Person[] = []
let branch: Record<string, string>
let [tile, better, unpriced, ningbo]: string[] = []
let today: string

beforeAll(async () => {
  server = await startTestServer()
  ;[admin, gm, clerk, quoter] = await Promise.all(
    ['admin', 'branch_gm', 'order_clerk', 'quoter'].map((name) => server.as(name)),
  )
  const rows = await server.sql<{ code: string; bc_id: string }>(
    `SELECT c.code, c.bc_id FROM companies c JOIN users u ON u.tenant_id = c.tenant_id AND u.user_name = 'admin'`,
  )
  branch = Object.fromEntries(rows.map((r) => [r.code, r.bc_id]))
  today = shanghaiDay(server.now())
  const category = await admin!.call(productCategoriesApi.add, { body: { name: '套餐故事' } })
  const product = async (name: string, price: string | null, bc_id: string | null = null) => {
    const { id } = await admin!.call(productsApi.add, {
      body: { name, kind: 'main', category_id: category.id, unit: '片', bc_id },
    })
    if (price !== null)
      await admin!.call(productsApi.price, {
        body: { id, version: 0, bc_id, from: today, price, reason: '定价' },
      })
    return id
  }
  tile = await product('套餐地砖', '58.5')
  better = await product('升级地砖', '88')
  unpriced = await product('未定价地砖', null)
  ningbo = await product('宁波专供地砖', '60', branch.NB)
})
afterAll(() => server.stop())

const item = (product_id = tile!, more: object = {}) => ({
  room: 'living' as const,
  product_id,
  base: 'floor' as const,
  factor: '1.56',
  waste: '5',
  ...more,
})
const facts = (name: string, more: object = {}) => ({
  name,
  bc_id: branch.HZ!,
  perSquareMetre: '899.5',
  leastArea: '80',
  from: today,
  items: [item(tile, { alternatives: [{ product_id: better, difference: '29.5' }] })],
  ...more,
})
const add = (who: Person, name: string, more: object = {}) =>
  who.ask(packagesApi.add, { body: facts(name, more) })
const made = async (name: string, more: object = {}) => (await add(gm!, name, more)).data.id
const seen = (id: string, who = gm!) => who.call(packagesApi.details, { query: { id } })
const say = (what: 'publish' | 'renew', id: string, version: number, who = gm!) =>
  who.ask(packagesApi[what], { body: { id, version } })
const listed = async (name: string, more: object = {}) =>
  (await gm!.call(packagesApi.list, { query: { keyword: name, ...more } })).list.map((p) => [
    p.number,
    p.status,
    p.draft,
  ])

test('a package is written, published and followed by its next version; what was published never changes', async () => {
  const id = await made('故事整装')
  expect(await seen(id)).toMatchObject({
    name: '故事整装',
    perSquareMetre: '899.5',
    leastArea: '80',
    number: 1,
    items: [
      {
        name: '套餐地砖',
        base: 'floor',
        factor: '1.56',
        waste: '5',
        sold: true,
        alternatives: [{ name: '升级地砖', difference: '29.5', sold: true }],
      },
    ],
  })
  expect((await say('publish', id, 0)).msg).toBe('')
  const kept = await seen(id)
  const { bc_id: _stays, ...renamed } = facts('改名')
  expect(await gm!.ask(packagesApi.edit, { body: { ...renamed, id, version: 1 } })).toMatchObject({
    code: 409,
    msg: '当前为“已发布”，不能编辑；可以：编辑新版本、停用',
  })
  const next = (await say('renew', id, 1)).data!.id
  expect(await say('renew', id, 1)).toMatchObject({
    code: 409,
    msg: expect.stringContaining('已经有一份草稿'),
  })
  const { bc_id: _there, ...dearer } = facts('故事整装', { perSquareMetre: '999' })
  const written = { ...dearer, id: next, version: 0 }
  await gm!.call(packagesApi.edit, { body: written })
  expect(await seen(id)).toEqual({ ...kept, draft: true })
  expect(await listed('故事整装')).toEqual([
    [2, 1, false],
    [1, 2, true],
  ])
  expect((await say('publish', next, 1)).msg).toBe('')
  // The one before is stopped, and can still be read.
  expect(await listed('故事整装')).toEqual([[2, 2, false]])
  expect(await listed('故事整装', { status: [3] })).toEqual([[1, 3, false]])
  expect((await seen(id)).perSquareMetre).toBe('899.5')
})

test('of two people who begin the next version at once one does, and so of two who publish', async () => {
  const id = await made('同时整装')
  const first = await Promise.all([say('publish', id, 0), say('publish', id, 0)])
  expect(first.map((a) => a.code).sort()).toEqual([200, 409])
  const both = await Promise.all([say('renew', id, 1), say('renew', id, 1, clerk)])
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
})

test('nothing is published that cannot be sold', async () => {
  const empty = await made('空套餐', { items: [] })
  expect((await say('publish', empty, 0)).msg).toBe('套餐里还没有商品，不能发布')
  const dear = await made('没价套餐', { items: [item(unpriced)] })
  expect((await say('publish', dear, 0)).msg).toContain('“未定价地砖”或它的可换商品已下架或没有定价')
  const past = await made('过期套餐', { from: addDays(today, -9), to: addDays(today, -1) })
  expect((await say('publish', past, 0)).msg).toBe('有效期已经过去，请先改有效期')
})

test('what is wrong is said, and nothing is written', async () => {
  const before = await server.sql('SELECT count(*) FROM packages')
  for (const [more, msg] of [
    [{ perSquareMetre: '-1' }, '每平米价应是不小于 0 的数字'],
    [{ leastArea: '80.123' }, '起装面积最多 2 位小数'],
    [{ to: addDays(today, -1) }, '有效期至不能早于有效期从'],
    [{ items: [item(tile, { factor: '1.2345' })] }, '用量最多 3 位小数'],
    [{ items: [item(tile, { waste: '100.01' })] }, '损耗 %应在 0 到 100 之间'],
    [
      { items: [item(tile, { alternatives: [{ product_id: tile, difference: '1' }] })] },
      '第 1 项的可换商品有重复',
    ],
    [{ items: Array.from({ length: 301 }, () => item()) }, '一个套餐最多 300 项'],
    [{ name: '故事整装' }, '已经有同名的套餐'],
  ] as [object, string][]) {
    const refused = await add(gm!, '错套餐', more)
    expect([refused.code, refused.msg]).toEqual([400, expect.stringContaining(msg)])
  }
  // A product that this branch does not sell is not there.
  expect(await add(admin!, '错套餐', { items: [item(ningbo)] })).toMatchObject({ status: 403 })
  expect(await server.sql('SELECT count(*) FROM packages')).toEqual(before)
})

test('a branch keeps its own packages; the group’s are changed by who sees the group', async () => {
  const shared = (await add(admin!, '集团整装', { bc_id: null })).data.id
  const own = await made('杭州整装')
  const whose = { code: 409, msg: '集团的套餐由集团维护；可以复制成分公司的再改' }
  expect(await add(gm!, '集团整装二', { bc_id: null })).toMatchObject(whose)
  expect(await say('publish', shared, 0)).toMatchObject(whose)
  const names = async (who: Person) =>
    (await who.call(packagesApi.list, { query: { keyword: '整装', pageSize: 100 } })).list.map((p) => p.name)
  expect(await names(quoter!)).toEqual(expect.arrayContaining(['集团整装', '杭州整装']))
  expect(await names(await server.as('branch_gm2'))).toContain('集团整装')
  expect(await names(await server.as('branch_gm2'))).not.toContain('杭州整装')
  expect(await names(await server.as('other'))).not.toContain('集团整装')
  expect(await say('publish', own, 0, quoter)).toMatchObject({ code: 401 })
  // What is copied is one's own draft.
  const copy = await clerk!.call(packagesApi.copy, {
    body: { id: shared, name: '杭州轻装', bc_id: branch.HZ! },
  })
  expect(await seen(copy.id)).toMatchObject({ number: 1, status: 1, items: [{ name: '套餐地砖' }] })
  // Of one name the quoter would have two to choose from: in the branch, and beside the group's.
  const { name } = await seen(copy.id)
  const same = async (bc_id: string | null) =>
    (await admin!.ask(packagesApi.copy, { body: { id: copy.id, name, bc_id } })).msg
  const refusal = `已经有同名的套餐，请换一个名称，例如“${name}（副本）”`
  expect([await same((await seen(copy.id)).bc_id), await same(null)]).toEqual([refusal, refusal])
})

test('stopped with a reason; the file holds what the list shows', async () => {
  const id = await made('停用整装')
  await say('publish', id, 0)
  const stop = (reason: string) => gm!.ask(packagesApi.stop, { body: { id, version: 1, reason } })
  expect(await stop('')).toMatchObject({ code: 400 })
  expect((await stop('换季')).msg).toBe('')
  const rows = await cellsOf(
    (await gm!.ask(packagesApi.export, { query: { keyword: '停用整装', status: [3] } })).bytes,
  )
  expect(rows[1]!.slice(0, 6)).toEqual(['停用整装', '杭州分公司', '899.5', '80', '1', '1'])
})
