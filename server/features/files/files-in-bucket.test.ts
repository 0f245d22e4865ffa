import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { ownBucket } from '../../kit/own-bucket.ts'
import type { OwnPlace } from '../../kit/own-place.ts'
import { openBucket, type TestBucket } from '../../testing/bucket.ts'
import { sendFile } from '../../testing/device.ts'
import { filmLasting } from '../../testing/films.ts'
import { forgetTonight } from '../../testing/nights.ts'
import { plainJpeg, uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { openFileStore } from './file-store.ts'

const AWAY = '存放照片和文件的对象存储没有回应，请稍后再试'
let bucket: TestBucket
let place: OwnPlace
let scratch: string
let server: TestServer
let pm: Person
let camera: { sn: string; secret: string }
beforeAll(async () => {
  bucket = await openBucket('files')
  scratch = await mkdtemp(join(tmpdir(), 'zhuguan-scratch-'))
  place = ownBucket({ address: 's3://files/house', s3: bucket.settings }, scratch)
  server = await startTestServer({ place })
  pm = await server.as('pm')
  const [device] = await server.sql<{ sn: string }>(
    `SELECT d.sn FROM devices d JOIN sites w ON w.id = d.site_id
     WHERE d.type = 'camera' AND w.status = 1 ORDER BY d.sn`,
  )
  camera = server.devices.find((d) => d.sn === device!.sn)!
})
beforeEach(() => {
  bucket.trouble = undefined
  bucket.asked.length = 0
})
afterAll(async () => {
  await server.stop()
  await bucket.close()
  await rm(scratch, { recursive: true, force: true })
})

const look = (key: string, more: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${filesApi.get.path}?${new URLSearchParams({ key, ...more })}`, {
    headers: { token: pm.token, 'tenant-id': pm.tenant, ...headers },
  })
const said = async (response: Response) => ({
  status: response.status,
  msg: ((await response.json()) as { msg: string }).msg,
})
const upload = async () =>
  uploadPhoto(server.url, pm, await plainJpeg(undefined, { width: 800, height: 600 }))
const nameOf = (key: string) => `house/${key.slice(-8, -6)}/${key}`
const refusing = (status: number) => (_request: IncomingMessage, reply: ServerResponse) => {
  reply.writeHead(status).end()
  return true
}

test('a picture lies in the bucket and on no disk, and is read through the server whole and in parts', async () => {
  const key = await upload()
  const bytes = bucket.objects.get(nameOf(key))!
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 800, height: 600 })
  const whole = await look(key)
  expect(whole.status).toBe(200)
  expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
  const part = await look(key, {}, { range: 'bytes=10-19' })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${bytes.length}`])
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true)
  const thumb = await look(key, { size: 'thumb' })
  expect(await sharp(Buffer.from(await thumb.arrayBuffer())).metadata()).toMatchObject({ width: 320 })
  expect(bucket.objects.has(`${nameOf(key)}.thumb`)).toBe(true)
  // Nobody else's answer, and no address of the bucket.
  const strange = await fetch(`${server.url}${filesApi.get.path}?key=${key}`)
  expect(await said(strange)).toEqual({ status: 401, msg: '登录已失效，请重新登录' })
  expect(existsSync(join(server.dataDir, 'files'))).toBe(false)
})

test('a recording of a camera lies there too, and nothing of it stays on this machine', async () => {
  const bytes = filmLasting(60, Buffer.alloc(300_000, 7))
  const { code, data } = await sendFile(server.url, camera, bytes)
  expect(code).toBe(200)
  expect(bucket.objects.get(nameOf(data.key))!.equals(bytes)).toBe(true)
  expect(await readdir(join(scratch, 'scratch'))).toEqual([])
})

test('what the bucket lost is told as missing; what it changed or cut off is never shown', async () => {
  const [lost, changed] = [await upload(), await upload()]
  bucket.objects.delete(nameOf(lost))
  expect(await said(await look(lost))).toEqual({
    status: 404,
    msg: '这个文件在服务器上已经不在了，请告诉管理员',
  })
  bucket.objects.set(nameOf(changed), await plainJpeg('#112233', { width: 800, height: 600 }))
  expect(await said(await look(changed, { size: 'medium' }))).toEqual({ status: 503, msg: AWAY })
  expect(bucket.objects.has(`${nameOf(changed)}.medium`)).toBe(false)
  // Half of it, and then nothing.
  const half = await upload()
  bucket.trouble = (request, reply) => {
    if (request.method !== 'GET') return false
    reply.writeHead(200, { 'content-length': 1_000_000 }).write(Buffer.alloc(1_000))
    setTimeout(() => reply.destroy(), 50)
    return true
  }
  expect(await said(await look(half, { size: 'thumb' }))).toEqual({ status: 503, msg: AWAY })
})

test.each([
  ['refuses', refusing(403)],
  ['is full', refusing(507)],
  [
    'breaks off',
    (request: IncomingMessage) => {
      request.socket.destroy()
      return true
    },
  ],
])(
  'a bucket that %s: 503 for pictures, everything else goes on, and then they are back',
  async (_name, trouble) => {
    const key = await upload()
    bucket.trouble = trouble
    const shown = await look(key)
    expect(shown.headers.get('retry-after')).toBe('5')
    expect(await said(shown)).toEqual({ status: 503, msg: AWAY })
    for (const size of ['thumb', 'medium'])
      expect(await said(await look(key, { size }))).toEqual({ status: 503, msg: AWAY })
    const files = await server.sql('SELECT key FROM files')
    await expect(upload()).rejects.toThrow(`photo: 503 ${AWAY}`)
    // A camera keeps what it may send again: 503, not a picture that is no good.
    expect(await sendFile(server.url, camera, filmLasting(60, Buffer.alloc(3_000, 9)))).toMatchObject({
      status: 503,
      msg: AWAY,
    })
    expect(await server.sql('SELECT key FROM files')).toHaveLength(files.length)
    expect(await pm.ask(sitesApi.list, { query: { pageNo: 1, pageSize: 10 } })).toMatchObject({ code: 200 })
    bucket.trouble = undefined
    expect((await look(key)).status).toBe(200)
  },
)

test('a bucket that is silent holds up the first few and then nobody', { timeout: 40_000 }, async () => {
  const key = await upload()
  bucket.trouble = () => true
  const first = await Promise.all(Array.from({ length: 6 }, () => look(key).then(said)))
  expect(new Set(first.map((one) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify({ status: 503, msg: AWAY })]),
  )
  const from = performance.now()
  // One asks whether it is back; nobody else waits for that.
  const probe = look(key).then(said)
  await new Promise((done) => setTimeout(done, 200))
  const next = []
  for (let i = 0; i < 8; i += 1) next.push(await said(await look(key)))
  expect(next).toEqual(next.map(() => ({ status: 503, msg: AWAY })))
  expect(performance.now() - from).toBeLessThan(4_500)
  expect(await probe).toEqual({ status: 503, msg: AWAY })
  const figures = await (await fetch(`${server.url}/metrics`)).text()
  expect(figures).toContain('zhuguan_files_place_up{kind="bucket"} 0')
  expect(Number(/^zhuguan_files_place_unanswered_total (\d+)$/m.exec(figures)![1])).toBeGreaterThan(6)
  bucket.trouble = undefined
  expect((await look(key)).status).toBe(200)
  expect((await look(key)).status).toBe(200)
})

test('what lost its row while the bucket was away leaves it as soon as it is back', async () => {
  const key = await upload()
  expect((await look(key, { size: 'thumb' })).status).toBe(200)
  const files = openFileStore(server.dataDir, undefined, place)
  await server.sql(`UPDATE files SET at = :now - interval '60 days' WHERE key = $1`, [key])
  bucket.trouble = refusing(503)
  expect(await forgetTonight(server, 'pictures', pm.tenant, files)).toContain('删除 1 ')
  expect(await server.sql('SELECT 1 FROM files WHERE key = $1', [key])).toEqual([])
  await expect(forgetTonight(server, 'files', pm.tenant, files)).rejects.toThrow(AWAY)
  expect(bucket.objects.has(nameOf(key))).toBe(true)
  bucket.trouble = undefined
  expect(await forgetTonight(server, 'files', pm.tenant, files)).toBe('取走 1 个文件')
  expect([...bucket.objects.keys()].filter((name) => name.includes(key))).toEqual([])
  expect(await forgetTonight(server, 'files', pm.tenant, files)).toBe('')
})
