import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { logisticsApi } from '@zhuguan/contract/features/dispatch/logistics.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'

import type { dice } from './client.ts'
import type { GoodsSeen, SeenChange, SeenLeg, SeenNote, SeenOrder } from './goods-seen.ts'

export const TRADES = ['clerk', 'supplier', 'gm', 'acceptor', 'examiner'] as const
export type Trade = (typeof TRADES)[number]
/** What somebody may do next. */
export interface Command {
  who: Trade
  /** Only this one of them. */
  user?: string
  endpoint: Endpoint
  body: Record<string, unknown>
  /** The record and the version that it expects to leave: one of all who name it wins. */
  leaves: string
  /** How often it can be done by people at once; nothing where this cannot be said. */
  winners?: number
  /** What a picture of proof makes of it, if it needs one. */
  picture?: (key: string) => Record<string, unknown>
}
type Dice = ReturnType<typeof dice>
const REASON = '随手一试'
const PARTS = ['0.5', '1', '2']

/**
 * Of what stands somewhere what is legal there, by the document of states and not by the code: each of these, done by
 * many at once, has exactly one winner.
 */
export function legal(s: GoodsSeen, { below, pick }: Dice, day: string): Command[] {
  const all: Command[] = []
  const add = (
    who: Trade,
    endpoint: Endpoint,
    table: string,
    of: { id: string; version: number },
    more: Partial<Command> & { more?: object } = {},
  ) => {
    const { more: body, ...rest } = more
    all.push({
      who,
      endpoint,
      leaves: `${table} ${of.id} ${of.version}`,
      winners: 1,
      ...rest,
      body: { id: of.id, version: of.version, reason: REASON, ...body },
    })
  }
  for (const item of s.items) {
    const quantity = PARTS[below(PARTS.length)]!
    const winners = Math.floor(Number(item.open) / Number(quantity))
    if (winners === 0) continue
    const body = { lines: [{ item_id: item.id, quantity }], method: 1, expectedOn: day }
    all.push({ who: 'clerk', endpoint: ordersApi.place, leaves: '', body, winners })
  }
  for (const o of s.orders) forOrder(o, add, day, below)
  for (const n of s.notes) forNote(n, add, day, pick)
  for (const g of s.changes) forChange(g, add, below)
  for (const leg of s.legs) forLeg(leg, add)
  return all
}
type Add = (
  who: Trade,
  endpoint: Endpoint,
  table: string,
  of: { id: string; version: number },
  more?: Partial<Command> & { more?: object },
) => void

function forOrder(o: SeenOrder, add: Add, day: string, below: Dice['below']): void {
  if (o.ended) return
  const order = (who: Trade, endpoint: Endpoint, more: object = {}) =>
    add(who, endpoint, 'order', o, { more })
  const receiver = o.merchant ? 'supplier' : 'gm'
  if (o.state === 0) {
    const lines = o.lines.map((l) => ({ line_id: l.id, promisedOn: day }))
    order(receiver, ordersApi.accept, { lines })
    // Most orders are accepted, or nothing would ever arrive.
    order(receiver, ordersApi.accept, { lines })
    if (below(3) === 0) order(receiver, ordersApi.reject, { rejectCode: 'stock' })
    if (below(3) === 0) order('clerk', ordersApi.recall)
    const [first] = o.lines
    if (first && Number(first.quantity) > 0.5)
      order(receiver, ordersApi.split, { parts: [{ line_id: first.id, quantity: '0.5' }] })
  }
  if (o.state === 1) {
    order('clerk', ordersApi.resubmit, { expectedOn: day })
    order('clerk', ordersApi.release)
  }
  if (o.state !== 1 && !o.urged && !o.done) order('clerk', ordersApi.urge)
  if (o.state !== 2) return
  if (o.ask) {
    // Of the buyer's asking only: whoever stands on both sides is the buyer here.
    if (o.ask !== 'withdraw' || !o.shipped) order(receiver, ordersApi.agree)
    order(receiver, ordersApi.decline)
  } else if (!o.shipped) {
    if (below(4) === 0) order('clerk', ordersApi.withdraw)
  } else if (!o.done && o.remains && below(4) === 0) order('clerk', ordersApi.close)
  if (o.loose.length)
    add(receiver, dispatchApi.prepare, '', o, {
      leaves: '',
      more: {
        id: undefined,
        version: undefined,
        order_id: o.id,
        lines: o.loose.map((l) => ({ line_id: l.id, quantity: l.quantity })),
      },
    })
}

function forNote(n: SeenNote, add: Add, day: string, pick: Dice['pick']): void {
  const receiver = n.merchant ? 'supplier' : 'gm'
  const note = (who: Trade, endpoint: Endpoint, more: object = {}, rest: Partial<Command> = {}) =>
    add(who, endpoint, 'note', n, { more, ...rest })
  const photo = { picture: (key: string) => ({ photo: key }) }
  if (n.state === 0) {
    const home = { method: 1, plannedOn: day, address: '三幢', contact: '方', window: '上午' }
    const lines = n.toShip.map((l) => ({ line_id: l.id, quantity: l.quantity }))
    if (n.open && lines.length) {
      note(receiver, dispatchApi.ship, { ...home, lines })
      const part = lines.map((l) => ({ ...l, quantity: '0.5' }))
      if (n.toShip.every((l) => Number(l.quantity) > 0.5))
        note(receiver, dispatchApi.ship, { ...home, lines: part })
    }
    if (pick([0, 1, 2]) === 0) note('clerk', dispatchApi.cancel)
  }
  if (n.state === 2) {
    note('acceptor', dispatchApi.deliver, {}, photo)
    note('acceptor', dispatchApi.deliver, {}, photo)
    if (n.onWay.some((l) => Number(l.quantity) > 0.5)) {
      const lines = [{ line_id: n.onWay.find((l) => Number(l.quantity) > 0.5)!.id, quantity: '0.5' }]
      note('acceptor', dispatchApi.handOver, { lines }, photo)
    }
    if (pick([0, 1, 2, 3]) === 0) note('clerk', dispatchApi.sendBack, { back: pick(['refused', 'lost']) })
  }
  const findings = (quantity: string, line_id: string, result: number) => ({
    line_id,
    quantity,
    result,
    reasonCode: 'broken',
    outcome: result === 5 ? pick(['again', 'reduce', 'borne']) : '',
    outcomeReason: '说定',
    scrap: result === 5 && pick([false, false, true]),
    photos: [],
  })
  for (const l of n.waiting) {
    const result = pick([2, 2, 2, 3, 4, 5])
    const quantity = Number(l.quantity) > 0.5 ? pick([l.quantity, '0.5']) : l.quantity
    const one = findings(quantity, l.id, result)
    const picture = (key: string) => ({ findings: [{ ...one, photos: [key] }] })
    note('acceptor', goodsApi.judge, { findings: [one] }, result === 2 ? {} : { picture })
  }
  for (const l of n.fine) {
    const quantity = Number(l.quantity) > 0.5 ? pick([l.quantity, '0.5']) : l.quantity
    note('clerk', goodsApi.complain, findings(quantity, l.id, pick([3, 4, 5])), {
      picture: (key) => ({ photos: [key] }),
    })
  }
  const [line] = n.waiting
  if (line && pick([0, 1, 2, 3, 4, 5]) === 0)
    note(
      'acceptor',
      goodsApi.surplus,
      // So little that the sum of all rounds stays below what the note brought.
      { ...findings('0.01', line.id, 0), result: undefined, outcome: 'back' },
      { picture: (key) => ({ photos: [key] }) },
    )
}

function forChange(g: SeenChange, add: Add, below: Dice['below']): void {
  if (g.state !== 'open') return
  const change = (who: Trade, endpoint: Endpoint, more: object = {}, rest: Partial<Command> = {}) =>
    add(who, endpoint, 'change', g, { more, ...rest })
  if (g.examine === 0) {
    if (g.answer === '')
      change(g.merchant ? 'supplier' : 'gm', goodsApi.answer, {
        answer: below(3) === 0 ? 'dispute' : 'agree',
      })
    else if (g.request) {
      const judged = { leaves: `request ${g.request.id} ${g.request.version}` }
      const more = { id: g.request.id, version: g.request.version, hash: g.request.hash }
      change('examiner', examineApi.pass, more, judged)
      if (below(3) === 0) change('examiner', examineApi.reject, more, judged)
    }
    if (below(4) === 0) change('acceptor', goodsApi.withdraw, {}, { user: g.made_by })
  } else if (g.loose) change('clerk', goodsApi.send)
}

function forLeg(leg: SeenLeg, add: Add): void {
  const way = (who: Trade, endpoint: Endpoint, more: object = {}) => add(who, endpoint, 'leg', leg, { more })
  const receiver = leg.merchant ? 'supplier' : 'gm'
  if (leg.progress < 2) way(receiver, goodsApi.collect)
  if (leg.progress === 1) way(receiver, logisticsApi.sign)
  if (leg.progress < 2) way(receiver, logisticsApi.node, { title: '在路上' })
  if (leg.progress === 2) {
    way(receiver, goodsApi.grade, { grade: 'good' })
    way(receiver, goodsApi.grade, { grade: 'damaged' })
  }
  if (leg.grade === 'damaged' && leg.ofChange && !leg.disputed) way('clerk', goodsApi.disputeGrade)
}

/** What somebody tries who thinks of no state: a command on a record, whatever stands there. */
export function careless(s: GoodsSeen, { below, pick }: Dice, day: string): Command | undefined {
  const of = <T extends { id: string; version: number }>(list: readonly T[]) => {
    const one = list.length ? pick(list) : undefined
    // Now and then somebody acts on what they saw a while ago.
    return one && { ...one, version: Math.max(0, one.version - (below(5) === 0 ? 1 : 0)) }
  }
  const tried = (
    who: Trade,
    endpoint: Endpoint,
    table: string,
    one: { id: string; version: number },
    more: object = {},
  ): Command => ({
    who,
    endpoint,
    leaves: `${table} ${one.id} ${one.version}`,
    body: { id: one.id, version: one.version, reason: REASON, ...more },
  })
  const kind = below(3)
  const [o, n, g] = [of(s.orders), of(s.notes), of(s.changes)]
  if (kind === 0 && o) {
    const [who, word] = pick([
      ['clerk', 'recall'],
      ['clerk', 'release'],
      ['clerk', 'withdraw'],
      ['clerk', 'close'],
      ['supplier', 'agree'],
      ['supplier', 'decline'],
      ['supplier', 'reject'],
      ['clerk', 'resubmit'],
    ] as const)
    return tried(who, ordersApi[word], 'order', o, { rejectCode: 'stock', expectedOn: day })
  }
  if (kind === 1 && n)
    return pick([0, 1]) === 0
      ? tried('clerk', dispatchApi.cancel, 'note', n)
      : tried('clerk', dispatchApi.sendBack, 'note', n, { back: 'recalled' })
  return g && tried('supplier', goodsApi.answer, 'change', g, { answer: 'agree' })
}
