import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { expect, test } from 'vitest'

import { dealDemo } from './app/demo-deals.ts'
import { openFileStore } from './features/files/file-store.ts'
import { startTestServer } from './testing/start.ts'

test('the demo’s staff have quoted for a hundred days, in every branch and every state', async () => {
  const server = await startTestServer()
  try {
    const files = openFileStore(server.dataDir)
    await dealDemo(server.logins, { files, secretKey: server.secretKey, now: server.now() })
    const states = await server.sql<{ tenant: string; status: number; n: number }>(
      `SELECT t.name AS tenant, q.status, count(*)::int AS n
       FROM quotations q JOIN tenants t ON t.id = q.tenant_id GROUP BY 1, 2 ORDER BY 1, 2`,
    )
    for (const tenant of ['筑家装饰集团', '安居美家集团'])
      expect(new Set(states.filter((s) => s.tenant === tenant).map((s) => s.status))).toEqual(
        new Set([1, 2, 3, 4, 6]),
      )
    const gm = await server.as('branch_gm')
    const list = await gm.call(quotationsApi.list, { query: { pageSize: 100 } })
    expect(list.totalCount).toBe(72)
    expect(list.list.some((q) => q.expired)).toBe(true)
    const [wrong] = await server.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM quotation_versions v
       WHERE v.total <> v.package + v.removed + v.adjusted + v.added + v.discount
         OR v.added <> (SELECT coalesce(sum(round(l.priced * l.price, 2)), 0) FROM quotation_lines l
           WHERE l.version_id = v.id AND l.counts AND l.attribute = 3)`,
    )
    expect(wrong!.n).toBe(0)
  } finally {
    await server.stop()
  }
}, 120_000)
