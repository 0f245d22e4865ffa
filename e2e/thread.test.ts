import { previewOf } from '@zhuguan/contract/features/links/links.record.ts'
import { homeDevicesApi } from '@zhuguan/contract/features/owners/home-devices.api.ts'
import { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { homeLink } from '../server/testing/homes.ts'
import type { Person } from '../server/testing/start.ts'
import { counted } from './count.ts'
import { button, drawer, photoOf, row, telephone } from './hands.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let steward: Person, service: Person, gm: Person
let home: { site: string; contact: string; name: string; owner: string }
beforeAll(async () => {
  stage = await openStage()
  steward = await stage.server.as('steward')
  service = await stage.server.as('service')
  gm = await stage.server.as('branch_gm')
  ;[home] = (await stage.server.sql<typeof home>(
    `SELECT w.id AS site, h.id AS contact, w.ws_name AS name, o.name AS owner
     FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN owners o ON o.id = h.owner_id
     WHERE w.steward_id = (SELECT id FROM users WHERE user_name = 'steward') AND w.status = 1
     ORDER BY w.code LIMIT 1`,
  )) as [typeof home]
}, 600_000)
afterAll(() => stage?.close())
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
const lines = async () =>
  (await gm.call(threadsApi.list, { query: { site_id: home.site } })).list.map((m) => [m.side, m.words])

test('what the service wrote down is found in the list, answered with a picture, and made a promise', async () => {
  const { bc_id } = await gm.call(threadsApi.details, { query: { site_id: home.site } })
  const texts = ['已收到，我们马上安排。', '今天下班前给您答复。']
  await gm.call(threadsApi.saveTemplates, { body: { bc_id, version: 0, texts } })
  const heard = { site_id: home.site, channel: 'phone', words: '周五前能把阳台柜门换好吗？' } as const
  await service.call(threadsApi.hear, { body: heard })

  const page = await stage.signIn('steward', '/owner/OwnerList?waiting=true')
  const story = await counted(page, 'steward: a home that waits, answered with a picture, made a promise')
  await row(page, home.owner).getByText(/等了/).click()
  await page.getByText('以下还没有回复').waitFor()
  await page.getByText('周五前能把阳台柜门换好吗？').waitFor()
  await shot(page, 'thread-1-waits')
  await button(page, '常用语').first().click()
  await page.getByText('已收到，我们马上安排。').click()
  await page.locator('#thread-photo-album').setInputFiles(await photoOf('柜门.jpg'))
  await page.getByAltText('留言照片').waitFor()
  await shot(page, 'thread-2-writing')
  await button(page, '发送').click()
  await page.getByText('没有待回复').waitFor()
  await page.getByText(/未读/).waitFor()
  await button(page, '转为承诺').click()
  expect(await drawer(page).locator('textarea').first().inputValue()).toBe('周五前能把阳台柜门换好吗？')
  await drawer(page).getByText('材料', { exact: true }).click()
  const day = new Date(Date.now() + 80 * 3_600_000).toISOString().slice(0, 10)
  await drawer(page).getByPlaceholder('选择日期').fill(day)
  await page.keyboard.press('Tab')
  await shot(page, 'thread-3-promise')
  await drawer(page)
    .getByRole('button', { name: /确\s*定/ })
    .click()
  await page.getByText('已转为承诺').waitFor()
  await story.said()
  await page.setViewportSize({ width: 1920, height: 1080 })
  await shot(page, 'thread-4-large')
  await page.setViewportSize({ width: 390, height: 844 })
  await shot(page, 'thread-5-phone')
  await eventually(lines).toEqual([
    ['staff', '已收到，我们马上安排。'],
    ['owner', '周五前能把阳台柜门换好吗？'],
  ])
  expect(stage.problems).toEqual([])
})

test('two answer: the second is shown the first and loses no word, not even with the page', async () => {
  await service.call(threadsApi.hear, { body: { site_id: home.site, channel: 'wechat', words: '几点到？' } })
  const page = await stage.signIn('steward', `/OwnerInteract?site_id=${home.site}`)
  const words = page.getByLabel('回复业主', { exact: true })
  await words.fill('九点到')
  const { newest } = await service.call(threadsApi.details, { query: { site_id: home.site } })
  expect(await service.call(threadsApi.writing, { body: { site_id: home.site } })).toHaveLength(1)
  await service.call(threadsApi.say, { body: { site_id: home.site, after: newest, words: '十点到' } })
  await page.getByText('十点到').waitFor()
  await button(page, '发送').click()
  await page.getByText(/已经回复：“十点到”。请先看过再发/).waitFor()
  await shot(page, 'thread-6-overtaken')
  await page.reload()
  await eventually(() => words.inputValue()).toBe('九点到')
  await button(page, '发送').click()
  await page.locator('.thread-line', { hasText: '九点到' }).waitFor()
  expect(stage.problems).toEqual([])
})

test('the owner reads and answers on the own telephone; the steward sees that it was read', async () => {
  const { token } = await homeLink(service, home.contact)
  const phone = await telephone(stage, previewOf(token))
  await phone.getByText('等待确认').waitFor()
  const [asking] = await steward.call(homeDevicesApi.list, { query: { site_id: home.site } })
  await steward.call(homeDevicesApi.allow, { body: { id: asking!.id } })
  await phone.getByText('已收到，我们马上安排。').waitFor()
  await phone.getByAltText(/留言照片/).waitFor()
  await phone.getByLabel('写留言').fill('好的，谢谢')
  await phone.locator('.own-write input[type=file]').setInputFiles(await photoOf('阳台.jpg'))
  await phone.getByAltText('要发的照片').waitFor()
  await phone.locator('.own-thread').scrollIntoViewIfNeeded()
  await shot(phone, 'thread-7-owner')
  await phone.getByRole('button', { name: '发送', exact: true }).click()
  await phone.locator('.own-line.theirs', { hasText: '好的，谢谢' }).getByText('撤回').waitFor()
  await shot(phone, 'thread-8-owner-sent')
  const page = await stage.signIn('steward', `/OwnerInteract?site_id=${home.site}`)
  await page.getByText(`${home.owner}`).first().waitFor()
  await page.locator('.thread-line.unanswered', { hasText: '好的，谢谢' }).waitFor()
  await page.getByText(/已读/).first().waitFor()
  await shot(page, 'thread-9-read')
  expect(stage.problems).toEqual([])
})
