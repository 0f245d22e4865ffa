import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

import { writeWhole } from '../kit/whole-file.ts'
import {
  asUser,
  binaries,
  dropNeverFinished,
  isRoot,
  makeCluster,
  NOBODY,
  refuseUnreachable,
} from './made-cluster.ts'

export interface Embedded {
  /** The owner's address; a socket inside the data folder, never a TCP port. */
  url: string
  /** From now on it is brought back when it dies, for as long as that has any hope. */
  watch(on: Watcher): void
  /** For how long it has been away. */
  downMs(): number
  stop(): Promise<void>
}
export interface Watcher {
  warn(error: unknown): void
  gaveUp(error: Error): void
}

const START_MS = 60_000
const WATCH_MS = 500
const FIRST_WAIT_MS = 200
const LAST_WAIT_MS = 5_000
const GIVE_UP_MS = 60_000
const STOP_MS = 10_000
/** SQLSTATE invalid_password. */
const WRONG_PASSWORD = '28P01'
/** PostgreSQL writes its lock file in one go; one that stays without a number was cut off. */
const LOCK_WRITTEN_MS = 5_000
/**
 * What PostgreSQL says while a process of the one before is still there, also one that nobody has taken leave of; and
 * of a lock file that is just being written, or was cut off a moment ago.
 */
const STILL_ENDING = new RegExp(
  [
    'lock file ".*" (already exists|is empty)',
    'bogus data in lock file',
    'memory block .* is still in use',
    'server might be running',
  ].join('|'),
)

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Some process works in the folder, as each of PostgreSQL's does in its cluster. */
async function isWorkedIn(folder: string): Promise<boolean> {
  const real = await realpath(folder)
  const all = await readdir('/proc')
  const places = await Promise.all(
    all.filter((name) => /^\d+$/.test(name)).map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')),
  )
  return places.includes(real)
}

async function runningPid(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  if (!pid || !alive(pid)) return undefined
  // After a restart of the machine the number may belong to somebody else.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return process.platform !== 'linux' || command.includes(cluster) ? pid : undefined
}

/** It answers; a password that it does not know will not become right by waiting. */
async function ready(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch (error) {
    if ((error as pg.DatabaseError).code === WRONG_PASSWORD) throw error
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

const settingsOf = (sockets: string): string[] =>
  [
    `unix_socket_directories=${sockets}`,
    'listen_addresses=',
    'max_connections=100',
    'shared_buffers=128MB',
    'timezone=UTC',
    'log_min_messages=warning',
    'wal_compression=on',
    'max_wal_size=2GB',
  ].flatMap((setting) => ['-c', setting])

/**
 * Starts PostgreSQL in `<dataDir>/postgres`, or adopts the one a killed server left running there: never two on one folder.
 * @param database created when it is missing
 */
export async function startEmbedded(dataDir: string, database = 'zhuguan'): Promise<Embedded> {
  const bin = binaries()
  const home = join(dataDir, 'postgres')
  const cluster = join(home, 'cluster')
  // A socket's path has room for about 100 characters.
  const sockets =
    join(home, 's').length < 90
      ? join(home, 's')
      : `/tmp/zhuguan-${Buffer.from(home).toString('base64url').slice(-24)}`
  await mkdir(home, { recursive: true })
  await mkdir(sockets, { recursive: true })
  refuseUnreachable(home)
  if (isRoot()) for (const folder of [home, sockets]) await chown(folder, NOBODY, NOBODY)
  for (const folder of [home, sockets]) await chmod(folder, 0o700)

  const secretFile = join(home, 'password')
  if (!(await runningPid(cluster))) await dropNeverFinished(cluster)
  const isThere = existsSync(cluster)
  const hasPassword = existsSync(secretFile) && (await readFile(secretFile, 'utf8')).trim() !== ''
  if (isThere && !hasPassword)
    throw new Error(`${secretFile} 不见了或是空的，进不了内置数据库。请从备份恢复到一个新的 DATA_DIR`)
  // Before the cluster there is nothing that an older password would open.
  if (!hasPassword) await writeWhole(secretFile, randomBytes(24).toString('hex'))
  if (isRoot()) await chown(secretFile, NOBODY, NOBODY)
  const password = (await readFile(secretFile, 'utf8')).trim()
  const url = (name: string) =>
    `postgres://postgres:${password}@localhost/${name}?host=${encodeURIComponent(sockets)}`

  if (!isThere) await makeCluster(cluster, secretFile)

  const answers = () =>
    ready(url('postgres')).catch(() => {
      throw new Error(
        `内置数据库不认 ${secretFile} 里的密码：这个文件被截断或改动过。` +
          '请把原来的 password 文件放回这里，或从备份恢复到一个新的 DATA_DIR',
      )
    })
  /** Waits for one that runs there: it may be recovering, which takes as long as it takes to start. */
  async function adopt(running: number, until: number): Promise<number | undefined> {
    while ((await runningPid(cluster)) === running) {
      if (await answers()) return running
      if (performance.now() > until)
        throw new Error(
          `数据库进程 ${running} 占用着 ${cluster}，${START_MS / 1_000} 秒内一直连不上。请确认没有别的程序在使用这个文件夹`,
        )
      await sleep(100)
    }
    return undefined
  }
  /**
   * A lock file that names nobody who has this folder: what a power cut left of one, a number that is somebody else's
   * by now, a process that ended and that nobody has taken leave of. PostgreSQL would take each for a server. Its lock
   * also tells it of processes of the one before: it goes only when none of them is left.
   */
  async function dropStaleLock(lock: string): Promise<void> {
    const found = await stat(lock).catch(() => undefined)
    if (!found || process.platform !== 'linux') return
    const pid = Number((await readFile(lock, 'utf8').catch(() => '')).split('\n')[0])
    const isCut = !pid && Date.now() - found.mtimeMs > LOCK_WRITTEN_MS
    if ((isCut || (pid && alive(pid))) && !(await isWorkedIn(cluster))) await rm(lock, { force: true })
  }
  /** Starts it, or adopts the one that runs there. Processes of a killed one may take a moment to end. */
  async function launch(): Promise<number> {
    const until = performance.now() + START_MS
    for (;;) {
      const running = await runningPid(cluster)
      const adopted = running && (await adopt(running, until))
      if (adopted) return adopted
      // The folder's own, and that of its socket.
      for (const lock of [join(cluster, 'postmaster.pid'), join(sockets, '.s.PGSQL.5432.lock')])
        await dropStaleLock(lock)
      const { pid: begun, errors } = await begin(until)
      if (begun) return begun
      if (!STILL_ENDING.test(errors) || performance.now() > until)
        throw new Error(`内置数据库没有启动：${errors}`)
      await sleep(250)
    }
  }
  async function begin(until: number): Promise<{ pid?: number; errors: string }> {
    const child = spawn(join(bin, 'postgres'), ['-D', cluster, ...settingsOf(sockets)], {
      ...asUser(),
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let errors = ''
    child.stderr.on('data', (b: Buffer) => (errors = (errors + b.toString()).slice(-4_000)))
    child.unref()
    ;(child.stderr as unknown as { unref(): void }).unref()
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const leave = async () => {
      child.kill('SIGINT')
      await Promise.race([sleep(STOP_MS), gone])
    }
    while (!(await answers().catch((error) => leave().then(() => Promise.reject(error))))) {
      if (child.exitCode !== null || child.signalCode) return { errors: errors.trim() }
      if (performance.now() > until) {
        await leave()
        return { errors: `${START_MS / 1_000} 秒内没有起来。${errors.trim()}` }
      }
      await Promise.race([sleep(30), gone])
    }
    return { pid: child.pid!, errors: '' }
  }
  let pid = await launch()

  const admin = new pg.Client({ connectionString: url('postgres') })
  await admin.connect()
  if ((await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [database])).rowCount === 0)
    await admin.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`)
  await admin.end()

  let stopping = false
  let downSince: number | undefined
  let watching = Promise.resolve()
  let watch: NodeJS.Timeout | undefined

  async function bringBack(on: Watcher): Promise<void> {
    const since = performance.now()
    downSince = since
    on.warn(new Error(`内置数据库（进程 ${pid}）停了，正在重新启动`))
    for (let wait = FIRST_WAIT_MS; !stopping; wait = Math.min(wait * 2, LAST_WAIT_MS)) {
      try {
        pid = await launch()
        downSince = undefined
        return
      } catch (error) {
        on.warn(error)
        if (performance.now() - since > GIVE_UP_MS) return on.gaveUp(error as Error)
      }
      await sleep(wait)
    }
  }

  return {
    url: url(database),
    watch(on) {
      let busy = false
      watch = setInterval(() => {
        if (busy || stopping) return
        busy = true
        watching = runningPid(cluster)
          .then((running) => (running || stopping ? undefined : bringBack(on)))
          .finally(() => (busy = false))
      }, WATCH_MS)
      watch.unref()
    },
    downMs: () => (downSince === undefined ? 0 : performance.now() - downSince),
    async stop() {
      stopping = true
      clearInterval(watch)
      await watching
      try {
        process.kill(pid, 'SIGINT')
      } catch {
        return
      }
      for (let i = 0; i < 600 && alive(pid); i += 1) await sleep(25)
    },
  }
}
