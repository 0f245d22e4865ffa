import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { previewOf } from '@zhuguan/contract/features/links/links.record.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Delivery, lawsBroken, openDelivery } from '../server/testing/delivering.ts'
import { linkFrom } from '../server/testing/driving.ts'
import { counted } from './count.ts'
import { button, drawer, PHONE, photoOf, row, sign, tabOf, telephone } from './hands.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let shop: Delivery
let sold: Awaited<ReturnType<Delivery['sold']>>
/** One person's pages of the one order, open all the time: what happens elsewhere shows in them by itself. */
let pages: Record<'list' | 'detail' | 'site' | 'board' | 'received' | 'theirs', Page>
let order: { id: string; code: string }
beforeAll(async () => {
  stage = await openStage()
  shop = await openDelivery(stage.server)
  const [other] = await stage.server.sql<{ id: string }>(
    `SELECT id FROM stores WHERE receives_orders AND id <> $1
       AND tenant_id = (SELECT tenant_id FROM stores WHERE id = $1) LIMIT 1`,
    [shop.merchant],
  )
  sold = await shop.sold(
    { name: '链条地砖', quantity: '10' },
    { name: '链条木门', quantity: '2', byBranch: true },
    { name: '链条洁具', quantity: '4', receiver: other!.id },
  )
}, 600_000)
afterAll(() => stage?.close())

const STATES = ['待下单', '已下单', '待发货', '已发货', '待验收', '已验收', '待退货']
const cards = (board: Page) =>
  Promise.all(
    STATES.map(async (state) =>
      Number(await board.locator('.board-state').filter({ hasText: state }).locator('b').innerText()),
    ),
  )
/** Its row; what was split off has a number that begins with its own. */
const ours = (page: Page) =>
  row(page, order.code).filter({ has: page.getByRole('link', { name: order.code, exact: true }) })
/**
 * The order is in this state on every page of both parties, the site's timeline says what happened last, and the board
 * counts these pieces: to order, ordered, to ship, shipped, arrived, accepted, to return.
 */
async function everywhere(state: string, last: RegExp, pieces: number[]): Promise<void> {
  const { board, detail, list, received, site, theirs } = pages
  await ours(list).getByText(state).waitFor()
  await detail.locator('.order-top h2').getByText(state).waitFor()
  await ours(theirs).getByText(state).waitFor()
  await received.locator('.order-top h2').getByText(state).waitFor()
  await eventually(() => site.locator('.events li').first().innerText()).toMatch(last)
  await board.reload()
  await board.locator('.board-state b').first().waitFor()
  await eventually(() => cards(board)).toEqual(pieces)
  expect(await lawsBroken(stage.server)).toEqual([])
}

test('a stage of one contract is ordered from three suppliers; every page says so', async () => {
  const page = await stage.signIn('order_clerk', '/order/OrderPlan?stage=tiling')
  await row(page, '链条洁具').waitFor()
  const effort = await counted(page, 'a stage is ordered from three suppliers')
  await page.getByLabel('全选本页').check()
  await button(page, '按商家合并下单').click()
  await button(drawer(page), '下单（3 张）').click()
  const told = page.locator('.ant-modal:visible')
  await told.getByText('已下单 3 张').waitFor()
  await button(told, '知道了').click()
  expect((await effort.said()).clicks).toBeLessThanOrEqual(4)

  const query = { site_id: sold.site, receiver_id: shop.merchant }
  const [made] = (await shop.clerk.call(ordersApi.list, { query })).list
  order = { id: made!.id, code: made!.code }
  const supplier = await stage.signIn('supplier', '/order/ReceiveOrder')
  const [detail, site, board, received] = await Promise.all([
    tabOf(page, stage, `/order/OrderDetail?id=${order.id}`),
    tabOf(page, stage, `/SiteInfo?id=${sold.site}`),
    tabOf(page, stage, '/overview/DeliveryBoard'),
    tabOf(supplier, stage, `/order/OrderDetail?id=${order.id}`),
  ])
  await page.evaluate((id) => (location.hash = `#/order/OrderList?site_id=${id}`), sold.site)
  pages = { list: page, detail, site, board, received, theirs: supplier }
  await supplier.evaluate(() => (location.hash = '#/order/OrderList'))
  await everywhere('已下单', /下单/, [0, 3, 0, 0, 0, 0, 0])
}, 600_000)

let notes: string[]
test('the supplier splits off two, accepts eight and ships them in two parts', async () => {
  const { theirs } = pages
  await theirs.evaluate(() => (location.hash = '#/order/ReceiveOrder'))
  const effort = await counted(theirs, 'a supplier splits, accepts and ships twice')
  await button(ours(theirs), '更多').click()
  await theirs.getByRole('menuitem', { name: '拆单' }).click()
  await drawer(theirs).getByLabel('数量').fill('2')
  await button(drawer(theirs), '确定').click()
  await eventually(() => row(theirs, order.code).count()).toBe(2)
  await button(ours(theirs), '接单').click()
  await button(drawer(theirs), '确定').click()
  await ours(theirs).getByText('已接单').waitFor()
  const first = (await shop.seen(order.id)).notes[0]!
  await theirs.evaluate(() => (location.hash = '#/dispatch/DispatchList'))
  await button(row(theirs, first.code), '发货').click()
  await drawer(theirs).getByLabel('发货数量').fill('5')
  await fillShipping(theirs)
  await button(drawer(theirs), '发货').click()
  const rest = (await theirs.getByText(`${first.code} 已发货，余下的在`).innerText())
    .split('余下的在 ')[1]!
    .trim()
  await theirs.evaluate((id) => (location.hash = `#/order/OrderList?keyword=${id}`), order.code)
  await everywhere('已发货', /发货/, [0, 3, 1, 1, 0, 0, 0])
  await theirs.evaluate(() => (location.hash = '#/dispatch/DispatchList'))
  await button(row(theirs, rest).filter({ hasText: '待发货' }), '发货').click()
  await fillShipping(theirs)
  await button(drawer(theirs), '发货').click()
  await row(theirs, rest).getByText('已发货').waitFor()
  await effort.said()
  notes = (await shop.seen(order.id)).notes.map((n) => n.id)
  await theirs.evaluate((id) => (location.hash = `#/order/OrderList?keyword=${id}`), order.code)
  await everywhere('已发货', /发货/, [0, 3, 0, 2, 0, 0, 0])
}, 600_000)

test('the driver hands over on a phone; the network goes in between and comes back', async () => {
  const { token } = await linkFrom(stage.server, shop.supplier, notes[0]!)
  const phone = await telephone(stage, previewOf(token))
  const asked: string[] = []
  phone.on('request', (r) => asked.push(r.url()))
  await button(phone, '到哪了').click()
  await phone.getByLabel('地点').fill('萧山收费站')
  await button(phone, '告诉他们').click()
  const way = async () => (await shop.note(notes[0]!, shop.supplier)).tracks[0]!.nodes
  await eventually(async () => (await way()).at(-1)!.place).toBe('萧山收费站')
  await button(phone, '交货').click()
  const effort = await counted(phone, 'a driver hands over without a network')
  await phone.getByLabel('照片文件', { exact: true }).setInputFiles(await photoOf('交货.jpg'))
  await phone.getByAltText('交货照片').waitFor()
  await sign(phone)
  await phone.context().setOffline(true)
  await button(phone, '确认交货').click()
  await phone.getByText('有 1 项还没有发出').waitFor()
  expect((await shop.note(notes[0]!)).state).toBe(2)
  // The network comes back for the picture and goes again with the answer to the handover.
  let lost = 0
  await phone.route('**/open/driver/handover', async (route) => {
    if (lost++ > 0) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await phone.context().setOffline(false)
  await phone.getByText(/已交货（司机 王师傅）/).waitFor()
  await phone.getByText('✓ 操作都已保存').waitFor()
  await effort.said()
  expect(lost).toBeGreaterThan(1)
  const there = await shop.note(notes[0]!)
  expect(there).toMatchObject({ state: 3, deliveredBy: '司机 王师傅', signature: expect.any(String) })
  expect((await way()).filter((k) => k.title === '已送达')).toHaveLength(1)
  // The secret stands in no address that a server or a proxy writes down, and the link says that it is over.
  expect(asked.filter((url) => url.includes(token))).toEqual([])
  await phone.reload()
  await phone.getByText(/这一单已经完成/).waitFor()
  await phone.context().close()
  await everywhere('待验收', /送达/, [0, 3, 0, 1, 1, 0, 0])
  expect((await shop.deliver(notes[1]!)).msg).toBe('')
  expect((await shop.judge(notes[1]!, [{ name: '链条地砖', quantity: '3', result: 2 }])).msg).toBe('')
}, 600_000)

let changes: Record<'short' | 'broken' | 'wrong', string>
test('one is short, one broken, one wrong: found on a phone without a network', async () => {
  const page = await stage.signIn('acceptor', `/check/AcceptanceList?open=${notes[0]!}`, PHONE)
  const effort = await counted(page, 'an acceptor finds one short, one broken, one wrong')
  const line = page.locator('.sheet-drawer').getByRole('region', { name: '链条地砖' })
  await line.getByText('待验收').waitFor()
  await page.context().setOffline(true)
  await line.getByLabel('数量（片）').fill('2')
  for (const [at, result, reason] of [
    [2, '补货', '少件'],
    [3, '换货', '破损'],
    [4, '换货', '错货'],
  ] as const) {
    await button(line, '再加一条').click()
    const found = line.getByRole('group', { name: `链条地砖，第 ${at} 条` })
    await button(found, result).click()
    await found.getByLabel('数量（片）').fill('1')
    await found.getByLabel('原因').selectOption({ label: reason })
    if (at === 2) {
      await button(page, '提交（1 条不合格）').click()
      await line.getByText('不合格的必须拍照').waitFor()
    }
    await found
      .locator('input[type=file]')
      .last()
      .setInputFiles(await photoOf(`${reason}.jpg`, at))
    await found.locator('.draft-shot img').waitFor()
  }
  await page.getByRole('button', { name: '提交（3 条不合格）' }).click()
  await page.getByText('等待发送').first().waitFor()
  expect((await shop.sheet(notes[0]!)).linesChecked).toBe(0)
  // The first answer is lost on its way: sent again it counts once.
  const keys: (string | undefined)[] = []
  await page.route(`**${goodsApi.judge.path}`, async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    await route.fetch()
    if (keys.length === 1) await route.abort()
    else await route.continue()
  })
  await page.context().setOffline(false)
  await eventually(async () => (await shop.sheet(notes[0]!)).linesChecked).toBe(1)
  await page.context().setOffline(true)
  await page.context().setOffline(false)
  await page.getByText('已发送').first().waitFor()
  expect(new Set(keys).size).toBe(1)
  await effort.said()
  await page.context().close()
  const { list } = await shop.clerk.call(goodsApi.list, { query: { order_id: order.id } })
  const of = (reason: string) => list.find((g) => g.reasonCode === reason)!.id
  changes = { short: of('short'), broken: of('broken'), wrong: of('wrong') }
  await everywhere('待发货', /验收 .*4 条结论/, [0, 3, 3, 0, 0, 2, 0])
}, 600_000)
test('the supplier agrees and the examiner passes it with both pictures; goods are on both ways', async () => {
  const supplier = await tabOf(pages.theirs, stage, `/check/ChangeGoods?open=${changes.wrong}`)
  await button(supplier.locator('.change-panel'), '答复').click()
  const answer = supplier.getByRole('dialog').filter({ hasText: '审核人会看到两边的说法' })
  await answer.getByText('同意', { exact: true }).click()
  await answer.getByRole('button', { name: /答\s*复/ }).click()
  await supplier.locator('.change-panel').getByText('同意').first().waitFor()
  await supplier.close()
  const examiner = await stage.signIn('examiner', '/package/ExamineList?todo=true')
  const { code } = await shop.change(changes.wrong)
  await row(examiner, code).click()
  await examiner.locator('.ant-drawer-body .both-sides img').first().waitFor()
  await examiner.getByText('没有录像：交接时工地没有摄像头').waitFor()
  await examiner.click('.ant-drawer-footer button:has-text("通过")')
  await examiner.click('.ant-modal button:has-text("确定")')
  await eventually(async () => (await shop.change(changes.wrong)).examineState).toBe(1)
  await examiner.context().close()
  await everywhere('待退货', /退换补 .* 通过/, [0, 3, 2, 0, 0, 2, 1])
  for (const id of [changes.short, changes.broken]) expect((await shop.examine(id)).msg).toBe('')
}, 600_000)

/** What comes instead of a change leaves and arrives. */
async function comes(id: string): Promise<string> {
  const note = await shop.instead(order.id, id)
  expect((await shop.ship(note)).msg).toBe('')
  expect((await shop.deliver(note)).msg).toBe('')
  return note
}
test('what comes instead is broken again: another round, and it closes when the second one is fine', async () => {
  const fine = [{ name: '链条地砖', quantity: '1', result: 2 as const }]
  for (const id of [changes.short, changes.broken])
    expect((await shop.judge(await comes(id), fine)).msg).toBe('')
  const again = await comes(changes.wrong)
  const page = await stage.signIn('acceptor', `/check/AcceptanceList?open=${again}`, PHONE)
  const line = page.locator('.sheet-drawer').getByRole('region', { name: '链条地砖' })
  await button(line, '换货').click()
  await line
    .locator('input[type=file]')
    .last()
    .setInputFiles(await photoOf('又碎了.jpg', 4))
  await line.locator('.draft-shot img').waitFor()
  await page.getByRole('button', { name: '提交（1 条不合格）' }).click()
  await page.getByText('已发送').first().waitFor()
  await page.context().close()
  const { list } = await shop.clerk.call(goodsApi.list, { query: { order_id: order.id } })
  const second = list.find((g) => g.round === 2)!.id
  await shop.examine(second)
  expect((await shop.judge(await comes(second), fine)).msg).toBe('')
  await everywhere('待退货', /验收/, [0, 3, 0, 0, 0, 3, 2])
  for (const id of [changes.wrong, changes.broken, second]) expect((await shop.takeBack(id)).msg).toBe('')
  await everywhere('已验收', /退货已验/, [0, 3, 0, 0, 0, 5, 0])
  const clerk = await tabOf(pages.list, stage, `/check/ChangeGoods?open=${second}`)
  await clerk.locator('.change-panel .change-now', { hasText: '已完成' }).waitFor()
  await clerk.locator('.change-track li.done', { hasText: '退换货' }).waitFor()
  await clerk.close()
}, 600_000)
test('one that was accepted is returned afterwards: it goes back, and can be ordered again', async () => {
  const page = await tabOf(pages.list, stage, `/check/AcceptanceList?open=${notes[0]!}`)
  await button(page.getByRole('region', { name: '链条地砖' }), '申请退换补').click()
  const form = drawer(page)
  await form.getByText('退货', { exact: true }).click()
  await form.getByLabel('数量（片）').fill('1')
  await form.locator('input[type=file]').setInputFiles(await photoOf('开裂.jpg', 1))
  await form.getByText('再订').click()
  await form.locator('.drop-shot').waitFor()
  await button(form, '提交申请').click()
  await page.getByText('等待商家答复和审核').waitFor()
  await page.close()
  const { list } = await shop.clerk.call(goodsApi.list, { query: { order_id: order.id } })
  const { id } = list.find((g) => g.late)!
  // Until somebody has decided it stays accepted.
  await everywhere('已验收', /退换补|退货/, [0, 3, 0, 0, 0, 6, 0])
  expect((await shop.examine(id)).msg).toBe('')
  await everywhere('待退货', /通过/, [1, 3, 0, 0, 0, 5, 1])
  expect((await shop.takeBack(id)).msg).toBe('')
  await everywhere('已验收', /退货已验/, [1, 3, 0, 0, 0, 6, 0])
}, 600_000)

test('an order of which a part is under way cannot be withdrawn; its remainder is closed by both sides', async () => {
  const part = (await shop.seen(order.id)).children[0]!
  const { notes: own } = await shop.accept(part.id)
  expect((await shop.ship(own[0]!.id, { 链条地砖: '1' })).msg).toBe('')
  const page = await tabOf(pages.list, stage, `/order/OrderDetail?id=${part.id}`)
  const why = () => button(page, '申请撤销').getAttribute('title')
  await eventually(why).toBe('已经发过货，不能撤销；可以结束剩余')
  await button(page, '申请结束剩余').click()
  const asked = page.locator('.ant-modal:visible')
  await asked.getByRole('textbox').fill('余下的不要了')
  await button(asked, '确定').click()
  await page.getByText('申请结束剩余').first().waitFor()
  const supplier = await tabOf(pages.theirs, stage, `/order/OrderDetail?id=${part.id}`)
  await button(supplier, '同意').click()
  await button(supplier.locator('.ant-modal:visible'), '确定').click()
  await page.locator('.order-top h2').getByText('已结束剩余').waitFor()
  await page.locator('.order-top h2').getByText('已发货').waitFor()
  const [way] = (await shop.seen(part.id)).notes.filter((n) => n.state === 2)
  expect((await shop.deliver(way!.id)).msg).toBe('')
  expect((await shop.judge(way!.id, [{ name: '链条地砖', quantity: '1', result: 2 }])).msg).toBe('')
  await page.locator('.order-top h2').getByText('已验收').waitFor()
  await everywhere('已验收', /验收/, [2, 2, 0, 0, 0, 7, 0])
  const unexpected = (p: string) => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED|net::/.test(p)
  expect(stage.problems.filter(unexpected)).toEqual([])
}, 600_000)
async function fillShipping(page: Page): Promise<void> {
  const form = drawer(page)
  await form.getByLabel('联系人').fill('方经理')
  await form.getByLabel('送货时段').fill('上午')
  if (!(await form.getByLabel('地址').inputValue())) await form.getByLabel('地址').fill('江南里 3 幢 1201')
}
