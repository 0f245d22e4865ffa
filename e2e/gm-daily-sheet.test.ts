import { readFile } from 'node:fs/promises'

import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../server/kit/shanghai.ts'
import { report } from '../server/testing/device.ts'
import { cellsOf } from '../server/testing/sheets.ts'
import { testNow } from '../server/testing/time.ts'
import { counted } from './count.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
const yesterday = addDays(shanghaiDay(testNow()), -1)
beforeAll(async () => {
  stage = await openStage()
  const at = startOfDay(yesterday).getTime() / 1000 + 8 * 3_600
  for (const d of stage.server.devices
    .filter((x) => x.type === 'faceTerminal' && x.workers.length > 3 && x.sn.includes('HZ'))
    .slice(0, 4)) {
    await stage.server.sql('UPDATE sites SET start_date = $2::date - 20 WHERE id = $1', [d.site, yesterday])
    await stage.server.sql('UPDATE site_members SET entered_on = $2::date - 20 WHERE site_id = $1', [
      d.site,
      yesterday,
    ])
    await report(
      stage.server.url,
      d,
      d.workers.slice(0, 3).flatMap((w_id, i) => [
        { id: `i${i}`, kind: 'clockin', at: at + i * 60, w_id, direction: 'in' },
        { id: `o${i}`, kind: 'clockin', at: at + 9 * 3_600, w_id, direction: 'out' },
      ]),
    )
  }
})
afterAll(() => stage?.close())

test('the branch manager reads yesterday’s daily sheet, exports it and prints it', async () => {
  const gm = await stage.server.as('branch_gm')
  const sheet = (await gm.call(statisticsApi.dailySheet, { query: { from: yesterday, to: yesterday } }))
    .list[0]!
  expect(sheet.present).toBe(12)
  const page = await stage.signIn('branch_gm')
  await page.evaluate(() =>
    Object.assign(window, {
      prints: 0,
      print: () => ((window as unknown as { prints: number }).prints += 1),
    }),
  )
  const story = await counted(page, 'branch manager: yesterday’s daily sheet, exported and printed')

  await page.locator('.side-nav').getByRole('button', { name: '数据统计', exact: true }).click()
  await page.locator('.side-nav').getByRole('link', { name: '日报表' }).click()
  const row = page.locator('.daily-sheet tbody tr', { hasText: yesterday.slice(5) })
  await row.waitFor()
  expect((await row.locator('td').allInnerTexts())[7]).toBe('12')

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '导出', exact: true }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^日报表 \d{4}-\d{2}-\d{2}\.xlsx$/)
  const [head, ...rows] = await cellsOf(await readFile(await file.path()))
  const exported = Object.fromEntries(
    head!.map((title, i) => [title, rows.find((r) => r[0] === yesterday)![i]]),
  )
  expect(exported).toMatchObject({
    日期: yesterday,
    分公司: '杭州分公司',
    在建工地: String(sheet.sites),
    有人施工: String(sheet.worked),
    出勤人次: '12',
  })

  await page.getByRole('button', { name: '打印' }).click()
  expect(await page.evaluate(() => (window as unknown as { prints: number }).prints)).toBe(1)
  const { clicks } = await story.said()
  expect(clicks).toBeLessThanOrEqual(4)

  // On paper: the table with its title, whole and alone.
  await page.emulateMedia({ media: 'print' })
  for (const gone of ['.side', '.head', '.tags', '.daily-sheet .list-bar', '.daily-sheet .pager'])
    expect(await page.locator(gone).first().isVisible(), gone).toBe(false)
  await page.getByRole('heading', { name: '日报表' }).first().waitFor()
  expect(await row.isVisible()).toBe(true)
  const pdf = await page.pdf({
    format: 'A4',
    landscape: true,
    ...(process.env.STORY_PDF ? { path: process.env.STORY_PDF } : {}),
  })
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  // Every column is on the sheet: nothing is cut off at the right edge of the paper.
  const wide = await page.evaluate(() => {
    document.body.style.width = '1047px'
    const t = document.querySelector('.daily-sheet table')!.getBoundingClientRect()
    return Math.round(t.right)
  })
  expect(wide).toBeLessThanOrEqual(1047)
  expect(stage.problems).toEqual([])
})
