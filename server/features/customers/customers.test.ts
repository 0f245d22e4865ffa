import { api } from '@zhuguan/contract/api.ts'
import { customersImport } from '@zhuguan/contract/features/customers/customers.import.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { openDeals } from '../../testing/dealing.ts'
import { checked, sheetOf, stored } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { remind } from '../notifications/reminders.service.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { customerReminders, returnCustomers } from './customers-back.service.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const { customers, followUps } = api
let server: TestServer
let sales: Person, gm: Person, quoter: Person, hq: Person
let place: { bc_id: string; store_id: string }
let me: { id: string; nickname: string }
beforeAll(async () => {
  server = await startTestServer()
  // Ten in the morning of a working day to come, so that nothing here is on a rest day.
  server.later(startOfDay(today()).getTime() + 10 * HOUR - server.now().getTime())
  await enter()
  place = (
    await server.sql<typeof place>(
      `SELECT s.bc_id, s.id AS store_id FROM users u JOIN user_stores t ON t.user_id = u.id
     JOIN stores s ON s.id = t.store_id WHERE u.user_name = 'sales' ORDER BY s.name LIMIT 1`,
    )
  )[0]!
  me = (await server.sql<typeof me>(`SELECT id, nickname FROM users WHERE user_name = 'sales'`))[0]!
})
afterAll(() => server.stop())
/** Sessions end after an hour: whoever lives through more enters again. */
async function enter() {
  sales = await server.as('sales')
  gm = await server.as('branch_gm')
  quoter = await server.as('quoter')
  hq = await server.as('hq_ops')
}
async function later(ms: number) {
  server.later(ms)
  await enter()
}
const today = () => shanghaiDay(server.now())
const seconds = (ms = 0) => Math.floor((server.now().getTime() + ms) / 1000)
let many = 0
const number = () => `137${String(10_000_000 + (many += 1))}`
const add = async (who: Person, more: object = {}) =>
  (
    await who.call(customers.add, {
      body: { ...place, name: `客户${many}`, phone: number(), community: '江南里', ...more },
    })
  ).id
const seen = (id: string, who = gm) => who.call(customers.details, { query: { id } })
const one = async (id: string) => ({ id, version: (await seen(id)).version })
const told = async (id: string) =>
  (
    await server.sql<{ user_name: string }>(
      `SELECT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
       WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY u.user_name`,
      [id],
    )
  ).map((n) => n.user_name)
const titles = async (user: string) =>
  (
    await server.sql<{ title: string }>(
      `SELECT n.title FROM notifications n JOIN users u ON u.id = n.user_id WHERE u.user_name = $1`,
      [user],
    )
  ).map((n) => n.title)
const refusal = async (asked: Promise<{ code: number; msg: string }>) => {
  const { code, msg } = await asked
  expect(code).not.toBe(200)
  return msg
}

test('a number is one customer of a branch however it is written; elsewhere no more is said than that', async () => {
  const id = await add(sales, { name: '王女士', phone: '13800138111', consultant_id: me.id })
  for (const phone of [
    '138 0013 8111',
    '+8613800138111',
    '１３８００１３８１１１',
    '86 138-0013-8111',
    '138-0013-8111',
  ]) {
    const said = await refusal(quoter.ask(customers.add, { body: { ...place, name: '重复', phone } }))
    expect(said).toContain('王女士')
    expect(said).toContain(me.nickname)
  }
  // A further person of the home is known as well.
  await sales.call(customers.addContact, {
    body: { ...(await one(id)), name: '李先生', relation: 'spouse', phone: '13900139222' },
  })
  const known = await quoter.call(customers.known, { body: { bc_id: place.bc_id, phone: '139 0013 9222' } })
  expect(known).toEqual({ id, words: expect.stringContaining('联系人李先生') })
  // In another branch only that the group has it.
  const other = await server.as('quoter2')
  const [there] = await server.sql<{ bc_id: string }>(`SELECT bc_id FROM users WHERE user_name = 'quoter2'`)
  expect(await other.call(customers.known, { body: { bc_id: there!.bc_id, phone: '13800138111' } })).toEqual({
    id: null,
    words: '集团内已有这个电话的客户',
  })
  // Another group hears nothing at all.
  const stranger = await server.as('other_quoter')
  const [far] = await server.sql<{ bc_id: string }>(
    `SELECT bc_id FROM users WHERE user_name = 'other_quoter'`,
  )
  expect(await stranger.call(customers.known, { body: { bc_id: far!.bc_id, phone: '13800138111' } })).toEqual(
    {
      id: null,
      words: '',
    },
  )
})

test('the step follows what happens: contact, visit, quotation, deposit, signature; no call sets it', async () => {
  const shop = await openDeals(server)
  const id = await add(sales, { name: '进展客户', consultant_id: me.id })
  const step = async () => {
    const { signingProgress, step: now } = await seen(id)
    return [now, signingProgress]
  }
  expect(await step()).toEqual([1, 1])
  const { answerDue } = await seen(id)
  expect(answerDue).toBeGreaterThan(seconds())
  const at = seconds(-60_000)
  await sales.call(followUps.add, { body: { customer_id: id, kind: 'phone', at, content: '问了户型' } })
  expect(await step()).toEqual([2, 1])
  expect((await seen(id)).answerDue).toBe(null)
  await sales.call(followUps.add, { body: { customer_id: id, kind: 'measure', at, content: '量了房' } })
  expect(await step()).toEqual([3, 1])
  const quotation = await quoter.call(api.quotations.add, {
    body: { customer_id: id, content: shop.content() },
  })
  // A draft is not given to anybody.
  expect(await step()).toEqual([3, 1])
  await shop.submit(quotation.id)
  expect(await step()).toEqual([3, 1])
  await shop.judge(quotation.id)
  expect(await step()).toEqual([4, 1])
  // Whatever somebody sends, the step is none of it.
  const { version } = await seen(id)
  const { store_id } = place
  const sent = { store_id, id, version, name: '进展客户', phone: '', community: '江南里', step: 6 }
  expect(await refusal(sales.ask(customers.edit, { body: sent }))).toContain('step')
  expect(await step()).toEqual([4, 1])
  // The deposit makes it one, its refund takes it back, and nobody loses a customer whose money we hold.
  const contract = await gm.call(api.contracts.add, {
    body: { id: quotation.id, version: (await shop.seen(quotation.id)).version },
  })
  expect((await shop.pay(contract.id, '5000')).code).toBe(200)
  expect(await step()).toEqual([5, 2])
  expect(
    await refusal(
      sales.ask(customers.lose, { body: { ...(await one(id)), why: 'price', reason: '太贵了' } }),
    ),
  ).toContain('定金')
  const refund = await shop.refund(contract.id, '5000')
  await shop.judge(refund.data.id)
  expect(await step()).toEqual([4, 1])
  expect((await shop.pay(contract.id, '5000')).code).toBe(200)
  await sales.call(followUps.plan, {
    body: { customer_id: id, kind: 'phone', at: seconds(DAY), content: '催签' },
  })
  expect((await shop.sign(contract.id)).code).toBe(200)
  expect(await step()).toEqual([6, 3])
  // Signed: nothing of the lead goes on, nothing of it goes back to the pool.
  expect(await seen(id)).toMatchObject({ nextAt: null, backDue: null, answerDue: null })
})

test('claimed once, by one of many; not by who has enough, and not again by who has just lost it', async () => {
  const id = await add(gm, { name: '公海客户' })
  expect((await seen(id)).held).toBe('pool')
  const body = await one(id)
  const answers = await Promise.all(Array.from({ length: 20 }, () => sales.ask(customers.claim, { body })))
  expect(answers.filter((a) => a.code === 200)).toHaveLength(1)
  expect(await seen(id)).toMatchObject({ held: 'assigned', consultant_id: me.id })
  const acts = await server.sql(`SELECT act FROM customer_events WHERE customer_id = $1 AND act = 'claim'`, [
    id,
  ])
  expect(acts).toHaveLength(1)
  // Nobody else follows it up, and headquarters read only.
  const follow = { customer_id: id, kind: 'phone' as const, at: seconds(-1000), content: '抢着打' }
  expect(await refusal(quoter.ask(followUps.add, { body: follow }))).toContain(me.nickname)
  expect(
    (await hq.ask(customers.lose, { body: { ...(await one(id)), why: 'price', reason: '太贵' } })).code,
  ).toBe(401)
  await sales.call(customers.lose, { body: { ...(await one(id)), why: 'rival', reason: '选了别家' } })
  const lost = await seen(id)
  expect(lost).toMatchObject({ held: 'lost', lostReason: 'rival', why: '选了别家：选了别家' })
  await sales.call(customers.revive, { body: await one(id) })
  expect(await seen(id)).toMatchObject({ held: 'assigned', lostReason: null })
  // The branch's limit: one more than they may have is refused, whoever gives it.
  const [n] = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM customers WHERE consultant_id = $1 AND held = 'assigned' AND step < 5`,
    [me.id],
  )
  await server.sql(
    `INSERT INTO settings (tenant_id, bc_id, key, value) SELECT tenant_id, bc_id, 'leadCap', to_jsonb($2::int)
     FROM users WHERE id = $1 ON CONFLICT DO NOTHING`,
    [me.id, n!.n],
  )
  const next = await add(gm, { name: '又一位' })
  expect(await refusal(sales.ask(customers.claim, { body: await one(next) }))).toContain(`上限 ${n!.n} 位`)
  await server.sql(`DELETE FROM settings WHERE key = 'leadCap'`)
})

test('given by rule: to who works in the community, else in turn; handed over with what is planned', async () => {
  const [colleague] = await server.sql<{ id: string; nickname: string }>(
    `SELECT id, nickname FROM users WHERE user_name = 'quoter'`,
  )
  await add(gm, { name: '邻居', community: '云栖里', consultant_id: colleague!.id })
  const near = await add(gm, { name: '同小区', community: '云栖里' })
  const { list } = await gm.call(customers.assign, { body: { list: [await one(near)] } })
  expect(list).toEqual([{ name: '同小区', to: colleague!.nickname, why: '按小区分配（云栖里）' }])
  expect(await told(near)).toEqual(['quoter'])
  const two = [
    await add(gm, { name: '轮一', community: '别处一' }),
    await add(gm, { name: '轮二', community: '别处二' }),
  ]
  const turn = await gm.call(customers.assign, { body: { list: await Promise.all(two.map(one)) } })
  expect(new Set(turn.list.map((t) => t.to)).size).toBe(2)
  expect(turn.list.map((t) => t.why)).toEqual(['轮流分配', '轮流分配'])
  // One that cannot be given stops all of them.
  const both = [await add(gm, { name: '能分' }), near]
  expect(
    await refusal(gm.ask(customers.assign, { body: { list: await Promise.all(both.map(one)), to: me.id } })),
  ).toContain('跟进中')
  expect((await seen(both[0]!)).held).toBe('pool')
  // Handed over: what was planned goes along, both hear, the one before can do no more.
  await quoter.call(followUps.plan, {
    body: { customer_id: near, kind: 'phone', at: seconds(DAY), content: '再聊' },
  })
  await gm.call(customers.hand, { body: { ...(await one(near)), to: me.id, reason: '换人跟' } })
  expect(await told(near)).toEqual(['quoter', 'sales'])
  const [plan] = (await sales.call(followUps.list, { query: { customer_id: near } })).list
  expect(plan).toMatchObject({ state: 'planned', user_id: me.id })
  expect(
    await refusal(
      quoter.ask(followUps.done, {
        body: { id: plan!.id, version: plan!.version, at: seconds(), result: '打了' },
      }),
    ),
  ).toContain(me.nickname)
})

test('a follow-up is done in the past, at most three days ago, and then marked; planned ones lie ahead', async () => {
  const id = await add(sales, { name: '跟进客户', consultant_id: me.id })
  // Nothing was done with them before their day.
  const early = { customer_id: id, kind: 'phone' as const, at: seconds(-DAY), content: '昨天聊过' }
  expect(await refusal(sales.ask(followUps.add, { body: early }))).toContain('还没有登记')
  await server.sql(`UPDATE customers SET created_at = created_at - interval '9 days' WHERE id = $1`, [id])
  const of = { customer_id: id, kind: 'phone' as const }
  const did = (ms: number) =>
    sales.ask(followUps.add, { body: { ...of, at: seconds(ms), content: '聊过了' } })
  expect(await refusal(did(DAY))).toContain('将来')
  expect(await refusal(did(-4 * DAY))).toContain('3 天')
  expect((await did(-2 * DAY)).code).toBe(200)
  expect(
    await refusal(sales.ask(followUps.plan, { body: { ...of, at: seconds(-HOUR), content: '昨天' } })),
  ).toContain('已经过去')
  const next = { kind: 'store' as const, at: seconds(2 * DAY), content: '来店里看' }
  await sales.call(followUps.add, { body: { ...of, at: seconds(), content: '约好了', next } })
  const { list } = await sales.call(followUps.list, { query: { customer_id: id } })
  expect(list.map((f) => [f.state, f.kind, f.late])).toEqual([
    ['planned', 'store', false],
    ['done', 'phone', false],
    ['done', 'phone', true],
  ])
  expect((await seen(id)).nextAt).toBe(next.at)
  // Another at the same hour is said, not refused.
  const clash = await sales.call(followUps.clashes, { query: { customer_id: id, at: next.at } })
  expect(clash.notes.join()).toContain('跟进客户')
  // Two finish it: the second hears that somebody was faster.
  const [plan] = list
  await later(2 * DAY + HOUR)
  const body = { id: plan!.id, version: plan!.version, at: seconds(), result: '来过了' }
  const both = await Promise.all([sales.ask(followUps.done, { body }), gm.ask(followUps.done, { body })])
  expect(both.map((a) => a.code).toSorted()).toEqual([200, 409])
  expect(await seen(id)).toMatchObject({ step: 3, nextAt: null })
  // Whoever refuses to hear from us is neither called nor written to.
  await sales.call(followUps.plan, { body: { ...of, at: seconds(DAY), content: '再打一次' } })
  await sales.call(customers.refuse, { body: { ...(await one(id)), reason: '不要再打' } })
  expect((await seen(id)).nextAt).toBe(null)
  expect(
    await refusal(sales.ask(followUps.plan, { body: { ...of, at: seconds(DAY), content: '还是打' } })),
  ).toContain('拒绝联系')
})

test('nobody follows up: three days’ notice, then back to the pool; what is planned stays', async () => {
  const due = await add(sales, { name: '会退回', consultant_id: me.id })
  const planned = await add(sales, { name: '有计划', consultant_id: me.id })
  const { backDue } = await seen(due)
  const back = new Date(backDue! * 1000)
  const look = () => server.db.tx(SYSTEM, (tx) => returnCustomers(tx, tenant))
  const reminding = async () => {
    for (const source of customerReminders) await server.db.tx(SYSTEM, (tx) => remind(tx, tenant, source))
  }
  const [{ tenant }] = (await server.sql('SELECT tenant_id AS tenant FROM customers WHERE id = $1', [
    due,
  ])) as [{ tenant: string }]
  // Nobody was told: it is not taken away, however late it is.
  await later(back.getTime() - server.now().getTime() + HOUR)
  await sales.call(followUps.plan, {
    body: { customer_id: planned, kind: 'phone', at: seconds(5 * DAY), content: '下周再打' },
  })
  await look()
  expect((await seen(due)).held).toBe('assigned')
  await reminding()
  // Of many at once there is one message.
  expect(await titles('sales')).toContainEqual(expect.stringContaining('将退回公海'))
  await later(3 * DAY + HOUR)
  await look()
  expect(await seen(due)).toMatchObject({ held: 'pool', consultant_id: null })
  expect((await seen(planned)).held).toBe('assigned')
  expect((await seen(due)).why).toContain('工作日未跟进')
  // Whoever lost it does not claim it again within a week.
  expect(await refusal(sales.ask(customers.claim, { body: await one(due) }))).toContain('7 天')
  await later(7 * DAY)
  await sales.call(customers.claim, { body: await one(due) })
  expect((await seen(due)).consultant_id).toBe(me.id)
})

test('two that are one home become one: both histories, both numbers, the old number leads on', async () => {
  const husband = await add(sales, {
    name: '合并丈夫',
    phone: '13700990001',
    community: '',
    consultant_id: me.id,
  })
  const wife = await add(gm, { name: '合并妻子', phone: '13700990002', community: '湖畔' })
  await sales.call(followUps.add, {
    body: { customer_id: husband, kind: 'phone', at: seconds(), content: '丈夫说要三房' },
  })
  const merge = async (more: object = {}) => {
    const [a, b] = await Promise.all([one(wife), one(husband)])
    return { ...a, into: b.id, intoVersion: b.version, take: ['community' as const], reason: '夫妻', ...more }
  }
  expect(await refusal(gm.ask(customers.merge, { body: await merge({ into: wife }) }))).toContain('自己')
  expect((await sales.ask(customers.merge, { body: await merge() })).code).toBe(401)
  const body = await merge()
  const twice = await Promise.all([gm.ask(customers.merge, { body }), gm.ask(customers.merge, { body })])
  expect(twice.filter((a) => a.code === 200)).toHaveLength(1)
  const now = await seen(wife)
  expect(now).toMatchObject({ id: husband, name: '合并丈夫', community: '湖畔', merged: ['合并妻子'] })
  expect(now.contacts.map((c) => c.name)).toEqual(['合并妻子'])
  expect(now.lines.some((l) => l.text.includes('三房'))).toBe(true)
  const said = await refusal(
    sales.ask(customers.add, { body: { ...place, name: '又来', phone: '13700990002' } }),
  )
  expect(said).toContain('合并丈夫')
  const { list } = await gm.call(customers.list, { query: { keyword: '合并' } })
  expect(list.map((k) => k.name)).toEqual(['合并丈夫'])
})

test('numbers are masked everywhere, read one at a time for a reason, and so many a day', async () => {
  const phone = '13766554433'
  const id = await add(sales, { name: '电话客户', phone, consultant_id: me.id })
  const answers = await Promise.all([
    sales.ask(customers.list, { query: { keyword: phone } }),
    sales.ask(customers.details, { query: { id } }),
    sales.ask(customers.board, { query: {} }),
    sales.ask(customers.waits, {}),
    gm.ask(customers.export, { query: {} }),
  ])
  for (const a of answers) expect(a.bytes.includes(phone)).toBe(false)
  expect(answers[0].data.totalCount).toBe(1)
  expect((await hq.ask(customers.phone, { body: { id, reason: '想看看' } })).code).toBe(401)
  await server.sql(
    `INSERT INTO settings (tenant_id, bc_id, key, value) SELECT tenant_id, bc_id, 'unmaskDaily', '2'
     FROM users WHERE id = $1`,
    [me.id],
  )
  const read = () => sales.ask(customers.phone, { body: { id, reason: '约上门' } })
  expect((await read()).data).toEqual({ phone })
  expect((await read()).data).toEqual({ phone })
  expect(await refusal(read())).toContain('每天最多 2 个')
  const manager = await gm.call(api.notifications.list, {})
  expect(JSON.stringify(manager)).toContain('到了每天的上限')
  await server.sql(`DELETE FROM settings WHERE key = 'unmaskDaily'`)
})

test('whoever does not reach the store sees nothing of it: other branches, other stores, other groups', async () => {
  const id = await add(sales, { name: '别人看不见', consultant_id: me.id })
  const version = (await one(id)).version
  for (const name of ['quoter2', 'other_quoter']) {
    const who = await server.as(name)
    expect((await who.ask(customers.details, { query: { id } })).code).toBe(403)
    expect((await who.ask(customers.claim, { body: { id, version } })).code).toBe(403)
    expect(
      (
        await who.ask(followUps.plan, {
          body: { customer_id: id, kind: 'phone', at: seconds(DAY), content: '偷看' },
        })
      ).code,
    ).toBe(403)
    expect(JSON.stringify((await who.ask(customers.list, { query: {} })).data)).not.toContain('别人看不见')
  }
  for (const name of ['pm', 'steward', 'inspector', 'cashier', 'service', 'supplier'])
    expect((await (await server.as(name)).ask(customers.list, { query: {} })).code).toBe(401)
})

test('what waits: unanswered first, then overdue, then today; acting takes it away', async () => {
  const fresh = await add(sales, { name: '等我新', consultant_id: me.id })
  const old = await add(sales, { name: '等我旧', consultant_id: me.id })
  await sales.call(followUps.add, {
    body: {
      customer_id: old,
      kind: 'phone',
      at: seconds(),
      content: '约了',
      next: { kind: 'wechat', at: seconds(HOUR), content: '发资料' },
    },
  })
  const mine = async () =>
    (await sales.call(customers.waits, {})).list.filter((w) => [fresh, old].includes(w.id)).map((w) => w.wait)
  expect(await mine()).toEqual(['answer', 'today'])
  await later(DAY)
  expect(await mine()).toEqual(['answer', 'overdue'])
  expect((await sales.call(customers.list, { query: { id: old, overdue: true } })).totalCount).toBe(1)
  const [plan] = (await sales.call(followUps.list, { query: { customer_id: old, state: ['planned'] } })).list
  await sales.call(followUps.done, {
    body: { id: plan!.id, version: plan!.version, at: seconds(), result: '发了' },
  })
  expect(await mine()).toEqual(['answer'])
  await sales.call(followUps.add, {
    body: { customer_id: fresh, kind: 'phone', at: seconds(), content: '打了' },
  })
  expect(await mine()).toEqual([])
  // The board has each customer in one column, and as many as the list.
  const columns = await sales.call(customers.board, { query: {} })
  // Who is lost is no work and stands on no board.
  const all = await sales.call(customers.list, { query: { held: ['pool', 'assigned'] } })
  expect(columns.reduce((sum, c) => sum + c.n, 0)).toBe(all.totalCount)
})

test('a customer is its consultant’s: nobody else edits it, and what was edited stands in its story', async () => {
  const id = await add(sales, { name: '别人的客户', consultant_id: me.id })
  const { store_id } = place
  const facts = { store_id, ...(await one(id)), name: '改了名', phone: '13712340000', community: '' }
  for (const ask of [
    quoter.ask(customers.edit, { body: facts }),
    quoter.ask(customers.addContact, {
      body: { ...(await one(id)), name: '外人', relation: 'other', phone: '13712340001' },
    }),
  ])
    expect(await refusal(ask)).toContain(me.nickname)
  await sales.call(customers.edit, { body: { ...facts, phone: '' } })
  expect((await seen(id)).lines.some((l) => l.title.startsWith('修改') && l.text.includes('姓名'))).toBe(true)
  // Into a store that the consultant does not see it goes with somebody of that store, or not at all.
  const [other] = await server.sql<{ id: string }>(
    `SELECT s.id FROM stores s WHERE s.bc_id = $1 AND s.id <> $2
       AND NOT EXISTS (SELECT FROM user_stores t WHERE t.store_id = s.id AND t.user_id = $3)`,
    [place.bc_id, place.store_id, me.id],
  )
  if (other)
    expect(
      await refusal(gm.ask(customers.edit, { body: { ...facts, ...(await one(id)), store_id: other.id } })),
    ).toContain('请先转交')
  // Somebody else's name is given by who gives customers away.
  const theirs = { ...place, name: '塞给别人', phone: number(), consultant_id: me.id }
  expect(await refusal(quoter.ask(customers.add, { body: theirs }))).toContain('登记到别人名下')
})

test('the limit holds against six at once, in claims, gifts and own entries', async () => {
  const [n] = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM customers WHERE consultant_id = $1 AND held = 'assigned' AND step < 5`,
    [me.id],
  )
  await server.sql(
    `INSERT INTO settings (tenant_id, bc_id, key, value) SELECT tenant_id, bc_id, 'leadCap', to_jsonb($2::int)
     FROM users WHERE id = $1`,
    [me.id, n!.n + 1],
  )
  const pool = []
  for (let i = 0; i < 6; i += 1) pool.push(await one(await add(gm, { name: `抢${i}`, community: '' })))
  const answers = await Promise.all([
    ...pool.slice(0, 3).map((body) => sales.ask(customers.claim, { body })),
    ...pool.slice(3).map((k) => gm.ask(customers.assign, { body: { list: [k], to: me.id } })),
    sales.ask(customers.add, { body: { ...place, name: '自己的', phone: number(), consultant_id: me.id } }),
  ])
  expect(answers.filter((a) => a.code === 200)).toHaveLength(1)
  await server.sql(`DELETE FROM settings WHERE key = 'leadCap'`)
})

test('a landline with a dash and without is one number; with a contract nobody is lost by a word', async () => {
  await add(sales, { name: '座机客户', phone: '0571-88886666', consultant_id: me.id })
  for (const phone of ['057188886666', '0571 88886666'])
    expect(
      await refusal(sales.ask(customers.add, { body: { ...place, name: '同一座机', phone } })),
    ).toContain('座机客户')
  expect((await sales.call(customers.list, { query: { keyword: '0571-88886666' } })).totalCount).toBe(1)
  // As its mask leaves it, or as a telephone shows it; any other part finds nobody.
  for (const [keyword, n] of [
    ['6666', 1],
    ['0571 88886666', 1],
    ['8888', 0],
    ['88886666', 0],
  ] as const)
    expect((await sales.call(customers.list, { query: { keyword } })).totalCount, keyword).toBe(n)
  const shop = await openDeals(server)
  const id = await add(sales, { name: '有合同', consultant_id: me.id })
  const quotation = await quoter.call(api.quotations.add, {
    body: { customer_id: id, content: shop.content() },
  })
  await shop.submit(quotation.id)
  await shop.judge(quotation.id)
  await gm.call(api.contracts.add, {
    body: { id: quotation.id, version: (await shop.seen(quotation.id)).version },
  })
  const lose = { ...(await one(id)), why: 'price' as const, reason: '太贵了' }
  expect(await refusal(gm.ask(customers.lose, { body: lose }))).toContain('请先在合同里作废或终止')
  // A contract names its customer: they are kept, never merged away.
  const plain = await add(sales, { name: '没合同', consultant_id: me.id })
  const [a, b] = [await one(id), await one(plain)]
  const merge = { ...a, into: b.id, intoVersion: b.version, reason: '同一户' }
  expect(await refusal(gm.ask(customers.merge, { body: merge }))).toContain('保留有合同的这一位')
})

test('people of a store bring in a list; known numbers and those who refuse stay out', async () => {
  const HEAD = ['姓名*', '电话*', '门店', '分公司', '来源', '小区', '地址', '面积', '预算', '风格']
  const [store] = await server.sql<{ name: string }>('SELECT name FROM stores WHERE id = $1', [
    place.store_id,
  ])
  const known = await add(sales, { name: '已知', phone: '13655550001', consultant_id: me.id })
  const refuses = await add(sales, { name: '拒绝', phone: '13655550002', consultant_id: me.id })
  await sales.call(customers.refuse, { body: { ...(await one(refuses)), reason: '别再打' } })
  const line = (name: string, phone: string, where = store!.name) => [
    name,
    phone,
    where,
    '',
    '小区活动',
    '江南里',
    '',
    '110',
    '',
    '',
  ]
  const rows = [
    line('新一', '136 5555 0003'),
    line('新二', '+8613655550004'),
    line('已知', '13655550001'),
    line('拒绝', '１３６５５５５０００２'),
    line('重复', '13655550003'),
    line('月球', '13655550005', '月球店'),
  ]
  const state = await checked(server.url, sales, customersImport, await sheetOf(HEAD, rows))
  expect(state).toMatchObject({ total: 6, good: 2, bad: 4 })
  await stored(sales, customersImport, state.id)
  const { list } = await gm.call(customers.list, { query: { keyword: '新', held: ['pool'] } })
  expect(
    list.filter((k) => ['新一', '新二'].includes(k.name)).map((k) => [k.source, k.step, k.followedAt]),
  ).toEqual([
    ['event', 1, null],
    ['event', 1, null],
  ])
  expect((await seen(known)).name).toBe('已知')
  expect(await titles('branch_gm')).toContainEqual(expect.stringContaining('导入的客户在公海里'))
})

test('a landline is one number with a dash and without, also in a list that is brought in', async () => {
  const [store] = await server.sql<{ name: string }>('SELECT name FROM stores WHERE id = $1', [
    place.store_id,
  ])
  await add(sales, { name: '座机', phone: '0571-88881234', consultant_id: me.id })
  const sheet = await sheetOf(
    ['姓名*', '电话*', '门店', '来源'],
    [
      ['已登记', '057188881234', store!.name, '小区活动'],
      ['已登记又一行', '0571-88881234', store!.name, '小区活动'],
      ['座机新', '0571-88885678', store!.name, '小区活动'],
      ['座机重复', '057188885678', store!.name, '小区活动'],
    ],
  )
  const state = await checked(server.url, sales, customersImport, sheet)
  expect(state).toMatchObject({ total: 4, good: 1, bad: 3 })
  await stored(sales, customersImport, state.id)
  const { list } = await gm.call(customers.list, { query: { keyword: '座机', held: ['pool'] } })
  expect(list.map((k) => k.name)).toEqual(['座机新'])
})

test('further people have numbers of their own; money and signatures are asked of whoever may take them', async () => {
  const id = await add(sales, { name: '两个电话', consultant_id: me.id })
  await sales.call(customers.addContact, {
    body: { ...(await one(id)), name: '家人', relation: 'family', phone: '13644440001' },
  })
  const [contact] = (await seen(id)).contacts
  expect(contact!.phone).toContain('****')
  const whole = await sales.call(customers.phone, { body: { id, contact_id: contact!.id, reason: '约量房' } })
  expect(whole).toEqual({ phone: '13644440001' })
  await sales.call(customers.dropContact, {
    body: { ...(await one(id)), contact_id: contact!.id, reason: '写错了' },
  })
  await add(sales, { name: '另一户', phone: '13644440001', consultant_id: me.id })
  const plan = await sales.call(followUps.plan, {
    body: { customer_id: id, kind: 'store', at: seconds(DAY), content: '到店' },
  })
  const then = seconds(3 * DAY)
  await sales.call(followUps.move, { body: { id: plan.id, version: 0, at: then } })
  expect((await seen(id)).nextAt).toBe(then)
  await sales.call(followUps.cancel, { body: { id: plan.id, version: 1, reason: '客户出差' } })
  expect((await seen(id)).nextAt).toBe(null)
  expect(
    await refusal(sales.ask(customers.ask, { body: { ...(await one(id)), what: 'deposit' } })),
  ).toContain('报价')
  const shop = await openDeals(server)
  const quotation = await quoter.call(api.quotations.add, {
    body: { customer_id: id, content: shop.content() },
  })
  await shop.submit(quotation.id)
  await shop.judge(quotation.id)
  const { told: names } = await sales.call(customers.ask, {
    body: { ...(await one(id)), what: 'deposit', words: '今天下午来' },
  })
  expect(names.length).toBeGreaterThan(0)
  expect(await titles('cashier')).toContainEqual(expect.stringContaining('请给 两个电话 收定金'))
})
