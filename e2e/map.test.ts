import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { metres } from '@zhuguan/contract/kit/places.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../server/testing/device.ts'
import { seconds } from '../server/testing/time.ts'
import { eventually, type Stage, openStage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

const STEP = 12
/** What the legend says: how many sites of each kind, and how many there are. */
async function legend(page: Page): Promise<Record<string, number>> {
  const lines = await page.locator('.map-legend li').allTextContents()
  return Object.fromEntries(
    lines.map((line) => [line.replace(/\d+$|--$/, ''), Number(/\d+$/.exec(line)?.[0])]),
  )
}
/** How many sites the map shows, as it says to those who cannot see it. */
const shownOn = async (page: Page) =>
  Number(/\d+/.exec((await page.locator('.map-target').getAttribute('aria-label')) ?? '')?.[0] ?? -1)
const total = async (page: Page) => Number(/\d+/.exec(await page.locator('.pages .total').innerText())![0])
/** Moves the mouse over the map until what it says under the pointer matches, as a person would look for it. */
async function find(page: Page, says: RegExp): Promise<{ x: number; y: number; text: string }> {
  const box = (await page.locator('.map-target').boundingBox())!
  const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2]
  const spots = Array.from({ length: Math.floor(box.width / STEP) }, (_, i) =>
    Array.from(
      { length: Math.floor(box.height / STEP) },
      (_, k) => [box.x + i * STEP + 6, box.y + k * STEP + 6] as const,
    ),
  ).flat()
  for (const [x, y] of spots.sort(
    (a, b) => Math.hypot(a[0] - cx, a[1] - cy) - Math.hypot(b[0] - cx, b[1] - cy),
  )) {
    await page.mouse.move(x, y)
    const text = await page.locator('.map-tip').allTextContents()
    if (text[0] && says.test(text[0])) return { x, y, text: text[0] }
  }
  throw new Error(`nothing on the map says ${says.source}`)
}

test('the map opens on every site of the list; a cluster lists its members; the way to the list and back keeps the filters', async () => {
  const gm = await stage.server.as('branch_gm')
  const page = await stage.signIn('branch_gm', '/Site/SiteMap')
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.map-legend b')].some((b) => Number(b.textContent) > 0),
  )
  const all = (await gm.call(sitesApi.list)).totalCount
  await eventually(() => shownOn(page)).toBe(all)

  for (let i = 0; i < 3; i += 1) {
    await page.getByRole('button', { name: '缩小' }).click()
    await page.waitForTimeout(500)
  }
  const cluster = await find(page, /^\d+ 个工地/)
  const members = Number(/^\d+/.exec(cluster.text)![0])
  await page.mouse.click(cluster.x, cluster.y)
  await page.getByRole('heading', { name: `这里的 ${members} 个工地` }).waitFor()
  await page.waitForFunction(
    (n) => document.querySelectorAll('.map-side li > p > a[href*=SiteInfo]').length === n,
    members,
  )
  await page.keyboard.press('Escape')
  await eventually(() => page.locator('.map-side').count()).toBe(0)

  // The legend is a filter: its count opens exactly that many, on the map and in the list.
  const before = await legend(page)
  const building = before['正常施工']!
  expect(building).toBeGreaterThan(0)
  expect(building).toBeLessThan(all)
  await page.locator('.map-legend').getByRole('button', { name: '正常施工' }).click()
  await eventually(() => shownOn(page)).toBe(building)
  // A second click takes it off again.
  await page.locator('.map-legend').getByRole('button', { name: '正常施工' }).click()
  await eventually(() => shownOn(page)).toBe(all)
  expect(await legend(page)).toEqual(before)
  await page.locator('.map-legend').getByRole('button', { name: '正常施工' }).click()
  await eventually(() => shownOn(page)).toBe(building)
  await page.getByRole('link', { name: '切换到列表模式' }).click()
  await page.locator('.pages .total', { hasText: `共 ${building} 条` }).waitFor()
  expect(page.url()).toContain('/Site/SiteList?status=1&alarmed=false&stopped=false')
  await page.getByRole('link', { name: '切换到地图模式' }).click()
  await page.locator('.map-legend').waitFor()
  expect(page.url()).toContain('/Site/SiteMap?status=1')
  await eventually(() => shownOn(page)).toBe(building)
  await page.context().close()
})

test('what is circled is a list, here and in the list of sites', async () => {
  const page = await stage.signIn('branch_gm', '/Site/SiteMap')
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.map-legend b')].some((b) => Number(b.textContent) > 0),
  )
  const all = await shownOn(page)
  await page.waitForTimeout(800)
  await page.getByRole('button', { name: '圈选' }).click()
  const box = (await page.locator('.map-target').boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, box.y + 70)
  await page.mouse.down()
  for (const [a, b] of [
    [box.x + 30, box.y + 70],
    [box.x + 30, box.y + box.height - 30],
    [x, y + box.height / 2 - 30],
    [x, box.y + 72],
  ] as const)
    await page.mouse.move(a, b, { steps: 12 })
  await page.mouse.up()
  await page.getByRole('heading', { name: '圈选的工地' }).waitFor()
  expect(page.url()).toContain('area=')
  await eventually(() => shownOn(page)).toBeLessThan(all)
  const inside = await shownOn(page)
  expect(inside).toBeGreaterThan(0)
  await page.waitForFunction(
    (n) => document.querySelectorAll('.map-side li > p > a[href*=SiteInfo]').length === n,
    Math.min(20, inside),
  )
  await page.getByRole('link', { name: '在列表中查看' }).click()
  await page.locator('.pages .total', { hasText: `共 ${inside} 条` }).waitFor()
  await page.getByRole('button', { name: '去掉圈选范围' }).click()
  await page.locator('.pages .total', { hasText: `共 ${all} 条` }).waitFor()
  expect(await total(page)).toBe(all)
  await page.context().close()
})

test('a point is dragged to its place, confirmed, and stays there; an alarm beats on the map without a reload', async () => {
  const gm = await stage.server.as('branch_gm')
  const camera = stage.server.devices.find((d) => d.type === 'camera' && d.siteCode.startsWith('GDHZ'))!
  const site = await gm.call(sitesApi.details, { query: { id: camera.site } })
  const page = await stage.signIn('branch_gm', `/Site/SiteMap?ids=${site.id}`)
  await page.locator('.map-legend').waitFor()
  await eventually(() => shownOn(page)).toBe(1)
  await report(stage.server.url, camera, [
    { id: 'map-story', kind: 'alarm', at: seconds() - 2, type: 'smoking', confidence: 0.9 },
  ])
  await page.getByRole('button', { name: '1 个工地有新报警' }).click()
  await eventually(async () => (await legend(page))['有报警，未超期']).toBe(1)
  await page.locator('.map-side').getByText('未办结报警 1').waitFor()

  await page.getByRole('button', { name: '修正位置' }).click()
  const handle = page.getByRole('button', { name: '拖动到正确的位置，方向键微调' })
  await handle.waitFor()
  await page.waitForTimeout(500)
  expect(await page.getByRole('button', { name: /确\s*定/ }).isDisabled()).toBe(true)
  const at = (await handle.boundingBox())!
  await page.mouse.move(at.x + 18, at.y + 18)
  await page.mouse.down()
  await page.mouse.move(at.x + 138, at.y - 62, { steps: 10 })
  await page.mouse.up()
  await page.getByText(/移动了 [\d.]+ (米|公里)/).waitFor()
  await page.getByRole('button', { name: /确\s*定/ }).click()
  await page.getByText(`${site.ws_name} 的位置已修正`).waitFor()
  const moved = await gm.call(sitesApi.details, { query: { id: site.id } })
  const away = metres({ lng: site.lng!, lat: site.lat! }, { lng: moved.lng!, lat: moved.lat! })
  expect(moved.lng).toBeGreaterThan(site.lng!)
  expect(moved.lat).toBeGreaterThan(site.lat!)
  expect(away).toBeGreaterThan(100)
  expect(
    await stage.server.sql(
      `SELECT user_name FROM user_logs WHERE action = '修正工地位置' AND object_id = $1`,
      [site.id],
    ),
  ).toEqual([{ user_name: 'branch_gm' }])
  // A line around the new place holds the site, in the list as on the map.
  const around = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ]
    .map(([a, b]) => `${(moved.lng! + a! * 1e-4).toFixed(6)},${(moved.lat! + b! * 1e-4).toFixed(6)}`)
    .join(';')
  await page.evaluate((area) => (location.hash = `#/Site/SiteList?area=${encodeURIComponent(area)}`), around)
  await page.locator('tr', { hasText: site.code }).waitFor()
  await page.context().close()
})

test('nobody wrote an error to the console', () => expect(stage.problems).toEqual([]))
