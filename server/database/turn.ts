import { setTimeout as sleep } from 'node:timers/promises'

import type pg from 'pg'

import { bool, int4, row, text } from '../kit/row.ts'
import { ask } from './ask.ts'
import { LOCKS } from './locks.ts'
import { refuseTransactionPooler } from './pooler.ts'

const LOOK_MS = 200
const SILENT_MS = 3_000

/** PostgreSQL shows the owner where its own sessions come from; of others it says the number alone. */
const holder = (client: pg.Client) =>
  ask(
    client,
    row({ pid: int4, since: text.null, address: text, idle: bool }),
    `SELECT l.pid, to_char(a.backend_start AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS') AS since,
       coalesce(host(a.client_addr), '') AS address, coalesce(a.state = 'idle', false) AS idle
     FROM pg_locks l
     JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
     LEFT JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = $1::int8::oid AND l.objsubid = 1`,
    [LOCKS.migration],
  )

async function sayWhoHolds(client: pg.Client): Promise<void> {
  const [found] = await holder(client)
  if (!found) return
  const { pid, since, address, idle } = found
  const from = [address && `来自 ${address}`, since && `从 ${since} 起连着`].filter(Boolean).join('，')
  const stuck = `；它现在什么也不做，要是没有别的筑管在启动，请让管理员结束它：SELECT pg_terminate_backend(${pid})`
  console.error(
    `正在等别的筑管升级、恢复或迁入完这个库：锁在数据库会话 ${pid}${from && `（${from}）`}${idle ? stuck : ''}`,
  )
}

/** Waits for its turn, and says for whom after a few seconds. Nothing waits inside PostgreSQL meanwhile. */
export async function takeTurn(client: pg.Client, url: string): Promise<void> {
  await refuseTransactionPooler(url, client)
  const sayAt = performance.now() + SILENT_MS
  for (let said = false; ;) {
    const [{ mine }] = (await ask(client, row({ mine: bool }), 'SELECT pg_try_advisory_lock($1) AS mine', [
      LOCKS.migration,
    ])) as [{ mine: boolean }]
    if (mine) return
    if (!said && performance.now() > sayAt) {
      said = true
      await sayWhoHolds(client)
    }
    await sleep(LOOK_MS)
  }
}

/** Ends the session and with it the turn; behind a pooler the session goes on, so the lock is given back first. */
export async function leaveTurn(client: pg.Client): Promise<void> {
  await client.query('SELECT pg_advisory_unlock_all()').catch(() => {})
  await client.end()
}
