import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { button } from './hands.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  // Strangers of three weeks ago, as a busy branch has them.
  await stage.server.sql(
    `INSERT INTO visits (tenant_id, id, bc_id, site_id, device_id, at, seconds, picture)
     SELECT d.tenant_id, gen_random_uuid(), d.bc_id, d.site_id, d.id, :now - interval '20 days' + n * interval '1 s', 9,
       'v' || n
     FROM generate_series(1, 1204) n,
       (SELECT d.* FROM devices d JOIN users u ON u.tenant_id = d.tenant_id AND u.user_name = 'branch_gm'
        JOIN sites w ON w.tenant_id = d.tenant_id AND w.id = d.site_id AND w.bc_id = u.bc_id
        WHERE d.type = 'camera' ORDER BY d.sn LIMIT 1) d`,
  )
}, 600_000)
afterAll(() => stage?.close())

const shot = async (page: Page, name: string) => {
  if (!process.env.SHOTS) return
  for (const [width, height] of [
    [1366, 768],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.screenshot({ path: `${process.env.SHOTS}/kept-${name}-${width}.png` })
  }
}
const pictures = async () =>
  (
    await stage.server.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM settings WHERE key = 'visitorPictureDays'`,
    )
  )[0]!.n

test('fewer days are not saved before somebody has read how much goes tonight', async () => {
  const page = await stage.signIn('branch_gm', '/system/SetSelf')
  const field = page.locator('#set-visitorPictureDays')
  await field.fill('10')
  const line = page.locator('.setting-line', { has: field })
  await line.getByText('今晚将删除 1,204 张陌生人照片').waitFor()
  await field.evaluate((of) => of.scrollIntoView({ block: 'center' }))
  await shot(page, 'line')
  await button(page, '保存 1 项').click()
  const dialog = page.locator('.ant-modal:visible')
  await dialog.getByText('今晚将删除 1,204 张陌生人照片。删除以后找不回来，确定保存吗？').waitFor()
  await shot(page, 'ask')
  await dialog.getByRole('button', { name: '取消' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await pictures()).toBe(0)
  // Said no, it is still there to be saved; said yes, it is.
  await button(page, '保存 1 项').click()
  await dialog.getByRole('button', { name: '确定' }).click()
  await page.getByText('已保存，立即生效').waitFor()
  expect(await pictures()).toBe(1)
  const kinds = page.getByRole('group', { name: '保存期限' })
  await kinds.getByRole('row', { name: /^陌生人照片 10 天/ }).waitFor()
  await kinds.evaluate((of) => of.scrollIntoView({ block: 'start' }))
  await shot(page, 'kinds')
  // More days than now delete nothing, and nobody is asked.
  await field.fill('12')
  await button(page, '保存 1 项').click()
  await page.getByText('已保存，立即生效').first().waitFor()
  expect(stage.problems).toEqual([])
})

test('an emptied box, words, a broken number, one beyond all bounds: said below it, not saved', async () => {
  const page = await stage.signIn('branch_gm', '/system/SetSelf')
  const field = page.locator('#set-facePictureDays')
  const line = page.locator('.setting-line', { has: field })
  await field.waitFor()
  const saved = async () =>
    (await stage.server.sql(`SELECT 1 FROM settings WHERE key = 'facePictureDays'`)).length
  let updates = 0
  page.on('request', (r) => (updates += r.url().includes('/setSelf/update') ? 1 : 0))
  for (const [said, why] of [
    ['60', ''],
    ['', '请填写，不想单独设置就点“恢复跟随”'],
    ['7天', '只填整数，不带单位和小数点'],
    ['60.5', '只填整数，不带单位和小数点'],
    ['-60', '只填整数，不带单位和小数点'],
    ['99999999999999999999', '最多 180'],
    ['29', '至少 30'],
  ] as const) {
    await field.fill(said)
    expect(await field.inputValue()).toBe(said)
    if (!why) continue
    await line.getByRole('alert').getByText(why, { exact: true }).waitFor()
    await button(page, '保存 1 项').click()
    expect(await page.locator('.ant-modal:visible').count()).toBe(0)
  }
  await shot(page, 'wrong')
  expect([await saved(), updates]).toEqual([0, 0])
  // Given back it follows again, and nothing is wrong with it.
  await line.getByRole('button', { name: '恢复跟随' }).click()
  expect([await field.inputValue(), await line.getByRole('alert').count()]).toEqual(['180', 0])
  await page.context().close()
  expect(stage.problems).toEqual([])
})

test('group operations read the register and open the lines behind a figure', async () => {
  const page = await stage.signIn('hq_ops', '/system/PersonalRegister')
  await page
    .getByRole('region', { name: '处理的个人信息' })
    .getByRole('row', { name: /^陌生人照片 访客/ })
    .waitFor()
  const [loaded] = await Promise.all([page.waitForEvent('download'), button(page, '导出').click()])
  expect(loaded.suggestedFilename()).toMatch(/^个人信息登记 .*\.xlsx$/)
  await page.reload()
  const mine = page.getByRole('region', { name: '谁看了、导出了什么' }).getByRole('row', { name: /hq_ops/ })
  await mine.waitFor()
  await shot(page, 'register')
  await mine.getByRole('link', { name: '1' }).first().click()
  await page.getByRole('cell', { name: '导出个人信息登记' }).first().waitFor()
  await shot(page, 'log')
  expect(stage.problems).toEqual([])
})
