import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { companiesApi } from '@zhuguan/contract/features/companies/companies.api.ts'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { refuseOtherKey } from './app/installation.ts'
import { writeBackup } from './database/backup-file.ts'
import { seal } from './kit/secret.ts'
import { childEnv, WATCHED } from './testing/children.ts'
import { report } from './testing/device.ts'
import { interrupted } from './testing/interrupted.ts'
import { sha256, startTestServer, type TestServer } from './testing/start.ts'
import { seconds } from './testing/time.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** Not spawnSync: the server under test lives in this process and must go on, or its open transaction holds the command up. */
const cli = (...args: string[]) => cliIn(server.dataDir, ...args)
const cliIn = (dataDir: string, ...args: string[]) =>
  new Promise<{ status: number; answer: Record<string, unknown> | null; why: string }>((resolve) => {
    const env = childEnv({ DATABASE_URL: server.ownerUrl, DATA_DIR: dataDir })
    execFile(
      process.execPath,
      [...WATCHED, join(import.meta.dirname, 'cli.ts'), ...args],
      { encoding: 'utf8', env },
      (error, stdout, stderr) => {
        const status = error ? Number(error.code ?? 1) : 0
        resolve({
          status,
          answer: status === 0 ? (JSON.parse(stdout) as Record<string, unknown>) : null,
          why: stderr.trim(),
        })
      },
    )
  })

test('a device that is added can report at once; a second of its number, a wrong type and an unknown site are refused', async () => {
  const { answer } = await cli('device', 'add', '--sn', 'CLI-1', '--type', 'camera', '--site', 'GDHZ001')
  const sent = await report(server.url, answer as { sn: string; secret: string }, [
    { id: 'x', kind: 'alarm', at: seconds(), type: 'smoking', confidence: 0.9 },
  ])
  expect(sent.data.accepted).toBe(1)
  expect(await cli('device', 'add', '--sn', 'CLI-1', '--type', 'camera', '--site', 'GDHZ001')).toMatchObject({
    status: 1,
    why: '序列号 CLI-1 已存在',
  })
  expect(
    (await cli('device', 'add', '--sn', 'CLI-3', '--type', 'camera', '--branch', 'HZ')).answer,
  ).toMatchObject({ sn: 'CLI-3' })
  expect(
    await server.sql(
      `SELECT c.code, d.site_id FROM devices d JOIN companies c ON c.bc_id = d.bc_id WHERE d.sn = 'CLI-3'`,
    ),
  ).toEqual([{ code: 'HZ', site_id: null }])
  expect((await cli('device', 'add', '--sn', 'CLI-2', '--type', 'toaster', '--site', 'GDHZ001')).status).toBe(
    1,
  )
  expect((await cli('device', 'add', '--sn', 'CLI-2', '--type', 'camera', '--site', 'NOWHERE')).why).toBe(
    '没有编号为 NOWHERE 的工地',
  )
})

test('a group begins with its menus, its roles and an administrator who does the rest', async () => {
  const { answer } = await cli('tenant', 'add', '--name', '新筑装修集团', '--admin', 'boss')
  expect(answer).toMatchObject({ tenant: '新筑装修集团', admin: 'boss' })
  const boss = await server.as('boss', String(answer!.password))
  const info = await boss.call(sessionApi.permissionInfo)
  expect(info.user.mustChange).toBe(true)
  await boss.call(sessionApi.updatePassword, {
    body: {
      user_id: info.user.id,
      oldPassword: sha256(String(answer!.password)),
      newPassword: sha256('Founder77'),
    },
  })
  const { id } = await boss.call(companiesApi.add, {
    body: { bc_name: '第一分公司', code: 'ONE', city: '杭州' },
  })
  await boss.call(sitesApi.add, { body: { ws_name: '第一个工地', bc_id: id, address: '某路 1 号' } })
  expect((await boss.call(sitesApi.list)).totalCount).toBe(1)
  expect(await cli('tenant', 'add', '--name', '新筑装修集团', '--admin', 'boss2')).toMatchObject({
    status: 1,
    why: '集团 新筑装修集团 已存在',
  })
  expect((await cli('tenant', 'add', '--name', '又一个', '--admin', 'boss')).why).toBe('账号 boss 已存在')
})

test('a new user signs in; a reset password ends their sessions', async () => {
  expect(
    (
      await cli(
        'user',
        'add',
        '--name',
        'zhang',
        '--nickname',
        '张三',
        '--role',
        'inspector',
        '--branch',
        'HZ',
        '--password',
        'Abc123',
      )
    ).status,
  ).toBe(0)
  const zhang = await server.as('zhang', 'Abc123')
  expect((await zhang.call(sitesApi.list)).totalCount).toBe(18)
  expect((await cli('user', 'password', '--name', 'zhang', '--password', 'Abc999')).answer).toMatchObject({
    sessionsEnded: 1,
  })
  await new Promise((r) => setTimeout(r, 500))
  expect((await zhang.ask(sitesApi.list)).status).toBe(401)
  expect(
    (await server.nobody().ask(sessionApi.login, { body: { username: 'zhang', password: sha256('Abc999') } }))
      .code,
  ).toBe(200)
  expect(await cli('user', 'password', '--name', 'zhang', '--password', '短')).toMatchObject({ status: 1 })
})

test('the log verifies until a line of it is changed', async () => {
  while ((await server.sql('SELECT 1 FROM user_logs WHERE seq IS NULL LIMIT 1')).length)
    await new Promise((r) => setTimeout(r, 50))
  expect((await cli('log', 'verify')).answer).toMatchObject({ ok: true })
  await server.sql(`UPDATE user_logs SET action = '改' WHERE seq = 1`)
  expect(await cli('log', 'verify')).toMatchObject({
    status: 1,
    why: expect.stringContaining('第 1 行被改动'),
  })
})

test('an unknown setting is refused by name', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, MQTT_PROT: '1' },
  })
  expect(status).toBe(1)
  expect(stderr).toContain('不认识的设置：MQTT_PROT')
})

test('a command in another folder makes no key: it says what is missing and does nothing', async () => {
  // The server has said which key the database works with.
  await refuseOtherKey(server.db, server.secretKey, server.dataDir)
  const folder = mkdtempSync(join(tmpdir(), 'zhuguan-cli-'))
  const lost = `请把原来的 secret.key 放到这里`
  for (const args of [
    ['log', 'verify'],
    ['device', 'add', '--sn', 'CLI-9', '--type', 'camera', '--branch', 'HZ'],
    ['backup', '--file', join(folder, 'x.gz')],
    ['tenant', 'export', '示例装修集团', join(folder, 'y.gz')],
  ]) {
    const told = await cliIn(folder, ...args)
    expect([told.status, told.why], args.join(' ')).toEqual([1, expect.stringContaining(lost)])
  }
  writeFileSync(join(folder, 'secret.key'), randomBytes(32).toString('hex'))
  expect((await cliIn(folder, 'log', 'verify')).why).toContain('不是这个库的密钥')
  writeFileSync(join(folder, 'secret.key'), server.secretKey.toString('hex'))
  await server.sql(
    `INSERT INTO files (key, tenant_id, kind, bytes, at) SELECT 'elsewhere', id, 'image', 1, :now FROM tenants LIMIT 1`,
  )
  const backup = await cliIn(folder, 'backup', '--file', join(folder, 'x.gz'))
  expect([backup.status, backup.why]).toEqual([1, expect.stringContaining('没有备份')])
  expect(readdirSync(folder)).toEqual(['secret.key'])
  await server.sql(`DELETE FROM files WHERE key = 'elsewhere'`)
  expect(await server.sql(`SELECT 1 FROM devices WHERE sn = 'CLI-9'`)).toEqual([])
  rmSync(folder, { recursive: true })
}, 600_000)

test('a device whose secret was sealed with another key is nobody; a group with it is not exported', async () => {
  const { answer } = await cli('device', 'add', '--sn', 'CLI-8', '--type', 'camera', '--site', 'GDHZ001')
  const device = answer as { sn: string; secret: string }
  await server.sql(`UPDATE devices SET secret = $1 WHERE sn = 'CLI-8'`, [
    seal(randomBytes(32), device.secret),
  ])
  const sent = await report(server.url, device, [{ id: 'y', kind: 'heartbeat', at: seconds() }])
  expect([sent.status, sent.msg]).toEqual([401, '设备未登记或签名不正确'])
  const [tenant] = await server.sql<{ name: string }>(
    `SELECT t.name FROM tenants t JOIN devices d ON d.tenant_id = t.id WHERE d.sn = 'CLI-8'`,
  )
  const folder = mkdtempSync(join(tmpdir(), 'zhuguan-cli-'))
  const told = await cli('tenant', 'export', tenant!.name, join(folder, 'y.gz'))
  expect([told.status, told.why]).toEqual([1, expect.stringContaining('设备 CLI-8 的密钥读不出来')])
  expect(readdirSync(folder)).toEqual([])
  rmSync(folder, { recursive: true })
}, 600_000)

test('/metrics says when the last good backup was made; one that fails is not counted', async () => {
  const told = async (url: string) =>
    Number(
      /^zhuguan_backup_last_success_timestamp_seconds (\S+)$/m.exec(
        await (await fetch(`${url}/metrics`)).text(),
      )?.[1],
    )
  expect(await told(server.url)).toBe(0)
  const folder = mkdtempSync(join(tmpdir(), 'zhuguan-backed-'))
  expect((await cli('backup', '--file', join(folder, 'no', 'such', 'x.gz'))).status).toBe(1)
  await new Promise((r) => setTimeout(r, 1_100))
  expect(await told(server.url)).toBe(0)
  const before = Date.now() / 1_000
  expect((await cli('backup', '--file', join(folder, 'x.gz'))).status).toBe(0)
  await expect.poll(() => told(server.url), { timeout: 5_000 }).toBeGreaterThan(before - 5)
  expect(await told(server.url)).toBeLessThan(Date.now() / 1_000 + 5)
  rmSync(folder, { recursive: true, force: true })
})

test('a backup that breaks on its way ends with the reason and leaves no part of itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zhuguan-cli-'))
  const broken = writeBackup(join(folder, 'x.gz'), async (to) => {
    await to.head({ migrations: [] })
    await to.rows('sites', `["${randomBytes(3_000_000).toString('hex')}"]`)
    throw new Error('connection lost')
  })
  const ended = Promise.race([broken, pause(10_000, 'it waits for ever', { ref: false })])
  await expect(ended).rejects.toThrow('connection lost')
  expect(readdirSync(folder)).toEqual([])
  rmSync(folder, { recursive: true })
})

test('a command that is interrupted takes along what it has written and says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zhuguan-cli-'))
  const file = join(folder, 'x.gz')
  // Somebody who holds a table keeps the command in its midst.
  for (const [signal, status, args] of [
    ['SIGTERM', 143, ['backup', '--file', file]],
    ['SIGINT', 130, ['backup', '--file', file]],
  ] as const) {
    const holder = new pg.Client({ connectionString: server.ownerUrl })
    await holder.connect()
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE sites IN ACCESS EXCLUSIVE MODE')
    const env = { DATABASE_URL: server.ownerUrl, DATA_DIR: server.dataDir }
    const told = await interrupted(env, signal, () => existsSync(`${file}.part`), ...args)
    await holder.end()
    expect(told).toEqual({ status, said: `命令被中断（${signal}），没有完成；写到一半的文件已经删除` })
    expect(readdirSync(folder)).toEqual([])
  }
  rmSync(folder, { recursive: true })
}, 600_000)

test('a command that finds no file, no folder or no database says which, in Chinese', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zhuguan-cli-'))
  const none = join(folder, 'none.gz')
  expect(await cli('restore', '--file', none)).toMatchObject({
    status: 1,
    why: expect.stringMatching(
      /^备份文件 .*none\.gz 读不出来：文件或文件夹不存在（ENOENT.*；没有改动现有数据$/,
    ),
  })
  expect((await cli('restore', '--file', folder)).why).toContain('读不出来：这里要的是文件，给的是文件夹')
  expect((await cli('backup', '--file', join(folder, 'no', 'x.gz'))).why).toMatch(
    /^文件或文件夹不存在（ENOENT/,
  )
  expect((await cli('backup', '--file', folder)).why).toMatch(/^这里要的是文件，给的是文件夹（EISDIR/)
  if (existsSync('/dev/full')) {
    mkdirSync(join(folder, 'full'))
    symlinkSync('/dev/full', join(folder, 'full', 'x.gz.part'))
    expect((await cli('backup', '--file', join(folder, 'full', 'x.gz'))).why).toMatch(
      /^磁盘已满或出错（ENOSPC/,
    )
  }
  rmSync(folder, { recursive: true })
  rmSync(`${folder}.part`, { force: true })
}, 600_000)
