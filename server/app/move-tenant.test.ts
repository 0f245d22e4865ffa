import { execFile } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'

import { channelsApi } from '@zhuguan/contract/features/channels/channels.api.ts'
import { carrierDoorApi, carriersApi } from '@zhuguan/contract/features/dispatch/carriers.api.ts'
import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { draw } from '../../simulator/pictures.ts'
import { unseal } from '../kit/secret.ts'
import { post, report, sendFile, signed } from '../testing/device.ts'
import { interruptedAt } from '../testing/interrupted.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { runAtMachineTime, seconds } from '../testing/time.ts'
import { forget } from '../testing/told-log.ts'

// The command is a process of its own and runs at the machine's time: so does the story.
runAtMachineTime()

const folder = mkdtempSync(join(tmpdir(), 'zhuguan-move-'))
const file = join(folder, 'tenant.gz')
/** What a session, a machine or the next minute needs, and what another key seals and signs: these differ or stay. */
const STAYS = [
  'sessions',
  'live_events',
  'idempotency',
  'schema_migrations',
  'account_names',
  'serial_numbers',
]
const SECRETS: Record<string, string> = {
  carriers: 'secret',
  channels: 'secret',
  devices: 'secret',
  users: 'totp',
  log_blackened: 'signature',
  log_heads: 'signature',
}

let here: TestServer
let there: TestServer
let name = ''
let id = ''
let other = ''

const cli = (server: TestServer, ...args: string[]) =>
  new Promise<{ status: number; answer: Record<string, unknown>; why: string }>((resolve) => {
    const env = { PATH: process.env.PATH, NODE_NO_WARNINGS: '1' }
    execFile(
      process.execPath,
      [join(import.meta.dirname, '..', 'cli.ts'), ...args],
      { encoding: 'utf8', env: { ...env, DATABASE_URL: server.ownerUrl, DATA_DIR: server.dataDir } },
      (error, stdout, stderr) =>
        resolve({
          status: error ? Number(error.code ?? 1) : 0,
          answer: error ? {} : (JSON.parse(stdout) as Record<string, unknown>),
          why: stderr.trim(),
        }),
    )
  })

/** Of each table with a tenant: how many rows of this one, and their digest. */
async function digests(server: TestServer, tenant: string): Promise<Record<string, string>> {
  const tables = await server.sql<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> ALL ($1) ORDER BY 1`,
    [STAYS],
  )
  const all: Record<string, string> = {}
  for (const { name: table } of tables) {
    const rows = `to_jsonb(t) - '${SECRETS[table] ?? ''}'`
    const [digest] = await server.sql<{ d: string }>(
      `SELECT count(*) || ' ' || md5(coalesce(string_agg((${rows})::text, ',' ORDER BY (${rows})::text), '')) AS d
       FROM ${table} t WHERE tenant_id = $1`,
      [tenant],
    )
    all[table] = digest!.d
  }
  return all
}
const filesOf = (server: TestServer): string[] =>
  existsSync(join(server.dataDir, 'files'))
    ? readdirSync(join(server.dataDir, 'files'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.thumb'))
        .map((entry) => {
          const bytes = readFileSync(join(entry.parentPath, entry.name))
          return `${entry.name} ${createHash('sha256').update(bytes).digest('hex')}`
        })
        .sort()
    : []
const everything = async (server: TestServer) => ({
  rows: await Promise.all(
    (await server.sql<{ id: string }>('SELECT id FROM tenants ORDER BY id')).map((t) =>
      digests(server, t.id),
    ),
  ),
  numbers: await server.sql(
    `SELECT sequencename, last_value::text FROM pg_sequences WHERE sequencename ~ '_numbers$' ORDER BY 1`,
  ),
  files: filesOf(server),
  folders: readdirSync(server.dataDir).sort(),
})
const sealed = async (server: TestServer) => {
  while ((await server.sql('SELECT 1 FROM user_logs WHERE seq IS NULL LIMIT 1')).length) await sleep(50)
}

/** Every column of a group's rows in which something opens with the installation's key. */
async function sealedColumns(server: TestServer): Promise<Record<string, string>> {
  const columns = await server.sql<{ name: string; column: string }>(
    `SELECT c.relname AS name, a.attname AS column
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND a.atttypid = 'text'::regtype
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> ALL ($1) AND EXISTS (
         SELECT 1 FROM pg_attribute t WHERE t.attrelid = c.oid AND t.attname = 'tenant_id')
     ORDER BY 1, 2`,
    [STAYS],
  )
  const opens = ({ word }: { word: string }) => {
    try {
      return unseal(server.secretKey, word) !== undefined
    } catch {
      return false
    }
  }
  const all: Record<string, string> = {}
  for (const { name: table, column } of columns) {
    const words = await server.sql<{ word: string }>(
      `SELECT DISTINCT "${column}" AS word FROM ${table} WHERE "${column}" ~ '^[A-Za-z0-9_-]{38,}$' LIMIT 50`,
    )
    if (words.some(opens)) all[table] = column
  }
  return all
}

let key = ''
let picture = ''
let carrier = { sn: '', secret: '' }
let channel = ''
const hooks: { signature: string; text: string }[] = []
/** Another system that hears of what waits, and checks who says so. */
const hook = createServer((asked, out) => {
  let raw = ''
  asked.on('data', (piece: Buffer) => (raw += piece.toString()))
  asked.on('end', () => {
    const { 'x-zhuguan-id': n, 'x-zhuguan-timestamp': at, 'x-zhuguan-signature': signature } = asked.headers
    hooks.push({ signature: String(signature), text: `${String(n)}.${String(at)}.${raw}` })
    out.end('{}')
  })
})
let hookSecret = ''
const WAY = 'only-in-the-address'
beforeAll(async () => {
  await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done))
  const hookHost = `127.0.0.1:${(hook.address() as AddressInfo).port}`
  const webhookHosts = [hookHost]
  ;[here, there] = [
    await startTestServer({ webhookHosts }),
    await startTestServer({ demo: 'own', webhookHosts, officeMs: 200 }),
  ]
  const admin = await here.as('admin')
  id = admin.tenant
  ;[{ name }] = (await here.sql<{ name: string }>('SELECT name FROM tenants WHERE id = $1', [id])) as [
    { name: string },
  ]
  // The place it moves to has the demo's two groups already, under other names and numbers.
  const [{ bc_id }] = (await here.sql<{ bc_id: string }>(
    `SELECT bc_id FROM companies WHERE code = 'HZ'`,
  )) as [{ bc_id: string }]
  for (const n of [1, 2, 3])
    await admin.call(sitesApi.add, { body: { ws_name: `第 ${n} 个`, bc_id, address: '某路' } })
  const camera = here.devices.find((d) => d.type === 'camera' && d.site && d.sn.includes('HZ'))!
  const jpeg = await draw({ type: 'smoking', variant: 1, camera: camera.sn, time: '12:00' })
  picture = (await sendFile(here.url, camera, jpeg)).data.key
  const event = { id: 'told', kind: 'alarm', at: seconds() - 60, type: 'smoking', confidence: 0.9, picture }
  expect((await report(here.url, camera, [event])).data.accepted).toBe(1)
  const { account, secret } = await admin.call(carriersApi.add, { body: { name: '德邦物流' } })
  carrier = { sn: account, secret }
  const added = await admin.call(channelsApi.add, {
    body: { maker: 'webhook', name: '总部系统', address: `http://${hookHost}/${WAY}`, kinds: ['alarm'] },
  })
  channel = added.id
  hookSecret = added.secret!
  const paper = await fetch(here.url + filesApi.paper.path, {
    method: 'POST',
    headers: { token: admin.token, 'tenant-id': admin.tenant, 'content-type': 'application/pdf' },
    body: '%PDF-1.4 签字页',
  })
  expect(((await paper.json()) as { data: { key: string } }).data.key).toMatch(/\.pdf$/)
  other = (await there.as('other')).tenant
  // Somebody was taken out of the log: its signed entry goes along.
  expect(await forget(here, id, '第 1 个')).toEqual({ lines: 1, rewritten: 0 })
  await Promise.all([sealed(here), sealed(there)])
}, 600_000)
afterAll(async () => {
  await Promise.all([here.stop(), there.stop()])
  hook.closeAllConnections()
  hook.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a group is written into one file; its secrets are readable by the key alone that was shown once', async () => {
  const before = await everything(here)
  const { status, why, answer } = await cli(here, 'tenant', 'export', name, file)
  expect([status, why]).toEqual([0, ''])
  expect(answer).toMatchObject({ file, files: 2 })
  key = String(answer.key)
  const text = gunzipSync(readFileSync(file)).toString()
  const devices = await here.sql<{ sn: string; secret: string }>(
    'SELECT sn, secret FROM devices WHERE tenant_id = $1',
    [id],
  )
  expect(text).toContain(devices[0]!.sn)
  const others = await here.sql<{ secret: string }>(
    `SELECT secret FROM channels UNION ALL SELECT secret FROM carriers
     UNION ALL SELECT signature FROM log_heads WHERE tenant_id = $1
     UNION ALL SELECT signature FROM log_blackened WHERE tenant_id = $1`,
    [id],
  )
  const secrets = [
    ...[...devices, ...others, ...here.devices].map((one) => one.secret),
    key,
    carrier.secret,
    hookSecret,
    WAY,
  ]
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  expect(await everything(here)).toEqual(before)
  // What the key opens stays.
  expect((await cli(here, 'tenant', 'export', name, file)).why).toBe(
    `${file} 已经存在，没有覆盖，请换一个文件名`,
  )
  expect(gunzipSync(readFileSync(file)).toString()).toBe(text)
  expect((await cli(here, 'tenant', 'export', '没有的集团', `${file}.2`)).why).toBe('没有集团 没有的集团')
})

test('whatever lies sealed with the key of this place is sealed anew', async () => {
  // Signatures of the log are made anew with the same key, and nobody of the demo has a second factor.
  const { log_blackened: _taken, log_heads: _signed, users: _totp, ...sealedHere } = SECRETS
  expect(await sealedColumns(here)).toEqual(sealedHere)
})

test('what speaks against it is said in a sentence, and nothing has changed', async () => {
  const before = await everything(there)
  const refused = async (why: RegExp, from = file, by = key) => {
    const answer = await cli(there, 'tenant', 'import', from, '--key', by)
    expect(answer).toMatchObject({ status: 1, why: expect.stringMatching(why) })
    expect(await everything(there)).toEqual(before)
  }
  const renamed = (name: string) => there.sql('UPDATE tenants SET name = $1 || name', [name])
  await refused(/已经有这些集团/)
  await refused(/密钥不是这个文件的/, file, 'wrong')
  const bytes = readFileSync(file)
  const broken = join(folder, 'broken.gz')
  writeFileSync(broken, bytes.subarray(0, bytes.length - 200))
  await refused(/不完整或已损坏/, broken)
  const backup = join(folder, 'backup.gz')
  expect((await cli(there, 'backup', '--file', backup)).why).toBe('')
  await refused(/请用 restore/, backup)
  expect((await cli(there, 'restore', '--file', file)).why).toMatch(/请用 tenant import/)
  await there.sql(`INSERT INTO schema_migrations (name, checksum) VALUES ('9999-later.sql', 'x')`)
  await refused(/版本不同/)
  await there.sql(`DELETE FROM schema_migrations WHERE name = '9999-later.sql'`)

  await renamed('本地')
  before.rows = (await everything(there)).rows
  await refused(/已经有这些账号：.*admin/)
  await there.sql(`UPDATE users SET user_name = 'x.' || user_name`)
  before.rows = (await everything(there)).rows
  await refused(/已经有这些序列号：/)
  await there.sql(`UPDATE devices SET sn = 'X-' || sn`)
}, 600_000)

test('an import that is interrupted or killed has brought nothing', async () => {
  const before = await everything(there)
  for (const [signal, status] of [
    ['SIGTERM', 143],
    ['SIGKILL', null],
  ] as const) {
    const args = ['tenant', 'import', file, '--key', key]
    const told = await interruptedAt('sites', there.ownerUrl, there.dataDir, signal, ...args)
    expect(told.status).toBe(status)
    const { folders, ...rest } = await everything(there)
    expect({ ...rest, folders: before.folders }).toEqual(before)
    // What a killed one had staged goes with the next, in the story below.
    if (status) expect(folders).toEqual(before.folders)
  }
}, 600_000)

test('it lives on in the other place: people sign in, devices report, numbers go on; nobody else notices', async () => {
  const [ours, theirs] = [await digests(here, id), await digests(there, other)]
  const { status, why, answer } = await cli(there, 'tenant', 'import', file, '--key', key)
  expect([status, why]).toEqual([0, ''])
  expect(answer).toMatchObject({ tenant: name, files: 2 })
  expect(readdirSync(there.dataDir).filter((name) => name.startsWith('import-'))).toEqual([])
  expect(await digests(there, id)).toEqual(ours)
  expect(Object.values(ours).filter((digest) => !digest.startsWith('0 ')).length).toBeGreaterThan(25)
  expect(await digests(there, other)).toEqual(theirs)
  expect(filesOf(there)).toEqual(expect.arrayContaining(filesOf(here)))

  const admin = await there.as('admin')
  expect(admin.tenant).toBe(id)
  expect((await admin.call(sessionApi.userdata)).userName).toBe('admin')
  const shown = await admin.ask(filesApi.get, { query: { key: picture } })
  expect([shown.status, shown.bytes.length > 1_000]).toEqual([200, true])
  const { list } = await admin.call(sitesApi.list, { query: { keyword: '第 3 个' } })
  const { code } = await admin.call(sitesApi.add, {
    body: { ws_name: '第 4 个', bc_id: list[0]!.bc_id, address: '某路' },
  })
  expect(Number(code.slice(2))).toBeGreaterThan(Number(list[0]!.code.slice(2)))

  // What a device said before it moved is known there; what it says now is filed, and by its own secret.
  const camera = here.devices.find((d) => d.type === 'camera' && d.site && d.sn.includes('HZ'))!
  const event = (eventId: string) => ({
    id: eventId,
    kind: 'alarm',
    at: seconds() - 60,
    type: 'smoking',
    confidence: 0.9,
  })
  expect((await report(there.url, camera, [event('told')])).data).toMatchObject({ accepted: 0 })
  expect((await report(there.url, camera, [event('fresh')])).data).toMatchObject({ accepted: 1 })
  expect((await report(there.url, { sn: camera.sn, secret: 'guess' }, [event('other')])).status).toBe(401)
  expect((await there.as('x.other')).tenant).toBe(other)
  // So do those who carry goods, and the system that hears of what waits reads the same signature.
  const carried = Buffer.from(JSON.stringify({ events: [] }))
  const tells = (by: typeof carrier) =>
    post(there.url, carrierDoorApi.events.path, signed(by, carried, seconds(), 'x-carrier'))
  expect((await tells(carrier)).status).toBe(200)
  expect((await tells({ ...carrier, secret: 'guess' })).status).toBe(401)
  await admin.call(channelsApi.trial, { body: { id: channel } })
  await expect.poll(() => hooks.length, { timeout: 30_000 }).toBe(1)
  const [{ signature, text }] = hooks as [(typeof hooks)[0]]
  expect(signature).toBe(`v1=${createHmac('sha256', hookSecret).update(text).digest('hex')}`)
  await sealed(there)
  const log = (await cli(there, 'log', 'verify')).answer as { ok: boolean; tenants: { said: string }[] }
  expect([log.ok, log.tenants.filter((t) => t.said.endsWith('，其中 1 行已按个人信息请求涂黑'))]).toEqual([
    true,
    [expect.objectContaining({ tenant: name, blackened: 1 })],
  ])
  // A second time it is there already.
  expect((await cli(there, 'tenant', 'import', file, '--key', key)).why).toMatch(/已经有这些集团/)
}, 600_000)
