import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage.close())

const LOOK = process.env.LOOK
const look = async (page: Page, name: string) => {
  if (LOOK) await page.screenshot({ path: `${LOOK}/${name}.png` })
}
async function openWall(width = 1920, height = 1080): Promise<Page> {
  const context = await stage.browser.newContext({ viewport: { width, height }, locale: 'zh-CN' })
  const page = await context.newPage()
  await page.goto(`${stage.server.url}/#/Preview?screen`)
  return page
}
const codeOn = async (wall: Page) =>
  (await wall.locator('.wall-code output').innerText()).replaceAll(/\s/g, '')
const wordsOn = (wall: Page) => wall.locator('.wall main').innerText()

test('a lobby screen is paired from a telephone, follows whoever arranges elsewhere, and is never empty', async () => {
  const gm = await stage.signIn('branch_gm', '/board/BoardSetting')
  await gm.click('button:has-text("新建")')
  await gm.fill('input[placeholder="例如 前厅日常"]', '前厅日常')
  await gm.click('[data-field="store_id"] .ant-select')
  await gm.click('.ant-select-item-option >> nth=0')
  await gm.click('[data-field="scenes"] button:has-text("加一行")')
  await gm.click('[data-field="scenes.1.kind"] .ant-select')
  await gm.click('.ant-select-dropdown:visible .ant-select-item-option:has-text("门店通知")')
  await gm.fill('[data-field="scenes.1.words"] input', '周六店庆，到店有礼')
  await gm.fill('[data-field="scenes.0.seconds"] input', '5')
  await gm.fill('[data-field="scenes.1.seconds"] input', '5')
  await look(gm, 'arrange-1366')
  await gm.click('.drawer-foot .ant-btn-primary')
  await gm.waitForSelector('.list :text("前厅日常")')

  const wall = await openWall()
  const code = await codeOn(wall)
  expect(code).toMatch(/^[A-HJKMNP-Z2-9]{6}$/)
  await look(wall, 'wall-code')
  const phone = await stage.signIn('branch_gm', `/board/BoardSetting?pair=${code}`, {
    width: 390,
    height: 844,
    hasTouch: true,
  })
  await phone.waitForSelector('.scene-asking :text("1920×1080")')
  await phone.fill('[data-field="name"] input', '前厅大屏')
  const chosen = await phone
    .locator(
      '[data-field="store_id"] .ant-select-content-has-value, [data-field="store_id"] .ant-select-selection-item',
    )
    .count()
  if (!chosen) {
    await phone.click('[data-field="store_id"] .ant-select')
    await phone.click('.ant-select-dropdown:visible .ant-select-item-option >> nth=0')
  }
  await phone.click('[data-field="arrangement_id"] .ant-select')
  await phone.click('.ant-select-dropdown:visible .ant-select-item-option:has-text("前厅日常")')
  await look(phone, 'pair-390')
  await phone.click('.drawer-foot .ant-btn-primary')
  await eventually(() => wordsOn(wall)).toContain('在建工地')
  await look(wall, 'wall-figures')
  await eventually(() => wordsOn(wall)).toContain('周六店庆')
  await look(wall, 'wall-notice')
  await look(phone, 'screens-390')

  // Somebody rearranges in another browser; the wall follows.
  await gm.click('.list :text("前厅日常")')
  await gm.fill('[data-field="scenes.1.words"] input', '改在周日')
  await gm.click('.drawer-foot .ant-btn-primary')
  await eventually(() => wordsOn(wall)).toContain('改在周日')

  // Five metres away nothing is smaller than a 36th of the height.
  const smallest = await wall.evaluate(() => {
    const texts = [...document.querySelectorAll('.wall *')].filter((e) =>
      [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent?.trim()),
    )
    return Math.min(...texts.map((e) => Number.parseFloat(getComputedStyle(e).fontSize)))
  })
  expect(smallest).toBeGreaterThanOrEqual(1080 / 36)

  // The network goes and comes back: what was there stays, with its age; not one picture is empty.
  await wall.context().setOffline(true)
  for (let i = 0; i < 60; i += 1) {
    const shot = await wall.locator('.wall main').innerText()
    expect(shot.trim(), `after ${i} looks`).not.toBe('')
    await wall.waitForTimeout(200)
  }
  await eventually(() => wall.locator('.wall-age').innerText()).toMatch(/前的画面|网络断开/)
  await look(wall, 'wall-stale')
  await wall.context().setOffline(false)
  await eventually(() => wall.locator('.wall-age').innerText()).toContain('实时')

  // What it paints is in the list of screens, by its own word.
  await gm.click('button:has-text("屏幕") >> nth=0')
  await eventually(() => gm.locator('.list').innerText()).toMatch(/在播/)
  await look(gm, 'screens-1366')

  // Taken back: dark, and it says why.
  await stage.server.sql(`UPDATE screens SET revoked_at = :now, why = '机器丢了' WHERE name = '前厅大屏'`)
  await eventually(() => wall.locator('.wall').innerText()).toContain('这块屏幕已经收回')
  // Why is for staff, not for whoever stands before it.
  expect(await wall.locator('.wall').innerText()).not.toContain('机器丢了')
  await look(wall, 'wall-revoked')
  await wall.keyboard.press('Enter')
  await eventually(() => wall.locator('.wall-code').count()).toBe(1)
  expect(await codeOn(wall)).not.toBe(code)
})

test('of two tabs with one cookie one paints, and a person steps through the same scenes by keys', async () => {
  const gm = await stage.signIn('branch_gm', '/ExhibitionBoardView', { width: 1366, height: 768 })
  await gm.waitForSelector('.wall main h2, .wall main .wall-notice')
  await look(gm, 'exhibition-1366')
  const before = await wordsOn(gm)
  await gm.keyboard.press(' ')
  await gm.keyboard.press('ArrowRight')
  await eventually(() => wordsOn(gm)).not.toBe(before)
  await gm.keyboard.press('ArrowLeft')
  await eventually(() => wordsOn(gm)).toContain('在建工地')
  expect(await gm.locator('.wall main a').first().getAttribute('href')).toContain('/Site/SiteList?')

  const wall = await openWall(3840, 2160)
  const code = await codeOn(wall)
  await look(wall, 'wall-code-4k')
  const screens = await stage.signIn('branch_gm', `/board/BoardSetting?pair=${code}`)
  await screens.fill('[data-field="name"] input', '二楼大屏')
  const chosen = await screens
    .locator(
      '[data-field="store_id"] .ant-select-content-has-value, [data-field="store_id"] .ant-select-selection-item',
    )
    .count()
  if (!chosen) {
    await screens.click('[data-field="store_id"] .ant-select')
    await screens.click('.ant-select-dropdown:visible .ant-select-item-option >> nth=0')
  }
  await screens.click('.drawer-foot .ant-btn-primary')
  await eventually(() => wall.locator('.wall').innerText()).toContain('欢迎光临')
  await look(wall, 'wall-house-4k')
  const second = await wall.context().newPage()
  await second.goto(`${stage.server.url}/#/Preview?screen`)
  await eventually(() => second.locator('.wall').innerText()).toContain('正在另一个窗口播放')
  expect(await wall.locator('.wall').innerText()).toContain('欢迎光临')
  await wall.close()
  await eventually(() => second.locator('.wall').innerText()).toContain('欢迎光临')
  expect(stage.problems).toEqual([])
})
