import type { CardFigure } from '@zhuguan/contract/features/home/home.record.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { type Link, linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { int4, row } from '../../kit/row.ts'
import { type Parties, scopedParties } from '../../kit/scoped.ts'
import { addDays } from '../../kit/shanghai.ts'
import { TODAY } from '../../kit/statement.ts'
import { AT_WORK, TO_JUDGE, UNANSWERED } from '../goods/goods.reads.ts'
import { ASKED, LATE, TO_SHIP } from '../orders/orders.reads.ts'
import type { HomeReach } from './home.figures.ts'
import type { Whole } from './sold.figures.ts'

export const DELIVERY_CARDS = ['receiving', 'toShip', 'toAccept', 'changes'] as const
export type DeliveryCard = (typeof DELIVERY_CARDS)[number]
/** Since when goods lie there: before today is late, for want of a term. */
export const NOT_TODAY = `(d.delivered_at AT TIME ZONE 'Asia/Shanghai')::date
         < ${TODAY}`
interface Kind {
  name: string
  base: string
  alias: string
  condition: string
  late: string
  lateWords: string
  unit: string
}
/** The count of each card: rows of the list behind it, and those of them that are late. */
const KINDS: Readonly<Record<DeliveryCard, Kind>> = {
  receiving: {
    name: 'home.receiving',
    base: 'orders o',
    alias: 'o',
    condition: ASKED,
    late: LATE,
    lateWords: '已逾期',
    unit: '单',
  },
  toShip: {
    name: 'home.toship',
    base: 'orders o',
    alias: 'o',
    condition: TO_SHIP,
    late: LATE,
    lateWords: '已逾期',
    unit: '单',
  },
  toAccept: {
    name: 'home.toaccept',
    base: 'dispatches d',
    alias: 'd',
    condition: TO_JUDGE,
    late: NOT_TODAY,
    lateWords: '隔天未验',
    unit: '张',
  },
  changes: {
    name: 'home.changes',
    base: 'goods_changes g',
    alias: 'g',
    condition: AT_WORK,
    late: UNANSWERED,
    lateWords: '超期未答复',
    unit: '单',
  },
}
/**
 * How far somebody reaches on the page behind a card; `received`: only what they receive stands on it. `ours`: how far
 * on the page of what they receive, where it is theirs to be done.
 */
export interface DeliveryReach {
  scope: Scope
  received: boolean
  ours: Scope | undefined
}
type Side = 'buyer' | 'receiver'
/**
 * The person whose turn a card tells of first: of who orders, what they wait for; of who only receives, what waits
 * for them.
 */
export const sideOf = ({ scope, received }: DeliveryReach): Side =>
  received || scopedParties(scope, 'o').buyer === 'false' ? 'receiver' : 'buyer'
/** Who orders and receives as well: what waits for them stands beside, it is of other orders. */
function besideReach(reach: DeliveryReach): DeliveryReach | undefined {
  const { ours } = reach
  if (!ours || sideOf(reach) === 'receiver') return undefined
  const { buyer, receiver } = scopedParties(ours, 'o')
  return buyer !== 'true' && receiver !== 'false' ? { ...reach, scope: ours } : undefined
}
/** Rows of a card, of one of the two parties alone; whoever receives goods does not judge them. */
export const ofParty = (reach: DeliveryReach, alias: string, card: DeliveryCard, side?: Side): Parties => {
  const parties = scopedParties(reach.scope, alias)
  parties.where.plain(card === 'toAccept' ? parties.buyer : parties[side ?? sideOf(reach)])
  return parties
}

async function countNow(tx: Tx, card: DeliveryCard, reach: DeliveryReach, side: Side) {
  const { alias, base, condition, late, name } = KINDS[card]
  const { where } = ofParty(reach, alias, card, side)
  const { rows } = await tx.query(
    name,
    row({ n: int4, late: int4 }),
    `SELECT count(*)::int AS n, (count(*) FILTER (WHERE ${late}))::int AS late
     FROM ${base}
     WHERE ${where.text} AND ${condition}`,
    where.values,
  )
  return rows[0]!
}
/** The evenings of these days; null where nobody counted. */
async function countedAt(tx: Tx, card: DeliveryCard, reach: DeliveryReach, days: readonly string[]) {
  const { where } = ofParty(reach, 'd', card)
  const list = `$${where.values.length + 1}::date[]`
  const { rows } = await tx.query(
    'home.deliverydays',
    row({ receiving: int4.null, toShip: int4.null, toAccept: int4.null, changes: int4.null }),
    `SELECT sum(d.receiving)::int AS receiving, sum(d.to_ship)::int AS "toShip", sum(d.to_accept)::int AS "toAccept",
       sum(d.changes)::int AS changes
     FROM unnest(${list}) WITH ORDINALITY AS t(day, place)
     LEFT JOIN delivery_days d ON d.day = t.day AND ${where.text}
     GROUP BY t.place
     ORDER BY t.place`,
    [...where.values, days],
  )
  return rows.map((r) => r[card])
}

const ordersOf = (side: Side, asked: { receiveState?: number; pieceState?: number; late?: true }): Link =>
  side === 'buyer' ? linkTo('OrderList', { side, ...asked }) : linkTo('ReceiveOrder', asked)
/** The side that a card speaks of, and the number of the others beside it. */
const WORDS: Readonly<Record<DeliveryCard, Record<Side, string>>> = {
  receiving: { buyer: '我们下的单，等对方答复', receiver: '等我们答复' },
  toShip: { buyer: '我们下的单，等对方发货', receiver: '等我们发货' },
  toAccept: { buyer: '我们工地', receiver: '' },
  changes: { buyer: '我们工地的', receiver: '我们供货的' },
}
const LINKS: Readonly<Record<DeliveryCard, (side: Side, today: string) => [all: Link, late: Link]>> = {
  receiving: (side) => [ordersOf(side, { receiveState: 0 }), ordersOf(side, { receiveState: 0, late: true })],
  toShip: (side) => [
    ordersOf(side, { pieceState: orderState.code.toShip }),
    ordersOf(side, { pieceState: orderState.code.toShip, late: true }),
  ],
  toAccept: (_, today) => [
    linkTo('AcceptanceList', { waiting: true }),
    linkTo('AcceptanceList', { waiting: true, to: addDays(today, -1) }),
  ],
  changes: (side) => [
    linkTo('ChangeGoods', { state: 'open', side }),
    linkTo('ChangeGoods', { state: 'open', side, overdue: true }),
  ],
}
function besideOf(card: DeliveryCard, { late, n }: { late: number; n: number }, today: string) {
  const [link, lateLink] = LINKS[card]('receiver', today)
  return [
    { label: WORDS[card].receiver, value: n, link },
    { label: KINDS[card].lateWords, value: late, link: lateLink, late: true },
  ]
}
async function deliveredFigure(
  tx: Tx,
  card: DeliveryCard,
  own: DeliveryReach,
  whole: Whole,
): Promise<CardFigure> {
  const side = sideOf(own)
  const us = besideReach(own)
  const [{ late, n }, asksUs, evenings] = await Promise.all([
    countNow(tx, card, own, side),
    us && countNow(tx, card, us, 'receiver'),
    countedAt(tx, card, own, whole.days.slice(0, -1)),
  ])
  const [link, lateLink] = LINKS[card](side, whole.days.at(-1)!)
  return {
    ...whole,
    card,
    value: n,
    unit: KINDS[card].unit,
    of: `现在，${scopedParties(own.scope, 'o').buyer === 'true' ? '全部' : WORDS[card][side]}`,
    before: evenings.at(-1) ?? null,
    against: '较昨日结束时',
    better: 'less',
    trend: [...evenings, n],
    link,
    parts: [{ label: KINDS[card].lateWords, value: late, link: lateLink, late: true }],
    beside: asksUs ? besideOf(card, asksUs, whole.days.at(-1)!) : [],
  }
}
/** The cards of goods on their way, of those that are the caller's. */
export const deliveredFigures = (tx: Tx, reach: HomeReach, whole: Whole): Promise<CardFigure[]> =>
  Promise.all(
    DELIVERY_CARDS.flatMap((card) => {
      const own = reach.goods[card]
      return own ? [deliveredFigure(tx, card, own, whole)] : []
    }),
  )

/** The evening of a day, by site and receiver: what their cards would say; told again it is the same. */
export async function keepDeliveryDay(tx: Tx, tenant: string, day: string): Promise<void> {
  await tx.run(
    'home.keepdelivery',
    `WITH asked AS (
       SELECT o.bc_id, o.site_id, o.receiver_id, (count(*) FILTER (WHERE ${ASKED}))::int AS receiving,
         (count(*) FILTER (WHERE ${TO_SHIP}))::int AS to_ship
       FROM orders o
       JOIN sites w ON w.tenant_id = $1 AND w.id = o.site_id AND w.status <> 4
       WHERE o.tenant_id = $1
       GROUP BY o.bc_id, o.site_id, o.receiver_id
     ), sheets AS (
       SELECT d.bc_id, d.site_id, d.receiver_id, count(*)::int AS to_accept
       FROM dispatches d
       WHERE d.tenant_id = $1 AND ${TO_JUDGE}
       GROUP BY d.bc_id, d.site_id, d.receiver_id
     ), open AS (
       SELECT g.bc_id, g.site_id, g.receiver_id, count(*)::int AS changes
       FROM goods_changes g
       WHERE g.tenant_id = $1 AND ${AT_WORK}
       GROUP BY g.bc_id, g.site_id, g.receiver_id
     )
     INSERT INTO delivery_days AS k (tenant_id, day, bc_id, site_id, receiver_id, receiving, to_ship, to_accept,
       changes)
     SELECT $1, $2::date, bc_id, site_id, receiver_id, coalesce(receiving, 0), coalesce(to_ship, 0),
       coalesce(to_accept, 0), coalesce(changes, 0)
     FROM asked
     FULL JOIN sheets USING (bc_id, site_id, receiver_id)
     FULL JOIN open USING (bc_id, site_id, receiver_id)
     ON CONFLICT (tenant_id, day, bc_id, site_id, receiver_id) DO UPDATE
     SET receiving = excluded.receiving, to_ship = excluded.to_ship, to_accept = excluded.to_accept,
       changes = excluded.changes`,
    [tenant, day],
  )
}
