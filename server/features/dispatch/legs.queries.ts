import {
  dispatchState,
  logisticsProgress,
  logisticsStatus,
  logisticsType,
  sendBackReason,
} from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import type { logisticsApi } from '@zhuguan/contract/features/dispatch/logistics.api.ts'
import type { LogisticsDetail } from '@zhuguan/contract/features/dispatch/logistics.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import type { TwoParties } from '../../kit/parties.ts'
import { bool, float8, int2, int4, json, row, text, uuid } from '../../kit/row.ts'
import { type Parties, scopedParties } from '../../kit/scoped.ts'
import { contains, dayBegins, epoch, type PageOf, TODAY } from '../../kit/statement.ts'
import { NODES } from './notes.queries.ts'

const { delivered } = logisticsProgress.code
const { back, partBack, waiting } = logisticsStatus.code
const { returned } = dispatchState.code
const LATE = `(g.progress < ${delivered} AND g.status IN (${waiting}, ${partBack})
       AND coalesce(g.expected_on < ${TODAY}, false))`
/** A way that ended because its goods were lost: nothing of it came back. */
const LOST = `(g.status = ${back} AND d.state = ${returned} AND d.check_state IS NULL
         AND NOT EXISTS (SELECT 1 FROM logistics k
           WHERE k.tenant_id = $1 AND k.note_id = d.id AND k.type = ${logisticsType.code.back}))`
const STATUS_TEXT = `CASE WHEN ${LOST} THEN '${sendBackReason.label('lost')}' ${logisticsStatus.options
  .map((o) => `WHEN g.status = ${o.value} THEN '${o.label}'`)
  .join(' ')} ELSE '' END`
const columnsFor = ({ buyer, receiver }: Pick<Parties, 'buyer' | 'receiver'>) =>
  `g.id, g.code, g.type, g.progress, g.status, ${STATUS_TEXT} AS "statusText", g.note_id,
       coalesce(d.code, o.code) AS related, g.order_id,
       o.code AS "orderCode", g.bc_id, coalesce(b.bc_name, o.bc_name) AS bc_name,
       CASE WHEN ${buyer} THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name, g.receiver_id,
       o.receiver_name AS "receiverName", g.carrier, g.waybill, g.node_text AS "nodeText",
       ${epoch('g.node_at')} AS "nodeAt", g.expected_on::text AS "expectedOn", ${LATE} AS late,
       g.signed_by AS "signedBy", ${epoch('g.signed_at')} AS "signedAt", ${epoch('g.made_at')} AS "madeAt",
       ${buyer} AS buyer, ${receiver} AS receiver, g.version`
const JOINS = `JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
     LEFT JOIN dispatches d ON d.tenant_id = $1 AND d.id = g.note_id
     LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = g.bc_id
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id`

/** Ways of goods of either party in reach. */
export function legPage(scope: Scope, q: QueryOf<(typeof logisticsApi)['list']>): PageOf {
  const parties = scopedParties(scope, 'g')
  return {
    name: 'logistics.page',
    base: 'logistics g',
    columns: columnsFor(parties),
    joins: JOINS,
    where: parties.where
      .when(
        q.keyword || undefined,
        (p) => `(lower(g.code) LIKE ${p} OR lower(g.waybill) LIKE ${p} OR EXISTS (SELECT 1 FROM orders k
           WHERE k.tenant_id = $1 AND k.id = g.order_id AND (lower(k.code) LIKE ${p} OR lower(k.community) LIKE ${p}))
           OR EXISTS (SELECT 1 FROM dispatches n WHERE n.tenant_id = $1 AND n.id = g.note_id
             AND lower(n.code) LIKE ${p}))`,
        contains,
      )
      .when(q.bc_id, (p) => `g.bc_id = ${p}::uuid`)
      .when(q.site_id, (p) => `g.site_id = ${p}::uuid`)
      .when(q.receiver_id, (p) => `g.receiver_id = ${p}::uuid`)
      .when(q.order_id, (p) => `g.order_id = ${p}::uuid`)
      .when(q.type, (p) => `g.type = ANY(${p}::smallint[])`)
      .when(q.progress, (p) => `g.progress = ANY(${p}::smallint[])`)
      .when(q.status, (p) => `g.status = ANY(${p}::smallint[])`)
      .when(q.from, (p) => `g.made_at >= ${dayBegins(p)}`)
      .when(q.to, (p) => `g.made_at < ${dayBegins(`(${p}::date + 1)`)}`)
      .plain(q.late === true && LATE)
      .plain(q.late === false && `NOT ${LATE}`),
    sort: q.sort,
    otherwise: 'g.made_at DESC',
    tie: 'g.id DESC',
    sortable: { code: 'g.code', madeAt: 'g.made_at', nodeAt: 'g.node_at', expectedOn: 'g.expected_on' },
    filled: ['code', 'madeAt'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const legColumns = {
  id: uuid,
  code: text,
  type: int2.of(logisticsType),
  progress: int2.of(logisticsProgress),
  status: int2.of(logisticsStatus),
  statusText: text,
  note_id: uuid.null,
  related: text,
  order_id: uuid,
  orderCode: text,
  bc_id: uuid,
  bc_name: text,
  ws_name: text,
  receiver_id: uuid,
  receiverName: text,
  carrier: text,
  waybill: text,
  nodeText: text,
  nodeAt: float8.null,
  expectedOn: text.null,
  late: bool,
  signedBy: text,
  signedAt: float8.null,
  madeAt: float8,
  buyer: bool,
  receiver: bool,
  version: int4,
}
const GOODS = `coalesce((SELECT string_agg(k.words, '、' ORDER BY k.sort) FROM (
         SELECT l.sort, l.name || ' ' || trim_scale(sum(c.quantity))::text || ' ' || l.unit AS words
         FROM carried c
         JOIN order_lines l ON l.tenant_id = $1 AND l.id = c.line_id
         WHERE c.tenant_id = $1 AND c.note_id = g.note_id
         GROUP BY l.id, l.sort, l.name, l.unit) k), '')`
const found = row({ ...legColumns, goods: text })
const track = json<LogisticsDetail['tracks']>()
/** A way in reach with all that it came from and that came of it. */
export async function legDetail(tx: Tx, scope: Scope, id: string): Promise<LogisticsDetail | undefined> {
  const parties = scopedParties(scope, 'g')
  parties.where.add((p) => `g.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'logistics.detail',
    found,
    `SELECT ${columnsFor(parties)}, ${GOODS} AS goods
     FROM logistics g
     ${JOINS}
     WHERE ${parties.where.text}`,
    parties.where.values,
  )
  if (!rows[0]) return undefined
  const family = await tx.query(
    'logistics.family',
    row({ tracks: track }),
    `WITH RECURSIVE up AS (
       SELECT u.id, u.parent_id FROM logistics u WHERE u.tenant_id = $1 AND u.id = $2
       UNION
       SELECT k.id, k.parent_id FROM up JOIN logistics k ON k.tenant_id = $1 AND k.id = up.parent_id
     ), down AS (
       SELECT up.id FROM up WHERE up.parent_id IS NULL
       UNION
       SELECT c.id FROM down JOIN logistics c ON c.tenant_id = $1 AND c.parent_id = down.id
     )
     SELECT coalesce(json_agg(json_build_object('id', g.id, 'code', g.code, 'type', g.type, 'progress', g.progress,
         'status', g.status, 'statusText', ${STATUS_TEXT},
         'related', coalesce(d.code, ''), 'carrier', g.carrier, 'waybill', g.waybill,
         'nodes', ${NODES}) ORDER BY g.made_at, g.code), '[]') AS tracks
     FROM down
     JOIN logistics g ON g.tenant_id = $1 AND g.id = down.id
     LEFT JOIN dispatches d ON d.tenant_id = $1 AND d.id = g.note_id`,
    [scope.tenant, id],
  )
  return { ...rows[0], tracks: family.rows[0]!.tracks }
}

const whereabouts = row<TwoParties>({ bc_id: uuid, receiver_id: uuid, buyer: bool, receiver: bool })
/** The two parties of a way in reach, and on which sides the caller stands. */
export async function partiesOfLeg(tx: Tx, scope: Scope, id: string): Promise<TwoParties | undefined> {
  const { where, buyer, receiver } = scopedParties(scope, 'g')
  where.add((p) => `g.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'logistics.parties',
    whereabouts,
    `SELECT g.bc_id, g.receiver_id, ${buyer} AS buyer, ${receiver} AS receiver
     FROM logistics g
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}
const locked = row({ ...legColumns, place_id: uuid, made_by: uuid })
/** A way with all that is known of it. `place_id` is its site, `made_by` who placed its order. */
export async function lockLeg(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'logistics.lock',
    locked,
    `SELECT ${columnsFor({ buyer: 'true', receiver: 'true' })}, g.site_id AS place_id, o.made_by
     FROM logistics g
     ${JOINS}
     WHERE g.tenant_id = $1 AND g.id = $2
     FOR UPDATE OF g`,
    [tenant, id],
  )
  return rows[0]
}
const byWaybill = row({
  id: uuid,
  bc_id: uuid,
  site_id: uuid,
  receiver_id: uuid,
  note_id: uuid.null,
  made_by: uuid,
  related: text,
})
/** The ways that a carrier's waybill names, locked in one order. */
export async function lockWaybill(tx: Tx, tenant: string, carrier: string, waybill: string) {
  const { rows } = await tx.query(
    'logistics.waybill',
    byWaybill,
    `SELECT g.id, g.bc_id, g.site_id, g.receiver_id, g.note_id, o.made_by,
       coalesce(d.code, g.code) AS related
     FROM logistics g
     JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
     LEFT JOIN dispatches d ON d.tenant_id = $1 AND d.id = g.note_id
     WHERE g.tenant_id = $1 AND g.carrier = $2 AND g.waybill = $3 AND g.waybill <> ''
     ORDER BY g.id
     FOR UPDATE OF g`,
    [tenant, carrier, waybill],
  )
  return rows
}
/** It is on its way; what is further stays there. */
export const setUnderWay = (tx: Tx, tenant: string, id: string) =>
  tx.run(
    'logistics.underway',
    'UPDATE logistics g SET progress = greatest(g.progress, 1) WHERE g.tenant_id = $1 AND g.id = $2',
    [tenant, id],
  )
export const signLeg = (tx: Tx, tenant: string, id: string, by: string) =>
  tx.run(
    'logistics.sign',
    `UPDATE logistics g SET progress = ${delivered}, signed_by = $3, signed_at = :now
     WHERE g.tenant_id = $1 AND g.id = $2`,
    [tenant, id, by],
  )
