import { fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve as resolvePath } from 'node:path'

import { api } from '@zhuguan/contract/api.ts'
import pg from 'pg'

import { type Logins, rolesOf } from '../server/database/migrate.ts'
import type { SimulatedDevice } from '../server/database/seed/demo-cast.ts'
import { DEMO_PASSWORD } from '../server/database/seed/demo.ts'
import { startCluster } from '../server/testing/cluster.ts'
import { bundle } from '../tools/bundle.ts'
import { demoFolder, fillDemo } from '../tools/demo-folder.ts'
import { sized, SMOKE } from '../tools/size.ts'
import { load, type Measured, type Shot } from './load.ts'
import { MANY_SITES, MIDST, TIMES } from './size.ts'

/** What every figure stands on: one migrated database, the product's server and the limit's server over it, each in a process of its own. */
export interface Ground {
  owner: pg.Client
  logins: Logins
  devices: SimulatedDevice[]
  home: { tenant: string; bc: string }
  /** Whether a replica stands beside the primary. */
  replicated: boolean
  ours: Child
  limit: Child
  /** One more limit in a process of its own, over the same database. */
  beside(file: string, env: Record<string, string>): Promise<Child>
  /** One more process of each, from being asked for to its first answer, and its memory then; ended at once. */
  startAgain(): Promise<Record<'ours' | 'limit', { ms: number; mb: number }>>
  signIn(name: string): Promise<Record<string, string>>
  /** Measures both by turns, so that a noisy minute falls on both; answers the middle of three. */
  against(
    a: () => Promise<Measured>,
    b: () => Promise<Measured>,
  ): Promise<{ x: Measured; y: Measured; ratio: number; cpu: number; p99: number }>
  ask(path: string, headers: Record<string, string>, body?: () => string): () => Shot
  close(): Promise<void>
}
export interface Child {
  url: string
  pid: number
  /** From being asked for to its first word. */
  startMs: number
  stop(): void
}
export type Say = (
  id: string,
  work: string,
  ours: string,
  limit: string,
  ratio: string,
  target: string,
  ok: boolean,
) => void
/** Some rows of the table: measures those that are wanted. */
export type Row = (g: Ground, wants: (id: string) => boolean, say: Say) => Promise<void>

export const cpuOf = async (pid: number) => {
  const f = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  return (Number(f[11]) + Number(f[12])) * 10
}
export const memoryOf = async (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
export const pause = (ms: number) => new Promise((r) => setTimeout(r, ms * sized(1, 0.2)))
export const quantile = (sorted: readonly number[], q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0
export const rate = (m: Measured) =>
  `${m.perSecond.toFixed(0)}/s p99 ${m.p99.toFixed(1)} ms${m.failed ? ` failed ${m.failed}` : ''}`

/**
 * A database: the embedded one with the demo, one of its own in BENCH_DATABASE_URL's server that is dropped after it,
 * or with BENCH_REPLICA a primary of its own with a replica beside it.
 */
async function openDatabase(folder: string): Promise<{
  url: string
  replica?: string
  filled?: Awaited<ReturnType<typeof fillDemo>>
  drop: () => Promise<void>
}> {
  if (process.env.BENCH_REPLICA) {
    const cluster = await startCluster()
    return { url: cluster.url, replica: cluster.standby.url, drop: () => cluster.stop() }
  }
  const server = process.env.BENCH_DATABASE_URL
  if (!server) {
    const { embedded, ...filled } = await demoFolder(folder)
    return { url: embedded.url, filled, drop: () => embedded.stop() }
  }
  const name = `zg_bench_${randomBytes(4).toString('hex')}`
  const run = async (...texts: string[]) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    for (const text of texts) await client.query(text)
    await client.end()
  }
  await run(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE IF EXISTS ${rolesOf(name).join()}`),
  }
}

/** `floor` builds the pages of both, for figures that need a browser. */
export async function openGround(floor: boolean): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'zhuguan-bench-'))
  await chmod(folder, 0o755)
  const database = await openDatabase(folder)
  const { logins, devices } = database.filled ?? (await fillDemo(database.url, folder))
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  await owner.query(`SET app.tenant = '*'`)
  const [home] = (
    await owner.query(`SELECT tenant_id AS tenant, bc_id AS bc FROM companies WHERE code = 'HZ'`)
  ).rows as [{ tenant: string; bc: string }]
  // A list of some size: five thousand sites of one branch.
  await owner.query(
    `INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, address, status, steward_id, manager_id, owner_id, store_id) SELECT w.tenant_id, gen_random_uuid(), 'B' || i, '工地' || i, w.bc_id, '某路 ' || i || ' 号', 1 + i % 4, w.steward_id, w.manager_id, w.owner_id, w.store_id FROM (SELECT * FROM sites WHERE bc_id = $1 LIMIT 1) w, generate_series(1, ${MANY_SITES}) i`,
    [home.bc],
  )
  await owner.query('VACUUM ANALYZE')

  if (floor) {
    const { build } = await import('vite')
    const web = join(import.meta.dirname, '..', 'web')
    // `npm test` has built them just now.
    if (!SMOKE) await build({ configFile: join(web, 'vite.config.ts'), logLevel: 'silent' })
    await (await import('./floor/build.ts')).buildFloor(join(folder, 'floor'))
  }
  const stops: (() => void)[] = []
  const child = (file: string, env: Record<string, string>) =>
    new Promise<Child>((resolve, reject) => {
      const at = performance.now()
      const p = fork(resolvePath(import.meta.dirname, file), {
        env: { ...process.env, NODE_ENV: 'production', ...env },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      const stop = () => void p.kill('SIGKILL')
      stops.push(stop)
      p.once('message', (told) =>
        resolve({ stop, url: (told as { url: string }).url, pid: p.pid!, startMs: performance.now() - at }),
      )
      p.once('exit', () => reject(new Error(`${file} ended`)))
    })
  const limitEnv = {
    DATABASE: database.url,
    TENANT: home.tenant,
    BC: home.bc,
    ...(floor ? { FLOOR: join(folder, 'floor') } : {}),
  }
  const oursEnv = {
    LOGINS: JSON.stringify(logins satisfies Logins),
    FOLDER: folder,
    ...(database.replica && { REPLICA: database.replica }),
  }
  // As `npm start` runs it: one file, and what Node compiled of it kept from the start before.
  const started = { ...oursEnv, NODE_COMPILE_CACHE: join(folder, 'compiled') }
  let bundled: Promise<string> | undefined
  const ready = () =>
    (bundled ??= (async () => {
      const file = await bundle('bench/server.ts', 'bench-server.js')
      for (let i = 0; i < 2; i += 1) {
        const c = await child(file, started)
        await fetch(c.url)
        // What was compiled is written down when the process ends by itself.
        process.kill(c.pid, 'SIGTERM')
        await pause(1_000)
      }
      return file
    })())
  const limit = await child('limit.ts', limitEnv)
  const ours = await child('server.ts', oursEnv)

  return {
    owner,
    logins,
    devices,
    home,
    replicated: database.replica !== undefined,
    ours,
    limit,
    beside: (file, env) => child(file, { ...limitEnv, ...env }),
    async startAgain() {
      const once = async (file: string, env: Record<string, string>) => {
        const c = await child(file, env)
        await fetch(c.url)
        const mb = await memoryOf(c.pid)
        c.stop()
        return { ms: c.startMs, mb }
      }
      return { ours: await once(await ready(), started), limit: await once('bare.ts', limitEnv) }
    },
    async signIn(name) {
      const password = createHash('sha256').update(DEMO_PASSWORD).digest('hex')
      const { data } = (await (
        await fetch(ours.url + api.session.login.path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: name, password }),
        })
      ).json()) as { data: { token: string; tenant_id: string } }
      return { token: data.token, 'tenant-id': data.tenant_id }
    },
    ask: (path, headers, body) => () => ({ method: 'POST', path, headers, body }),
    async against(a, b) {
      const runs: [Measured, Measured, number, number][] = []
      for (let i = 0; i < TIMES; i += 1) {
        const [c0, d0] = [await cpuOf(ours.pid), await cpuOf(limit.pid)]
        const x = await a()
        const c1 = await cpuOf(ours.pid)
        const y = await b()
        runs.push([x, y, c1 - c0, (await cpuOf(limit.pid)) - d0])
      }
      const [x, y, cpuX, cpuY] = runs.sort(
        (p, q) => p[0].perSecond / p[1].perSecond - q[0].perSecond / q[1].perSecond,
      )[MIDST]!
      return {
        x,
        y,
        ratio: x.perSecond / y.perSecond,
        cpu: cpuX / x.all / (cpuY / y.all),
        p99: x.p99 / y.p99,
      }
    },
    async close() {
      for (const stop of stops) stop()
      await owner.end()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
export { load }
