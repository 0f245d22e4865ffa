import { warningsApi } from '@zhuguan/contract/features/warnings/warnings.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { SYSTEM } from '../server/features/session/access.reads.ts'
import { weighAll } from '../server/features/warnings/weighing.service.ts'
import { counted } from './count.ts'
import { button, drawer, PHONE, row } from './hands.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let site: { id: string; name: string }
beforeAll(async () => {
  stage = await openStage()
  const [first] = await stage.server.sql<{ id: string; name: string; tenant: string }>(
    `SELECT w.id, w.ws_name AS name, w.tenant_id AS tenant FROM sites w JOIN users m ON m.id = w.manager_id
     WHERE w.status = 1 AND m.user_name = 'pm' ORDER BY w.code LIMIT 1`,
  )
  site = first!
  await stage.server.sql(
    `INSERT INTO corrections (tenant_id, id, bc_id, site_id, source, source_id, problem, at, due_at,
       correction_status, step, assignee_id)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, 'patrol', gen_random_uuid(), '阳台线管没有固定',
       :now - interval '20 days', :now - interval '9 days', 2, 'assigned', steward_id
     FROM sites WHERE id = $1`,
    [site.id],
  )
  await stage.server.sql(
    `UPDATE site_stages g SET planned_start = :today - 30, planned_finish = :today - 12,
       actual_start = :today - 28, actual_finish = NULL, baseline_start = :today - 40, baseline_finish = :today - 20
     FROM sites w WHERE w.id = g.site_id AND g.stage = w.stage AND w.id = $1`,
    [site.id],
  )
  await stage.server.db.tx(SYSTEM, (tx) => weighAll(tx, first!.tenant))
}, 600_000)
afterAll(() => stage?.close())

const open = (page: Page, to: string) => page.evaluate((hash) => (location.hash = `#${hash}`), to)
const shot = async (page: Page, name: string) => {
  if (!process.env.SHOTS) return
  for (const [width, height] of [
    [1366, 768],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.screenshot({ path: `${process.env.SHOTS}/warn-${name}-${width}.png` })
  }
}

test('from the figure on the home page to the correction behind it: three clicks', async () => {
  const page = await stage.signIn('branch_gm', '/HomeMaster')
  const card = page.locator('.figure', { hasText: '质量预警' }).locator('a.cover')
  await card.waitFor()
  await shot(page, 'home')
  const story = await counted(page, 'branch_gm: from 质量预警 to the correction')
  await card.click()
  await row(page, '阳台线管没有固定').first().click()
  await drawer(page).getByText('打开整改单').click()
  await page
    .locator('.ant-drawer-content-wrapper:visible, .grid:visible')
    .getByText('阳台线管没有固定')
    .first()
    .waitFor()
  expect((await story.said()).clicks).toBeLessThanOrEqual(3)
  expect(stage.problems).toEqual([])
})

test('a manager takes one until a day; what is important the branch closes', async () => {
  const page = await stage.signIn('pm', `/owner/WarningList?site_id=${site.id}&kind=schedule`)
  await row(page, '到期没做完').first().waitFor()
  await shot(page, 'list')
  await row(page, '到期没做完').first().click()
  await drawer(page).getByText('预警记录').waitFor()
  await shot(page, 'panel')
  await button(drawer(page), '处理').click()
  await drawer(page).locator('textarea').fill('明天加两个水电工')
  await drawer(page).getByPlaceholder('选择日期').fill('2099-01-01')
  await page.keyboard.press('Tab')
  await shot(page, 'take')
  await drawer(page)
    .getByRole('button', { name: /确\s*定/ })
    .click()
  await drawer(page).getByText('的预警最多处理').first().waitFor()
  await drawer(page)
    .getByPlaceholder('选择日期')
    .fill(new Date(Date.now() + 86_400_000 * 2).toISOString().slice(0, 10))
  await page.keyboard.press('Tab')
  await drawer(page)
    .getByRole('button', { name: /确\s*定/ })
    .click()
  await page.getByText('处理中 到').first().waitFor()
  const gm = await stage.server.as('branch_gm')
  await eventually(async () =>
    (await gm.call(warningsApi.list, { query: { site_id: site.id, state: ['handling'] } })).list.map(
      (w) => w.rule,
    ),
  ).toEqual(['lateFinish'])
  expect(stage.problems).toEqual([])
})

test('the pages of the home, the site’s own page, the threshold before it is saved, and a telephone', async () => {
  const page = await stage.signIn('branch_gm', `/OwnerProjectwarn?site_id=${site.id}`)
  await row(page, '个工作日').first().waitFor()
  await shot(page, 'project')
  await open(page, `/OwnerQualitywarn?site_id=${site.id}`)
  await row(page, '阳台线管没有固定').first().waitFor()
  await shot(page, 'quality')
  await open(page, `/OwnerWarnrecord?site_id=${site.id}`)
  await page.getByText('类型').first().waitFor()
  await shot(page, 'record')
  await open(page, `/SiteInfo?id=${site.id}`)
  await page.locator('.stages a', { hasText: '预警' }).first().waitFor()
  await shot(page, 'site')
  await open(page, '/system/SetSelf')
  const field = page.locator('#set-warnFinishDays')
  await field.fill('1')
  await page.getByText(/保存以后，现在会有 \d+ 条/).waitFor()
  await field.evaluate((of) => of.scrollIntoView({ block: 'center' }))
  await shot(page, 'set')
  const phone = await stage.signIn('pm', `/owner/WarningList?site_id=${site.id}`, {
    ...PHONE,
    hasTouch: true,
  })
  await phone.getByText('到期没做完').first().waitFor()
  if (process.env.SHOTS) await phone.screenshot({ path: `${process.env.SHOTS}/warn-phone.png` })
  expect(stage.problems).toEqual([])
})
