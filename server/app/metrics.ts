import { timingSafeEqual } from 'node:crypto'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'

import type { Database } from '../database/connect.ts'
import type { ReplicaUse } from '../database/replicas.ts'
import { type FileStore, missingFiles } from '../features/files/file-store.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import type { Batch } from '../ingest/batcher.ts'
import type { Bound } from '../kit/bound.ts'
import { Refused } from '../kit/refuse.ts'
import { float8, int4, row, text } from '../kit/row.ts'
import type { SessionUser } from '../kit/serve.ts'
import { shared } from '../kit/shared.ts'
import { figureMakers } from './figure-makers.ts'
import { operatorFigures } from './operator-figures.ts'

export interface MetricsOptions {
  db: Database
  files: FileStore
  bounds: Record<string, Bound>
  streams: () => number
  /** Connections to our own broker. */
  devices: () => number
  /** Whether devices are heard over MQTT. */
  devicesHeard: () => boolean
  /** Events that wait to be filed. */
  waitingEvents: () => number
  userOf: (request: FastifyRequest) => SessionUser | undefined
  /** Without it only this machine reads. */
  token: string | null
}
export interface Metrics {
  batch(done: Batch): void
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]
const EVENTS = [1, 5, 20, 50, 100, 250, 500, 1_000]
const JOBS_MS = 1_000
/** What proxies say of themselves: behind one that says no address everybody looks like this machine. */
const PASSED_ON = [
  'via',
  'forwarded',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
]
const LOCAL = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
/** A request's number as proxies write them. */
const PROXY_NUMBER = /^[\w.:-]{1,64}$/
/** Asked every few seconds by a machine, or sent by one: their successes are no news. */
const QUIET = /^\/(healthz|readyz|metrics|open\/device\/)/
const OK = 200

const isRight = (given: string, token: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(`Bearer ${token}`)]
  return a.length === b.length && timingSafeEqual(a, b)
}
/** The code inside the envelope: what people and devices are told (docs/product.md). */
const codeOf = (payload: unknown): number | undefined => {
  const found = typeof payload === 'string' ? /^\{"code":(\d+)/.exec(payload) : null
  return found ? Number(found[1]) : undefined
}

/** Counts what is answered and how long it took, one line in the log a request, and tells it at /metrics. */
export function serveMetrics(app: FastifyInstance, o: MetricsOptions): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const registers = [register]
  const requests = new Counter({
    name: 'zhuguan_requests_total',
    help: 'Answers by route pattern, HTTP status and code of the envelope',
    labelNames: ['method', 'route', 'status', 'code'],
    registers,
  })
  const duration = new Histogram({
    name: 'zhuguan_request_seconds',
    help: 'From the first byte of a request to the end of its answer',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  })
  const batches = new Histogram({
    name: 'zhuguan_ingest_batch_events',
    help: 'Events of devices filed in one transaction',
    buckets: EVENTS,
    registers,
  })
  const lag = new Histogram({
    name: 'zhuguan_ingest_lag_seconds',
    help: 'From the arrival of the oldest event of a batch to its commit',
    buckets: SECONDS,
    registers,
  })
  const { counter, gauge } = figureMakers(register)
  const readSums = operatorFigures(register, o)
  gauge('pool_connections', 'Connections to the database', ['pool', 'state'], (self) => {
    for (const { name, total, idle, waiting } of o.db.pools()) {
      self.set({ pool: name, state: 'busy' }, total - idle)
      self.set({ pool: name, state: 'idle' }, idle)
      self.set({ pool: name, state: 'waiting' }, waiting)
    }
  })
  gauge('pool_connections_max', 'How many connections a pool may have', ['pool'], (self) => {
    for (const { name, max } of o.db.pools()) self.set({ pool: name }, max)
  })
  const replica = (name: string, help: string, of: (use: ReplicaUse) => number) =>
    gauge(`replica_${name}`, help, ['replica'], (self) => {
      for (const use of o.db.replicas()) self.set({ replica: use.name }, of(use))
    })
  replica('in_use', 'Whether reads go to the replica', (use) => Number(use.inUse))
  replica('lag_seconds', 'How far the replica is behind the primary', (use) => use.lagSeconds)
  const ofReplicas = (name: string, help: string, of: (use: ReplicaUse) => number) =>
    counter(
      `replica_${name}`,
      help,
      (add) => {
        for (const use of o.db.replicas()) add(of(use), { replica: use.name })
      },
      ['replica'],
    )
  ofReplicas('reads', 'Reading transactions begun on the replica since the start', (use) => use.reads)
  ofReplicas('fallbacks', 'Those of them that the primary answered', (use) => use.fallbacks)
  counter(
    'refused',
    'Work of a class that was refused since the start',
    (add) => {
      for (const bound of Object.values(o.bounds)) {
        const { name, refused } = bound.use()
        add(refused, { class: name })
      }
    },
    ['class'],
  )
  gauge('bound', 'Classes of work: what runs and waits', ['class', 'state'], (self) => {
    for (const bound of Object.values(o.bounds)) {
      const { name, running, waiting } = bound.use()
      self.set({ class: name, state: 'running' }, running)
      self.set({ class: name, state: 'waiting' }, waiting)
    }
  })
  gauge('files_missing', 'Files that are named and were not found since the start', [], (self) =>
    self.set(missingFiles.size),
  )
  gauge('live_streams', 'Browsers that listen', [], (self) => self.set(o.streams()))
  gauge('mqtt_connections', 'Devices at our own broker', [], (self) => self.set(o.devices()))
  gauge('mqtt_up', 'Whether the server is joined to its MQTT broker and hears devices', [], (self) =>
    self.set(Number(o.devicesHeard())),
  )
  gauge('ingest_waiting_events', 'Events that wait to be filed', [], (self) => self.set(o.waitingEvents()))

  const up = gauge('database_up', 'Whether the database answered this question', [], () => {})
  const succeeded = gauge(
    'job_last_success_timestamp_seconds',
    'When scheduled work last succeeded',
    ['kind'],
    () => {},
  )
  const failing = gauge(
    'job_failures',
    'Failures of scheduled work since its last success',
    ['kind'],
    () => {},
  )
  const backedUp = gauge(
    'backup_last_success_timestamp_seconds',
    'When all of the database was last written into a backup; 0 before the first',
    [],
    () => {},
  )
  const askBackup = shared(JOBS_MS, () =>
    o.db.tx(
      SYSTEM,
      (tx) =>
        tx.last(
          'metrics.backup',
          row({ at: float8 }),
          'SELECT coalesce(extract(epoch FROM max(at)), 0)::float8 AS at FROM backups',
          [],
        ),
      { readOnly: true },
    ),
  )
  const askJobs = shared(JOBS_MS, () =>
    o.db.tx(
      SYSTEM,
      (tx) =>
        tx.last(
          'metrics.jobs',
          row({ kind: text, succeeded: float8.null, failures: int4 }),
          `SELECT kind, extract(epoch FROM min(succeeded_at))::float8 AS succeeded, max(failures) AS failures
           FROM job_runs
           GROUP BY kind`,
          [],
        ),
      { readOnly: true },
    ),
  )
  async function readJobs(): Promise<void> {
    try {
      for (const { kind, succeeded: at, failures } of (await askJobs()).rows) {
        if (at !== null) succeeded.set({ kind }, at)
        failing.set({ kind }, failures)
      }
      await readSums()
      backedUp.set((await askBackup()).rows[0]!.at)
      up.set(1)
    } catch {
      up.set(0)
    }
  }

  const codes = new WeakMap<FastifyReply, number>()
  app.addHook('onSend', async (_request, reply, payload) => {
    const code = codeOf(payload)
    if (code !== undefined) codes.set(reply, code)
    return payload
  })
  const before = new WeakMap<FastifyRequest, number>()
  app.addHook('onRequest', async (request) => {
    before.set(request, request.socket.bytesWritten)
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const status = reply.statusCode
    const code = codes.get(reply) ?? status
    const ms = reply.elapsedTime
    requests.inc({ method: request.method, route, status, code })
    duration.observe({ route }, ms / 1_000)
    const line = {
      method: request.method,
      route,
      status,
      code,
      ms: Math.round(ms),
      bytes: request.socket.bytesWritten - (before.get(request) ?? 0),
      user: o.userOf(request)?.id,
      address: request.ip,
      // The number that a proxy before us gave it, as its own log has it.
      proxied: PROXY_NUMBER.exec(String(request.headers['x-request-id'] ?? ''))?.[0],
    }
    if (QUIET.test(route) && code === OK) request.log.debug(line, 'request')
    else request.log.info(line, 'request')
  })
  app.get('/metrics', async (request, reply) => {
    const isHere = LOCAL.has(request.ip) && !PASSED_ON.some((name) => name in request.headers)
    const mayRead = isHere || (!!o.token && isRight(String(request.headers.authorization ?? ''), o.token))
    if (!mayRead) throw new Refused('只有本机或带 METRICS_TOKEN 的请求可以读', 403, 403)
    await readJobs()
    return reply.header('content-type', register.contentType).send(await register.metrics())
  })
  return {
    batch({ events, waitedMs }) {
      batches.observe(events)
      lag.observe(waitedMs / 1_000)
    },
  }
}
