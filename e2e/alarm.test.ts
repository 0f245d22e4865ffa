import { chromium, type Browser, type Page } from 'playwright-core'
import { connectAsync } from 'mqtt'
import sharp from 'sharp'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { draw } from '../simulator/pictures.ts'
import { DEMO_PASSWORD } from '../server/database/seed/demo.ts'
import { SEED_ROLES } from '../server/database/seed/roles.ts'
import { sendFile, seconds } from '../server/testing/device.ts'
import { startTestServer, type TestServer } from '../server/testing/start.ts'

const ARGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic']
let server: TestServer
let browser: Browser
const problems: string[] = []

beforeAll(async () => {
  server = await startTestServer()
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS })
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

async function signIn(name: string, path = '', size = { width: 1366, height: 768 }): Promise<Page> {
  const page = await (await browser.newContext({ viewport: size, locale: 'zh-CN' })).newPage()
  page.on('console', (m) => m.type() === 'error' && problems.push(`${name} ${path}: ${m.text()}`))
  page.on('pageerror', (e) => problems.push(`${name} ${path}: ${e.message}`))
  await page.goto(`${server.url}/#/login`)
  await page.fill('#l-user', name)
  await page.fill('#l-pass', DEMO_PASSWORD)
  await page.click('#l-go')
  await page.waitForSelector('.shell')
  if (path) await page.evaluate((to) => (location.hash = `#${to}`), path)
  return page
}

test('a wrong password says so and stays', async () => {
  const page = await browser.newPage()
  await page.goto(server.url)
  await page.fill('#l-user', 'pm')
  await page.fill('#l-pass', 'wrong')
  await page.click('#l-go')
  await page.waitForFunction(() => document.getElementById('l-err')!.textContent === '账号或密码不正确')
  expect(await page.evaluate(() => sessionStorage.getItem('token'))).toBeNull()
  await page.close()
})

test('a camera raises smoking over MQTT and the open page shows it; one assigns and corrects, a second verifies; others never see it', async () => {
  const manager = await server.as('pm')
  const mine = new Set((await manager.call(sitesApi.list, { query: { pageSize: 100 } })).list.map((s) => s.id))
  const camera = server.devices.find((d) => d.mqtt && mine.has(d.site))!
  const pages = { pm: await signIn('pm', '/image/AlarmEvent'), pm2: await signIn('pm2', '/image/AlarmEvent'), other: await signIn('other', '/image/AlarmEvent') }
  await pages.pm.waitForSelector('text=没有符合条件的记录')

  const { data } = await sendFile(server.url, camera, await draw({ type: 'smoking', variant: 2, camera: camera.sn, time: '2026-11-21 10:00:00' }))
  const link = await connectAsync(server.app.mqttUrl, { username: camera.sn, password: camera.secret, clientId: camera.sn })
  await link.publishAsync(`device/${camera.sn}/events`, JSON.stringify({ events: [{ id: 'story', kind: 'alarm', at: seconds() - 2, type: 'smoking', confidence: 0.93, picture: data.key }] }), { qos: 1 })
  await link.endAsync()
  const row = pages.pm.locator('tr', { hasText: '抽烟' })
  await row.waitFor({ timeout: 5_000 })
  await row.locator('img').waitFor()

  // The manager takes it on themself, starts, and submits a picture taken after the alarm.
  await row.getByRole('button', { name: '指派' }).click()
  const dialog = pages.pm.getByRole('dialog')
  await dialog.getByLabel('责任人').last().click()
  await pages.pm.getByText(/（项目经理）/).first().click()
  await dialog.getByRole('button', { name: /确\s*定/ }).click()
  await pages.pm.locator('tr', { hasText: '整改中' }).waitFor()
  await row.getByText('开始整改').first().click()
  await pages.pm.locator('tr', { hasText: '处理中' }).waitFor()
  await row.getByText('提交整改照片').first().click()
  const photo = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#7a8' } }).jpeg().toBuffer()
  await pages.pm.setInputFiles('input[type=file]', { name: '整改.jpg', mimeType: 'image/jpeg', buffer: photo })
  await pages.pm.getByRole('dialog').getByRole('button', { name: /放大 整改照片/ }).waitFor()
  await pages.pm.getByRole('button', { name: /确\s*定/ }).click()
  await pages.pm.locator('tr', { hasText: '已提交' }).waitFor()

  const alarm = (await manager.call(alarmsApi.list)).list[0]!
  expect(await manager.ask(alarmsApi.pass, { body: { id: alarm.id, version: alarm.version } })).toMatchObject({ code: 409, msg: expect.stringContaining('不能复核自己的整改') })
  const second = await signIn('steward', '/image/AlarmEvent')
  await second.locator('tr', { hasText: '抽烟' }).getByText('复核通过').first().click()
  await second.locator('tr', { hasText: '已整改' }).waitFor()
  await pages.pm.locator('tr', { hasText: '已整改' }).waitFor({ timeout: 5_000 })

  for (const name of ['pm2', 'other'] as const) expect(await pages[name].locator('tr', { hasText: '抽烟' }).count(), name).toBe(0)
  for (const page of [...Object.values(pages), second]) await page.context().close()
})

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
test('every page as every role at both desktop sizes and on a phone: no console error, nothing serious for axe', async () => {
  const serious: string[] = []
  const sites = (await (await server.as('pm')).call(sitesApi.list)).list
  const paths: Record<string, string> = { HomeMaster: '/HomeMaster', SiteList: '/Site/SiteList', SiteInfo: `/SiteInfo?id=${sites[0]!.id}`, AlarmEvent: '/image/AlarmEvent', DeviceList: '/device/DeviceList' }
  for (const role of SEED_ROLES) {
    const page = await signIn(role.code)
    for (const name of role.pages) {
      if (name === 'SiteInfo' && role.scope === 'stores') continue
      for (const size of role.code === 'pm' ? [{ width: 1366, height: 768 }, { width: 1920, height: 1080 }, { width: 390, height: 844 }] : [{ width: 1366, height: 768 }]) {
        await page.setViewportSize(size)
        await page.evaluate((to) => (location.hash = `#${to}`), paths[name]!)
        await page.waitForTimeout(600)
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${role.code} ${name} ${size.width}`).toBeLessThanOrEqual(0)
        if (role.code !== 'pm' && role.code !== 'device_keeper') continue
        // Through the debugger: the page's own policy runs no script that is not its own.
        const session = await page.context().newCDPSession(page)
        await session.send('Runtime.evaluate', { expression: axe })
        const { result } = await session.send('Runtime.evaluate', { expression: `axe.run(document, { resultTypes: ['violations'] }).then((r) => JSON.stringify(r.violations.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => v.id + ' ' + v.nodes[0].html.slice(0, 120))))`, awaitPromise: true })
        serious.push(...(JSON.parse(String(result.value)) as string[]).map((v) => `${role.code} ${name} ${size.width}: ${v}`))
      }
    }
    await page.context().close()
  }
  expect(serious).toEqual([])
  expect(problems.filter((p) => !p.includes('401'))).toEqual([])
})
