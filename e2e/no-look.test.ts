import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../server/testing/device.ts'
import { row } from './hands.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, 600_000)
afterAll(() => stage?.close())
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
const WHY = '工地已终止合同，摄像头不再看'

test('a site ends: its cameras are grey wherever they are offered, with the sentence why', async () => {
  const [camera] = await stage.server.sql<{ id: string; sn: string; site: string }>(
    `SELECT d.id, d.sn, d.site_id AS site
     FROM devices d JOIN sites w ON w.id = d.site_id
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     WHERE d.type = 'camera' AND w.status = 1 ORDER BY d.sn LIMIT 1`,
  )
  const { id, site, sn } = camera!
  const at = Math.floor(stage.server.now().getTime() / 1_000)
  const device = stage.server.devices.find((d) => d.sn === sn)!
  await report(stage.server.url, device, [
    { id: 'seen', kind: 'alarm', type: 'smoking', confidence: 0.9, at },
  ])
  const [raised] = await stage.server.sql<{ id: string }>(
    `SELECT id FROM alarms WHERE device_id = $1 AND type = 'smoking' ORDER BY at DESC LIMIT 1`,
    [id],
  )
  await stage.server.sql('UPDATE devices SET device_status = 1, last_seen = :now WHERE id = $1', [id])
  const gm = await stage.server.as('branch_gm')
  const devices = await stage.signIn('branch_gm', `/device/DeviceList?keyword=${sn}`)
  const live = row(devices, sn).getByRole('button', { name: '实时预览' })
  await live.waitFor()
  expect(await live.getAttribute('aria-disabled')).toBe('false')
  // Who looked is told while the list is open.
  const looks = await stage.signIn('steward', `/OwnerVideoaccess?site_id=${site}`)
  await looks.getByRole('tab', { name: '公司谁看过' }).click()
  await looks.getByText('公司还没有人看过这个家的画面。').waitFor()
  await gm.call(streamsApi.open, { body: { device_id: id, purpose: 'patrol', said: true } })
  await row(looks, sn).waitFor()
  await shot(looks, 'no-look-1-views')

  await stage.server.sql(`UPDATE sites SET contract = '' WHERE id = $1`, [site])
  const { version } = await gm.call(sitesApi.details, { query: { id: site } })
  await gm.call(sitesApi.state, { body: { id: site, version, action: 'terminate', reason: '业主退单' } })
  await devices.locator(`button[title="${WHY}"]`).waitFor()
  expect(await live.getAttribute('aria-disabled')).toBe('true')
  await live.click({ force: true })
  await devices.getByText(WHY).waitFor()
  await shot(devices, 'no-look-2-devices')

  await devices.evaluate((to) => (location.hash = to), `#/image/AlarmEvent?id=${raised!.id}`)
  const facts = devices.locator('.alarm-facts')
  await facts.getByText(WHY).waitFor()
  const offered = facts.getByRole('button', { name: '实时预览' })
  expect(await offered.getAttribute('aria-disabled')).toBe('true')
  await shot(devices, 'no-look-3-alarm')

  await devices.evaluate((to) => (location.hash = to), `#/VideoRecordView?device_id=${id}`)
  await devices.getByText(`${WHY}；以前的录像在保存期内还能看。`).waitFor()
  await shot(devices, 'no-look-4-recordings')
  expect((await gm.call(devicesApi.details, { query: { id } })).noLook).toBe(WHY)
  expect(stage.problems).toEqual([])
})
