import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { filesOf, LOOKS, ONCE, OUTSIDE } from '../outside.mjs'
import { ROOT, sources } from './sources.ts'

const FOLDER = 'server/database/'
const covers = (named: string[], file: string) =>
  named.some((one) => (one.endsWith('/') ? file.startsWith(one) : file === one))
/** What a text asks PostgreSQL itself, past the product: a client of its own, a plan, a lock. */
const asks = (text: string) => /from 'pg'|\bEXPLAIN\b|\bpg_locks\b|\bpg_stat_activity\b/.test(text)

/** What is wrong with a list of stories for the outside database. */
function wrong(outside: string[], once: string[], looks: string[], stories: Map<string, string>): string[] {
  const named = [...outside, ...once, ...looks]
  const files = [...stories.keys()]
  return [
    ...named.filter((one, i) => named.indexOf(one) !== i).map((one) => `${one} stands twice`),
    ...named.filter((one) => !files.some((file) => covers([one], file))).map((one) => `${one} is not there`),
    ...files.filter((f) => f.startsWith(FOLDER) && !covers(outside, f)).map((f) => `${f} stands in no part`),
    ...[...stories]
      .filter(([file, text]) => asks(text) && !covers(named, file))
      .map(([file]) => `${file} asks PostgreSQL itself`),
  ]
}

test('a name that is not there, one that stands twice, and a story of the database in no part are found', () => {
  const stories = new Map([
    ['server/a.test.ts', ''],
    ['server/b.test.ts', `import pg from 'pg'`],
    ['server/c.test.ts', 'EXPLAIN SELECT 1'],
    ['server/database/d.test.ts', ''],
  ])
  const listed = ['server/a.test.ts', 'server/database/']
  expect(wrong(listed, ['server/b.test.ts'], ['server/c.test.ts'], stories)).toEqual([])
  expect(wrong([...listed, 'server/a.test.ts', 'server/e.test.ts'], [], [], stories)).toEqual([
    'server/a.test.ts stands twice',
    'server/e.test.ts is not there',
    'server/b.test.ts asks PostgreSQL itself',
    'server/c.test.ts asks PostgreSQL itself',
  ])
  expect(wrong(['server/a.test.ts'], ['server/b.test.ts', 'server/c.test.ts'], [], stories)).toEqual([
    'server/database/d.test.ts stands in no part',
  ])
})

test('the outside PostgreSQL is asked all that touches its differences, by files that are there', () => {
  const stories = new Map(
    sources(/\.test\.ts$/)
      .filter((file) => /^(server|tools\/openapi)\//.test(file))
      .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
  )
  expect(stories.size).toBeGreaterThan(100)
  expect(wrong(filesOf(OUTSIDE), filesOf(ONCE), LOOKS, stories)).toEqual([])
  for (const { why } of [...OUTSIDE, ...ONCE]) expect(why).toMatch(/\w+ \w+/)
})
