import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { tellFeedback } from '../server/features/feedback/feedback-history.service.ts'
import { SYSTEM } from '../server/features/session/access.reads.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  const tenants = await stage.server.sql<{ id: string }>('SELECT id FROM tenants')
  for (const { id } of tenants) await stage.server.db.tx(SYSTEM, (tx) => tellFeedback(tx, id))
}, 600_000)
afterAll(() => stage?.close())

test('a steward accepts a complaint and reads its thread; what is said of the steward is not there', async () => {
  const page = await stage.signIn('steward', '/owner/FeedbackList')
  await page.getByText('墙砖有三块空鼓').first().waitFor()
  const shoot = (name: string) =>
    process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/feedback-${name}.png` }) : undefined
  await shoot('list')
  // What is said of the steward is not on the steward's list.
  expect(await page.getByText('管家三天不回消息').count()).toBe(0)
  const row = page.getByRole('row').filter({ hasText: '墙砖有三块空鼓' })
  await row.getByRole('button', { name: '受理' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('责任人').click()
  await page.locator('.ant-select-item-option').first().click()
  await shoot('accept')
  await drawer.getByRole('button', { name: '确定' }).click()
  await eventually(() => row.getByText('处理中').count()).toBe(1)
  await row.locator('.name, a').first().click()
  await page.getByText('这一家以前的反馈').or(page.getByText('经过')).first().waitFor()
  await shoot('panel')
  const steward = await stage.server.as('steward')
  const { list } = await steward.call(feedbackApi.list, { query: { status: [2] } })
  expect(list.some((f) => f.words.includes('墙砖有三块空鼓'))).toBe(true)
  expect(stage.problems).toEqual([])
  await page.context().close()
}, 600_000)
