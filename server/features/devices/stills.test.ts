import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import { wallsApi } from '@zhuguan/contract/features/walls/walls.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report, sendFile } from '../../testing/device.ts'
import { plainJpeg } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

/** The newest still of a camera is of the home in which it stands, of the people who live there now. */
let server: TestServer
let keeper: Person
let gm: Person
let camera: { id: string; sn: string; secret: string }
let from: string
let to: string

beforeAll(async () => {
  server = await startTestServer()
  ;[keeper, gm] = await Promise.all([server.as('device_keeper'), server.as('branch_gm')])
  const [row] = await server.sql<{ id: string; sn: string; site: string; other: string }>(
    `SELECT d.id, d.sn, w.id AS site,
       (SELECT o.id FROM sites o WHERE o.bc_id = w.bc_id AND o.status = 1 AND o.id <> w.id
        ORDER BY o.code LIMIT 1) AS other
     FROM devices d JOIN sites w ON w.id = d.site_id JOIN companies c ON c.bc_id = d.bc_id
     WHERE c.code = 'HZ' AND d.type = 'camera' AND w.status = 1 ORDER BY d.sn LIMIT 1`,
  )
  ;[from, to] = [row!.site, row!.other]
  camera = { id: row!.id, sn: row!.sn, secret: server.devices.find((d) => d.sn === row!.sn)!.secret }
  await server.sql(`UPDATE alarms SET correction_status = 4, closed_at = :now WHERE device_id = $1`, [
    row!.id,
  ])
})
afterAll(() => server.stop())

const now = () => Math.floor(server.now().getTime() / 1_000)
const device = () => keeper.call(devicesApi.details, { query: { id: camera.id } })
let n = 0
/** An event of the camera with a picture that it took at that second. */
async function sees(at: number, key?: string): Promise<string> {
  const picture = key ?? (await sendFile(server.url, camera, await plainJpeg(), server.now())).data.key
  n += 1
  const event = { id: `still-${n}`, kind: 'tidiness', at, result: 2, picture }
  const { data } = await report(server.url, camera, [event], server.now())
  expect(data).toMatchObject({ accepted: 1, rejected: [] })
  return picture
}
/** Whatever shows the newest still of the camera. */
async function shown() {
  await server.sql('UPDATE devices SET device_status = 1, last_seen = :now WHERE id = $1', [camera.id])
  const { picture } = await device()
  const [onWall] = (await keeper.call(wallsApi.cameras, { query: { ids: [camera.id] } })).list
  const live = await keeper.ask(streamsApi.open, {
    body: { device_id: camera.id, purpose: 'patrol', said: true },
  })
  return [picture, onWall?.picture ?? null, live.data?.picture ?? null]
}
const pageOf = async (site: string) => (await gm.call(sitesApi.details, { query: { id: site } })).picture
async function taken(action: 'unbind'): Promise<void> {
  const { version } = await device()
  await keeper.call(devicesApi.change, { body: { id: camera.id, version, action, remark: '换工地' } })
}
async function bound(site: string): Promise<void> {
  const { version } = await device()
  await keeper.call(devicesApi.bind, { body: { id: camera.id, version, site_id: site } })
}

test('a camera that is taken down and put up elsewhere brings nothing of the home that it left', async () => {
  const key = await sees(now())
  expect(await shown()).toEqual([key, key, key])
  expect((await pageOf(from))?.key).toBe(key)
  const late = (await sendFile(server.url, camera, await plainJpeg(), server.now())).data.key
  const then = now()
  server.later(20 * 60_000)
  await taken('unbind')
  expect((await device()).picture).toBe(null)
  server.later(20 * 60_000)
  await bound(to)
  expect(await shown()).toEqual([null, null, null])
  expect(await pageOf(to)).toBe(null)
  // What it had not told yet is filed where it was seen, and shown as the newest of nowhere else.
  await sees(then + 1, late)
  expect(await server.sql('SELECT site_id FROM files WHERE key = $1', [late])).toEqual([{ site_id: from }])
  expect(await shown()).toEqual([null, null, null])
  expect(await pageOf(to)).toBe(null)
  const here = await sees(now())
  expect(await shown()).toEqual([here, here, here])
})

test('a new owner’s home begins without a still of the old one’s', async () => {
  expect((await pageOf(to))?.key).toEqual(expect.any(String))
  const [contact] = await server.sql<{ id: string; version: number }>(
    'SELECT id, version FROM home_contacts WHERE site_id = $1 AND owner_id IS NOT NULL AND ended_at IS NULL',
    [to],
  )
  await gm.call(ownersApi.change, {
    body: { ...contact!, name: '新业主', phone: '13611113333', promises: 'taken', reason: '房子卖了' },
  })
  expect(await shown()).toEqual([null, null, null])
  expect(await pageOf(to)).toBe(null)
})
