import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'

import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { usersApi } from '@zhuguan/contract/features/users/users.api.ts'
import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { childEnv, WATCHED } from '../testing/children.ts'
import { freshDatabase } from '../testing/database.ts'
import { report } from '../testing/device.ts'
import { interruptedAt } from '../testing/interrupted.ts'
import { LINES } from '../testing/lines.ts'
import { serve } from '../testing/process.ts'
import { startTestServer } from '../testing/start.ts'
import { runAtMachineTime, seconds } from '../testing/time.ts'
import { forget } from '../testing/told-log.ts'
import { startEmbedded } from './embedded.ts'
import { restore } from './restore.ts'

// Its servers are processes of their own and run at the machine's time: so does the story.
runAtMachineTime()

const HERE = join(import.meta.dirname, '..')
const FORTY = '1234567890123456789012345678901234567.891'
const PICTURE = Buffer.concat([Buffer.from('a picture of '), Buffer.alloc(3 * 1024 * 1024 + 17, 7)])
const LONG_AGO = '2024-05-21T02:00:00Z'

const folder = mkdtempSync(join(tmpdir(), 'zhuguan-backup-'))
chmodSync(folder, 0o755)
const file = join(folder, 'backup.gz')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const cli = (env: Record<string, string>, ...args: string[]) =>
  new Promise<{ status: number; answer: Record<string, unknown> | null; why: string }>((resolve) => {
    execFile(
      process.execPath,
      [...WATCHED, join(HERE, 'cli.ts'), ...args],
      { encoding: 'utf8', env: childEnv(env) },
      (error, stdout, stderr) =>
        resolve({
          status: error ? Number(error.code ?? 1) : 0,
          answer: error ? null : (JSON.parse(stdout) as Record<string, unknown>),
          why: stderr.trim(),
        }),
    )
  })

/** A digest of every row and every file, and where each sequence stands: written here, not asked of the code that is judged. */
async function everything(url: string, dataDir: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`SET app.tenant = '*'`)
  const tables = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relname NOT IN ('schema_migrations', 'live_events', 'backups')
     ORDER BY 1`,
  )
  const rows: Record<string, string | null> = {}
  for (const { name } of tables.rows) {
    const digest = await client.query<{ d: string | null }>(
      `SELECT count(*) || ' ' || md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) AS d
       FROM ${LINES[name] ?? name} t`,
    )
    rows[name] = digest.rows[0]!.d
  }
  const sequences = await client.query(
    `SELECT sequencename, last_value::text FROM pg_sequences
     WHERE schemaname = 'public' AND sequencename NOT LIKE 'live%' ORDER BY 1`,
  )
  await client.end()
  const files = existsSync(join(dataDir, 'files'))
    ? readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
        .filter((e) => e.isFile())
        .map((e) => [e.name, sha(readFileSync(join(e.parentPath, e.name)))])
        .sort()
    : []
  return { rows, sequences: sequences.rows, files, key: sha(readFileSync(join(dataDir, 'secret.key'))) }
}
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

let before: Awaited<ReturnType<typeof everything>>
let branch = ''
/** An installation that has lived: three sites and a worker of its own numbers, a row of 30 months ago, forty digits, a large picture. */
beforeAll(async () => {
  const server = await startTestServer()
  const admin = await server.as('admin')
  branch = (await server.sql<{ bc_id: string }>(`SELECT bc_id FROM companies WHERE code = 'HZ'`))[0]!.bc_id
  for (const n of [1, 2, 3])
    await admin.call(sitesApi.add, { body: { ws_name: `第 ${n} 个工地`, bc_id: branch, address: '某路' } })
  await admin.call(workersApi.add, {
    body: { w_name: '第一人', bc_id: branch, w_type: 1, w_sex: 1, w_contact: '13900001111' },
  })
  await server.sql(`SET app.tenant = '*'`)
  await server.sql(`SELECT ensure_months('2024-05-01', '2024-05-01')`)
  await server.sql(
    `INSERT INTO site_events (tenant_id, id, bc_id, site_id, kind, at, title)
     SELECT tenant_id, $1, bc_id, id, 'site', $2, '两年半以前' FROM sites WHERE ws_name = '第 1 个工地'`,
    [randomUUID(), LONG_AGO],
  )
  await server.sql(
    `INSERT INTO branch_days (tenant_id, day, bc_id, figure, value)
     SELECT tenant_id, '2026-11-01', bc_id, 'money', $1::numeric FROM companies WHERE code = 'HZ'`,
    [FORTY],
  )
  // One correction is somebody's, another went from one to the next.
  const camera = server.devices.find((d) => d.type === 'camera' && d.site && d.sn.includes('HZ'))!
  const at = seconds() - 60
  await report(server.url, camera, [
    { id: 'theirs', kind: 'alarm', at, type: 'smoking', confidence: 0.9 },
    { id: 'handed', kind: 'alarm', at, type: 'noclothes', confidence: 0.9 },
  ])
  const { list } = await admin.call(alarmsApi.list, { query: { pageSize: 2, sort: ['-at'] } })
  const people = await admin.call(usersApi.pick, { query: { site_id: list[0]!.site_id } })
  for (const [i, { id, version }] of list.entries())
    for (const turn of [0, 1].slice(0, i + 1))
      await admin.call(alarmsApi.assign, {
        body: { id, version: version + turn, assignee_id: people[turn]!.id },
      })
  expect(await server.sql('SELECT FROM correction_turns')).toHaveLength(3)
  mkdirSync(join(server.dataDir, 'files', 'ab'), { recursive: true })
  writeFileSync(join(server.dataDir, 'files', 'ab', 'large.jpg'), PICTURE)
  // One person was taken out of the log: out of a line of today, and out of one of a release before.
  await server.sql(
    `INSERT INTO user_logs (tenant_id, id, action, object, object_id, after, at)
     VALUES ($1, $2, '编辑工人', 'worker', 'old', '{"w_name": "第一人"}', now())`,
    [admin.tenant, randomUUID()],
  )
  expect(await forget(server, admin.tenant, '第一人')).toEqual({ lines: 2, rewritten: 1 })
  // The log's lines are chained a moment after they were written.
  while ((await server.sql('SELECT 1 FROM user_logs WHERE seq IS NULL LIMIT 1')).length) await sleep(50)
  const env = { DATABASE_URL: server.ownerUrl, DATA_DIR: server.dataDir }
  expect((await cli(env, 'backup', '--file', file)).why).toBe('')
  before = await everything(server.ownerUrl, server.dataDir)

  // The same server still runs: what is put back would be written over by what it keeps in memory.
  const refused = await cli(env, 'restore', '--file', file)
  expect(refused).toMatchObject({ status: 1, why: expect.stringContaining('请先停止所有服务') })
  const after = await everything(server.ownerUrl, server.dataDir)
  // It writes down that it still listens.
  expect({ ...after, rows: { ...after.rows, hearing: before.rows.hearing } }).toEqual(before)
  await server.stop()
})

test('a backup of an old installation comes back in an empty folder, and numbers go on without a gap', async () => {
  const dataDir = join(folder, 'empty')
  const { status, why } = await cli({ DATA_DIR: dataDir }, 'restore', '--file', file)
  expect([status, why]).toEqual([0, ''])
  const embedded = await startEmbedded(dataDir)
  try {
    expect(await everything(embedded.url, dataDir)).toEqual(before)
    const client = new pg.Client({ connectionString: embedded.url })
    await client.connect()
    const kept = await client.query(`SELECT value::text FROM branch_days WHERE figure = 'money'`)
    expect(kept.rows).toEqual([{ value: FORTY }])
    await client.end()

    // The chain is signed with the key that came along.
    const log = await cli({ DATA_DIR: dataDir }, 'log', 'verify')
    expect(log.answer).toMatchObject({ ok: true })
    const said = (log.answer!.tenants as { said: string }[]).map((t) => t.said)
    expect(said).toContainEqual(expect.stringMatching(/^校验通过：[\d,]+ 行，其中 2 行已按个人信息请求涂黑$/))

    const server = await serve({ DATA_DIR: dataDir })
    const facts = { bc_id: branch, address: '某路' }
    const fourth = await server.call(sitesApi.add, { ws_name: '第 4 个工地', ...facts })
    expect([fourth.msg, fourth.data.code!.slice(-4)]).toEqual(['', '0004'])
    const second = await server.call(workersApi.add, {
      w_name: '第二人',
      bc_id: branch,
      w_type: 1,
      w_sex: 1,
      w_contact: '13900002222',
    })
    expect([second.code, second.msg]).toEqual([200, ''])
    await server.stop()
  } finally {
    await embedded.stop()
  }
}, 600_000)

test('ten broken files are refused each with a sentence, and rows, numbers, files and key stay as they were', async () => {
  const database = await freshDatabase()
  const dataDir = join(folder, 'whole')
  const env = { DATABASE_URL: database.ownerUrl, DATA_DIR: dataDir }
  await restore(database.ownerUrl, dataDir, file)
  const whole = await everything(database.ownerUrl, dataDir)
  const bytes = readFileSync(file)
  const lines = gunzipSync(bytes).toString().trimEnd().split('\n').slice(0, -1)
  const sealed = (all: string[]) => {
    const text = all.map((l) => `${l}\n`).join('')
    return gzipSync(
      `${text}${JSON.stringify({ end: true, lines: all.length, digest: sha(Buffer.from(text)) })}\n`,
      { level: 1 },
    )
  }
  const flipped = Buffer.from(bytes)
  flipped[5_000]! ^= 1
  const damaged = '备份文件不完整或已损坏，没有改动现有数据'
  const newer = lines[0]!.replace('"migrations":[', '"migrations":["9999-of-tomorrow.sql",')
  const sites = lines.findIndex((l) => l.startsWith('{"table":"companies"'))
  const broken: [string, Buffer, string][] = [
    ['cut off', bytes.subarray(0, bytes.length / 2), damaged],
    ['not ours', Buffer.from('nothing'), damaged],
    ['one bit', flipped, damaged],
    ['empty', Buffer.alloc(0), damaged],
    ['without an end', gzipSync(lines.map((l) => `${l}\n`).join(''), { level: 1 }), damaged],
    [
      'a line less',
      gzipSync(gunzipSync(bytes).toString().replace(`${lines[9]}\n`, ''), { level: 1 }),
      damaged,
    ],
    [
      'another form',
      sealed([lines[0]!.replace('zhuguan-backup-2', 'zhuguan-backup-9'), ...lines.slice(1)]),
      damaged,
    ],
    ['of a newer release', sealed([newer, ...lines.slice(1)]), '请先升级'],
    ['a file outside', sealed([...lines, '{"file":"files/../../escaped","bytes":""}']), '不认识的文件'],
    ['an unknown table', sealed([...lines, '{"table":"strangers","rows":[{}]}']), '不认识的表'],
    [
      'rows without their parents',
      sealed(lines.filter((_l, i) => i !== sites)),
      '恢复没有成功，现有数据没有改动。原因：',
    ],
  ]
  for (const [what, content, sentence] of broken) {
    writeFileSync(`${file}.broken`, content)
    const why = await restore(database.ownerUrl, dataDir, `${file}.broken`).catch((e: Error) => e.message)
    expect([what, why]).toEqual([what, expect.stringContaining(sentence)])
  }
  expect(await everything(database.ownerUrl, dataDir)).toEqual(whole)
  expect(readdirSync(dataDir).sort()).toEqual(['files', 'secret.key'])

  // Stopped between the rows' commit and the files' move: the next command moves them; what was never committed goes.
  const [done, undone] = [`restore-${randomUUID()}`, `restore-${randomUUID()}`]
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  await client.query(`COMMENT ON SCHEMA public IS '${done}'`)
  await client.end()
  for (const name of [done, undone]) {
    mkdirSync(join(dataDir, name, 'files'), { recursive: true })
    writeFileSync(join(dataDir, name, 'files', 'late.jpg'), name)
  }
  expect((await cli(env, 'backup', '--file', join(folder, 'after.gz'))).why).toBe('')
  expect(readdirSync(dataDir).sort()).toEqual(['files', 'secret.key'])
  expect(readFileSync(join(dataDir, 'files', 'late.jpg'), 'utf8')).toBe(done)
  await database.drop()
}, 600_000)

test('a restore that is interrupted or killed leaves what stood there; the next one puts it in its place', async () => {
  const database = await freshDatabase()
  const dataDir = join(folder, 'interrupted')
  await restore(database.ownerUrl, dataDir, file)
  const put = await everything(database.ownerUrl, dataDir)
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  await client.query(`SET app.tenant = '*'`)
  await client.query(`UPDATE sites SET address = '改过的地址'`)
  await client.end()
  const stood = await everything(database.ownerUrl, dataDir)
  expect(stood).not.toEqual(put)
  const cut = (signal: NodeJS.Signals) =>
    interruptedAt('sites', database.ownerUrl, dataDir, signal, 'restore', '--file', file)
  expect(await cut('SIGTERM')).toEqual({
    status: 143,
    said: '命令被中断（SIGTERM），没有完成；写到一半的文件已经删除',
  })
  expect(await everything(database.ownerUrl, dataDir)).toEqual(stood)
  expect(readdirSync(dataDir).sort()).toEqual(['files', 'secret.key'])
  expect(await cut('SIGKILL')).toEqual({ status: null, said: '' })
  expect(await everything(database.ownerUrl, dataDir)).toEqual(stood)
  const env = { DATABASE_URL: database.ownerUrl, DATA_DIR: dataDir }
  expect((await cli(env, 'restore', '--file', file)).why).toBe('')
  expect(await everything(database.ownerUrl, dataDir)).toEqual(put)
  expect(readdirSync(dataDir).sort()).toEqual(['files', 'secret.key'])
  await database.drop()
}, 600_000)
