import { PAGES } from '@zhuguan/contract/pages.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report, sendFile } from '../server/testing/device.ts'
import { seconds } from '../server/testing/time.ts'
import { film } from '../simulator/film.ts'
import { eventually, openStage, type Stage } from './stage.ts'

/** How long one file is, and when in the first the alarm was. */
const LONG = 20
const SEEN = 15

let stage: Stage
let camera: { id: string; sn: string; site: string }
let begin: number
beforeAll(async () => {
  stage = await openStage()
  const { server } = stage
  const [row] = await server.sql<typeof camera>(
    `SELECT d.id, d.sn, d.site_id AS site
     FROM devices d JOIN sites w ON w.id = d.site_id JOIN users u ON u.id = w.manager_id
     WHERE d.type = 'camera' AND w.status = 1 AND u.user_name = 'pm' ORDER BY d.sn LIMIT 1`,
  )
  camera = row!
  await server.sql(
    `INSERT INTO settings (tenant_id, bc_id, key, value)
     SELECT c.tenant_id, c.bc_id, x.key, x.value::jsonb
     FROM companies c, (VALUES ('workStart', '"00:00"'), ('workEnd', '"23:59"'), ('restDays', '[]')) x(key, value)`,
  )
  const door = server.devices.find((d) => d.sn === camera.sn)!
  begin = seconds() - 300
  for (const from of [begin, begin + LONG]) {
    const movie = await film({ sn: camera.sn, from, seconds: LONG })
    const { data } = await sendFile(server.url, door, movie)
    const told = await report(server.url, door, [
      {
        id: `r${from}`,
        kind: 'recording',
        at: from + LONG,
        from,
        to: from + LONG,
        file: data.key,
        bytes: movie.length,
      },
    ])
    expect(told.data.rejected).toEqual([])
  }
  await report(server.url, door, [
    { id: 'seen', kind: 'alarm', at: begin + SEEN, type: 'smoking', confidence: 0.9 },
    { id: 'unseen', kind: 'alarm', at: begin + 200, type: 'noclothes', confidence: 0.9 },
  ])
})
afterAll(() => stage?.close())

test('an alarm has its moment: from ten seconds before it, on into the next file and back', async () => {
  const page = await stage.signIn('pm', PAGES.AlarmEvent.path)
  const views = () => stage.server.sql('SELECT purpose FROM video_views WHERE device_id = $1', [camera.id])
  const at = async () => {
    const text = (await page.locator('.moment-picture time').textContent()) ?? ''
    const [h, m, s] = text.slice(-8).split(':').map(Number)
    return h! * 3_600 + m! * 60 + s! - ((begin + 28_800) % 86_400)
  }
  await page.locator('tr', { hasText: '抽烟' }).first().click()
  await page.getByText('▶ 播放当时录像').waitFor()
  expect(await views()).toEqual([])
  await page.click('text=▶ 播放当时录像')
  await eventually(at).toBeGreaterThanOrEqual(SEEN - 10)
  expect(await at()).toBeLessThan(SEEN)
  expect(await views()).toEqual([{ purpose: 'alarm' }])

  await page.evaluate(`document.querySelector('.moment video').pause()`)
  await page.click('text=报警时刻')
  await eventually(at).toBe(SEEN)
  await page.click('text=+10 秒')
  await eventually(at).toBeGreaterThanOrEqual(SEEN + 10)
  expect(await views()).toHaveLength(2)
  const day = page.getByText('看这一天的录像')
  expect(await day.getAttribute('href')).toContain(`device_id=${camera.id}`)
  await page.evaluate(`document.querySelector('.moment video').pause()`)
  await page.click('text=+10 秒')
  await page.click('text=+10 秒')
  await page.getByText(/没有录像/).waitFor()

  await page.keyboard.press('Escape')
  await page.locator('tr', { hasText: '未穿工服' }).first().click()
  await page.getByText('当时没有录像').waitFor()
  expect(stage.problems).toEqual([])
  await page.context().close()
})
