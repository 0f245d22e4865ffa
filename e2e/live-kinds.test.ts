import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import type { VideoSettings } from '../server/features/streams/gateway.ts'
import { report } from '../server/testing/device.ts'
import { seconds } from '../server/testing/time.ts'
import { openGateway, type TestGateway } from '../server/testing/video-gateway.ts'
import { flvTags } from './live/flv.ts'
import { showTo } from './live/peer.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let gateway: TestGateway
let stage: Stage
let camera: Stage['server']['devices'][number]
/** Told anew by each story. */
const video: VideoSettings = { template: '', kind: 'flv', s3: null }
const SHOWN = '.camera-mark.is-on'

beforeAll(async () => {
  gateway = await openGateway()
  stage = await openStage({ video })
  // At whatever hour this runs, people work.
  await stage.server.sql(
    `INSERT INTO settings (tenant_id, bc_id, key, value)
     SELECT c.tenant_id, c.bc_id, x.key, x.value::jsonb
     FROM companies c, (VALUES ('workStart', '"00:00"'), ('workEnd', '"23:59"'), ('restDays', '[]')) x(key, value)
     ON CONFLICT DO NOTHING`,
  )
  camera = stage.server.devices.find((d) => d.type === 'camera' && d.siteCode.startsWith('GDHZ'))!
  await report(stage.server.url, camera, [
    { id: 'beat', kind: 'heartbeat', at: seconds(), signal: 90, frameAt: seconds() },
  ])
  gateway.answers.set(`/live/${camera.sn}.flv`, (_request, reply) => {
    const { head, tags } = flvTags()
    const begun = Date.now()
    reply.writeHead(200, { 'content-type': 'video/x-flv' })
    reply.write(head)
    let next = 0
    const timer = setInterval(() => {
      for (; next < tags.length && tags[next]!.ms <= Date.now() - begun + 1_000; next += 1)
        reply.write(tags[next]!.bytes)
    }, 50)
    reply.once('close', () => clearInterval(timer))
  })
})
afterAll(async () => {
  await stage?.close()
  await gateway?.close()
})
beforeEach(() => {
  Object.assign(video, { template: `${gateway.url}/live/{sn}.flv`, kind: 'flv' })
})

const watch = async () => {
  const page = await stage.signIn('branch_gm', `/device/DeviceList?keyword=${camera.sn}`)
  await page.locator('tr', { hasText: camera.sn }).getByText('实时预览').click()
  await page.locator(SHOWN).waitFor()
  expect(await page.evaluate(() => document.querySelector('video')!.videoWidth)).toBe(160)
  return page
}
const lastView = async () =>
  (
    await stage.server.sql<{ ended: boolean; purpose: string }>(
      `SELECT ended_at IS NOT NULL AS ended, purpose FROM video_views WHERE live ORDER BY at DESC, id DESC LIMIT 1`,
    )
  )[0]

test('FLV plays in the page; when the drawer closes the gateway and the log see the end', async () => {
  const page = await watch()
  expect(await page.locator(SHOWN).innerText()).toMatch(/^直播 · 延迟 \d/)
  expect(gateway.open()).toBe(1)
  expect(await lastView()).toEqual({ ended: false, purpose: 'patrol' })
  await page.locator('.ant-drawer-close').click()
  await eventually(lastView).toEqual({ ended: true, purpose: 'patrol' })
  await eventually(async () => gateway.open()).toBe(0)
  await page.context().close()
})

test('while the window is hidden nothing is fetched; back in front the picture comes again', async () => {
  const page = await watch()
  const hide = (hidden: boolean) =>
    page.evaluate((to) => {
      Object.defineProperty(document, 'hidden', { value: to, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await hide(true)
  await page.getByText('已暂停').waitFor()
  await eventually(lastView).toMatchObject({ ended: true })
  await eventually(async () => gateway.open()).toBe(0)
  await hide(false)
  await page.locator(SHOWN).waitFor()
  await page.context().close()
})

test('WebRTC from a peer plays through the server’s word alone, and is hung up with the drawer', async () => {
  Object.assign(video, { template: `${gateway.url}/{sn}/whep`, kind: 'whep' })
  const peers: Awaited<ReturnType<typeof showTo>>[] = []
  let ended = 0
  gateway.answers.set(`/${camera.sn}/whep`, (request, reply) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      void showTo(Buffer.concat(pieces).toString()).then((peer) => {
        peers.push(peer)
        const location = `/${camera.sn}/whep/${peers.length}`
        gateway.answers.set(location, (_request, end) => {
          ended += 1
          void peer.end()
          end.writeHead(200).end()
        })
        reply.writeHead(201, { 'content-type': 'application/sdp', location }).end(peer.answer)
      })
    })
  })
  const page = await watch()
  expect(peers).toHaveLength(1)
  await page.locator('.ant-drawer-close').click()
  await eventually(async () => ended).toBe(1)
  await page.context().close()
})

test('nothing went wrong on any of these pages', () => {
  expect(stage.problems).toEqual([])
})
