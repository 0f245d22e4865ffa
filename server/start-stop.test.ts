import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { childEnv, WATCHED } from './testing/children.ts'

/** One folder through all that happens to a machine: each start comes up or says why, each stop leaves nothing. */
const MAIN = join(import.meta.dirname, 'main.ts')
/** The person whom the database runs as where we are root. */
const NOBODY = 65_534
let folder: string
let dataDir: string
const children: ChildProcess[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'zhuguan-start-'))
  chmodSync(folder, 0o755)
  dataDir = join(folder, 'data')
})
afterAll(async () => {
  for (const child of children) await end(child, 'SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

interface Started {
  child: ChildProcess
  said: () => string
}
function begin(more: Record<string, string> = {}): Started {
  const env = childEnv({ DATA_DIR: dataDir, DEMO: '0', PORT: '0', MQTT_PORT: '0', ...more })
  const child = spawn(process.execPath, [...WATCHED, MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (said += bytes.toString()))
  return { child, said: () => said }
}
async function up({ child, said }: Started): Promise<string> {
  for (let i = 0; i < 600 && child.exitCode === null; i += 1) {
    const url = /打开 (http:\S+)/.exec(said())?.[1]
    if (url) return url
    await pause(50)
  }
  throw new Error(said())
}
const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode
    ? Promise.resolve(child.exitCode)
    : new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
const end = (child: ChildProcess, signal: NodeJS.Signals) => {
  child.kill(signal)
  return ended(child)
}
const lock = () => join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
const postmaster = () => Number(readFileSync(lock(), 'utf8').split('\n')[0])
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
const leavesNothing = (pid: number) =>
  expect([isAlive(pid), existsSync(lock()), existsSync(join(dataDir, 'server.pid'))]).toEqual([
    false,
    false,
    false,
  ])

const home = () => join(dataDir, 'postgres')
const halves = () =>
  (existsSync(home()) ? readdirSync(home()) : []).filter((name) => name.startsWith('cluster'))
/** The processes whose command names the folder. */
const workersIn = (place: string): number[] =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(place)
        ? [Number(pid)]
        : []
    } catch {
      return []
    }
  })

test('a first start that is killed while the database is made leaves nothing in the way of the next', async () => {
  const killed = begin()
  const hasBegun = () => halves().some((name) => existsSync(join(home(), name, 'PG_VERSION')))
  while (!hasBegun()) await pause(1)
  killed.child.kill('SIGKILL')
  for (const pid of workersIn(home())) if (pid !== process.pid) process.kill(pid, 'SIGKILL')
  expect([halves().length, halves().includes('cluster')]).toEqual([1, false])
  await ended(killed.child)

  // What such a start of an older release leaves stands in the cluster's own place.
  const [half] = halves()
  renameSync(join(home(), half!), join(home(), 'cluster'))
  // Somebody's table is in doubt: nothing is thrown away.
  const place = join(home(), 'cluster', 'base', '1')
  mkdirSync(place, { recursive: true })
  const control = join(home(), 'cluster', 'global', 'pg_control')
  rmSync(control, { force: true })
  writeFileSync(join(place, '16384'), '')
  const refused = begin()
  expect(await ended(refused.child)).toBe(1)
  expect(refused.said()).toContain(`文件夹 ${join(home(), 'cluster')} 不是完整的数据库`)
  rmSync(join(place, '16384'))

  mkdirSync(join(home(), 'cluster-0b6f3a54-93cf-4d25-9f1e-4f6f3c2f8a11'))
  const again = begin()
  await up(again)
  expect(halves()).toEqual(['cluster'])
  expect(await end(again.child, 'SIGTERM')).toBe(0)
}, 600_000)

test('a folder that cannot be made is refused in words', async () => {
  const nowhere = begin({ DATA_DIR: '/proc/zhuguan/data' })
  expect(await ended(nowhere.child)).toBe(1)
  expect(nowhere.said()).toContain('不能建文件夹 /proc/zhuguan')
  expect(nowhere.said()).toContain('请用 DATA_DIR 换一个能写的文件夹')
  const file = begin({ DATA_DIR: '/dev/null' })
  expect(await ended(file.child)).toBe(1)
  expect(file.said()).toContain('/dev/null 不是文件夹。请用 DATA_DIR 换一个能写的文件夹')
}, 600_000)

test('a place that is taken or not of this machine is refused in words before a database is made', async () => {
  const taken = createServer()
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
  const { port } = taken.address() as AddressInfo
  const empty = join(folder, 'never')
  for (const [place, words] of [
    [{ PORT: String(port), LISTEN_HOST: '127.0.0.1' }, `端口 ${port} 已被占用，请用 PORT 换一个`],
    // An address that documents keep for themselves (RFC 5737).
    [{ LISTEN_HOST: '192.0.2.1' }, '这台机器没有地址 192.0.2.1，请用 LISTEN_HOST 换一个，例如 0.0.0.0'],
  ] as const) {
    const failed = begin({ DATA_DIR: empty, ...place })
    expect(await ended(failed.child)).toBe(1)
    expect(failed.said()).toContain(words)
    expect(existsSync(join(empty, 'postgres'))).toBe(false)
  }
  taken.close()
}, 600_000)

test('told twice to stop it finishes once, with a word and with 0', async () => {
  const first = begin()
  await up(first)
  expect(first.said()).toContain('还没有集团：npm run cli -- tenant add')
  const pid = postmaster()
  first.child.kill('SIGTERM')
  // A moment later: two at once are heard as one.
  await pause(50)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) first.child.kill(signal)
  expect(await ended(first.child)).toBe(0)
  expect(first.said()).toContain('筑管已停止')
  leavesNothing(pid)
}, 600_000)

test('a start that fails says why and leaves no database running', async () => {
  const taken = createServer()
  await new Promise<void>((done) => taken.listen(0, done))
  const port = (taken.address() as AddressInfo).port
  // Devices are let in when the database is there already.
  const failed = begin({ MQTT_PORT: String(port) })
  expect(await ended(failed.child)).toBe(1)
  expect(failed.said()).toContain(`MQTT_PORT 的端口 ${port} 已被占用`)
  expect([existsSync(lock()), existsSync(join(dataDir, 'server.pid'))]).toEqual([false, false])
  taken.close()
}, 600_000)

test('what was killed comes up again at once, and a database that is busy is waited for', async () => {
  // Somebody else's number in the lock file, as after a restart of the machine; PostgreSQL heeds those of its own user.
  const somebody = spawn('sleep', ['100'], process.getuid?.() === 0 ? { uid: NOBODY } : {})
  writeFileSync(lock(), `${somebody.pid}\n${join(dataDir, 'postgres', 'cluster')}\n`)
  const second = begin()
  await up(second)
  somebody.kill()
  const before = postmaster()
  process.kill(before, 'SIGKILL')
  second.child.kill('SIGKILL')
  const third = begin()
  await up(third)
  expect(postmaster()).not.toBe(before)

  // The server alone is killed; its database answers nobody for a while, as in recovery.
  third.child.kill('SIGKILL')
  await ended(third.child)
  const kept = postmaster()
  process.kill(kept, 'SIGSTOP')
  const fourth = begin()
  await pause(3_500)
  expect(fourth.child.exitCode).toBe(null)
  process.kill(kept, 'SIGCONT')
  await up(fourth)
  expect(postmaster()).toBe(kept)
  expect(await end(fourth.child, 'SIGINT')).toBe(0)
  leavesNothing(kept)
}, 600_000)

test('files that a power cut left empty: the lock is nobody’s, a key is made only where nothing was kept', async () => {
  writeFileSync(lock(), '')
  const long = new Date(Date.now() - 60_000)
  utimesSync(lock(), long, long)
  const fifth = begin()
  await up(fifth)
  expect(await end(fifth.child, 'SIGTERM')).toBe(0)
  // Bytes that are no number, written a moment ago.
  writeFileSync(lock(), '\0\0\0garbage\n')
  const sixth = begin()
  await up(sixth)
  expect(await end(sixth.child, 'SIGTERM')).toBe(0)
  const key = join(dataDir, 'secret.key')
  const kept = readFileSync(key)
  writeFileSync(key, '')
  const refused = begin()
  expect(await ended(refused.child)).toBe(1)
  expect(refused.said()).toContain('请把原来的 secret.key 放到这里')
  expect(readFileSync(key, 'utf8')).toBe('')
  writeFileSync(key, kept)
  const password = join(dataDir, 'postgres', 'password')
  const whole = readFileSync(password, 'utf8')
  writeFileSync(password, '')
  const closed = begin()
  expect(await ended(closed.child)).toBe(1)
  expect(closed.said()).toContain('进不了内置数据库')
  // Cut off in its midst: the database says no at once, and no time is spent in waiting for it.
  writeFileSync(password, whole.slice(0, 10))
  const cut = begin()
  const since = performance.now()
  expect(await ended(cut.child)).toBe(1)
  expect(cut.said()).toContain(`内置数据库不认 ${password} 里的密码`)
  expect(performance.now() - since).toBeLessThan(30_000)
  expect(existsSync(lock())).toBe(false)
  writeFileSync(password, whole)
}, 600_000)
