import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openShop, type Shop } from '../server/testing/selling.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let shop: Shop
beforeAll(async () => {
  stage = await openStage()
  shop = await openShop(stage.server)
})
afterAll(() => stage?.close())

const row = (page: Page, number: string) => page.locator('tbody tr', { hasText: number })
const panel = (page: Page) => page.locator('.ant-drawer-body')
const sure = (page: Page) => page.click('.ant-modal button:has-text("确定")')
const open = async (who: string, query = '?todo=true') => {
  const page = await stage.signIn(who, `/package/ExamineList${query}`)
  await page.waitForSelector('tbody tr:not(.skeleton)')
  return page
}

test('by keyboard: the difference to what was refused, then approved; who submitted it is told', async () => {
  const id = await shop.draft()
  const first = await shop.submit(id)
  const page = await open('examiner')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await panel(page).locator(`text=89,700.50`).first().waitFor()
  await page.click('.ant-drawer-footer button:has-text("驳回")')
  await page.fill('.ant-modal textarea', '酒柜没有报')
  await sure(page)
  await eventually(() => row(page, first.number).count()).toBe(0)
  await page.keyboard.press('Escape')

  await shop.revise(id, (was) => ({
    lines: [...was.lines.slice(0, 2), shop.extra('定制酒柜', '1', '5200')] as never,
  }))
  await shop.submit(id)
  // It comes by itself.
  await row(page, first.number).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const said = panel(page)
  const judged = said.locator('.judged-lines tbody tr', { hasText: '定制酒柜' })
  await judged.locator('text=非标').waitFor()
  expect(await judged.innerText()).toMatch(/5,200\.00/)
  expect(await said.locator('h3', { hasText: '要判断的行' }).innerText()).toContain('非标项 1 行')
  const text = await said.innerText()
  for (const words of ['已驳回', '酒柜没有报', '+5,099.50', '+5,200.00', '-100.50', '94,800.00'])
    expect(text).toContain(words)
  expect(text).toMatch(/删去\s+客厅\s+店里乳胶漆/)
  await page.click('.ant-drawer-footer button:has-text("通过")')
  await page.fill('.ant-modal textarea', '可以签')
  await sure(page)
  await eventually(async () => (await shop.seen(id)).status).toBe(3)
  await page.context().close()
  const quoter = await stage.signIn('quoter')
  await quoter.click('button[aria-label*="通知"]')
  await quoter.waitForSelector(`text=报价单 ${first.number} 已通过审核：可以签`)
  await quoter.context().close()
})

test('the queue goes on by itself: next and before inside the panel, after the deed what took its place', async () => {
  const numbers: string[] = []
  for (let i = 0; i < 4; i++) numbers.push((await shop.submit(await shop.draft())).number)
  const page = await open('examiner')
  const title = () => page.locator('.ant-drawer-title').innerText()
  const rows = await page.locator('tbody tr').allInnerTexts()
  const inOrder = rows.map((text) => numbers.find((n) => text.includes(n))!)
  expect(inOrder.slice().sort()).toEqual(numbers.slice().sort())
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await eventually(title).toContain(inOrder[0])
  await page.keyboard.press('j')
  await eventually(title).toContain(inOrder[1])
  await page.click('.queue-steps button:has-text("上一条")')
  await eventually(title).toContain(inOrder[0])
  await page.click('.queue-steps button:has-text("下一条")')
  await eventually(title).toContain(inOrder[1])
  // Passed: the third has taken its place, and the list behind is whole.
  const pass = async () => {
    await page.click('.ant-drawer-footer button:has-text("通过")')
    await page.fill('.ant-modal textarea', '可以')
    await page.keyboard.press('Control+Enter')
    // While it stands there, keys and clicks are its own.
    await page.locator('.ant-modal').waitFor({ state: 'detached' })
  }
  await pass()
  await eventually(title).toContain(inOrder[2])
  expect(await page.locator('tbody tr').count()).toBe(3)
  // The last of the page: the one before it.
  await page.keyboard.press('j')
  await eventually(title).toContain(inOrder[3])
  await pass()
  await eventually(title).toContain(inOrder[2])
  await page.keyboard.press('Escape')
  // From the keyboard alone: two picked, asked once with what they come to.
  await page.locator('.ant-drawer-open').waitFor({ state: 'detached' })
  for (const key of ['k', 'k', 'x', 'x']) await page.keyboard.press(key)
  await page.click('button:has-text("批量通过")')
  await page.locator('.ant-modal', { hasText: '通过选中的 2 条，金额合计 179,401.00 元' }).waitFor()
  await page.keyboard.press('Enter')
  await eventually(() => page.locator('tbody tr').count()).toBe(0)
  await page.context().close()
})

test('what has changed since it was submitted is not approved, and the page says why', async () => {
  const id = await shop.draft()
  const { number } = await shop.submit(id)
  const page = await open('examiner')
  await row(page, number).locator('td').nth(3).click()
  await panel(page).locator('text=打开报价单').waitFor()
  await stage.server.sql(
    `UPDATE quotation_lines l SET price = price + 1 FROM quotation_versions v
     WHERE v.quotation_id = $1 AND l.version_id = v.id`,
    [id],
  )
  await page.click('.ant-drawer-footer button:has-text("通过")')
  await sure(page)
  await page.waitForSelector('text=提交以后内容有变动，不能通过')
  expect((await shop.seen(id)).status).toBe(2)
  await page.context().close()
})

test('columns as wide as one may be: the table comes to rest at every width of the window', async () => {
  const { number } = await shop.submit(await shop.draft())
  await stage.server.sql(
    `UPDATE examine_requests SET summary = repeat('一段很长的摘要', 9), change = repeat('一段很长的变化', 9)
     WHERE number = $1`,
    [number],
  )
  const page = await open('examiner')
  for (let width = 1100; width <= 1500; width += 20) {
    await page.setViewportSize({ width, height: 768 })
    await row(page, number).waitFor()
  }
  expect(await page.locator('text=页面出错了').count()).toBe(0)
  await page.context().close()
})

test('one’s own stands there and says who could; a batch approves the others and names it', async () => {
  const own = await shop.submit(await shop.draft(shop.admin), shop.admin)
  const good = await shop.submit(await shop.draft())
  const page = await open('admin', '?examineState=0')
  await row(page, own.number).locator('button:has-text("通过")').dispatchEvent('click')
  await page.waitForSelector('text=自己提交的不能自己审核，请由他人审核')
  for (const { number } of [own, good]) await row(page, number).locator('input[type=checkbox]').check()
  await page.click('button:has-text("批量通过")')
  await page.locator('.ant-modal', { hasText: '通过选中的 2 条，金额合计 179,401.00 元' }).waitFor()
  await sure(page)
  const left = page.locator('.ant-modal')
  await left.locator('text=已通过 1 条，1 条没有通过').waitFor()
  expect(await left.innerText()).toMatch(new RegExp(`${own.number}[^]*自己提交的不能自己审核`))
  await page.click('.ant-modal button:has-text("知道了")')
  const { list } = await shop.examiner.call(examineApi.list, { query: { examineState: '0' } })
  expect(list.map((r) => r.number)).toContain(own.number)
  expect(list.map((r) => r.number)).not.toContain(good.number)
  await page.context().close()
  expect(stage.problems).toEqual([])
})
