import { readdir } from 'node:fs/promises'

import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { post, report, sendFile, signed } from '../testing/device.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { seconds } from '../testing/time.ts'

let server: TestServer
let camera: TestServer['devices'][number]
beforeAll(async () => {
  server = await startTestServer()
  camera = server.devices.find((d) => d.type === 'camera')!
})
afterAll(() => server.stop())

const raw = async () =>
  Number((await server.sql<{ n: string }>('SELECT count(*) AS n FROM raw_events'))[0]!.n)
/** Passes the schema, and no row could hold it. */
const ODD: Record<string, [object, string]> = {
  'a NUL in the id': [{ id: 'n\0x', kind: 'tidiness', result: 1 }, '含有不能保存的字符'],
  'half a surrogate pair': [{ id: 's\ud800', kind: 'tidiness', result: 1 }, '含有不能保存的字符'],
  'a NUL in the firmware': [{ id: 'fw', kind: 'heartbeat', firmware: 'a\0b' }, '含有不能保存的字符'],
  'a frame of the year 285 million': [{ id: 'f', kind: 'heartbeat', frameAt: 9e15 }, '字段不正确：frameAt'],
  'a visit of a century': [{ id: 'v', kind: 'visitor', seconds: 3e9 }, '字段不正确：seconds'],
  'a recording that ends before it begins': [
    { id: 'r', kind: 'recording', from: 20, to: 10, file: 'x.mp4', bytes: 1 },
    '字段不正确：from',
  ],
  'a confidence below the smallest real': [
    { id: 'c', kind: 'tidiness', result: 1, confidence: 1e-300 },
    '内容无法保存',
  ],
}
for (const [what, [event, reason]] of Object.entries(ODD)) {
  test(`${what} is refused by name, and the others are filed`, async () => {
    const before = await raw()
    const beside = [1, 2, 3].map((n) => ({
      id: `${what}-${n}`.slice(0, 64),
      kind: 'tidiness',
      at: seconds(),
      result: 2,
    }))
    const answer = await report(server.url, camera, [
      beside[0]!,
      { at: seconds(), ...event },
      ...beside.slice(1),
    ])
    expect(answer).toMatchObject({ code: 200, data: { accepted: 3, duplicate: 0 } })
    expect(answer.data.rejected.map((r) => r.reason)).toEqual([reason])
    expect(await raw()).toBe(before + 3)
  })
}

test('a request that was sifted is still not taken twice', async () => {
  const events = [
    { id: 'w1', kind: 'tidiness', at: seconds(), result: 1 },
    { id: 'w2', kind: 'tidiness', at: seconds(), result: 1, confidence: 1e-300 },
  ]
  const request = signed(camera, Buffer.from(JSON.stringify({ events })))
  expect((await post(server.url, deviceDoorApi.events.path, request)).data).toMatchObject({
    accepted: 1,
    rejected: [{ id: 'w2' }],
  })
  expect(await post(server.url, deviceDoorApi.events.path, request)).toMatchObject({
    status: 401,
    msg: '重复的请求',
  })
})

test('a bad submission does not spoil those that were filed with it', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      report(server.url, camera, [
        {
          id: `m${i}`,
          kind: 'tidiness',
          at: seconds(),
          result: 1,
          ...(i === 5 ? { confidence: 1e-300 } : {}),
        },
      ]),
    ),
  )
  expect(answers.map((a) => a.data.accepted)).toEqual(answers.map((_, i) => (i === 5 ? 0 : 1)))
})

test('a replayed upload leaves no file, a broken picture is a bad request, and both limits hold', async () => {
  const jpeg = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  const kept = async () =>
    (await readdir(`${server.dataDir}/files`, { recursive: true })).filter((f) => f.endsWith('.jpg')).length
  const upload = signed(camera, jpeg)
  expect(await post(server.url, deviceDoorApi.files.path, upload)).toMatchObject({ status: 200, code: 200 })
  expect(await post(server.url, deviceDoorApi.files.path, upload)).toMatchObject({
    status: 401,
    msg: '重复的请求',
  })
  expect(await kept()).toBe(1)
  expect(await sendFile(server.url, camera, jpeg.subarray(0, 300))).toMatchObject({
    status: 400,
    code: 400,
    msg: '图片已损坏或太大，无法读取',
  })
  expect(await kept()).toBe(1)
  expect(
    (await post(server.url, deviceDoorApi.events.path, signed(camera, Buffer.alloc(2 * 1024 * 1024 + 1, 32))))
      .status,
  ).toBe(413)
  expect(
    (await post(server.url, deviceDoorApi.files.path, signed(camera, Buffer.alloc(8 * 1024 * 1024 + 1, 32))))
      .status,
  ).toBe(413)
  expect(
    (
      await report(
        server.url,
        camera,
        Array.from({ length: 501 }, (_, i) => ({ id: `z${i}`, kind: 'heartbeat', at: seconds() })),
      )
    ).status,
  ).toBe(413)
})
