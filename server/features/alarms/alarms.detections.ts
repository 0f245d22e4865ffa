import { alarmType, correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'

import type { Tx } from '../../database/connect.ts'
import { type Detection, type Seen, seen } from '../../kit/detection.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { bool, int4, row, type RowOf, text, uuid } from '../../kit/row.ts'
import { announceAll, tellSites } from '../live/live.bulk.ts'
import { clocksOf } from '../settings/business-time.reads.ts'
import { isQuiet } from '../trusts/trusts.reads.ts'
import { meetPairs } from '../trusts/trusts.service.ts'

const { corrected, correcting, open } = correctionStatus.code

/** Cameras that look the wrong way now: what else they see is low-trust (docs/states.md). */
export async function skewedCameras(tx: Tx, devices: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.query(
    'alarms.skewed',
    row({ device_id: uuid }),
    `SELECT device_id
     FROM alarms
     WHERE device_id = ANY ($1) AND type = '${alarmType.code.cameraproblem}'
       AND correction_status IN (${open}, ${correcting})`,
    [[...new Set(devices)]],
  )
  return new Set(rows.map((r) => r.device_id))
}

/** A tenant's sights, by their place, that fell into a time of a skewed camera; false alarms skew none. */
export async function skewedThen(
  tx: Tx,
  tenant: string,
  sights: readonly { device: string; at: number }[],
): Promise<Set<number>> {
  const { rows } = await tx.query(
    'alarms.skewedthen',
    row({ place: int4 }),
    `SELECT k.place::int AS place
     FROM unnest($2::uuid[], $3::float8[]) WITH ORDINALITY AS k(device, at, place)
     WHERE EXISTS (
       SELECT 1
       FROM alarms a
       WHERE a.tenant_id = $1 AND a.device_id = k.device AND a.type = '${alarmType.code.cameraproblem}'
         AND a.at <= to_timestamp(k.at)
         AND (a.correction_status IN (${open}, ${correcting})
           OR a.correction_status = ${corrected} AND a.closed_at > to_timestamp(k.at)))`,
    [tenant, sights.map((s) => s.device), sights.map((s) => s.at)],
  )
  return new Set(rows.map((r) => r.place - 1))
}

const elsewhereRow = row({ device: uuid, type: text, site: uuid, bc: uuid })
type Elsewhere = RowOf<typeof elsewhereRow>
/**
 * While a server of the release before is connected, its index allows a camera one open alarm of a type wherever it
 * stands: what is open elsewhere then counts on (docs/decisions/0155).
 */
async function openElsewhere(tx: Tx, found: readonly Seen<'alarm'>[]): Promise<Map<string, Elsewhere>> {
  const { rows } = await tx.query(
    'alarms.elsewhere',
    elsewhereRow,
    `SELECT device_id AS device, type, site_id AS site, bc_id AS bc
     FROM alarms
     WHERE device_id = ANY ($1) AND correction_status IN (${open}, ${correcting})
       AND to_regclass('public.alarms_open') IS NOT NULL`,
    [[...new Set(found.map((d) => d.device.id))]],
  )
  return new Map(rows.map((r) => [`${r.device}|${r.type}`, r]))
}

/** A detection opens an alarm, or counts into the open one of the same camera, type and site. */
export async function fileAlarms(tx: Tx, all: readonly Detection[]): Promise<void> {
  const found = seen(all, 'alarm')
  if (found.length === 0) return
  const answerClocks = (all: readonly Seen<'alarm'>[]) =>
    clocksOf(
      tx,
      'answerHours',
      all.map((d) => d.device),
    )
  const [skewed, elsewhere, clocksHere] = await Promise.all([
    skewedCameras(
      tx,
      found.map((d) => d.device.id),
    ),
    openElsewhere(tx, found),
    answerClocks(found),
  ])
  const here = found.map((d) => {
    const old = elsewhere.get(`${d.device.id}|${d.event.type}`)
    return old ? { ...d, device: { ...d.device, site: old.site, bc: old.bc } } : d
  })
  const clocks = elsewhere.size ? await answerClocks(here) : clocksHere
  const groups = new Map<string, Seen<'alarm'>[]>()
  for (const d of here) {
    const key = `${d.device.tenant}|${d.device.id}|${d.device.site}|${d.event.type}`
    groups.set(key, [...(groups.get(key) ?? []), d])
  }
  const raised: Seen<'alarm'>[] = []
  const changes: Parameters<typeof announceAll>[1][number][] = []
  const lines: Parameters<typeof tellSites>[1][number][] = []
  // Asked together they travel together, in the order of their keys: two servers take turns.
  const filed = await Promise.all(
    [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([, group]) => {
        const first = group[0]!
        const { device, event } = first
        const id = uuidv7()
        const { rows } = await tx.query(
          'alarms.detect',
          row({ id: uuid, raised: bool, quiet: bool }),
          `INSERT INTO alarms AS a (tenant_id, id, bc_id, site_id, device_id, type, worker_id, picture, clip,
             confidence, at, last_seen, seen, low_trust, due_at, model, quiet)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9,
             $10, to_timestamp($11::float8), to_timestamp($12::float8), $13, $14, $15, $16,
             ${isQuiet('$1', '$5', '$4', '$6')})
           ON CONFLICT (tenant_id, device_id, site_id, type) WHERE correction_status IN (1, 2) DO UPDATE SET
             seen = a.seen + excluded.seen,
             last_seen = greatest(a.last_seen, excluded.last_seen)
           RETURNING a.id, a.id = $2 AS raised, a.quiet`,
          [
            device.tenant,
            id,
            device.bc,
            device.site,
            device.id,
            event.type,
            first.worker ?? null,
            event.picture ?? null,
            event.clip ?? null,
            event.confidence,
            event.at,
            group.at(-1)!.event.at,
            group.length,
            event.type !== alarmType.code.cameraproblem && skewed.has(device.id),
            clocks.due(device.bc, new Date(event.at * 1000)),
            event.model ?? '',
          ],
        )
        return { first, row: rows[0]! }
      }),
  )
  for (const { first, row } of filed) {
    const { device, event } = first
    if (row.raised) {
      raised.push(first)
      lines.push({
        tenant: device.tenant,
        bc: device.bc,
        site: device.site,
        kind: 'alarm',
        at: event.at,
        title: alarmType.label(event.type),
        actor: device.sn,
        ref: row.id,
        picture: event.picture ?? null,
      })
    }
    changes.push({
      tenant: device.tenant,
      bc: device.bc,
      site: device.site,
      topic: 'alarm',
      // Nobody is interrupted by what is too often wrong: the lists take it in as any other change.
      what: row.raised && !row.quiet ? 'raised' : 'seen',
      id: row.id,
    })
  }
  if (raised.length) {
    const bySite = new Map<string, { tenant: string; site: string; n: number }>()
    for (const { device } of raised)
      bySite.set(device.site, {
        tenant: device.tenant,
        site: device.site,
        n: (bySite.get(device.site)?.n ?? 0) + 1,
      })
    tx.send(
      'alarms.opened',
      `UPDATE sites w SET open_alarms = open_alarms + x.n
       FROM json_to_recordset($1::json) AS x(tenant uuid, site uuid, n int)
       WHERE w.tenant_id = x.tenant AND w.id = x.site`,
      [JSON.stringify([...bySite.values()].sort((a, b) => (a.site < b.site ? -1 : 1)))],
    )
  }
  meetPairs(tx, raised)
  await rememberPictures(tx, found)
  await tellSites(tx, lines)
  await announceAll(tx, changes)
}

/**
 * The newest picture of a camera, shown where there is no live stream: of the home in which it stands, never of one
 * that it has left.
 */
export async function rememberPictures(
  tx: Tx,
  found: readonly {
    device: { tenant: string; id: string; site: string }
    event: { at: number; picture?: string | undefined }
  }[],
): Promise<void> {
  const newest = new Map(
    found
      .filter((d) => d.event.picture)
      .sort((a, b) => a.event.at - b.event.at)
      .map((d) => [
        `${d.device.id} ${d.device.site}`,
        {
          tenant: d.device.tenant,
          id: d.device.id,
          site: d.device.site,
          at: d.event.at,
          picture: d.event.picture,
        },
      ]),
  )
  if (newest.size === 0) return
  tx.send(
    'devices.pictures',
    `UPDATE devices d SET last_picture = x.picture, last_picture_at = to_timestamp(x.at)
     FROM json_to_recordset($1::json) AS x(tenant uuid, id uuid, site uuid, at float8, picture text)
     WHERE d.tenant_id = x.tenant AND d.id = x.id AND d.site_id = x.site
       AND (d.last_picture_at IS NULL OR d.last_picture_at <= to_timestamp(x.at))`,
    [JSON.stringify([...newest.values()].sort((a, b) => (a.id < b.id ? -1 : 1)))],
  )
}
