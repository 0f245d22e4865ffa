import { createHash, createHmac } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

const HERE = join(import.meta.dirname, 'migrations')
const MAX_NAME = 63

/** The app's own login: owns nothing, bypasses nothing. Its password follows from the owner's, so several servers agree without sharing a file. */
function appLogin(ownerUrl: string): { url: string; role: string; password: string } {
  const url = new URL(ownerUrl)
  const database = decodeURIComponent(url.pathname.slice(1)) || 'postgres'
  const role = `${database}_app`.slice(0, MAX_NAME)
  const password = createHmac('sha256', decodeURIComponent(url.password) || `${url.host}${url.search}`).update(`zhuguan-app:${database}`).digest('hex')
  return { role, password, url: `postgres://${encodeURIComponent(role)}:${password}@${url.host}${url.pathname}${url.search}` }
}

/**
 * Brings the database up to the newest migration and makes the app's login role.
 * Plain SQL files in order, each in a transaction, with checksums; two processes take turns.
 */
export async function migrate(ownerUrl: string, folder = HERE): Promise<{ appUrl: string; applied: string[] }> {
  const { url: appUrl, role, password } = appLogin(ownerUrl)
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    // One lock for the cluster: roles are shared by its databases.
    await client.query('SELECT pg_advisory_lock(724000)')
    await ensureRole(client, role, password)
    await client.query('CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())')
    const done = new Map((await client.query<{ name: string; checksum: string }>('SELECT name, checksum FROM schema_migrations')).rows.map((r) => [r.name, r.checksum]))
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
        await client.query(text.replaceAll(':app_role', pg.escapeIdentifier(role)))
        await client.query('INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)', [file, checksum])
        await client.query('COMMIT')
      } catch (error) {
        await client.query('ROLLBACK')
        throw new Error(`迁移 ${file} 失败：${(error as Error).message}`, { cause: error })
      }
      applied.push(file)
    }
    return { appUrl, applied }
  } finally {
    await client.end()
  }
}

async function ensureRole(client: pg.Client, role: string, password: string): Promise<void> {
  const { rows } = await client.query<{ rolsuper: boolean; rolbypassrls: boolean }>('SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = $1', [role])
  const row = rows[0]
  if (row?.rolsuper || row?.rolbypassrls) throw new Error(`数据库登录角色 ${role} 权限过大（超级用户或可绕过行级安全），拒绝启动`)
  const name = pg.escapeIdentifier(role)
  const words = `LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD ${pg.escapeLiteral(password)}`
  await client.query(row ? `ALTER ROLE ${name} PASSWORD ${pg.escapeLiteral(password)}` : `CREATE ROLE ${name} ${words}`)
}
