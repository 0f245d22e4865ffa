import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { homeLink } from '../server/testing/homes.ts'
import { button, drawer, telephone } from './hands.ts'
import { answerFilm } from './live/film.ts'
import { openStage, type Stage } from './stage.ts'

let gateway: Server
let stage: Stage
beforeAll(async () => {
  gateway = createServer(answerFilm).listen(0, '127.0.0.1')
  await new Promise((done) => gateway.once('listening', done))
  const { port } = gateway.address() as AddressInfo
  stage = await openStage({
    video: { template: `http://127.0.0.1:${port}/{sn}/index.m3u8`, kind: 'hls', s3: null },
  })
}, 600_000)
afterAll(async () => {
  await stage?.close()
  gateway?.close()
})
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}

test('an owner agrees, is granted, watches, takes it back while it runs, and reads who watched the home', async () => {
  const [home] = await stage.server.sql<{ site: string; contact: string; name: string; camera: string }>(
    `SELECT w.id AS site, h.id AS contact, o.name, d.id AS camera
     FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN owners o ON o.id = h.owner_id
     JOIN devices d ON d.site_id = w.id AND d.type = 'camera'
     WHERE w.steward_id = (SELECT id FROM users WHERE user_name = 'steward') AND w.status = 1
     ORDER BY w.code, d.sn LIMIT 1`,
  )
  const { camera, contact, name, site } = home!
  const online = () =>
    stage.server.sql('UPDATE devices SET device_status = 1, last_seen = :now WHERE site_id = $1', [site])
  // At whatever hour this runs, a home may be watched.
  await stage.server.sql(
    `INSERT INTO settings (tenant_id, bc_id, key, value)
     SELECT c.tenant_id, c.bc_id, x.key, to_jsonb(x.value)
     FROM companies c, (VALUES ('ownerVideoFrom', '00:00'), ('ownerVideoTo', '23:59')) x(key, value)`,
  )
  await online()
  const staff = await stage.server.as('steward')
  const gm = await stage.server.as('branch_gm')
  await gm.call(streamsApi.open, { body: { device_id: camera, purpose: 'patrol', said: true } })
  const steward = await stage.signIn('steward', `/OwnerInfo?site_id=${site}`)
  const { token } = await homeLink(staff, contact)
  const phone = await telephone(stage, `/#/Preview?link=${token}`)
  await phone.getByRole('heading', { name: '等待确认' }).waitFor()
  const code = (await phone.getByRole('status').innerText()).trim()
  await button(steward.locator('tr', { hasText: code }), '确认').click()
  await button(steward.locator('[role=dialog]:visible, .ant-popover:visible').last(), '确定').click()

  const mine = phone.getByRole('region', { name: '我的授权' })
  await mine.waitFor()
  await shot(phone, 'video-1-words')
  await button(mine, '同意').click()
  await phone.getByText('管家还没有给您开通看现场').waitFor()
  await phone.getByRole('region', { name: '谁看过我家' }).getByText('巡检').first().waitFor()

  const table = steward.locator('section', { has: steward.locator('h2', { hasText: '看现场' }) })
  const line = table.locator('tr', { hasText: name })
  await shot(steward, 'video-2-agreed')
  await button(line, '授权').click()
  await drawer(steward).getByText('业主视频时段是').waitFor()
  await shot(steward, 'video-3-grant')
  await button(drawer(steward), '确定').click()
  await line.getByText('已授权').waitFor()
  await shot(steward, 'video-4-granted')

  await online()
  await phone.reload()
  const watch = phone.getByRole('region', { name: '看现场' })
  await watch.getByRole('button', { name: '看现场' }).first().click()
  await watch.locator('.owner-look-mark', { hasText: '直播' }).waitFor()
  await shot(phone, 'video-5-live')
  // Taken back on the same telephone while it runs: dark within five seconds, with the reason.
  const from = performance.now()
  await button(mine, '撤回同意').click()
  await watch.getByText('同意已撤回，画面已停止').waitFor()
  const seconds = (performance.now() - from) / 1_000
  console.log(`REASON ON SCREEN after ${seconds.toFixed(1)} s`)
  expect(seconds).toBeLessThan(6)
  expect(await watch.locator('video').count()).toBe(0)
  await shot(phone, 'video-6-ended')
  await phone.reload()
  await phone.getByRole('region', { name: '我的授权' }).getByText('您已撤回同意').waitFor()
  await shot(phone, 'video-7-withdrawn')

  await steward.getByRole('link', { name: '视频观看记录' }).first().click()
  await steward.getByText('同意已撤回').first().waitFor()
  await shot(steward, 'video-8-looks')
  await steward.getByRole('tab', { name: '公司谁看过' }).click()
  await steward.getByText('巡检').first().waitFor()
  await shot(steward, 'video-9-views')
  await phone.context().close()
  await steward.context().close()
  expect(stage.problems).toEqual([])
}, 600_000)
