import { randomUUID } from 'node:crypto'

import { changesApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import type { QuotationDetail } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { rolesApi } from '@zhuguan/contract/features/roles/roles.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Deals, openDeals } from '../../testing/dealing.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let deals: Deals
beforeAll(async () => {
  server = await startTestServer()
  deals = await openDeals(server)
})
afterAll(() => server.stop())

const contentOf = (d: QuotationDetail) => ({
  package_id: d.package?.id ?? null,
  area: d.area,
  taxPercent: d.taxPercent,
  validUntil: d.validUntil,
  remark: d.remark,
  rooms: d.rooms,
  lines: d.lines,
  discounts: d.discounts,
})
/** What stands there, with more or less of it, saved by somebody. */
async function saved(
  id: string,
  change: (d: QuotationDetail) => Partial<ReturnType<typeof contentOf>>,
  who: Person = deals.quoter,
) {
  const d = await deals.seen(id, who)
  const content = { ...contentOf(d), ...change(d) }
  return who.ask(quotationsApi.save, {
    body: { id, version: d.version, customer_id: d.customer_id, content },
  })
}
const off = (kind: 'offer' | 'rounding', amount: string) => ({
  id: randomUUID(),
  kind,
  amount,
  reason: '老客户介绍',
})
/** The paint, three tins of 33.50, at another price. */
const paintAt = (d: QuotationDetail, price: string, quantity = '3') => ({
  lines: d.lines.map((l) => (l.attribute === 3 ? { ...l, price, quantity } : l)),
})
const submit = async (id: string, who: Person = deals.quoter) =>
  who.ask(quotationsApi.submit, { body: { id, version: (await deals.seen(id, who)).version } })

test('rounding and giving away within the limit of the role; above it whoever has the right is named', async () => {
  const id = await deals.draft()
  // 89,700.50 by the list: 2 % of it is 1,794.01.
  expect((await saved(id, () => ({ discounts: [off('rounding', '0.50')] }))).msg).toBe('')
  expect((await saved(id, () => ({ discounts: [off('rounding', '100')] }))).msg).toBe('')
  const round = await saved(id, () => ({ discounts: [off('rounding', '60'), off('rounding', '40.01')] }))
  expect(round).toMatchObject({
    code: 409,
    msg: expect.stringContaining('抹零共 100.01 元，超过您的上限 100.00 元'),
  })
  expect(round.msg).toMatch(/请减少，或请有“优惠\/抹零”权限的人办理（.+）$/)
  expect((await saved(id, () => ({ discounts: [off('offer', '1794.01')] }))).msg).toBe('')
  const much = await saved(id, () => ({ discounts: [off('offer', '1794.02')] }))
  expect(much.msg).toContain('让利共 1,794.02 元（优惠 1,794.02 元），超过您的上限 2%（1,794.01 元）')
  // What was refused has changed nothing.
  expect((await deals.seen(id)).sum).toMatchObject({ discount: '-1794.01', tax: '2560.38' })
  const over = await saved(id, () => ({ discounts: [off('offer', '89700.51')] }), deals.gm)
  expect(over).toMatchObject({ code: 400, msg: '优惠 89,700.51 元超过了报价 89,700.50 元，总价不能小于 0' })
})

test('a price under the list is given away like a discount; both together keep the limit', async () => {
  const id = await deals.draft()
  expect((await saved(id, (d) => paintAt(d, '0.01'))).msg).toBe('')
  expect((await deals.seen(id)).sum).toMatchObject({ below: '100.47', belowLines: 1, added: '0.03' })
  const row = (await deals.quoter.call(quotationsApi.list, { query: { pageSize: 100 } })).list.find(
    (r) => r.id === id,
  )
  expect(row).toMatchObject({ below: '100.47', belowLines: 1 })
  // Sixty tins: 2,009.40 less, of 91,610.00 by the list.
  const much = await saved(id, (d) => paintAt(d, '0.01', '60'))
  expect(much.msg).toContain(
    '让利共 2,009.40 元（1 行低于售价共 2,009.40 元），超过您的上限 2%（1,832.20 元）',
  )
  const both = await saved(id, (d) => ({ ...paintAt(d, '0.01'), discounts: [off('offer', '1694.00')] }))
  expect(both.msg).toContain('让利共 1,794.47 元（优惠 1,694.00 元，1 行低于售价共 100.47 元）')
  // Above the list, and what nobody has chosen, gives nothing away.
  expect((await saved(id, (d) => paintAt(d, '99', '600'))).msg).toBe('')
  const spare = await saved(id, (d) => ({
    lines: d.lines.map((l) => (l.attribute === 3 ? { ...l, price: '0', quantity: '600', counts: false } : l)),
  }))
  expect(spare.msg).toBe('')
  expect((await deals.seen(id)).sum).toMatchObject({ below: '0.00', belowLines: 0 })
})

test('what the manager gave stays given: kept, submitted and revised by the quoter, and no cent more', async () => {
  const id = await deals.draft()
  expect((await saved(id, () => ({ discounts: [off('offer', '5000')] }), deals.gm)).msg).toBe('')
  expect((await saved(id, (d) => ({ discounts: d.discounts, remark: '客户要环保漆' }))).msg).toBe('')
  const more = await saved(id, (d) => ({ discounts: [{ ...d.discounts[0]!, amount: '5000.01' }] }))
  expect(more.msg).toContain('让利共 5,000.01 元')
  expect((await submit(id)).msg).toBe('')
  expect((await deals.judge(id, 'reject')).msg).toBe('')
  await deals.revise(id, () => ({ remark: '改过了' }))
  expect((await submit(id)).msg).toBe('')
  // Copied it begins anew, without what was taken off; a price under the list is not copied past the limit.
  const low = await deals.draft()
  expect((await saved(low, (d) => paintAt(d, '0.01', '300'), deals.gm)).msg).toBe('')
  const { customer_id } = await deals.seen(low)
  const copied = await deals.quoter.ask(quotationsApi.copy, { body: { id: low, customer_id } })
  expect(copied.msg).toContain('1 行低于售价共 10,047.00 元')
})

test('guarded once more when it is submitted: the list has been raised, the limit lowered', async () => {
  const id = await deals.draft()
  expect((await saved(id, () => ({ discounts: [off('offer', '1700')] }))).msg).toBe('')
  await server.sql(`UPDATE roles SET give_percent = 1 WHERE code = 'quoter'`)
  expect((await submit(id)).msg).toContain('让利共 1,700.00 元（优惠 1,700.00 元），超过您的上限 1%')
  expect((await deals.seen(id)).status).toBe(1)
  await server.sql(`UPDATE roles SET give_percent = 2 WHERE code = 'quoter'`)
  expect((await saved(id, (d) => ({ ...paintAt(d, '30'), discounts: [] }))).msg).toBe('')
  expect((await submit(id)).msg).toBe('')
  expect((await deals.waiting(id)).summary).toContain('低于售价 1 行，共 −10.50 元')
})

test('the same in a change of a contract: written, edited and submitted; its judge reads it', async () => {
  const { contract, gm, quoter, signed, waiting } = deals
  const id = await signed()
  const paint = (await contract(id)).items.find((i) => i.name === '店里乳胶漆')!
  const line = (price: string) => ({
    attribute: 3 as const,
    product_id: paint.product_id!,
    quantity: '10',
    price,
  })
  const add = (price: string, who = quoter) =>
    who.ask(changesApi.add, { body: { contract_id: id, reason: '客户加漆', lines: [line(price)] } })
  expect((await add('32.82')).msg).toContain(
    '让利共 6.80 元（1 行低于售价共 6.80 元），超过您的上限 2%（6.70 元）',
  )
  const draft = await add('32.83')
  expect(draft.msg).toBe('')
  const edit = { id: draft.data.id, version: 0, reason: '客户加漆', lines: [line('1')] }
  expect((await quoter.ask(changesApi.edit, { body: edit })).msg).toContain('1 行低于售价共 325.00 元')
  expect((await quoter.ask(changesApi.submit, { body: { id: draft.data.id, version: 0 } })).msg).toBe('')
  expect((await waiting(draft.data.id)).summary).toContain('低于售价 1 行，共 −6.70 元')
  expect((await contract(id)).changeList[0]!.lines[0]).toMatchObject({ listPrice: '33.5', price: '32.83' })
  // What the manager wrote is the manager's to submit.
  const gms = await add('10', gm)
  expect(gms.msg).toBe('')
  const body = { id: gms.data.id, version: 0 }
  expect((await quoter.ask(changesApi.submit, { body })).msg).toContain('超过您的上限')
  expect((await gm.ask(changesApi.submit, { body })).msg).toBe('')
})

test('the limits stand with the role: seen, edited, and not raised by who may not give discounts', async () => {
  const { admin } = deals
  const { list } = await admin.call(rolesApi.list, { query: { keyword: 'quoter', pageSize: 50 } })
  const role = list.find((r) => r.code === 'quoter')!
  expect(role).toMatchObject({ roundOff: '100', givePercent: '2' })
  const d = await admin.call(rolesApi.details, { query: { id: role.id } })
  const facts = { ...d, pageIds: d.pageIds, labels: d.labels, roundOff: '10', givePercent: '0.5' }
  const { code, name, dataScope, remark, status, pageIds, labels, roundOff, givePercent, version } = facts
  const body = {
    id: d.id,
    version,
    code,
    name,
    dataScope,
    remark,
    status,
    pageIds,
    labels,
    roundOff,
    givePercent,
  }
  expect((await admin.ask(rolesApi.edit, { body: { ...body, givePercent: '101' } })).msg).toContain(
    '应在 0 到 100 之间',
  )
  expect((await admin.ask(rolesApi.edit, { body })).msg).toBe('')
  const id = await deals.draft()
  expect((await saved(id, () => ({ discounts: [off('rounding', '10.01')] }))).msg).toContain(
    '超过您的上限 10.00 元',
  )
  const [log] = await server.sql(
    `SELECT l.after->>'roundOff' AS limit FROM user_logs l WHERE l.action = '编辑角色'`,
  )
  expect(log).toEqual({ limit: '10' })
})
