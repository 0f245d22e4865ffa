import { readFile } from 'node:fs/promises'

import { api } from '@zhuguan/contract/api.ts'
import { deviceStockImport } from '@zhuguan/contract/features/devices/device-stock.import.ts'
import { PAGES } from '@zhuguan/contract/pages.ts'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { sheetOf } from '../server/testing/sheets.ts'
import { counted } from './count.ts'
import { eventually, type Stage, openStage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

const drawer = (page: Page): Locator => page.locator('.ant-drawer-content-wrapper:visible').last()
const shown = (page: Page, selector: string): Locator => page.locator(`${selector}:visible`)
/** Presses the drawer's 确 定 and waits until it is gone. */
async function ok(page: Page): Promise<void> {
  await drawer(page)
    .getByRole('button', { name: /确\s*定/ })
    .click()
  await page.locator('.ant-drawer-content-wrapper:visible').waitFor({ state: 'hidden' })
}
async function choose(page: Page, label: string, ...options: string[]): Promise<void> {
  await drawer(page).getByRole('combobox', { name: label, exact: true }).click()
  for (const option of options) {
    // Long lists draw what is in sight only: typing brings it there.
    await page.keyboard.type(option)
    await page
      .locator('.ant-select-dropdown:visible .ant-select-item-option')
      .filter({ hasText: option })
      .first()
      .click()
  }
}
const to = (page: Page, path: string) => page.evaluate((hash) => (location.hash = `#${hash}`), path)
/** To another page, and until it stands there: the one before stays in the document, out of sight. */
async function go(page: Page, path: string): Promise<void> {
  await to(page, path)
  const { title } = Object.values(PAGES).find((p) => p.path === path.split('?')[0])!
  await page.locator('.crumb.now', { hasText: title }).waitFor()
}

test('two browsers: what the administrator takes away is gone for the clerk at the next click', async () => {
  const [admin, clerk] = [
    await stage.signIn('admin', '/system/RoleList?keyword=pm'),
    await stage.signIn('pm', '/worker/WorkerAttend'),
  ]
  await clerk.getByRole('button', { name: '补卡' }).first().waitFor()
  await clerk.click('[aria-label="展开工地管理"]')
  await clerk.locator('.side-item', { hasText: '停工预警' }).waitFor()

  await shown(admin, '.grid tbody tr')
    .filter({ hasText: '项目经理' })
    .getByRole('button', { name: '授权' })
    .click()
  const tree = drawer(admin).locator('.ant-tree').first()
  const row = (name: string) =>
    tree.locator('.ant-tree-treenode').filter({ has: admin.locator(`.ant-tree-title:text-is("${name}")`) })
  await row('停工预警').locator('.ant-tree-checkbox').click()
  await row('工人考勤').locator('.ant-tree-switcher').click()
  await row('补卡').locator('.ant-tree-checkbox').click()
  await eventually(() => drawer(admin).locator('.role-menu').first().innerText()).not.toContain('停工预警')
  await ok(admin)

  // The next click is any click that asks the server something.
  await shown(clerk, '.grid thead').getByRole('button', { name: /日期/ }).click()
  await clerk.locator('.side-item', { hasText: '停工预警' }).waitFor({ state: 'detached' })
  await clerk.getByRole('button', { name: '补卡' }).first().waitFor({ state: 'detached' })
  await to(clerk, '/Site/NoWork')
  await clerk.getByText('无权访问').waitFor()
  const token = await clerk.evaluate(() => ({
    token: sessionStorage.getItem('token')!,
    'tenant-id': sessionStorage.getItem('tenant_id')!,
  }))
  expect(await stage.server.nobody(token).ask(api.noWork.list, {})).toMatchObject({
    code: 401,
    msg: 'No Permission',
  })
  expect((await stage.server.nobody(token).ask(api.attendance.makeup, { body: {} as never })).code).toBe(401)
  for (const page of [admin, clerk]) await page.context().close()
})

test('a first password is changed before anything else opens', async () => {
  const manager = await stage.server.as('admin')
  const role = (await manager.call(api.roles.pick, {})).find((r) => r.code === 'inspector')!
  const [branch] = (await manager.call(api.companies.list, {})).list
  const { password } = await manager.call(api.accounts.add, {
    body: { userName: 'newcomer', nickname: '新来的', bc_id: branch!.id, roles: [role.id] },
  })
  const page = await (
    await stage.browser.newContext({ viewport: { width: 1366, height: 768 }, reducedMotion: 'reduce' })
  ).newPage()
  await page.goto(stage.server.url)
  await page.fill('#l-user', 'newcomer')
  await page.fill('#l-pass', password)
  await page.click('#l-go')
  const box = page.locator('.ant-drawer-content-wrapper:visible')
  await box.getByText('您用的是初始密码').waitFor()
  const [old, next, again] = [
    box.locator('input').nth(0),
    box.locator('input').nth(1),
    box.locator('input').nth(2),
  ]
  await old.fill(password)
  await next.fill('Brandnew77')
  await again.fill('Brandnew77')
  await box.getByRole('button', { name: /^确\s*认$/ }).click()
  await box.waitFor({ state: 'hidden' })
  await go(page, '/Site/SiteList')
  await shown(page, '.grid tbody tr').first().waitFor()
  await page.context().close()
})

test('a branch is opened: two stores, three roles, five users, fifty devices stocked, distributed and bound', async () => {
  const page = await stage.signIn('admin', '/system/CompanyList')
  const story = await counted(page, 'a branch is opened')
  const add = () => shown(page, '.list-bar').getByRole('button', { name: '新增', exact: true }).click()
  const fill = (label: string, text: string) =>
    drawer(page).getByRole('textbox', { name: label, exact: true }).fill(text)

  await add()
  await fill('名称', '绍兴分公司')
  await fill('编号', 'SX')
  await fill('城市', '绍兴')
  await ok(page)
  await shown(page, '.grid tbody').getByText('绍兴分公司').waitFor()

  await go(page, '/system/CompanyStore')
  for (const name of ['绍兴越城店', '绍兴柯桥店']) {
    await add()
    await choose(page, '分公司', '绍兴分公司')
    await fill('门店', name)
    await ok(page)
  }

  // Roles begin as copies of those that work elsewhere.
  await go(page, '/system/RoleList')
  for (const [from, code, name] of [
    ['项目经理', 'sx_pm', '绍兴项目经理'],
    ['项目管家', 'sx_steward', '绍兴管家'],
    ['设备管理员', 'sx_keeper', '绍兴设备员'],
  ] as const) {
    await shown(page, '.grid tbody tr')
      .filter({ hasText: from })
      .first()
      .getByRole('button', { name: '复制' })
      .click()
    await eventually(() =>
      drawer(page).getByRole('textbox', { name: '角色', exact: true }).inputValue(),
    ).toContain('副本')
    await fill('角色', name)
    await fill('编码', code)
    await ok(page)
  }

  await go(page, '/system/UserList')
  for (const [i, role] of [
    '绍兴项目经理',
    '绍兴项目经理',
    '绍兴管家',
    '绍兴设备员',
    '绍兴设备员',
  ].entries()) {
    await add()
    await fill('账号', `sx${i}`)
    await fill('昵称', `绍兴${i}号`)
    await choose(page, '角色', role)
    // A list of several choices stays open; Escape after a single one would ask whether to leave the drawer.
    await page.keyboard.press('Escape')
    await choose(page, '分公司', '绍兴分公司')
    await ok(page)
    await page.getByRole('button', { name: '我已记下' }).click()
    await page.locator('.ant-modal-wrap:visible').waitFor({ state: 'hidden' })
  }

  await go(page, '/Site/SiteList')
  await add()
  await fill('工地名称', '镜湖一期 1 幢')
  await choose(page, '分公司', '绍兴分公司')
  await fill('地址', '绍兴市镜湖路 1 号')
  await ok(page)

  // Fifty devices as the supplier lists them; their secrets are handed over once.
  await go(page, '/device/DeviceStock')
  await shown(page, '.list-bar').getByRole('button', { name: 'Excel 入库' }).click()
  const rows = Array.from({ length: 50 }, (_, i) => [
    `SXC-${String(i + 1).padStart(2, '0')}`,
    '摄像头',
    'EyeSite C7',
    '',
    '',
  ])
  await page.getByLabel('选择 Excel 文件').setInputFiles({
    name: '到货.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: await sheetOf(
      deviceStockImport.columns.map((c) => c.title),
      rows,
    ),
  })
  const [secrets] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '导入 50 行' }).click(),
  ])
  expect((await readFile(await secrets.path(), 'utf8')).trim().split('\r\n')).toHaveLength(51)
  await page.getByRole('button', { name: '完成', exact: true }).click()

  await go(page, '/system/DeviceAdmin?keyword=SXC&pageSize=50')
  await eventually(() => shown(page, '.grid tbody tr').count()).toBe(50)
  await shown(page, '.grid thead input[type=checkbox]').click()
  await shown(page, '.pager').getByRole('button', { name: '分配到分公司' }).click()
  await choose(page, '分公司', '绍兴分公司')
  await ok(page)
  await eventually(() => shown(page, '.grid tbody tr').filter({ hasText: '备用' }).count()).toBe(50)
  for (const n of [0, 1]) {
    await shown(page, '.grid tbody tr')
      .filter({ hasText: '备用' })
      .first()
      .getByRole('button', { name: '绑定', exact: true })
      .click()
    await choose(page, '工地', '镜湖一期')
    await ok(page)
    await eventually(() => shown(page, '.grid tbody tr').filter({ hasText: '镜湖一期' }).count()).toBe(n + 1)
  }

  const server = await stage.server.as('admin')
  const branch = (await server.call(api.companies.list, { query: { keyword: 'SX' } })).list[0]!
  expect(branch).toMatchObject({ bc_name: '绍兴分公司', stores: 2, users: 5, sites: 1 })
  expect((await server.call(api.deviceStock.totals, { query: { bc_id: [branch.id] } })).list).toMatchObject([
    { model: 'EyeSite C7', spare: 48, bound: 2, total: 50 },
  ])
  await story.said()
  expect(stage.problems).toEqual([])
  await page.context().close()
})

test('the administrator answers who changed this site’s manager, from whom to whom', async () => {
  const gm = await stage.server.as('branch_gm')
  const site = (await gm.call(api.sites.list, { query: { status: [1] } })).list[0]!
  const [other] = (await gm.call(api.users.pick, { query: { post: 2 } })).filter(
    (p) => p.id !== site.manager_id,
  )
  await gm.call(api.sites.people, {
    body: { id: site.id, version: site.version, steward_id: site.steward_id, manager_id: other!.id },
  })
  const page = await stage.signIn('admin', `/SiteInfo?id=${site.id}`)
  await page.getByRole('heading', { name: site.ws_name }).waitFor()
  const story = await counted(page, 'administrator: who changed this site’s manager')
  await page.getByRole('button', { name: '变更记录' }).click()
  const line = shown(page, '.grid tbody tr').filter({ hasText: '换管家/经理' }).first()
  await line.waitFor()
  const told = await line.innerText()
  expect(told).toContain('branch_gm')
  expect(told).toContain(site.ws_name)
  expect(told).toContain(`项目经理：${site.managerName} → ${other!.nickname}`)
  expect(told).not.toMatch(/[\da-f]{8}-[\da-f]{4}/)
  expect((await story.said()).clicks).toBe(1)
})
