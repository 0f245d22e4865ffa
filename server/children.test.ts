import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { childEnv, WATCHED } from './testing/children.ts'

const MAIN = join(import.meta.dirname, 'main.ts')
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))

let folder: string
/** Not there yet: the first start makes it. */
let dataDir: string
let server: ChildProcess
let url: string
const said: string[] = []

/** The product as it is started, in a process of its own, on a folder of its own. */
function start(): ChildProcess {
  const env = childEnv({ DATA_DIR: dataDir, DEMO: '0', PORT: '0', MQTT_PORT: '0' })
  return spawn(process.execPath, [...WATCHED, MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}
const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
const postmaster = () =>
  Number(readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zhuguan-children-'))
  chmodSync(folder, 0o755)
  dataDir = join(folder, 'data')
  server = start()
  for (const stream of [server.stdout!, server.stderr!])
    stream.on('data', (bytes: Buffer) => said.push(bytes.toString()))
  for (let i = 0; i < 300 && !url && server.exitCode === null; i += 1) {
    await pause(100)
    url = /打开 (http:\S+)/.exec(said.join(''))?.[1] ?? ''
  }
  if (!url) throw new Error(said.join(''))
})
afterAll(async () => {
  if (server.exitCode === null) {
    server.kill('SIGTERM')
    await ended(server)
  }
  rmSync(folder, { recursive: true, force: true })
})

test('a killed database is brought back, and its state is told meanwhile', async () => {
  const before = postmaster()
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ ok: true, database: 'up' })
  process.kill(before, 'SIGKILL')
  const states = new Set<string>()
  const at = performance.now()
  let ready = false
  // In the first moment nobody has noticed yet.
  while (!(ready && states.size === 2) && performance.now() - at < 20_000) {
    states.add(((await (await fetch(`${url}/healthz`)).json()) as { database: string }).database)
    ready = (await fetch(`${url}/readyz`)).status === 200
    await pause(25)
  }
  expect(ready).toBe(true)
  expect([...states].sort()).toEqual(['down', 'up'])
  const after = postmaster()
  expect([after === before, isAlive(after), server.exitCode]).toEqual([false, true, null])
  expect(said.join('')).toContain('正在重新启动')
})

test('every request leaves one line: who, from where, pattern, codes, bytes, time, never its query', async () => {
  const at = `${url}${sitesApi.list.path}?ws_name=geheim`
  const answer = await fetch(at, { method: 'POST', headers: { 'x-request-id': 'edge-42' } })
  const answered = (await answer.text()).length
  await fetch(at, { method: 'POST', headers: { 'x-request-id': 'no "number" at all' } })
  const lines = () =>
    said
      .join('')
      .split('\n')
      .filter((line) => line.includes(`"route":"${sitesApi.list.path}"`))
  for (let i = 0; i < 40 && lines().length < 2; i += 1) await pause(25)
  const [one, other] = lines().map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(one).toMatchObject({
    method: 'POST',
    status: 401,
    code: 401,
    msg: 'request',
    level: 'info',
    proxied: 'edge-42',
  })
  expect(one!.address).toMatch(/^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/)
  // The head stands before the answer.
  expect(Number(one!.bytes)).toBeGreaterThan(answered)
  expect(Number(one!.bytes)).toBeLessThan(answered + 2_000)
  expect(Math.abs(Date.parse(String(one!.time)) - Date.now())).toBeLessThan(60_000)
  expect(one!.time).toMatch(/^\d{4}-\d\d-\d\dT/)
  expect(other).not.toHaveProperty('proxied')
  expect(one!.reqId).not.toBe(other!.reqId)
  expect(said.join('')).not.toContain('geheim')
})

test('a second server on the same folder is refused in a sentence, and the first one keeps its database', async () => {
  const second = start()
  let words = ''
  second.stderr!.on('data', (bytes: Buffer) => (words += bytes.toString()))
  expect(await ended(second)).toBe(1)
  expect(words).toContain(`另一个筑管（进程 ${server.pid}）正在使用`)
  // A busy machine may be slow to answer once.
  for (let i = 0; i < 20 && (await fetch(`${url}/readyz`)).status !== 200; i += 1) await pause(100)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
})

test('its end ends the database, and the folder is free for the next one', async () => {
  const database = postmaster()
  server.kill('SIGTERM')
  expect(await ended(server)).toBe(0)
  expect(isAlive(database)).toBe(false)
})
