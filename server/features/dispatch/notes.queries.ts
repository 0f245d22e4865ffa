import type { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import {
  dispatchState,
  type NoteDetail,
  noteKind,
} from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'
import { checkState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { isAddressTold, siteNamed, toldText } from '../../kit/home-address.ts'
import type { TwoParties } from '../../kit/parties.ts'
import { bool, float8, int2, int4, json, row, type RowOf, text, uuid } from '../../kit/row.ts'
import { type Parties, scopedParties } from '../../kit/scoped.ts'
import { contains, dayBegins, epoch, listOf, type PageOf, TODAY } from '../../kit/statement.ts'
import { inTurn } from '../pieces/pieces.service.ts'

type NoteFilters = QueryOf<(typeof dispatchApi)['list']>
const { cancelled, shipped, waiting } = dispatchState.code
const LATE = `(d.state IN (${waiting}, ${shipped}) AND coalesce(d.planned_on < ${TODAY}, false))`
const columnsFor = ({ buyer, receiver }: Pick<Parties, 'buyer' | 'receiver'>) =>
  `d.id, d.code, d.order_id, o.code AS "orderCode", d.bc_id, coalesce(b.bc_name, o.bc_name) AS bc_name, d.receiver_id,
       o.receiver_name AS "receiverName", CASE WHEN ${buyer} THEN d.site_id::text ELSE '' END AS site_id,
       CASE WHEN ${buyer} THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name,
       w.status AS "siteStatus", d.kind, d.after_sale AS "afterSale", d.state,
       o.ended = '' OR d.kind <> 1 AND o.ended = 'closed' AS open, d.method,
       d.planned_on::text AS "plannedOn", d.carrier, d.waybill, d.trip_id, coalesce(t.code, '') AS "tripCode", d.stop,
       d.pickup_until::text AS "pickupUntil", d.lines, coalesce(r.code, '') AS "parentCode",
       ${epoch('d.made_at')} AS "madeAt", ${epoch('d.shipped_at')} AS "shippedAt",
       ${epoch('d.delivered_at')} AS "deliveredAt", d.sheet_code AS "sheetCode", d.check_state AS "checkState",
       ${LATE} AS late, ${buyer} AS buyer, ${receiver} AS receiver, d.version`
const JOINS = `JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
     LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = d.bc_id
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
     LEFT JOIN trips t ON t.tenant_id = $1 AND t.id = d.trip_id
     LEFT JOIN dispatches r ON r.tenant_id = $1 AND r.id = d.parent_id`

/** Delivery notes of either party in reach. */
export function notePage(scope: Scope, q: NoteFilters): PageOf {
  const parties = scopedParties(scope, 'd')
  const named = siteNamed(parties.where, scope, 's')
  return {
    name: 'dispatch.page',
    base: 'dispatches d',
    columns: columnsFor(parties),
    joins: JOINS,
    where: parties.where
      .when(
        q.keyword || undefined,
        (p) => `(lower(d.code) LIKE ${p} OR lower(d.waybill) LIKE ${p} OR EXISTS (SELECT 1 FROM orders k
           WHERE k.tenant_id = $1 AND k.id = d.order_id AND (lower(k.code) LIKE ${p} OR lower(k.community) LIKE ${p}))
           OR EXISTS (SELECT 1 FROM sites s WHERE s.tenant_id = $1 AND s.id = d.site_id AND ${named(p)}))`,
        contains,
      )
      .when(q.bc_id, (p) => `d.bc_id = ${p}::uuid`)
      .when(q.site_id, (p) => `d.site_id = ${p}::uuid`)
      .when(q.receiver_id, (p) => `d.receiver_id = ${p}::uuid`)
      .when(q.order_id, (p) => `d.order_id = ${p}::uuid`)
      .when(q.trip_id, (p) => `d.trip_id = ${p}::uuid`)
      .when(q.state, (p) => `d.state = ANY(${p}::smallint[])`)
      .when(q.kind, (p) => `d.kind = ANY(${p}::smallint[])`)
      .when(q.method, (p) => `d.method = ANY(${p}::smallint[])`)
      .when(q.from, (p) => `d.made_at >= ${dayBegins(p)}`)
      .when(q.to, (p) => `d.made_at < ${dayBegins(`(${p}::date + 1)`)}`)
      .plain(q.late === true && LATE)
      .plain(q.late === false && `NOT ${LATE}`),
    sort: q.sort,
    otherwise: 'd.made_at DESC',
    tie: 'd.id DESC',
    sortable: {
      code: 'd.code',
      madeAt: 'd.made_at',
      shippedAt: 'd.shipped_at',
      deliveredAt: 'd.delivered_at',
      plannedOn: 'd.planned_on',
    },
    filled: ['code', 'madeAt'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const noteColumns = {
  id: uuid,
  code: text,
  order_id: uuid,
  orderCode: text,
  bc_id: uuid,
  bc_name: text,
  receiver_id: uuid,
  receiverName: text,
  site_id: text,
  ws_name: text,
  siteStatus: int2.of(siteStatus).null,
  kind: int2.of(noteKind),
  afterSale: bool,
  state: int2.of(dispatchState),
  open: bool,
  method: int2.of(deliveryMethod),
  plannedOn: text.null,
  carrier: text,
  waybill: text,
  trip_id: uuid.null,
  tripCode: text,
  stop: int4.null,
  pickupUntil: text.null,
  lines: int4,
  parentCode: text,
  madeAt: float8,
  shippedAt: float8.null,
  deliveredAt: float8.null,
  sheetCode: text,
  checkState: int2.of(checkState).null,
  late: bool,
  buyer: bool,
  receiver: bool,
  version: int4,
}
const whereabouts = row<TwoParties & { order_id: string }>({
  bc_id: uuid,
  receiver_id: uuid,
  order_id: uuid,
  buyer: bool,
  receiver: bool,
})
/** The two parties of a note in reach, and on which sides the caller stands. */
export async function partiesOfNote(tx: Tx, scope: Scope, id: string) {
  const { where, buyer, receiver } = scopedParties(scope, 'd')
  where.add((p) => `d.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'dispatch.parties',
    whereabouts,
    `SELECT d.bc_id, d.receiver_id, d.order_id, ${buyer} AS buyer, ${receiver} AS receiver
     FROM dispatches d
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}
/** The same of an order, for whoever makes a note of it. */
export async function partiesOfOrder(tx: Tx, scope: Scope, id: string) {
  const { where, buyer, receiver } = scopedParties(scope, 'o')
  where.add((p) => `o.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'dispatch.orderparties',
    whereabouts,
    `SELECT o.bc_id, o.receiver_id, o.id AS order_id, ${buyer} AS buyer, ${receiver} AS receiver
     FROM orders o
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

const ofOrder = row({
  id: uuid,
  code: text,
  bc_id: uuid,
  receiver_id: uuid,
  receiverName: text,
  site_id: uuid,
  made_by: uuid,
  receiveState: int2,
  ended: text,
  contractLive: bool,
})
export type OrderOfNote = RowOf<typeof ofOrder>
/** Everybody who moves goods of an order locks it first. */
export async function lockOrderOf(tx: Tx, tenant: string, id: string): Promise<OrderOfNote | undefined> {
  const { rows } = await tx.query(
    'dispatch.lockorder',
    ofOrder,
    `SELECT o.id, o.code, o.bc_id, o.receiver_id, o.receiver_name AS "receiverName", o.site_id, o.made_by,
       o.receive_state AS "receiveState", o.ended, c.state IN ('live', 'finishing', 'settled') AS "contractLive"
     FROM orders o
     JOIN contracts c ON c.tenant_id = $1 AND c.id = o.contract_id
     WHERE o.tenant_id = $1 AND o.id = $2
     FOR UPDATE OF o`,
    [tenant, id],
  )
  if (rows[0]) inTurn(tx, rows[0].bc_id)
  return rows[0]
}
const locked = row({
  ...noteColumns,
  place_id: uuid,
  change_id: uuid.null,
  parent_id: uuid.null,
  pickupCode: text,
})
export type LockedNote = RowOf<typeof locked>
/** A note with all that is known of it; its order is locked already. `place_id` is its site. */
export async function lockNote(tx: Tx, tenant: string, id: string): Promise<LockedNote | undefined> {
  const { rows } = await tx.query(
    'dispatch.lock',
    locked,
    `SELECT ${columnsFor({ buyer: 'true', receiver: 'true' })}, d.site_id AS place_id, d.change_id, d.parent_id,
       d.pickup_code AS "pickupCode"
     FROM dispatches d
     ${JOINS}
     WHERE d.tenant_id = $1 AND d.id = $2
     FOR UPDATE OF d`,
    [tenant, id],
  )
  return rows[0]
}

/** Before it has left by what stands on it, later by what it carried; cancelled by what stood on it. */
export const LINES = `coalesce((SELECT json_agg(json_build_object('line_id', l.id, 'code', l.code, 'name', l.name,
         'detail', l.detail, 'unit', l.unit, 'quantity', trim_scale(k.quantity)::text) ORDER BY l.sort, l.id)
       FROM (SELECT x.line_id, sum(x.quantity) AS quantity
         FROM (SELECT p.line_id, p.quantity FROM pieces p
             WHERE p.tenant_id = $1 AND d.state = ${waiting} AND (p.note_id = d.id OR p.next_note_id = d.id)
           UNION ALL
           SELECT c.line_id, c.quantity FROM carried c
             WHERE c.tenant_id = $1 AND d.state <> ${waiting} AND c.note_id = d.id
           UNION ALL
           SELECT s.line_id, s.quantity FROM jsonb_to_recordset(d.stood) AS s(line_id uuid, quantity numeric)
             WHERE d.state = ${cancelled}) x
         GROUP BY x.line_id) k
       JOIN order_lines l ON l.tenant_id = $1 AND l.id = k.line_id), '[]')`
export const NODES = listOf(
  `'at', ${epoch('n.at')}, 'heardAt', ${epoch('n.heard_at')}, 'source', n.source, 'title', n.title, 'place', n.place,
           'who', n.user_name, 'photo', n.photo`,
  'logistics_nodes n WHERE n.tenant_id = $1 AND n.logistics_id = g.id',
  'n.at, n.heard_at, n.id',
)
/** Its own way, and as one with it those that it came out of or that came out of it; what waits has gone no way. */
const TRACKS = listOf(
  `'id', g.id, 'code', g.code, 'type', g.type, 'progress', g.progress, 'status', g.status, 'nodes', ${NODES}`,
  `logistics g
         WHERE g.tenant_id = $1 AND (g.note_id = d.id
           OR g.note_id = d.parent_id AND d.state NOT IN (${waiting}, ${cancelled}) OR g.note_id IN (
           SELECT k.id FROM dispatches k WHERE k.tenant_id = $1 AND k.parent_id = d.id))`,
  'g.made_at, g.code',
)
/** A note as its party in reach may see it: the code of a pickup is for who collects. */
export async function noteDetail(tx: Tx, scope: Scope, id: string): Promise<NoteDetail | undefined> {
  const parties = scopedParties(scope, 'd')
  parties.where.add((p) => `d.id = ${p}::uuid`, id)
  const told = isAddressTold(parties.where, scope, { bc: 'd.bc_id', site: 'd.site_id' })
  const { rows } = await tx.query(
    'dispatch.detail',
    row({
      ...noteColumns,
      address: text,
      contact: text,
      contactPhone: text,
      window: text,
      pickupStore: text,
      pickupCode: text,
      madeBy: text,
      shippedBy: text,
      deliveredBy: text,
      deliveredPlace: text,
      photo: text.null,
      signature: text.null,
      damage: text,
      damagePhoto: text.null,
      reason: text,
      lineList: json<NoteDetail['lineList']>(),
      tracks: json<NoteDetail['tracks']>(),
    }),
    `SELECT ${columnsFor(parties)},
       ${toldText(`${told} OR NOT ${parties.buyer}`, 'd.address', 'o.community')} AS address,
       d.contact, d.contact_phone AS "contactPhone",
       d.window_text AS "window", d.pickup_store AS "pickupStore",
       CASE WHEN ${parties.buyer} THEN d.pickup_code ELSE '' END AS "pickupCode", d.made_name AS "madeBy",
       d.shipped_name AS "shippedBy", d.delivered_name AS "deliveredBy", d.delivered_place AS "deliveredPlace", d.photo,
       d.signature, d.damage, d.damage_photo AS "damagePhoto", d.reason, ${LINES} AS "lineList", ${TRACKS} AS tracks
     FROM dispatches d
     ${JOINS}
     WHERE ${parties.where.text}`,
    parties.where.values,
  )
  return rows[0]
}
