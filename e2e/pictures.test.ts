import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { PAGES } from '@zhuguan/contract/pages.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report, sendFile } from '../server/testing/device.ts'
import { seconds } from '../server/testing/time.ts'
import { draw } from '../simulator/pictures.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  const camera = stage.server.devices.find((d) => d.type === 'camera' && d.sn.includes('HZ'))!
  const drawn = await draw({ type: 'smoking', variant: 1, camera: camera.sn, time: '2026-11-21 10:00:00' })
  const { data } = await sendFile(stage.server.url, camera, drawn)
  await report(stage.server.url, camera, [
    { id: 'seen', kind: 'alarm', at: seconds() - 5, type: 'smoking', confidence: 0.9, picture: data.key },
  ])
})
afterAll(() => stage?.close())

test('the browser reads pictures itself and keeps them; after signing out nothing opens them', async () => {
  const page = await stage.signIn('branch_gm', PAGES.AlarmEvent.path)
  const image = page.locator(`img[src*="${filesApi.get.path}"]`).first()
  await image.waitFor({ state: 'attached' })
  const address = await image.evaluate((one: HTMLImageElement) => {
    // Read wherever it stands in the list.
    one.loading = 'eager'
    return one.decode().then(() => one.src)
  })
  expect(await page.evaluate('document.cookie')).not.toContain('see-')

  const tab = await page.context().newPage()
  const kept = await tab.goto(address)
  expect([kept!.status(), kept!.headers()['cache-control']]).toEqual([200, 'private, max-age=3600'])
  await tab.goto('about:blank')
  await tab.goto(address)
  expect(await tab.evaluate(`performance.getEntriesByType('navigation')[0].transferSize`)).toBe(0)
  const stranger = await (await stage.browser.newContext()).newPage()
  expect((await stranger.goto(address))!.status()).toBe(401)

  await page.click('button.me')
  await page.click('text=退出登录')
  await page.waitForSelector('#l-user')
  expect((await tab.goto(address))!.status()).toBe(401)
  await stranger.context().close()
  await page.context().close()
})
