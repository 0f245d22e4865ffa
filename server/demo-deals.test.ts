import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { expect, test } from 'vitest'

import { dealDemo } from './app/demo-deals.ts'
import { openFileStore } from './features/files/file-store.ts'
import { startTestServer } from './testing/start.ts'

test('the demo’s staff have quoted and signed for a hundred days, in every branch and every state', async () => {
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
        new Set([1, 2, 3, 4, 5, 6]),
      )
    const gm = await server.as('branch_gm')
    const list = await gm.call(quotationsApi.list, { query: { pageSize: 100 } })
    expect(list.totalCount).toBeGreaterThan(70)
    expect(list.list.some((q) => q.expired)).toBe(true)
    const contracts = await server.sql<{ tenant: string; kinds: string[]; two: number }>(
      `SELECT t.name AS tenant, array_agg(DISTINCT k.state || k.signing_progress ORDER BY k.state || k.signing_progress)
         AS kinds, (SELECT count(*)::int FROM (SELECT FROM contracts o WHERE o.tenant_id = t.id
           GROUP BY o.customer_id HAVING count(*) > 1) x) AS two
       FROM contracts k JOIN tenants t ON t.id = k.tenant_id GROUP BY t.id, t.name ORDER BY 1`,
    )
    for (const { kinds, two } of contracts) {
      expect(kinds).toEqual(expect.arrayContaining(['live1', 'live2', 'live3']))
      expect(two).toBeGreaterThan(0)
    }
    // Every site that is under way or has not begun has been signed for.
    const [outside] = await server.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM sites w WHERE w.status IN (1, 2) AND NOT EXISTS (
         SELECT 1 FROM contracts k WHERE k.site_id = w.id AND k.signing_progress = 3)`,
    )
    expect(outside!.n).toBe(0)
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
