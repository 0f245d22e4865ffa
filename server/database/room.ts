import pg from 'pg'

import { bool, int4, row } from '../kit/row.ts'
import { ask } from './ask.ts'
import { EXPORTS, systemOf } from './connect.ts'
import type { Logins } from './migrate.ts'

/** Those that listen (live messages, rights, devices, workers), and one for whoever runs a command meanwhile. */
const BESIDE = 5
const LEAST = 2
const sum = (max: number, exports: number): number => max + systemOf(max) + exports + BESIDE

/**
 * How many connections each pool may ask for where `there` exist at all. What others use now is not taken off: it may
 * be the server of before, which is about to end.
 */
export function shareOut(there: number, most: number): { max: number; exports: number; asked: number } {
  let [max, exports] = [most, EXPORTS]
  while (sum(max, exports) > there && max > LEAST) {
    max -= 1
    exports = Math.max(1, Math.ceil((EXPORTS * max) / most))
  }
  return { max, exports, asked: sum(max, exports) }
}

const OPEN =
  '这个库的库主不是超级用户，收不回 set_config：语句里不许设置范围由程序自己把关。要数据库也把关，请超级用户在这个库里执行一次：' +
  'REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) FROM PUBLIC'

/** What the pools may ask for in this database, and what is to be said of it: few connections, a right too wide. */
export async function roomFor(
  ownerUrl: string,
  logins: Logins,
  most: number,
): Promise<{ max: number; exports: number; lines: string[] }> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const [found] = await ask(
      client,
      row({ there: int4, used: int4, open: bool }),
      `SELECT least(
           current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
             - coalesce(current_setting('reserved_connections', true), '0')::int,
           (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())) AS there,
         (SELECT count(*)::int FROM pg_stat_activity WHERE usesysid IS NOT NULL AND pid <> pg_backend_pid()) AS used,
         has_function_privilege($1::name, 'pg_catalog.set_config(text, text, boolean)', 'EXECUTE') AS open`,
      [decodeURIComponent(new URL(logins.app).username)],
    )
    const { there, used, open } = found!
    const { asked, ...share } = shareOut(there, most)
    const wanted = shareOut(Infinity, most).asked
    const few =
      `数据库一共给得出 ${there} 个连接，别处正用着 ${used} 个，这个服务最多要用 ${wanted} 个：` +
      (asked < wanted ? `先按 ${asked} 个安排，忙的时候会慢一些` : '不够的时候大家轮着用，会慢一些') +
      '。请调大 max_connections（见 docs/operations.md）'
    return { ...share, lines: [...(there - used < wanted ? [few] : []), ...(open ? [OPEN] : [])] }
  } finally {
    await client.end()
  }
}
