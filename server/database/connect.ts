import pg from 'pg'

import type { Result, Scope, Tx } from '../kit/tx.ts'
import type { Logins } from './migrate.ts'
import { sendAll, type Statement } from './pipeline.ts'

export type { Scope, Tx } from '../kit/tx.ts'

export interface Database {
  tx<T>(scope: Scope, fn: (tx: Tx) => Promise<T>, options?: { readOnly?: boolean }): Promise<T>
  listen(
    channel: string,
    onMessage: (payload: string) => void,
    onDown?: () => void,
    onUp?: () => void,
  ): { close(): Promise<void> }
  close(): Promise<void>
}
/** The database cannot be reached; the same call may work in a moment. */
export class DatabaseDown extends Error {}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const STATEMENT_MS = 15_000
const RETRIES = 3
const MAX_NAMES = 500
const RETRY_CODES = new Set(['40001', '40P01'])
const DOWN =
  /^(08|57P0)|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|terminat|timeout exceeded when trying to connect|Connection|shutting down/

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

const names = new Map<string, string>()
/** Scopes are many where people see single sites: they must not take the statements' names. */
const scopes = new Map<string, string>()
function nameOf(family: string, text: string, known = names): string | undefined {
  const old = known.get(text)
  if (old) return old
  if (known.size >= MAX_NAMES) return undefined
  const name = `${family}.${known.size}`
  known.set(text, name)
  return name
}

const checked = (id: string): string => {
  if (!UUID.test(id)) throw new Error(`not an id: ${id}`)
  return id
}
const listOf = (ids: string[] | null): string => (ids === null ? '*' : `{${ids.map(checked).join(',')}}`)

/** What a transaction begins with. Ids are checked, so nothing but ids reaches the text; the server's own login needs no scope. */
function opening(scope: Scope, readOnly: boolean): Statement[] {
  const begin = readOnly ? BEGIN_READ : BEGIN
  if (scope.system) return [begin]
  const set = (name: string, value: string): Statement => {
    const text = `SET LOCAL app.${name}='${value}'`
    return { name: nameOf('scope', text, scopes), text }
  }
  return [
    begin,
    set('tenant', checked(scope.tenant)),
    set('bcs', listOf(scope.bcs)),
    set('sites', listOf(scope.sites)),
  ]
}

const asDown = (error: unknown): unknown => {
  const e = error as { code?: string; message?: string }
  return DOWN.test(`${e.code ?? ''}`) || (!e.code && DOWN.test(e.message ?? ''))
    ? new DatabaseDown(e.message)
    : error
}

export interface ConnectOptions {
  max?: number
  /** Where `:now` in a statement comes from; never the database's own clock, which may stand elsewhere. */
  now?: () => Date
}

export function connect(logins: Logins, { max = 10, now = () => new Date() }: ConnectOptions = {}): Database {
  const poolOf = (url: string, size: number) => {
    // Compiling a statement takes longer than any of ours may run.
    const pool = new pg.Pool({
      connectionString: url,
      max: size,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 60_000,
      statement_timeout: STATEMENT_MS,
      idle_in_transaction_session_timeout: 60_000,
      options: '-c jit=off',
    })
    // A connection that dies while idle must not end the process; the next call gets another.
    pool.on('error', () => {})
    return pool
  }
  const app = poolOf(logins.app, max)
  const system = poolOf(logins.system, Math.max(2, max >> 1))

  async function once<T>(scope: Scope, fn: (tx: Tx) => Promise<T>, readOnly: boolean): Promise<T> {
    // What waits for the next network write: the beginning, and statements whose answers nobody needs.
    let waiting = opening(scope, readOnly)
    let client: pg.PoolClient
    try {
      client = await (scope.system ? system : app).connect()
    } catch (error) {
      throw asDown(error)
    }
    let broken: Error | undefined
    const onError = (error: Error) => (broken = error)
    client.on('error', onError)
    let ended = false
    let committed = false
    const release = (error?: Error) => {
      client.off('error', onError)
      client.release(error ?? broken)
    }
    const effects: (() => void)[] = []
    const send = (...more: Statement[]): Promise<Result<never>[]> => {
      if (ended) throw new Error('the transaction has ended')
      const all = [...waiting, ...more]
      waiting = []
      return sendAll(client, all) as Promise<unknown> as Promise<Result<never>[]>
    }
    const at = now()
    const statement = (family: string, text: string, values: unknown[] = []): Statement => {
      const whole = clocked(text, values, at)
      return { name: nameOf(family, whole.text), ...whole }
    }
    const commit = async (...before: Statement[]) => {
      const sent = send(...before, COMMIT)
      ended = true
      const results = await sent
      committed = true
      return results
    }
    const tx: Tx = {
      now: at,
      query: async (family, text, values) => (await send(statement(family, text, values))).at(-1)!,
      last: async (family, text, values) =>
        readOnly ? (await commit(statement(family, text, values))).at(-2)! : tx.query(family, text, values),
      send: (family, text, values) => void waiting.push(statement(family, text, values)),
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
      else await client.query('ROLLBACK').then(() => release(), release)
      throw asDown(error)
    }
  }

  return {
    async tx(scope, fn, { readOnly = false } = {}) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(scope, fn, readOnly)
        } catch (error) {
          if (attempt >= RETRIES || !RETRY_CODES.has((error as { code?: string }).code ?? '')) throw error
        }
      }
    },
    listen(channel, onMessage, onDown = () => {}, onUp = () => {}) {
      let closed = false
      let client: pg.Client | undefined
      let timer: NodeJS.Timeout | undefined
      const again = () => {
        onDown()
        client?.removeAllListeners()
        client?.on('error', () => {})
        client?.end().catch(() => {})
        client = undefined
        if (!closed) timer = setTimeout(open, 300)
      }
      async function open() {
        const c = new pg.Client({ connectionString: logins.system, keepAlive: true })
        client = c
        c.on('error', () => client === c && again())
        c.on('end', () => client === c && !closed && again())
        c.on('notification', (n) => onMessage(n.payload ?? ''))
        try {
          await c.connect()
          await c.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
          onUp()
        } catch {
          if (client === c) again()
        }
      }
      void open()
      return {
        async close() {
          closed = true
          clearTimeout(timer)
          await client?.end().catch(() => {})
        },
      }
    },
    close: async () => void (await Promise.all([app.end(), system.end()])),
  }
}
