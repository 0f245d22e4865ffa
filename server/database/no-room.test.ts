import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { warnings } from '../app/warnings.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'

let server: TestServer
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.stop())

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
  await server.sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename <> current_user`,
  )
  const refused = await gm.ask(sitesApi.list)
  expect([refused.status, refused.code]).toEqual([503, 503])
  expect(refused.msg).toMatch(/^(数据库的连接用完了，请稍后再试或告诉管理员|数据库暂时不可用，请稍后再试)/)
  const again = await gm.ask(sitesApi.list)
  expect(again.msg).toContain('数据库的连接用完了')
  expect(again.msg).not.toContain('磁盘')
  await room(-1)
  expect((await gm.ask(sitesApi.list)).code).toBe(200)
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
