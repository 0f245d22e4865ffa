import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { boundPhone } from '../server/testing/homes.ts'
import { plainJpeg } from '../server/testing/photo.ts'
import { counted } from './count.ts'
import { button, drawer, row, telephone } from './hands.ts'
import { openStage, type Stage } from './stage.ts'

const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

test('an owner asks by telephone: written down, proved by paper, erased by another person', async () => {
  const [home] = await stage.server.sql<{ id: string; name: string }>(
    `SELECT w.id, o.name FROM sites w JOIN owners o ON o.id = w.owner_id
     JOIN users u ON u.user_name = 'service' AND u.tenant_id = w.tenant_id AND u.bc_id = w.bc_id
     WHERE w.status = 4 AND NOT EXISTS (SELECT FROM contracts c WHERE c.site_id = w.id) ORDER BY w.code LIMIT 1`,
  )
  await stage.server.sql(`UPDATE feedback SET status = 3, closed_at = :now, close_due_at = :now
    WHERE site_id = '${home!.id}'`)
  const service = await stage.signIn('service', '/owner/PersonRequest')
  const spent = await counted(service, 'a request of a person, until it is proved')
  await button(service, '登记请求').click()
  await drawer(service).getByLabel('本人', { exact: true }).fill(home!.name)
  await service.locator('.ant-select-item-option:visible', { hasText: home!.name }).first().click()
  await drawer(service).getByLabel('本人怎样提出的').fill('本人来电，要求删除全部信息')
  await shot(service, 'persons-1-add')
  await button(drawer(service), '确定').click()
  await row(service, home!.name).getByRole('button', { name: '核实' }).click()
  const paper = { name: '材料.jpg', mimeType: 'image/jpeg', buffer: await plainJpeg() }
  await drawer(service).locator('input[type=file]').first().setInputFiles(paper)
  await drawer(service).locator('img').first().waitFor()
  await shot(service, 'persons-2-verify')
  await button(drawer(service), '确定').click()
  await row(service, '已核实').waitFor()
  expect((await spent.said()).clicks).toBeLessThanOrEqual(8)

  const admin = await stage.signIn('admin', '/owner/PersonRequest')
  await row(admin, home!.name).getByRole('cell').first().click()
  await admin.getByText('删什么，留什么').waitFor()
  await admin.getByRole('cell', { name: '业主和联系人资料' }).first().waitFor()
  await shot(admin, 'persons-3-plan')
  await button(drawer(admin), '删除').click()
  await admin.locator('.ant-modal-wrap:visible').waitFor()
  await shot(admin, 'persons-3-ask')
  await admin.locator('.ant-modal-wrap:visible .ant-btn-primary').click()
  await row(admin, '已执行').waitFor()
  await admin.getByText('删除证明').waitFor()
  await shot(admin, 'persons-4-done')
  expect(
    await stage.server.sql(
      `SELECT o.name FROM sites w JOIN owners o ON o.id = w.owner_id WHERE w.id = '${home!.id}'`,
    ),
  ).toEqual([{ name: '已删除' }])
  expect(stage.problems).toEqual([])
})

test('on their own telephone an owner asks for the end of it, and reads what becomes of it', async () => {
  const { as, sql } = stage.server
  const [service, steward] = [await as('service'), await as('steward')]
  const [home] = await sql<{ site: string; contact: string }>(
    `SELECT w.id AS site, h.id AS contact FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     WHERE w.steward_id = (SELECT id FROM users WHERE user_name = 'steward') AND w.status = 1 ORDER BY w.code LIMIT 1`,
  )
  const { bearer, token } = await boundPhone(stage.server, steward, home!, service)
  const phone = await telephone(stage, '/')
  await phone.evaluate((device) => localStorage.setItem('device', device), bearer.device)
  await phone.goto(`${stage.server.url}/#/Preview?link=${token}`)
  await phone.reload()
  await button(phone, '我的个人信息：要一份，或删除').click()
  await button(phone, '删除我的信息').click()
  await phone.getByText('了结以后自动删除').waitFor()
  await shot(phone, 'persons-5-phone')
  await button(phone, '提出删除').click()
  await phone.locator('.owner-items', { hasText: '前答复您' }).waitFor()
  expect(await button(phone, '删除我的信息').isDisabled()).toBe(true)
  await shot(phone, 'persons-6-asked')
  expect(stage.problems).toEqual([])
})
