import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'

import { DEMO_PASSWORD } from '../server/database/seed/demo.ts'
import { startTestServer, type TestServer } from '../server/testing/start.ts'

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
]

interface Screen {
  width: number
  height: number
  hasTouch?: boolean
}
export interface Stage {
  server: TestServer
  browser: Browser
  /** Errors that any page wrote to its console or threw, each with who was signed in. */
  problems: string[]
  /** A new browser profile, signed in through the form, at `path` of the application; `hasTouch`: used by finger. */
  signIn(name: string, path?: string, size?: Screen): Promise<Page>
  close(): Promise<void>
}

let launched: Promise<Browser> | undefined
/** One browser tells all the files of a process, each in profiles of its own; it ends with the process. */
export const theBrowser = () =>
  (launched ??= chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ARGS,
    // Without a language of UTF-8 the browser cannot say a file's Chinese name.
    env: { ...process.env, LANG: process.env.LANG || 'C.UTF-8' },
  }))

/** The whole product for browser stories: server on a fresh database, and a real Chromium. */
export async function openStage(options: Parameters<typeof startTestServer>[0] = {}): Promise<Stage> {
  const [server, browser] = await Promise.all([startTestServer(options), theBrowser()])
  const problems: string[] = []
  return {
    server,
    browser,
    problems,
    async signIn(name, path = '', screen: Screen = { width: 1366, height: 768 }) {
      const { hasTouch = false, ...viewport } = screen
      const page = await (
        await browser.newContext({ viewport, hasTouch, locale: 'zh-CN', reducedMotion: 'reduce' })
      ).newPage()
      page.on('console', (m) => m.type() === 'error' && problems.push(`${name} ${path}: ${m.text()}`))
      page.on('pageerror', (e) => problems.push(`${name} ${path}: ${e.message}`))
      await page.goto(`${server.url}/#/login`)
      await page.fill('#l-user', name)
      await page.fill('#l-pass', DEMO_PASSWORD)
      await page.click('#l-go')
      await page.waitForSelector('.shell')
      if (path) await page.evaluate((to) => (location.hash = `#${to}`), path)
      return page
    },
    async close() {
      // What a story left open would go on asking a server that has gone.
      await Promise.all(browser.contexts().map((context) => context.close()))
      await server.stop()
    },
  }
}

/**
 * What comes by itself, seen by looking again: as long as the browser's own waits, and shorter than the minute after
 * which pages ask anew, which must not pass for what was told live (docs/decisions/0675).
 */
export const eventually = <T>(what: () => Promise<T> | T, message?: string) =>
  expect.poll(what, { timeout: 30_000, message })
