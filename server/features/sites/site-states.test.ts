import { siteActions } from '@zhuguan/contract/features/sites/sites.actions.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('a site under construction keeps a steward and a manager: neither is taken away', async () => {
  const gm = await server.as('branch_gm')
  const site = (await gm.call(sitesApi.list, { query: { status: [1], pageSize: 1 } })).list[0]!
  const lead = { steward_id: site.steward_id, manager_id: site.manager_id }
  for (const [without, field] of [
    [{ steward_id: null }, 'steward_id'],
    [{ manager_id: null }, 'manager_id'],
    [{ steward_id: null, manager_id: null }, 'steward_id'],
  ] as const) {
    const body = { id: site.id, version: site.version, ...lead, ...without }
    expect(await gm.ask(sitesApi.people, { body })).toMatchObject({
      code: 400,
      msg: '在建工地须同时有项目管家和项目经理',
      data: { fields: { [field]: '在建工地须同时有项目管家和项目经理' } },
    })
  }
})

test('a site moves as its table of actions says: begun, finished, its contract ended; a second hand on the same version is told', async () => {
  const gm = await server.as('branch_gm')
  const [site] = await server.sql<{ id: string; version: number }>(
    `SELECT id, version FROM sites WHERE code LIKE 'GDHZ%' AND status = 2 AND manager_id IS NOT NULL AND steward_id IS NOT NULL LIMIT 1`,
  )
  const { id, version } = site!
  const to = async (action: keyof typeof siteActions.table, at: number, reason = '') =>
    gm.ask(sitesApi.state, {
      body: { id, version: at, action, reason, plannedFinish: addDays(shanghaiDay(server.now()), 90) },
    })
  expect((await to('start', version, '合同后补')).code).toBe(200)
  expect(await to('start', version, '合同后补')).toMatchObject({ code: 409 })
  expect(await to('finish', version + 1)).toMatchObject({
    code: 409,
    msg: expect.stringContaining('竣工验收'),
  })
  await server.sql('UPDATE sites SET progress = 100 WHERE id = $1', [id])
  expect((await to('finish', version + 1)).code).toBe(200)
  expect(await gm.call(sitesApi.details, { query: { id } })).toMatchObject({
    status: siteStatus.code.finished,
    stage: expect.any(String),
    actualFinish: expect.stringMatching(/^\d{4}-/),
  })
  const [other] = await server.sql<{ id: string; version: number }>(
    `SELECT id, version FROM sites WHERE code LIKE 'GDHZ%' AND status = 1 LIMIT 1`,
  )
  const end = (reason: string) =>
    gm.ask(sitesApi.state, { body: { id: other!.id, version: other!.version, action: 'terminate', reason } })
  expect(await end('')).toMatchObject({ code: 400, data: { fields: { reason: expect.any(String) } } })
  expect((await end('业主退单')).code).toBe(200)
})
