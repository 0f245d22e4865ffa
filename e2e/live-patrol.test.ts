import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { PAGES } from '@zhuguan/contract/pages.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { sendFile } from '../server/testing/device.ts'
import { draw } from '../simulator/pictures.ts'
import { PLAYLIST } from './live/film.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let folder: string
let camera: { id: string; sn: string; site: string }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zhuguan-live-'))
  stage = await openStage({ video: { template: `file://${folder}/{sn}/index.m3u8`, kind: 'hls', s3: null } })
  ;[camera] = (await stage.server.sql(
    `SELECT d.id, d.sn, d.site_id AS site
     FROM devices d JOIN sites w ON w.id = d.site_id JOIN companies c ON c.bc_id = w.bc_id
     WHERE d.type = 'camera' AND w.status = 1 AND c.code = 'HZ' ORDER BY d.sn LIMIT 1`,
  )) as [typeof camera]
  const mine = join(folder, camera.sn)
  await mkdir(mine)
  await writeFile(join(mine, 'index.m3u8'), PLAYLIST)
  await copyFile(join(import.meta.dirname, 'live', 'live.m4s'), join(mine, 'live.m4s'))
  // Online, just heard (the silent go off line at the next minute), and it has handed in no still.
  await stage.server.sql(`UPDATE devices SET device_status = 1, last_seen = :now WHERE id = $1`, [camera.id])
  await stage.server.sql(
    `INSERT INTO settings (tenant_id, bc_id, key, value)
     SELECT c.tenant_id, c.bc_id, x.key, x.value::jsonb
     FROM companies c, (VALUES ('workStart', '"00:00"'), ('workEnd', '"23:59"'), ('restDays', '[]')) x(key, value)`,
  )
})
afterAll(async () => {
  await stage?.close()
  await rm(folder, { recursive: true, force: true })
})

test('the patrol wall shows the stream, and what moves on it is judged although no still has come', async () => {
  const page = await stage.signIn('inspector', `${PAGES.Patrol.path}?site_id=${camera.site}`)
  const tile = page.locator('.wall-tile.on')
  await tile.locator('.wall-age', { hasText: '直播' }).waitFor()
  expect(await tile.locator('.wall-why').count()).toBe(0)
  await page.keyboard.press('1')
  await tile.locator('.wall-verdict', { hasText: '优' }).waitFor()
  const [patrol] = await stage.server.sql<{ picture: string; mine: boolean }>(
    `SELECT p.picture, f.site_id = p.site_id AS mine
     FROM patrols p JOIN files f ON f.tenant_id = p.tenant_id AND f.key = p.picture
     WHERE p.device_id = $1 AND p.tidiness = 1`,
    [camera.id],
  )
  expect(patrol!.mine).toBe(true)
  await page.context().close()
  const open = () => stage.server.sql(`SELECT 1 FROM video_views WHERE live AND ended_at IS NULL`)
  await eventually(async () => (await open()).length).toBe(0)
})

test('out of hours the wall judges by the stills that it shows; a live picture waits for its purpose', async () => {
  const { server } = stage
  const today = new Date(server.now().getTime() + 8 * 3_600_000).getUTCDay()
  await server.sql(`UPDATE settings SET value = $1 WHERE key = 'restDays'`, [
    JSON.stringify([today, (today + 1) % 7]),
  ])
  const device = server.devices.find((d) => d.sn === camera.sn)!
  const still = await draw({ type: 'tidiness', variant: 1, camera: camera.sn, time: '2026-11-21 10:00:00' })
  const { key } = (await sendFile(server.url, device, still)).data
  await server.sql(
    `UPDATE devices SET device_status = 1, last_seen = :now, last_picture = $2, last_picture_at = :now
     WHERE id = $1`,
    [camera.id, key],
  )
  const before = (await server.sql(`SELECT 1 FROM video_views WHERE live`)).length
  const page = await stage.signIn('inspector', `${PAGES.Patrol.path}?site_id=${camera.site}`)
  const tile = page.locator('.wall-tile.on')
  const ask = page.getByRole('button', { name: '看直播先说明查看目的' })
  await ask.waitFor()
  await tile.locator('> img').waitFor()
  // While the dialog asks, keys judge nothing.
  await ask.click()
  await page.keyboard.press('2')
  await page.keyboard.press('Escape')
  await eventually(() =>
    tile.locator('> img').evaluate((img: HTMLImageElement) => img.naturalWidth > 0),
  ).toBe(true)
  await page.keyboard.press('3')
  await tile.locator('.wall-verdict', { hasText: '差' }).waitFor()
  expect((await server.sql(`SELECT 1 FROM video_views WHERE live`)).length).toBe(before)
  expect(
    await server.sql(
      `SELECT p.tidiness, p.picture = $2 AS still FROM patrols p WHERE p.device_id = $1 AND p.tidiness <> 1`,
      [camera.id, key],
    ),
  ).toEqual([{ tidiness: 3, still: true }])
  // A picture that did not come is not judged.
  await page.route('**/*', (route) =>
    route.request().resourceType() === 'image' ? route.abort() : route.fallback(),
  )
  await page.reload()
  await page.locator('.wall-why', { hasText: '画面没有读到，不能判定' }).waitFor()
  await page.keyboard.press('2')
  await page.locator('.notices').getByText('不能判定').waitFor()
  await page.unrouteAll()
  await ask.click()
  await page.getByRole('radio', { name: '业主询问' }).check()
  await page.click('text=开始查看')
  await tile.locator('.wall-age', { hasText: '直播' }).waitFor()
  expect(await server.sql(`SELECT purpose FROM video_views WHERE live ORDER BY at DESC LIMIT 1`)).toEqual([
    { purpose: 'owner' },
  ])
  await page.context().close()
})
