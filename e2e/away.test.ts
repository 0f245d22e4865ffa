import { api } from '@zhuguan/contract/api.ts'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../server/kit/shanghai.ts'
import { type Stage, openStage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

const SHOTS = process.env.SHOTS
const shoot = async (page: Page, name: string) => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` })
}
const drawer = (page: Page): Locator => page.locator('.ant-drawer-content-wrapper:visible').last()
async function pick(page: Page, scope: Locator, label: string, text: string): Promise<void> {
  await scope.getByRole('combobox', { name: label, exact: true }).click()
  await page.keyboard.type(text)
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: text })
    .first()
    .click()
}
const nameOf = async (user: string) =>
  (
    await stage.server.sql<{ nickname: string }>('SELECT nickname FROM users WHERE user_name = $1', [user])
  )[0]!.nickname

/** One of a row's actions, behind 更多 or beside it. */
async function act(page: Page, text: string, action: string): Promise<void> {
  const row = page.locator('.grid tbody tr:visible').filter({ hasText: text }).first()
  await row.waitFor()
  const more = row.getByRole('button', { name: '更多' })
  if (await more.count()) await more.click()
  await page.getByText(action, { exact: true }).last().click()
}

test('one says that one is away and who stands in; the manager reads it beside the name and ends it', async () => {
  const gmName = await nameOf('branch_gm')
  const steward = await stage.signIn('steward')
  await steward.locator('.me').click()
  await steward.getByText('我不在', { exact: true }).click()
  const form = drawer(steward)
  const to = addDays(shanghaiDay(stage.server.now()), 4)
  await form.getByLabel('到', { exact: true }).fill(to)
  await steward.keyboard.press('Enter')
  await pick(steward, form, '代班人', gmName)
  await shoot(steward, 'away-mine')
  await form.getByRole('button', { name: /登\s*记/ }).click()
  await form.waitFor({ state: 'hidden' })
  await steward.locator('.me').click()
  await steward.getByText('我不在', { exact: true }).click()
  await drawer(steward).getByText(`由 ${gmName} 代`).waitFor()
  await shoot(steward, 'away-mine-listed')

  const gm = await stage.signIn('branch_gm', '/system/UserList?keyword=steward')
  const row = gm.locator('.grid tbody tr').filter({ hasText: '不在（至' }).first()
  await row.waitFor()
  expect(await row.innerText()).toContain(`不在（至 ${to.slice(5)}，由 ${gmName} 代）`)
  await shoot(gm, 'away-users')
  await act(gm, '不在（至', '不在')
  await drawer(gm).getByText(`由 ${gmName} 代`).waitFor()
  await shoot(gm, 'away-theirs')
  await drawer(gm).getByRole('button', { name: '回来了' }).click()
  await drawer(gm).getByText('提前回来').waitFor()
  await gm.keyboard.press('Escape')
  await row.waitFor({ state: 'detached' })
  await steward.context().close()
  await gm.context().close()
})

test('a named person who is away is said on the page of settings; a finish asks who answers from then on', async () => {
  const serviceName = await nameOf('service')
  const gm = await stage.server.as('branch_gm')
  const [who] = await stage.server.sql<{ gm: string; service: string; bc: string }>(
    `SELECT g.id AS gm, s.id AS service, g.bc_id AS bc FROM users g, users s
     WHERE g.user_name = 'branch_gm' AND s.user_name = 'service'`,
  )
  const today = shanghaiDay(stage.server.now())
  const page = await stage.signIn('branch_gm', '/system/SetSelf')
  const line = page.locator('.setting-line').filter({ hasText: '售后负责人' })
  await line.getByRole('combobox').click()
  await page.keyboard.type(serviceName)
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: serviceName })
    .click()
  await page.getByRole('button', { name: /保存 1 项/ }).click()
  await page.getByText('已保存，立即生效').waitFor()
  const [site] = await stage.server.sql<{ id: string; name: string }>(
    `UPDATE sites SET progress = 100, contract = '' WHERE id = (
       SELECT w.id FROM sites w WHERE w.bc_id = $1 AND w.status = 1 AND w.steward_id IS NOT NULL
         AND NOT EXISTS (SELECT FROM alarms a WHERE a.site_id = w.id) ORDER BY w.code LIMIT 1)
     RETURNING id, ws_name AS name`,
    [who!.bc],
  )
  await stage.server.sql('UPDATE site_stages SET actual_finish = :today WHERE site_id = $1', [site!.id])
  await gm.call(api.promises.add, {
    body: {
      site_id: site!.id,
      subject: 'other',
      content: '半年内免费调整柜门',
      due: addDays(today, 9),
      post: 1,
      answers: [],
    },
  })
  const sites = await stage.signIn('branch_gm', `/Site/SiteList?keyword=${encodeURIComponent(site!.name)}`)
  await act(sites, site!.name, '完工')
  await drawer(sites).getByText('1 条还没到期的承诺交给他').waitFor()
  await drawer(sites).locator('.ant-select').filter({ hasText: serviceName }).waitFor()
  await shoot(sites, 'finish')
  await sites.context().close()

  await gm.call(api.absences.set, {
    body: { user_id: who!.service, deputy_id: who!.gm, from: today, to: addDays(today, 3) },
  })
  await page.reload()
  await line.getByRole('alert').waitFor()
  expect(await line.innerText()).toContain(`${serviceName}不在（至`)
  await line.scrollIntoViewIfNeeded()
  await shoot(page, 'set-self')
  const again = await stage.signIn('branch_gm', `/Site/SiteList?keyword=${encodeURIComponent(site!.name)}`)
  await act(again, site!.name, '完工')
  await drawer(again).getByText('设置里的售后负责人').waitFor()
  await shoot(again, 'finish-away')
  const phone = await stage.signIn('steward')
  await phone.setViewportSize({ width: 390, height: 844 })
  await phone.locator('.me').click()
  await phone.getByText('我不在', { exact: true }).click()
  await drawer(phone).getByText('登记过的').waitFor()
  await shoot(phone, 'away-phone')
  for (const one of [page, again, phone]) await one.context().close()
})
