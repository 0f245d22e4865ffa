import { patrolTasksApi } from '@zhuguan/contract/features/patrols/plans.api.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../server/kit/shanghai.ts'
import { testNow } from '../server/testing/time.ts'
import { counted } from './count.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
const today = shanghaiDay(testNow())
const noon = (ago: number) => new Date(startOfDay(addDays(today, -ago)).getTime() + 12 * 3_600_000)

/** A week of one branch: alarms judged one way and the other, occurrences done and missed. */
beforeAll(async () => {
  stage = await openStage()
  const { sql } = stage.server
  for (let ago = 1; ago <= 7; ago += 1)
    await sql(
      `INSERT INTO alarms (tenant_id, id, bc_id, site_id, device_id, type, at, last_seen, confidence, correction_status,
         verdict, closed_at, due_at)
       SELECT d.tenant_id, gen_random_uuid(), d.bc_id, d.site_id, d.id, 'smoking', $1::timestamptz, $1, 0.9,
         CASE WHEN d.n % 3 = 0 THEN 4 ELSE 3 END, CASE WHEN d.n % 3 = 0 THEN 'wrong' ELSE 'real' END,
         $1::timestamptz + interval '1 hour' * d.n, $1
       FROM (SELECT k.*, row_number() OVER (ORDER BY k.sn) AS n FROM devices k
         JOIN companies c ON c.bc_id = k.bc_id AND c.code = 'HZ' WHERE k.type = 'camera' AND k.site_id IS NOT NULL) d
       WHERE d.n <= 6`,
      [noon(ago)],
    )
  const [plan] = await sql<{ id: string }>(
    `INSERT INTO patrol_plans (tenant_id, id, bc_id, name, kind, every, weekdays, share, user_ids, from_time, to_time,
       days, starts_on)
     SELECT c.tenant_id, gen_random_uuid(), c.bc_id, '每日云巡检', 'remote', 'day', '{1}', 'one', '{}', '09:00', '12:00',
       1, :today FROM companies c WHERE c.code = 'HZ' RETURNING id`,
  )
  await sql(
    `INSERT INTO patrol_tasks (tenant_id, id, bc_id, site_id, plan_id, day, user_ids, opens_at, closes_at, lapses_at,
       outcome)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, $1, :today - 3, '{}',
       $2::timestamptz - interval '3 hours', $2::timestamptz, $2::timestamptz + interval '1 day',
       CASE WHEN w.n <= 3 THEN 3 END
     FROM (SELECT s.*, row_number() OVER (ORDER BY s.code) AS n FROM sites s
       JOIN companies c ON c.bc_id = s.bc_id AND c.code = 'HZ' WHERE s.status = 1) w
     WHERE w.n <= 5`,
    [plan!.id, noon(3)],
  )
})
afterAll(() => stage?.close())

const menu = async (page: Page, title: string) => {
  await page.locator('.side-nav').getByRole('button', { name: '数据统计', exact: true }).click()
  await page.locator('.side-nav').getByRole('link', { name: title }).click()
}
const card = (page: Page, title: string) =>
  page.locator('.chart-card', { has: page.getByRole('heading', { name: title }) })
const counts = (page: Page, n: number) =>
  eventually(() => page.locator('.pager:visible .total').innerText()).toBe(`共 ${n} 条`)

test('the general manager goes from a figure of alarms to exactly these alarms, by the mouse and by keys', async () => {
  const gm = await stage.server.as('branch_gm')
  const { branches } = await gm.call(statisticsApi.alarms, { query: {} })
  const [smoking] = branches.filter((b) => b.type === 'smoking')
  expect(smoking).toMatchObject({ raised: 42, wrong: 14 })
  const page = await stage.signIn('branch_gm')
  await menu(page, '报警统计')
  const sums = page.locator('.figures-said:visible')
  await eventually(() => sums.innerText()).toContain('误报 14')
  const story = await counted(page, 'branch manager: from 误报 to the false alarms')
  await sums.getByRole('link', { name: '14', exact: true }).first().click()
  await counts(page, 14)
  await story.said()
  await page.goBack()

  // The table behind the picture, by keys alone.
  const types = card(page, '按报警类型')
  await types.getByRole('button', { name: '表', exact: true }).press('Enter')
  const cell = types.getByRole('row', { name: /抽烟/ }).getByRole('button').nth(1)
  expect(await cell.innerText()).toBe('14 条')
  await cell.press('Enter')
  await counts(page, 14)
  expect(page.url()).toContain('verdict=wrong')
  await page.goBack()

  // Which hour, which camera again and again, how long it took: each opens its list.
  const hours = card(page, '按时段')
  await hours.getByRole('button', { name: '表', exact: true }).click()
  await hours
    .getByRole('row', { name: /^12 点/ })
    .getByRole('button', { name: '42 条' })
    .click()
  await counts(page, 42)
  expect(await page.getByText('时段12 点').count()).toBe(1)
  await page.goBack()
  const cameras = card(page, '同一摄像头反复报警')
  await cameras.getByRole('button', { name: '表', exact: true }).click()
  await cameras.getByRole('button', { name: '7 条' }).first().click()
  await counts(page, 7)
  await page.goBack()
  const times = card(page, '整改用时')
  await times.getByRole('button', { name: '表', exact: true }).click()
  const all = times.getByRole('row', { name: /^全部（\d+ 条）/ })
  const n = Number(/（(\d+) 条）/.exec(await all.innerText())![1])
  await all.getByRole('button').first().click()
  await counts(page, n)
  expect(stage.problems).toEqual([])
})

test('the general manager finds the sites where nobody was, and the occurrences behind them', async () => {
  const page = await stage.signIn('branch_gm')
  await menu(page, '巡检统计')
  const coverage = card(page, '工地覆盖')
  await coverage.getByRole('button', { name: '表', exact: true }).click()
  await coverage
    .getByRole('row', { name: /一次没巡/ })
    .getByRole('button')
    .first()
    .click()
  const drawer = page.getByRole('dialog')
  await eventually(() => drawer.innerText()).toContain('共 2 个工地')
  await drawer.getByRole('link', { name: '1', exact: true }).first().click()
  await counts(page, 1)
  expect(await page.locator('.list tbody tr:not(.skeleton)').first().innerText()).toContain('未巡检')
  await page.goBack()
  const gm = await stage.server.as('branch_gm')
  const missed = await gm.call(patrolTasksApi.list, { query: { state: [5] } })
  expect(missed.totalCount).toBe(2)
  const sums = page.locator('.figures-said:visible')
  await eventually(() => sums.innerText()).toContain('未巡 2')
  expect(stage.problems).toEqual([])
})
