import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

const drawer = (page: Page): Locator => page.locator('.ant-drawer-content-wrapper:visible').last()
const field = (page: Page, name: string) => drawer(page).getByLabel(name, { exact: true })
async function ok(page: Page): Promise<void> {
  await drawer(page)
    .getByRole('button', { name: /确\s*定/ })
    .click()
  await page.locator('.ant-drawer-content-wrapper:visible').waitFor({ state: 'hidden' })
}
const sure = (page: Page) =>
  page
    .locator('.ant-modal:visible')
    .getByRole('button', { name: /确\s*定/ })
    .click()
async function choose(page: Page, label: string, option: string): Promise<void> {
  await drawer(page).getByRole('combobox', { name: label, exact: true }).last().click()
  await page.keyboard.type(option)
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: option })
    .first()
    .click()
}
const row = (page: Page, text: string) => page.locator('.grid tbody tr:visible').filter({ hasText: text })
const search = async (page: Page, text: string) => {
  await page.locator('input[type=search]:visible').fill(text)
  await eventually(() => page.locator('.pager:visible').innerText()).toMatch(/共 \d+ 条/)
}

test('a product is added for the branch, priced, and dearer from tomorrow on; a quoter sees no costs', async () => {
  const page = await stage.signIn('branch_gm', '/package/ProductList')
  await page.getByRole('button', { name: '新增', exact: true }).click()
  await field(page, '名称').fill('柔光地砖')
  await choose(page, '类别', '主材')
  await choose(page, '品类', '主材 / 地砖')
  await field(page, '品牌').fill('故事陶瓷')
  await field(page, '单位').fill('片')
  await field(page, '每包数量').fill('4')
  await ok(page)
  await search(page, '故事陶瓷')
  const one = row(page, '故事陶瓷')
  await one.getByText('未定价').waitFor()
  await one.getByRole('button', { name: '调价' }).click()
  await field(page, '售价（元/片）').fill('66.125')
  await field(page, '成本价（元/片）').fill('41.77')
  await field(page, '原因').fill('新品定价')
  await ok(page)
  await one.getByText('66.125').waitFor()
  await one.getByText('41.77').waitFor()
  // What is wrong is said at its field, and the drawer stays.
  await one.getByRole('button', { name: '调价' }).click()
  await field(page, '售价（元/片）').fill('-5')
  await field(page, '原因').fill('写错了')
  await drawer(page)
    .getByRole('button', { name: /确\s*定/ })
    .click()
  await drawer(page).getByText('售价应是不小于 0 的数字，不带逗号和单位').waitFor()
  await page.keyboard.press('Escape')
  await sure(page)
  await page.context().close()

  const quoter = await stage.signIn('quoter', '/package/ProductList?keyword=故事陶瓷')
  await row(quoter, '故事陶瓷').getByText('66.125').waitFor()
  expect(await quoter.locator('.grid:visible').innerText()).not.toMatch(/成本价|41\.77/)
  await row(quoter, '故事陶瓷').getByText('价格记录').click()
  await drawer(quoter).getByText('新品定价').waitFor()
  expect(await drawer(quoter).innerText()).not.toMatch(/成本价|41\.77/)
  await quoter.context().close()
}, 600_000)

test('a package is written, published and followed by its next version', async () => {
  const page = await stage.signIn('branch_gm', '/package/PackageList')
  await row(page, '大师定制').waitFor()
  // What is the group's is not changed from a branch, and says so.
  expect(await row(page, '大师定制').getByText('停用').getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('button', { name: '新增', exact: true }).click()
  await field(page, '套餐').fill('故事整装')
  await field(page, '每平米价（元）').fill('888.5')
  await field(page, '起装面积（㎡）').fill('80')
  await drawer(page).getByRole('button', { name: '加一行' }).click()
  await choose(page, '第 1 项商品', '故事陶瓷')
  await drawer(page).locator('.package-product', { hasText: '柔光地砖' }).waitFor()
  await field(page, '用量（片）').fill('1.56')
  await drawer(page).getByText('可换 0').click()
  await choose(page, '添加可换商品', 'SP00002')
  await drawer(page).getByLabel(/加价/).fill('20')
  await page.keyboard.press('Escape')
  await drawer(page).getByText('可换 1').waitFor()
  await ok(page)
  await row(page, '故事整装').getByRole('button', { name: '发布' }).click()
  await sure(page)
  await row(page, '故事整装').getByText('已发布').waitFor()
  await row(page, '故事整装').getByRole('button', { name: '编辑新版本' }).click()
  await field(page, '每平米价（元）').fill('999')
  await ok(page)
  await eventually(() => row(page, '故事整装').count()).toBe(2)
  await row(page, 'v1').filter({ hasText: '故事整装' }).getByText('888.50').waitFor()
  await row(page, 'v2')
    .filter({ hasText: '草稿' })
    .filter({ hasText: '故事整装' })
    .getByText('999.00')
    .waitFor()
  await page.context().close()
}, 600_000)

test('nothing went wrong on any of these pages', () => {
  expect(stage.problems).toEqual([])
})
