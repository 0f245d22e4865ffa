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
