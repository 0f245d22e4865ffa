import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

import { warnings } from '../app/warnings.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { roomFor, shareOut } from './room.ts'

let server: TestServer
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.stop())

/** Ends what stands in this database beside the owner: a managed one lets nobody else do that. */
async function end(): Promise<void> {
  const root = new pg.Client({ connectionString: inject('cluster').root })
  await root.connect()
  await root.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = ANY ($2)`,
    [
      new URL(server.ownerUrl).pathname.slice(1),
      [server.logins.app, server.logins.system].map((url) => decodeURIComponent(new URL(url).username)),
    ],
  )
  await root.end()
}
/** How many connections may stand in this database; the owner's own is not counted. */
async function room(limit: number): Promise<void> {
  const [{ name }] = (await server.sql<{ name: string }>('SELECT current_database() AS name')) as [
    { name: string },
  ]
  await server.sql(`ALTER DATABASE "${name}" CONNECTION LIMIT ${limit}`)
}
const connections = async () =>
  (
    await server.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
  )[0]!.n

test('without a free connection those that there are go round, and what is missing is said by its name', async () => {
  const gm = await server.as('branch_gm')
  await gm.call(sitesApi.list)
  await room(await connections())
  const told = await Promise.all(Array.from({ length: 40 }, () => gm.ask(sitesApi.list)))
  expect(told.map(({ code }) => code)).toEqual(Array<number>(40).fill(200))
  await room(0)
  await end()
  const refused = await gm.ask(sitesApi.list)
  expect([refused.status, refused.code]).toEqual([503, 503])
  expect(refused.msg).toMatch(/^(数据库的连接用完了，请稍后再试或告诉管理员|数据库暂时不可用，请稍后再试)/)
  const again = await gm.ask(sitesApi.list)
  expect(again.msg).toContain('数据库的连接用完了')
  expect(again.msg).not.toContain('磁盘')
  await room(-1)
  expect((await gm.ask(sitesApi.list)).code).toBe(200)
})

test('with few connections whoever has none gets one from those who rest: lists and exports come through', async () => {
  const gm = await server.as('branch_gm')
  const admin = await server.as('admin')
  await end()
  // Listeners come back by themselves.
  while ((await connections()) < 4) await new Promise((r) => setTimeout(r, 20))
  await room((await connections()) + 6)
  const lists = await Promise.all(Array.from({ length: 8 }, () => gm.ask(sitesApi.list)))
  expect(lists.map(({ code }) => code)).toEqual(Array<number>(8).fill(200))
  // The lists' connections stand idle now, and exports have none yet.
  for (const def of [sitesApi.export, workersApi.export, alarmsApi.export]) {
    const { status, headers } = await admin.ask(def)
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('spreadsheet')])
  }
  await room(-1)
})

test('pools ask for no more than there is, and a server that will be short says so at its start', async () => {
  expect([1_000, 100, 33, 32, 17, 12, 1].map((there) => shareOut(there, 16))).toEqual([
    { max: 16, exports: 4, asked: 33 },
    { max: 16, exports: 4, asked: 33 },
    { max: 16, exports: 4, asked: 33 },
    { max: 15, exports: 4, asked: 31 },
    { max: 7, exports: 2, asked: 17 },
    { max: 4, exports: 1, asked: 12 },
    { max: 2, exports: 1, asked: 10 },
  ])
  const said = async () =>
    (await roomFor(server.ownerUrl, server.logins, 16)).lines.filter((line) =>
      line.includes('max_connections'),
    )
  await room(17)
  expect(await said()).toEqual([
    expect.stringMatching(
      /^数据库一共给得出 17 个连接，别处正用着 \d+ 个，这个服务最多要用 33 个：先按 17 个安排/,
    ),
  ])
  await room(-1)
})

test('a warning that is a sentence is a line of the log with that sentence; an error has its stack', () => {
  const lines: unknown[][] = []
  const warn = warnings(() => ({ warn: (...line: unknown[]) => void lines.push(line) }))
  warn('/rec/CAM-1/half.mp4：文件不完整，没有收进来')
  warn(new Error('gone'))
  warn('/rec/CAM-1/half.mp4：文件不完整，没有收进来')
  expect(lines).toEqual([
    [{ times: 1 }, '/rec/CAM-1/half.mp4：文件不完整，没有收进来'],
    [{ err: expect.objectContaining({ message: 'gone' }), times: 1 }, 'gone'],
  ])
})
