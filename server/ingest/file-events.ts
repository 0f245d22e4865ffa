import type { DeviceEvent, EventsAnswer } from '@zhuguan/contract/features/devices/devices.events.ts'

import type { Tx } from '../database/connect.ts'
import { fileAlarms } from '../features/alarms/alarms.detections.ts'
import { fileClockins } from '../features/attendance/attendance.service.ts'
import { fileHeartbeats } from '../features/devices/heartbeats.service.ts'
import { fileRecordings } from '../features/recordings/recordings.service.ts'
import { fileTidiness } from '../features/tidiness/tidiness.service.ts'
import { fileVisits } from '../features/visitors/visitors.service.ts'
import type { Detection } from '../kit/detection.ts'
import { Refused } from '../kit/refuse.ts'
import { shanghaiDay } from '../kit/shanghai.ts'
import type { Submission } from './batcher.ts'
import { outsideReplay } from './replay.ts'
import { putBack, tiePictures } from './stands.ts'

const months = new Set<string>()

/** Partitions exist before rows of their month are written. */
async function ensureMonths(tx: Tx, events: readonly { at: number }[]): Promise<void> {
  const unseen = [...new Set(events.map((e) => shanghaiDay(new Date(e.at * 1000)).slice(0, 7)))]
    .filter((m) => !months.has(m))
    .sort()
  if (unseen.length === 0) return
  await tx.query('ingest.months', 'SELECT ensure_months($1::date, $2::date)', [
    `${unseen[0]}-01`,
    `${unseen.at(-1)}-01`,
  ])
  tx.afterCommit(() => unseen.forEach((m) => months.add(m)))
}

/** Pictures and clips that a device names must be its own. */
async function foreignKeys(tx: Tx, detections: readonly Detection[]): Promise<Set<string>> {
  const named = detections.flatMap(({ device, event }) =>
    ['picture', 'clip', 'file']
      .map((f) => (event as unknown as Record<string, string | undefined>)[f])
      .filter(Boolean)
      .map((key) => ({ key: key!, device: device.id })),
  )
  if (named.length === 0) return new Set()
  const { rows } = await tx.query<{ key: string; device_id: string }>(
    'ingest.files',
    'SELECT key, device_id FROM files WHERE key = ANY ($1)',
    [[...new Set(named.map((n) => n.key))]],
  )
  const owner = new Map(rows.map((r) => [r.key, r.device_id]))
  return new Set(named.filter((n) => owner.get(n.key) !== n.device).map((n) => `${n.device}:${n.key}`))
}

/** Workers that events name, by tenant and number. */
async function workersOf(
  tx: Tx,
  detections: readonly Detection[],
): Promise<Map<string, { id: string; name: string }>> {
  const wanted = new Map<string, Set<string>>()
  for (const { device, event } of detections)
    if ('w_id' in event && event.w_id)
      wanted.set(device.tenant, (wanted.get(device.tenant) ?? new Set()).add(event.w_id))
  const known = new Map<string, { id: string; name: string }>()
  for (const [tenant, ids] of wanted) {
    const { rows } = await tx.query<{ id: string; w_id: string; w_name: string }>(
      'ingest.workers',
      'SELECT id, w_id, w_name FROM workers WHERE tenant_id = $1 AND w_id = ANY ($2) AND deleted_at IS NULL',
      [tenant, [...ids]],
    )
    for (const r of rows) known.set(`${tenant}:${r.w_id}`, { id: r.id, name: r.w_name })
  }
  return known
}

/**
 * Files a batch in one transaction: receipts first, which say what is new, then what each kind of event means.
 * Answers in the order of the submissions; a replayed request gets its refusal and files nothing.
 */
export async function file(
  tx: Tx,
  batch: readonly Submission[],
  options: { now: () => Date; history: () => boolean },
): Promise<(EventsAnswer | Refused)[]> {
  const now = options.now()
  const told: Detection[] = batch.flatMap((s, i) =>
    s.events.map((event) => ({ device: s.device, event, worker: undefined, submission: i })),
  )
  // What does not depend on each other is asked in one round trip.
  const [replayed, workers, foreign, nowhere] = await Promise.all([
    outsideReplay(tx, batch, now),
    workersOf(tx, told),
    foreignKeys(tx, told),
    putBack(tx, told),
  ])
  const all = told.filter((d) => !replayed.has(d.submission))
  const answers: (EventsAnswer | Refused)[] = batch.map((s, i) =>
    replayed.has(i)
      ? new Refused('重复的请求', 401, 401)
      : { accepted: 0, duplicate: 0, rejected: [...s.rejected] },
  )
  const reject = (d: Detection, reason: string) =>
    (answers[d.submission] as EventsAnswer).rejected.push({ id: d.event.id, reason })

  const good = all.filter((d) => {
    if (nowhere.has(d)) return (reject(d, '那时设备没有绑定任何工地'), false)
    const e = d.event as DeviceEvent & { w_id?: string; picture?: string; clip?: string; file?: string }
    const key = [e.picture, e.clip, e.file].find((k) => k && foreign.has(`${d.device.id}:${k}`))
    if (key) return (reject(d, '文件不存在'), false)
    d.worker = e.w_id ? workers.get(`${d.device.tenant}:${e.w_id}`) : undefined
    if (e.kind === 'clockin' && !d.worker) return (reject(d, '没有这个工人'), false)
    return true
  })

  const keyOf = (d: Detection) => `${d.device.id}:${d.event.id}`
  const ordered = [...new Map(good.map((d) => [keyOf(d), d]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, d]) => d)
  const { rows } = ordered.length
    ? await tx.query<{ device_id: string; event_id: string }>(
        'ingest.receipts',
        `INSERT INTO device_receipts (device_id, event_id, received_on) SELECT d, e, $3::date FROM unnest($1::uuid[], $2::text[]) AS t(d, e) ON CONFLICT DO NOTHING RETURNING device_id, event_id`,
        [ordered.map((d) => d.device.id), ordered.map((d) => d.event.id), shanghaiDay(now)],
      )
    : { rows: [] }
  const fresh = new Set(rows.map((r) => `${r.device_id}:${r.event_id}`))
  const taken: Detection[] = []
  for (const d of good) {
    const answer = answers[d.submission] as EventsAnswer
    if (fresh.delete(keyOf(d))) {
      answer.accepted += 1
      taken.push(d)
    } else answer.duplicate += 1
  }
  if (taken.length === 0) return answers
  taken.sort((a, b) => a.event.at - b.event.at)
  await ensureMonths(
    tx,
    taken.map((d) => d.event),
  )
  tx.send(
    'ingest.raw',
    `INSERT INTO raw_events (tenant_id, device_id, event_id, at, kind, body, received_at)
     SELECT tenant, device, event, to_timestamp(at), kind, body, :now
     FROM json_to_recordset($1::json)
       AS x(tenant uuid, device uuid, event text, at float8, kind text, body jsonb)`,
    [
      JSON.stringify(
        taken.map(({ device, event }) => ({
          tenant: device.tenant,
          device: device.id,
          event: event.id,
          at: event.at,
          kind: event.kind,
          body: event,
        })),
      ),
    ],
  )
  await tiePictures(tx, taken)
  await fileHeartbeats(tx, taken, { history: options.history(), now })
  await fileClockins(tx, taken)
  await fileAlarms(tx, taken)
  await fileTidiness(tx, taken)
  await fileVisits(tx, taken)
  await fileRecordings(tx, taken)
  return answers
}
