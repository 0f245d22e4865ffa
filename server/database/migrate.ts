import { createHash, createHmac } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import pg from 'pg'

const HERE = join(import.meta.dirname, 'migrations')
const MAX_NAME = 63

/** The addresses of the server's two logins: `app` sees one tenant at a time, `system` is for the server's own work. */
export interface Logins {
  app: string
  system: string
}

/** A login of ours: owns nothing, bypasses nothing. Its password follows from the owner's, so several servers agree without sharing a file. */
function loginOf(ownerUrl: string, kind: keyof Logins): { url: string; role: string; password: string } {
  const url = new URL(ownerUrl)
  const database = decodeURIComponent(url.pathname.slice(1)) || 'postgres'
  const role = `${database.slice(0, MAX_NAME - kind.length - 1)}_${kind}`
  const password = createHmac('sha256', decodeURIComponent(url.password) || `${url.host}${url.search}`)
    .update(`zhuguan-${kind}:${database}`)
    .digest('hex')
  return {
    role,
    password,
    url: `postgres://${encodeURIComponent(role)}:${password}@${url.host}${url.pathname}${url.search}`,
  }
}
/** `:app_role` and `:system_role` in a migration; with `_name` inside a string. */
const withRoles = (text: string, roles: Record<keyof Logins, string>): string =>
  text.replace(/:(app|system)_role(_name)?\b/g, (_whole, kind: keyof Logins, name?: string) =>
    name ? roles[kind].replaceAll("'", "''") : pg.escapeIdentifier(roles[kind]),
  )

/**
 * Brings the database up to the newest migration and makes the server's two logins.
 * Plain SQL files in order, each in a transaction, with checksums; two processes take turns.
 */
export async function migrate(
  ownerUrl: string,
  folder = HERE,
): Promise<{ logins: Logins; applied: string[] }> {
  const app = loginOf(ownerUrl, 'app')
  const system = loginOf(ownerUrl, 'system')
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    // One lock for the cluster: roles are shared by its databases.
    await client.query('SELECT pg_advisory_lock(724000)')
    for (const { role, password } of [app, system]) await ensureRole(client, role, password)
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    const done = new Map(
      (
        await client.query<{ name: string; checksum: string }>('SELECT name, checksum FROM schema_migrations')
      ).rows.map((r) => [r.name, r.checksum]),
    )
    const files = (await readdir(folder)).filter((f) => /^\d{4}-.+\.sql$/.test(f)).sort()
    const applied: string[] = []
    for (const file of files) {
      const text = await readFile(join(folder, file), 'utf8')
      const checksum = createHash('sha256').update(text).digest('hex')
      const before = done.get(file)
      if (before === checksum) continue
      if (before) throw new Error(`迁移文件 ${file} 在执行之后被改动过，请恢复原文件，改动写成新的迁移`)
      await client.query('BEGIN')
      try {
        await client.query(withRoles(text, { app: app.role, system: system.role }))
        await client.query('INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)', [file, checksum])
        await client.query('COMMIT')
      } catch (error) {
        await client.query('ROLLBACK')
        throw new Error(`迁移 ${file} 失败：${(error as Error).message}`, { cause: error })
      }
      applied.push(file)
    }
    return { logins: { app: app.url, system: system.url }, applied }
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
