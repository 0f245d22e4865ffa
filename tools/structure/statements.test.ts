import { expect, test } from 'vitest'

import { laidOut, missed, namesIn, shortest, unranOf } from '../statements.ts'

const names = namesIn([
  ['features/sites/sites.service.ts', "await tx.run('sites.edit', `UPDATE sites SET a = 1`, [])"],
  ['features/sites/sites.queries.ts', "return {\n    name: 'sites.page',\n    columns: 'a',"],
  ['kit/statement.ts', 'tx.query(`${p.name}.total`, row({ total: int4 }), text)'],
  ['database/seed/rows.ts', 'await tx.run(\n    `seed.${table}`,\n    `INSERT INTO ${table}`)'],
  ['app/clock.ts', "tell(tx, 'no statement'); epoch('a.at'); join('index.html', x)"],
])

test('names of statements are found where they stand, those with a hole too', () => {
  expect(Object.fromEntries(names)).toEqual({
    'sites.edit': 'sites',
    'sites.page': 'sites',
    '${p.name}.total': 'kit',
    'seed.${table}': 'database',
  })
})

test('a statement that no story ran is told', () => {
  const ran = ['sites.page', 'sites.page.total', 'seed.users', 'sites.edited']
  expect(unranOf(names, ran)).toEqual(['sites.edit'])
  expect(unranOf(names, ['sites.edit', 'sites.page'])).toEqual(['${p.name}.total', 'seed.${table}'])
})

test('few that ran in an earlier run may be missed in one; what never ran, or many at once, may not', () => {
  const before = ['sites.page', 'sites.page.total', 'seed.users', 'sites.edit']
  const ran = ['sites.page.total', 'seed.users']
  expect(missed(names, ran, before)).toEqual({ wrong: [], only: ['sites.edit', 'sites.page'] })
  expect(missed(names, [], before).only).toEqual([])
  expect(missed(names, [], before).wrong).toHaveLength(4)
  expect(missed(names, ran, ['sites.page'])).toEqual({ wrong: ['sites.edit'], only: ['sites.page'] })
})

test('of a composed statement the shortest text is kept, in whatever order they ran', () => {
  const texts = ['SELECT 1 WHERE a', 'SELECT 2', 'SELECT 1', 'SELECT 1 WHERE a AND b']
  expect(shortest(texts)).toBe('SELECT 1')
  expect(shortest(texts.toReversed())).toBe('SELECT 1')
})

test('a text begins at the left and is parted where people part it, never inside of a literal', () => {
  expect(laidOut('SELECT a\n     FROM b\n       LEFT JOIN c\n\n     WHERE d')).toBe(
    'SELECT a\nFROM b\n  LEFT JOIN c\nWHERE d',
  )
  const lines = laidOut(`SELECT ${'abcdefghi, '.repeat(20)}'${'x, '.repeat(40)}' FROM w`).split('\n')
  expect(lines[0]).toBe(`SELECT ${'abcdefghi, '.repeat(10)}`.trimEnd())
  expect(lines.map((l) => l.trim()).join(' ')).toBe(
    `SELECT ${'abcdefghi, '.repeat(20)}'${'x, '.repeat(40)}' FROM w`,
  )
  expect(lines.filter((l) => l.includes("'"))).toHaveLength(1)
})
