import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { previewOf } from '@zhuguan/contract/features/links/links.record.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Delivery, openDelivery } from '../server/testing/delivering.ts'
import { linkFrom } from '../server/testing/driving.ts'
import { photoOf, telephone } from './hands.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let shop: Delivery
beforeAll(async () => {
  stage = await openStage()
  shop = await openDelivery(stage.server)
}, 600_000)
afterAll(() => stage?.close())

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
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}

test('part of it is handed over, what was filled in outlives a closed page, a wrong link opens nothing', async () => {
  const id = await underWay('司机地板', '5')
  const { token } = await linkFrom(stage.server, shop.supplier, id, { password: 'abcd1234' })
  const page = await telephone(stage, previewOf(token))
  await page.getByText('这个预览链接无效').waitFor()
  await shot(page, 'driver-6-password')
  await page.getByLabel('如果给了您密码，请在这里输入').fill('abcd1234')
  await page.getByRole('button', { name: '打开' }).click()
  await page.getByRole('button', { name: '交货', exact: true }).click()
  await page.getByRole('button', { name: '确认交货' }).click()
  await page.getByText('请先拍一张交货的照片').waitFor()
  await page.getByLabel('司机地板 少一').click()
  await page.getByLabel('司机地板 少一').click()
  await page.getByLabel('没交完的原因').fill('电梯坏了')
  await page.getByLabel('照片文件', { exact: true }).setInputFiles(await photoOf('交货.jpg'))
  await page.getByAltText('交货照片').waitFor()
  await page.reload()
  await page.getByRole('button', { name: '交货', exact: true }).click()
  expect(await page.getByLabel('司机地板 交货数量').inputValue()).toBe('3')
  await page.getByAltText('交货照片').waitFor()
  await page.getByRole('button', { name: '确认交货' }).click()
  await page.getByText(/已部分交货 .*-2/).waitFor()
  await page.getByText('还没交的').waitFor()
  await shot(page, 'driver-7-part')
  expect(await note(id)).toMatchObject({ state: 2, lineList: [{ quantity: '2' }] })
  await page.context().close()
  const stranger = await telephone(stage, previewOf(token.slice(0, -4)))
  await stranger.getByText('这个预览链接无效').waitFor()
  await stranger.context().close()
  expect(stage.problems).toEqual([])
}, 600_000)

test('refused at the door without a network: kept with its picture, sent once when there is one', async () => {
  const id = await underWay('拒收瓷砖', '4')
  const { token } = await linkFrom(stage.server, shop.supplier, id)
  const page = await telephone(stage, previewOf(token))
  await page.getByRole('button', { name: '交不了货' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: '交不了货' }).click()
  await page.getByRole('button', { name: '确认' }).click()
  await page.getByText('请选择是哪种情况').waitFor()
  await page.getByLabel('拒收').check()
  await page.getByLabel('原因').fill('业主说颜色不对')
  await page.getByLabel('照片文件', { exact: true }).setInputFiles(await photoOf('拒收.jpg'))
  await page.getByAltText('现场照片').waitFor()
  await shot(page, 'driver-8-refused')
  await page.getByRole('button', { name: '确认' }).click()
  await page.getByText('拒收已记在手机里').waitFor()
  expect((await note(id)).state).toBe(2)
  await page.context().setOffline(false)
  await page.getByText('拒收：业主说颜色不对').waitFor()
  await shot(page, 'driver-9-back')
  const { reason, state, tracks } = await note(id)
  expect([state, reason]).toEqual([5, '拒收：业主说颜色不对'])
  const said = tracks.flatMap((t) => t.nodes).filter((n) => n.source === 'driver')
  expect(said.map((n) => [n.title, n.photo !== null])).toEqual([['拒收：业主说颜色不对', true]])
  await page.context().close()
  // The browser says itself that there was no network.
  expect(stage.problems.filter((p) => !p.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  stage.problems.length = 0
}, 600_000)

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
}, 600_000)

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
  const driver = await telephone(stage, path)
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
}, 600_000)
