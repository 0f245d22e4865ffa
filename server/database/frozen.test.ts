import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type RunningApp, serveApp } from '../app/serve-app.ts'
import { networkTo } from '../testing/proxy.ts'
import { type Person, startTestServer, type TestServer } from '../testing/start.ts'
import { connect, type Database } from './connect.ts'

const STATEMENT_MS = 1_000
/** As long as a statement may take, and a tenth more; and what it takes to notice that no new connection comes about. */
const PATIENCE_MS = 5_500

let server: TestServer
let behind: RunningApp
let db: Database
let network: Awaited<ReturnType<typeof networkTo>>
let gm: Person
beforeAll(async () => {
  server = await startTestServer()
  network = await networkTo(server.ownerUrl)
  const logins = {
    ...server.logins,
    app: network.url(server.logins.app),
    system: network.url(server.logins.system),
  }
  db = connect(logins, { max: 4, statementMs: STATEMENT_MS, now: server.now })
  behind = await serveApp({
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
  gm = await server.as('branch_gm')
})
afterAll(async () => {
  network.freeze(false)
  await network.close()
  await behind.close()
  await db.close()
  await server.stop()
})

const LIST = sitesApi.list.path
const ask = async (path: string) => {
  const at = performance.now()
  const answer = await fetch(behind.url + path, {
    method: path === LIST ? sitesApi.list.method : 'GET',
    headers: { token: gm.token, 'tenant-id': gm.tenant },
    signal: AbortSignal.timeout(PATIENCE_MS * 3),
  })
  return { status: answer.status, ms: performance.now() - at, after: answer.headers.get('retry-after') }
}

test('with the network to the database frozen everybody is answered in time, and it works again when it thaws', async () => {
  const paths = [LIST, LIST, '/readyz', '/readyz', LIST]
  for (const path of paths) expect((await ask(path)).status).toBe(200)
  await Promise.all(paths.map(ask))
  network.freeze(true)
  // Readiness is asked once for everybody who asks in the same half second.
  await new Promise((r) => setTimeout(r, 700))
  const first = await Promise.all(paths.map(ask))
  for (const answer of first) {
    expect([answer.status, answer.after]).toEqual([503, '2'])
    expect(answer.ms).toBeLessThan(PATIENCE_MS)
  }
  // No frozen connection is in the pool any more: nobody finds another one when the network is back.
  network.freeze(false)
  await new Promise((r) => setTimeout(r, 500))
  for (const path of paths) {
    const answer = await ask(path)
    expect(answer.status).toBe(200)
    expect(answer.ms).toBeLessThan(PATIENCE_MS)
  }
})
