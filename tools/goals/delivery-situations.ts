import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'

import { uploadPhoto } from '../../server/testing/photo.ts'
import type { DeliveryStage } from './delivery-stage.ts'

export const NAME = '逐项瓷砖'
export const AMOUNT = '2'
export const PART = '1'

/** How goods get where the tables of delivery-states.ts begin: each time on an order of its own. */
export async function situations(of: DeliveryStage) {
  const { shop, sql, url } = of
  const { acceptor, clerk, supplier } = shop
  const { items } = await shop.sold({ name: NAME, quantity: '100000' })
  // The order of a situation, and the note, change and way that the commands are tried on.
  const at = { order: '', note: '', change: '', leg: '' }
  const one = async <R>(text: string, id: string): Promise<R> => (await sql<R>(text, [id]))[0]!
  const version = async (table: string, id: string) =>
    (await one<{ version: number }>(`SELECT version FROM ${table} WHERE id = $1`, id)).version
  const seenOf = async (table: string, id: string) => ({ id, version: await version(table, id) })
  const line = async () =>
    (await one<{ id: string }>('SELECT id FROM order_lines WHERE order_id = $1', at.order)).id
  const places = async () => {
    const { places: found } = await one<{ places: string | null }>(
      `SELECT string_agg(DISTINCT p.place || CASE WHEN p.replaced = '' THEN '' ELSE '-' || p.replaced END
         || CASE WHEN p.place = 'accepted' AND p.change_id IS NOT NULL THEN ' complained' ELSE '' END, ' ') AS places
       FROM pieces p WHERE p.order_id = $1`,
      at.order,
    )
    return found ?? 'open'
  }
  const done = async (heard: Promise<{ code: number; msg: string }>) => {
    const { code, msg } = await heard
    if (code !== 200) throw new Error(`${code} ${msg}`)
  }

  const placed = async () => {
    at.order = (await shop.place([{ item_id: items[NAME]!, quantity: AMOUNT }])).orders[0]!.id
  }
  const asOrder = async (
    who: typeof clerk,
    command: 'agree' | 'close' | 'recall' | 'release' | 'urge' | 'withdraw',
  ) => {
    const body = { ...(await seenOf('orders', at.order)), reason: '说明原因' }
    await done(who.ask(ordersApi[command], { body }))
  }
  const rejected = async () => {
    await placed()
    const body = { ...(await seenOf('orders', at.order)), rejectCode: 'stock', reason: '缺货' } as const
    await done(supplier.ask(ordersApi.reject, { body }))
  }
  const accepted = async () => {
    await placed()
    at.note = (await shop.accept(at.order)).notes[0]!.id
  }
  const shipped = async (part?: string) => {
    await accepted()
    await done(shop.ship(at.note, part ? { [NAME]: part } : {}))
  }
  const arrived = async () => {
    await shipped()
    await done(shop.deliver(at.note))
  }
  const judged = async (result: 2 | 3 | 4 | 5, more: object = {}) => {
    await arrived()
    const heard = await shop.judge(at.note, [{ name: NAME, quantity: AMOUNT, result, ...more }])
    if (heard.code !== 200) throw new Error(heard.msg)
    at.change = heard.data.changes[0]?.id ?? ''
  }
  const approved = async (result: 3 | 4 | 5, more: object = {}) => {
    await judged(result, more)
    await done(shop.examine(at.change))
    const [way] = await sql<{ id: string }>(
      'SELECT id FROM logistics WHERE change_id = $1 AND type IN (0, 4, 5)',
      [at.change],
    )
    at.leg = way?.id ?? ''
  }
  /** What comes instead is on its note. */
  const instead = async () => {
    at.note = await shop.instead(at.order, at.change)
  }
  const finding = async (result: 3 | 4 | 5, who = acceptor) => ({
    line_id: await line(),
    quantity: AMOUNT,
    result,
    reasonCode: 'broken' as const,
    photos: [await uploadPhoto(url(), who)],
    ...(result === 5 ? { outcome: 'again' as const, outcomeReason: '说定' } : {}),
  })
  const complain = async (result: 3 | 4 | 5) =>
    clerk.ask(goodsApi.complain, {
      body: { ...(await seenOf('dispatches', at.note)), ...(await finding(result, clerk)) },
    })
  const late = async (result: 3 | 4 | 5) => {
    await judged(2)
    const heard = await complain(result)
    if (heard.code !== 200) throw new Error(heard.msg)
    at.change = heard.data.id
  }
  const collected = async (times: number) => {
    for (let i = 0; i < times; i += 1)
      await done(supplier.ask(goodsApi.collect, { body: await seenOf('logistics', at.leg) }))
  }
  const graded = async (grade: 'good' | 'damaged') => {
    await collected(2)
    const body = { ...(await seenOf('logistics', at.leg)), grade, reason: '看过了' }
    await done(supplier.ask(goodsApi.grade, { body }))
  }
  const sentBack = async (back: 'refused' | 'lost') =>
    clerk.ask(dispatchApi.sendBack, {
      body: { ...(await seenOf('dispatches', at.note)), back, reason: '说明原因' },
    })
  const legOut = async () => {
    at.leg = (
      await one<{ id: string }>('SELECT id FROM logistics WHERE note_id = $1 AND type < 4', at.note)
    ).id
  }
  const collectedNote = async () => {
    await accepted()
    const n = await shop.note(at.note, supplier)
    const lines = n.lineList.map((l) => ({ line_id: l.line_id, quantity: l.quantity }))
    const body = { id: at.note, version: n.version, lines, method: 3 as const, plannedOn: shop.expectedOn }
    await done(supplier.ask(dispatchApi.ship, { body: { ...body, pickupStore: '建材城店' } }))
  }
  const closed = async () => {
    await shipped(PART)
    await asOrder(clerk, 'close')
    await asOrder(supplier, 'agree')
  }
  const siteBecomes = (status: number) =>
    sql('UPDATE sites SET status = $2 WHERE id = (SELECT site_id FROM orders WHERE id = $1)', [
      at.order,
      status,
    ])
  return {
    accepted,
    approved,
    arrived,
    asOrder,
    at,
    closed,
    collected,
    collectedNote,
    complain,
    done,
    finding,
    graded,
    instead,
    judged,
    late,
    legOut,
    line,
    one,
    places,
    placed,
    rejected,
    seenOf,
    sentBack,
    shipped,
    siteBecomes,
  }
}
