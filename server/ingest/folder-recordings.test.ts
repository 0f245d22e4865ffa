import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { openFileStore } from '../features/files/file-store.ts'
import { openBucket, type TestBucket } from '../testing/bucket.ts'
import { FILM_S, filmBytes, filmLasting } from '../testing/films.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { type Batcher, startBatcher } from './batcher.ts'
import { type DeviceBook, deviceBook } from './device-book.ts'
import { olderReceipts } from './first-time.ts'
import { type FolderDeps, folderRecordings } from './folder-recordings.ts'
import { type WorkerBook, workerBook } from './worker-book.ts'

let server: TestServer
let folder: string
let book: DeviceBook
let workers: WorkerBook
let batcher: Batcher
let cameras: { id: string; sn: string }[]
let begin: number

beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'zhuguan-nvr-'))
  const { db, now } = server
  book = deviceBook(db, server.secretKey, now)
  workers = workerBook(db)
  batcher = startBatcher(db, {
    now,
    history: () => false,
    workers,
    older: olderReceipts(now),
    months: new Set(),
    files: openFileStore(server.dataDir),
  })
  cameras = await server.sql(
    `SELECT id, sn FROM devices WHERE type = 'camera' AND site_id IS NOT NULL ORDER BY sn`,
  )
  begin = Math.floor(server.now().getTime() / 1_000) - 20_000
})
afterAll(async () => {
  await batcher.close()
  await Promise.all([book.close(), workers.close()])
  await rm(folder, { recursive: true, force: true })
  await server.stop()
})

/** Ten minutes, with words of its own. */
const video = (fill: string) => filmLasting(600, Buffer.from(fill))
const place = (template: string, s3: FolderDeps['s3'] = null) =>
  folderRecordings({
    template,
    s3,
    db: server.db,
    files: openFileStore(server.dataDir),
    book,
    batcher,
    warn: (why) => warned.push(why),
  })
const warned: string[] = []
const nvr = () => place(`${pathToFileURL(folder).href}/{sn}/{from}-{to}.mp4`)
const round = (of: { run: (now: Date, stopped: () => boolean) => Promise<string> }) =>
  of.run(server.now(), () => false)

async function put(name: string, bytes: Buffer, agoS = 300): Promise<void> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes)
  const changed = new Date(server.now().getTime() - agoS * 1_000)
  await utimes(path, changed, changed)
}
const recordedOf = (sn: string) =>
  server.sql<{ from: number; to: number; bytes: string; key: string }>(
    `SELECT extract(epoch FROM r.from_at)::int - $2 AS from, extract(epoch FROM r.to_at)::int - $2 AS to, r.bytes, r.key
     FROM recordings r JOIN devices d ON d.id = r.device_id WHERE d.sn = $1 ORDER BY r.from_at`,
    [sn, begin],
  )
/** Shanghai's clock without anything between. */
const digits = (second: number) =>
  new Date((second + 28_800) * 1_000).toISOString().slice(0, 19).replaceAll(/\D/g, '')

test('what a recorder has put away is taken in once, whatever it is asked again, with the very bytes', async () => {
  const { sn } = cameras[0]!
  const bytes = video('第一段'.repeat(3_000))
  await put(`${sn}/${begin}-${begin + 600}.mp4`, bytes)
  await put(`${sn}/${digits(begin + 600)}-${digits(begin + 1_200)}.mp4`, video('second'))
  const recorder = nvr()
  expect(await round(recorder)).toBe('收入 2 段录像')
  expect(await round(recorder)).toBe('')
  expect(await round(nvr())).toBe('')
  const recorded = await recordedOf(sn)
  expect(recorded.map((r) => [r.from, r.to])).toEqual([
    [0, 600],
    [600, 1_200],
  ])
  expect(await openFileStore(server.dataDir).read(recorded[0]!.key)).toEqual(bytes)
})

test('what is still written waits; strange names, times and numbers are left; broken ones are told once', async () => {
  const { sn } = cameras[1]!
  const unbound = (
    await server.sql<{ sn: string }>(
      `SELECT sn FROM devices WHERE type = 'camera' AND site_id IS NULL LIMIT 1`,
    )
  )[0]!
  await put(`${sn}/${begin}-${begin + 60}.mp4`, video('young'), 10)
  for (const name of [
    `${sn}/readme.mp4`,
    `${sn}/${begin}-${begin + 60}.mp4.part`,
    `${sn}/${begin + 60}-${begin}.mp4`,
    `${sn}/${begin}-${begin + 90_000}.mp4`,
    `${sn}/${begin - 30 * 86_400}-${begin - 30 * 86_400 + 60}.mp4`,
    `${sn}/${begin + 90_000}-${begin + 90_060}.mp4`,
    `${unbound.sn}/${begin}-${begin + 60}.mp4`,
    `NOBODY-1/${begin}-${begin + 60}.mp4`,
  ])
    await put(name, video('strange'))
  const cut = `${sn}/${begin + 100}-${begin + 160}.mp4`
  await put(cut, video('x'.repeat(500)).subarray(0, 300))
  const empty = `${sn}/${begin + 200}-${begin + 260}.mp4`
  await put(empty, Buffer.alloc(0))
  const recorder = nvr()
  expect(await round(recorder)).toBe(`跳过：${cut}已损坏、${empty}是空的`)
  expect(warned).toEqual(
    expect.arrayContaining([
      `录像文件没有收入：${cut} 已损坏`,
      `录像文件没有收入：${empty} 是空的`,
      `录像文件没有收入：${sn}/${begin + 60}-${begin}.mp4 结束时间不在开始时间之后`,
      `录像文件没有收入：NOBODY-1 没有这台绑定在工地上的摄像头`,
    ]),
  )
  const before = warned.length
  await round(recorder)
  expect(warned.length).toBe(before)
  expect(await round(recorder)).toBe('')
  expect(await recordedOf(sn)).toEqual([])
  await put(`${sn}/${begin}-${begin + 60}.mp4`, video('young'))
  expect(await round(recorder)).toBe('收入 1 段录像')
  // Written anew, it is looked at anew.
  await put(cut, video('x'.repeat(900)))
  expect(await round(recorder)).toBe('收入 1 段录像')
  await rm(join(folder, empty))
})

test('a recorder’s film keeps its own length and form, whatever its name says, and comes once', async () => {
  const [camera] = await server.sql<{ sn: string }>(
    `SELECT d.sn FROM devices d
     WHERE d.type = 'camera' AND d.site_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM recordings r WHERE r.device_id = d.id)
     ORDER BY d.sn DESC LIMIT 1`,
  )
  const { sn } = camera!
  await put(`${sn}/${begin}-${begin + 3_600}.mp4`, filmBytes('h265'))
  await put(`${sn}/${begin + 3_600}-${begin + 7_200}.mp4`, filmBytes('ts'))
  await put(`${sn}/${begin + 7_200}-${begin + 7_200 + FILM_S}.mp4`, filmBytes('fragments'))
  const recorder = nvr()
  expect(await round(recorder)).toBe('收入 3 段录像')
  expect([await round(recorder), await round(nvr())]).toEqual(['', ''])
  const recorded = await recordedOf(sn)
  expect(recorded.map((r) => [r.from, r.to])).toEqual([
    [0, FILM_S],
    [3_600, 3_600 + FILM_S],
    [7_200, 7_200 + FILM_S],
  ])
  const formats = await server.sql<{ format: string | null }>(
    `SELECT r.format FROM recordings r JOIN devices d ON d.id = r.device_id WHERE d.sn = $1 ORDER BY r.from_at`,
    [sn],
  )
  expect(formats.map((r) => r.format)).toEqual(['hevc', 'ts', null])
  expect(await openFileStore(server.dataDir).read(recorded[1]!.key)).toEqual(filmBytes('ts'))
})

test('two groups with one number: nobody gets it', async () => {
  const { sn } = cameras[2]!
  const [theirs] = await server.sql<{ id: string; sn: string }>(
    `SELECT id, sn FROM devices WHERE type = 'camera' AND site_id IS NOT NULL
       AND tenant_id <> (SELECT tenant_id FROM devices WHERE sn = $1) LIMIT 1`,
    [sn],
  )
  await server.sql('UPDATE devices SET sn = $2 WHERE id = $1', [theirs!.id, sn])
  await put(`${sn}/${begin}-${begin + 60}.mp4`, video('whose'))
  expect(await round(nvr())).toBe('')
  await server.sql('UPDATE devices SET sn = $2 WHERE id = $1', [theirs!.id, theirs!.sn])
})

test('a bucket is read alike; a round takes the oldest forty', async () => {
  const bucket: TestBucket = await openBucket('recordings')
  try {
    const { sn } = cameras[3]!
    for (let i = 0; i < 45; i += 1)
      bucket.objects.set(`nvr/${sn}_${begin + i * 60}_${begin + i * 60 + 60}.mp4`, video(`${i}`))
    const recorder = place('s3://recordings/nvr/{sn}_{from}_{to}.mp4', bucket.settings)
    expect(await round(recorder)).toBe('收入 40 段录像')
    expect((await recordedOf(sn)).at(-1)!.to).toBe(40 * 60)
    expect(await round(recorder)).toBe('收入 5 段录像')
    expect(await round(recorder)).toBe('')
  } finally {
    await bucket.close()
  }
})
