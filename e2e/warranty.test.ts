import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Delivery, lawsBroken, openDelivery } from '../server/testing/delivering.ts'
import { counted } from './count.ts'
import { button, drawer, photoOf, row } from './hands.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let shop: Delivery
let of: Awaited<ReturnType<Delivery['arrived']>>
beforeAll(async () => {
  stage = await openStage()
  shop = await openDelivery(stage.server)
  of = await shop.arrived({ name: '售后地砖', quantity: '10' })
  await shop.judge(of.note, [{ name: '售后地砖', quantity: '10', result: 2 }])
  await finish(of.site)
}, 600_000)
afterAll(() => stage?.close())

/** Every stage is done, and the site's people finish it. */
async function finish(id: string): Promise<void> {
  const { server } = stage
  const [people] = await server.sql<{ manager: string; steward: string }>(
    `SELECT (SELECT id FROM users WHERE user_name = 'pm') AS manager,
       (SELECT id FROM users WHERE user_name = 'steward') AS steward`,
  )
  const site = () => shop.gm.call(sitesApi.details, { query: { id } })
  await shop.gm.call(sitesApi.people, {
    body: { id, version: (await site()).version, manager_id: people!.manager, steward_id: people!.steward },
  })
  await server.sql(`UPDATE sites SET status = 1, progress = 100, stage = 'handover' WHERE id = $1`, [id])
  await server.sql(
    `UPDATE site_stages SET actual_start = :today, actual_finish = :today WHERE site_id = $1`,
    [id],
  )
  const { version } = await site()
  await shop.gm.call(sitesApi.state, { body: { id, version, action: 'finish', reason: '' } })
}

test('a broken tile of a finished home is complained of, and another one comes as after-sale', async () => {
  const page = await stage.signIn('order_clerk', `/check/AcceptanceList?open=${of.note}`)
  const spent = await counted(page, 'a clerk complains of a finished home')
  const line = page.getByRole('region', { name: '售后地砖' })
  await button(line, '申请退换补').click()
  const form = drawer(page)
  await form.getByText('换货', { exact: true }).click()
  await form.getByLabel('数量（片）').fill('1')
  await form.getByLabel('说明').fill('入住后发现一片开裂')
  await form.locator('input[type=file]').setInputFiles(await photoOf('开裂.jpg', 1))
  await form.locator('.drop-shot').waitFor()
  await button(form, '提交申请').click()
  await page.getByText('等待商家答复和审核').waitFor()
  expect((await spent.said()).clicks).toBeLessThanOrEqual(4)

  const { list } = await shop.clerk.call(goodsApi.list, { query: { order_id: of.order } })
  const { code, id } = list[0]!
  expect((await shop.examine(id)).msg).toBe('')
  const instead = await shop.note(await shop.instead(of.order, id))

  // The merchant sees on its own list that it is after-sale.
  const merchant = await stage.signIn('supplier', '/dispatch/DispatchList')
  await row(merchant, instead.code).getByText('售后').first().waitFor()
  await row(merchant, instead.code).locator('.name').first().click()
  await drawer(merchant).getByText('（售后）').first().waitFor()
  await merchant.context().close()

  expect((await shop.ship(instead.id)).msg).toBe('')
  expect((await shop.deliver(instead.id)).msg).toBe('')
  expect((await shop.judge(instead.id, [{ name: '售后地砖', quantity: '1', result: 2 }])).msg).toBe('')
  await page.evaluate((to) => (location.hash = `#/check/ChangeGoods?open=${to}`), id)
  await page.locator('.change-panel').getByText(code).first().waitFor()
  expect((await shop.change(id)).state).toBe('open')
  expect((await shop.takeBack(id)).msg).toBe('')
  // The open page says by itself that it is done.
  await page.locator('.change-panel .change-now', { hasText: '已完成' }).waitFor()
  await eventually(async () => (await shop.seen(of.order)).orderState).toBe(6)
  expect(stage.problems).toEqual([])
  expect(await lawsBroken(stage.server)).toEqual([])
}, 600_000)
