import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startTestServer, type TestServer } from '../../testing/start.ts'
import { listen } from '../../testing/stream.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('a session opened while the clock was ahead ends when the clock is right again; a small step back ends nobody’s', async () => {
  const usual = await server.as('pm')
  server.later(-2 * MINUTE_MS)
  expect((await usual.ask(api.session.permissionInfo)).code).toBe(200)
  server.later(2 * MINUTE_MS)

  server.later(30 * DAY_MS)
  const ahead = await server.as('steward')
  const stream = listen(server.url, ahead)
  await stream.until(() => stream.heard.length > 0)
  expect((await ahead.ask(api.session.permissionInfo)).code).toBe(200)
  server.later(-30 * DAY_MS)
  const { code, msg } = await ahead.ask(api.session.permissionInfo)
  expect([code, msg]).toEqual([500, 'Token Expiration'])
  await server.sql(`SELECT pg_notify('access', '')`)
  for (let i = 0; i < 40 && server.app.streams() > 0; i += 1) await new Promise((r) => setTimeout(r, 50))
  expect(server.app.streams()).toBe(0)
  await stream.close()
})
