import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { counted } from './count.ts'
import { button, drawer, row } from './hands.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

test('the steward knows a home by its people; given to another owner, both who look at it read so', async () => {
  const steward = await stage.signIn('steward', '/owner/OwnerList')
  const spent = await counted(steward, 'a spouse is added to a home by the steward')
  const home = steward.locator('.grid tbody tr:visible').first()
  const name = (await home.locator('a').first().innerText()).trim()
  await home.locator('a').first().click()
  await button(steward, '新增联系人').click()
  await drawer(steward).getByLabel('姓名').fill('罗太太')
  await drawer(steward).getByLabel('关系').click()
  await steward.locator('.ant-select-item-option:visible', { hasText: '配偶' }).click()
  await drawer(steward).getByLabel('电话').fill('13900007788')
  await button(drawer(steward), '确定').click()
  await steward.getByRole('cell', { name: '罗太太', exact: true }).first().waitFor()
  await steward.getByText('139****7788').waitFor()
  expect((await spent.said()).clicks).toBeLessThanOrEqual(6)

  const site_id = new URL(steward.url().replace('#/', '')).searchParams.get('site_id')!
  const gm = await stage.signIn('branch_gm', `/OwnerInfo?site_id=${site_id}`)
  await button(gm, '更换业主').click()
  await drawer(gm).getByLabel('新业主姓名').fill('田先生')
  await drawer(gm).getByLabel('原因').fill('房屋转让，已核对过户资料')
  await button(drawer(gm), '确定').click()
  await gm.locator('h2', { hasText: '田先生' }).waitFor()
  // Who has the page open reads it without asking.
  await steward.locator('h2', { hasText: '田先生' }).waitFor()
  await steward.locator('h2', { hasText: '以前的联系人' }).waitFor()
  await steward.getByRole('cell', { name, exact: true }).waitFor()
  const { contacts } = await (
    await stage.server.as('branch_gm')
  ).call(ownersApi.details, { query: { site_id } })
  expect(contacts.filter((c) => c.endedAt === null).map((c) => c.name)).toEqual(['田先生'])
  await steward.evaluate(() => history.back())
  await row(steward, '田先生').waitFor()
  expect(stage.problems).toEqual([])
})
