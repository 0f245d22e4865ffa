import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'

import pg from 'pg'

import { filesFolder, isMadeAgain, type OwnPlace } from '../kit/own-place.ts'
import { Refused } from '../kit/refuse.ts'
import { bool, int4, name, row, text, texts } from '../kit/row.ts'
import { heldKey, keyFile } from '../kit/secret.ts'
import { ask } from './ask.ts'
import { writeBackup, type Writer } from './backup-file.ts'

const FETCHED = 500
const LINE_BYTES = 1024 * 1024
/** Told to browsers within the hour and never again; and which backups were made of the database that this one is. */
const PASSING = ['backups', 'live_events']

/** Row-level security is forced on the owner too: it sees all tenants by saying so. */
export const seeAll = (client: pg.Client) => client.query(`SET LOCAL app.tenant = '*'`)

/** Tables in an order in which every row's parents come first; what triggers keep from other tables (marked derived) comes back by itself. */
export async function tablesOf(client: pg.Client): Promise<string[]> {
  const rows = await ask(
    client,
    row({ name: name, parents: texts }),
    `SELECT c.relname AS name,
       ARRAY(SELECT p.relname::text FROM pg_constraint k JOIN pg_class p ON p.oid = k.confrelid
             WHERE k.conrelid = c.oid AND k.contype = 'f' AND p.oid <> c.oid) AS parents
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> 'schema_migrations' AND obj_description(c.oid, 'pg_class') IS DISTINCT FROM 'derived'
     ORDER BY 1`,
  )
  const done: string[] = []
  while (done.length < rows.length) {
    const next = rows.filter((r) => !done.includes(r.name) && r.parents.every((p) => done.includes(p)))
    if (next.length === 0) throw new Error('tables refer to each other in a circle')
    done.push(...next.map((r) => r.name))
  }
  return done
}

/** Where every sequence stands, whatever it is called. */
export async function sequencesOf(client: pg.Client): Promise<Record<string, [string, boolean]>> {
  const rows = await ask(
    client,
    row({ name: name }),
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'S'
     ORDER BY 1`,
  )
  const all: Record<string, [string, boolean]> = {}
  for (const { name } of rows) {
    const at = await ask(
      client,
      row({ last: text, called: bool }),
      `SELECT last_value::text AS last, is_called AS called FROM ${pg.escapeIdentifier(name)}`,
    )
    all[name] = [at[0]!.last, at[0]!.called]
  }
  return all
}

/** All rows of a table, or those of `where`, which calls it t; `change` may put something else into a row's text. */
export async function writeRows(
  client: pg.Client,
  to: Writer,
  table: string,
  where = 'true',
  change: (row: string) => string = (row) => row,
): Promise<number> {
  let total = 0
  let texts: string[] = []
  let bytes = 0
  const flush = async () => {
    if (texts.length) await to.rows(table, `[${texts.join(',')}]`)
    texts = []
    bytes = 0
  }
  await client.query(
    `DECLARE backup_rows NO SCROLL CURSOR FOR
     SELECT row_to_json(t)::text AS row FROM ${pg.escapeIdentifier(table)} t WHERE ${where}`,
  )
  for (;;) {
    const rows = await ask(client, row({ row: text }), `FETCH ${FETCHED} FROM backup_rows`)
    if (rows.length === 0) break
    total += rows.length
    for (const found of rows) {
      const row = change(found.row)
      texts.push(row)
      bytes += row.length
      if (bytes >= LINE_BYTES) await flush()
    }
  }
  await flush()
  await client.query('CLOSE backup_rows')
  return total
}

/** Pieces of a line's length at most. */
async function* inLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces)
    for (let at = 0; at < piece.length; at += LINE_BYTES) yield piece.subarray(at, at + LINE_BYTES)
}
/** In pieces: a recording is never in memory whole. A face that was deleted since the snapshot is left out. */
export async function writeFile(to: Writer, place: OwnPlace, path: string): Promise<number> {
  const name = `files/${path}`
  const file = await place.open(path)
  if (!file) return 0
  if (file.size === 0) {
    await to.file(name, Buffer.alloc(0))
    return 1
  }
  try {
    for await (const piece of inLines(file.part(0, file.size - 1) as Readable)) await to.file(name, piece)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return 0
  }
  return 1
}

/** The database's word about its key; nothing before its first server. */
export const printIn = async (client: pg.Client): Promise<string | undefined> =>
  (await ask(client, row({ print: text }), 'SELECT key_print AS print FROM installation'))[0]?.print
/** A backup without the key opens no device and proves no log; one without a picture is of another folder. */
async function refuseOtherFolder(client: pg.Client, dataDir: string, place: OwnPlace): Promise<void> {
  await heldKey(await printIn(client), dataDir)
  const [{ n }] = (await ask(client, row({ n: int4 }), 'SELECT count(*)::int AS n FROM files')) as [
    { n: number },
  ]
  if (n === 0) return
  for await (const _any of place.list()) return
  throw new Refused(
    `库里有 ${n} 个文件，${place.called} 里一个也没有。请用 DATA_DIR 或 FILES 指向服务用的文件夹或桶，没有备份`,
  )
}

/** The file is whole: the database knows it for /metrics. One of a release before keeps no such list. */
async function remember(
  client: pg.Client,
  of: { rows: number; files: number; bytes: number },
): Promise<void> {
  const [kept] = await ask(client, row({ there: bool }), `SELECT to_regclass('backups') IS NOT NULL AS there`)
  if (!kept!.there) return
  await client.query('INSERT INTO backups (at, rows, files, bytes) VALUES (now(), $1, $2, $3)', [
    of.rows,
    of.files,
    of.bytes,
  ])
}

/** One file with every row, every number given out, every picture and the installation's key, from one snapshot, while the server runs. */
export async function backup(
  ownerUrl: string,
  dataDir: string,
  file: string,
  place: OwnPlace = filesFolder(dataDir),
): Promise<object> {
  const client = new pg.Client({ connectionString: ownerUrl })
  // A connection that breaks is told by the statement that it breaks.
  client.on('error', () => {})
  await client.connect()
  let rows = 0
  let files = 0
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await seeAll(client)
    await refuseOtherFolder(client, dataDir, place)
    const bytes = await writeBackup(file, async (to) => {
      const migrations = await ask(
        client,
        row({ name: text }),
        'SELECT name FROM schema_migrations ORDER BY name',
      )
      await to.head({
        migrations: migrations.map((r) => r.name),
        sequences: await sequencesOf(client),
      })
      for (const table of await tablesOf(client))
        if (!PASSING.includes(table)) rows += await writeRows(client, to, table)
      await client.query('COMMIT')
      await to.file(basename(keyFile(dataDir)), await readFile(keyFile(dataDir)))
      files += 1
      for await (const path of place.list()) if (!isMadeAgain(path)) files += await writeFile(to, place, path)
    })
    await remember(client, { rows, files, bytes })
    return { file, rows, files, bytes }
  } finally {
    await client.end()
  }
}
