import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Delivery, openDelivery } from '../server/testing/delivering.ts'
import { plainJpeg } from '../server/testing/photo.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let shop: Delivery
beforeAll(async () => {
  stage = await openStage()
  shop = await openDelivery(stage.server)
}, 120_000)
afterAll(() => stage?.close())

const PHONE = { width: 390, height: 844 }
const photo = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await plainJpeg() })

test('one of ten is broken: found without a network, sent once, replaced and closed', async () => {
  const { note, order } = await shop.arrived(
    { name: '客厅地砖', quantity: '10' },
    { name: '入户门', quantity: '1' },
  )
  const { sheetCode } = await shop.sheet(note)
  const page = await stage.signIn('acceptor', `/check/AcceptanceList?open=${note}`, PHONE)
  const context = page.context()
  const drawer = page.locator('.sheet-drawer')
  const tiles = drawer.getByRole('region', { name: '客厅地砖' })
  await tiles.getByText('待验收').waitFor()

  // The network goes: nine are fine, one is broken.
  await context.setOffline(true)
  await tiles.getByLabel('数量（片）').fill('9')
  await tiles.getByText('还有 1 片 没有结论').waitFor()
  await tiles.getByRole('button', { name: '再加一条' }).click()
  const second = tiles.getByRole('group', { name: '客厅地砖，第 2 条' })
  await second.getByRole('button', { name: '换货' }).click()
  expect(await second.getByLabel('数量（片）').inputValue()).toBe('1')
  await second.getByLabel('说明').fill('碎了一角')
  await drawer.getByRole('button', { name: '提交（1 条不合格）' }).click()
  await tiles.getByText('不合格的必须拍照').waitFor()
  await second
    .locator('input[type=file]')
    .last()
    .setInputFiles(await photo('碎角.jpg'))
  await second.locator('.draft-shot img').waitFor()
  await drawer.getByText('1 张照片未上传').waitFor()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/judge-offline.png` })
  await drawer.getByRole('button', { name: '提交（1 条不合格）' }).click()
  await drawer.getByText('等待发送').waitFor()
  // What waits stands in the browser, not in the page.
  expect((await shop.sheet(note)).linesChecked).toBe(0)

  // The first answer is lost on its way: sent again it counts once.
  const asked: (string | undefined)[] = []
  await page.route(`**${goodsApi.judge.path}`, async (route) => {
    asked.push(route.request().headers()['idempotency-key'])
    await route.fetch()
    if (asked.length <= 2) await route.abort()
    else await route.continue()
  })
  await context.setOffline(false)
  await eventually(async () => (await shop.sheet(note)).linesChecked).toBe(2)
  await eventually(() => asked.length).toBe(2)
  await context.setOffline(true)
  await context.setOffline(false)
  await page.getByText(`已发送 ${sheetCode}`).waitFor()
  expect(new Set(asked).size).toBe(1)
  await eventually(() => tiles.getByText('换货').count()).toBeGreaterThan(0)
  const changes = (await shop.clerk.call(goodsApi.list, { query: { order_id: order } })).list
  expect(changes.map((g) => [g.result, g.quantity, g.reason])).toEqual([[4, '1', '碎了一角']])
  const id = changes[0]!.id
  await page.context().close()

  // The supplier looks at the picture and agrees.
  const supplier = await stage.signIn('supplier', `/check/ChangeGoods?open=${id}`)
  const panel = supplier.locator('.change-panel')
  await panel.locator('.both-sides img').first().waitFor()
  await panel.getByRole('button', { name: '答复' }).click()
  const answer = supplier.getByRole('dialog').filter({ hasText: '审核人会看到两边的说法' })
  await answer.getByText('同意', { exact: true }).click()
  await answer.getByRole('button', { name: /答\s*复/ }).click()
  await panel.getByText('同意').first().waitFor()
  if (process.env.SHOTS) await supplier.screenshot({ path: `${process.env.SHOTS}/change-supplier.png` })
  await supplier.context().close()

  // The examiner sees both sides and passes it.
  const examiner = await stage.signIn('examiner', '/package/ExamineList?todo=true')
  await examiner.locator('tbody tr', { hasText: changes[0]!.code }).first().click()
  const body = examiner.locator('.ant-drawer-body')
  await body.locator('.both-sides img').first().waitFor()
  await body.getByText('没有录像').waitFor()
  if (process.env.SHOTS) await examiner.screenshot({ path: `${process.env.SHOTS}/examine.png` })
  await examiner.click('.ant-drawer-footer button:has-text("通过")')
  await examiner.click('.ant-modal button:has-text("确 定")')
  await eventually(async () => (await shop.change(id)).examineState).toBe(1)
  await examiner.context().close()

  const next = await shop.instead(order, id)
  await shop.ship(next)
  await shop.deliver(next)
  await shop.judge(next, [{ name: '客厅地砖', quantity: '1', result: 2 }])
  expect((await shop.takeBack(id)).msg).toBe('')
  expect((await shop.seen(order)).orderState).toBe(6)

  // At the end the change says so.
  const clerk = await stage.signIn('order_clerk', `/check/ChangeGoods?open=${id}`)
  await clerk.locator('.change-panel .change-now', { hasText: '已完成' }).waitFor()
  await clerk.locator('.change-track li.done', { hasText: '退换货' }).waitFor()
  if (process.env.SHOTS) await clerk.screenshot({ path: `${process.env.SHOTS}/change-done.png` })
  await clerk.context().close()
  const unexpected = (p: string) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|net::/.test(p)
  expect(stage.problems.filter(unexpected)).toEqual([])
}, 180_000)

test('a draft meets a sheet that somebody else judged meanwhile: the difference is said, the draft stays', async () => {
  const { note } = await shop.arrived({ name: '卧室地板', quantity: '6' })
  const page = await stage.signIn('acceptor', `/check/AcceptanceList?open=${note}`, PHONE)
  const drawer = page.locator('.sheet-drawer')
  const line = drawer.getByRole('region', { name: '卧室地板' })
  await line.getByText('待验收').waitFor()
  await page.context().setOffline(true)
  await line.getByRole('button', { name: '补货' }).click()
  await line
    .locator('input[type=file]')
    .last()
    .setInputFiles(await photo('少件.jpg'))
  await line.locator('.draft-shot img').waitFor()
  await drawer.getByRole('button', { name: '提交（1 条不合格）' }).click()
  await drawer.getByText('等待发送').waitFor()
  await shop.judge(note, [{ name: '卧室地板', quantity: '4', result: 2 }], shop.gm)
  await page.context().setOffline(false)
  await drawer.getByText('“卧室地板”待验收 6 → 2 片').waitFor()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/judge-changed.png` })
  expect(await line.locator('.draft-shot img').count()).toBe(1)
  await line.getByLabel('数量（片）').fill('2')
  await drawer.getByRole('button', { name: '提交（1 条不合格）' }).click()
  await page.getByText('已发送').waitFor()
  expect((await shop.sheet(note)).lineList[0]).toMatchObject({ waiting: '0' })
  await page.context().close()
}, 120_000)
