import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { OWNERS } from '../../server/database/owners.ts'
import { settle } from './debts.ts'
import { ROOT, sources } from './sources.ts'

const ownerOf = new Map(Object.entries(OWNERS).flatMap(([owner, tables]) => tables.map((t) => [t, owner])))
const WRITE = /\b(?:INSERT INTO|DELETE FROM|MERGE INTO|TRUNCATE|UPDATE)\s+(?:ONLY\s+)?([a-z][a-z_]+|\$\{)/g
/** A table whose name the text does not say. */
const PUT_TOGETHER = 'a name put together'
/** Files that write every table by what they are. */
const BY_NATURE: Readonly<Record<string, string>> = {
  'server/app/erasing.ts': 'takes a person out of every table in which something of them stands',
  'server/database/restore.ts': 'puts the rows of a backup or of a moving group where they were',
}
/** The tables that a file's statements write, by the room or feature that the file stands in. */
function written(path: string, text: string): string[] {
  if (path in BY_NATURE) return []
  const room = /^server\/(?:features\/)?([^/.]+)/.exec(path)![1]!
  return [...text.matchAll(WRITE)]
    .map(([, table]) => (table === '${' ? PUT_TOGETHER : table!))
    .filter((table) => table === PUT_TOGETHER || (ownerOf.has(table) && ownerOf.get(table) !== room))
    .map((table) => `${room} → ${table}`)
}

test('the rule finds the foreign writes that are planted', () => {
  const path = 'server/features/alarms/alarms.queries.ts'
  expect(written(path, "tx.query('a', `UPDATE sites SET x = 1`)")).toEqual(['alarms → sites'])
  expect(written(path, "tx.query('a', `INSERT INTO users (a) VALUES (1)`)")).toEqual(['alarms → users'])
  expect(written(path, "tx.query('a', 'DELETE FROM devices WHERE a = 1')")).toEqual(['alarms → devices'])
  expect(written(path, 'WITH d AS (DELETE FROM files RETURNING key)')).toEqual(['alarms → files'])
  expect(written(path, 'UPDATE alarms SET x = 1; SELECT a FROM sites FOR UPDATE OF s')).toEqual([])
  expect(written(path, 'tx.query(`a`, `DELETE FROM ${table} WHERE a = 1`)')).toEqual([
    `alarms → ${PUT_TOGETHER}`,
  ])
  expect(written('server/ingest/first-time.ts', 'INSERT INTO device_seen (a)')).toEqual([])
})

test('every table has one owner, and every owner is there', () => {
  const migrations = sources(/migrations\/.*\.sql$/)
    .map((path) => readFileSync(join(ROOT, path), 'utf8'))
    .join('\n')
  const renamed = new Map(
    [...migrations.matchAll(/^ALTER TABLE (\w+) RENAME TO (\w+)/gm)].map((m) => [m[1]!, m[2]!]),
  )
  const made = [...migrations.matchAll(/^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/gm)].map(
    (m) => renamed.get(m[1]!) ?? m[1]!,
  )
  const owned = Object.values(OWNERS).flat()
  expect(made.length).toBeGreaterThan(50)
  expect([...new Set(made)].filter((table) => !ownerOf.has(table))).toEqual([])
  expect(owned.filter((table, i) => owned.indexOf(table) !== i)).toEqual([])
  expect(owned.filter((table) => !made.includes(table))).toEqual(['schema_migrations'])
  const rooms = new Set(
    sources(/^server\/.*\.ts$/).flatMap((p) => /^server\/(?:features\/)?([^/.]+)/.exec(p)![1]!),
  )
  expect(Object.keys(OWNERS).filter((owner) => !rooms.has(owner))).toEqual([])
})

test('only its owner writes a table, but for the statements that are listed', () => {
  const found: Record<string, number> = {}
  let seen = 0
  // The seed tells a story that nobody lived, and writes every table.
  for (const path of sources(/^server\/.*\.ts$/))
    if (!/\.test\.ts$|^server\/(testing|database\/seed)\//.test(path)) {
      const text = readFileSync(join(ROOT, path), 'utf8')
      seen += [...text.matchAll(WRITE)].length
      for (const arrow of written(path, text)) found[arrow] = (found[arrow] ?? 0) + 1
    }
  expect(seen).toBeGreaterThan(120)
  expect(settle('writes', found)).toEqual([])
})
