import type { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import {
  deliveryMethod,
  orderAsk,
  orderEnd,
  receiveState,
} from '@zhuguan/contract/features/orders/orders.record.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { siteNamed } from '../../kit/home-address.ts'
import { bool, date, float8, int2, int4, row, type RowOf, text, timestamptz, uuid } from '../../kit/row.ts'
import { type Parties, scopedParties } from '../../kit/scoped.ts'
import { contains, epoch, type PageOf, type Where } from '../../kit/statement.ts'
import { inTurn } from '../pieces/pieces.service.ts'
import { ASKED, hasPiece, LATE, LATE_IN } from './orders.reads.ts'

const { rejected } = receiveState.code
export type OrderFilters = QueryOf<(typeof ordersApi)['list']>
/** A note of it has left. */
const SHIPPED = `EXISTS (SELECT 1 FROM dispatches d
         WHERE d.tenant_id = $1 AND d.order_id = o.id AND d.state NOT IN (0, 1))`
/** Something of it waits to leave; what comes instead of goods is not ended with an order. */
export const REMAINS = `EXISTS (SELECT 1 FROM pieces y
         WHERE y.tenant_id = $1 AND y.order_id = o.id AND y.place = 'ship')`
export const columnsFor = ({ buyer, receiver }: Pick<Parties, 'buyer' | 'receiver'>, amounts: boolean) =>
  `o.id, o.code, o.bc_id, coalesce(b.bc_name, o.bc_name) AS bc_name, o.receiver_id, o.receiver_name AS "receiverName",
       CASE WHEN ${buyer} THEN o.site_id::text ELSE '' END AS site_id,
       CASE WHEN ${buyer} THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name, o.community, o.batch,
       o.method, o.expected_on::text AS "expectedOn", o.receive_state AS "receiveState", o.ended,
       o.order_state AS "orderState", o.lines, o.lines_accepted AS "linesAccepted",
       ${amounts ? 'o.amount::text' : 'NULL::text'} AS amount, o.placed_lines AS "placedLines",
       ${amounts ? 'o.placed_amount::text' : 'NULL::text'} AS "placedAmount", ${epoch('o.made_at')} AS "madeAt",
       o.made_name AS "madeBy",
       o.made_by, ${epoch('o.due_at')} AS "dueAt", ${epoch('o.answered_at')} AS "answeredAt",
       ${epoch('o.urged_at')} AS "urgedAt", ${LATE} AS late, o.ask, o.ask_side AS "askSide", o.ask_by AS "askBy",
       o.ask_name AS "askName", o.ask_reason AS "askReason", ${buyer} AS buyer, ${receiver} AS receiver,
       w.status AS "siteStatus", ${SHIPPED} AS shipped, ${REMAINS} AS remains,
       o.version`
export const ORDER_JOINS = `LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = o.bc_id
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = o.site_id`

export interface OrderReader {
  scope: Scope
  amounts: boolean
  /** Only what the caller receives. */
  received?: boolean
}
const orderWhere = (
  parties: Parties,
  q: OrderFilters,
  { received, scope }: OrderReader,
  named = siteNamed(parties.where, scope, 's'),
): Where =>
  parties.where
    .plain(received && parties.receiver)
    .when(
      q.keyword || undefined,
      (p) => `(lower(o.code) LIKE ${p} OR lower(o.community) LIKE ${p} OR lower(o.receiver_name) LIKE ${p}
           OR EXISTS (SELECT 1 FROM sites s WHERE s.tenant_id = $1 AND s.id = o.site_id AND ${named(p)}))`,
      contains,
    )
    .when(q.bc_id, (p) => `o.bc_id = ${p}::uuid`)
    .when(q.site_id, (p) => `o.site_id = ${p}::uuid`)
    .when(q.receiver_id, (p) => `o.receiver_id = ${p}::uuid`)
    .when(
      q.manager_id,
      (p) => `EXISTS (SELECT 1 FROM sites m
           WHERE m.tenant_id = $1 AND m.id = o.site_id AND m.manager_id = ${p}::uuid)`,
    )
    .when(q.batch, (p) => `o.batch = ${p}`)
    .when(q.receiveState, (p) => `o.receive_state = ANY(${p}::smallint[])`)
    // What was taken back is kept as 已拒单, though nobody refused it; what was released waits for no one.
    .plain(
      q.receiveState?.includes(rejected) &&
        `(o.receive_state <> ${rejected} OR o.ended = '${orderEnd.code.live}')`,
    )
    .when(q.orderState, (p) => `o.order_state = ANY(${p}::smallint[])`)
    .when(q.pieceState, (p) => hasPiece(`ANY(${p}::smallint[])`))
    .when(q.method, (p) => `o.method = ANY(${p}::smallint[])`)
    .when(q.ended, (p) => `o.ended = ANY(${p}::text[])`)
    .when(q.expectedFrom, (p) => `o.expected_on >= ${p}::date`)
    .when(q.expectedTo, (p) => `o.expected_on <= ${p}::date`)
    .when(q.madeFrom, (p) => `o.made_at >= (${p}::date::timestamp AT TIME ZONE 'Asia/Shanghai')`)
    .when(q.madeTo, (p) => `o.made_at < ((${p}::date + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')`)
    .plain(q.late === true && LATE)
    .plain(q.late === false && `NOT ${LATE}`)
    .plain(q.lateness && LATE_IN[q.lateness])
    .plain(q.side !== undefined && parties[q.side])

/** All orders of the whole group or of parties in reach are counted a pair of parties. */
const knownTotal = (scope: Scope, where: Where): string | undefined =>
  !scope.sites && where.text === scopedParties(scope, 'o').where.text
    ? `SELECT coalesce(sum(k.count), 0) FROM order_counts k
       WHERE ${scopedParties(scope, 'k', { site: false }).where.text}`
    : undefined
/** Orders of either party in reach; what is over only where it is asked for. */
export function orderPage(reader: OrderReader, q: OrderFilters): PageOf {
  const { amounts, received, scope } = reader
  const parties = scopedParties(scope, 'o')
  const where = orderWhere(parties, q, reader)
  return {
    name: 'orders.page',
    base: 'orders o',
    columns: columnsFor(parties, amounts),
    joins: ORDER_JOINS,
    where,
    known: knownTotal(scope, where),
    sort: amounts ? q.sort : q.sort?.filter((s) => !s.endsWith('amount')),
    // Who receives answers what waits first, the longest on top.
    otherwise: received
      ? [`CASE WHEN ${ASKED} THEN o.due_at END ASC NULLS LAST`, 'o.made_at DESC']
      : 'o.made_at DESC',
    tie: 'o.id DESC',
    sortable: {
      code: 'o.code',
      expectedOn: 'o.expected_on',
      amount: 'o.amount',
      madeAt: 'o.made_at',
      lines: 'o.lines',
    },
    filled: ['code', 'expectedOn', 'amount', 'madeAt', 'lines'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

export const orderColumns = {
  id: uuid,
  code: text,
  bc_id: uuid,
  bc_name: text,
  receiver_id: uuid,
  receiverName: text,
  site_id: text,
  ws_name: text,
  community: text,
  batch: text,
  method: int2.of(deliveryMethod),
  expectedOn: text,
  receiveState: int2.of(receiveState),
  ended: text.of(orderEnd),
  orderState: int2.of(orderState).null,
  lines: int4,
  linesAccepted: int4,
  amount: text.null,
  placedLines: int4,
  placedAmount: text.null,
  madeAt: float8,
  madeBy: text,
  made_by: uuid,
  dueAt: float8,
  answeredAt: float8.null,
  urgedAt: float8.null,
  late: bool,
  ask: text.of(orderAsk),
  askSide: text.of({ values: ['', 'buyer', 'receiver'] as const }),
  askBy: uuid.null,
  askName: text,
  askReason: text,
  buyer: bool,
  receiver: bool,
  siteStatus: int2.of(siteStatus).null,
  shipped: bool,
  remains: bool,
  version: int4,
}
const whereabouts = row({ bc_id: uuid, receiver_id: uuid, buyer: bool, receiver: bool })
/** The two parties of an order in reach, and on which sides the caller stands. */
export async function partiesOf(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<RowOf<typeof whereabouts> | undefined> {
  const { where, buyer, receiver } = scopedParties(scope, 'o')
  where.add((p) => `o.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'orders.parties',
    whereabouts,
    `SELECT o.bc_id, o.receiver_id, ${buyer} AS buyer, ${receiver} AS receiver FROM orders o WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

const locked = row({
  ...orderColumns,
  place_id: uuid,
  contract_id: uuid,
  contractLive: bool,
  remark: text,
  revision: int4,
  urged_at: timestamptz.null,
  expected_on: date,
})
export type LockedOrder = RowOf<typeof locked>
/** An order with all that is known of it; locked until the transaction ends. `place_id` is its site. */
export async function lockOrder(tx: Tx, tenant: string, id: string): Promise<LockedOrder | undefined> {
  const { rows } = await tx.query(
    'orders.lock',
    locked,
    `SELECT ${columnsFor({ buyer: 'true', receiver: 'true' }, true)},
       o.site_id AS place_id, o.contract_id,
       c.state IN ('live', 'finishing', 'settled') AS "contractLive", o.remark, o.revision, o.urged_at,
       o.expected_on
     FROM orders o
     JOIN contracts c ON c.tenant_id = $1 AND c.id = o.contract_id
     ${ORDER_JOINS}
     WHERE o.tenant_id = $1 AND o.id = $2
     FOR UPDATE OF o`,
    [tenant, id],
  )
  if (rows[0]) inTurn(tx, rows[0].bc_id)
  return rows[0]
}

const line = row({
  id: uuid,
  item_id: uuid,
  name: text,
  unit: text,
  quantity: text,
  price: text,
  pack: text.null,
})
export type OrderLineRow = RowOf<typeof line>
export async function linesOf(tx: Tx, tenant: string, order: string): Promise<OrderLineRow[]> {
  const { rows } = await tx.query(
    'orders.lines',
    line,
    `SELECT l.id, l.item_id, l.name, l.unit, trim_scale(l.quantity)::text AS quantity,
       trim_scale(l.price)::text AS price, trim_scale(i.pack)::text AS pack
     FROM order_lines l
     JOIN contract_items i ON i.tenant_id = $1 AND i.id = l.item_id
     WHERE l.tenant_id = $1 AND l.order_id = $2
     ORDER BY l.sort`,
    [tenant, order],
  )
  return rows
}
