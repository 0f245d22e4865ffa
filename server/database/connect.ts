import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

import type { Row } from '../kit/row.ts'
import type { Result, Scope, Tx } from '../kit/tx.ts'
import { channels, type Channels } from './channels.ts'
import type { Logins, Reach } from './migrate.ts'
import { type Declared, sendAll, type Statement } from './pipeline.ts'
import { type Borrowed, type Pool, poolOf, type PoolUse, STATEMENT_MS } from './pools.ts'
import {
  Behind,
  PLACE,
  Reader,
  REPLAYED,
  type Replica,
  replicasOf,
  type ReplicaUse,
  type Standing,
} from './replicas.ts'
import { type Book, nameOf, newBook } from './statement-names.ts'

export type { Scope, Tx } from '../kit/tx.ts'
export type { Reader } from './replicas.ts'

export interface TxOptions {
  readOnly?: boolean
  /** What may take as long as its reader: it has connections of its own, so that it never takes everybody's. */
  export?: boolean
  /** Of the server's own long work: how long one statement may take. */
  patience?: number
  /** For whom: what only reads may then be answered by a replica. */
  reader?: Reader | undefined
}
export interface Database extends Pick<Channels, 'listen'> {
  tx<T>(scope: Scope, fn: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>
  /** One call's place in the log; nobody needs one where there is no replica. */
  readerOf(seen: number | undefined, tell: (place: number) => void): Reader | undefined
  /** Whether there are replicas at all. */
  readonly replicated: boolean
  /** Whether who was refused a connection last would get one now; throws DatabaseDown where not. */
  admits(): Promise<void>
  replicas(): ReplicaUse[]
  pools(): PoolUse[]
  close(): Promise<void>
}
/** The database cannot be reached; the same call may work in a moment. */
export class DatabaseDown extends Error {}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const EXPORTS = 4
/** The server's own work has half as many as people. */
export const systemOf = (max: number): number => Math.max(2, max >> 1)
const RETRIES = 5
/** Whoever lost to another writer waits up to so long, so that the same do not meet again. */
const RETRY_MS = 200
/** Two writers waited for each other, or read what the other wrote: the same work may be done again. */
const RETRY_CODES = new Set(['40001', '40P01'])
export const isContended = (error: unknown): boolean =>
  RETRY_CODES.has((error as { code?: string }).code ?? '')
const DOWN =
  /^(08|57P0)|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|terminat|timeout exceeded when trying to connect|timeout expired|[Cc]onnection|shutting down/

const BEGIN = { name: 'begin', text: 'BEGIN' }
const BEGIN_READ = { name: 'begin.read', text: 'BEGIN READ ONLY' }
const COMMIT = { name: 'commit', text: 'COMMIT' }
const ROLLBACK = { text: 'ROLLBACK' }

pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1082, (v) => v)
pg.types.setTypeParser(1700, (v) => v)

const NOW = /(?<!:):now\b/g
/** `:now` in a statement's text is the instant of its transaction, by the server's clock: one more value. */
export function clocked(
  text: string,
  values: readonly unknown[],
  at: Date,
): { text: string; values: readonly unknown[] } {
  if (!text.includes(':now')) return { text, values }
  return { text: text.replaceAll(NOW, `$${values.length + 1}::timestamptz`), values: [...values, at] }
}

const checked = (id: string): string => {
  if (!UUID.test(id)) throw new Error(`not an id: ${id}`)
  return id
}
const listOf = (ids: string[] | null): string => (ids === null ? '*' : `{${ids.map(checked).join(',')}}`)

const none = (ids: readonly string[] | null | undefined): boolean => !ids?.length
/** The whole tenant, and one branch with nothing beside it, have a role of their own; every other reach keeps the login's rule. */
function narrowOf({ system, bcs, sites, stores, receivers }: Scope): Reach | undefined {
  if (system || sites) return undefined
  if (!bcs) return 'tenant'
  const alone = bcs.length === 1 && none(stores) && receivers?.length === 1 && receivers[0] === bcs[0]
  return alone ? 'branch' : undefined
}

/**
 * What a transaction begins with: the role of its reach, where that has one, and what is in reach. Ids are checked, so nothing
 * but ids reaches the text; the server's own login needs no scope.
 */
function opening(
  book: Book,
  scope: Scope,
  readOnly: boolean,
  reach: Reach | undefined,
  role: string,
): Statement[] {
  const begin = readOnly ? BEGIN_READ : BEGIN
  if (scope.system) return [begin]
  const local = (text: string): Statement => ({
    name: nameOf('scope', text, book.scopes),
    text: `SET LOCAL ${text}`,
  })
  const set = (name: string, value: string): Statement => local(`app.${name}='${value}'`)
  const tenant = set('tenant', checked(scope.tenant))
  if (reach === 'tenant') return [begin, local(`ROLE ${role}`), tenant]
  if (reach === 'branch') return [begin, local(`ROLE ${role}`), tenant, set('bc', checked(scope.bcs![0]!))]
  return [
    begin,
    tenant,
    set('bcs', listOf(scope.bcs)),
    set('sites', listOf(scope.sites)),
    ...(scope.stores?.length ? [set('stores', listOf(scope.stores))] : []),
    ...(scope.receivers?.length ? [set('receivers', listOf(scope.receivers))] : []),
  ]
}

const asDown = (error: unknown): unknown => {
  const e = error as { code?: string; message?: string }
  return DOWN.test(`${e.code ?? ''}`) || (!e.code && DOWN.test(e.message ?? ''))
    ? new DatabaseDown(e.message)
    : error
}

/** The database stands and takes nobody in: no such database, no such login, not this password, not now. */
const SHUT = /^(28...|3D000|55000)$/
/** The error of the last try to connect: until somebody mends it everybody gets the same answer. */
const asShut = (error: unknown): unknown => {
  const { code = '', message } = error as { code?: string; message?: string }
  return SHUT.test(code) ? new DatabaseDown(message) : asDown(error)
}

type Watch = (statement: Declared, answer: pg.QueryResult) => void
let watch: Watch | undefined
/** Every statement's answer is shown to `watcher` before anybody gets it; only tests watch. */
export const watchAnswers = (watcher: Watch): void => {
  watch = watcher
}
/** The calls that another server of the same data may answer. */
const isLost = (error: unknown): boolean =>
  error instanceof DatabaseDown ||
  error instanceof Behind ||
  RETRY_CODES.has((error as { code?: string }).code ?? '')
/** Says when rows have gone to whoever asked: what they became cannot be taken back. */
const watched = (tx: Tx, told: () => void): Tx => ({
  ...tx,
  async query(family, columns, text, values) {
    const found = await tx.query(family, columns, text, values)
    if (found.rows.length) told()
    return found
  },
})

interface Asked {
  statement: Declared
  resolve: (result: Result<never>) => void
  reject: (error: Error) => void
}
export interface ConnectOptions {
  max?: number
  /** Number of connections exports have. */
  exports?: number
  /** The source of `:now` in a statement; never the database's own clock, which may stand elsewhere. */
  now?: () => Date
  /** How long a statement may take, and so how long a call waits for the database. */
  statementMs?: number
  /** Addresses of streaming replicas. */
  replicas?: readonly string[] | undefined
}

export function connect(
  logins: Logins,
  {
    max = 10,
    exports = EXPORTS,
    now = () => new Date(),
    statementMs = STATEMENT_MS,
    replicas: urls = [],
  }: ConnectOptions = {},
): Database {
  const own = (): Pool[] => [app, exporting, system]
  const app = poolOf('app', logins.app, max, statementMs, own)
  const exporting = poolOf('export', logins.app, exports, statementMs, own)
  const system = poolOf('system', logins.system, systemOf(max), statementMs, own)
  const replicas = urls.length ? replicasOf(logins.app, urls, max, exports, statementMs) : undefined
  const told = channels(logins.system)
  const book = newBook()
  const roles = logins.reach && {
    tenant: pg.escapeIdentifier(logins.reach.tenant),
    branch: pg.escapeIdentifier(logins.reach.branch),
  }

  async function once<T>(
    scope: Scope,
    fn: (tx: Tx) => Promise<T>,
    o: TxOptions,
    replica: Replica | null = null,
  ): Promise<T> {
    const { readOnly = false, patience, reader } = o
    // What waits for the next network write: the beginning, and statements whose answers nobody needs.
    const reach = roles && narrowOf(scope)
    const role = reach ? roles[reach] : ''
    let waiting = opening(book, scope, readOnly, reach, role)
    if (patience) waiting.push({ text: `SET LOCAL statement_timeout = ${Math.trunc(patience)}` })
    let borrowed: Borrowed
    try {
      borrowed = await poolFor(scope, o, replica).borrow()
    } catch (error) {
      throw asShut(error)
    }
    const { client, release } = borrowed
    const within = <R>(work: () => Promise<R>) => borrowed.within(patience ?? statementMs, work)
    const exchange = async (statements: readonly (Statement | Declared)[]) => {
      const answers = await within(() => sendAll(client, statements))
      if (watch) for (const [i, s] of statements.entries()) if ('family' in s) watch(s, answers[i]!)
      return answers
    }
    let ended = false
    let committed = false
    const effects: (() => void)[] = []
    const send = (...more: Statement[]): Promise<Result<never>[]> => {
      if (ended) throw new Error('the transaction has ended')
      const all = [...waiting, ...more]
      waiting = []
      return exchange(all) as Promise<unknown> as Promise<Result<never>[]>
    }
    const at = now()
    const statement = (
      family: string,
      columns: Row<object> | undefined,
      written: string,
      values: unknown[] = [],
    ): Declared => {
      const whole = clocked(written, values, at)
      const name = nameOf(family, whole.text, book[reach ?? 'listed'], reach)
      return { family, columns, written, name, ...whole }
    }
    // Where the reader stands travels with what they asked: no trip of its own.
    const standing = reader ? [replica ? REPLAYED : PLACE] : []
    const stand = (result: Result<never> | undefined) => {
      const { place, shown } = (result as Result<Standing> | undefined)?.rows[0] ?? {}
      if (!reader || typeof place !== 'number') return
      if (replica && place < reader.place!) throw new Behind()
      // One that was given up meanwhile is not known again before it is asked.
      if (replica && replica.at >= 0) replica.at = Math.max(replica.at, place)
      reader.saw(shown ?? place)
    }
    let asked: Asked[] = []
    /** Questions asked together travel together: each gets its own answer, and all the failure of the first that fails. */
    const flush = () => {
      const together = asked
      asked = []
      if (together.length === 0) return
      const before = waiting.length
      const statements = [...waiting, ...together.map((a) => a.statement), ...(readOnly ? standing : [])]
      waiting = []
      exchange(statements)
        .then((answers) => {
          const results = answers as unknown as Result<never>[]
          if (readOnly) stand(results[before + together.length])
          together.forEach((a, i) => a.resolve(results[before + i]!))
        })
        .catch((error: Error) => together.forEach((a) => a.reject(error)))
    }
    const ask = (one: Declared): Promise<Result<never>> => {
      if (ended) throw new Error('the transaction has ended')
      return new Promise((resolve, reject) => {
        asked.push({ statement: one, resolve, reject })
        if (asked.length === 1) queueMicrotask(flush)
      })
    }
    const commit = async (last?: Statement) => {
      flush()
      const place = readOnly && !last ? [] : standing
      const sent = send(...(last ? [last] : []), ...(readOnly ? [...place, COMMIT] : [COMMIT, ...place]))
      ended = true
      const results = await sent
      committed = true
      const end = results.length - 1 - (readOnly ? 0 : place.length)
      if (place.length) stand(results[readOnly ? end - 1 : end + 1])
      return { found: results[readOnly ? end - place.length - 1 : end]!, end: results[end]! as object }
    }
    const tx: Tx = {
      now: at,
      query: (family, columns, text, values) => ask(statement(family, columns, text, values)),
      last: async (family, columns, text, values) =>
        readOnly
          ? (await commit(statement(family, columns, text, values))).found
          : tx.query(family, columns, text, values),
      run: (family, text, values) => ask(statement(family, undefined, text, values)),
      send(family, text, values) {
        flush()
        waiting.push(statement(family, undefined, text, values))
      },
      tell: (channel) => effects.push(() => told.tell(channel)),
      afterCommit: (effect) => effects.push(effect),
    }
    try {
      const result = await fn(tx)
      if (committed) release()
      else if (readOnly) void commit().then(() => release(), release)
      else {
        // A failure that was swallowed on the way makes COMMIT a rollback.
        if (((await commit()).end as { command: string }).command !== 'COMMIT')
          throw new Error('the transaction was rolled back')
        release()
        for (const effect of effects) effect()
      }
      return result
    } catch (error) {
      if (committed) release()
      else
        // What was done by the same command before was committed before: its place is known here as well.
        await within(() => sendAll(client, [ROLLBACK, ...(readOnly ? [] : standing)])).then((results) => {
          release()
          stand(results.at(-1) as unknown as Result<never>)
        }, release)
      throw asDown(error)
    }
  }

  function poolFor(scope: Scope, o: TxOptions, replica: Replica | null) {
    if (scope.system) return system
    const at = replica ?? { app, exporting }
    return o.export ? at.exporting : at.app
  }

  /** At a replica where one has what the reader has seen; whatever it fails in the primary does instead. */
  async function read<T>(scope: Scope, fn: (tx: Tx) => Promise<T>, o: TxOptions, reader: Reader): Promise<T> {
    if (reader.from === undefined) reader.from = replicas!.choose(reader.place!)
    const replica = reader.from
    if (!replica) return once(scope, fn, o)
    let isTold = false
    try {
      replica.reads += 1
      return await once(scope, (tx) => fn(o.export ? watched(tx, () => (isTold = true)) : tx), o, replica)
    } catch (error) {
      if (isTold || !isLost(error)) throw error
      replica.fallbacks += 1
      reader.from = null
      return once(scope, fn, o)
    }
  }

  return {
    async tx(scope, fn, options = {}) {
      const { reader, readOnly } = options
      // Whoever has written reads on where they wrote.
      if (reader && !readOnly) reader.from = null
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await (reader && readOnly ? read(scope, fn, options, reader) : once(scope, fn, options))
        } catch (error) {
          if (attempt >= RETRIES || !isContended(error)) throw error
          await sleep(Math.random() * RETRY_MS * attempt)
        }
      }
    },
    listen: told.listen,
    replicated: !!replicas,
    async admits() {
      try {
        await Promise.all(own().map((pool) => pool.admits()))
      } catch (error) {
        throw asShut(error)
      }
    },
    readerOf: (seen, tell) => (replicas ? new Reader(seen, tell) : undefined),
    replicas: () => replicas?.use() ?? [],
    pools: () => [...own().map((pool) => pool.use()), ...(replicas?.pools() ?? [])],
    close: async () => void (await Promise.all([...own().map((pool) => pool.end()), replicas?.close()])),
  }
}
