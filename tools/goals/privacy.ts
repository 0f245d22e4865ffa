import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { PAGES } from '@zhuguan/contract/pages.ts'
import { type Browser, chromium } from 'playwright-core'
import { z } from 'zod'

import { DEMO_PASSWORD } from '../../server/database/seed/demo.ts'
import { SEED_ROLES } from '../../server/database/seed/roles.ts'
import { CANARY, type Ids, type Kind, kinds, plant, tells, unmaskings } from './canaries.ts'
import { type Caller, type Result, signIn } from './client.ts'
import { setStage } from './stage.ts'
import { unzip } from './unzip.ts'

const IN_BRANCH = [
  'admin',
  'hq_ops',
  'branch_gm',
  'pm',
  'steward',
  'inspector',
  'device_keeper',
  'order_clerk',
  'acceptor',
  'examiner',
  'cashier',
  'service',
]
/**
 * Who may read what, by hand from the descriptions of people and reach. Who sees one store's records (supplier, quoter,
 * sales), other sites (pm_hz, steward_hz), the sibling branch (…2) or another group (other…) is in no line. An owner's
 * number is read by nobody; one's own is no secret.
 */
const MAY: Record<Kind, readonly string[]> = {
  workerMobile: ['admin', 'branch_gm'],
  workerLandline: ['admin', 'branch_gm'],
  ownerPhone: [],
  staffPhone: ['admin', 'branch_gm', 'pm'],
  ownerName: IN_BRANCH,
  workerName: IN_BRANCH,
  address: ['admin', 'branch_gm', 'pm', 'steward', 'inspector', 'device_keeper', 'order_clerk', 'acceptor'],
}
const PEOPLE = [
  ...SEED_ROLES.map((r) => r.code),
  'pm_hz',
  'steward_hz',
  'branch_gm2',
  'pm2',
  'steward2',
  'inspector2',
  'device_keeper2',
  'cashier2',
  'other',
  'other_pm',
  'other_steward',
  'other_cashier',
]
const IN_BROWSER = ['hq_ops', 'inspector', 'sales']
const READS = Object.values(api)
  .flatMap((f) => Object.values(f) as Endpoint[])
  .filter(
    (e) =>
      e.access !== 'device' &&
      e.access !== 'public' &&
      !e.body &&
      e.path !== api.live.stream.path &&
      e.path !== api.session.logout.path &&
      e.path !== api.files.upload.path &&
      !e.path.endsWith('/import/upload'),
  )

interface Seen {
  where: string
  text: string
}
/** Everything that one person can read, each answer once for every way of asking. */
async function readAll(who: Caller, url: string, ids: Ids, only = READS): Promise<Seen[]> {
  const seen: Seen[] = []
  const day = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  const more = { site_id: ids.site, worker_id: ids.worker, bcId: ids.bc, day, from: day, to: day }
  for (const endpoint of only) {
    const ways: Record<string, unknown>[] = endpoint.raw
      ? [{}]
      : [
          { pageSize: 50, keyword: '鸢尾' },
          { pageSize: 50 },
          { keyword: CANARY.ownerPhone.slice(-8) },
          { keyword: CANARY.workerMobile.slice(-8) },
        ]
    if (/details|calendar|history|sessions|live|timeline|foresee|pick|spares/.test(endpoint.path))
      for (const id of [ids.site, ids.worker, ids.second, ids.pm, ids.bc, ids.store, ids.device])
        ways.push({ id, ...more, change: 'terminate' })
    for (const query of ways) {
      // Other names than a call knows are refused.
      const { query: takes } = endpoint
      const known = takes instanceof z.ZodObject ? takes.shape : {}
      const params = new URLSearchParams(
        Object.entries(query)
          .filter(([k]) => k in known)
          .map(([k, v]) => [k, String(v)]),
      )
      const answer = await fetch(`${url}${endpoint.path}?${params}`, {
        method: endpoint.method,
        headers: { ...who.headers, 'content-type': 'application/json' },
        ...(endpoint.method === 'GET' ? {} : { body: '' }),
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      const text =
        bytes.subarray(0, 2).toString() === 'PK' ? Object.values(unzip(bytes)).join('\n') : String(bytes)
      seen.push({ where: endpoint.path, text })
      if (answer.status === 403 || /"No Permission"/.test(text)) break
    }
  }
  return seen
}
/** Messages of a stream while somebody works on those very records. */
async function overhear(people: Map<string, Caller>, url: string, work: () => Promise<unknown>) {
  const stop = new AbortController()
  const told = new Map<string, string>()
  const listening = [...people].map(async ([name, who]) => {
    const answer = await fetch(url + api.live.stream.path, { headers: who.headers, signal: stop.signal })
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream()))
      told.set(name, (told.get(name) ?? '') + chunk)
  })
  await new Promise((r) => setTimeout(r, 700))
  await work()
  await new Promise((r) => setTimeout(r, 1_000))
  stop.abort()
  await Promise.allSettled(listening)
  return told
}

/** What pages show and fetch, in a real browser; written into a log's page, a worker's list and a site. */
async function pages(browser: Browser, url: string, role: string, ids: Ids): Promise<Seen[]> {
  const page = await (await browser.newContext({ viewport: { width: 1366, height: 768 } })).newPage()
  await page.goto(`${url}/#/login`)
  await page.fill('#l-user', role)
  await page.fill('#l-pass', DEMO_PASSWORD)
  await page.click('#l-go')
  await page.waitForSelector('.shell')
  const seen: Seen[] = []
  for (const name of SEED_ROLES.find((r) => r.code === role)!.pages) {
    const path =
      { SiteInfo: `/SiteInfo?id=${ids.site}`, WorkerInfo: `/WorkerInfo?id=${ids.worker}` }[String(name)] ??
      PAGES[name].path
    await page.evaluate((to) => (location.hash = `#${to}`), path)
    await page.waitForTimeout(300)
    await page
      .waitForFunction(
        () => document.querySelector('.body') && !document.querySelector('.body [aria-busy=true]'),
        undefined,
        { timeout: 8_000 },
      )
      .catch(() => {})
    seen.push({ where: `page ${name}`, text: await page.content() })
  }
  await page.context().close()
  return seen
}

/** G-27; the controls open the rule that masks, and copy a number into a column that nobody masks: both are found. */
export async function privacy(): Promise<Result> {
  const stage = await setStage()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  })
  try {
    await stage.owner.query(`SET app.tenant = '*'`)
    const { url } = await stage.serve()
    const people = new Map<string, Caller>()
    for (const name of PEOPLE) people.set(name, await signIn(url, name))
    const admin = people.get('admin')!
    const ids = await plant(stage, admin)
    const leaks: string[] = []
    const found = new Map<Kind, number>(kinds.map((k) => [k, 0]))
    /** Ways of reading that would show what one may see; a way that shows nothing was not read. */
    const ways = new Map([
      ['/export', 0],
      ['/list', 0],
      ['/details', 0],
      ['/search', 0],
      ['page ', 0],
    ])
    let texts = 0
    const look = (name: string, seen: Seen[]) => {
      for (const { where, text } of seen) {
        texts += 1
        for (const kind of kinds) {
          if (!tells(text, kind)) continue
          if (MAY[kind].includes(name)) {
            found.set(kind, found.get(kind)! + 1)
            for (const way of ways.keys()) if (where.includes(way)) ways.set(way, ways.get(way)! + 1)
          } else leaks.push(`${name} ${where}: ${kind}`)
        }
      }
    }
    const queue = [...people]
    const reader = async () => {
      for (let job = queue.pop(); job; job = queue.pop()) look(job[0], await readAll(job[1], url, ids))
    }
    await Promise.all([reader(), reader(), reader(), reader()])
    const told = await overhear(people, url, () =>
      admin.ask(api.workers.phone, { body: { id: ids.worker, reason: '听一听' } }),
    )
    for (const [name, text] of told) look(name, [{ where: 'stream', text }])
    for (const role of IN_BROWSER) look(role, await pages(browser, url, role, ids))
    const unmasked = await unmaskings(stage, people, ids)

    // Controls, read by those who read the most and no numbers.
    const ops = people.get('hq_ops')!
    const short = READS.filter((e) =>
      /worker\/(list|export|details)|site\/details|owner\/(list|details)|userLog/.test(e.path),
    )
    const finds = async (kind: Kind) => (await readAll(ops, url, ids, short)).some((s) => tells(s.text, kind))
    await stage.owner.query('UPDATE workers SET team = w_contact WHERE id = $1', [ids.worker])
    const column = await finds('workerMobile')
    await stage.owner.query(`UPDATE workers SET team = '' WHERE id = $1`, [ids.worker])
    const { rows } = await stage.owner.query<{ text: string }>(
      `SELECT pg_get_functiondef('masked_phone'::regproc) AS text`,
    )
    const quiet = !(await finds('workerLandline'))
    await stage.owner.query(
      rows[0]!.text.replace(/AS \$function\$[\s\S]*\$function\$/, 'AS $function$ SELECT phone $function$'),
    )
    const rule = (await finds('workerLandline')) && (await finds('ownerPhone'))
    const control = column && quiet && rule

    const blind = [
      ...kinds.filter((k) => MAY[k].length > 0 && found.get(k) === 0),
      ...[...ways].filter(([, n]) => n === 0).map(([way]) => way),
    ]
    for (const l of [...new Set(leaks)].slice(0, 20)) console.log(l)
    for (const p of [...unmasked.problems, ...blind]) console.log(p)
    return {
      value: `${kinds.length} canaries, ${people.size} people, ${texts} answers, exports, streams and pages, unmasked ${leaks.length}; one at a time ${unmasked.asked} asked, wrong ${unmasked.problems.length}; read without seeing ${blind.length}, control ${control ? 'found' : `MISSED ${column} ${quiet} ${rule}`}`,
      ok:
        leaks.length === 0 &&
        unmasked.problems.length === 0 &&
        blind.length === 0 &&
        control &&
        texts > 2_000,
    }
  } finally {
    await browser.close()
    await stage.close()
  }
}
