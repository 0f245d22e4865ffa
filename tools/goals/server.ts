import { bounds } from '../../server/app/bounds.ts'
import { serveApp } from '../../server/app/serve-app.ts'
import { connect } from '../../server/database/connect.ts'
import type { Logins } from '../../server/database/migrate.ts'
import type { VideoSettings } from '../../server/features/streams/gateway.ts'
import { readSecretKey } from '../../server/kit/secret.ts'
import { openDoor, type Plant, spoiled, unbounded } from './plants.ts'

/** What a stage says to its server: to measure itself, what time it is, or to stand still for so long. */
export type Told = 'heap' | 'memory' | 'stop' | { shift: number } | { spin: number }

const { FOLDER, LOGINS, PLANT, PLANT_PATH, PLANT_FILE, SESSION_MINUTES, DEVICES, VIDEO } = process.env
const plant = PLANT as Plant | undefined
let shift = 0
const now = () => new Date(Date.now() + shift)

/** The product's server as in production, in a process of its own; with `PLANT` it has the hole that a goal looks for. */
const db = connect(JSON.parse(LOGINS!) as Logins, {
  max: 12,
  now,
  ...(plant === 'patient' ? { statementMs: 300_000 } : {}),
})
const secretKey = await readSecretKey(FOLDER!)
const app = await serveApp({
  db: plant ? spoiled(db, plant) : db,
  dataDir: FOLDER!,
  secretKey,
  port: 0,
  mqttPort: 0,
  mqttUrl: null,
  sessionMinutes: Number(SESSION_MINUTES ?? 600),
  logLevel: process.env.GOAL_LOG ?? 'silent',
  verify: false,
  host: '127.0.0.1',
  now,
  clockMs: 2_000,
  video: VIDEO ? (JSON.parse(VIDEO) as VideoSettings) : null,
  ...(plant === 'unbounded' ? { bounds: unbounded(bounds()) } : {}),
})
if (plant)
  openDoor(app, db, plant, {
    devices: JSON.parse(DEVICES!) as { sn: string; secret: string }[],
    at: PLANT_PATH ?? '',
    leaves: PLANT_FILE ?? '',
    secretKey,
  })
process.on('SIGTERM', () => process.exit(0))
// Whoever set the stage has gone: nothing stays behind.
process.on('disconnect', () => process.exit(0))
process.send!({ url: app.url })

const LOOK_MS = 5
let watch: NodeJS.Timeout | undefined
let longest = 0
/** The most processor time in milliseconds that went by without a turn of the loop, since this was asked last. */
function longestStop(): number {
  let before = process.threadCpuUsage()
  watch ??= setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1_000)
    before = process.threadCpuUsage()
  }, LOOK_MS)
  const ms = longest
  longest = 0
  return ms
}
function measured(told: Told): number {
  if (told === 'stop') return longestStop()
  if (told === 'heap') for (let i = 0; i < 3; i += 1) globalThis.gc?.()
  if (typeof told === 'object' && 'shift' in told) shift = told.shift
  if (typeof told === 'object' && 'spin' in told)
    // In processor time, as a stop is judged: on a machine that others load a clock would have stood still for less.
    for (const from = process.cpuUsage(); process.cpuUsage(from).user / 1_000 < told.spin;);
  return told === 'heap' ? process.memoryUsage().heapUsed : process.memoryUsage().rss
}
process.on('message', (told: Told) => void process.send!(measured(told)))
