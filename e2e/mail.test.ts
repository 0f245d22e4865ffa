import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { mailsApi } from '@zhuguan/contract/features/mails/mails.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../server/testing/device.ts'
import { type MailServer, startMailServer } from '../server/testing/mail-server.ts'
import { counted } from './count.ts'
import { button, drawer, PHONE } from './hands.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let post: MailServer
beforeAll(async () => {
  post = await startMailServer()
  stage = await openStage({ mail: { url: post.url, from: 'no-reply@zg.example.com' }, officeMs: 500 })
}, 600_000)
afterAll(async () => {
  await stage?.close()
  await post?.close()
})

test('a manager gives an address on the telephone, tries it, and sets when not to be written to', async () => {
  const page = await stage.signIn('pm', '/HomeMaster', { ...PHONE, hasTouch: true })
  const effort = await counted(page, 'an address is given and confirmed')
  await page.locator('.me').click()
  await page.getByText('消息设置', { exact: true }).click()
  const box = drawer(page)
  await box.getByLabel('邮箱').fill('pm@example.com')
  await button(box, '发送验证码').click()
  await eventually(() => post.box.length).toBe(1)
  await box.getByLabel('验证码').fill(post.box[0]!.text.match(/\d{6}/)![0])
  await button(box, '确认邮箱').click()
  await box.getByText('邮件发到 pm@example.com').waitFor()
  await button(box, '试发一条').click()
  await eventually(() => post.box.map((m) => m.subject)).toContain('【筑管】这是一条试发消息')
  expect((await effort.said()).clicks).toBeLessThanOrEqual(6)
  await box.getByLabel('免打扰从').fill('22:00')
  await button(box, '保存').click()
  await box.getByText('免打扰的起止时间要一起填').waitFor()
  await box.getByLabel('免打扰到').fill('07:00')
  await box.getByRole('radiogroup', { name: '整改', exact: true }).getByLabel('马上发邮件').check()
  await button(box, '保存').click()
  await box.waitFor({ state: 'hidden' })
  const person = await stage.server.as('pm')
  const { rules } = await person.call(mailsApi.mine)
  expect(rules).toMatchObject({ quietFrom: '22:00', quietTo: '07:00', sites: [] })
  expect(rules.ways).toContainEqual({ kind: 'correction', way: 'now' })
  await page.context().close()
}, 600_000)

test('an alarm comes by mail, is acted on, and what was not sent yet is not sent', async () => {
  const person = await stage.server.as('pm')
  const { version, ways } = (await person.call(mailsApi.mine)).rules
  const plain = { version, ways, sites: [], quietFrom: '', quietTo: '', hour: 8 }
  await person.call(mailsApi.rules, { body: plain })
  const [site] = await stage.server.sql<{ id: string; code: string; pm: string }>(
    `SELECT w.id, w.code, u.id AS pm FROM sites w JOIN users u ON u.id = w.manager_id
     WHERE u.user_name = 'pm' AND w.status = 1 AND EXISTS (
       SELECT 1 FROM devices d WHERE d.site_id = w.id AND d.type = 'camera') LIMIT 1`,
  )
  const camera = stage.server.devices.find((d) => d.type === 'camera' && d.site === site!.id)!
  const at = Math.floor(Date.now() / 1000) - 5
  await report(stage.server.url, camera, [
    { id: 'mail story', kind: 'alarm', type: 'smoking', confidence: 0.9, at },
  ])
  const admin = await stage.server.as('admin')
  const { list } = await admin.call(alarmsApi.list, { query: { site_id: site!.id, type: ['smoking'] } })
  const { id, version: seen } = list[0]!
  post.box.length = 0
  await admin.call(alarmsApi.assign, { body: { id, version: seen, assignee_id: site!.pm } })
  await eventually(() => post.box.map((m) => m.subject)).toEqual([
    expect.stringMatching(new RegExp(`^【筑管】报警，工地 ${site!.code}，最迟 \\d\\d-\\d\\d \\d\\d:\\d\\d$`)),
  ])
  const page = await stage.signIn('pm')
  await page.locator('.me').click()
  await page.getByText('消息设置', { exact: true }).click()
  await drawer(page).getByText('邮件服务器已收下').first().waitFor()
  expect(stage.problems).toEqual([])
  await page.context().close()
}, 600_000)
