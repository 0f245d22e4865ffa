import { api } from '@zhuguan/contract/api.ts'
import { PAGES } from '@zhuguan/contract/pages.ts'
import type { Browser, Page } from 'playwright-core'

import { report, sendFile } from '../server/testing/device.ts'
import { seconds } from '../server/testing/time.ts'
import { draw } from '../simulator/pictures.ts'
import { sized } from '../tools/size.ts'
import { both } from './both.ts'
import { clickToPainted, freshPage, metric, openToPainted, scrollFrames, signIn } from './chromium.ts'
import { type Ground, pause, type Say } from './ground.ts'

/** More than a page keeps: each is fetched anew when it comes round again. */
const STILLS = sized(256, 8)
const CHECKS = sized(2_000, 60)
const TILES = 16
const TURNS = sized(12, 2)

/** Pictures of the branch's cameras, reported as devices do; a page's copies of them under the floor's own address. */
async function takeStills(g: Ground) {
  const cameras = g.devices.filter((d) => d.type === 'camera' && d.sn.includes('HZ') && d.site)
  const keys: string[] = []
  for (let i = 0; i < STILLS; i += 1) {
    const camera = cameras[i % cameras.length]!
    const picture = await draw({ type: 'tidiness', variant: i, camera: camera.sn, time: `still ${i}` })
    const { data } = await sendFile(g.ours.url, camera, picture)
    keys.push(data.key)
    await report(g.ours.url, camera, [
      {
        id: `still-${i}`,
        kind: 'tidiness',
        at: seconds() - 60 * i,
        result: 1 + (i % 3),
        confidence: 0.9,
        picture: data.key,
      },
    ])
  }
  await g.owner.query(
    `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, device_id, at, picture, result)
     SELECT t.tenant_id, gen_random_uuid(), t.bc_id, t.site_id, t.device_id, t.at - n * interval '5 hours',
       t.picture, t.result
     FROM (SELECT * FROM tidiness_checks WHERE bc_id = $1 AND picture IS NOT NULL) t, generate_series(1, 8) n
     LIMIT ${CHECKS}`,
    [g.home.bc],
  )
  await g.owner.query('ANALYZE tidiness_checks')
  return keys
}
/** The bare page's pictures: the same bytes, as small as the product shows them. */
async function serveStills(g: Ground, page: Page, keys: readonly string[], size: string): Promise<void> {
  const headers = await g.signIn('branch_gm')
  const stills: { body: Buffer; contentType: string }[] = []
  // One after the other: the product lets one person have so many under way.
  for (const key of keys.slice(0, TILES * 4)) {
    const answer = await fetch(`${g.ours.url}${api.files.get.path}?key=${key}&size=${size}`, { headers })
    if (!answer.ok) throw new Error(`${key}: ${answer.status}`)
    const body = Buffer.from(await answer.arrayBuffer())
    stills.push({ body, contentType: answer.headers.get('content-type')! })
  }
  await page.route('**/still/*', (route) =>
    route.fulfill(stills[Number(route.request().url().split('/').at(-1)) % stills.length]),
  )
}

/** A grid of two thousand pictures, a page of which is drawn, beside a recycled one that holds them all. */
async function grid(g: Ground, chromium: Browser, keys: readonly string[], say: Say): Promise<void> {
  const ours = async () => {
    const { page } = await freshPage(chromium, true)
    await page.goto(g.ours.url)
    await signIn(page, 'branch_gm')
    await page.waitForSelector('.cards')
    await pause(1_000)
    const to = `#${PAGES.Tidiness.path}?view=pictures&pageSize=50`
    const open = await openToPainted(page, to, `document.querySelectorAll('.shots .shot').length > 20`)
    const { p95, blank } = await scrollFrames(page, '.shots')
    await page.context().close()
    return { open, p95, blank }
  }
  const limit = async () => {
    const { page } = await freshPage(chromium, true)
    await serveStills(g, page, keys, 'thumb')
    await page.goto(`${g.limit.url}/pictures.html`)
    const open = await clickToPainted(page, '#open', `document.querySelectorAll('figure img').length > 20`)
    const { p95, blank } = await scrollFrames(page, '#box')
    await page.context().close()
    return { open, p95, blank }
  }
  const [a, b] = await both(ours, limit)
  say(
    'P-16-pictures',
    `grid of ${CHECKS} pictures (整洁度检查, 看图, 50 a page)`,
    `open ${a.open.toFixed(0)} ms, p95 frame ${a.p95.toFixed(0)} ms, blank ${(a.blank * 100).toFixed(0)} %`,
    `open ${b.open.toFixed(0)} ms, p95 ${b.p95.toFixed(0)} ms (recycled, ${CHECKS} in memory)`,
    `${(a.open / b.open).toFixed(2)}× ${(a.p95 / b.p95).toFixed(2)}×`,
    'open ≤ 1.5×, p95 ≤ 1.2×, blank 0',
    a.open / b.open <= 1.5 && a.p95 / b.p95 <= 1.2 && a.blank === 0,
  )
}

/** CPU of the page's process, of all its threads, for each picture that came while it was left open. */
async function wall(g: Ground, chromium: Browser, keys: readonly string[], say: Say): Promise<void> {
  const { rows: cameras } = await g.owner.query<{ id: string }>(
    `SELECT min(d.id::text) AS id FROM devices d JOIN sites w ON w.tenant_id = d.tenant_id AND w.id = d.site_id
     WHERE w.bc_id = $1 AND w.status = 1 AND d.type = 'camera' GROUP BY d.site_id LIMIT ${TILES}`,
    [g.home.bc],
  )
  let n = 0
  /** Every camera shows something else now. */
  const turn = () =>
    g.owner.query(
      `UPDATE devices d SET device_status = 1, last_picture = x.key, last_picture_at = now()
       FROM unnest($1::uuid[], $2::text[]) x(id, key) WHERE d.id = x.id`,
      [cameras.map((c) => c.id), cameras.map(() => keys[n++ % keys.length])],
    )
  const measure = async (page: Page, shown: () => Promise<number>, each: () => Promise<unknown>) => {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Performance.enable')
    await pause(3_000)
    const [cpu, count] = [await metric(cdp, 'ProcessTime'), await shown()]
    for (let i = 0; i < TURNS; i += 1) {
      await each()
      await pause(1_000)
    }
    const pictures = (await shown()) - count
    const spent = ((await metric(cdp, 'ProcessTime')) - cpu) * 1_000
    await page.context().close()
    return { spent: spent / Math.max(1, pictures), pictures }
  }
  const ours = async () => {
    const { page } = await freshPage(chromium, false)
    let fetched = 0
    page.on('requestfinished', (r) => {
      if (r.url().includes(api.files.get.path)) fetched += 1
    })
    await page.goto(g.ours.url)
    await signIn(page, 'branch_gm')
    await page.waitForSelector('.cards')
    await turn()
    await page.evaluate((to) => (location.hash = `#${to}`), PAGES.Patrol.path)
    await page.waitForSelector('.wall-tile')
    for (let i = 0; i < 4; i += 1) await page.keyboard.press(']')
    await page.waitForFunction((all) => document.querySelectorAll('.wall-tile').length >= all, cameras.length)
    return measure(page, async () => fetched, turn)
  }
  const limit = async () => {
    const { page } = await freshPage(chromium, false)
    await serveStills(g, page, keys, 'medium')
    await page.goto(`${g.limit.url}/pictures.html`)
    await page.click('#wall')
    return measure(
      page,
      () => page.evaluate('window.shown') as Promise<number>,
      () => Promise.resolve(),
    )
  }
  const [a, b] = await both(ours, limit)
  say(
    'P-16-pictures',
    `wall of ${cameras.length} stills, new ones each second: renderer CPU a picture`,
    `${a.spent.toFixed(1)} ms (${a.pictures} pictures)`,
    `${b.spent.toFixed(1)} ms (${b.pictures}, bare images)`,
    `${(a.spent / b.spent).toFixed(2)}×`,
    '≤ 1.5×',
    a.spent / b.spent <= 1.5 && a.pictures > 0,
  )
}

export async function pictures(g: Ground, chromium: Browser, say: Say): Promise<void> {
  const keys = await takeStills(g)
  await grid(g, chromium, keys, say)
  await wall(g, chromium, keys, say)
}
