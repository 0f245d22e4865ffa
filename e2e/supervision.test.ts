import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openBook } from '../server/testing/supervised.ts'
import { counted } from './count.ts'
import { button, drawer, row } from './hands.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let pm: string
let name: string
beforeAll(async () => {
  stage = await openStage()
  const [me] = await stage.server.sql<{ id: string; bc: string; name: string }>(
    `SELECT id, bc_id AS bc, nickname AS name FROM users WHERE user_name = 'pm'`,
  )
  pm = me!.id
  name = me!.name
  const sites = await stage.server.sql<{ id: string; lng: number; lat: number }>(
    `SELECT id, lng, lat FROM sites WHERE manager_id = $1 AND status = 1 ORDER BY code LIMIT 3`,
    [pm],
  )
  const book = await openBook(stage.server, me!.bc)
  for (const [i, { id: site }] of sites.entries()) {
    await book.correction({ site, who: pm, daysAgo: 9 + i, hours: 30 })
    await book.correction({ site, who: pm, daysAgo: 5 + i, hours: 6 })
    await book.complaint({ site, people: [pm], daysAgo: 3 + i })
  }
  await book.correction({
    site: sites[0]!.id,
    who: pm,
    daysAgo: 4,
    hours: 0,
    ended: null,
    status: 2,
    started: 2,
  })
  await book.warning({ site: sites[0]!.id, people: [pm], daysAgo: 2, ended: 'replanned' })
  // Today's way, in the hours that are over.
  const minutes = ((stage.server.now().getTime() + 8 * 3_600_000) % 86_400_000) / 60_000
  for (const [i, s] of sites.entries())
    await stage.server.sql(
      `INSERT INTO patrols (tenant_id, id, number, bc_id, site_id, kind, inspector_id, begun_at, submitted_at, status,
         lng, lat, place)
       SELECT tenant_id, gen_random_uuid(), 'XJ-E' || $2, bc_id, id, 'scene', $3,
         :now - make_interval(mins => $4::int), :now, 2, $5, $6, 'near'
       FROM sites WHERE id = $1`,
      [s.id, String(i), pm, Math.floor((minutes * (3 - i)) / 4), s.lng, s.lat],
    )
}, 600_000)
afterAll(() => stage?.close())

const shot = async (page: Page, what: string) => {
  if (!process.env.SHOTS) return
  for (const [width, height] of [
    [1366, 768],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.waitForTimeout(600)
    await page.screenshot({ path: `${process.env.SHOTS}/supervise-${what}-${width}.png` })
  }
  await page.setViewportSize({ width: 1366, height: 768 })
}
const open = (page: Page, to: string) => page.evaluate((hash) => (location.hash = `#${hash}`), to)

test('the supervisor gets from a red figure to the one record behind it in three clicks', async () => {
  const page = await stage.signIn('branch_gm', '/ManageSupervise')
  const line = row(page, name).first()
  await line.waitFor()
  await shot(page, 'people')
  const story = await counted(page, 'branch_gm: from a red figure to the record')
  await line.locator('a.figure-bad').first().click()
  await page.getByText('‹ 回到指标').waitFor()
  await page.locator('.grid tbody a').filter({ hasText: '阴角不直' }).first().click()
  await eventually(() => page.evaluate(() => location.hash)).toMatch(/\/Correction\?id=/)
  await page.getByText('阴角不直').filter({ visible: true }).first().waitFor()
  const said = await story.said()
  expect(said.clicks).toBeLessThanOrEqual(3)
  expect(stage.problems).toEqual([])
})

test('from the list of managers to one of them; every number there opens as many rows', async () => {
  const page = await stage.signIn('branch_gm', '/worker/ManagerList')
  await row(page, name).first().getByRole('button', { name: '查看监督' }).click()
  await page.locator('[data-figure="late"]').waitFor()
  await shot(page, 'person')
  const late = page.locator('[data-figure="late"] a')
  const shown = Number(await late.innerText())
  expect(shown).toBe(4)
  await late.click()
  await eventually(() => page.locator('.grid tbody tr:visible').count()).toBe(shown)
  await shot(page, 'records')
  expect(stage.problems).toEqual([])
})

test('a manager reads the own page from the own menu and writes a remark that the superior sees', async () => {
  const page = await stage.signIn('pm', '/HomeMaster')
  await page.locator('.me').click()
  await page.getByText('我的监督指标').click()
  await page.getByText('上级看到的也是这一页').waitFor()
  const figure = page.locator('[data-figure="late"]')
  await button(figure, '写说明').click()
  await drawer(page).getByRole('textbox').fill('材料当天没到，约好周五补')
  await button(drawer(page), '确定').click()
  await figure.getByText('材料当天没到').waitFor()
  await shot(page, 'own')
  const gm = await stage.signIn('branch_gm', `/ManageSupervise?id=${pm}`)
  await gm.locator('[data-figure="late"]').getByText('材料当天没到').waitFor()
  await button(figure, '收回').click()
  await page.locator('.ant-modal').getByRole('button', { name: '确定' }).click()
  await eventually(() => figure.getByText('材料当天没到').count()).toBe(0)
  // Somebody else's page is refused in words.
  const steward = await stage.server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'steward'`)
  await open(page, `/ManageSupervise?id=${steward[0]!.id}`)
  await page.getByText('没有权限查看或操作这条数据').first().waitFor()
})

test('the map joins the check-ins of today and says where places come from', async () => {
  stage.problems.length = 0
  const page = await stage.signIn('branch_gm', '/ManageMap')
  await page.getByText('不在后台取手机定位').waitFor()
  await page.locator('.map-lists').getByRole('button', { name }).click()
  await eventually(() => page.locator('.map-lists ol li').count()).toBe(3)
  await shot(page, 'map')
  await open(page, '/ManageInspect')
  await row(page, name).first().waitFor()
  expect(await row(page, name).count()).toBe(3)
  await shot(page, 'inspect')
  await row(page, name).first().click()
  await eventually(() => page.evaluate(() => location.hash)).toMatch(/\/PatrolDetail\?id=/)
  expect(stage.problems).toEqual([])
})
