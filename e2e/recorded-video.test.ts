import { readFileSync } from 'node:fs'

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../server/kit/shanghai.ts'
import { report, sendFile } from '../server/testing/device.ts'
import { film } from '../simulator/film.ts'
import { type Mark, readMark } from '../simulator/frame-mark.ts'
import { eventually, openStage, type Stage } from './stage.ts'

/** How long one file is. */
const LONG = 8
const WIDE = 640

let stage: Stage
let camera: { id: string; sn: string; site: string; bc: string }
/** Another of the same site. */
let beside: typeof camera
let begin: number
beforeAll(async () => {
  stage = await openStage()
  const { server } = stage
  const rows = await server.sql<typeof camera>(
    `SELECT d.id, d.sn, d.site_id AS site, d.bc_id AS bc
     FROM devices d JOIN sites w ON w.id = d.site_id JOIN users u ON u.id = w.manager_id
     WHERE d.type = 'camera' AND w.status = 1 AND u.user_name = 'pm' ORDER BY d.sn`,
  )
  camera = rows[0]!
  beside = rows.find((r) => r.site === camera.site && r.id !== camera.id)!
  // At whatever hour this runs, people work.
  await server.sql(
    `INSERT INTO settings (tenant_id, bc_id, key, value)
     SELECT c.tenant_id, c.bc_id, x.key, x.value::jsonb
     FROM companies c, (VALUES ('workStart', '"00:00"'), ('workEnd', '"23:59"'), ('restDays', '[]')) x(key, value)
     ON CONFLICT DO NOTHING`,
  )
  begin = startOfDay(addDays(shanghaiDay(server.now()), -1)).getTime() / 1000 + 36_000
  // Two files one after the other, a gap, and another; the second camera misses what the first has and goes on longer.
  for (const from of [0, LONG, 600]) await record(camera, from)
  for (const from of [0, 604]) await record(beside, from)
  const door = server.devices.find((d) => d.sn === camera.sn)!
  await report(server.url, door, [
    { id: 'mark', kind: 'alarm', at: begin + 604, type: 'smoking', confidence: 0.9 },
  ])
})
afterAll(() => stage?.close())

/** As a camera does it: filmed, uploaded by its door, told of. */
async function record({ sn }: { sn: string }, from: number) {
  const { server } = stage
  const door = server.devices.find((d) => d.sn === sn)!
  const movie = await film({ sn, from: begin + from, seconds: LONG })
  const { data } = await sendFile(server.url, door, movie)
  const [first, last] = [begin + from, begin + from + LONG]
  const told = await report(server.url, door, [
    {
      id: `r${from}`,
      kind: 'recording',
      at: last,
      from: first,
      to: last,
      file: data.key,
      bytes: movie.length,
    },
  ])
  expect(told.data.rejected).toEqual([])
}

/** 10:00:03 as the page says it. */
const time = (second: number) =>
  new Date((begin + second + 28_800) * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** What the picture of a camera itself says that it shows, and what second the player takes it for. */
async function shownBy(page: Page, nth = 0) {
  const { pixels, at } = await page.evaluate((n) => {
    const video = document.querySelectorAll('video')[n]!
    // The corner in which camera and second stand.
    const [width, height] = [200, 120]
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    const pen = canvas.getContext('2d')!
    pen.drawImage(video, 0, video.videoHeight - height, width, height, 0, 0, width, height)
    const { data } = pen.getImageData(0, 0, width, height)
    return { pixels: btoa(String.fromCharCode(...data)), at: video.currentTime }
  }, nth)
  const mark: Mark | undefined = readMark({ pixels: Buffer.from(pixels, 'base64'), width: 200, height: 120 })
  return { sn: mark?.sn, second: mark && mark.second - begin, at }
}

test('a recorded day plays from file to file, says where nothing is, and each view is in the log', async () => {
  const page = await stage.signIn('pm', `/VideoRecordView?device_id=${camera.id}&at=${begin + 1}`)
  const shown = () => page.locator('.video-time').innerText()
  const picture = () =>
    page.evaluate(() => {
      const video = document.querySelector('video')!
      return { width: video.videoWidth, at: video.currentTime, paused: video.paused }
    })
  await eventually(async () => (await picture()).width).toBe(WIDE)
  await eventually(shown).toContain(`回放 ${time(1)}`)
  await page.getByRole('button', { name: '4×' }).click()
  await page.getByRole('button', { name: '播放', exact: true }).click()
  await eventually(async () => (await picture()).at).toBeGreaterThan(2)
  // On into the second file, to its end, and no further by itself.
  await page.getByText('这里没有录像，下一段从 10:10:00 开始').waitFor()
  await page.getByRole('button', { name: '跳到下一段' }).click()
  await eventually(shown).toContain(`回放 ${time(600).slice(0, 15)}`)
  await eventually(async () => (await picture()).paused).toBe(false)
  await page.keyboard.press(' ')
  await eventually(async () => (await picture()).paused).toBe(true)
  await page.keyboard.press('n')
  await eventually(shown).toContain(`回放 ${time(604)}`)
  const before = (await picture()).at
  await page.keyboard.press('.')
  await eventually(async () => Math.round(((await picture()).at - before) * 100)).toBe(4)
  // A seek into a gap says so.
  const track = (await page.locator('.day-track').boundingBox())!
  await page.mouse.click(track.x + track.width * 0.75, track.y + track.height / 2)
  await page.getByText('这之后没有录像了').waitFor()
  await page.mouse.click(track.x + track.width * 0.25, track.y + track.height / 2)
  await page.getByText('这里没有录像，下一段从 10:00:00 开始').waitFor()
  const views = await stage.server.sql<{ user_name: string; from: number; purpose: string }>(
    `SELECT user_name, extract(epoch FROM from_at)::int - $1 AS from, purpose FROM video_views ORDER BY at, id`,
    [begin],
  )
  expect(views.map((v) => [v.from, v.purpose])).toEqual([
    [0, 'patrol'],
    [LONG, 'patrol'],
    [600, 'patrol'],
  ])
  await page.context().close()
})

test('after each seek the picture is that of the camera and second that were asked for, in every file', async () => {
  const page = await stage.signIn('pm', `/VideoRecordView?device_id=${camera.id}&at=${begin + 1}`)
  for (const second of [1, 6, LONG + 1, 3, 2 * LONG - 1, 602, LONG, 605, 0]) {
    await page.evaluate(([to, id]) => (location.hash = `#/VideoRecordView?device_id=${id}&at=${to}`), [
      begin + second,
      camera.id,
    ] as const)
    await eventually(() => shownBy(page)).toMatchObject({ sn: camera.sn, second })
  }
  await page.context().close()
})

test.each([1, 16])('at %i× the pictures follow each other at that pace, across files', async (speed) => {
  const page = await stage.signIn('pm', `/VideoRecordView?device_id=${camera.id}&at=${begin + 1}`)
  await eventually(() => shownBy(page)).toMatchObject({ second: 1 })
  await page.getByRole('button', { name: `${speed}×`, exact: true }).click()
  await page.getByRole('button', { name: '播放', exact: true }).click()
  const seen: number[] = []
  const until = speed === 1 ? 4 : 2 * LONG - 1
  await eventually(async () => {
    const { sn, second, at } = await shownBy(page)
    if (sn !== camera.sn || second === undefined) return 0
    seen.push(second)
    // The picture is of the second that the player is at; between two files it may still be the last one.
    expect(Math.abs((second % LONG) - at) % LONG).toBeLessThanOrEqual(1 + speed / 8)
    return second
  }).toBeGreaterThanOrEqual(until)
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  await page.context().close()
})

test('two cameras go by one clock: each seek, at 2×, across the gaps of each', async () => {
  const page = await stage.signIn('pm', `/VideoRecordView?device_id=${camera.id}&at=${begin + 1}`)
  await page.getByLabel('并排的摄像头').selectOption({ label: `并排看：${beside.sn}` })
  const both = () => Promise.all([shownBy(page, 0), shownBy(page, 1)])
  const said = (nth: number) => page.locator('.video-half').nth(nth).locator('.video-said')
  const open = (second: number) =>
    page.evaluate((at) => (location.hash = location.hash.replace(/at=\d+/, `at=${at}`)), begin + second)
  for (const second of [1, 6, 3, 605, 0]) {
    await open(second)
    await eventually(both).toMatchObject([
      { sn: camera.sn, second },
      { sn: beside.sn, second },
    ])
  }
  await page.getByRole('button', { name: '2×', exact: true }).click()
  await page.keyboard.press(' ')
  const apart: number[] = []
  await eventually(async () => {
    const [one, other] = await both()
    const isGone = await said(1).isVisible()
    if (!isGone && one?.second !== undefined && other?.second !== undefined)
      apart.push(Math.abs(one.second - other.second))
    return isGone
  }).toBe(true)
  // Two pictures a second, twice as fast; the first moment after 播放 is that of one seek.
  expect(apart.length).toBeGreaterThan(3)
  expect(apart.filter((a) => a > 1).length).toBeLessThanOrEqual(1)
  // The second camera says its own gap, and the first goes on through its next file.
  await eventually(async () => (await shownBy(page)).second).toBeGreaterThan(LONG + 3)
  expect(await said(0).isVisible()).toBe(false)
  // Where the first has nothing, the second goes on by the same clock.
  await open(606)
  await eventually(both).toMatchObject([{ second: 606 }, { second: 606 }])
  await page.keyboard.press(' ')
  await said(0).waitFor()
  await eventually(async () => (await shownBy(page, 1)).second).toBeGreaterThanOrEqual(610)
  await said(1).waitFor()
  await page.context().close()
})

test('a clip is cut from file to file; what it shows and who took it stands on each picture', async () => {
  const page = await stage.signIn('branch_gm', `/VideoRecordView?device_id=${camera.id}&at=${begin + 4}`)
  await eventually(() => shownBy(page)).toMatchObject({ second: 4 })
  await page.keyboard.press('i')
  await page.getByText('按 O 定结束').waitFor()
  await page.evaluate((at) => (location.hash = location.hash.replace(/at=\d+/, `at=${at}`)), begin + 602)
  await eventually(() => shownBy(page)).toMatchObject({ second: 602 })
  await page.keyboard.press('o')
  await page.getByText(`片段 ${time(4).slice(11)} – ${time(602).slice(11)}（10 分钟）`).waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '下载片段' }).click(),
  ])
  await page.getByText('已下载，其中 10 分钟没有录像，已略去').waitFor()
  expect(file.suggestedFilename()).toBe(`${camera.sn} ${time(4).replaceAll(':', '')}.mp4`)
  // 4–8, 8–16 and 600–602, one after the other.
  const clip = readFileSync(await file.path()).toString('base64')
  await page.evaluate((bytes) => {
    const file = new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], { type: 'video/mp4' })
    document.body.innerHTML = `<video muted src="${URL.createObjectURL(file)}"></video>`
  }, clip)
  await eventually(() => page.evaluate(() => document.querySelector('video')!.duration)).toBeCloseTo(14, 0)
  for (const [at, second] of [
    [0, 4],
    [3, 7],
    [6, 10],
    [11, 15],
    [13, 601],
  ] as const) {
    await page.evaluate((to) => (document.querySelector('video')!.currentTime = to + 0.1), at)
    await eventually(() => shownBy(page)).toMatchObject({ sn: camera.sn, second })
  }
  const logged = await stage.server.sql<{ action: string }>(
    `SELECT action FROM user_logs WHERE object = 'recording' ORDER BY at DESC, id DESC LIMIT 1`,
  )
  expect(logged[0]!.action).toBe('下载录像')
  await page.context().close()
})

test('what is marked is held with its reason and released with one; who may not sees no button', async () => {
  const at = `/VideoRecordView?device_id=${camera.id}&at=${begin + 2}`
  const page = await stage.signIn('branch_gm', at)
  await eventually(() => shownBy(page)).toMatchObject({ second: 2 })
  await page.keyboard.press('i')
  await page.evaluate((to) => (location.hash = location.hash.replace(/at=\d+/, `at=${to}`)), begin + 12)
  await eventually(() => shownBy(page)).toMatchObject({ second: 12 })
  await page.keyboard.press('o')
  await page.getByRole('button', { name: '留存片段' }).click()
  await page.getByLabel('原因').fill('业主投诉，等处理完')
  await page.getByRole('button', { name: '确定' }).click()
  const held = page.getByRole('list', { name: '留存' }).getByText('业主投诉，等处理完')
  await held.waitFor()
  const leader = await stage.signIn('pm', at)
  await leader.getByText('业主投诉，等处理完').waitFor()
  expect(await leader.getByRole('button', { name: '解除留存' }).count()).toBe(0)
  await leader.context().close()
  await page.getByRole('button', { name: '解除留存' }).click()
  await page.getByLabel('原因').fill('投诉已经处理完')
  await page.getByRole('button', { name: '确定' }).click()
  await held.waitFor({ state: 'detached' })
  await page.context().close()
})

test('who opens the page by itself chooses among the cameras that recorded last', async () => {
  const page = await stage.signIn('pm', '/VideoRecordView')
  const latest = page.getByRole('list', { name: '最近有录像的摄像头' })
  await latest.getByRole('button', { name: camera.sn }).click()
  await eventually(() => shownBy(page)).toMatchObject({ sn: camera.sn, second: 600 })
  await page.context().close()
})

test('a snapshot bears the name of who took it; the help lists the keys', async () => {
  const page = await stage.signIn('pm', `/VideoRecordView?device_id=${camera.id}&at=${begin + 601}&for=alarm`)
  await page.getByText('目的：报警').waitFor()
  await eventually(() => page.evaluate(() => document.querySelector('video')!.videoWidth)).toBe(WIDE)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '截图' }).click(),
  ])
  expect(file.suggestedFilename()).toContain(camera.sn)
  await page.keyboard.press('?')
  await page.getByText('前/后一帧').waitFor()
  await page.context().close()
})

test('out of hours the purpose is asked before the first picture', async () => {
  const weekday = new Date(stage.server.now().getTime() + 28_800_000).getUTCDay()
  await stage.server.sql(`UPDATE settings SET value = $1::jsonb WHERE key = 'restDays'`, [
    JSON.stringify([weekday, (weekday + 1) % 7]),
  ])
  const page = await stage.signIn('pm', `/VideoRecordView?device_id=${camera.id}&at=${begin + 601}`)
  await page.getByText('现在不是上班时间，请先说明为什么看。').waitFor()
  expect(await page.evaluate(() => document.querySelector('video')!.currentSrc)).toBe('')
  await page.getByLabel('其他').check()
  await page.getByLabel('目的说明').fill('邻居反映夜里有声音')
  await page.getByRole('button', { name: '开始查看' }).click()
  await eventually(() => page.evaluate(() => document.querySelector('video')!.videoWidth)).toBe(WIDE)
  const [last] = await stage.server.sql<{ purpose: string; words: string }>(
    'SELECT purpose, words FROM video_views ORDER BY at DESC, id DESC LIMIT 1',
  )
  expect(last).toEqual({ purpose: 'other', words: '邻居反映夜里有声音' })
  await page.context().close()
})

test('nothing went wrong on any of these pages', () => {
  expect(stage.problems).toEqual([])
})
