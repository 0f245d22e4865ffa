import { api } from '@zhuguan/contract/api.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startClock } from '../../app/clock.ts'
import { report } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { openFileStore } from '../files/file-store.ts'

let server: TestServer
let keeper: Person
beforeAll(async () => {
  server = await startTestServer()
  keeper = await server.as('device_keeper')
})
afterAll(() => server.stop())

const seconds = () => Math.floor(server.now().getTime() / 1000)
interface Camera {
  id: string
  sn: string
  site: string
  other: string
}
/** Cameras of one branch, each with its site and another one that is being built. */
const camera = async (which: number): Promise<Camera> =>
  (
    await server.sql<Camera>(
      `SELECT d.id, d.sn, d.site_id AS site,
         (SELECT w.id FROM sites w
          WHERE w.bc_id = d.bc_id AND w.status = 1 AND w.id <> d.site_id ORDER BY w.id LIMIT 1) AS other
       FROM devices d JOIN companies c ON c.bc_id = d.bc_id
       WHERE c.code = 'HZ' AND d.type = 'camera' AND d.site_id IS NOT NULL ORDER BY d.sn OFFSET $1 LIMIT 1`,
      [which],
    )
  )[0]!
const rowOf = async (c: Camera) =>
  (await keeper.call(api.devices.list, { query: { keyword: c.sn } })).list.find((d) => d.sn === c.sn)!
async function moveTo(c: Camera, site: string): Promise<void> {
  const { id, version } = await rowOf(c)
  await keeper.call(api.devices.change, { body: { id, version, action: 'unbind', remark: '换工地' } })
  await keeper.call(api.devices.bind, { body: { id, version: (await rowOf(c)).version, site_id: site } })
  await new Promise((r) => setTimeout(r, 200))
}
const smoking = (c: Camera, id: string, at: number) =>
  report(
    server.url,
    server.devices.find((d) => d.sn === c.sn)!,
    [{ id, kind: 'alarm', at, type: 'smoking', confidence: 0.9 }],
    server.now(),
  )
const alarmsOf = (c: Camera) =>
  server.sql<{ site: string; seen: number; status: number }>(
    `SELECT site_id AS site, seen, correction_status AS status
     FROM alarms WHERE device_id = $1 AND type = 'smoking' ORDER BY at`,
    [c.id],
  )
const openOn = async (site: string) =>
  (await server.sql<{ n: number }>('SELECT open_alarms AS n FROM sites WHERE id = $1', [site]))[0]!.n

test('what a camera sees after it was moved is an alarm of its new site; late events count where it stood', async () => {
  const c = await camera(0)
  const before = [await openOn(c.site), await openOn(c.other)]
  expect((await smoking(c, 'a1', seconds() - 5)).data.accepted).toBe(1)
  expect((await smoking(c, 'a2', seconds() - 4)).data.accepted).toBe(1)
  const one = { site: c.site, seen: 2, status: 1 }
  expect(await alarmsOf(c)).toEqual([one])
  await moveTo(c, c.other)
  // The exact times of the two places, so that the story does not wait for them.
  const stands = (side: string, ago: number, open: boolean) =>
    server.sql(
      `UPDATE device_stands SET ${side} = :now - make_interval(secs => $2)
       WHERE device_id = $1 AND (to_at IS NULL) = $3`,
      [c.id, ago, open],
    )
  await stands('to_at', 3, false)
  await stands('from_at', 3, true)
  await server.sql(`SELECT pg_notify('devices', '')`)
  await new Promise((r) => setTimeout(r, 200))

  expect((await smoking(c, 'b1', seconds() + 1)).data.accepted).toBe(1)
  const two = { site: c.other, seen: 1, status: 1 }
  expect(await alarmsOf(c)).toEqual([one, two])
  expect((await smoking(c, 'b2', seconds() + 2)).data.accepted).toBe(1)
  expect((await smoking(c, 'a3', seconds() - 60)).data.accepted).toBe(1)
  expect(await alarmsOf(c)).toEqual([
    { ...one, seen: 3 },
    { ...two, seen: 2 },
  ])
  expect([await openOn(c.site), await openOn(c.other)]).toEqual(before.map((n) => n + 1))
})

test('beside a server of the release before, its rule holds: nothing is lost, and it ends when that server has gone', async () => {
  const c = await camera(1)
  // Such a server is connected by the same login and does not say which release it is.
  const old = new pg.Client({ connectionString: server.logins.system })
  await old.connect()
  await server.sql(
    `UPDATE alarms SET correction_status = 4, closed_at = :now WHERE correction_status IN (1, 2)`,
  )
  await server.sql(
    'CREATE UNIQUE INDEX alarms_open ON alarms (tenant_id, device_id, type) WHERE correction_status IN (1, 2)',
  )
  const clock = startClock({
    db: server.db,
    now: server.now,
    secretKey: server.secretKey,
    files: openFileStore(server.dataDir),
    dataDir: server.dataDir,
    warn: (error) => {
      throw error
    },
    everyMs: 3_600_000,
  })
  const rules = async () => (
    server.later(6 * 60_000),
    await clock.look(),
    (await server.sql(`SELECT 1 FROM pg_class WHERE relname = 'alarms_open'`)).length
  )
  expect(await rules()).toBe(1)
  expect((await smoking(c, 'o1', seconds() - 5)).data.accepted).toBe(1)
  await moveTo(c, c.other)
  expect((await smoking(c, 'o2', seconds())).data.accepted).toBe(1)
  expect(await alarmsOf(c)).toEqual([{ site: c.site, seen: 2, status: 1 }])
  // What that server itself says still finds its rule.
  const [tenant] = await server.sql<{ id: string }>('SELECT tenant_id AS id FROM devices WHERE id = $1', [
    c.id,
  ])
  await old.query(
    `INSERT INTO alarms AS a (tenant_id, id, bc_id, site_id, device_id, type, confidence, at, last_seen, seen)
     SELECT tenant_id, gen_random_uuid(), bc_id, site_id, id, 'smoking', 0.9, $3, $3, 1
     FROM devices WHERE id = $1 AND tenant_id = $2
     ON CONFLICT (tenant_id, device_id, type) WHERE correction_status IN (1, 2) DO UPDATE SET seen = a.seen + 1`,
    [c.id, tenant!.id, server.now()],
  )
  expect(await alarmsOf(c)).toEqual([{ site: c.site, seen: 3, status: 1 }])

  await old.end()
  await new Promise((r) => setTimeout(r, 200))
  expect(await rules()).toBe(0)
  expect((await smoking(c, 'o3', seconds() + 1)).data.accepted).toBe(1)
  expect(await alarmsOf(c)).toEqual([
    { site: c.site, seen: 3, status: 1 },
    { site: c.other, seen: 1, status: 1 },
  ])
  await clock.close()
})
