import pg from 'pg'

import type { Result, Scope, Tx } from '../kit/tx.ts'
import { channels, type Channels } from './channels.ts'
import type { Logins, Reach } from './migrate.ts'
import { sendAll, type Statement } from './pipeline.ts'
import { type Borrowed, poolOf, type PoolUse, STATEMENT_MS } from './pools.ts'

export type { Scope, Tx } from '../kit/tx.ts'

export interface TxOptions {
  readOnly?: boolean
  /** What may take as long as its reader: it has connections of its own, so that it never takes everybody's. */
  export?: boolean
  /** Of the server's own long work: how long one statement may take. */
  patience?: number
}
export interface Database extends Pick<Channels, 'listen'> {
  tx<T>(scope: Scope, fn: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>
  pools(): PoolUse[]
  close(): Promise<void>
}
/** The database cannot be reached; the same call may work in a moment. */
export class DatabaseDown extends Error {}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const EXPORTS = 4
const RETRIES = 3
const MAX_NAMES = 500
const RETRY_CODES = new Set(['40001', '40P01'])
const DOWN =
  /^(08|57P0)|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|terminat|timeout exceeded when trying to connect|timeout expired|Connection|shutting down/

const BEGIN = { name: 'begin', text: 'BEGIN' }
const BEGIN_READ = { name: 'begin.read', text: 'BEGIN READ ONLY' }
const COMMIT = { name: 'commit', text: 'COMMIT' }

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

type Names = Map<string, string>
/** A statement is planned for the role that runs it: under another reach the same text has another name. */
const names: Record<Reach | 'listed', Names> = { tenant: new Map(), branch: new Map(), listed: new Map() }
/** Scopes are many where people see single sites: they must not take the statements' names. */
const scopes: Names = new Map()
function nameOf(family: string, text: string, known: Names, reach = ''): string | undefined {
  const old = known.get(text)
  if (old) return old
  if (known.size >= MAX_NAMES) return undefined
  const name = `${family}.${reach}${known.size}`
  known.set(text, name)
  return name
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
function opening(scope: Scope, readOnly: boolean, reach: Reach | undefined, role: string): Statement[] {
  const begin = readOnly ? BEGIN_READ : BEGIN
  if (scope.system) return [begin]
  const local = (text: string): Statement => ({
    name: nameOf('scope', text, scopes),
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

interface Asked {
  statement: Statement
  resolve: (result: Result<never>) => void
  reject: (error: Error) => void
}
export interface ConnectOptions {
  max?: number
  /** Where `:now` in a statement comes from; never the database's own clock, which may stand elsewhere. */
  now?: () => Date
  /** How long a statement may take, and so how long a call waits for the database. */
  statementMs?: number
}

export function connect(
  logins: Logins,
  { max = 10, now = () => new Date(), statementMs = STATEMENT_MS }: ConnectOptions = {},
): Database {
  const app = poolOf('app', logins.app, max, statementMs)
  const exporting = poolOf('export', logins.app, EXPORTS, statementMs)
  const system = poolOf('system', logins.system, Math.max(2, max >> 1), statementMs)
  const told = channels(logins.system)
  const roles = logins.reach && {
    tenant: pg.escapeIdentifier(logins.reach.tenant),
    branch: pg.escapeIdentifier(logins.reach.branch),
  }

  async function once<T>(scope: Scope, fn: (tx: Tx) => Promise<T>, o: TxOptions): Promise<T> {
    const { readOnly = false, patience } = o
    // What waits for the next network write: the beginning, and statements whose answers nobody needs.
    const reach = roles && narrowOf(scope)
    const role = reach ? roles[reach] : ''
    let waiting = opening(scope, readOnly, reach, role)
    if (patience) waiting.push({ text: `SET LOCAL statement_timeout = ${Math.trunc(patience)}` })
    let borrowed: Borrowed
    try {
      borrowed = await poolFor(scope, o).borrow()
    } catch (error) {
      throw asDown(error)
    }
    const { client, release } = borrowed
    const within = <R>(work: () => Promise<R>) => borrowed.within(patience ?? statementMs, work)
    let ended = false
    let committed = false
    const effects: (() => void)[] = []
    const send = (...more: Statement[]): Promise<Result<never>[]> => {
      if (ended) throw new Error('the transaction has ended')
      const all = [...waiting, ...more]
      waiting = []
      return within(() => sendAll(client, all)) as Promise<unknown> as Promise<Result<never>[]>
    }
    const at = now()
    const statement = (family: string, text: string, values: unknown[] = []): Statement => {
      const whole = clocked(text, values, at)
      return { name: nameOf(family, whole.text, names[reach ?? 'listed'], reach), ...whole }
    }
    let asked: Asked[] = []
    /** Questions asked together travel together: each gets its own answer, and all the failure of the first that fails. */
    const flush = () => {
      const together = asked
      asked = []
      if (together.length === 0) return
      const statements = [...waiting, ...together.map((a) => a.statement)]
      const before = waiting.length
      waiting = []
      within(() => sendAll(client, statements)).then(
        (results) => together.forEach((a, i) => a.resolve(results[before + i] as unknown as Result<never>)),
        (error: Error) => together.forEach((a) => a.reject(error)),
      )
    }
    const ask = (one: Statement): Promise<Result<never>> => {
      if (ended) throw new Error('the transaction has ended')
      return new Promise((resolve, reject) => {
        asked.push({ statement: one, resolve, reject })
        if (asked.length === 1) queueMicrotask(flush)
      })
    }
    const commit = async (...before: Statement[]) => {
      flush()
      const sent = send(...before, COMMIT)
      ended = true
      const results = await sent
      committed = true
      return results
    }
    const tx: Tx = {
      now: at,
      query: (family, text, values) => ask(statement(family, text, values)),
      last: async (family, text, values) =>
        readOnly ? (await commit(statement(family, text, values))).at(-2)! : tx.query(family, text, values),
      send(family, text, values) {
        flush()
        waiting.push(statement(family, text, values))
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
        if (((await commit()).at(-1) as unknown as { command: string }).command !== 'COMMIT')
          throw new Error('the transaction was rolled back')
        release()
        for (const effect of effects) effect()
      }
      return result
    } catch (error) {
      if (committed) release()
      else await within(() => client.query('ROLLBACK')).then(() => release(), release)
      throw asDown(error)
    }
  }

  function poolFor(scope: Scope, o: TxOptions) {
    if (scope.system) return system
    return o.export ? exporting : app
  }

  return {
    async tx(scope, fn, options = {}) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(scope, fn, options)
        } catch (error) {
          if (attempt >= RETRIES || !RETRY_CODES.has((error as { code?: string }).code ?? '')) throw error
        }
      }
    },
    listen: told.listen,
    pools: () => [app, exporting, system].map((pool) => pool.use()),
    close: async () => void (await Promise.all([app.end(), exporting.end(), system.end()])),
  }
}
