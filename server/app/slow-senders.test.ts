import { connect, type Socket } from 'node:net'

import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { loadSharp } from '../kit/native.ts'
import { type Person, startTestServer, type TestServer } from '../testing/start.ts'

const EACH = 4
let server: TestServer
beforeAll(async () => void (server = await startTestServer({ sendingMs: 6_000 })))
afterAll(() => server.stop())

const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))
/** A photo of which only the beginning ever comes. */
function half({ token, tenant }: Person): Socket {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => {})
  const headers = `host: x\r\ncontent-type: image/jpeg\r\ncontent-length: 8000000\r\ntoken: ${token}\r\ntenant-id: ${tenant}`
  socket.write(`POST ${filesApi.upload.path} HTTP/1.1\r\n${headers}\r\n\r\n${'x'.repeat(1_000)}`)
  return socket
}

test('people on slow lines who send photos keep nobody else from sending one', async () => {
  const slow = await Promise.all(['pm', 'steward', 'inspector'].map((role) => server.as(role)))
  const gm = await server.as('branch_gm')
  const sockets = slow.flatMap((person) => Array.from({ length: EACH }, () => half(person)))
  await pause(300)
  const photo = await (
    await loadSharp()
  )({ create: { width: 40, height: 30, channels: 3, background: '#246' } })
    .jpeg()
    .toBuffer()
  const from = performance.now()
  const answer = await fetch(server.url + filesApi.upload.path, {
    method: 'POST',
    headers: { token: gm.token, 'tenant-id': gm.tenant, 'content-type': 'image/jpeg' },
    body: new Uint8Array(photo),
  })
  expect(((await answer.json()) as { code: number }).code).toBe(200)
  expect(performance.now() - from).toBeLessThan(2_000)
  for (const socket of sockets) socket.destroy()
})
