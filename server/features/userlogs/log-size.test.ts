import { userlogsApi } from '@zhuguan/contract/features/userlogs/userlogs.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Tx } from '../../database/connect.ts'
import { json, row } from '../../kit/row.ts'
import type { SessionUser } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { forget } from '../../testing/told-log.ts'
import { logPage } from './userlogs.queries.ts'
import { sealLog } from './userlogs.service.ts'

let server: TestServer
let admin: Person
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.as('admin')
})
afterAll(() => server.stop())

/** Lines far behind the chain's head, numbered as the sealing numbers them. */
const write = (lines: number) =>
  server.sql(
    `INSERT INTO user_logs (tenant_id, id, at, action, object, seq, hash)
     SELECT $1, gen_random_uuid(), :now - n * interval '1 second', '编辑工地', 'site', m.last + n, ''
     FROM generate_series(1, $2::int) n, (SELECT coalesce(max(seq), 0) AS last FROM user_logs WHERE tenant_id = $1) m`,
    [admin.tenant, lines],
  )
interface Node {
  'Actual Rows': number
  Plans?: Node[]
}
const most = (node: Node): number => Math.max(node['Actual Rows'], ...(node.Plans ?? []).map(most))
/** The most lines that any step of a page of the log looks at. */
async function looked(pageNo: number): Promise<number> {
  const scope = { tenant: admin.tenant, bcs: null, sites: null, user: null }
  const query = { pageNo, pageSize: 20 } as Parameters<typeof logPage>[1]
  let lines = 0
  await server.db.tx(scope, async (tx) => {
    const watched: Tx = {
      ...tx,
      now: tx.now,
      async last(name, columns, text, values) {
        const { rows } = await tx.query(
          `${name}.explain`,
          row({ 'QUERY PLAN': json<[{ Plan: Node }]>() }),
          `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
          values,
        )
        lines = Math.max(lines, most(rows[0]!['QUERY PLAN'][0].Plan))
        return tx.query(name, columns, text, values)
      },
    }
    await pageJson(watched, logPage({ scope, id: '' } as SessionUser, query))
  })
  return lines
}

test('the first page of the log looks at its own lines, and its total is every line', async () => {
  await write(42_000)
  await server.sql('VACUUM ANALYZE user_logs')
  expect(await looked(1)).toBeLessThan(500)

  const { totalCount } = await admin.call(userlogsApi.list)
  const [all] = await server.sql<{ n: number }>(
    'SELECT count(*)::int AS n FROM user_logs WHERE tenant_id = $1',
    [admin.tenant],
  )
  expect([totalCount, all!.n]).toEqual([all!.n, all!.n])
  // With a filter the lines are counted.
  const some = await admin.call(userlogsApi.list, { query: { object: ['site'] } })
  expect(some.totalCount).toBeGreaterThanOrEqual(42_000)
})

test('the last page looks at as few lines, and far pages show every line once, in order', async () => {
  const page = (pageNo: number, pageSize: number) =>
    admin.call(userlogsApi.list, { query: { pageNo, pageSize } })
  const all = await server.sql<{ id: string }>(
    'SELECT id FROM user_logs WHERE tenant_id = $1 ORDER BY at DESC, id DESC',
    [admin.tenant],
  )
  const size = 100
  const last = Math.ceil(all.length / size)
  expect(await looked(Math.ceil(all.length / 20))).toBeLessThan(500)
  for (const pageNo of [1, 52, Math.round(last / 2), Math.round(last / 2) + 1, last - 1, last]) {
    const { list, totalCount } = await page(pageNo, size)
    const wanted = all.slice((pageNo - 1) * size, pageNo * size).map((l) => l.id)
    expect([pageNo, totalCount, list.map((l) => l.id)]).toEqual([pageNo, all.length, wanted])
  }
  expect(await page(last + 1, size)).toMatchObject({ list: [], totalCount: all.length })
  expect(await page(last + 10_000, size)).toMatchObject({ list: [], totalCount: all.length })
})

test('a long log is verified by pieces, and counted over all of them; a made-up place is no beginning', async () => {
  const { secretKey, db } = server
  const { tenant } = admin
  const group = { tenant, bcs: null, sites: null, user: null }
  // What stands there without a hash is taken away while nothing is sealed: the owner of the tables alone can.
  await server.sql(`DO $$ BEGIN
    PERFORM pg_advisory_xact_lock(724002, hashtext('${tenant}'));
    DELETE FROM user_logs WHERE tenant_id = '${tenant}';
    DELETE FROM log_heads WHERE tenant_id = '${tenant}';
  END $$`)
  await server.sql(
    `INSERT INTO user_logs (tenant_id, id, at, action, object, object_id)
     SELECT $1, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, :now - n * interval '1 second',
       '编辑工地', 'site', CASE WHEN n % 2000 = 0 THEN '温可数' ELSE '' END
     FROM generate_series(1, 24000) n`,
    [tenant],
  )
  for (let sealed = 1; sealed > 0;) sealed = await db.tx(group, (tx) => sealLog(tx, tenant, secretKey))
  // In each piece some, and the last line of all.
  expect(await forget(server, tenant, '温可数')).toEqual({ lines: 12, rewritten: 12 })
  const verify = (next: string | null) => admin.call(userlogsApi.verify, { body: { next } })
  const walked = async () =>
    (
      await server.sql<{ after: { ok: boolean; checked: number } }>(
        `SELECT after FROM user_logs WHERE tenant_id = $1 AND object = 'log' AND after IS NOT NULL ORDER BY at`,
        [tenant],
      )
    ).map((l) => l.after)

  const first = await verify(null)
  expect([first.ok, first.checked, first.of >= 24_000]).toEqual([true, 10_000, true])
  expect(await walked()).toEqual([])
  const second = await verify(first.next)
  expect([second.ok, second.checked]).toEqual([true, 20_000])
  // Others are answered meanwhile.
  const asked = verify(second.next)
  const at = performance.now()
  expect((await admin.ask(userlogsApi.chain)).code).toBe(200)
  expect(performance.now() - at).toBeLessThan(2_000)
  const third = await asked
  expect([third.ok, third.next, third.checked >= 24_000]).toEqual([true, null, true])
  expect(await walked()).toEqual([{ ok: true, checked: third.checked, blackened: 12, why: '' }])

  // A place is what this server said of this group's log, and of nothing else.
  const other = await server.as('other')
  for (const [who, next] of [
    [admin, 'x'.repeat(60)],
    [admin, `${first.next!.slice(0, -4)}AAAA`],
  ] as const)
    expect(await who.ask(userlogsApi.verify, { body: { next } })).toMatchObject({
      code: 400,
      msg: '这次校验不能接着做，请从头开始',
    })
  expect(await other.ask(userlogsApi.verify, { body: { next: first.next } })).toMatchObject({ code: 400 })

  await server.sql(`UPDATE user_logs SET action = '改' WHERE tenant_id = $1 AND seq = 15000`, [tenant])
  const held = await verify(null)
  expect(await verify(held.next)).toMatchObject({ ok: false, why: '第 15000 行被改动', next: null })
  expect((await admin.call(userlogsApi.chain)).verified).toMatchObject({ ok: false, checked: 15_000 })
  await server.sql(`UPDATE user_logs SET action = '编辑工地' WHERE tenant_id = $1 AND seq = 15000`, [tenant])
  // Nothing is written behind the gap meanwhile.
  await server.sql('DELETE FROM user_logs WHERE tenant_id = $1 AND coalesce(seq, 99999) > 23000', [tenant])
  expect(await verify(first.next)).toMatchObject({ ok: true })
  expect(await verify(second.next)).toMatchObject({ ok: false, why: '末尾的记录被删除' })
})
