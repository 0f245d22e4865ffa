import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Delivery, lawsBroken, openDelivery } from '../server/testing/delivering.ts'
import { drawer, row } from './hands.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let sold: Awaited<ReturnType<Delivery['sold']>>
beforeAll(async () => {
  stage = await openStage()
  const delivery = await openDelivery(stage.server)
  sold = await delivery.sold(
    { name: '故事地砖', quantity: '120', price: '66', cost: '40' },
    { name: '故事木门', quantity: '3', price: '1880', cost: '1299.99' },
    { name: '故事辅料', quantity: '10', byBranch: true },
  )
})
afterAll(() => stage?.close())

const line = (page: Page, name: string) => drawer(page).locator(`li[aria-label="${name}"]`)
const quantity = (page: Page, name: string) => line(page, name).locator('input').last()
async function ok(page: Page): Promise<void> {
  await drawer(page)
    .getByRole('button', { name: /确\s*定/ })
    .click()
  await page.locator('.ant-drawer-content-wrapper:visible').waitFor({ state: 'hidden' })
}
/** The figures of a line's track on the page of its order. */
const track = (page: Page, name: string) =>
  page.locator('.order-lines tbody tr').filter({ hasText: name }).locator('.order-track').innerText()

let code: string
test('a clerk orders goods of one contract from the plan: an order a receiver, the rest of a line later', async () => {
  const page = await stage.signIn('order_clerk', '/order/OrderPlan?keyword=故事')
  for (const name of ['故事地砖', '故事木门', '故事辅料'])
    await row(page, name).getByLabel('选择这一行').check()
  await page.getByRole('button', { name: '按商家合并下单' }).click()
  await drawer(page).getByText('下单（2 张）').waitFor()
  // More than is open is not sent, and the field says how much is.
  await quantity(page, '故事地砖').fill('121')
  await line(page, '故事地砖').getByText('最多 120').waitFor()
  expect(await drawer(page).getByRole('button', { name: '下单（2 张）' }).isDisabled()).toBe(true)
  await quantity(page, '故事地砖').fill('100')
  await drawer(page).getByLabel('备注').fill('电梯要预约')
  await drawer(page).getByRole('button', { name: '下单（2 张）' }).click()
  const told = page.locator('.ant-modal:visible')
  await told.getByText('已下单 2 张').waitFor()
  const links = await told.getByRole('link').allInnerTexts()
  expect(links).toHaveLength(2)
  await told.getByRole('button', { name: '知道了' }).click()
  // What was not ordered is still to be ordered.
  await eventually(() => row(page, '故事地砖').innerText()).toContain('20 片')
  await eventually(() => row(page, '故事木门').count()).toBe(0)

  await page.evaluate(() => (location.hash = '#/order/OrderList'))
  code = (await row(page, '杭州建材商家').locator('a.name').innerText()).trim()
  expect(links).toContain(code)
  // 100 × 40 + 3 × 1299.99
  await row(page, code).getByText('7,899.97').waitFor()
  await row(page, code).locator('a.name').click()
  await page.locator('.order-turn').getByText('杭州建材商家').waitFor()
  expect(await track(page, '故事地砖')).toMatch(/已下单\s*已接单\s*已发货\s*已送达\s*已验收/)
  await page.context().close()
}, 600_000)

test('the supplier splits off what it does not have, accepts the rest, and both orders know each other', async () => {
  const page = await stage.signIn('supplier', '/order/ReceiveOrder')
  await row(page, code).getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '拆单' }).click()
  await quantity(page, '故事木门').fill('1')
  await ok(page)
  await eventually(() => page.locator('.grid tbody tr:visible').count()).toBe(2)
  // The number of what was split off begins with its parent's.
  const rows = page.locator('.grid tbody tr:visible')
  const parent = rows.filter({ has: page.getByRole('link', { name: code, exact: true }) })
  await parent.getByRole('button', { name: '接单' }).click()
  await line(page, '故事木门').getByText('2 片').waitFor()
  await ok(page)
  await parent.getByText('已接单').waitFor()
  await parent.locator('a.name').click()
  await page.getByText('拆出订单').waitFor()
  await page.locator('.order-lines').getByText('故事木门').waitFor()
  await page.locator('.facts .wrapping a').click()
  await page.getByText('由此拆出').waitFor()
  await page.getByRole('link', { name: code, exact: true }).waitFor()
  await page.getByRole('button', { name: '拒单' }).click()
  await drawer(page).getByRole('combobox', { name: '拒单原因' }).click()
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: '缺货' }).click()
  await drawer(page).getByLabel('说明').fill('厂家断货到月底')
  await ok(page)
  await page.getByText('缺货：厂家断货到月底').waitFor()
  await page.context().close()

  const acceptor = await stage.signIn('acceptor', `/order/OrderList?site_id=${sold.site}`)
  await row(acceptor, code).first().waitFor()
  expect(await acceptor.locator('.grid:visible').innerText()).not.toMatch(/金额|7,899/)
  await acceptor.context().close()
  expect(await lawsBroken(stage.server)).toEqual([])
}, 600_000)

test('what was refused is held until the clerk releases it, and is ordered anew then', async () => {
  const page = await stage.signIn('order_clerk', '/order/OrderPlan?keyword=故事木门')
  await row(page, '故事木门').getByText('已拒单 1').waitFor()
  expect(await row(page, '故事木门').getByLabel('选择这一行').isDisabled()).toBe(true)
  await page.evaluate(() => (location.hash = '#/order/OrderList?receiveState=1'))
  await row(page, code).getByRole('button', { name: '释放' }).click()
  const asked = page.locator('.ant-modal:visible')
  await asked.getByRole('textbox').fill('改向别家')
  await asked.getByRole('button', { name: /确\s*定/ }).click()
  // It is over, and no longer among those that were refused.
  await row(page, code).waitFor({ state: 'detached' })
  await page.evaluate(() => (location.hash = '#/order/OrderList?ended=released'))
  await row(page, code).getByText('已释放').waitFor()
  await page.evaluate(() => (location.hash = '#/order/OrderPlan?keyword=故事木门'))
  await eventually(() => row(page, '故事木门').getByLabel('选择这一行').isEnabled()).toBe(true)
  expect(await row(page, '故事木门').innerText()).not.toContain('已拒单')
  await page.context().close()
  expect(await lawsBroken(stage.server)).toEqual([])
}, 600_000)

test('nothing went wrong on any of these pages', () => {
  expect(stage.problems).toEqual([])
})
