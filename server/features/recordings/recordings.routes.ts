import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import {
  ADDRESS_S,
  cannotPlay,
  filmFormat,
  type FilmFormat,
} from '@zhuguan/contract/features/recordings/recordings.record.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import type { Database, Tx } from '../../database/connect.ts'
import { addresses } from '../../kit/address.ts'
import { bound, hold as holdPlace } from '../../kit/bound.ts'
import { reachOf } from '../../kit/reach.ts'
import { found, outside, refuse } from '../../kit/refuse.ts'
import { sendRange } from '../../kit/send-range.ts'
import { type Call, type Feature, serve } from '../../kit/serve.ts'
import { shanghaiTime } from '../../kit/shanghai.ts'
import type { FileStore } from '../files/files.service.ts'
import { personOf } from '../session/access.reads.ts'
import { heldFor, heldNow, type OpenComplaint, viewHeld } from './held-films.service.ts'
import { camerasOfSite, latestOf, recordingOf } from './recordings.queries.ts'
import {
  dayOf,
  holdByHand,
  piecesOfClip,
  release,
  takeClip,
  takeOriginal,
  view,
} from './recordings.service.ts'
import { brokenVideo } from './whole-video.ts'

/** While bytes are still on their way, whoever gets them is looked at so often. */
const AGAIN_MS = 3_000

interface Deps {
  db: Database
  files: FileStore
  secretKey: Buffer
  now: () => Date
  openComplaint: OpenComplaint
}
export function recordingsFeature({ db, files, secretKey, now, openComplaint }: Deps): Feature {
  /** With a complaint it opens for as long as that is open, to who sees no other recordings. */
  const signed = addresses<[recording: string, until: number, complaint?: string]>(secretKey, {
    kind: 'recording',
    cookieS: ADDRESS_S,
  })
  /** From the first byte to the last: a person who seeks has the stretch before still under way for a moment. */
  const players = bound({
    name: 'play',
    atOnce: 200,
    each: 12,
    full: '同时看录像的人太多，请稍后再试',
    yours: '您同时打开的录像太多，请关掉一些再试',
  })
  /**
   * The film that the address opens at this moment, and its viewer: nothing once the session or its reach is gone.
   */
  async function opened(session: Buffer, recording: string, until: number, complaint?: string) {
    if (until * 1000 <= now().getTime()) return undefined
    const user = await personOf(db, session, now())
    const scope = user && reachOf(user, complaint ? 'feedback:film' : pageLabel('videoRecord'))
    if (!user || !scope) return undefined
    const find = (tx: Tx): Promise<{ key: string } | undefined> =>
      complaint
        ? heldNow(tx, scope, openComplaint, { feedback: complaint, id: recording })
        : recordingOf(tx, scope, recording)
    const one = await db.tx(scope, find, { readOnly: true })
    return one && { key: one.key, user: user.id }
  }
  const cutters = bound({
    name: 'clip',
    atOnce: 20,
    each: 2,
    full: '同时下载录像的人太多，请稍后再试',
    yours: '您正在下载别的录像，请等它完成',
  })
  const untilOf = (call: Call) => Math.floor(call.now().getTime() / 1000) + ADDRESS_S
  /** The cookie that the browser of this session shows beside its addresses. */
  const showCookie = (call: Call) =>
    call.reply.header('set-cookie', signed.cookie(call.user.tokenHash, call.request.protocol === 'https'))
  const addressOf = (call: Call, recording: string, until: number, ...complaint: [string?]) =>
    `${recordingsApi.play.path}?key=${signed.make(call.user.tokenHash, recording, until, ...complaint)}`
  /** Some machines play H.265: their browsers know. */
  async function refuseUnplayable({
    key,
    format,
  }: {
    key: string
    format: FilmFormat | null
  }): Promise<void> {
    if (format && format !== filmFormat.code.hevc) refuse(cannotPlay(format))
    refuse(await brokenVideo(files, key))
  }
  return serve(recordingsApi, {
    cameras: ({ body }, call) =>
      call.read(async (tx) => found(await camerasOfSite(tx, call.user.scope, body.site_id))),
    latest: (_input, call) => call.read((tx) => latestOf(tx, call.user.scope)),
    day: ({ body }, call) => call.read((tx) => dayOf(tx, call, body.device_id, body.day)),
    async open({ body }, call) {
      // Nothing is written down that nobody could see.
      await refuseUnplayable(found(await call.read((tx) => recordingOf(tx, call.user.scope, body.id))))
      const until = untilOf(call)
      showCookie(call)
      return call.write(async (tx) => {
        const { from, to } = await view(tx, call, body)
        return { address: addressOf(call, body.id, until), until, from, to }
      })
    },
    held: ({ body }, call) => call.read((tx) => heldFor(tx, call, openComplaint, body.feedback_id)),
    async openHeld({ body: { id, feedback_id: feedback } }, call) {
      const asked = { feedback, id }
      const { scope } = call.user
      await refuseUnplayable(found(await call.read((tx) => heldNow(tx, scope, openComplaint, asked))))
      await call.write((tx) => viewHeld(tx, call, openComplaint, asked))
      const until = untilOf(call)
      showCookie(call)
      return { address: addressOf(call, id, until, feedback), until }
    },
    clip: ({ body }, call) =>
      cutters.run(call.user.id, async () => {
        const { sn, shown } = await call.read((tx) => piecesOfClip(tx, call, body))
        for (const key of new Set(shown.map((s) => s.piece.key))) refuse(await brokenVideo(files, key))
        await call.write((tx) => takeClip(tx, call, shown, body))
        const until = untilOf(call)
        showCookie(call)
        return {
          deviceSn: sn,
          pieces: shown.map(({ piece, from, to }) => ({
            address: addressOf(call, piece.id, until),
            from,
            to,
            begins: piece.from,
            ends: piece.to,
          })),
          viewer: `${call.user.nickname} ${call.user.userName}`,
          at: until - ADDRESS_S,
        }
      }),
    async original({ body }, call) {
      const until = untilOf(call)
      showCookie(call)
      const { sn, from, format } = await call.write((tx) => takeOriginal(tx, call, body))
      const name = `${sn} ${shanghaiTime(new Date(from * 1000))}`.replaceAll(':', '')
      return {
        address: addressOf(call, body.id, until),
        name: `${name}.${format === filmFormat.code.ts ? 'ts' : 'mp4'}`,
      }
    },
    async play({ query }, call) {
      const { request, reply } = call
      const address = signed.read(query.key)
      // Whose it is not learns nothing: not even whether it was an address.
      if (!address || !signed.isShown(address.session, request.headers.cookie)) throw outside()
      const may = await opened(address.session, ...address.said)
      if (!may) throw outside()
      const bytes = await files.open(may.key)
      await holdPlace(players, may.user, reply)
      const watch = setInterval(() => {
        void opened(address.session, ...address.said)
          .catch(() => undefined)
          .then((still) => still ?? reply.raw.destroy())
      }, AGAIN_MS)
      watch.unref()
      reply.raw.once('close', () => clearInterval(watch))
      reply
        .header('content-type', 'video/mp4')
        .header('cache-control', 'no-store')
        .header('cross-origin-resource-policy', 'same-origin')
        .header('accept-ranges', 'bytes')
      sendRange(call, bytes)
    },
    hold: ({ body }, call) => call.write((tx) => holdByHand(tx, call, body)),
    release: ({ body }, call) => call.write((tx) => release(tx, call, body)),
  })
}
