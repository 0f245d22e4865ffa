import { dispatchState } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import type { tripsApi } from '@zhuguan/contract/features/dispatch/trips.api.ts'
import { type ArrivalRow, clash, type TripRow } from '@zhuguan/contract/features/dispatch/trips.record.ts'
import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'
import { siteStage, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, int2, int4, row, text, texts, uuid } from '../../kit/row.ts'
import { scopedParties } from '../../kit/scoped.ts'
import { TODAY } from '../../kit/statement.ts'
import { restDaySql } from '../settings/settings.reads.ts'

const { delivered, shipped, waiting } = dispatchState.code
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
    }),
    `SELECT t.id, t.code, t.day::text AS day, t.driver, t.driver_phone AS "driverPhone", t.plate, t.receiver_id,
       (SELECT count(*)::int FROM dispatches d WHERE d.tenant_id = $1 AND d.trip_id = t.id) AS stops,
       ${receiver} AS receiver
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
