import { createHash, createHmac, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

import { ROOT } from '../kit/paths.ts'
import { bool, row, text } from '../kit/row.ts'
import { ask } from './ask.ts'
import { leaveTurn, takeTurn } from './turn.ts'

const HERE = join(ROOT, 'server', 'database', 'migrations')
const MAX_NAME = 63

/** The addresses of the server's two logins: `app` sees one tenant at a time, `system` is for the server's own work. */
export interface Logins {
  app: string
  system: string
  /** Roles that the app's login may take for one transaction; without them it keeps its own rule. */
  reach?: Record<Reach, string>
}
/** The reaches that have a role of their own (docs/decisions/0150). */
export type Reach = 'tenant' | 'branch'
type Kind = 'app' | 'system' | Reach

const databaseOf = (url: URL): string => decodeURIComponent(url.pathname.slice(1)) || 'postgres'
const roleOf = (database: string, kind: string): string =>
  `${database.slice(0, MAX_NAME - kind.length - 1)}_${kind}`
/** Every role that a database of ours brings into its cluster; they outlive it. */
export const rolesOf = (database: string): string[] =>
  ['app', 'system', 'reach', 'tenant', 'branch'].map((kind) => roleOf(database, kind))

/** A login of ours: owns nothing, bypasses nothing. Its password follows from the key, which only the owner knows. */
function loginOf(ownerUrl: string, kind: 'app' | 'system') {
  const url = new URL(ownerUrl)
  const database = databaseOf(url)
  const role = roleOf(database, kind)
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
  const known = await ask(
    client,
    row({ there: bool }),
    `SELECT to_regclass('owner_only.login_keys') IS NOT NULL AS there`,
  )
  const password = decodeURIComponent(new URL(ownerUrl).password)
  if (!known[0]!.there && password) return password
  await client.query('CREATE SCHEMA IF NOT EXISTS owner_only')
  await client.query('REVOKE ALL ON SCHEMA owner_only FROM PUBLIC')
  await client.query(
    'CREATE TABLE IF NOT EXISTS owner_only.login_keys (one boolean PRIMARY KEY DEFAULT true CHECK (one), key text NOT NULL)',
  )
  await client.query('INSERT INTO owner_only.login_keys (key) VALUES ($1) ON CONFLICT DO NOTHING', [
    randomBytes(32).toString('hex'),
  ])
  return (await ask(client, row({ key: text }), 'SELECT key FROM owner_only.login_keys'))[0]!.key
}
/** `:app_role` and the others in a migration; with `_name` inside a string. */
const withRoles = (text: string, roles: Record<Kind, string>): string =>
  text.replace(/:(app|system|tenant|branch)_role(_name)?\b/g, (_whole, kind: Kind, name?: string) =>
    name ? roles[kind].replaceAll("'", "''") : pg.escapeIdentifier(roles[kind]),
  )

/**
 * Since PostgreSQL 15 only a superuser may give a function a setting of our own. Whoever has not run these files yet
 * needs none: 0440 gives the owner a rule that knows such functions, and takes the setting back where it is there.
 */
const OF_SUPERUSERS = " SET app.tenant = '*' AS $$"
const WITHOUT_SUPERUSER = '0440'
const forAnyOwner = (name: string, text: string): string =>
  name < WITHOUT_SUPERUSER ? text.replaceAll(OF_SUPERUSERS, () => ' AS $$') : text

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
  /** Brings the reaches' roles to what the app's login may do now, and the owner's rule to what the owner is. */
  share(client: pg.Client): Promise<void>
  /** The names of the two logins. */
  roles: string[]
}

/** The plain SQL files in their order, for the database that the owner's address names. */
export async function openMigrations(ownerUrl: string, folder = HERE): Promise<Migrations> {
  const names = (await readdir(folder)).filter((f) => /^\d{4}-.+\.sql$/.test(f)).sort()
  const texts = new Map<string, string>()
  for (const name of names) texts.set(name, await readFile(join(folder, name), 'utf8'))
  const [app, system] = [loginOf(ownerUrl, 'app'), loginOf(ownerUrl, 'system')]
  const database = databaseOf(new URL(ownerUrl))
  const reach = { tenant: roleOf(database, 'tenant'), branch: roleOf(database, 'branch') }
  const roles = { app: app.role, system: system.role, ...reach }
  const checksum = (name: string) => createHash('sha256').update(texts.get(name)!).digest('hex')
  return {
    names,
    roles: [app.role, system.role],
    checksum,
    async begin(client) {
      const key = await keyOf(client, ownerUrl)
      for (const { role, passwordOf } of [app, system]) await ensureRole(client, role, passwordOf(key))
      await ensureReach(client, app.role, roleOf(database, 'reach'), Object.values(reach))
      await client.query(LEDGER)
      return { app: app.urlOf(key), system: system.urlOf(key), reach }
    },
    async share(client) {
      await client.query('SELECT share_rights(), owner_rules()')
    },
    async apply(client, name) {
      try {
        await client.query(withRoles(forAnyOwner(name, texts.get(name)!), roles))
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
      // Without superuser the owner too sees rows by saying so.
      await client.query(`SET LOCAL app.tenant = '*'`)
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
  // What a migration corrected of what people read before is said with this hint.
  client.on('notice', ({ hint, message }) => {
    if (hint === 'corrected') console.log(message)
  })
  try {
    await takeTurn(client, ownerUrl)
    const logins = await migrations.begin(client)
    const rows = await ask(
      client,
      row({ name: text, checksum: text }),
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
    if (applied.length) await migrations.share(client)
    return { logins, applied }
  } finally {
    await leaveTurn(client)
  }
}

const TOO_WIDE = (role: string) =>
  new Error(`数据库登录角色 ${role} 权限过大（超级用户或可绕过行级安全），拒绝启动`)

async function ensureRole(client: pg.Client, role: string, password: string): Promise<void> {
  const pass = `PASSWORD ${pg.escapeLiteral(password)}`
  const made = await makeRole(client, role, `LOGIN ${pass}`)
  if (!made) await client.query(`ALTER ROLE ${pg.escapeIdentifier(role)} ${pass}`)
}

/** Makes the role where there is none, and says whether; one that may do more than ours is refused. */
async function makeRole(client: pg.Client, role: string, words: string): Promise<boolean> {
  const rows = await ask(
    client,
    row({ rolsuper: bool, rolbypassrls: bool }),
    'SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = $1',
    [role],
  )
  if (rows[0]?.rolsuper || rows[0]?.rolbypassrls) throw TOO_WIDE(role)
  if (rows[0]) return false
  await client.query(
    `CREATE ROLE ${pg.escapeIdentifier(role)} NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION ${words}`,
  )
  return true
}

/**
 * The roles of the reaches, which nobody signs in as. The login may take them and has nothing of theirs until it does: between
 * them stands a role that inherits nothing, which every supported PostgreSQL understands.
 */
async function ensureReach(client: pg.Client, app: string, door: string, roles: string[]): Promise<void> {
  const grant = async (role: string, to: string) => {
    const rows = await ask(
      client,
      row({ there: bool }),
      `SELECT EXISTS (
         SELECT 1 FROM pg_auth_members m
         WHERE m.roleid = $1::regrole AND m.member = $2::regrole) AS there`,
      [pg.escapeIdentifier(role), pg.escapeIdentifier(to)],
    )
    if (!rows[0]!.there)
      await client.query(`GRANT ${pg.escapeIdentifier(role)} TO ${pg.escapeIdentifier(to)}`)
  }
  await makeRole(client, door, 'NOLOGIN NOINHERIT')
  for (const role of roles) {
    await makeRole(client, role, 'NOLOGIN')
    await grant(role, door)
  }
  await grant(door, app)
  const rows = await ask(
    client,
    row({ role: text }),
    `SELECT role FROM unnest($2::text[]) role WHERE pg_has_role($1::name, role::name, 'USAGE')`,
    [app, roles],
  )
  if (rows.length)
    throw new Error(`数据库登录角色 ${app} 权限过大（不经 SET ROLE 就有 ${rows[0]!.role} 的权限），拒绝启动`)
}
