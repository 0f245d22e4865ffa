import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

import { int4, row } from '../kit/row.ts'
import { ask } from './ask.ts'

/** Statements end on the server's side after this long; it is the deadline of a call too (docs/decisions/0101). */
export const STATEMENT_MS = 15_000
/** How every connection of ours calls itself, so that servers of releases before are told from it (docs/decisions/0155). */
export const RELEASE = 180
export const OURS = `zhuguan ${RELEASE}`
/** PostgreSQL has no connection left; others may close theirs in a while. */
const NO_ROOM = '53300'
const ROOM_AGAIN_MS = 30_000
/** So long a pool without any connection waits for one that another gives up. */
const ROOM_WAIT_MS = 2_000
const ROOM_LOOK_MS = 50
const CONNECT_MS = 5_000
const IDLE_MS = 60_000
/** A little more than the server allows itself: whoever has not heard by then is not connected any more. */
const GRACE_MS = 500

export interface Borrowed {
  client: pg.PoolClient
  /** Runs `work` against the deadline; a connection that lets it pass is destroyed, and the pool with it is renewed. */
  within<T>(ms: number, work: () => Promise<T>): Promise<T>
  release(error?: Error): void
}
export interface PoolUse {
  name: string
  total: number
  idle: number
  waiting: number
  max: number
}
export interface Pool {
  borrow(): Promise<Borrowed>
  use(): PoolUse
  /** Throws why, if the last connection that was asked for was refused and would be now. */
  admits(): Promise<void>
  /** Closes a connection that does nothing, so that there is room for another. */
  giveUp(): Promise<void>
  /** Gives up what is under way and begins anew. */
  drop(error: Error): void
  end(): Promise<void>
}

/** Frozen for as long as nobody answers: the connection's own end is never heard. */
const destroy = (client: pg.ClientBase, error: Error): void =>
  (
    client as unknown as { connection: { stream: { destroy(error: Error): void } } }
  ).connection.stream.destroy(error)

const NOT_IN_FORCE =
  '数据库或前面的连接池没有照办程序的设置（statement_timeout），拒绝使用：请让连接池用会话模式，或直连 PostgreSQL'

/**
 * What holds for a connection is said when it stands: a pooler refuses it at the beginning. A statement has its
 * deadline, a transaction that nobody goes on with its end; compiling takes longer than any of ours may run.
 */
async function arrange(client: pg.ClientBase, statementMs: number, check: boolean): Promise<void> {
  const timer = setTimeout(
    () => destroy(client, new Error('Connection timeout: no answer from the database')),
    CONNECT_MS,
  )
  try {
    await client.query(
      `SET statement_timeout = ${statementMs}; SET idle_in_transaction_session_timeout = ${IDLE_MS}; SET jit = off`,
    )
    if (!check) return
    const asked = `SELECT setting::int4 AS ms FROM pg_settings WHERE name = 'statement_timeout'`
    if ((await ask(client, row({ ms: int4 }), asked))[0]!.ms !== statementMs) throw new Error(NOT_IN_FORCE)
  } finally {
    clearTimeout(timer)
  }
}

/** `siblings`: pools of the same database, which may have room to give. */
export function poolOf(
  name: string,
  url: string,
  max: number,
  statementMs: number,
  siblings: () => Pool[] = () => [],
): Pool {
  let isArranged = false
  /** Whether the last connection that was asked for was given; none was yet. */
  let isLetIn = false
  const fresh = () => {
    const pool = new pg.Pool({
      connectionString: url,
      application_name: OURS,
      max,
      connectionTimeoutMillis: CONNECT_MS,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      async onConnect(client) {
        await arrange(client, statementMs, !isArranged)
        isArranged = true
        isLetIn = true
      },
    })
    // A connection that dies while idle must not end the process; the next call gets another.
    pool.on('error', () => {})
    return pool
  }
  let current = fresh()
  const lent = new Set<pg.PoolClient>()
  const renew = () => {
    const before = current
    current = fresh()
    before.end().catch(() => {})
  }

  /** Where PostgreSQL has no room for another connection, those that there are go round. */
  async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
    const until = performance.now() + ROOM_WAIT_MS
    for (;;) {
      try {
        return await pool.connect()
      } catch (error) {
        isLetIn = false
        const standing = pool.idleCount + lent.size
        if ((error as { code?: string }).code !== NO_ROOM) throw error
        if (standing > 0) {
          pool.options.max = standing
          setTimeout(() => (pool.options.max = max), ROOM_AGAIN_MS).unref()
          continue
        }
        if (performance.now() > until) throw error
        await Promise.all(siblings().map((other) => other.giveUp()))
        await sleep(ROOM_LOOK_MS)
      }
    }
  }

  return {
    async borrow() {
      const pool = current
      const client = await connect(pool)
      let broken: Error | undefined
      const onError = (error: Error) => (broken = error)
      client.on('error', onError)
      lent.add(client)
      return {
        client,
        async within(ms, work) {
          const timer = setTimeout(() => {
            destroy(client, new Error('Connection timeout: no answer from the database'))
            // What lies idle beside it went through the same network: nobody should have to find out one by one.
            if (pool === current) renew()
          }, ms + GRACE_MS)
          try {
            return await work()
          } finally {
            clearTimeout(timer)
          }
        },
        release(error) {
          lent.delete(client)
          client.off('error', onError)
          client.release(error ?? broken)
        },
      }
    },
    use: () => ({
      name,
      total: current.totalCount,
      idle: current.idleCount,
      waiting: current.waitingCount,
      max,
    }),
    async admits() {
      if (isLetIn) return
      const client = new pg.Client({
        connectionString: url,
        application_name: OURS,
        connectionTimeoutMillis: CONNECT_MS,
      })
      client.on('error', () => {})
      await client.connect()
      await client.end()
      isLetIn = true
    },
    async giveUp() {
      if (current.idleCount > 0) (await current.connect()).release(true)
    },
    drop(error) {
      for (const client of lent) destroy(client, error)
      renew()
    },
    end: () => current.end(),
  }
}
