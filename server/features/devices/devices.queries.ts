import type { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import {
  type DeviceDetail,
  type DeviceRow,
  bindStatus,
  deviceStatus,
  deviceType,
} from '@zhuguan/contract/features/devices/devices.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { siteNamed } from '../../kit/home-address.ts'
import { bool, float8, int2, int4, row, text, there, uuid } from '../../kit/row.ts'
import { epoch, contains, type PageOf, type Where } from '../../kit/statement.ts'
import { lookingAt, shownOf } from '../looking/looking.reads.ts'
import { deviceScope } from './devices.reads.ts'
import { heardSeconds, someUnheard } from './watched.reads.ts'

type Filters = QueryOf<(typeof devicesApi)['list']>
const WEEK = `(:now - interval '7 days')`
const HEARD = heardSeconds(
  `greatest(s.from_at, ${WEEK})`,
  'least(coalesce(s.to_at, :now), :now)',
  someUnheard(WEEK, ':now'),
)
const SPENT = `sum(${HEARD})`

/** Share of the last seven days spent on line, from the spans; null where there is none. */
const ONLINE_RATE = `(SELECT round((100 * coalesce(${SPENT} FILTER (WHERE s.state = 1), 0) / nullif(${SPENT}, 0))::numeric, 1)::float8 FROM device_spans s
  WHERE s.tenant_id = $1 AND s.device_id = d.id AND s.state IN (1, 2, 4) AND (s.to_at IS NULL OR s.to_at > ${WEEK}))`
const OPEN_RETRIEVAL = `FROM retrievals r WHERE r.tenant_id = $1 AND r.device_id = d.id AND r.closed_at IS NULL`
const RETRIEVE_BY = `(SELECT r.due::text ${OPEN_RETRIEVAL})`
export const DEVICE_COLUMNS = `d.id, d.sn, d.type, d.model, d.bc_id, coalesce(c.bc_name, '') AS bc_name, d.bind_status AS "bindStatus",
     d.site_id, coalesce(w.ws_name, '') AS "siteName", d.device_status AS "deviceStatus", d.cause, d.signal,
     ${epoch('d.last_seen')} AS "lastSeen", d.firmware, ${ONLINE_RATE} AS "onlineRate",
     coalesce(d.streams->>'live', '') <> '' AS "hasLive", d.remark, ${RETRIEVE_BY} AS "retrieveBy", d.version`
const DEVICE_JOINS = `LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = d.bc_id
   LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id`
export const DEVICE_FROM = `devices d ${DEVICE_JOINS}`

export function deviceWhere(scope: Scope, q: Filters): Where {
  const where = deviceScope(scope)
  const named = siteNamed(where, scope, 'k')
  return where
    .when(
      q.keyword || undefined,
      (p) =>
        `(lower(d.sn) LIKE ${p} OR lower(d.model) LIKE ${p}
             OR d.site_id IN (SELECT k.id FROM sites k WHERE k.tenant_id = $1 AND ${named(p)}))`,
      contains,
    )
    .when(q.type, (p) => `d.type = ANY(${p}::text[])`)
    .when(q.bc_id, (p) => `d.bc_id = ANY(${p}::uuid[])`)
    .when(q.site_id, (p) => `d.site_id = ${p}::uuid`)
    .when(q.bindStatus, (p) => `d.bind_status = ${p}::smallint`)
    .when(q.deviceStatus, (p) => `d.device_status = ANY(${p}::smallint[])`)
    .when(q.firmware, (p) => `d.firmware = ${p}`)
    .plain(q.retrieval === true && `EXISTS (SELECT 1 ${OPEN_RETRIEVAL})`)
    .plain(q.retrieval === false && `NOT EXISTS (SELECT 1 ${OPEN_RETRIEVAL})`)
    .when(q.ids, (p) => `d.id = ANY(${p}::uuid[])`)
}

export const devicePage = (scope: Scope, q: Filters): PageOf => ({
  name: 'devices.page',
  columns: DEVICE_COLUMNS,
  base: 'devices d',
  joins: DEVICE_JOINS,
  where: deviceWhere(scope, q),
  sort: q.sort,
  otherwise: 'd.device_status = 2 DESC, d.sn',
  tie: 'd.id',
  sortable: {
    sn: 'd.sn',
    type: 'd.type',
    model: 'd.model',
    deviceStatus: 'd.device_status',
    lastSeen: 'd.last_seen',
    signal: 'd.signal',
    firmware: 'd.firmware',
  },
  filled: ['sn', 'type', 'model', 'deviceStatus', 'firmware'],
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})

const deviceColumns = {
  id: uuid,
  sn: text,
  type: text.of(deviceType),
  model: text,
  bc_id: uuid.null,
  bc_name: text,
  bindStatus: int2.of(bindStatus),
  site_id: uuid.null,
  siteName: text,
  deviceStatus: int2.of(deviceStatus),
  cause: text.null,
  signal: int2.null,
  lastSeen: float8.null,
  firmware: text,
  onlineRate: float8.null,
  hasLive: bool,
  remark: text,
  retrieveBy: text.null,
  version: int4,
}
/** A device with its newest picture, the age of its secret and the signals of its week. */
export async function deviceDetail(
  tx: Tx,
  scope: Scope,
  id: string,
  pictures: boolean,
): Promise<DeviceDetail | undefined> {
  const where = deviceScope(scope).add((p) => `d.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'devices.detail',
    row<Omit<DeviceDetail, 'signals' | 'noLook'>>({
      ...deviceColumns,
      picture: text.null,
      pictureAt: float8.null,
      secretAt: float8.null,
      notice: text,
    }),
    `SELECT ${DEVICE_COLUMNS}, ${pictures ? 'd.last_picture' : 'NULL::text'} AS picture,
       ${epoch('d.last_picture_at')} AS "pictureAt",
       (SELECT ${epoch('max(b.at)')} FROM device_bindings b
        WHERE b.tenant_id = $1 AND b.device_id = d.id AND b.action IN ('入库', '换密钥')) AS "secretAt", d.notice
     FROM ${DEVICE_FROM}
     WHERE ${where.text}`,
    where.values,
  )
  const [device] = rows
  if (!device) return undefined
  const looking = device.site_id
    ? await lookingAt(tx, scope.tenant, device.site_id, tx.now)
    : { why: '', until: null }
  const signals = await tx.query(
    'devices.signals',
    row({ at: float8, signal: float8 }),
    `SELECT ${epoch("date_trunc('hour', r.at)")} AS at, round(avg((r.body->>'signal')::numeric), 0)::float8 AS signal
     FROM raw_events r
     WHERE r.tenant_id = $1 AND r.device_id = $2 AND r.at > ${WEEK} AND r.kind = 'heartbeat' AND r.body ? 'signal'
     GROUP BY 1
     ORDER BY 1`,
    [scope.tenant, id],
  )
  return { ...shownOf(device, looking), signals: signals.rows }
}

export async function lockDevice(tx: Tx, scope: Scope, id: string): Promise<DeviceRow | undefined> {
  const where = deviceScope(scope).add((p) => `d.id = ${p}::uuid`, id)
  return (
    await tx.query(
      'devices.lock',
      row<DeviceRow>(deviceColumns),
      `SELECT ${DEVICE_COLUMNS} FROM ${DEVICE_FROM} WHERE ${where.text} FOR UPDATE OF d`,
      where.values,
    )
  ).rows[0]
}

export interface Span {
  tenant: string
  device: string
  state: number
  cause: string
  at: Date
}
/** Closes the open spans and opens the next, of as many devices as there are: one device is in one state at a time. */
export async function openSpans(tx: Tx, spans: readonly Span[]): Promise<void> {
  if (spans.length === 0) return
  const each = `json_to_recordset($1::json) AS x(tenant uuid, device uuid, state smallint, cause text, at timestamptz)`
  const values = [JSON.stringify(spans)]
  await tx.run(
    'devices.closespans',
    `UPDATE device_spans s SET to_at = greatest(x.at, s.from_at) FROM ${each}
     WHERE s.tenant_id = x.tenant AND s.device_id = x.device AND s.to_at IS NULL`,
    values,
  )
  await tx.run(
    'devices.openspans',
    `INSERT INTO device_spans (tenant_id, device_id, from_at, state, cause)
     SELECT x.tenant, x.device, greatest(x.at, b.from_at + interval '1 millisecond'), x.state, x.cause
     FROM ${each}
     CROSS JOIN LATERAL (SELECT max(s.from_at) AS from_at FROM device_spans s
                         WHERE s.tenant_id = x.tenant AND s.device_id = x.device) b`,
    values,
  )
}
export const openSpan = (
  tx: Tx,
  tenant: string,
  device: string,
  state: number,
  cause: string,
  at: Date,
): Promise<void> => openSpans(tx, [{ tenant, device, state, cause, at }])

/** Ends where the device stands, and begins where it stands from now on; of a site where nobody wrote since when, it stood there ever. */
export async function keepStand(
  tx: Tx,
  tenant: string,
  device: string,
  was: string | null,
  site: string | null,
): Promise<void> {
  if (was)
    await tx.run(
      'devices.stood',
      `INSERT INTO device_stands (tenant_id, device_id, site_id, from_at) VALUES ($1, $2, $3, '-infinity')
       ON CONFLICT DO NOTHING`,
      [tenant, device, was],
    )
  await tx.run(
    'devices.endstand',
    `UPDATE device_stands
     SET to_at = greatest(:now, from_at)
     WHERE tenant_id = $1 AND device_id = $2 AND to_at IS NULL AND site_id IS DISTINCT FROM $3`,
    [tenant, device, site],
  )
  if (site)
    await tx.run(
      'devices.stand',
      `INSERT INTO device_stands (tenant_id, device_id, site_id, from_at) VALUES ($1, $2, $3, :now)
       ON CONFLICT DO NOTHING`,
      [tenant, device, site],
    )
}

/**
 * The site's counters of devices, counted anew from its devices; one that waits for its first heartbeat is in neither.
 * The site is locked by a statement of its own: the count then sees what whoever held the site before has committed, so two devices turning at once are both counted.
 */
export async function countDevices(tx: Tx, tenant: string, places: (string | null)[]): Promise<void> {
  const sites = [...new Set(places.filter((id) => id !== null))].sort()
  if (sites.length === 0) return
  await tx.query(
    'devices.places',
    there,
    'SELECT 1 FROM sites WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE',
    [tenant, sites],
  )
  await tx.run(
    'devices.count',
    `UPDATE sites w SET devices_total = n.total, devices_online = n.online FROM (SELECT k.id, count(d.id) FILTER (WHERE d.device_status <> 3)::int AS total, count(d.id) FILTER (WHERE d.device_status = 1)::int AS online FROM unnest($2::uuid[]) AS k(id)
      LEFT JOIN devices d ON d.tenant_id = $1 AND d.site_id = k.id AND d.deleted_at IS NULL GROUP BY k.id) n WHERE w.tenant_id = $1 AND w.id = n.id AND (w.devices_total, w.devices_online) IS DISTINCT FROM (n.total, n.online)`,
    [tenant, sites],
  )
}
