import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let pm: Person
beforeAll(async () => {
  server = await startTestServer()
  pm = await server.as('pm')
})
afterAll(() => server.stop())

async function upload(shade: number): Promise<string> {
  const bytes = await sharp({
    create: { width: 1600, height: 1200, channels: 3, background: { r: shade, g: 90, b: 40 } },
  })
    .jpeg()
    .toBuffer()
  return uploadPhoto(server.url, pm, bytes)
}
async function look(key: string): Promise<{ status: number; bytes: Buffer }> {
  const response = await fetch(
    `${server.url}${filesApi.get.path}?${new URLSearchParams({ key, size: 'thumb' })}`,
    {
      headers: { token: pm.token, 'tenant-id': pm.tenant },
    },
  )
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}

test('a dozen people who look at a new picture at once all see it whole', async () => {
  for (let i = 0; i < 3; i += 1) {
    const key = await upload(20 * i + 7)
    const seen = await Promise.all(Array.from({ length: 12 }, () => look(key)))
    expect(seen.map((s) => s.status)).toEqual(Array.from({ length: 12 }, () => 200))
    for (const s of seen) expect(s.bytes.equals(seen[0]!.bytes)).toBe(true)
    expect(await sharp(seen[0]!.bytes).metadata()).toMatchObject({ format: 'webp', width: 320, height: 240 })
  }
})

test('a part of a file is answered as a part, a part that is not there is refused', async () => {
  const key = await upload(200)
  const ask = (range?: string) =>
    fetch(`${server.url}${filesApi.get.path}?${new URLSearchParams({ key })}`, {
      headers: { token: pm.token, 'tenant-id': pm.tenant, ...(range ? { range } : {}) },
    })
  const whole = Buffer.from(await (await ask()).arrayBuffer())
  const part = await ask('bytes=10-19')
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${whole.length}`])
  expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(10, 20))).toBe(true)
  const end = await ask('bytes=-5')
  expect(Buffer.from(await end.arrayBuffer()).equals(whole.subarray(-5))).toBe(true)
  expect((await ask(`bytes=${whole.length}-`)).status).toBe(416)
  expect((await ask('bytes=9-3')).status).toBe(416)
  expect((await ask('lines=1-2')).status).toBe(200)
  expect((await ask()).headers.get('vary')).toContain('token')
})
