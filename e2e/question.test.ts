import { questionsApi } from '@zhuguan/contract/features/questions/questions.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { boundPhone } from '../server/testing/homes.ts'
import { counted } from './count.ts'
import { button, drawer, inDays, photoOf, telephone } from './hands.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()), 120_000)
afterAll(() => stage?.close())
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}

/** The home has a contract. */
async function sold(site: string): Promise<void> {
  const { sql } = stage.server
  await sql(
    `INSERT INTO customers (tenant_id, id, bc_id, name, phone, held_at, changed_at, created_at)
     SELECT tenant_id, gen_random_uuid(), bc_id, '卖给谁', '', :now, :now, :now FROM sites WHERE id = $1`,
    [site],
  )
  await sql(
    `INSERT INTO quotations (tenant_id, id, code, bc_id, customer_id, quoter_id, created_at, changed_at, changed_by)
     SELECT k.tenant_id, gen_random_uuid(), 'BJ-1', k.bc_id, k.id, w.steward_id, :now, :now, ''
     FROM customers k JOIN sites w ON w.id = $1 WHERE k.name = '卖给谁'`,
    [site],
  )
  await sql(
    `INSERT INTO contracts (tenant_id, id, code, bc_id, customer_id, quotation_id, signed_version, site_id,
       signing_progress, package_name, area, tax_percent, base, paid, signed_on, made_by, made_at)
     SELECT q.tenant_id, gen_random_uuid(), 'HT-1', q.bc_id, q.customer_id, q.id, gen_random_uuid(), $1, 3, '', 1, 3,
       10, 10, :today, q.quoter_id, :now
     FROM quotations q WHERE q.code = 'BJ-1'`,
    [site],
  )
}

test('the steward asks, the owner decides on the telephone, the change of the contract is one click away', async () => {
  const [home] = await stage.server.sql<{ site: string; contact: string; name: string }>(
    `SELECT w.id AS site, h.id AS contact, o.name
     FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN owners o ON o.id = h.owner_id
     WHERE w.steward_id = (SELECT id FROM users WHERE user_name = 'steward') AND w.status = 1
     ORDER BY w.code LIMIT 1`,
  )
  const { contact, name, site } = home!
  const steward = await stage.signIn('steward', `/OwnerInfo?site_id=${site}`)
  const panel = steward.locator('section', { has: steward.locator('h2', { hasText: '待业主决定' }) })
  await panel.getByText('还没有问过业主').waitFor()
  await shot(steward, 'q-1-empty')
  const spent = await counted(steward, 'steward: a question with three options, a picture and a price')
  await button(panel, '询问业主').click()
  const form = drawer(steward)
  await form.getByLabel('问题', { exact: true }).fill('客厅地砖选哪一款')
  for (const [i, option] of ['浅灰 800×800', '米白 800×800', '木纹 200×1000'].entries())
    await form.getByLabel(`选项 ${i + 1}`).fill(option)
  await form.getByPlaceholder('选择日期').fill(inDays(3))
  await steward.keyboard.press('Tab')
  await form.getByLabel('会改变费用').click()
  await form.getByLabel('估计费用').fill('约 800 元')
  await form
    .locator('input[type=file]')
    .first()
    .setInputFiles(await photoOf('地砖.jpg'))
  await form.locator('.drop-shot img').waitFor()
  await shot(steward, 'q-2-asking')
  await form.getByRole('button', { name: /确\s*定/ }).click()
  await panel.getByText('客厅地砖选哪一款').waitFor()
  await spent.said()
  await shot(steward, 'q-3-asked')

  const staff = await stage.server.as('steward')
  const phone = await telephone(stage, '/')
  const bound = await boundPhone(stage.server, staff, { contact, site }, await stage.server.as('service'))
  await phone.evaluate((device) => localStorage.setItem('device', device), bound.bearer.device)
  await phone.goto(`${stage.server.url}/#/Preview?link=${bound.token}`)
  await phone.reload()
  const card = phone.locator('.owner-card', { hasText: '待您决定' })
  await card.getByText('客厅地砖选哪一款').waitFor()
  await card.locator('img').waitFor()
  await shot(phone, 'q-4-phone')
  await button(card, '米白 800×800').click()
  await card.getByText('您的决定：').waitFor()
  await shot(phone, 'q-5-confirm')
  await button(card, '返回').click()
  await button(card, '木纹 200×1000').click()
  await button(card, '确认').click()
  await card.getByText('都已决定').waitFor()
  await shot(phone, 'q-6-decided')

  // Who has the home open reads it without asking.
  await panel.getByText('需要另签增减项变更').waitFor()
  await panel.getByText(name).first().waitFor()
  await shot(steward, 'q-7-answered')
  await eventually(async () =>
    (await staff.call(questionsApi.list, { query: { site_id: site } })).list.map((q) => [q.state, q.answer]),
  ).toEqual([['answered', '木纹 200×1000']])

  await button(panel, '重新询问').click()
  await drawer(steward).getByText('原来答复：木纹 200×1000').waitFor()
  await drawer(steward).getByPlaceholder('选择日期').fill(inDays(1))
  await steward.keyboard.press('Tab')
  await drawer(steward)
    .getByRole('button', { name: /确\s*定/ })
    .click()
  await panel.getByText('已重新询问').waitFor()
  await stage.server.sql(`UPDATE questions SET needed_by = needed_by - 3 WHERE state = 'open'`)
  await steward.reload()
  await panel.getByText('逾期 2 天，等业主').waitFor()
  await shot(steward, 'q-8-late')
  await button(panel, '代录答复').click()
  await drawer(steward).getByLabel('答复人').click()
  await steward.locator('.ant-select-item-option:visible', { hasText: name }).click()
  await drawer(steward).getByText('浅灰 800×800', { exact: true }).click()
  await drawer(steward)
    .locator('input[type=file]')
    .first()
    .setInputFiles(await photoOf('聊天.jpg', 5))
  await drawer(steward).locator('.drop-shot img').waitFor()
  await shot(steward, 'q-9-recording')
  await drawer(steward)
    .getByRole('button', { name: /确\s*定/ })
    .click()
  await panel.locator('.question-answers', { hasText: '代录' }).waitFor()
  await shot(steward, 'q-10-all')
  // Who may change the contract is one click away from it.
  await sold(site)
  const gm = await stage.signIn('branch_gm', `/OwnerInfo?site_id=${site}`)
  await gm.getByRole('link', { name: '去变更合同' }).click()
  await drawer(gm).getByText('变更 HT-1').waitFor()
  await shot(gm, 'q-11-change')
  for (const [width, height] of [
    [1920, 1080],
    [390, 844],
  ] as const) {
    await steward.setViewportSize({ width, height })
    await shot(steward, `q-12-${width}`)
    // Laid out anew, nothing stands beside the screen.
    await eventually(() =>
      steward.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0)
  }
  expect(stage.problems).toEqual([])
})
