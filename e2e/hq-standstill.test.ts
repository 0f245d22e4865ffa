import { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { countYesterday } from '../server/app/clock.ts'
import { report } from '../server/testing/device.ts'
import { seconds, testNow } from '../server/testing/time.ts'
import { counted } from './count.ts'
import { openStage, type Stage } from './stage.ts'

const DAY = 86_400
let stage: Stage
/** Clock-ins six days ago at two sites, nobody since; a third one works. */
let lastIn: number
beforeAll(async () => {
  stage = await openStage()
  const now = seconds()
  lastIn = now - 6 * DAY
  const terminals = stage.server.devices
    .filter((d) => d.type === 'faceTerminal' && d.workers.length > 0 && d.sn.includes('HZ'))
    .slice(0, 3)
  for (const d of terminals)
    await report(stage.server.url, d, [
      { id: 'up', kind: 'heartbeat', at: now - 6.5 * DAY, frameAt: now - 6.5 * DAY },
    ])
  for (const [i, d] of terminals.entries())
    await report(stage.server.url, d, [
      { id: 'in', kind: 'clockin', at: i === 2 ? now - DAY : lastIn, w_id: d.workers[0]!, direction: 'in' },
    ])
  await stage.server.sql('UPDATE sites SET start_date = :today - 30 WHERE id = ANY ($1)', [
    terminals.map((d) => d.site),
  ])
  await countYesterday(stage.server.db, testNow())
})
afterAll(() => stage?.close())

test('the HQ reader goes from the red card 连续无人施工 to the list behind it and to the last clock-in of one site', async () => {
  const page = await stage.signIn('hq_ops')
  const card = page.locator('.card.figure', { has: page.getByRole('heading', { name: '连续无人施工' }) })
  await card.waitFor()
  const figure = Number((await card.locator('.big').innerText()).replace(/\D/g, ''))
  expect(figure).toBe(2)
  expect(await card.getAttribute('class')).toContain('alert')
  const story = await counted(page, 'HQ reader: red card to the last clock-in')

  // On the figure: its rows below lead to their sites.
  await card.locator('a.cover').click({ position: { x: 40, y: 48 } })
  await page.getByRole('region', { name: '停工工地表格' }).waitFor()
  const rows = page.locator('.list tbody tr:not(.skeleton)')
  await rows.nth(figure - 1).waitFor()
  // The list behind the figure has as many rows as the figure says, and says so.
  expect(await page.getByText(`共 ${figure} 条`).count()).toBe(1)
  expect(await rows.count()).toBe(figure)
  const hq = await stage.server.as('hq_ops')
  const [first] = (await hq.call(noWorkApi.list)).list
  expect(first!.lastAt).toBe(lastIn)

  const clock = new Date((lastIn + 8 * 3_600) * 1000).toISOString().slice(5, 16).replace('T', ' ')
  await rows.first().getByRole('link', { name: clock }).click()
  await page.getByRole('heading', { name: first!.ws_name }).waitFor()
  const line = page.locator('ol.log li').first()
  await line.waitFor()
  expect(await page.locator('.days h3').first().innerText()).toContain(clock.slice(0, 5))
  expect(await line.innerText()).toContain(clock.slice(6))
  expect(await line.innerText()).toContain('进场')
  const { clicks } = await story.said()
  expect(clicks).toBe(2)
  expect(stage.problems).toEqual([])
})
