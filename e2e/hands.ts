import type { Locator, Page } from 'playwright-core'

import { addDays, shanghaiDay } from '../server/kit/shanghai.ts'
import { draw } from '../simulator/pictures.ts'
import type { Stage } from './stage.ts'

/** What stories of several pages take hold of. */
export const drawer = (page: Page): Locator => page.locator('.ant-drawer-content-wrapper:visible').last()
export const row = (page: Page, text: string): Locator =>
  page.locator('.grid tbody tr:visible').filter({ hasText: text })
export const button = (of: Locator | Page, name: string): Locator =>
  of.getByRole('button', { name, exact: true })

/** The day in so many days, as people of the company count. */
export const inDays = (n: number): string => addDays(shanghaiDay(new Date()), n)

export const PHONE = { width: 390, height: 844 }
/** A telephone of somebody without an account. */
export async function telephone(stage: Stage, path: string): Promise<Page> {
  const context = await stage.browser.newContext({
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    locale: 'zh-CN',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.on('pageerror', (e) => stage.problems.push(e.message))
  await page.goto(stage.server.url + path)
  return page
}
/** A name written with a finger. */
export async function sign(page: Page): Promise<void> {
  const pad = page.getByRole('img', { name: '签名' })
  await pad.scrollIntoViewIfNeeded()
  const box = (await pad.boundingBox())!
  await page.mouse.move(box.x + 40, box.y + 80)
  await page.mouse.down()
  for (let i = 1; i <= 8; i += 1) await page.mouse.move(box.x + 40 + i * 25, box.y + (i % 2 ? 40 : 110))
  await page.mouse.up()
}
/** A picture as a telephone takes it. */
export const photoOf = async (name: string, variant = 2) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await draw({ type: 'smoking', variant, camera: '手机', time: '2026-11-21 10:02:00' }),
})
/** Another tab of the same person, at `path`. */
export async function tabOf(page: Page, stage: Stage, path: string): Promise<Page> {
  const kept = await page.evaluate(() => JSON.stringify(sessionStorage))
  const tab = await page.context().newPage()
  tab.on('pageerror', (e) => stage.problems.push(`${path}: ${e.message}`))
  tab.on('console', (m) => m.type() === 'error' && stage.problems.push(`${path}: ${m.text()}`))
  await tab.addInitScript((text: string) => {
    if (sessionStorage.length === 0)
      for (const [key, value] of Object.entries<string>(JSON.parse(text))) sessionStorage.setItem(key, value)
  }, kept)
  await tab.goto(`${stage.server.url}/#${path}`)
  return tab
}
