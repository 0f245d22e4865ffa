import { expect, test } from 'vitest'

import { bounded, namesIn, unranOf } from '../statements.ts'

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

test('of a composed statement the shortest and the longest text are kept, in whatever order they ran', () => {
  const texts = ['SELECT 1 WHERE a', 'SELECT 1', 'SELECT 1 WHERE a AND b', 'SELECT 1 WHERE b']
  const kept = [
    [', shortest', 'SELECT 1'],
    [', longest', 'SELECT 1 WHERE a AND b'],
  ]
  expect(bounded(texts)).toEqual(kept)
  expect(bounded(texts.toReversed())).toEqual(kept)
  expect(bounded(['SELECT 1'])).toEqual([['', 'SELECT 1']])
  // The one that owes more than both its bounds is there to be judged.
  const owed = (text: string) => Number(text.includes('JOIN'))
  expect(bounded(['a', 'b JOIN', 'ccc JOIN', 'dddddddddd'], owed)).toEqual([
    [', shortest', 'a'],
    [', owing', 'b JOIN'],
    [', longest', 'dddddddddd'],
  ])
  expect(bounded(['a', 'bb', 'ccc JOIN'], owed)).toHaveLength(2)
})
