import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { homeDevicesApi } from '@zhuguan/contract/features/owners/home-devices.api.ts'
import { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import { receptionsApi } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { boundPhone } from '../server/testing/homes.ts'
import { button, drawer, inDays, PHONE, telephone } from './hands.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()), 120_000)
afterAll(() => stage?.close())
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}

test('the owner’s telephone is let in, tells, is answered, scores; the neighbour’s sees nothing', async () => {
  const [home] = await stage.server.sql<{ site: string; contact: string; name: string; ws_name: string }>(
    `SELECT w.id AS site, h.id AS contact, o.name, w.ws_name
     FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN owners o ON o.id = h.owner_id
     WHERE w.steward_id = (SELECT id FROM users WHERE user_name = 'steward') AND w.status = 1
     ORDER BY w.code LIMIT 1`,
  )
  const { name, site, ws_name } = home!
  const steward = await stage.signIn('steward', `/OwnerInfo?site_id=${site}`)
  const people = steward.locator('section', { has: steward.locator('h2', { hasText: '联系人' }) }).first()
  await button(people.locator('tr', { hasText: name }), '业主链接').click()
  await button(drawer(steward), '生成链接').click()
  const url = (await drawer(steward).locator('.links-url').innerText()).trim()
  await shot(steward, 'owner-1-link')
  await steward.keyboard.press('Escape')

  const path = new URL(url).pathname + new URL(url).hash
  const phone = await telephone(stage, path)
  await phone.getByRole('heading', { name: '等待确认' }).waitFor()
  const code = (await phone.getByRole('status').innerText()).trim()
  expect(await phone.locator('body').innerText()).not.toContain(ws_name)
  await shot(phone, 'owner-2-asking')
  const asking = steward.locator('tr', { hasText: code })
  await asking.waitFor()
  await button(asking, '确认').click()
  await steward.getByText(`屏幕上显示的号码是 ${code} 吗`).waitFor()
  await button(steward.locator('[role=dialog]:visible, .ant-popover:visible').last(), '确定').click()
  await phone.getByRole('heading', { name: ws_name }).waitFor()
  await phone.getByText('施工进度').waitFor()
  await shot(phone, 'owner-3-home')
  await shot(steward, 'owner-4-devices')

  await button(phone, '写反馈').click()
  await phone.getByLabel('报修').check()
  await phone.getByLabel(/紧急/).check()
  await phone.getByLabel('是什么事').fill('厨房水管在滴水')
  await shot(phone, 'owner-5-writing')
  await button(phone, '提交').click()
  await phone.locator('.owner-items', { hasText: '厨房水管在滴水' }).waitFor()
  const [said] = await stage.server.sql<{ id: string; level: number }>(
    `SELECT id, level FROM feedback WHERE words = '厨房水管在滴水'`,
  )
  expect(said!.level).toBe(3)
  // Answered and closed inside, it is asked outside how content they are.
  const service = await stage.server.as('service')
  const seen = async () => {
    const { id, version } = await service.call(feedbackApi.details, { query: { id: said!.id } })
    return { id, version }
  }
  const [me] = await stage.server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'steward'`)
  await service.call(feedbackApi.accept, { body: { ...(await seen()), level: 3, assignee_id: me!.id } })
  await service.call(feedbackApi.answer, {
    body: { id: said!.id, answers: 0, words: '马上到', pictures: [] },
  })
  await service.call(feedbackApi.close, {
    body: { ...(await seen()), cause: 'works', result: '换了角阀，试水 30 分钟不漏' },
  })
  await phone.reload()
  await phone.getByText('换了角阀，试水 30 分钟不漏').waitFor()
  await shot(phone, 'owner-6-closed')
  // The steward alone has made the link and let the telephone in: somebody else vouches for it.
  const [bound] = await service.call(homeDevicesApi.list, { query: { site_id: site } })
  await service.call(homeDevicesApi.allow, { body: { id: bound!.id } })
  const item = phone.locator('.owner-items li', { hasText: '厨房水管在滴水' })
  await button(item, '5 分').click()
  await item.getByText('您的评分：5 分').waitFor()

  // The same link on the neighbour's telephone: no name, no address.
  const neighbour = await telephone(stage, path)
  await neighbour.getByRole('heading', { name: '等待确认' }).waitFor()
  const text = await neighbour.locator('body').innerText()
  for (const word of [ws_name, name, '厨房']) expect(text).not.toContain(word)
  await neighbour.context().close()
  // Taken away, the page goes dark by itself.
  await button(steward.locator('tr', { hasText: code }), '移除').click()
  await steward.getByLabel(/原因/).fill('手机丢了')
  await button(steward.locator('[role=dialog]:visible, .ant-popover:visible').last(), '确定').click()
  await phone.getByRole('heading', { name: '这个链接不能再用' }).waitFor()
  expect(await phone.locator('body').innerText()).not.toContain(ws_name)
  await phone.context().close()
  await steward.context().close()
  expect(stage.problems).toEqual([])
}, 600_000)

test('about the steward goes past the steward; what waits, is called off or taken back says why', async () => {
  const { as, sql } = stage.server
  const [service, steward] = [await as('service'), await as('steward')]
  const [home] = await sql<{ site: string; contact: string; pm: string; keeper: string }>(
    `SELECT w.id AS site, h.id AS contact, w.manager_id AS pm, w.steward_id AS keeper FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     WHERE w.steward_id = (SELECT id FROM users WHERE user_name = 'steward') AND w.status = 1
     ORDER BY w.code LIMIT 1 OFFSET 1`,
  )
  const { site } = home!
  const { bearer, token } = await boundPhone(stage.server, steward, home!, service)
  const phone = await telephone(stage, '/')
  await phone.evaluate((device) => localStorage.setItem('device', device), bearer.device)
  await phone.goto(`${stage.server.url}/#/Preview?link=${token}`)
  await phone.reload()
  await button(phone, '写反馈').click()
  await phone.getByLabel('投诉').check()
  await phone.getByLabel(/关于项目管家/).check()
  await phone.getByLabel('是什么事').fill('管家三天没有回电话')
  await shot(phone, 'owner-7-about-the-steward')
  await button(phone, '提交').click()
  await phone.locator('.owner-items', { hasText: '管家三天没有回电话' }).waitFor()
  const list = await stage.signIn('steward', '/owner/FeedbackList')
  await list.locator('.ant-table, table').first().waitFor()
  expect(await list.locator('body').innerText()).not.toContain('管家三天没有回电话')
  await list.context().close()

  const feedback = async (words: string) => {
    const entered = { kind: 'complaint', level: 1, about: 'work', channel: 'phone' } as const
    const { id } = await service.call(feedbackApi.enter, {
      body: { ...entered, site_id: site, words, pictures: [] },
    })
    const seen = async () => {
      const { version } = await service.call(feedbackApi.details, { query: { id } })
      return { id, version }
    }
    await service.call(feedbackApi.accept, {
      body: { ...(await seen()), level: 1, assignee_id: home!.keeper },
    })
    return { id, seen }
  }
  const waits = await feedback('柜门关不上')
  const answer = { id: waits.id, answers: 0, words: '厂家周五来换铰链', pictures: [] }
  await steward.call(feedbackApi.answer, { body: answer })
  const pause = { pauseFor: 'third', reason: '等厂家发铰链', until: inDays(3) } as const
  await steward.call(feedbackApi.pause, { body: { ...(await waits.seen()), ...pause } })
  const over = await feedback('又说了一遍柜门')
  const same = { cause: 'repeated', reason: '同一件事', of_id: waits.id } as const
  await service.call(feedbackApi.cancel, {
    body: { ...(await over.seen()), ...same, cancelled: [], kept: [] },
  })
  const { id: promise } = await steward.call(promisesApi.add, {
    body: { site_id: site, content: '周五换铰链', subject: 'goods', post: 1, due: inDays(5), answers: [] },
  })
  const gm = await as('branch_gm')
  await gm.call(promisesApi.withdraw, { body: { id: promise, version: 0, reason: '厂家改到下周' } })
  const { id: visit } = await steward.call(receptionsApi.add, {
    body: {
      site_id: site,
      purpose: 'look',
      host_id: home!.keeper,
      day: inDays(2),
      time: '10:00',
      remark: '',
    },
  })
  await steward.call(receptionsApi.cancel, { body: { id: visit, version: 0, reason: '师傅请假' } })
  await phone.reload()
  const said = phone.locator('.owner-waits')
  for (const words of ['等第三方：等厂家发铰链', '重复', '撤回：厂家改到下周', '师傅请假'])
    await said.filter({ hasText: words }).waitFor()
  await phone.getByText('厂家周五来换铰链').waitFor()
  // Staff keep their own words beside the cause to themselves.
  expect(await phone.getByText('同一件事').count()).toBe(0)
  await shot(phone, 'owner-8-told')
  await phone.context().close()
  expect(stage.problems).toEqual([])
}, 600_000)

test('a browser that keeps nothing says so; whoever looks weighs little', async () => {
  const context = await stage.browser.newContext({ viewport: PHONE, locale: 'zh-CN' })
  const page = await context.newPage()
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new Error('no storage')
      },
    })
  })
  const steward = await stage.server.as('steward')
  const { contact } = await homeOf()
  const { token } = await steward.call(linksApi.create, { body: { kind: 'owner', target_id: contact } })
  await page.goto(`${stage.server.url}/#/Preview?link=${token}`)
  await page.getByRole('heading', { name: '这个浏览器不能保存数据' }).waitFor()
  await context.close()
  const bytes = await weigh()
  console.log(`OWNER PAGE ${Math.round(bytes / 1000)} kB`)
  expect(bytes).toBeLessThan(100_000)
})

test('a link pasted into a tab of the back office is opened, and the way back as well', async () => {
  const page = await stage.signIn('steward')
  const to = (hash: string) => page.evaluate((there) => (location.hash = there), hash)
  await to(`#/Preview?link=${'a'.repeat(64)}`)
  await page.getByRole('heading', { name: '这个预览链接无效' }).waitFor()
  await to('#/HomeMaster')
  await page.waitForSelector('.cards')
  await page.context().close()
})

/** A home of the steward's that is being built, and whose it is. */
async function homeOf(): Promise<{ site: string; contact: string }> {
  const [home] = await stage.server.sql<{ site: string; contact: string }>(
    `SELECT w.id AS site, h.id AS contact FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     WHERE w.steward_id = (SELECT id FROM users WHERE user_name = 'steward') AND w.status = 1 ORDER BY w.code LIMIT 1`,
  )
  return home!
}

/** What comes to a telephone until the home stands there. */
async function weigh(): Promise<number> {
  const steward = await stage.server.as('steward')
  const { bearer, token } = await boundPhone(stage.server, steward, await homeOf())
  const context = await stage.browser.newContext({ viewport: PHONE, locale: 'zh-CN' })
  await context.addInitScript((device) => localStorage.setItem('device', device), bearer.device)
  const page = await context.newPage()
  await page.addInitScript(() => {
    new MutationObserver((_, seen) => {
      if (!document.querySelector('.owner-stages')) return
      seen.disconnect()
      document.documentElement.dataset.stood = String(performance.now())
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto(`${stage.server.url}/#/Preview?link=${token}`)
  await page.getByText('施工进度').waitFor()
  const bytes = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .map((e) => e as PerformanceResourceTiming)
      .filter((e) => e.responseEnd <= Number(document.documentElement.dataset.stood))
      .reduce((sum, e) => sum + e.transferSize, 0),
  )
  expect(bytes).toBeGreaterThan(50_000)
  await context.close()
  return bytes
}
