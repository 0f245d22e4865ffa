import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../server/testing/device.ts'
import { seconds } from '../server/testing/time.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

/** Words on the board that are smaller than a 36th of its height. */
const small = (page: Page, height: number) =>
  page.evaluate(
    (least) =>
      [...document.querySelectorAll('.board *')]
        .filter((el) => [...el.childNodes].some((n) => n.nodeType === 3 && n.textContent!.trim()))
        .filter((el) => !(el instanceof SVGElement) && parseFloat(getComputedStyle(el).fontSize) < least)
        .map((el) => el.textContent),
    Math.floor(height / 36),
  )

test('the board of all systems: spans by keys, a branch by its name, every word readable from afar', async () => {
  const page = await stage.signIn('hq_ops', '/BoardTotalView', { width: 1920, height: 1080 })
  const span = page.locator('.board-switch').nth(1)
  await expect.poll(() => span.innerText()).toContain('进行中')
  for (const [width, height] of [
    [1920, 1080],
    [1366, 768],
    [3840, 2160],
  ] as const) {
    await page.setViewportSize({ width, height })
    expect(await small(page, height)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(height)
  }
  await page.keyboard.press('3')
  await expect.poll(() => span.innerText()).toMatch(/\d{4}-01-01 至/)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => span.innerText()).toMatch(/-12-31\s/)
  await page.keyboard.press('ArrowRight')
  await page.locator('.board-panel button', { hasText: '宁波分公司' }).click()
  await page.locator('header button', { hasText: '宁波分公司 ×' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(8)
  await page.context().close()
})

test('the big screen: in a tab of its own, branch by branch; an alarm moves its figure and is named', async () => {
  const page = await stage.signIn('hq_ops', '/data/DailyMonitor', { width: 1920, height: 1080 })
  const [screen] = await Promise.all([
    page.context().waitForEvent('page'),
    page.locator('.side-nav').getByText('数据大屏').click(),
  ])
  await screen.setViewportSize({ width: 1920, height: 1080 })
  await screen.waitForSelector('.data-counter b')
  const figure = (title: string) =>
    screen.locator('.data-counter', { hasText: title }).locator('b').innerText().then(Number)
  const before = await figure('今日报警')
  const camera = stage.server.devices.find((d) => d.type === 'camera')!
  await report(stage.server.url, camera, [
    { id: 'board1', kind: 'alarm', at: seconds() - 2, type: 'smoking', confidence: 0.9 },
  ])
  await eventually(() => figure('今日报警')).toBe(before + 1)
  const named = screen.locator('.data-counter', { hasText: '今日报警' }).locator('.data-last')
  expect(await named.innerText()).toContain('抽烟')

  // Nothing is smaller than a 36th of the height, nothing scrolls, nothing is cut.
  for (const [width, height] of [
    [1920, 1080],
    [1366, 768],
    [3840, 2160],
  ] as const) {
    await screen.setViewportSize({ width, height })
    expect(await small(screen, height)).toEqual([])
    const box = await screen.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.scrollHeight,
    ])
    expect(box).toEqual([width, height])
  }

  const place = screen.locator('.data-place')
  expect(await place.innerText()).toContain('全部分公司')
  await screen.keyboard.press('ArrowRight')
  await expect.poll(() => place.innerText()).toContain('杭州分公司')
  await screen.keyboard.press('ArrowRight')
  await expect.poll(() => place.innerText()).toContain('宁波分公司')
  await screen.keyboard.press('Escape')
  await expect.poll(() => place.innerText()).toBe('全部分公司（2）')
  // A figure is the way to what it counts.
  const [list] = await Promise.all([
    screen.context().waitForEvent('page'),
    screen.locator('.data-counter', { hasText: '今日报警' }).locator('a').click(),
  ])
  await list.waitForSelector('tbody tr')
  await expect.poll(() => list.locator('.pager').innerText()).toContain(`共 ${before + 1} 条`)
  expect(stage.problems).toEqual([])
})
