import { fork } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { api } from '@zhuguan/contract/api.ts'
import { connect } from '../server/database/connect.ts'
import { startEmbedded } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'
import { DEMO_PASSWORD, seedDemo } from '../server/database/seed/demo.ts'
import { readSecretKey } from '../server/kit/secret.ts'
import { signed } from '../server/testing/device.ts'
import { load, type Measured } from './load.ts'

/** `npm run bench [P-01 …]`: every figure beside its limit, in one run on one machine; ratios count, not seconds. */
const wanted = new Set(process.argv.slice(2))
const rows: string[][] = []
const say = (id: string, work: string, ours: string, limit: string, ratio: string, target: string, ok: boolean) => {
  rows.push([id, work, ours, limit, ratio, target, ok ? 'PASS' : 'FAIL'])
  console.log(`${id} ${work}: ${ours}, limit ${limit}, ratio ${ratio}, target ${target} ${ok ? 'PASS' : 'FAIL'}`)
}
const wants = (id: string) => wanted.size === 0 || wanted.has(id)

const folder = await mkdtemp(join(tmpdir(), 'zhuguan-bench-'))
await chmod(folder, 0o755)
const embedded = await startEmbedded(folder)
const { logins } = await migrate(embedded.url)
const secretKey = await readSecretKey(folder)
const db = connect(logins, { max: 2 })
const devices = await seedDemo(db, { secretKey, now: new Date() })
await db.close()
const owner = new pg.Client({ connectionString: embedded.url })
await owner.connect()
const [home] = (await owner.query(`SELECT tenant_id AS tenant, bc_id AS bc FROM companies WHERE code = 'HZ'`)).rows as [{ tenant: string; bc: string }]
// A list of some size: five thousand sites of one branch.
await owner.query(`INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, address, status, steward_id, manager_id, owner_id, store_id) SELECT w.tenant_id, gen_random_uuid(), 'B' || i, '工地' || i, w.bc_id, '某路 ' || i || ' 号', 1 + i % 4, w.steward_id, w.manager_id, w.owner_id, w.store_id FROM (SELECT * FROM sites WHERE bc_id = $1 LIMIT 1) w, generate_series(1, 5000) i`, [home.bc])
await owner.query('VACUUM ANALYZE')

const child = <T>(file: string, env: Record<string, string>) =>
  new Promise<{ told: T; stop: () => void; pid: number }>((resolve) => {
    const p = fork(join(import.meta.dirname, file), { env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    p.once('message', (told) => resolve({ told: told as T, stop: () => p.kill('SIGKILL'), pid: p.pid! }))
  })
const cpuOf = async (pid: number) => {
  const f = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  return (Number(f[11]) + Number(f[12])) * 10
}
const memoryOf = async (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

let at = performance.now()
const limit = await child<{ port: number }>('limit.ts', { DATABASE: embedded.url, TENANT: home.tenant, BC: home.bc })
const limitStart = performance.now() - at
at = performance.now()
const ours = await child<{ url: string }>('server.ts', { LOGINS: JSON.stringify(logins), FOLDER: folder })
const oursStart = performance.now() - at
const base = `http://127.0.0.1:${limit.told.port}`
const login = (await (await fetch(ours.told.url + api.session.login.path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ username: 'branch_gm', password: createHash('sha256').update(DEMO_PASSWORD).digest('hex') }) })).json()) as { data: { token: string; tenant_id: string } }
const headers = { token: login.data.token, 'tenant-id': login.data.tenant_id }

/** Interleaved runs, so that a noisy minute falls on both. */
async function against(a: () => Promise<Measured>, b: () => Promise<Measured>) {
  const runs: [Measured, Measured, number, number][] = []
  for (let i = 0; i < 3; i += 1) {
    const [c0, d0] = [await cpuOf(ours.pid), await cpuOf(limit.pid)]
    const x = await a()
    const c1 = await cpuOf(ours.pid)
    const y = await b()
    runs.push([x, y, c1 - c0, (await cpuOf(limit.pid)) - d0])
  }
  const best = runs.sort((p, q) => q[0].perSecond / q[1].perSecond - p[0].perSecond / p[1].perSecond)[1]!
  const [x, y, cpuX, cpuY] = best
  return { x, y, ratio: x.perSecond / y.perSecond, cpu: cpuX / (x.perSecond * 3.7) / (cpuY / (y.perSecond * 3.7)), p99: x.p99 / y.p99 }
}
const rate = (m: Measured) => `${m.perSecond.toFixed(0)}/s p99 ${m.p99.toFixed(1)} ms${m.failed ? ` failed ${m.failed}` : ''}`

const { id } = (await owner.query(`SELECT id FROM sites WHERE bc_id = $1 AND code LIKE 'GDHZ%' LIMIT 1`, [home.bc])).rows[0] as { id: string }
if (wants('P-01')) {
  const page = () => load(ours.told.url, () => ({ method: 'POST', path: `${api.sites.list.path}?status=1&sort=-code`, headers }))
  const inSql = await against(page, () => load(base, () => ({ method: 'GET', path: '/page-json' })))
  const m = await against(page, () => load(base, () => ({ method: 'GET', path: '/page' })))
  say('P-01', 'page of 20 with filter, sort, total', rate(m.x), `${rate(m.y)} (JSON in SQL: ${inSql.ratio.toFixed(2)})`, `${m.ratio.toFixed(2)} cpu ${m.cpu.toFixed(2)}× p99 ${m.p99.toFixed(2)}×`, '≥ 0.9, cpu ≤ 1.2×, p99 ≤ 1.3×', m.ratio >= 0.9 && m.cpu <= 1.2 && m.p99 <= 1.3 && !m.x.failed)
}
if (wants('P-02')) {
  const d = await against(() => load(ours.told.url, () => ({ method: 'POST', path: `${api.sites.details.path}?id=${id}`, headers })), () => load(base, () => ({ method: 'GET', path: `/one?id=${id}` })))
  say('P-02', 'one record (a site with team, stages, devices)', rate(d.x), rate(d.y), d.ratio.toFixed(2), '≥ 0.8', d.ratio >= 0.8 && !d.x.failed)
}
if (wants('P-03')) {
  const body = JSON.stringify({ ws_name: '新工地', bc_id: home.bc, address: '某地' })
  const m = await against(() => load(ours.told.url, () => ({ method: 'POST', path: api.sites.add.path, headers, body: () => body })), () => load(base, () => ({ method: 'GET', path: '/add' })))
  say('P-03', 'create a site with ten stages, checked, logged, announced', rate(m.x), rate(m.y), m.ratio.toFixed(2), '≥ 0.6', m.ratio >= 0.6 && !m.x.failed)
}
if (wants('P-07')) {
  const now = Math.floor(Date.now() / 1000)
  const camera = devices.find((d) => d.type === 'faceTerminal' && d.sn.includes('HZ'))!
  const event = () => ({ id: randomUUID(), kind: 'heartbeat', at: now, signal: 80 })
  const send = (n: number) => () => {
    const s = signed(camera, Buffer.from(JSON.stringify({ events: Array.from({ length: n }, event) })), Math.floor(Date.now() / 1000))
    return { method: 'POST', path: api.deviceDoor.events.path, headers: s.headers, body: () => s.body.toString() }
  }
  await owner.query('CREATE TABLE bench_copy (LIKE raw_events INCLUDING INDEXES)')
  const values = 20_000
  const began = performance.now()
  await owner.query(`INSERT INTO bench_copy SELECT $1, $2, gen_random_uuid()::text, now(), now(), 'heartbeat', '{"id":"x","kind":"heartbeat","at":1}'::jsonb FROM generate_series(1, ${values})`, [home.tenant, home.bc])
  const bulk = values / ((performance.now() - began) / 1_000)
  const batches = await load(ours.told.url, send(500), { connections: 8 })
  const single = await load(ours.told.url, send(1), { connections: 50 })
  say('P-07', 'device events, batches of 500', `${(batches.perSecond * 500).toFixed(0)} rows/s`, `${bulk.toFixed(0)} rows/s (INSERT … SELECT inside the database)`, ((batches.perSecond * 500) / bulk).toFixed(3), '≥ 0.55', (batches.perSecond * 500) / bulk >= 0.55 && !batches.failed)
  say('P-07', 'device events one by one, 50 connections', `${single.perSecond.toFixed(0)} rows/s p99 ${single.p99.toFixed(1)} ms`, `${bulk.toFixed(0)} rows/s`, (single.perSecond / bulk).toFixed(3), '≥ 0.15', single.perSecond / bulk >= 0.15 && !single.failed)
}
if (wants('P-15')) {
  const [a, b] = [await memoryOf(ours.pid), await memoryOf(limit.pid)]
  say('P-15', 'server process to first answer, memory after the load', `${oursStart.toFixed(0)} ms ${a.toFixed(0)} MB`, `${limitStart.toFixed(0)} ms ${b.toFixed(0)} MB`, `${(oursStart / limitStart).toFixed(2)}× ${(a / b).toFixed(2)}×`, '≤ 2×, ≤ 1.5× memory', oursStart / limitStart <= 2 && a / b <= 1.5)
}

limit.stop()
ours.stop()
await owner.end()
await embedded.stop()
await rm(folder, { recursive: true, force: true })
console.log(`\n| id | work | ours | limit | ratio | target | |\n|---|---|---|---|---|---|---|\n${rows.map((r) => `| ${r.join(' | ')} |`).join('\n')}`)
