import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sized } from '../size.ts'
import { begins } from './begun.ts'
import type { Result } from './client.ts'
import { ROOT } from './program.ts'

const UP_MS = 120_000
const STOP_MS = 20_000
const WORD_MS = 2_000
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))

/** How it is started; each is the first of a process group, as a terminal, a supervisor or a container starts it. */
const STARTS: Record<string, string[]> = {
  node: [process.execPath, join(ROOT, 'server', 'main.ts')],
  launcher: [process.execPath, join(ROOT, 'tools', 'start.mjs')],
  npm: ['npm', 'start'],
}
type Signalled = (pid: number) => void
/** Whoever has ended by then hears nothing. */
const tell =
  (signal: NodeJS.Signals, whom: 1 | -1 = 1): Signalled =>
  (pid) => {
    try {
      process.kill(whom * pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
/** How it is told to stop: a second signal comes a moment later, a terminal and a supervisor tell the whole group. */
const GROUP = -1
const STOPS: Record<string, Signalled[]> = {
  once: [tell('SIGTERM')],
  twice: [tell('SIGTERM'), tell('SIGINT')],
  group: [tell('SIGTERM', GROUP)],
  'group twice': [tell('SIGINT', GROUP), tell('SIGTERM', GROUP)],
}
const BETWEEN_MS = 60

/** Of a process group, who still runs. */
const leftOf = (group: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [state, , pgrp] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
        return Number(pgrp) === group && state !== 'Z'
      } catch {
        return false
      }
    })
    .map(Number)
/** What an orderly end leaves nothing of. */
const lockFiles = (folder: string): string[] =>
  ['server.pid', join('postgres', 'cluster', 'postmaster.pid')].filter((f) => existsSync(join(folder, f)))

async function until(what: () => boolean, ms: number): Promise<boolean> {
  for (const late = performance.now() + ms; performance.now() < late; await pause(50)) if (what()) return true
  return what()
}
function start(words: string[], folder: string): { child: ChildProcess; said: () => string } {
  const child = spawn(words[0]!, words.slice(1), {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, DATA_DIR: folder, DEMO: '0', PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  begins(async () => process.kill(-child.pid!, 'SIGTERM'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (b: Buffer) => (said += b.toString()))
  return { child, said: () => said }
}
/** Why this end was not orderly; nothing where it was. */
async function stopped(words: string[], signals: Signalled[], folder: string): Promise<string | undefined> {
  const { child, said } = start(words, folder)
  const group = child.pid!
  try {
    if (!(await until(() => said().includes('筑管已启动') || child.exitCode !== null, UP_MS)))
      return `not up: ${said().slice(-300)}`
    if (child.exitCode !== null) return `ended with ${child.exitCode}: ${said().slice(-300)}`
    for (const signal of signals) {
      signal(group)
      await pause(BETWEEN_MS)
    }
    if (!(await until(() => leftOf(group).length === 0, STOP_MS))) return `${leftOf(group).length} still run`
    // Its last word may still be on its way to us.
    if (!(await until(() => said().includes('筑管已停止'), WORD_MS)))
      return `no word of its end: ${said().slice(-200)}`
    const left = lockFiles(folder)
    return left.length ? `left ${left.join(', ')}` : undefined
  } finally {
    for (const pid of leftOf(group)) process.kill(pid, 'SIGKILL')
  }
}

/**
 * G-09: however it was started and however often it is told to stop, it ends in order, says so, leaves no process and
 * no lock, and a start right after is up. Control: one that is killed leaves what an orderly end does not.
 */
export async function stops(): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'zhuguan-goal-'))
  await chmod(folder, 0o755)
  const wrong: string[] = []
  let tried = 0
  try {
    for (const [how, words] of Object.entries(STARTS))
      for (const [told, signals] of Object.entries(STOPS).slice(0, sized(Infinity, 1))) {
        tried += 1
        const why = await stopped(words, signals, folder)
        if (why) wrong.push(`${how}, told ${told}: ${why}`)
      }
    const killed = await stopped(STARTS.node!, [tell('SIGKILL')], folder)
    const again = await stopped(STARTS.node!, STOPS.once!, folder)
    if (again) wrong.push(`after a kill: ${again}`)
    for (const why of wrong) console.error(why)
    return {
      value: `${tried} ways to stop, wrong ${wrong.length}; control ${killed ? 'found' : 'MISSED'}`,
      ok: wrong.length === 0 && killed !== undefined,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
