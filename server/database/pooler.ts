import pg from 'pg'

import { int4, row } from '../kit/row.ts'
import { ask } from './ask.ts'
import { OURS } from './pools.ts'

const ANSWER_MS = 3_000
/** A pooler that goes round few sessions comes back to the same one: so many others are in the way. */
const OTHERS = 3

const at = (url: string): string => {
  const { username, host, pathname } = new URL(url)
  return `${decodeURIComponent(username)}@${host}${pathname}`
}
const changing = (url: string): Error =>
  new Error(
    `${at(url)} 前面的连接池每个事务换一个会话，程序的锁和设置在那里会失效，拒绝启动：` +
      '请把它改成会话模式（PgBouncer 的 pool_mode=session），或让 DATABASE_URL 直连 PostgreSQL',
  )
const full = (url: string, why: string): Error =>
  new Error(`${at(url)} 前面的连接池没有给出连接：${why}。请看它的连接数（pool_size）和登录（auth_query）`)

const sessionOf = async (client: pg.Client): Promise<number> =>
  (await ask(client, row({ pid: int4 }), 'SELECT pg_backend_pid() AS pid'))[0]!.pid

/**
 * Refuses an address where what a connection sets or locks does not stay with it. PostgreSQL itself tells a connection
 * the number of its session at the beginning; a pooler tells another. Then others begin transactions in between: in
 * session mode the connection is still where it was. Nothing is locked or set by asking.
 */
export async function refuseTransactionPooler(url: string, known?: pg.Client): Promise<void> {
  const opened: pg.Client[] = []
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: url,
      application_name: OURS,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    })
    client.on('error', () => {})
    opened.push(client)
    await client.connect()
    return client
  }
  try {
    const first = known ?? (await open())
    const own = await sessionOf(first)
    if (own === Reflect.get(first, 'processID')) return
    // One whose question is given up when all sessions are taken by the others.
    const asking = known ? await open() : first
    const stood = await sessionOf(asking)
    for (let i = 0; i < OTHERS; i += 1) {
      try {
        await (await open()).query('BEGIN; SELECT 1')
      } catch (error) {
        const { code, message } = error as { code?: string; message: string }
        throw code === '08P01' ? changing(url) : full(url, message)
      }
      if ((await sessionOf(asking).catch(() => 0)) !== stood) throw changing(url)
    }
  } finally {
    await Promise.all(opened.map((client) => client.end().catch(() => {})))
  }
}
