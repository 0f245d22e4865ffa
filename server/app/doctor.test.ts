import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { filesFolder } from '../kit/own-place.ts'
import { ROOT } from '../kit/paths.ts'
import { childEnv, WATCHED } from '../testing/children.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { runAtMachineTime } from '../testing/time.ts'
import { refuseOtherFiles } from './files-mark.ts'
import { refuseOtherKey } from './installation.ts'

runAtMachineTime()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await refuseOtherKey(server.db, server.secretKey, server.dataDir)
  await refuseOtherFiles(server.db, filesFolder(server.dataDir), () => {})
})
afterAll(() => server.stop())

/** The page by its lines' names, and how the command ended. */
const doctor = (more: Record<string, string> = {}) =>
  new Promise<{ status: number; lines: Record<string, string>; last: string }>((resolve) => {
    const env = childEnv({ DATABASE_URL: server.ownerUrl, DATA_DIR: server.dataDir, ...more })
    const args = [...WATCHED, join(ROOT, 'server', 'cli.ts'), 'doctor']
    execFile(process.execPath, args, { encoding: 'utf8', env }, (error, stdout) => {
      const all = stdout.trim().split('\n')
      const lines = all.slice(0, -1).map((line) => /^(. [^：]+)：(.*)$/.exec(line)!.slice(1, 3))
      resolve({
        status: error ? Number(error.code ?? 1) : 0,
        lines: Object.fromEntries(lines) as Record<string, string>,
        last: all.at(-1)!,
      })
    })
  })

test('a page says what is set, reached and late, and ends with 1 while something is wrong', async () => {
  const before = await server.sql('SELECT count(*)::int AS n FROM user_logs')
  const first = await doctor()
  expect(first).toMatchObject({ status: 1, last: '1 处不对' })
  expect(first.lines).toMatchObject({
    '✓ 数据库': expect.stringMatching(/^PostgreSQL \d+，库 .+，\d+ MB$/),
    '✓ 迁移': expect.stringMatching(/^\d+ 个都执行过$/),
    '✓ 密钥': '是这个库的',
    '✓ 文件': expect.stringContaining(`${join(server.dataDir, 'files')}，`),
    '✗ 备份': '还没有备份过',
    '✓ 定时的工作': expect.stringMatching(/^\d+ 种，都按时$/),
    '✓ 操作日志': expect.stringMatching(/^2 个集团 \d+ 行，没有被改动$/),
    '– 设备 MQTT': '没有设 MQTT_URL',
    '– 视频网关': '没有设 VIDEO_GATEWAY',
    '– 邮件': '没有设 MAIL_URL',
  })
  await server.sql(`INSERT INTO backups (at, rows, files, bytes) VALUES (:now - interval '3 hours', 1, 1, 1)`)
  const broker = createServer((socket) => socket.end())
  await new Promise<void>((done) => broker.listen(0, '127.0.0.1', done))
  const { port } = broker.address() as AddressInfo
  const well = await doctor({ MQTT_URL: `mqtt://127.0.0.1:${port}` })
  await new Promise((done) => broker.close(done))
  expect(well).toMatchObject({ status: 0, last: '都正常' })
  expect(well.lines).toMatchObject({ '✓ 备份': '上次在 3 小时前', '✓ 设备 MQTT': `127.0.0.1:${port}` })
  expect(await server.sql('SELECT count(*)::int AS n FROM user_logs')).toEqual(before)
}, 120_000)

test('each thing that is wrong has its line, and the others have theirs', async () => {
  await server.sql(`UPDATE backups SET at = :now - interval '60 hours'`)
  await server.sql(
    `UPDATE job_runs SET failures = 3, error = '磁盘满了' WHERE kind = (SELECT min(kind) FROM job_runs)`,
  )
  await rm(join(server.dataDir, 'files', 'installation'))
  const closed = 'mqtt://127.0.0.1:9'
  const told = await doctor({
    MQTT_URL: closed,
    VIDEO_GATEWAY: 'http://127.0.0.1:9/{sn}/whep',
    MAIL_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'no-reply@example.com',
  })
  expect(told).toMatchObject({ status: 1, last: '6 处不对' })
  expect(told.lines).toMatchObject({
    '✗ 备份': '上次在 60 小时前，超过 48 小时',
    '✗ 文件': expect.stringContaining('没有这个安装的记号'),
    '✗ 定时的工作': expect.stringMatching(/ 连续失败 3 次（磁盘满了）$/),
    '✗ 设备 MQTT': '127.0.0.1:9 连不上',
    '✗ 视频网关': '127.0.0.1:9 连不上',
    '✗ 邮件': '127.0.0.1:9 连不上',
  })
  await server.sql(
    `UPDATE job_runs SET failures = 0, succeeded_at = :now - interval '30 hours'
     WHERE kind = (SELECT min(kind) FROM job_runs)`,
  )
  await server.sql(`DELETE FROM schema_migrations WHERE name LIKE '0814%'`)
  const older = await doctor({ DATA_DIR: join(server.dataDir, 'elsewhere') })
  expect(older.status).toBe(1)
  expect(older.lines).toMatchObject({
    '✗ 迁移': '还有 1 个没有执行，启动一次服务就会执行',
    '✗ 密钥': expect.stringContaining('secret.key 不在'),
    '✗ 定时的工作': expect.stringMatching(/^超过 26 小时没有做成：/),
    '– 操作日志': '迁移以后再查',
  })
  const away = await doctor({ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' })
  expect(away.status).toBe(1)
  expect(away.lines).toMatchObject({ '✗ 数据库': expect.stringContaining('连不上') })
}, 120_000)
