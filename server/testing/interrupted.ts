import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import pg from 'pg'
import { expect } from 'vitest'

import { waiting } from './behind.ts'
import { childEnv, WATCHED } from './children.ts'

interface Told {
  /** The command's code; null where it was killed. */
  status: number | null
  /** What it wrote to the error output. */
  said: string
}
/** Begins a command of the command line, waits until `begun` answers yes, and sends it the signal. */
export async function interrupted(
  env: Record<string, string>,
  signal: NodeJS.Signals,
  begun: () => boolean | Promise<boolean>,
  ...args: string[]
): Promise<Told> {
  const cli = join(import.meta.dirname, '..', 'cli.ts')
  const child = spawn(process.execPath, [...WATCHED, cli, ...args], { env: childEnv(env) })
  let said = ''
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  while (child.exitCode === null && !(await begun())) await pause(5)
  child.kill(signal)
  return { status: await ended, said: said.trim() }
}

/** Interrupts a command while it waits for a table that somebody holds; when this answers, the database is at rest. */
export async function interruptedAt(
  table: string,
  ownerUrl: string,
  dataDir: string,
  signal: NodeJS.Signals,
  ...args: string[]
): Promise<Told> {
  const holder = new pg.Client({ connectionString: ownerUrl })
  await holder.connect()
  await holder.query('BEGIN')
  await holder.query(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`)
  const sql = async <R>(text: string) => (await holder.query(text)).rows as R[]
  const isWaitedFor = async () => (await waiting({ sql })) > 0
  const env = { DATABASE_URL: ownerUrl, DATA_DIR: dataDir }
  const told = await interrupted(env, signal, isWaitedFor, ...args)
  await holder.query('ROLLBACK')
  // What the command had begun in the database ends when its connection is missed.
  await expect.poll(isWaitedFor, { timeout: 10_000 }).toBe(false)
  await holder.end()
  return told
}
