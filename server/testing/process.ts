import { spawn } from 'node:child_process'
import { join } from 'node:path'

import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'

import { DEMO_PASSWORD } from '../database/seed/demo.ts'
import { ROOT } from '../kit/paths.ts'
import { childEnv, WATCHED } from './children.ts'
import { sha256 } from './start.ts'

const MAIN = join(ROOT, 'server', 'main.ts')

export interface Served {
  url: string
  /** What it has written to its log. */
  log(): string
  /** As the demo's administrator. */
  call(endpoint: { method: string; path: string }, body?: object): Promise<Answer>
  headers: Record<string, string>
  stop(): Promise<void>
  /** As a power cut ends it. */
  kill(): Promise<void>
}
export interface Answer {
  code: number
  msg: string
  data: Record<string, string>
}

/** The product in a process of its own, as an operator starts it: its sources, or a bundle of them. */
export async function serve(env: Record<string, string>, program = MAIN): Promise<Served> {
  const settings = { PORT: '0', MQTT_PORT: '0', DEMO: '1', SIMULATE: '0', LOG_LEVEL: 'error' }
  const child = spawn(process.execPath, [...(program === MAIN ? WATCHED : []), program], {
    env: childEnv({ ...settings, ...env }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let told = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (b: Buffer) => {
      told += b
      const found = /打开 (http:\S+)/.exec(told)
      if (found) resolve(found[1]!)
    })
    child.once('exit', () => reject(new Error(`the server ended: ${told}`)))
  })
  let headers: Record<string, string> = {}
  async function call(endpoint: { method: string; path: string }, body?: object): Promise<Answer> {
    const answer = await fetch(url + endpoint.path, {
      method: endpoint.method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(endpoint.method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    })
    return (await answer.json()) as Answer
  }
  const { data } = await call(sessionApi.login, { username: 'admin', password: sha256(DEMO_PASSWORD) })
  headers = { token: data.token!, 'tenant-id': data.tenant_id! }
  const end = (signal: NodeJS.Signals) =>
    new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      child.kill(signal)
    })
  return {
    url,
    call,
    headers,
    log: () => told,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}
