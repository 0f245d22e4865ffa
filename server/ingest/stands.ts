import { LATE_SECONDS } from '@zhuguan/contract/features/devices/devices.events.ts'

import type { Database, Tx } from '../database/connect.ts'
import { HOME_COLUMNS, homeColumns, type HomeRow } from '../features/looking/looking.reads.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import type { Detection } from '../kit/detection.ts'
import { bool, int4, row, there, uuid } from '../kit/row.ts'
import type { KnownDevice } from './device-book.ts'
import { filesNamed } from './files-named.ts'

/** A device's clock may be this far off: so soon before a binding is after it, unless it stood elsewhere then. */
const SKEW_S = 300

/** When it was seen: what was recorded was seen from its first second on, not when it was put away. */
const seenAt = ({ event }: Detection): number => (event.kind === 'recording' ? event.from : event.at)

/** What a device that was taken down still held is of a time before as well. */
const isLate = (detection: Detection): boolean =>
  detection.event.kind !== 'heartbeat' &&
  (detection.device.site === null ||
    (detection.device.since !== null && seenAt(detection) < Math.floor(detection.device.since)))

/**
 * Late events belong to the site where their device stood then. Answers the ones of a time at which it stood nowhere;
 * the others have the site of their time, under the branch in which that site is now.
 */
export async function putBack(tx: Tx, all: readonly Detection[]): Promise<Set<Detection>> {
  const late = all.filter(isLate)
  if (late.length === 0) return new Set()
  const { rows } = await tx.query(
    'ingest.stood',
    row({
      place: int4,
      site: uuid.null,
      bc: uuid.null,
      /** It left another site so shortly before that its clock alone does not explain the time. */
      moved: bool,
    }),
    `SELECT k.place::int AS place, w.id AS site, w.bc_id AS bc,
       EXISTS (
         SELECT 1 FROM device_stands e
         WHERE e.tenant_id = k.tenant AND e.device_id = k.device
           AND e.to_at > to_timestamp(k.at) - interval '${SKEW_S} seconds'
       ) AS moved
     FROM unnest($1::uuid[], $2::uuid[], $3::float8[]) WITH ORDINALITY AS k(tenant, device, at, place)
     LEFT JOIN device_stands s ON s.tenant_id = k.tenant AND s.device_id = k.device
       AND date_trunc('second', s.from_at) <= to_timestamp(k.at) AND (s.to_at IS NULL OR s.to_at > to_timestamp(k.at))
     LEFT JOIN sites w ON w.tenant_id = s.tenant_id AND w.id = s.site_id`,
    [late.map((d) => d.device.tenant), late.map((d) => d.device.id), late.map(seenAt)],
  )
  const nowhere = new Set<Detection>()
  for (const { place, site, bc, moved } of rows) {
    const detection = late[place - 1]!
    const { device } = detection
    // Taken down: everything it tells is of before.
    if (site) detection.device = { ...device, site, bc, since: device.since ?? Infinity }
    else if (device.site === null || moved || seenAt(detection) < device.since! - SKEW_S)
      nowhere.add(detection)
  }
  return nowhere
}

/**
 * The branches in which the sites are now, held until the commit: a site that changes its branch meanwhile waits and
 * takes along what is filed here, or this waits and files it under the new one. So does one that ends: what decides
 * whether it is looked into is answered as it then is.
 */
export async function holdSites(tx: Tx, all: readonly Detection[]): Promise<Map<string, HomeRow>> {
  const tenants = new Map(all.flatMap(({ device: d }) => (d.site ? [[d.site, d.tenant] as const] : [])))
  if (tenants.size === 0) return new Map()
  const { rows } = await tx.query(
    'ingest.hold',
    row({ id: uuid, ...homeColumns }),
    `SELECT w.id, ${HOME_COLUMNS}
     FROM sites w
     JOIN unnest($1::uuid[], $2::uuid[]) AS k(tenant, site) ON w.tenant_id = k.tenant AND w.id = k.site
     ORDER BY w.id
     FOR KEY SHARE OF w`,
    [[...tenants.values()], [...tenants.keys()]],
  )
  const homes = new Map(rows.map((r) => [r.id, r]))
  for (const d of all) {
    const bc = d.device.site && homes.get(d.device.site)?.homeBc
    if (bc && bc !== d.device.bc) d.device = { ...d.device, bc }
  }
  return homes
}

/** Pictures were taken up under the site of today: they are seen by who sees the event. */
export async function tiePictures(tx: Tx, taken: readonly Detection[]): Promise<void> {
  const moved = taken
    .filter(isLate)
    .flatMap(({ device, event }) =>
      filesNamed(event).map(({ key }) => ({ key, bc: device.bc, site: device.site, device: device.id })),
    )
  if (moved.length === 0) return
  tx.send(
    'ingest.tie',
    `UPDATE files f
     SET bc_id = x.bc, site_id = x.site
     FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::uuid[]) AS x(key, bc, site, device)
     WHERE f.key = x.key AND f.device_id = x.device`,
    [moved.map((m) => m.key), moved.map((m) => m.bc), moved.map((m) => m.site), moved.map((m) => m.device)],
  )
}

/** It was taken down so lately that it may still hold pictures of its site. */
export const stoodLately = (db: Database, device: KnownDevice): Promise<boolean> =>
  db.tx(SYSTEM, async (tx) => {
    const { rowCount } = await tx.query(
      'ingest.stoodlately',
      there,
      `SELECT 1 FROM device_stands s
       WHERE s.tenant_id = $1 AND s.device_id = $2 AND s.to_at > :now - interval '${LATE_SECONDS} seconds'
       LIMIT 1`,
      [device.tenant, device.id],
    )
    return rowCount === 1
  })
