import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

import { type RunningApp, serveApp } from '../app/serve-app.ts'
import { type Person, startTestServer, type TestServer } from '../testing/start.ts'
import { connect, type Database } from './connect.ts'

/** A database that stands and takes nobody in: `/readyz` says so, and people are told what they can do. */
let server: TestServer
let gm: Person
const closing: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
})
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
  await server.stop()
})

async function served(db: Database): Promise<RunningApp> {
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
  closing.push(() => db.close())
  closing.push(() => app.close())
  return app
}
const ready = async (url: string) => (await fetch(`${url}/readyz`)).status
const list = async (url: string) => {
  const answer = await fetch(url + sitesApi.list.path, {
    method: sitesApi.list.method,
    headers: { token: gm.token, 'tenant-id': gm.tenant },
  })
  const { code, msg } = (await answer.json()) as { code: number; msg: string }
  return { http: answer.status, code, msg }
}
const DOWN = { http: 503, code: 503, msg: '数据库暂时不可用，请稍后再试' }

test('while the database takes nobody in, the server says it is not ready, and is again when it does', async () => {
  const { url } = await served(connect(server.logins, { max: 4, now: server.now }))
  expect([await ready(url), (await list(url)).http]).toEqual([200, 200])
  const name = new URL(server.ownerUrl).pathname.slice(1)
  const elsewhere = new pg.Client({ connectionString: inject('cluster').root })
  await elsewhere.connect()
  closing.push(() => elsewhere.end())
  await elsewhere.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  try {
    await elsewhere.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = $1 AND application_name LIKE 'zhuguan%'`,
      [name],
    )
    await expect.poll(() => list(url)).toEqual(DOWN)
    await expect.poll(() => ready(url)).toBe(503)
  } finally {
    await elsewhere.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
  }
  await expect.poll(() => ready(url)).toBe(200)
  expect((await list(url)).code).toBe(200)
})

test('people’s login alone is refused: not ready, though the server’s own work goes on', async () => {
  const nowhere = new URL(server.logins.app)
  nowhere.pathname = '/zg_no_such_database'
  const { url } = await served(connect({ ...server.logins, app: nowhere.href }, { max: 4, now: server.now }))
  expect(await ready(url)).toBe(503)
  expect(await list(url)).toEqual(DOWN)
})
