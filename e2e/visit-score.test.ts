import { previewOf } from '@zhuguan/contract/features/links/links.record.ts'
import { homeDevicesApi } from '@zhuguan/contract/features/owners/home-devices.api.ts'
import { receptionsApi } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { homeLink } from '../server/testing/homes.ts'
import { button, drawer, telephone } from './hands.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()), 120_000)
afterAll(() => stage?.close())
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}

test('after a visit the owner’s telephone asks once; a low score is called back about', async () => {
  const [home] = await stage.server.sql<{ site: string; contact: string; steward: string }>(
    `SELECT w.id AS site, h.id AS contact, w.steward_id AS steward
     FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     WHERE w.steward_id = (SELECT id FROM users WHERE user_name = 'steward') AND w.status = 1
     ORDER BY w.code LIMIT 1`,
  )
  const { site, steward } = home!
  const host = await stage.server.as('steward')
  const { id } = await host.call(receptionsApi.add, {
    body: { site_id: site, host_id: steward, purpose: 'accept', remark: '想看水电' },
  })
  await host.call(receptionsApi.finish, { body: { id, version: 0, reason: '看了水电，要求多一个插座' } })
  // Who makes the link is not who lets the telephone in: a score is the owner's own then.
  const { token } = await homeLink(await stage.server.as('service'), home!.contact)
  const phone = await telephone(stage, previewOf(token))
  await phone.getByRole('heading', { name: '等待确认' }).waitFor()
  const [asking] = await host.call(homeDevicesApi.list, { query: { site_id: site } })
  await host.call(homeDevicesApi.allow, { body: { id: asking!.id } })
  await phone.getByText('施工进度').waitFor()
  const visit = phone.locator('li', { hasText: '阶段验收' })
  await visit.getByText('这次到访您满意吗').waitFor()
  await button(visit, '2 分').click()
  await visit.getByLabel('想说的话').fill('等了一个小时才有人来')
  await shot(phone, 'visit-1-asked')
  await button(visit, '提交 2 分').click()
  await visit.getByText('您的评分：2 分').waitFor()
  expect(await visit.getByText('这次到访您满意吗').count()).toBe(0)
  await shot(phone, 'visit-2-scored')

  const service = await stage.signIn('service', `/OwnerVisit?site_id=${site}`)
  const row = service.locator('tr', { hasText: '等了一个小时才有人来' })
  await row.getByText('待回访').waitFor()
  await service.getByText('样本不足').first().waitFor()
  await shot(service, 'visit-3-list')
  await button(row, '回访').click()
  await drawer(service).getByLabel('回访结果').fill('已道歉，下次提前十分钟到')
  await button(drawer(service), '确定').click()
  await row.getByText('待回访').waitFor({ state: 'detached' })
  expect(await row.innerText()).toContain('2 分')
  expect(stage.problems).toEqual([])
}, 600_000)

test('the list of owners opens with the home that waits the worst, and keeps to what is mine', async () => {
  const homes = await stage.server.sql<{ site: string; name: string }>(
    `SELECT w.id AS site, w.ws_name AS name FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     WHERE w.steward_id = (SELECT id FROM users WHERE user_name = 'steward') AND w.status = 1
     ORDER BY w.code`,
  )
  const last = homes.at(-1)!
  await stage.server.sql(
    `INSERT INTO threads (tenant_id, site_id, bc_id, newest, waiting_since, waiting_from, due_at, late_at, changed_at)
     SELECT w.tenant_id, w.id, w.bc_id, 1, :now - interval '9 hours', 1, :now - interval '5 hours',
       :now + interval '1 hour', :now
     FROM sites w WHERE w.id = $1`,
    [last.site],
  )
  const page = await stage.signIn('steward', '/owner/OwnerList')
  const first = page.locator('tbody tr').filter({ hasText: '幢' }).first()
  await first.getByText('超 5 小时').waitFor()
  expect(await first.innerText()).toContain(last.name)
  await shot(page, 'owners-worst-first')
  await page.evaluate(() => (location.hash = '#/owner/OwnerList?waits=mine'))
  await page.getByText('共 1 条').waitFor()
  await shot(page, 'owners-mine')
}, 600_000)
