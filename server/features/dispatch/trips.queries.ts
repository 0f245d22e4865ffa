import { dispatchState } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import type { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'
import { type ArrivalRow, clash, type TripRow } from '@zhuguan/contract/features/dispatch/trips.record.ts'
import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'
import { siteStage, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, int2, int4, row, type RowOf, text, texts, uuid } from '../../kit/row.ts'
import { scopedParties } from '../../kit/scoped.ts'
import { TODAY } from '../../kit/statement.ts'
import { restDaySql } from '../settings/settings.reads.ts'

const { cancelled, checked, delivered, returned, shipped, waiting } = dispatchState.code
/** Of a note `d` of a trip: what was handed over of it before stands on a note of its own and is no stop of its own. */
const PART = `EXISTS (SELECT 1 FROM dispatches w
         WHERE w.tenant_id = $1 AND w.id = d.parent_id AND w.trip_id = d.trip_id AND w.shipped_at = d.shipped_at)`
const STOP = `d.state NOT IN (${cancelled}, ${returned}) AND NOT ${PART}`
export async function tripList(
  tx: Tx,
  scope: Scope,
  q: QueryOf<(typeof tripsApi)['list']>,
): Promise<TripRow[]> {
  const { where, receiver } = scopedParties(scope, 't', { site: false })
  where
    .when(q.id, (p) => `t.id = ${p}::uuid`)
    .when(q.receiver_id, (p) => `t.receiver_id = ${p}::uuid`)
    .when(q.from, (p) => `t.day >= ${p}::date`)
    .plain(!q.from && !q.id && `t.day >= ${TODAY}`)
  const { rows } = await tx.query(
    'dispatch.trips',
    row<TripRow>({
      id: uuid,
      code: text,
      day: text,
      driver: text,
      driverPhone: text,
      plate: text,
      receiver_id: uuid,
      stops: int4,
      receiver: bool,
      open: bool,
      version: int4,
    }),
    `SELECT t.id, t.code, t.day::text AS day, t.driver, t.driver_phone AS "driverPhone", t.plate, t.receiver_id,
       (SELECT count(*)::int FROM dispatches d WHERE d.tenant_id = $1 AND d.trip_id = t.id AND ${STOP}) AS stops,
       ${receiver} AS receiver, NOT EXISTS (SELECT 1 FROM dispatches d
         WHERE d.tenant_id = $1 AND d.trip_id = t.id AND d.state IN (${delivered}, ${checked}))
       OR EXISTS (SELECT 1 FROM dispatches d
         WHERE d.tenant_id = $1 AND d.trip_id = t.id AND d.state IN (${waiting}, ${shipped})) AS open, t.version
     FROM trips t
     WHERE ${where.text}
     ORDER BY t.day, t.code
     LIMIT 200`,
    where.values,
  )
  return rows
}

const STAGE = `(SELECT i.stage
       FROM pieces p
       JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id
       WHERE p.tenant_id = $1 AND (p.note_id = d.id OR p.next_note_id = d.id) AND i.stage IS NOT NULL
       LIMIT 1)`
const NAMES = `coalesce((SELECT string_agg(x.name, '、') FROM (
         SELECT DISTINCT l.name
         FROM pieces p
         JOIN order_lines l ON l.tenant_id = $1 AND l.id = p.line_id
         WHERE p.tenant_id = $1 AND (p.note_id = d.id OR p.next_note_id = d.id)
         LIMIT 3) x), '')`
const OTHERS = `EXISTS (SELECT 1 FROM dispatches k
         WHERE k.tenant_id = $1 AND k.site_id = d.site_id AND k.id <> d.id AND k.planned_on = d.planned_on
           AND k.state IN (${waiting}, ${shipped}))`
/** Notes by the day on which they are to arrive, with what speaks against it. */
export async function arrivalsOf(
  tx: Tx,
  scope: Scope,
  q: QueryOf<(typeof tripsApi)['arrivals']>,
): Promise<ArrivalRow[]> {
  const { where, buyer } = scopedParties(scope, 'd')
  where
    .add((p) => `d.planned_on >= ${p}::date`, q.from)
    .add((p) => `d.planned_on <= ${p}::date`, q.to)
    .when(q.bc_id, (p) => `d.bc_id = ${p}::uuid`)
    .when(q.site_id, (p) => `d.site_id = ${p}::uuid`)
    .plain(`d.state IN (${waiting}, ${shipped}, ${delivered})`)
  const rest = restDaySql('$1', 'd.bc_id', 'd.planned_on')
  const open = `d.state <> ${delivered}`
  const { rows } = await tx.query(
    'dispatch.arrivals',
    row<ArrivalRow>({
      id: uuid,
      code: text,
      order_id: uuid,
      orderCode: text,
      site_id: text,
      ws_name: text,
      receiverName: text,
      plannedOn: text,
      state: int2.of(dispatchState),
      method: int2.of(deliveryMethod),
      lines: int4,
      names: text,
      stage: text.of(siteStage).null,
      stageOn: text.null,
      readyOn: text.null,
      place: text,
      clashes: texts.of(clash),
      late: bool,
      version: int4,
    }),
    `SELECT d.id, d.code, d.order_id, o.code AS "orderCode",
       CASE WHEN ${buyer} THEN d.site_id::text ELSE '' END AS site_id,
       CASE WHEN ${buyer} THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name,
       o.receiver_name AS "receiverName", d.planned_on::text AS "plannedOn", d.state, d.method, d.lines,
       ${NAMES} AS names, g.stage, g.planned_start::text AS "stageOn", a.ready_on::text AS "readyOn",
       coalesce(a.place, '') AS place, array_remove(ARRAY[
         CASE WHEN ${open} AND ${OTHERS} THEN 'crowded' END,
         CASE WHEN ${open} AND g.planned_start > d.planned_on + 7 THEN 'stage' END,
         CASE WHEN ${open} AND a.ready_on > d.planned_on THEN 'ready' END,
         CASE WHEN ${open} AND w.status = ${siteStatus.code.notStarted} THEN 'nobody' END,
         CASE WHEN ${open} AND ${rest} THEN 'rest' END], NULL) AS clashes,
       (${open} AND d.planned_on < ${TODAY}) AS late, d.version
     FROM dispatches d
     JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
     LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = d.site_id AND g.stage = ${STAGE}
     LEFT JOIN site_arrivals a ON a.tenant_id = $1 AND a.site_id = d.site_id
     WHERE ${where.text}
     ORDER BY d.planned_on, d.code
     LIMIT 1000`,
    where.values,
  )
  return rows
}

/** A trip whose goods are those of a receiver on whose side the caller stands, and the branches that it serves. */
export async function ownTrip(tx: Tx, scope: Scope, id: string, stops: readonly string[]) {
  const { where, receiver } = scopedParties(scope, 't', { site: false })
  where.add((p) => `t.id = ${p}::uuid`, id).plain(receiver)
  const { rows } = await tx.query(
    'trips.own',
    row({ bc_id: uuid, receiver_id: uuid }),
    `SELECT t.bc_id, t.receiver_id FROM trips t WHERE ${where.text}`,
    where.values,
  )
  const own = rows[0]
  if (!own) return undefined
  const served = await tx.query(
    'trips.served',
    row({ bc_id: uuid }),
    `SELECT DISTINCT d.bc_id FROM dispatches d
     WHERE d.tenant_id = $1 AND d.receiver_id = $2 AND (d.trip_id = $3 OR d.id = ANY ($4::uuid[]))`,
    [scope.tenant, own.receiver_id, id, stops],
  )
  return { receiver_id: own.receiver_id, bcs: [...new Set([own.bc_id, ...served.rows.map((r) => r.bc_id)])] }
}
const lockedTrip = row({
  id: uuid,
  code: text,
  receiver_id: uuid,
  day: text,
  driver: text,
  driverPhone: text,
  plate: text,
  version: int4,
})
export async function lockTrip(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'trips.lock',
    lockedTrip,
    `SELECT t.id, t.code, t.receiver_id, t.day::text AS day, t.driver, t.driver_phone AS "driverPhone", t.plate,
       t.version
     FROM trips t
     WHERE t.tenant_id = $1 AND t.id = $2
     FOR UPDATE OF t`,
    [tenant, id],
  )
  return rows[0]
}
const onTrip = row({
  id: uuid,
  code: text,
  state: int2.of(dispatchState),
  method: int2.of(deliveryMethod),
  stop: int4.null,
  trip_id: uuid.null,
  tripCode: text,
  phone: text,
  plannedOn: text.null,
  part_of: uuid.null,
  bc_id: uuid,
  receiver_id: uuid,
  place_id: uuid,
  orderCode: text,
  made_by: uuid,
})
export type NoteOnTrip = RowOf<typeof onTrip>
/**
 * The notes of a trip as they are and as they shall be, locked; who hands over locks the note before anything of
 * its trip.
 */
export async function lockOnTrip(
  tx: Tx,
  tenant: string,
  of: { receiver: string; trip: string; stops: readonly string[] },
): Promise<NoteOnTrip[]> {
  const { rows } = await tx.query(
    'trips.notes',
    onTrip,
    `SELECT d.id, d.code, d.state, d.method, d.stop, d.trip_id, coalesce(t.code, '') AS "tripCode",
       d.contact_phone AS phone, d.planned_on::text AS "plannedOn",
       CASE WHEN ${PART} THEN d.parent_id END AS part_of, d.bc_id, d.receiver_id, d.site_id AS place_id,
       o.code AS "orderCode", o.made_by
     FROM dispatches d
     JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
     LEFT JOIN trips t ON t.tenant_id = $1 AND t.id = d.trip_id
     WHERE d.tenant_id = $1 AND d.receiver_id = $2 AND (d.trip_id = $3 OR d.id = ANY ($4::uuid[]))
     ORDER BY d.id
     FOR UPDATE OF d`,
    [tenant, of.receiver, of.trip, of.stops],
  )
  return rows
}
/** On a trip at this stop, or on none; what was handed over of it before goes with it. */
export const putOnTrip = (
  tx: Tx,
  tenant: string,
  note: string,
  to: { trip: string | null; stop: number | null; method: number },
) =>
  tx.run(
    'trips.put',
    `UPDATE dispatches d SET trip_id = $3, stop = $4, method = $5, version = d.version + 1
     WHERE d.tenant_id = $1 AND d.id = $2`,
    [tenant, note, to.trip, to.stop, to.method],
  )
export const renumberParts = (tx: Tx, tenant: string, trip: string) =>
  tx.run(
    'trips.parts',
    `UPDATE dispatches d SET stop = w.stop
     FROM dispatches w
     WHERE d.tenant_id = $1 AND d.trip_id = $2 AND w.tenant_id = $1 AND w.id = d.parent_id AND w.trip_id = $2
       AND w.shipped_at = d.shipped_at AND d.stop IS DISTINCT FROM w.stop`,
    [tenant, trip],
  )
