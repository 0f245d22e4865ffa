import { api } from '@zhuguan/contract/api.ts'
import { TURNS } from '@zhuguan/contract/turns.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { pickupReminders } from '../features/dispatch/pickup-reminders.service.ts'
import { examineReminders } from '../features/examine/examine-reminders.service.ts'
import { answerReminders } from '../features/goods/answer-reminders.service.ts'
import { remind, type ReminderSource } from '../features/notifications/reminders.service.ts'
import { orderReminders } from '../features/orders/order-reminders.service.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { addDays } from '../kit/shanghai.ts'
import { type Delivery, openDelivery } from '../testing/delivering.ts'
import { linkFrom } from '../testing/driving.ts'
import { uploadPhoto } from '../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../testing/start.ts'

let server: TestServer
let shop: Delivery
let tenant: string
beforeAll(async () => {
  server = await startTestServer()
  shop = await openDelivery(server)
  const [row] = await server.sql<{ tenant_id: string }>(
    `SELECT tenant_id FROM users WHERE user_name = 'branch_gm'`,
  )
  tenant = row!.tenant_id
})
afterAll(() => server.stop())

const walked = new Set<string>()
const unread = async (cause: string): Promise<string[]> =>
  (
    await server.sql<{ user_name: string }>(
      `SELECT u.user_name FROM notifications n JOIN users u ON u.tenant_id = n.tenant_id AND u.id = n.user_id
       WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY u.user_name`,
      [cause],
    )
  ).map((r) => r.user_name)
async function then(line: string, cause: string, act: Promise<unknown>, heard: string[]): Promise<void> {
  const answer = (await act) as { code?: number; msg?: string } | null
  if (answer?.code !== undefined && typeof answer.msg === 'string') expect(answer.msg).toBe('')
  expect(await unread(cause), line).toEqual(heard.toSorted())
  walked.add(line)
}
const everybody = () => server.sql('UPDATE notifications SET read_at = :now WHERE read_at IS NULL')
const night = async (source: ReminderSource) => server.db.tx(SYSTEM, (tx) => remind(tx, tenant, source))
const version = async (id: string, table: string): Promise<number> =>
  (await server.sql<{ version: number }>(`SELECT version FROM ${table} WHERE id = $1`, [id]))[0]!.version
const order = async (id: string) => ({ id, version: await version(id, 'orders') })
const sold = async (name: string, quantity = '6', more: object = {}) => {
  const of = await shop.sold({ name, quantity, ...more })
  return { ...of, item: of.items[name]! }
}
const placed = async (item: string, who = shop.clerk, quantity = '6') =>
  (await shop.place([{ item_id: item, quantity }], who)).orders[0]!.id
const promise = async (id: string, who: Person) => {
  const o = await shop.seen(id, who)
  const lines = o.lineList.map((l) => ({ line_id: l.id, promisedOn: shop.expectedOn }))
  return who.call(api.orders.accept, { body: { id, version: o.version, lines } })
}

test('an order: the receiver, then who placed it; nobody is nagged about what was answered', async () => {
  const { item } = await sold('轮到谁的板')
  const id = await placed(item)
  walked.add('order.place')
  expect(await unread(id)).toEqual(['supplier'])
  await then('order.urge', id, shop.clerk.call(api.orders.urge, { body: await order(id) }), ['supplier'])
  await server.sql(`UPDATE orders SET due_at = :now - interval '1 hour' WHERE id = $1`, [id])
  await then('order.late', id, night(orderReminders), ['order_clerk', 'supplier'])
  const why = { reason: '没有货', rejectCode: 'stock' as const }
  await then(
    'order.reject',
    id,
    shop.supplier.call(api.orders.reject, { body: { ...(await order(id)), ...why } }),
    ['order_clerk'],
  )
  const again = { ...(await order(id)), expectedOn: shop.expectedOn, remark: '' }
  await then('order.resubmit', id, shop.clerk.call(api.orders.resubmit, { body: again }), ['supplier'])
  await then('order.accept', id, promise(id, shop.supplier), ['order_clerk'])
  const reason = '客户改了'
  const ask = async () => shop.clerk.call(api.orders.withdraw, { body: { ...(await order(id)), reason } })
  await then('order.askReceiver', id, ask(), ['supplier'])
  await then(
    'order.tellBuyer',
    id,
    shop.supplier.call(api.orders.decline, { body: { ...(await order(id)), reason: '已经备货' } }),
    ['order_clerk'],
  )
  await then(
    'order.askBuyer',
    id,
    shop.supplier.call(api.orders.withdraw, { body: { ...(await order(id)), reason: '没有货了' } }),
    ['order_clerk'],
  )
  await then('order.tellReceiver', id, shop.clerk.call(api.orders.agree, { body: await order(id) }), [
    'supplier',
  ])

  const second = await placed(item)
  const recall = shop.clerk.call(api.orders.recall, { body: { ...(await order(second)), reason: '下错了' } })
  // The receiver, who was asked to answer, hears that nothing waits any more.
  await then('order.recall', second, recall, ['supplier'])
  const [said] = await server.sql<{ title: string }>(
    'SELECT title FROM notifications WHERE cause_id = $1 AND read_at IS NULL',
    [second],
  )
  expect(said!.title).toContain('撤回')
  const ended = await sold('终止了的板')
  const lost = await placed(ended.item)
  const c = await shop.gm.call(api.contracts.details, { query: { id: ended.contract } })
  const end = { id: c.id, version: c.version, value: '0', reason: '业主退单' }
  await then('order.terminate', lost, shop.gm.call(api.contracts.terminate, { body: end }), ['supplier'])
  const third = await placed(item)
  await shop.supplier.call(api.orders.reject, { body: { ...(await order(third)), ...why } })
  const release = shop.clerk.call(api.orders.release, { body: { ...(await order(third)), reason: '不要了' } })
  await then('order.release', third, release, [])
  const fourth = await placed(item)
  const line = (await shop.seen(fourth, shop.supplier)).lineList[0]!.id
  await everybody()
  const parts = [{ line_id: line, quantity: '2' }]
  await then(
    'order.split',
    fourth,
    shop.supplier.call(api.orders.split, { body: { ...(await order(fourth)), parts } }),
    ['order_clerk'],
  )
  await shop.accept(fourth)
  await shop.clerk.call(api.orders.withdraw, { body: { ...(await order(fourth)), reason } })
  const note = (await shop.seen(fourth)).notes[0]!.id
  await then('order.lapse', fourth, shop.ship(note), ['order_clerk'])
})

test('who placed it cannot any more: whoever else may order in the branch hears', async () => {
  const { item } = await sold('下单人走了的板')
  const id = await placed(item)
  await server.sql(`UPDATE users SET status = 2 WHERE user_name = 'order_clerk'`)
  await then('order.accept', id, promise(id, shop.supplier), ['branch_gm'])
  await server.sql(`UPDATE users SET status = 1 WHERE user_name = 'order_clerk'`)
  shop.clerk = await server.as('order_clerk')
})

test('who stands on both sides does not answer what they asked themselves', async () => {
  const { item } = await sold('两边都是我', '4', { byBranch: true })
  const id = await placed(item, shop.gm, '4')
  await promise(id, shop.gm)
  await shop.gm.call(api.orders.withdraw, { body: { ...(await order(id)), reason: '不要了' } })
  const agree = await shop.gm.ask(api.orders.agree, { body: await order(id) })
  expect(agree).toMatchObject({ code: 409, msg: '要由对方答复' })
  const [row] = await server.sql<{ ask: string; ended: string }>(
    'SELECT ask, ended FROM orders WHERE id = $1',
    [id],
  )
  expect(row).toEqual({ ask: 'withdraw', ended: '' })
})

test('a company that is both sides: somebody else of it is asked, and answers', async () => {
  const name = '自己的板'
  const { items } = await shop.sold({ name, quantity: '4', byBranch: true })
  const line = [{ item_id: items[name]!, quantity: '4' }]
  const { orders } = await shop.place(line, shop.gm)
  const id = orders[0]!.id
  await shop.accept(id, shop.gm)
  await everybody()
  const body = async () => ({ id, version: await version(id, 'orders') })
  const ask = { ...(await body()), reason: '客户改了' }
  await then('order.askReceiver', id, shop.gm.call(api.orders.withdraw, { body: ask }), ['order_clerk'])
  expect((await shop.gm.ask(api.orders.agree, { body: await body() })).msg).toBe('要由对方答复')
  await then('order.tellBuyer', id, shop.clerk.call(api.orders.agree, { body: await body() }), ['branch_gm'])
})

test('a note: who ordered, then who accepts; judged, nobody is asked any more', async () => {
  const { item } = await sold('到货的板')
  const id = await placed(item)
  const note = (await shop.accept(id)).notes[0]!.id
  await then('dispatch.ship', note, shop.ship(note, { 到货的板: '4' }), ['order_clerk'])
  const on = async (of = note) => ({ id: of, version: await version(of, 'dispatches') })
  const later = { ...(await on()), plannedOn: addDays(shop.expectedOn, 1), reason: '路堵' }
  await everybody()
  await then('dispatch.replan', note, shop.supplier.call(api.trips.replan, { body: later }), ['order_clerk'])
  const line = (await shop.note(note)).lineList[0]!.line_id
  const proof = { photo: await uploadPhoto(server.url, shop.supplier), place: '门口' }
  const part = await shop.supplier.call(api.dispatch.handOver, {
    body: { ...(await on()), ...proof, lines: [{ line_id: line, quantity: '1' }], reason: '电梯坏了' },
  })
  expect(await unread(part.id)).toEqual(['acceptor', 'branch_gm'])
  walked.add('dispatch.handOver')
  expect(await unread(note)).toEqual(['order_clerk'])
  walked.add('dispatch.partLeft')
  await then('dispatch.deliver', note, shop.deliver(note, shop.supplier), ['acceptor', 'branch_gm'])
  await then('dispatch.deliver', note, shop.judge(note, [{ name: '到货的板', quantity: '1', result: 2 }]), [
    'acceptor',
    'branch_gm',
  ])
  await then('dispatch.judged', note, shop.judge(note, [{ name: '到货的板', quantity: '2', result: 2 }]), [])
  const rest = (await shop.seen(id)).notes.find((n) => n.state === 0)!.id
  const cancel = shop.clerk.call(api.dispatch.cancel, { body: { ...(await on(rest)), reason: '先不送' } })
  await then('dispatch.cancel', rest, cancel, ['supplier'])
})

test('a note that comes back, and goods that nobody fetches', async () => {
  const { item } = await sold('自提的板')
  const id = await placed(item)
  const note = (await shop.accept(id)).notes[0]!.id
  const { lineList, version: seen } = await shop.note(note, shop.supplier)
  await shop.supplier.call(api.dispatch.ship, {
    body: {
      id: note,
      version: seen,
      lines: lineList.map((l) => ({ line_id: l.line_id, quantity: l.quantity })),
      method: 3,
      plannedOn: shop.today,
      pickupStore: '建材城 12 号',
      pickupUntil: addDays(shop.today, 1),
    },
  })
  await everybody()
  await then('dispatch.pickupSoon', note, night(pickupReminders), ['order_clerk'])
  await server.sql(`UPDATE dispatches SET pickup_until = :today::date - 1 WHERE id = $1`, [note])
  await everybody()
  await then('dispatch.pickupOver', note, night(pickupReminders), ['order_clerk', 'supplier'])
  const back = {
    id: note,
    version: await version(note, 'dispatches'),
    back: 'uncollected' as const,
    reason: '没有来取',
  }
  await then('dispatch.sendBack', note, shop.clerk.call(api.dispatch.sendBack, { body: back }), ['supplier'])
})

test('what the driver says at the door', async () => {
  const { item } = await sold('门口的板')
  const id = await placed(item)
  const note = (await shop.accept(id)).notes[0]!.id
  await shop.ship(note)
  const { phone } = await linkFrom(server, shop.supplier, note)
  await everybody()
  await then('dispatch.nobodyThere', note, phone.say(note, 'nobody'), ['order_clerk', 'supplier'])
  const damagePhoto = (await phone.photo()).data.key
  const damaged = phone.handOver(note, { damage: '碎了两片', damagePhoto })
  await then('dispatch.damaged', note, damaged, ['acceptor', 'branch_gm'])
})

test('a change of goods: the receiver, the examiner, and whoever carries the answer out', async () => {
  const broken = async (name: string) => {
    const { note } = await shop.arrived({ name, quantity: '5' })
    await everybody()
    const { data } = await shop.judge(note, [{ name, quantity: '5', result: 4 }])
    return data.changes[0]!.id
  }
  const id = await broken('碎了的板')
  walked.add('goods.ask')
  expect(await unread(id)).toEqual(['supplier'])
  const [request] = await server.sql<{ id: string }>('SELECT id FROM examine_requests WHERE object_id = $1', [
    id,
  ])
  // Nothing can be judged before the receiver has answered: nobody else is told.
  expect(await unread(request!.id)).toEqual([])
  await server.sql(`UPDATE goods_changes SET answer_due = :now - interval '1 hour' WHERE id = $1`, [id])
  await then('goods.late', id, night(answerReminders), ['acceptor', 'examiner', 'supplier'])
  await server.sql(`UPDATE goods_changes SET answer_due = :now + interval '1 hour' WHERE id = $1`, [id])
  for (const [hours, line, heard] of [
    [1, 'examine.due', ['examiner']],
    [25, 'examine.late', ['branch_gm', 'examiner']],
  ] as const) {
    await everybody()
    await server.sql(`UPDATE examine_requests SET due_at = :now - $2 * interval '1 hour' WHERE id = $1`, [
      request!.id,
      hours,
    ])
    await then(line, request!.id, night(examineReminders), [...heard])
  }
  const answer = { ...(await shop.change(id)), answer: 'agree' as const }
  const agreed = shop.supplier.call(api.goods.answer, {
    body: { id, version: answer.version, answer: 'agree' },
  })
  await then('goods.answer', id, agreed, ['acceptor', 'examiner'])
  walked.add('goods.answered')
  await then('goods.approve', id, shop.examine(id), ['acceptor', 'supplier'])
  const other = await broken('不算碎的板')
  await then('goods.reject', other, shop.examine(other, 'reject'), ['acceptor', 'supplier'])
  const third = await broken('看错了的板')
  const [asked] = await server.sql<{ id: string }>('SELECT id FROM examine_requests WHERE object_id = $1', [
    third,
  ])
  const taken = shop.acceptor.call(api.goods.withdraw, {
    body: { id: third, version: await version(third, 'goods_changes'), reason: '看错了' },
  })
  await then('goods.withdraw', third, taken, [])
  await then('examine.withdraw', asked!.id, Promise.resolve(), [])
})

test('goods that came back damaged: who asked for it hears, then the merchant, then both', async () => {
  const { note } = await shop.arrived({ name: '磕坏的板', quantity: '3' })
  const judged = await shop.judge(note, [{ name: '磕坏的板', quantity: '3', result: 5, outcome: 'borne' }])
  const id = judged.data.changes[0]!.id
  await shop.examine(id)
  await everybody()
  await then('goods.damaged', id, shop.takeBack(id, 'damaged'), ['acceptor'])
  const leg = (await shop.change(id)).steps.find((k) => k.type === 5)!
  const one = { id: leg.id, version: leg.version, reason: '取走时完好' }
  await then('goods.disputed', id, shop.clerk.call(api.goods.disputeGrade, { body: one }), ['supplier'])
  const r = (await shop.examiner.call(api.examine.list, { query: { object_id: leg.id } })).list[0]!
  expect(await unread(r.id)).toEqual(['examiner'])
  const pass = { id: r.id, version: r.version, hash: r.hash, reason: '照片为证' }
  await then('goods.decided', id, shop.examiner.call(api.examine.pass, { body: pass }), [
    'acceptor',
    'supplier',
  ])
})

test('what is examined: who may judge hears, then who submitted', async () => {
  const quotation = await shop.draft(shop.quoter)
  const r = await shop.submit(quotation)
  expect(await unread(r.id)).toEqual(['examiner'])
  walked.add('examine.ask')
  const pass = { id: r.id, version: r.version, hash: r.hash, reason: '看过了' }
  await then('examine.pass', r.id, shop.examiner.call(api.examine.pass, { body: pass }), ['quoter'])
  const second = await shop.submit(await shop.draft(shop.quoter))
  const reject = { id: second.id, version: second.version, hash: second.hash, reason: '算错了' }
  await then('examine.reject', second.id, shop.examiner.call(api.examine.reject, { body: reject }), [
    'quoter',
  ])
})

test('a merchant is stopped while an order waits: named before, and who placed it is told', async () => {
  const { item } = await sold('停用的商家的板')
  const id = await placed(item)
  const [store] = await server.sql<{ name: string; bc_id: string; version: number; address: string }>(
    'SELECT name, bc_id, version, address FROM stores WHERE id = $1',
    [shop.merchant],
  )
  const facts = {
    ...store!,
    id: shop.merchant,
    principal: '',
    phone: '',
    receivesOrders: true,
    status: 2 as const,
  }
  await everybody()
  const asked = await shop.admin.ask(api.stores.edit, { body: facts })
  expect(asked).toMatchObject({ code: 409, msg: expect.stringContaining('张订单没有答复') })
  expect(await version(shop.merchant, 'stores')).toBe(store!.version)
  const stop = shop.admin.ask(api.stores.edit, { body: { ...facts, confirmed: true } })
  await then('order.stopped', id, stop, ['order_clerk'])
  await server.sql('UPDATE stores SET status = 1 WHERE id = $1', [shop.merchant])
})

test('every line of these machines was walked', () => {
  const { dispatch, examine, goods, order } = TURNS
  const lines = Object.entries({ dispatch, examine, goods, order }).flatMap(([machine, { on }]) =>
    Object.keys(on).map((line) => `${machine}.${line}`),
  )
  // A carrier's word is told in logistics.test.ts, a third round in goods.test.ts, a note off its trip in
  // trips.test.ts.
  const elsewhere = ['dispatch.carrierSays', 'dispatch.offTrip', 'goods.round']
  expect([...walked, ...elsewhere].toSorted()).toEqual(lines.toSorted())
})
