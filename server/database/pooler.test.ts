import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'

import { serveApp } from '../app/serve-app.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { int4, row, text } from '../kit/row.ts'
import { enterAs } from '../testing/person.ts'
import { poolerTo } from '../testing/pooler-stand-in.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { connect } from './connect.ts'
import { migrate } from './migrate.ts'
import { refuseTransactionPooler } from './pooler.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
afterEach(() => vi.restoreAllMocks())

const REFUSED = /前面的连接池每个事务换一个会话.*会话模式.*直连/
/** The person who holds the turn of whoever migrates or restores. */
const holders = async () =>
  (
    await server.sql<{ pid: number }>(
      `SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE l.locktype = 'advisory' AND d.datname = current_database() AND l.objid = 724000::oid`,
    )
  ).map((r) => r.pid)

test.each([1, 2, 4])(
  'a pooler of %i sessions that changes them with each transaction is refused before anything is locked',
  async (sessions) => {
    const pooler = await poolerTo('transaction', sessions)
    try {
      const url = pooler.url(server.ownerUrl)
      await expect(migrate(url)).rejects.toThrow(REFUSED)
      await expect(refuseTransactionPooler(pooler.url(server.logins.app))).rejects.toThrow(REFUSED)
      expect(await holders()).toEqual([])
      // A start at PostgreSQL itself goes on at once.
      expect((await migrate(server.ownerUrl)).applied).toEqual([])
    } finally {
      await pooler.close()
    }
  },
  40_000,
)

test('through a pooler in session mode people work, the deadlines are in force and no lock is left', async () => {
  const pooler = await poolerTo('session')
  const said = pooler.url(server.ownerUrl)
  expect((await migrate(said)).applied).toEqual([])
  const logins = {
    ...server.logins,
    app: pooler.url(server.logins.app),
    system: pooler.url(server.logins.system),
  }
  for (const url of [logins.app, logins.system]) await refuseTransactionPooler(url)
  const db = connect(logins, { max: 4, statementMs: 1_234, now: server.now })
  const app = await serveApp({
    db,
    dataDir: server.dataDir,
    now: server.now,
    secretKey: server.secretKey,
    port: 0,
    mqttPort: 0,
    mqttUrl: null,
    sessionMinutes: 60,
    logLevel: 'silent',
    verify: true,
    host: '127.0.0.1',
  })
  try {
    const gm = await enterAs(() => app.url, 'branch_gm')
    expect((await gm.call(sitesApi.list)).totalCount).toBeGreaterThan(0)
    const inForce = await db.tx(SYSTEM, (tx) =>
      tx.query(
        'test.inforce',
        row({ name: text, setting: text }),
        `SELECT name, setting FROM pg_settings
         WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'jit') ORDER BY 1`,
      ),
    )
    expect(inForce.rows.map((r) => `${r.name} ${r.setting}`)).toEqual([
      'idle_in_transaction_session_timeout 60000',
      'jit off',
      'statement_timeout 1234',
    ])
    const slow = db.tx(SYSTEM, (tx) =>
      tx.query('test.slow', row({ n: int4 }), 'SELECT 1 AS n FROM pg_sleep(9)'),
    )
    await expect(slow).rejects.toThrow(/statement timeout/)
    expect(await holders()).toEqual([])
  } finally {
    await app.close()
    await db.close()
    await pooler.close()
  }
})

test('a pooler that swallows a setting is refused, for the deadline would be gone without a word', async () => {
  const query = pg.Client.prototype.query
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const swallowed = typeof args[0] === 'string' && args[0].startsWith('SET statement_timeout')
    return Reflect.apply(query, this, swallowed ? ['SELECT 1'] : args) as never
  })
  const db = connect(server.logins, { max: 2, now: server.now })
  const ready = db.tx(SYSTEM, (tx) => tx.query('test.ready', row({ n: int4 }), 'SELECT 1 AS n'))
  await expect(ready).rejects.toThrow(/没有照办程序的设置（statement_timeout）/)
  await db.close()
})

test('whoever waits for the turn says for whom after a few seconds, and goes on when it is given back', async () => {
  const other = new pg.Client({ connectionString: server.ownerUrl })
  await other.connect()
  await other.query('SELECT pg_advisory_lock(724000)')
  const lines: string[] = []
  vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line))
  const begun = performance.now()
  let migrated = false
  const migrating = migrate(server.ownerUrl).then(() => (migrated = true))
  while (!lines.length && performance.now() - begun < 8_000) await new Promise((r) => setTimeout(r, 50))
  const [pid] = await holders()
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`锁在数据库会话 ${pid}（.*从 20\\d\\d-.* 起连着）.*什么也不做`)),
  ])
  expect(performance.now() - begun).toBeGreaterThan(2_500)
  expect(migrated).toBe(false)
  await other.end()
  await migrating
  expect(await holders()).toEqual([])
})
