import type { DeviceEvent } from '@zhuguan/contract/features/devices/devices.events.ts'
import { deviceStatus, spanCause } from '@zhuguan/contract/features/devices/devices.record.ts'

import type { Tx } from '../../database/connect.ts'
import type { Detection } from '../../kit/detection.ts'
import { float8, int2, row, text, type RowOf, uuid } from '../../kit/row.ts'
import { announceAll, tellSites } from '../live/live.bulk.ts'
import { settingSql } from '../settings/settings.reads.ts'
import { countDevices, openSpans } from './devices.queries.ts'

const { notEnabled, offline, online } = deviceStatus.code
const cause = spanCause.code
/** While history is being replayed, devices report a few times a day. */
const HISTORY_MINUTES = 8 * 60
const NO_BRANCH = '00000000-0000-0000-0000-000000000000'

/** Since when the installation hears its devices without a gap; null before it ever did. */
const HEARING = '(SELECT extract(epoch FROM max(h.from_at))::float8 FROM hearing h)'
const GAP = '1 minute'
/** As far back as anybody asks how devices were. */
const HEARD_DAYS = 400

/** Somebody listens: the span of hearing goes on, or a new one begins when nobody has listened for a minute. */
export async function keepHearing(tx: Tx): Promise<void> {
  const { rowCount } = await tx.run(
    'heartbeats.hear',
    `UPDATE hearing SET to_at = greatest(to_at, :now)
     WHERE from_at = (SELECT max(from_at) FROM hearing) AND to_at > :now - interval '${GAP}'`,
    [],
  )
  if (rowCount) return
  await tx.run(
    'heartbeats.listen',
    'INSERT INTO hearing (from_at, to_at) VALUES (:now, :now) ON CONFLICT DO NOTHING',
    [],
  )
  await tx.run(
    'heartbeats.unheard',
    `DELETE FROM hearing WHERE to_at < :now - interval '${HEARD_DAYS} days'`,
    [],
  )
}

const known = row({
  id: uuid,
  tenant: uuid,
  sn: text,
  bc: uuid.null,
  site: uuid.null,
  status: int2,
  last_seen: float8.null,
  minutes: float8,
  hearing: float8.null,
})
type Known = RowOf<typeof known>
interface Turn {
  device: Known
  state: number
  cause: string
  at: number
}

/** The branch's minutes without a heartbeat before a device counts as off line; a branch over the group, over ours. */
const minutesOf = (tenant: string, bc: string) => `${settingSql('offlineMinutes', tenant, bc)}::text::float8`
export const OFFLINE_MINUTES = minutesOf('d.tenant_id', 'd.bc_id')

/** The devices that beat, held until the transaction ends, by id. */
export async function holdBeating(tx: Tx, all: readonly Detection[]): Promise<Map<string, Known>> {
  const beating = new Map<string, { tenant: string; id: string }>()
  for (const { device, event } of all)
    if (event.kind === 'heartbeat' && !beating.has(device.id))
      beating.set(device.id, { tenant: device.tenant, id: device.id })
  if (beating.size === 0) return new Map()
  const { rows } = await tx.query(
    'heartbeats.devices',
    known,
    `SELECT d.id, d.tenant_id AS tenant, d.sn, d.bc_id AS bc, d.site_id AS site, d.device_status AS status,
       extract(epoch FROM d.last_seen)::float8 AS last_seen, ${OFFLINE_MINUTES} AS minutes, ${HEARING} AS hearing
     FROM json_to_recordset($1::json) AS k(tenant uuid, id uuid)
     JOIN devices d ON d.tenant_id = k.tenant AND d.id = k.id
     ORDER BY d.id
     FOR NO KEY UPDATE OF d`,
    [JSON.stringify([...beating.values()])],
  )
  return new Map(rows.map((r) => [r.id, r]))
}

type Heartbeat = Extract<DeviceEvent, { kind: 'heartbeat' }>

/** The change of a device's state by a heartbeat: at most silent, then on line. */
function turnsOf(device: Known, beat: Heartbeat, history: boolean): Turn[] {
  const turns: Turn[] = []
  const turn = (state: number, why: string, at: number) => {
    device.status = state
    turns.push({ device, state, cause: why, at })
  }
  const minutes = history ? Math.max(HISTORY_MINUTES, device.minutes) : device.minutes
  const frozen = beat.frameAt !== undefined && beat.at - beat.frameAt > device.minutes * 60
  // In history nobody listened; afterwards a device is not silent while nobody does.
  const heardFrom = history ? 0 : (device.hearing ?? 0)
  const silentFrom = device.last_seen === null ? null : Math.max(device.last_seen, heardFrom) + minutes * 60
  if (device.status === online && silentFrom !== null && beat.at > silentFrom)
    turn(offline, cause.silent, silentFrom)
  if (frozen && (device.status === online || device.status === notEnabled))
    turn(offline, cause.frozen, beat.at)
  else if (!frozen && (device.status === offline || device.status === notEnabled))
    turn(online, cause.heartbeat, beat.at)
  return turns
}

/** What is kept of the latest heartbeat. */
const lastWord = (beat: Heartbeat): object => ({
  at: beat.at,
  signal: beat.signal ?? null,
  firmware: beat.firmware ?? null,
  frame: beat.frameAt ?? null,
  streams: beat.streams ?? null,
})

/** Heartbeats decide on line and off line; a frozen picture is not on line, a silence between two beats was not either. */
export async function fileHeartbeats(
  tx: Tx,
  all: readonly Detection[],
  devices: ReadonlyMap<string, Known>,
  options: { history: boolean; now: Date },
): Promise<void> {
  if (devices.size === 0) return
  const turns: Turn[] = []
  const latest = new Map<string, object>()
  for (const d of all) {
    if (d.event.kind !== 'heartbeat') continue
    const device = devices.get(d.device.id)
    const beat = d.event
    // A late one is kept as a raw event; what is known now is newer.
    if (!device || (device.last_seen !== null && beat.at < device.last_seen)) continue
    turns.push(...turnsOf(device, beat, options.history))
    device.last_seen = beat.at
    latest.set(device.id, { tenant: device.tenant, id: device.id, ...lastWord(beat) })
  }
  if (latest.size) {
    tx.send(
      'heartbeats.write',
      `UPDATE devices d
       SET last_seen = to_timestamp(x.at), signal = coalesce(x.signal, d.signal),
         firmware = coalesce(x.firmware, d.firmware), frame_at = coalesce(to_timestamp(x.frame), d.frame_at),
         streams = coalesce(x.streams, d.streams)
       FROM json_to_recordset($1::json) AS x(tenant uuid, id uuid, at float8, signal smallint, firmware text,
           frame float8, streams jsonb)
       WHERE d.tenant_id = x.tenant AND d.id = x.id`,
      [JSON.stringify([...latest.values()])],
    )
  }
  await writeTurns(tx, turns)
}

/** State, span, counters, timeline and browsers, for every device that changed. */
async function writeTurns(tx: Tx, turns: readonly Turn[]): Promise<void> {
  // A device that turned twice is written twice, in its order; all first turns go together, then all second ones.
  const rounds: Turn[][] = []
  const seen = new Map<string, number>()
  for (const t of turns) {
    const round = seen.get(t.device.id) ?? 0
    seen.set(t.device.id, round + 1)
    ;(rounds[round] ??= []).push(t)
  }
  for (const round of rounds) {
    const spans = round.map((t) => ({
      tenant: t.device.tenant,
      device: t.device.id,
      state: t.state,
      cause: t.cause,
      at: new Date(t.at * 1000),
    }))
    await tx.run(
      'heartbeats.turn',
      `UPDATE devices d SET device_status = x.state, cause = x.cause, version = d.version + 1
       FROM json_to_recordset($1::json) AS x(tenant uuid, device uuid, state smallint, cause text)
       WHERE d.tenant_id = x.tenant AND d.id = x.device`,
      [JSON.stringify(spans)],
    )
    await openSpans(tx, spans)
  }
  const placed = turns.filter(
    (t): t is Turn & { device: { bc: string; site: string } } =>
      t.device.site !== null && t.device.bc !== null,
  )
  for (const tenant of new Set(placed.map((t) => t.device.tenant)))
    await countDevices(
      tx,
      tenant,
      [...new Set(placed.filter((t) => t.device.tenant === tenant).map((t) => t.device.site))].sort(),
    )
  await tellSites(
    tx,
    placed.map((t) => ({
      tenant: t.device.tenant,
      bc: t.device.bc,
      site: t.device.site,
      kind: 'device',
      at: t.at,
      title: `${t.device.sn} ${deviceStatus.label(t.state)}（${spanCause.label(t.cause)}）`,
      actor: t.device.sn,
      ref: t.device.id,
      picture: null,
    })),
  )
  await announceAll(
    tx,
    placed.map((t) => ({
      tenant: t.device.tenant,
      bc: t.device.bc,
      site: t.device.site,
      topic: 'device',
      what: 'changed',
      id: t.device.id,
    })),
  )
}

const SILENT_AT_ONCE = 1_000
/** The minutes of every branch, read once a branch and not once a device; a device in no branch has the group's. */
const SILENT = `devices d JOIN (
    SELECT c.tenant_id, c.bc_id, ${minutesOf('c.tenant_id', 'c.bc_id')} AS minutes FROM companies c
    UNION ALL SELECT t.id, '${NO_BRANCH}'::uuid, ${minutesOf('t.id', 'NULL::uuid')} FROM tenants t
  ) m ON m.tenant_id = d.tenant_id AND m.bc_id = coalesce(d.bc_id, '${NO_BRANCH}'::uuid)
  WHERE d.device_status = ${online} AND d.deleted_at IS NULL
    AND greatest(extract(epoch FROM d.last_seen)::float8, ${HEARING}) < $1::float8 - m.minutes * 60`

/** Groups in which a device has said nothing for its branch's minutes. */
export async function silentTenants(tx: Tx, now: Date): Promise<string[]> {
  const { rows } = await tx.query(
    'heartbeats.tenants',
    row({ tenant: uuid }),
    `SELECT DISTINCT d.tenant_id AS tenant FROM ${SILENT} ORDER BY 1`,
    [now.getTime() / 1000],
  )
  return rows.map((r) => r.tenant)
}

/**
 * Devices of a group that have said nothing for the branch's minutes go off line, from the moment the minutes were over;
 * at most a thousand at once, answers how many. Only silent devices are locked; one that a batch or another server
 * holds is left to it.
 */
export async function watchSilence(tx: Tx, now: Date, tenant?: string): Promise<number> {
  const { rows } = await tx.query(
    'heartbeats.silent',
    known,
    `SELECT d.id, d.tenant_id AS tenant, d.sn, d.bc_id AS bc, d.site_id AS site, d.device_status AS status,
       extract(epoch FROM d.last_seen)::float8 AS last_seen, m.minutes, ${HEARING} AS hearing
     FROM ${SILENT} AND d.tenant_id = ANY ($2::uuid[])
     ORDER BY d.id LIMIT ${SILENT_AT_ONCE} FOR NO KEY UPDATE OF d SKIP LOCKED`,
    [now.getTime() / 1000, tenant ? [tenant] : await silentTenants(tx, now)],
  )
  await writeTurns(
    tx,
    rows.map((device) => ({
      device,
      state: offline,
      cause: cause.silent,
      at: Math.max(device.last_seen ?? 0, device.hearing ?? 0) + device.minutes * 60,
    })),
  )
  return rows.length
}
