import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../server/testing/device.ts'
import { seconds } from '../server/testing/time.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

test('a new alarm is drawn from its message, in its place, and a filtered page asks', async () => {
  const gm = await stage.server.as('branch_gm')
  const mine = new Set((await gm.call(sitesApi.list, { query: { pageSize: 100 } })).list.map((s) => s.id))
  const cameras = stage.server.devices.filter((d) => d.type === 'camera' && mine.has(d.site)).slice(0, 4)
  let n = 0
  const raise = (which: number, type: string, ago: number) =>
    report(stage.server.url, cameras[which]!, [
      { id: `drawn${++n}`, kind: 'alarm', at: seconds() - ago, type, confidence: 0.9 },
    ])
  // The newest first: without an order of its own the list stands by deadline, which follows working hours.
  const page = await stage.signIn('branch_gm', '/image/AlarmEvent?sort=-at&cols=type,site,device')
  const filtered = await stage.signIn('branch_gm', '/image/AlarmEvent?type=noclothes')
  for (const p of [page, filtered]) await p.waitForSelector('text=/^没有(符合条件的)?记录$/')
  // The list cannot be asked any more.
  await page.route(`**${alarmsApi.list.path}*`, (route) => route.abort())
  const rows = page.locator('tbody tr')
  const first = (i: number) => rows.nth(i).textContent()

  await raise(0, 'smoking', 60)
  await eventually(() => rows.count()).toBe(1)
  await raise(1, 'smoking', 10)
  await eventually(() => rows.count()).toBe(2)
  // One that was reported late stands among the older ones.
  await raise(2, 'smoking', 30)
  await eventually(() => rows.count()).toBe(3)
  for (const [i, which] of [1, 2, 0].entries()) expect(await first(i)).toContain(cameras[which]!.sn)

  await filtered.bringToFront()
  // What its filter leaves out is never drawn, though its message brings the row.
  await filtered.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector('tbody')?.textContent?.includes('抽烟')) document.title = 'drawn'
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  await raise(3, 'smoking', 8)
  await eventually(() => rows.count()).toBe(4)
  await filtered.waitForTimeout(1_000)
  expect(await filtered.title()).not.toBe('drawn')
  await raise(3, 'noclothes', 5)
  const wanted = filtered.locator('tbody tr')
  await eventually(() => wanted.count()).toBe(1)
  expect(await wanted.first().textContent()).toContain('未穿工服')

  // Who stands on a row is not moved: what is new waits on a bar that lies on the list.
  await filtered.keyboard.press('j')
  const top = async () => (await wanted.first().boundingBox())!.y
  const before = await top()
  await raise(2, 'noclothes', 1)
  await filtered.getByRole('button', { name: '1 条新报警，点击查看' }).waitFor()
  expect(await top()).toBe(before)
  expect(await wanted.count()).toBe(1)
  await filtered.getByRole('button', { name: '1 条新报警，点击查看' }).click()
  await eventually(() => wanted.count()).toBe(2)
  await page.close()
  await filtered.close()
})
