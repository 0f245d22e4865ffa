import { createHash, createHmac, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

import { ROOT } from '../kit/paths.ts'

const HERE = join(ROOT, 'server', 'database', 'migrations')
const MAX_NAME = 63

/** The addresses of the server's two logins: `app` sees one tenant at a time, `system` is for the server's own work. */
export interface Logins {
  app: string
  system: string
}

/** A login of ours: owns nothing, bypasses nothing. Its password follows from the key, which only the owner knows. */
function loginOf(ownerUrl: string, kind: keyof Logins) {
  const url = new URL(ownerUrl)
  const database = decodeURIComponent(url.pathname.slice(1)) || 'postgres'
  const role = `${database.slice(0, MAX_NAME - kind.length - 1)}_${kind}`
  const passwordOf = (key: string): string =>
    createHmac('sha256', key).update(`zhuguan-${kind}:${database}`).digest('hex')
  const urlOf = (key: string): string =>
    `postgres://${encodeURIComponent(role)}:${passwordOf(key)}@${url.host}${url.pathname}${url.search}`
  return { role, passwordOf, urlOf }
}
/**
 * What the logins' passwords follow from, so that several servers agree without sharing a file: the owner's password, or
 * a random key in a place that only the owner reads, when the address has none and would be the same for everybody.
 */
async function keyOf(client: pg.Client, ownerUrl: string): Promise<string> {
  const known = await client.query<{ there: boolean }>(
    `SELECT to_regclass('owner_only.login_keys') IS NOT NULL AS there`,
  )
  const password = decodeURIComponent(new URL(ownerUrl).password)
  if (!known.rows[0]!.there && password) return password
  await client.query('CREATE SCHEMA IF NOT EXISTS owner_only')
  await client.query('REVOKE ALL ON SCHEMA owner_only FROM PUBLIC')
  await client.query(
    'CREATE TABLE IF NOT EXISTS owner_only.login_keys (one boolean PRIMARY KEY DEFAULT true CHECK (one), key text NOT NULL)',
  )
  await client.query('INSERT INTO owner_only.login_keys (key) VALUES ($1) ON CONFLICT DO NOTHING', [
    randomBytes(32).toString('hex'),
  ])
  return (await client.query<{ key: string }>('SELECT key FROM owner_only.login_keys')).rows[0]!.key
}
/** `:app_role` and `:system_role` in a migration; with `_name` inside a string. */
const withRoles = (text: string, roles: Record<keyof Logins, string>): string =>
  text.replace(/:(app|system)_role(_name)?\b/g, (_whole, kind: keyof Logins, name?: string) =>
    name ? roles[kind].replaceAll("'", "''") : pg.escapeIdentifier(roles[kind]),
  )

/** One lock for the database: whoever migrates or restores it lets the others wait. */
export const MIGRATION_LOCK = 724_000
const LEDGER = `CREATE TABLE IF NOT EXISTS schema_migrations (
  name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`
/** A server of the version before may be serving: a migration waits briefly for a table, lets the others pass, and tries again. */
const LOCK_MS = 2_000
const LOCK_TRIES = 60
const LOCK_PAUSE_MS = 500
const LOCK_NOT_AVAILABLE = '55P03'

export interface Migrations {
  names: string[]
  /** Makes the ledger where there is none, and the two logins. */
  begin(client: pg.Client): Promise<Logins>
  /** Runs one inside the caller's transaction and writes it down. */
  apply(client: pg.Client, name: string): Promise<void>
  checksum(name: string): string
  /** The names of the two logins. */
  roles: string[]
}

/** The plain SQL files in their order, for the database that the owner's address names. */
export async function openMigrations(ownerUrl: string, folder = HERE): Promise<Migrations> {
  const names = (await readdir(folder)).filter((f) => /^\d{4}-.+\.sql$/.test(f)).sort()
  const texts = new Map<string, string>()
  for (const name of names) texts.set(name, await readFile(join(folder, name), 'utf8'))
  const [app, system] = [loginOf(ownerUrl, 'app'), loginOf(ownerUrl, 'system')]
  const checksum = (name: string) => createHash('sha256').update(texts.get(name)!).digest('hex')
  return {
    names,
    roles: [app.role, system.role],
    checksum,
    async begin(client) {
      const key = await keyOf(client, ownerUrl)
      for (const { role, passwordOf } of [app, system]) await ensureRole(client, role, passwordOf(key))
      await client.query(LEDGER)
      return { app: app.urlOf(key), system: system.urlOf(key) }
    },
    async apply(client, name) {
      try {
        await client.query(withRoles(texts.get(name)!, { app: app.role, system: system.role }))
        await client.query('INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)', [
          name,
          checksum(name),
        ])
      } catch (error) {
        throw Object.assign(new Error(`迁移 ${name} 失败：${(error as Error).message}`, { cause: error }), {
          code: (error as { code?: string }).code,
        })
      }
    },
  }
}

async function applyAlone(client: pg.Client, migrations: Migrations, name: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    await client.query('BEGIN')
    try {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}`)
      await migrations.apply(client, name)
      await client.query('COMMIT')
      return
    } catch (error) {
      await client.query('ROLLBACK')
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || tried === LOCK_TRIES) throw error
      await sleep(LOCK_PAUSE_MS)
    }
  }
}

/**
 * Brings the database up to the newest migration and makes the server's two logins.
 * Plain SQL files in order, each in a transaction, with checksums; two processes take turns.
 */
export async function migrate(
  ownerUrl: string,
  folder = HERE,
): Promise<{ logins: Logins; applied: string[] }> {
  const migrations = await openMigrations(ownerUrl, folder)
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    const logins = await migrations.begin(client)
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'SELECT name, checksum FROM schema_migrations',
    )
    const done = new Map(rows.map((r) => [r.name, r.checksum]))
    const applied: string[] = []
    for (const name of migrations.names) {
      const before = done.get(name)
      if (before === migrations.checksum(name)) continue
      if (before) throw new Error(`迁移文件 ${name} 在执行之后被改动过，请恢复原文件，改动写成新的迁移`)
      await applyAlone(client, migrations, name)
      applied.push(name)
    }
    return { logins, applied }
  } finally {
    await client.end()
  }
}

async function ensureRole(client: pg.Client, role: string, password: string): Promise<void> {
  const { rows } = await client.query<{ rolsuper: boolean; rolbypassrls: boolean }>(
    'SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = $1',
    [role],
  )
  const row = rows[0]
  if (row?.rolsuper || row?.rolbypassrls)
    throw new Error(`数据库登录角色 ${role} 权限过大（超级用户或可绕过行级安全），拒绝启动`)
  const name = pg.escapeIdentifier(role)
  const words = `LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD ${pg.escapeLiteral(password)}`
  await client.query(
    row ? `ALTER ROLE ${name} PASSWORD ${pg.escapeLiteral(password)}` : `CREATE ROLE ${name} ${words}`,
  )
}
