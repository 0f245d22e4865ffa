import { connect, type Socket } from 'node:net'

import { liveApi } from '@zhuguan/contract/features/live/live.api.ts'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Person, startTestServer, type TestServer } from '../testing/start.ts'
import { listen } from '../testing/stream.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))
const asking = (who: Person, last?: string) =>
  `GET ${liveApi.stream.path} HTTP/1.1\r\nhost: x\r\ntoken: ${who.token}\r\ntenant-id: ${who.tenant}\r\n${last ? `last-event-id: ${last}\r\n` : ''}\r\n`
/** A socket and everything that came over it. */
function raw(): { socket: Socket; text: () => string; closed: Promise<void> } {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let text = ''
  socket.on('data', (bytes) => (text += bytes.toString()))
  socket.on('error', () => {})
  return { socket, text: () => text, closed: new Promise((resolve) => socket.once('close', () => resolve())) }
}
const tellAll = () => server.sql(`SELECT pg_notify('access', '')`)
const say = () =>
  server.sql(
    `SET app.tenant = '*'; INSERT INTO live_events (tenant_id, topic, what, ref_id) SELECT id, 'site', 'changed', '' FROM tenants`,
  )

test('two streams asked for on one socket: the second is refused, and the end of its session ends nothing else', async () => {
  const [first, second] = [await server.as('branch_gm'), await server.as('branch_gm')]
  const { socket, text } = raw()
  socket.write(asking(first) + asking(second))
  await pause(300)
  await second.call(sessionApi.logout)
  // What is written after an end is an error that nobody may hear but us: several, to be past anyone's own listener.
  for (let i = 0; i < 4; i += 1) {
    await tellAll()
    await say()
    await pause(60)
  }
  await pause(2_200)
  expect(text().match(/event: hello/g)).toHaveLength(1)
  expect((await first.ask(sessionApi.permissionInfo)).code).toBe(200)
  await first.call(sessionApi.logout)
  await pause(200)
  expect(server.app.streams()).toBe(0)
  socket.destroy()
})

test('a reader that does not read is cut when its session ends, within five seconds', async () => {
  const person = await server.as('branch_gm')
  const { socket, closed } = raw()
  socket.pause()
  socket.write(asking(person))
  await pause(200)
  expect(server.app.streams()).toBe(1)
  await person.call(sessionApi.logout)
  for (let i = 0; i < 3; i += 1) await tellAll()
  await pause(300)
  expect(server.app.streams()).toBe(0)
  socket.resume()
  const at = performance.now()
  await closed
  expect(performance.now() - at).toBeLessThan(5_000)
})

test('connections that drop while they are being served leave nothing behind', async () => {
  const person = await server.as('branch_gm')
  for (let i = 0; i < 150; i += 1) {
    const { socket } = raw()
    socket.once('connect', () => {
      socket.write(asking(person, i % 2 ? '1' : undefined))
      setTimeout(() => socket.destroy(), i % 5)
    })
    if (i % 10 === 0) await pause(5)
  }
  await pause(1_500)
  expect(server.app.streams()).toBe(0)
})

test('one person’s streams have a limit, in a sentence of its own; others get theirs', async () => {
  const [greedy, other] = [await server.as('branch_gm'), await server.as('pm')]
  const streams = Array.from({ length: 40 }, () => listen(server.url, greedy))
  await Promise.all(streams.map((s) => s.until(() => s.heard.length > 0)))
  const refused = await greedy.ask(liveApi.stream)
  expect([refused.status, refused.code, refused.headers.get('retry-after') !== null]).toEqual([
    429,
    429,
    true,
  ])
  expect(refused.msg).toContain('最多 40 个实时连接')
  const theirs = listen(server.url, other)
  await theirs.until(() => theirs.heard.length > 0)
  await Promise.all([...streams, theirs].map((s) => s.close()))
})
