import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { childEnv, WATCHED } from './testing/children.ts'

/** One folder through all that happens to a machine: each start comes up or says why, each stop leaves nothing. */
const MAIN = join(import.meta.dirname, 'main.ts')
/** Whom the database runs as where we are root. */
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
}, 60_000)

test('a start that fails says why and leaves no database running', async () => {
  const taken = createServer()
  await new Promise<void>((done) => taken.listen(0, done))
  const port = (taken.address() as AddressInfo).port
  const failed = begin({ PORT: String(port) })
  expect(await ended(failed.child)).toBe(1)
  expect(failed.said()).toContain(`端口 ${port} 已被占用，请用 PORT 换一个`)
  expect([existsSync(lock()), existsSync(join(dataDir, 'server.pid'))]).toEqual([false, false])
  taken.close()
}, 60_000)

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
}, 90_000)

test('files that a power cut left empty: the lock is nobody’s, a key is made only where nothing was kept', async () => {
  writeFileSync(lock(), '')
  const long = new Date(Date.now() - 60_000)
  utimesSync(lock(), long, long)
  const fifth = begin()
  await up(fifth)
  expect(await end(fifth.child, 'SIGTERM')).toBe(0)
  const key = join(dataDir, 'secret.key')
  const kept = readFileSync(key)
  writeFileSync(key, '')
  const refused = begin()
  expect(await ended(refused.child)).toBe(1)
  expect(refused.said()).toContain('请把原来的 secret.key 放到这里')
  expect(readFileSync(key, 'utf8')).toBe('')
  writeFileSync(key, kept)
  const password = join(dataDir, 'postgres', 'password')
  writeFileSync(password, '')
  const closed = begin()
  expect(await ended(closed.child)).toBe(1)
  expect(closed.said()).toContain('进不了内置数据库')
}, 60_000)
