import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'

import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../testing/device.ts'
import { type Person, sha256, startTestServer, type TestServer } from '../testing/start.ts'
import { seconds } from '../testing/time.ts'

let server: TestServer
let gm: Person
beforeAll(async () => {
  server = await startTestServer({ stallMs: 400, sendingMs: 1_500 })
  gm = await server.as('branch_gm')
  await server.sql(
    `INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, address)
     SELECT w.tenant_id, gen_random_uuid(), 'X' || i, md5(i::text) || md5((i + 1)::text), w.bc_id, md5((i + 2)::text) || md5((i + 3)::text)
     FROM (SELECT * FROM sites WHERE code = 'GDHZ001') w, generate_series(1, 20000) i`,
  )
})
afterAll(() => server.stop())

const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))
/** A socket that has said this much, and what it heard until it was closed. */
function half(text: string): { heard: () => string; closed: Promise<number>; end: () => void } {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const at = performance.now()
  let heard = ''
  socket.on('data', (bytes) => (heard += bytes.toString()))
  socket.on('error', () => {})
  socket.write(text)
  return {
    heard: () => heard,
    closed: new Promise((resolve) => socket.once('close', () => resolve(performance.now() - at))),
    end: () => void socket.destroy(),
  }
}
const upload = (headers: string) =>
  `POST ${filesApi.upload.path} HTTP/1.1\r\nhost: x\r\ncontent-type: image/jpeg\r\ncontent-length: 8000000\r\n${headers}\r\n${'x'.repeat(1000)}`

test('a body without a token is refused before it is read; a half-sent one of a person is cut', async () => {
  const strangers = Array.from({ length: 40 }, () => half(upload('')))
  const device = half(
    `POST ${deviceDoorApi.files.path} HTTP/1.1\r\nhost: x\r\ncontent-length: 8000000\r\nx-device-sn: nobody\r\nx-timestamp: ${seconds()}\r\nx-nonce: ${'n'.repeat(20)}\r\nx-sign: ${'0'.repeat(64)}\r\n\r\nxx`,
  )
  const person = half(upload(`token: ${gm.token}\r\ntenant-id: ${gm.tenant}\r\n`))
  await pause(600)
  for (const { heard } of [...strangers, device]) expect(heard()).toMatch(/^HTTP\/1.1 401 /)
  expect(person.heard()).toBe('')
  expect(await person.closed).toBeLessThan(1_500 * 2)
  for (const { end } of strangers) end()
})

test('what is no request at all is answered as everything is: an envelope, in words', async () => {
  for (const [said, status, msg] of [
    [`GET / HTTP/1.1\r\nhost: x\r\nx-much: ${'a'.repeat(40_000)}\r\n\r\n`, 431, '请求头太大'],
    ['nobody speaks like this\r\n\r\n', 400, '请求格式不正确'],
    ['GET / HTTP/1.1\r\nhost: x\r\n', 408, '请求没有及时传完，请再试一次'],
  ] as const) {
    const one = half(said)
    await one.closed
    const [head, body] = one.heard().split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(JSON.parse(body!)).toEqual({ code: status, msg, data: null })
  }
})

test('strangers who sign in all at once are refused by name, and take nothing from anybody else', async () => {
  const signIn = (from: string, name: string) =>
    server
      .nobody()
      .ask(
        sessionApi.login,
        { body: { username: name, password: sha256('Wrong1234') } },
        { 'x-forwarded-for': from },
      )
  const flood = Promise.all(Array.from({ length: 160 }, (_, i) => signIn('203.0.113.9', `nobody${i}`)))
  await pause(30)
  for (let i = 0; i < 12; i += 1) expect((await gm.ask(sitesApi.list)).code).toBe(200)
  const elsewhere = await signIn('198.51.100.7', 'pm')
  expect([elsewhere.status, elsewhere.code]).toEqual([200, 400])
  const refused = (await flood).filter((answer) => answer.code !== 400)
  expect(refused.length).toBeGreaterThan(80)
  for (const answer of refused) {
    expect([answer.status, answer.code, answer.msg]).toEqual([
      429,
      429,
      '从这个网络地址登录的人太多，请过几秒再试',
    ])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
})

/** Asks for an export and never reads it. */
const unread = (who: Person) =>
  new Promise<{ status: number; closed: Promise<void> }>((resolve) => {
    const asked = request(
      `${server.url}${sitesApi.export.path}`,
      {
        method: 'POST',
        agent: false,
        headers: { token: who.token, 'tenant-id': who.tenant, 'content-type': 'application/json' },
      },
      (answer) => {
        answer.pause()
        const closed = new Promise<void>((done) => asked.once('close', () => done()))
        answer.on('error', () => {})
        resolve({ status: answer.statusCode!, closed })
        setTimeout(() => answer.resume(), 2_500)
      },
    )
    asked.on('error', () => {})
    asked.end()
  })

test('one person exports twice at once, an unread export is cut, and nobody else notices', async () => {
  const first = await Promise.all([unread(gm), unread(gm)])
  expect(first.map(({ status }) => status)).toEqual([200, 200])
  const more = await Promise.all(Array.from({ length: 10 }, () => gm.ask(sitesApi.export)))
  for (const { status, code, msg, headers } of more)
    expect([status, code, msg, headers.get('retry-after')]).toEqual([
      429,
      429,
      '您已有 2 个导出正在进行，请等它们完成再试',
      '15',
    ])
  const others = await Promise.all(['pm', 'admin', 'hq_ops'].map((role) => server.as(role)))
  for (const other of others) {
    const at = performance.now()
    expect((await other.ask(sitesApi.list)).code).toBe(200)
    expect(performance.now() - at).toBeLessThan(2_000)
  }
  await pause(1_500)
  // Their places are free again: both were cut while nobody read.
  const again = async () => {
    const { status, closed } = await unread(gm)
    await closed
    return status
  }
  await expect.poll(again, { timeout: 10_000 }).toBe(200)
})

test('the document of the calls is formed once, and who has it is not sent it again', async () => {
  const first = await fetch(`${server.url}/open/openapi.json`)
  const text = await first.text()
  expect(JSON.parse(text)).toMatchObject({ info: { title: '筑管' } })
  const tag = first.headers.get('etag')!
  const second = await fetch(`${server.url}/open/openapi.json`, { headers: { 'if-none-match': tag } })
  expect([second.status, await second.text()]).toEqual([304, ''])
  const third = await fetch(`${server.url}/open/openapi.json`)
  const digest = (of: string) => createHash('sha256').update(of).digest('hex')
  expect(digest(await third.text())).toBe(digest(text))
})

test('a device is told to come again when its events could not be filed, whatever the reason', async () => {
  const device = server.devices.find((d) => d.type === 'camera')!
  const events = [{ id: 'again', kind: 'visitor', at: seconds(), seconds: 5 }]
  await server.sql('ALTER TABLE visits RENAME TO visits_away')
  const response = await report(server.url, device, events)
  await server.sql('ALTER TABLE visits_away RENAME TO visits')
  expect([response.status, response.code]).toEqual([503, 503])
  expect((await report(server.url, device, events)).data).toMatchObject({ accepted: 1, duplicate: 0 })
})

test('one person’s pictures have an hourly limit', async () => {
  const pm = await server.as('pm')
  const send = () =>
    fetch(server.url + filesApi.upload.path, {
      method: 'POST',
      headers: { token: pm.token, 'tenant-id': pm.tenant, 'content-type': 'image/png' },
      body: 'no picture',
    })
  for (let i = 0; i < 300; i += 1) expect((await send()).status).toBe(200)
  const refused = await send()
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect(((await refused.json()) as { msg: string }).msg).toContain('最多 300 张')
  server.later(20 * 60_000)
  expect((await send()).status).toBe(200)
})
