import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import pg from 'pg'

import { LINES } from '../../server/testing/lines.ts'

/** Told to browsers within the hour and never again (docs/decisions/0111 keeps them out of a backup). */
const PASSING = ['backups', 'live_events']

/** Somebody who sees every row, for one question or many. */
export async function asOwner<T>(url: string, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(`SET app.tenant = '*'`)
    return await ask(client)
  } finally {
    await client.end().catch(() => {})
  }
}
const tablesOf = async (client: pg.Client): Promise<string[]> =>
  (
    await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
    )
  ).rows.map((row) => row.name)

/** Partitions are made when they are needed: what they are, their table says. */
const WHOLE = `(SELECT oid FROM pg_class WHERE NOT relispartition)`
/** What the database is, beside its rows. */
const SHAPES: Record<string, string> = {
  columns: `SELECT table_name || '.' || column_name AS key,
      data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') AS value
    FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name::regclass IN ${WHOLE}`,
  constraints: `SELECT conrelid::regclass || '.' || conname AS key, pg_get_constraintdef(oid) AS value
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid IN ${WHOLE}`,
  indexes: `SELECT indexname AS key, indexdef AS value FROM pg_indexes WHERE schemaname = 'public' AND tablename::regclass IN ${WHOLE}`,
  policies: `SELECT tablename || '.' || policyname AS key, concat(cmd, roles, qual, with_check) AS value
    FROM pg_policies WHERE schemaname = 'public'`,
  triggers: `SELECT tgrelid::regclass || '.' || tgname AS key, pg_get_triggerdef(oid) AS value
    FROM pg_trigger WHERE NOT tgisinternal AND tgrelid IN ${WHOLE}`,
  functions: `SELECT proname || pg_get_function_identity_arguments(oid) AS key, md5(prosrc) || prosecdef AS value
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f' AND prolang <> 13`,
}
/** A digest of every table, shape, sequence and file: equal pictures are equal installations. */
export async function pictureOf(url: string, folder?: string): Promise<Map<string, string>> {
  const picture = new Map<string, string>()
  await asOwner(url, async (client) => {
    for (const name of await tablesOf(client)) {
      if (PASSING.includes(name)) continue
      // When a migration ran is another machine's affair; that it ran is not.
      const row = name === 'schema_migrations' ? 't.name' : 't::text'
      const { rows } = await client.query<{ n: string; digest: string }>(
        `SELECT count(*) AS n, md5(string_agg(md5(${row}), '' ORDER BY md5(${row}))) AS digest
         FROM ${LINES[name] ?? pg.escapeIdentifier(name)} t`,
      )
      picture.set(`table ${name}`, `${rows[0]!.n} rows ${rows[0]!.digest}`)
    }
    for (const [what, sql] of Object.entries(SHAPES)) {
      const { rows } = await client.query<{ key: string; value: string }>(sql)
      const all = rows.map((row) => `${row.key} ${row.value}`).sort()
      picture.set(what, `${all.length} ${createHash('md5').update(all.join('\n')).digest('hex')}`)
    }
    const { rows } = await client.query<{ name: string }>(
      `SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public'`,
    )
    for (const { name } of rows) {
      const at = await client.query<{ at: string }>(
        `SELECT last_value || ' ' || is_called AS at FROM ${pg.escapeIdentifier(name)}`,
      )
      picture.set(`sequence ${name}`, at.rows[0]!.at)
    }
  })
  if (folder) for (const [name, digest] of filesOf(folder)) picture.set(`file ${name}`, digest)
  return picture
}
const filesOf = (folder: string): [string, string][] => {
  const root = join(folder, 'files')
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const all = entries.map((entry) => join(entry.parentPath, entry.name)).concat(join(folder, 'secret.key'))
  return (
    all
      // What is made from a picture is made again when somebody looks.
      .filter((path) => !path.endsWith('.thumb'))
      .map((path) => [path.slice(folder.length), createHash('md5').update(readFileSync(path)).digest('hex')])
  )
}
/** Where two pictures differ, in words. */
export function differences(before: Map<string, string>, after: Map<string, string>): string[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name}: ${before.get(name) ?? 'not there'} → ${after.get(name) ?? 'gone'}`)
}
