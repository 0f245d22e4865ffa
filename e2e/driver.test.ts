import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { previewOf } from '@zhuguan/contract/features/links/links.record.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Delivery, lawsBroken, openDelivery } from '../server/testing/delivering.ts'
import { linkFrom } from '../server/testing/driving.ts'
import { draw } from '../simulator/pictures.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let shop: Delivery
beforeAll(async () => {
  stage = await openStage()
  shop = await openDelivery(stage.server)
}, 120_000)
afterAll(() => stage?.close())

const PHONE = { width: 390, height: 844 }
const photo = async () => ({
  name: '交货.jpg',
  mimeType: 'image/jpeg',
  buffer: await draw({ type: 'smoking', variant: 2, camera: '手机', time: '2026-11-21 10:02:00' }),
})
const note = (id: string) => shop.supplier.call(dispatchApi.details, { query: { id } })
async function underWay(name: string, quantity: string) {
  const { items } = await shop.sold({ name, quantity })
  const order = (await shop.place([{ item_id: items[name]!, quantity }])).orders[0]!.id
  const o = await shop.accept(order)
  const id = o.notes[0]!.id
  await shop.supplier.call(dispatchApi.ship, {
    body: {
      id,
      version: (await note(id)).version,
      lines: [{ line_id: o.lineList[0]!.id, quantity }],
      plannedOn: shop.expectedOn,
      method: 1,
      address: '江南里 3 幢 1201',
      contact: '方经理',
      contactPhone: '13800001234',
      window: '9 点到 11 点',
    },
  })
  return id
}
/** A telephone of somebody without an account. */
async function telephone(path: string): Promise<Page> {
  const context = await stage.browser.newContext({
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    locale: 'zh-CN',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.on('pageerror', (e) => stage.problems.push(e.message))
  await page.goto(stage.server.url + path)
  return page
}
async function sign(page: Page): Promise<void> {
  const pad = page.getByRole('img', { name: '签名' })
  await pad.scrollIntoViewIfNeeded()
  const box = (await pad.boundingBox())!
  await page.mouse.move(box.x + 40, box.y + 80)
  await page.mouse.down()
  for (let i = 1; i <= 8; i += 1) await page.mouse.move(box.x + 40 + i * 25, box.y + (i % 2 ? 40 : 110))
  await page.mouse.up()
}
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}

test('a driver hands over on a phone; the network goes in the middle and it is sent once', async () => {
  const id = await underWay('司机瓷砖', '20')
  const { token } = await linkFrom(stage.server, shop.supplier, id)
  const asked: string[] = []
  const page = await telephone(previewOf(token))
  page.on('request', (r) => asked.push(r.url()))
  await page.getByText('江南里 3 幢 1201').waitFor()
  await page.getByText('✓ 都已发出').waitFor()
  await shot(page, 'driver-1-stop')

  await page.getByRole('button', { name: '到哪了' }).click()
  await page.getByLabel('地点').fill('萧山收费站')
  await shot(page, 'driver-2-where')
  await page.getByRole('button', { name: '告诉他们' }).click()
  await eventually(async () => (await note(id)).tracks[0]!.nodes.at(-1)!.place).toBe('萧山收费站')

  await page.getByRole('button', { name: '交货', exact: true }).click()
  await page.locator('input[type=file]').setInputFiles(await photo())
  await page.getByAltText('交货照片').waitFor()
  await sign(page)
  await shot(page, 'driver-3-handover')
  // No network: what was done stays in the telephone, also when the page is closed.
  await page.context().setOffline(true)
  await page.getByRole('button', { name: '确认交货' }).click()
  await page.getByText('交货已记在手机里，还没有发出').waitFor()
  await page.getByText('有 1 项还没有发出').waitFor()
  await shot(page, 'driver-4-offline')
  expect((await note(id)).state).toBe(2)

  // It comes back for the pictures and goes again with the answer to the handover.
  let lost = 0
  await page.route('**/open/driver/handover', async (route) => {
    if (lost++ > 0) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.context().setOffline(false)
  await page.getByText(/已交货（司机 王师傅）/).waitFor({ timeout: 30_000 })
  await page.getByText('✓ 都已发出').waitFor()
  await shot(page, 'driver-5-done')
  expect(lost).toBeGreaterThan(1)
  const n = await note(id)
  expect(n).toMatchObject({ state: 3, deliveredBy: '司机 王师傅', deliveredPlace: '江南里 3 幢 1201' })
  expect(n.signature).not.toBeNull()
  expect(n.tracks[0]!.nodes.filter((k) => k.title === '已送达')).toHaveLength(1)
  expect(await page.getByRole('button', { name: '交货', exact: true }).count()).toBe(0)
  expect(await lawsBroken(stage.server)).toEqual([])
  // The secret stands in no address that a server or a proxy writes down.
  expect(asked.filter((url) => url.includes(token))).toEqual([])
  // The link says so to whoever opens it now.
  await page.reload()
  await page.getByText(/这一单已经完成/).waitFor()
  await page.context().close()
}, 120_000)

test('part of it is handed over, what was filled in outlives a closed page, a wrong link opens nothing', async () => {
  const id = await underWay('司机地板', '5')
  const { token } = await linkFrom(stage.server, shop.supplier, id, { password: 'abcd1234' })
  const page = await telephone(previewOf(token))
  await page.getByText('这个预览链接无效').waitFor()
  await shot(page, 'driver-6-password')
  await page.getByLabel('如果给了您密码，请在这里输入').fill('abcd1234')
  await page.getByRole('button', { name: '打开' }).click()
  await page.getByRole('button', { name: '交货', exact: true }).click()
  await page.getByRole('button', { name: '确认交货' }).click()
  await page.getByText('请先拍一张交货的照片').waitFor()
  await page.getByLabel('司机地板 少一').click()
  await page.getByLabel('司机地板 少一').click()
  await page.locator('input[type=file]').setInputFiles(await photo())
  await page.getByAltText('交货照片').waitFor()
  await page.reload()
  await page.getByRole('button', { name: '交货', exact: true }).click()
  expect(await page.getByLabel('司机地板 交货数量').inputValue()).toBe('3')
  await page.getByAltText('交货照片').waitFor()
  await page.getByRole('button', { name: '确认交货' }).click()
  await page.getByText(/已部分交货 .*-2，上面是还没交的/).waitFor()
  await shot(page, 'driver-7-part')
  expect(await note(id)).toMatchObject({ state: 2, lineList: [{ quantity: '2' }] })
  await page.context().close()
  const stranger = await telephone(previewOf(token.slice(0, -4)))
  await stranger.getByText('这个预览链接无效').waitFor()
  await stranger.context().close()
  expect(stage.problems).toEqual([])
}, 120_000)

test('the ways of goods: the list, the whole track, a node by a clerk', async () => {
  const id = await underWay('物流瓷砖', '3')
  const { phone } = await linkFrom(stage.server, shop.supplier, id)
  await phone.node(id, '萧山收费站')
  const { code } = await note(id)
  const page = await stage.signIn('order_clerk', `/dispatch/LogisticsList?keyword=${code}`)
  const row = page.locator('.grid tbody tr:visible').filter({ hasText: code })
  await row.getByText('运输中').waitFor()
  await row.getByRole('button', { name: '更新节点' }).click()
  const drawer = page.locator('.ant-drawer-content-wrapper:visible').last()
  await drawer.getByLabel('节点', { exact: true }).fill('已到杭州转运中心')
  await drawer.getByLabel('地点').fill('余杭')
  await drawer.getByRole('button', { name: /确\s*定/ }).click()
  await row.getByText('已到杭州转运中心').waitFor()
  await shot(page, 'logistics-list')
  await row.getByText('已到杭州转运中心').click()
  const track = drawer.locator('.log li')
  await eventually(() => track.count()).toBe(3)
  expect(await track.first().innerText()).toContain('已到杭州转运中心 余杭')
  expect(await track.nth(1).innerText()).toContain('司机上报')
  await page.waitForTimeout(400)
  await shot(page, 'logistics-track')
  await page.context().close()
  expect(stage.problems).toEqual([])
}, 120_000)

test('a supplier gives a driver the link of a note, and takes it back', async () => {
  const id = await underWay('扫码瓷砖', '2')
  const { code } = await note(id)
  const page = await stage.signIn('supplier', `/dispatch/DispatchList?keyword=${code}`)
  const row = page.locator('.grid tbody tr:visible').filter({ hasText: code })
  await row.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '司机链接' }).click()
  const drawer = page.locator('.ant-drawer-content-wrapper:visible').last()
  await drawer.getByLabel('给谁').fill('赵师傅')
  await drawer.getByRole('button', { name: '生成链接' }).click()
  const url = (await drawer.locator('.links-url').innerText()).trim()
  await drawer.getByText('还没有打开过').waitFor()
  await shot(page, 'links-drawer')
  const path = url.slice(stage.server.url.length)
  const driver = await telephone(path)
  await driver.getByText('赵师傅').waitFor()
  await drawer.getByRole('button', { name: '收回' }).click()
  await page
    .locator('.ant-modal:visible')
    .getByRole('button', { name: /确\s*定/ })
    .click()
  await drawer.getByText('已收回').waitFor()
  await driver.reload()
  await driver.getByText(/不能再用|链接无效/).waitFor()
  await driver.context().close()
  await page.context().close()
}, 120_000)
