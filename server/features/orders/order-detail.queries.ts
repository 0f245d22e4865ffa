import {
  type OrderDetail,
  receiveState,
  rejectReason,
} from '@zhuguan/contract/features/orders/orders.record.ts'
import { acceptanceResult, orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { isAddressTold, toldText } from '../../kit/home-address.ts'
import { int4, json, row, text, uuid } from '../../kit/row.ts'
import { scopedParties } from '../../kit/scoped.ts'
import { epoch, listOf, plain } from '../../kit/statement.ts'
import { columnsFor, ORDER_JOINS, orderColumns } from './orders.queries.ts'

const { accepted, waiting } = acceptanceResult.code
const { toReturn, arrived, shipped, toShip, ordered, accepted: done, toOrder } = orderState.code

const PIECES = listOf(
  `'id', p.id, 'quantity', ${plain('p.quantity')}, 'place', p.place, 'result', p.result, 'orderState', p.order_state,
         'round', p.round, 'noteCode', coalesce(n.code, ''), 'nextNoteCode', coalesce(x.code, ''),
         'changeCode', coalesce(g.code, ''), 'since', ${epoch('p.since')}`,
  `pieces p
         LEFT JOIN dispatches n ON n.tenant_id = $1 AND n.id = p.note_id
         LEFT JOIN dispatches x ON x.tenant_id = $1 AND x.id = p.next_note_id
         LEFT JOIN goods_changes g ON g.tenant_id = $1 AND g.id = p.change_id
         WHERE p.tenant_id = $1 AND p.line_id = l.id`,
  'p.order_state, p.id',
)
const quantityWhere = (condition: string) =>
  `trim_scale(coalesce((SELECT sum(p.quantity) FROM pieces p
           WHERE p.tenant_id = $1 AND p.line_id = l.id AND ${condition}), 0))::text`
/** What was refused waits in its order and is not in force; what went back, or was ordered again, is no more. */
const IN_FORCE = `p.order_id = l.order_id AND p.counts AND p.place NOT IN ('held', 'back')`
/** A line stands where the first of its pieces stands, in this order of states. */
const LINE_STATE = `(SELECT h.state
         FROM unnest(ARRAY[${[toReturn, arrived, shipped, toShip, ordered, done, toOrder].join(', ')}]::smallint[])
           WITH ORDINALITY AS h(state, rank)
         WHERE EXISTS (SELECT 1 FROM pieces p
           WHERE p.tenant_id = $1 AND p.line_id = l.id AND p.order_state = h.state)
         ORDER BY h.rank LIMIT 1)`
/** What the contract calls it and when it is built in are the buyer's. */
const lines = (amounts: boolean, buyer: string) =>
  listOf(
    `'id', l.id, 'item_id', CASE WHEN ${buyer} THEN l.item_id::text ELSE '' END, 'code', l.code, 'name', l.name,
         'detail', l.detail, 'unit', l.unit, 'stage', CASE WHEN ${buyer} THEN l.stage END,
         'quantity', ${plain('l.quantity')},
         'inForce', ${quantityWhere(IN_FORCE)}, 'price', ${amounts ? plain('l.price') : 'NULL'},
         'amount', ${amounts ? `round(${quantityWhere(IN_FORCE)}::numeric * l.price, 2)::text` : 'NULL'},
         'promisedOn', l.promised_on::text,
         'orderState', ${LINE_STATE},
         'shipped', ${quantityWhere('p.result IS NOT NULL')},
         'arrived', ${quantityWhere(`p.result >= ${waiting}`)},
         'accepted', ${quantityWhere(`p.result = ${accepted}`)},
         'returned', ${quantityWhere(`p.place = 'back'`)}, 'pieces', ${PIECES}`,
    'order_lines l WHERE l.tenant_id = $1 AND l.order_id = o.id',
    'l.sort',
  )
const NOTES = listOf(
  `'id', d.id, 'code', d.code, 'kind', d.kind, 'state', d.state, 'checkState', d.check_state,
         'shippedAt', ${epoch('d.shipped_at')}, 'deliveredAt', ${epoch('d.delivered_at')}`,
  'dispatches d WHERE d.tenant_id = $1 AND d.order_id = o.id',
  'd.made_at, d.code',
)
const CHANGES = listOf(
  `'id', g.id, 'code', g.code, 'result', g.result, 'examineState', g.examine_state`,
  'goods_changes g WHERE g.tenant_id = $1 AND g.order_id = o.id',
  'g.made_at, g.code',
)
const LOG = listOf(
  `'at', ${epoch('g.at')}, 'who', coalesce(nullif(u.nickname, ''), g.user_name), 'action', g.action, 'reason',
  coalesce(told_log(g.after -> 'reason', g.beside), '')`,
  `user_logs g
         LEFT JOIN users u ON u.tenant_id = $1 AND u.id = g.user_id
         WHERE g.tenant_id = $1 AND g.object = 'order' AND g.object_id = o.id::text AND g.outcome = 'done'`,
  'g.at DESC',
)
const REVISIONS = listOf(
  `'revision', r.revision, 'at', ${epoch('r.at')}, 'text', concat_ws('；', '期望 ' || (r.content ->> 'expectedOn'),
         nullif(r.content ->> 'remark', ''), '拒单：' || (r.content ->> 'reason'))`,
  'order_revisions r WHERE r.tenant_id = $1 AND r.order_id = o.id',
  'r.revision',
)
/** The person who has to act now: whose answer is awaited, else whose goods are. */
const TURN = `(CASE WHEN o.ended NOT IN ('', 'closed') THEN ''
         WHEN o.ask <> '' THEN CASE o.ask_side WHEN 'buyer' THEN o.receiver_name ELSE o.made_name END
         WHEN o.receive_state = ${receiveState.code.rejected} THEN o.made_name
         WHEN o.order_state IN (${ordered}, ${toShip}) THEN o.receiver_name
         WHEN o.order_state = ${shipped} THEN '承运'
         WHEN o.order_state = ${arrived} THEN '验收员'
         WHEN o.order_state = ${toReturn} THEN '审核和退货'
         ELSE '' END)`
const SINCE = `(CASE WHEN o.ask <> '' THEN o.ask_at
         ELSE (SELECT min(p.since) FROM pieces p
           WHERE p.tenant_id = $1 AND p.order_id = o.id AND p.order_state = o.order_state) END)`

const CHILDREN = listOf(
  `'id', k.id, 'code', k.code`,
  'orders k WHERE k.tenant_id = $1 AND k.parent_id = o.id',
  'k.code',
)
const detail = (
  amounts: boolean,
  buyer: string,
) => `CASE WHEN ${buyer} THEN o.contract_id::text ELSE '' END AS contract_id,
       CASE WHEN ${buyer} THEN coalesce(c.code, '') ELSE '' END AS "contractCode", o.remark, o.revision,
       o.reject_code AS "rejectCode", o.reason, ${epoch('o.ask_at')} AS "askAt", o.parent_id,
       coalesce(r.code, '') AS "parentCode",
       ${CHILDREN} AS children,
       ${lines(amounts, buyer)} AS "lineList", ${NOTES} AS notes, ${CHANGES} AS changes, ${LOG} AS log, ${TURN} AS turn,
       ${epoch(SINCE)} AS "turnSince", ${REVISIONS} AS revisions`
const detailColumns = row({
  ...orderColumns,
  contract_id: text,
  contractCode: text,
  remark: text,
  revision: int4,
  rejectCode: text.of({ values: ['', ...rejectReason.values] as const }),
  reason: text,
  askAt: orderColumns.answeredAt,
  address: text,
  contact: text,
  contactPhone: text,
  parent_id: uuid.null,
  parentCode: text,
  children: json<OrderDetail['children']>(),
  lineList: json<OrderDetail['lineList']>(),
  notes: json<OrderDetail['notes']>(),
  changes: json<OrderDetail['changes']>(),
  log: json<OrderDetail['log']>(),
  turn: text,
  turnSince: orderColumns.answeredAt,
  revisions: json<OrderDetail['revisions']>(),
})
/** An order as its party in reach may see it: the receiver learns the address once it has accepted. */
export async function orderDetail(
  tx: Tx,
  scope: Scope,
  id: string,
  amounts: boolean,
): Promise<OrderDetail | undefined> {
  const parties = scopedParties(scope, 'o')
  const isAccepted = `o.receive_state = ${receiveState.code.accepted}`
  const known = `(${parties.buyer} OR ${isAccepted})`
  parties.where.add((p) => `o.id = ${p}::uuid`, id)
  const told = isAddressTold(parties.where, scope, { bc: 'o.bc_id', site: 'o.site_id' })
  const { rows } = await tx.query(
    'orders.detail',
    detailColumns,
    `SELECT ${columnsFor(parties, amounts)}, ${detail(amounts, parties.buyer)},
       ${toldText(`${told} OR NOT ${parties.buyer} AND ${isAccepted}`, 'o.address')} AS address,
       CASE WHEN ${known} THEN o.contact ELSE '' END AS contact,
       CASE WHEN ${known} THEN o.contact_phone ELSE '' END AS "contactPhone"
     FROM orders o
     ${ORDER_JOINS}
     LEFT JOIN contracts c ON c.tenant_id = $1 AND c.id = o.contract_id
     LEFT JOIN orders r ON r.tenant_id = $1 AND r.id = o.parent_id
     WHERE ${parties.where.text}`,
    parties.where.values,
  )
  return rows[0]
}
