import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { previewOf } from '@zhuguan/contract/features/links/links.record.ts'
import { type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { boundPhone } from '../server/testing/homes.ts'
import { uploadPhoto } from '../server/testing/photo.ts'
import { counted } from './count.ts'
import { button, drawer, inDays, photoOf, row, telephone } from './hands.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let home: { site: string; contact: string; name: string; ws_name: string; steward: string }
let phone: Page
beforeAll(async () => {
  stage = await openStage()
  ;[home] = (await stage.server.sql<typeof home>(
    `SELECT w.id AS site, h.id AS contact, o.name, w.ws_name, s.nickname AS steward
     FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN owners o ON o.id = h.owner_id
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     WHERE w.status = 1 ORDER BY w.code LIMIT 1`,
  )) as [typeof home]
  const { as } = stage.server
  const { bearer, token } = await boundPhone(stage.server, await as('steward'), home, await as('service'))
  phone = await telephone(stage, '/')
  await phone.evaluate((device) => localStorage.setItem('device', device), bearer.device)
  await phone.goto(stage.server.url + previewOf(token))
  await phone.reload()
  await phone.getByText('施工进度').waitFor()
}, 600_000)
afterAll(() => stage?.close())

const bell = (page: Page, title: string) => page.locator('.bell-line', { hasText: title }).first()
const fromBell = async (page: Page, title: string) => {
  await page.locator('.icon-button.bell').click()
  await bell(page, title).click()
}
const send = (page: Page) => drawer(page).getByRole('button', { name: /确\s*定/ })
const day = async (page: Page, due: string) => {
  await drawer(page).getByPlaceholder('选择日期').fill(due)
  await page.keyboard.press('Tab')
}
/** The case, beside which the drawers of its commands open. */
const panelOf = (page: Page) => page.locator('.ant-drawer-content-wrapper:visible').first()
async function accept(page: Page) {
  await button(panelOf(page), '受理').click()
  await drawer(page).getByLabel('责任人').click()
  await page.locator('.ant-select-item-option:visible', { hasText: home.steward }).first().click()
  await send(page).click()
}
async function answer(page: Page, words: string) {
  await button(panelOf(page), '回复').click()
  await drawer(page).locator('textarea').first().fill(words)
  await send(page).click()
}
async function close(page: Page, result: string) {
  await button(panelOf(page), '结案').click()
  await drawer(page).getByText('施工', { exact: true }).click()
  await drawer(page).locator('textarea').first().fill(result)
  await send(page).click()
}
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
const tells = async (words: string) => {
  await button(phone, '写反馈').click()
  await phone.getByLabel('投诉').check()
  await phone.getByLabel('是什么事').fill(words)
  await button(phone, '提交').click()
  await phone.locator('.owner-items', { hasText: words }).waitFor()
}

test('the steward’s day: a complaint is answered, a promise put off and kept, the owner is content', async () => {
  await tells('踢脚线翘起来了')
  const page = await stage.signIn('steward')
  const day1 = await counted(
    page,
    'steward: a complaint from the bell to its end, a promise put off and kept',
  )
  await fromBell(page, home.ws_name)
  const panel = panelOf(page)
  await accept(page)
  await panel.getByText('处理中').first().waitFor()
  await answer(page, '周五前换好，上门前给您电话')
  await panel.getByText('周五前换好，上门前给您电话').first().waitFor()
  await phone.reload()
  await phone.getByText('周五前换好，上门前给您电话').waitFor()

  await page.evaluate(() => (location.hash = '#/owner/PromiseList'))
  await button(page, '新增').click()
  await drawer(page).locator('.field', { hasText: '工地' }).first().locator('input').click()
  await page.locator('.ant-select-item-option:visible', { hasText: home.ws_name }).first().click()
  await drawer(page).getByText('材料', { exact: true }).click()
  await drawer(page).locator('textarea').first().fill('换好踢脚线')
  await day(page, inDays(2))
  await send(page).click()
  const promise = row(page, '换好踢脚线')
  await button(promise, '延期').click()
  await day(page, inDays(4))
  await drawer(page).locator('textarea').first().fill('厂家晚两天发货')
  await send(page).click()
  // The owner is told of the other day, and why.
  await promise.getByText(inDays(4)).first().waitFor()
  await phone.reload()
  const told = phone.locator('li', { hasText: '换好踢脚线' })
  await told.getByText(inDays(4)).first().waitFor()
  await told.getByText('厂家晚两天发货').waitFor()
  await button(promise, '兑现').click()
  await drawer(page)
    .locator('input[type=file]')
    .first()
    .setInputFiles(await photoOf('踢脚线.jpg'))
  await drawer(page).locator('.field img, .field picture').first().waitFor()
  await send(page).click()
  await promise.getByText('已兑现').waitFor()

  await page.evaluate(() => (location.hash = '#/owner/FeedbackList'))
  await close(page, '踢脚线已换，业主看过')
  await panel.getByText('已结案').first().waitFor()
  await phone.reload()
  const own = phone.locator('.owner-items li', { hasText: '踢脚线翘起来了' })
  await button(own, '5 分').click()
  await own.getByText('您的评分：5 分').waitFor()
  await panel.getByText('5 分').first().waitFor()
  const { clicks } = await day1.said()
  expect(clicks).toBeLessThanOrEqual(30)
  await shot(page, 'steward-day')
  await page.context().close()
  expect(stage.problems).toEqual([])
}, 600_000)

test('the handler: from the bell to the closed case and its paper, all that belongs to it beside it', async () => {
  const steward = await stage.server.as('steward')
  const pictures = [await uploadPhoto(stage.server.url, steward)]
  const entered = { kind: 'complaint', level: 2, about: 'work', channel: 'phone', pictures } as const
  const { no } = await steward.call(feedbackApi.enter, {
    body: { site_id: home.site, words: '卫生间漏水到楼下', ...entered },
  })
  const page = await stage.signIn('service')
  const story = await counted(page, 'handler: from the bell to the closed case and its paper')
  await fromBell(page, no)
  const panel = panelOf(page)
  await panel.getByText('卫生间漏水到楼下').waitFor()
  // The home, its people, what they said and were promised, earlier cases: beside it, without leaving.
  for (const part of ['业主', '留存的录像', '这一家以前的反馈', '承诺'])
    await panel.getByText(part).first().waitFor()
  await shot(page, 'handler-case')
  await accept(page)
  await answer(page, '水已关，今天下午上门')
  await close(page, '接头换新，闭水 24 小时不漏')
  await panel.getByText('已结案').first().waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), button(panel, '卷宗 PDF').click()])
  expect(file.suggestedFilename()).toBe(`卷宗-${no}.pdf`)
  const { clicks } = await story.said()
  expect(clicks).toBeLessThanOrEqual(16)
  await page.context().close()
  expect(stage.problems).toEqual([])
}, 600_000)
