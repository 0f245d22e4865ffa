import { readFile } from 'node:fs/promises'

import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { workersImport } from '@zhuguan/contract/features/workers/workers.import.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { cellsOf, sheetOf } from '../server/testing/sheets.ts'
import { counted } from './count.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  // A clerk of one branch: may look at workers and import them, and nothing else.
  await stage.server
    .sql(`WITH r AS (INSERT INTO roles (tenant_id, id, code, name, data_scope) SELECT tenant_id, gen_random_uuid(), 'clerk', '文员', 'branches' FROM users WHERE user_name = 'acceptor' RETURNING tenant_id, id),
    p AS (INSERT INTO role_pages SELECT r.tenant_id, r.id, g.id FROM r JOIN pages g ON g.tenant_id = r.tenant_id AND g.component_name IN ('HomeMaster', 'WorkerList', 'WorkerInfo')),
    l AS (INSERT INTO role_powers SELECT r.tenant_id, r.id, 'worker:import' FROM r)
    UPDATE user_roles SET role_id = (SELECT id FROM r) WHERE user_id = (SELECT id FROM users WHERE user_name = 'acceptor')`)
})
afterAll(() => stage?.close())

test('a clerk imports 500 workers from Excel, 12 of them broken: 488 go in, one is put right on the page, eleven in the workbook of what failed', async () => {
  const page = await stage.signIn('acceptor', '/worker/WorkerList')
  await page.getByText('共 140 条').waitFor()
  const story = await counted(page, 'clerk imports 500 workers')

  // The list as the template asks for it.
  await page.getByRole('button', { name: '导入 Excel' }).click()
  const [template] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '下载模板' }).click(),
  ])
  expect(template.suggestedFilename()).toBe('工人导入模板.xlsx')
  const [head] = await cellsOf(await readFile(await template.path()))
  const right = (i: number) => [
    `C${String(i).padStart(4, '0')}`,
    `新人${String.fromCharCode(0x4e00 + i)}`,
    '杭州分公司',
    '木工',
    '男',
    `137${String(i).padStart(8, '0')}`,
    '',
  ]
  const rows = Array.from({ length: 500 }, (_, i) => right(i))
  const broken = Array.from({ length: 12 }, (_, i) => 7 + i * 40)
  broken.forEach((i, k) => (rows[i]![[1, 3, 5][k % 3]!] = ['', '宇航员', '12'][k % 3]!))
  await page.getByLabel('选择 Excel 文件').setInputFiles({
    name: '七月新工人.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: await sheetOf(head!, rows),
  })
  await page.getByRole('button', { name: '导入 488 行' }).waitFor()
  const preview = page.getByRole('region', { name: '有误的行' })
  await preview.locator('tbody tr').nth(11).waitFor()
  expect(await preview.locator('tbody tr').first().innerText()).toContain('姓名：必填')
  await page.getByRole('button', { name: '导入 488 行' }).click()
  await page.getByText('已导入 488 行').waitFor()

  // One by hand …
  await preview.locator('tbody tr').first().getByRole('button', { name: '修改' }).click()
  await page.getByLabel('第 9 行姓名').fill('补上的名字')
  await preview.getByRole('button', { name: '保存' }).click()
  await page.getByRole('button', { name: '导入 1 行' }).click()
  await page.getByText('已导入 1 行').waitFor()

  // … and the others in the workbook that says why.
  const [failed] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '下载有误的 11 行' }).click(),
  ])
  const [titles, ...left] = await cellsOf(await readFile(await failed.path()))
  expect(left).toHaveLength(11)
  expect(left[0]![8]).toContain('工种：应为')
  const mended = left.map((r) => {
    const i = Number(r[9]) - 2
    return [...right(i), '', r[8]!, r[9]!]
  })
  await page.getByRole('button', { name: '换一个文件' }).click()
  await page.getByLabel('选择 Excel 文件').setInputFiles({
    name: '改好的.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: await sheetOf(titles!, mended),
  })
  await page.getByRole('button', { name: '导入 11 行' }).click()
  await page.getByText('全部导入完成').waitFor()
  await page.getByRole('button', { name: '完成', exact: true }).click()
  await page.getByText('共 640 条').waitFor()
  const { clicks } = await story.said()
  expect(clicks).toBeLessThanOrEqual(12)
  expect(
    (await (await stage.server.as('branch_gm')).call(workersApi.list, { query: { keyword: '新人' } }))
      .totalCount,
  ).toBe(499)
  expect(workersImport.columns).toHaveLength(head!.length)
  expect(stage.problems).toEqual([])
})
