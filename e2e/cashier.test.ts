import { randomUUID } from 'node:crypto'

import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../server/kit/shanghai.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

const drawer = (page: Page): Locator => page.locator('.ant-drawer-content-wrapper:visible').last()
const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
async function send(page: Page, name: string | RegExp): Promise<void> {
  await drawer(page).getByRole('button', { name }).click()
  await page.locator('.ant-drawer-content-wrapper:visible').waitFor({ state: 'hidden' })
}
const sure = (page: Page) =>
  page
    .locator('.ant-modal:visible')
    .getByRole('button', { name: /确\s*定/ })
    .click()
const shown = (page: Page) => page.locator('.main')
const says = (page: Page, words: string) =>
  eventually(async () => (await shown(page).innerText()).replaceAll(/\s+/g, ' ')).toContain(words)

/** A quotation of 20,000.00 that an examiner has approved; selling it is told in a story of its own. */
async function approved(): Promise<void> {
  const [quoter, examiner] = await Promise.all(['quoter', 'examiner'].map((name) => stage.server.as(name)))
  const [store] = await stage.server.sql<{ id: string; bc_id: string }>(
    `SELECT s.id, s.bc_id FROM stores s
     JOIN user_stores m ON m.store_id = s.id
     JOIN users u ON u.id = m.user_id AND u.user_name = 'quoter' LIMIT 1`,
  )
  const customer = await quoter!.call(customersApi.add, {
    body: {
      bc_id: store!.bc_id,
      store_id: store!.id,
      name: '褚先生',
      phone: '13712345678',
      community: '云栖里',
      address: '云栖里 1 幢 101',
    },
  })
  const { id } = await quoter!.call(quotationsApi.add, {
    body: {
      customer_id: customer.id,
      content: {
        area: '100',
        validUntil: addDays(shanghaiDay(stage.server.now()), 30),
        lines: [
          {
            id: randomUUID(),
            attribute: 3,
            contractAttribute: 2,
            name: '全屋改造',
            unit: '项',
            quantity: '1',
            price: '20000',
          },
        ] as never,
      },
    },
  })
  await quoter!.call(quotationsApi.submit, { body: { id, version: 0 } })
  const { list } = await examiner!.call(examineApi.list, { query: { examineState: [0] } })
  const request = list.find((r) => r.object_id === id)!
  await examiner!.call(examineApi.pass, {
    body: { id: request.id, version: request.version, hash: request.hash, reason: '' },
  })
}

test('a deposit by the cashier, a signature by the manager; a change moves the amount everywhere', async () => {
  await approved()
  const gm = await stage.signIn('branch_gm', '/contract/ContractList')
  await button(gm, '由报价单生成').click()
  await drawer(gm).getByRole('combobox').click()
  await gm
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: '褚先生' })
    .click()
  await drawer(gm).getByText('20,000.00 元', { exact: true }).waitFor()
  await send(gm, /确\s*定/)
  await says(gm, '合同额（元） 20,000.00 按报价，签约后确定')
  const address = new URL(gm.url()).hash.slice(1)
  // Money is the cashier's, the signature is not.
  const cashier = await stage.signIn('cashier', address)
  await button(cashier, '收定金').click()
  await drawer(cashier).getByLabel('收款金额（元）').fill('20000.01')
  await drawer(cashier)
    .getByRole('button', { name: /确\s*定/ })
    .click()
  await drawer(cashier).getByText('连同这次已收 20,000.01 元，超过报价总价 20,000.00 元').waitFor()
  await drawer(cashier).getByLabel('收款金额（元）').fill('5000')
  await send(cashier, /确\s*定/)
  await says(cashier, '已收 5,000.00')
  expect(await button(cashier, '签约').count()).toBe(0)
  // The manager's page hears of it.
  await says(gm, '已收 5,000.00')
  expect(await button(gm, '收定金').count()).toBe(0)
  await button(gm, '签约').click()
  await drawer(gm).getByText('用客户的地址：云栖里 1 幢 101').first().click()
  await drawer(gm).getByText('用客户的地址：云栖里 1 幢 101').click()
  await drawer(gm)
    .locator('input[type=file]')
    .setInputFiles({
      name: '签字版.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\n%%EOF'),
    })
  await drawer(gm).getByText('签字版').waitFor()
  await send(gm, /确\s*定/)
  await says(gm, '已签约')
  await says(gm, '全屋改造')
  // The site and its owner are there, with what the contract comes to.
  await gm.getByRole('link', { name: '云栖里 1 幢 101' }).click()
  await says(gm, '合同额 20,000.00 元，已收 5,000.00')
  expect(await shown(gm).innerText()).toMatch(/业主\s*褚先生/)
  expect(await shown(gm).innerText()).toContain('未开工')
  await eventually(() => shown(gm).innerText()).toMatch(/签约 HTHZ/)

  const quoter = await stage.signIn('quoter', address)
  await button(quoter, '增减项变更').click()
  await drawer(quoter).getByLabel('变更原因').fill('客户加定制鞋柜')
  await button(drawer(quoter), '不在商品库里（非标项）').click()
  await drawer(quoter).getByLabel('非标项名称').fill('定制鞋柜')
  await drawer(quoter).getByLabel('单位').fill('项')
  await drawer(quoter).getByLabel('数量').fill('1')
  await drawer(quoter).getByLabel('单价（元）').fill('2680.5')
  await send(quoter, '存为草稿')
  await says(quoter, '客户加定制鞋柜')
  await button(quoter, '提交审核').click()
  await sure(quoter)
  await says(quoter, '待审核')
  await says(quoter, '合同额（元） 20,000.00')
  const list = await stage.signIn('hq_ops', '/contract/ContractList')
  await says(list, '20,000.00')
  const examiner = await stage.signIn('examiner', '/package/ExamineList')
  await examiner.locator('.grid tbody tr:visible').filter({ hasText: '定制鞋柜' }).getByText('通过').click()
  await sure(examiner)
  for (const page of [quoter, cashier]) await says(page, '合同额（元） 22,680.50 含 1 次变更')
  for (const page of [list]) await says(page, '22,680.50')
  await says(gm, '合同额 22,680.50 元，已收 5,000.00，变更 1 次')
  expect(stage.problems).toEqual([])
}, 600_000)
