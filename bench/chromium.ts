import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'

import { DEMO_PASSWORD } from '../server/database/seed/demo.ts'
import { findBrowser } from '../tools/browser.mjs'
import { sized, SMOKE } from '../tools/size.ts'

/** A phone's processor and the developer tools' own “fast 4G”. */
export const SLOWER = 4
const SCROLLED_MS = sized(2_000, 200)
const FAST_4G = {
  offline: false,
  latency: 165,
  downloadThroughput: (9_000_000 / 8) * 0.9,
  uploadThroughput: (1_500_000 / 8) * 0.9,
}
export const SIZE = { width: 1366, height: 768 }

export async function openBrowser(): Promise<Browser> {
  return chromium.launch(await findBrowser())
}

/** A new profile, slowed down when asked. The page's own policy would refuse the scripts that measure it. */
export async function freshPage(browser: Browser, slow: boolean): Promise<{ page: Page; cdp: CDPSession }> {
  const page = await (
    await browser.newContext({ viewport: SIZE, locale: 'zh-CN', bypassCSP: true })
  ).newPage()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  await cdp.send('Network.enable')
  if (slow && !SMOKE) {
    await cdp.send('Network.emulateNetworkConditions', FAST_4G)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  }
  return { page, cdp }
}

/** Signs in and opens every group of the menu, so that any entry can be pressed. */
export async function signIn(page: Page, name: string): Promise<void> {
  await page.fill('#l-user', name)
  await page.fill('#l-pass', DEMO_PASSWORD)
  await page.click('#l-go')
  await page.waitForSelector('.shell')
  const folded = page.locator('.side-nav [aria-label^="展开"]')
  while (await folded.count()) await folded.first().click()
}
/** The product, signed in, at full speed. */
export async function openOurs(browser: Browser, url: string, name: string): Promise<Page> {
  const { page } = await freshPage(browser, false)
  await page.goto(url)
  await signIn(page, name)
  return page
}

export const metric = async (cdp: CDPSession, name: string): Promise<number> =>
  (await cdp.send('Performance.getMetrics')).metrics.find((m) => m.name === name)!.value

/** Presses what is named as a hand does, for a tenth of a second less a little; answers how long after the click `ready` was true and painted. */
export async function clickToPainted(page: Page, target: string, ready: string): Promise<number> {
  const place = page.locator(target).first()
  await place.scrollIntoViewIfNeeded()
  const at = await place.boundingBox()
  const painted = page.evaluate(
    (ready) =>
      new Promise<number>((resolve, reject) => {
        let clicked = 0
        setTimeout(() => reject(new Error(`clicked at ${clicked}, never ready: ${ready}`)), 20_000)
        addEventListener('click', (e) => (clicked = e.timeStamp), { capture: true, once: true })
        const isReady = new Function(`return ${ready}`) as () => boolean
        const look = () =>
          clicked && isReady()
            ? setTimeout(() => resolve(performance.now() - clicked), 0)
            : requestAnimationFrame(look)
        requestAnimationFrame(look)
      }),
    ready,
  )
  await page.mouse.move(at!.x + at!.width / 2, at!.y + at!.height / 2)
  await page.mouse.down()
  await new Promise((r) => setTimeout(r, 80))
  await page.mouse.up()
  return painted.catch((error: Error) => Promise.reject(new Error(`${target}: ${error.message}`)))
}

/** Goes to a place of the product; answers how long after that `ready` was true and painted. */
export const openToPainted = (page: Page, to: string, ready: string): Promise<number> =>
  page.evaluate(
    ({ to, ready }) =>
      new Promise<number>((resolve, reject) => {
        setTimeout(() => reject(new Error(`never ready: ${ready}`)), 30_000)
        const isReady = new Function(`return ${ready}`) as () => boolean
        const at = performance.now()
        location.hash = to
        const look = () =>
          isReady() ? setTimeout(() => resolve(performance.now() - at), 0) : requestAnimationFrame(look)
        requestAnimationFrame(look)
      }),
    { to, ready },
  )

/** Scrolls `box` for two seconds; the 95th of a hundred frames, and the share of frames in which the middle of the box was empty. */
export const scrollFrames = (page: Page, box: string): Promise<{ p95: number; blank: number }> =>
  page.evaluate(
    ({ box, ms }) =>
      new Promise<{ p95: number; blank: number }>((resolve) => {
        const el = document.querySelector(box)!
        const { left, top, width, height } = el.getBoundingClientRect()
        const frames: number[] = []
        let empty = 0
        let last = performance.now()
        const begun = last
        const step = () => {
          const now = performance.now()
          frames.push(now - last)
          last = now
          // Between two cards there is a gap: empty is where a little further on there is nothing either.
          const isEmpty = [0, 12].every((by) => {
            const y = Math.min(innerHeight - 5, top + height / 2 + by)
            const under = document.elementFromPoint(left + width / 3 + by, y)
            return (
              !under?.closest('tr, li, h2, section .chips, .shot, figure, [role=gridcell]') || under === el
            )
          })
          if (isEmpty) empty += 1
          el.scrollTop += 120
          if (el.scrollTop + el.clientHeight >= el.scrollHeight - 1) el.scrollTop = 0
          if (now - begun < ms) requestAnimationFrame(step)
          else
            resolve({
              p95: frames.sort((a, b) => a - b)[Math.floor(frames.length * 0.95)]!,
              blank: empty / frames.length,
            })
        }
        requestAnimationFrame(step)
      }),
    { box, ms: SCROLLED_MS },
  )
