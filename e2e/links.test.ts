import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

const FILTERED = '/#/Site/SiteList?status=1&pageSize=50'
const signIn = async (page: Page, name: string) => {
  await page.fill('#l-user', name)
  await page.fill('#l-pass', 'Zhuguan666')
  await page.click('#l-go')
}

test('a link in a new tab of who is signed in arrives where it points, and the first column is such a link', async () => {
  const first = await stage.signIn('branch_gm', '/Site/SiteList')
  await first.waitForSelector('tbody tr:not(.skeleton)')
  const link = await first.getAttribute('tbody tr:first-child a.name', 'href')
  expect(link).toMatch(/^#\/SiteInfo\?id=[0-9a-f-]{36}$/)
  const second = await first.context().newPage()
  await second.goto(`${stage.server.url}/${link}`)
  await second.waitForSelector('.shell')
  await eventually(() => new URL(second.url()).hash).toBe(link)
  // Its session is the same: signed out in one tab, the other one shows the form, and neither asks it back.
  const token = (page: typeof first) => page.evaluate(() => sessionStorage.getItem('token'))
  expect(await token(second)).toBe(await token(first))
  const code = await first.evaluate(async (path) => {
    const kept = (key: string) => sessionStorage.getItem(key)!
    const answer = await fetch(path, {
      method: 'POST',
      headers: { token: kept('token'), 'tenant-id': kept('tenant_id') },
    })
    return ((await answer.json()) as { code: number }).code
  }, sessionApi.logout.path)
  expect(code).toBe(200)
  // Its stream has ended: the page says so by itself and shows the form.
  await second.waitForSelector('#login', { state: 'visible' })
  await second.context().close()
})

test('a tab whose answer comes at once, before the page is read to its end, is drawn as well', async () => {
  const first = await stage.signIn('branch_gm', '/Site/SiteList')
  const session = await first.evaluate(() => ({
    token: sessionStorage.getItem('token'),
    tenant_id: sessionStorage.getItem('tenant_id'),
  }))
  const second = await first.context().newPage()
  await second.addInitScript((answer) => {
    class Prompt {
      onmessage?: (e: { data: object }) => void
      postMessage(m: { ask?: number }) {
        if (m.ask) this.onmessage?.({ data: { to: m.ask, ...answer } })
      }
      close() {}
    }
    Object.assign(window, { BroadcastChannel: Prompt })
  }, session)
  await second.goto(stage.server.url + FILTERED)
  await second.waitForSelector('tbody tr:not(.skeleton)')
  await first.context().close()
})

test('who signs in on the form arrives where the address pointed; a stranger’s browser gets nothing', async () => {
  const context = await stage.browser.newContext()
  const page = await context.newPage()
  await page.goto(stage.server.url + FILTERED)
  await page.waitForSelector('#l-user', { state: 'visible' })
  expect(new URL(page.url()).hash).toBe('#/login')
  await signIn(page, 'pm')
  await page.waitForSelector('.shell')
  await eventually(() => `/${new URL(page.url()).hash}`).toBe(FILTERED)

  const stranger = await (await stage.browser.newContext()).newPage()
  await stranger.goto(stage.server.url + FILTERED)
  await stranger.waitForSelector('#l-user', { state: 'visible' })
  expect(await stranger.evaluate(() => sessionStorage.getItem('token'))).toBeNull()
  await stranger.close()

  // The last tab is closed: the browser keeps its cookie, and nobody answers for it any more.
  await page.close()
  const later = await context.newPage()
  await later.goto(stage.server.url + FILTERED)
  await later.waitForSelector('#l-user', { state: 'visible' })
  expect(await later.evaluate(() => sessionStorage.getItem('token'))).toBeNull()
  expect(await later.evaluate(() => document.cookie)).toContain('Access-Token=')
  await context.close()
})
