import { afterAll, beforeAll, expect, test } from 'vitest'

import { connect } from '../database/connect.ts'
import { report } from '../testing/device.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { listen } from '../testing/stream.ts'
import { seconds } from '../testing/time.ts'
import { type RunningApp, serveApp } from './serve-app.ts'

let server: TestServer
let second: RunningApp
let secondDb: ReturnType<typeof connect>
beforeAll(async () => {
  server = await startTestServer()
  secondDb = connect(server.logins, { max: 4, now: server.now })
  second = await serveApp({
    db: secondDb,
    dataDir: server.dataDir,
    secretKey: server.secretKey,
    port: 0,
    mqttPort: 0,
    mqttUrl: null,
    sessionMinutes: 60,
    logLevel: 'silent',
    verify: true,
    host: '127.0.0.1',
    now: server.now,
  })
})
afterAll(async () => {
  await second.close()
  await secondDb.close()
  await server.stop()
})

let n = 0
const raise = (sn: string) => {
  const device = server.devices.find((d) => d.sn === sn)!
  return report(server.url, device, [
    { id: `l${++n}`, kind: 'alarm', at: seconds(), type: 'smoking', confidence: 0.9 },
  ])
}

test('an alarm filed by one server reaches browsers of another, and only those that may see its site', async () => {
  const camera = server.devices.find((d) => d.type === 'camera' && d.sn.includes('HZ'))!
  const gm = await server.as('branch_gm')
  const listeners = {
    gm: listen(second.url, gm),
    gm2: listen(second.url, await server.as('branch_gm2')),
    other: listen(second.url, await server.as('other')),
    here: listen(server.url, gm),
  }
  await Promise.all(
    Object.values(listeners).map((l) => l.until(() => l.heard.some((h) => h.kind === 'hello'))),
  )
  await raise(camera.sn)
  await listeners.gm.until(() => listeners.gm.alarms().length === 1)
  await listeners.here.until(() => listeners.here.alarms().length === 1)
  expect(listeners.gm.alarms()[0]!.data).toMatchObject({
    topic: 'alarm',
    what: 'raised',
    site_id: camera.site,
  })
  expect(listeners.gm2.alarms()).toEqual([])
  expect(listeners.other.alarms()).toEqual([])
  await Promise.all(Object.values(listeners).map((l) => l.close()))
})

test('a browser that was away hears what it missed, once and in order', async () => {
  const cameras = server.devices.filter((d) => d.type === 'camera' && d.sn.includes('HZ')).slice(3, 9)
  const gm = await server.as('branch_gm')
  const before = listen(server.url, gm)
  await before.until(() => before.heard.length > 0)
  await raise(cameras[0]!.sn)
  await before.until(() => before.alarms().length === 1)
  const last = before.alarms()[0]!.id
  await before.close()
  await Promise.all(cameras.slice(1).map((c) => raise(c.sn)))
  const after = listen(second.url, gm, last)
  await after.until(() => after.alarms().length === 5)
  await raise(cameras[0]!.sn)
  await after.until(() => after.alarms().length === 6)
  const ids = after.heard.filter((h) => h.id).map((h) => h.id.split('-').map(Number))
  expect(ids).toEqual([...ids].sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]!))
  expect(new Set(ids.map(String)).size).toBe(ids.length)
  await after.close()
})

test('after a gap that is too long to tell, the browser is told to fetch anew', async () => {
  const gm = await server.as('branch_gm')
  await server.sql('DELETE FROM live_events WHERE seq <= (SELECT max(seq) - 1 FROM live_events)')
  const stream = listen(server.url, gm, '5-1')
  await stream.until(() => stream.heard.some((h) => h.kind === 'reset'))
  await stream.close()
})

test('a stream does not outlive its session', async () => {
  const service = await server.as('service')
  const stream = listen(server.url, service)
  await stream.until(() => stream.heard.length > 0)
  await server.sql(
    'UPDATE sessions SET revoked_at = :now WHERE user_id = (SELECT id FROM users WHERE user_name = $1)',
    ['service'],
  )
  await server.sql(`SELECT pg_notify('access', '')`)
  await new Promise((r) => setTimeout(r, 500))
  const camera = server.devices.filter((d) => d.type === 'camera' && d.sn.includes('HZ')).at(-1)!
  await raise(camera.sn)
  await new Promise((r) => setTimeout(r, 300))
  expect(stream.alarms()).toEqual([])
  await stream.close()
})
