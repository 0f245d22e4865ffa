import { connect } from 'node:net'

import { api } from '@zhuguan/contract/api.ts'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { sendFile } from '../../testing/device.ts'
import { filmLasting } from '../../testing/films.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

const FILM = filmLasting(60, Buffer.alloc(7_000_000, 7))
const CLIP = FILM.length
const READERS = 20
const ASKED = 3
let server: TestServer
let gm: Person
let key: string
beforeAll(async () => {
  server = await startTestServer({ stallMs: 500 })
  gm = await server.as('branch_gm')
  const { data } = await sendFile(
    server.url,
    server.devices.find((d) => d.sn.includes('HZ'))!,
    FILM,
  )
  key = data.key
})
afterAll(() => server.stop())

const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))
const path = () => `${filesApi.get.path}?key=${key}`
/** Asks for the clip and reads nothing of it; a busy machine may cut it before its first byte. */
const deaf = () =>
  new Promise<{ rest(): Promise<number> }>((resolve) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    let got = 0
    const closed = new Promise<void>((done) => socket.once('close', () => done()))
    const rest = async () => {
      socket.resume()
      await closed
      return got
    }
    socket.on('error', () => {})
    socket.once('connect', () => {
      const headers = `host: x\r\ntoken: ${gm.token}\r\ntenant-id: ${gm.tenant}`
      // More than the machine's own buffers swallow.
      socket.write(`GET ${path()} HTTP/1.1\r\n${headers}\r\n\r\n`.repeat(ASKED))
    })
    socket.on('data', (bytes) => {
      if (got === 0) socket.pause()
      got += bytes.length
      resolve({ rest })
    })
    void closed.then(() => resolve({ rest }))
  })

describe('a clip', () => {
  it('is read whole and in parts', async () => {
    const headers = { token: gm.token, 'tenant-id': gm.tenant }
    const whole = await fetch(server.url + path(), { headers })
    expect(whole.headers.get('content-length')).toBe(String(CLIP))
    expect((await whole.arrayBuffer()).byteLength).toBe(CLIP)
    const part = await fetch(server.url + path(), { headers: { ...headers, range: 'bytes=4-7' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes 4-7/${CLIP}`)
    expect(await part.text()).toBe('ftyp')
  })

  it('that nobody reads takes no memory of its size and no place from other calls, and is cut', async () => {
    const before = process.memoryUsage().arrayBuffers
    const readers = await Promise.all(Array.from({ length: READERS }, deaf))
    // What was read and passed on is counted until it is collected.
    await expect
      .poll(() => process.memoryUsage().arrayBuffers - before, { timeout: 10_000 })
      .toBeLessThan((READERS * CLIP) / 4)
    const from = performance.now()
    expect((await gm.ask(api.sites.list)).code).toBe(200)
    expect(performance.now() - from).toBeLessThan(700)
    // Longer than the server waits, also where the machine is busy.
    await pause(3_000)
    for (const reader of readers) expect(await reader.rest()).toBeLessThan(CLIP * ASKED)
  }, 600_000)
})
