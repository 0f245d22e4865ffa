import type { DriverStop } from '@zhuguan/contract/features/dispatch/driver.record.ts'
import { STOP_STATES } from '@zhuguan/contract/features/dispatch/driver.record.ts'
import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import type { LinkTarget } from '../../kit/link-kind.ts'
import { bool, float8, int2, int4, json, row, text, timestamptz, uuid } from '../../kit/row.ts'
import { scopedParties } from '../../kit/scoped.ts'
import { epoch } from '../../kit/statement.ts'
import { LINES } from './notes.queries.ts'

const target = row({ bc_id: uuid, receiver_id: uuid, code: text })
/** A note of either party in reach, or a trip of a receiver in reach: it may carry goods of other branches too. */
export async function driverTarget(tx: Tx, scope: Scope, id: string): Promise<LinkTarget | undefined> {
  for (const { name, table } of [
    { name: 'driver.note', table: 'dispatches' },
    { name: 'driver.trip', table: 'trips' },
  ] as const) {
    const isTrip = table === 'trips'
    const { where, receiver } = scopedParties(scope, 'd', isTrip ? { site: false } : {})
    where.add((p) => `d.id = ${p}::uuid`, id).plain(isTrip && receiver)
    const { rows } = await tx.query(
      name,
      target,
      `SELECT d.bc_id, d.receiver_id, d.code FROM ${table} d WHERE ${where.text}`,
      where.values,
    )
    if (rows[0]) return rows[0]
  }
  return undefined
}
/** What went back as its driver said is shown to them so: what was answered late is answered again. */
const SHOWN = `(d.state NOT IN (1, 5) OR d.state = 5 AND d.returned_by_driver IS NOT NULL)`
/** The beginning of the day on which the trip, or the note, arrives; nothing where no day is planned. */
export async function arrivesOn(tx: Tx, tenant: string, id: string): Promise<Date | null> {
  const { rows } = await tx.query(
    'driver.arrives',
    row({ at: timestamptz.null }),
    `SELECT max(x.day)::timestamp AT TIME ZONE 'Asia/Shanghai' AS at
     FROM (
       SELECT t.day FROM trips t WHERE t.tenant_id = $1 AND t.id = $2
       UNION ALL
       SELECT d.planned_on FROM dispatches d WHERE d.tenant_id = $1 AND d.id = $2) x`,
    [tenant, id],
  )
  return rows[0]?.at ?? null
}
/** A note that was cancelled or went back otherwise has no driver; a trip has one until all its notes have none. */
export async function driverLives(tx: Tx, tenant: string, id: string): Promise<boolean> {
  const { rows } = await tx.query(
    'driver.lives',
    row({ lives: bool }),
    `SELECT EXISTS (SELECT 1 FROM dispatches d
         WHERE d.tenant_id = $1 AND (d.id = $2 OR d.trip_id = $2) AND ${SHOWN})
       OR EXISTS (SELECT 1 FROM trips t WHERE t.tenant_id = $1 AND t.id = $2)
         AND NOT EXISTS (SELECT 1 FROM dispatches k WHERE k.tenant_id = $1 AND k.trip_id = $2) AS lives`,
    [tenant, id],
  )
  return rows[0]!.lives
}

/** The branches whose goods a trip or a note carries: its receiver may serve several with one trip. */
export async function receiverOf(tx: Tx, tenant: string, id: string): Promise<string | undefined> {
  const { rows } = await tx.query(
    'driver.receiver',
    row({ id: uuid }),
    `SELECT t.receiver_id AS id FROM trips t WHERE t.tenant_id = $1 AND t.id = $2
     UNION ALL
     SELECT d.receiver_id FROM dispatches d WHERE d.tenant_id = $1 AND d.id = $2`,
    [tenant, id],
  )
  return rows[0]?.id
}

/** The two parties of what a link leads to, and which order a note of it belongs to. */
export async function noteBehind(tx: Tx, tenant: string, behind: string, note: string) {
  const { rows } = await tx.query(
    'driver.behind',
    row({ order_id: uuid, bc_id: uuid, receiver_id: uuid }),
    `SELECT d.order_id, d.bc_id, d.receiver_id
     FROM dispatches d
     WHERE d.tenant_id = $1 AND d.id = $3 AND (d.id = $2 OR d.trip_id = $2)`,
    [tenant, behind, note],
  )
  return rows[0]
}
export async function codeOfTrip(tx: Tx, tenant: string, id: string): Promise<string | undefined> {
  const { rows } = await tx.query(
    'driver.tripcode',
    row({ code: text }),
    'SELECT t.code FROM trips t WHERE t.tenant_id = $1 AND t.id = $2',
    [tenant, id],
  )
  return rows[0]?.code
}

const stop = row({
  id: uuid,
  code: text,
  stop: int4.null,
  state: text.of({ values: STOP_STATES }),
  method: int2.of(deliveryMethod),
  plannedOn: text.null,
  community: text,
  address: text,
  contact: text,
  phone: text,
  window: text,
  needsCode: bool,
  lines: json<DriverStop['lines']>(),
  parts: json<DriverStop['parts']>(),
  deliveredAt: float8.null,
  deliveredBy: text,
  back: text,
  node: json<NonNullable<DriverStop['node']>>().null,
})
/** Whoever brought it needs to know no longer where somebody lives and how to call them. */
const untilDone = (column: string) => `CASE WHEN d.state IN (0, 2) THEN ${column} ELSE '' END`
/** The stops of a trip in order, or the one note; what was handed over of one before stands in it. */
export async function stopsOf(tx: Tx, tenant: string, behind: string): Promise<DriverStop[]> {
  const { rows } = await tx.query(
    'driver.stops',
    stop,
    `SELECT d.id, d.code, d.stop,
       CASE WHEN d.state = 0 THEN 'waiting' WHEN d.state = 2 THEN 'open' WHEN d.state = 5 THEN 'back'
         ELSE 'done' END AS state, d.method,
       d.planned_on::text AS "plannedOn", o.community,
       ${untilDone(`coalesce(nullif(d.address, ''), o.address)`)} AS address, ${untilDone('d.contact')} AS contact,
       ${untilDone('d.contact_phone')} AS phone, ${untilDone('d.window_text')} AS "window",
       d.method = ${deliveryMethod.code.pickup} AS "needsCode",
       ${LINES} AS lines,
       coalesce((SELECT json_agg(json_build_object('code', k.code, 'at', ${epoch('k.delivered_at')})
           ORDER BY k.delivered_at, k.code)
         FROM dispatches k
         WHERE k.tenant_id = $1 AND k.parent_id = d.id AND k.state IN (3, 4) AND k.shipped_at = d.shipped_at), '[]')
         AS parts,
       ${epoch('d.delivered_at')} AS "deliveredAt", d.delivered_name AS "deliveredBy",
       CASE WHEN d.state = 5 THEN d.reason ELSE '' END AS back,
       CASE WHEN d.state IN (0, 2) THEN (
         SELECT json_build_object('title', n.title, 'place', n.place, 'at', ${epoch('n.at')})
         FROM logistics g
         JOIN logistics_nodes n ON n.tenant_id = $1 AND n.logistics_id = g.id
         WHERE g.tenant_id = $1 AND g.note_id = d.id AND g.type IN (1, 2, 3)
         ORDER BY n.at DESC, n.heard_at DESC LIMIT 1) END AS node
     FROM dispatches d
     JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
     WHERE d.tenant_id = $1 AND (d.id = $2 OR d.trip_id = $2) AND ${SHOWN}
       AND NOT EXISTS (SELECT 1 FROM dispatches w
         WHERE w.tenant_id = $1 AND w.id = d.parent_id AND w.trip_id = $2 AND w.shipped_at = d.shipped_at)
     ORDER BY d.stop NULLS LAST, d.code`,
    [tenant, behind],
  )
  return rows
}

/** When goods that a telephone handed over without a network were really handed over. */
export const handedOverAt = (tx: Tx, tenant: string, note: string, at: Date) =>
  tx.run('driver.at', `UPDATE dispatches d SET delivered_at = $3 WHERE d.tenant_id = $1 AND d.id = $2`, [
    tenant,
    note,
    at,
  ])

/** The driver has said that it goes back: their page goes on showing it. */
export const returnedAt = (tx: Tx, tenant: string, note: string, at: Date) =>
  tx.run(
    'driver.back',
    `UPDATE dispatches d SET returned_by_driver = $3 WHERE d.tenant_id = $1 AND d.id = $2`,
    [tenant, note, at],
  )
/** The person who leads the site that it goes to. */
export async function managerOf(tx: Tx, tenant: string, site: string): Promise<string | null> {
  const { rows } = await tx.query(
    'driver.manager',
    row({ id: uuid.null }),
    'SELECT w.manager_id AS id FROM sites w WHERE w.tenant_id = $1 AND w.id = $2',
    [tenant, site],
  )
  return rows[0]?.id ?? null
}

export async function deliveredBy(tx: Tx, tenant: string, note: string): Promise<string> {
  const { rows } = await tx.query(
    'driver.by',
    row({ name: text }),
    'SELECT d.delivered_name AS name FROM dispatches d WHERE d.tenant_id = $1 AND d.id = $2',
    [tenant, note],
  )
  return rows[0]?.name ?? ''
}

/** How often a driver has told where they are, on one way. */
export async function toldByDriver(tx: Tx, tenant: string, leg: string): Promise<number> {
  const { rows } = await tx.query(
    'driver.told',
    row({ n: int4 }),
    `SELECT count(*)::int AS n
     FROM logistics_nodes n
     WHERE n.tenant_id = $1 AND n.logistics_id = $2 AND n.source = 'driver'`,
    [tenant, leg],
  )
  return rows[0]!.n
}
