import { allowances } from '../server/app/allowances.ts'
import { serveApp } from '../server/app/serve-app.ts'
import { connect } from '../server/database/connect.ts'
import type { Logins } from '../server/database/migrate.ts'
import { readSecretKey } from '../server/kit/secret.ts'

const UNBOUNDED = 1e12
/** The product's server in a process of its own, as in production: no answer is parsed a second time. */
const dataDir = process.env.FOLDER!
const app = await serveApp({
  db: connect(JSON.parse(process.env.LOGINS!) as Logins, {
    max: 12,
    replicas: process.env.REPLICA ? [process.env.REPLICA] : [],
  }),
  dataDir,
  secretKey: await readSecretKey(dataDir),
  port: Number(process.env.PORT_OF_SERVER ?? 0),
  mqttPort: 0,
  mqttUrl: null,
  sessionMinutes: 600,
  logLevel: 'silent',
  verify: false,
  // One caller is all of a group's people here.
  allowances: allowances({
    person: { minute: UNBOUNDED, hour: UNBOUNDED },
    deviceEvents: { hour: UNBOUNDED },
  }),
  host: '127.0.0.1',
  now: () => new Date(),
})
process.on('SIGTERM', () => process.exit(0))
process.send!({ url: app.url, mqttUrl: app.mqttUrl })
// For a soak: what is in use once everything that can be freed was freed.
process.on('message', () => {
  for (let i = 0; i < 3; i += 1) globalThis.gc?.()
  process.send!(process.memoryUsage().heapUsed)
})
