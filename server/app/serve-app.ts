import type { Database } from '../database/connect.ts'
import { openFileStore } from '../features/files/file-store.ts'
import type { MapBase } from '../features/maps/maps.routes.ts'
import { hasFfmpeg, turnFilms } from '../features/recordings/turn-films.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { type OidcSettings, oidcProvider } from '../features/session/oidc.service.ts'
import type { VideoSettings } from '../features/streams/gateway.ts'
import { startBatcher } from '../ingest/batcher.ts'
import { registerCarrierDoor } from '../ingest/carrier-door.ts'
import { deviceBook } from '../ingest/device-book.ts'
import { olderReceipts } from '../ingest/first-time.ts'
import { folderRecordings, type FolderSettings } from '../ingest/folder-recordings.ts'
import { registerDeviceDoor } from '../ingest/http-door.ts'
import { joinBroker, type MqttDoor, startBroker } from '../ingest/mqtt-door.ts'
import { heardNetworks } from '../ingest/signed.ts'
import { workerBook } from '../ingest/worker-book.ts'
import { type MailSettings, openMailer } from '../kit/mailer.ts'
import { originsOf } from '../kit/outside.ts'
import type { OwnPlace } from '../kit/own-place.ts'
import { papers } from '../kit/paper.ts'
import { there } from '../kit/row.ts'
import { shared } from '../kit/shared.ts'
import { type Allowances, allowances } from './allowances.ts'
import { type Bounds, bounds } from './bounds.ts'
import { build, type Built } from './build.ts'
import { startClock } from './clock.ts'
import { features, stageOf } from './features.ts'
import type { Run } from './jobs.ts'
import { startLive } from './live.ts'
import { serveMetrics } from './metrics.ts'
import { serveOpenApi } from './open-api.ts'
import { type OfficeDeps, startPostOffice } from './post-office.ts'
import { watchSilences } from './silences.ts'
import { warnings } from './warnings.ts'
import { serveWeb } from './web.ts'

export interface AppOptions {
  db: Database
  dataDir: string
  secretKey: Buffer
  port: number
  mqttPort: number
  /** Whether somebody chose the port. */
  mqttChosen?: boolean
  mqttUrl: string | null
  sessionMinutes: number
  oidc?: OidcSettings | null
  logLevel: string
  /** Without it: the shipped boundaries. */
  map?: MapBase
  video?: VideoSettings | null
  recordings?: FolderSettings | null
  /** The place of the product's files; without it the folder below `dataDir`. */
  place?: OwnPlace
  ffmpeg?: string | null
  verify: boolean
  /** The server's one clock; the database is connected with the same. */
  now: () => Date
  host?: string
  /** The time that the database of this process has been away. */
  databaseDownMs?: (() => number) | undefined
  /** The interval at which scheduled work is looked for. */
  clockMs?: number
  /** The interval at which devices that have fallen silent are looked for. */
  silenceMs?: number
  /** What each class of work may do at once; a goal takes it away to see what it is for. */
  bounds?: Bounds
  /** The amounts that are written through each door. */
  allowances?: Allowances
  stallMs?: number
  sendingMs?: number
  trustProxy?: string
  metricsToken?: string | null
  /** Inner hosts that messages may be sent to. */
  webhookHosts?: readonly string[]
  /** The operator's mail server; without it no mail is sent. */
  mail?: MailSettings | null
  /** The beginning of a link in a message; without it there is none. */
  publicUrl?: string | null
  /** The interval at which it looks for messages to send. */
  officeMs?: number
}
const mailerOf = ({ mail }: AppOptions) => (mail ? openMailer(mail) : null)
/** The sender of messages to groups and other systems. */
const officeOf = (
  { db, now, publicUrl = null, secretKey, webhookHosts: hosts = [] }: AppOptions,
  { mailer, warn }: Pick<OfficeDeps, 'mailer' | 'warn'>,
): OfficeDeps => ({ db, now, secretKey, hosts, publicUrl, mailer, warn })

export interface RunningApp {
  url: string
  mqttUrl: string
  /** Whether devices are heard over MQTT. */
  mqttUp: () => boolean
  built: Built
  /** While the demo's past is being replayed, the seven-day rule rests. */
  history: (on: boolean) => void
  /** Does the scheduled work that is due, or waits for the look that is under way. */
  look: () => Promise<number>
  /** Number of browsers that listen to live messages. */
  streams: () => number
  close(): Promise<void>
}

/** Connections that wait to be taken in: a restart brings hundreds at once; a dropped one comes back a second later. */
const BACKLOG = 4_096
const GOODBYE_MS = 2_000
const STALL_MS = 10_000
const SENDING_MS = 15_000
const READY_MS = 500
const DOWN_MS = 5_000

/** Everything that runs in one server process, wired by hand in one place. */
export async function serveApp(o: AppOptions): Promise<RunningApp> {
  const { now } = o
  const { map = { tiles: null, credit: '' }, video = null } = o
  let replaying = false
  const history = () => replaying
  let built: Built
  const warn = warnings(() => built.app.log)
  const files = openFileStore(o.dataDir, warn, o.place)
  const mailer = mailerOf(o)
  const live = startLive(o.db, () => built.book, warn)
  const stage = stageOf({ db: o.db, secretKey: o.secretKey, video, now, warn })
  const classes = o.bounds ?? bounds()
  const allowed = o.allowances ?? allowances()
  built = build({
    db: o.db,
    secretKey: o.secretKey,
    bounds: classes,
    allowances: allowed,
    stallMs: o.stallMs ?? STALL_MS,
    sendingMs: o.sendingMs ?? SENDING_MS,
    trustProxy: o.trustProxy ?? 'loopback',
    features: [
      ...features({
        db: o.db,
        files,
        secretKey: o.secretKey,
        oidc: o.oidc ? oidcProvider(o.oidc) : null,
        sessionMinutes: o.sessionMinutes,
        map,
        stage,
        now,
        webhookHosts: o.webhookHosts ?? [],
        mailer,
      }),
      live.feature,
    ],
    now,
    logLevel: o.logLevel,
    verify: o.verify,
  })
  const { app } = built
  const book = deviceBook(o.db, o.secretKey, now, (sn) =>
    warn(`设备 ${sn} 的密钥读不出来（不是用这里的 secret.key 存的），请在设备页面重新生成`),
  )
  const workers = workerBook(o.db)
  const batcher = startBatcher(o.db, {
    now,
    history,
    workers,
    files,
    older: olderReceipts(now),
    months: new Set<string>(),
    filed: (batch) => metrics.batch(batch),
    // While the demo's past is being told, ninety days are one.
    spend: (device, much) => replaying || allowed.deviceEvents.spend(device, now(), much),
  })
  const metrics = serveMetrics(app, {
    db: o.db,
    files,
    bounds: { ...classes, papers },
    streams: live.streams,
    devices: () => mqtt?.use?.().running ?? 0,
    devicesHeard: () => mqtt?.up() ?? false,
    waitingEvents: batcher.waiting,
    userOf: built.userOf,
    token: o.metricsToken ?? null,
  })
  let mqtt: MqttDoor | undefined

  await serveWeb(app, {
    pictures: map.tiles ? originsOf(map.tiles) : [],
    sso: !!o.oidc,
  })
  const heard = heardNetworks(now)
  await registerDeviceDoor(app, {
    heard,
    db: o.db,
    book,
    batcher,
    files,
    now,
    history,
    bounds: classes,
    allowances: allowed,
  })
  await registerCarrierDoor(app, {
    heard,
    db: o.db,
    secretKey: o.secretKey,
    now,
    bounds: classes,
    allowances: allowed,
  })
  app.get('/healthz', async (_request, reply) => {
    const downMs = o.databaseDownMs?.()
    if (downMs === undefined) return { ok: true }
    const ok = downMs < DOWN_MS
    return reply.status(ok ? 200 : 503).send({ ok, database: downMs === 0 ? 'up' : 'down' })
  })
  const isReady = shared(READY_MS, async () => {
    await o.db.tx(SYSTEM, (tx) => tx.last('app.ready', there, 'SELECT 1', []), { readOnly: true })
    await o.db.admits()
  })
  app.get('/readyz', async () => {
    await isReady()
    // Pages work without devices: whoever looks at both reads it here.
    return { ok: true, mqtt: mqtt?.up() ? 'up' : 'down' }
  })
  serveOpenApi(app, () => built.routes)
  const host = o.host ?? '0.0.0.0'
  const door = { book, batcher, strangers: classes.strangers, now, history, warn }
  // Before people are let in: whoever chose a port for devices that is taken learns it before anybody works.
  const joined = o.mqttUrl
    ? await joinBroker(door, o.mqttUrl)
    : await startBroker(door, { port: o.mqttPort, host, chosen: o.mqttChosen ?? false })
  mqtt = joined
  try {
    await app.listen({ port: o.port, host, backlog: BACKLOG })
  } catch (error) {
    await joined.close()
    throw error
  }
  const port = (app.server.address() as { port: number }).port
  const folder = o.recordings && folderRecordings({ ...o.recordings, db: o.db, files, book, batcher, warn })
  const { ffmpeg } = o
  const films =
    ffmpeg && (await hasFfmpeg(ffmpeg))
      ? (run: Run) => turnFilms({ ...run, files, program: ffmpeg, warn })
      : undefined
  const clock = startClock({
    db: o.db,
    now,
    secretKey: o.secretKey,
    files,
    dataDir: o.dataDir,
    warn,
    everyMs: o.clockMs,
    folder: folder ?? undefined,
    films,
  })
  const office = startPostOffice(officeOf(o, { mailer, warn }), o.officeMs)
  const silence = watchSilences(o.db, now, () => replaying, warn, o.silenceMs)
  stage.start()

  return {
    url: `http://127.0.0.1:${port}`,
    mqttUrl: joined.url,
    mqttUp: joined.up,
    built,
    history: (on) => (replaying = on),
    look: clock.look,
    streams: live.streams,
    async close() {
      silence.close()
      await clock.close()
      await office.close()
      live.close()
      await joined.close()
      // Answers under way are finished; a connection that asks nothing does not hold up the end.
      const cut = setTimeout(() => app.server.closeAllConnections(), GOODBYE_MS)
      await app.close()
      clearTimeout(cut)
      await stage.close()
      await batcher.close()
      await Promise.all([book.close(), workers.close()])
    },
  }
}
