import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'
import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { settingsApi } from '@zhuguan/contract/features/settings/settings.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { looseClips } from '../../app/retention.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { post, report, signed } from '../../testing/device.ts'
import { filmLasting } from '../../testing/films.ts'
import { forgetTonight } from '../../testing/nights.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { openFileStore, placeOf } from '../files/file-store.ts'

let server: TestServer
let gm: Person
let pm: Person
interface Camera {
  id: string
  sn: string
  secret: string
  site: string
  bc: string
}
/** Cameras on sites that the pm leads, and one of each other branch. */
let cameras: Camera[]
let elsewhere: Camera
/** A day that is over, so that the hour of this run does not matter. */
let day: string
let begin: number

beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
  const rows = await server.sql<{ id: string; sn: string; site: string; bc: string; mine: boolean }>(
    `SELECT d.id, d.sn, d.site_id AS site, d.bc_id AS bc, u.user_name = 'pm' AS mine
     FROM devices d JOIN sites w ON w.id = d.site_id JOIN users u ON u.id = w.manager_id
     WHERE d.type = 'camera' AND w.status = 1 ORDER BY d.sn`,
  )
  const withSecret = (r: (typeof rows)[number]): Camera => ({
    ...r,
    secret: server.devices.find((d) => d.sn === r.sn)!.secret,
  })
  cameras = rows.filter((r) => r.mine).map(withSecret)
  elsewhere = withSecret(rows.find((r) => r.bc !== cameras[0]!.bc)!)
  day = addDays(shanghaiDay(server.now()), -2)
  begin = startOfDay(day).getTime() / 1000
  // At whatever hour this runs, people work.
  await (
    await server.as('admin')
  ).call(settingsApi.update, {
    body: { bcId: cameras[0]!.bc, values: { workStart: '00:00', workEnd: '23:59', restDays: [] } },
  })
})
afterAll(() => server.stop())

let event = 0
/** Uploads a file and says that it was recorded between two seconds of the day. */
async function record(
  camera: Camera,
  from: number,
  to: number,
  bytes = filmLasting(to - from, Buffer.alloc(1_000, event)),
) {
  event += 1
  const at = Math.floor(server.now().getTime() / 1000)
  const { data } = await post(server.url, deviceDoorApi.files.path, signed(camera, bytes, at))
  const told = await report(
    server.url,
    camera,
    [
      {
        id: `r${event}`,
        kind: 'recording',
        at: begin + to,
        from: begin + from,
        to: begin + to,
        file: data.key,
        bytes: bytes.length,
      },
    ],
    server.now(),
  )
  expect(told.data.rejected).toEqual([])
  return { key: data.key, bytes }
}
const dayOf = (who: Person, camera: Camera, of = day) =>
  who.call(recordingsApi.day, { body: { device_id: camera.id, day: of } })
async function open(who: Person, id: string, more: object = {}) {
  const answer = await who.ask(recordingsApi.open, { body: { id, purpose: 'patrol', said: true, ...more } })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { ...answer, cookie }
}
/** As a player asks: no token, the cookie of its browser. */
const play = (address: string, cookie: string, range?: string) =>
  fetch(`${server.url}${address}`, { headers: { cookie, ...(range ? { range } : {}) } })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
const views = (recording: string) =>
  server.sql<{ user_name: string; device_id: string; site_id: string; purpose: string; words: string }>(
    'SELECT user_name, device_id, site_id, purpose, words FROM video_views WHERE recording_id = $1',
    [recording],
  )
const first = async (who: Person, camera: Camera) => (await dayOf(who, camera)).pieces[0]!
/** The clock of the server and of the devices: what has been revoked or moved is heard of. */
const heard = () => new Promise((r) => setTimeout(r, 300))

test('from the door to the player: the day, an address, the very bytes and each range of them', async () => {
  const camera = cameras[0]!
  const { bytes } = await record(camera, 3_600, 4_200, filmLasting(600, Buffer.from('四十二'.repeat(5_000))))
  await record(camera, 4_201, 4_800)
  await record(camera, 7_200, 7_260)
  const seen = await dayOf(pm, camera)
  const told = (list: { from: number; to: number }[]) => list.map((s) => [s.from - begin, s.to - begin])
  expect(told(seen.pieces)).toEqual([
    [3_600, 4_200],
    [4_201, 4_800],
    [7_200, 7_260],
  ])
  // A second between two files is none.
  expect(told(seen.spans)).toEqual([
    [3_600, 4_800],
    [7_200, 7_260],
  ])
  expect(told(seen.gaps)).toEqual([
    [0, 3_600],
    [4_800, 7_200],
    [7_260, 86_400],
  ])
  expect(seen.seconds).toBe(1_260)
  expect(seen.keptUntil).toBe(addDays(day, 30))
  expect(seen.asks).toBe(false)

  const opened = await open(pm, seen.pieces[0]!.id)
  expect(opened.code).toBe(200)
  const { address, from, to } = opened.data
  expect([from, to]).toEqual([begin + 3_600, begin + 4_200])
  const whole = await play(address, opened.cookie)
  expect([whole.status, whole.headers.get('content-type'), whole.headers.get('cache-control')]).toEqual([
    200,
    'video/mp4',
    'no-store',
  ])
  expect(await bytesOf(whole)).toEqual(bytes)
  const part = await play(address, opened.cookie, 'bytes=100-299')
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-299/${bytes.length}`])
  expect(await bytesOf(part)).toEqual(bytes.subarray(100, 300))
  expect(await bytesOf(await play(address, opened.cookie, 'bytes=-50'))).toEqual(bytes.subarray(-50))
  const past = await play(address, opened.cookie, `bytes=${bytes.length}-`)
  expect([past.status, past.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])

  const log = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM user_logs WHERE object = 'recording' AND object_id = $1`,
    [seen.pieces[0]!.id],
  )
  expect(log[0]!.n).toBe(1)
  expect(await views(seen.pieces[0]!.id)).toEqual([
    {
      user_name: expect.any(String),
      device_id: camera.id,
      site_id: camera.site,
      purpose: 'patrol',
      words: '',
    },
  ])
})

test('alarms of the camera and clock-ins of its site are marks on its day', async () => {
  const camera = cameras[0]!
  const [worker] = await server.sql<{ w_id: string }>(
    `SELECT k.w_id FROM workers k JOIN site_members m ON m.worker_id = k.id WHERE m.site_id = $1 LIMIT 1`,
    [camera.site],
  )
  const [terminal] = await server.sql<{ sn: string }>(
    `SELECT sn FROM devices WHERE site_id = $1 AND type = 'faceTerminal' LIMIT 1`,
    [camera.site],
  )
  const door = server.devices.find((d) => d.sn === terminal!.sn)!
  await report(
    server.url,
    camera,
    [{ id: 'mark', kind: 'alarm', at: begin + 4_000, type: 'smoking', confidence: 0.9 }],
    server.now(),
  )
  await report(
    server.url,
    door,
    [{ id: 'mark', kind: 'clockin', at: begin + 3_900, w_id: worker!.w_id, direction: 'in' }],
    server.now(),
  )
  const { marks } = await dayOf(pm, camera)
  expect(marks.map((m) => [m.kind, m.at - begin, m.type])).toEqual([
    ['clockin', 3_900, null],
    ['alarm', 4_000, 'smoking'],
  ])
})

test('an address opens for its session alone: not without its cookie, not with another’s, not later', async () => {
  const piece = await first(pm, cameras[0]!)
  const mine = await open(pm, piece.id)
  const other = await open(gm, piece.id)
  const { address } = mine.data
  expect((await play(address, mine.cookie)).status).toBe(200)
  for (const [path, cookie] of [
    [address, ''],
    [address, other.cookie],
    [other.data.address, mine.cookie],
    [`${address.slice(0, -4)}AAAA`, mine.cookie],
    [`${recordingsApi.play.path}?key=`, mine.cookie],
    [recordingsApi.play.path, mine.cookie],
  ] as const) {
    const no = await play(path, cookie)
    expect([no.status, await no.json()]).toEqual([
      403,
      { code: 403, msg: '没有权限查看或操作这条数据', data: null },
    ])
  }
  server.later(601_000)
  expect((await play(address, mine.cookie)).status).toBe(403)
})

test('an address is dead when its session is, and when the recording has left the reach', async () => {
  const camera = cameras[0]!
  const piece = await first(gm, camera)
  const guest = await server.as('inspector')
  const { data, cookie } = await open(guest, piece.id)
  expect((await play(data.address, cookie)).status).toBe(200)
  await guest.call(sessionApi.logout)
  expect((await play(data.address, cookie)).status).toBe(403)

  const leader = await server.as('pm')
  const his = await open(leader, piece.id)
  expect((await play(his.data.address, his.cookie)).status).toBe(200)
  await server.sql(
    `UPDATE sites SET manager_id = (SELECT id FROM users WHERE user_name = 'steward') WHERE id = $1`,
    [camera.site],
  )
  expect((await play(his.data.address, his.cookie)).status).toBe(403)
  await server.sql(
    `UPDATE sites SET manager_id = (SELECT id FROM users WHERE user_name = 'pm') WHERE id = $1`,
    [camera.site],
  )
  expect((await play(his.data.address, his.cookie)).status).toBe(200)
})

test('bytes that are still on their way stop within five seconds of the end of the session', async () => {
  const camera = cameras[1]!
  await record(camera, 60, 120, filmLasting(60, Buffer.alloc(7_900_000)))
  const guest = await server.as('inspector')
  const { data, cookie } = await open(guest, (await first(gm, camera)).id)
  const slow = await play(data.address, cookie)
  expect(slow.status).toBe(200)
  // Nobody reads it meanwhile: what fits into the buffers has been sent, the rest waits.
  await guest.call(sessionApi.logout)
  await new Promise((r) => setTimeout(r, 5_000))
  await expect(bytesOf(slow)).rejects.toThrow()
}, 600_000)

test('other branches and other groups see neither day nor recording', async () => {
  const piece = await first(pm, cameras[0]!)
  await record(elsewhere, 600, 660)
  const [theirs] = await server.sql<{ id: string }>('SELECT id FROM recordings WHERE device_id = $1', [
    elsewhere.id,
  ])
  for (const [who, camera, id] of [
    [await server.as('other'), cameras[0]!, piece.id],
    [gm, elsewhere, theirs!.id],
  ] as const) {
    const answers = [
      await who.ask(recordingsApi.day, { body: { device_id: camera.id, day } }),
      await who.ask(recordingsApi.open, { body: { id, purpose: 'patrol', said: true } }),
      await who.ask(recordingsApi.cameras, { body: { site_id: camera.site } }),
    ]
    expect(answers.map((a) => a.code === 403 || a.code === 401)).toEqual([true, true, true])
  }
  expect(await views(theirs!.id)).toEqual([])
})

test('a camera that was moved: what it recorded before stays with the old site, late files too', async () => {
  const camera = cameras[2]!
  await record(camera, 100, 200)
  const [steward] = await server.sql<{ site: string }>(
    `SELECT w.id AS site FROM sites w JOIN users u ON u.id = w.manager_id
     WHERE w.bc_id = $1 AND w.status = 1 AND u.user_name <> 'pm' LIMIT 1`,
    [camera.bc],
  )
  const keeper = await server.as('device_keeper')
  const version = async () =>
    (await server.sql<{ version: number }>('SELECT version FROM devices WHERE id = $1', [camera.id]))[0]!
      .version
  await keeper.call(devicesApi.change, {
    body: { id: camera.id, version: await version(), action: 'unbind', remark: '换地方' },
  })
  await keeper.call(devicesApi.bind, {
    body: { id: camera.id, version: await version(), site_id: steward!.site, remark: '换地方' },
  })
  // It was moved in the middle of that day.
  for (const [side, isOpen] of [
    ['to_at', false],
    ['from_at', true],
  ] as const)
    await server.sql(
      `UPDATE device_stands SET ${side} = to_timestamp($2) WHERE device_id = $1 AND (to_at IS NULL) = $3`,
      [camera.id, begin + 40_000, isOpen],
    )
  await server.sql(`SELECT pg_notify('devices', '')`)
  await heard()
  await record(camera, 300, 400)
  await record(camera, 50_000, 50_100)
  const sites = await server.sql<{ from: number; site: string }>(
    `SELECT extract(epoch FROM from_at)::int AS from, site_id AS site FROM recordings
     WHERE device_id = $1 ORDER BY from_at`,
    [camera.id],
  )
  expect(sites.map((s) => [s.from - begin, s.site])).toEqual([
    [100, camera.site],
    [300, camera.site],
    [50_000, steward!.site],
  ])
  // The person who leads the old site sees what it recorded there and no more.
  const his = await dayOf(pm, camera)
  expect(his.pieces.map((p) => p.from - begin)).toEqual([100, 300])
  expect(his.sites.map((s) => s.site_id)).toEqual([camera.site])
  expect((await dayOf(gm, camera)).pieces).toHaveLength(3)
  const last = (await dayOf(gm, camera)).pieces[2]!
  expect((await open(pm, last.id)).code).toBe(403)
  expect((await open(pm, his.pieces[0]!.id)).code).toBe(200)
  const listed = await pm.call(recordingsApi.cameras, { body: { site_id: camera.site } })
  expect(listed.find((c) => c.device_id === camera.id)).toMatchObject({ here: false, last: begin + 400 })
})

test('the same stretch once more is ignored; others may overlap, and each second is counted once', async () => {
  const camera = cameras[3]!
  const bytes = filmLasting(600, Buffer.alloc(500, 7))
  await record(camera, 1_000, 1_600, bytes)
  await record(camera, 1_000, 1_600, bytes)
  await record(camera, 1_100, 1_200, bytes)
  expect((await dayOf(pm, camera)).pieces).toHaveLength(1)
  await record(camera, 1_500, 2_000, filmLasting(500, Buffer.alloc(600, 8)))
  const seen = await dayOf(pm, camera)
  expect(seen.pieces).toHaveLength(2)
  expect(seen.spans.map((s) => [s.from - begin, s.to - begin])).toEqual([[1_000, 2_000]])
  expect(seen.seconds).toBe(1_000)
  // The later file has the greater number.
  expect(seen.pieces[1]!.id > seen.pieces[0]!.id).toBe(true)
})

/** What a disk that fails makes of a file. */
const spoil = async (key: string, spoiled: (whole: Buffer) => Uint8Array) => {
  const store = openFileStore(server.dataDir)
  await writeFile(join(server.dataDir, 'files', placeOf(key)), spoiled(await store.read(key)))
}
test('a file that was cut off, lost its index or is gone since says so in words, and nobody has seen it', async () => {
  const camera = cameras[4]!
  await spoil((await record(camera, 10, 20)).key, (whole) => whole.subarray(0, 3_000))
  await spoil((await record(camera, 30, 40)).key, (whole) =>
    Buffer.from(whole.toString('latin1').replace('moov', 'free'), 'latin1'),
  )
  const gone = await record(camera, 50, 60)
  await rm(join(server.dataDir, 'files', placeOf(gone.key)))
  const { pieces } = await dayOf(pm, camera)
  const answers = await Promise.all(pieces.map((p) => open(pm, p.id)))
  expect(answers.map((a) => [a.code, a.msg])).toEqual([
    [409, '这段录像的文件已损坏，无法播放'],
    [409, '这段录像的文件已损坏，无法播放'],
    [409, '这段录像的文件已经不在了，无法播放'],
  ])
  for (const p of pieces) expect(await views(p.id)).toEqual([])
})

test('out of hours the purpose must be said, 其他 in words, and each view is a line', async () => {
  const camera = cameras[0]!
  const piece = await first(pm, camera)
  const admin = await server.as('admin')
  const today = new Date(server.now().getTime() + 8 * 3_600_000).getUTCDay()
  const before = (await views(piece.id)).length
  await admin.call(settingsApi.update, {
    body: { bcId: camera.bc, values: { restDays: [today, (today + 1) % 7] } },
  })
  expect((await dayOf(pm, camera)).asks).toBe(true)
  expect(await open(pm, piece.id, { said: false })).toMatchObject({
    code: 400,
    msg: '现在不是上班时间，查看录像请先选择目的',
  })
  expect(await open(pm, piece.id, { purpose: 'other' })).toMatchObject({ code: 400 })
  expect(await open(pm, piece.id, { purpose: 'other', words: '邻居反映夜里有声音' })).toMatchObject({
    code: 200,
  })
  expect(await open(pm, piece.id, { purpose: 'owner' })).toMatchObject({ code: 200 })
  const lines = await views(piece.id)
  expect(lines.slice(before).map((l) => [l.purpose, l.words])).toEqual([
    ['other', '邻居反映夜里有声音'],
    ['owner', ''],
  ])
  await admin.call(settingsApi.update, { body: { bcId: camera.bc, values: { restDays: [] } } })
})

test('after the days of its branch a recording goes with its file; what is held stays', async () => {
  const camera = cameras[5]!
  const store = openFileStore(server.dataDir)
  const old = await record(camera, 100, 200)
  const kept = await record(camera, 300, 400)
  const shared = await record(camera, 500, 600)
  const theirs = await record(elsewhere, 5_000, 5_100)
  // The same file as the clip of an alarm.
  await report(
    server.url,
    camera,
    [{ id: 'clip', kind: 'alarm', at: begin + 550, type: 'smoking', confidence: 0.9, clip: shared.key }],
    server.now(),
  )
  const held = { device_id: camera.id, from: begin + 390, to: begin + 450, reason: '业主投诉，等处理完' }
  const until = addDays(shanghaiDay(server.now()), 300)
  expect((await pm.ask(recordingsApi.hold, { body: { ...held, until } })).code).toBe(401)
  const tooMuch = await gm.ask(recordingsApi.hold, { body: { ...held, to: held.from + 40 * 3_600, until } })
  expect(tooMuch).toMatchObject({ code: 400, msg: '一次最多留存 24 小时，请分几次留存' })
  const over = await gm.ask(recordingsApi.hold, { body: { ...held, until: day } })
  expect(over).toMatchObject({ code: 400, msg: '留存到的日期已经过去' })
  const now = Math.floor(server.now().getTime() / 1_000)
  const ahead = await gm.ask(recordingsApi.hold, { body: { ...held, from: now + 60, to: now + 120, until } })
  expect(ahead).toMatchObject({ code: 400, msg: '这段时间还没有到，不能留存' })
  const far = await gm.ask(recordingsApi.hold, {
    body: { ...held, until: addDays(shanghaiDay(server.now()), 1_200) },
  })
  expect(far).toMatchObject({ code: 400, msg: '最多留存三年，请选近一些的日期' })
  const guard = await server.as('inspector')
  const both = await Promise.all(
    [gm, guard].map((who) => who.ask(recordingsApi.hold, { body: { ...held, until } })),
  )
  expect(both.map((a) => a.code).sort()).toEqual([200, 409])
  expect(both.find((a) => a.code === 409)!.msg).toMatch(/已经留存，到期日和原因相同$/)
  // Of the minute that is held ten seconds were recorded; whoever holds learns it.
  expect(both.find((a) => a.code === 200)!.data).toEqual({ seconds: 10, missing: 50 })
  const nothing = { ...held, from: begin + 5_000, to: begin + 5_060, reason: '业主说那时有人进来' }
  expect(await gm.call(recordingsApi.hold, { body: { ...nothing, until } })).toEqual({
    seconds: 0,
    missing: 60,
  })
  const [line] = await server.sql<{ day: string }>(
    `SELECT after->>'lastDay' AS day FROM user_logs WHERE action = '留存录像' ORDER BY at DESC LIMIT 1`,
  )
  expect(line!.day).toBe(until)
  const [hold, empty] = (await dayOf(pm, camera)).holds
  await gm.call(recordingsApi.release, { body: { id: empty!.id, reason: '没有录像' } })
  expect(hold).toMatchObject({ for: 'person', reason: held.reason, from: held.from, to: held.to })

  const [{ tenant_id }] = (await server.sql<{ tenant_id: string }>(
    'SELECT tenant_id FROM devices WHERE id = $1',
    [camera.id],
  )) as [{ tenant_id: string }]
  const night = () => forgetTonight(server, 'recordings', tenant_id)
  const left = async (of: Camera) =>
    (
      await server.sql<{ key: string }>('SELECT key FROM recordings WHERE device_id = $1 ORDER BY from_at', [
        of.id,
      ])
    ).map((r) => r.key)
  const isThere = (key: string) =>
    store.open(key).then(
      () => true,
      () => false,
    )
  expect(await night()).toBe('')
  expect(await left(camera)).toEqual([old.key, kept.key, shared.key])
  const admin = await server.as('admin')
  await admin.call(settingsApi.update, { body: { bcId: camera.bc, values: { recordingDays: 1 } } })
  expect(await night()).toMatch(/^删除 \d+ 段录像$/)
  await heard()
  expect(await left(camera)).toEqual([kept.key])
  expect(await Promise.all([old, kept, shared, theirs].map((f) => isThere(f.key)))).toEqual([
    false,
    true,
    true,
    true,
  ])
  expect(await left(elsewhere)).toContain(theirs.key)
  await gm.call(recordingsApi.release, { body: { id: hold!.id, reason: '投诉已经处理完' } })
  expect(await gm.ask(recordingsApi.release, { body: { id: hold!.id, reason: '再来一次' } })).toMatchObject({
    code: 409,
    msg: '这段留存已经解除',
  })
  await night()
  await heard()
  expect([await left(camera), await isThere(kept.key)]).toEqual([[], false])
})

test('a clip: its pieces in order, what was replaced left out, one line of the log; bounded in words', async () => {
  const camera = cameras[7]!
  await record(camera, 100, 200)
  await record(camera, 150, 260)
  await record(camera, 400, 500)
  const ask = (who: Person, from: number, to: number, more: object = {}) =>
    who.ask(recordingsApi.clip, {
      body: {
        device_id: camera.id,
        from: begin + from,
        to: begin + to,
        purpose: 'owner',
        said: true,
        ...more,
      },
    })
  // Who may only watch takes nothing away.
  expect((await ask(await server.as('hq_ops'), 120, 450)).code).toBe(401)
  const answer = await ask(pm, 120, 450)
  expect(answer.code).toBe(200)
  expect(
    answer.data.pieces.map((p) => [p.from, p.to, p.begins, p.ends].map((second) => second - begin)),
  ).toEqual([
    [120, 150, 100, 200],
    [150, 260, 150, 260],
    [400, 450, 400, 500],
  ])
  expect(answer.data).toMatchObject({ deviceSn: camera.sn, viewer: expect.stringMatching(/ pm$/) })
  const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
  for (const { address } of answer.data.pieces) expect((await play(address, cookie)).status).toBe(200)
  const log = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM user_logs WHERE object = 'recording' AND action = '下载录像'`,
  )
  expect(log[0]!.n).toBe(1)
  const seen = await server.sql<{ from: number; to: number; purpose: string }>(
    `SELECT extract(epoch FROM from_at)::int - $2 AS from, extract(epoch FROM to_at)::int - $2 AS to, purpose
     FROM video_views WHERE device_id = $1 ORDER BY from_at`,
    [camera.id, begin],
  )
  expect(seen).toEqual([
    { from: 120, to: 150, purpose: 'owner' },
    { from: 150, to: 260, purpose: 'owner' },
    { from: 400, to: 450, purpose: 'owner' },
  ])
  for (const [from, to, msg] of [
    [0, 40 * 3_600, '一次最多下载 30 分钟，请分几段下载'],
    [200, 200, '结束时间应在开始时间之后'],
    [270, 390, '这段时间没有录像，请换一段时间'],
  ] as const)
    expect((await ask(pm, from, to)).msg).toBe(msg)
  expect((await ask(pm, 120, 450, { purpose: 'other' })).msg).toBe('请写明查看目的（至少 2 个字）')
  expect((await ask(await server.as('other'), 120, 450)).code).not.toBe(200)
  expect((await ask(gm, 120, 450, { device_id: elsewhere.id })).code).toBe(403)
  await spoil((await record(camera, 600, 700)).key, (whole) => whole.subarray(0, 3_000))
  expect((await ask(pm, 450, 650)).msg).toBe('这段录像的文件已损坏，无法播放')
  expect((await views((await dayOf(pm, camera)).pieces.at(-1)!.id)).length).toBe(0)
})

test('a clip that nothing names goes after eight days; a younger one and what is named stay', async () => {
  const camera = cameras[8]!
  const store = openFileStore(server.dataDir)
  const loose = async (days: number) => {
    const at = Math.floor(server.now().getTime() / 1000)
    const bytes = filmLasting(9, Buffer.alloc(700, days))
    const { data } = await post(server.url, deviceDoorApi.files.path, signed(camera, bytes, at))
    await server.sql(`UPDATE files SET at = :now - $2 * interval '1 day' WHERE key = $1`, [data.key, days])
    return data.key
  }
  const [old, young] = [await loose(10), await loose(6)]
  const named = await record(camera, 100, 200)
  const shown = await loose(11)
  await report(
    server.url,
    camera,
    [{ id: 'shown', kind: 'alarm', at: begin + 560, type: 'smoking', confidence: 0.9, clip: shown }],
    server.now(),
  )
  await server.sql(`UPDATE files SET at = :now - interval '12 days' WHERE key = $1`, [named.key])
  const [{ tenant }] = (await server.sql<{ tenant: string }>(
    'SELECT tenant_id AS tenant FROM devices WHERE id = $1',
    [camera.id],
  )) as [{ tenant: string }]
  const now = server.now()
  const since = new Date(now.getTime() - 4 * 86_400_000)
  const night = () =>
    looseClips(store).run({
      db: server.db,
      tenant,
      day: shanghaiDay(now),
      since,
      met: now,
      now,
      stopped: () => false,
    })
  expect(await night()).toBe('删除 1 个没有用到的视频')
  expect(await night()).toBe('')
  await heard()
  const left = await server.sql<{ key: string }>('SELECT key FROM files WHERE key = ANY ($1)', [
    [old, young, shown, named.key],
  ])
  expect(left.map((f) => f.key).sort()).toEqual([young, shown, named.key].sort())
  await expect(store.open(old)).rejects.toThrow()
  await store.open(young)
})

test('who has chosen nothing is shown where something was recorded last, of what they may see', async () => {
  const camera = cameras[9]!
  const last = Math.floor(server.now().getTime() / 1000) - begin - 30
  await record(camera, last - 10, last)
  await record(elsewhere, last - 9, last + 1)
  const seen = await pm.call(recordingsApi.latest, {})
  expect(seen[0]).toMatchObject({ deviceSn: camera.sn, from: begin + last - 10, to: begin + last })
  expect(seen.map((s) => s.deviceSn)).not.toContain(elsewhere.sn)
  const all = await (await server.as('admin')).call(recordingsApi.latest, {})
  expect(all.map((s) => s.deviceSn).slice(0, 2)).toEqual([elsewhere.sn, camera.sn])
  expect(await (await server.as('other')).call(recordingsApi.latest, {})).toEqual([])
})

test('an address is not to be read: the token’s hash and the recording stand nowhere in it', async () => {
  const camera = cameras[6]!
  await record(camera, 100, 200)
  const piece = await first(gm, camera)
  const { data } = await open(gm, piece.id)
  const hash = createHash('sha256').update(gm.token).digest()
  for (const form of ['hex', 'base64', 'base64url'] as const)
    expect(data.address).not.toContain(hash.toString(form).slice(0, 12))
  expect(data.address).not.toContain(piece.id)
})
