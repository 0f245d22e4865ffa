import type { DeviceEvent, EventsAnswer } from '@zhuguan/contract/features/devices/devices.events.ts'
import { filmFormat } from '@zhuguan/contract/features/recordings/recordings.record.ts'

import type { Tx } from '../database/connect.ts'
import { fileAlarms } from '../features/alarms/alarms.detections.ts'
import { fileClockins } from '../features/attendance/attendance.service.ts'
import { fileHeartbeats, holdBeating } from '../features/devices/heartbeats.service.ts'
import { type FileStore } from '../features/files/file-store.ts'
import { type FiledFilm, fileRecordings } from '../features/recordings/recordings.service.ts'
import { fileTidiness } from '../features/tidiness/tidiness.service.ts'
import { fileVisits } from '../features/visitors/visitors.service.ts'
import { byDevice, type Detection } from '../kit/detection.ts'
import { Refused } from '../kit/refuse.ts'
import { float8, int4, row, text, uuid } from '../kit/row.ts'
import { shanghaiDay } from '../kit/shanghai.ts'
import type { Submission } from './batcher.ts'
import { filesNamed } from './files-named.ts'
import { eventKey, firstTime, forgetEvents, type OlderReceipts } from './first-time.ts'
import { dropShut, shutHomes } from './shut-homes.ts'
import { holdSites, putBack, tiePictures } from './stands.ts'
import type { WorkerBook } from './worker-book.ts'

/** Partitions exist before rows of their month are written. */
async function ensureMonths(tx: Tx, months: Set<string>, events: readonly { at: number }[]): Promise<void> {
  const unseen = [...new Set(events.map((e) => shanghaiDay(new Date(e.at * 1000)).slice(0, 7)))]
    .filter((m) => !months.has(m))
    .sort()
  if (unseen.length === 0) return
  await tx.run('ingest.months', 'SELECT ensure_months($1::date, $2::date)', [
    `${unseen[0]}-01`,
    `${unseen.at(-1)}-01`,
  ])
  tx.afterCommit(() => unseen.forEach((m) => months.add(m)))
}

interface Named {
  /** Named by another device than their own. */
  foreign: Set<string>
  kinds: Map<string, string>
  films: Map<string, FiledFilm>
}
/** Pictures and clips that a device names must be its own; of clips, what they say of themselves. */
async function namedFiles(tx: Tx, detections: readonly Detection[]): Promise<Named> {
  const named = detections.flatMap(({ device, event }) =>
    filesNamed(event).map(({ key }) => ({ key, device: device.id })),
  )
  if (named.length === 0) return { foreign: new Set(), kinds: new Map(), films: new Map() }
  const { rows } = await tx.query(
    'ingest.files',
    row({
      key: text,
      device_id: uuid,
      kind: text,
      bytes: int4,
      seconds: float8.null,
      format: text.of(filmFormat).null,
    }),
    // Held, so that what is too old and nobody's does not leave meanwhile.
    `SELECT key, device_id, kind, bytes, film_seconds AS seconds, film_format AS format
     FROM files
     WHERE key = ANY ($1)
     FOR KEY SHARE`,
    [[...new Set(named.map((n) => n.key))]],
  )
  const owner = new Map(rows.map((r) => [r.key, r.device_id]))
  const foreign = named.filter((n) => owner.get(n.key) !== n.device).map((n) => `${n.device}:${n.key}`)
  return {
    foreign: new Set(foreign),
    kinds: new Map(rows.map((r) => [r.key, r.kind])),
    films: new Map(rows.map((r) => [r.key, r])),
  }
}

/** The workers that events name, by tenant and number. */
const workersOf = (tx: Tx, detections: readonly Detection[], book: WorkerBook) =>
  book.find(
    tx,
    detections.flatMap(({ device, event }) =>
      'w_id' in event && event.w_id ? [{ tenant: device.tenant, w_id: event.w_id }] : [],
    ),
  )

export interface FilingOptions {
  now: () => Date
  history: () => boolean
  workers: WorkerBook
  older: OlderReceipts
  /** Those whose partitions are known to exist, as 2026-11. */
  months: Set<string>
  files: FileStore
}
/** The same event in two requests of a batch, the first of them replayed: each request is filed by itself then. */
class Tangled extends Error {}

/**
 * Files a batch in one transaction: first what was told before, then what each kind of event means.
 * Answers in the order of the submissions; a replayed request gets its refusal and files nothing.
 */
export async function file(
  tx: Tx,
  batch: readonly Submission[],
  { now: clock, history, workers: book, older, months, files }: FilingOptions,
): Promise<(EventsAnswer | Refused)[]> {
  const now = clock()
  const told: Told[] = batch.flatMap((s, i) =>
    s.events.map((event) => ({
      device: s.device,
      event,
      worker: undefined,
      submission: i,
      key: eventKey(s.device.id, event.id),
    })),
  )
  // Told twice in one batch: the first counts.
  const firsts = new Map<string, Told>()
  const keys: string[][] = batch.map(() => [])
  for (const d of told)
    if (!firsts.has(d.key)) {
      firsts.set(d.key, d)
      keys[d.submission]!.push(d.key)
    }
  // Only late events cost this round trip: where their devices stood then has to be known before sites are locked.
  const nowhere = await putBack(tx, told)
  // What does not depend on each other is asked in one round trip.
  // Sites before devices, as everybody who changes both locks them.
  const [homes, { replayed, known }, before, workers, { foreign, kinds, films }, beating] = await Promise.all(
    [
      holdSites(tx, told),
      firstTime(
        tx,
        batch.map(({ device, nonce }, i) => ({ device, nonce, keys: keys[i]! })),
      ),
      older.find(
        tx,
        told.map((d) => ({ device: d.device.id, event: d.event.id })),
      ),
      workersOf(tx, told, book),
      namedFiles(tx, told),
      holdBeating(tx, told),
    ],
  )
  const shut = await shutHomes(tx, told, homes)
  if (replayed.size && firsts.size < told.length) throw new Tangled()
  for (const key of before) known.add(key)
  const answers: (EventsAnswer | Refused)[] = batch.map((s, i) =>
    replayed.has(i)
      ? new Refused('重复的请求', 401, 401)
      : { accepted: 0, duplicate: 0, rejected: [...s.rejected] },
  )
  function wrongWith(d: Told): string | undefined {
    if (nowhere.has(d)) return d.device.site ? '那时设备没有绑定任何工地' : '设备未绑定工地'
    // What was told before is a repeat, whatever has become of its home since.
    const isShut = known.has(d.key) ? undefined : shut.get(d)
    if (isShut) return isShut
    const e = d.event as DeviceEvent & { w_id?: string }
    const files = filesNamed(e)
    if (files.some(({ key }) => foreign.has(`${d.device.id}:${key}`))) return '文件不存在'
    const odd = files.find(({ key, kind }) => kinds.get(key) !== kind)
    if (odd) return odd.kind === 'clip' ? '文件不是录像' : '文件不是图片'
    if (e.w_id) d.worker = workers.get(`${d.device.tenant}:${e.w_id}`)
    return e.kind === 'clockin' && !d.worker ? '没有这个工人' : undefined
  }
  const taken: Told[] = []
  const refused: string[] = []
  for (const d of told) {
    const answer = answers[d.submission]!
    if (answer instanceof Refused) continue
    const reason = wrongWith(d)
    const isFirst = firsts.get(d.key) === d && !known.has(d.key)
    if (reason) {
      answer.rejected.push({ id: d.event.id, reason })
      if (isFirst) refused.push(d.key)
    } else if (isFirst) {
      answer.accepted += 1
      taken.push(d)
    } else answer.duplicate += 1
  }
  forgetEvents(tx, refused)
  if (taken.length > 0) await fileTaken(tx, taken, { months, beating, films, history: history(), now })
  if (shut.size > 0) await dropShut(tx, files, shut, foreign)
  return answers
}
interface Told extends Detection {
  key: string
}
interface Filing {
  months: Set<string>
  beating: Awaited<ReturnType<typeof holdBeating>>
  films: Map<string, FiledFilm>
  history: boolean
  now: Date
}
/** The meaning of each kind of event. */
async function fileTaken(tx: Tx, taken: Told[], { months, beating, films, history, now }: Filing) {
  taken.sort((a, b) => a.event.at - b.event.at)
  await ensureMonths(
    tx,
    months,
    taken.map((d) => d.event),
  )
  keepRaw(tx, taken)
  await tiePictures(tx, taken)
  await fileHeartbeats(tx, taken, beating, { history, now })
  await fileClockins(tx, taken)
  await fileAlarms(tx, taken)
  await fileTidiness(tx, taken)
  await fileVisits(tx, taken)
  await fileRecordings(tx, taken, films)
}

/** A report in its own words. A clock-in is kept as attendance itself (docs/decisions/0156). */
function keepRaw(tx: Tx, taken: readonly Detection[]): void {
  const raw = taken.filter((d) => d.event.kind !== 'clockin')
  if (raw.length === 0) return
  tx.send(
    'ingest.raw',
    `INSERT INTO raw_events (tenant_id, device_id, event_id, at, kind, body, received_at)
     SELECT d.tenant, d.id, x.event, to_timestamp(x.at), x.kind, x.body, :now
     FROM json_to_recordset($1::json) AS x(d int, event text, at float8, kind text, body jsonb)
     JOIN json_to_recordset($2::json) AS d(d int, tenant uuid, id uuid) USING (d)`,
    byDevice(
      raw,
      ({ event }) => ({ event: event.id, at: event.at, kind: event.kind, body: event }),
      ({ device }) => ({ tenant: device.tenant, id: device.id }),
    ),
  )
}
