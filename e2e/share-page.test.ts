import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { previewOf } from '@zhuguan/contract/features/links/links.record.ts'
import { sharesApi } from '@zhuguan/contract/features/shares/shares.api.ts'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { caseStage, type CaseStage } from '../server/testing/casing.ts'
import { shareBy } from '../server/testing/sharing.ts'
import type { Person } from '../server/testing/start.ts'
import { eventually, openStage, type Stage } from './stage.ts'
import { countTraffic, firstPaint } from './traffic.ts'

let stage: Stage
let sales: Person
let gm: Person
let c: CaseStage
let id: string
beforeAll(async () => {
  stage = await openStage()
  const { server } = stage
  sales = await server.as('sales')
  gm = await server.as('branch_gm')
  c = await caseStage(server, {
    gm,
    steward: await server.as('steward'),
    service: await server.as('service'),
  })
  id = await c.published(c.homes[0]!)
})
afterAll(() => stage?.close())

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'zh-CN' }
const KB = 1_000
const shots = process.env.SHOTS
const send = () => shareBy(sales, { kind: 'share', target_id: id, person: '陈女士' })
const row = async (link: string) => (await sales.call(sharesApi.list, { query: { id: link } })).list[0]!
const phoneOf = async (change?: (context: BrowserContext) => Promise<unknown>) => {
  const context = await stage.browser.newContext(PHONE)
  await change?.(context)
  return context.newPage()
}

test('a home behind a link: painted below 100 kB, its newest picture with its age, one opening', async () => {
  const link = await send()
  const phone = await phoneOf()
  const traffic = await countTraffic(phone)
  await phone.goto(stage.server.url + previewOf(link.token))
  await phone.getByText('今天的照片', { exact: false }).waitFor()
  const painted = await firstPaint(phone)
  await phone.locator('.share-newest img').waitFor()
  // The form below it comes beside it, and is not waited for.
  const bytes = traffic.requests
    .filter((r) => !/InterestForm|useAct|painted/.test(r.path))
    .reduce((n, r) => n + r.bytes, 0)
  const early = traffic.requests.filter((r) => r.at < painted)
  console.log(
    `/Preview of a case: ${early.length} requests before the first paint, ${traffic.requests.length} and ` +
      `${Math.round(bytes / KB)} kB until its first picture is there`,
  )
  expect(bytes).toBeLessThan(100 * KB)
  expect(bytes).toBeGreaterThan(10 * KB)
  expect(traffic.requests.length).toBeLessThan(15)
  // No third party in any byte.
  expect(
    await phone.evaluate(() => performance.getEntriesByType('resource').map((e) => new URL(e.name).host)),
  ).toEqual(expect.not.arrayContaining([expect.not.stringMatching(/^127\.0\.0\.1|^localhost/) as string]))
  await eventually(async () => (await row(link.id)).openings).toBe(1)
  await phone.reload()
  await phone.locator('.share-newest img').waitFor()
  expect(await row(link.id)).toMatchObject({ openings: 1, told: 1, otherDevice: false })
  if (shots) await phone.screenshot({ path: `${shots}/preview-page.png`, fullPage: true })
  await phone.context().close()
})

test('a page behind another one is no opening until it is in sight; without storage it is a visit', async () => {
  const link = await send()
  const phone = await phoneOf((context) =>
    context.addInitScript(() => {
      const waiting: FrameRequestCallback[] = []
      const draw = requestAnimationFrame
      window.requestAnimationFrame = (next) => waiting.push(next)
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
      Object.assign(window, {
        toFront() {
          Object.defineProperty(document, 'hidden', { configurable: true, get: () => false })
          window.requestAnimationFrame = draw
          waiting.forEach((next) => draw(next))
        },
      })
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('refused', 'SecurityError')
          },
        })
    }),
  )
  await phone.goto(stage.server.url + previewOf(link.token))
  await phone.getByText('今天的照片', { exact: false }).waitFor()
  await phone.waitForTimeout(1_500)
  expect(await row(link.id)).toMatchObject({ openings: 0, told: 1, lastOpenedAt: null })
  await phone.evaluate('toFront()')
  await eventually(async () => (await row(link.id)).openings).toBe(1)
  // The same browser once more: a visit, and nobody says that it is another device.
  await phone.reload()
  await phone.getByText('今天的照片', { exact: false }).waitFor()
  await phone.evaluate('toFront()')
  await eventually(async () => (await row(link.id)).openings).toBe(2)
  expect(await row(link.id)).toMatchObject({ otherDevice: false })
  await phone.context().close()
})

test('the network is cut: what was read stays and says so; back again it goes on, dark when taken back', async () => {
  const link = await send()
  const phone = await phoneOf()
  await phone.goto(stage.server.url + previewOf(link.token))
  await phone.locator('.share-newest img').waitFor()
  await phone.context().setOffline(true)
  await phone.getByText('现在没有网络，下面是刚才的内容').waitFor({ timeout: 20_000 })
  expect(await phone.locator('.share-newest img').count()).toBe(1)
  if (shots) await phone.screenshot({ path: `${shots}/preview-away.png` })
  await phone.context().setOffline(false)
  await phone.getByText('现在没有网络，下面是刚才的内容').waitFor({ state: 'hidden', timeout: 20_000 })
  expect(await row(link.id)).toMatchObject({ openings: 1 })
  const { version } = await c.details(id)
  const begun = performance.now()
  await gm.call(casesApi.withdraw, { body: { id, version, reason: '业主来电' } })
  await phone.getByText('这个链接不能再看了').waitFor({ timeout: 20_000 })
  const seconds = (performance.now() - begun) / 1_000
  console.log(`taken back: the open page is dark after ${seconds.toFixed(1)} s`)
  expect(seconds).toBeLessThan(15)
  expect(await phone.locator('img').count()).toBe(0)
  if (shots) await phone.screenshot({ path: `${shots}/preview-dark.png` })
  await phone.context().close()
})
