import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { dealDemo } from './app/demo-deals.ts'
import { openFileStore } from './features/files/file-store.ts'
import { startTestServer, type TestServer } from './testing/start.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const files = openFileStore(server.dataDir)
  const most = { sites: 0, deals: 0, delivered: 0 }
  await dealDemo(server.logins, { files, secretKey: server.secretKey, now: server.now(), most })
}, 120_000)
afterAll(() => server.stop())

test('in both groups of the demo promises stand in every state, and their rates are of enough of them', async () => {
  for (const name of ['branch_gm', 'branch_gm2', 'other']) {
    const who = await server.as(name)
    const { list } = await who.call(api.promises.list, { query: { pageSize: 100 } })
    const states = new Set(list.map((p) => p.state))
    expect([...states].toSorted(), name).toEqual(['broken', 'extended', 'kept', 'open', 'withdrawn'])
    expect(list.some((p) => p.objected) && list.some((p) => p.state === 'open' && p.lateDays), name).toBe(
      true,
    )
    expect(
      list.some((p) => p.extensions === 2),
      name,
    ).toBe(true)
    const rates = await who.call(api.promises.rates, { query: {} })
    expect(rates.first.n, name).toBeGreaterThanOrEqual(5)
    expect(rates.first.kept, name).toBeLessThan(rates.first.n)
    const { figures } = await who.call(api.home.cards)
    expect(figures.find((f) => f.card === 'promises')!.value, name).toBeGreaterThan(0)
  }
})

test('in both groups of the demo homes wait for an answer, one of them too long, and others have theirs', async () => {
  for (const name of ['branch_gm', 'branch_gm2', 'other']) {
    const who = await server.as(name)
    const { list } = await who.call(api.owners.list, { query: { waiting: true, sort: ['waitingSince'] } })
    expect(
      list.map((h) => h.replyLate),
      name,
    ).toEqual([true, false])
    const thread = await who.call(api.threads.details, { query: { site_id: list[0]!.id } })
    expect(thread.templates.length, name).toBeGreaterThan(2)
    const lines = await server.sql<{ kind: string; side: string }>(
      `SELECT DISTINCT m.kind, m.side FROM thread_messages m
       JOIN users u ON u.tenant_id = m.tenant_id AND u.user_name = $1`,
      [name],
    )
    expect(lines, name).toHaveLength(3)
  }
})

test('in both groups owners are asked: overdue, answered, withdrawn and asked anew', async () => {
  for (const name of ['branch_gm', 'branch_gm2', 'other']) {
    const who = await server.as(name)
    const { list } = await who.call(api.questions.list, { query: { pageSize: 100 } })
    const states = new Set(list.map((q) => q.state))
    expect([...states].toSorted(), name).toEqual(['answered', 'open', 'withdrawn'])
    expect(
      list.some((q) => q.lateDays && q.stage && q.pictures.length === 1),
      name,
    ).toBe(true)
    expect(list.filter((q) => q.againOf).length, name).toBe(1)
    expect(
      list.some((q) => q.state === 'answered' && q.costs && q.answers[0]!.recordedBy),
      name,
    ).toBe(true)
    const { figures } = await who.call(api.home.cards)
    expect(figures.find((f) => f.card === 'questions')!.parts[0]!.value, name).toBeGreaterThan(0)
  }
})
