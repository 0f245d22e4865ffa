import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { previewOf } from '@zhuguan/contract/features/links/links.record.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { caseStage } from '../server/testing/casing.ts'
import { shareBy } from '../server/testing/sharing.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

const DAY_MS = 86_400_000
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'zh-CN' }

test('who works now is one key away, days are dragged like a film, and nobody is there says so', async () => {
  const { server } = stage
  const [gm, steward, service, sales] = await Promise.all(
    ['branch_gm', 'steward', 'service', 'sales'].map((name) => server.as(name)),
  )
  const c = await caseStage(server, { gm: gm!, steward: steward!, service: service! })
  const home = c.homes[0]!
  const camera = await c.cameraOf(home)
  const pictures: string[] = []
  for (const days of [4, 3, 2, 1])
    pictures.push(await c.siteShot(home, camera, new Date(server.now().getTime() - days * DAY_MS)))
  const { id } = await steward!.call(casesApi.add, {
    body: { site_id: home.site, title: '看得见的一个家', words: '', pictures },
  })
  await c.maskAll(id)
  await c.releaseAll(id)
  await c.askFor(id)
  await c.onPaper(id, home)
  await c.publish(id)
  await server.sql('DELETE FROM attendance_days')
  const days = (await c.details(id)).pictures.map((p) => p.day)

  const page = await stage.signIn('sales', '/CaseFieldView')
  await page.getByText('看得见的一个家').first().waitFor()
  await page.keyboard.press('n')
  await page.getByText('现在没有可以看的工地').waitFor()
  await server.sql(
    `INSERT INTO attendance_days (tenant_id, day, site_id, worker_id, bc_id, first_at, last_at, count)
     SELECT k.tenant_id, :today, $1, k.id, k.bc_id, :now, :now, 1 FROM workers k
     WHERE k.bc_id = $2 AND k.w_type = 3 AND k.deleted_at IS NULL LIMIT 1`,
    [home.site, home.bc],
  )
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  await page.getByText('今天到场：瓦工').waitFor()
  await page.getByText(`昨天的照片（${days[3]}）`).waitFor()
  await page.keyboard.press('Escape')

  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '时间轴（T）' }).waitFor()
  await page.keyboard.press('t')
  const told = () => page.locator('.day-reel figcaption b').allInnerTexts()
  await eventually(told).toEqual([expect.stringContaining(days[3]!)])
  await page.keyboard.press('ArrowLeft')
  await eventually(told).toEqual([expect.stringContaining(days[2]!)])
  await page.getByRole('button', { name: '两天对照' }).click()
  await eventually(told).toEqual([expect.stringContaining(days[0]!), expect.stringContaining(days[2]!)])
  // On the first day it stands beside the last, not beside itself.
  await page.getByRole('button', { name: '只看一天' }).click()
  for (const _ of days.slice(2)) await page.keyboard.press('ArrowLeft')
  await eventually(told).toEqual([expect.stringContaining(days[0]!)])
  await page.getByRole('button', { name: '两天对照' }).click()
  await eventually(told).toEqual([expect.stringContaining(days[0]!), expect.stringContaining(days.at(-1)!)])

  const { token } = await shareBy(sales!, { kind: 'share', target_id: id, person: '陈女士' })
  const context = await stage.browser.newContext(PHONE)
  const phone = await context.newPage()
  await phone.goto(server.url + previewOf(token))
  await phone.getByRole('slider', { name: '时间轴' }).waitFor()
  await phone.getByRole('slider', { name: '时间轴' }).press('Home')
  await eventually(() => phone.locator('.day-reel figcaption b').innerText()).toContain(days[0]!)
  await eventually(() => phone.locator('.day-frames .on img').count()).toBe(1)

  // Taken back it is gone from the screen by itself.
  const { version } = await c.details(id)
  await gm!.call(casesApi.withdraw, { body: { id, version, reason: '业主来电' } })
  await page.getByText('还没有业主同意在店内展示的案例').waitFor()
  await Promise.all([context.close(), page.context().close()])
})

test('nobody wrote an error to the console', () => expect(stage.problems).toEqual([]))
