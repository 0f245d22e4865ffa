import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { aboveCeiling, grown, lowered, settle } from './debts.ts'
import { ROOT, sources } from './sources.ts'

const WIDTH = 120
/** A line over the width, unless it is nothing but one long word: an address, a picture in the text. */
const isWide = (line: string): boolean => line.length > WIDTH && !/^\s*\S+$/.test(line)
const CAST = /\bas never\b|\bas unknown as\b/g
const isCode = (line: string): boolean => !/^\s*(\*|\/\/|\/\*)/.test(line)

function counted(endings: RegExp, count: (line: string) => number): Record<string, number> {
  const found: Record<string, number> = {}
  for (const path of sources(endings)) {
    // What a formatter writes has the lines that it gives.
    if (path.startsWith('server/database/statements/')) continue
    // Landed migrations are never changed.
    if (path.startsWith('server/database/migrations/') && path < 'server/database/migrations/0170') continue
    const lines = readFileSync(join(ROOT, path), 'utf8').split('\n')
    const n = lines.reduce((sum, line) => sum + count(line), 0)
    if (n) found[path] = n
  }
  return found
}
const casts = (line: string) => (isCode(line) ? (line.match(CAST)?.length ?? 0) : 0)

/** What the server says to people is never taken apart to know something: that comes beside it, as data. */
const READS = /\b(message|msg)\.(split|includes|startsWith|endsWith|match|search|slice)\(/
test('no page reads a sentence of the server to know something', () => {
  expect(READS.test("const who = error.message.split('，')[0]")).toBe(true)
  const reading = sources(/^web\/.*(?<!\.test)\.tsx?$/).filter((path) =>
    READS.test(readFileSync(join(ROOT, path), 'utf8')),
  )
  expect(reading).toEqual([])
})

test('the rules find what is planted, and a debt only becomes less', () => {
  expect(isWide('x '.repeat(60))).toBe(false)
  expect(isWide(`${'x '.repeat(60)}y`)).toBe(true)
  expect(isWide(`  url(data:${'x'.repeat(200)})`)).toBe(false)
  expect(casts('const a = b as never, c = d as unknown as E')).toBe(2)
  expect(casts('// as never before')).toBe(0)
  expect(grown({ a: 2, b: 1 }, { a: 2 })).toEqual(['b: 1, owed 0'])
  expect(grown({ a: 3 }, { a: 2 })).toEqual(['a: 3, owed 2'])
  expect(lowered({ a: 1, c: 9 }, { a: 2, b: 1, c: 3 })).toEqual({ a: 1, c: 3 })
})

test('no list of debts is longer than it ever was', () => {
  expect(aboveCeiling()).toEqual([])
})

test('no line is over 120 columns, but those that are listed', () => {
  const found = counted(/\.(tsx?|css|sql)$/, (line) => Number(isWide(line)))
  expect(settle('wide', found)).toEqual([])
})

test('no cast hides a type, but those that are listed', () => {
  // Stories send what the types forbid.
  const found = counted(/(?<!\.test)\.tsx?$/, casts)
  expect(settle('casts', found)).toEqual([])
})
