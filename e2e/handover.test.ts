import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openDeals } from '../server/testing/dealing.ts'
import { counted } from './count.ts'
import { button, drawer, inDays, row } from './hands.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let place: { bc_id: string; store_id: string }
const ids: Record<string, string> = {}
beforeAll(async () => {
  stage = await openStage()
  place = (
    await stage.server.sql<typeof place>(
      `SELECT s.bc_id, s.id AS store_id FROM users u JOIN user_stores t ON t.user_id = u.id
       JOIN stores s ON s.id = t.store_id WHERE u.user_name = 'sales' ORDER BY s.name LIMIT 1`,
    )
  )[0]!
  for (const u of await stage.server.sql<{ user_name: string; id: string }>(
    'SELECT user_name, id FROM users',
  ))
    ids[u.user_name] = u.id
})
afterAll(() => stage?.close())
const ok = (of: Parameters<typeof drawer>[0]) => drawer(of).getByRole('button', { name: /确\s*定/ })
const add = async (name: string, phone: string, more: object = {}) => {
  const gm = await stage.server.as('branch_gm')
  const body = {
    ...place,
    name,
    phone,
    community: '云栖里',
    address: '6 幢 602',
    consultant_id: ids.sales!,
    ...more,
  }
  return (await gm.call(api.customers.add, { body })).id
}

test('a lead to its hand-over: the deposit is the cashier’s to take, the sheet the steward’s to confirm', async () => {
  const { server } = stage
  const id = await add('陈交底', '13577770001')
  const shop = await openDeals(server)
  const quotation = await shop.quoter.call(api.quotations.add, {
    body: { customer_id: id, content: shop.content() },
  })
  await shop.submit(quotation.id)
  await shop.judge(quotation.id)
  // The consultant writes down what the site has to know.
  const sales = await stage.signIn('sales', `/customer/CustomerInfo?id=${id}`)
  const story = await counted(sales, 'consultant: what the site has to know')
  await button(sales, '填写').click()
  await drawer(sales).locator('[data-field=taste] textarea').fill('原木色，少吊顶')
  await drawer(sales).locator('[data-field=fears] textarea').fill('怕拖工期')
  await ok(sales).click()
  await sales.getByText('怕拖工期').waitFor()
  await button(sales, '登记承诺').click()
  await drawer(sales).getByText('材料', { exact: true }).click()
  await drawer(sales).locator('[data-field=content] textarea').fill('瓷砖按样板间的型号')
  await drawer(sales).locator('[data-field=due] input').fill(inDays(40))
  await ok(sales).click()
  await sales.getByText('瓷砖按样板间的型号').waitFor()
  expect((await story.said()).seconds).toBeLessThan(120)
  // Taking money is not theirs: the card asks the cashier, and a call of theirs is refused.
  await sales.evaluate(() => (location.hash = '#/customer/CustomerList?view=board'))
  const column = (name: string) => sales.getByRole('region', { name, exact: true })
  await column('已报价').locator('li', { hasText: '陈交底' }).dragTo(column('定金'))
  await ok(sales).click()
  await sales.getByText(/^已告诉/).waitFor()
  const gm = await server.as('branch_gm')
  const { version } = await shop.seen(quotation.id)
  const contract = await gm.call(api.contracts.add, { body: { id: quotation.id, version } })
  const theirs = await shop.pay(contract.id, '3000', {}, await server.as('sales'))
  expect(theirs.code).toBe(401)
  expect((await shop.pay(contract.id, '3000')).code).toBe(200)
  const signed = await shop.sign(contract.id)
  const site = signed.data.site_id
  const [w] = await server.sql<{ version: number }>('SELECT version FROM sites WHERE id = $1', [site])
  await gm.call(api.sites.people, {
    body: { id: site, version: w!.version, steward_id: ids.steward!, manager_id: ids.pm! },
  })
  // The steward asks back, the consultant answers, the steward confirms.
  const steward = await stage.signIn('steward', `/SiteInfo?id=${site}`)
  await button(steward, '看交底单').click()
  await drawer(steward).getByText('原木色，少吊顶').waitFor()
  await drawer(steward).getByText('瓷砖按样板间的型号').waitFor()
  if (process.env.SHOTS) await steward.screenshot({ path: `${process.env.SHOTS}/sheet.png` })
  await button(drawer(steward), '问顾问').click()
  await drawer(steward).locator('[data-field=text] textarea').fill('窗帘盒要不要留')
  await ok(steward).click()
  await steward.getByText('等顾问答复').waitFor()
  await sales.evaluate((to) => (location.hash = to), `#/customer/CustomerInfo?id=${id}`)
  await button(sales, '看交底单').click()
  await button(drawer(sales), '答复').click()
  await drawer(sales).locator('[data-field=text] textarea').fill('要留，客厅和主卧')
  if (process.env.SHOTS) await sales.screenshot({ path: `${process.env.SHOTS}/answer.png` })
  await ok(sales).click()
  await drawer(sales).getByText('要留，客厅和主卧').waitFor()
  await steward.reload()
  await button(steward, '看交底单').click()
  await drawer(steward).getByText('要留，客厅和主卧').waitFor()
  await button(drawer(steward), '确认交底').click()
  await steward
    .locator('.ant-modal:visible')
    .getByRole('button', { name: /确\s*(定|认)/ })
    .click()
  await drawer(steward).getByText('已确认').waitFor()
  if (process.env.SHOTS) await steward.screenshot({ path: `${process.env.SHOTS}/confirmed.png` })
  expect(stage.problems).toEqual([])
})

test('husband and wife are one home: proposed by the address, merged side by side, the old link leads on', async () => {
  const wife = await add('许静', '13577770002', { community: '合并里' })
  const husband = await add('周明远', '13577770003', {
    community: '合并里',
    address: '6幢602',
    style: '现代',
  })
  const page = await stage.signIn('branch_gm', `/customer/CustomerInfo?id=${husband}`)
  await page.getByText('地址相同').waitFor()
  const story = await counted(page, 'manager: husband and wife merged')
  await page.evaluate(() => (location.hash = '#/customer/CustomerList?keyword=周明远'))
  await row(page, '周明远').getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '合并' }).click()
  await drawer(page).locator('.ant-select').first().click()
  await page.keyboard.type('许静')
  await page.locator('.ant-select-item-option:visible', { hasText: '许静' }).click()
  await drawer(page)
    .locator('[data-field=reason] textarea, [data-field=reason] input')
    .fill('夫妻两人各留了电话')
  await ok(page).click()
  await page.getByText('已合并').waitFor()
  expect((await story.said()).seconds).toBeLessThan(60)
  await page.evaluate((to) => (location.hash = to), `#/customer/CustomerInfo?id=${husband}`)
  await page.reload()
  await page.getByText('并入的').waitFor()
  await page.getByText('许静').first().waitFor()
  const kept = await (await stage.server.as('sales')).call(api.customers.details, { query: { id: husband } })
  expect(kept).toMatchObject({ id: wife, merged: ['周明远'] })
  expect(kept.contacts.map((c) => c.name)).toEqual(['周明远'])
  expect(stage.problems).toEqual([])
})
