import { PAGES } from '@zhuguan/contract/pages.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { DEMO_PASSWORD } from '../server/database/seed/demo.ts'
import { type Stage, openStage } from './stage.ts'
import { countPage, countTraffic, firstPaint } from './traffic.ts'

/** Gates that do not depend on how busy the machine is (docs/figures.md, P-09, P-10, P-13). */
let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())
const KB = 1024

test('the form is painted from 14.6 kB, the first list is there after 185 kB and 12 requests, a second list costs 110 kB at most', async () => {
  const page = await (await stage.browser.newContext({ viewport: { width: 1366, height: 768 } })).newPage()
  const traffic = await countTraffic(page)
  await page.goto(`${stage.server.url}/`)
  const painted = await firstPaint(page)
  const form = traffic.requests.filter((r) => r.at < painted)
  const bytes = form.reduce((n, r) => n + r.bytes, 0)
  expect(bytes).toBeGreaterThan(1 * KB)
  expect(bytes).toBeLessThanOrEqual(14.6 * KB)
  await page.waitForTimeout(2_000)
  expect(traffic.requests.length, 'at idle').toBeLessThanOrEqual(5)

  await page.fill('#l-user', 'branch_gm')
  await page.fill('#l-pass', DEMO_PASSWORD)
  await page.click('#l-go')
  await page.waitForSelector('.cards')
  await page.click('[aria-label="展开工地管理"]')
  await page.locator('.side-nav').getByText('工地列表').click()
  await page.waitForSelector('tbody tr td')
  await page.waitForTimeout(500)
  expect(traffic.bytes()).toBeLessThanOrEqual(185 * KB)
  expect(traffic.requests.length, traffic.requests.map((r) => r.path).join('\n')).toBeLessThanOrEqual(12)

  const before = traffic.bytes()
  await page.click('[aria-label="展开设备管理"]')
  await page.locator('.side-nav').getByText('设备列表').click()
  await page.locator('h1', { hasText: '设备列表' }).waitFor()
  await page.waitForTimeout(500)
  expect(traffic.bytes() - before).toBeLessThanOrEqual(110 * KB)
  await page.context().close()
})

test('forty changes of page leave not one node and not one listener behind', async () => {
  const page = await stage.signIn('branch_gm')
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const places = [PAGES.SiteList.path, PAGES.DeviceList.path, PAGES.AlarmEvent.path, PAGES.HomeMaster.path]
  const round = async (times: number) => {
    for (let i = 0; i < times; i += 1) {
      await page.evaluate((to) => (location.hash = `#${to}`), places[i % places.length]!)
      await page.waitForTimeout(120)
    }
    await page.waitForTimeout(400)
  }
  // Pages that are kept are made on the first visits.
  await round(12)
  // Live rows may differ by a mark between two counts; what leaks, leaks in every round.
  let left = { nodes: Infinity, listeners: Infinity }
  for (let tries = 0; tries < 3 && (left.nodes > 0 || left.listeners > 0); tries += 1) {
    const before = await countPage(session)
    await round(40)
    const after = await countPage(session)
    expect(before.nodes).toBeGreaterThan(100)
    left = { nodes: after.nodes - before.nodes, listeners: after.listeners - before.listeners }
  }
  expect(left.nodes).toBeLessThanOrEqual(0)
  expect(left.listeners).toBeLessThanOrEqual(0)
  await page.context().close()
})
