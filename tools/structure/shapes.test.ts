import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { ROOT, sources } from './sources.ts'

/** A row type that is stated where the statement's columns would give it. */
const stated = (text: string): string[] => text.match(/\.(query|last)\s*</g) ?? []

test('the rule finds what is planted', () => {
  expect(stated("tx.query<{ id: string }>('a.b', 'SELECT id FROM sites')")).toHaveLength(1)
  expect(stated('tx\n  .last<Site>(')).toHaveLength(1)
  expect(stated("tx.query('a.b', row({ id: uuid }), 'SELECT id FROM sites')")).toEqual([])
})

test('no statement of the server states the type of its rows: its columns are declared and compared', () => {
  const files = sources(/^server\/.*(?<!\.test)\.ts$/)
  const texts = files.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const)
  // What declares its columns is there to be seen: a rule that reads nothing finds nothing.
  expect(
    texts.reduce((n, [, text]) => n + (text.match(/\brow(<[^(]*>)?\(\{/g)?.length ?? 0), 0),
  ).toBeGreaterThan(200)
  expect(texts.flatMap(([path, text]) => stated(text).map((s) => `${path}: ${s}`))).toEqual([])
})

/** Names of statements that the record of statements would not find: they are `noun.verb`, in small letters. */
const misnamed = (text: string): string[] =>
  [...text.matchAll(/\btx\s*\.(?:query|run|send|last)\(\s*'([^']+)'/g)]
    .map(([, name]) => name!)
    .filter((name) => !/^[a-z]{2,}\.[a-z]+$/.test(name))

test('a statement is named noun.verb in small letters', () => {
  expect(misnamed("tx.query('supplierReviews.lock', one, 'SELECT 1')")).toEqual(['supplierReviews.lock'])
  expect(misnamed("tx.run(\n  'sites.move',\n  'UPDATE sites')")).toEqual([])
  const found = sources(/^server\/(features|app|ingest)\/.*(?<!\.test)\.ts$/).flatMap((path) =>
    misnamed(readFileSync(join(ROOT, path), 'utf8')).map((name) => `${path}: ${name}`),
  )
  expect(found).toEqual([])
})
