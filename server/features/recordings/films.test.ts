import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'
import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { post, report, sendFile, signed } from '../../testing/device.ts'
import { FILM_S, filmBytes, filmLasting, filmPath } from '../../testing/films.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { openFileStore, placeOf } from '../files/file-store.ts'
import { hasFfmpeg, turnFilms } from './turn-films.ts'

const HOUR = 3_600
let server: TestServer
let gm: Person
let folder: string
interface Camera {
  id: string
  sn: string
  secret: string
  tenant: string
}
let cameras: Camera[]
let day: string
let begin: number
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  folder = await mkdtemp(join(tmpdir(), 'zhuguan-films-'))
  const rows = await server.sql<Omit<Camera, 'secret'>>(
    `SELECT d.id, d.sn, d.tenant_id AS tenant
     FROM devices d JOIN sites w ON w.id = d.site_id JOIN users u ON u.id = w.manager_id
     WHERE d.type = 'camera' AND w.status = 1 AND u.user_name = 'pm' ORDER BY d.sn`,
  )
  cameras = rows.map((r) => ({ ...r, secret: server.devices.find((d) => d.sn === r.sn)!.secret }))
  day = addDays(shanghaiDay(server.now()), -2)
  begin = startOfDay(day).getTime() / 1_000
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await server.stop()
})

let told = 0
/** A camera's film that it says lasts from one second of the day to another. */
async function record(camera: Camera, bytes: Buffer, from: number, to: number): Promise<string> {
  const { data } = await sendFile(server.url, camera, bytes)
  const times = { at: begin + to, from: begin + from, to: begin + to }
  const event = { id: `f${(told += 1)}`, kind: 'recording', ...times, file: data.key, bytes: bytes.length }
  expect((await report(server.url, camera, [event], server.now())).data.rejected).toEqual([])
  return data.key
}
const dayOf = (camera: Camera) => gm.call(recordingsApi.day, { body: { device_id: camera.id, day } })
const seenOf = async (camera: Camera) =>
  (await dayOf(camera)).pieces.map((p) => [p.from - begin, p.to - begin, p.format])
const why = { purpose: 'patrol', said: true } as const
const fileOf = (key: string) => join(server.dataDir, 'files', placeOf(key))

test('a film of three seconds that calls itself an hour ends after three, and is known again', async () => {
  const camera = cameras[0]!
  await record(camera, filmBytes('h264'), 0, HOUR)
  await record(camera, filmBytes('fragments'), HOUR, HOUR + FILM_S)
  // A second or two are clocks.
  await record(camera, filmBytes('h264'), 2 * HOUR, 2 * HOUR + FILM_S + 2)
  const seen = [
    [0, FILM_S, null],
    [HOUR, HOUR + FILM_S, null],
    [2 * HOUR, 2 * HOUR + FILM_S + 2, null],
  ]
  expect(await seenOf(camera)).toEqual(seen)
  const { gaps, seconds } = await dayOf(camera)
  expect(gaps[0]).toEqual({ from: begin + FILM_S, to: begin + HOUR })
  expect(seconds).toBe(3 * FILM_S + 2)
  await record(camera, filmBytes('h264'), 0, HOUR)
  expect(await seenOf(camera)).toEqual(seen)
})

test('what browsers do not play is said on its day, is not opened, and can be taken away as it came', async () => {
  const camera = cameras[1]!
  await record(camera, filmBytes('h265'), 0, FILM_S)
  await record(camera, filmBytes('mpeg4'), HOUR, HOUR + FILM_S)
  expect(await seenOf(camera)).toEqual([
    [0, FILM_S, 'hevc'],
    [HOUR, HOUR + FILM_S, 'mpeg4'],
  ])
  const latest = await gm.call(recordingsApi.latest)
  expect(latest.find((c) => c.device_id === camera.id)?.format).toBe('mpeg4')
  const { pieces } = await dayOf(camera)
  const id = pieces[1]!.id
  const opened = await gm.ask(recordingsApi.open, { body: { id, ...why } })
  expect(opened.msg).toBe('MPEG-4 编码，浏览器放不了')
  const span = { device_id: camera.id, from: begin + HOUR, to: begin + HOUR + FILM_S }
  const clip = await gm.ask(recordingsApi.clip, { body: { ...span, ...why } })
  expect(clip.msg).toBe('MPEG-4 编码，浏览器放不了，也剪不了。请在播放画面下载原文件')
  expect(await server.sql('SELECT 1 FROM video_views WHERE recording_id = $1', [id])).toEqual([])

  const taken = await gm.ask(recordingsApi.original, { body: { id, ...why } })
  expect(taken.data.name).toBe(`${camera.sn} ${day} 0100.mp4`)
  const cookie = taken.headers.get('set-cookie')!.split(';')[0]!
  const answer = await fetch(`${server.url}${taken.data.address}`, { headers: { cookie } })
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(filmBytes('mpeg4'))
  const lines = await server.sql<{ action: string }>(
    `SELECT action FROM user_logs WHERE object = 'recording' AND object_id = $1`,
    [id],
  )
  expect(lines.map((l) => l.action)).toEqual(['下载录像'])
  // Some machines play H.265: there it is opened.
  expect((await gm.ask(recordingsApi.open, { body: { id: pieces[0]!.id, ...why } })).code).toBe(200)
  const steward = await server.as('steward')
  const refused = await steward.ask(recordingsApi.original, { body: { id, ...why } })
  expect(refused.msg).toBe('No Permission')
})

test('a film that is cut off, damaged or shows nothing is refused at the door, and nothing of it stays', async () => {
  const camera = cameras[4]!
  const whole = filmLasting(60, Buffer.alloc(9_000))
  const begins = Buffer.from('000000186674797069736f6d0000000069736f6d6d703431', 'hex')
  const kept = async () =>
    (await readdir(join(server.dataDir, 'files'), { recursive: true }).catch(() => [])).filter((f) =>
      f.includes('.'),
    ).length
  const before = await kept()
  for (const bytes of [
    whole.subarray(0, 3_000),
    whole.subarray(0, whole.length - 24),
    Buffer.from(whole.toString('latin1').replace('moov', 'free'), 'latin1'),
    Buffer.from(whole.toString('latin1').replace('vide', 'soun'), 'latin1'),
    filmLasting(0),
    begins,
    Buffer.concat([begins, Buffer.from('<html><body>502 Bad Gateway</body></html>')]),
  ]) {
    const { status, msg } = await sendFile(server.url, camera, bytes)
    expect([status, msg]).toEqual([400, '录像文件已损坏或不完整，请重新上传'])
  }
  expect(await kept()).toBe(before)
  expect((await dayOf(camera)).seconds).toBe(0)
  // The same, sent whole, is taken.
  await record(camera, whole, 0, 60)
  expect((await dayOf(camera)).seconds).toBe(60)
})

test('an MPEG-TS at the door of devices is told by its name', async () => {
  const told = await post(server.url, deviceDoorApi.files.path, signed(cameras[0]!, filmBytes('ts')))
  expect([told.status, told.msg]).toEqual([400, '这是 MPEG-TS，不是 MP4，请把设备的录像格式改为 MP4'])
})

const warned: string[] = []
/** A program that does as ffmpeg would: the last of its words is the file to be made. */
async function program(name: string, does: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\nfor last; do :; done\necho run >> '${path}.log'\n${does}\n`)
  await chmod(path, 0o755)
  return path
}
const turn = (with_: string, stopped = () => false) =>
  turnFilms({
    db: server.db,
    files: openFileStore(server.dataDir),
    program: with_,
    tenant: cameras[0]!.tenant,
    stopped,
    warn: (said) => warned.push(said),
  })
const rowOf = async (camera: Camera) =>
  (
    await server.sql<{ key: string; format: string | null; turns: number; bytes: string }>(
      'SELECT key, format, turns, bytes FROM recordings WHERE device_id = $1',
      [camera.id],
    )
  )[0]!

test('an ffmpeg that fails, dies or makes nothing better is tried thrice and told once; what came stays', async () => {
  const camera = cameras[2]!
  await server.sql('UPDATE recordings SET turns = 3')
  const key = await record(camera, filmBytes('h265'), 0, FILM_S)
  const bad = [
    await program('fails', 'echo "Invalid data found" >&2; exit 1'),
    await program('dies', 'printf half > "$last"; kill -9 $$'),
    await program('same', `cp '${filmPath('h265')}' "$last"`),
  ]
  for (const [i, one] of bad.entries()) {
    await server.sql('UPDATE recordings SET turns = 2 WHERE device_id = $1', [camera.id])
    expect(await turn(one)).toBe('')
    expect(warned).toHaveLength(i + 1)
  }
  expect(warned.map((w) => w.slice(w.indexOf('.mp4') + 5))).toEqual([
    'Invalid data found',
    'ffmpeg 被中断（SIGKILL）',
    '转出来的文件也放不了',
  ])
  expect(await turn(bad[0]!)).toBe('')
  expect(warned).toHaveLength(3)
  expect(await rowOf(camera)).toMatchObject({ key, format: 'hevc', turns: 3 })
  expect((await readdir(dirname(fileOf(key)))).filter((f) => f.startsWith(key))).toEqual([key])
})

test('a server that is told to stop stops it at once, and begins anew the next time; then it plays', async () => {
  const camera = cameras[3]!
  await server.sql('UPDATE recordings SET turns = 3')
  const key = await record(camera, filmBytes('h265'), 0, FILM_S)
  const slow = await program('slow', 'printf half > "$last"; exec sleep 60')
  let isStopping = false
  const going = turn(slow, () => isStopping)
  await expect.poll(() => existsSync(`${slow}.log`), { timeout: 60_000 }).toBe(true)
  const at = performance.now()
  isStopping = true
  expect(await going).toBe('')
  expect(performance.now() - at).toBeLessThan(5_000)
  expect(await rowOf(camera)).toMatchObject({ key, format: 'hevc', turns: 0 })

  // As a server leaves it that was killed.
  await writeFile(`${fileOf(key)}.turned`, 'half')
  const good = await program('good', `test ! -e "$last" && cp '${filmPath('h264')}' "$last"`)
  expect(await turn(good)).toBe('转好 1 段录像')
  expect(await turn(good)).toBe('')
  const turned = await rowOf(camera)
  expect([turned.format, Number(turned.bytes)]).toEqual([null, filmBytes('h265').length])
  expect(await openFileStore(server.dataDir).read(turned.key)).toEqual(filmBytes('h264'))
  expect([existsSync(fileOf(key)), existsSync(`${fileOf(key)}.turned`)]).toEqual([false, false])
  const { id } = (await dayOf(camera)).pieces[0]!
  expect((await gm.ask(recordingsApi.open, { body: { id, ...why } })).code).toBe(200)
  // What came once is known when it comes again.
  await record(camera, filmBytes('h265'), 0, FILM_S)
  expect(await seenOf(camera)).toEqual([[0, FILM_S, null]])
})

test('an ffmpeg that somebody named has to be there', async () => {
  await expect(hasFfmpeg(join(folder, 'none'))).rejects.toThrow('FFMPEG_PATH 应为能运行的 ffmpeg')
})
