import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let inspector: Person
let camera: { id: string; site: string }
let other: { id: string; site: string }
beforeAll(async () => {
  server = await startTestServer({
    video: { template: 'http://127.0.0.1:9/{sn}/index.m3u8', kind: 'hls', s3: null },
  })
  inspector = await server.as('inspector')
  ;[camera, other] = (await server.sql(
    `SELECT DISTINCT ON (d.site_id) d.id, d.site_id AS site
     FROM devices d JOIN sites w ON w.id = d.site_id JOIN companies c ON c.bc_id = w.bc_id
     WHERE d.type = 'camera' AND w.status = 1 AND c.code = 'HZ' LIMIT 2`,
  )) as [typeof camera, typeof other]
  // Heard of now, whenever the clock of silence strikes; and nothing was seen of it for an hour.
  await server.sql(
    `UPDATE devices SET device_status = 1, last_seen = :now, last_picture = 'old.jpg',
       last_picture_at = :now - interval '1 hour'
     WHERE id = ANY ($1)`,
    [[camera.id, other.id]],
  )
})
afterAll(() => server.stop())

let shade = 0
const frame = async (who = inspector) => {
  shade += 20
  const drawn = sharp({
    create: { width: 64, height: 36, channels: 3, background: { r: shade, g: 9, b: 9 } },
  })
  return uploadPhoto(server.url, who, await drawn.jpeg().toBuffer())
}
const see = async (device: string, who = inspector) =>
  (await who.call(streamsApi.open, { body: { device_id: device, purpose: 'patrol', words: '', said: true } }))
    .view
const nowSeconds = () => Math.floor(server.now().getTime() / 1000)
const judge = (picture: string, view: string | null, at = camera, seen = nowSeconds()) =>
  inspector.ask(patrolsApi.remote, {
    body: {
      site_id: at.site,
      device_id: at.id,
      picture,
      picture_at: seen,
      tidiness: 2,
      view,
    },
  })

test('a camera that is seen live is judged by a frame of now, however old its newest still is', async () => {
  expect((await judge('old.jpg', null)).msg).toContain('不能判定')
  const view = await see(camera.id)
  const picture = await frame()
  const seen = nowSeconds()
  const done = await judge(picture, view, camera, seen)
  expect(done.code).toBe(200)
  const [patrol] = await server.sql('SELECT picture, device_id FROM patrols WHERE id = $1', [done.data.id])
  expect(patrol).toEqual({ picture, device_id: camera.id })
  // It is the site's picture now, and once more it is the same patrol.
  expect(await server.sql('SELECT site_id FROM files WHERE key = $1', [picture])).toEqual([
    { site_id: camera.site },
  ])
  expect((await judge(picture, view, camera, seen)).data.id).toBe(done.data.id)
})

test('a frame counts only in a view that goes on, of this camera and this person', async () => {
  const before = await server.sql('SELECT count(*) FROM patrols')
  const view = await see(camera.id)
  expect((await judge(await frame(), await see(other.id))).msg).toContain('已经断开')
  const gm = await server.as('branch_gm')
  expect((await judge(await frame(), await see(camera.id, gm))).msg).toContain('已经断开')
  expect((await judge(await frame(gm), view)).status).toBe(403)
  expect((await judge('old.jpg', view)).status).toBe(403)

  await server.sql('UPDATE devices SET device_status = 2 WHERE id = $1', [camera.id])
  expect((await judge(await frame(), view)).msg).toContain('离线')
  await server.sql('UPDATE devices SET device_status = 1, last_seen = :now WHERE id = $1', [camera.id])

  const early = await frame()
  server.later(121_000)
  expect((await judge(early, await see(camera.id))).msg).toContain('必须在')
  expect((await judge(await frame(), view)).msg).toContain('已经断开')
  const ended = await see(camera.id)
  await inspector.call(streamsApi.close, { body: { views: [ended] } })
  expect((await judge(await frame(), ended)).msg).toContain('已经断开')
  expect(await server.sql('SELECT count(*) FROM patrols')).toEqual(before)
})
