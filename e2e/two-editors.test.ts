import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

const field = (page: Page, label: string) =>
  page.locator('.ant-drawer .field', { hasText: label }).first().locator('input')
const confirm = (page: Page) => page.click('.ant-drawer button:has-text("确 定")')

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
