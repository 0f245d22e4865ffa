import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { connect, type Database } from '../database/connect.ts'
import { migrate } from '../database/migrate.ts'
import { restore } from '../database/restore.ts'
import { CATALOGUE, type Catalogue } from '../database/seed/offer.ts'
import { freshDatabase } from '../testing/database.ts'
import { testNow } from '../testing/time.ts'
import { offerNew } from './upgrade.ts'

/**
 * A backup that the first release (4cd142a) wrote of itself, after its administrator had renamed AlarmEvent, hidden
 * NoWork, moved DeviceStatistics, deleted DailyMonitor and the operation site:import, and taken SiteMap and
 * alarm:export from the role pm. It comes back through the migrations of that release and all those since.
 */
const RELEASE = join(import.meta.dirname, '..', 'testing', 'fixtures', 'first-release.backup')
const folder = mkdtempSync(join(tmpdir(), 'zhuguan-upgrade-'))
let database: Awaited<ReturnType<typeof freshDatabase>>
let owner: pg.Client
let db: Database

beforeAll(async () => {
  database = await freshDatabase()
  await restore(database.ownerUrl, folder, RELEASE)
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query(`SET app.tenant = '*'`)
  db = connect((await migrate(database.ownerUrl)).logins, { max: 4, now: testNow })
})
afterAll(async () => {
  await db.close()
  await owner.end()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const sql = async <R>(text: string, values: unknown[] = []): Promise<R[]> =>
  (await owner.query(text, values)).rows as R[]
const one = async <R>(text: string, values: unknown[] = []): Promise<R> => (await sql<R>(text, values))[0]!
/** The group whose administrator was at work. */
const ours = `(SELECT tenant_id FROM sites WHERE code = 'GD26110003')`
const menu = () =>
  sql<{ component: string; name: string; visible: boolean; group: string | null; path: string }>(
    `SELECT p.component_name AS component, p.name, p.visible, g.path AS "group", p.path
     FROM pages p LEFT JOIN pages g ON g.tenant_id = p.tenant_id AND g.id = p.parent_id
     WHERE p.tenant_id = ${ours} AND p.component_name <> '' ORDER BY 1`,
  )
const held = async (role: string) => ({
  pages: (
    await sql<{ c: string }>(
      `SELECT p.component_name AS c FROM role_pages h JOIN roles r ON r.tenant_id = h.tenant_id AND r.id = h.role_id
       JOIN pages p ON p.tenant_id = h.tenant_id AND p.id = h.page_id
       WHERE h.tenant_id = ${ours} AND r.code = $1 ORDER BY 1`,
      [role],
    )
  ).map((r) => r.c),
  powers: (
    await sql<{ l: string }>(
      `SELECT h.label AS l FROM role_powers h JOIN roles r ON r.tenant_id = h.tenant_id AND r.id = h.role_id
       WHERE h.tenant_id = ${ours} AND r.code = $1 ORDER BY 1`,
      [role],
    )
  ).map((r) => r.l),
})
const everything = () =>
  sql(
    `SELECT (SELECT md5(string_agg(p::text, ',' ORDER BY p.tenant_id, p.id)) FROM pages p) AS pages,
       (SELECT md5(string_agg(p::text, ',' ORDER BY p::text)) FROM page_powers p) AS powers,
       (SELECT md5(string_agg(r::text, ',' ORDER BY r.id)) FROM roles r) AS roles,
       (SELECT md5(string_agg(h::text, ',' ORDER BY h::text)) FROM role_pages h) AS "rolePages",
       (SELECT md5(string_agg(h::text, ',' ORDER BY h::text)) FROM role_powers h) AS "rolePowers",
       (SELECT count(*)::int FROM user_logs) AS logs`,
  )

test('the rows, numbers and pictures of the first release are all there', async () => {
  expect(
    await one(
      `SELECT (SELECT count(*)::int FROM sites) AS sites, (SELECT count(*)::int FROM users) AS users,
         (SELECT array_agg(code ORDER BY code) FROM sites WHERE ws_name LIKE '旧版工地%') AS codes,
         (SELECT count(*)::int FROM site_events WHERE title = '两年半以前' AND at = '2024-05-21T02:00:00Z') AS old,
         (SELECT w_id FROM workers WHERE w_name = '旧版工人') AS worker`,
    ),
  ).toEqual({
    sites: expect.any(Number),
    users: expect.any(Number),
    codes: ['GD26110001', 'GD26110002', 'GD26110003'],
    old: 1,
    worker: 'GR000001',
  })
  expect((await one<{ n: number }>('SELECT count(*)::int AS n FROM sites')).n).toBeGreaterThan(40)
  const next = await one<{ site: string; worker: string }>(
    `SELECT nextval('site_numbers')::text AS site, nextval('worker_numbers')::text AS worker`,
  )
  expect(next).toEqual({ site: '4', worker: '2' })
  const pictures = readdirSync(join(folder, 'files'), { recursive: true }).filter((f) =>
    String(f).endsWith('.jpg'),
  )
  expect(pictures.length).toBeGreaterThanOrEqual(1)
})

test('what is new since arrives in every group; what the administrator changed or took away stays so', async () => {
  await offerNew(db)
  const pages = await menu()
  const page = (component: string) => pages.find((p) => p.component === component)
  expect(page('AlarmEvent')).toMatchObject({ name: '现场报警' })
  expect(page('NoWork')).toMatchObject({ visible: false })
  expect(page('DeviceStatistics')).toMatchObject({ group: '/dataStatistics' })
  expect(page('DailyMonitor')).toBeUndefined()
  const should = Object.entries(CATALOGUE.pages).filter(([, p]) => p.systems.length > 0)
  expect(pages.map((p) => p.component).sort()).toEqual(
    should
      .map(([name]) => name)
      .filter((name) => name !== 'DailyMonitor')
      .sort(),
  )
  const pm = await held('pm')
  expect(pm.pages).not.toContain('SiteMap')
  expect(pm.powers).not.toContain('alarm:export')
  expect((await held('branch_gm')).powers).not.toContain('site:import')
  // Made since: who supervises alarms.
  expect((await held('branch_gm')).powers).toContain('alarm:supervise')
  expect(
    await one(
      `SELECT count(*)::int AS n FROM page_powers WHERE label = 'alarm:supervise' AND tenant_id = ${ours}`,
    ),
  ).toEqual({ n: 1 })
  const log = await sql<{ after: { powers: string[] } }>(
    `SELECT after FROM user_logs WHERE action = '版本更新' AND tenant_id = ${ours}`,
  )
  expect(log.map((l) => l.after.powers)).toEqual([expect.arrayContaining(['alarm:supervise'])])

  const before = await everything()
  await offerNew(db)
  expect(await everything()).toEqual(before)
})

/** A release to come: a group, a page in an old group with an operation, a new role, and a path that changed. */
const TOMORROW: Catalogue = {
  groups: { ...CATALOGUE.groups, '/orders': { name: 'orders', title: '订单', icon: 'site', system: 'jf' } },
  pages: {
    ...CATALOGUE.pages,
    SiteList: { ...CATALOGUE.pages.SiteList!, path: '/Site/AllSites' },
    Inspecting: { path: '/Site/Inspecting', title: '巡检', systems: ['xc'], group: '/Site' },
    MonitorWall: { path: '/orders/Wall', title: '订单墙', systems: ['jf'], group: '/orders' },
  },
  powers: {
    ...CATALOGUE.powers,
    'inspecting:add': { page: 'Inspecting', title: '新增' },
    'map:print': { page: 'SiteMap', title: '打印' },
    'monitor:print': { page: 'DailyMonitor', title: '打印' },
  },
  roles: [
    ...CATALOGUE.roles.map((r) =>
      r.code === 'pm'
        ? {
            ...r,
            pages: [...r.pages, 'Inspecting'],
            powers: [...r.powers, 'inspecting:add', 'map:print', 'monitor:print'],
          }
        : r,
    ),
    {
      code: 'planner',
      name: '计划员',
      scope: 'branches',
      pages: ['Inspecting', 'MonitorWall'],
      powers: ['inspecting:add'],
    },
  ],
}

test('a release to come: pages, operations, roles and grants arrive once, a changed path moves its row, two servers at once', async () => {
  const { version, id } = await one<{ version: number; id: string }>(
    `SELECT version, id FROM roles WHERE code = 'pm' AND tenant_id = ${ours}`,
  )
  await Promise.all([offerNew(db, TOMORROW), offerNew(db, TOMORROW)])
  const pages = await menu()
  expect(pages.find((p) => p.component === 'SiteList')).toMatchObject({
    path: '/Site/AllSites',
    group: '/Site',
  })
  expect(pages.find((p) => p.component === 'Inspecting')).toMatchObject({
    name: '巡检',
    group: '/Site',
    visible: true,
  })
  expect(pages.find((p) => p.component === 'MonitorWall')).toMatchObject({ group: '/orders' })
  expect(pages.filter((p) => p.component === 'Inspecting')).toHaveLength(1)
  const pm = await held('pm')
  expect(pm.pages).toContain('Inspecting')
  expect(pm.powers).toContain('inspecting:add')
  // The pages of these were taken away, from the role or from the menu: their new operations do not come.
  expect(pm.powers).not.toContain('map:print')
  expect(pm.powers).not.toContain('monitor:print')
  expect(pm.pages).not.toContain('SiteMap')
  expect(await held('planner')).toEqual({ pages: ['Inspecting', 'MonitorWall'], powers: ['inspecting:add'] })
  const after = await one<{ version: number }>('SELECT version FROM roles WHERE id = $1', [id])
  expect(after.version).toBeGreaterThan(version)

  // Taken away after it came: the next start leaves it away.
  await sql(`DELETE FROM pages WHERE component_name = 'Inspecting' AND tenant_id = ${ours}`)
  await sql(`DELETE FROM offered WHERE kind = 'release'`)
  await offerNew(db, TOMORROW)
  expect((await menu()).some((p) => p.component === 'Inspecting')).toBe(false)
  expect((await held('pm')).powers).toContain('inspecting:add')
})

test('an operation that a release puts on another page goes there with its name, and nobody loses it', async () => {
  const page = (label: string) =>
    one<{ page: string; name: string }>(
      `SELECT p.component_name AS page, w.name FROM page_powers w
       JOIN pages p ON p.tenant_id = w.tenant_id AND p.id = w.page_id
       WHERE w.tenant_id = ${ours} AND w.label = $1`,
      [label],
    )
  const before = await held('branch_gm')
  expect(before.powers).toContain('alarm:export')
  expect(await page('alarm:export')).toMatchObject({ page: 'AlarmEvent' })
  const moved: Catalogue = {
    ...TOMORROW,
    powers: { ...TOMORROW.powers, 'alarm:export': { page: 'SiteMap', title: '导出' } },
  }
  const { name } = await page('alarm:export')
  await offerNew(db, moved)
  expect(await page('alarm:export')).toEqual({ page: 'SiteMap', name })
  expect((await held('branch_gm')).powers).toEqual(before.powers)
})
