// `npm run pictures`: takes the README's pictures anew from a demo that runs here (PORT and DATA_DIR as it was started
// with), so that they show the product of today. It adds one alarm and one owner's telephone to that demo.
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { homeDevicesApi } from '@zhuguan/contract/features/owners/home-devices.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { PAGES } from '@zhuguan/contract/pages.ts'
import { type Browser, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'

import { DEMO_PASSWORD } from '../server/database/seed/demo.ts'
import { httpDoor, type Identity } from '../simulator/door.ts'
import { draw } from '../simulator/pictures.ts'
import { findBrowser } from './browser.mjs'
import { type Caller, signIn } from './goals/client.ts'
import { ROOT } from './prepare.mjs'

const URL = `http://127.0.0.1:${process.env.PORT ?? 8080}`
const DATA = process.env.DATA_DIR ?? join(ROOT, 'data')
const FOLDER = join(ROOT, 'docs', 'pictures')
const SIZE = { width: 1366, height: 768 }
/** What a reader on a slow line waits for: a picture, and the film. */
const MOST = { picture: 120_000, film: 800_000 }

async function keep(name: string, bytes: Buffer, most: number): Promise<void> {
  if (bytes.length > most) throw new Error(`${name}: ${bytes.length} bytes, at most ${most}`)
  await writeFile(join(FOLDER, name), bytes)
  console.log(`docs/pictures/${name}: ${(bytes.length / 1_000).toFixed(0)} kB`)
}
/** The page's picture, once nothing on it waits for an answer. */
async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined)
  // Curves are drawn and drawers slide in after their data has come.
  await page.waitForTimeout(1_500)
  const png = await page.screenshot()
  await keep(`${name}.webp`, await sharp(png).webp({ quality: 78, effort: 6 }).toBuffer(), MOST.picture)
}
async function opened(browser: Browser, name: string, path: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: SIZE, locale: 'zh-CN' })).newPage()
  await page.goto(`${URL}/#/login`)
  await page.fill('#l-user', name)
  await page.fill('#l-pass', DEMO_PASSWORD)
  await page.click('#l-go')
  await page.waitForSelector('.shell')
  await page.evaluate((to) => (location.hash = `#${to}`), path)
  return page
}
async function asked<T>(staff: Caller, ...ask: Parameters<Caller['ask']>): Promise<T> {
  const { code, msg, data } = await staff.ask(...ask)
  if (code !== 200) throw new Error(`${ask[0].path}: ${code} ${msg}`)
  return data as T
}

/** A camera reports somebody smoking, until the page says that something new is there. */
async function arriving(page: Page): Promise<void> {
  const devices = JSON.parse(readFileSync(join(DATA, 'simulator.json'), 'utf8')) as (Identity & {
    type: string
    mood: string
  })[]
  const door = httpDoor(URL)
  // What a camera has seen before, and nobody has closed, is the same alarm once more: the next one is tried.
  for (const camera of devices.filter(({ type, mood }) => type === 'camera' && mood === 'usual')) {
    const now = new Date()
    const at = Math.floor(now.getTime() / 1_000)
    const time = now.toLocaleString('sv-SE', { timeZone: 'Asia/Shanghai' })
    const picture = await draw({ type: 'smoking', variant: 1, camera: camera.sn, time })
    const event = { id: `picture-${at}`, kind: 'alarm', at, type: 'smoking', confidence: 0.93 }
    await door.events(camera, [{ ...event, picture: await door.file(camera, picture) }])
    const told = page.getByText('条新报警，点击查看').waitFor({ timeout: 4_000 })
    if (
      await told.then(
        () => true,
        () => false,
      )
    )
      return
  }
  throw new Error('no camera of the demo has a new alarm to tell')
}

/** One frame in so many milliseconds, and how long the last one stays before the film begins anew. */
const FRAME_MS = 250
const LAST_MS = 3_000
/** An alarm arrives on an open page and is opened: the pictures that the screen showed, joined to one that moves. */
async function film(browser: Browser): Promise<void> {
  // The newest first: what arrives is then seen where it is looked for.
  const page = await opened(browser, 'admin', `${PAGES.AlarmEvent.path}?sort=-lastSeen`)
  await page.locator('tbody tr').first().waitFor()
  await page.waitForTimeout(2_000)
  const frames: Buffer[] = []
  const run = async (count: number) => {
    for (let i = 0; i < count; i += 1) {
      const at = Date.now()
      frames.push(await page.screenshot())
      await page.waitForTimeout(Math.max(0, FRAME_MS - (Date.now() - at)))
    }
  }
  await run(4)
  await arriving(page)
  const waiting = page.getByText('条新报警，点击查看')
  await run(8)
  await waiting.click()
  await run(6)
  await page.locator('tbody tr', { hasText: '抽烟' }).first().click()
  await run(8)
  const small = await Promise.all(
    frames.map((png) => sharp(png).resize(960).webp({ quality: 62 }).toBuffer()),
  )
  const delay = small.map((_, i) => (i === small.length - 1 ? LAST_MS : FRAME_MS))
  const moving = await sharp(small, { join: { animated: true } })
    .webp({ quality: 55, effort: 5, delay, loop: 0, minSize: true })
    .toBuffer()
  await keep('alarm.webp', moving, MOST.film)
  await shoot(page, 'site-alarm')
  await page.context().close()
}

/** The page of a home, as its owner holds it. */
async function owner(browser: Browser): Promise<void> {
  const steward = await signIn(URL, 'steward')
  const { list } = await asked<{ list: { id: string; contact_id: string; duePromises: number }[] }>(
    steward,
    ownersApi.list,
    { query: { pageSize: 20 } },
  )
  // A home of which there is something to tell.
  const home = list.find(({ duePromises }) => duePromises > 0) ?? list[0]!
  const [site, contact] = [home.id, home.contact_id]
  const { token } = await asked<{ token: string }>(steward, linksApi.create, {
    body: { kind: 'owner', target_id: contact },
  })
  const page = await (
    await browser.newContext({
      viewport: { width: 390, height: 768 },
      hasTouch: true,
      isMobile: true,
      locale: 'zh-CN',
    })
  ).newPage()
  await page.goto(`${URL}/#/Preview?link=${token}`)
  await page.getByRole('heading', { name: '等待确认' }).waitFor()
  const devices = await asked<{ id: string; contact_id: string; state: string }[]>(
    steward,
    homeDevicesApi.list,
    {
      query: { site_id: site },
    },
  )
  const asking = devices.find((device) => device.contact_id === contact && device.state === 'asking')!
  await asked(steward, homeDevicesApi.allow, { body: { id: asking.id } })
  await page.reload()
  await page.locator('.owner-items').first().waitFor()
  await shoot(page, 'owner-home')
  await page.context().close()
}

/** A quotation that is being written. */
async function quotation(browser: Browser): Promise<void> {
  const quoter = await signIn(URL, 'quoter')
  const { list } = await asked<{ list: { id: string }[] }>(quoter, quotationsApi.list, {
    query: { pageSize: 50 },
  })
  const page = await opened(browser, 'quoter', `${PAGES.QuotationEdit.path}?id=${list[0]!.id}`)
  await shoot(page, 'sales-quotation')
  await page.context().close()
}

/** Pages that are shown as they are when they are opened: who, which, and the picture's name. */
const PLAIN = [
  ['branch_gm', PAGES.HomeMaster.path, 'home'],
  ['inspector', PAGES.Patrol.path, 'site-patrol'],
  ['order_clerk', PAGES.OrderPlan.path, 'delivery-orders'],
] as const

await mkdir(FOLDER, { recursive: true })
const { executablePath, args, env } = await findBrowser()
const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } })
try {
  for (const [who, path, name] of PLAIN) {
    const page = await opened(browser, who, path)
    await shoot(page, name)
    await page.context().close()
  }
  await quotation(browser)
  await owner(browser)
  await film(browser)
} finally {
  await browser.close()
}
