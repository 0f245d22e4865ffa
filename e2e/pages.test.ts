import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { PAGES, type PageName } from '@zhuguan/contract/pages.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { SEED_ROLES } from '../server/database/seed/roles.ts'
import { type Stage, openStage } from './stage.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SIZES = [
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
  { width: 390, height: 844 },
]
let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

/** Serious and critical findings of axe on what the page shows now. */
async function findings(page: Page): Promise<string[]> {
  // Through the debugger: the page's own policy runs no script that is not its own.
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: axe })
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { resultTypes: ['violations'] }).then((r) => JSON.stringify(r.violations.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => v.id + ' ' + v.nodes[0].html.slice(0, 120))))`,
    awaitPromise: true,
  })
  await session.detach()
  return JSON.parse(String(result.value)) as string[]
}

/** Where each page that needs a record to be open is opened. */
async function records(): Promise<Partial<Record<PageName, string>>> {
  const site = (await (await stage.server.as('pm')).call(sitesApi.list)).list[0]!
  const worker = (await (await stage.server.as('pm')).call(workersApi.list)).list[0]!
  return {
    SiteInfo: `/SiteInfo?id=${site.id}`,
    SiteVidicon: `/SiteVidicon?site_id=${site.id}`,
    WorkerInfo: `/WorkerInfo?id=${worker.id}`,
  }
}

test('every page as every role at both desktop sizes and on a phone: no console error, nothing serious for axe', async () => {
  const serious: string[] = []
  const opened = await records()
  /** axe reads each page once in each size; every role opens every page of its own. */
  const read = new Set<PageName>()
  async function walk(role: (typeof SEED_ROLES)[number]): Promise<void> {
    const page = await stage.signIn(role.code)
    for (const name of role.pages) {
      if (name === 'SiteInfo' && role.scope === 'stores') continue
      const first = !read.has(name)
      read.add(name)
      for (const size of first ? SIZES : SIZES.slice(0, 1)) {
        await page.setViewportSize(size)
        await page.evaluate((to) => (location.hash = `#${to}`), opened[name] ?? PAGES[name].path)
        await page.waitForTimeout(first ? 300 : 150)
        await page
          .locator('.body [aria-busy=true]:visible')
          .first()
          .waitFor({ state: 'detached', timeout: 5_000 })
          .catch(() => {})
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
          `${role.code} ${name} ${size.width}`,
        ).toBeLessThanOrEqual(0)
        expect(await page.locator('.plate').count(), `${role.code} ${name} opens`).toBe(0)
        // The large desktop differs from the small one in room only.
        if (first && size.width !== 1920)
          serious.push(...(await findings(page)).map((v) => `${role.code} ${name} ${size.width}: ${v}`))
      }
    }
    await page.context().close()
  }
  // Most of a walk is waiting: four people walk at once.
  const roles = [...SEED_ROLES]
  const next = async (): Promise<void> => {
    for (let role = roles.shift(); role; role = roles.shift()) await walk(role)
  }
  await Promise.all([next(), next(), next(), next()])
  expect(serious).toEqual([])
  expect(stage.problems.filter((p) => !p.includes('401'))).toEqual([])
}, 600_000)
