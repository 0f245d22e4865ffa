import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { clocksOf, dueAfter } from './business-time.reads.ts'

let server: TestServer
let gm: Person
let branches: { bc_id: string; code: string; tenant_id: string }[]
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  branches = await server.sql('SELECT bc_id, code, tenant_id FROM companies ORDER BY code')
})
afterAll(() => server.stop())

/** 2026-11-20 was a Friday; every group of the demo works 07:30–18:00. */
const FRIDAY = new Date('2026-11-20T17:00:00+08:00')
const due = async (bc: string, tenant = gm.tenant) =>
  (
    await server.db.tx(SYSTEM, (tx) => dueAfter(tx, tenant, bc, 'correctionHours.smoking', FRIDAY))
  ).toISOString()

test('a branch’s hours and rest days steer its own clocks, and no other’s', async () => {
  const [mine, next] = branches.filter((b) => b.tenant_id === gm.tenant)
  const elsewhere = branches.find((b) => b.tenant_id !== gm.tenant)!
  const usual = '2026-11-23T01:30:00.000Z'
  expect(await due(mine!.bc_id)).toBe(usual)
  await (
    await server.as('admin')
  ).call(api.settings.update, {
    body: {
      bcId: mine!.bc_id,
      values: { workStart: '09:00', workEnd: '17:30', restDays: [0, 6], 'correctionHours.smoking': 2 },
    },
  })
  // Half an hour on Friday, an hour and a half on Monday.
  expect(await due(mine!.bc_id)).toBe('2026-11-23T02:30:00.000Z')
  expect(await due(next!.bc_id)).toBe(usual)
  expect(await due(elsewhere.bc_id, elsewhere.tenant_id)).toBe(usual)
  const clocks = await server.db.tx(SYSTEM, (tx) =>
    clocksOf(
      tx,
      'correctionHours.smoking',
      branches.map((b) => ({ tenant: b.tenant_id, bc: b.bc_id })),
    ),
  )
  for (const b of branches)
    expect(clocks.due(b.bc_id, FRIDAY).toISOString()).toBe(await due(b.bc_id, b.tenant_id))
})
