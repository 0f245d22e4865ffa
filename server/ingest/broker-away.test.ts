import { createServer, type Socket } from 'node:net'

import { Aedes } from 'aedes'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { type RunningApp, serveApp } from '../app/serve-app.ts'
import { readSettings } from '../app/settings.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** A broker of somebody else on this port; `deaf`: it lets nobody listen. */
async function brokerAt(port: number, deaf = false): Promise<{ port: number; end(): Promise<void> }> {
  const broker = await Aedes.createBroker()
  if (deaf) broker.authorizeSubscribe = (_client, _subscription, done) => done(null, null)
  const sockets = new Set<Socket>()
  const door = createServer((socket) => {
    sockets.add(socket)
    broker.handle(socket)
  })
  await new Promise<void>((resolve) => door.listen(port, '127.0.0.1', resolve))
  return {
    port: (door.address() as { port: number }).port,
    end: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => broker.close(() => door.close(() => resolve())))
    },
  }
}
const serveAt = (more: {
  mqttUrl: string | null
  mqttPort?: number
  mqttChosen?: boolean
}): Promise<RunningApp> =>
  serveApp({
    db: server.db,
    dataDir: server.dataDir,
    secretKey: server.secretKey,
    port: 0,
    mqttPort: 0,
    sessionMinutes: 60,
    logLevel: 'silent',
    verify: true,
    host: '127.0.0.1',
    now: server.now,
    ...more,
  })
async function heard(app: RunningApp) {
  const ready = await fetch(`${app.url}/readyz`)
  const gauge = /^zhuguan_mqtt_up (\d)$/m.exec(await (await fetch(`${app.url}/metrics`)).text())
  return [ready.status, ((await ready.json()) as { mqtt: string }).mqtt, gauge?.[1], app.mqttUp()]
}
const AWAY = [200, 'down', '0', false]
const THERE = [200, 'up', '1', true]

test('an outside broker that is away, comes, goes and lets nobody listen is a figure, and pages go on', async () => {
  const { port, end } = await brokerAt(0)
  await end()
  const app = await serveAt({ mqttUrl: `mqtt://127.0.0.1:${port}` })
  try {
    expect(await heard(app)).toEqual(AWAY)
    const first = await brokerAt(port)
    await vi.waitFor(async () => expect(await heard(app)).toEqual(THERE), 10_000)
    await first.end()
    await vi.waitFor(async () => expect(await heard(app)).toEqual(AWAY), 10_000)
    const deaf = await brokerAt(port, true)
    await new Promise((r) => setTimeout(r, 2_500))
    expect(await heard(app)).toEqual(AWAY)
    await deaf.end()
  } finally {
    await app.close()
  }
})

test('our own broker is up; a port that somebody chose is not left for another', async () => {
  const taken = await brokerAt(0)
  try {
    const moved = await serveAt({ mqttUrl: null, mqttPort: taken.port })
    expect(await heard(moved)).toEqual(THERE)
    expect(moved.mqttUrl).not.toContain(`:${taken.port}`)
    await moved.close()
    const chosen = readSettings({ MQTT_PORT: String(taken.port) })
    await expect(
      serveAt({ mqttUrl: null, mqttPort: chosen.mqttPort, mqttChosen: chosen.mqttChosen }),
    ).rejects.toThrow(`MQTT_PORT 的端口 ${taken.port} 已被占用`)
    expect(readSettings({}).mqttChosen).toBe(false)
  } finally {
    await taken.end()
  }
})
