import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { type RunningApp, serveApp } from '../app/serve-app.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { seconds } from '../testing/time.ts'

/** Behind a broker that is not ours (MQTT_URL): a Mosquitto of the test's own, where this machine has one. */
const MOSQUITTO = ['mosquitto', '/usr/sbin/mosquitto'].find(
  (path) => spawnSync(path, ['-h']).error === undefined,
)
if (!MOSQUITTO) console.warn('这台机器没有 mosquitto：MQTT_URL 的故事没有跑')

let server: TestServer
let broker: ChildProcess
const apps: RunningApp[] = []
let url: string
const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })

beforeAll(async () => {
  if (!MOSQUITTO) return
  server = await startTestServer()
  const port = await freePort()
  const file = join(mkdtempSync(join(tmpdir(), 'zhuguan-broker-')), 'broker.conf')
  writeFileSync(file, `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\n`)
  broker = spawn(MOSQUITTO, ['-c', file], { stdio: 'ignore' })
  url = `mqtt://127.0.0.1:${port}`
  await vi.waitFor(async () => (await connectAsync(url, { reconnectPeriod: 0 })).endAsync(), {
    timeout: 10_000,
  })
  // Two servers share the subscription: each event is filed by one of them.
  for (let i = 0; i < 2; i += 1)
    apps.push(
      await serveApp({
        db: server.db,
        dataDir: server.dataDir,
        secretKey: server.secretKey,
        port: 0,
        mqttPort: 0,
        mqttUrl: url,
        sessionMinutes: 60,
        logLevel: 'silent',
        verify: true,
        host: '127.0.0.1',
        now: server.now,
      }),
    )
})
afterAll(async () => {
  for (const app of apps) await app.close()
  broker?.kill()
  await server?.stop()
})

test.skipIf(!MOSQUITTO)(
  'events through somebody else’s broker are filed once, whatever the number of servers, and answered on the device’s topic',
  async () => {
    const [camera] = server.devices.filter((d) => d.type === 'camera' && d.sn.includes('HZ'))
    const client = await connectAsync(url, { clientId: camera!.sn })
    const answers: string[] = []
    client.on('message', (_topic, payload) => answers.push(payload.toString()))
    await client.subscribeAsync(`device/${camera!.sn}/acks`, { qos: 1 })
    const send = (events: object[]) =>
      client.publishAsync(`device/${camera!.sn}/events`, JSON.stringify({ events }), { qos: 1 })
    // The servers may still be subscribing: what is sent again under the same id counts once.
    await expect
      .poll(
        async () => {
          await send([{ id: 'first', kind: 'heartbeat', at: seconds() - 1, signal: 71 }])
          return answers.length
        },
        { timeout: 15_000, interval: 300 },
      )
      .toBeGreaterThan(0)
    for (let i = 0; i < 20; i += 1)
      await send([{ id: `b${i}`, kind: 'heartbeat', at: seconds(), signal: 70 + (i % 9) }])
    await expect
      .poll(
        async () =>
          (
            await server.sql<{ n: number }>(
              `SELECT count(*)::int AS n FROM raw_events r JOIN devices d ON d.id = r.device_id WHERE d.sn = $1`,
              [camera!.sn],
            )
          )[0]!.n,
        { timeout: 15_000 },
      )
      .toBe(21)
    await expect
      .poll(() => answers.filter((a) => a.includes('"accepted":1')).length, { timeout: 10_000 })
      .toBe(21)
    // A topic of a device that is on nobody's books files nothing.
    await client.publishAsync(
      'device/NOBODY/events',
      JSON.stringify({ events: [{ id: 'x', kind: 'heartbeat', at: seconds() }] }),
      { qos: 1 },
    )
    expect(await server.sql(`SELECT 1 FROM device_receipts WHERE event_id = 'x'`)).toEqual([])
    await client.endAsync()
  },
)
