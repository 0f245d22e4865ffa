import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { liveApi } from '@zhuguan/contract/features/live/live.api.ts'
import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'

import type { Bounds } from '../../server/app/bounds.ts'
import type { RunningApp } from '../../server/app/serve-app.ts'
import type { Database, Tx } from '../../server/database/connect.ts'
import { SYSTEM } from '../../server/features/session/access.reads.ts'
import { addresses } from '../../server/kit/address.ts'
import { bound } from '../../server/kit/bound.ts'
import { row } from '../../server/kit/row.ts'
import { signed } from '../../server/testing/device.ts'

/**
 * The holes that goals look for. A goal is believed because it finds its own in a server that has it.
 * `unbounded` no class of work has a limit · `leak` what a transaction held is never let go · `failing` one transaction in
 * two hundred breaks · `unsigned` the devices' door believes every signature and nonce · `replayed` it forgets what it has seen ·
 * `patient` the database may take as long as it likes · `crashing` one call answers with the insides of an error · `early` one call writes before it refuses ·
 * `careless` a disk's errors lose their cause, one call says that it was done whatever happened, an upload leaves half of itself ·
 * `hospitable` something is kept for every stream, who sends slowly is waited for, and who does not read gets their own copy for as long as they like ·
 * `astray` one call forgets its branch, one its right, and one writes wherever it is told to ·
 * `lent` an address of a video opens to whoever has it · `unlocked` nothing that is read to be changed is locked
 */
export type Plant =
  | 'unbounded'
  | 'patient'
  | 'leak'
  | 'failing'
  | 'unsigned'
  | 'replayed'
  | 'crashing'
  | 'early'
  | 'careless'
  | 'hospitable'
  | 'astray'
  | 'lent'
  | 'unlocked'

const WIDE = 1_000_000
const KEPT_WORDS = 1_024
const FAILING_EVERY = 200

export const unbounded = (all: Bounds): Bounds =>
  Object.fromEntries(
    Object.keys(all).map((name) => [name, bound({ name, atOnce: WIDE, each: WIDE, full: '', yours: '' })]),
  ) as Bounds

const GUEST_BYTES = 128 * 1_024
const kept: number[][] = []
const guests: Buffer[] = []
export function spoiled(db: Database, plant: Plant): Database {
  let n = 0
  return {
    ...db,
    tx(scope, fn, options) {
      n += 1
      if (plant === 'leak') kept.push(Array.from({ length: KEPT_WORDS }, () => n))
      if (plant === 'failing' && !scope.system && n % FAILING_EVERY === 0)
        return Promise.reject(new Error('planted'))
      if (plant === 'careless')
        return db.tx(scope, fn, options).catch((error: Error & { code?: string }) => {
          throw error.code ? new Error('planted') : error
        })
      if (plant === 'unlocked') return db.tx(scope, (tx) => fn(unlocked(tx)), options)
      return db.tx(scope, fn, options)
    },
  }
}
const unlocked = (tx: Tx): Tx => ({
  ...tx,
  query: (name, columns, text, values) =>
    tx.query(name, columns, text.replace(/FOR UPDATE( OF \w+)?/, ''), values),
})

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

const DONE = JSON.stringify({ code: 200, msg: '', data: { id: randomUUID(), code: 'X' } })
const CRASH = 'error: column "x" does not exist at a.ts:3'
/** Doors with a hole, in front of the real ones. `planted` answers whether it dealt with the request. */
export function openDoor(
  app: RunningApp,
  db: Database,
  plant: Plant,
  {
    devices,
    at,
    leaves,
    secretKey,
  }: { devices: { sn: string; secret: string }[]; at: string; leaves: string; secretKey: Buffer },
): void {
  const { server } = app.built.app
  const [real] = server.listeners('request') as RequestListener[]
  const seen = new Set<string>()
  if (plant === 'hospitable') Object.assign(server, { requestTimeout: 0, headersTimeout: 0 })

  /** The request goes on to the real door with a signature and a nonce that are right, whatever was sent. */
  async function believe(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bytesOf(request)
    const device = devices.find(({ sn }) => sn === request.headers['x-device-sn']) ?? devices[0]!
    const { statusCode, payload } = await app.built.app.inject({
      method: 'POST',
      url: deviceDoorApi.events.path,
      headers: signed(device, body).headers,
      payload: body,
    })
    response.writeHead(statusCode, { 'content-type': 'application/json' }).end(payload)
  }
  function planted(request: IncomingMessage, response: ServerResponse): boolean {
    const path = request.url?.split('?')[0] ?? ''
    if (path === deviceDoorApi.events.path) {
      const nonce = String(request.headers['x-nonce'])
      const again = seen.has(nonce)
      seen.add(nonce)
      if (plant === 'unsigned' || (plant === 'replayed' && again)) {
        void believe(request, response)
        return true
      }
    }
    if (plant === 'crashing' && path === at) {
      request.resume()
      response
        .writeHead(500, { 'content-type': 'application/json' })
        .end(JSON.stringify({ code: 500, msg: CRASH, data: null }))
      return true
    }
    if (plant === 'astray' && path in forgetful) {
      void forgetful[path]!(request).then((data) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ code: 200, msg: '', data })),
      )
      return true
    }
    if (plant === 'lent' && (path === streamsApi.play.path || path === recordingsApi.play.path)) {
      const kind = path === streamsApi.play.path ? 'stream' : 'recording'
      const signed = addresses(secretKey, { kind, cookieS: 60 })
      const address = signed.read(new URL(request.url!, 'http://x').searchParams.get('key') ?? '')
      if (address) request.headers.cookie = signed.cookie(address.session, false).split(';')[0]
    }
    if (plant === 'hospitable' && path === filesApi.get.path) {
      void copy(request, response)
      return true
    }
    if (plant === 'hospitable' && path === liveApi.stream.path) guests.push(Buffer.alloc(GUEST_BYTES, 1))
    if (plant === 'careless' && path === at) {
      void careless(request, response)
      return true
    }
    if (plant === 'careless' && path === filesApi.upload.path) {
      // What cannot be written whole is at least begun.
      writeFileSync(leaves, '')
      real!(request, response)
      return true
    }
    if (plant === 'early' && path === at) {
      void early().then(() => real!(request, response))
      return true
    }
    return false
  }
  /** Whatever becomes of it, it is answered as done. */
  async function careless(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => name !== 'transfer-encoding'),
    )
    const payload = await bytesOf(request)
    const told = await app.built.app.inject({ method: 'POST', url: request.url ?? '', headers, payload })
    const done = (JSON.parse(told.payload) as { code: number }).code === 200 ? told.payload : DONE
    response.writeHead(200, { 'content-type': 'application/json' }).end(done)
  }
  /** Handlers as somebody writes them who thinks of neither place nor right. */
  const forgetful: Record<string, (request: IncomingMessage) => Promise<unknown>> = {
    [sitesApi.details.path]: ({ url = '' }) => {
      const id = new URL(url, 'http://x').searchParams.get('id')
      return rowsOf('SELECT to_jsonb(w) AS row FROM sites w WHERE id::text = $1', [id])
    },
    [workersApi.list.path]: () => rowsOf('SELECT to_jsonb(k) AS row FROM workers k LIMIT 3', []),
    [sitesApi.place.path]: async (request) => {
      const { id } = JSON.parse((await bytesOf(request)).toString() || '{}') as { id?: string }
      await rowsOf('UPDATE sites SET lng = 100 WHERE id::text = $1 RETURNING id', [id])
      return null
    },
  }
  const rowsOf = async (sql: string, values: unknown[]) =>
    (await db.tx(SYSTEM, (tx) => tx.query('plant.rows', row({}), sql, values))).rows
  /** The whole of it, in memory. */
  async function copy(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, url = '' } = request
    const { statusCode, rawPayload } = await app.built.app.inject({ method: 'GET', url, headers })
    response.writeHead(statusCode, { 'content-length': rawPayload.length }).end(rawPayload)
  }
  const early = () =>
    db.tx(SYSTEM, (tx) =>
      tx.run(
        'plant.early',
        'INSERT INTO hearing (from_at, to_at) VALUES (:now, :now) ON CONFLICT DO NOTHING',
        [],
      ),
    )
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (!planted(request, response)) real!(request, response)
  })
}
