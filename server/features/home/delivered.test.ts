import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { REMINDERS } from '../../app/reminders.ts'
import { addDays } from '../../kit/shanghai.ts'
import { type Delivery, lawsBroken, openDelivery } from '../../testing/delivering.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { remind } from '../notifications/reminders.service.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { keepDeliveryDay } from './home.service.ts'

let server: TestServer
let shop: Delivery
/** Orders of the story: not answered; accepted; a part there; all there and judged as broken. */
const order: Record<'asked' | 'changed' | 'parted' | 'toShip', string> = {
  asked: '',
  changed: '',
  parted: '',
  toShip: '',
}
beforeAll(async () => {
  server = await startTestServer()
  shop = await openDelivery(server)
  const { items } = await shop.sold(
    { name: '一砖', quantity: '4' },
    { name: '二砖', quantity: '4' },
    { name: '三砖', quantity: '4' },
  )
  const placed = async (name: string) =>
    (await shop.place([{ item_id: items[name]!, quantity: '4' }])).orders[0]!.id
  order.asked = await placed('一砖')
  order.toShip = await placed('二砖')
  await shop.accept(order.toShip)
  order.parted = await placed('三砖')
  const note = (await shop.accept(order.parted)).notes[0]!.id
  await shop.ship(note, { 三砖: '1' })
  await shop.deliver(note)
  const broken = await shop.arrived({ name: '四砖', quantity: '2' })
  order.changed = broken.order
  await shop.judge(broken.note, [{ name: '四砖', quantity: '2', result: 4 }])
})
afterAll(async () => {
  expect(await lawsBroken(server)).toEqual([])
  await server.stop()
})

const LISTS = {
  '/order/OrderList': ordersApi.list,
  '/order/ReceiveOrder': ordersApi.received,
  '/check/AcceptanceList': goodsApi.sheets,
  '/check/ChangeGoods': goodsApi.list,
} as const
const listOf = async (who: Person, link: string) => {
  const [path, filters] = link.split('?')
  const query = { ...Object.fromEntries(new URLSearchParams(filters)), pageSize: 100 }
  return who.call(LISTS[path as keyof typeof LISTS] as typeof ordersApi.list, { query })
}
/** What each card of goods says, equal to the lists behind it. */
async function goodsOf(who: Person) {
  const { figures } = await who.call(homeApi.cards)
  const said: Record<string, [number | null, number]> = {}
  for (const f of figures.filter((k) => ['receiving', 'toShip', 'toAccept', 'changes'].includes(k.card))) {
    expect((await listOf(who, f.link)).totalCount, f.card).toBe(f.value)
    const [late] = f.parts
    expect((await listOf(who, late!.link)).totalCount, late!.label).toBe(late!.value)
    said[f.card] = [f.value, late!.value]
  }
  return said
}
/** What stands beside a card of goods, equal to the lists behind it: of other orders than the card is of. */
async function besideOf(who: Person, card: string) {
  const f = (await who.call(homeApi.cards)).figures.find((k) => k.card === card)!
  for (const b of f.beside) expect((await listOf(who, b.link)).totalCount, b.label).toBe(b.value)
  return f.beside.map((b) => b.value)
}
const rowsOf = async (who: Person, card: string) =>
  (await who.call(homeApi.cards)).figures.find((f) => f.card === card)!.rows

test('each of the two parties has its cards, equal to the lists behind them; late ones apart', async () => {
  // What comes instead of broken goods is to be shipped too.
  const all = { receiving: [1, 0], toShip: [3, 0], toAccept: [1, 0], changes: [1, 0] }
  for (const who of [shop.clerk, shop.gm, await server.as('hq_ops')]) expect(await goodsOf(who)).toEqual(all)
  // A merchant judges nothing; an examiner reads what becomes of a return.
  expect(await goodsOf(shop.supplier)).toEqual({ receiving: [1, 0], toShip: [3, 0], changes: [1, 0] })
  expect(await goodsOf(shop.examiner)).toEqual({ changes: [1, 0] })
  expect(await goodsOf(shop.gm2)).toEqual({
    receiving: [0, 0],
    toShip: [0, 0],
    toAccept: [0, 0],
    changes: [0, 0],
  })
  expect((await rowsOf(shop.acceptor, 'toAccept')).map((r) => r.late)).toEqual([false])
  const [asked] = await rowsOf(shop.supplier, 'receiving')
  expect(asked!.link).toBe(`/order/OrderDetail?id=${order.asked}`)
  // The receiver is told the place and who orders, not the site.
  expect(asked!.text).toMatch(/^江南里 · /)
  expect(asked!.text).not.toContain('幢')

  // Expected before today: also of the order whose header says that a part waits to be accepted.
  const parted = await shop.seen(order.parted)
  expect(parted.orderState).toBe(5)
  await server.sql(`UPDATE orders SET expected_on = $2 WHERE id = ANY ($1)`, [
    [order.toShip, order.parted, order.changed],
    addDays(shop.today, -1),
  ])
  await server.sql(`UPDATE orders SET due_at = :now - interval '1 hour' WHERE id = $1`, [order.asked])
  await server.sql(`UPDATE goods_changes SET answer_due = :now - interval '1 hour'`)
  await server.sql(
    `UPDATE dispatches SET delivered_at = delivered_at - interval '1 day' WHERE order_id = $1`,
    [order.parted],
  )
  expect(await goodsOf(shop.clerk)).toEqual({
    receiving: [1, 1],
    toShip: [3, 3],
    toAccept: [1, 1],
    changes: [1, 1],
  })
  // Another branch receives it: that branch has it on its list, and does not judge it.
  await server.sql(
    `UPDATE dispatches SET receiver_id = (SELECT bc_id FROM companies WHERE code = 'NB') WHERE order_id = $1`,
    [order.parted],
  )
  expect((await shop.gm2.call(goodsApi.sheets, { query: {} })).totalCount).toBe(1)
  expect(await goodsOf(shop.gm2)).toMatchObject({ toAccept: [0, 0] })
  expect(await rowsOf(shop.gm2, 'toAccept')).toEqual([])
  expect((await goodsOf(shop.clerk)).toAccept).toEqual([1, 1])
  await server.sql('UPDATE dispatches SET receiver_id = $2 WHERE order_id = $1', [
    order.parted,
    shop.merchant,
  ])
  const late = await shop.clerk.call(ordersApi.list, { query: { late: 'true' } })
  expect(late.list.map((o) => o.id).sort()).toEqual(Object.values(order).sort())
  expect((await rowsOf(shop.clerk, 'toShip')).every((r) => r.late)).toBe(true)
})

test('an answer that is overdue and goods that nobody collects are told once, to those who can act', async () => {
  const { items } = await shop.sold({ name: '自提砖', quantity: '1' })
  const { orders } = await shop.place([{ item_id: items['自提砖']!, quantity: '1' }])
  const note = (await shop.accept(orders[0]!.id)).notes[0]!.id
  const n = await shop.note(note, shop.supplier)
  const lines = [{ line_id: n.lineList[0]!.line_id, quantity: '1' }]
  const how = { method: 3 as const, plannedOn: shop.today, pickupStore: '建材城', pickupUntil: shop.today }
  await shop.supplier.call(dispatchApi.ship, { body: { id: note, version: n.version, lines, ...how } })
  const remindAll = async () => {
    let told = 0
    for (const source of REMINDERS)
      told += await server.db.tx(SYSTEM, (tx) => remind(tx, shop.supplier.tenant, source))
    return told
  }
  const unread = async (who: Person) =>
    (await who.call(notificationsApi.list)).list.filter((m) => !m.read).map((m) => m.title)
  const [pickup, over] = [`自提单 ${n.code} 最晚`, `自提单 ${n.code} 过了最晚自提日`]
  await remindAll()
  expect(await remindAll()).toBe(0)
  // The last day is told to who ordered; a missing answer to who has to give it, who asked and who judges without it.
  const told = async (who: Person) => {
    const titles = (await unread(who)).join('\n')
    return [titles.includes(pickup), /退换补 .* 超过答复期限/.test(titles)]
  }
  expect(await told(shop.clerk)).toEqual([true, false])
  for (const who of [shop.supplier, shop.acceptor, shop.examiner])
    expect(await told(who)).toEqual([false, true])
  await server.sql(`UPDATE dispatches SET pickup_until = $2 WHERE id = $1`, [note, addDays(shop.today, -1)])
  expect(await remindAll()).toBe(1)
  expect(await remindAll()).toBe(0)
  for (const who of [shop.clerk, shop.supplier]) expect((await unread(who)).join('\n')).toContain(over)
  // Sent back, nobody waits for it any more.
  await shop.clerk.call(dispatchApi.sendBack, {
    body: { id: note, version: (await shop.note(note)).version, back: 'uncollected', reason: '没人来取' },
  })
  expect((await unread(shop.clerk)).join('\n')).not.toContain('自提日')
})

test('yesterday evening is kept by both parties; a day without an evening is a gap', async () => {
  const yesterday = addDays(shop.today, -1)
  const tenant = (await server.sql<{ id: string }>(`SELECT tenant_id AS id FROM orders LIMIT 1`))[0]!.id
  for (const _ of [1, 2]) await server.db.tx(SYSTEM, (tx) => keepDeliveryDay(tx, tenant, yesterday))
  const kept = async (who: Person) =>
    Object.fromEntries((await who.call(homeApi.cards)).figures.map((f) => [f.card, f.trend.slice(-3)]))
  for (const who of [shop.clerk, shop.supplier])
    expect(await kept(who)).toMatchObject({
      receiving: [null, 1, 1],
      toShip: [null, 4, 4],
      changes: [null, 1, 1],
    })
  expect(await kept(shop.acceptor)).toMatchObject({ toAccept: [null, 1, 1] })
  expect(await kept(shop.gm2)).toMatchObject({ receiving: [null, null, 0] })
})

test('who orders and receives has two figures: what we wait for, and beside it what waits for us', async () => {
  const tables = ['orders', 'dispatches', 'goods_changes', 'pieces']
  const given = (to: string) =>
    Promise.all(
      tables.map((t) => server.sql(`UPDATE ${t} SET receiver_id = ${to} WHERE receiver_id IS NOT NULL`)),
    )
  await given(`(SELECT bc_id FROM companies WHERE code = 'NB')`)
  const hq = await server.as('hq_ops')
  const [all, ours, theirs] = [await goodsOf(hq), await goodsOf(shop.gm), await goodsOf(shop.gm2)]
  for (const card of ['receiving', 'toShip', 'changes']) {
    // What the branches wait for adds up to the group's; nothing is in two of them.
    expect(ours[card]![0]! + theirs[card]![0]!, card).toBe(all[card]![0])
    expect(theirs[card], card).toEqual([0, 0])
    expect(await besideOf(shop.gm2, card), card).toEqual(all[card])
    expect(await besideOf(hq, card), card).toEqual([])
  }
  const of = (await shop.gm.call(homeApi.cards)).figures.find((f) => f.card === 'receiving')!.of
  expect(of).toBe('现在，我们下的单，等对方答复')
  await given(`'${shop.merchant}'`)
})
