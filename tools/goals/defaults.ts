import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { startEmbedded } from '../../server/database/embedded.ts'
import { migrate } from '../../server/database/migrate.ts'
import { begins } from './begun.ts'
import type { Result } from './client.ts'

const MAIN = join(import.meta.dirname, '..', '..', 'server', 'main.ts')

/** A database that is not there yet is waited for, for a minute (server/database/late-database.ts). */
const PATIENCE_MS = 90_000
/** Starts the product with these settings; answers what it said last and whether it stayed. */
const attempt = (env: Record<string, string>) =>
  new Promise<{ code: number | null; said: string; url?: string }>((resolve) => {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env.PATH!,
        HOME: process.env.HOME ?? '',
        NODE_NO_WARNINGS: '1',
        PORT: '0',
        MQTT_PORT: '0',
        SIMULATE: '0',
        LOG_LEVEL: 'silent',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    begins(async () => child.kill('SIGTERM'))
    let said = ''
    const timer = setTimeout(() => child.kill('SIGTERM'), PATIENCE_MS)
    const hear = (b: Buffer) => {
      said += b.toString()
      if (said.includes('筑管已启动')) child.kill('SIGTERM')
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => {
      clearTimeout(timer)
      resolve({ code, said })
    })
  })

/** G-28: what is unsafe is refused at the start with a sentence; a first start makes its own secrets. Control: with safe settings it starts. */
export async function defaults(): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'zhuguan-goal-'))
  const { chmod } = await import('node:fs/promises')
  await chmod(folder, 0o755)
  const done: string[] = []
  const failed: string[] = []
  const check = (name: string, ok: boolean, said = '') => {
    ;(ok ? done : failed).push(name)
    if (!ok) console.log(`${name}: ${said.slice(0, 300)}`)
  }
  try {
    const first = await attempt({ DATA_DIR: join(folder, 'a'), DEMO: '0' })
    check('control: safe settings start', first.said.includes('筑管已启动'), first.said)
    const second = await attempt({ DATA_DIR: join(folder, 'b'), DEMO: '0' })
    check('a second installation starts', second.said.includes('筑管已启动'), second.said)
    const secret = async (at: string, name: string) =>
      (await readFile(join(folder, at, name)).catch(() => Buffer.alloc(0))).toString('hex')
    for (const [what, file] of [
      ['secret key', 'secret.key'],
      ['database password', join('postgres', 'password')],
    ] as const) {
      const [a, b] = [await secret('a', file), await secret('b', file)]
      check(
        `${what} is made, long, and another one in each installation`,
        a.length >= 48 && a !== b,
        `${a.length}`,
      )
      check(`${what} is read by its owner only`, ((await stat(join(folder, 'a', file))).mode & 0o077) === 0)
    }
    check('an empty installation has no account', !first.said.includes('演示账号'), first.said)

    const refused = async (name: string, env: Record<string, string>, sentence: RegExp) => {
      const r = await attempt({ DATA_DIR: join(folder, 'c'), DEMO: '0', ...env })
      check(name, r.code === 1 && sentence.test(r.said) && !r.said.includes('    at '), r.said)
    }
    await refused('an unknown setting', { MQTT_PORTS: '1' }, /不认识的设置：MQTT_PORTS/)
    await refused('an unknown setting of ours', { ZHUGUAN_X: '1' }, /不认识的设置/)
    await refused('a port that is none', { PORT: 'abc' }, /PORT 应为/)
    await refused('a port out of range', { PORT: '70000' }, /PORT 应为/)
    await refused('a session without end', { SESSION_MINUTES: '0' }, /SESSION_MINUTES 应为/)
    await refused('a session of years', { SESSION_MINUTES: '999999999' }, /SESSION_MINUTES 应为/)
    await refused('a flag that is none', { DEMO: 'yes' }, /DEMO 只能是/)
    await refused('a log level that is none', { LOG_LEVEL: 'loud' }, /LOG_LEVEL 不认识/)
    await refused(
      'a database address that is none',
      { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' },
      /连不上/,
    )

    // A database whose logins were widened behind our back.
    const embedded = await startEmbedded(join(folder, 'a'))
    await migrate(embedded.url)
    const owner = new pg.Client({ connectionString: embedded.url })
    await owner.connect()
    const name = new URL(embedded.url).pathname.slice(1)
    for (const [what, widen, back] of [
      ['superuser', 'SUPERUSER', 'NOSUPERUSER'],
      ['bypass of row-level security', 'BYPASSRLS', 'NOBYPASSRLS'],
    ] as const) {
      for (const kind of ['app', 'system']) {
        await owner.query(`ALTER ROLE ${name}_${kind} ${widen}`)
        await refused(`${kind} login with ${what}`, { DATABASE_URL: embedded.url }, /权限过大/)
        await owner.query(`ALTER ROLE ${name}_${kind} ${back}`)
      }
    }
    // Demo accounts in a database that is not the demo.
    await owner.query(`DROP DATABASE IF EXISTS zg_given`)
    await owner.query(`CREATE DATABASE zg_given`)
    const given = new URL(embedded.url)
    given.pathname = '/zg_given'
    const demo = await attempt({ DATA_DIR: join(folder, 'd'), DATABASE_URL: given.href, DEMO: '1' })
    check('the demo loads where it is asked for', demo.said.includes('演示账号'), demo.said)
    const without = await attempt({ DATA_DIR: join(folder, 'd'), DATABASE_URL: given.href, DEMO: '0' })
    check(
      'demo accounts are refused outside the demo',
      without.code === 1 && /演示账号/.test(without.said),
      without.said,
    )
    await owner.end()
    await embedded.stop()
    return {
      value: `checks ${done.length + failed.length}, failed ${failed.length}${failed.length ? ` (${failed.join('; ')})` : ''}`,
      ok: failed.length === 0 && done.length >= 20,
    }
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}
