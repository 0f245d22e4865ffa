import type { Socket } from 'node:net'

import { liveApi } from '@zhuguan/contract/features/live/live.api.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import type { Database, Scope } from '../database/connect.ts'
import type { AccessBook } from '../features/session/access.reads.ts'
import { reachOf } from '../kit/reach.ts'
import { Refused } from '../kit/refuse.ts'
import { type Feature, serve, type SessionUser } from '../kit/serve.ts'
import { type LiveRow, startFeed } from './live-feed.ts'
import { idOf, isBeyond, type Place, placeOf } from './live-place.ts'
import { heardBy, type Heard, type Hearing, hears } from './live-reach.ts'
import { type Reader, rowsFor, type Told, within } from './live-rows.ts'
import { type LiveStream, liveStream } from './live-stream.ts'

interface Browser extends Reader {
  token: string
  scope: Scope
  heard: Heard
  version: string
  user: string
  stream: LiveStream
  /** What this was told already, here or by another server. */
  told: Place
}

const BEAT_MS = 25_000
const MAX_BROWSERS = 12_000
const MAX_A_PERSON = 40
const HELLO = 'retry: 1000\n: hello\n\n'
const ACCESS = 'event: change\ndata: {"topic":"access","what":"changed","id":"","site_id":null,"at":0}\n\n'
const concerns = (b: Pick<Browser, 'scope' | 'user'>, r: LiveRow): boolean =>
  r.tenant_id === b.scope.tenant && (r.user_id === null || r.user_id === b.user) && r.except_id !== b.user
const hearing = (b: Pick<Browser, 'scope' | 'heard' | 'user'>, r: LiveRow): Hearing =>
  concerns(b, r) ? hears(b.heard, b.scope, r) : undefined
/** The row as it is told there. */
const toldTo = (how: Hearing, r: LiveRow): LiveRow => (how === 'receiver' ? { ...r, site_id: null } : r)

const everybody = () => true
/** People whose reach changes with the sites themselves, which nobody announces. */
const ofSites = (b: Browser) => b.scope.sites !== null

/** `row`: JSON of the row as its list shows it, for those who may read it there. */
const textOf = (r: LiveRow, place: Place, row?: string): string => {
  const data = JSON.stringify({ topic: r.topic, what: r.what, id: r.ref_id, site_id: r.site_id, at: r.at })
  const told = row === undefined ? data : `${data.slice(0, -1)},"row":${row}}`
  return `id: ${idOf(place)}\nevent: change\ndata: ${told}\n\n`
}
const alarmsOf = (user: SessionUser): Scope | undefined =>
  user.mustChange ? undefined : reachOf(user, pageLabel('AlarmEvent'))
type Reaches = Pick<Browser, 'heard' | 'alarms'>
/** Formed once a person as the book knows them: the streams of a session share it. */
const reaches = new WeakMap<SessionUser, Reaches>()
function reachesOf(user: SessionUser): Reaches {
  const old = reaches.get(user)
  if (old) return old
  const formed = { heard: heardBy(user), alarms: alarmsOf(user) }
  reaches.set(user, formed)
  return formed
}
const signOf = (kind: 'hello' | 'reset', place: Place): string =>
  `id: ${idOf(place)}\nevent: ${kind}\ndata: {}\n\n`

/** The missed events, each with the place that it brings the browser to. */
const missedTexts = (b: Browser, rows: LiveRow[], from: Place, to: Place): string[] =>
  rows
    .map((row) => ({ row, how: hearing(b, row) }))
    .filter(({ how }) => how)
    .map(({ how, row }) => {
      const high = Math.max(from.high, row.seq)
      const missing = [
        ...to.missing.filter(([first]) => first <= row.seq),
        ...from.missing.filter(([first]) => first > row.seq),
      ]
      return textOf(toldTo(how, row), { high, missing })
    })

export interface Live {
  feature: Feature
  /** Number of browsers that listen. */
  streams(): number
  close(): void
}

/**
 * Committed changes → the browsers that may see them. Each server process reads the same table after a NOTIFY,
 * so a browser may be connected to any of them.
 */
export function startLive(db: Database, book: () => AccessBook, warn: (error: unknown) => void): Live {
  const browsers = new Set<Browser>()
  const sockets = new WeakSet<Socket>()
  const people = new Map<string, number>()

  let rows: ReadonlyMap<Browser, Told> = new Map()
  // While changes of access cannot be heard nobody is told more than that something changed.
  let isHearing = false
  let renewals = 0
  const feed = startFeed(
    db,
    {
      async coming(news) {
        rows = (isHearing && (await within(rowsFor(db, news, browsers, alarmsNow), warn))) || new Map()
      },
      row(row, place) {
        const texts = new Map<string | undefined, string>()
        const heard = new Map<Heard, Hearing>()
        const howItHears = (b: Browser) => {
          if (!heard.has(b.heard)) heard.set(b.heard, hears(b.heard, b.scope, row))
          return heard.get(b.heard)
        }
        for (const b of browsers) {
          if (!isBeyond(b.told, row.seq) || !concerns(b, row)) continue
          const how = howItHears(b)
          if (!how) continue
          if (how === 'receiver') {
            b.stream.write(known(textOf(toldTo(how, row), place)))
            continue
          }
          const told = rows.get(b)
          const shown = isHearing && told?.as === b.alarms ? told?.rows.get(row.ref_id) : undefined
          const text =
            texts.get(shown) ?? known(textOf(row, place, row.topic === 'alarm' ? shown : undefined))
          texts.set(shown, text)
          b.stream.write(text)
        }
      },
      lost(place) {
        for (const b of browsers) {
          b.told = place
          b.stream.write(known(signOf('reset', place)))
        }
      },
    },
    warn,
  )
  const look = () => void feed.look().catch(warn)
  /** What a browser fetches because of a message is not older than the message (docs/decisions/0180). */
  const known = (text: string, at = feed.knownAt()) => (db.replicated ? `seen: ${at}\n${text}` : text)

  /** Where they read the alarms' list now, as a call of theirs would be judged. */
  async function alarmsNow(some: readonly Browser[]): Promise<ReadonlyMap<Browser, Scope | undefined>> {
    const found = await book().findAll([...new Set(some.map((b) => b.token))])
    return new Map(
      some.map((b) => {
        const now = found.get(b.token)
        return [b, now?.kind === 'user' ? reachesOf(now.user).alarms : undefined]
      }),
    )
  }

  /** A session that ended is cut, a reach that changed is renewed: the stream never outlives the right to it. */
  async function check(concerned: (b: Browser) => boolean): Promise<void> {
    const tokens = (wanted: (b: Browser) => boolean) => [
      ...new Set([...browsers].filter(wanted).map((b) => b.token)),
    ]
    const ended = await book().ended(tokens(() => true))
    for (const b of browsers) if (ended.has(b.token)) b.stream.end()
    const found = await book().findAll(tokens(concerned))
    for (const b of browsers) {
      const now = found.get(b.token)
      if (now?.kind !== 'user') continue
      const { scope, version, knownAt } = now.user
      const changed = version !== b.version || JSON.stringify(scope) !== JSON.stringify(b.scope)
      b.scope = scope
      Object.assign(b, reachesOf(now.user))
      b.version = version
      if (changed) b.stream.write(known(ACCESS, knownAt))
    }
  }
  let checking: Promise<void> | undefined
  let asked: ((b: Browser) => boolean) | undefined
  function recheck(concerned: (b: Browser) => boolean): void {
    if (asked !== everybody) asked = concerned
    checking ??= (async () => {
      while (asked) {
        const wanted = asked
        asked = undefined
        await check(wanted).catch(warn)
      }
      checking = undefined
    })()
  }

  const events = db.listen('live', look, undefined, look)
  /** Until everybody's access is known anew, nobody is told a row. */
  function renew(): void {
    const mine = (renewals += 1)
    isHearing = false
    recheck(everybody)
    void checking?.then(() => {
      if (mine === renewals) isHearing = true
    })
  }
  const access = db.listen(
    'access',
    () => {
      book().forget()
      renew()
    },
    () => {
      renewals += 1
      isHearing = false
      book().hear(false)
    },
    () => {
      book().hear(true)
      renew()
    },
  )
  const beat = setInterval(() => {
    for (const b of browsers) b.stream.write(': still here\n\n')
    recheck(ofSites)
  }, BEAT_MS)

  const feature = serve(liveApi, {
    async stream(_input, call) {
      const reply = call.reply.raw
      const { socket } = call.request
      const asked = call.request.headers['last-event-id']
      if (socket.destroyed) return
      if (browsers.size >= MAX_BROWSERS) throw new Refused('实时连接太多，请稍后再试', 503, 503)
      if ((people.get(call.user.id) ?? 0) >= MAX_A_PERSON)
        throw new Refused(`您打开的页面太多（最多 ${MAX_A_PERSON} 个实时连接），请关掉一些`, 429, 429)
      // A second answer on this socket would wait for the end of the first.
      if (sockets.has(socket)) throw new Refused('这个连接上已经有实时消息', 400, 400)
      sockets.add(socket)
      const { id, scope, version } = call.user
      const stream = liveStream(reply, () => {
        sockets.delete(socket)
        browsers.delete(browser)
        const left = (people.get(id) ?? 1) - 1
        if (left) people.set(id, left)
        else people.delete(id)
      })
      people.set(id, (people.get(id) ?? 0) + 1)
      const told: Place = { high: Number.MAX_SAFE_INTEGER, missing: [] }
      const token = String(call.request.headers.token)
      const browser: Browser = { token, scope, ...reachesOf(call.user), version, user: id, stream, told }
      // From the first line on it can be cut like any other: by its end, by its session's end, by ours.
      browsers.add(browser)
      await feed.ready().catch((error: unknown) => {
        stream.leave()
        throw error
      })
      if (!stream.open()) return
      call.reply.hijack()
      reply.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        // The socket ends with it: nothing else is asked over it.
        connection: 'close',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-accel-buffering': 'no',
        'x-access-version': version,
      })
      socket.setTimeout(0)
      await begin(browser, asked === undefined ? undefined : String(asked))
    },
  })

  /** What was missed since the browser's last message; too much of it is one `reset`, and the browser fetches anew. */
  async function begin(b: Browser, asked: string | undefined): Promise<void> {
    const here = feed.place()
    const from = asked === undefined ? undefined : placeOf(asked)
    // From now on the feed tells it every row beyond here; what it missed lies before, and nothing between.
    b.told = from ?? here
    const rows = from && (await feed.missed(b.scope.tenant, from, here).catch(warn))
    if (from && rows) {
      const missed = missedTexts(b, rows, from, here).map((text) => known(text))
      return b.stream.begin(HELLO + missed.join(''))
    }
    if (from && rows === undefined) return b.stream.cut()
    b.stream.begin(HELLO + known(signOf(asked === undefined ? 'hello' : 'reset', here)))
  }

  return {
    feature,
    streams: () => browsers.size,
    close() {
      clearInterval(beat)
      feed.close()
      for (const b of browsers) b.stream.end()
      void events.close()
      void access.close()
    },
  }
}
