import { productCategoriesApi, productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import { productsImport } from '@zhuguan/contract/features/products/products.import.ts'
import { searchApi } from '@zhuguan/contract/features/search/search.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { badRows, cellsOf, checked, sheetOf, stored } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { toldLog } from '../../testing/told-log.ts'

let server: TestServer
let [admin, gm, clerk, quoter]: Person[] = []
let branches: Record<string, string>
let tiles: string
let today: string
const withClass = { kind: 'main' as const, unit: '片' }

beforeAll(async () => {
  server = await startTestServer()
  ;[admin, gm, clerk, quoter] = await Promise.all(
    ['admin', 'branch_gm', 'order_clerk', 'quoter'].map((name) => server.as(name)),
  )
  const rows = await server.sql<{ code: string; bc_id: string }>(
    `SELECT c.code, c.bc_id FROM companies c JOIN users u ON u.tenant_id = c.tenant_id AND u.user_name = 'admin'`,
  )
  branches = Object.fromEntries(rows.map((r) => [r.code, r.bc_id]))
  today = shanghaiDay(server.now())
  const main = await admin!.call(productCategoriesApi.add, {
    body: { name: '故事主材', stage: 'tiling', leadDays: 7, receiver_id: branches.HZ! },
  })
  tiles = (
    await admin!.call(productCategoriesApi.add, {
      body: { name: '故事瓷砖', parent_id: main.id, leadDays: 10 },
    })
  ).id
})
afterAll(() => server.stop())

const add = (who: Person, more: object = {}) =>
  who.ask(productsApi.add, { body: { name: '抛釉砖', category_id: tiles, ...withClass, ...more } })
const made = async (more: object = {}) => (await add(admin!, more)).data
const price = (who: Person, id: string, more: object) =>
  who.ask(productsApi.price, {
    body: { id, version: 0, from: today, price: '58.5', reason: '厂家调价', ...more },
  })
const seen = (who: Person, id: string, bc_id?: string) =>
  who.call(productsApi.details, { query: { id, bc_id } })

test('what a product does not say, its category says, and the one above that', async () => {
  const { id } = await made({ stage: null })
  expect(await seen(gm!, id)).toMatchObject({
    category: '故事主材 / 故事瓷砖',
    stage: 'tiling',
    leadDays: 10,
    receiverName: '杭州分公司',
    own: { stage: null, leadDays: null, receiver_id: null },
  })
  const own = await made({ stage: 'fitting', leadDays: 0 })
  expect(await seen(gm!, own.id)).toMatchObject({ stage: 'fitting', leadDays: 0 })
})

test('codes are made without gaps, also by thirty people at once, and never used twice', async () => {
  const all = await Promise.all(Array.from({ length: 30 }, () => made()))
  const numbers = all.map((p) => Number(p.code.slice(-5))).sort((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: 30 }, (_, i) => numbers[0]! + i))
  const after = await made()
  expect(Number(after.code.slice(-5))).toBe(numbers.at(-1)! + 1)
})

test('a price begins on its day, is added and never changed; a branch’s own goes before the group’s', async () => {
  const { id } = await made()
  const tomorrow = addDays(today, 1)
  expect((await price(admin!, id, { price: '100.123456', cost: '60' })).msg).toBe('')
  expect((await price(gm!, id, { version: 1, bc_id: branches.HZ!, price: '90', cost: '55.5' })).msg).toBe('')
  expect((await price(gm!, id, { version: 2, bc_id: branches.HZ!, from: tomorrow, price: '95' })).msg).toBe(
    '',
  )
  expect(await seen(gm!, id)).toMatchObject({ price: '90', cost: '55.5', nextFrom: tomorrow })
  expect(await seen(admin!, id)).toMatchObject({ price: '100.123456', cost: '60', nextFrom: null })
  expect(await seen(admin!, id, branches.NB)).toMatchObject({ price: '100.123456' })
  // What the group will ask for says nothing where a branch asks for its own.
  expect((await price(admin!, id, { version: 3, from: addDays(today, 9), price: '120' })).msg).toBe('')
  expect(await seen(gm!, id)).toMatchObject({ nextFrom: tomorrow })
  expect(await seen(admin!, id, branches.NB)).toMatchObject({ nextFrom: addDays(today, 9) })
  const rows = await gm!.call(productsApi.prices, { query: { id } })
  // What is left out stays: the cost of tomorrow is that of today.
  expect(rows.map((r) => [r.bc_name, r.from, r.price, r.cost, r.now])).toEqual([
    ['', addDays(today, 9), '120', '60', false],
    ['杭州分公司', tomorrow, '95', '55.5', false],
    ['杭州分公司', today, '90', '55.5', true],
    ['', today, '100.123456', '60', false],
  ])
  for (const [body, msg] of [
    [{ from: addDays(today, -1) }, '生效日期不能早于今天'],
    [{ price: '-1' }, '售价应是不小于 0 的数字'],
    [{ price: '1.1234567' }, '售价最多 6 位小数'],
    [{ price: '12345678901234567890123456789012345' }, '最多 40 位'],
    [{ price: 12 }, '售价应写成数字'],
    [{ price: 'NaN' }, '售价应是不小于 0 的数字'],
    [{ reason: '' }, '请写明原因'],
  ] as [object, string][]) {
    const refused = await price(admin!, id, { version: 4, ...body })
    expect([refused.code, refused.msg]).toEqual([400, expect.stringContaining(msg)])
  }
  expect((await gm!.call(productsApi.prices, { query: { id } })).length).toBe(4)
})

test('costs are in no answer and no file for who may not read them', async () => {
  const { id } = await made({ name: '保密砖' })
  await price(admin!, id, { price: '100', cost: '61.73' })
  expect(await seen(quoter!, id)).toMatchObject({ price: '100', cost: null })
  for (const answer of [
    await quoter!.ask(productsApi.list, { query: { keyword: '保密砖' } }),
    await quoter!.ask(productsApi.prices, { query: { id } }),
    await quoter!.ask(productsApi.pick, { query: { keyword: '保密砖' } }),
  ])
    expect(answer.text).not.toContain('61.73')
  const [titles, row] = await cellsOf(
    (await gm!.ask(productsApi.export, { query: { keyword: '保密砖' } })).bytes,
  )
  expect(titles).toContain('成本价')
  expect(row).toContain('61.73')
  // Somebody who may export and not read costs has no such column.
  await server.sql(
    `DELETE FROM role_powers p
     USING roles r
     WHERE r.id = p.role_id AND r.code = 'order_clerk' AND label = 'product:cost'`,
  )
  const plain = await server.as('order_clerk')
  const file = await cellsOf((await plain.ask(productsApi.export, { query: { keyword: '保密砖' } })).bytes)
  expect(file[0]).not.toContain('成本价')
  expect(JSON.stringify(file)).not.toContain('61.73')
})

test('a branch keeps its own; the group’s is changed by who sees the group', async () => {
  const whose = { code: 409, msg: '集团的商品和价格由集团维护，请选择您的分公司' }
  expect(await add(gm!, { bc_id: null })).toMatchObject(whose)
  expect(await add(gm!, { bc_id: branches.NB! })).toMatchObject({ status: 403 })
  const own = (await add(gm!, { bc_id: branches.HZ!, name: '杭州专供砖' })).data as { id: string }
  const shared = await made({ name: '集团砖' })
  const names = async (who: Person) =>
    (await who.call(productsApi.list, { query: { category_id: tiles, pageSize: 100 } })).list.map(
      (p) => p.name,
    )
  expect(await names(await server.as('branch_gm2'))).toContain('集团砖')
  expect(await names(await server.as('branch_gm2'))).not.toContain('杭州专供砖')
  expect(await names(quoter!)).toContain('杭州专供砖')
  expect(await names(await server.as('other'))).toEqual([])
  const edit = (who: Person, id: string) =>
    who.ask(productsApi.edit, { body: { id, version: 0, name: '改名砖', category_id: tiles, ...withClass } })
  expect(await edit(clerk!, shared.id)).toMatchObject(whose)
  expect(await edit(await server.as('branch_gm2'), own.id)).toMatchObject({ status: 403 })
  const [one, two] = await Promise.all([edit(clerk!, own.id), edit(gm!, own.id)])
  expect([one.code, two.code].sort()).toEqual([200, 409])
  expect(await price(gm!, own.id, { version: 1, bc_id: branches.NB! })).toMatchObject({ status: 403 })
})

test('off the shelf it is not picked, and back it is', async () => {
  const { id } = await made({ name: '季节砖' })
  await price(admin!, id, {})
  const picked = async () =>
    (await quoter!.call(productsApi.pick, { query: { keyword: '季节砖' } })).map((p) => p.id)
  expect(await picked()).toEqual([id])
  const state = (action: 'withdraw' | 'offer', version: number, reason = '') =>
    admin!.ask(productsApi.state, { body: { id, version, action, reason } })
  expect(await state('withdraw', 1)).toMatchObject({ code: 400, msg: expect.stringContaining('请写明原因') })
  expect((await state('withdraw', 1, '停产')).msg).toBe('')
  expect(await picked()).toEqual([])
  expect(await state('withdraw', 2, '停产')).toMatchObject({ code: 409 })
  expect((await state('offer', 2)).msg).toBe('')
  expect(await picked()).toEqual([id])
})

test('a category with products or others below stays; there are three levels', async () => {
  const third = await admin!.call(productCategoriesApi.add, { body: { name: '墙砖', parent_id: tiles } })
  expect(
    await admin!.ask(productCategoriesApi.add, { body: { name: '花砖', parent_id: third.id } }),
  ).toMatchObject({ code: 400, msg: '品类最多 3 级' })
  const remove = (id: string) => admin!.ask(productCategoriesApi.remove, { body: { id, version: 0 } })
  expect((await remove(tiles)).msg).toMatch(/还有 1 个下级品类、\d+ 个商品，不能删除/)
  expect((await remove(third.id)).msg).toBe('')
  expect(await gm!.ask(productCategoriesApi.add, { body: { name: '石材' } })).toMatchObject({ code: 401 })
  await admin!.call(productCategoriesApi.edit, {
    body: { id: tiles, version: 0, name: '故事瓷砖', leadDays: 12, receiver_id: null },
  })
  const rows = await quoter!.call(productCategoriesApi.list)
  expect(rows.find((c) => c.id === tiles)).toMatchObject({ leadDays: 12, stage: null })
})

test('brands and receivers are those that exist', async () => {
  await made({ brand: '东鹏', receiver_id: branches.NB! })
  expect(await gm!.call(productsApi.brands)).toContain('东鹏')
  const named = await admin!.call(productsApi.receivers, { query: { keyword: '宁波' } })
  expect(named.map((r) => r.name)).toEqual(['宁波分公司', '宁波建材商家'])
  expect(await gm!.call(productsApi.receivers, { query: { keyword: '宁波' } })).toEqual([])
  expect(await add(admin!, { receiver_id: tiles })).toMatchObject({ status: 403 })
  const list = await admin!.call(productsApi.list, { query: { receiver_id: branches.NB! } })
  expect(list.list.map((p) => p.brand)).toEqual(['东鹏'])
})

test('a sheet brings products with their prices, and says of each cell what is wrong with it', async () => {
  const good = [
    '',
    '导入砖',
    '',
    '主材',
    '故事主材/故事瓷砖',
    '',
    '',
    '',
    '片',
    '',
    '',
    '',
    '1.5',
    '',
    '',
    '58.5',
    '36',
  ]
  const bad = [
    '',
    '坏砖',
    '',
    '石头',
    '没有的品类',
    '',
    '',
    '',
    '片',
    '不存在的店',
    '',
    'x',
    '',
    '',
    '',
    '-5',
    '',
  ]
  const titles = productsImport.columns.map((c) => c.title)
  const read = await checked(server.url, admin!, productsImport, await sheetOf(titles, [good, bad]))
  expect(read).toMatchObject({ good: 1, bad: 1 })
  const wrong = await badRows(admin!, productsImport, read.id)
  expect(wrong.flatMap((r) => r.errors.map((e) => e.column)).sort()).toEqual([
    'category_id',
    'kind',
    'leadDays',
    'price',
    'receiver_id',
  ])
  await stored(admin!, productsImport, read.id)
  const [row] = (await admin!.call(productsApi.list, { query: { keyword: '导入砖' } })).list
  expect(row).toMatchObject({ price: '58.5', cost: '36', pack: '1.5', leadDays: 12, stage: 'tiling' })
})

test('a number that will be given is not taken by typing; two spellings of a code are one', async () => {
  const { code } = await made()
  const next = code.replace(/\d{5}$/, (n) => String(Number(n) + 1).padStart(5, '0'))
  for (const typed of [next, next.toLowerCase()])
    expect(await add(clerk!, { bc_id: branches.HZ!, code: typed })).toMatchObject({
      code: 400,
      msg: expect.stringContaining('由系统生成'),
    })
  expect((await made()).code).toBe(next)
  await made({ code: 'Cz-1' })
  expect(await add(admin!, { code: 'cZ-1' })).toMatchObject({ code: 400, msg: '编码 CZ-1 已被使用' })
})

test('a category is not removed while something is put into it: one of the two, and a sentence', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { id } = await admin!.call(productCategoriesApi.add, { body: { name: `抢 ${round}` } })
    const answers = await Promise.all([
      add(admin!, { category_id: id }),
      admin!.ask(productCategoriesApi.remove, { body: { id, version: 0 } }),
      add(admin!, { category_id: id }),
    ])
    expect(answers.filter((a) => a.code === 500)).toEqual([])
    const [left] = await server.sql<{ n: number }>(
      'SELECT count(*)::int AS n FROM products WHERE category_id = $1',
      [id],
    )
    expect(left!.n).toBe(answers.filter((a, i) => i !== 1 && a.code === 200).length)
  }
})

test('a unit stays what it was priced in; who reads the group’s prices is told that branches have theirs', async () => {
  const { id } = await made({ name: '单位砖' })
  const edit = (unit: string, version: number) =>
    admin!.ask(productsApi.edit, {
      body: { id, version, name: '单位砖', kind: 'main', category_id: tiles, unit },
    })
  expect((await edit('箱', 0)).msg).toBe('')
  await price(gm!, id, { version: 1, bc_id: branches.HZ! })
  expect(await edit('片', 2)).toMatchObject({ code: 400, msg: expect.stringContaining('已经定过价') })
  expect(await seen(admin!, id)).toMatchObject({ price: null, pricedIn: 1 })
  expect(await seen(gm!, id)).toMatchObject({ price: '58.5', pricedIn: 0 })
  const [line] = await toldLog(server, `action = '调价' AND object_id = $1`, [id])
  expect(line!.after).toMatchObject({ name: '单位砖', was: '未定价', price: '58.5', reason: '厂家调价' })
})

test('who may not set prices brings none by a sheet', async () => {
  const row = [
    '',
    '无价砖',
    '杭州分公司',
    '主材',
    '故事主材/故事瓷砖',
    '',
    '',
    '',
    '片',
    ...Array.from({ length: 6 }, () => ''),
    '9',
    '',
  ]
  const titles = productsImport.columns.map((c) => c.title)
  const read = await checked(server.url, clerk!, productsImport, await sheetOf(titles, [row]))
  const [wrong] = await badRows(clerk!, productsImport, read.id)
  expect(wrong!.errors).toEqual([{ column: 'price', text: expect.stringContaining('没有调价的权限') }])
})

test('the search finds products and packages by their names, for who may see their pages; never by cost', async () => {
  const hits = async (who: Person, keyword: string) =>
    (await who.call(searchApi.all, { query: { keyword } })).map((h) => [h.kind, h.title])
  expect(await hits(quoter!, '保密砖')).toEqual([['product', '保密砖']])
  expect(await hits(quoter!, '大师定制')).toEqual([['package', '大师定制']])
  expect(await hits(gm!, '61.73')).toEqual([])
  expect(await hits(await server.as('pm'), '保密砖')).toEqual([])
  expect(await hits(await server.as('other'), '保密砖')).toEqual([])
})
