import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import pg from 'pg'

import { makeFolder } from '../kit/folder.ts'
import { filesFolder, MARK, type OwnPlace } from '../kit/own-place.ts'
import { Refused } from '../kit/refuse.ts'
import { bool, json, name, row, text, there } from '../kit/row.ts'
import { inWords } from '../kit/system-words.ts'
import { beginAt, doneAt } from '../kit/unfinished.ts'
import { ask } from './ask.ts'
import { type Head, linesOf, readHead } from './backup-file.ts'
import { seeAll, tablesOf } from './backup.ts'
import { type Migrations, openMigrations } from './migrate.ts'
import { leaveTurn, takeTurn } from './turn.ts'

const FILE = /^(secret\.key|files\/[\w./-]+)$/
/** Files stand here until the rows are committed. The name is written into the same transaction: who finds it there finishes. */
const STAGED = /^restore-[0-9a-f-]{36}$/

/** A server that goes on would keep its key, its books and its numbers of before, and write over what was put back. */
async function refuseWhileServing(client: pg.Client, roles: readonly string[]): Promise<void> {
  const rows = await ask(
    client,
    there,
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND usename = ANY ($1)`,
    [roles],
  )
  if (rows.length)
    throw new Refused(
      `有服务正在使用这个数据库（${rows.length} 个连接）。请先停止所有服务，再恢复备份；没有改动现有数据`,
    )
}

/** The columns that are written; what is computed computes itself. */
async function columnsOf(client: pg.Client, table: string): Promise<string> {
  const rows = await ask(
    client,
    row({ name: name }),
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [`public.${pg.escapeIdentifier(table)}`],
  )
  return rows.map((r) => pg.escapeIdentifier(r.name)).join(', ')
}

/**
 * The part of a file's lines that is taken: which files, and the rows of a table, perhaps with something else in
 * them.
 */
interface Taking {
  isFile(name: string): boolean
  rows?(table: string, rows: string): Promise<string>
}

/**
 * Kept in the file and written by triggers of tables that are loaded before: what a trigger wrote now is not what
 * happened then, and goes when the file's own rows come.
 */
const WRITTEN_BY_TRIGGERS = ['correction_turns']

/** Writes rows and files as they come: nothing is in memory but a line. */
export async function load(
  client: pg.Client,
  file: string,
  staged: string,
  taking: Taking,
): Promise<{ rows: number; files: number }> {
  const tables = await tablesOf(client)
  const columns = new Map<string, string>()
  const begun = new Set<string>()
  const months = new Set<string>()
  const partitioned = new Set(
    (
      await ask(
        client,
        row({ name: name }),
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'p'`,
      )
    ).map((r) => r.name),
  )
  let rows = 0
  let files = 0
  let writing: { name: string; handle: FileHandle } | undefined
  const put = async () => {
    await writing?.handle.sync()
    await writing?.handle.close()
    writing = undefined
  }
  try {
    for await (const line of linesOf(file)) {
      if (line.kind === 'rows') {
        if (!tables.includes(line.table))
          throw new Refused(`备份里有不认识的表 ${line.table}，没有改动现有数据`)
        const table = pg.escapeIdentifier(line.table)
        if (!columns.has(line.table)) columns.set(line.table, await columnsOf(client, line.table))
        const taken = (await taking.rows?.(line.table, line.rows)) ?? line.rows
        if (WRITTEN_BY_TRIGGERS.includes(line.table) && !begun.has(line.table))
          await client.query(`DELETE FROM ${table} WHERE xmin = pg_current_xact_id()::xid`)
        begun.add(line.table)
        if (partitioned.has(line.table)) await openMonths(client, table, taken, months)
        const names = columns.get(line.table)!
        const { rowCount } = await client.query(
          `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
           SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json)`,
          [taken],
        )
        rows += rowCount ?? 0
      }
      if (line.kind === 'file') {
        if (line.file.includes('..') || !taking.isFile(line.file))
          throw new Refused('备份里有不认识的文件，没有改动现有数据')
        if (writing?.name !== line.file) {
          await put()
          const path = join(staged, line.file)
          await mkdir(dirname(path), { recursive: true })
          writing = { name: line.file, handle: await open(path, 'wx', 0o600) }
          files += 1
        }
        await writing.handle.writeFile(Buffer.from(line.bytes, 'base64'))
      }
    }
  } finally {
    await put()
  }
  return { rows, files }
}

/** A month that rows fall in has its partition before they are written, however long ago it was. */
async function openMonths(client: pg.Client, table: string, rows: string, known: Set<string>): Promise<void> {
  const found = await ask(
    client,
    row({ month: text }),
    `SELECT DISTINCT to_char(at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-01') AS month
     FROM json_populate_recordset(NULL::${table}, $1::json)`,
    [rows],
  )
  for (const { month } of found) {
    if (known.has(month)) continue
    await client.query('SELECT ensure_months($1::date, $1::date)', [month])
    known.add(month)
  }
}

/** Numbers go on where they stood. The first release's files do not say where: there the numbers given out do. */
async function setSequences(client: pg.Client, head: Head): Promise<void> {
  const all =
    head.sequences ??
    (
      await ask(
        client,
        row({ all: json<Record<string, [string, boolean]>>() }),
        `SELECT json_build_object(
           'site_numbers', (SELECT json_build_array(coalesce(max(substr(code, 7)::bigint), 1)::text, count(*) > 0)
                            FROM sites WHERE code ~ '^GD[0-9]{8,16}$'),
           'worker_numbers', (SELECT json_build_array(coalesce(max(substr(w_id, 3)::bigint), 1)::text, count(*) > 0)
                              FROM workers WHERE w_id ~ '^GR[0-9]{6,16}$')) AS all`,
      )
    )[0]!.all
  for (const [name, [last, called]] of Object.entries(all)) {
    const known = await ask(client, row({ found: bool }), 'SELECT to_regclass($1) IS NOT NULL AS found', [
      `public.${pg.escapeIdentifier(name)}`,
    ])
    if (known[0]!.found)
      await client.query('SELECT setval($1::regclass, $2::bigint, $3)', [
        `public.${pg.escapeIdentifier(name)}`,
        last,
        called,
      ])
  }
}

/**
 * What stood there until the restore. To drop it in the same transaction takes a lock for every table, index,
 * constraint and trigger: with those of the new ones more than a PostgreSQL as it comes has for all of its sessions
 * together (64 × 100; counted: 8,749). It moves into a schema of its own and goes afterwards, some tables at a time.
 */
const BEFORE = 'before_restore'
/** A commit for so many: one for each waits for the disk a hundred times. */
const AT_ONCE = 20
/** All of ours in the schema; what an extension brought belongs to whoever runs the database and stays. */
const OURS = (catalogue: string) => `NOT EXISTS (SELECT FROM pg_depend d
         WHERE d.classid = '${catalogue}'::regclass AND d.objid = o.oid AND d.deptype IN ('e', 'i', 'a'))`
async function moveAside(client: pg.Client): Promise<void> {
  await client.query(`CREATE SCHEMA ${BEFORE}`)
  const moves = await ask(
    client,
    row({ move: text }),
    `SELECT format('ALTER %s %s SET SCHEMA ${BEFORE}', CASE o.relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW'
         ELSE 'TABLE' END, o.oid::regclass) AS move
     FROM pg_class o
     WHERE o.relnamespace = 'public'::regnamespace AND o.relkind IN ('r', 'p', 'v', 'S')
       AND (o.relkind <> 'S' AND NOT EXISTS (SELECT FROM pg_depend d
           WHERE d.classid = 'pg_class'::regclass AND d.objid = o.oid AND d.deptype = 'e') OR ${OURS('pg_class')})
     UNION ALL
     SELECT format('ALTER ROUTINE %s SET SCHEMA ${BEFORE}', o.oid::regprocedure)
     FROM pg_proc o
     WHERE o.pronamespace = 'public'::regnamespace AND ${OURS('pg_proc')}`,
  )
  for (const { move } of moves) await client.query(move)
}
async function dropBefore(client: pg.Client): Promise<void> {
  const tables = await ask(
    client,
    row({ table: name }),
    `SELECT c.relname AS table FROM pg_class c
     WHERE c.relnamespace = to_regnamespace('${BEFORE}') AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
  )
  for (let i = 0; i < tables.length; i += AT_ONCE) {
    const names = tables.slice(i, i + AT_ONCE).map(({ table }) => `${BEFORE}.${pg.escapeIdentifier(table)}`)
    await client.query(`DROP TABLE IF EXISTS ${names.join(', ')} CASCADE`)
  }
  await client.query(`DROP SCHEMA IF EXISTS ${BEFORE} CASCADE`)
}

/** The tables as the file's release had them, its rows, and then every migration since: what an upgrade does to rows it does to these. */
async function rebuild(client: pg.Client, migrations: Migrations, head: Head, file: string, staged: string) {
  await moveAside(client)
  await client.query(`COMMENT ON SCHEMA public IS ${pg.escapeLiteral(basename(staged))}`)
  await migrations.begin(client)
  const before = migrations.names.filter((name) => head.migrations.includes(name))
  for (const name of before) await migrations.apply(client, name)
  await seeAll(client)
  const tables = await tablesOf(client)
  await client.query(`TRUNCATE ${tables.map((t) => pg.escapeIdentifier(t)).join(', ')}`)
  const loaded = await load(client, file, staged, { isFile: (name) => FILE.test(name) })
  await setSequences(client, head)
  for (const name of migrations.names) if (!before.includes(name)) await migrations.apply(client, name)
  await migrations.share(client)
  // Positions of the old cluster mean nothing in this one; browsers fetch anew.
  await seeAll(client)
  await client.query('DELETE FROM live_events')
  return loaded
}

/** What the database, the disk or the file itself says against it, said so that whoever restores knows where they stand. */
const unchanged = (error: unknown): Refused =>
  error instanceof Refused ? error : new Refused(`恢复没有成功，现有数据没有改动。原因：${inWords(error)}`)

/** Puts a backup in the place of what is there, rows in one transaction and files by their folder's name: all of it or nothing. */
export async function restore(
  ownerUrl: string,
  dataDir: string,
  file: string,
  place: OwnPlace = filesFolder(dataDir),
): Promise<object> {
  const head = await readHead(file)
  const migrations = await openMigrations(ownerUrl)
  if (head.migrations.some((name) => !migrations.names.includes(name)))
    throw new Refused('备份来自更新的版本，请先升级再恢复；没有改动现有数据')
  const client = new pg.Client({ connectionString: ownerUrl })
  // A connection that breaks is told by the statement that it breaks.
  client.on('error', () => {})
  await client.connect()
  const staged = join(dataDir, `restore-${randomUUID()}`)
  let asked = false
  try {
    // A server that starts now waits until everything is in its place.
    await takeTurn(client, ownerUrl)
    await refuseWhileServing(client, migrations.roles)
    await dropBefore(client)
    beginAt(staged)
    await makeFolder(join(staged, 'files'))
    await client.query('BEGIN')
    const loaded = await rebuild(client, migrations, head, file, staged)
    await refuseOtherBucket(staged, place)
    // From here on the commit may stand even when its answer is lost: then the next start looks.
    asked = true
    doneAt(staged)
    await client.query('COMMIT')
    await dropBefore(client)
    await putFiles(staged, dataDir, place)
    return { file, ...loaded }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    if (!asked) await rm(staged, { recursive: true, force: true })
    throw asked ? error : unchanged(error)
  } finally {
    await leaveTurn(client)
  }
}

/** A folder gives way as a whole; in a bucket another installation's files would lie among these. */
async function refuseOtherBucket(staged: string, place: OwnPlace): Promise<void> {
  if (place.use().kind === 'folder') return
  const [there, own] = [await place.read(MARK), await readFile(join(staged, 'files', MARK)).catch(() => null)]
  if (there && own?.toString().trim() !== there.toString().trim())
    throw new Refused(`${place.called} 是另一个安装的，请用 FILES 换一个空的前缀；没有改动现有数据`)
}

/** Folders change their names; whoever is stopped between two of them does the rest the next time. */
async function putFiles(staged: string, dataDir: string, place: OwnPlace): Promise<void> {
  const fresh = join(staged, 'files')
  if (existsSync(fresh)) await place.takeIn(fresh, join(staged, 'before'))
  const key = join(staged, 'secret.key')
  if (existsSync(key)) await rename(key, join(dataDir, 'secret.key'))
  await rm(staged, { recursive: true, force: true })
}

/** A restore that was stopped after its commit gets its files, one that was stopped before it leaves nothing. Called before anything is read. */
export async function finishRestore(
  ownerUrl: string,
  dataDir: string,
  place: OwnPlace = filesFolder(dataDir),
): Promise<void> {
  const folders = (await readdir(dataDir).catch(() => [])).filter((name) => STAGED.test(name))
  if (folders.length === 0) return
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await takeTurn(client, ownerUrl)
    const rows = await ask(
      client,
      row({ done: text.null }),
      `SELECT obj_description('public'::regnamespace, 'pg_namespace') AS done`,
    )
    await dropBefore(client)
    for (const name of folders) {
      if (name === rows[0]!.done) await putFiles(join(dataDir, name), dataDir, place)
      else await rm(join(dataDir, name), { recursive: true, force: true })
    }
  } finally {
    await leaveTurn(client)
  }
}
