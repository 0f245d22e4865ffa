import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { connectAsync } from 'mqtt'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { sendFile } from '../server/testing/device.ts'
import { seconds } from '../server/testing/time.ts'
import { draw } from '../simulator/pictures.ts'
import { counted } from './count.ts'
import { type Stage, openStage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

test('a wrong password says so and stays', async () => {
  const page = await stage.browser.newPage()
  await page.goto(stage.server.url)
  await page.fill('#l-user', 'pm')
  await page.fill('#l-pass', 'wrong')
  await page.click('#l-go')
  await page.waitForFunction(() => document.getElementById('l-err')!.textContent === '账号或密码不正确')
  expect(await page.evaluate(() => sessionStorage.getItem('token'))).toBeNull()
  await page.close()
})

const PHONE = { width: 390, height: 844 }

test('on a phone: a camera raises smoking, the manager assigns, the steward hands in a photo, the manager verifies', async () => {
  const manager = await stage.server.as('pm')
  const mine = new Set(
    (await manager.call(sitesApi.list, { query: { pageSize: 100 } })).list.map((s) => s.id),
  )
  const camera = stage.server.devices.find((d) => d.mqtt && mine.has(d.site))!
  const pages = {
    pm: await stage.signIn('pm', '/image/AlarmEvent?correctionStatus=1', PHONE),
    steward: await stage.signIn('steward', '/image/AlarmEvent', PHONE),
    pm2: await stage.signIn('pm2', '/image/AlarmEvent'),
    other: await stage.signIn('other', '/image/AlarmEvent'),
  }
  for (const page of Object.values(pages)) await page.waitForSelector('text=/^没有(符合条件的)?记录$/')

  const { data } = await sendFile(
    stage.server.url,
    camera,
    await draw({ type: 'smoking', variant: 2, camera: camera.sn, time: '2026-11-21 10:00:00' }),
  )
  const link = await connectAsync(stage.server.app.mqttUrl, {
    username: camera.sn,
    password: camera.secret,
    clientId: camera.sn,
  })
  const raise = (id: string, type: string) =>
    link.publishAsync(
      `device/${camera.sn}/events`,
      JSON.stringify({
        events: [{ id, kind: 'alarm', at: seconds() - 2, type, confidence: 0.93, picture: data.key }],
      }),
      { qos: 1 },
    )
  await raise('story', 'smoking')

  // The manager: the card comes by itself, its panel fills the screen, the steward and the deadline stand ready.
  const cardOf = (page: Page) => page.locator('.row-card', { hasText: '抽烟' })
  await cardOf(pages.pm).waitFor()
  await cardOf(pages.pm).locator('img').waitFor()
  const spent = await counted(pages.pm, 'manager on a phone, from raised to verified')
  await pages.pm.getByRole('button', { name: '抽烟', exact: true }).click()
  const panel = pages.pm.locator('.alarm-panel')
  await panel.getByRole('button', { name: '指派' }).click()
  const drawer = pages.pm.getByRole('dialog').filter({ hasText: '指派整改' })
  await drawer.getByTitle(/（项目管家）/).waitFor()
  expect(await drawer.textContent()).toMatch(/截止时间：\d{4}-\d\d-\d\d \d\d:\d\d/)
  await drawer.getByRole('button', { name: /确\s*定/ }).click()
  // The row has left the list, which shows what nobody has; the panel stays and follows.
  await panel.getByText('整改中 · 已指派').waitFor()
  await cardOf(pages.pm).waitFor({ state: 'detached' })

  // The steward: from the card straight to the camera.
  await cardOf(pages.steward).getByText('整改中 · 已指派').waitFor()
  const handing = await counted(pages.steward, 'steward on a phone, besides the camera')
  await cardOf(pages.steward).getByRole('button', { name: '提交整改照片' }).click()
  const photo = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#7a8' } })
    .jpeg()
    .toBuffer()
  await pages.steward.setInputFiles('input[type=file][capture=environment]', {
    name: '整改.jpg',
    mimeType: 'image/jpeg',
    buffer: photo,
  })
  const form = pages.steward.getByRole('dialog')
  await form.getByRole('button', { name: /放大 整改照片/ }).waitFor()
  await form.getByRole('button', { name: /确\s*定/ }).click()
  await cardOf(pages.steward).getByText('整改中 · 已提交').waitFor()
  expect((await handing.said()).clicks).toBe(2)

  // Whoever corrected does not verify, and is not offered to send it back.
  const steward = await stage.server.as('steward')
  const alarm = (await steward.call(alarmsApi.list)).list[0]!
  expect(await steward.ask(alarmsApi.pass, { body: { id: alarm.id, version: alarm.version } })).toMatchObject(
    { code: 409, msg: expect.stringContaining('不能复核自己的整改') },
  )
  expect(await cardOf(pages.steward).getByText('退回').count()).toBe(0)

  // The manager's panel is still open: both pictures stand in it, and what is to be done next is its first button.
  await panel.getByText('整改前').waitFor()
  await panel.getByText('整改后').waitFor()
  expect(await panel.locator('.ant-drawer-footer button').first().textContent()).toBe('复核通过')
  await panel.getByRole('button', { name: '复核通过' }).click()
  await panel.getByText('已整改').first().waitFor()
  expect((await spent.said()).clicks).toBe(4)
  await cardOf(pages.steward).getByText('已整改').waitFor()

  // Somebody else assigns while the drawer is open: it gives way, and says who it was.
  await pages.pm.keyboard.press('Escape')
  await raise('race', 'noclothes')
  const raced = pages.pm.locator('.row-card', { hasText: '未穿工服' })
  await raced.getByRole('button', { name: '指派' }).click()
  await drawer.getByTitle(/（项目管家）/).waitFor()
  const boss = await stage.server.as('branch_gm')
  const open = (await boss.call(alarmsApi.list, { query: { type: ['noclothes'] } })).list[0]!
  await boss.call(alarmsApi.assign, {
    body: { id: open.id, version: open.version, assignee_id: alarm.assignee_id! },
  })
  await drawer.getByRole('button', { name: /确\s*定/ }).click()
  await pages.pm.getByText(/已于 .+ 指派，已换成最新的内容/).waitFor()
  await drawer.waitFor({ state: 'detached' })
  await raced.waitFor({ state: 'detached' })

  await link.endAsync()
  for (const name of ['pm2', 'other'] as const)
    expect(await pages[name].locator('tbody tr').count(), name).toBe(0)
  for (const page of Object.values(pages)) await page.context().close()
})
