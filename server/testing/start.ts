import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import type { DataOf, Endpoint, Envelope, InputOf } from '@zhuguan/contract/kit/api.ts'
import pg from 'pg'
import { inject } from 'vitest'

import { type AppOptions, type RunningApp, serveApp } from '../app/serve-app.ts'
import { clocked, connect, type Database } from '../database/connect.ts'
import { type Logins, migrate } from '../database/migrate.ts'
import type { SimulatedDevice } from '../database/seed/demo-cast.ts'
import { DEMO_PASSWORD, seedDemo } from '../database/seed/demo.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { readSecretKey } from '../kit/secret.ts'
import { shanghaiDay } from '../kit/shanghai.ts'
import { freshDatabase } from './database.ts'
import { testTime } from './time.ts'

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export interface Person {
  token: string
  tenant: string
  /** Calls the endpoint and answers status, envelope and headers; nothing is thrown. */
  ask<E extends Endpoint>(
    endpoint: E,
    input?: InputOf<E>,
    headers?: Record<string, string>,
  ): Promise<Answer<DataOf<E>>>
  /** As `ask`, but anything that is not code 200 fails the test with its sentence. */
  call<E extends Endpoint>(endpoint: E, input?: InputOf<E>): Promise<DataOf<E>>
}
export interface Answer<T> extends Envelope<T> {
  status: number
  headers: Headers
  text: string
  bytes: Buffer
}
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
  options: Partial<Pick<AppOptions, 'map' | 'video' | 'metricsToken' | 'stallMs' | 'sendingMs' | 'oidc'>> & {
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
    ...appOptions,
    now,
  })
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()

  function person(headers: Record<string, string>): Person {
    async function ask<E extends Endpoint>(
      endpoint: E,
      input?: InputOf<E>,
      more: Record<string, string> = {},
    ): Promise<Answer<DataOf<E>>> {
      const { query, body } = (input ?? {}) as { query?: object; body?: unknown }
      const params = new URLSearchParams(
        Object.entries(query ?? {})
          .filter(([, v]) => v !== undefined)
          .map(([k, v]) => [k, Array.isArray(v) ? v.join(',') : String(v)]),
      )
      const response = await fetch(`${app.url}${endpoint.path}?${params}`, {
        method: endpoint.method,
        headers: { ...headers, 'content-type': 'application/json', ...more },
        ...(endpoint.method === 'GET' ? {} : { body: body === undefined ? '' : JSON.stringify(body) }),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      const text = bytes.toString()
      const envelope = (
        response.headers.get('content-type')?.includes('json')
          ? JSON.parse(text)
          : { code: 200, msg: '', data: null }
      ) as Envelope<DataOf<E>>
      return { ...envelope, status: response.status, headers: response.headers, text, bytes }
    }
    return {
      token: headers.token ?? '',
      tenant: headers['tenant-id'] ?? '',
      ask,
      async call(endpoint, input) {
        const answer = await ask(endpoint, input)
        if (answer.code !== 200)
          throw new Error(`${endpoint.path}: ${answer.status} ${answer.code} ${answer.msg}`)
        return answer.data
      },
    }
  }

  return {
    app,
    db,
    url: app.url,
    devices,
    dataDir,
    secretKey,
    ownerUrl: database.ownerUrl,
    logins: database.logins,
    nobody: (headers = {}) => person(headers),
    async as(role, password = DEMO_PASSWORD) {
      const { token, tenant_id } = await person({}).call(sessionApi.login, {
        body: { username: role, password: sha256(password) },
      })
      return person({ token, 'tenant-id': tenant_id })
    },
    now,
    later: (ms) => (shift += ms),
    sql: async (text, values = []) => {
      const whole = clocked(text.replaceAll(':today', `'${shanghaiDay(now())}'::date`), values, now())
      return (await owner.query(whole.text, [...whole.values])).rows as never
    },
    async stop() {
      await app.close()
      await db.close()
      await owner.end()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
