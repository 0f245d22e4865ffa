import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { alarmType } from '../alarms/alarms.record.ts'
import { viewPurpose } from '../video/purposes.record.ts'

/** What recordings are held for beyond their days. */
export const holdFor = defineCodes('holdFor', '留存事由', {
  person: ['person', '人工留存'],
  delivery: ['delivery', '交接'],
  complaint: ['complaint', '投诉'],
})
export const markKind = defineCodes('markKind', '标记', {
  alarm: ['alarm', '报警'],
  clockin: ['clockin', '打卡'],
})
/** The reason why browsers do not play what a camera or recorder has put away. */
export const filmFormat = defineCodes('filmFormat', '录像格式', {
  hevc: ['hevc', 'H.265 编码'],
  mpeg4: ['mpeg4', 'MPEG-4 编码'],
  ts: ['ts', 'MPEG-TS 封装'],
  other: ['other', '不认识的编码'],
})
export type FilmFormat = (typeof filmFormat.values)[number]
export const cannotPlay = (format: FilmFormat): string => `${filmFormat.label(format)}，浏览器放不了`
/** Clocks and the last picture explain so much between how long a film was said to be and how long it is. */
export const APART_S = 2
/** Nothing longer is one recording, and nothing longer is held at once. */
export const LONGEST_RECORDING_S = 86_400
/** Nobody takes away more at once; a clip is made in the browser (docs/decisions/0255). */
export const LONGEST_CLIP_S = 1_800
/** The address of a recording opens for so long (docs/decisions/0240). */
export const ADDRESS_S = 600

const second = z.number().int()
const stretch = z.object({ from: second, to: second })
export type Stretch = z.output<typeof stretch>
export const recordingPiece = stretch.extend({
  id: z.string(),
  bytes: z.number().int(),
  /** Set where browsers do not play it. */
  format: filmFormat.schema.nullable(),
})
export type RecordingPiece = z.output<typeof recordingPiece>
export const recordingMark = z.object({
  kind: markKind.schema,
  at: second,
  type: alarmType.schema.nullable(),
  /** The alarm that it belongs to. */
  id: z.string().nullable(),
})
export type RecordingMark = z.output<typeof recordingMark>
export const recordingHold = stretch.extend({
  id: z.string(),
  for: holdFor.schema,
  reason: z.string(),
  /** Held until this second. */
  until: second,
  by: z.string(),
})

export const recordingCamera = z.object({
  device_id: z.string(),
  deviceSn: z.string(),
  model: z.string(),
  /** It stands there now; otherwise it did once. */
  here: z.boolean(),
  /** The end of its last recording there. */
  last: second.nullable(),
})
/** A file may begin so long before an hour that is held, or end so long after it, and still be of that hour. */
export const HELD_BESIDE_S = 3_600
/** A recording of the hour that is held for a complaint; `hour` is what of it is held. */
export const heldFilm = stretch.extend({
  id: z.string(),
  deviceSn: z.string(),
  format: filmFormat.schema.nullable(),
  hour: stretch,
  /** Its file holds much else: it is not given. */
  tooLong: z.boolean(),
})
export type HeldFilm = z.output<typeof heldFilm>
/** The place of the last recording. */
export const lastRecorded = stretch.extend({
  device_id: z.string(),
  deviceSn: z.string(),
  siteName: z.string(),
  format: filmFormat.schema.nullable(),
})
export const recordingDay = z.object({
  device_id: z.string(),
  deviceSn: z.string(),
  /** Its place on that day, and the reason why nobody looks there any more. */
  sites: z.array(z.object({ site_id: z.string(), siteName: z.string(), noLook: z.string() })),
  day: z.string(),
  /** The day's first second, and up to where something can have been recorded: its end, or now. */
  from: second,
  to: second,
  spans: z.array(stretch),
  gaps: z.array(stretch),
  /** By their beginning; where two overlap, the one that was filed later is shown (`pieceAt`). */
  pieces: z.array(recordingPiece),
  marks: z.array(recordingMark),
  /** The time that was recorded, with overlaps counted once. */
  seconds: second,
  /** The last day on which recordings of that day are still there, unless they are held. */
  keptUntil: z.string(),
  holds: z.array(recordingHold),
  /** Nobody works there now: why somebody looks has to be said. */
  asks: z.boolean(),
})
export type RecordingDay = z.output<typeof recordingDay>

/**
 * The piece that shows a second. Numbers grow with the time of filing, so of pieces that overlap the greatest is the
 * later file, which the camera has sent to replace what it sent before.
 */
export function pieceAt<P extends Stretch & { id: string }>(pieces: readonly P[], at: number): P | undefined {
  let best: P | undefined
  for (const piece of pieces)
    if (piece.from <= at && at < piece.to && (!best || piece.id > best.id)) best = piece
  return best
}

/** What is shown of pieces between two seconds, in order: each second of the piece that shows it, gaps left out. */
export function shownOf<P extends Stretch & { id: string }>(
  pieces: readonly P[],
  from: number,
  to: number,
): { piece: P; from: number; to: number }[] {
  const edges = [from, to, ...pieces.flatMap((p) => [p.from, p.to])].filter((e) => from <= e && e <= to)
  const shown: { piece: P; from: number; to: number }[] = []
  const sorted = [...new Set(edges)].sort((a, b) => a - b)
  for (const [i, begins] of sorted.slice(0, -1).entries()) {
    const piece = pieceAt(pieces, begins)
    if (!piece) continue
    const ends = sorted[i + 1]!
    const last = shown.at(-1)
    if (last?.piece.id === piece.id && last.to === begins) last.to = ends
    else shown.push({ piece, from: begins, to: ends })
  }
  return shown
}

/** Cameras begin a file a second after they have ended the one before: that is no gap. */
const JOINT_S = 1
/** Stretches as one line: what overlaps or joins is one, in order. */
export function mergedSpans(stretches: readonly Stretch[]): Stretch[] {
  const spans: Stretch[] = []
  for (const { from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = spans.at(-1)
    if (last && from <= last.to + JOINT_S) last.to = Math.max(last.to, to)
    else spans.push({ from, to })
  }
  return spans
}
/** The gaps that the spans leave between two seconds. */
export function gapsBetween(spans: readonly Stretch[], from: number, to: number): Stretch[] {
  const gaps: Stretch[] = []
  let at = from
  for (const span of spans) {
    if (span.from > at) gaps.push({ from: at, to: span.from })
    at = Math.max(at, span.to)
  }
  if (at < to) gaps.push({ from: at, to })
  return gaps
}

/** The user log\'s names for the fields of a recording. */
export const recordingLog = logged('录像', {
  device_id: ['摄像头', 'device'],
  site_id: ['工地', 'site'],
  from: ['开始', 'second'],
  to: ['结束', 'second'],
  purpose: ['目的', viewPurpose],
  words: ['目的说明', 'personal'],
  offHours: '下班时间',
  for: ['事由', holdFor],
  lastDay: '留存到',
  /** Lines of the releases before. */
  until: ['留存到', 'time'],
})
