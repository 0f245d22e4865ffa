import { readFileSync } from 'node:fs'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../server/kit/shanghai.ts'
import { report, sendFile } from '../server/testing/device.ts'
import { FILM_S, filmBytes } from '../server/testing/films.ts'
import { eventually, openStage, type Stage } from './stage.ts'

const HOUR = 3_600
let stage: Stage
let camera: { id: string; sn: string }
let begin: number
beforeAll(async () => {
  stage = await openStage()
  const { server } = stage
  camera = (
    await server.sql<typeof camera>(
      `SELECT d.id, d.sn FROM devices d JOIN sites w ON w.id = d.site_id JOIN users u ON u.id = w.manager_id
       WHERE d.type = 'camera' AND w.status = 1 AND u.user_name = 'pm' ORDER BY d.sn LIMIT 1`,
    )
  )[0]!
  // At whatever hour this runs, people work.
  await server.sql(
    `INSERT INTO settings (tenant_id, bc_id, key, value)
     SELECT c.tenant_id, c.bc_id, x.key, x.value::jsonb
     FROM companies c, (VALUES ('workStart', '"00:00"'), ('workEnd', '"23:59"'), ('restDays', '[]')) x(key, value)
     ON CONFLICT DO NOTHING`,
  )
  begin = startOfDay(addDays(shanghaiDay(server.now()), -1)).getTime() / 1000 + 10 * HOUR
  await record(filmBytes('mpeg4'), 0, FILM_S)
  // A film of three seconds that calls itself an hour.
  await record(filmBytes('h264'), HOUR, 2 * HOUR)
  await record(filmBytes('h265'), 3 * HOUR, 4 * HOUR)
})
afterAll(() => stage?.close())

async function record(bytes: Buffer, from: number, to: number) {
  const { server } = stage
  const door = server.devices.find((d) => d.sn === camera.sn)!
  const { data } = await sendFile(server.url, door, bytes)
  const times = { at: begin + to, from: begin + from, to: begin + to }
  const event = { id: `u${from}`, kind: 'recording', ...times, file: data.key, bytes: bytes.length }
  expect((await report(server.url, door, [event])).data.rejected).toEqual([])
}

test('what the browser cannot play says what it is and is taken away as it came', async () => {
  const page = await stage.signIn('pm', `/VideoRecordView?device_id=${camera.id}&at=${begin}`)
  const said = page.locator('.video-said')
  await eventually(() => said.innerText()).toContain('MPEG-4 编码，浏览器放不了，下一段从 11:00:00 开始')
  expect(await page.getByRole('button', { name: '重试' }).count()).toBe(0)
  await eventually(() => page.locator('.day-legend').innerText()).toContain(
    '浏览器放不了（MPEG-4 编码、H.265 编码） 2 段',
  )
  const fetched = page.waitForEvent('download')
  await page.getByRole('button', { name: '下载原文件' }).click()
  const file = await fetched
  expect(file.suggestedFilename()).toMatch(/ \d{4}-\d\d-\d\d 1000\.mp4$/)
  expect(readFileSync(await file.path())).toEqual(filmBytes('mpeg4'))
  await page.getByRole('button', { name: '跳到下一段' }).click()
  await eventually(() => page.locator('.video-time').innerText()).toContain('回放')
  await page.context().close()
})

test('a film that is shorter than its name ends where it ends: no second of it is shown as another', async () => {
  const page = await stage.signIn('pm', `/VideoRecordView?device_id=${camera.id}&at=${begin + HOUR + 2}`)
  await eventually(() => page.locator('.video-time').innerText()).toContain('11:00:02')
  await eventually(() => page.evaluate(() => document.querySelector('video')!.currentTime)).toBe(2)
  await page.evaluate(([to, id]) => (location.hash = `#/VideoRecordView?device_id=${id}&at=${to}`), [
    begin + HOUR + 1_800,
    camera.id,
  ] as const)
  await eventually(() => page.locator('.video-said').innerText()).toContain(
    '这里没有录像，下一段从 13:00:00 开始',
  )
  await page.context().close()
})

test('whoever begins by the cameras that recorded last reads it there, too', async () => {
  const page = await stage.signIn('pm', '/VideoRecordView')
  await eventually(() => page.locator('.video-latest').innerText()).toContain('H.265 编码')
  await page.context().close()
})
