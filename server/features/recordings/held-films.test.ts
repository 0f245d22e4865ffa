import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'
import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { recordingsApi } from '@zhuguan/contract/features/recordings/recordings.api.ts'
import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { post, report, signed } from '../../testing/device.ts'
import { filmLasting } from '../../testing/films.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let service: Person
let camera: { id: string; sn: string; secret: string; site: string; bc: string; steward: string }
const HOUR = 3_600

beforeAll(async () => {
  server = await startTestServer()
  service = await server.as('service')
  const [row] = await server.sql<Omit<typeof camera, 'secret'>>(
    `SELECT d.id, d.sn, d.site_id AS site, d.bc_id AS bc, u.id AS steward
     FROM devices d JOIN sites w ON w.id = d.site_id JOIN users u ON u.id = w.steward_id AND u.user_name = 'steward'
     WHERE d.type = 'camera' AND w.status = 1 ORDER BY d.sn LIMIT 1`,
  )
  camera = { ...row!, secret: server.devices.find((d) => d.sn === row!.sn)!.secret }
})
afterAll(() => server.stop())

let n = 0
const now = () => Math.floor(server.now().getTime() / 1_000)
/** A film between two moments, in hours from now. */
async function film(from: number, to: number): Promise<void> {
  n += 1
  const bytes = filmLasting((to - from) * HOUR, Buffer.alloc(400 + n, n))
  const at = now()
  const { data } = await post(server.url, deviceDoorApi.files.path, signed(camera, bytes, at))
  const event = { id: `held-${n}`, kind: 'recording', at, file: data.key, bytes: bytes.length }
  const stretch = { from: at + from * HOUR, to: at + to * HOUR }
  const told = await report(server.url, camera, [{ ...event, ...stretch }], server.now())
  expect(told.data.rejected).toEqual([])
}
const enter = (more: object = {}) =>
  service.call(feedbackApi.enter, {
    body: {
      site_id: camera.site,
      kind: 'complaint',
      level: 2,
      about: 'work',
      channel: 'phone',
      words: '墙砖空鼓，今天上午才贴的',
      pictures: [],
      ...more,
    },
  })
const held = (who: Person, id: string) => who.ask(recordingsApi.held, { body: { feedback_id: id } })
async function openHeld(who: Person, feedback_id: string, id: string) {
  const answer = await who.ask(recordingsApi.openHeld, { body: { feedback_id, id } })
  return { ...answer, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
}
const play = (address: string, cookie: string) =>
  fetch(`${server.url}${address}`, { headers: { cookie } }).then((r) => r.status)
const lastView = async () =>
  (
    await server.sql<{ purpose: string; words: string; s: number }>(
      `SELECT purpose, words, extract(epoch FROM to_at - from_at)::int AS s
       FROM video_views ORDER BY at DESC, id DESC LIMIT 1`,
    )
  )[0]

let complaint: string
let mine: string
test('service sees the hour of an open complaint, as a line of the view log, and nothing else', async () => {
  await film(-3, -2.5)
  await film(-1.25, -0.75)
  await film(-0.5, -0.25)
  await film(-6, -0.1)
  complaint = (await enter()).id
  const films = (await held(service, complaint)).data
  const at = now()
  const places = films.map(
    (f) => `${Math.round((f.from - at) / 900)} ${Math.round((f.to - at) / 900)} ${f.tooLong}`,
  )
  expect(places.sort()).toEqual(['-2 -1 false', '-24 0 true', '-5 -3 false'])
  mine = films.find((f) => !f.tooLong && f.to - f.from === HOUR / 2)!.id
  const { code, data, cookie } = await openHeld(service, complaint, mine)
  expect(code).toBe(200)
  expect(await play(data.address, cookie)).toBe(200)
  expect(await play(data.address, '')).toBe(403)
  // What is written down is what of the film lies in the hour.
  const view = await lastView()
  expect(view).toMatchObject({ purpose: 'complaint', words: '' })
  expect(Math.abs(view!.s - HOUR / 4)).toBeLessThan(10)
  const long = films.find((f) => f.tooLong)!
  expect(await openHeld(service, complaint, long.id)).toMatchObject({
    code: 409,
    msg: '这个录像文件比留存的一小时长得多，请分公司总经理在录像回放里查看',
  })
  const [before] = await server.sql<{ id: string }>(
    `SELECT id FROM recordings WHERE device_id = $1 AND to_at < :now - interval '2 hours'`,
    [camera.id],
  )
  expect((await openHeld(service, complaint, before!.id)).code).toBe(403)
  const why = { purpose: 'patrol' as const, said: true }
  const day = { device_id: camera.id, day: '2026-11-24' }
  expect((await service.ask(recordingsApi.day, { body: day })).code).toBe(401)
  expect((await service.ask(recordingsApi.open, { body: { id: mine, ...why } })).code).toBe(401)
  expect((await service.ask(streamsApi.open, { body: { device_id: camera.id, ...why } })).code).toBe(401)
})

test('without the right, of another branch, of a repair: nothing', async () => {
  for (const role of ['steward', 'pm', 'quoter'])
    expect((await held(await server.as(role), complaint)).code, role).toBe(401)
  const repair = (await enter({ kind: 'repair' })).id
  await server.sql('UPDATE recording_holds SET feedback_id = $1 WHERE feedback_id = $2', [repair, complaint])
  expect((await held(service, repair)).code).toBe(403)
  await server.sql('UPDATE recording_holds SET feedback_id = $2 WHERE feedback_id = $1', [repair, complaint])
  const [far] = await server.sql<{ id: string }>(
    `SELECT c.bc_id AS id FROM companies c JOIN companies o ON o.tenant_id = c.tenant_id AND o.bc_id = $1
     WHERE c.bc_id <> $1 LIMIT 1`,
    [camera.bc],
  )
  await server.sql('UPDATE feedback SET bc_id = $2 WHERE id = $1', [complaint, far!.id])
  expect((await held(service, complaint)).code).toBe(403)
  await server.sql('UPDATE feedback SET bc_id = $2 WHERE id = $1', [complaint, camera.bc])
  expect((await held(service, complaint)).data).toHaveLength(3)
})

test('of a complaint that is kept from the steward neither the hold nor the view log says why', async () => {
  const { id } = await enter({ about: 'person', about_id: camera.steward })
  const film = (await held(service, id)).data.find((f) => !f.tooLong)!
  expect((await openHeld(service, id, film.id)).code).toBe(200)
  expect(await lastView()).toMatchObject({ purpose: 'other', words: '查看留存录像' })
})

test('with the complaint or the hold the hour is gone, while its address is still young', async () => {
  const gm = await server.as('branch_gm')
  const begin = async () => {
    const { data, cookie } = await openHeld(service, complaint, mine)
    expect(await play(data.address, cookie)).toBe(200)
    return () => play(data.address, cookie)
  }
  const released = await begin()
  await server.sql(
    `UPDATE recording_holds SET released_by = '', released_at = :now, released_why = '' WHERE feedback_id = $1`,
    [complaint],
  )
  expect(await released()).toBe(403)
  await server.sql(
    'UPDATE recording_holds SET released_by = NULL, released_at = NULL, released_why = NULL WHERE feedback_id = $1',
    [complaint],
  )
  const closed = await begin()
  await server.sql(
    `UPDATE feedback SET status = 3, close_due_at = :now, closed_at = :now, result = '已返工' WHERE id = $1`,
    [complaint],
  )
  expect(await closed()).toBe(403)
  for (const who of [service, gm]) {
    expect((await held(who, complaint)).code).toBe(403)
    expect((await openHeld(who, complaint, mine)).code).toBe(403)
  }
  await server.sql('UPDATE feedback SET status = 2, closed_at = NULL WHERE id = $1', [complaint])
  expect((await held(service, complaint)).data).toHaveLength(3)
})
