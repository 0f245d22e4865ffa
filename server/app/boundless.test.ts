import { carrierDoorApi, carriersApi } from '@zhuguan/contract/features/dispatch/carriers.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { viewsApi } from '@zhuguan/contract/features/views/views.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { post, report, sendFile, signed } from '../testing/device.ts'
import { examples } from '../testing/examples.ts'
import { filmBytes, filmLasting } from '../testing/films.ts'
import { endpoints, type Matrix, openMatrix } from '../testing/matrix.ts'
import { plainJpeg } from '../testing/photo.ts'
import { allowanceOf, type Allowances, allowances, refuseBoundless } from './allowances.ts'

/** Nobody writes without end, through whatever door. */
const HOUR = 6_000
const AHEAD_MS = 10 * 60_000
let allowed: Allowances
let matrix: Matrix
beforeAll(async () => {
  allowed = allowances({
    person: { minute: 1_000_000, hour: HOUR },
    deviceEvents: { hour: 50 },
    carrierEvents: { hour: 2 },
    devicePictures: { day: 2 },
    deviceClips: { day: 2 },
    deviceBytes: { day: 20_000 },
  })
  matrix = await openMatrix({ allowances: allowed })
})
afterAll(() => matrix?.server.stop())

/** What the server writes of itself; of guesses it counts one row an account. */
const OWN = ['job_runs', 'jobs', 'hearing', 'log_heads', 'login_failures']
/** Number of rows each table has, but for what the server keeps of itself. */
async function rowsOf() {
  const { server } = matrix
  const tables = await server.sql<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> ALL ($1) ORDER BY 1`,
    [OWN],
  )
  const counts = tables.map(({ name }) => `SELECT '${name}' AS name, count(*)::int AS n FROM ${name}`)
  return server.sql(`${counts.join(' UNION ALL ')} ORDER BY name`)
}

test('a device and a carrier tell so much an hour, over each door', async () => {
  const { server, people } = matrix
  const [camera, other] = server.devices.filter((d) => d.type === 'camera').toReversed()
  const at = () => Math.floor(server.now().getTime() / 1_000)
  const beats = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ id: `b${i}`, kind: 'heartbeat', at: at() }))
  const over = await report(server.url, camera!, beats(51), server.now())
  expect([over.status, over.msg]).toEqual([429, '这台设备一小时内上报太多，请稍后重发'])
  expect((await report(server.url, camera!, beats(40), server.now())).status).toBe(200)
  expect((await report(server.url, camera!, beats(20), server.now())).status).toBe(429)
  expect((await report(server.url, other!, beats(1), server.now())).status).toBe(200)

  const mine = await people.get('admin')!.call(carriersApi.add, { body: { name: '德邦物流' } })
  const tell = () => {
    const events = [{ id: `${Math.random()}`, at: at(), carrier: '德邦物流', waybill: 'X-1', text: '运输中' }]
    const body = Buffer.from(JSON.stringify({ events }))
    const carrier = { sn: mine.account, secret: mine.secret }
    return post(server.url, carrierDoorApi.events.path, signed(carrier, body, at(), 'x-carrier'))
  }
  expect([(await tell()).status, (await tell()).status]).toEqual([200, 200])
  const told = await tell()
  expect([told.status, told.msg]).toEqual([429, '一小时内上报太多，请稍后重发'])
})

test('whoever has spent their allowance makes no row by any call, refused or not; who has not goes on', async () => {
  const { server } = matrix
  const admin = matrix.people.get('admin')!
  const [me] = await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'admin'`)
  const known = examples(await matrix.recordsOf('HZ'))
  // Spent in ten minutes from now: nothing of it comes back while this runs.
  server.later(AHEAD_MS)
  for (let i = 0; i < HOUR; i += 1)
    try {
      allowed.person.spend(me!.id, server.now())
    } catch {
      break
    }
  server.later(-AHEAD_MS)
  const before = await rowsOf()
  const told = new Map<string, number>()
  for (const endpoint of endpoints)
    for (const input of known[endpoint.path] ?? [{}]) {
      const { code, msg } = await admin.askAny(endpoint, input)
      told.set(msg, (told.get(msg) ?? 0) + 1)
      if (msg === '您一小时内的操作太多，请稍后再试') expect(code).toBe(429)
    }
  expect(await rowsOf()).toEqual(before)
  expect(told.get('您一小时内的操作太多，请稍后再试')).toBeGreaterThan(50)
  expect((await admin.ask(sitesApi.list)).code).toBe(200)
  const page = { page: '/SiteList', title: '我的工地', search: '?pageNo=2' }
  expect((await matrix.people.get('pm')!.ask(viewsApi.keep, { body: page })).code).toBe(200)
}, 600_000)

test('every call that may write has an allowance, and one without does not start', () => {
  const { routes } = matrix.server.app.built
  const without = routes.filter((r) => r.method !== 'GET' && !allowanceOf(r.endpoint)).map((r) => r.path)
  expect(without).toEqual([])
  const door = { method: 'POST', url: '/open/new/door' }
  expect(() => refuseBoundless({ ...door })).toThrow('nobody bounds how often POST /open/new/door is called')
  const app = () => matrix.server.app.built.app
  expect(() => app().post('/open/new/door', () => '')).toThrow()
  expect(() => refuseBoundless({ ...door, config: { allowance: 'guests' } })).not.toThrow()
  expect(() => refuseBoundless({ ...door, method: 'GET' })).not.toThrow()
})

test('a device uploads so much a day: 429 with when to come again', async () => {
  const { server } = matrix
  const camera = server.devices.find((d) => d.type === 'camera')!
  const picture = async () => sendFile(server.url, camera, await plainJpeg())
  expect([(await picture()).status, (await picture()).status]).toEqual([200, 200])
  const over = await picture()
  expect([over.status, over.msg]).toEqual([429, '这台设备一天最多传 2 张照片，请稍后再传'])
  // Films are counted apart; all of it together in bytes.
  expect((await sendFile(server.url, camera, filmBytes('ts'))).status).toBe(400)
  expect((await sendFile(server.url, camera, filmBytes('h264'))).status).toBe(200)
  const other = server.devices.filter((d) => d.type === 'camera')[1]!
  const long = filmLasting(60, Buffer.alloc(20_000))
  expect((await sendFile(server.url, other, long)).msg).toBe('这台设备一天最多传 0 GB，请稍后再传')
  const { headers, body } = signed(camera, await plainJpeg())
  const answer = await fetch(`${server.url}/open/device/files`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  })
  const after = Number(answer.headers.get('retry-after'))
  expect([answer.status, after > 40_000, after <= 43_200]).toEqual([429, true, true])
  server.later(12 * 3_600_000 + 1_000)
  expect((await sendFile(server.url, camera, await plainJpeg(), server.now())).status).toBe(200)
  server.later(-12 * 3_600_000 - 1_000)
})
