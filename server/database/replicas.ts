import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

import { bool, int8, row, type Row, text } from '../kit/row.ts'
import { ask } from './ask.ts'
import type { Declared } from './pipeline.ts'
import { OURS, type Pool, poolOf, type PoolUse } from './pools.ts'

/**
 * Where a call stands in the primary's log: nothing that is read for it is older than what its caller has seen, and
 * one call reads in one place (docs/decisions/0180). Who does not say what they have seen is answered by the primary.
 */
export class Reader {
  /** The server where this call reads; null is the primary. */
  from: Replica | null | undefined
  private seen: number | undefined
  private readonly tell: (place: number) => void

  constructor(seen: number | undefined, tell: (place: number) => void) {
    this.seen = seen
    this.tell = tell
    if (seen === undefined) this.from = null
    else tell(seen)
  }
  get place(): number | undefined {
    return this.seen
  }
  saw(place: number): void {
    if (this.seen !== undefined && place <= this.seen) return
    this.seen = place
    this.tell(place)
  }
  /** The same caller in a place of its own, for what takes long. */
  apart(): Reader {
    return new Reader(this.seen, () => {})
  }
}

/** What a replica answered with is from before what it was asked for, or its connection was lost on the way. */
export class Behind extends Error {}

export interface Replica {
  readonly name: string
  readonly app: Pool
  readonly exporting: Pool
  /** The place in the primary's log that it has replayed, as last heard; -1 while nothing is known. */
  at: number
  heardAt: number
  reads: number
  /** What began here and was answered by the primary. */
  fallbacks: number
}
export interface ReplicaUse {
  name: string
  inUse: boolean
  /** Infinity while it is not known. */
  lagSeconds: number
  reads: number
  fallbacks: number
}
export interface Replicas {
  /** One that has replayed up to there and follows closely; nobody answers null, which is the primary. */
  choose(place: number): Replica | null
  use(): ReplicaUse[]
  pools(): PoolUse[]
  close(): Promise<void>
}

const POLL_MS = 100
const BACK_MS = 300
/** Who says nothing for so long is not asked any more, and what runs there is given up. */
const SILENT_MS = 1_000
/** Who has written nothing themselves is not told what is older than this. */
const MAX_LAG_MS = 2_000
const REMEMBERED = 100

/** What the place in the log is when something has been read: at least so far, and at most. */
export interface Standing {
  place: number | null
  shown: number | null
}
const place = (lsn: string) => `(${lsn} - '0/0')::bigint`
const asking = (name: string, text: string): Declared => ({
  family: name,
  written: text,
  columns: row({ place: int8.null, shown: int8.null }),
  name,
  text,
})
/** What a transaction sees is no newer than `shown` after it; on the primary this stands behind a COMMIT too. */
export const PLACE = asking(
  'place.primary',
  `SELECT p.place, p.place AS shown FROM (SELECT ${place('pg_current_wal_insert_lsn()')} AS place) p`,
)
/**
 * A promoted replica goes on in a log of its own: this stays where it left ours. A commit can be read there a moment
 * before it counts as replayed, and a replica that starts again begins behind it: nothing that it showed is newer than
 * what it had received.
 */
export const REPLAYED = asking(
  'place.replica',
  `SELECT ${place('pg_last_wal_replay_lsn()')} AS place,
     ${place('greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn())')} AS shown`,
)
const PRIMARY = `SELECT ${place('pg_current_wal_insert_lsn()')} AS place,
  ${place('pg_current_wal_flush_lsn()')} AS flushed,
  (SELECT system_identifier::text FROM pg_control_system()) AS system`
const FOLLOWER = `SELECT pg_is_in_recovery() AS follows, ${place('pg_last_wal_replay_lsn()')} AS place,
  (SELECT system_identifier::text FROM pg_control_system()) AS system`

/** The same login at another address. */
export function loginAt(login: string, replica: string): string {
  const [url, { host, search }] = [new URL(login), new URL(replica)]
  url.host = host
  if (!new URL(replica).port) url.port = ''
  url.search = search
  return url.href
}

/** Asks one question again and again over a connection of its own, and says when it was lost. */
function poll<R>(
  url: string,
  columns: Row<R>,
  question: string,
  hear: (row: R) => void,
  lost: () => void,
): { close(): Promise<void> } {
  let closed = false
  let current: pg.Client | undefined
  const run = async () => {
    while (!closed) {
      const client = new pg.Client({
        connectionString: url,
        application_name: OURS,
        connectionTimeoutMillis: SILENT_MS,
        query_timeout: SILENT_MS,
      })
      current = client
      client.on('error', lost)
      client.on('end', lost)
      try {
        await client.connect()
        while (!closed) {
          hear((await ask(client, columns, question))[0]!)
          await sleep(POLL_MS)
        }
      } catch {
        lost()
        if (!closed) await sleep(BACK_MS)
      } finally {
        void client.end().catch(() => {})
      }
    }
  }
  const done = run()
  return {
    async close() {
      closed = true
      void current?.end().catch(() => {})
      await done
    },
  }
}

/** Follows every replica's place in the log from here, so that choosing one asks nobody. */
export function replicasOf(
  login: string,
  urls: readonly string[],
  max: number,
  exports: number,
  statementMs: number,
): Replicas {
  const all = urls.map((url): Replica => {
    const [name, there] = [new URL(url).host, loginAt(login, url)]
    return {
      name,
      app: poolOf(`replica ${name}`, there, max, statementMs),
      exporting: poolOf(`replica export ${name}`, there, exports, statementMs),
      at: -1,
      heardAt: -Infinity,
      reads: 0,
      fallbacks: 0,
    }
  })
  /** Places of the primary by moment, oldest first: a replica lags since the first that it has not reached. */
  let stood: { at: number; flushed: number }[] = []
  /** Objects that stood in the primary before us, our own migrations among it. */
  let base = Infinity
  let system = ''
  let next = 0

  const lose = (replica: Replica) => {
    if (replica.at < 0) return
    replica.at = -1
    for (const pool of [replica.app, replica.exporting])
      pool.drop(new Error('Connection to the replica lost'))
  }
  const polls = [
    poll(
      login,
      row({ place: int8, flushed: int8, system: text }),
      PRIMARY,
      (row) => {
        if (base === Infinity) base = row.place
        system = row.system
        stood = [...stood.slice(1 - REMEMBERED), { at: performance.now(), flushed: row.flushed }]
      },
      () => {},
    ),
    ...all.map((replica, i) =>
      poll(
        loginAt(login, urls[i]!),
        row({ follows: bool, place: int8.null, system: text }),
        FOLLOWER,
        (row) => {
          // One that was promoted, or follows somebody else, has nothing to say about ours.
          if (!row.follows || row.system !== system || row.place === null) return lose(replica)
          replica.at = row.place
          replica.heardAt = performance.now()
        },
        () => lose(replica),
      ),
    ),
  ]

  function lagMs(replica: Replica): number {
    const now = performance.now()
    const newest = stood.at(-1)
    const isUnknown = !newest || now - newest.at > MAX_LAG_MS || now - replica.heardAt > SILENT_MS
    if (isUnknown || replica.at < 0) return Infinity
    const missing = stood.find((s) => s.flushed > replica.at)
    return missing ? now - missing.at : 0
  }
  const inUse = (replica: Replica) => replica.at >= base && lagMs(replica) <= MAX_LAG_MS

  return {
    choose(wanted) {
      for (let i = 0; i < all.length; i += 1) {
        const replica = all[(next += 1) % all.length]!
        if (replica.at >= wanted && inUse(replica)) return replica
      }
      return null
    },
    use: () =>
      all.map((replica) => ({
        name: replica.name,
        inUse: inUse(replica),
        lagSeconds: lagMs(replica) / 1_000,
        reads: replica.reads,
        fallbacks: replica.fallbacks,
      })),
    pools: () => all.flatMap(({ app, exporting }) => [app.use(), exporting.use()]),
    async close() {
      await Promise.all(polls.map((one) => one.close()))
      await Promise.all(all.flatMap(({ app, exporting }) => [app.end(), exporting.end()]))
    },
  }
}
