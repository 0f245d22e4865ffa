import { correctionsApi } from '@zhuguan/contract/features/corrections/corrections.api.ts'
import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openFileStore } from '../server/features/files/file-store.ts'
import { draw } from '../simulator/pictures.ts'
import { eventually, openStage, type Stage } from './stage.ts'

const SITES = 30
let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  // Thirty more sites of the inspector's branch, each with a camera just heard with a picture; one old, one dark.
  const camera = stage.server.devices.find((d) => d.type === 'camera' && d.sn.includes('HZ'))!
  const still = await draw({ type: 'smoking', variant: 1, camera: camera.sn, time: '2026-11-21 10:00:00' })
  await stage.server.sql(`UPDATE devices SET last_picture = NULL, last_picture_at = NULL`)
  await stage.server.sql(
    `INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, store_id, address, status, stage, manager_id,
       steward_id)
     SELECT w.tenant_id, gen_random_uuid(), 'WALL' || n, '墙上工地 ' || n, w.bc_id, w.store_id, w.address, 1, 'tiling',
       w.manager_id, w.steward_id
     FROM sites w
     JOIN devices d ON d.site_id = w.id AND d.sn = $1, generate_series(1, ${SITES + 2}) n`,
    [camera.sn],
  )
  const store = openFileStore(stage.server.dataDir)
  for (let n = 1; n <= SITES + 2; n++) {
    const key = await store.put(still, 'jpg')
    await stage.server.sql(
      `WITH added AS (
         INSERT INTO files (key, tenant_id, bc_id, site_id, kind, bytes)
         SELECT $2, tenant_id, bc_id, id, 'picture', $4 FROM sites WHERE code = $3)
       INSERT INTO devices (tenant_id, id, sn, type, model, bc_id, bind_status, site_id, device_status, secret,
         last_picture, last_picture_at, last_seen)
       SELECT w.tenant_id, gen_random_uuid(), w.code, d.type, d.model, w.bc_id, 2, w.id,
         CASE w.code WHEN 'WALL${SITES + 2}' THEN 2 ELSE 1 END, d.secret, $2,
         :now - CASE w.code WHEN 'WALL${SITES + 1}' THEN interval '3 hours' ELSE interval '1 minute' END, :now
       FROM sites w
       JOIN devices d ON d.sn = $1
       WHERE w.code = $3`,
      [camera.sn, key, `WALL${n}`, still.length],
    )
  }
}, 600_000)
afterAll(() => stage.close())

test('the inspector judges thirty sites by the keyboard alone; a dark and an old one say why not', async () => {
  const page = await stage.signIn('inspector', '', { width: 1920, height: 1080 })
  await page.evaluate(() => (location.hash = '#/PatrolView'))
  await page.waitForSelector('.wall-tile')
  // No menu, no tabs: the wall has the window.
  expect(await page.locator('.side, .tags').count()).toBe(0)
  await page.keyboard.press(']')
  await page.keyboard.press(']')
  await eventually(() => page.locator('.wall-tile').count()).toBe(9)
  await page.locator('select[aria-label=阶段]').selectOption('tiling')
  await page.waitForSelector('.wall-tile img')
  await page.locator('.wall-grid').click({ position: { x: 1, y: 1 } })
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/wall9.png` })

  const began = Date.now()
  let keys = 0
  let refused = 0
  const press = async (key: string) => {
    keys += 1
    await page.keyboard.press(key)
  }
  const inspector = await stage.server.as('inspector')
  for (let judged = 0; judged < SITES;) {
    const name = (await page.locator('.wall footer b').textContent())!
    const tile = page.locator('.wall-tile.on')
    if ((await tile.locator('.wall-why').count()) > 0) {
      refused += 1
      const why = (await tile.locator('.wall-why').textContent())!
      expect(why).toMatch(/不能判定$/)
      await press('1')
      await page.getByText(`${name}：${why}`).first().waitFor()
      await press('ArrowRight')
      continue
    }
    if (judged === 2) {
      await press('p')
      await page.keyboard.type('材料堆在通道上')
      keys += 8
      await press('Enter')
    }
    // What is judged has been drawn.
    await eventually(() =>
      tile.locator('> img').evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0),
    ).toBe(true)
    await press(String((judged % 3) + 1))
    judged += 1
    // The next one has the keyboard as soon as this one is kept.
    if (judged === SITES) break
    await eventually(() => page.locator('.wall footer b').textContent()).not.toBe(name)
  }
  await page
    .getByText('这一轮已经看到最后一个工地')
    .or(page.locator('.wall-verdict').last())
    .first()
    .waitFor()
  const seconds = (Date.now() - began) / 1000
  console.log(
    `REMOTE PATROL ${SITES} sites, ${keys} keys, ${seconds.toFixed(1)} s of the machine, ` +
      `${(keys * 0.28 + SITES * 1.35).toFixed(0)} s of a person (key 0.28, think 1.35)`,
  )
  const filed = async () =>
    (await inspector.call(patrolsApi.list, { query: { kind: ['remote'], pageSize: 100 } })).list.filter((p) =>
      p.siteName.startsWith('墙上工地'),
    ).length
  await eventually(filed).toBe(SITES)
  const found = await inspector.call(correctionsApi.list, { query: { source: ['patrol'], pageSize: 100 } })
  expect(found.list.filter((c) => c.problem === '材料堆在通道上')).toHaveLength(1)
  expect(refused).toBeLessThanOrEqual(4)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/wall-done.png` })
  // On another machine it has the same shape and goes on with what was not looked at.
  const other = await stage.signIn('inspector', '', { width: 3840, height: 2160 })
  await other.evaluate(() => (location.hash = '#/PatrolView'))
  await other.waitForSelector('.wall-tile')
  await eventually(() => other.locator('.wall-tile').count()).toBeGreaterThan(1)
  expect(await other.locator('select[aria-label=阶段]').inputValue()).toBe('tiling')
  const firsts = await other.locator('.wall-tile .wall-strip b').allTextContents()
  expect(
    firsts.slice(0, 2).every((n) => ['墙上工地 31', '墙上工地 32'].includes(n) || !n.startsWith('墙上')),
  ).toBe(true)
  if (process.env.SHOTS) await other.screenshot({ path: `${process.env.SHOTS}/wall4k.png` })
  expect(stage.problems).toEqual([])
}, 600_000)

test('on a phone a finger judges: every button can be touched, and a dark site says why not', async () => {
  // The cameras of this story speak to nobody: meanwhile they may have been found to be silent.
  await stage.server.sql(
    `UPDATE devices SET device_status = 1, last_seen = :now, last_picture_at = :now
     WHERE sn LIKE 'WALL%' AND sn NOT IN ('WALL${SITES + 1}', 'WALL${SITES + 2}')`,
  )
  const page = await stage.signIn('branch_gm', '', { width: 390, height: 844, hasTouch: true })
  await page.evaluate(() => (location.hash = '#/PatrolView'))
  await page.waitForSelector('.wall-tile')
  await page.locator('select[aria-label=阶段]').selectOption('tiling')
  const name = () => page.locator('.wall footer b').textContent()
  await eventually(name).not.toBe('')
  const acts = page.locator('.wall-acts button')
  expect(await acts.allTextContents()).toEqual([
    '优 1',
    '良 2',
    '差 3',
    '偏移 4',
    '问题 P',
    '上一个 ←',
    '下一个 →',
    '换摄像头 C',
    '截图 S',
  ])
  const touched = await acts.evaluateAll((buttons) =>
    buttons.map((button) => {
      const { x, y, width, height } = button.getBoundingClientRect()
      const top = document.elementFromPoint(x + width / 2, y + height / 2)
      return width >= 40 && height >= 40 && x >= 0 && y + height <= innerHeight && button.contains(top)
    }),
  )
  expect(touched).toEqual(Array(9).fill(true))
  const act = (label: string) => page.locator('.wall-acts button', { hasText: label })
  const isOff = async (label: string) => (await act(label).getAttribute('aria-disabled')) === 'true'
  /** Walks the round until a site can be judged, or cannot. */
  const seek = async (dark: boolean) => {
    for (const way of ['下一个', '上一个'])
      while ((await isOff('良')) !== dark && !(await isOff(way))) {
        const before = await name()
        await act(way).tap()
        await eventually(name).not.toBe(before)
      }
    expect(await isOff('良')).toBe(dark)
  }
  await seek(true)
  const why = (await page.locator('.wall-not').textContent())!
  expect(why).toMatch(/不能判定$/)
  await act('良').tap({ force: true })
  await page.locator('.notices').getByText(why).waitFor()
  await seek(false)
  const site = (await name())!
  await act('问题').tap()
  await page.getByLabel('问题', { exact: true }).fill('楼道有垃圾')
  await page.getByRole('button', { name: '记下' }).tap()
  await page.locator('.wall-noted').getByText('楼道有垃圾').waitFor()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/wall-phone.png` })
  await act('良').tap()
  const gm = await stage.server.as('branch_gm')
  const query = { kind: ['remote' as const], problems: 'true', pageSize: 1 }
  const latest = async () => (await gm.call(patrolsApi.list, { query })).list[0]
  await eventually(async () => (await latest())?.siteName).toBe(site)
  expect(await latest()).toMatchObject({ tidiness: 2, problems: 1 })
  await eventually(() => page.locator('.wall-noted').count()).toBe(0)
  expect(stage.problems).toEqual([])
}, 600_000)
