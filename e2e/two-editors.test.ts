import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { counted } from './count.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

const field = (page: Page, label: string) =>
  page.locator('.ant-drawer .field', { hasText: label }).first().locator('input')
const confirm = (page: Page) => page.click('.ant-drawer button:has-text("确定")')

test('of two who edit a site the second sees what the first made of it, loses nothing, and decides', async () => {
  const [first, second] = [
    await stage.signIn('branch_gm', '/Site/SiteList?keyword=GDHZ001'),
    await stage.signIn('admin', '/Site/SiteList?keyword=GDHZ001'),
  ]
  for (const page of [first, second]) {
    await page.waitForSelector('tbody tr:not(.skeleton)')
    await page.click('tbody tr >> text=编辑')
    await page.waitForSelector('.ant-drawer .field')
    await expect.poll(() => field(page, '工地名称').inputValue()).not.toBe('')
  }
  await field(first, '小区').fill('江南里')
  await field(first, '风格').fill('侘寂风')
  await confirm(first)
  await first.waitForSelector('.ant-drawer', { state: 'detached' })

  await field(second, '小区').fill('江北里')
  await field(second, '户型').fill('四室两厅')
  await confirm(second)
  // It says who was faster, and when.
  await second.getByText(/已被 \S+ 于 [\d-]+ \d\d:\d\d 处理/).waitFor()
  // Where both changed something, both are in sight and one's own stands in the field.
  await second.waitForSelector('text=别人刚改成：江南里')
  expect(await field(second, '小区').inputValue()).toBe('江北里')
  expect(await field(second, '户型').inputValue()).toBe('四室两厅')
  // What only the other one changed is taken over, and said.
  await second.waitForSelector('text=别人刚改成：侘寂风（已带入）')
  expect(await field(second, '风格').inputValue()).toBe('侘寂风')
  await second.click('.ant-drawer button:has-text("用这个")')
  expect(await field(second, '小区').inputValue()).toBe('江南里')
  await confirm(second)
  await second.waitForSelector('.ant-drawer', { state: 'detached' })
  const admin = await stage.server.as('admin')
  const { list } = await admin.call(sitesApi.list, { query: { keyword: 'GDHZ001' } })
  expect(await admin.call(sitesApi.details, { query: { id: list[0]!.id } })).toMatchObject({
    community: '江南里',
    layout: '四室两厅',
    style: '侘寂风',
  })
})

async function choose(page: Page, label: string, option: string): Promise<void> {
  await field(page, label).click()
  await page.locator('.ant-select-item-option:visible', { hasText: option }).first().click()
}
/** A drawer's button, and the drawer is gone. */
async function done(page: Page, button = /确\s*定/): Promise<void> {
  await page.locator('.ant-drawer-footer').getByRole('button', { name: button }).click()
  await page.waitForSelector('.ant-drawer', { state: 'detached' })
}

test('a site from the first form to its finish, on its own page, and its device is brought back', async () => {
  const page = await stage.signIn('branch_gm', '/Site/SiteList')
  const people = await stage.server.sql<{ user_name: string; nickname: string }>(
    `SELECT user_name, nickname FROM users WHERE user_name IN ('pm', 'steward')`,
  )
  const nameOf = (user: string) => people.find((p) => p.user_name === user)!.nickname
  await page.waitForSelector('tbody tr:not(.skeleton)')
  const story = await counted(page, 'site: new to finished')
  await page.getByRole('button', { name: '新增' }).click()
  await field(page, '工地名称').fill('终章小区 1 幢 101')
  await choose(page, '门店', '店')
  await page.getByRole('textbox', { name: '业主', exact: true }).fill('方女士')
  await field(page, '业主电话').fill('13812345678')
  await field(page, '地址').fill('文二路 2 号')
  await choose(page, '项目经理', nameOf('pm'))
  await choose(page, '项目管家', nameOf('steward'))
  await done(page)
  // The message names the site and leads to it.
  await page.getByText(/已新增“终章小区 1 幢 101”（GD\d+）/).waitFor()
  await page.getByRole('button', { name: '打开' }).click()
  await page.getByRole('heading', { name: /终章小区 1 幢 101/ }).waitFor()
  await page.getByText('还没有排期').first().waitFor()

  const day = async (label: string, days: number) => {
    const text = new Date(Date.now() + (8 + days * 24) * 3_600_000).toISOString().slice(0, 10)
    await field(page, label).fill(text)
    await page.keyboard.press('Tab')
  }
  const head = page.locator('.site-head')
  await head.getByRole('button', { name: '开工' }).click()
  await day('计划完工', 99)
  await page.getByRole('textbox', { name: /合同外/ }).fill('老客户先开工')
  await done(page)
  await head.getByText('在建').waitFor()
  await head.getByRole('button', { name: '绑定设备' }).click()
  await choose(page, '备用设备', '')
  await done(page)
  await page.locator('.device-lines p').waitFor()

  // Every stage is begun and accepted where its days are seen; the last bar stands at today.
  for (const [i, { label }] of siteStage.options.entries()) {
    const row = page.locator('.gantt .row', { has: page.locator(`span:text-is("${label}")`) })
    if (i > 0) {
      await row.getByRole('button', { name: '开始' }).click()
      await done(page)
      await row.locator('.state', { hasText: '进行中' }).waitFor()
    }
    await row.getByRole('button', { name: '验收通过' }).click()
    await done(page)
    await row.locator('.state', { hasText: '已验收' }).waitFor()
  }
  await page.getByText('10/10 已验收').waitFor()
  await page.getByRole('button', { name: '看表格' }).click()
  expect(await page.locator('.stage-table tbody tr').count()).toBe(10)
  expect(await page.locator('.stage-table tbody tr').last().innerText()).toMatch(/竣工验收\s+已验收/)
  await head.getByRole('button', { name: '完工' }).click()
  await page.getByText(/1 台设备待回收/).waitFor()
  await done(page, /完\s*工/)
  await head.getByText('已完工').waitFor()
  expect(await head.getByRole('button', { name: '开工' }).count()).toBe(0)

  // The owner's number, for a reason, can be called.
  await head.getByRole('button', { name: '查看 方女士 的完整电话' }).click()
  await page.getByRole('textbox', { name: '原因' }).fill('约定交房时间')
  await page.locator('.ant-modal').getByRole('button', { name: '确定' }).click()
  await head.locator('a[href="tel:13812345678"]').waitFor()
  const { clicks } = await story.said()
  expect(clicks).toBeLessThan(70)

  const address = page.url().slice(page.url().indexOf('#') + 1)
  await page.context().close()
  const keeper = await stage.signIn('device_keeper', address)
  await keeper.getByRole('link', { name: '去收回' }).waitFor()
  const taking = await counted(keeper, 'site: its device brought back')
  await keeper.getByRole('link', { name: '去收回' }).click()
  const row = keeper.locator('.list tbody tr:not(.skeleton)')
  await row.getByRole('button', { name: '更多' }).click()
  await keeper.getByRole('menuitem', { name: '回收入库', exact: true }).click()
  await keeper.getByRole('textbox', { name: '原因' }).fill('工地完工，收回仓库')
  await keeper
    .locator('.ant-modal')
    .getByRole('button', { name: /确\s*定/ })
    .click()
  await eventually(() => row.count()).toBe(0)
  await taking.said()
  await keeper.context().close()
  expect(stage.problems).toEqual([])
})

test('of two who change a setting the second reads what the first made of it, then saves', async () => {
  const [first, second] = [
    await stage.signIn('admin', '/system/SetSelf'),
    await stage.signIn('branch_gm', '/system/SetSelf'),
  ]
  const { bc_id } = (
    await stage.server.sql<{ bc_id: string }>(`SELECT bc_id FROM users WHERE user_name = 'branch_gm'`)
  )[0]!
  await first.goto(`${stage.server.url}/#/system/SetSelf?bcId=${bc_id}`)
  const hours = (page: Page) => page.locator('[id="set-answerHours"]')
  for (const page of [first, second]) await hours(page).waitFor()
  await hours(second).fill('36')
  await hours(first).fill('30')
  await first.getByRole('button', { name: /^保存/ }).click()
  await first.getByText('已保存，立即生效').waitFor()
  await second.getByRole('button', { name: /^保存/ }).click()
  await second.getByText(/改过，现在是 30 小时$/).waitFor()
  expect(await hours(second).inputValue()).toBe('36')
  await second.getByRole('button', { name: /^保存/ }).click()
  await second.getByText('已保存，立即生效').waitFor()
  expect(
    await stage.server.sql(`SELECT value FROM settings WHERE key = 'answerHours' AND bc_id = $1`, [bc_id]),
  ).toEqual([{ value: 36 }])
})
