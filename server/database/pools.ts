import pg from 'pg'

/** Statements end on the server's side after this long; it is the deadline of a call too (docs/decisions/0101). */
export const STATEMENT_MS = 15_000
/** How every connection of ours calls itself, so that servers of releases before are told from it (docs/decisions/0155). */
export const RELEASE = 180
export const OURS = `zhuguan ${RELEASE}`
/** PostgreSQL has no connection left; others may close theirs in a while. */
const NO_ROOM = '53300'
const ROOM_AGAIN_MS = 30_000
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
  /** Gives up what is under way and begins anew. */
  drop(error: Error): void
  end(): Promise<void>
}

/** Frozen for as long as nobody answers: the connection's own end is never heard. */
const destroy = (client: pg.PoolClient, error: Error): void =>
  (
    client as unknown as { connection: { stream: { destroy(error: Error): void } } }
  ).connection.stream.destroy(error)

export function poolOf(name: string, url: string, max: number, statementMs: number): Pool {
  const fresh = () => {
    const pool = new pg.Pool({
      connectionString: url,
      application_name: OURS,
      max,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 60_000,
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: 60_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // Compiling a statement takes longer than any of ours may run.
      options: '-c jit=off',
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
    for (;;) {
      try {
        return await pool.connect()
      } catch (error) {
        const standing = pool.idleCount + lent.size
        if ((error as { code?: string }).code !== NO_ROOM || standing === 0) throw error
        pool.options.max = standing
        setTimeout(() => (pool.options.max = max), ROOM_AGAIN_MS).unref()
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
    drop(error) {
      for (const client of lent) destroy(client, error)
      renew()
    },
    end: () => current.end(),
  }
}
