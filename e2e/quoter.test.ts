import { readFile } from 'node:fs/promises'

import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'
import { packagesApi } from '@zhuguan/contract/features/packages/packages.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { pdfText } from '../server/testing/pdf-text.ts'
import { cellsOf } from '../server/testing/sheets.ts'
import { handsOn } from './keyboard.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

const EDIT = '/package/QuotationEdit'
const saved = (page: Page) =>
  eventually(() => page.locator('.save-state:visible').innerText()).toMatch(/^已保存/)
const total = (page: Page) => page.locator('.bridge:visible [data-step=total] b').innerText()
const cells = (page: Page, name: string) =>
  page
    .getByRole('grid', { name })
    .locator('[role=row]')
    .filter({ has: page.locator('[role=gridcell]') })
const picture = async (page: Page, name: string) => {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` })
}
/** What the server has of it, asked by somebody who sees costs. */
async function stored(id: string) {
  return (await stage.server.as('branch_gm')).call(quotationsApi.details, { query: { id } })
}
const idIn = (page: Page) => new URLSearchParams(page.url().split('?')[1]).get('id')!

/** All that the browser keeps of what is not saved; with a key, something else is put there before. */
const draftsIn = (page: Page, key = ''): Promise<string> =>
  page.evaluate(
    (put) =>
      new Promise<string>((resolve) => {
        const open = indexedDB.open('zhuguan-quotations')
        open.onsuccess = () => {
          const drafts = open.result.transaction('unsaved', 'readwrite').objectStore('unsaved')
          if (put) drafts.put({ of: put }, put)
          const all = drafts.getAll()
          all.onsuccess = () => {
            open.result.close()
            resolve(JSON.stringify(all.result))
          }
        }
      }),
    key,
  )
const ROOMS = [
  ['客餐厅', '34', '26', '4.2'],
  ['主卧', '18', '17', '3'],
  ['次卧', '14', '15', '2.4'],
  ['厨房', '8', '12', '3'],
  ['主卫', '6', '10', '1.6'],
  ['阳台', '7', '11', '6'],
] as const

test('a package of 110 m² with three adjustments and two additions, to the PDF, without a mouse', async () => {
  const page = await stage.signIn('quoter', '/package/QuotationList')
  const manager = await stage.server.as('branch_gm')
  const { list } = await manager.call(packagesApi.list, { query: { status: '2' } })
  const sold = list.find((p) => !p.expired)!
  await page.getByRole('button', { name: '新建' }).waitFor()
  const hands = await handsOn(page, 'quoter: package of 110 m² to the PDF')

  // Who it is for: somebody new, whose number is asked for twice.
  hands.think()
  await hands.reach('.list-bar .primary')
  await hands.press('Enter')
  await page.getByText('新建报价单').waitFor()
  await page.locator('.ant-drawer-content-wrapper input[role=combobox]').waitFor()
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
  hands.think()
  await hands.press('Tab', 'Enter')
  await page.getByText('新增客户').last().waitFor()
  const field = (label: string) => page.locator('.ant-drawer').last().getByLabel(label, { exact: true })
  await field('电话').waitFor()
  await eventually(() => field('客户').evaluate((el) => el === document.activeElement)).toBe(true)
  await hands.type('沈女士')
  await hands.press('Tab')
  await hands.type('13900007711')
  await hands.press('Tab')
  await hands.type('江南里')
  await hands.press('Tab', 'Tab')
  await hands.type('110')
  await hands.press('Control+Enter')
  await page.getByText('沈女士 已记下').waitFor()
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
  await hands.press('Control+Enter')
  await page.locator('.quote').waitFor()
  const id = idIn(page)
  expect((await stored(id)).area).toBe('110')

  // The rooms, as they were measured.
  hands.think()
  await hands.press('Alt+2')
  await page.getByRole('grid', { name: '房间' }).waitFor()
  for (const [name, floor, perimeter, openings] of ROOMS) {
    await hands.press('Control+Enter')
    await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toBe('')
    await hands.type(name)
    await hands.press('Tab', 'Tab')
    await hands.type(floor)
    await hands.press('Tab')
    await hands.type(perimeter)
    await hands.press('Tab', 'Tab')
    await hands.type(openings)
    await hands.press('Enter')
  }
  await eventually(() => cells(page, '房间').count()).toBe(ROOMS.length)
  expect(await cells(page, '房间').nth(3).innerText()).toMatch(/厨房\s+厨房\s+8\s+12\s+2\.8\s+3\s+30\.60/)

  // The package, whose lines come by these rooms.
  hands.think()
  await hands.press('Escape')
  await hands.reach('.head-package', 'Shift+Tab')
  await hands.type(sold.name)
  await hands.press('Enter')
  await saved(page)
  await hands.press('Alt+1')
  await page.getByRole('grid', { name: '报价项' }).waitFor()
  const before = await stored(id)
  expect(before.lines.length).toBeGreaterThan(10)
  expect(before.lines.every((l) => l.attribute === 1)).toBe(true)
  await saved(page)
  await picture(page, 'package')

  // Two items are left out, one is exchanged for what the package allows.
  const detail = await manager.call(packagesApi.details, { query: { id: sold.id } })
  const free = new Set(detail.items.filter((i) => i.alternatives.some((a) => a.sold)).map((i) => i.id))
  const swap = before.lines.findIndex((l) => free.has(l.item_id!))
  expect(swap, 'an item with an alternative').toBeGreaterThanOrEqual(0)
  hands.think()
  await hands.press('Control+Home', ...Array.from({ length: swap }, () => 'ArrowDown'), 'Alt+H')
  await page.locator('.swap-list button:focus').waitFor()
  await picture(page, 'swap')
  hands.think()
  await hands.press('ArrowDown', 'Enter')
  await eventually(() => cells(page, '报价项').nth(swap).innerText()).toContain('部分调整')
  // Both legs in one look: what the package had, and what it is now.
  expect(await cells(page, '报价项').nth(swap).innerText()).toMatch(/[\d,.]+ → [\d,.]+/)
  await picture(page, 'exchanged')
  hands.think()
  await hands.press('ArrowDown', 'Shift+ArrowDown', 'Alt+J')
  await eventually(() => page.locator('[role=gridcell]', { hasText: /^减项$/ }).count()).toBe(2)

  // Two additions: one of the catalogue by its code, one that the catalogue does not have.
  hands.think()
  await hands.press('Control+End', 'Control+Enter')
  await hands.type('SP00002')
  // What the catalogue has of it is read before it is taken.
  hands.think()
  await page.locator('.sheet-beside [role=option]', { hasText: 'SP00002 作为非标项' }).waitFor()
  await hands.press('Tab')
  await hands.type('2')
  await hands.press('Enter')
  hands.think()
  await hands.press('Control+Enter')
  await hands.type('现场打柜')
  await hands.press('Tab')
  await hands.press('Tab')
  await hands.type('项')
  await hands.press('Tab')
  await hands.type('1')
  await hands.press('Tab', 'Tab')
  await hands.type('2600.5')
  await hands.press('Enter')
  await saved(page)
  await picture(page, 'written')

  const download = page.waitForEvent('download')
  hands.think()
  await hands.press('Alt+P')
  const file = await download
  const { seconds } = hands.said()
  expect(seconds).toBeLessThan(300)

  const now = await stored(id)
  expect(now.lines.map((l) => l.attribute).sort()).toEqual([
    ...Array.from({ length: before.lines.length - 3 }, () => 1),
    2,
    3,
    3,
    4,
    4,
  ])
  expect(now.lines.at(-2)).toMatchObject({ code: 'SP00002', quantity: '2', contractAttribute: 1 })
  expect(now.lines.at(-1)).toMatchObject({ name: '现场打柜', contractAttribute: 2, amount: '2600.50' })
  // The same digits on the screen, in the database, on paper and in the workbook.
  const figure = await total(page)
  expect(figure.replaceAll(',', '')).toBe(now.sum.total)
  const [{ sum } = { sum: '' }] = await stage.server.sql<{ sum: string }>(
    `SELECT v.total::text AS sum FROM quotation_versions v WHERE v.id = $1`,
    [now.version_id],
  )
  expect(sum).toBe(now.sum.total)
  expect(file.suggestedFilename()).toBe(`${now.code} v1.pdf`)
  const paper = (await pdfText(await readFile(await file.path()))).join('\n')
  expect(paper).toContain(figure)
  const book = page.waitForEvent('download')
  await page.getByRole('button', { name: '下载 Excel' }).click()
  const told = (await cellsOf(await readFile(await (await book).path()))).flat()
  expect(told).toContain(now.sum.total)
  await page.context().close()
}, 600_000)

/** A quotation of the branch's, without rooms or package. */
async function quotation(name: string, phone: string): Promise<string> {
  const quoter = await stage.server.as('quoter')
  const [store] = await quoter.call(customersApi.stores, {})
  const customer = await quoter.call(customersApi.add, {
    body: {
      bc_id: store!.bc_id,
      store_id: store!.id,
      name,
      phone,
      community: '',
      address: '',
      area: '90',
      consultant_id: null,
    },
  })
  const made = await quoter.call(quotationsApi.add, {
    body: {
      customer_id: customer.id,
      content: {
        package_id: null,
        area: '90',
        taxPercent: '3',
        validUntil: '2099-12-31',
        remark: '',
        rooms: [],
        lines: [],
        discounts: [],
      },
    },
  })
  return made.id
}
/** Sheet text as Excel puts it on the clipboard: CRLF, and the table beside it. */
const copied = (rows: readonly (readonly string[])[]) => `${rows.map((r) => r.join('\t')).join('\r\n')}\r\n`
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((what) => navigator.clipboard.writeText(what), text)
  await page.keyboard.press('Control+v')
}

test('200 × 6 pasted from Excel, refused as a whole or one step; a hundred steps back and forth', async () => {
  const id = await quotation('陆先生', '13900007722')
  const page = await stage.signIn('quoter', `${EDIT}?id=${id}`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('grid', { name: '报价项' }).waitFor()
  const foot = page.locator('.sheet-foot')
  await eventually(() => page.evaluate(() => document.activeElement?.className)).toContain('sheet')
  await page.keyboard.press('Control+Enter')
  await eventually(() => cells(page, '报价项').count()).toBe(1)
  await page.keyboard.press('Control+Home')

  const block = Array.from({ length: 200 }, (_, i) => [
    '全屋',
    '增项',
    `=1+${i}`,
    '现场量',
    '项',
    `${i + 1}.125`,
  ])
  await paste(
    page,
    copied([...block.slice(0, 150), ['全屋', '增项', '坏行', '', '项', '-3'], ...block.slice(151)]),
  )
  await foot.getByText('第 151 行“数量”：数量应是不小于 0 的数字，不带逗号和单位；什么都没有改').waitFor()
  await paste(page, copied(block.map((row) => [...row, ...Array.from({ length: 12 }, () => 'x')])))
  await foot.getByText(/粘贴的内容有 18 列/).waitFor()
  expect(await foot.innerText()).toContain('共 1 行')
  await paste(page, copied(block))
  await eventually(() => foot.innerText()).toContain('共 200 行')
  await saved(page)
  const now = await stored(id)
  expect(now.lines).toHaveLength(200)
  expect(now.lines[1]).toMatchObject({ name: '=1+1', quantity: '2.125', unit: '项', contractAttribute: 2 })

  // A price down the whole column, then ninety-nine single steps.
  await page.keyboard.press('Control+Home')
  for (let i = 0; i < 8; i += 1) await page.keyboard.press('ArrowRight')
  await page.keyboard.type('10')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowUp')
  for (let i = 1; i <= 98; i += 1) {
    await page.keyboard.type(String(i))
    await page.keyboard.press('Enter')
  }
  await saved(page)
  expect((await stored(id)).lines.slice(0, 98).map((l) => l.price)).toEqual(
    Array.from({ length: 98 }, (_, i) => String(i + 1)),
  )
  const high = await total(page)
  expect(high.replaceAll(',', '')).toBe((await stored(id)).sum.total)
  for (let i = 0; i < 99; i += 1) await page.keyboard.press('Control+z')
  await eventually(() => total(page)).toBe('0.00')
  await page.keyboard.press('Control+z')
  await eventually(() => foot.innerText()).toContain('共 1 行')
  for (let i = 0; i < 100; i += 1) await page.keyboard.press('Control+y')
  await eventually(() => total(page)).toBe(high)
  await saved(page)
  expect((await stored(id)).sum.total).toBe(high.replaceAll(',', ''))
  await picture(page, 'pasted')
  await page.context().close()
}, 600_000)

test('of two in one quotation each is told of the other; what both changed is decided, nothing is lost', async () => {
  const id = await quotation('方女士', '13900007733')
  const first = await stage.signIn('quoter', `${EDIT}?id=${id}`)
  await first.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await first.getByRole('grid', { name: '报价项' }).waitFor()
  await first.keyboard.press('Control+Enter')
  await cells(first, '报价项').first().waitFor()
  await first.keyboard.press('Control+Home')
  await paste(
    first,
    copied([
      ['全屋', '增项', '甲项', '', '项', '1'],
      ['全屋', '增项', '乙项', '', '项', '2'],
    ]),
  )
  await saved(first)
  const second = await stage.signIn('branch_gm', `${EDIT}?id=${id}`)
  await cells(second, '报价项').nth(1).waitFor()
  const [quoter] = await stage.server.sql<{ nickname: string }>(
    `SELECT nickname FROM users WHERE user_name = 'quoter'`,
  )
  await second.getByText(`${quoter!.nickname} 也在编辑`).waitFor()

  /** The quantity of a row, typed over. */
  const quantity = async (page: Page, row: number, text: string) => {
    await cells(page, '报价项').nth(row).locator('[aria-colindex="7"]').click()
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
  await quantity(first, 0, '11')
  await saved(first)
  // Another line: both changes stand together, without a question.
  await quantity(second, 1, '22')
  await saved(second)
  expect((await stored(id)).lines.map((l) => l.quantity)).toEqual(['11', '22'])
  expect(await cells(second, '报价项').nth(0).innerText()).toContain('11')

  // The same line: nothing is sent before it is decided.
  await quantity(second, 1, '33')
  await saved(second)
  await quantity(first, 1, '44')
  const clash = first.locator('.clash')
  await clash.waitFor()
  // What the other made of it stands before the question.
  expect(await clash.getByRole('list', { name: '对方的改动' }).innerText()).toMatch(
    /乙项 \d+ 项.*→\s*“?乙项 33 项/,
  )
  expect(await clash.innerText()).toMatch(/对方改了 1 处[^]*其中 1 处您也改了[^]*对方\s*“?乙项 33 项/)
  await picture(first, 'clash')
  expect((await stored(id)).lines[1]!.quantity).toBe('33')
  await clash.getByRole('button', { name: '用我的' }).click()
  await saved(first)
  expect((await stored(id)).lines.map((l) => l.quantity)).toEqual(['11', '44'])

  // What could not be saved survives the page: it comes back, and is saved.
  await first.context().setOffline(true)
  await quantity(first, 0, '55')
  await first.getByText(/未保存：连接不上服务器/).waitFor()
  await first.context().setOffline(false)
  await first.reload()
  await saved(first)
  await eventually(async () => (await stored(id)).lines[0]!.quantity).toBe('55')
  await first.context().close()

  // What stays in the browser holds no costs; the server tells them again.
  await stage.server.sql(`UPDATE quotation_lines SET cost = 77.77 WHERE name = '甲项'`)
  await second.reload()
  await cells(second, '报价项').nth(1).waitFor()
  await second.context().setOffline(true)
  await quantity(second, 1, '66')
  await second.getByText(/未保存：连接不上服务器/).waitFor()
  const kept = await draftsIn(second)
  expect(kept).toContain('乙项')
  expect(kept).not.toContain('77.77')
  await second.context().setOffline(false)
  await second.reload()
  await saved(second)
  await eventually(async () => (await stored(id)).lines.map((l) => [l.quantity, l.cost])).toEqual([
    ['55', '77.77'],
    ['66', null],
  ])
  // Whoever signs out leaves nothing behind, of nobody.
  await draftsIn(second, 'somebody/else')
  await second.click('button.me')
  await second.getByText('退出登录').click()
  await second.waitForSelector('#l-user')
  expect(await draftsIn(second)).toBe('[]')
  await second.context().close()
}, 600_000)

test('nothing went wrong on any of these pages', () => {
  expect(stage.problems.filter((p) => !p.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
})

test('a name that nobody bears opens somebody new when it is entered, with that name', async () => {
  const page = await stage.signIn('quoter', '/package/QuotationList')
  await page.locator('.list-bar .primary').click()
  const who = page.locator('.ant-drawer-content-wrapper input[role=combobox]')
  await who.waitFor()
  await who.pressSequentially('从没来过的人')
  await page.keyboard.press('Enter')
  const name = page.getByRole('textbox', { name: '客户', exact: true })
  await name.waitFor()
  await eventually(() => name.inputValue()).toBe('从没来过的人')
  await page.context().close()
})
