import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { receiptsApi } from '@zhuguan/contract/features/contracts/receipts.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays } from '../../kit/shanghai.ts'
import { type Deals, openDeals } from '../../testing/dealing.ts'
import { pdfText } from '../../testing/pdf-text.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let deals: Deals
beforeAll(async () => {
  server = await startTestServer()
  deals = await openDeals(server)
})
afterAll(() => server.stop())

/** Its home is built: the last stage is accepted, and somebody who may finish it does. */
async function finished(id: string, who: Person = deals.gm): Promise<string[]> {
  const { site_id } = await deals.contract(id)
  const [pm] = await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'pm'`)
  await server.sql(
    `UPDATE sites SET status = 1, start_date = :today - 60, manager_id = $2,
       steward_id = (SELECT id FROM users WHERE user_name = 'steward'), progress = 100 WHERE id = $1`,
    [site_id, pm!.id],
  )
  await server.sql(
    `UPDATE site_stages SET actual_start = coalesce(actual_start, :today - 30), actual_finish = :today
     WHERE site_id = $1`,
    [site_id],
  )
  const { effects } = await who.call(sitesApi.foresee, { query: { id: site_id!, change: 'finish' } })
  const { version } = await who.call(sitesApi.details, { query: { id: site_id! } })
  await who.call(sitesApi.state, {
    body: { id: site_id!, version, action: 'finish', reason: '商品由业主自购' },
  })
  return effects
}
const bill = async (id: string, more: object = {}, who = deals.gm) =>
  who.ask(contractsApi.bill, { body: { ...(await deals.one(id)), ...more } })
const signBill = async (id: string, more: object = {}) =>
  deals.gm.ask(contractsApi.signBill, {
    body: {
      ...(await deals.one(id)),
      signer: '王女士',
      ours: '周总',
      signedOn: deals.today,
      files: [await deals.paper()],
      ...more,
    },
  })
const close = async (id: string) => deals.gm.ask(contractsApi.close, { body: await deals.one(id) })
const dues = async (id: string) =>
  (await deals.cashier.call(receiptsApi.due, { query: { pageSize: 100 } })).list
    .filter((r) => r.contract_id === id)
    .map((r) => [r.name, r.amount, r.open, r.when])
const WORK = {
  attribute: 3 as const,
  name: '修补墙面',
  unit: '项',
  kind: 'work' as const,
  quantity: '1',
  price: '300',
}

test('a home is finished: its contract is billed, signed and settled; warranty money is due on its day', async () => {
  const { cashier, changed, contract, pay, refund, signed, today } = deals
  const id = await signed()
  await pay(id, '80000')
  expect((await bill(id)).msg).toBe('工地完工以后才办理竣工结算')
  const effects = await finished(id)
  expect(effects.join('；')).toContain(
    `合同 ${(await contract(id)).code} 进入竣工结算：合同额 89,700.50 元，客户还有 9,700.50 元没付`,
  )
  expect(await contract(id)).toMatchObject({ state: 'finishing', owed: '9700.50', overdue: '0.00' })
  // A home that is finished takes work, and no goods any more.
  const paint = (await contract(id)).items.find((i) => i.name === '店里乳胶漆')!
  const more = { attribute: 3 as const, product_id: paint.product_id!, quantity: '1', price: '33.5' }
  await expect(changed(id, [more])).rejects.toThrow('工地已经完工，不能再增加或更换商品')
  expect((await changed(id, [WORK])).msg).toBe('')
  for (const [facts, msg] of [
    [
      { warranty: '10000.51', warrantyOn: addDays(today, 365) },
      '客户没付的只有 10,000.50 元，质保金不能超过它',
    ],
    [{ warranty: '4485' }, '请填写质保金到期日'],
    [{ warranty: '4485', warrantyOn: today }, '质保金到期日应晚于今天'],
    [{ warranty: '-1', warrantyOn: addDays(today, 365) }, '质保金应是不小于 0 的数字'],
  ] as const)
    expect((await bill(id, facts)).msg).toContain(msg)
  expect((await bill(id, {}, cashier)).code).toBe(401)
  expect((await signBill(id)).msg).toBe('还没有竣工结算单，先办理竣工结算')
  const day = addDays(today, 365)
  // More than the last share: what is left is taken out of the one before.
  expect((await bill(id, { warranty: '9000.50', warrantyOn: day })).msg).toBe('')
  expect((await dues(id)).map((r) => r.slice(0, 2))).toContainEqual(['瓦工', '26879.70'])
  expect((await bill(id, { warranty: '4485', warrantyOn: day, remark: '两年' })).msg).toBe('')
  // Approved afterwards it is another bill.
  expect((await changed(id, [{ ...WORK, price: '100' }])).msg).toBe('')
  expect((await signBill(id)).msg).toBe('还没有竣工结算单，先办理竣工结算')
  expect((await bill(id, { warranty: '4485', warrantyOn: day })).msg).toBe('')
  const c = await contract(id)
  expect(c).toMatchObject({ total: '90100.50', owed: '5615.50' })
  expect(c.bill).toMatchObject({ warranty: '4485.00', warrantyOn: day, balance: '5615.50', signedOn: null })
  expect(c.instalments.reduce((sum, i) => sum + Number(i.amount), 0).toFixed(2)).toBe('90100.50')
  expect(await dues(id)).toContainEqual(['质保金', '4485.00', '4485.00', 'later'])
  const { bytes } = await deals.gm.ask(contractsApi.pdf, { query: { id, paper: 'bill' } })
  const [text] = (await pdfText(bytes)).map((page) => page.replaceAll(/[ \n]+/g, ' '))
  for (const words of [
    '竣工结算单',
    '结算金额 90,100.50',
    '已收 收款减退款 80,000.00',
    `留 4,485.00 元，${day} 到期 4,485.00`,
    '质保金以外，客户应补 5,615.50',
    '客户应补 5,615.50 元（大写：伍仟陆佰壹拾伍元伍角整）',
    '客户（签字）',
    '我方（签字盖章）',
    '第 1 / 1 页',
  ])
    expect(text).toContain(words)
  expect((await close(id)).msg).toBe('竣工结算单双方签字后才能结清')
  expect((await signBill(id, { files: [] })).msg).toContain('请上传双方签字的结算单')
  expect((await signBill(id, { signedOn: addDays(today, 1) })).msg).toBe('签字日期不能晚于今天')
  expect((await signBill(id)).msg).toBe('')
  expect((await bill(id)).msg).toBe('竣工结算单已经签字')
  await expect(changed(id, [WORK])).rejects.toThrow('竣工结算单已经签字，不能再变更')
  expect((await close(id)).msg).toBe('客户还欠 5,615.50 元，收齐才能结清')
  await pay(id, '5615.50')
  expect((await close(id)).msg).toBe('')
  expect(await contract(id)).toMatchObject({ state: 'settled', owed: '0.00', back: '0.00', overdue: '0.00' })
  expect((await refund(id, '1')).msg).toBe('合同已经结清，不能再退款')
  // Nothing but the warranty money is taken; on its day it is due, later it is late, and both lists know it.
  expect((await pay(id, '4485.01')).msg).toContain('超过合同额 90,100.50 元')
  await server.sql(
    `WITH before AS (UPDATE contracts SET signed_on = :today - 60 WHERE id = $1)
     UPDATE contract_instalments SET due_on = CASE WHEN warranty THEN :today - 8 ELSE :today - 20 END
     WHERE contract_id = $1 AND percent IS NULL`,
    [id],
  )
  expect(await contract(id)).toMatchObject({ owed: '4485.00', overdue: '4485.00' })
  const listed = async (query: object) =>
    (await cashier.call(contractsApi.list, { query: { pageSize: 100, ...query } })).list.map((r) => r.id)
  expect(await listed({})).not.toContain(id)
  // Whoever asks for it by its number finds it, settled or not.
  const { code } = await contract(id)
  for (const query of [{ overdue: true }, { owing: true }, { state: 'settled' }, { keyword: code }])
    expect(await listed(query)).toContain(id)
  // In parts: the bill's column still adds up, and list and page say what of it stands out.
  const standing = async () => {
    const one = await contract(id)
    const [row] = (
      await cashier.call(contractsApi.list, { query: { pageSize: 100, state: 'settled' } })
    ).list.filter((r) => r.id === id)
    return [one.bill!.warranty, one.warrantyOpen, row!.warrantyOpen, one.bill!.balance]
  }
  expect(await standing()).toEqual(['4485.00', '4485.00', '4485.00', '0.00'])
  expect((await pay(id, '1000')).msg).toBe('')
  expect(await standing()).toEqual(['4485.00', '3485.00', '3485.00', '0.00'])
  expect((await pay(id, '3485')).msg).toBe('')
  expect(await standing()).toEqual(['4485.00', '0.00', '0.00', '0.00'])
  expect(await contract(id)).toMatchObject({ owed: '0.00', paid: '90100.50' })
})

test('nothing is settled while something is owed to the customer, or a change or a refund waits', async () => {
  const { changed, contract, judge, pay, refund, signed } = deals
  const id = await signed()
  await pay(id, '89700.50')
  await finished(id, await server.as('pm'))
  const paint = (await contract(id)).items.find((i) => i.name === '店里乳胶漆')!
  expect((await changed(id, [{ attribute: 4, item_id: paint.id, quantity: '2' }])).msg).toBe('')
  expect((await bill(id, { warranty: '1', warrantyOn: addDays(deals.today, 9) })).msg).toContain(
    '客户没付的只有 0 元',
  )
  expect((await bill(id)).msg).toBe('')
  expect((await contract(id)).bill).toMatchObject({ balance: '-67.00', warrantyOn: null })
  expect((await signBill(id)).msg).toBe('')
  expect((await close(id)).msg).toBe('还要退给客户 67.00 元，退完才能结清')
  const back = await refund(id, '67')
  expect((await close(id)).msg).toBe('退款正在审核，审核后才能结清')
  expect((await judge(back.data.id)).msg).toBe('')
  expect((await close(id)).msg).toBe('')
  expect(await contract(id)).toMatchObject({ state: 'settled', paid: '89633.50' })
})

test('who finishes a home and may not read its contract is told no sum', async () => {
  const { contract, signed } = deals
  const id = await signed()
  const effects = await finished(id, await server.as('pm'))
  const { code, state } = await contract(id)
  expect(effects).toContain(`合同 ${code} 进入竣工结算`)
  expect(effects.join()).not.toContain('元')
  expect(state).toBe('finishing')
})

test('what a home earned stands beside what was quoted, for who may read costs and for nobody else', async () => {
  const { contract, gm, signed } = deals
  const id = await signed()
  const before = await contract(id)
  expect(before.realised).toMatchObject({ goods: '0.00', others: '0.00', uncosted: 0, waiting: 2 })
  expect([before.quotedMargin, before.realMargin]).toEqual([expect.stringMatching(/^\d/), null])
  await server.sql(
    `WITH l AS (SELECT p.tenant_id, p.bc_id, p.site_id, p.contract_id FROM pieces p WHERE p.contract_id = $1 LIMIT 1)
     INSERT INTO orders (tenant_id, id, code, bc_id, bc_name, site_id, contract_id, receiver_id, receiver_name,
       community, method, expected_on, made_by, made_name, made_at, due_at)
     SELECT l.tenant_id, gen_random_uuid(), 'DD-' || left(l.contract_id::text, 8), l.bc_id, '', l.site_id,
       l.contract_id,
       l.bc_id, '', '', 1, :today, (SELECT id FROM users WHERE user_name = 'order_clerk'), '', :now, :now FROM l`,
    [id],
  )
  await server.sql(
    `INSERT INTO owed_lines (tenant_id, id, bc_id, receiver_id, order_id, kind, amount, at, month)
     SELECT o.tenant_id, gen_random_uuid(), o.bc_id, o.receiver_id, o.id, k.kind, k.amount, :now,
       date_trunc('month', :now)::date
     FROM orders o, (VALUES ('freight', 50000.00), ('difference', -2000.50)) AS k(kind, amount)
     WHERE o.contract_id = $1`,
    [id],
  )
  await finished(id)
  // 89,700.50 − 3 % tax of 2,612.64 = 87,087.86; less 47,999.50 is 39,088.36 of it.
  const after = await contract(id)
  expect(after.realised).toMatchObject({ goods: '47999.50', untaxed: '87087.86' })
  expect(after.realMargin).toBe('44.88')
  expect(after.quotedMargin).toBe(before.quotedMargin)
  const row = async (who: Person) =>
    (await who.call(contractsApi.list, { query: { ids: [id] } })).list.find((r) => r.id === id)!
  expect(await row(gm)).toMatchObject({ realMargin: '44.88', quotedMargin: before.quotedMargin })
  const cashier = await deals.contract(id, deals.cashier)
  expect([cashier.realised, cashier.realMargin, cashier.quotedMargin]).toEqual([null, null, null])
  expect(await row(deals.cashier)).toMatchObject({ realMargin: null, quotedMargin: null })
})

test('who may settle hears of a finished home till its bill is written, and when it holds no longer', async () => {
  const { changed, contract, signed } = deals
  const id = await signed()
  const unread = () =>
    server.sql<{ user_name: string; title: string }>(
      `SELECT u.user_name, n.title
       FROM notifications n
       JOIN users u ON u.tenant_id = n.tenant_id AND u.id = n.user_id
       WHERE n.cause_kind = 'finalBill' AND n.cause_id = $1 AND n.read_at IS NULL`,
      [id],
    )
  await finished(id, await server.as('pm'))
  const { code } = await contract(id)
  expect(await unread()).toEqual([
    { user_name: 'branch_gm', title: expect.stringContaining(`已完工，合同 ${code} 请办理竣工结算`) },
  ])
  expect((await bill(id)).msg).toBe('')
  expect(await unread()).toEqual([])
  expect((await changed(id, [WORK])).msg).toBe('')
  expect(await unread()).toEqual([
    { user_name: 'branch_gm', title: expect.stringMatching(/有变更 \S+ 通过，请重新办理竣工结算/) },
  ])
  expect((await bill(id)).msg).toBe('')
  expect((await signBill(id)).msg).toBe('')
  expect(await unread()).toEqual([])
  // Who finishes it and may settle it as well knows.
  const own = await signed()
  await finished(own)
  expect(
    await server.sql(`SELECT FROM notifications WHERE cause_kind = 'finalBill' AND cause_id = $1`, [own]),
  ).toEqual([])
})
