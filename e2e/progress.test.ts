import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import { patrolTemplatesApi } from '@zhuguan/contract/features/patrols/plans.api.ts'
import { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { uploadPhoto } from '../server/testing/photo.ts'
import type { Person } from '../server/testing/start.ts'
import { counted } from './count.ts'
import { button, drawer, row } from './hands.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let gm: Person, inspector: Person
let homes: { site: string; bc: string; owner: string }[]
beforeAll(async () => {
  stage = await openStage()
  gm = await stage.server.as('branch_gm')
  inspector = await stage.server.as('inspector')
  homes = await stage.server.sql(
    `SELECT w.id AS site, w.bc_id AS bc, o.name AS owner
     FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN owners o ON o.id = h.owner_id
     WHERE w.steward_id = (SELECT id FROM users WHERE user_name = 'steward') AND w.status = 1
     ORDER BY w.ws_name, w.id LIMIT 5`,
  )
  const { id: template } = await gm.call(patrolTemplatesApi.add, {
    body: {
      name: '进度巡检',
      bc_id: homes[0]!.bc,
      items: [{ title: '墙面平整', hint: '', weight: 1, photo: false }],
    },
  })
  for (const home of homes) {
    const { id, items } = await inspector.call(patrolsApi.begin, {
      body: { site_id: home.site, template_id: template },
    })
    const pictures = [
      await uploadPhoto(stage.server.url, inspector),
      await uploadPhoto(stage.server.url, inspector),
    ]
    await inspector.call(patrolsApi.submit, {
      body: { id, remark: '', items: [{ id: items[0]!.id, verdict: 'passed', pictures }] },
    })
  }
}, 600_000)
afterAll(() => stage?.close())
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}

test('the steward tells five homes in a row what was done today, without leaving', async () => {
  const page = await stage.signIn('steward', '/owner/OwnerList')
  const story = await counted(page, 'steward: 今日进度 to five homes')
  await row(page, homes[0]!.owner).first().waitFor()
  await shot(page, 'owners')
  await button(page, '今日进度').click()
  const box = drawer(page)
  await box.getByRole('list', { name: '今天有进展的业主' }).waitFor()
  const words = box.getByRole('textbox', { name: '发给业主的内容' })
  await words.waitFor()
  await shot(page, 'progress-1')
  await page.setViewportSize({ width: 1920, height: 1080 })
  await shot(page, 'progress-2-wide')
  await page.setViewportSize({ width: 390, height: 844 })
  await shot(page, 'progress-3-phone')
  await page.setViewportSize({ width: 1366, height: 768 })
  const all = await box.getByRole('list', { name: '今天有进展的业主' }).getByRole('button').count()
  for (let left = all - 1; left >= 0; left -= 1) {
    await box.getByText(left > 0 ? `后面还有 ${left} 家` : /^\d 张照片/).waitFor()
    await box.getByRole('button', { name: left > 0 ? '发送，下一家' : /^发 ?送$/ }).click()
  }
  await box.getByText('今天有进展的业主都处理过了。').waitFor()
  await shot(page, 'progress-4-done')
  // Five homes of the story, and what the demo has of today: less than a minute each.
  const { seconds } = await story.said()
  expect(seconds).toBeLessThan(60 * all)
  for (const home of homes) {
    const [line] = (await gm.call(threadsApi.list, { query: { site_id: home.site } })).list
    expect(line).toMatchObject({ kind: 'progress', words: expect.stringContaining('工程巡检 1 次') })
    expect(line!.pictures).toHaveLength(2)
  }
  const thread = await stage.signIn('steward', `/OwnerInteract?site_id=${homes[0]!.site}`)
  await thread.locator('.thread-line').first().waitFor()
  await shot(thread, 'progress-5-thread')
  await thread.locator('.thread-who').getByText('今日进度').waitFor()
})

test('the handler takes the whole case as a paper with one click', async () => {
  const service = await stage.server.as('service')
  const { id, no } = await service.call(feedbackApi.enter, {
    body: {
      site_id: homes[0]!.site,
      kind: 'complaint',
      level: 2,
      about: 'work',
      channel: 'phone',
      words: '墙面开裂，厨房也漏水',
      pictures: [await uploadPhoto(stage.server.url, service)],
    },
  })
  const page = await stage.signIn('service', `/owner/FeedbackList?id=${id}`)
  await page.getByText(no).first().click()
  await drawer(page).getByText('墙面开裂，厨房也漏水').waitFor()
  await shot(page, 'dossier-1')
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, '卷宗 PDF').click()])
  expect(file.suggestedFilename()).toBe(`卷宗-${no}.pdf`)
  if (process.env.SHOTS) await file.saveAs(`${process.env.SHOTS}/dossier.pdf`)
})
