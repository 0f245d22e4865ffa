import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Delivery, lawsBroken, openDelivery } from '../server/testing/delivering.ts'
import { pdfText } from '../server/testing/pdf-text.ts'
import { button, drawer, inDays, photoOf, row } from './hands.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let shop: Delivery
let code: string
beforeAll(async () => {
  stage = await openStage()
  shop = await openDelivery(stage.server)
  const { items } = await shop.sold({ name: '故事地砖', quantity: '20' })
  const { orders } = await shop.place([{ item_id: items.故事地砖!, quantity: '20' }])
  code = (await shop.accept(orders[0]!.id)).notes[0]!.code
}, 600_000)
afterAll(() => stage?.close())

const plannedOn = (note: string) =>
  shop.supplier
    .call(dispatchApi.list, { query: { keyword: note } })
    .then(({ list }) => list.map((n) => n.plannedOn))

let rest: string
test('a supplier ships a part with a trip made in place; the rest stands on a note of its own', async () => {
  const page = await stage.signIn('supplier', '/dispatch/DispatchList')
  await button(row(page, code), '发货').click()
  const quantity = drawer(page).getByLabel('发货数量')
  await quantity.fill('21')
  await drawer(page).getByText('最多 20').waitFor()
  expect(await button(drawer(page), '发货').isDisabled()).toBe(true)
  await quantity.fill('12')
  await drawer(page).getByText('集中配送').click()
  await button(drawer(page), '新建车次').click()
  await drawer(page).getByLabel('车牌').fill('浙a66666')
  await button(drawer(page), '保存车次').click()
  await drawer(page).getByText('浙A66666').waitFor()
  // Nobody leads this site: the driver of several stops has to be told whom to call.
  await button(drawer(page), '发货').click()
  await drawer(page).getByText('集中配送要填联系人').waitFor()
  await drawer(page).getByLabel('联系人').fill('小方')
  await drawer(page).getByLabel('联系电话').fill('13900002222')
  await button(drawer(page), '发货').click()
  rest = (await page.getByText(`${code} 已发货，余下的在`).innerText()).split('余下的在 ')[1]!.trim()
  await row(page, rest).getByText('待发货').waitFor()
  await page.context().close()
}, 600_000)

test('a part of it is handed over, and its note shows the picture', async () => {
  const page = await stage.signIn('supplier', '/dispatch/DispatchList')
  await button(row(page, code).filter({ hasText: '已发货' }), '部分交货').click()
  await drawer(page).getByLabel('交货数量').fill('5')
  await drawer(page).getByLabel('没交完的原因').fill('楼上没地方放')
  await drawer(page)
    .locator('input[type=file]')
    .first()
    .setInputFiles(await photoOf('送达.jpg', 3))
  await drawer(page).locator('.drop-shot').waitFor()
  await drawer(page).getByLabel('地点').fill('3 幢门口')
  await button(drawer(page), '确定').click()
  const made = (await page.getByText('等待验收').first().innerText()).match(/交到的在 (\S+)/)![1]!
  await row(page, made).locator('.name').first().click()
  await drawer(page).getByText('送达凭证').waitFor()
  await drawer(page).getByText('3 幢门口').first().waitFor()
  await page.keyboard.press('Escape')
  expect(await lawsBroken(stage.server)).toEqual([])
  await page.context().close()
}, 600_000)

test('the delivery note on paper: parties, goods, whole places to sign, and which page of how many', async () => {
  const page = await stage.signIn('supplier', '/dispatch/DispatchList')
  await row(page, rest).locator('.name').first().click()
  // What the browser would print stays on the page until it has been looked at.
  await page.evaluate(() => (window.print = () => {}))
  await button(drawer(page), '打印').click()
  const alone = page.getByRole('button', { name: '只打印' })
  const paperNow = page.locator('.note-paper')
  await alone.or(paperNow).first().waitFor({ state: 'attached' })
  if (await alone.count()) await alone.click()
  await paperNow.waitFor({ state: 'attached' })
  const [paper, ...more] = (await pdfText(await page.pdf({ preferCSSPageSize: true }))).map((text) =>
    // The browser names some signs by their radicals.
    text.normalize('NFKC').replaceAll('⻚', '页').replaceAll(/\s+/g, ''),
  )
  expect(more).toEqual([])
  for (const words of ['送货单', rest, '发货方', '收货方', '故事地砖', '送货人：', '收货人：', '第1/1页'])
    expect(paper).toContain(words.normalize('NFKC'))
  await page.context().close()
}, 600_000)

/** Goods come in ten days: towards the end of a month that is on the next leaf. */
async function leafOf(page: Page): Promise<void> {
  if (inDays(10).slice(0, 7) !== inDays(0).slice(0, 7)) await button(page, '往后').click()
}

test('whoever plans gives another day with a reason; headquarters see the day and cannot change it', async () => {
  const page = await stage.signIn('supplier', '/dispatch/ArrivalCalendar')
  await leafOf(page)
  const entry = page.locator('.arrival-event').filter({ hasText: '待发货' })
  await entry.first().focus()
  await page.keyboard.press('Enter')
  await page.locator('.arrival-card').getByText(rest).waitFor()
  await button(page.locator('.arrival-card'), '改日期').click()
  const later = inDays(30)
  await drawer(page).getByLabel('预计到达').fill(later)
  await drawer(page).getByLabel('原因').fill('业主改到年底收货')
  await button(drawer(page), '确定').click()
  await page.getByText(`已改到 ${later} 到货`).waitFor()
  await eventually(() => plannedOn(rest)).toEqual([later])
  await page.context().close()

  const other = await stage.signIn('hq_ops', '/dispatch/ArrivalCalendar')
  await leafOf(other)
  await other.locator('.arrival-event').filter({ hasText: '已发货' }).first().click()
  await other.locator('.arrival-card').getByText(code).waitFor()
  expect(await other.getByRole('button', { name: '改日期' }).count()).toBe(0)
  await other.context().close()
  expect(stage.problems).toEqual([])
}, 600_000)
