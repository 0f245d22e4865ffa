import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../server/testing/device.ts'
import { seconds } from '../server/testing/time.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

const go = (page: Page, path: string) => page.evaluate((to) => (location.hash = `#${to}`), path)
const rows = (page: Page) => page.waitForSelector('tbody tr:not(.skeleton):visible')

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
  // The other pages about a site stand in the site's own tag, under the site's name.
  await page.click('.tag:last-child button')
  for (const title of ['非管理人员考勤', '远程巡检', '工地摄像头在线分析', '违规与整洁度']) {
    await page.locator('.dimension:visible a', { hasText: title }).click()
    await page.waitForSelector(`.dimension:visible a[aria-current=page]:has-text("${title}")`)
    expect(await tabs()).toEqual(before)
  }
  await page.goBack()
  await page.waitForSelector('.dimension:visible a[aria-current=page]:has-text("工地摄像头在线分析")')
  expect(await tabs()).toEqual(before)
  await page.click('.tag:has-text("工地列表") button')
  await rows(page)
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
  await page.waitForSelector('text=没有网络')
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

test('a page that was not there yet says that the network is away, and opens when it is back', async () => {
  const page = await stage.signIn('branch_gm', '/Site/SiteList')
  await rows(page)
  await page.context().setOffline(true)
  await page.waitForSelector('text=没有网络')
  await page.click('[aria-label="展开图像识别"]')
  await page.locator('.side-nav').getByText('陌生人来访').click()
  await page.waitForSelector('text=没有网络，这一页还没有下载')
  await page.context().setOffline(false)
  await page.waitForSelector('text=没有网络，这一页还没有下载', { state: 'detached' })
  await page.locator('.list:visible').waitFor()
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
  await page.click('.ant-drawer button:has-text("确定")')
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

test('the menu: the group of the page is open, others as they were left; a narrow one leads everywhere', async () => {
  const page = await stage.signIn('branch_gm', '/data/DailyMonitor')
  await page.waitForSelector('.side-item.on')
  const entry = (name: string) => page.locator('.side-nav').getByRole('link', { name, exact: true })
  const openGroups = () =>
    page.locator('.side-fold[aria-expanded=true]').evaluateAll((all) => all.map((b) => b.ariaLabel))
  await eventually(openGroups).toEqual(['收起数据'])
  await page.click('[aria-label="展开工地管理"]')
  await entry('工地列表').waitFor()
  await page.click('[aria-label="收起数据"]')
  await page.reload()
  // What was chosen by hand is there again, also for the group of the present page.
  await page.waitForSelector('[aria-label="展开数据"]')
  expect(await openGroups()).toEqual(['收起工地管理'])
  await page.click('[aria-label="收起工地管理"]')
  await entry('工地列表').waitFor({ state: 'detached' })
  // A way there opens the group; one that was opened by the way closes behind.
  await go(page, '/Site/SiteList')
  await page.waitForSelector('.side-item.on:has-text("工地列表")')
  await go(page, '/worker/WorkerAttend')
  await page.waitForSelector('.side-item.on:has-text("工人考勤")')
  expect(await openGroups()).toEqual(['收起工人管理'])
  await page.click('[aria-label="收起菜单"]')
  await page.click('.side-item[aria-label="工人管理"]')
  await page.click('[role=menuitem]:has-text("管理人员")')
  await page.waitForSelector('h1:has-text("管理人员")')
  const href = await page.evaluate(() => document.querySelector('a.side-item')?.getAttribute('href'))
  expect(href).toBe('#/HomeMaster')
  await page.context().close()
})

test('every role sees all its groups at 1366×768 without a scroll, each with a sign of its own', async () => {
  for (const name of ['admin', 'branch_gm', 'pm', 'device_keeper', 'order_clerk', 'quoter']) {
    const page = await stage.signIn(name)
    await page.waitForSelector('.side-nav')
    for (const system of ['工地管理系统', '交付管理系统', '营销管理系统']) {
      const isHere = page.locator('.logo', { hasText: system })
      if ((await isHere.count()) === 0) {
        const swap = page.getByRole('button', { name: '切换系统' })
        if ((await swap.count()) === 0) continue
        await swap.click()
        const choice = page.getByRole('menuitem', { name: system })
        if (await choice.count()) await choice.click()
        else {
          await page.keyboard.press('Escape')
          continue
        }
      }
      await isHere.waitFor()
      for (const open of await page.locator('.side-fold[aria-expanded=true]').all()) await open.click()
      const arrows = page.locator('.side-fold')
      for (let i = 0, n = await arrows.count(); i < n; i += 1) {
        await arrows.nth(i).click()
        const seen = await page.locator('.side-nav').evaluate((nav) => {
          const heads = [...nav.querySelectorAll(':scope > .side-item, .side-head')]
          return {
            pages: nav.querySelectorAll('.side-item.child').length,
            under: nav.scrollHeight - nav.clientHeight,
            signs: heads.map((h) => h.querySelector('path')?.getAttribute('d')),
          }
        })
        expect(seen.pages, `${name} ${system} ${i}`).toBeGreaterThan(0)
        expect(seen.under, `${name} ${system} ${i}`).toBe(0)
        expect(new Set(seen.signs).size, `${name} ${system}`).toBe(seen.signs.length)
        await arrows.nth(i).click()
      }
    }
    await page.context().close()
  }
})

test('a way into another subsystem says so and leads back, and both keep their tags', async () => {
  const page = await stage.signIn('hq_ops', '/Site/SiteList')
  await rows(page)
  const tabs = async () => (await page.locator('.tag').allTextContents()).map((t) => t.trim())
  const before = await tabs()
  expect(before).toContain('工地列表')
  const crossed = page.locator('.notice', { hasText: '已切换到交付管理系统' })
  await go(page, '/order/OrderList')
  await crossed.waitFor()
  await page.locator('.logo', { hasText: '交付管理系统' }).waitFor()
  expect(await tabs()).toEqual(['订单列表'])
  await crossed.getByRole('button', { name: '返回' }).click()
  await page.locator('.logo', { hasText: '工地管理系统' }).waitFor()
  await page.waitForSelector('.side-item.on:has-text("工地列表")')
  expect(await tabs()).toEqual(before)
  await page.waitForTimeout(300)
  expect(await page.locator('.notice', { hasText: '已切换到' }).count()).toBe(0)
  // The browser's own Back finds the other's tags as they were left; closing there closes nothing here.
  await page.goBack()
  await page.locator('.logo', { hasText: '交付管理系统' }).waitFor()
  expect(await tabs()).toEqual(['订单列表'])
  await go(page, '/order/OrderPlan')
  await page.click('.tag:has-text("订单列表")', { button: 'right' })
  await page.click('[role=menuitem]:has-text("关闭其他")')
  await eventually(tabs).toEqual(['订单列表'])
  await go(page, '/Site/SiteList')
  await page.waitForSelector('.side-item.on:has-text("工地列表")')
  expect(await tabs()).toEqual(before)
  await page.context().close()
})

test('what is filled in waits on its tab while another page is open, and no tab closes over it unasked', async () => {
  const page = await stage.signIn('branch_gm', '/system/SetSelf')
  const days = page.locator('#set-makeupDays')
  await days.fill('9')
  await page.waitForSelector('text=保存 1 项')
  await go(page, '/system/UserList')
  await rows(page)
  await go(page, '/system/SetSelf')
  expect(await days.inputValue()).toBe('9')
  expect(await page.locator('text=保存 1 项').count()).toBe(1)
  await go(page, '/system/UserList')
  const dialog = page.getByRole('dialog', { name: '系统提示' })
  const close = () => page.click('[aria-label="关闭自助设置"]')
  await close()
  expect(await dialog.innerText()).toContain('“自助设置”里填写的内容还没有保存')
  await dialog.getByRole('button', { name: /取\s*消/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await close()
  await dialog.getByRole('button', { name: /确\s*定/ }).click()
  await page.waitForSelector('[aria-label="关闭自助设置"]', { state: 'detached' })
  await go(page, '/system/SetSelf')
  await eventually(() => days.inputValue()).toBe('7')

  // A drawer of any page likewise, also for the tabs that another one closes.
  await go(page, '/Site/SiteList')
  await rows(page)
  await page.locator('text=新增').locator('visible=true').click()
  await page.locator('.field', { hasText: '工地名称' }).locator('input').fill('半张表')
  await go(page, '/worker/WorkerList')
  await rows(page)
  await page.click('.tag.on', { button: 'right' })
  await page.click('[role=menuitem]:has-text("关闭其他")')
  expect(await dialog.innerText()).toContain('“工地列表”')
  await dialog.getByRole('button', { name: /确\s*定/ }).click()
  await page.waitForSelector('.tag:has-text("工地列表")', { state: 'detached' })
  await page.context().close()
})

test('home: what is mine goes as soon as I act elsewhere; cards are dragged and stay so', async () => {
  const { server } = stage
  const [steward, pm] = await Promise.all([server.as('steward'), server.as('pm')])
  const [site] = await server.sql<{ sn: string; steward: string }>(
    `SELECT d.sn, s.id AS steward FROM devices d JOIN sites w ON w.id = d.site_id
     JOIN users m ON m.id = w.manager_id JOIN users s ON s.id = w.steward_id
     WHERE d.type = 'camera' AND m.user_name = 'pm' AND s.user_name = 'steward' LIMIT 1`,
  )
  const camera = server.devices.find((d) => d.sn === site!.sn)!
  const at = seconds() - 60
  await report(server.url, camera, [{ id: 'home', kind: 'alarm', at, type: 'smoking', confidence: 0.9 }])
  const page = await stage.signIn('steward')
  await page.waitForSelector('text=没有等您整改、复核或指派的问题')
  const bell = page.getByRole('button', { name: /^通知/ })
  const unread = async () => Number(/\d+/.exec((await bell.getAttribute('aria-label')) ?? '')?.[0] ?? 0)
  const before = await unread()
  const { id, version } = (await pm.call(alarmsApi.list)).list[0]!
  await pm.call(alarmsApi.assign, { body: { id, version, assignee_id: site!.steward } })
  // What comes does not push the cards away: it is told where nothing stood, and opens when it is asked for.
  const card = page.locator('.placed .figure').first()
  const top = (await card.boundingBox())!.y
  const opens = page.getByRole('button', { name: '指派给我（未超期） 1，展开' })
  await opens.waitFor()
  expect((await card.boundingBox())!.y).toBe(top)
  await opens.click()
  const lane = page.getByRole('region', { name: '指派给我（未超期）' })
  await lane.locator('a.home-row', { hasText: '抽烟' }).waitFor()
  await eventually(unread).toBe(before + 1)
  await lane.getByText('查看全部 1 条').click()
  await rows(page)
  expect(await page.locator('tbody tr').count()).toBe(1)
  await page.goBack()
  await lane.locator('a.home-row').waitFor()
  // The same person, in another window.
  const mine = await steward.call(alarmsApi.details, { query: { id } })
  await steward.call(alarmsApi.dispute, { body: { id, version: mine.version, reason: '不是工人' } })
  await eventually(unread).toBe(before)
  expect(await lane.locator('a.home-row').count()).toBe(1)
  const gm = await server.as('branch_gm')
  const said = await gm.call(alarmsApi.details, { query: { id } })
  const cancel = { id, version: said.version, cause: 'wrong' as const, reason: '业主的客人' }
  await gm.call(alarmsApi.cancel, { body: cancel })
  await page.waitForSelector('text=没有等您整改、复核或指派的问题')

  await page.click('text=调整卡片')
  const box = async (title: string) =>
    (await page.locator('.react-grid-item', { hasText: title }).boundingBox())!
  await page.waitForSelector('.react-grid-item')
  const [from, to] = [await box('在建工地'), await box('出勤率')]
  expect(to.x).toBeGreaterThan(from.x)
  await page.mouse.move(from.x + 40, from.y + 40)
  await page.mouse.down()
  await page.mouse.move(to.x + 40, to.y + 60, { steps: 12 })
  await page.mouse.up()
  await eventually(async () => (await box('在建工地')).x).toBeGreaterThan(from.x)
  await page.locator('[aria-label="调整在建工地"]').getByRole('button', { name: '加高' }).click()
  await page.getByRole('button', { name: '保存' }).click()
  await page.waitForSelector('.placed')
  const places = (await steward.call(homeApi.cards)).places
  expect(places.find((p) => p.card === 'building')).toMatchObject({ x: 3, w: 3, h: 3 })
  await page.context().close()
})

test('words that are typed fast and entered open what they name, never what stood there before', async () => {
  const page = await stage.signIn('branch_gm', '/Site/SiteList')
  const [one, other] = await stage.server.sql<{ id: string; code: string }>(
    `SELECT w.id, w.code FROM sites w JOIN users u ON u.user_name = 'branch_gm' AND u.bc_id = w.bc_id
     ORDER BY w.code LIMIT 2`,
  )
  await page.keyboard.press('Control+k')
  const box = page.getByRole('textbox', { name: '搜索' })
  await box.fill(one!.code)
  await page.waitForSelector(`.hits b`)
  await box.press('Control+a')
  await page.keyboard.type(other!.code, { delay: 30 })
  await page.keyboard.press('Enter')
  await page.waitForURL(`**SiteInfo?id=${other!.id}**`)
  // Entered at once in a box that has not found anything yet.
  await page.keyboard.press('Control+k')
  await page.getByRole('textbox', { name: '搜索' }).pressSequentially(one!.code, { delay: 10 })
  await page.keyboard.press('Enter')
  await page.waitForURL(`**SiteInfo?id=${one!.id}**`)
  await page.context().close()
})
