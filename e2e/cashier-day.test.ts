import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Deals, openDeals } from '../server/testing/dealing.ts'
import { counted } from './count.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let deals: Deals
beforeAll(async () => {
  stage = await openStage()
  deals = await openDeals(stage.server)
})
afterAll(() => stage?.close())

const drawer = (page: Page): Locator => page.locator('.ant-drawer-content-wrapper:visible').last()
const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
const shown = async (page: Page) => (await page.locator('.main').innerText()).replaceAll(/\s+/g, ' ')
const says = (page: Page, words: string) => eventually(() => shown(page)).toContain(words)
const row = (page: Page, words: string) => page.locator('.grid tbody tr:visible').filter({ hasText: words })
async function send(page: Page, name: string | RegExp): Promise<void> {
  await drawer(page).getByRole('button', { name }).click()
  await page.locator('.ant-drawer-content-wrapper:visible').waitFor({ state: 'hidden' })
}

test('the cashier’s day: what is due, a receipt, a refund that is owed, and the drawer’s total', async () => {
  const { changed, contract, judge, pay, signed } = deals
  const [owing, owed] = [await signed(), await signed()]
  await pay(owed, '89700.50', { method: 'transfer' })
  const paint = (await contract(owed)).items.find((i) => i.name === '店里乳胶漆')!
  expect((await changed(owed, [{ attribute: 4, item_id: paint.id, quantity: '1' }])).msg).toBe('')
  const [due, back] = [await contract(owing), await contract(owed)]

  const page = await stage.signIn('cashier', '/HomeMaster')
  const day = await counted(page, 'the cashier’s day')
  // What is due stands on the card; the list behind it takes the money.
  // At its title: rows of their own stand in the middle of a card.
  await page.getByRole('link', { name: /^本周应收/ }).click({ position: { x: 24, y: 16 } })
  await row(page, due.code).getByText('26,910.15').first().waitFor()
  await button(row(page, due.code), '收款').click()
  await drawer(page).getByLabel('收款金额（元）').fill('26910.15')
  await drawer(page).getByText('现金', { exact: true }).click()
  await send(page, /确\s*定/)

  await eventually(() => row(page, due.code).count()).toBe(0)
  // What is owed to a customer is one click away, and the refund is asked for.
  await page.getByRole('link', { name: '应退客户' }).click()
  await row(page, back.code).getByRole('link', { name: back.code }).click()
  await says(page, '应退客户 33.50')
  await button(page, '退款').click()
  await drawer(page).getByLabel('退款金额（元）').fill('33.5')
  await drawer(page).getByText('现金', { exact: true }).click()
  await drawer(page).locator('textarea').fill('退掉一桶漆')
  await send(page, '提交审核')
  await says(page, '退款待审核')
  const { refunds } = await contract(owed)
  expect((await judge(refunds[0]!.id)).msg).toBe('')
  await eventually(() => shown(page)).not.toContain('退款待审核')
  // The evening: by way of payment, as of the second that it says.
  await page.click('[aria-label="展开合同签约"]')
  await page.getByRole('link', { name: '收退款流水' }).first().click()
  await button(page, '流水').click()
  await says(page, '现金（抽屉） 26,876.65')
  await says(page, '收款 116,610.65 退款 33.50 净收 116,577.15')
  expect(await shown(page)).toMatch(/截至 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d，只算已入账的/)
  const { clicks } = await day.said()
  expect(clicks).toBeLessThan(20)
  expect(stage.problems).toEqual([])
}, 600_000)
