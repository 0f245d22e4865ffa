import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { connectAsync } from 'mqtt'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { sendFile } from '../server/testing/device.ts'
import { seconds } from '../server/testing/time.ts'
import { draw } from '../simulator/pictures.ts'
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

test('a camera raises smoking over MQTT and the open page shows it; one assigns and corrects, a second verifies; others never see it', async () => {
  const manager = await stage.server.as('pm')
  const mine = new Set(
    (await manager.call(sitesApi.list, { query: { pageSize: 100 } })).list.map((s) => s.id),
  )
  const camera = stage.server.devices.find((d) => d.mqtt && mine.has(d.site))!
  const pages = {
    pm: await stage.signIn('pm', '/image/AlarmEvent'),
    pm2: await stage.signIn('pm2', '/image/AlarmEvent'),
    other: await stage.signIn('other', '/image/AlarmEvent'),
  }
  await pages.pm.waitForSelector('text=没有符合条件的记录')

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
  await link.publishAsync(
    `device/${camera.sn}/events`,
    JSON.stringify({
      events: [
        {
          id: 'story',
          kind: 'alarm',
          at: seconds() - 2,
          type: 'smoking',
          confidence: 0.93,
          picture: data.key,
        },
      ],
    }),
    { qos: 1 },
  )
  await link.endAsync()
  const row = pages.pm.locator('tr', { hasText: '抽烟' })
  await row.waitFor({ timeout: 5_000 })
  await row.locator('img').waitFor()

  // The manager takes it on themself, starts, and submits a picture taken after the alarm.
  await row.getByRole('button', { name: '指派' }).click()
  const dialog = pages.pm.getByRole('dialog')
  await dialog.getByLabel('责任人').last().click()
  await pages.pm
    .getByText(/（项目经理）/)
    .first()
    .click()
  await dialog.getByRole('button', { name: /确\s*定/ }).click()
  await pages.pm.locator('tr', { hasText: '整改中' }).waitFor()
  await row.getByText('开始整改').first().click()
  await pages.pm.locator('tr', { hasText: '处理中' }).waitFor()
  await row.getByText('提交整改照片').first().click()
  const photo = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#7a8' } })
    .jpeg()
    .toBuffer()
  await pages.pm.setInputFiles('input[type=file]', {
    name: '整改.jpg',
    mimeType: 'image/jpeg',
    buffer: photo,
  })
  await pages.pm
    .getByRole('dialog')
    .getByRole('button', { name: /放大 整改照片/ })
    .waitFor()
  await pages.pm.getByRole('button', { name: /确\s*定/ }).click()
  await pages.pm.locator('tr', { hasText: '已提交' }).waitFor()

  const alarm = (await manager.call(alarmsApi.list)).list[0]!
  expect(await manager.ask(alarmsApi.pass, { body: { id: alarm.id, version: alarm.version } })).toMatchObject(
    { code: 409, msg: expect.stringContaining('不能复核自己的整改') },
  )
  const second = await stage.signIn('steward', '/image/AlarmEvent')
  await second.locator('tr', { hasText: '抽烟' }).getByText('复核通过').first().click()
  await second.locator('tr', { hasText: '已整改' }).waitFor()
  await pages.pm.locator('tr', { hasText: '已整改' }).waitFor({ timeout: 5_000 })

  for (const name of ['pm2', 'other'] as const)
    expect(await pages[name].locator('tr', { hasText: '抽烟' }).count(), name).toBe(0)
  for (const page of [...Object.values(pages), second]) await page.context().close()
})
