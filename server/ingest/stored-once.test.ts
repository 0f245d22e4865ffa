import { randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { post, report, signed } from '../testing/device.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { seconds, testNow } from '../testing/time.ts'

let server: TestServer
let terminal: TestServer['devices'][number]
let id: string
let site: string
/** A server of the release before: the same login, its own statements. */
let old: pg.Client
beforeAll(async () => {
  server = await startTestServer()
  terminal = server.devices.find((d) => d.type === 'faceTerminal' && d.workers.length > 1)!
  const [row] = await server.sql<{ id: string; site: string }>(
    'SELECT id, site_id AS site FROM devices WHERE sn = $1',
    [terminal.sn],
  )
  id = row!.id
  site = row!.site
  old = new pg.Client({ connectionString: server.logins.system })
  await old.connect()
})
afterAll(async () => {
  await old.end()
  await server.stop()
})

const punch = (event: string, w_id = terminal.workers[0]!) => ({
  id: event,
  kind: 'clockin',
  at: seconds() - 5,
  w_id,
  direction: 'in',
})
const send = async (...events: object[]) => (await report(server.url, terminal, events, server.now())).data
const count = async (from: string, ...values: unknown[]) =>
  (await server.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${from}`, values))[0]!.n
const linesOf = async () => {
  const gm = await server.as('branch_gm')
  const { list } = await gm.call(api.timeline.list, { query: { site_id: site, kinds: ['clockin'] } })
  return list.map((e) => e.title)
}
const OLD_RECEIPT = `INSERT INTO device_receipts (device_id, event_id, received_on)
  SELECT d, e, $3::date FROM unnest($1::uuid[], $2::text[]) AS t(d, e)
  ON CONFLICT DO NOTHING RETURNING device_id, event_id`
const oldTakes = async (...events: string[]) =>
  (await old.query<{ event_id: string }>(OLD_RECEIPT, [events.map(() => id), events, testNow()])).rows.map(
    (r) => r.event_id,
  )

test('a clock-in is one row, and stands on the timeline and in the person’s day', async () => {
  const before = { raw: await count('raw_events'), lines: await count('site_events'), told: await linesOf() }
  expect(await send(punch('one'), punch('two'), punch('one'))).toEqual({
    accepted: 2,
    duplicate: 1,
    rejected: [],
  })
  expect(await send(punch('two'))).toMatchObject({ accepted: 0, duplicate: 1 })
  expect(
    await count('attendance_events WHERE device_id = $1 AND event_id IN ($2, $3)', id, 'one', 'two'),
  ).toBe(2)
  expect([await count('raw_events'), await count('site_events')]).toEqual([before.raw, before.lines])
  const [worker] = await server.sql<{ name: string }>('SELECT w_name AS name FROM workers WHERE w_id = $1', [
    terminal.workers[0],
  ])
  const line = `${worker!.name} 进场`
  expect(await linesOf()).toEqual([line, line, ...before.told])
  const gm = await server.as('branch_gm')
  const page = await gm.call(api.timeline.list, { query: { site_id: site, kinds: ['alarm'] } })
  expect(page.list.some((e) => e.kind === 'clockin')).toBe(false)
})

test('a clock-in of before stands on the timeline once, by the line that it has', async () => {
  const before = await linesOf()
  const [worker] = await server.sql<{ id: string; tenant: string; bc: string }>(
    'SELECT id, tenant_id AS tenant, bc_id AS bc FROM workers WHERE w_id = $1',
    [terminal.workers[0]],
  )
  await server.sql(
    `INSERT INTO attendance_events (tenant_id, id, bc_id, site_id, worker_id, device_id, at, day, direction)
     VALUES ($1, $2, $3, $4, $5, $6, :now, :today, 'in')`,
    [worker!.tenant, randomUUID(), worker!.bc, site, worker!.id, id],
  )
  await server.sql(
    `INSERT INTO site_events (tenant_id, id, bc_id, site_id, kind, at, title)
     VALUES ($1, $2, $3, $4, 'clockin', :now, '旧的一行 进场')`,
    [worker!.tenant, randomUUID(), worker!.bc, site],
  )
  expect(await linesOf()).toEqual(['旧的一行 进场', ...before])
})

test('what one release took the other counts as a duplicate, both ways', async () => {
  expect(await oldTakes('by-old', 'too')).toEqual(['by-old', 'too'])
  expect(await send(punch('by-old'), punch('by-new'))).toMatchObject({ accepted: 1, duplicate: 1 })
  expect(await oldTakes('by-new', 'by-old', 'third')).toEqual(['third'])
  const request = signed(terminal, Buffer.from(JSON.stringify({ events: [punch('nonce')] })))
  const nonce = request.headers['x-nonce']
  const { rowCount } = await old.query(
    `INSERT INTO device_nonces (device_id, nonce, expires_at)
     SELECT d, n, $3 FROM unnest($1::uuid[], $2::text[]) AS t(d, n)
     ON CONFLICT DO NOTHING RETURNING device_id, nonce`,
    [[id], [nonce], new Date(testNow().getTime() + 1_200_000)],
  )
  expect(rowCount).toBe(1)
  expect((await post(server.url, deviceDoorApi.events.path, request)).status).toBe(401)
  expect(await count(`attendance_events WHERE event_id = 'nonce'`)).toBe(0)
})

test('what was refused may be told again; a worker who was removed clocks in no more, and comes back', async () => {
  const who = terminal.workers[1]!
  expect(await send(punch('r1', 'NOBODY'))).toMatchObject({ accepted: 0, rejected: [{ id: 'r1' }] })
  expect(await send(punch('r1', who))).toMatchObject({ accepted: 1 })
  const remove = (at: string) => server.sql(`UPDATE workers SET deleted_at = ${at} WHERE w_id = $1`, [who])
  await remove(':now')
  await new Promise((r) => setTimeout(r, 200))
  expect((await send(punch('r2', who))).rejected).toEqual([{ id: 'r2', reason: '没有这个工人' }])
  await remove('NULL')
  expect(await send(punch('r2', who))).toMatchObject({ accepted: 1 })
})

test('many requests at once, each thrice, some of them replayed: every event is filed once', async () => {
  const requests = Array.from({ length: 10 }, (_, i) =>
    signed(
      terminal,
      Buffer.from(JSON.stringify({ events: [0, 1, 2].map((k) => punch(`m${(i * 2 + k) % 15}`)) })),
    ),
  )
  const answers = await Promise.all(
    [...requests, ...requests, ...requests].map((r) => post(server.url, deviceDoorApi.events.path, r)),
  )
  const taken = answers.filter((a) => a.status === 200)
  expect(taken).toHaveLength(requests.length)
  expect(answers.filter((a) => a.status === 401)).toHaveLength(requests.length * 2)
  expect(taken.reduce((n, a) => n + a.data.accepted, 0)).toBe(15)
  expect(await count(`attendance_events WHERE event_id ~ '^m[0-9]+$'`)).toBe(15)
})

test('what was taken before this release is known for as long as it is kept', async () => {
  expect(await oldTakes('before')).toEqual(['before'])
  await server.sql('DELETE FROM device_seen')
  // A server asks once an hour whether there is any of it.
  server.later(3_700_000)
  expect(await send(punch('before'), punch('after'))).toMatchObject({ accepted: 1, duplicate: 1 })
})
