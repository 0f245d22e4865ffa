import { api } from '@zhuguan/contract/api.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report, sendFile } from '../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../testing/start.ts'
import { seconds } from '../testing/time.ts'

const DAY = 86_400
let server: TestServer
let keeper: Person
let terminal: TestServer['devices'][number]
let other: string

beforeAll(async () => {
  server = await startTestServer()
  keeper = await server.as('device_keeper')
  const [found] = await server.sql<{ sn: string; other: string }>(
    `SELECT d.sn, (SELECT w.id FROM sites w WHERE w.bc_id = d.bc_id AND w.status = 1 AND w.id <> d.site_id LIMIT 1) AS other
     FROM devices d JOIN companies c ON c.bc_id = d.bc_id WHERE c.code = 'HZ' AND d.type = 'camera' AND d.site_id IS NOT NULL LIMIT 1`,
  )
  terminal = server.devices.find((d) => d.sn === found!.sn)!
  other = found!.other
})
afterAll(() => server.stop())

const row = async () =>
  (await keeper.call(api.devices.list, { query: { keyword: terminal.sn } })).list.find(
    (d) => d.sn === terminal.sn,
  )!
const alarmsOn = async (site: string) =>
  (
    await server.sql<{ type: string }>('SELECT type FROM alarms WHERE site_id = $1 ORDER BY type', [site])
  ).map((r) => r.type)
const alarm = (id: string, at: number, type: string, picture?: string) =>
  report(server.url, terminal, [
    { id, kind: 'alarm', at, type, confidence: 0.9, ...(picture ? { picture } : {}) },
  ])

test('a late event belongs to the site where the device stood then; of a time at which it stood nowhere it is refused by name', async () => {
  const first = (await row()).site_id!
  const before = { first: await alarmsOn(first), other: await alarmsOn(other) }
  const off = await row()
  await keeper.call(api.devices.change, {
    body: { id: off.id, version: off.version, action: 'unbind', remark: '换工地' },
  })
  const spare = await row()
  await keeper.call(api.devices.bind, { body: { id: spare.id, version: spare.version, site_id: other } })
  const stands = await server.sql<{ site_id: string; open: boolean }>(
    'SELECT site_id, to_at IS NULL AS open FROM device_stands WHERE device_id = $1 ORDER BY from_at',
    [off.id],
  )
  expect(stands).toEqual([
    { site_id: first, open: false },
    { site_id: other, open: true },
  ])
  // As if it had been taken down two days ago and put up again an hour ago.
  await server.sql(
    `UPDATE device_stands SET to_at = :now - interval '2 days' WHERE device_id = $1 AND to_at IS NOT NULL`,
    [off.id],
  )
  await server.sql(
    `UPDATE device_stands SET from_at = :now - interval '1 hour' WHERE device_id = $1 AND to_at IS NULL`,
    [off.id],
  )
  await server.sql(`SELECT pg_notify('devices', '')`)
  await new Promise((r) => setTimeout(r, 200))

  const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#777' } })
    .jpeg()
    .toBuffer()
  const { data } = await sendFile(server.url, terminal, bytes)
  expect((await alarm('then', seconds() - 3 * DAY, 'smoking', data.key)).data).toMatchObject({
    accepted: 1,
    rejected: [],
  })
  expect(await alarmsOn(first)).toEqual([...before.first, 'smoking'].sort())
  expect(await server.sql('SELECT site_id FROM files WHERE key = $1', [data.key])).toEqual([
    { site_id: first },
  ])
  expect((await alarm('between', seconds() - DAY, 'noclothes')).data).toEqual({
    accepted: 0,
    duplicate: 0,
    rejected: [{ id: 'between', reason: '那时设备没有绑定任何工地' }],
  })
  expect(await alarmsOn(other)).toEqual(before.other)
  expect((await alarm('now', seconds() - 5, 'cameraproblem')).data.accepted).toBe(1)
  // A clock that is a few minutes slow does not send it back.
  expect((await alarm('slow', seconds() - 3_600 - 200, 'noclothes')).data.accepted).toBe(1)
  expect(await alarmsOn(other)).toEqual([...before.other, 'cameraproblem', 'noclothes'].sort())

  // Moved within a minute: where it is known to have stood counts before what a slow clock would explain.
  await server.sql(
    `UPDATE device_stands SET to_at = :now - interval '60 seconds' WHERE device_id = $1 AND to_at IS NOT NULL`,
    [off.id],
  )
  await server.sql(
    `UPDATE device_stands SET from_at = :now - interval '30 seconds' WHERE device_id = $1 AND to_at IS NULL`,
    [off.id],
  )
  await server.sql(`SELECT pg_notify('devices', '')`)
  await new Promise((r) => setTimeout(r, 200))
  await server.sql(`UPDATE alarms SET correction_status = 4, closed_at = :now WHERE type = 'noclothes'`)
  const held = await alarmsOn(first)
  expect((await alarm('moved', seconds() - 90, 'noclothes')).data.accepted).toBe(1)
  expect(await alarmsOn(first)).toEqual([...held, 'noclothes'].sort())
})

test('what is reported from the minutes between two sites, or before the first one, belongs to none', async () => {
  const now = await row()
  const here = now.site_id!
  await server.sql(
    `UPDATE device_stands SET from_at = :now::timestamptz - interval '20 seconds'
     WHERE device_id = $1 AND to_at IS NULL`,
    [now.id],
  )
  await server.sql(
    `UPDATE device_stands
     SET from_at = :now::timestamptz - interval '60 seconds', to_at = :now::timestamptz - interval '40 seconds'
     WHERE device_id = $1 AND to_at IS NOT NULL AND from_at = (
       SELECT max(from_at) FROM device_stands WHERE device_id = $1 AND to_at IS NOT NULL)`,
    [now.id],
  )
  // The book knows since when it stands here for half a minute.
  server.later(31_000)
  const start = seconds() + 31
  const told = async (id: string, ago: number) =>
    (await report(server.url, terminal, [{ id, kind: 'tidiness', at: start - 31 - ago, result: 1 }])).data
  const refused = (id: string) => ({ accepted: 0, rejected: [{ id, reason: '那时设备没有绑定任何工地' }] })
  expect(await told('between-gap', 30)).toMatchObject(refused('between-gap'))
  expect(await told('between-first', 63)).toMatchObject(refused('between-first'))
  expect(await told('between-then', 50)).toMatchObject({ accepted: 1 })
  expect(await told('between-now', 10)).toMatchObject({ accepted: 1 })
  const filed = await server.sql<{ site_id: string }>(
    `SELECT site_id FROM tidiness_checks WHERE device_id = $1 ORDER BY at DESC LIMIT 2`,
    [now.id],
  )
  expect(filed[0]!.site_id).toBe(here)
  expect(filed[1]!.site_id).not.toBe(here)
  server.later(-31_000)
})

test('what a device that was taken down still holds belongs to the site where it stood', async () => {
  const face = server.devices.find((d) => d.type === 'faceTerminal' && d.workers.length > 1 && d.site)!
  const [before] = await server.sql<{ id: string; version: number }>(
    'SELECT id, version FROM devices WHERE sn = $1',
    [face.sn],
  )
  const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#345' } })
    .jpeg()
    .toBuffer()
  const admin = await server.as('admin')
  await admin.call(api.devices.change, {
    body: { ...before!, action: 'unbind', remark: '收回' },
  })
  await server.sql(
    `UPDATE device_stands SET to_at = :now::timestamptz - interval '10 minutes' WHERE device_id = $1`,
    [before!.id],
  )
  await server.sql(`SELECT pg_notify('devices', '')`)
  await new Promise((r) => setTimeout(r, 200))
  const { data: picture } = await sendFile(server.url, face, bytes)
  const punch = (id: string, ago: number, more: object = {}) => ({
    id,
    kind: 'clockin',
    at: seconds() - ago,
    w_id: face.workers[0]!,
    direction: 'in',
    ...more,
  })
  const { data } = await report(server.url, face, [
    punch('held', 15 * 60, { picture: picture.key }),
    punch('after', 60),
  ])
  expect(data).toMatchObject({ accepted: 1, rejected: [{ id: 'after', reason: '设备未绑定工地' }] })
  expect(
    await server.sql(
      'SELECT site_id, picture FROM attendance_events WHERE event_id = $1 AND device_id = $2',
      ['held', before!.id],
    ),
  ).toEqual([{ site_id: face.site, picture: picture.key }])
  // Its picture is seen by who sees the punch.
  expect(await server.sql('SELECT site_id FROM files WHERE key = $1', [picture.key])).toEqual([
    { site_id: face.site },
  ])
  // One that has not stood anywhere for a week holds nothing any more.
  await server.sql(
    `UPDATE device_stands SET to_at = :now::timestamptz - interval '8 days' WHERE device_id = $1`,
    [before!.id],
  )
  const refused = await sendFile(server.url, face, bytes).catch((e: Error) => e.message)
  expect(JSON.stringify(refused)).toContain('设备未绑定工地，不能上传')
})
