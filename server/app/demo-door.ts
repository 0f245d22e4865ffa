import { createHash } from 'node:crypto'

import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import type { DataOf, Endpoint, Envelope, InputOf } from '@zhuguan/contract/kit/api.ts'

import { connect, type Database } from '../database/connect.ts'
import type { Logins } from '../database/migrate.ts'
import { DEMO_PASSWORD } from '../database/seed/demo.ts'
import { type FileStore } from '../features/files/file-store.ts'
import { allowances } from './allowances.ts'
import { bounds } from './bounds.ts'
import { build } from './build.ts'
import { openJournal } from './demo-steps.ts'
import { features, stageOf } from './features.ts'

const PATIENCE_MS = 60_000
const SESSION_MINUTES = 400 * 24 * 60

/** Somebody of the demo at work, on whatever day the door's clock says. */
export interface Worker {
  call<E extends Endpoint>(endpoint: E, input?: InputOf<E>): Promise<DataOf<E>>
  /** A picture of theirs; answers its key. */
  send(jpeg: Buffer): Promise<string>
}
export interface Door {
  db: Database
  /** The day and hour that everybody at this door lives in. */
  at(moment: Date): void
  now: () => Date
  as(user: string): Promise<Worker>
  /** Somebody without an account, on this browser. */
  guest(browser: string): Worker
  /** Done once, also where a start was cut off behind it: then it is what it was. */
  once<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * The product's own door with a clock that can be set, and nobody listening at it but us: what the demo's staff did in
 * the past is done through the same calls, rights and checks as everything else. Every answer is kept until all is
 * told, so that whoever is cut off goes on where they were (docs/decisions/0450).
 */
export async function openDoor(
  logins: Logins,
  { files, secretKey, from }: { files: FileStore; secretKey: Buffer; from: Date },
): Promise<Door> {
  let moment = from
  const now = () => moment
  const db = connect(logins, { max: 2, now })
  const { app } = build({
    db,
    secretKey,
    bounds: bounds(),
    // Years are told in minutes.
    allowances: allowances({ person: { minute: Number.MAX_SAFE_INTEGER, hour: Number.MAX_SAFE_INTEGER } }),
    stallMs: PATIENCE_MS,
    sendingMs: PATIENCE_MS,
    trustProxy: 'loopback',
    features: features({
      db,
      files,
      secretKey,
      oidc: null,
      webhookHosts: [],
      mailer: null,
      sessionMinutes: SESSION_MINUTES,
      map: { tiles: null, credit: '' },
      stage: stageOf({ db, secretKey, video: null, now, warn: () => {} }),
      now,
    }),
    now,
    logLevel: 'silent',
    verify: false,
  })
  const journal = await openJournal(db)
  const speak = (headers: Record<string, string>) => ({
    async call<E extends Endpoint>(endpoint: E, input?: InputOf<E>, key?: string): Promise<DataOf<E>> {
      const { query = {}, body } = (input ?? {}) as { query?: Record<string, unknown>; body?: object }
      const asked = Object.entries(query).flatMap(([name, v]) => (v === undefined ? [] : [[name, String(v)]]))
      const response = await app.inject({
        method: endpoint.method,
        url: `${endpoint.path}?${new URLSearchParams(asked)}`,
        headers: {
          ...headers,
          'content-type': 'application/json',
          ...(key && { 'idempotency-key': key }),
        },
        payload: JSON.stringify(body ?? {}),
      })
      const { code, msg, data } = response.json<Envelope<DataOf<E>>>()
      if (code !== 200) throw new Error(`${endpoint.path}: ${code} ${msg}`)
      return data
    },
    async send(jpeg: Buffer): Promise<string> {
      const response = await app.inject({
        method: 'POST',
        url: filesApi.upload.path,
        headers: { ...headers, 'content-type': 'image/jpeg' },
        payload: jpeg,
      })
      return response.json<Envelope<{ key: string }>>().data.key
    },
  })
  const worker = (headers: Record<string, string>): Worker => {
    const { call, send } = speak(headers)
    return {
      call: (endpoint, input) => journal.once((key) => call(endpoint, input, key)),
      send: (jpeg) => journal.once(() => send(jpeg)),
    }
  }
  const password = createHash('sha256').update(DEMO_PASSWORD).digest('hex')
  return {
    db,
    now,
    at: (to) => (moment = to),
    once: (work) => journal.once(work),
    async as(username) {
      const session = await speak({}).call(sessionApi.login, { body: { username, password } })
      return worker({ token: session.token, 'tenant-id': session.tenant_id })
    },
    guest: (browser) => worker({ 'user-agent': browser }),
    async close() {
      await app.close()
      await db.close()
    },
  }
}
