import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { CAUSE_PAGES } from '@zhuguan/contract/cause-pages.ts'
import type { CauseKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'
import type { Link } from '@zhuguan/contract/links.ts'
import pg from 'pg'
import { inject } from 'vitest'

import { type AppOptions, type RunningApp, serveApp } from '../app/serve-app.ts'
import { clocked, connect, type Database } from '../database/connect.ts'
import { type Logins, migrate } from '../database/migrate.ts'
import type { SimulatedDevice } from '../database/seed/demo-cast.ts'
import { seedDemo } from '../database/seed/demo.ts'
import { pageOf } from '../features/notifications/notifications.service.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { readSecretKey } from '../kit/secret.ts'
import { shanghaiDay } from '../kit/shanghai.ts'
import { freshDatabase } from './database.ts'
import { enterAs, type Person, person } from './person.ts'
import { testTime } from './time.ts'

export { type Answer, type Person, sha256 } from './person.ts'
export interface TestServer {
  app: RunningApp
  db: Database
  url: string
  devices: SimulatedDevice[]
  dataDir: string
  secretKey: Buffer
  ownerUrl: string
  logins: Logins
  as(role: string, password?: string): Promise<Person>
  /** Somebody with these headers and nothing else. */
  nobody(headers?: Record<string, string>): Person
  /** What time it is for the server. */
  now(): Date
  /** Moves the server's clock. */
  later(ms: number): void
  /** As the owner of the tables, past every rule; `:now` and `:today` are the server's. */
  sql<R = Record<string, unknown>>(text: string, values?: unknown[]): Promise<R[]>
  stop(): Promise<void>
}

/** The whole server on a fresh database with the demo's people, sites and devices, without their history. */
export async function startTestServer(
  options: Partial<
    Pick<
      AppOptions,
      | 'allowances'
      | 'map'
      | 'video'
      | 'metricsToken'
      | 'stallMs'
      | 'sendingMs'
      | 'oidc'
      | 'webhookHosts'
      | 'mail'
      | 'publicUrl'
      | 'officeMs'
      | 'place'
    >
  > & {
    /** The demo of a run is the same in every file; one's own has ids that no other has. */
    demo?: 'own'
  } = {},
  // A database of its own cluster is dropped with the cluster.
  own?: { url: string; replicas: string[] },
): Promise<TestServer> {
  const { demo: kind, ...appOptions } = options
  const demo = inject('demo')
  let shift = 0
  const now = () => new Date(testTime() + shift)
  // A run that passes midnight tells its next stories of the new day.
  const told = !own && !kind && shanghaiDay(now()) === shanghaiDay(new Date(demo.seededAt))
  const database = own
    ? { ownerUrl: own.url, logins: (await migrate(own.url)).logins, drop: async () => {} }
    : await freshDatabase(told ? demo.template : undefined)
  const dataDir = await mkdtemp(join(tmpdir(), 'zhuguan-files-'))
  await writeFile(join(dataDir, 'secret.key'), demo.key, { mode: 0o600 })
  const secretKey = await readSecretKey(dataDir)
  const db = connect(database.logins, { max: 8, now, replicas: own?.replicas })
  const devices = told ? demo.devices : await seedDemo(db, { secretKey, now: now() })
  // As if somebody had listened all along: stories tell of silences that began before they did.
  await db.tx(SYSTEM, (tx) =>
    tx.run(
      'test.hearing',
      `INSERT INTO hearing (from_at, to_at) VALUES (:now - interval '90 days', :now)`,
      [],
    ),
  )
  const app = await serveApp({
    db,
    dataDir,
    secretKey,
    port: 0,
    mqttPort: 0,
    mqttUrl: null,
    sessionMinutes: 60,
    logLevel: process.env.LOG_LEVEL ?? 'silent',
    verify: true,
    host: '127.0.0.1',
    // Once at the start; after that a story does scheduled work itself.
    clockMs: 3_600_000,
    silenceMs: 3_600_000,
    officeMs: 3_600_000,
    ...appOptions,
    now,
  })
  // What the first look finds is done before a story begins, not into it.
  await app.look()
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query(`SET app.tenant = '*'`)

  return {
    app,
    db,
    url: app.url,
    devices,
    dataDir,
    secretKey,
    ownerUrl: database.ownerUrl,
    logins: database.logins,
    nobody: (headers) => person(() => app.url, headers),
    as: (role, password) => enterAs(() => app.url, role, password),
    now,
    later: (ms) => (shift += ms),
    sql: async (text, values = []) => {
      const whole = clocked(text.replaceAll(':today', `'${shanghaiDay(now())}'::date`), values, now())
      return (await owner.query(whole.text, [...whole.values])).rows as never
    },
    async stop() {
      const [strays, uncounted] = [await strayMessages(owner), await miscounted(owner)]
      await app.close()
      await db.close()
      await owner.end()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
      if (strays.length) throw new Error(`contract/cause-pages.ts does not say: ${strays.join(', ')}`)
      if (uncounted.length) throw new Error(`customers are miscounted: ${JSON.stringify(uncounted)}`)
    },
  }
}

/** Where the lines that writes of customers have left do not sum up to the customers that stand there. */
async function miscounted(owner: pg.Client): Promise<object[]> {
  const { rows } = await owner.query(
    `SELECT bc_id, store_id, held, step, sum(n) AS off
     FROM (
       SELECT tenant_id, bc_id, store_id, held, step, count AS n FROM customer_counts
       UNION ALL
       SELECT tenant_id, bc_id, store_id, held, step, -1 FROM customers) x
     GROUP BY tenant_id, bc_id, store_id, held, step
     HAVING sum(n) <> 0`,
  )
  return rows
}

/** Messages that open another page than their kind's: whoever may open that one could set no rules for them. */
async function strayMessages(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query(
    `SELECT DISTINCT cause_kind AS kind, link FROM notifications WHERE cause_kind <> '' AND link <> ''`,
  )
  const told = rows as { kind: CauseKind; link: string }[]
  const strays = told.filter(({ kind, link }) => !CAUSE_PAGES[kind].includes(pageOf(link as Link)!))
  return [...new Set(strays.map(({ kind, link }) => `${kind} ${link.split('?')[0]}`))]
}
