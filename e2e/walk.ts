import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import { liveApi } from '@zhuguan/contract/features/live/live.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { PAGES, type PageName } from '@zhuguan/contract/pages.ts'
import type { CDPSession, Page, Request } from 'playwright-core'
import { expect } from 'vitest'

import { SEED_ROLES, type SeedRole } from '../server/database/seed/roles.ts'
import { eventually, type Stage } from './stage.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SIZES = [
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
  { width: 390, height: 844 },
]

/** The roles that one file of stories walks as: by how far they see, so that the files are about as long. */
const SIDES = {
  tenant: ({ scope }) => scope === 'tenant',
  manager: ({ code }) => code === 'branch_gm',
  branch: ({ scope, code }) => scope === 'branches' && code !== 'branch_gm',
  own: ({ scope }) => scope === 'ownSites' || scope === 'stores',
} satisfies Record<string, (role: SeedRole) => boolean>
type Side = keyof typeof SIDES
const ALL = Object.keys(SIDES) as Side[]
const rolesOf = (side: Side) => SEED_ROLES.filter(SIDES[side])
const byCode = (a: SeedRole, b: SeedRole) => a.code.localeCompare(b.code)
const opens = (role: SeedRole, name: PageName) =>
  role.pages.includes(name) && !(name === 'SiteInfo' && role.scope === 'stores')
/** Who reads a page in every size and with axe: of each side the first that opens it, and the sides take turns. */
function readerOf(name: PageName): SeedRole {
  const first = ALL.flatMap((side) => rolesOf(side).find((role) => opens(role, name)) ?? [])
  return first[Object.keys(PAGES).indexOf(name) % first.length]!
}

/** Serious and critical findings of axe on what the page shows now. */
async function findings(session: CDPSession): Promise<string[]> {
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => JSON.stringify(
      violations.filter((v) => v.impact === 'serious' || v.impact === 'critical')
        .map((v) => v.id + ' ' + v.nodes[0].html.slice(0, 120))))`,
    awaitPromise: true,
  })
  return JSON.parse(String(result.value)) as string[]
}

/** Where each page that needs a record to be open is opened. */
async function records(stage: Stage): Promise<Partial<Record<PageName, string>>> {
  const pm = await stage.server.as('pm')
  const site = (await pm.call(sitesApi.list)).list[0]!
  const worker = (await pm.call(workersApi.list)).list[0]!
  return {
    SiteInfo: `/SiteInfo?id=${site.id}`,
    SiteVidicon: `/SiteVidicon?site_id=${site.id}`,
    WorkerInfo: `/WorkerInfo?id=${worker.id}`,
    OwnerInfo: `/OwnerInfo?site_id=${site.id}`,
    OwnerPromise: `/OwnerPromise?site_id=${site.id}`,
  }
}

/** What takes longer than this is not waited for. */
const LONG_MS = 5_000
/** Whether the page waits for an answer of the server; the live stream stays open. */
function asks(page: Page): () => boolean {
  const pending = new Map<Request, number>()
  page.on('request', (r) => !r.url().includes(liveApi.stream.path) && pending.set(r, performance.now()))
  page.on('requestfinished', (r) => pending.delete(r))
  page.on('requestfailed', (r) => pending.delete(r))
  return () => [...pending.values()].some((at) => performance.now() - at < LONG_MS)
}
/** What stands at the page's head once two frames were drawn, or that it is still at work. */
const headOf = (page: Page) =>
  page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn))
    await frame()
    await frame()
    const busy = [...document.querySelectorAll('.body [aria-busy=true]')].some((e) => e.checkVisibility())
    return busy ? 'busy' : (document.querySelector('.crumb.now')?.textContent ?? document.title)
  })

/** Every page of these roles: nothing wider than the window, no console error, nothing serious for axe. */
export async function walkAs(stage: Stage, side: Side): Promise<void> {
  // Everybody is walked as, in one file.
  expect(ALL.flatMap(rolesOf).toSorted(byCode)).toEqual([...SEED_ROLES].sort(byCode))
  const serious: string[] = []
  const opened = await records(stage)
  async function walk(role: SeedRole): Promise<void> {
    const page = await stage.signIn(role.code)
    const isAsking = asks(page)
    // Through the debugger: the page's own policy runs no script that is not its own.
    const session = await page.context().newCDPSession(page)
    await session.send('Runtime.evaluate', { expression: axe })
    for (const name of role.pages.filter((one) => opens(role, one))) {
      const reads = readerOf(name) === role
      for (const size of reads ? SIZES : SIZES.slice(0, 1)) {
        const what = `${role.code} ${name} ${size.width}`
        await page.setViewportSize(size)
        await page.evaluate((to) => (location.hash = `#${to}`), opened[name] ?? PAGES[name].path)
        const head = async () => (isAsking() ? 'asks' : await headOf(page))
        await eventually(head, `${what} is there`).toContain(PAGES[name].title)
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
          what,
        ).toBeLessThanOrEqual(0)
        expect(await page.locator('.plate').count(), `${what} opens`).toBe(0)
        // The large desktop differs from the small one in room only.
        if (reads && size.width !== 1920)
          serious.push(...(await findings(session)).map((found) => `${what}: ${found}`))
      }
    }
    await page.context().close()
  }
  // Most of a walk is waiting: three people walk at once.
  const roles = rolesOf(side)
  const next = async (): Promise<void> => {
    for (let role = roles.shift(); role; role = roles.shift()) await walk(role)
  }
  await Promise.all([next(), next(), next()])
  expect(serious).toEqual([])
  expect(stage.problems.filter((p) => !p.includes('401'))).toEqual([])
}
