import { correctionsApi } from '@zhuguan/contract/features/corrections/corrections.api.ts'
import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'
import { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Person } from '../server/testing/person.ts'
import { uploadPhoto } from '../server/testing/photo.ts'
import { counted } from './count.ts'
import { button } from './hands.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let manager: Person
let id: string
beforeAll(async () => {
  stage = await openStage()
  const { server } = stage
  manager = await server.as('pm')
  const inspector = await server.as('inspector')
  const [check] = await server.sql<{ id: string; manager: string }>(
    `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, at, result)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, :now, 3
     FROM sites w
     JOIN users m ON m.id = w.manager_id AND m.user_name = 'pm'
     WHERE w.status = 1
     ORDER BY w.code LIMIT 1
     RETURNING id, (SELECT id FROM users WHERE user_name = 'pm') AS manager`,
  )
  const made = await inspector.call(tidinessApi.correct, {
    body: { id: check!.id, version: 0, problem: '客厅垃圾未清', assignee_id: check!.manager },
  })
  id = made.id
  await manager.call(correctionsApi.submit, {
    body: { id, version: 0, pictures: [await uploadPhoto(server.url, manager)], text: '已清运' },
  })
}, 600_000)
afterAll(() => stage?.close())

test('a photo is sent back: its maker’s open page says so at once, and leads to the correction', async () => {
  const page = await stage.signIn('pm', '/HomeMaster')
  const bell = page.locator('button.bell')
  const unread = async () => Number((await bell.locator('sup').allInnerTexts())[0] ?? 0)
  const before = (await manager.call(notificationsApi.list)).unread
  await eventually(unread).toBe(before)

  const inspector = await stage.signIn('inspector', `/patrol/Correction?open=${id}`)
  const judging = await counted(inspector, 'an inspector sends a photo back')
  await button(inspector.locator('.ant-drawer-footer:visible'), '退回').click()
  const asked = inspector.locator('.ant-modal:visible, .ant-drawer-content-wrapper:visible').last()
  await asked.locator('textarea').fill('墙角还有垃圾，请重拍')
  const begun = performance.now()
  await asked.getByRole('button', { name: /确\s*定/ }).click()

  const maker = await counted(page, 'a refused photo, until its correction is open')
  await eventually(unread).toBe(before + 1)
  const heard = performance.now() - begun
  console.log(`heard after ${Math.round(heard)} ms`)
  expect(heard).toBeLessThan(5_000)
  await bell.click()
  await page.getByRole('button', { name: /退回：墙角还有垃圾，请重拍，请重新整改/ }).click()
  await page.locator('.ant-drawer-content-wrapper:visible').getByText('客厅垃圾未清').first().waitFor()
  await eventually(unread).toBe(before)
  expect((await maker.said()).clicks).toBe(2)
  await judging.said()
  expect(stage.problems).toEqual([])
}, 600_000)
