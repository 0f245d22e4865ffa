import { randomUUID } from 'node:crypto'

import { changesApi, contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'
import { productCategoriesApi, productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { searchApi } from '@zhuguan/contract/features/search/search.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { timelineApi } from '@zhuguan/contract/features/timeline/timeline.api.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { patiently } from '../../testing/patiently.ts'
import { pdfText } from '../../testing/pdf-text.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let [admin, gm, quoter, examiner, cashier]: Person[] = []
let [bc, store, today, tile, better, pack, item]: string[] = []
let at = 0

beforeAll(async () => {
  server = await startTestServer()
  ;[admin, gm, quoter, examiner, cashier] = await Promise.all(
    ['admin', 'branch_gm', 'quoter', 'examiner', 'cashier'].map((name) => server.as(name)),
  )
  const [mine] = await server.sql<{ bc_id: string; store_id: string }>(
    `SELECT s.bc_id, s.id AS store_id FROM users u
     JOIN user_stores t ON t.tenant_id = u.tenant_id AND t.user_id = u.id
     JOIN stores s ON s.tenant_id = t.tenant_id AND s.id = t.store_id
     WHERE u.user_name = 'quoter' LIMIT 1`,
  )
  ;[bc, store] = [mine!.bc_id, mine!.store_id]
  today = shanghaiDay(server.now())
  const category = (await admin!.call(productCategoriesApi.add, { body: { name: '合同故事' } })).id
  const product = async (name: string, price: string, more: object = {}) => {
    const { id } = await admin!.call(productsApi.add, {
      body: { name, kind: 'main', category_id: category, unit: '片', ...more },
    })
    await admin!.call(productsApi.price, {
      body: { id, version: 0, bc_id: null, from: today!, price, cost: '20', reason: '定价' },
    })
    return id
  }
  tile = await product('合同地砖', '60', { pack: '4' })
  better = await product('合同大砖', '90')
  pack = (
    await gm!.call(packagesApi.add, {
      body: {
        name: '合同整装',
        bc_id: bc,
        perSquareMetre: '1000',
        leastArea: '80',
        from: today,
        items: [
          {
            room: 'living',
            product_id: tile,
            base: 'floor',
            factor: '1.5',
            waste: '0',
            removalPrice: '40',
            alternatives: [{ product_id: better, difference: '30' }],
          },
        ],
      },
    })
  ).id
  await gm!.call(packagesApi.publish, { body: { id: pack, version: 0 } })
  item = (await gm!.call(packagesApi.details, { query: { id: pack } })).items[0]!.id
})
afterAll(() => server.stop())

/** 100 ㎡ at 1000, ten of 45 tiles left out at 40, two more items of 90: 99,780.00 by hand. */
const TOTAL = '99780.00'
const room = { id: randomUUID(), name: '客厅', kind: 'living' as const, floor: '30' }
const line = (more: object) => ({
  id: randomUUID(),
  room_id: room.id,
  attribute: 1 as const,
  contractAttribute: 1 as const,
  item_id: item!,
  product_id: tile!,
  waste: '0',
  quantity: '35',
  price: '60',
  ...more,
})
const phone = () => `137${String(10_000_000 + (at += 1))}`
async function approved(
  who = phone(),
  validUntil = addDays(today!, 30),
  lines: readonly object[] = [],
): Promise<string> {
  const customer = await quoter!.call(customersApi.add, {
    body: {
      bc_id: bc!,
      store_id: store!,
      name: '傅先生',
      phone: who,
      community: '云栖里',
      address: '1 幢 101',
    },
  })
  return quoted(customer.id, validUntil, lines)
}
async function quoted(
  customer_id: string,
  validUntil = addDays(today!, 30),
  more: readonly object[] = [],
): Promise<string> {
  const { id } = await quoter!.call(quotationsApi.add, {
    body: {
      customer_id,
      content: {
        package_id: pack!,
        area: '100',
        validUntil,
        rooms: [room],
        lines: [
          line({}),
          line({ attribute: 4, quantity: '10', price: '60' }),
          line({ attribute: 3, item_id: null, product_id: better!, quantity: '2', price: '90' }),
          line({
            attribute: 3,
            item_id: null,
            product_id: better!,
            quantity: '7',
            price: '90',
            counts: false,
          }),
          ...more,
        ] as never,
      },
    },
  })
  await quoter!.call(quotationsApi.submit, { body: { id, version: 0 } })
  await judge(id, 'pass')
  return id
}
const waiting = async (object: string) =>
  (await examiner!.call(examineApi.list, { query: { examineState: [0], pageSize: 100 } })).list.find(
    (r) => r.object_id === object,
  )!
async function judge(object: string, what: 'pass' | 'reject', who = examiner!, reason = '看过了') {
  const r = await waiting(object)
  return who.ask(examineApi[what], { body: { id: r.id, version: r.version, hash: r.hash, reason } as never })
}
const versionOf = async (quotation: string) =>
  (await quoter!.call(quotationsApi.details, { query: { id: quotation } })).version
async function made(quotation?: string): Promise<string> {
  const id = quotation ?? (await approved())
  return (await gm!.call(contractsApi.add, { body: { id, version: await versionOf(id) } })).id
}
const seen = (id: string, who = gm!) => who.call(contractsApi.details, { query: { id } })
const one = async (id: string) => ({ id, version: (await seen(id)).version })
const pay = async (id: string, amount: string, who = cashier!, more: object = {}) =>
  who.ask(contractsApi.pay, {
    body: { ...(await one(id)), amount, method: 'transfer', paidOn: today!, payer: '傅先生', ...more },
  })
const paper = async (who: Person) => ({ key: await uploadPhoto(server.url, who), name: '签字页' })
const sign = async (id: string, who = gm!, more: object = {}) =>
  who.ask(contractsApi.sign, {
    body: {
      ...(await one(id)),
      signer: '傅先生',
      signedOn: today!,
      ws_name: '云栖里 1 幢 101',
      address: '云栖里 1 幢 101',
      files: [await paper(who)],
      ...more,
    },
  })
async function signed(quotation?: string): Promise<string> {
  const id = await made(quotation)
  expect((await sign(id)).msg).toBe('')
  return id
}
const refund = async (id: string, amount: string, more: object = {}) =>
  cashier!.ask(contractsApi.refund, {
    body: { ...(await one(id)), amount, method: 'transfer', payee: '傅先生', reason: '客户要求', ...more },
  })
const itemOf = async (id: string, attribute: number) =>
  (await seen(id)).items.find((i) => i.attribute === attribute)!
const change = async (contract_id: string, lines: object[], who = quoter!) =>
  who.ask(changesApi.add, { body: { contract_id, reason: '客户改主意', lines: lines as never } })
async function changed(contract: string, lines: object[], word: 'pass' | 'reject' = 'pass') {
  const { id } = (await change(contract, lines)).data
  expect((await quoter!.ask(changesApi.submit, { body: { id, version: 0 } })).msg).toBe('')
  expect((await judge(id, word)).msg).toBe('')
  return id
}
const sums = async (id: string) => {
  const { total, paid, owed, due, overdue, signingProgress, state, changes } = await seen(id)
  return { total, paid, owed, due, overdue, signingProgress, state, changes }
}

test('from an approved quotation in one step, and only once while it lives', async () => {
  const quotation = await approved()
  const version = await versionOf(quotation)
  const ask = (who: Person) => who.ask(contractsApi.add, { body: { id: quotation, version } })
  expect(await ask(cashier!)).toMatchObject({ code: 401 })
  const [a, b] = await Promise.all([ask(gm!), ask(quoter!)])
  expect([a.code, b.code].sort()).toEqual([200, 409])
  const { id, code } = (a.code === 200 ? a : b).data
  expect(code).toMatch(/^HTHZ\d{9}$/)
  expect(await seen(id)).toMatchObject({
    code,
    total: TOTAL,
    paid: '0.00',
    owed: '0.00',
    signingProgress: 1,
    state: 'live',
    customerName: '傅先生',
    packageName: '合同整装',
    area: '100',
    site_id: null,
    bridge: null,
    items: [],
  })
  expect((await seen(id)).phone).toMatch(/^137\*{4}\d{4}$/)
  expect(await ask(gm!)).toMatchObject({ code: 409 })
  const draft = await approved()
  await server.sql('UPDATE quotation_versions SET valid_until = :today - 1 WHERE quotation_id = $1', [draft])
  expect(
    (await gm!.ask(contractsApi.add, { body: { id: draft, version: await versionOf(draft) } })).msg,
  ).toContain('过了有效期')
})

test('the cashier takes money and nobody else; a deposit is never above the quotation', async () => {
  const id = await made()
  expect(await pay(id, '5000', gm)).toMatchObject({ code: 401 })
  for (const [amount, more, msg] of [
    ['-1', {}, '收款金额应是不小于 0 的数字'],
    ['0', {}, '收款金额应大于 0'],
    ['1.234', {}, '收款金额最多 2 位小数'],
    ['9'.repeat(41), {}, '最多 2 位小数，连小数在内最多 40 位'],
    ['99780.01', {}, '超过报价总价 99,780.00 元'],
    ['1', { paidOn: addDays(today!, 1) }, '收款日期不能晚于今天'],
  ] as const)
    expect((await pay(id, amount, cashier, more)).msg).toContain(msg)
  expect(await sums(id)).toMatchObject({ paid: '0.00', signingProgress: 1 })
  // What cannot be seen, or turns round what follows it, is not kept.
  expect((await pay(id, '5000.50', cashier, { payer: '傅\u202e先\u0007生' })).data.code).toMatch(
    /^SKHZ\d{9}$/,
  )
  expect(await sums(id)).toMatchObject({ paid: '5000.50', signingProgress: 2, owed: '0.00' })
  expect((await pay(id, '94779.51')).msg).toContain('连同这次已收 99,780.01 元，超过报价总价 99,780.00 元')
  const receipt = (await seen(id)).receipts[0]!
  expect(receipt).toMatchObject({ kind: 'deposit', amount: '5000.50', method: 'transfer', payer: '傅先生' })
  expect((await seen(id)).depositNumber).toBe(1)
})

test('a retry is one receipt; of two at once the second is told', async () => {
  const id = await made()
  const body = { ...(await one(id)), amount: '10', method: 'cash' as const, paidOn: today!, payer: '傅先生' }
  const key = { 'idempotency-key': randomUUID() }
  const [a, b] = [
    await cashier!.ask(contractsApi.pay, { body }, key),
    await cashier!.ask(contractsApi.pay, { body }, key),
  ]
  expect(b.data).toEqual(a.data)
  expect((await seen(id)).receipts).toHaveLength(1)
  const again = { ...body, ...(await one(id)) }
  const both = await Promise.all([1, 2].map(() => cashier!.ask(contractsApi.pay, { body: again })))
  expect(both.map((r) => r.code).sort()).toEqual([200, 409])
  expect(await sums(id)).toMatchObject({ paid: '20.00' })
})

test('a deposit goes back after the examiner’s word; what is kept has a reason, a proof and a receipt', async () => {
  const id = await made()
  await pay(id, '5000')
  expect((await refund(id, '4000')).msg).toContain('退定要退全部已收 5,000.00 元')
  expect((await refund(id, '5000', { kept: '800' })).msg).toBe('留用要写明原因（至少 2 个字）')
  expect((await refund(id, '5000', { kept: '800', keptReason: '量房费' })).msg).toBe(
    '留用要上传客户签字的凭证',
  )
  const asked = await refund(id, '5000', { kept: '800', keptReason: '量房费', proof: await paper(cashier!) })
  expect(asked.data.code).toMatch(/^TKHZ\d{9}$/)
  // Nothing else is done meanwhile.
  expect((await sign(id)).msg).toBe('退定正在审核，不能签约')
  expect((await refund(id, '5000')).msg).toBe('已有一张退款单在审核')
  expect(await waiting(asked.data.id)).toMatchObject({ kind: 'refund', amount: '4200.00' })
  expect((await judge(asked.data.id, 'pass', cashier)).code).toBe(401)
  expect((await judge(asked.data.id, 'reject')).msg).toBe('')
  expect(await sums(id)).toMatchObject({ paid: '5000.00', signingProgress: 2 })
  const second = await refund(id, '5000', { kept: '800', keptReason: '量房费', proof: await paper(cashier!) })
  expect((await judge(second.data.id, 'pass')).msg).toBe('')
  expect(await sums(id)).toMatchObject({ paid: '800.00', signingProgress: 1 })
  const detail = await seen(id)
  expect(detail.receipts.map((r) => [r.kind, r.amount])).toEqual([
    ['deposit', '5000.00'],
    ['kept', '800.00'],
  ])
  expect(detail.refunds.map((r) => [r.status, r.amount, r.kept])).toEqual([
    [3, '5000.00', '800.00'],
    [2, '5000.00', '800.00'],
  ])
  expect(detail.files.map((f) => f.kind)).toEqual(['kept', 'kept'])
})

test('who took money of a contract does not approve its refund, whatever else they may', async () => {
  const id = await made()
  await pay(id, '100', admin)
  const asked = await refund(id, '100')
  expect((await judge(asked.data.id, 'pass', admin)).msg).toBe('您给这份合同收过款，不能审核它的退款')
  expect((await judge(asked.data.id, 'pass')).msg).toBe('')
})

test('signed: the baseline, the owner and the site in one transaction, once', async () => {
  const number = phone()
  const id = await made(await approved(number))
  await pay(id, '5000')
  expect(await sign(id, cashier)).toMatchObject({ code: 401 })
  expect((await sign(id, gm, { signedOn: addDays(today!, 1) })).msg).toBe('签约日期不能晚于今天')
  expect((await sign(id, gm, { files: [] })).msg).toContain('请上传签好的合同')
  const before = await server.sql('SELECT count(*)::int AS n FROM sites')
  const answers = await Promise.all([sign(id), sign(id)])
  expect(answers.map((r) => r.code).sort()).toEqual([200, 409])
  expect(await server.sql('SELECT count(*)::int - 1 AS n FROM sites')).toEqual(before)
  const c = await seen(id)
  expect(c).toMatchObject({
    signingProgress: 3,
    signedOn: today,
    signer: '傅先生',
    signedNumber: 1,
    siteStatus: 2,
  })
  expect(c.bridge).toEqual({
    package: '100000.00',
    removed: '-400.00',
    adjusted: '0.00',
    added: '180.00',
    discount: '0.00',
    total: TOTAL,
  })
  // The line that nobody chose is not there; 35 tiles are ordered in packs of four.
  expect(
    c.items.map((i) => [i.attribute, i.name, i.quantity, i.left, i.ordered, i.price, i.amount, i.cost]),
  ).toEqual([
    [1, '合同地砖', '35', '35', '36', '60', '0.00', '20'],
    [3, '合同大砖', '2', '2', '2', '90', '180.00', '20'],
    [4, '合同地砖', '10', '0', '12', '60', '-400.00', '20'],
  ])
  expect((await seen(id, quoter)).items.map((i) => i.cost)).toEqual([null, null, null])
  const site = await gm!.call(sitesApi.details, { query: { id: c.site_id! } })
  expect(site).toMatchObject({ status: 2, ws_name: '云栖里 1 幢 101', owner: { name: '傅先生' } })
  expect(site.stages).toHaveLength(10)
  const lines = (await gm!.call(timelineApi.list, { query: { site_id: c.site_id! } })).list
  expect(lines.map((l) => l.title)).toContain(`签约 ${c.code}`)
  expect((await sign(id)).msg).toContain('当前为“已签约”')
  // The same telephone in the branch is the same owner.
  const again = await made(await quoted(c.customer_id))
  expect((await sign(again)).msg).toBe('')
  const owners = await server.sql('SELECT count(*)::int AS n FROM owners WHERE phone = $1', [number])
  expect(owners).toEqual([{ n: 1 }])
})

test('a site that is there already is signed for; not another owner’s, and not a second time', async () => {
  const [site] = await server.sql<{ id: string; phone: string; other: string }>(
    `SELECT w.id, o.phone, (SELECT n.id FROM sites n JOIN companies c ON c.bc_id = n.bc_id
       WHERE c.code = 'NB' LIMIT 1) AS other
     FROM sites w JOIN owners o ON o.id = w.owner_id WHERE w.bc_id = $1 AND w.status = 1 LIMIT 1`,
    [bc],
  )
  const strange = await made()
  const at_ = (id: string) => ({ site_id: id, ws_name: '', address: '' })
  expect((await sign(strange, gm, at_(site!.id))).msg).toContain('业主电话和客户的不一样')
  expect(await sign(strange, gm, at_(site!.other))).toMatchObject({ status: 403 })
  const own = await made(await approved(site!.phone))
  const sites = await server.sql('SELECT count(*) FROM sites')
  expect((await sign(own, gm, at_(site!.id))).msg).toBe('')
  expect(await seen(own)).toMatchObject({ site_id: site!.id, siteStatus: 1 })
  const { code } = await seen(own)
  expect(await gm!.call(sitesApi.details, { query: { id: site!.id } })).toMatchObject({ contract: code })
  expect(await server.sql('SELECT count(*) FROM sites')).toEqual(sites)
  const second = await made(await quoted((await seen(own)).customer_id))
  expect((await sign(second, gm, at_(site!.id))).msg).toMatch(/^工地已有有效合同 HT/)
})

test('after a deposit later versions follow; the newest approved one is signed, and none after it', async () => {
  const quotation = await approved()
  const id = await made(quotation)
  await pay(id, '5000')
  const again = async (what: 'revise' | 'submit') =>
    quoter!.ask(quotationsApi[what], { body: { id: quotation, version: await versionOf(quotation) } })
  expect((await again('revise')).msg).toBe('')
  expect((await sign(id)).msg).toContain('正在修改（第 2 版还没有审核通过）')
  const q = await quoter!.call(quotationsApi.details, { query: { id: quotation } })
  const { customer_id, version, area, taxPercent, validUntil, rooms, lines } = q
  const content = { package_id: pack!, area, taxPercent, validUntil, rooms, lines: lines.slice(0, 2) }
  await quoter!.call(quotationsApi.save, { body: { id: quotation, version, customer_id, content } })
  await again('submit')
  expect((await judge(quotation, 'pass')).msg).toBe('')
  expect((await quoter!.call(quotationsApi.details, { query: { id: quotation } })).status).toBe(5)
  expect((await sign(id)).msg).toBe('')
  expect(await seen(id)).toMatchObject({ signedNumber: 2, depositNumber: 1, total: '99600.00' })
  expect((await again('revise')).msg).toBe('合同已经签约，改动请在合同里做增减项变更')
})

test('an expired quotation is not signed; a site begins with its contract', async () => {
  const quotation = await approved()
  const id = await made(quotation)
  await server.sql('UPDATE quotation_versions SET valid_until = :today - 1 WHERE quotation_id = $1', [
    quotation,
  ])
  expect((await sign(id)).msg).toContain('已经过期，不能签约')
  await server.sql('UPDATE quotation_versions SET valid_until = :today WHERE quotation_id = $1', [quotation])
  expect((await sign(id)).msg).toBe('')
  const { site_id, code } = await seen(id)
  const people = await server.sql<{ id: string; user_name: string }>(
    `SELECT id, user_name FROM users WHERE user_name IN ('pm', 'steward')`,
  )
  const idOf = (name: string) => people.find((p) => p.user_name === name)!.id
  const site = async () => gm!.call(sitesApi.details, { query: { id: site_id! } })
  await gm!.call(sitesApi.people, {
    body: {
      id: site_id!,
      version: (await site()).version,
      steward_id: idOf('steward'),
      manager_id: idOf('pm'),
    },
  })
  const state = async (action: 'start' | 'terminate', reason = '') =>
    gm!.ask(sitesApi.state, {
      body: {
        id: site_id!,
        version: (await site()).version,
        action,
        reason,
        plannedFinish: addDays(today!, 90),
      },
    })
  expect(await site()).toMatchObject({ contract: code })
  expect((await state('terminate', '客户不做了')).msg).toContain(`工地有有效合同 ${code}`)
  // Who sees only the site is held to it as well.
  const pm = await server.as('pm')
  expect(
    (
      await pm.ask(sitesApi.state, {
        body: { id: site_id!, version: (await site()).version, action: 'terminate', reason: '不做了' },
      })
    ).msg,
  ).toContain(`工地有有效合同 ${code}`)
  expect((await state('start')).msg).toBe('')
  expect(await site()).toMatchObject({ status: 1, outsideContract: '' })
  expect(await gm!.ask(contractsApi.void, { body: { ...(await one(id)), reason: '误签了' } })).toMatchObject({
    code: 409,
    msg: '工地已经开工或结束，误签的合同只能终止',
  })
})

test('the plan: shares make a whole, the last takes the rest; due with its stage, late after some days', async () => {
  const id = await made()
  const plan = async (rows: object[], who = gm!) =>
    who.ask(contractsApi.plan, { body: { ...(await one(id)), plan: rows as never } })
  const third = (name: string, percent: string, stage: string | null = null) => ({ name, percent, stage })
  expect((await plan([third('首期', '30'), third('尾款', '69.99', 'handover')])).msg).toBe(
    '各期比例加起来应为 100%',
  )
  expect((await plan([third('首期', '0'), third('尾款', '100', 'handover')])).msg).toContain('比例应大于 0')
  expect(
    (await plan([third('首期', '50'), third('瓦工', '30', 'tiling'), third('水电', '20', 'plumbing')])).msg,
  ).toBe('第 3 期“水电”“水电”开始时到期，早于上一期“瓦工”（“瓦工”开始时），请按先后排列')
  expect((await plan([third('水电', '50', 'plumbing'), third('首期', '50')])).msg).toContain(
    '第 2 期“首期”签约时',
  )
  expect(await plan([third('全款', '100')], cashier)).toMatchObject({ code: 401 })
  const thirds = [
    third('首期', '33.33'),
    third('中期', '33.33', 'plumbing'),
    third('尾款', '33.34', 'handover'),
  ]
  expect((await plan(thirds, quoter)).msg).toBe('')
  expect((await seen(id)).instalments.map((i) => i.amount)).toEqual(['33256.67', '33256.67', '33266.66'])
  expect((await sign(id)).msg).toBe('')
  expect(await plan(thirds, quoter)).toMatchObject({ code: 409 })
  // What is offered instead is only what may be done to this one: no 撤回作废, no 结清.
  expect((await sign(id)).msg).toBe('当前为“已签约”，不能签约；可以：增减项变更、付款计划、附件、作废、终止')
  expect(await sums(id)).toMatchObject({ due: '33256.67', owed: '33256.67', overdue: '0.00' })
  await pay(id, '30000')
  expect(await sums(id)).toMatchObject({ paid: '30000.00', owed: '3256.67', overdue: '0.00' })
  const { site_id } = await seen(id)
  await server.sql(`UPDATE contracts SET signed_on = :today - 7 WHERE id = $1`, [id])
  expect(await sums(id)).toMatchObject({ overdue: '0.00' })
  await server.sql(`UPDATE contracts SET signed_on = :today - 8 WHERE id = $1`, [id])
  expect(await sums(id)).toMatchObject({ owed: '3256.67', overdue: '3256.67' })
  const late = async (overdue: boolean) =>
    (await cashier!.call(contractsApi.list, { query: { overdue, pageSize: 100 } })).list.map((c) => c.id)
  expect(await late(true)).toContain(id)
  expect(await late(false)).not.toContain(id)
  await server.sql(
    `UPDATE site_stages SET actual_start = :today - 3 WHERE site_id = $1 AND stage = 'plumbing'`,
    [site_id],
  )
  expect(await sums(id)).toMatchObject({ due: '66513.34', owed: '36513.34', overdue: '3256.67' })
  expect((await seen(id)).instalments.map((i) => [i.name, i.covered, i.overdue])).toEqual([
    ['首期', '30000.00', true],
    ['中期', '0.00', false],
    ['尾款', '0.00', false],
  ])
  await pay(id, '40000')
  expect(await sums(id)).toMatchObject({ paid: '70000.00', owed: '0.00', overdue: '0.00' })
})

test('a change moves the amount everywhere when it is approved, and not before', async () => {
  const id = await signed()
  const [standing, extra] = [await itemOf(id, 1), await itemOf(id, 3)]
  const lines = [
    { attribute: 3, product_id: better, quantity: '1.5', waste: '10', price: '90' },
    { attribute: 3, name: '定制鞋柜', unit: '项', quantity: '1', price: '2000.005' },
    { attribute: 2, item_id: standing.id, product_id: better, quantity: '5', price: '90' },
    { attribute: 4, item_id: standing.id, quantity: '10' },
    { attribute: 4, item_id: extra.id, quantity: '0.5' },
  ]
  expect(await change(id, lines, cashier)).toMatchObject({ code: 401 })
  const { id: document, code } = (await change(id, lines)).data
  expect(code).toMatch(/^BGHZ\d{9}$/)
  // 148.5 + 2000.01 + 5 × 30 − 10 × 40 − 0.5 × 90
  expect((await seen(id)).changeList[0]!).toMatchObject({ status: 1, amount: '1853.51' })
  expect(await sums(id)).toMatchObject({ total: TOTAL, changes: 0 })
  expect((await quoter!.ask(changesApi.submit, { body: { id: document, version: 0 } })).msg).toBe('')
  expect(
    await quoter!.ask(changesApi.edit, {
      body: { id: document, version: 1, reason: '改一改', lines: lines },
    }),
  ).toMatchObject({
    code: 409,
  })
  expect(await sums(id)).toMatchObject({ total: TOTAL })
  expect((await judge(document, 'pass')).msg).toBe('')
  expect(await sums(id)).toMatchObject({ total: '101633.51', changes: 1 })
  const c = await seen(id)
  expect(c.items.map((i) => [i.attribute, i.name, i.quantity, i.left, i.orderedLeft])).toEqual([
    [1, '合同地砖', '35', '20', '20'],
    [2, '合同大砖', '5', '5', '5'],
    [3, '合同大砖', '2', '1.5', '1.5'],
    [3, '合同大砖', '1.65', '1.65', '1.65'],
    [3, '定制鞋柜', '1', '1', '1'],
    [4, '合同地砖', '10', '0', '0'],
  ])
  expect(c.instalments.at(-1)).toMatchObject({ name: `变更 ${code}`, amount: '1853.51', dueOn: today })
  const site = (await gm!.call(contractsApi.list, { query: { site_id: c.site_id! } })).list
  expect(site.map((r) => r.total)).toEqual(['101633.51'])
  const hits = await cashier!.call(searchApi.all, { query: { keyword: c.code } })
  expect(hits.map((h) => [h.kind, h.link])).toEqual([['contract', `/contract/ContractDetail?id=${id}`]])
  const rows = await cellsOf((await cashier!.ask(contractsApi.export, { query: { keyword: c.code } })).bytes)
  expect(rows[1]!.join()).toContain('101633.51')
  // What is left now is less; what a change brought can be changed by another.
  expect((await change(id, [{ attribute: 4, item_id: standing.id, quantity: '20.001' }])).msg).toBe(
    '“合同地砖”只剩 20 片，不能变更 20.001 片',
  )
  const brought = c.items.find((i) => i.name === '定制鞋柜')!
  await changed(id, [{ attribute: 4, item_id: brought.id, quantity: '1' }])
  expect(await sums(id)).toMatchObject({ total: '99633.50', changes: 2 })
})

test('what a change may not say is refused, and nothing is written', async () => {
  const id = await signed()
  const other = await signed()
  const [standing, gone, theirs] = [await itemOf(id, 1), await itemOf(id, 4), await itemOf(other, 1)]
  const before = await server.sql('SELECT count(*) FROM contract_changes')
  for (const [line, code, msg] of [
    [{ attribute: 4, item_id: standing.id, quantity: '36' }, 400, '只剩 35 片，不能变更 36 片'],
    [{ attribute: 4, item_id: standing.id, quantity: '0' }, 400, '第 1 行的数量应大于 0'],
    [{ attribute: 4, item_id: standing.id, quantity: '-1' }, 400, '数量应是不小于 0 的数字'],
    [{ attribute: 4, item_id: standing.id, quantity: '1.2345' }, 400, '数量最多 3 位小数'],
    [{ attribute: 4, item_id: gone.id, quantity: '1' }, 400, '已经是减项'],
    [{ attribute: 4, quantity: '1' }, 400, '第 1 行要指明是合同里的哪一项'],
    [{ attribute: 4, item_id: theirs.id, quantity: '1' }, 403, ''],
    [{ attribute: 3, quantity: '1', price: '1' }, 400, '第 1 行没有选商品，请写明名称'],
    [{ attribute: 1, item_id: standing.id, quantity: '1' }, 400, '属性不是有效的选项'],
    [{ attribute: 3, name: '柜', unit: '项', quantity: '9'.repeat(36), price: '9'.repeat(30) }, 400, '40'],
  ] as const) {
    const answer = await change(id, [line])
    expect([answer.code, answer.msg]).toEqual([code, expect.stringContaining(msg)])
  }
  // Two lines that take of one item take together.
  const twice = await change(
    id,
    [20, 16].map((q) => ({ attribute: 4, item_id: standing.id, quantity: String(q) })),
  )
  expect(twice.msg).toContain('不能变更 36 片')
  expect(await server.sql('SELECT count(*) FROM contract_changes')).toEqual(before)
  // Two changes that each fit do not fit together: the second is refused when it is judged.
  const halves = await Promise.all(
    ['20', '20'].map(async (quantity) => {
      const { id: one } = (await change(id, [{ attribute: 4, item_id: standing.id, quantity }])).data
      await quoter!.call(changesApi.submit, { body: { id: one, version: 0 } })
      return one
    }),
  )
  expect((await judge(halves[0]!, 'pass')).msg).toBe('')
  expect((await judge(halves[1]!, 'pass')).msg).toContain('只剩 15 片')
  expect((await judge(halves[1]!, 'reject')).msg).toBe('')
  const dropped = await quoter!.ask(changesApi.drop, {
    body: { id: halves[1]!, version: 2, reason: '不要了' },
  })
  expect(dropped.msg).toBe('')
  expect((await seen(id)).changeList).toHaveLength(1)
})

test('signed by mistake: void after examine while nothing has happened; its money goes to the right one', async () => {
  const id = await signed()
  await pay(id, '20000')
  const right = await signed()
  const { site_id, quotation_id } = await seen(id)
  const ask = async (who = gm!) =>
    who.ask(contractsApi.void, { body: { ...(await one(id)), reason: '签错了人' } })
  expect(await ask(cashier)).toMatchObject({ code: 401 })
  expect((await ask()).msg).toBe('')
  expect((await pay(id, '1')).msg).toBe('作废正在审核，不能再办理')
  expect((await gm!.ask(contractsApi.keep, { body: await one(id) })).msg).toBe('')
  expect((await ask()).msg).toBe('')
  expect((await judge(id, 'pass')).msg).toBe('')
  expect(await sums(id)).toMatchObject({ state: 'void', signingProgress: 3, owed: '0.00' })
  expect(await gm!.call(sitesApi.details, { query: { id: site_id! } })).toMatchObject({ status: 3 })
  expect(await quoter!.call(quotationsApi.details, { query: { id: quotation_id } })).toMatchObject({
    status: 3,
  })
  const listed = (await gm!.call(contractsApi.list, { query: { pageSize: 100 } })).list.map((c) => c.id)
  expect(listed).not.toContain(id)
  const moved = await refund(id, '20000', { to_id: right })
  expect((await judge(moved.data.id, 'pass')).msg).toBe('')
  expect([await sums(id), await sums(right)]).toMatchObject([{ paid: '0.00' }, { paid: '20000.00' }])
  expect((await seen(right)).receipts.map((r) => [r.kind, r.remark])).toEqual([
    ['moved', expect.stringContaining((await seen(id)).code)],
  ])
  // The quotation is free for the right contract.
  expect(
    (await gm!.ask(contractsApi.add, { body: { id: quotation_id, version: await versionOf(quotation_id) } }))
      .msg,
  ).toBe('')
})

test('what was begun is not made void; a site with a contract stays in its branch; no day of long ago', async () => {
  const id = await signed()
  const asked = await gm!.ask(contractsApi.void, { body: { ...(await one(id)), reason: '签错了人' } })
  expect(asked.msg).toBe('')
  const { site_id } = await seen(id)
  await server.sql('UPDATE sites SET status = 1 WHERE id = $1', [site_id])
  expect((await judge(id, 'pass')).msg).toBe('工地已经不是“未开工”，合同不能作废；请终止合同')
  expect(await sums(id)).toMatchObject({ state: 'live' })
  const [other] = await server.sql<{ bc_id: string }>(`SELECT bc_id FROM companies WHERE code = 'NB'`)
  const { version } = await admin!.call(sitesApi.details, { query: { id: site_id! } })
  const move = { id: site_id!, version, bc_id: other!.bc_id, reason: '划给宁波' }
  expect((await admin!.ask(sitesApi.move, { body: move })).msg).toContain('不能转到宁波分公司')
  const second = await made()
  expect((await sign(second, gm, { signedOn: '2020-01-01' })).msg).toContain('签约日期不能早于')
  expect((await pay(second, '1', cashier, { paidOn: '1900-01-01' })).msg).toContain('收款日期不能早于')
})

test('money of a void contract may begin another; a change is edited while it is a draft', async () => {
  const wrong = await signed()
  await pay(wrong, '3000')
  await gm!.ask(contractsApi.void, { body: { ...(await one(wrong)), reason: '签错了人' } })
  expect((await judge(wrong, 'pass')).msg).toBe('')
  const next = await made()
  const moved = await refund(wrong, '3000', { to_id: next })
  expect((await judge(moved.data.id, 'pass')).msg).toBe('')
  expect(await sums(next)).toMatchObject({ paid: '3000.00', signingProgress: 2 })
  const id = await signed()
  const added = (quantity: string) => ({ attribute: 3, product_id: better!, quantity, price: '90' })
  const draft = (await change(id, [added('1')])).data
  const edit = { id: draft.id, version: 0, reason: '客户又加了一片', lines: [added('2')] }
  expect((await quoter!.ask(changesApi.edit, { body: edit })).msg).toBe('')
  expect((await seen(id)).changeList[0]).toMatchObject({ amount: '180.00', reason: '客户又加了一片' })
  const [own] = await server.sql<{ tied: boolean }>(
    `SELECT k.owner_id = c.owner_id AS tied FROM contracts c JOIN customers k ON k.id = c.customer_id WHERE c.id = $1`,
    [id],
  )
  expect(own!.tied).toBe(true)
})

test('terminated with its site; the settlement closes when the money is even and the devices are back', async () => {
  const id = await signed()
  await pay(id, '30000')
  const { site_id } = await seen(id)
  const keeper = await server.as('device_keeper')
  const spare = (await keeper.call(devicesApi.list, { query: { deviceStatus: [5] } })).list[0]!
  await keeper.call(devicesApi.bind, { body: { id: spare.id, version: spare.version, site_id: site_id! } })
  expect(
    (await gm!.ask(contractsApi.void, { body: { ...(await one(id)), reason: '签错了' } })).msg,
  ).toContain('还有 1 台设备')
  const end = async (value: string) =>
    gm!.ask(contractsApi.terminate, { body: { ...(await one(id)), reason: '客户出国', value } })
  expect((await end('99780.01')).msg).toContain('结算金额不能超过合同额')
  const draft = (await change(id, [{ attribute: 3, name: '柜', unit: '项', quantity: '1', price: '1' }])).data
    .id
  expect((await end('25000')).msg).toBe('')
  // Nobody has submitted it: it comes to nothing with its contract.
  expect((await seen(id)).changeList).toEqual([])
  const [dropped] = await server.sql(
    `SELECT h.status, h.judged, told_log(l.after->'reason', l.beside) AS reason FROM contract_changes h
     JOIN user_logs l ON l.action = '系统作废变更单' AND l.after->>'change' = h.code WHERE h.id = $1`,
    [draft],
  )
  expect(dropped).toEqual({ status: 5, judged: '系统作废：合同已终止', reason: '合同已终止' })
  expect(await gm!.call(sitesApi.details, { query: { id: site_id! } })).toMatchObject({ status: 3 })
  expect((await seen(id)).settlement).toMatchObject({ value: '25000.00', balance: '-5000.00', devices: 1 })
  const close = async () => gm!.ask(contractsApi.close, { body: await one(id) })
  expect((await close()).msg).toContain('还要退给客户 5,000.00 元')
  const back = await refund(id, '5000')
  expect((await close()).msg).toBe('退款正在审核，审核后才能结清')
  expect((await judge(back.data.id, 'pass')).msg).toBe('')
  expect((await close()).msg).toContain('还有 1 台设备没有收回')
  const bound = (await keeper.call(devicesApi.list, { query: { keyword: spare.sn } })).list[0]!
  await keeper.call(devicesApi.change, { body: { id: spare.id, version: bound.version, action: 'unbind' } })
  expect((await close()).msg).toBe('')
  expect(await sums(id)).toMatchObject({ state: 'ended', paid: '25000.00', owed: '0.00' })
  expect(
    (await change(id, [{ attribute: 3, name: '柜', unit: '项', quantity: '1', price: '1' }])).msg,
  ).toContain('已终止')
})

test('what is kept beside a contract is what its documents add up to', async () => {
  const wrong = await server.sql(
    `SELECT c.code FROM contracts c
     WHERE c.total <> c.base + (SELECT coalesce(sum(h.amount), 0) FROM contract_changes h
         WHERE h.contract_id = c.id AND h.status = 3)
       OR c.changes <> (SELECT count(*) FROM contract_changes h WHERE h.contract_id = c.id AND h.status = 3)
       OR c.paid <> (SELECT coalesce(sum(r.amount), 0) FROM contract_receipts r WHERE r.contract_id = c.id)
         - (SELECT coalesce(sum(f.amount), 0) FROM contract_refunds f WHERE f.contract_id = c.id AND f.status = 2)
       OR c.total <> (SELECT sum(i.amount) FROM contract_instalments i WHERE i.contract_id = c.id)
       OR c.signing_progress = 3 AND c.total <> (c.bridge->>'package')::numeric + (c.bridge->>'discount')::numeric
         + (SELECT sum(i.amount) FROM contract_items i WHERE i.contract_id = c.id)
         + (SELECT coalesce(sum(l.amount), 0) FROM contract_change_lines l
            JOIN contract_changes h ON h.id = l.change_id AND h.status = 3
            WHERE h.contract_id = c.id AND l.attribute = 4)
       OR EXISTS (SELECT 1 FROM contract_items i
       WHERE i.contract_id = c.id AND i.attribute <> 4 AND i.left_over <> i.quantity
         - (SELECT coalesce(sum(l.priced), 0) FROM contract_change_lines l
            JOIN contract_changes h ON h.id = l.change_id AND h.status = 3 WHERE l.item_id = i.id))`,
  )
  expect(wrong).toEqual([])
  const [counted] = await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM contracts')
  expect(counted!.n).toBeGreaterThan(10)
})

test('a signed PDF is kept as it is, saved and never opened, by who sees the contract', async () => {
  const upload = async (bytes: Buffer) => {
    const answer = await fetch(server.url + filesApi.paper.path, {
      method: 'POST',
      headers: { token: gm!.token, 'tenant-id': gm!.tenant, 'content-type': 'application/pdf' },
      body: new Uint8Array(bytes),
    })
    return (await answer.json()) as { msg: string; data: { key: string } }
  }
  expect((await upload(Buffer.from('<html><script>'))).msg).toContain('这不是 PDF，也不是图片')
  const bytes = Buffer.from('%PDF-1.4\n签字版\n%%EOF')
  const { key } = (await upload(bytes)).data
  expect(key).toMatch(/\.pdf$/)
  const id = await made()
  const attach = async (who: Person) =>
    who.ask(contractsApi.attach, {
      body: { ...(await one(id)), kind: 'other', file: { key, name: '签字版' } },
    })
  // Somebody else's upload is not there to be taken.
  expect(await attach(quoter!)).toMatchObject({ status: 403 })
  expect((await attach(gm!)).msg).toBe('')
  expect(await attach(gm!)).toMatchObject({ status: 403 })
  const file = await cashier!.ask(filesApi.get, { query: { key } })
  expect(file.bytes).toEqual(bytes)
  expect(file.headers.get('content-type')).toBe('application/pdf')
  expect(file.headers.get('content-disposition')).toBe('attachment')
  for (const name of ['cashier2', 'supplier', 'pm', 'other'])
    expect(await (await server.as(name)).ask(filesApi.get, { query: { key } })).toMatchObject({ status: 403 })
})

const papers = async (id: string, kind: 'bill' | 'contract', who = gm!) => {
  const answer = await who.ask(contractsApi.pdf, { query: { id, paper: kind } })
  expect(answer.msg).toBe('')
  return (await pdfText(answer.bytes)).map((page) => page.replaceAll(/[ \n]+/g, ' '))
}

test('what is exchanged says both prices, the package’s and its own, on paper and in the items', async () => {
  const other = { attribute: 2, product_id: better, quantity: '10', price: '90' }
  const id = await signed(await approved(undefined, undefined, [line(other)]))
  const { items } = await seen(id)
  const exchanged = items.find((i) => i.attribute === 2)!
  expect([exchanged.price, exchanged.packagePrice, exchanged.amount]).toEqual(['90', '60', '300.00'])
  expect((await papers(id, 'contract')).join(' ')).toContain('90.00 300.00 原 60.00')
})
test('the paper of a contract says its content, its plan and its sum in words, and nothing of the house', async () => {
  const id = await signed()
  const [item] = await server.sql<{ cost: string }>(
    "SELECT cost::text FROM contract_items WHERE contract_id = $1 AND name = '合同地砖' LIMIT 1",
    [id],
  )
  expect(Number(item!.cost)).toBe(20)
  const text = (await papers(id, 'contract', admin)).join(' ')
  for (const words of [
    '合同 ',
    (await seen(id)).code,
    '傅先生',
    '云栖里',
    '签约金额 99,780.00',
    '套餐内',
    '-400.00',
    '水电阶段开始时',
    '180.00',
    '付款计划',
    '首期',
    '30%',
    '合计 99,780.00',
    '合同额 99,780.00 元（大写：玖万玖仟柒佰捌拾元整）',
    '甲方（客户签字）',
    '乙方（签字盖章）',
    '第 1 / 1 页',
  ])
    expect(text).toContain(words)
  // What is included costs nothing by itself and says no 0.00; what the house knows stays there.
  expect(text).not.toMatch(/ 0\.00 /)
  for (const own of ['下单', '成本', '毛利', '20.00', '商家', '未签约']) expect(text).not.toContain(own)
  expect(text).toMatch(/1\d{2}\*{4}\d{4}/)
  expect((await papers(await made(), 'contract')).join(' ')).toContain('合同（未签约）')
  // A change that was approved stands by itself, with what the contract comes to since.
  const tiles = await itemOf(id, 1)
  await changed(id, [{ attribute: 4, item_id: tiles.id, quantity: '5' }])
  const later = (await papers(id, 'contract')).join(' ')
  expect(later).toContain('已批准的变更')
  expect(later).toContain(`变更以后的合同额 ${grouped((await seen(id)).total)}`)
  expect((await gm!.ask(contractsApi.pdf, { query: { id, paper: 'bill' } })).msg).toBe(
    '工地还没有完工，没有竣工结算单',
  )
  const logs = await server.sql("SELECT 1 FROM user_logs WHERE object_id = $1 AND action = '打印合同 PDF'", [
    id,
  ])
  expect(logs).toHaveLength(2)
  for (const who of ['branch_gm2', 'other'])
    expect(await (await server.as(who)).ask(contractsApi.pdf, { query: { id } })).toMatchObject({
      status: 403,
    })
})

test('other branches, stores and groups see and touch none of it', async () => {
  const id = await signed()
  for (const name of ['branch_gm2', 'cashier2', 'other', 'other_cashier']) {
    const stranger = await server.as(name)
    const list = await stranger.call(contractsApi.list, { query: { pageSize: 100 } })
    expect(list.list.map((c) => c.id)).not.toContain(id)
    expect(await stranger.ask(contractsApi.details, { query: { id } })).toMatchObject({ status: 403 })
  }
  const cashier2 = await server.as('cashier2')
  expect(await pay(id, '1', cashier2)).toMatchObject({ status: 403 })
  await server.sql(
    `UPDATE contracts SET store_id = (SELECT id FROM stores WHERE bc_id = $2 AND id <> $3 LIMIT 1) WHERE id = $1`,
    [id, bc, store],
  )
  expect(await quoter!.ask(contractsApi.details, { query: { id } })).toMatchObject({ status: 403 })
})

test('numbers without gaps, a hundred at once', async () => {
  const quotation = await approved()
  const copies = await server.sql<{ id: string }>(
    `INSERT INTO quotations (tenant_id, id, code, bc_id, store_id, customer_id, status, quoter_id, created_at,
       changed_at, changed_by)
     SELECT tenant_id, gen_random_uuid(), 'X' || n, bc_id, store_id, customer_id, status, quoter_id, created_at,
       changed_at, changed_by
     FROM quotations, generate_series(1, 100) n WHERE id = $1 RETURNING id`,
    [quotation],
  )
  await server.sql(
    `INSERT INTO quotation_versions (tenant_id, id, quotation_id, number, area, tax_percent, valid_until, remark,
       package,
       removed, adjusted, added, discount, total, tax, cost, uncosted, examine_state)
     SELECT v.tenant_id, gen_random_uuid(), c.id, 1, v.area, v.tax_percent, v.valid_until, '', v.package, v.removed,
       v.adjusted, v.added, v.discount, v.total, v.tax, v.cost, v.uncosted, 1
     FROM quotation_versions v, unnest($2::uuid[]) c(id) WHERE v.quotation_id = $1`,
    [quotation, copies.map((c) => c.id)],
  )
  await Promise.all(
    copies.map(async ({ id }) => {
      const contract = await patiently(() => gm!.ask(contractsApi.add, { body: { id, version: 0 } }))
      const seen = { id: contract.id, version: 0 }
      await patiently(() =>
        cashier!.ask(contractsApi.pay, {
          body: { ...seen, amount: '1', method: 'cash', paidOn: today!, payer: '傅先生' },
        }),
      )
    }),
  )
  for (const [table, kind] of [
    ['contracts', 'HTHZ'],
    ['contract_receipts', 'SKHZ'],
  ]) {
    const rows = await server.sql<{ n: number }>(
      `SELECT right(code, 5)::int AS n FROM ${table} WHERE code LIKE $1 ORDER BY 1`,
      [`${kind}%`],
    )
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.map((r) => r.n)).toEqual(rows.map((_, i) => i + 1))
  }
}, 600_000)
