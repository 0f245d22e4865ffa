import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openShop, type Shop } from '../../testing/selling.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { toldLog } from '../../testing/told-log.ts'

let server: TestServer
let shop: Shop
beforeAll(async () => {
  server = await startTestServer()
  shop = await openShop(server)
})
afterAll(() => server.stop())

type Request = Awaited<ReturnType<Shop['waiting']>>
const seenOf = ({ id, version, hash }: Request) => ({ id, version, hash })
const pass = (r: Request, who = shop.examiner, more: object = {}) =>
  who.ask(examineApi.pass, { body: { ...seenOf(r), ...more } })
const reject = (r: Request, reason: string, who = shop.examiner) =>
  who.ask(examineApi.reject, { body: { ...seenOf(r), reason } })
const heard = async (who: Person) =>
  (await who.call(notificationsApi.list)).list.filter((n) => !n.read).map((n) => n.title)
/** Somebody changes a line of what was submitted, past every rule. */
const tamper = (quotation: string) =>
  server.sql(
    `UPDATE quotation_lines l SET price = price + 1 FROM quotation_versions v
     WHERE v.quotation_id = $1 AND l.version_id = v.id`,
    [quotation],
  )

test('refused with a reason, changed and submitted again, approved: each step is read beside the next', async () => {
  const id = await shop.draft()
  const first = await shop.submit(id)
  expect(first).toMatchObject({ round: 1, amount: '89700.50', change: '', submitter: expect.any(String) })
  expect(await reject(first, '')).toMatchObject({ code: 400, msg: '原因：请写明原因（至少 2 个字）' })
  await shop.examiner.call(examineApi.details, { query: { id: first.id } })
  expect(await reject(first, '乳胶漆数量不够')).toMatchObject({ code: 200 })
  expect(await shop.seen(id)).toMatchObject({ status: 4 })
  expect(await heard(shop.quoter)).toContain(`报价单 ${first.number} 被驳回：乳胶漆数量不够`)

  await shop.revise(id, (was) => ({
    lines: [...was.lines, shop.extra('定制酒柜', '1', '5200')] as never,
  }))
  const second = await shop.submit(id)
  expect(second).toMatchObject({ round: 2, amount: '94900.50', examineState: 0 })
  expect(second.change).toMatch(/新增 1 行.*5,?200\.00/)
  const opened = await shop.examiner.call(examineApi.details, { query: { id: second.id } })
  expect(opened).toMatchObject({ barred: '', version_id: expect.any(String) })
  expect(opened.earlier).toMatchObject([
    {
      round: 1,
      amount: '89700.50',
      examineState: 2,
      reason: '乳胶漆数量不够',
      withdrawn: false,
      version_id: first.version_id,
      seenAt: expect.any(Number),
    },
  ])
  expect(await pass(second, shop.examiner, { reason: '可以' })).toMatchObject({ code: 200 })
  expect(await shop.seen(id)).toMatchObject({ status: 3, total: '94900.50' })
  expect(await heard(shop.quoter)).toContain(`报价单 ${second.number} 已通过审核：可以`)
  expect(await heard(shop.examiner)).not.toContain(expect.stringContaining(second.number))
  const [log] = await toldLog(server, `object = 'examine' AND object_id = $1`, [second.id])
  expect(log).toMatchObject({ action: '审核通过', after: { reason: '可以' } })
})

test('what takes more than the package gives is named, the first few by their rooms', async () => {
  const id = await shop.draft()
  const was = await shop.seen(id)
  const more = was.lines.map((l) => (l.attribute === 1 ? { ...l, quantity: '50' } : l))
  await shop.quoter.call(quotationsApi.save, {
    body: {
      id,
      version: was.version,
      customer_id: was.customer_id,
      content: {
        package_id: was.package!.id,
        area: was.area,
        validUntil: was.validUntil,
        rooms: was.rooms,
        lines: more,
      },
    },
  })
  expect((await shop.submit(id)).summary).toMatch(/^超出套餐用量：客厅 店里地砖 60（套餐 45） · 王女士/)
})

test('a cashier’s queue has what belongs to contracts, and no quotation', async () => {
  const r = await shop.submit(await shop.draft())
  const cashier = await server.as('cashier')
  const { list } = await cashier.call(examineApi.list, { query: { pageSize: 100 } })
  expect(list.map((one) => one.kind)).not.toContain('quotation')
  expect(await cashier.ask(examineApi.details, { query: { id: r.id } })).toMatchObject({ code: 403 })
  const gm = await server.as('branch_gm')
  expect((await gm.call(examineApi.details, { query: { id: r.id } })).amount).toBe('89700.50')
})

test('what changed since, or is not what the approver saw, is not approved; it can be refused', async () => {
  const id = await shop.draft()
  const r = await shop.submit(id)
  expect(await pass({ ...r, hash: 'another' })).toMatchObject({
    code: 409,
    msg: `您看到的报价单 ${r.number} 不是提交的那一份，请重新打开后再审核`,
  })
  await tamper(id)
  expect(await pass(r)).toMatchObject({
    code: 409,
    msg: `报价单 ${r.number} 提交以后内容有变动，不能通过；请驳回，由提交人重新提交`,
  })
  expect(await shop.seen(id)).toMatchObject({ status: 2 })
  expect(await shop.waiting(id)).toMatchObject({ examineState: 0, version: r.version })
  expect(await reject(r, '内容被改动')).toMatchObject({ code: 200 })
})

test('never one’s own; who may not judge is refused', async () => {
  const own = await shop.submit(await shop.draft(shop.admin), shop.admin)
  expect(await pass(own, shop.admin)).toMatchObject({
    code: 409,
    msg: '自己提交的不能自己审核，请由他人审核',
  })
  expect(await reject(own, '不行', shop.admin)).toMatchObject({ code: 409 })
  for (const role of ['branch_gm', 'quoter', 'hq_ops', 'order_clerk', 'cashier'])
    expect(await pass(own, await server.as(role)), role).toMatchObject({ code: 401 })
  expect(await pass(own, await server.as('other'))).toMatchObject({ code: 403 })
  expect(await pass(own)).toMatchObject({ code: 200 })
})

test('of two who judge at once the second is told who was first; so of judging and taking back', async () => {
  const r = await shop.submit(await shop.draft())
  const both = await Promise.all([pass(r), reject(r, '不行', shop.admin)])
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  expect(both.find((a) => a.code === 409)!.msg).toMatch(/^已被 .+ 于 \d{4}-\d\d-\d\d \d\d:\d\d 处理/)
  for (let i = 0; i < 4; i += 1) {
    const id = await shop.draft()
    const asked = await shop.submit(id)
    const { version } = await shop.seen(id)
    const answers = await Promise.all([
      pass(asked),
      shop.quoter.ask(quotationsApi.withdraw, { body: { id, version } }),
    ])
    expect(answers.map((a) => a.code).sort()).toEqual([200, 409])
    expect((await shop.seen(id)).status).toBe(answers[0].code === 200 ? 3 : 1)
  }
})

test('a batch approves the eligible ones and names the others', async () => {
  const good = await shop.submit(await shop.draft())
  const own = await shop.submit(await shop.draft(shop.admin), shop.admin)
  const changed = await shop.draft()
  const stale = await shop.submit(changed)
  await tamper(changed)
  const done = await shop.submit(await shop.draft())
  await pass(done)
  const some = [good, own, stale, done].map(seenOf)
  const answer = await shop.admin.call(examineApi.batch, { body: { some } })
  expect(answer.done).toBe(1)
  expect(answer.skipped.map((s) => s.id)).toEqual([own.id, stale.id, done.id])
  expect(answer.skipped.map((s) => s.why)).toEqual([
    '自己提交的不能自己审核，请由他人审核',
    expect.stringContaining('提交以后内容有变动'),
    expect.stringMatching(/^已被 .+ 处理/),
  ])
  expect(await shop.waiting(good.object_id)).toMatchObject({ examineState: 1 })
  expect(await shop.waiting(own.object_id)).toMatchObject({ examineState: 0 })
  expect(await shop.admin.ask(examineApi.batch, { body: { some: [] } })).toMatchObject({
    code: 400,
    msg: '单据：请先选择要通过的单据',
  })
})
