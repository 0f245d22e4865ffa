import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'
import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import { wallsApi } from '@zhuguan/contract/features/walls/walls.api.ts'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { post, report, sendFile, signed } from '../../testing/device.ts'
import { filmLasting } from '../../testing/films.ts'
import { plainJpeg } from '../../testing/photo.ts'
import { cellsOf, download } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { gives, openGateway, type TestGateway } from '../../testing/video-gateway.ts'
import type { VideoSettings } from '../streams/gateway.ts'

interface Camera {
  id: string
  sn: string
  secret: string
  site: string
  bc: string
}
let server: TestServer
let gateway: TestGateway
/** The product's own two seconds of admission. */
const video: VideoSettings = { template: '', kind: 'hls', s3: null, answerMs: 1_500 }
/** On sites that the pm and the steward lead: one lived in, one that is finished, one that ends with its contract. */
let lived: Camera
let finished: Camera
let ended: Camera
let terminal: Camera
/** The Wednesday on which it begins, at least a week from now; the Saturday of its week is worked, Monday is off. */
let wednesday: string
const MINUTE = 60
const OVER = '工地已完工，摄像头不再看'
const OVER_DOOR = '工地已完工，只接收摄像头的心跳，画面和事件不再接收'
const ENDED_DOOR = '工地已终止合同，只接收摄像头的心跳，画面和事件不再接收'
const LIVED_DOOR = '家里有人居住，下班时间的画面和事件不接收'

beforeAll(async () => {
  gateway = await openGateway()
  server = await startTestServer({ video })
  const rows = await server.sql<Omit<Camera, 'secret'>>(
    `SELECT DISTINCT ON (w.id) d.id, d.sn, d.site_id AS site, d.bc_id AS bc
     FROM devices d JOIN sites w ON w.id = d.site_id
     JOIN users m ON m.id = w.manager_id AND m.user_name = 'pm'
     WHERE d.type = 'camera' AND w.status = 1 ORDER BY w.id, d.sn`,
  )
  const known = (r: Omit<Camera, 'secret'>): Camera => ({
    ...r,
    secret: server.devices.find((d) => d.sn === r.sn)!.secret,
  })
  ;[lived, finished, ended] = rows.slice(0, 3).map(known) as [Camera, Camera, Camera]
  const [other] = await server.sql<Omit<Camera, 'secret'>>(
    `UPDATE devices SET site_id = $1, bc_id = $2
     WHERE id = (SELECT id FROM devices WHERE type = 'faceTerminal' AND site_id IS NOT NULL AND bc_id = $2 LIMIT 1)
     RETURNING id, sn, site_id AS site, bc_id AS bc`,
    [lived.site, lived.bc],
  )
  terminal = known(other!)
  const ids = [lived.site, finished.site, ended.site]
  await server.sql(
    `UPDATE sites w SET steward_id = (SELECT id FROM users WHERE user_name = 'steward'), progress = 100,
       contract = '', open_alarms = 0 WHERE id = ANY ($1::uuid[])`,
    [ids],
  )
  await server.sql(
    'UPDATE devices SET device_status = 1, last_seen = :now WHERE site_id = ANY ($1::uuid[])',
    [ids],
  )
  await server.sql(
    `INSERT INTO settings (tenant_id, bc_id, key, value)
     SELECT c.tenant_id, c.bc_id, x.key, x.value::jsonb
     FROM companies c,
       (VALUES ('workStart', '"09:00"'), ('workEnd', '"18:00"'), ('restDays', '[0, 6]')) x(key, value)
     ON CONFLICT DO NOTHING`,
  )
  wednesday = addDays(shanghaiDay(server.now()), 8)
  while (new Date(`${wednesday}T00:00:00Z`).getUTCDay() !== 3) wednesday = addDays(wednesday, 1)
  await server.sql(
    `INSERT INTO calendar_days (tenant_id, bc_id, day, rest)
     SELECT tenant_id, bc_id, $2::date, false FROM companies WHERE bc_id = $1
     UNION ALL SELECT tenant_id, bc_id, $3::date, true FROM companies WHERE bc_id = $1`,
    [lived.bc, addDays(wednesday, 3), addDays(wednesday, 5)],
  )
})
afterAll(async () => {
  await server.stop()
  await gateway.close()
})

const instant = (day: string, time: string): Date => {
  const [h, m, s = 0] = time.split(':').map(Number)
  return new Date(startOfDay(day).getTime() + ((h! * 60 + m!) * 60 + s) * 1_000)
}
const second = (day: string, time: string): number => instant(day, time).getTime() / 1_000
/** Moves the clock there; devices and people are there too. */
const at = (day: string, time: string): void =>
  server.later(instant(day, time).getTime() - server.now().getTime())

let n = 0
const told = async (camera: Camera, ...events: object[]) => {
  const { data } = await report(
    server.url,
    camera,
    events.map((e) => ({ id: `look-${(n += 1)}`, ...e })),
    server.now(),
  )
  return { accepted: data.accepted, why: data.rejected.map((r) => r.reason) }
}
const alarm = (day: string, time: string, more: object = {}) => ({
  kind: 'alarm',
  at: second(day, time),
  type: 'smoking',
  confidence: 0.9,
  ...more,
})
const film = (day: string, from: string, to: string, file: string) => ({
  kind: 'recording',
  at: second(day, to),
  from: second(day, from),
  to: second(day, to),
  file,
  bytes: 1_000 + (n += 1),
})
const movie = () => filmLasting(3_600, Buffer.alloc(500, (n += 1)))
const upload = async (camera: Camera, bytes: Buffer) => sendFile(server.url, camera, bytes, server.now())
const countOf = async (camera: Camera) => {
  const [row] = await server.sql<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM alarms WHERE device_id = $1) AS alarms,
       (SELECT count(*)::int FROM visits WHERE device_id = $1) AS visits,
       (SELECT count(*)::int FROM tidiness_checks WHERE device_id = $1) AS checks,
       (SELECT count(*)::int FROM recordings WHERE device_id = $1) AS films,
       (SELECT count(*)::int FROM raw_events WHERE device_id = $1 AND kind <> 'heartbeat') AS raw,
       (SELECT count(*)::int FROM files WHERE device_id = $1) AS files`,
    [camera.id],
  )
  return row!
}
const open = async (who: Person, camera: Camera) => {
  const answer = await who.ask(streamsApi.open, {
    body: { device_id: camera.id, purpose: 'patrol', said: true },
  })
  return { ...answer, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
}
const play = (address: string, cookie: string) => fetch(new URL(address, server.url), { headers: { cookie } })
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
/** Seconds until an address opens nothing any more. */
async function dark(address: string, cookie: string): Promise<number> {
  const from = performance.now()
  for (;;) {
    const { status } = await play(address, cookie)
    if (status === 403) return (performance.now() - from) / 1_000
    if (performance.now() - from > 8_000) throw new Error('it still shows')
    await pause(100)
  }
}
/**
 * The gateway plays the cameras, and they have just been heard: after a leap of the clock the next look at silences
 * would take them for silent, and they would be offered without an address to play.
 */
async function ready(): Promise<void> {
  await server.sql('UPDATE devices SET device_status = 1, last_seen = :now WHERE id = ANY ($1::uuid[])', [
    [lived.id, finished.id, ended.id],
  ])
  video.template = `${gateway.url}/{sn}/index.m3u8?n=${(n += 1)}`
  for (const { sn } of [lived, finished, ended])
    gateway.answers.set(`/${sn}/index.m3u8`, gives('#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\none.ts\n'))
}
const site = (who: Person, id: string) => who.call(sitesApi.details, { query: { id } })
const livedIn = async (who: Person, id: string, is: boolean, reason = '业主一家已经搬进来住') => {
  const [row] = await server.sql<{ version: number }>('SELECT version FROM sites WHERE id = $1', [id])
  return who.ask(sitesApi.livedIn, { body: { id, version: row!.version, livedIn: is, reason } })
}
/** Which sites the file of the list says are lived in. */
async function livedInFile(who: Person): Promise<string[]> {
  const cells = await cellsOf(await download(server.url, who, sitesApi.export))
  const heading = cells.findIndex((row) => row.includes('有人居住'))
  const [code, is] = ['工地编号', '有人居住'].map((title) => cells[heading]!.indexOf(title)) as [
    number,
    number,
  ]
  return cells.slice(heading + 1).flatMap((row) => (row[is] === '是' ? [row[code]!] : []))
}
const withPicture = async (camera: Camera) => {
  const { data } = await upload(camera, await plainJpeg())
  return data.key
}

test('who lives there is registered by the steward, with a reason, once; others may not', async () => {
  at(wednesday, '10:00')
  const steward = await server.as('steward')
  expect((await livedIn(await server.as('inspector'), lived.site, true)).code).toBe(401)
  expect((await livedIn(steward, lived.site, true, ' ')).code).toBe(400)
  expect((await livedIn(steward, lived.site, true)).code).toBe(200)
  expect(await livedIn(steward, lived.site, true)).toMatchObject({ code: 409, msg: '工地已经登记有人居住' })
  expect(await site(steward, lived.site)).toMatchObject({ livedIn: true, noLook: '' })
  expect(await livedInFile(await server.as('branch_gm'))).toEqual([(await site(steward, lived.site)).code])
  expect(
    await server.sql(`SELECT title FROM site_events WHERE site_id = $1 AND title LIKE '%有人居住%'`, [
      lived.site,
    ]),
  ).toEqual([{ title: '登记有人居住：业主一家已经搬进来住' }])
  expect(
    await server.sql(`SELECT action FROM user_logs WHERE object_id = $1 AND action LIKE '%居住%'`, [
      lived.site,
    ]),
  ).toEqual([{ action: '登记有人居住' }])
})

test('at 17:59 the steward looks, at 18:01 nobody does: dark within five seconds, and it says from when', async () => {
  at(wednesday, '16:00')
  const key = await withPicture(lived)
  expect(await told(lived, alarm(wednesday, '15:59', { picture: key, type: 'noclothes' }))).toEqual({
    accepted: 1,
    why: [],
  })
  at(wednesday, '17:59')
  await ready()
  const steward = await server.as('steward')
  const { data, cookie } = await open(steward, lived)
  expect(data.lookUntil).toBe(second(wednesday, '18:00'))
  expect(data.picture).toBe(key)
  expect((await play(data.address!, cookie)).status).toBe(200)
  at(wednesday, '18:00:01')
  const seconds = await dark(data.address!, cookie)
  console.log(`hours over: dark after ${seconds.toFixed(1)} s`)
  expect(seconds).toBeLessThan(5)
  expect((await steward.call(streamsApi.keep, { body: { views: [data.view] } })).ended).toEqual([data.view])
  const why = `家里有人居住，下班时间不看摄像头，${addDays(wednesday, 1).slice(5)} 09:00 以后才能看`
  // Buttons ask before somebody presses them; of cameras out of reach nothing is said.
  const asked = (who: Person, ...ids: string[]) => who.call(streamsApi.looking, { body: { devices: ids } })
  expect(await asked(steward, lived.id)).toEqual([{ device_id: lived.id, why, until: null }])
  expect(await asked(steward, finished.id)).toEqual([{ device_id: finished.id, why: '', until: null }])
  expect(await asked(await server.as('branch_gm2'), lived.id, finished.id)).toEqual([])
  for (const role of ['steward', 'pm', 'branch_gm', 'inspector', 'device_keeper']) {
    const who = await server.as(role)
    expect(await open(who, lived), role).toMatchObject({ code: 409, msg: why })
  }
  const keeper = await server.as('device_keeper')
  expect(await keeper.call(devicesApi.details, { query: { id: lived.id } })).toMatchObject({
    picture: null,
    noLook: why,
  })
  const wall = await keeper.call(wallsApi.cameras, { query: { ids: [lived.id] } })
  expect(wall.list).toMatchObject([{ picture: null, pictureAt: null, noLook: why }])
  const inspector = await server.as('inspector')
  const round = await inspector.call(patrolsApi.wall, { query: { site_id: lived.site } })
  expect(round.list[0]!.cameras.every((c) => c.picture === null && c.noLook === why)).toBe(true)
  const judged = await inspector.ask(patrolsApi.remote, {
    body: {
      site_id: lived.site,
      device_id: lived.id,
      picture: key,
      picture_at: second(wednesday, '15:59'),
      tidiness: 1,
      problems: [],
    },
  })
  expect(judged).toMatchObject({ code: 409, msg: why })
  expect(await site(steward, lived.site)).toMatchObject({ picture: null, noLook: why })
})

test('of an evening nothing is kept, late or not; of the day it is, however late; a terminal goes on', async () => {
  at(wednesday, '17:00')
  const [day, evening, across, still] = [
    (await upload(lived, movie())).data.key,
    (await upload(lived, movie())).data.key,
    (await upload(lived, movie())).data.key,
    await withPicture(lived),
  ]
  at(wednesday, '18:31')
  const before = await countOf(lived)
  expect(await told(lived, alarm(wednesday, '18:00'), alarm(wednesday, '18:30', { picture: still }))).toEqual(
    {
      accepted: 0,
      why: [LIVED_DOOR, LIVED_DOOR],
    },
  )
  expect(
    await told(
      lived,
      { kind: 'visitor', at: second(wednesday, '18:29'), seconds: 60 },
      { kind: 'tidiness', at: second(wednesday, '18:29'), result: 1, confidence: 0.9 },
      film(wednesday, '18:00', '18:30', evening),
      film(wednesday, '17:30', '18:00:01', across),
    ),
  ).toEqual({ accepted: 0, why: [LIVED_DOOR, LIVED_DOOR, LIVED_DOOR, LIVED_DOOR] })
  // What was uploaded for them has left; of the day only the film is still to be named.
  expect(await countOf(lived)).toEqual({ ...before, files: before.files! - 3 })
  expect(await told(lived, film(wednesday, '17:30', '18:00', day), alarm(wednesday, '17:59:59'))).toEqual({
    accepted: 2,
    why: [],
  })
  expect((await told(lived, { kind: 'heartbeat', at: second(wednesday, '18:31') })).accepted).toBe(1)
  const refused = await fetch(`${server.url}${deviceDoorApi.files.path}`, {
    method: 'POST',
    ...(({ headers, body }) => ({ headers, body: new Uint8Array(body) }))(
      signed(lived, await plainJpeg(), Math.floor(server.now().getTime() / 1000)),
    ),
  })
  expect([refused.status, Math.round(Number(refused.headers.get('retry-after')) / MINUTE)]).toEqual([
    403,
    14 * 60 + 29,
  ])
  expect(((await refused.json()) as { msg: string }).msg).toBe(
    `家里有人居住，下班时间不接收画面，${addDays(wednesday, 1).slice(5)} 09:00 以后再传上班时间的画面`,
  )
  const clock = await upload(terminal, await plainJpeg())
  expect(clock.status).toBe(200)
  const [worker] = await server.sql<{ w_id: string }>(
    'SELECT w_id FROM workers WHERE bc_id = $1 AND status = 1 LIMIT 1',
    [lived.bc],
  )
  const punch = {
    kind: 'clockin',
    at: second(wednesday, '18:30'),
    direction: 'out',
    similarity: 0.9,
    ...worker,
  }
  expect(await told(terminal, { ...punch, picture: clock.data.key })).toEqual({ accepted: 1, why: [] })
  expect(await told(lived, punch)).toEqual({ accepted: 0, why: [LIVED_DOOR] })
  expect(await told(terminal, { kind: 'visitor', at: second(wednesday, '18:30'), seconds: 5 })).toEqual({
    accepted: 0,
    why: [LIVED_DOOR],
  })
})

test('before days off, on a worked Saturday, before a Monday off: the calendar says from when', async () => {
  const [friday, saturday, tuesday] = [2, 3, 6].map((d) => addDays(wednesday, d)) as [string, string, string]
  const why = (day: string) => `家里有人居住，下班时间不看摄像头，${day.slice(5)} 09:00 以后才能看`
  at(friday, '18:01')
  expect((await open(await server.as('pm'), lived)).msg).toBe(why(saturday))
  at(saturday, '10:00')
  await ready()
  expect((await open(await server.as('pm'), lived)).code).toBe(200)
  expect((await told(lived, alarm(saturday, '09:59', { type: 'noclothes' }))).accepted).toBe(1)
  at(saturday, '18:00')
  const pm = await server.as('pm')
  expect((await open(pm, lived)).msg).toBe(why(tuesday))
  // Taken back it is a site like any other.
  expect((await livedIn(pm, lived.site, false, '业主又搬出去了')).code).toBe(200)
  expect((await open(pm, lived)).code).toBe(200)
  expect((await told(lived, alarm(saturday, '18:00', { type: 'noclothes' }))).accepted).toBe(1)
  expect((await livedIn(pm, lived.site, true)).code).toBe(200)
})

test('a view that runs while the site is finished is dark within five seconds; then nobody looks', async () => {
  const tuesday = addDays(wednesday, 6)
  at(tuesday, '10:00')
  await ready()
  const [pm, gm] = [await server.as('pm'), await server.as('branch_gm')]
  const key = await withPicture(finished)
  const movieKey = (await upload(finished, movie())).data.key
  expect(
    (
      await told(
        finished,
        alarm(tuesday, '09:59', { picture: key }),
        film(tuesday, '09:00', '09:50', movieKey),
      )
    ).accepted,
  ).toBe(2)
  await server.sql(`UPDATE alarms SET correction_status = 4, closed_at = :now WHERE site_id = $1`, [
    finished.site,
  ])
  await server.sql('UPDATE sites SET open_alarms = 0 WHERE id = $1', [finished.site])
  const { data, cookie } = await open(pm, finished)
  expect((await play(data.address!, cookie)).status).toBe(200)
  const foreseen = await gm.call(sitesApi.foresee, { query: { id: finished.site, change: 'finish' } })
  expect(foreseen.effects.join()).toContain(`摄像头从此刻起不再看，画面和事件不再接收`)
  const { version } = await site(gm, finished.site)
  const done = await gm.ask(sitesApi.state, {
    body: { id: finished.site, version, action: 'finish', reason: '' },
  })
  expect([done.code, done.msg]).toEqual([200, ''])
  const seconds = await dark(data.address!, cookie)
  console.log(`finished: dark after ${seconds.toFixed(1)} s`)
  expect(seconds).toBeLessThan(5)
  for (const role of ['steward', 'pm', 'branch_gm', 'inspector', 'device_keeper'])
    expect(await open(await server.as(role), finished), role).toMatchObject({ code: 409, msg: OVER })
  for (const role of ['hq_ops', 'service'])
    expect((await open(await server.as(role), finished)).code).toBe(401)
  const keeper = await server.as('device_keeper')
  expect(await keeper.call(devicesApi.details, { query: { id: finished.id } })).toMatchObject({
    picture: null,
    noLook: OVER,
  })
  expect((await keeper.call(wallsApi.cameras, { query: { ids: [finished.id] } })).list).toMatchObject([
    { picture: null, noLook: OVER },
  ])
  expect(await site(pm, finished.site)).toMatchObject({ picture: null, noLook: OVER })
  // What was recorded before is there as long as it is kept.
  const seen = await pm.call(recordingsApi.day, { body: { device_id: finished.id, day: tuesday } })
  expect(seen.pieces).toHaveLength(1)
  expect(seen.sites).toMatchObject([{ site_id: finished.site, noLook: OVER }])
  // There is no way back, and nothing to register.
  expect(await livedIn(gm, finished.site, true)).toMatchObject({ code: 409 })
  const again = await site(gm, finished.site)
  const start = { id: finished.site, version: again.version, action: 'start' as const, reason: '再开工' }
  expect((await gm.ask(sitesApi.state, { body: start })).code).toBe(409)
})

test('the day after the handover smoking, a visitor and film are refused by name, over both doors', async () => {
  const day = addDays(wednesday, 7)
  at(day, '10:00')
  const before = await countOf(finished)
  const hour = film(day, '08:00', '09:00', 'nothing.mp4')
  const visit = { kind: 'visitor', at: second(day, '09:30'), seconds: 40 }
  const late = alarm(addDays(wednesday, 6), '09:30', { type: 'noclothes' })
  expect(await told(finished, alarm(day, '09:30'), visit, hour, late)).toEqual({
    accepted: 0,
    why: [OVER_DOOR, OVER_DOOR, OVER_DOOR, OVER_DOOR],
  })
  expect((await told(finished, { kind: 'heartbeat', at: second(day, '10:00'), signal: 80 })).accepted).toBe(1)
  for (const bytes of [await plainJpeg(), movie()])
    expect(await upload(finished, bytes)).toMatchObject({ status: 403, msg: OVER_DOOR })
  const client = await connectAsync(server.app.mqttUrl, {
    username: finished.sn,
    password: finished.secret,
    clientId: finished.sn,
    reconnectPeriod: 0,
  })
  await client.subscribeAsync(`device/${finished.sn}/acks`, { qos: 1 })
  const answered = new Promise<string>((done) =>
    client.on('message', (_topic, payload) => done(payload.toString())),
  )
  const events = [
    { id: 'mq-1', ...alarm(day, '09:40') },
    { id: 'mq-2', kind: 'heartbeat', at: second(day, '10:00') },
  ]
  await client.publishAsync(`device/${finished.sn}/events`, JSON.stringify({ events }), { qos: 1 })
  expect(JSON.parse(await answered)).toMatchObject({
    code: 200,
    data: { accepted: 1, rejected: [{ id: 'mq-1', reason: OVER_DOOR }] },
  })
  await client.endAsync()
  expect(await countOf(finished)).toEqual(before)
})

test('a camera that hangs elsewhere by now tells of the new place, and nothing of the home that it left', async () => {
  const day = addDays(wednesday, 8)
  at(day, '10:00')
  await server.sql('UPDATE devices SET site_id = $2, version = version + 1 WHERE id = $1', [
    finished.id,
    ended.site,
  ])
  await server.sql('DELETE FROM device_stands WHERE device_id = $1', [finished.id])
  await server.sql(
    `INSERT INTO device_stands (tenant_id, device_id, site_id, from_at, to_at)
     SELECT tenant_id, id, $2, '-infinity', :now FROM devices WHERE id = $1`,
    [finished.id, finished.site],
  )
  await server.sql(
    `INSERT INTO device_stands (tenant_id, device_id, site_id, from_at)
     SELECT tenant_id, id, site_id, :now FROM devices WHERE id = $1`,
    [finished.id],
  )
  await server.sql(`SELECT pg_notify('devices', '')`)
  await pause(300)
  at(day, '10:30')
  expect(await told(finished, alarm(addDays(wednesday, 7), '20:00', { type: 'cameraproblem' }))).toEqual({
    accepted: 0,
    why: [OVER_DOOR],
  })
  expect((await told(finished, alarm(day, '10:20', { type: 'cameraproblem' }))).accepted).toBe(1)
})

test('with its contract a site ends alike', async () => {
  const day = addDays(wednesday, 8)
  at(day, '11:00')
  await ready()
  const gm = await server.as('branch_gm')
  const { data, cookie } = await open(gm, ended)
  expect((await play(data.address!, cookie)).status).toBe(200)
  const { version } = await site(gm, ended.site)
  const body = { id: ended.site, version, action: 'terminate' as const, reason: '业主退单' }
  const done = await gm.ask(sitesApi.state, { body })
  expect([done.code, done.msg]).toEqual([200, ''])
  const seconds = await dark(data.address!, cookie)
  console.log(`terminated: dark after ${seconds.toFixed(1)} s`)
  expect(seconds).toBeLessThan(5)
  expect(await open(gm, ended)).toMatchObject({ code: 409, msg: '工地已终止合同，摄像头不再看' })
  expect(await told(ended, alarm(day, '11:00'))).toEqual({ accepted: 0, why: [ENDED_DOOR] })
  expect(
    (
      await post(
        server.url,
        deviceDoorApi.files.path,
        signed(ended, movie(), Math.floor(server.now().getTime() / 1000)),
      )
    ).status,
  ).toBe(403)
})
