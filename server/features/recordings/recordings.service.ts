import type { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import {
  APART_S,
  cannotPlay,
  gapsBetween,
  holdFor,
  LONGEST_CLIP_S,
  LONGEST_RECORDING_S,
  mergedSpans,
  type RecordingDay,
  shownOf,
  type Stretch,
} from '@zhuguan/contract/features/recordings/recordings.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { LOCKS } from '../../database/locks.ts'
import { type Detection, seen } from '../../kit/detection.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { found, invalid, refuse } from '../../kit/refuse.ts'
import { float8, int4, int8, row } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { epoch } from '../../kit/statement.ts'
import { lookings } from '../looking/looking.reads.ts'
import { isWorkTime } from '../settings/business-time.reads.ts'
import { settingSql } from '../settings/settings.reads.ts'
import { beginView } from '../video/video-views.service.ts'
import type { KeptFilm } from './read-film.ts'
import {
  cameraInReach,
  camerasThen,
  filesOf,
  holdsOf,
  lockHold,
  marksOf,
  piecesOf,
  recordingOf,
  standsOf,
} from './recordings.queries.ts'

/** What is known of a film whose recording is told; it is as large as it is, whatever was said. */
export interface FiledFilm extends Omit<KeptFilm, 'seconds'> {
  seconds: number | null
  bytes: number
}
/** The second in which its film ends, where that is before the one that was said. */
function endOf({ from, to }: Stretch, seconds: number | null): number {
  const isShort = seconds !== null && seconds < to - from - APART_S
  return isShort ? from + Math.max(1, Math.round(seconds)) : to
}
/**
 * Stretches of recorded video that devices have put away, under the site where they stood when they began. What lies
 * wholly in a known one of the same camera and is as large is the same once more. Others may overlap and are all kept:
 * of two that show the same second the later file counts (`pieceAt`). A film that is shorter than was said ends where
 * it ends: what follows is a gap.
 */
export async function fileRecordings(
  tx: Tx,
  all: readonly Detection[],
  films: ReadonlyMap<string, FiledFilm>,
): Promise<void> {
  const told = seen(all, 'recording').map((d) => ({ ...d, film: films.get(d.event.file)! }))
  const found = told.filter(
    ({ device, event, film }, i) =>
      !told
        .slice(0, i)
        .some(
          (d) =>
            d.device.id === device.id &&
            d.film.bytes === film.bytes &&
            d.event.from <= event.from &&
            event.to <= d.event.to,
        ),
  )
  if (found.length === 0) return
  await tx.run(
    'recordings.add',
    `INSERT INTO recordings (tenant_id, id, bc_id, site_id, device_id, from_at, to_at, said_to, key, bytes, format)
     SELECT x.t, x.i, x.c, x.s, x.d, to_timestamp(x.f),
       to_timestamp(x.l), to_timestamp(x.e), x.k, x.b, x.m
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::float8[], $7::float8[],
         $8::text[], $9::bigint[], $10::float8[], $11::text[]) AS x(t, i, c, s, d, f, e, k, b, l, m)
     WHERE NOT EXISTS (
       SELECT 1 FROM recordings r
       WHERE r.tenant_id = x.t AND r.device_id = x.d AND r.bytes = x.b
         AND r.from_at BETWEEN to_timestamp(x.f - ${LONGEST_RECORDING_S}) AND to_timestamp(x.f)
         AND coalesce(r.said_to, r.to_at) >= to_timestamp(x.e))`,
    [
      found.map((d) => d.device.tenant),
      found.map(() => uuidv7()),
      found.map((d) => d.device.bc),
      found.map((d) => d.device.site),
      found.map((d) => d.device.id),
      found.map((d) => d.event.from),
      found.map((d) => d.event.to),
      found.map((d) => d.event.file),
      found.map((d) => d.film.bytes),
      found.map((d) => endOf(d.event, d.film.seconds)),
      found.map((d) => d.film.format),
    ],
  )
}

/** A camera's recordings of a time, and the days that its branch keeps them. */
export async function knownOf(
  tx: Tx,
  { tenant, id, bc }: { tenant: string; id: string; bc: string | null },
  from: number,
  to: number,
) {
  const { rows } = await tx.query(
    'recordings.known',
    row({ from: float8, to: float8, bytes: int8 }),
    `SELECT ${epoch('r.from_at')} AS from, ${epoch('coalesce(r.said_to, r.to_at)')} AS to, r.bytes
     FROM recordings r
     WHERE r.tenant_id = $1 AND r.device_id = $2 AND r.from_at >= to_timestamp($3) AND r.from_at <= to_timestamp($4)`,
    [tenant, id, from - LONGEST_RECORDING_S, to],
  )
  const keeping = await tx.query(
    'recordings.days',
    row({ days: int4 }),
    `SELECT ${settingSql('recordingDays', '$1', '$2::uuid')}::text::int AS days`,
    [tenant, bc],
  )
  return { known: rows, days: keeping.rows[0]!.days }
}

const secondsOf = (at: Date) => Math.floor(at.getTime() / 1000)

/** A camera's day as the caller may see it: only what it recorded on sites of theirs. */
export async function dayOf(tx: Tx, call: Call, device: string, day: string): Promise<RecordingDay> {
  const { scope } = call.user
  const { sn } = found(await cameraInReach(tx, scope, device))
  const asked = { device, from: startOfDay(day), to: startOfDay(addDays(day, 1)) }
  const stands = await standsOf(tx, scope, asked)
  const ids = [...new Set(stands.map((s) => s.site_id))]
  const pieces = await piecesOf(tx, scope, asked)
  const marks = await marksOf(tx, scope, asked, ids)
  const holds = await holdsOf(tx, scope, asked)
  const from = secondsOf(asked.from)
  const to = Math.max(from, Math.min(secondsOf(asked.to), secondsOf(call.now())))
  const spans = mergedSpans(pieces)
    .map((s) => ({ from: Math.max(s.from, from), to: Math.min(s.to, Math.max(to, from)) }))
    .filter((s) => s.from < s.to)
  const last = stands.at(-1)
  const looks = await lookings(tx, scope.tenant, stands, call.now())
  return {
    device_id: device,
    deviceSn: sn,
    sites: ids.map((id) => {
      const stand = stands.find((s) => s.site_id === id)!
      return { site_id: id, siteName: stand.siteName, noLook: looks(stand).why }
    }),
    day,
    from,
    to,
    spans,
    gaps: gapsBetween(spans, from, to),
    pieces,
    marks,
    seconds: spans.reduce((sum, s) => sum + s.to - s.from, 0),
    keptUntil: addDays(day, last?.days ?? 0),
    holds,
    asks: !!last && !(await isWorkTime(tx, scope.tenant, last.bc_id, call.now())),
  }
}

type Open = BodyOf<(typeof recordingsApi)['open']>
/** Writes down who looks at what and what for; answers the recording. */
export async function view(tx: Tx, call: Call, { id, purpose, words, said }: Open) {
  const recording = found(await recordingOf(tx, call.user.scope, id))
  const viewed = { ...recording, recorded: recording }
  const { hours } = await beginView(tx, call, viewed, { purpose, words, said })
  const { device_id, site_id, from, to } = recording
  await call.log(tx, {
    action: '查看录像',
    object: 'recording',
    objectId: id,
    after: { device_id, site_id, from, to, purpose, words, ...hours },
  })
  return recording
}

type Original = BodyOf<(typeof recordingsApi)['original']>
/** Writes down who takes the file itself away and what for; answers the recording. */
export async function takeOriginal(tx: Tx, call: Call, { id, ...why }: Original) {
  const recording = found(await recordingOf(tx, call.user.scope, id))
  const { hours } = await beginView(tx, call, { ...recording, recorded: recording }, why)
  const { device_id, site_id, from, to } = recording
  await call.log(tx, {
    action: '下载录像',
    object: 'recording',
    objectId: id,
    after: { device_id, site_id, from, to, purpose: why.purpose, words: why.words, ...hours },
  })
  return recording
}

type Clip = BodyOf<(typeof recordingsApi)['clip']>
/** So many files a browser still puts together. */
const MOST_PIECES = 120
/** The pieces of a clip; refuses what is too much, and where nothing was recorded. */
export async function piecesOfClip(tx: Tx, call: Call, { device_id, from, to }: Clip) {
  const { scope } = call.user
  const { sn } = found(await cameraInReach(tx, scope, device_id))
  if (from >= to) throw invalid('to', '结束时间应在开始时间之后')
  if (to - from > LONGEST_CLIP_S) throw invalid('to', '一次最多下载 30 分钟，请分几段下载')
  const asked = { device: device_id, from: new Date(from * 1000), to: new Date(to * 1000) }
  const shown = shownOf(await filesOf(tx, scope, asked), from, to)
  refuse(shown.length ? undefined : '这段时间没有录像，请换一段时间')
  const strange = shown.find(({ piece }) => piece.format)?.piece.format
  refuse(strange ? `${cannotPlay(strange)}，也剪不了。请在播放画面下载原文件` : undefined)
  refuse(shown.length > MOST_PIECES ? '这段时间的录像文件太多，请选短一些' : undefined)
  return { sn, shown }
}
type ShownPieces = Awaited<ReturnType<typeof piecesOfClip>>['shown']
/** Writes down who takes what away and what for: each recording of it is a view, the clip one line of the log. */
export async function takeClip(tx: Tx, call: Call, shown: ShownPieces, body: Clip): Promise<void> {
  let hours: { offHours?: true } = {}
  for (const { piece, from, to } of shown)
    ({ hours } = await beginView(tx, call, { ...piece, recorded: { id: piece.id, from, to } }, body))
  const { piece } = shown[0]!
  const { device_id, from, to, purpose, words } = body
  await call.log(tx, {
    action: '下载录像',
    object: 'recording',
    objectId: piece.id,
    after: { device_id, site_id: piece.site_id, from, to, purpose, words, ...hours },
  })
}

export interface Held {
  tenant: string
  camera: string
  from: Date
  to: Date
  for: (typeof holdFor.values)[number]
  reason: string
  until: Date
  by: string
  at: Date
  /** The complaint for which it is held. */
  feedback?: string
  /** Only what the reach of somebody holds. */
  within?: Scope
}
/**
 * Keeps what a camera recorded between two moments until a third, whatever the branch keeps; also what is still to come
 * late. Answers the sites where it stood meanwhile: none where it stood nowhere.
 */
export async function hold(tx: Tx, held: Held): Promise<{ id: string; site: string }[]> {
  const scope = held.within ?? { tenant: held.tenant, user: null, bcs: null, sites: null }
  const stands = await standsOf(tx, scope, { device: held.camera, from: held.from, to: held.to })
  const places = [...new Map(stands.map((s) => [s.site_id, s.bc_id]))].map(([site, bc]) => ({
    id: uuidv7(),
    site,
    bc,
  }))
  await tx.run(
    'recordings.holding',
    `INSERT INTO recording_holds (tenant_id, id, bc_id, site_id, device_id, from_at, to_at, "for", reason, until_at,
       held_by, held_at, feedback_id)
     SELECT $1, x.id, x.bc, x.site, $5, $6, $7, $8, $9, $10, $11, $12, $13
     FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS x(id, bc, site)`,
    [
      held.tenant,
      places.map((p) => p.id),
      places.map((p) => p.bc),
      places.map((p) => p.site),
      held.camera,
      held.from,
      held.to,
      held.for,
      held.reason,
      held.until,
      held.by,
      held.at,
      held.feedback ?? null,
    ],
  )
  return places
}

/** Keeps what every camera of a site records between two moments; answers the holds: none where no camera stands. */
export async function holdOnSite(
  tx: Tx,
  site: string,
  held: Omit<Held, 'camera' | 'within'>,
): Promise<string[]> {
  const within: Scope = { tenant: held.tenant, user: null, bcs: null, sites: [site] }
  const holds: string[] = []
  for (const camera of await camerasThen(tx, held.tenant, { site, from: held.from, to: held.to }))
    holds.push(...(await hold(tx, { ...held, camera, within })).map((h) => h.id))
  return holds
}

const LONGEST_HOLD_DAYS = 3 * 365 + 1
/** The same once more is refused, also of two at once the second. */
async function refuseHeld(
  tx: Tx,
  call: Call,
  { device_id, from, to, reason }: BodyOf<(typeof recordingsApi)['hold']>,
  until: Date,
): Promise<void> {
  await tx.run('recordings.turn', 'SELECT pg_advisory_xact_lock($1::int, hashtext($2))', [
    LOCKS.recordings,
    device_id,
  ])
  const asked = { device: device_id, from: new Date(from * 1000), to: new Date(to * 1000) }
  const same = (await holdsOf(tx, call.user.scope, asked)).find(
    (h) => h.from === from && h.to === to && h.until === secondsOf(until) && h.reason === reason,
  )
  refuse(same && `这段录像${same.by}已经留存，到期日和原因相同`)
}

/** Somebody holds by hand. Answers how much of it was recorded and how much is missing by now, in seconds. */
export async function holdByHand(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof recordingsApi)['hold']>,
): Promise<{ seconds: number; missing: number }> {
  const { device_id, from, to, reason } = body
  found(await cameraInReach(tx, call.user.scope, device_id))
  if (from >= to) throw invalid('to', '结束时间应在开始时间之后')
  if (to - from > LONGEST_RECORDING_S) throw invalid('to', '一次最多留存 24 小时，请分几次留存')
  if (to > secondsOf(call.now())) throw invalid('to', '这段时间还没有到，不能留存')
  const until = startOfDay(addDays(body.until, 1))
  if (until <= call.now()) throw invalid('until', '留存到的日期已经过去')
  if (body.until > addDays(shanghaiDay(call.now()), LONGEST_HOLD_DAYS))
    throw invalid('until', '最多留存三年，请选近一些的日期')
  await refuseHeld(tx, call, body, until)
  const places = await hold(tx, {
    tenant: call.user.tenant,
    camera: device_id,
    from: new Date(from * 1000),
    to: new Date(to * 1000),
    for: holdFor.code.person,
    reason,
    until,
    by: call.user.nickname,
    at: call.now(),
    within: call.user.scope,
  })
  refuse(places.length ? undefined : '那段时间这台摄像头没有装在您管的工地上，没有可以留存的录像')
  for (const { id, site } of places)
    await call.log(tx, {
      action: '留存录像',
      object: 'recording',
      objectId: id,
      after: {
        device_id,
        site_id: site,
        from,
        to,
        for: holdFor.code.person,
        lastDay: body.until,
        reason,
      },
    })
  const asked = { device: device_id, from: new Date(from * 1000), to: new Date(to * 1000) }
  const spans = mergedSpans(await piecesOf(tx, call.user.scope, asked))
  const missing = gapsBetween(spans, from, to).reduce((sum, gap) => sum + gap.to - gap.from, 0)
  return { seconds: to - from - missing, missing }
}

/** What is released goes with its days, where they are over the next night. */
export async function release(tx: Tx, call: Call, { id, reason }: { id: string; reason: string }) {
  const one = found(await lockHold(tx, call.user.scope, id))
  refuse(one.released ? '这段留存已经解除' : undefined)
  await tx.run(
    'recordings.release',
    `UPDATE recording_holds h
     SET released_by = $3, released_at = $4, released_why = $5
     WHERE h.tenant_id = $1 AND h.id = $2`,
    [call.user.tenant, id, call.user.nickname, call.now(), reason],
  )
  const { device_id, site_id, from, to } = one
  await call.log(tx, {
    action: '解除留存',
    object: 'recording',
    objectId: id,
    after: { device_id, site_id, from, to, reason },
  })
}
