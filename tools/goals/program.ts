import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

import { begins } from './begun.ts'

export const ROOT = join(import.meta.dirname, '..', '..')
const MAIN = join('server', 'main.ts')
const CLI = join('server', 'cli.ts')
const START_MS = 120_000

const base = () => ({ PATH: process.env.PATH!, HOME: process.env.HOME ?? '', NODE_NO_WARNINGS: '1' })

export interface Program {
  url: string
  process: ChildProcess
  /** Whether it has ended by itself. */
  gone(): boolean
  said(): string
  /** As an operator ends it. */
  stop(): Promise<void>
}
/** The whole product in a process of its own, as an operator starts it, from this tree or from another release's. */
export function program(env: Record<string, string>, root = ROOT): Promise<Program> {
  const child = spawn(process.execPath, [join(root, MAIN)], {
    cwd: root,
    env: { ...base(), PORT: '0', MQTT_PORT: '0', SIMULATE: '0', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  begins(async () => child.kill('SIGTERM'))
  let said = ''
  let gone = false
  const over = new Promise<void>((resolve) =>
    child.once('exit', () => {
      gone = true
      resolve()
    }),
  )
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`the program did not start: ${said.slice(-500)}`))
    }, START_MS)
    const hear = (bytes: Buffer) => {
      said = (said + bytes.toString()).slice(-200_000)
      const found = /打开 (http:\S+)/.exec(said)
      if (!found) return
      clearTimeout(late)
      resolve({
        url: found[1]!.replace('localhost', '127.0.0.1'),
        process: child,
        gone: () => gone,
        said: () => said,
        async stop() {
          if (!gone) child.kill('SIGTERM')
          await over
        },
      })
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    void over.then(() => {
      clearTimeout(late)
      reject(new Error(`the program ended: ${said.slice(-500)}`))
    })
  })
}

/** One of the operator's commands, to its end. */
export const command = (
  env: Record<string, string>,
  words: string[],
  root = ROOT,
): Promise<{ code: number | null; out: string; said: string; ms: number }> =>
  new Promise((resolve) => {
    const begun = performance.now()
    const child = spawn(process.execPath, [join(root, CLI), ...words], {
      cwd: root,
      env: { ...base(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [out, said] = ['', '']
    child.stdout.on('data', (b: Buffer) => (out += b.toString()))
    child.stderr.on('data', (b: Buffer) => (said += b.toString()))
    child.once('exit', (code) => resolve({ code, out, said, ms: performance.now() - begun }))
  })
