import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { previewOf } from '@zhuguan/contract/features/links/links.record.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openShop } from '../server/testing/selling.ts'
import { approvedQuotation, shareBy } from '../server/testing/sharing.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

const password = 'abcd1234'
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const shots = process.env.SHOTS

test('a quotation is sent, opened without storage, seen live, and goes dark when taken back', async () => {
  const shop = await openShop(stage.server)
  const q = await approvedQuotation(shop)
  const { id, token } = await shareBy(shop.quoter, { kind: 'quotation', target_id: q.version_id, password })
  const desk = await stage.signIn('quoter', '/case/ShareList')
  await desk.waitForSelector('tbody tr:not(.skeleton)')
  await desk.getByText(`${q.code} 第 1 版`).first().click()
  await desk.getByText('还没有打开过。客户打开时这里会马上显示。').waitFor()
  const context = await stage.browser.newContext(PHONE)
  await context.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('refused', 'SecurityError')
        },
      })
  })
  const phone = await context.newPage()
  const failures: string[] = []
  phone.on('pageerror', (e) => failures.push(e.message))
  let bytes = 0
  phone.on(
    'response',
    (r) =>
      void r.body().then(
        (b) => (bytes += b.length),
        () => {},
      ),
  )
  await phone.goto(stage.server.url + previewOf(token))
  await phone.fill('#link-password', password)
  await phone.getByRole('button', { name: '打开' }).click()
  await phone.getByText('89,700.50').first().waitFor()
  await phone.getByText('看了哪些内容', { exact: false }).waitFor()
  await desk.locator('.share-opened').waitFor()
  await desk.getByText('这个浏览器不保存数据，分不出设备').first().waitFor()
  await phone.getByLabel('怎么称呼您').fill('陈女士')
  await phone.getByLabel('电话', { exact: true }).fill('13655551234')
  await phone.getByRole('button', { name: '请联系我' }).click()
  await phone.getByText('请先勾选同意，我们才能联系您').waitFor()
  await phone.check('.share-agree input')
  if (shots) {
    await phone.screenshot({ path: `${shots}/share-phone.png`, fullPage: true })
    await desk.screenshot({ path: `${shots}/share-list.png` })
  }
  await phone.getByRole('button', { name: '请联系我' }).click()
  await phone.getByText('会尽快联系您').waitFor()
  await shop.quoter.call(linksApi.revoke, { body: { id } })
  await phone.getByText('这个链接不能再看了').waitFor()
  expect(await phone.getByText('89,700.50').count()).toBe(0)
  expect(failures).toEqual([])
  expect(bytes).toBeGreaterThan(0)
  await eventually(() => desk.getByText('已收回').count()).toBeGreaterThan(0)
  await Promise.all([context.close(), desk.context().close()])
})

test('a version that was approved is sent from its list, and composed it shows as on a telephone', async () => {
  const desk = await stage.signIn('quoter', '/package/QuotationList')
  await desk.setViewportSize({ width: 1366, height: 768 })
  const row = desk.locator('tbody tr', { hasText: '已通过' }).first()
  await row.waitFor()
  const share = row.getByRole('button', { name: '分享' })
  if ((await share.count()) === 0) await row.getByRole('button', { name: '更多' }).click()
  await desk.getByText('分享', { exact: true }).first().click()
  await desk.getByRole('button', { name: '生成链接' }).click()
  await desk.getByText('复制到微信').waitFor()
  if (shots) await desk.screenshot({ path: `${shots}/share-drawer.png` })
  const board = await stage.signIn('quoter', '/customPreviewView')
  await board.setViewportSize({ width: 1366, height: 768 })
  await board.getByLabel('客户').first().fill('王女士')
  await board.locator('.ant-select-item-option').first().click()
  await board.getByRole('button', { name: '新编一份' }).click()
  await board.getByText('报价单', { exact: true }).first().click()
  await board.locator('.share-choices button').first().click()
  await board.getByRole('button', { name: '保存' }).click()
  await board.locator('.preview-phone').getByText('89,700.50').first().waitFor()
  if (shots) await board.screenshot({ path: `${shots}/preview.png` })
  await board.getByRole('button', { name: '发送' }).click()
  await board.getByRole('button', { name: '生成链接' }).click()
  await board.getByText('复制到微信').waitFor()
  await Promise.all([board.context().close(), desk.context().close()])
})

test('a community is said, what stands around it is seen, and a home put into what the customer gets', async () => {
  const begun = Date.now()
  const page = await stage.signIn('quoter', '/customPreviewView')
  await page.getByLabel('客户').first().fill('王女士')
  await page.locator('.ant-select-item-option').first().click()
  await page.getByRole('button', { name: '新编一份' }).click()
  await page.click('text=在地图上找')
  await page.fill('.place-search input', '良渚')
  await page.press('.place-search input', 'Enter')
  await page.waitForSelector('.point.here')
  const told = await page.innerText('.map-told')
  expect(told).toMatch(/^良渚文化村在建 \d+ 个、完工 \d+ 个；2 公里内/)
  const building = Number(/在建 (\d+) 个\s*完工/.exec(told.replaceAll('\n', ' '))![1])
  // The figure is the list's.
  await page.click('.map-told button >> nth=0')
  await page.waitForFunction((n) => document.querySelectorAll('.map-home').length === n, building)
  expect(page.url()).toContain('status=building')
  // A community is pressed: its homes alone; Escape: all again.
  const others = await page.locator('.point:not(.here)').count()
  expect(others).toBeGreaterThan(0)
  await page.click('.point.here')
  await page.waitForSelector('h2:has-text("良渚文化村（再点一次看全部）")')
  for (const words of await page.locator('.map-home small').allInnerTexts()) expect(words).toContain('本小区')
  await page.keyboard.press('Escape')
  await page.waitForFunction((n) => document.querySelectorAll('.map-home').length === n, building)
  await page.click('.map-home button:has-text("放进预览") >> nth=0')
  await page.waitForSelector('.map-home button:has-text("已放进预览")')
  await page.click('text=回到客户预览')
  await page.waitForSelector('.preview-items li >> nth=0')
  expect(await page.locator('.preview-items li').count()).toBe(1)
  console.log(`from a customer to a home nearby in their preview: ${(Date.now() - begun) / 1_000} s`)
  await page.context().close()
})
