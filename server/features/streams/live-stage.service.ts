import { Readable } from 'node:stream'

import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import { type StreamKind, STREAMS_EACH } from '@zhuguan/contract/features/streams/streams.record.ts'

import type { Database } from '../../database/connect.ts'
import { addresses } from '../../kit/address.ts'
import { bound, hold } from '../../kit/bound.ts'
import { found, outside, refuse, Refused } from '../../kit/refuse.ts'
import { inMemory, sendRange } from '../../kit/send-range.ts'
import type { Call } from '../../kit/serve.ts'
import { cutStalled } from '../../kit/stalled.ts'
import { type Admitted, admissions, type Looker } from './admission.ts'
import { gatewayCalls } from './calls.ts'
import { checkStatus, type Piece, refusalOf, type Source, sourceOf, type VideoSettings } from './gateway.ts'
import { keptPieces } from './pieces.ts'
import { isMarkup, rewritePlaylist } from './playlist.ts'

const COOKIE_S = 600
const LIST_BYTES = 256 * 1024
const SEGMENT_BYTES = 16 * 1024 * 1024
const KEPT_BYTES = 96 * 1024 * 1024
const LIST_GOOD_MS = 500
const SEGMENT_GOOD_MS = 15_000
const STALL_MS = 10_000

const TYPES: Record<string, string> = {
  ts: 'video/mp2t',
  mp4: 'video/mp4',
  m4s: 'video/mp4',
  aac: 'audio/aac',
  vtt: 'text/vtt',
}
const endingOf = (target: string) => /\.(\w+)(?:\?|$)/.exec(target)?.[1]?.toLowerCase() ?? ''
const noVideo = () => new Refused('视频网关给出的不是直播画面', 502, 502)

/** The most that is done at once for live pictures. */
const rooms = () => ({
  /** Streams that stay: over HTTP, or arranged with the gateway. By person. */
  streams: bound({
    name: 'streams',
    atOnce: 400,
    each: STREAMS_EACH,
    full: '同时看直播的人太多，请稍后再试',
    yours: `您同时打开的直播已有 ${STREAMS_EACH} 路，请先关掉一些`,
    after: 5,
  }),
  /** Playlists and segments under way. By person: a wall of sixteen asks for two things each. */
  requests: bound({
    name: 'streamRequests',
    atOnce: 400,
    each: 48,
    full: '同时看直播的人太多，请稍后再试',
    yours: '您同时打开的直播太多，请先关掉一些',
  }),
  /** Playlists that are fetched from the gateway, where a camera without power hangs. By camera. */
  lists: bound({
    name: 'videoLists',
    atOnce: 200,
    each: 2,
    waiting: 200,
    eachWaiting: 6,
    waitMs: 4_000,
    full: '视频网关太忙，请稍后再试',
    yours: '这台摄像头的画面来得太慢，请稍后再试',
  }),
  /** Segments, each in memory while it comes. By camera. */
  segments: bound({
    name: 'videoSegments',
    atOnce: 24,
    each: 2,
    waiting: 200,
    eachWaiting: 6,
    waitMs: 4_000,
    full: '视频网关太忙，请稍后再试',
    yours: '这台摄像头的画面来得太慢，请稍后再试',
  }),
})

/** Whoever takes nothing more is cut off after so long. */
const LAST_BYTES_MS = 1_000
/** Pieces until it is over; that their source is then cut off is no fault. */
async function* until<T>(pieces: AsyncIterable<T>, isOver: () => boolean): AsyncGenerator<T> {
  try {
    for await (const piece of pieces) {
      if (isOver()) return
      yield piece
    }
  } catch (error) {
    if (!isOver()) throw error
  }
}

interface Deps {
  db: Database
  secretKey: Buffer
  video: VideoSettings | null
  now: () => Date
  /** The person who looks by a link. */
  looker?: Looker
  warn: (what: unknown) => void
}
/** Plays what the gateway has, for whoever has begun a view: by a session, or by a link. */
export function liveStage({ db, looker, now, secretKey, video, warn }: Deps) {
  const signed = addresses<[view: string, target: string]>(secretKey, { kind: 'stream', cookieS: COOKIE_S })
  const { streams, requests, lists, segments } = rooms()
  const views = admissions(db, now, { goodMs: video?.admittedMs, looker })
  const calls = gatewayCalls(views, {
    db,
    secretKey,
    answerMs: video?.answerMs,
    hasGateway: video !== null,
    warn,
  })
  const pieces = keptPieces(KEPT_BYTES)
  const showCookie = ({ reply, request }: Call, session: Buffer) =>
    reply.header('set-cookie', signed.cookie(session, request.protocol === 'https'))
  const addressOf = (session: Buffer, view: string, target: string) =>
    `${streamsApi.play.path}?key=${signed.make(session, view, target)}`
  const sourceFor = (sn: string): Source => {
    if (!video) throw outside()
    return sourceOf(video, sn)
  }

  const pieceOf = (sn: string, source: Source, target: string, isList: boolean): Promise<Piece> =>
    pieces.get(`${sn} ${target}`, isList ? LIST_GOOD_MS : SEGMENT_GOOD_MS, () =>
      (isList ? lists : segments).run(sn, () => source.read(target, isList ? LIST_BYTES : SEGMENT_BYTES)),
    )
  /** A playlist whose names are addresses of the same view, or a segment of it. */
  async function playHls(call: Call, may: Admitted, playing: Playing): Promise<void> {
    await hold(requests, may.user, call.reply)
    const source = sourceFor(may.sn)
    const target = playing.target || source.start
    const isList = endingOf(target) === 'm3u8'
    const piece = await pieceOf(may.sn, source, target, isList)
    if (isMarkup(piece)) throw noVideo()
    const text = isList
      ? rewritePlaylist(piece.bytes.toString(), (name) =>
          addressOf(playing.session, playing.view, source.resolve(name, piece.target)),
        )
      : undefined
    cutStalled(call.reply.raw, STALL_MS)
    asVideo(call, isList ? 'application/vnd.apple.mpegurl' : TYPES[endingOf(target)])
    if (text !== undefined) call.reply.send(text)
    else sendRange(call, inMemory(piece.bytes))
  }
  /** The stream as the gateway sends it, for as long as its view goes on. */
  async function playFlv(call: Call, may: Admitted, { session, view }: Playing): Promise<void> {
    const { raw } = call.reply
    await hold(streams, may.user, call.reply)
    const source = sourceFor(may.sn)
    const { response, body, end } = await source.ask(source.start)
    raw.once('close', end)
    checkStatus(response.status)
    const { value: first } = await body.next()
    if (first?.toString('latin1', 0, 3) !== 'FLV') throw noVideo()
    let isOver = false
    /** The answer ends as if the camera had: a player that has gone already takes a cut line for a fault. */
    function stop(): void {
      isOver = true
      end()
      setTimeout(() => raw.destroy(), LAST_BYTES_MS).unref()
    }
    raw.once('close', views.watch(session, view, stop))
    cutStalled(raw, STALL_MS)
    asVideo(call, 'video/x-flv')
    const pieces = until(goingOn(first, body), () => isOver)
    call.reply.send(Readable.from(pieces, { objectMode: false }))
  }
  const PLAYERS = { hls: playHls, flv: playFlv }

  return {
    video,
    start: calls.start,
    close: calls.close,
    showCookie,
    /** The part of a view that a browser fetches; nothing where the picture takes another way. */
    addressOf: (session: Buffer, view: string, kind: StreamKind | null): string | null =>
      kind === 'hls' || kind === 'flv' ? addressOf(session, view, '') : null,
    /** The view is over: what plays is cut. */
    end(view: string): void {
      views.forget(view)
      calls.end(view)
    },
    /** `mustEnd`: only where the gateway says how the call is ended. */
    async offer({ mustEnd, sdp, session, view }: Offer): Promise<{ sdp: string }> {
      const may = found(await views.admitted(session, view, 0))
      refuse(video?.kind === 'whep' ? undefined : '这里的直播不用 WebRTC')
      const leave = await streams.enter(may.user)
      const source = sourceFor(may.sn)
      try {
        const { tenant } = may
        return { sdp: await calls.begin({ tenant, view, session, source, sdp, leave, mustEnd }) }
      } catch (error) {
        throw refusalOf(error)
      }
    },
    async play(key: string, call: Call): Promise<void> {
      const address = signed.read(key)
      // Whose it is not learns nothing: not even whether it was an address.
      if (!address || !signed.isShown(address.session, call.request.headers.cookie)) throw outside()
      const { session } = address
      const [view, target] = address.said
      const may = found(await views.admitted(session, view))
      if (!video || video.kind === 'whep') throw outside()
      try {
        await PLAYERS[video.kind](call, may, { session, view, target })
      } catch (error) {
        throw refusalOf(error)
      }
    },
  }
}
export type LiveStage = ReturnType<typeof liveStage>
interface Offer {
  session: Buffer
  view: string
  sdp: string
  mustEnd: boolean
}
interface Playing {
  session: Buffer
  view: string
  target: string
}

function asVideo({ reply }: Call, type = 'application/octet-stream'): void {
  reply
    .header('content-type', type)
    .header('cache-control', 'no-store')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('accept-ranges', 'bytes')
}
/** A gateway that falls silent ends the answer; the player says so. */
async function* goingOn(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  try {
    yield* rest
  } catch {
    // The answer ends here.
  }
}
export type { Looker } from './admission.ts'
