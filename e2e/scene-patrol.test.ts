import { correctionsApi } from '@zhuguan/contract/features/corrections/corrections.api.ts'
import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { draw } from '../simulator/pictures.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, 600_000)
afterAll(() => stage.close())

const PHONE = { width: 390, height: 844 }
const photo = async (variant: number) => ({
  name: `现场${variant}.jpg`,
  mimeType: 'image/jpeg',
  buffer: await draw({ type: 'smoking', variant, camera: '手机', time: `2026-11-21 10:0${variant}:00` }),
})

test('a scene patrol on a phone outlives a lost network and a closed tab, is sent once and corrected', async () => {
  const pm = await stage.server.as('pm')
  const [site] = (await pm.call(sitesApi.list, { query: { status: [1], pageSize: 1 } })).list
  let page = await stage.signIn('pm', '/patrol/PatrolDo', PHONE)
  const context = page.context()
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ latitude: 39.9, longitude: 116.4, accuracy: 20 })
  await page.getByRole('button', { name: '新的现场巡检' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('已定位').waitFor()
  const choose = async (field: string, text: string) => {
    await drawer.locator(`[data-field=${field}] .ant-select`).click()
    await page.locator('.ant-select-item-option', { hasText: text }).first().click()
  }
  await choose('site_id', site!.ws_name)
  await choose('template_id', '日常巡检')
  await drawer.getByRole('button', { name: '签到并开始' }).click()
  // Far from the site is allowed, marked and shown.
  await page.getByText(/签到地点离工地 [\d.]+ 公里，已标记/).waitFor()
  const items = page.locator('section.patrol-item[id]')
  const count = await items.count()
  expect(count).toBeGreaterThan(2)

  const judge = async (n: number, verdict: string, variant?: number) => {
    await items.nth(n).getByRole('button', { name: verdict, exact: true }).click()
    if (variant !== undefined)
      await items
        .nth(n)
        .locator('input[type=file]')
        .last()
        .setInputFiles(await photo(variant))
  }
  // The network goes; half of it is filled in, and the tab is closed.
  await context.setOffline(true)
  await judge(0, '不合格', 1)
  await items.nth(0).getByLabel('要整改的问题').fill('配电箱没有盖板')
  await judge(1, '合格', 2)
  await page.getByText('没有网络，可以继续填写。').waitFor()
  await page.getByText('2 张照片未上传。').waitFor()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/do.png`, fullPage: true })
  await page.close()
  await context.setOffline(false)

  // Signed in again it goes on where it was, with the pictures, which are sent now.
  page = await context.newPage()
  await signInAgain(page)
  await page.getByRole('button', { name: /继续/ }).click()
  await page.getByText('配电箱没有盖板').waitFor()
  await eventually(() => page.locator('.draft-shot img').count()).toBe(2)
  await eventually(() => page.getByText('未上传').count()).toBe(0)
  const rest = page.locator('section.patrol-item[id]')
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await page.getByText('还没有判定').first().waitFor()
  for (let n = 2; n < count; n++) {
    await rest.nth(n).getByRole('button', { name: '合格', exact: true }).click()
    await rest
      .nth(n)
      .locator('input[type=file]')
      .last()
      .setInputFiles(await photo(n + 1))
  }
  await eventually(() => page.getByText('未上传').count()).toBe(0)
  // The answer is lost on its way: sent again it counts once.
  await page.route(`**${patrolsApi.submit.path}`, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await page.getByText('连接不上服务器').waitFor()
  await page.unroute(`**${patrolsApi.submit.path}`)
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await page.getByText(/^已提交 /).waitFor()
  await page.getByText('1 个问题已开出整改单').waitFor()
  const patrols = await pm.call(patrolsApi.list, {
    query: { site_id: site!.id, problems: true, pageSize: 100 },
  })
  const mine = patrols.list.filter((p) => p.place === 'far')
  expect(mine).toHaveLength(1)
  expect(mine[0]).toMatchObject({ problems: 1, status: 2 })

  // What was found is corrected by the manager and verified by somebody else.
  const inspector = await stage.server.as('inspector')
  const found = (
    await inspector.call(correctionsApi.list, {
      query: { source: ['patrol'], site_id: site!.id, pageSize: 100 },
    })
  ).list.filter((c) => c.problem === '配电箱没有盖板')
  expect(found).toHaveLength(1)
  expect(found[0]).toMatchObject({ correctionStatus: 2, turn: 'correct' })
  await page.evaluate((to) => (location.hash = to), `#/patrol/Correction?id=${found[0]!.id}`)
  const panel = page.locator('.correction-panel')
  await panel.getByText('配电箱没有盖板').first().waitFor()
  await panel.getByRole('button', { name: '提交整改照片' }).click()
  const handing = page.getByRole('dialog').filter({ hasText: '整改照片（须在发现问题之后拍摄）' })
  await handing
    .locator('input[type=file]')
    .last()
    .setInputFiles(await photo(9))
  await handing.locator('.drop-shot img').waitFor()
  await handing.getByRole('button', { name: /确\s*定/ }).click()
  await panel.getByText('整改中 · 已提交').waitFor()
  expect(await panel.getByRole('button', { name: '复核通过' }).isDisabled()).toBe(true)
  const other = await stage.signIn('inspector', `/patrol/Correction?id=${found[0]!.id}`)
  await other.locator('.correction-panel').getByRole('button', { name: '复核通过' }).click()
  await other.locator('.correction-panel').getByText('已整改').first().waitFor()
  expect(stage.problems.filter((p) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|net::/.test(p))).toEqual([])
}, 600_000)

async function signInAgain(page: Page) {
  await page.goto(`${stage.server.url}/#/login`)
  await page.fill('#l-user', 'pm')
  await page.fill('#l-pass', 'Zhuguan666')
  await page.click('#l-go')
  await page.waitForSelector('.shell')
  await page.evaluate(() => (location.hash = '#/patrol/PatrolDo'))
}
