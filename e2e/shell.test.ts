import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

const go = (page: Page, path: string) => page.evaluate((to) => (location.hash = `#${to}`), path)
const rows = (page: Page) => page.waitForSelector('tbody tr:not(.skeleton)')

test('tabs bear the name of their record and are there after a reload, the pinned one as pinned', async () => {
  const page = await stage.signIn('branch_gm', '/Site/SiteList')
  await rows(page)
  const names = await page.locator('tbody tr:nth-child(-n+2) td:nth-child(2)').allTextContents()
  for (const n of [1, 2]) {
    await page.click(`tbody tr:nth-child(${n}) a.name`)
    await page.waitForSelector(`.tag.on:has-text("${names[n - 1]!.trim()}")`)
    await page.click('.tag:has-text("工地列表") button')
    await rows(page)
  }
  const tabs = async () => (await page.locator('.tag').allTextContents()).map((t) => t.trim())
  const before = await tabs()
  expect(before).toEqual(['我想掌握的', '工地列表', ...names.map((n) => n.trim())])
  await page.click('.tag:has-text("工地列表")', { button: 'right' })
  await page.click('text=固定')
  await page.reload()
  await rows(page)
  expect(await tabs()).toEqual(before)
  expect(await page.locator('.tag:has-text("工地列表") .tag-close').count()).toBe(0)
  await page.context().close()
})

test('without a network the page says so at once and a changed filter fails in words; with it everything goes on', async () => {
  const page = await stage.signIn('branch_gm', '/Site/SiteList')
  await rows(page)
  await page.context().setOffline(true)
  await page.waitForSelector('text=没有网络', { timeout: 2_000 })
  await page.fill('.filters input', 'GDHZ')
  await page.waitForSelector('.list [role=alert]')
  expect(await page.locator('.list [role=alert]').textContent()).toContain('连接不上服务器')
  await page.context().setOffline(false)
  await page.waitForSelector('.list [role=alert]', { state: 'detached' })
  await rows(page)
  await eventually(() => page.locator('.live-dot').textContent()).toBe('实时')
  expect(await page.locator('text=没有网络').count()).toBe(0)
  await page.context().close()
})

test('the field that was refused comes into view with the keyboard in it', async () => {
  const page = await stage.signIn('branch_gm', '/Site/SiteList')
  await page.setViewportSize({ width: 1366, height: 500 })
  await rows(page)
  await page.click('text=新增')
  const field = (label: string) => page.locator('.field', { hasText: label }).first().locator('input')
  await field('工地名称').fill('测试工地')
  await field('地址').fill('某路 1 号')
  await field('计划开工').fill('2026-12-10')
  await field('计划完工').fill('2026-11-10')
  await page.click('.ant-drawer button:has-text("确 定")')
  const bad = page.locator('.field:has(em)')
  await bad.waitFor()
  await eventually(() => bad.locator('input').evaluate((i) => i === document.activeElement)).toBe(true)
  const box = (await bad.boundingBox())!
  expect(box.y >= 0 && box.y + box.height < 500).toBe(true)
  await page.context().close()
})

test('a page that one may not open says that, an address that is none says this', async () => {
  const page = await stage.signIn('pm')
  await go(page, '/system/UserList')
  await page.waitForSelector('text=无权访问')
  await go(page, '/Site/Nowhere')
  await page.waitForSelector('text=页面不存在')
  await page.context().close()
})

test('a filter that is set stays where it is and is never hidden', async () => {
  const page = await stage.signIn('branch_gm', '/worker/WorkerList')
  await rows(page)
  const at = async (label: string) =>
    (await page.locator('.filters .filter', { hasText: label }).first().boundingBox())!.x
  const before = await at('工种')
  await page.click('.filters .filter:has-text("工种")')
  await page.click('.pick label:has-text("水电工")')
  await page.keyboard.press('Escape')
  await rows(page)
  expect(await at('工种')).toBe(before)
  const alarms = await stage.signIn('branch_gm', '/image/AlarmEvent?from=1700000000&to=1900000000')
  await alarms.waitForSelector('.filters :is(.on)')
  const set = alarms.locator('.filters .on').last()
  await eventually(async () => {
    const [chip, row] = [await set.boundingBox(), await alarms.locator('.filters').boundingBox()]
    return !!chip && !!row && chip.y + chip.height <= row.y + row.height + 1
  }).toBe(true)
  await page.context().close()
  await alarms.context().close()
})

test('the menu: groups fold and stay so, the present page is in view, a narrow menu leads everywhere', async () => {
  const page = await stage.signIn('branch_gm', '/data/DailyMonitor')
  await page.waitForSelector('.side-item.on')
  const inView = (selector: string) =>
    page.locator(selector).evaluate((el) => {
      const box = el.getBoundingClientRect()
      return box.top >= 0 && box.bottom <= innerHeight
    })
  await eventually(() => inView('.side-item.on')).toBe(true)
  await page.hover('.side-head:has-text("工地管理")')
  await page.click('[aria-label="收起工地管理"]')
  await page.waitForSelector('.side-item:text-is("工地列表")', { state: 'detached' })
  await page.reload()
  await page.waitForSelector('[aria-label="展开工地管理"]')
  // A way there opens the group.
  await go(page, '/Site/SiteList')
  await page.waitForSelector('.side-item.on:has-text("工地列表")')
  await page.click('[aria-label="收起菜单"]')
  await page.click('.side-item[aria-label="工人管理"]')
  await page.click('[role=menuitem]:has-text("工人考勤")')
  await page.waitForSelector('h1:has-text("工人考勤")')
  const href = await page.evaluate(() => document.querySelector('a.side-item')?.getAttribute('href'))
  expect(href).toBe('#/HomeMaster')
  await page.context().close()
})
