import { randomUUID } from 'node:crypto'

import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'
import { productCategoriesApi, productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { patiently } from '../../testing/patiently.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let [admin, gm, quoter, examiner, clerk]: Person[] = []
let [bc, store, today, category]: string[] = []
let [tile, better, paint, pack, item]: string[] = []
let at = 0
const phone = () => `139${String(10_000_000 + (at += 1))}`

beforeAll(async () => {
  server = await startTestServer()
  ;[admin, gm, quoter, examiner, clerk] = await Promise.all(
    ['admin', 'branch_gm', 'quoter', 'examiner', 'order_clerk'].map((name) => server.as(name)),
  )
  const [mine] = await server.sql<{ bc_id: string; store_id: string }>(
    `SELECT s.bc_id, s.id AS store_id FROM users u
     JOIN user_stores t ON t.tenant_id = u.tenant_id AND t.user_id = u.id
     JOIN stores s ON s.tenant_id = t.tenant_id AND s.id = t.store_id
     WHERE u.user_name = 'quoter' ORDER BY s.name LIMIT 1`,
  )
  ;[bc, store] = [mine!.bc_id, mine!.store_id]
  today = shanghaiDay(server.now())
  category = (await admin!.call(productCategoriesApi.add, { body: { name: '报价故事' } })).id
  const product = async (name: string, price: string, cost: string, more: object = {}) => {
    const { id } = await admin!.call(productsApi.add, {
      body: { name, kind: 'main', category_id: category!, unit: '片', ...more },
    })
    await admin!.call(productsApi.price, {
      body: { id, version: 0, bc_id: null, from: today!, price, cost, reason: '定价' },
    })
    return id
  }
  tile = await product('报价地砖', '58.5', '30', { pack: '4' })
  better = await product('报价大砖', '88', '50')
  paint = await product('报价乳胶漆', '33.333333', '20.123456')
  pack = (
    await gm!.call(packagesApi.add, {
      body: {
        name: '报价整装',
        bc_id: bc,
        perSquareMetre: '899.5',
        leastArea: '80',
        from: today,
        items: [
          {
            room: 'living',
            product_id: tile,
            base: 'floor',
            factor: '1.5',
            waste: '5',
            removalPrice: '40',
            alternatives: [{ product_id: better, difference: '29.5' }],
          },
        ],
      },
    })
  ).id
  await gm!.call(packagesApi.publish, { body: { id: pack, version: 0 } })
  item = (await gm!.call(packagesApi.details, { query: { id: pack } })).items[0]!.id
})
afterAll(() => server.stop())

const customer = async (who = quoter!, more: object = {}) =>
  (
    await who.call(customersApi.add, {
      body: { bc_id: bc!, store_id: store!, name: '沈女士', phone: phone(), community: '湖畔花园', ...more },
    })
  ).id
const room = {
  id: randomUUID(),
  name: '客厅',
  kind: 'living' as const,
  floor: '30',
  perimeter: '22',
  height: '2.8',
}
const line = (more: object = {}) => ({
  id: randomUUID(),
  room_id: room.id,
  attribute: 1 as const,
  contractAttribute: 1 as const,
  item_id: item!,
  product_id: tile!,
  quantity: '45',
  waste: '5',
  price: '58.5',
  ...more,
})
const standard = () => ({
  package_id: pack!,
  area: '110',
  validUntil: addDays(today!, 30),
  rooms: [room],
  lines: [
    line({ quantity: '25' }),
    // Part of the tiles is exchanged, part left out.
    line({ attribute: 2 as const, product_id: better!, quantity: '10', price: '88' }),
    line({ attribute: 4 as const, quantity: '10', waste: '0' }),
    line({
      attribute: 3 as const,
      item_id: null,
      product_id: paint!,
      quantity: '3.333',
      waste: '0',
      price: '33.333333',
    }),
    line({
      attribute: 3 as const,
      item_id: null,
      product_id: paint!,
      quantity: '99',
      counts: false,
      price: '33.33',
    }),
  ],
})
const added = async (content: object = standard(), who = quoter!) =>
  (await who.call(quotationsApi.add, { body: { customer_id: await customer(), content: content as never } }))
    .id
const seen = (id: string, who = quoter!, number?: number) =>
  who.call(quotationsApi.details, { query: { id, number } })
const say = (what: 'submit' | 'withdraw' | 'revise', id: string, version: number, who = quoter!) =>
  who.ask(quotationsApi[what], { body: { id, version } })
const waiting = async (id: string) =>
  (await examiner!.call(examineApi.list, { query: { pageSize: 100 } })).list.find((r) => r.object_id === id)!
const judge = async (id: string, what: 'pass' | 'reject', who = examiner!) => {
  const { id: request, version, hash } = await waiting(id)
  return who.ask(examineApi[what], { body: { id: request, version, hash, reason: '看过了' } as never })
}

test('a quotation is worked out by the server: package, removed, adjusted, added, to the cent', async () => {
  const id = await added()
  const one = await seen(id)
  // 110 × 899.5; −10 × 40; (88 − 58.5) × 10.5; round(3.333 × 33.333333, 2).
  expect(one.sum).toMatchObject({
    package: '98945.00',
    removed: '-400.00',
    adjusted: '309.75',
    added: '111.10',
    discount: '0.00',
    total: '98965.85',
  })
  expect(one.lines.map((l) => [l.priced, l.ordered, l.amount])).toEqual([
    ['26.25', '28', '0.00'],
    ['10.5', '10.5', '309.75'],
    ['10', '12', '-400.00'],
    ['3.333', '3.333', '111.10'],
    ['103.95', '103.95', '3464.65'],
  ])
  expect(one).toMatchObject({ status: 1, number: 1, frozen: false, expired: false, total: '98965.85' })
  const [sql] = await server.sql<{ total: string }>(
    `SELECT (v.package + v.removed + v.adjusted + v.added + v.discount)::text AS total
     FROM quotation_versions v WHERE v.quotation_id = $1`,
    [id],
  )
  expect(sql!.total).toBe('98965.85')
})

test('costs and margin are read by who may, and by nobody else in any answer', async () => {
  const id = await added()
  const open = await seen(id)
  expect([open.margin, open.sum.cost, open.sum.margin, open.sum.uncosted]).toEqual([null, null, null, null])
  expect(open.lines.every((l) => l.cost === null)).toBe(true)
  const whole = await seen(id, gm)
  // 28 × 30 + 10.5 × 50 + round(3.333 × 20.123456, 2); what is left out costs nothing.
  expect([whole.sum.cost, whole.sum.uncosted]).toEqual(['1432.07', 0])
  expect(whole.lines.map((l) => l.cost)).toEqual(['30', '50', '30', '20.123456', '20.123456'])
  const of = async (who: Person) =>
    (await who.call(quotationsApi.list, { query: { pageSize: 100 } })).list.find((q) => q.id === id)!.margin
  expect(await of(quoter!)).toBeNull()
  expect(await of(gm!)).toBe(whole.margin)
})

test('what is submitted is frozen; refused, it is revised line by line; approved, it stays', async () => {
  const id = await added()
  expect((await say('submit', id, 0)).msg).toBe('')
  const first = await seen(id)
  expect(first).toMatchObject({ status: 2, frozen: true, version: 1 })
  expect(await quoter!.ask(quotationsApi.save, { body: save(first, { area: '120' }) })).toMatchObject({
    code: 409,
    msg: '当前为“待审核”，不能编辑；可以：撤回',
  })
  expect(await judge(id, 'reject')).toMatchObject({ code: 200 })
  expect((await seen(id)).status).toBe(4)
  expect((await say('revise', id, 2)).msg).toBe('')
  const second = await seen(id)
  expect(second).toMatchObject({ number: 2, status: 1, frozen: false })
  expect(second.lines.map((l) => l.id)).toEqual(first.lines.map((l) => l.id))
  const saved = await quoter!.call(quotationsApi.save, { body: save(second, { area: '120' }) })
  expect(saved.sum.package).toBe('107940.00')
  await say('submit', id, saved.version)
  expect(await waiting(id)).toMatchObject({ round: 2, amount: '107960.85', change: '合计 +8,995.00' })
  expect(await judge(id, 'pass')).toMatchObject({ code: 200 })
  expect((await seen(id)).versions).toMatchObject([
    { number: 2, examineState: 1, total: '107960.85' },
    { number: 1, examineState: 2, reason: '看过了', total: '98965.85' },
  ])
  // The refused one still says what it said.
  expect((await seen(id, quoter, 1)).sum.package).toBe('98945.00')
})
type Detail = Awaited<ReturnType<typeof seen>>
const save = (one: Detail, more: object = {}) => ({
  id: one.id,
  version: one.version,
  customer_id: one.customer_id,
  content: {
    package_id: one.package?.id ?? null,
    area: one.area,
    taxPercent: one.taxPercent,
    validUntil: one.validUntil,
    rooms: one.rooms,
    lines: one.lines,
    discounts: one.discounts,
    ...more,
  },
})

test('taken back while nobody has judged it; then the judge is told', async () => {
  const id = await added()
  await say('submit', id, 0)
  expect(await say('withdraw', id, 1, gm)).toMatchObject({ code: 409 })
  expect((await say('withdraw', id, 1)).msg).toBe('')
  expect((await seen(id)).versions).toMatchObject([
    { number: 2, examineState: null, withdrawn: false },
    { number: 1, examineState: null, withdrawn: true },
  ])
  expect(await waiting(id)).toBeUndefined()
})

test('nobody approves their own; of two who save the second is told and nothing of the first is lost', async () => {
  const id = await added(standard(), gm)
  const one = await seen(id, gm)
  const both = await Promise.all(
    [quoter!, gm!].map((who, i) =>
      who.ask(quotationsApi.save, { body: save(one, { remark: `第 ${i} 人` }) }),
    ),
  )
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  expect(both.find((a) => a.code === 409)!.msg).toMatch(/^已被 .+ 于 .+ 处理/)
  const winner = both.findIndex((a) => a.code === 200)
  expect((await seen(id)).remark).toBe(`第 ${winner} 人`)
})

test('who else has it open is said, and goes away', async () => {
  const id = await added()
  const here = (who: Person, leaving = false) => who.call(quotationsApi.editing, { body: { id, leaving } })
  expect((await here(quoter!)).others).toEqual([])
  expect((await here(gm!)).others).toHaveLength(1)
  await here(quoter!, true)
  expect((await here(gm!)).others).toEqual([])
})

test('what is wrong is said, and nothing is written', async () => {
  const id = await added()
  const one = await seen(id)
  const odd = '9'.repeat(41)
  const lines = (more: object) => ({ lines: [{ ...one.lines[3]!, ...more }] })
  for (const [more, code, msg] of [
    [lines({ quantity: '-1' }), 400, '数量应是不小于 0 的数字'],
    [lines({ quantity: 'NaN' }), 400, '数量应是不小于 0 的数字'],
    [lines({ quantity: '1.2345' }), 400, '数量最多 3 位小数'],
    [lines({ price: odd }), 400, '单价最多 6 位小数，连小数在内最多 40 位'],
    [lines({ quantity: '9'.repeat(30), price: '9'.repeat(30) }), 400, '数字超过 40 位'],
    [lines({ room_id: randomUUID() }), 400, '第 1 行的房间不在这张报价单里'],
    [lines({ attribute: 1 }), 400, '第 1 行要指明是套餐里的哪一项'],
    [lines({ attribute: 4, item_id: item, product_id: better }), 400, '第 1 行换了商品'],
    [lines({ contractAttribute: 2 }), 400, '第 1 行是非标项，不能选商品'],
    [lines({ contractAttribute: 2, product_id: null, name: '' }), 400, '第 1 行的名称不能为空'],
    [{ lines: [one.lines[0]!, one.lines[0]!] }, 400, '报价项的行号有重复'],
    [
      { discounts: [{ id: randomUUID(), kind: 'offer', amount: '90000', reason: '老客户' }] },
      409,
      '超过您的上限 2%',
    ],
    // One left out is paid back once, not with more waste than the package has.
    [
      lines({ attribute: 4, item_id: item, product_id: tile, waste: '5.01' }),
      400,
      '第 1 行是减项，损耗不能大于套餐里的 5%',
    ],
    [{ taxPercent: '101' }, 400, '税率 %应在 0 到 100 之间'],
  ] as [object, number, string][]) {
    const refused = await quoter!.ask(quotationsApi.save, { body: save(one, more) })
    expect([refused.code, refused.msg]).toEqual([code, expect.stringContaining(msg)])
  }
  expect(await seen(id)).toEqual(one)
})

test('as many lines as may stand in it, each with all that may be said of it, are taken', async () => {
  const id = await added()
  const one = await seen(id)
  const long = Array.from({ length: 1000 }, () => ({
    id: randomUUID(),
    attribute: 3,
    contractAttribute: 2,
    unit: '平方米',
    quantity: '1',
    price: '1',
    name: '宽'.repeat(60),
    detail: '厚'.repeat(150),
    remark: '长'.repeat(200),
  }))
  const saved = await quoter!.call(quotationsApi.save, { body: save(one, { lines: long }) })
  expect(saved.sum.added).toBe('1000.00')
  expect(
    await quoter!.ask(quotationsApi.save, {
      body: { ...save(one, { lines: [...long, { ...long[0]!, id: randomUUID() }] }), version: saved.version },
    }),
  ).toMatchObject({ code: 400, msg: expect.stringContaining('报价项最多 1000 行') })
})

test('a discount is a line of the document by who may give it; the total is never below nothing', async () => {
  const id = await added()
  const off = (amount: string) => ({
    discounts: [{ id: randomUUID(), kind: 'rounding', amount, reason: '凑整' }],
  })
  const one = await seen(id, gm)
  const saved = await gm!.call(quotationsApi.save, { body: save(one, off('965.85')) })
  expect(saved.sum).toMatchObject({ discount: '-965.85', total: '98000.00' })
  const low = await gm!.ask(quotationsApi.save, {
    body: { ...save(one, off('99999')), version: saved.version },
  })
  expect(low).toMatchObject({
    code: 400,
    msg: '优惠 99,999.00 元超过了报价 98,965.85 元，总价不能小于 0',
  })
  expect((await seen(id, gm)).sum).toMatchObject({ discount: '-965.85' })
})

test('what has ended meanwhile cannot be submitted, and is named', async () => {
  const id = await added()
  await gm!
    .call(productsApi.state, {
      body: { id: paint!, version: 1, action: 'withdraw', reason: '停产' } as never,
    })
    .catch(() =>
      admin!.call(productsApi.state, {
        body: { id: paint!, version: 1, action: 'withdraw', reason: '停产' },
      }),
    )
  expect(await say('submit', id, 0)).toMatchObject({
    code: 409,
    msg: '第 4 行“报价乳胶漆”已下架或没有定价，请换一个商品再提交',
  })
  await admin!.call(productsApi.state, { body: { id: paint!, version: 2, action: 'offer' } })
  const one = await seen(id)
  const bare = await quoter!.call(quotationsApi.save, { body: save(one, { area: '0.00' }) })
  expect((await say('submit', id, bare.version)).msg).toBe('按套餐报价要先填写面积')
  const late = await quoter!.call(quotationsApi.save, {
    body: save({ ...one, version: bare.version }, { validUntil: addDays(today!, -1) }),
  })
  expect(await say('submit', id, late.version)).toMatchObject({
    code: 409,
    msg: '已经过了有效期，请先改有效期',
  })
})

test('a number is given without a gap, also to a hundred at once; a copy holds the same', async () => {
  const who = await customer()
  const many = await Promise.all(
    Array.from({ length: 100 }, () =>
      patiently(() => gm!.ask(quotationsApi.add, { body: { customer_id: who, content: standard() } })),
    ),
  )
  const numbers = many.map((q) => Number(q.code.slice(-5))).sort((a, b) => a - b)
  expect(numbers.at(-1)! - numbers[0]!).toBe(99)
  expect(new Set(numbers).size).toBe(100)
  const copy = await quoter!.call(quotationsApi.copy, {
    body: { id: many[0]!.id, customer_id: await customer() },
  })
  const [a, b] = [await seen(many[0]!.id), await seen(copy.id)]
  expect(b.sum).toEqual(a.sum)
  expect(b.code).not.toBe(a.code)
})

test('a quoter sees their store, a branch its own; a customer’s number is masked and read one at a time', async () => {
  const id = await added()
  const theirs = await server.as('branch_gm2')
  expect(await theirs.ask(quotationsApi.details, { query: { id } })).toMatchObject({ status: 403 })
  expect(await (await server.as('other')).ask(quotationsApi.details, { query: { id } })).toMatchObject({
    status: 403,
  })
  const elsewhere = await gm!.call(customersApi.add, {
    body: { bc_id: bc!, name: '别店客户', phone: '13712345678' },
  })
  expect(
    await quoter!.ask(quotationsApi.add, { body: { customer_id: elsewhere.id, content: standard() } }),
  ).toMatchObject({ status: 403 })
  const [found] = await gm!.call(customersApi.pick, { query: { keyword: '13712345678' } })
  expect(found).toMatchObject({ name: '别店客户', phone: '137****5678' })
  await gm!.call(customersApi.edit, {
    body: { id: elsewhere.id, version: found!.version, name: '别店客户', community: '云栖里', area: '88.5' },
  })
  expect(await gm!.call(customersApi.pick, { query: { id: elsewhere.id } })).toMatchObject([
    { community: '云栖里', area: '88.5', phone: '137****5678' },
  ])
  expect(await gm!.call(customersApi.pick, { query: { keyword: '1371234' } })).toEqual([])
  expect(await gm!.call(customersApi.phone, { body: { id: elsewhere.id, reason: '约上门' } })).toEqual({
    phone: '13712345678',
  })
  expect(
    await quoter!.ask(customersApi.add, {
      body: { bc_id: bc!, store_id: store!, name: '同号', phone: '13712345678' },
    }),
  ).toMatchObject({ code: 400, msg: '这个电话已经是本分公司一位客户的，请刷新后查找或与分公司确认' })
  expect(
    await gm!.ask(customersApi.add, { body: { bc_id: bc!, name: '同号', phone: '13712345678' } }),
  ).toMatchObject({ code: 400, msg: expect.stringContaining('已经登记为客户“别店客户”') })
})

test('void with a reason, and never again', async () => {
  const id = await added()
  const void_ = (version: number, reason: string) =>
    quoter!.ask(quotationsApi.void, { body: { id, version, reason } })
  expect(await void_(0, '')).toMatchObject({ code: 400 })
  expect((await void_(0, '客户不装了')).msg).toBe('')
  expect(await say('submit', id, 1)).toMatchObject({ code: 409, msg: '当前为“已作废”，不能提交审核' })
  expect(
    await clerk!.ask(quotationsApi.add, { body: { customer_id: await customer(), content: standard() } }),
  ).toMatchObject({ code: 401 })
})
