import { api } from '@zhuguan/contract/api.ts'
import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { queryText } from '@zhuguan/contract/kit/query.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { expireTonight } from '../../app/clock.ts'
import { caseRetention } from '../../app/retention.ts'
import { shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { caseStage, type CaseStage, first, type Home } from '../../testing/casing.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { dayAhead } from '../../testing/time.ts'
import { openFileStore } from '../files/file-store.ts'
import { remind } from '../notifications/reminders.service.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { caseReminders } from './case-reminders.service.ts'

const DAY = 86_400_000
const TEN = 10 * 3_600_000
let server: TestServer
let gm: Person
let steward: Person
let service: Person
let c: CaseStage
let homes: Home[]
beforeAll(async () => {
  server = await startTestServer()
  server.later(startOfDay(shanghaiDay(server.now())).getTime() + TEN - server.now().getTime())
  ;[gm, steward, service] = await Promise.all([
    server.as('branch_gm'),
    server.as('steward'),
    server.as('service'),
  ])
  c = await caseStage(server, { gm, steward, service })
  homes = c.homes
})
afterAll(() => server.stop())
beforeEach(() => server.sql('DELETE FROM notifications'))

const told = async (id: string): Promise<string[]> =>
  (
    await server.sql<{ user_name: string }>(
      `SELECT DISTINCT u.user_name FROM notifications n JOIN users u ON u.id = n.user_id
       WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY 1`,
      [id],
    )
  ).map((row) => row.user_name)
const shown = async (id: string) => first((await c.details(id)).pictures).rendition!
const versionOf = async (site: string) => (await gm.call(api.sites.details, { query: { id: site } })).version
const night = (home: Home) =>
  caseRetention(openFileStore(server.dataDir)).run({
    db: server.db,
    tenant: home.tenant,
    day: shanghaiDay(server.now()),
    since: null,
    met: server.now(),
    now: server.now(),
    stopped: () => false,
  })

test('works that are terminated end what was agreed to, a handover does not; each is said before', async () => {
  const [over, done] = [homes[0]!, homes[1]!]
  const [ended, kept] = [await c.published(over), await c.published(done)]
  const [gone, stays] = [await shown(ended), await shown(kept)]
  const effects = async (site: string, change: 'finish' | 'terminate') =>
    (await gm.call(api.sites.foresee, { query: { id: site, change } })).effects.join('\n')
  expect(await effects(over.site, 'terminate')).toContain(
    '案例“南北通透的家”结束，马上不再公开，业主的授权作废',
  )
  expect(await effects(done.site, 'finish')).toContain('案例“南北通透的家”继续公开到授权到期')
  const aftercare = await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'service'`)
  const end = async (home: Home, action: 'finish' | 'terminate') =>
    gm.ask(api.sites.state, {
      body: {
        id: home.site,
        version: await versionOf(home.site),
        action,
        reason: '业主退单',
        ...(action === 'finish' ? { aftercare_id: first(aftercare).id } : {}),
      },
    })
  await server.sql(`UPDATE sites SET progress = 100, contract = '' WHERE id = $1`, [done.site])
  await server.sql(
    `UPDATE site_stages SET actual_finish = :today WHERE site_id = $1 AND actual_finish IS NULL`,
    [done.site],
  )
  expect((await end(over, 'terminate')).msg).toBe('')
  expect((await end(done, 'finish')).msg).toBe('')
  expect(await c.isOpen(over, ended, 'store', gone)).toBe(false)
  const after = await c.details(ended, gm)
  expect(after).toMatchObject({ state: 'withdrawn' })
  expect(first(after.answers)).toMatchObject({ state: 3, withdrawnWhy: '工地已终止' })
  expect(await told(ended)).toContain('steward')
  expect(await c.isOpen(done, kept, 'store', stays)).toBe(true)
  expect(await c.details(kept, gm)).toMatchObject({ state: 'published' })
  // A home whose works were terminated is made no case of any more.
  const anew = { site_id: over.site, title: '好看的家', words: '', pictures: [] }
  expect((await steward.ask(casesApi.add, { body: anew })).msg).toBe('工地已经终止或还没有开工，不能做成案例')
})

test('a site that changes its branch takes its case and its consent along; its own people see it no more', async () => {
  const home = homes[2]!
  const id = await c.published(home)
  const key = await shown(id)
  const [to] = await server.sql<{ bc: string }>(
    `SELECT bc_id AS bc FROM companies WHERE tenant_id = $1 AND code = 'NB'`,
    [home.tenant],
  )
  const admin = await server.as('admin')
  const q = { id: home.site, change: 'move' as const, bc_id: to!.bc }
  expect((await admin.call(api.sites.foresee, { query: q })).effects).toContain(
    '案例“南北通透的家”随工地转过去，业主的授权不变',
  )
  await admin.call(api.sites.move, {
    body: { id: home.site, version: await versionOf(home.site), bc_id: to!.bc, reason: '业主要求宁波施工' },
  })
  expect((await steward.ask(casesApi.details, { query: { id } })).status).toBe(403)
  expect(await c.details(id, await server.as('branch_gm2'))).toMatchObject({
    state: 'published',
    bc_id: to!.bc,
  })
  expect(await c.isOpen(home, id, 'store', key)).toBe(true)
})

test('what is over nobody opens and no file is left of it; what is shown keeps its own, records stay', async () => {
  const [over, live] = [homes[3]!, homes[4]!]
  const [ended, kept] = [await c.published(over), await c.published(live)]
  const [gone, stays] = [await shown(ended), await shown(kept)]
  const { version } = await c.details(ended)
  await steward.call(casesApi.withdraw, { body: { id: ended, version, reason: '业主来电不想公开' } })
  expect(await c.isOpen(over, ended, 'store', gone)).toBe(false)
  // Nor is it looked at inside: not its thumbnail, whoever may open the case, and no list names its file.
  for (const who of [gm, steward])
    for (const size of ['thumb', 'medium', 'full'] as const) {
      const path = casesApi.picture.path + queryText({ key: gone, size })
      const { status } = await fetch(server.url + path, {
        headers: { token: who.token, 'tenant-id': who.tenant },
      })
      expect(status, size).toBe(403)
    }
  const { list } = await gm.call(casesApi.list, { query: { id: ended } })
  expect(list).toMatchObject([{ state: 'withdrawn', cover: null }])
  expect(JSON.stringify(await c.details(ended))).not.toContain(gone)
  const files = openFileStore(server.dataDir)
  expect((await files.read(gone)).length).toBeGreaterThan(1_000)
  await night(over)
  await expect
    .poll(() =>
      files.read(gone).then(
        () => true,
        () => false,
      ),
    )
    .toBe(false)
  expect((await files.read(stays)).length).toBeGreaterThan(1_000)
  expect(await c.isOpen(live, kept, 'store', stays)).toBe(true)
  const after = await c.details(ended)
  expect(after.answers).toHaveLength(1)
  expect(after.log.map((l) => l.act)).toContain('agree')
  // The picture itself is the site's and stays.
  expect((await files.read(first(after.pictures).source)).length).toBeGreaterThan(1_000)
})

test('a month before its last day its steward hears once; the night after it is over by itself', async () => {
  const home = homes[5]!
  const id = await c.asked(home)
  const { version } = await c.details(id)
  await steward.call(casesApi.revise, { body: { id, version, reason: '期限写短一些' } })
  expect((await c.askFor(id, { until: dayAhead(40) })).code).toBe(200)
  expect((await c.onPaper(id, home)).code).toBe(200)
  expect((await c.publish(id)).code).toBe(200)
  const remindNow = async () => {
    await server.sql('UPDATE notifications SET read_at = :now WHERE read_at IS NULL')
    await server.db.tx(SYSTEM, (tx) => remind(tx, home.tenant, caseReminders))
    return told(id)
  }
  expect(await remindNow()).toEqual([])
  server.later(9 * DAY)
  expect(await remindNow()).toEqual([])
  server.later(2 * DAY)
  expect(await remindNow()).toEqual(['steward'])
  expect(await remindNow()).toEqual([])
  server.later(31 * DAY)
  await server.sql('UPDATE notifications SET read_at = :now WHERE read_at IS NULL')
  await expireTonight(server.db, server.now())
  const { list } = await gm.call(casesApi.list, { query: { id } })
  expect(list).toMatchObject([{ state: 'expired' }])
  expect(await told(id)).toContain('steward')
})

test('who can publish hears of the yes, who can release hears when all is masked, and not who did it', async () => {
  const home = homes[6]!
  const id = await c.made(home, 2)
  const [one] = (await c.details(id)).pictures
  await steward.call(casesApi.mask, {
    body: { id: one!.id, version: one!.version, turn: 0, masks: [], clear: true },
  })
  expect(await told(id)).toEqual([])
  await c.maskAll(id)
  const releasers = await told(id)
  expect(releasers).toContain('branch_gm')
  expect(releasers).not.toContain('steward')
  await c.releaseAll(id)
  expect(await told(id)).toEqual([])
  expect((await c.askFor(id)).code).toBe(200)
  await server.sql('DELETE FROM notifications')
  expect((await c.onPaper(id, home)).code).toBe(200)
  expect(await told(id)).toContain('branch_gm')
  expect((await c.publish(id)).code).toBe(200)
  expect(await told(id)).toEqual([])
})

test('whatever the state says, a consent that was taken back elsewhere shows nothing', async () => {
  const home = homes[7]!
  const id = await c.published(home)
  const key = await shown(id)
  expect(await c.isOpen(home, id, 'link', key)).toBe(true)
  await server.sql(
    `UPDATE consents SET state = 3, withdrawn_at = :now, withdrawn_by = '', withdrawn_why = '' WHERE kind = 'case'
       AND subject_id = $1 AND state = 1`,
    [home.contact],
  )
  expect(await c.isOpen(home, id, 'link', key)).toBe(false)
  expect(await c.details(id)).toMatchObject({ state: 'published' })
  expect((await gm.call(casesApi.field, { query: {} })).list.map((k) => k.id)).not.toContain(id)
})

test('the file is the list, in its reach; who may only look has no way to it', async () => {
  const { list } = await gm.call(casesApi.list, { query: { pageSize: 100 } })
  const [head, ...rows] = await cellsOf((await gm.ask(casesApi.export, { query: {} })).bytes)
  expect(rows.map((row) => row[head!.indexOf('标题')]).sort()).toEqual(list.map((k) => k.title).sort())
  expect(list.length).toBeGreaterThan(5)
  expect((await steward.ask(casesApi.export, { query: {} })).msg).toBe('No Permission')
  const far = await server.as('branch_gm2')
  const found = async (who: Person) =>
    (await who.call(api.search.all, { query: { keyword: '南北通透' } })).filter((h) => h.kind === 'case')
      .length
  expect(await found(gm)).toBeGreaterThan(2)
  expect(await found(await server.as('quoter'))).toBe(0)
  const [, ...others] = await cellsOf((await far.ask(casesApi.export, { query: {} })).bytes)
  expect(others.length).toBe((await far.call(casesApi.list, { query: { pageSize: 100 } })).list.length)
})
