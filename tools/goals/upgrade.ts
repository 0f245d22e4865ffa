import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { api } from '@zhuguan/contract/api.ts'
import { PAGES } from '@zhuguan/contract/pages.ts'
import { PERMISSIONS } from '@zhuguan/contract/permissions.ts'

import { type Embedded, startEmbedded } from '../../server/database/embedded.ts'
import { report } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { type Caller, enter, signIn } from './client.ts'
import { command, program, ROOT } from './program.ts'
import { asOwner } from './whole.ts'

/** The release that installations run now. */
const RELEASE = '4cd142a'
/** As migrations wait for a table, and as a call may wait for one. */
const WAIT_MS = 5_000
const BESIDE_MS = 6_000
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))

/** The release's own sources with its own packages; `RELEASE_DIR` names a tree that is there already. */
function releaseTree(folder: string): string | undefined {
  if (process.env.RELEASE_DIR) return process.env.RELEASE_DIR
  const tree = join(folder, 'release')
  mkdirSync(tree)
  const archive = spawnSync('git', ['archive', RELEASE], { cwd: ROOT, maxBuffer: 1e9 })
  if (archive.status !== 0) return undefined
  spawnSync('tar', ['-x', '-C', tree], { input: archive.stdout })
  const installed = spawnSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: tree })
  return installed.status === 0 ? tree : undefined
}

interface Device {
  sn: string
  secret: string
  type: string
}
/** Who goes on working at one of the servers: lists, records, reports of a camera, now and then a sign-in. */
function worker(url: string, who: Caller, bc: string, camera: Device, name: string) {
  const kept: string[] = []
  const seen: string[] = []
  const wrong: string[] = []
  let [asked, slowest, refused] = [0, 0, 0]
  let over = false
  async function timed(what: string, work: Promise<{ status: number; code: number; msg: string }>) {
    const from = performance.now()
    const heard = await work.catch((error: Error) => ({ status: 599, code: 599, msg: error.message }))
    asked += 1
    slowest = Math.max(slowest, performance.now() - from)
    if (heard.status === 503) refused += 1
    else if (heard.code !== 200) wrong.push(`${name} ${what}: ${heard.status} ${heard.code} ${heard.msg}`)
    return heard
  }
  const loop = (async () => {
    for (let i = 0; !over; i += 1) {
      const mark = `${name}${i}`
      await timed('list', who.ask(api.sites.list))
      await timed('alarms', who.ask(api.alarms.list))
      await timed('cards', who.ask(api.home.cards))
      const body = { ws_name: mark, bc_id: bc, address: '升级路 1 号' }
      if ((await timed('add', who.ask(api.sites.add, { body }))).code === 200) kept.push(mark)
      const events = [{ id: mark, kind: 'visitor', at: seconds() - 1, seconds: 9 }]
      if ((await timed('camera', report(url, camera, events))).code === 200) seen.push(mark)
      if (i % 5 === 0)
        await timed('sign-in', enter(url, 'steward', undefined, { 'x-forwarded-for': `10.3.${i % 250}.9` }))
      await pause(40)
    }
  })()
  return {
    kept,
    seen,
    wrong,
    told: () => `${name}: ${asked} calls, slowest ${slowest.toFixed(0)} ms, ${refused} refused`,
    slowest: () => slowest,
    refused: () => refused,
    async stop() {
      over = true
      await loop
    },
  }
}

/** What an administrator of the old release has made their own. */
async function administered(url: string): Promise<void> {
  await asOwner(url, async (owner) => {
    const t = `(SELECT tenant_id FROM users WHERE user_name = 'admin')`
    await owner.query(
      `UPDATE pages SET name = '我们的工地' WHERE tenant_id = ${t} AND path = '/Site/SiteList'`,
    )
    await owner.query(`UPDATE pages SET visible = false WHERE tenant_id = ${t} AND path = '/Site/SiteMap'`)
    await owner.query(
      `DELETE FROM role_powers WHERE tenant_id = ${t} AND label = 'site:add'
       AND role_id = (SELECT id FROM roles WHERE tenant_id = ${t} AND code = 'pm')`,
    )
    await owner.query(
      `DELETE FROM role_powers WHERE tenant_id = ${t} AND label = 'site:export'
       AND role_id = (SELECT id FROM roles WHERE tenant_id = ${t} AND code = 'branch_gm')`,
    )
    await owner.query(
      `WITH made AS (
         INSERT INTO roles (tenant_id, id, code, name, data_scope)
         VALUES (${t}, gen_random_uuid(), 'night_guard', '夜班', 'branches') RETURNING tenant_id, id),
       granted AS (
         INSERT INTO role_powers (tenant_id, role_id, label) SELECT tenant_id, id, 'alarm:assign' FROM made)
       INSERT INTO role_pages (tenant_id, role_id, page_id)
       SELECT m.tenant_id, m.id, p.id FROM made m JOIN pages p ON p.tenant_id = m.tenant_id AND p.path = '/image/AlarmEvent'`,
    )
    await owner.query(`UPDATE roles SET name = '项目负责人' WHERE tenant_id = ${t} AND code = 'pm'`)
  })
}
const HIS = {
  taken: ['branch_gm site:export'],
  given: ['night_guard alarm:assign'],
  page: ['night_guard /image/AlarmEvent'],
}

type Rows = Map<string, string>
/** Rows of every table by key, in the columns that the table has now. */
async function rowsOf(
  url: string,
  columns?: Map<string, string[]>,
): Promise<{ rows: Map<string, Rows>; columns: Map<string, string[]> }> {
  return asOwner(url, async (owner) => {
    const known =
      columns ??
      new Map(
        (
          await owner.query<{ name: string; columns: string[] }>(
            `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
             FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
             WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
             GROUP BY c.relname`,
          )
        ).rows.map((row) => [
          row.name,
          row.columns.filter((column) => !LIVING_COLUMNS[row.name]?.includes(column)),
        ]),
      )
    const all = new Map<string, Rows>()
    for (const [table, list] of known) {
      const text = list.map((column) => `${column}::text`).join(', ')
      const { rows } = await owner
        .query<{ row: string }>(`SELECT jsonb_build_array(${text})::text AS row FROM ${table}`)
        .catch((error: Error) => ({ rows: [{ row: `unreadable: ${error.message}` }] }))
      all.set(table, new Map(rows.map(({ row }) => [row, row])))
    }
    return { rows: all, columns: known }
  })
}
/** What the program itself goes on writing: sessions, jobs, places of devices, what is told once. */
const LIVING = [
  'sessions',
  'live_events',
  'jobs',
  'login_failures',
  'log_heads',
  'device_nonces',
  'schema_migrations',
]
/** Columns that go on living in a row that stays: versions, places in the chain, what is counted anew. */
const LIVING_COLUMNS: Record<string, string[]> = {
  roles: ['version'],
  user_logs: ['seq', 'hash'],
  users: ['last_login'],
  // The release counted devices that nobody has switched on yet, and searched by other words, which the database makes.
  sites: ['devices_total', 'search'],
}

/** Which columns differ from the row that begins alike. */
function changedIn(row: string, rows: string[], columns: string[]): string {
  const [was, like] = [
    JSON.parse(row) as unknown[],
    rows.find((other) => other.slice(0, 82) === row.slice(0, 82)),
  ]
  if (!like) return 'gone'
  const is = JSON.parse(like) as unknown[]
  return columns
    .flatMap((name, i) => (was[i] === is[i] ? [] : [`${name} ${String(was[i])} → ${String(is[i])}`]))
    .join(', ')
}

/** Menus, powers and grants as sentences. */
const offeredIn = (url: string) =>
  asOwner(url, async (owner) => {
    const all = async (sql: string) =>
      new Set((await owner.query<{ word: string }>(sql)).rows.map((row) => row.word))
    const t = `(SELECT tenant_id FROM users WHERE user_name = 'admin')`
    return {
      pages: await all(`SELECT system || ' ' || path AS word FROM pages WHERE tenant_id = ${t}`),
      powers: await all(
        `SELECT p.path || ' ' || w.label AS word FROM page_powers w JOIN pages p ON p.tenant_id = w.tenant_id AND p.id = w.page_id
         WHERE w.tenant_id = ${t}`,
      ),
      grants: await all(
        `SELECT r.code || ' ' || w.label AS word FROM role_powers w JOIN roles r ON r.tenant_id = w.tenant_id AND r.id = w.role_id
         WHERE w.tenant_id = ${t}`,
      ),
      rolePages: await all(
        `SELECT r.code || ' ' || p.path AS word FROM role_pages w JOIN roles r ON r.tenant_id = w.tenant_id AND r.id = w.role_id
         JOIN pages p ON p.tenant_id = w.tenant_id AND p.id = w.page_id WHERE w.tenant_id = ${t}`,
      ),
      names: await all(
        `SELECT path || ' ' || name || ' ' || visible AS word FROM pages WHERE tenant_id = ${t}
         UNION ALL SELECT code || ' ' || name FROM roles WHERE tenant_id = ${t}`,
      ),
    }
  })
type Offered = Awaited<ReturnType<typeof offeredIn>>

/** What an upgraded group has beside a group that this release has just made: nothing but the administrator's own. */
function beside(fresh: Offered, grown: Offered): string[] {
  const wrong: string[] = []
  const compare = (what: keyof Offered, taken: string[], given: string[]) => {
    const missing = [...fresh[what]].filter((word) => !grown[what].has(word) && !taken.includes(word))
    const more = [...grown[what]].filter((word) => !fresh[what].has(word) && !given.includes(word))
    for (const word of missing) wrong.push(`${what}: ${word} did not arrive`)
    for (const word of more) wrong.push(`${what}: ${word} stands here alone`)
    for (const word of taken) if (grown[what].has(word)) wrong.push(`${what}: ${word} came back`)
    for (const word of given) if (!grown[what].has(word)) wrong.push(`${what}: ${word} is gone`)
  }
  compare('pages', [], [])
  compare('powers', [], [])
  compare('grants', HIS.taken, HIS.given)
  compare('rolePages', [], HIS.page)
  for (const word of ['/Site/SiteList 我们的工地 true', '/Site/SiteMap', 'pm 项目负责人', 'night_guard 夜班'])
    if (![...grown.names].some((name) => name.startsWith(word)))
      wrong.push(`the administrator's ${word} is gone`)
  if (![...grown.names].some((name) => name.startsWith('/Site/SiteMap') && name.endsWith('false')))
    wrong.push('the page that the administrator hid is shown again')
  return wrong
}
/** What the contract of this release says of itself, apart from how it is seeded. */
function promised(grown: Offered): string[] {
  const labels = new Set([...grown.powers].map((word) => word.split(' ')[1]))
  const paths = new Set([...grown.pages].map((word) => word.split(' ')[1]))
  return [
    ...Object.keys(PERMISSIONS)
      .filter((label) => !labels.has(label))
      .map((label) => `no operation ${label}`),
    ...Object.values(PAGES)
      .filter((page) => page.systems.length > 0 && page.shell === 'base' && !paths.has(page.path))
      .map((page) => `no page ${page.path}`),
  ]
}

/**
 * The release before makes the data and goes on serving; this one starts beside it on the same database. Controls: a lock
 * that nobody waits out, a grant, a name and a row that are missing.
 */
export async function upgraded(): Promise<{
  told: string
  wrong: string[]
  found: string[]
  skipped?: string
}> {
  const folder = mkdtempSync(join(tmpdir(), 'zhuguan-goal-'))
  chmodSync(folder, 0o755)
  const wrong: string[] = []
  const found: string[] = []
  const databases: Embedded[] = []
  const running: Awaited<ReturnType<typeof program>>[] = []
  try {
    const tree = releaseTree(folder)
    if (!tree) {
      console.log(`SKIPPED: the release ${RELEASE} is not in this clone, or cannot be installed`)
      return { told: 'upgrade not measured', wrong, found, skipped: 'no release' }
    }
    const database = async (name: string) => {
      const place = join(folder, name)
      mkdirSync(place)
      chmodSync(place, 0o755)
      const one = await startEmbedded(place)
      databases.push(one)
      return { url: one.url, place }
    }
    const [ours, theirs] = [await database('grown'), await database('fresh')]
    const env = (of: { url: string; place: string }) => ({
      DATABASE_URL: of.url,
      DATA_DIR: of.place,
      DEMO: '1',
    })
    const old = await program(env(ours), tree)
    running.push(old)
    await administered(ours.url)
    const devices = JSON.parse(readFileSync(join(ours.place, 'simulator.json'), 'utf8')) as Device[]
    const camera = devices.find((d) => d.type === 'camera')!
    const bc = await asOwner(
      ours.url,
      async (owner) =>
        (await owner.query<{ bc: string }>(`SELECT bc_id AS bc FROM sites WHERE code = 'GDHZ001'`)).rows[0]!
          .bc,
    )
    const who = await signIn(old.url, 'branch_gm')
    const before = await rowsOf(ours.url)
    cpSync(join(ours.place, 'secret.key'), join(theirs.place, 'secret.key'))

    const atOld = worker(old.url, who, bc, camera, '旧版')
    await pause(1_500)
    const from = performance.now()
    const next = await program(env(ours))
    running.push(next)
    const took = performance.now() - from
    // A session of the old release is one of the new.
    const atNew = worker(
      next.url,
      { ...who, ask: (await signIn(next.url, 'branch_gm')).ask },
      bc,
      camera,
      '新版',
    )
    await pause(BESIDE_MS)
    await Promise.all([atOld.stop(), atNew.stop()])
    for (const one of [atOld, atNew]) {
      wrong.push(...one.wrong.slice(0, 5))
      if (one.refused()) wrong.push(`${one.told()}`)
      if (one.slowest() > WAIT_MS) wrong.push(`somebody waited: ${one.told()}`)
      console.log(one.told())
    }

    // Everything that was there is there, in the columns that it had.
    const after = await rowsOf(ours.url, before.columns)
    let compared = 0
    for (const [table, rows] of before.rows) {
      if (LIVING.includes(table)) continue
      const now = after.rows.get(table)!
      const gone = [...rows.keys()].filter((row) => !now.has(row))
      compared += rows.size
      if (gone.length)
        wrong.push(
          `${table}: ${gone.length} rows changed: ${changedIn(gone[0]!, [...now.keys()], before.columns.get(table)!)}`,
        )
      if (now.size < rows.size) wrong.push(`${table}: ${rows.size} rows became ${now.size}`)
    }
    const missing = async () =>
      asOwner(ours.url, async (owner) => {
        const names = await owner.query<{ name: string; n: number }>(
          `SELECT ws_name AS name, count(*)::int AS n FROM sites WHERE ws_name LIKE '旧版%' OR ws_name LIKE '新版%' GROUP BY 1`,
        )
        const events = await owner.query<{ id: string }>(`SELECT event_id AS id FROM raw_events`)
        const sites = new Map(names.rows.map((row) => [row.name, row.n]))
        const seen = new Set(events.rows.map((row) => row.id))
        return [
          ...[...atOld.kept, ...atNew.kept].filter((name) => sites.get(name) !== 1),
          ...[...atOld.seen, ...atNew.seen].filter((id) => !seen.has(id)),
        ]
      })
    for (const name of await missing()) wrong.push(`lost or doubled: ${name}`)
    const log = await command(env(ours), ['log', 'verify'])
    if (log.code !== 0) wrong.push(`the log does not verify: ${log.said.slice(0, 200)}`)

    const made = await program(env(theirs))
    await made.stop()
    const fresh = await offeredIn(theirs.url)
    const grown = await offeredIn(ours.url)
    wrong.push(...beside(fresh, grown), ...promised(grown))

    // Controls.
    await asOwner(ours.url, async (owner) => {
      await owner.query(`DELETE FROM role_powers WHERE label = 'worker:unmask'`)
      await owner.query(`UPDATE pages SET name = '工地列表' WHERE path = '/Site/SiteList'`)
      await owner.query(`DELETE FROM raw_events WHERE event_id = $1`, [atNew.seen[0]])
      const spoiled = beside(fresh, await offeredIn(ours.url))
      if (spoiled.some((why) => why.includes('worker:unmask'))) found.push('a missing grant')
      if (spoiled.some((why) => why.includes('我们的工地'))) found.push('a lost name')
      if ((await missing()).length) found.push('a lost write')
      const held = worker(next.url, who, bc, camera, '锁')
      await owner.query('BEGIN')
      await owner.query('LOCK TABLE sites IN ACCESS EXCLUSIVE MODE')
      await pause(WAIT_MS + 1_000)
      await owner.query('COMMIT')
      await held.stop()
      if (held.slowest() > WAIT_MS || held.refused() || held.wrong.length) found.push('a lock')
    })
    return {
      told:
        `upgrade from ${RELEASE}: the new version served after ${(took / 1_000).toFixed(1)} s beside the old, ` +
        `${compared} old rows compared, ${atOld.told()}, ${atNew.told()}, ` +
        `${grown.pages.size} pages, ${grown.powers.size} operations, ${grown.grants.size} grants as in a new group`,
      wrong,
      found,
    }
  } finally {
    for (const one of running) await one.stop()
    for (const one of databases) await one.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
