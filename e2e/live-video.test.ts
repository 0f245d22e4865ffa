import { createServer, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { report, sendFile } from '../server/testing/device.ts'
import { seconds } from '../server/testing/time.ts'
import { draw } from '../simulator/pictures.ts'
import { answerFilm } from './live/film.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let gateway: Server
let stage: Stage
let asked: string[] = []
let camera: Stage['server']['devices'][number]
let second: Stage['server']['devices'][number]
beforeAll(async () => {
  gateway = createServer((request, reply) => {
    asked.push(`${request.method} ${request.url}`)
    reply.setHeader('access-control-allow-origin', '*')
    reply.setHeader('access-control-allow-headers', 'range')
    if (request.method === 'OPTIONS') return void reply.writeHead(204).end()
    if (!request.url!.startsWith(`/${camera.sn}/`)) return void reply.writeHead(404).end()
    answerFilm(request, reply)
  }).listen(0, '127.0.0.1')
  await new Promise((done) => gateway.once('listening', done))
  stage = await openStage({
    video: {
      template: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/{sn}/index.m3u8`,
      kind: 'hls',
      s3: null,
    },
  })
  // At whatever hour this runs, people work.
  await stage.server.sql(
    `INSERT INTO settings (tenant_id, bc_id, key, value)
     SELECT c.tenant_id, c.bc_id, x.key, x.value::jsonb
     FROM companies c, (VALUES ('workStart', '"00:00"'), ('workEnd', '"23:59"'), ('restDays', '[]')) x(key, value)
     ON CONFLICT DO NOTHING`,
  )
  ;[camera, second] = stage.server.devices.filter(
    (d) => d.type === 'camera' && d.siteCode.startsWith('GDHZ'),
  ) as [typeof camera, typeof camera]
  for (const d of [camera, second]) {
    const { data } = await sendFile(
      stage.server.url,
      d,
      await draw({ type: 'smoking', variant: 1, camera: d.sn, time: '2026-11-21 10:00:00' }),
    )
    await report(stage.server.url, d, [
      { id: 'beat', kind: 'heartbeat', at: seconds(), signal: 90, frameAt: seconds() },
      { id: 'seen', kind: 'alarm', at: seconds() - 5, type: 'smoking', confidence: 0.9, picture: data.key },
    ])
  }
})
afterAll(async () => {
  await stage?.close()
  gateway?.close()
})
const watch = async (name: string, sn: string) => {
  const page = await stage.signIn(name, `/device/DeviceList?keyword=${sn}`)
  await page.locator('tr', { hasText: sn }).getByText('实时预览').click()
  return page
}

test('the gateway’s picture plays where the page is, marked 直播, and who saw it is in the log; when it stands still it is not called live', async () => {
  const page = await watch('branch_gm', camera.sn)
  await page.locator('.camera-mark.is-on').waitFor()
  expect(await page.evaluate(() => document.querySelector('video')!.videoWidth)).toBe(160)
  expect(asked.some((a) => a.endsWith(`/${camera.sn}/index.m3u8`))).toBe(true)
  expect(
    await stage.server.sql(
      `SELECT user_name, after FROM user_logs WHERE action = '实时预览' ORDER BY at DESC LIMIT 1`,
    ),
  ).toEqual([
    {
      user_name: 'branch_gm',
      after: { sn: camera.sn, site_id: expect.any(String), purpose: 'patrol', words: '' },
    },
  ])
  // The gateway sends nothing new after eight seconds.
  await page.getByText('画面停住', { exact: true }).waitFor()
  expect(await page.locator('.camera-mark.is-on').count()).toBe(0)
  await page.getByText('直播画面停住了').waitFor()
  await page.getByText(/^抓拍 /).waitFor()
  await page.context().close()
})

test('a camera that the gateway does not know shows its newest picture with its age, and a way to try again', async () => {
  const page = await watch('branch_gm', second.sn)
  await page.getByText('视频网关上没有这台摄像头的画面').waitFor()
  await page.getByText(/^抓拍 /).waitFor()
  const before = asked.length
  await page.getByRole('button', { name: '再试一次' }).click()
  await eventually(() => asked.length).toBeGreaterThan(before)
  await page.context().close()
})

test('who may not watch has no button, and the server refuses', async () => {
  const page = await stage.signIn('hq_ops', `/device/DeviceList?keyword=${camera.sn}`)
  await page.locator('tr', { hasText: camera.sn }).waitFor()
  expect(await page.getByText('实时预览').count()).toBe(0)
  await page.context().close()
})
