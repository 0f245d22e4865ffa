import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

const WAIT_MS = 60_000
const LOOK_MS = 1_000
/** Not there yet: it refuses, its name is not known, it is starting or has no room. */
const NOT_YET = /^(ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ETIMEDOUT|57P03|53300)$/
/** The obstacle in somebody else's PostgreSQL, in words that name the setting. */
const WHY: Readonly<Record<string, string>> = {
  ECONNREFUSED: '那里没有 PostgreSQL 在听',
  ENOENT: '那里没有 PostgreSQL 的套接字',
  ENOTFOUND: '找不到这台机器的名字',
  EAI_AGAIN: '查不到这台机器的名字',
  EHOSTUNREACH: '到不了这台机器',
  ETIMEDOUT: '这台机器没有回答',
  '57P03': 'PostgreSQL 正在启动或恢复',
  '53300': 'PostgreSQL 的连接用完了',
  '3D000': '没有这个库，请先建库',
  '28P01': '密码不正确',
  '28000': '不允许这样登录',
}

async function tryOnce(url: string): Promise<NodeJS.ErrnoException | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return undefined
  } catch (error) {
    return error as NodeJS.ErrnoException
  } finally {
    await client.end().catch(() => {})
  }
}
const wordsOf = (url: string, error: NodeJS.ErrnoException): string => {
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: '', pathname: '' }
  return `DATABASE_URL（${host}${pathname}）连不上：${WHY[error.code ?? ''] ?? error.message}`
}

/** Waits for a database that comes a little later, as after the start of a whole room of machines, and says so. */
export async function reachDatabase(url: string, waitMs = WAIT_MS): Promise<void> {
  const until = performance.now() + waitMs
  for (let said = false; ; said = true) {
    const error = await tryOnce(url)
    if (!error) return
    if (!NOT_YET.test(error.code ?? '') || performance.now() > until) throw new Error(wordsOf(url, error))
    if (!said) console.log(`${wordsOf(url, error)}，最多等 ${Math.round(waitMs / 1_000)} 秒`)
    await sleep(LOOK_MS)
  }
}
