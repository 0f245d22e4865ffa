import { finding } from '@zhuguan/contract/features/goods/goods.record.ts'
import type { HomeRow } from '@zhuguan/contract/features/home/home.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, float8, int2, row, text, uuid } from '../../kit/row.ts'
import type { Parties } from '../../kit/scoped.ts'
import { dayBegins, epoch } from '../../kit/statement.ts'
import { AT_WORK, TO_JUDGE, UNANSWERED } from '../goods/goods.reads.ts'
import { ASKED, LATE, TO_SHIP } from '../orders/orders.reads.ts'
import { type DeliveryReach, NOT_TODAY, ofParty } from './delivered.figures.ts'
import { FIRST } from './most-rows.ts'

const detailOf = (id: string) => linkTo('OrderDetail', { id })
/** The site for whoever may see it; its receiver knows the place. */
const placeOf = ({ buyer }: Parties) =>
  `CASE WHEN ${buyer} THEN coalesce(w.ws_name, o.community) ELSE o.community END`
const orderRow = row({
  id: uuid,
  title: text,
  site: text,
  bc: text,
  receiver: text,
  mine: bool,
  at: float8,
  late: bool,
})

const ORDERS = {
  receiving: { name: 'home.askedrows', condition: ASKED, due: 'o.due_at', order: 'o.due_at' },
  toShip: {
    name: 'home.shiprows',
    condition: TO_SHIP,
    due: dayBegins('o.expected_on'),
    order: 'o.expected_on',
  },
}
/** Orders that nobody has answered, or that are to be shipped; the first due first. */
async function orders(tx: Tx, reach: DeliveryReach, card: 'receiving' | 'toShip'): Promise<HomeRow[]> {
  const parties = ofParty(reach, 'o', card)
  const { name, condition, due, order } = ORDERS[card]
  const { rows } = await tx.query(
    name,
    orderRow,
    `SELECT o.id, o.code AS title, ${placeOf(parties)} AS site, o.bc_name AS bc, o.receiver_name AS receiver,
       ${parties.buyer} AS mine, ${epoch(due)} AS at, ${LATE} AS late
     FROM orders o
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = o.site_id
     WHERE ${parties.where.text} AND ${condition}
     ORDER BY ${order}, o.id
     ${FIRST}`,
    parties.where.values,
  )
  return rows.map(({ bc, id, mine, receiver, site, ...o }) => ({
    ...o,
    id,
    text: `${site} · ${mine ? receiver : bc}`,
    picture: null,
    link: detailOf(id),
  }))
}

/** Sheets on which something is to be judged, what lies longest first. */
async function sheets(tx: Tx, reach: DeliveryReach): Promise<HomeRow[]> {
  const parties = ofParty(reach, 'd', 'toAccept')
  const { rows } = await tx.query(
    'home.sheetrows',
    row({ id: uuid, title: text, site: text, receiver: text, picture: text.null, at: float8, late: bool }),
    `SELECT d.id, d.sheet_code AS title, ${placeOf(parties)} AS site, o.receiver_name AS receiver, d.photo AS picture,
       ${epoch('d.delivered_at')} AS at, ${NOT_TODAY} AS late
     FROM dispatches d
     JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
     WHERE ${parties.where.text} AND ${TO_JUDGE}
     ORDER BY d.delivered_at, d.id
     ${FIRST}`,
    parties.where.values,
  )
  return rows.map(({ receiver, site, ...d }) => ({
    ...d,
    text: `${site} · ${receiver}`,
    link: linkTo('AcceptanceList', { id: d.id }),
  }))
}

/** Changes at work: those whose receiver has not answered in time, then the oldest. */
async function changes(tx: Tx, reach: DeliveryReach): Promise<HomeRow[]> {
  const parties = ofParty(reach, 'g', 'changes')
  const { rows } = await tx.query(
    'home.changerows',
    row({
      id: uuid,
      code: text,
      result: int2.of(finding).null,
      name: text,
      quantity: text,
      unit: text,
      site: text,
      picture: text.null,
      at: float8.null,
      late: bool,
    }),
    `SELECT g.id, g.code, g.result, l.name, trim_scale(g.quantity)::text AS quantity, l.unit,
       ${placeOf(parties)} AS site, g.photos[1] AS picture,
       CASE WHEN g.answer = '' AND g.examine_state = 0 THEN ${epoch('g.answer_due')} END AS at, ${UNANSWERED} AS late
     FROM goods_changes g
     JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
     JOIN order_lines l ON l.tenant_id = $1 AND l.id = g.line_id
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id
     WHERE ${parties.where.text} AND ${AT_WORK}
     ORDER BY late DESC, g.made_at, g.id
     ${FIRST}`,
    parties.where.values,
  )
  return rows.map(({ code, name, quantity, result, site, unit, ...g }) => ({
    ...g,
    title: `${result === null ? '多件' : finding.label(result)} ${code}`,
    text: `${name} ${quantity} ${unit} · ${site}`,
    link: linkTo('ChangeGoods', { id: g.id }),
  }))
}

/** Counts of the cards of goods on their way. */
export const DELIVERY_ROWS = {
  receiving: (tx: Tx, reach: DeliveryReach) => orders(tx, reach, 'receiving'),
  toShip: (tx: Tx, reach: DeliveryReach) => orders(tx, reach, 'toShip'),
  toAccept: sheets,
  changes,
}
