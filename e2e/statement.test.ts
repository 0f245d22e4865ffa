import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Delivery, lawsBroken, openDelivery } from '../server/testing/delivering.ts'
import { counted } from './count.ts'
import { button, drawer, row } from './hands.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let shop: Delivery
beforeAll(async () => {
  stage = await openStage()
  shop = await openDelivery(stage.server)
  const of = await shop.arrived({ name: '对账地砖', quantity: '10' }, { name: '对账木门', quantity: '2' })
  for (const [name, quantity] of [
    ['对账地砖', '10'],
    ['对账木门', '2'],
  ] as const)
    await shop.judge(of.note, [{ name, quantity, result: 2 }])
  // It was accepted last month, which is over.
  await stage.server.sql(
    `UPDATE owed_lines SET at = at - interval '1 month', month = (month - interval '1 month')::date`,
  )
}, 600_000)
afterAll(() => stage?.close())

const sure = (page: Page) => button(page.locator('.ant-modal:visible'), '确定').click()
const paper = (page: Page) => page.locator('.statement:visible')
const state = (page: Page, words: string) => paper(page).locator('h2').getByText(words).waitFor()
const total = async (page: Page, name: string) =>
  (await paper(page).locator('tfoot tr').filter({ hasText: name }).last().innerText()).replaceAll(/\s+/g, ' ')
async function pass(object_id: string): Promise<void> {
  const { list } = await shop.examiner.call(examineApi.list, { query: { object_id } })
  const { hash, id, version } = list[0]!
  await shop.examiner.call(examineApi.pass, { body: { id, version, hash, reason: '' } })
}

test('a merchant disputes a line of last month’s statement; both settle it, a part is paid', async () => {
  const clerk = await stage.signIn('order_clerk', '/system/OrderUnits')
  const spent = await counted(clerk, 'a statement made, sent, revised and sent again by the clerk')
  await button(row(clerk, '建材商家'), '对账单').click()
  await clerk.getByText('本月还没有结束，截至').waitFor()
  await button(clerk, '上个月').click()
  await paper(clerk).getByText('对账木门').waitFor()
  expect(await total(clerk, '应付')).toBe('应付 360.00')
  await clerk.getByRole('button', { name: /^生成.*对账单$/ }).click()
  await state(clerk, '草稿')
  await button(clerk, '发给对方确认').click()
  await sure(clerk)
  await state(clerk, '待对方确认')

  const merchant = await stage.signIn('supplier', '/order/StatementList')
  const answering = await counted(merchant, 'a merchant disputes a line, then confirms')
  await row(merchant, '待对方确认').locator('a').first().click()
  await button(merchant, '提出异议').click()
  await drawer(merchant).getByLabel('对账木门 的异议').fill('送了 3 樘，少算一樘')
  await button(drawer(merchant), '提出异议').click()
  await state(merchant, '有异议')

  // The clerk's open page says so by itself, and at which line.
  await state(clerk, '有异议')
  await paper(clerk).getByText('异议：送了 3 樘，少算一樘').waitFor()
  await button(clerk, '修改后重发').click()
  await sure(clerk)
  await button(clerk, '加手工行').click()
  await drawer(clerk).getByText('差价', { exact: true }).click()
  await drawer(clerk).getByText('加给商家', { exact: true }).click()
  await drawer(clerk).getByLabel('金额（元）').fill('30')
  await drawer(clerk).getByLabel('说明').fill('多送一樘木门，按价收下')
  await button(drawer(clerk), '提交审核').click()
  await paper(clerk).getByText('待审核的手工行').waitFor()
  const { list } = await shop.clerk.call(statementsApi.list, { query: {} })
  const { charges, id } = await shop.clerk.call(statementsApi.details, { query: { id: list[0]!.id } })
  await pass(charges[0]!.id)
  // Approved elsewhere, it is a line of the open paper.
  await eventually(() => total(clerk, '应付')).toBe('应付 390.00')
  await button(clerk, '发给对方确认').click()
  await sure(clerk)
  await state(clerk, '待对方确认')
  await paper(clerk).getByText('第 2 轮').waitFor()
  expect((await spent.said()).clicks).toBeLessThanOrEqual(15)

  await state(merchant, '待对方确认')
  await paper(merchant).getByText('多送一樘木门').waitFor()
  await button(merchant, '确认').click()
  await sure(merchant)
  await state(merchant, '已确认')
  expect((await answering.said()).clicks).toBeLessThanOrEqual(6)
  expect(await merchant.getByRole('button', { name: '登记付款' }).count()).toBe(0)

  const cashier = await stage.signIn('cashier', `/order/StatementList?id=${id}`)
  const paying = await counted(cashier, 'a cashier pays a part')
  await button(cashier, '登记付款').click()
  expect(await drawer(cashier).getByLabel('付款金额（元）').inputValue()).toBe('390.00')
  await drawer(cashier).getByLabel('付款金额（元）').fill('200')
  await drawer(cashier)
    .getByRole('button', { name: /确\s*定/ })
    .click()
  await eventually(() => total(cashier, '未付')).toBe('未付 190.00')
  expect((await paying.said()).clicks).toBeLessThanOrEqual(4)
  await eventually(() => total(merchant, '已付')).toBe('已付 200.00')
  expect(stage.problems).toEqual([])
  expect(await lawsBroken(stage.server)).toEqual([])
}, 600_000)
