import { connect, type Socket } from 'node:net'

import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'
import { carrierDoorApi } from '@zhuguan/contract/features/dispatch/carriers.api.ts'
import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { driverApi } from '@zhuguan/contract/features/dispatch/driver.api.ts'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { loadSharp } from '../kit/native.ts'
import { openDelivery } from '../testing/delivering.ts'
import { post, signed } from '../testing/device.ts'
import { linkFrom } from '../testing/driving.ts'
import { sha256, startTestServer, type TestServer } from '../testing/start.ts'
import { seconds } from '../testing/time.ts'

let server: TestServer
const sockets: Socket[] = []
beforeAll(async () => void (server = await startTestServer()))
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => server.stop())

const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))
/** Somebody who sends headers and the first byte of a body, and holds on. */
function half(path: string, headers: Record<string, string>): { heard: () => string } {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let heard = ''
  socket.on('data', (bytes) => (heard += bytes.toString()))
  socket.on('error', () => {})
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n${lines.join('')}\r\nx`)
  sockets.push(socket)
  return { heard: () => heard }
}
const named = (sn: string, from: string, who = 'x-device-sn') => ({
  [who]: sn,
  'x-timestamp': String(seconds()),
  'x-nonce': 'n'.repeat(20),
  'x-sign': '0'.repeat(64),
  'x-forwarded-for': from,
})
const heartbeat = (id: string) =>
  Buffer.from(JSON.stringify({ events: [{ id, kind: 'heartbeat', at: seconds() }] }))

test('a thousand sockets that name serial numbers keep no device from reporting, named or not', async () => {
  const [first, second] = server.devices.filter((d) => d.type === 'camera') as [
    TestServer['devices'][number],
    TestServer['devices'][number],
  ]
  const from = (i: number) => `203.0.113.${i % 4}`
  const strangers = Array.from({ length: 960 }, (_, i) =>
    half(deviceDoorApi.events.path, named(first.sn, from(i))),
  )
  const files = Array.from({ length: 40 }, (_, i) => half(deviceDoorApi.files.path, named(first.sn, from(i))))
  // An address has so many places and no more: the others are turned away at once, or wait and are.
  const waiting = () => [...strangers, ...files].filter(({ heard }) => heard() === '')
  await expect.poll(() => waiting().length, { timeout: 5_000 }).toBeLessThan(600)
  for (const [i, device] of [first, second].entries()) {
    const at = performance.now()
    expect(
      await post(server.url, deviceDoorApi.events.path, signed(device, heartbeat(`proved-${i}`))),
    ).toMatchObject({
      status: 200,
      data: { accepted: 1 },
    })
    // One that does not say its digest first shares the places of its own address.
    const late = signed(device, heartbeat(`unproved-${i}`))
    delete late.headers['x-digest']
    expect(await post(server.url, deviceDoorApi.events.path, late)).toMatchObject({
      status: 200,
      data: { accepted: 1 },
    })
    expect(performance.now() - at).toBeLessThan(2_000)
  }
  const { url } = server
  const picture = await (
    await loadSharp()
  )({ create: { width: 30, height: 30, channels: 3, background: '#579' } })
    .jpeg()
    .toBuffer()
  expect(await post(url, deviceDoorApi.files.path, signed(first, picture))).toMatchObject({ status: 200 })
})

test('half-sent pictures from many networks keep no device out whose network was heard before', async () => {
  const [first, second] = server.devices.filter((d) => d.type === 'camera') as [
    TestServer['devices'][number],
    TestServer['devices'][number],
  ]
  const picture = await (
    await loadSharp()
  )({ create: { width: 30, height: 30, channels: 3, background: '#765' } })
    .jpeg()
    .toBuffer()
  const send = (device: typeof first, from: string) => {
    const whole = signed(device, picture)
    delete whole.headers['x-digest']
    whole.headers['x-forwarded-for'] = from
    return post(server.url, deviceDoorApi.files.path, whole)
  }
  // Heard once: by its events, or by a picture.
  expect(await send(first, '192.0.2.1')).toMatchObject({ status: 200 })
  const events = signed(second, heartbeat('heard'))
  expect(
    await post(server.url, deviceDoorApi.events.path, {
      ...events,
      headers: { ...events.headers, 'x-forwarded-for': '192.0.2.2' },
    }),
  ).toMatchObject({ status: 200 })
  for (let i = 0; i < 80; i += 1)
    half(deviceDoorApi.files.path, named(first.sn, `203.0.113.${(i % 20) + 50}`))
  await pause(500)
  const at = performance.now()
  expect(await send(first, '192.0.2.1')).toMatchObject({ status: 200 })
  expect(await send(second, '192.0.2.2')).toMatchObject({ status: 200 })
  expect(performance.now() - at).toBeLessThan(2_000)
  // A network that only named a device, and proved nothing, was not heard.
  expect(await send(first, '203.0.113.200')).toMatchObject({ status: 503 })
})

test('a wrong signature with its digest is refused before the body; the digest of another body after it', async () => {
  const device = server.devices.find((d) => d.type === 'camera')!
  const stranger = half(deviceDoorApi.events.path, {
    ...named(device.sn, '203.0.113.9'),
    'x-digest': '0'.repeat(64),
  })
  const { headers } = signed(device, heartbeat('promised'))
  await expect.poll(() => stranger.heard(), { timeout: 5_000 }).toMatch(/^HTTP\/1.1 401 /)
  const other = await post(server.url, deviceDoorApi.events.path, { headers, body: heartbeat('another') })
  expect([other.status, other.msg]).toEqual([401, '设备未登记或签名不正确'])
  const carrier = half(carrierDoorApi.events.path, named('nobody', '203.0.113.9', 'x-carrier'))
  await expect.poll(() => carrier.heard(), { timeout: 5_000 }).toMatch(/^HTTP\/1.1 401 /)
})

test('half-sent photos without a link hold no place: a driver hands over beside them', async () => {
  const shop = await openDelivery(server)
  const { items } = await shop.sold({ name: '门口的砖', quantity: '5' })
  const order = (await shop.place([{ item_id: items['门口的砖']!, quantity: '5' }])).orders[0]!.id
  const { notes } = await shop.accept(order)
  expect((await shop.ship(notes[0]!.id)).code).toBe(200)
  const { phone } = await linkFrom(server, shop.supplier, notes[0]!.id)
  await phone.open()
  const strangers = Array.from({ length: 80 }, (_, i) =>
    half(driverApi.photo.path, {
      'content-type': 'image/jpeg',
      'x-link': 'x',
      'x-link-device': 'd'.repeat(32),
      'x-forwarded-for': `203.0.113.${i}`,
    }),
  )
  for (const { heard } of strangers) await expect.poll(heard, { timeout: 5_000 }).toMatch(/^HTTP\/1.1 404 /)
  const at = performance.now()
  expect((await phone.photo()).code).toBe(200)
  expect((await phone.handOver(notes[0]!.id)).msg).toBe('')
  expect(performance.now() - at).toBeLessThan(2_000)
  expect((await shop.supplier.call(dispatchApi.details, { query: { id: notes[0]!.id } })).state).not.toBe(0)
})

const signIn = (from: string, username: string) =>
  server
    .nobody()
    .ask(sessionApi.login, { body: { username, password: sha256('Wrong1234') } }, { 'x-forwarded-for': from })

test('all addresses of one IPv6 subscriber are one: the others sign in beside them', async () => {
  const flood = Promise.all(
    Array.from({ length: 160 }, (_, i) => signIn(`2001:db8:1:${i % 2}::${i.toString(16)}`, `nobody${i}`)),
  )
  await pause(30)
  for (let i = 0; i < 5; i += 1) {
    const honest = await signIn(`198.51.100.${i}`, 'pm')
    expect([honest.status, honest.code]).toEqual([200, 400])
  }
  const refused = (await flood).filter(({ code }) => code !== 400)
  expect(refused.length).toBeGreaterThan(60)
})

test('guesses at one account are counted for a whole IPv6 network', async () => {
  const told: number[] = []
  for (let i = 0; i < 14; i += 1) told.push((await signIn(`2001:db8:2:2::${i}`, 'steward')).code)
  expect(told).toEqual([...Array<number>(10).fill(400), ...Array<number>(4).fill(429)])
})

test('an old password is guessed ten times a session and twenty times a person, from whatever address', async () => {
  const told = async (who: Awaited<ReturnType<TestServer['as']>>, times: number, net: number) => {
    const codes: number[] = []
    const { id } = (await who.call(sessionApi.permissionInfo)).user
    for (let i = 0; i < times; i += 1)
      codes.push(
        (
          await who.ask(
            sessionApi.updatePassword,
            { body: { user_id: id, oldPassword: sha256(`Wrong${i}234`), newPassword: sha256('Right1234') } },
            { 'x-forwarded-for': `198.51.${net}.${i}` },
          )
        ).code,
      )
    return codes
  }
  const stolen = await server.as('inspector')
  expect(await told(stolen, 12, 1)).toEqual([...Array<number>(10).fill(400), 429, 429])
  // Whose account it is has a session of their own, and guesses of their own.
  const own = await server.as('inspector')
  expect(await told(own, 3, 2)).toEqual([400, 400, 400])
  const another = await server.as('inspector')
  expect(await told(another, 9, 3)).toEqual([...Array<number>(7).fill(400), 429, 429])
})
