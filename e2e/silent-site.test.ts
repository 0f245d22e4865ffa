import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openDelivery } from '../server/testing/delivering.ts'
import { counted } from './count.ts'
import { button, drawer, PHONE } from './hands.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let order: { id: string; code: string }
const asked = '客厅地砖选哪一款'
/** Two sites stand still: one waits for an order, one for its owner. */
let waiting: { goods: string; owner: string }
beforeAll(async () => {
  stage = await openStage()
  const { server } = stage
  const shop = await openDelivery(server)
  const sold = await shop.sold({ name: '岩板', quantity: '4' })
  ;[order] = (await shop.place([{ item_id: sold.items['岩板']!, quantity: '4' }])).orders as [typeof order]
  ;[order] = (await server.sql<typeof order>('SELECT id, code FROM orders WHERE id = $1', [order.id])) as [
    typeof order,
  ]
  const [home] = await server.sql<{ id: string }>(
    `SELECT w.id FROM sites w JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     WHERE w.status = 1 AND w.owner_id IS NOT NULL ORDER BY w.code LIMIT 1`,
  )
  waiting = { goods: sold.site, owner: home!.id }
  await server.sql(
    `INSERT INTO site_members
     SELECT (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'site_id', $1::text))).*
     FROM site_members m WHERE m.left_on IS NULL LIMIT 1`,
    [sold.site],
  )
  await server.sql(
    `UPDATE sites SET status = 1, stage = 'tiling', start_date = :today - 30, no_work = '{2}', no_work_run = 5,
       no_work_sum = 5, devices_online = devices_total WHERE id = ANY ($1)`,
    [Object.values(waiting)],
  )
  await (
    await server.as('steward')
  ).call(api.questions.ask, {
    body: {
      site_id: waiting.owner,
      words: asked,
      neededBy: new Date(server.now().getTime() + (8 + 48) * 3_600_000).toISOString().slice(0, 10),
      stage: 'tiling',
    },
  })
}, 600_000)
afterAll(() => stage?.close())

test('the general manager goes from the card to the order that blocks a site and to the owner’s question', async () => {
  const page = await stage.signIn('branch_gm')
  const card = page.locator('.card.figure', { has: page.getByRole('heading', { name: '连续无人施工' }) })
  await card.waitFor()
  const goods = await counted(page, 'general manager: silent site to the order that blocks it')
  await card.getByRole('link', { name: '商家 1' }).click()
  const table = page.getByRole('region', { name: '停工工地表格' })
  await table.getByRole('link', { name: order.code }).click()
  await page.getByRole('heading', { name: order.code }).first().waitFor()
  expect((await goods.said()).clicks).toBeLessThanOrEqual(3)

  const again = await stage.signIn('branch_gm')
  const owner = await counted(again, 'general manager: silent site to the question of its owner')
  await again.locator('.card.figure').getByRole('link', { name: '业主 1' }).click()
  await again.getByRole('region', { name: '停工工地表格' }).getByRole('link', { name: asked }).click()
  await again.locator('section', { hasText: '待业主决定' }).getByText(asked).first().waitFor()
  expect(again.url()).toContain('/OwnerInfo')
  expect((await owner.said()).clicks).toBeLessThanOrEqual(3)
  expect(stage.problems).toEqual([])
}, 600_000)

test('on a telephone the manager reads whose turn it is and writes the reason down with its day', async () => {
  const page = await stage.signIn('pm', '/Site/NoWork', { ...PHONE, hasTouch: true })
  const site = page.locator(`[data-row="${waiting.owner}"]`)
  await site.waitFor()
  await site.getByText('球在谁手里').waitFor()
  expect(await site.innerText()).toContain('业主')
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBe(0)
  await button(site, '登记原因').click()
  const form = drawer(page)
  await form.getByText('选择原因').waitFor()
  await form.getByLabel('原因', { exact: true }).click()
  await page.getByTitle('业主原因').click()
  await form.getByText(asked).waitFor()
  const until = await form.getByLabel('到哪天').inputValue()
  expect(until).toMatch(/^\d{4}-\d\d-\d\d$/)
  await button(form, '确定').click()
  await site.getByText(`到 ${until.slice(5)}`).waitFor()
  expect(stage.problems).toEqual([])
}, 600_000)
