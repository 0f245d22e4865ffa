import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import { managersApi } from '@zhuguan/contract/features/managers/managers.api.ts'
import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { cellsOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person, service: Person, inspector: Person
let homes: { site: string; steward: string; pm: string }[]
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  service = await server.as('service')
  inspector = await server.as('inspector')
  homes = await server.sql(
    `SELECT w.id AS site, s.id AS steward, m.id AS pm FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     JOIN users m ON m.id = w.manager_id AND m.user_name = 'pm'
     WHERE w.status = 1 ORDER BY w.code`,
  )
})
afterAll(() => server.stop())

const complain = async (site: string, more: object = {}) =>
  (
    await service.call(feedbackApi.enter, {
      body: {
        site_id: site,
        kind: 'complaint',
        level: 1,
        about: 'work',
        channel: 'phone',
        words: '墙面不平',
        pictures: [],
        ...more,
      },
    })
  ).id
const managers = async (who: Person) => (await who.call(managersApi.list, { query: { pageSize: 100 } })).list
const counted = async (id: string, who = gm) => (await managers(who)).find((m) => m.id === id)!.complaints

test('complaints of a manager are those of their homes and about them, as the list behind the figure', async () => {
  const [{ site, steward, pm }, other] = [homes[0]!, homes[1]!] as const
  const before = await counted(steward)
  const first = await complain(site)
  await complain(other.site, { about: 'person', about_id: pm, words: '经理不接电话' })
  await complain(site, { kind: 'praise', words: '师傅很好' })
  expect(await counted(steward)).toBe(before! + 2)
  const day = shanghaiDay(server.now())
  const behind = async (id: string, who = gm) =>
    (
      await who.call(feedbackApi.list, {
        query: {
          kind: 'complaint',
          status: '1,2,3',
          manager_id: id,
          from: Date.parse(`${addDays(day, -29)}T00:00:00+08:00`) / 1000,
        },
      })
    ).totalCount
  for (const m of (await managers(gm)).filter((one) => one.complaints))
    expect([m.nickname, m.complaints]).toEqual([m.nickname, await behind(m.id)])
  // The last of thirty days counts, the day before it does not, and what was cancelled is none.
  const enteredOn = (days: number) =>
    server.sql(
      `UPDATE feedback SET entered_at = ($2::timestamp AT TIME ZONE 'Asia/Shanghai') WHERE id = $1`,
      [first, addDays(day, days)],
    )
  await enteredOn(-29)
  expect([await counted(pm), await behind(pm)]).toEqual([before! + 2, before! + 2])
  await enteredOn(-30)
  expect([await counted(pm), await behind(pm)]).toEqual([before! + 1, before! + 1])
  await enteredOn(0)
  const { version } = await gm.call(feedbackApi.details, { query: { id: first } })
  await gm.call(feedbackApi.cancel, {
    body: { id: first, version, cause: 'withdrawn', reason: '业主撤回了' },
  })
  expect([await counted(pm), await behind(pm)]).toEqual([before! + 1, before! + 1])
  // Supervision says the same of the same days, also when the home has gone to somebody else since.
  const [place] = await server.sql<{ bc_id: string; version: number; role: string }>(
    `SELECT w.bc_id, w.version, r.id AS role FROM sites w
     JOIN roles r ON r.tenant_id = w.tenant_id AND r.code = 'pm'
     WHERE w.id = $1`,
    [site],
  )
  const { id: next } = await gm.call(accountsApi.add, {
    body: { userName: 'pm9', nickname: '新经理', bc_id: place!.bc_id, post: 2, roles: [place!.role] },
  })
  await complain(site)
  // A home that was finished long ago complains as well, of whoever leads it.
  await server.sql(`UPDATE sites SET status = 4, actual_finish = :today - 200 WHERE id = $1`, [
    homes[3]!.site,
  ])
  await complain(homes[3]!.site)
  await gm.call(sitesApi.people, {
    body: { id: site, version: place!.version, steward_id: steward, manager_id: next },
  })
  const supervised = (
    await gm.call(supervisionApi.people, { query: { pageSize: 100, from: addDays(day, -29), to: day } })
  ).list
  const both = (await managers(gm)).map((m) => [m.nickname, m.complaints])
  expect(both).toEqual(expect.arrayContaining(supervised.map((m) => [m.nickname, m.complaints])))
  expect(both).toContainEqual(['新经理', 0])
  expect(await counted(pm)).toBe(before! + 3)
})

test('what is kept from its subject is in no figure of theirs; who may not read feedback has no figure', async () => {
  const { site, steward } = homes[2]!
  const him = await server.as('steward')
  const [his, known] = [await counted(steward, him), await counted(steward)]
  await complain(site, { about: 'person', about_id: steward, words: '管家不接电话' })
  expect([await counted(steward, him), await counted(steward)]).toEqual([his, known! + 1])
  expect(new Set((await managers(inspector)).map((m) => m.complaints))).toEqual(new Set([null]))
  await server.sql(
    `INSERT INTO role_powers (tenant_id, role_id, label)
     SELECT r.tenant_id, r.id, 'manager:export' FROM roles r WHERE r.code = 'inspector'
     ON CONFLICT DO NOTHING`,
  )
  const headings = async (who: Person) =>
    (await cellsOf((await who.ask(managersApi.export, { query: {} })).bytes))[0]!
  expect((await headings(gm)).join()).toMatch(/投诉数/)
  const theirs = await headings(await server.as('inspector'))
  expect([theirs[0], theirs.join().includes('投诉')]).toEqual(['姓名', false])
})

test('patrols of a manager are those that they handed in, as the list behind the figure', async () => {
  const { pm, steward, site } = homes[0]!
  await server.sql('DELETE FROM patrol_items')
  await server.sql('DELETE FROM patrols')
  const day = shanghaiDay(server.now())
  let n = 0
  const patrol = (who: string, at: string, status = 2) =>
    server.sql(
      `INSERT INTO patrols (tenant_id, id, number, bc_id, site_id, kind, inspector_id, begun_at, submitted_at, status)
       SELECT tenant_id, gen_random_uuid(), $2, bc_id, id, 'scene', $3, $4::timestamptz,
         CASE WHEN $5::int = 2 THEN $4::timestamptz END, $5
       FROM sites WHERE id = $1`,
      [site, `M${++n}`, who, at, status],
    )
  const midnight = `${day}T00:00:00+08:00`
  const month = `${day.slice(0, 7)}-01T00:00:00+08:00`
  await patrol(pm, midnight)
  await patrol(pm, midnight)
  await patrol(pm, month)
  await patrol(pm, new Date(Date.parse(month) - 1000).toISOString())
  // Not handed in, and somebody else's.
  await patrol(pm, midnight, 1)
  await patrol(steward, midnight)
  const isFirst = day.endsWith('-01')
  const row = async (who: Person, id = pm) => (await managers(who)).find((m) => m.id === id)!
  expect(await row(gm)).toMatchObject({ patrolsToday: isFirst ? 3 : 2, patrolsMonth: 3 })
  expect(await row(gm, steward)).toMatchObject({ patrolsToday: 1, patrolsMonth: 1 })
  const from = (since: string) => Date.parse(since) / 1000
  for (const m of await managers(gm))
    for (const [since, figure] of [
      [midnight, m.patrolsToday],
      [month, m.patrolsMonth],
    ] as const)
      expect(
        (await gm.call(patrolsApi.list, { query: { user_id: m.id, status: 2, from: from(since) } }))
          .totalCount,
      ).toBe(figure)
  const sorted = await gm.call(managersApi.list, { query: { sort: '-patrolsMonth' } })
  expect(sorted.list[0]!.id).toBe(pm)
  // Who may not open the list of patrols has no figure of them, nor a column in the file.
  await server.sql(
    `DELETE FROM role_pages g USING roles r, pages p
     WHERE r.id = g.role_id AND r.code = 'branch_gm' AND p.id = g.page_id AND p.component_name = 'PatrolRecord'`,
  )
  await server.sql(`SELECT pg_notify('access', '')`)
  await expect.poll(async () => (await row(gm)).patrolsMonth).toBeNull()
  const headings = (await cellsOf((await gm.ask(managersApi.export, { query: {} })).bytes))[0]!.join()
  expect([headings.includes('巡检'), headings.includes('投诉数')]).toEqual([false, true])
})
