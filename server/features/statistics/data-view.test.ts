import { rolesApi } from '@zhuguan/contract/features/roles/roles.api.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../../testing/device.ts'
import { startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const sum = <R extends Record<string, unknown>>(rows: readonly R[], key: keyof R) =>
  rows.reduce((n, r) => n + Number(r[key]), 0)

test('the screen says what 每日监控 says, and how tidy the sites are by a count of our own', async () => {
  const ops = await server.as('hq_ops')
  const view = await ops.call(statisticsApi.dataView, { query: {} })
  const monitor = await ops.call(statisticsApi.monitor, { query: {} })
  expect(view.today.branches).toEqual(monitor.branches)
  expect(view.today.hours).toEqual(monitor.hours)
  const [own] = await server.sql<{ n: number; ok: number; poor: number; none: number }>(
    `SELECT count(*)::int AS n, sum((tidiness = 1)::int)::int AS ok, sum((tidiness = 3)::int)::int AS poor,
       sum((tidiness IS NULL)::int)::int AS none
     FROM sites WHERE status = 1 AND tenant_id = (SELECT tenant_id FROM users WHERE user_name = 'hq_ops')`,
  )
  const { tidiness } = view
  expect(sum(tidiness, 'none')).toBe(own!.none)
  expect(sum(tidiness, 'excellent')).toBe(own!.ok ?? 0)
  expect(sum(tidiness, 'poor')).toBe(own!.poor ?? 0)
  expect(['excellent', 'good', 'poor', 'none'].reduce((n, k) => n + sum(tidiness, k as 'good'), 0)).toBe(
    own!.n,
  )
})

test('a branch sees its own branch, one of them by name sees it alone, another group nothing', async () => {
  const gm = await server.as('branch_gm')
  const mine = await gm.call(statisticsApi.dataView, { query: {} })
  expect(mine.today.branches.map((b) => b.bc_name)).toEqual(['杭州分公司'])
  expect(mine.tidiness.map((t) => t.city)).toEqual(['杭州'])
  const ops = await server.as('hq_ops')
  const whole = await ops.call(statisticsApi.dataView, { query: {} })
  const ningbo = whole.today.branches.find((b) => b.bc_name === '宁波分公司')!
  const one = await ops.call(statisticsApi.dataView, { query: { bc_id: ningbo.bc_id } })
  expect(one.today.branches).toEqual([ningbo])
  expect((await gm.call(statisticsApi.dataView, { query: { bc_id: ningbo.bc_id } })).tidiness).toEqual([])
  const steward = await server.as('steward')
  expect((await steward.ask(statisticsApi.dataView, { query: {} })).code).toBe(401)
})

test('a picture and a name come with the right to open their list, and only where it reaches', async () => {
  const camera = server.devices.find((d) => d.type === 'camera')!
  await report(server.url, camera, [
    { id: 'dv1', kind: 'alarm', at: seconds() - 5, type: 'smoking', confidence: 0.9 },
  ])
  const seen = async () => {
    const who = await server.as('branch_gm')
    return who.call(statisticsApi.dataView, { query: {} })
  }
  const before = await seen()
  const raised = sum(before.today.branches, 'raised')
  expect(before.today.alarms.length).toBe(Math.min(12, raised))
  expect(raised).toBeGreaterThan(0)
  // Without the page of alarms the number stays, what was seen does not.
  const admin = await server.as('admin')
  const { list } = await admin.call(rolesApi.list, { query: { keyword: 'branch_gm', pageSize: 50 } })
  const role = list.find((r) => r.code === 'branch_gm')!
  const d = await admin.call(rolesApi.details, { query: { id: role.id } })
  const [page] = await server.sql<{ id: string }>(
    `SELECT p.id FROM pages p JOIN roles r ON r.tenant_id = p.tenant_id
     WHERE r.id = $1 AND p.component_name = 'AlarmEvent'`,
    [role.id],
  )
  const { code, name, dataScope, remark, status, roundOff, givePercent, version } = d
  const pageIds = d.pageIds.filter((id) => id !== page!.id)
  expect(pageIds.length).toBe(d.pageIds.length - 1)
  const labels = d.labels.filter((label) => !label.startsWith('alarm:'))
  await admin.call(rolesApi.edit, {
    body: {
      id: d.id,
      version,
      code,
      name,
      dataScope,
      remark,
      status,
      roundOff,
      givePercent,
      pageIds,
      labels,
    },
  })
  const after = await seen()
  expect(after.today.alarms).toEqual([])
  expect(sum(after.today.branches, 'raised')).toBe(raised)
})
