import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { PAGES } from '@zhuguan/contract/pages.ts'
import type { Browser, CDPSession, Page } from 'playwright-core'

import { sized } from '../tools/size.ts'
import { both } from './both.ts'
import { freshPage, metric, signIn, SLOWER } from './chromium.ts'
import { type Ground, pause, quantile, type Say } from './ground.ts'

const PLACES = sized(50_000, 500)
const HOPS = sized(120, 12)
const MOST_CPU_MS = 8
/** As many communities as the rings draw at the most, all within the outermost. */
const COMMUNITIES = sized(400, 20)
const MIDDLE = '环心小区'

/** Pointer there and back in steps of a frame; what the page's main thread computes meanwhile, a frame. */
async function moved(page: Page, cdp: CDPSession, over: string, isDragged: boolean) {
  const box = (await page.locator(over).boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.evaluate(() => {
    const w = Object.assign(window, { frames: [] as number[] })
    let last = performance.now()
    const step = () => {
      const now = performance.now()
      w.frames.push(now - last)
      last = now
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })
  await page.mouse.move(x, y)
  if (isDragged) await page.mouse.down()
  const [before, n] = [await metric(cdp, 'ThreadTime'), (await page.evaluate('frames.length')) as number]
  for (let i = 1; i <= HOPS; i += 1) {
    const far = (i <= HOPS / 2 ? i : HOPS - i) * 8
    await page.mouse.move(x - far, y - far / 4)
    await pause(16)
  }
  const cpu = ((await metric(cdp, 'ThreadTime')) - before) * 1_000
  const frames = ((await page.evaluate('frames')) as number[]).slice(n).sort((a, b) => a - b)
  if (isDragged) await page.mouse.up()
  return { cpu: cpu / frames.length, p95: quantile(frames, 0.95) }
}

interface Opened {
  open: number
  cpu: number
  p95: number
}
/**
 * Opened and moved over, at full speed and slowed down: a slowed-down page burns its thread's time while it rests too,
 * so time is taken at full speed and multiplied, frames are taken slowed down.
 */
async function told(
  chromium: Browser,
  g: Ground,
  user: string,
  opened: (page: Page) => Promise<unknown>,
  over: string,
  isDragged: boolean,
): Promise<[Opened, Opened]> {
  const run = (slow: boolean) => async () => {
    const { page, cdp } = await freshPage(chromium, slow)
    await page.goto(g.ours.url)
    await signIn(page, user)
    const at = performance.now()
    await opened(page)
    const open = performance.now() - at
    await pause(2_500)
    const seen = await moved(page, cdp, over, isDragged)
    await page.context().close()
    return { open, ...seen }
  }
  return both(run(false), run(true))
}
const words = ([full, slow]: [Opened, Opened]) =>
  `${full.cpu.toFixed(1)} ms × ${SLOWER} = ${(full.cpu * SLOWER).toFixed(1)} ms; ` +
  `CPU ×${SLOWER}: p95 frame ${slow.p95.toFixed(0)} ms, open ${slow.open.toFixed(0)} ms`

/** The map of all sites, dragged to and fro for two seconds. */
export async function map(g: Ground, chromium: Browser, say: Say): Promise<void> {
  await g.owner.query(
    `INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, address, status, lng, lat)
     SELECT tenant_id, gen_random_uuid(), 'M' || i, '地图工地' || i, bc_id, '某路', 1 + i % 4, 118.5 + random() * 3,
       29 + random() * 2
     FROM (SELECT tenant_id, bc_id FROM sites WHERE bc_id = $1 LIMIT 1) w, generate_series(1, ${PLACES}) i`,
    [g.home.bc],
  )
  await g.owner.query('VACUUM ANALYZE sites')
  const opened = async (page: Page) => {
    await page.evaluate((to) => (location.hash = `#${to}`), PAGES.SiteMap.path)
    await page.waitForFunction(
      (n) =>
        [...document.querySelectorAll('.map-legend b')].reduce((sum, b) => sum + Number(b.textContent), 0) >=
        n,
      PLACES,
      { timeout: 60_000 },
    )
    await page.waitForSelector('.map-target canvas')
  }
  const seen = await told(chromium, g, 'branch_gm', opened, '.map-target', true)
  const cpu = seen[0].cpu * SLOWER
  say(
    'P-16-map',
    `SiteMap with ${PLACES} sites, dragged: main-thread CPU a frame`,
    words(seen),
    '–',
    '–',
    `≤ ${MOST_CPU_MS} ms`,
    cpu <= MOST_CPU_MS,
  )
}

/** The rings around a home among as many communities as they draw, the pointer moved over them. */
export async function rings(g: Ground, chromium: Browser, say: Say): Promise<void> {
  await g.owner.query(
    `INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, address, status, lng, lat, community)
     SELECT tenant_id, gen_random_uuid(), 'R' || i, '环上工地' || i, bc_id, '某路',
       CASE i % 3 WHEN 0 THEN ${siteStatus.code.finished} ELSE ${siteStatus.code.building} END,
       120 + cos(c) * (c::float8 / ${COMMUNITIES}) * 0.018, 30 + sin(c) * (c::float8 / ${COMMUNITIES}) * 0.015,
       CASE c WHEN 0 THEN $2 ELSE '环上小区' || c END
     FROM (SELECT tenant_id, bc_id FROM sites WHERE bc_id = $1 LIMIT 1) w, generate_series(1, ${PLACES}) i,
       LATERAL (SELECT i % ${COMMUNITIES} AS c) x`,
    [g.home.bc, MIDDLE],
  )
  await g.owner.query('VACUUM ANALYZE sites')
  const opened = async (page: Page) => {
    const to = `${PAGES.MapFieldboard.path}?community=${encodeURIComponent(MIDDLE)}`
    await page.evaluate((hash) => (location.hash = `#${hash}`), to)
    await page.waitForFunction((n) => document.querySelectorAll('.rings .point').length >= n, COMMUNITIES, {
      timeout: 60_000,
    })
  }
  const seen = await told(chromium, g, 'sales', opened, '.rings', false)
  const cpu = seen[0].cpu * SLOWER
  say(
    'P-16-rings',
    `MapFieldboardView, ${PLACES} sites in ${COMMUNITIES} communities within 2 km, moved over: main-thread CPU a frame`,
    words(seen),
    '–',
    '–',
    `≤ ${MOST_CPU_MS} ms`,
    cpu <= MOST_CPU_MS,
  )
}
