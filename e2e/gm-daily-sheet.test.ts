import { readFile } from 'node:fs/promises'

import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../server/kit/shanghai.ts'
import { report } from '../server/testing/device.ts'
import { cellsOf } from '../server/testing/sheets.ts'
import { seconds, testNow } from '../server/testing/time.ts'
import { counted } from './count.ts'
import { eventually, openStage, type Stage } from './stage.ts'

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
  // Whoever sees one branch is not told in every row which it is.
  const heads = await page.locator('.daily-sheet thead th').allInnerTexts()
  expect(heads).not.toContain('分公司')
  expect((await row.locator('td').allInnerTexts())[heads.indexOf('出勤人次')]).toBe('12')

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '导出', exact: true }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^日报表 \d{4}-\d{2}-\d{2}\.xlsx$/)
  const [titles, ...rows] = await cellsOf(await readFile(await file.path()))
  const exported = Object.fromEntries(
    titles!.map((title, i) => [title, rows.find((r) => r[0] === yesterday)![i]]),
  )
  expect(exported).toMatchObject({
    日期: yesterday,
    分公司: '杭州分公司',
    在建工地: String(sheet.sites),
    有人施工: String(sheet.worked),
    实出勤人次: '12',
  })

  await page.getByRole('button', { name: '打印' }).click()
  const prints = () => page.evaluate(() => (window as unknown as { prints: number }).prints)
  await eventually(prints).toBe(1)
  const { clicks } = await story.said()
  expect(clicks).toBeLessThanOrEqual(4)

  // Of a filter with more rows than the page shows every row is on paper, with what it is of and the sum.
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  const query = { from: addDays(yesterday, -29), to: yesterday }
  await stage.server.sql(
    `INSERT INTO site_days SELECT (jsonb_populate_record(d, jsonb_build_object('day', d.day - n))).*
     FROM site_days d, generate_series(1, 29) n WHERE d.day = $1`,
    [yesterday],
  )
  const asked = await gm.call(statisticsApi.dailySheet, { query: { ...query, pageSize: 100 } })
  expect(asked.totalCount).toBeGreaterThan(10)
  await page.evaluate(
    ({ from, to }) => (location.hash = `#/dataStatistics/DailySheet?from=${from}&to=${to}&pageSize=10`),
    query,
  )
  await eventually(() => page.locator('.list tbody tr').count()).toBe(10)
  await page.getByRole('button', { name: '打印' }).click()
  await eventually(prints).toBe(2)

  // On paper: the table with its title, whole and alone.
  await page.emulateMedia({ media: 'print' })
  for (const gone of ['.side', '.head', '.tags', '.daily-sheet .list-bar', '.daily-sheet .pager'])
    expect(await page.locator(gone).first().isVisible(), gone).toBe(false)
  const paper = page.locator('.print-sheet')
  const head = await paper.locator('thead tr').first().innerText()
  for (const part of [query.from, yesterday, '杭州分公司', `共 ${asked.totalCount} 行`, '打印于'])
    expect(head).toContain(part)
  expect(await page.locator('.list').isVisible()).toBe(false)
  const lines = await paper.locator('tbody tr').allInnerTexts()
  expect(lines).toHaveLength(asked.totalCount + 1)
  expect(lines.filter((l) => l.includes(yesterday.slice(5)))[0]!.split('\t')[7]).toBe('12')
  const people = asked.list.reduce((n, r) => n + r.present, 0)
  expect(lines.at(-1)).toMatch(new RegExp(`^合计 .*\\t${people}\\t`))
  // Every column is on the sheet: nothing is cut off at the right edge of the paper.
  const wide = await page.evaluate(() => {
    document.body.style.width = '1047px'
    const t = document.querySelector('.print-sheet')!.getBoundingClientRect()
    return Math.round(t.right)
  })
  expect(wide).toBeLessThanOrEqual(1047)
  const pdf = await page.pdf({
    format: 'A4',
    landscape: true,
    ...(process.env.STORY_PDF ? { path: process.env.STORY_PDF } : {}),
  })
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  // Paper in hand, the page is as it was.
  await eventually(() => paper.count()).toBe(0)
  expect(stage.problems).toEqual([])
})

test('before work begins the running day has no rate, on the page and in the file; later it has', async () => {
  const gm = await stage.server.as('branch_gm')
  const today = addDays(yesterday, 1)
  const [{ bc }] = (await stage.server.sql<{ bc: string }>(
    `SELECT bc_id AS bc FROM companies WHERE bc_name = '杭州分公司'`,
  )) as [{ bc: string }]
  const opens = async (value: string) => {
    await stage.server.sql(`DELETE FROM settings WHERE bc_id = $1 AND key = 'workStart'`, [bc])
    await stage.server.sql(
      `INSERT INTO settings (tenant_id, bc_id, key, value) VALUES ($1, $2, 'workStart', $3::jsonb)`,
      [gm.tenant, bc, JSON.stringify(value)],
    )
  }
  const camera = stage.server.devices.find((d) => d.type === 'camera' && d.site && d.sn.includes('HZ'))!
  await report(stage.server.url, camera, [
    { id: 'now', kind: 'alarm', at: seconds() - 1, type: 'smoking', confidence: 0.9 },
  ])
  const page = await stage.signIn('branch_gm', `/dataStatistics/DailySheet?from=${yesterday}&to=${today}`)
  const rowOf = async (day: string) => {
    const row = page.locator('.daily-sheet tbody tr', { hasText: day.slice(5) })
    await row.waitFor()
    const heads = await page.locator('.daily-sheet thead th').allInnerTexts()
    const cells = await row.locator('td').allInnerTexts()
    return Object.fromEntries(heads.map((title, i) => [title.trim().split(/\s/)[0]!, cells[i]!.trim()]))
  }
  const inFile = async () => {
    const file = await gm.ask(statisticsApi.dailyExport, { query: { from: today, to: today } })
    const [heads, cells] = await cellsOf(file.bytes)
    return Object.fromEntries(heads!.map((title, i) => [title, cells![i]]))
  }
  // Every device of the branch stood on its site since yesterday, on line.
  await stage.server.sql(
    `DELETE FROM device_spans WHERE device_id IN (SELECT id FROM devices WHERE bc_id = $1)`,
    [bc],
  )
  await stage.server.sql(
    `INSERT INTO device_spans (tenant_id, device_id, from_at, to_at, state, cause)
     SELECT tenant_id, id, $2::date - 1, NULL, 1, '' FROM devices WHERE bc_id = $1 AND site_id IS NOT NULL`,
    [bc, yesterday],
  )
  await stage.server.sql(
    `UPDATE device_stands t SET from_at = $2::date - 1 FROM devices d
     WHERE d.id = t.device_id AND d.bc_id = $1 AND t.to_at IS NULL`,
    [bc, yesterday],
  )
  // A time that no clock of the day reaches.
  await opens('24:00')
  await page.reload()
  const early = await rowOf(today)
  expect(early['日期']).toContain('未到上班时间')
  expect([early['出勤率'], early['整改率'], early['设备在线率']]).toEqual(['--', '--', '--'])
  expect(early['新增报警']).toBe('1')
  const file = await inFile()
  for (const rate of ['出勤率%', '整改率%', '设备在线率%']) expect(file[rate], rate).toMatch(/--$/)
  expect(file['新增报警']).toBe('1')
  // A day that is over keeps its own.
  expect((await rowOf(yesterday))['出勤率']).toMatch(/%$/)

  await opens('00:00')
  await page.reload()
  const later = await rowOf(today)
  expect(later['日期']).toContain('进行中')
  expect([later['整改率'], (await inFile())['整改率%']]).toEqual(['0%*', '0'])
  expect(later['设备在线率']).toBe('100%*')
  expect(stage.problems).toEqual([])
})
