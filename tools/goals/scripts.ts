import { isPage, type PageName, PAGES } from '@zhuguan/contract/pages.ts'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

import { DEMO_PASSWORD } from '../../server/database/seed/demo.ts'
import { SEED_ROLES } from '../../server/database/seed/roles.ts'
import type { Result } from './client.ts'
import { PAYLOADS } from './payloads.ts'
import { writeEverywhere } from './scripts-written.ts'
import { setStage } from './stage.ts'

const SETTLE_MS = 250
const DETAILS = 10
/** Pages that are looked at beside each other: while one settles, another is drawn. */
const TABS = 3
/** Runs before every document: what a payload calls, and what the policy stopped. */
const WATCH = `window.hits = 0; window.stopped = 0; window.hit = () => { window.hits += 1 };
  document.addEventListener('securitypolicyviolation', (e) => { if (/script/.test(e.effectiveDirective)) window.stopped += 1 })`
/** Elements that carry a payload's handler or address: markup that became a document, whether the policy let it run or not. */
const ALIVE = `[...document.querySelectorAll('*')].filter((e) =>
  [...e.attributes].some((a) => /^on/i.test(a.name) && a.value.includes('hit') || /^(java\\s*script:|data:text.html)/i.test(a.value) && /^(href|src|action|data|formaction|xlink:href)$/i.test(a.name))
  || e.tagName === 'SCRIPT' && e.textContent.includes('hit()')).map((e) => e.outerHTML.slice(0, 90))`

/** Pages of one home. */
const HOME_PAGES = Object.keys(PAGES)
  .filter(isPage)
  .filter((name) => PAGES[name].dimension === 'owner')

interface Found {
  run: number
  stopped: number
  alive: string[]
}
async function look(page: Page): Promise<Found> {
  return (await page.evaluate(`({ run: window.hits, stopped: window.stopped, alive: ${ALIVE} })`)) as Found
}
async function freshPage(context: BrowserContext, dialogs: string[]): Promise<Page> {
  const page = await context.newPage()
  page.on('dialog', (d) => (dialogs.push(d.message()), void d.dismiss()))
  return page
}

/**
 * G-20: sixty payloads through every text field of the contract, then every page that shows them, and addresses that
 * carry them, in Chromium under the product's own policy. Controls: the same payloads written as HTML run without the
 * policy and are seen under it.
 */
export async function scripts(): Promise<Result> {
  const stage = await setStage()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  })
  try {
    await stage.owner.query(`SET app.tenant = '*'`)
    const served = await stage.serve()
    const { url } = served
    const begun = performance.now()
    const written = await writeEverywhere(stage, served)
    const wroteMs = performance.now() - begun
    for (const m of written.missing) console.log(`no payload went into ${m}`)
    const policy = (await fetch(`${url}/`)).headers.get('content-security-policy') ?? ''
    const scriptRule = policy.split(';').find((d) => d.startsWith('script-src ')) ?? ''
    const strict =
      scriptRule !== '' && !/unsafe-inline|unsafe-eval|unsafe-hashes|\*|https?:|data:|blob:/.test(scriptRule)

    const context = await browser.newContext({ viewport: { width: 1366, height: 2_400 }, locale: 'zh-CN' })
    await context.addInitScript(WATCH)
    const dialogs: string[] = []
    const bad: string[] = []
    let looked = 0
    let shown = 0
    const judge = async (page: Page, where: string) => {
      looked += 1
      const { run, stopped, alive } = await look(page)
      if (run || stopped || alive.length)
        bad.push(`${where}: run ${run}, stopped ${stopped}, ${alive[0] ?? ''}`)
      if ((await page.evaluate('document.body.innerText.includes("hit()")')) as boolean) shown += 1
    }
    const signedIn = async () => {
      const page = await freshPage(context, dialogs)
      await page.goto(`${url}/#/login`)
      await page.fill('#l-user', 'admin')
      await page.fill('#l-pass', DEMO_PASSWORD)
      await page.click('#l-go')
      await page.waitForSelector('.shell')
      return page
    }
    const open = async (page: Page, path: string, ms = SETTLE_MS) => {
      await page.evaluate((to) => (location.hash = `#${to}`), path)
      await page.waitForTimeout(ms)
    }
    const lists = SEED_ROLES.find((r) => r.code === 'admin')!.pages.filter(
      (name) => name !== 'SiteInfo' && name !== 'WorkerInfo',
    )
    async function showList(page: Page, name: PageName): Promise<void> {
      for (const pageNo of [1, 2]) {
        await open(page, `${PAGES[name].path}?pageSize=50&pageNo=${pageNo}`)
        await judge(page, `${name} page ${pageNo}`)
      }
      // What the page opens beside itself: the first row's drawer or form.
      const button = page.locator('.body tbody button:visible, .body tbody a:visible').first()
      if (await button.count()) {
        await button.click({ timeout: 1_000 }).catch(() => {})
        await page.waitForTimeout(200)
        await judge(page, `${name} opened`)
        await page.keyboard.press('Escape')
      }
    }
    const views: ((page: Page) => Promise<void>)[] = [
      ...lists.map((name) => (page: Page) => showList(page, name)),
      ...written.sites.slice(0, DETAILS).map((id) => async (page: Page) => {
        await open(page, `/SiteInfo?id=${id}`)
        await judge(page, 'SiteInfo')
      }),
      ...written.workers.slice(0, DETAILS).map((id) => async (page: Page) => {
        await open(page, `/WorkerInfo?id=${id}`)
        await judge(page, 'WorkerInfo')
      }),
      ...HOME_PAGES.map((name) => async (page: Page) => {
        await open(page, `${PAGES[name].path}?site_id=${written.phone.site}`)
        await judge(page, name)
      }),
      // Reflected: what an address carries.
      ...PAYLOADS.map((text) => async (page: Page) => {
        const word = encodeURIComponent(text)
        await open(page, `/Site/SiteList?keyword=${word}&sort=${word}`, 30)
        await judge(page, `address ${text}`)
      }),
    ]
    await Promise.all(
      Array.from({ length: TABS }, async () => {
        const page = await signedIn()
        for (let view = views.shift(); view; view = views.shift()) await view(page)
        await page.close()
      }),
    )
    // The page of a home, on the telephone that was let in.
    const held = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'zh-CN' })
    await held.addInitScript(WATCH)
    await held.addInitScript((device) => localStorage.setItem('device', device), written.phone.device)
    const home = await freshPage(held, dialogs)
    await home.goto(`${url}/#/Preview?link=${written.phone.token}`)
    await home.getByText('施工进度').waitFor()
    await judge(home, 'page of a home')
    await held.close()

    const stranger = await browser.newContext()
    await stranger.addInitScript(WATCH)
    for (const text of PAYLOADS.slice(0, 6)) {
      const word = encodeURIComponent(text)
      const login = await freshPage(stranger, dialogs)
      await login.goto(`${url}/?code=${word}&state=${word}&hash=${word}#/login?redirect=${word}`)
      await login.waitForTimeout(150)
      await judge(login, `sign-in ${text}`)
      await login.close()
    }

    // Controls: without the policy they run, under it they are seen.
    const bare = await freshPage(await browser.newContext(), [])
    await bare.addInitScript(WATCH)
    await bare.route('**/control', (r) =>
      r.fulfill({ contentType: 'text/html', body: `<!doctype html><body>${PAYLOADS[1]}${PAYLOADS[10]}` }),
    )
    await bare.goto(`${url}/control`)
    await bare.waitForTimeout(300)
    const runs = (await look(bare)).run >= 2
    const guarded = await freshPage(stranger, [])
    await guarded.goto(`${url}/#/login`)
    await guarded.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), PAYLOADS[1]!)
    await guarded.waitForTimeout(300)
    const caught = await look(guarded)
    const control = runs && caught.run === 0 && caught.stopped > 0 && caught.alive.length > 0

    const seconds = (ms: number) => (ms / 1_000).toFixed(0)
    console.log(
      `written in ${seconds(wroteMs)} s, looked at in ${seconds(performance.now() - begun - wroteMs)} s`,
    )
    for (const b of bad.slice(0, 20)) console.log(b)
    return {
      value: `${PAYLOADS.length} payloads, ${written.accepted} writes taken, fields without one ${written.missing.length}, ${looked} views (${shown} show them), run or alive ${bad.length}, dialogs ${dialogs.length}, policy ${strict ? 'strict' : `LOOSE ${scriptRule}`}, control ${control ? 'found' : 'MISSED'}`,
      ok:
        bad.length === 0 &&
        dialogs.length === 0 &&
        strict &&
        control &&
        written.missing.length === 0 &&
        PAYLOADS.length === 60 &&
        new Set(PAYLOADS).size === 60 &&
        shown > 40,
    }
  } finally {
    await browser.close()
    await stage.close()
  }
}
