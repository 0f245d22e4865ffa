import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'
import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { connectAsync } from 'mqtt'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { watchSilence } from '../features/devices/heartbeats.service.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { addDays, shanghaiDay, startOfDay } from '../kit/shanghai.ts'
import { post, report, sendFile, signed } from '../testing/device.ts'
import { filmLasting } from '../testing/films.ts'
import { plainJpeg } from '../testing/photo.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { seconds, testNow } from '../testing/time.ts'

let server: TestServer
let camera: TestServer['devices'][number]
let terminal: TestServer['devices'][number]
beforeAll(async () => {
  server = await startTestServer()
  terminal = server.devices.find((d) => d.type === 'faceTerminal' && d.workers.length > 2)!
  camera = server.devices.find((d) => d.type === 'camera' && d.site === terminal.site)!
})
afterAll(() => server.stop())

const count = async (text: string, values: unknown[] = []) =>
  Number((await server.sql<{ n: string }>(text, values))[0]!.n)
const idOf = async (sn: string) =>
  (await server.sql<{ id: string }>('SELECT id FROM devices WHERE sn = $1', [sn]))[0]!.id
const rawOf = async (sn: string) =>
  count('SELECT count(*) AS n FROM raw_events WHERE device_id = $1', [await idOf(sn)])

test('events sent three times in any order are filed once, and days are exact', async () => {
  // In the morning, so that the hour between in and out stays inside one day.
  const at = startOfDay(addDays(shanghaiDay(testNow()), -3)).getTime() / 1000 + 9 * 3_600
  const events = terminal.workers.slice(0, 3).flatMap((w_id, i) => [
    { id: `in-${w_id}`, kind: 'clockin', at: at + i, w_id, direction: 'in' },
    { id: `out-${w_id}`, kind: 'clockin', at: at + 3_600 + i, w_id, direction: 'out' },
  ])
  const shuffled = [...events, ...events, ...events].sort(
    (a, b) => ((a.id.length * a.at) % 7) - ((b.id.length * b.at) % 7),
  )
  const answers = []
  for (let i = 0; i < shuffled.length; i += 4)
    answers.push(report(server.url, terminal, shuffled.slice(i, i + 4)))
  const data = (await Promise.all(answers)).map((a) => a.data)
  expect(data.reduce((n, d) => n + d.accepted, 0)).toBe(6)
  expect(data.reduce((n, d) => n + d.duplicate, 0)).toBe(12)
  expect(await count('SELECT count(*) AS n FROM attendance_events WHERE site_id = $1', [terminal.site])).toBe(
    6,
  )
  const days = await server.sql<{ count: number; hours: string }>(
    'SELECT count, extract(epoch FROM last_at - first_at) AS hours FROM attendance_days WHERE site_id = $1',
    [terminal.site],
  )
  expect(days.map((d) => [d.count, Number(d.hours)])).toEqual([
    [2, 3_600],
    [2, 3_600],
    [2, 3_600],
  ])
  expect(
    await server.sql(
      `SELECT present FROM site_days WHERE site_id = $1 AND day = (to_timestamp($2) AT TIME ZONE 'Asia/Shanghai')::date`,
      [terminal.site, at],
    ),
  ).toEqual([{ present: 3 }])
})

test('a wrong signature, an old clock, a replay and an unknown device are refused and file nothing', async () => {
  const before = await rawOf(camera.sn)
  const body = Buffer.from(
    JSON.stringify({
      events: [{ id: 'x1', kind: 'alarm', at: seconds(), type: 'smoking', confidence: 0.9 }],
    }),
  )
  const path = deviceDoorApi.events.path
  const good = signed(camera, body)
  const spoiled = [
    { ...good, body: Buffer.from(body.toString().replace('0.9', '0.8')) },
    { ...good, headers: { ...good.headers, 'x-sign': 'f'.repeat(64) } },
    { ...good, headers: { ...good.headers, 'x-device-sn': terminal.sn } },
    { ...good, headers: { ...good.headers, 'x-nonce': 'short' } },
    signed(camera, body, seconds() - 301),
    signed({ sn: 'NOBODY', secret: camera.secret }, body),
  ]
  for (const s of spoiled) expect((await post(server.url, path, s)).status).toBe(401)
  expect(await rawOf(camera.sn)).toBe(before)
  expect((await post(server.url, path, good)).data.accepted).toBe(1)
  expect(await post(server.url, path, good)).toMatchObject({ status: 401, msg: '重复的请求' })
  expect(await rawOf(camera.sn)).toBe(before + 1)
})

test('one bad event does not lose the others; next week and last month are refused by name', async () => {
  const now = seconds()
  const { data } = await report(server.url, camera, [
    { id: 'ok', kind: 'tidiness', at: now, result: 2 },
    { id: 'future', kind: 'tidiness', at: now + 7 * 86_400, result: 2 },
    { id: 'old', kind: 'tidiness', at: now - 8 * 86_400, result: 2 },
    { id: 'odd', kind: 'dance', at: now },
    { id: 'bad', kind: 'tidiness', at: now, result: 9 },
    { id: 'who', kind: 'clockin', at: now, w_id: 'NOBODY', direction: 'in' },
    { id: 'pic', kind: 'tidiness', at: now, result: 1, picture: 'not-mine.jpg' },
  ])
  expect(data).toMatchObject({ accepted: 1, duplicate: 0 })
  expect(Object.fromEntries(data.rejected.map((r) => [r.id, r.reason]))).toEqual({
    future: '时间在未来',
    old: '超过 7 天，不再接收',
    odd: '不认识的事件类型',
    bad: '字段不正确：result',
    who: '没有这个工人',
    pic: '文件不存在',
  })
  for (const body of ['', '{', '[]', '{"events":1}'])
    expect(
      (await post(server.url, deviceDoorApi.events.path, signed(camera, Buffer.from(body)))).status,
    ).toBe(400)
})

test('a file is what its bytes are: a picture is kept, text that calls itself one is not', async () => {
  expect(await sendFile(server.url, camera, Buffer.from('<svg onload=alert(1)>'))).toMatchObject({
    status: 400,
  })
  expect(await count('SELECT count(*) AS n FROM files')).toBe(0)
  const { data } = await sendFile(
    server.url,
    camera,
    await sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  )
  expect(data.key).toMatch(/\.jpg$/)
  expect(
    (
      await report(server.url, camera, [
        { id: 'with', kind: 'tidiness', at: seconds(), result: 1, picture: data.key },
      ])
    ).data.accepted,
  ).toBe(1)
  const stolen = await report(
    server.url,
    server.devices.find((d) => d.site !== camera.site)!,
    [{ id: 'with', kind: 'tidiness', at: seconds(), result: 1, picture: data.key }],
  )
  expect(stolen.data).toMatchObject({ accepted: 0, rejected: [{ id: 'with', reason: '文件不存在' }] })
})

test('a stretch of video that a device has put away is known by its file, once', async () => {
  const bytes = filmLasting(300)
  const { key } = (await sendFile(server.url, camera, bytes)).data
  // How large it is the file says.
  const stretch = { kind: 'recording', from: seconds() - 600, to: seconds() - 300, file: key, bytes: 1_234 }
  const tell = async (id: string, more: object = {}) =>
    (await report(server.url, camera, [{ id, at: seconds() - 300, ...stretch, ...more }])).data
  for (let n = 0; n < 2; n += 1) await tell('stretch')
  const picture = (await sendFile(server.url, camera, await plainJpeg())).data.key
  for (const [id, more, reason] of [
    ['picture', { file: picture }, '文件不是录像'],
    ['moment', { to: stretch.from }, '字段不正确：from'],
  ] as const)
    expect(await tell(id, more)).toMatchObject({ accepted: 0, rejected: [{ id, reason }] })
  const alarm = {
    id: 'film',
    kind: 'alarm',
    at: seconds() - 300,
    type: 'smoking',
    confidence: 0.9,
    picture: key,
  }
  expect((await report(server.url, camera, [alarm])).data.rejected).toEqual([
    { id: 'film', reason: '文件不是图片' },
  ])
  expect(
    await server.sql(
      `SELECT d.sn, extract(epoch FROM r.from_at)::int AS from, extract(epoch FROM r.to_at)::int AS to,
         r.key AS file, r.bytes::int AS bytes
       FROM recordings r JOIN devices d ON d.id = r.device_id`,
    ),
  ).toEqual([{ sn: camera.sn, from: stretch.from, to: stretch.to, file: key, bytes: bytes.length }])
})

test('an unbound device may beat its heart and nothing else', async () => {
  const keeper = await server.as('device_keeper')
  const device = (await keeper.call(devicesApi.list, { query: { keyword: camera.sn } })).list[0]!
  const flapper = server.devices.find(
    (d) => d.site !== camera.site && d.type === 'camera' && d.sn.includes('HZ'),
  )!
  const row = (await keeper.call(devicesApi.list, { query: { keyword: flapper.sn } })).list[0]!
  await keeper.call(devicesApi.change, { body: { id: row.id, version: row.version, action: 'unbind' } })
  await new Promise((r) => setTimeout(r, 500))
  const { data } = await report(server.url, flapper, [
    { id: 'h', kind: 'heartbeat', at: seconds() },
    // In the second in which it was taken down it still stood there.
    { id: 't', kind: 'tidiness', at: seconds() + 1, result: 1 },
  ])
  expect(data).toMatchObject({ accepted: 1, rejected: [{ id: 't', reason: '设备未绑定工地' }] })
  expect(device.bindStatus).toBe(2)
})

test('heartbeats bring on line, silence and a frozen picture take off line, each change a span with its cause', async () => {
  const pm = await server.as('admin')
  const device = server.devices.find((d) => d.mood === 'usual' && d.type === 'camera' && d.sn.includes('NB'))!
  const status = async () => (await pm.call(devicesApi.list, { query: { keyword: device.sn } })).list[0]!
  const now = seconds()
  await report(server.url, device, [
    { id: 'b1', kind: 'heartbeat', at: now - 1_000, signal: 80, firmware: '2.4.1', frameAt: now - 1_000 },
  ])
  expect(await status()).toMatchObject({ deviceStatus: 1, cause: 'heartbeat', signal: 80, firmware: '2.4.1' })
  expect(await server.db.tx(SYSTEM, (tx) => watchSilence(tx, new Date(now * 1000)))).toBeGreaterThan(0)
  expect(await status()).toMatchObject({ deviceStatus: 2, cause: 'silent' })
  await report(server.url, device, [
    { id: 'b2', kind: 'heartbeat', at: now - 60, frameAt: now - 60 },
    { id: 'b3', kind: 'heartbeat', at: now - 30, frameAt: now - 2_000 },
  ])
  expect(await status()).toMatchObject({ deviceStatus: 2, cause: 'frozen' })
  await report(server.url, device, [{ id: 'late', kind: 'heartbeat', at: now - 500, frameAt: now - 500 }])
  expect(await status()).toMatchObject({ deviceStatus: 2, cause: 'frozen' })
  const { spans } = await pm.call(devicesApi.history, { query: { id: (await status()).id } })
  expect(spans.map((s) => [s.state, s.cause])).toEqual([
    [2, 'frozen'],
    [1, 'heartbeat'],
    [2, 'silent'],
    [1, 'heartbeat'],
    [3, 'bound'],
  ])
  expect(spans[2]!.from).toBe(now - 1_000 + 300)
  const site = (await pm.call(sitesApi.list, { query: { pageSize: 100 } })).list.find(
    (s) => s.id === device.site,
  )!
  expect(site.devicesOnline).toBe(0)
})

test('the same door over MQTT: acknowledged after the commit, answered on its own topic, closed to others', async () => {
  await expect(
    connectAsync(server.app.mqttUrl, {
      username: camera.sn,
      password: 'wrong',
      clientId: camera.sn,
      reconnectPeriod: 0,
      connectTimeout: 2_000,
    }),
  ).rejects.toThrow()
  const device = server.devices.filter((d) => d.mqtt && d.sn.includes('HZ')).at(-1)!
  const client = await connectAsync(server.app.mqttUrl, {
    username: device.sn,
    password: device.secret,
    clientId: device.sn,
    reconnectPeriod: 0,
  })
  await client.subscribeAsync(`device/${device.sn}/acks`, { qos: 1 })
  const answered = new Promise<{ code: number; data: object }>((resolve) =>
    client.on(
      'message',
      (topic, payload) => topic === `device/${device.sn}/acks` && resolve(JSON.parse(payload.toString())),
    ),
  )
  await client.publishAsync(
    `device/${device.sn}/events`,
    JSON.stringify({
      events: [{ id: 'm1', kind: 'alarm', at: seconds(), type: 'smoking', confidence: 0.95 }],
    }),
    { qos: 1 },
  )
  expect(
    await count(`SELECT count(*) AS n FROM alarms WHERE device_id = $1 AND type = 'smoking'`, [
      await idOf(device.sn),
    ]),
  ).toBe(1)
  expect(await answered).toMatchObject({ code: 200, data: { accepted: 1 } })
  expect(
    (
      await report(server.url, device, [
        { id: 'm1', kind: 'alarm', at: seconds(), type: 'smoking', confidence: 0.95 },
      ])
    ).data.duplicate,
  ).toBe(1)
  const stranger = await client.subscribeAsync(`device/${camera.sn}/acks`).catch(() => [{ qos: 128 }])
  expect(stranger[0]!.qos).toBe(128)
  const before = await rawOf(camera.sn)
  await client
    .publishAsync(
      `device/${camera.sn}/events`,
      JSON.stringify({ events: [{ id: 'foreign', kind: 'tidiness', at: seconds(), result: 1 }] }),
      { qos: 0 },
    )
    .catch(() => {})
  await new Promise((r) => setTimeout(r, 200))
  expect(await rawOf(camera.sn)).toBe(before)
  await client.endAsync(true)
})

test('while a camera is skewed its other events are low-trust and its tidiness is 4', async () => {
  const device = server.devices.find((d) => d.type === 'camera' && d.sn.includes('SZ'))!
  const admin = await server.as('other')
  await report(server.url, device, [
    { id: 'k1', kind: 'alarm', at: seconds() - 3, type: 'cameraproblem', confidence: 0.9 },
  ])
  await report(server.url, device, [
    { id: 'k2', kind: 'alarm', at: seconds() - 2, type: 'smoking', confidence: 0.9 },
    { id: 'k3', kind: 'tidiness', at: seconds() - 1, result: 1 },
  ])
  const list = await admin.call(alarmsApi.list, { query: { type: ['smoking'] } })
  expect(list.list.find((a) => a.deviceSn === device.sn)).toMatchObject({ lowTrust: true })
  expect(
    await server.sql('SELECT result FROM tidiness_checks WHERE device_id = $1', [await idOf(device.sn)]),
  ).toEqual([{ result: 4 }])
})
