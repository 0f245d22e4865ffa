import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

import pg from 'pg'

import { Refused } from '../kit/refuse.ts'
import { migrate } from './migrate.ts'

const FORMAT = 'zhuguan-backup-1'
const CHUNK = 2_000

interface Line {
  table?: string
  rows?: object[]
  file?: string
  bytes?: string
  end?: true
  lines?: number
  digest?: string
  format?: string
  migrations?: string[]
}

/** Tables in an order in which every row's parents come first; what triggers keep from other tables (marked derived) comes back by itself. */
async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; parents: string[] }>(
    `SELECT c.relname AS name, ARRAY(SELECT p.relname::text FROM pg_constraint k JOIN pg_class p ON p.oid = k.confrelid WHERE k.conrelid = c.oid AND k.contype = 'f' AND p.oid <> c.oid) AS parents
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'schema_migrations' AND obj_description(c.oid, 'pg_class') IS DISTINCT FROM 'derived' ORDER BY 1`,
  )
  const done: string[] = []
  while (done.length < rows.length) {
    const next = rows.filter((r) => !done.includes(r.name) && r.parents.every((p) => done.includes(p)))
    if (next.length === 0) throw new Error('tables refer to each other in a circle')
    done.push(...next.map((r) => r.name))
  }
  return done
}
const migrationsOf = async (client: pg.Client) =>
  (await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name')).rows.map(
    (r) => r.name,
  )

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return (
    await Promise.all(
      entries.map((e) => (e.isDirectory() ? filesUnder(join(folder, e.name)) : [join(folder, e.name)])),
    )
  ).flat()
}

/** One file with every row, every picture and the installation's key, from one snapshot, while the server runs. */
export async function backup(ownerUrl: string, dataDir: string, file: string): Promise<object> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const part = `${file}.part`
  const out = createWriteStream(part, { mode: 0o600 })
  const zip = createGzip({ level: 5 })
  const written = finished(zip.pipe(out))
  const hash = createHash('sha256')
  let lines = 0
  let total = 0
  const put = async (line: Line) => {
    const text = JSON.stringify(line) + '\n'
    if (!line.end) {
      hash.update(text)
      lines += 1
    }
    if (!zip.write(text)) await new Promise((r) => zip.once('drain', r))
  }
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    // Row-level security is forced on the owner too: a backup sees all tenants by saying so.
    await client.query(`SET LOCAL app.tenant='*';SET LOCAL app.bcs='*';SET LOCAL app.sites='*'`)
    await put({ format: FORMAT, migrations: await migrationsOf(client) })
    for (const table of await tablesOf(client)) {
      await client.query(
        `DECLARE backup_rows NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS row FROM ${pg.escapeIdentifier(table)} t`,
      )
      for (;;) {
        const { rows } = await client.query<{ row: string }>(`FETCH ${CHUNK} FROM backup_rows`)
        if (rows.length === 0) break
        total += rows.length
        await put({ table, rows: rows.map((r) => JSON.parse(r.row) as object) })
      }
      await client.query('CLOSE backup_rows')
    }
    await client.query('COMMIT')
    for (const path of [join(dataDir, 'secret.key'), ...(await filesUnder(join(dataDir, 'files')))]) {
      if (path.endsWith('.thumb') || path.endsWith('.part')) continue
      await put({ file: path.slice(dataDir.length + 1), bytes: (await readFile(path)).toString('base64') })
    }
    await put({ end: true, lines, digest: hash.digest('hex') })
    zip.end()
    await written
    await rename(part, file)
    return { file, rows: total, bytes: (await stat(file)).size }
  } catch (error) {
    zip.destroy()
    await written.catch(() => {})
    await rm(part, { force: true })
    throw error
  } finally {
    await client.end()
  }
}

async function* linesOf(file: string): AsyncGenerator<[Line, string]> {
  const unzip = createGunzip()
  createReadStream(file)
    .on('error', (error) => unzip.destroy(error))
    .pipe(unzip)
  const decode = new TextDecoder()
  let rest = ''
  for await (const chunk of unzip as AsyncIterable<Buffer>) {
    const lines = (rest + decode.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const text of lines) yield [JSON.parse(text) as Line, `${text}\n`]
  }
  if (rest) throw new Error('cut off')
}

/** Reads the whole file before anything is touched: its form, its end, its checksum. */
async function check(file: string): Promise<string[]> {
  const hash = createHash('sha256')
  let lines = 0
  let migrations: string[] | undefined
  let whole = false
  try {
    for await (const [line, text] of linesOf(file)) {
      if (whole) throw new Error('after the end')
      if (lines === 0) {
        if (line.format !== FORMAT || !line.migrations) throw new Error('format')
        migrations = line.migrations
      }
      if (line.end) whole = line.lines === lines && line.digest === hash.digest('hex')
      else {
        hash.update(text)
        lines += 1
      }
    }
  } catch {
    whole = false
  }
  if (!whole || !migrations) throw new Refused('备份文件不完整或已损坏，没有改动现有数据')
  return migrations
}

/** Puts a backup in the place of what is there, in one transaction: all of it or nothing. */
export async function restore(ownerUrl: string, dataDir: string, file: string): Promise<object> {
  const migrations = await check(file)
  await migrate(ownerUrl)
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  let total = 0
  const files: { path: string; bytes: Buffer }[] = []
  try {
    const here = await migrationsOf(client)
    if (migrations.some((m) => !here.includes(m))) throw new Refused('备份来自更新的版本，请先升级再恢复')
    await client.query('BEGIN')
    await client.query(`SET LOCAL app.tenant='*';SET LOCAL app.bcs='*';SET LOCAL app.sites='*'`)
    const tables = await tablesOf(client)
    await client.query(`TRUNCATE ${tables.map((t) => pg.escapeIdentifier(t)).join(', ')}`)
    await client.query(
      `SELECT ensure_months((now() - interval '24 months')::date, (now() + interval '2 months')::date)`,
    )
    for await (const [line] of linesOf(file)) {
      if (line.table && line.rows) {
        if (!tables.includes(line.table)) throw new Refused(`备份里有不认识的表 ${line.table}`)
        const generated = (
          await client.query<{ name: string }>(
            `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
            [line.table],
          )
        ).rows
          .map((r) => pg.escapeIdentifier(r.name))
          .join(', ')
        const table = pg.escapeIdentifier(line.table)
        await client.query(
          `INSERT INTO ${table} (${generated}) OVERRIDING SYSTEM VALUE SELECT ${generated} FROM json_populate_recordset(NULL::${table}, $1::json)`,
          [JSON.stringify(line.rows)],
        )
        total += line.rows.length
      } else if (line.file) {
        if (line.file.includes('..') || !/^(secret\.key|files\/[\w./-]+)$/.test(line.file))
          throw new Refused('备份里有不认识的文件')
        files.push({ path: join(dataDir, line.file), bytes: Buffer.from(line.bytes ?? '', 'base64') })
      }
    }
    await client.query(
      `SELECT setval(pg_get_serial_sequence('live_events', 'seq'), coalesce((SELECT max(seq) FROM live_events), 0) + 1, false)`,
    )
    // Positions of the old cluster mean nothing in this one; browsers fetch anew.
    await client.query('DELETE FROM live_events')
    await client.query('COMMIT')
    for (const { path, bytes } of files) {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, bytes, { mode: 0o600 })
    }
    return { file, rows: total, files: files.length }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  } finally {
    await client.end()
  }
}
