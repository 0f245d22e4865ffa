import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { counted } from './count.ts'
import { button, drawer, inDays, photoOf, row } from './hands.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()), 120_000)
afterAll(() => stage?.close())

const choose = async (page: Page, label: string, option: string) => {
  await drawer(page).locator('.field', { hasText: label }).first().locator('input').click()
  await page.locator('.ant-select-item-option:visible', { hasText: option }).first().click()
}
const fill = async (page: Page, content: string, due: string) => {
  await button(page, '新增').click()
  await choose(page, '工地', 'GDHZ001')
  await drawer(page).getByText('材料', { exact: true }).click()
  await drawer(page).locator('textarea').first().fill(content)
  await drawer(page).getByPlaceholder('选择日期').fill(due)
  await page.keyboard.press('Tab')
}
const send = (page: Page) => drawer(page).getByRole('button', { name: /确\s*定/ })

test('of another day for the same thing the old promise is seen while typing; the new one is kept', async () => {
  const page = await stage.signIn('steward', '/owner/PromiseList')
  await page.getByText('还没有承诺。').waitFor()
  await page.getByText('样本不足').first().waitFor()
  const story = await counted(page, 'steward: two promises, one instead of the other, kept with a photo')
  await fill(page, '地板周三送到', inDays(3))
  await send(page).click()
  await row(page, '地板周三送到').waitFor()

  await fill(page, '地板周五送到', inDays(5))
  await drawer(page).getByText('地板周三送到').waitFor()
  expect(await send(page).isDisabled()).toBe(true)
  await drawer(page).getByText('取代它', { exact: true }).click()
  await send(page).click()
  await row(page, '地板周五送到').waitFor()
  await row(page, '地板周三送到').getByText('撤回').first().waitFor()

  await button(row(page, '地板周五送到'), '兑现').click()
  await drawer(page)
    .locator('input[type=file]')
    .first()
    .setInputFiles(await photoOf('地板.jpg'))
  await drawer(page).locator('.field img, .field picture').first().waitFor()
  await send(page).click()
  await row(page, '地板周五送到').getByText('已兑现').waitFor()
  await story.said()
  const steward = await stage.server.as('steward')
  await eventually(async () =>
    (await steward.call(promisesApi.list, { query: {} })).list.map((p) => [p.content, p.state]).toSorted(),
  ).toEqual([
    ['地板周三送到', 'withdrawn'],
    ['地板周五送到', 'kept'],
  ])
  expect(stage.problems).toEqual([])
})
