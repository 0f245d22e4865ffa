import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

import { expect, test } from 'vitest'

import { sources } from './sources.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** Where time comes from the context: the server's clock, given at the start, and the transaction's instant in statements. */
const TREES = ['server/app', 'server/features', 'server/ingest', 'contract/features']

/** What reads a clock of its own. In a text of SQL the instant is `:now`; `now()` and its kin are the database's clock. */
function ownClocks(text: string): string[] {
  const strings = text.match(/`[^`]*`|'[^'\n]*'/g) ?? []
  return [
    ...(text.match(/\bDate\.now\(\)|\bnew Date\(\)/g) ?? []),
    ...strings.flatMap(
      (s) =>
        s.match(
          /(?<![\w.:{!])now\(\)|\bcurrent_(date|time|timestamp)\b|\b(clock|statement|transaction)_timestamp\b/gi,
        ) ?? [],
    ),
  ]
}

test('the rule finds every clock that it looks for, and none where there is none', () => {
  expect(ownClocks('const at = new Date()')).toHaveLength(1)
  expect(ownClocks('const at = Date.now() / 1000')).toHaveLength(1)
  expect(ownClocks("tx.query('a', `SELECT now() - interval '1 day'`)")).toHaveLength(1)
  expect(ownClocks("tx.query('a', 'DELETE FROM t WHERE day < current_date')")).toHaveLength(1)
  expect(ownClocks("tx.query('a', 'UPDATE t SET at = clock_timestamp()')")).toHaveLength(1)
  expect(
    ownClocks("tx.query('a', 'SELECT :now'); const at = call.now(); f(`${now()}`); new Date(at)"),
  ).toEqual([])
})

test('time comes from the context, in the server, its statements and its stories', () => {
  const files = TREES.flatMap((tree) =>
    readdirSync(join(ROOT, tree), { recursive: true, withFileTypes: true })
      .filter((f) => f.isFile() && f.name.endsWith('.ts'))
      .map((f) => join(f.parentPath, f.name)),
  )
  expect(files.length).toBeGreaterThan(100)
  const wrong = files.flatMap((file) =>
    ownClocks(readFileSync(file, 'utf8')).map((clock) => `${relative(ROOT, file)}: ${clock}`),
  )
  expect(wrong).toEqual([])
})

/** Devices that a text puts on line unheard: the watch takes them off line at the next full minute. */
const unheard = (text: string): string[] =>
  (text.match(/UPDATE devices SET\b[^`']*?\bWHERE\b/g) ?? []).filter(
    (set) => /\bdevice_status = 1\b/.test(set) && !/\blast_seen = (:now|now\(\))/.test(set),
  )

test('a story that puts a device on line says that it was just heard', () => {
  expect(unheard('`UPDATE devices SET device_status = 1, version = 7 WHERE id = $1`')).toHaveLength(1)
  expect(unheard('`UPDATE devices SET device_status = 1, last_seen = :now WHERE id = $1`')).toEqual([])
  const files = sources(/\.ts$/).filter((file) => file !== join('tools', 'structure', 'time.test.ts'))
  expect(files.flatMap((file) => unheard(readFileSync(join(ROOT, file), 'utf8')))).toEqual([])
})
