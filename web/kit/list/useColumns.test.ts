import { expect, test } from 'vitest'

import { arrange, columnsFromText, columnsToText } from './useColumns.ts'

const columns = [{ key: 'sn', fixed: true }, { key: 'type' }, { key: 'model' }, { key: 'site' }]
const keys = (order: string[]) => arrange(columns, order).map((c) => c.key)

test('nothing chosen leaves the page as its author made it', () =>
  expect(keys([])).toEqual(['sn', 'type', 'model', 'site']))
test('the order of the user wins, the fixed column stays first', () =>
  expect(keys(['site', 'model', 'sn', 'type'])).toEqual(['sn', 'site', 'model', 'type']))
test('a column that came after the choice was made is not lost', () =>
  expect(keys(['site', 'type'])).toContain('model'))
test('a chosen column that is gone is passed over', () =>
  expect(keys(['gone', 'site', 'type', 'model'])).toEqual(['sn', 'site', 'type', 'model']))
test('pinned columns stand behind the fixed one, in the user’s order', () => {
  expect(arrange(columns, ['site', 'model', 'sn', 'type'], ['type', 'model']).map((c) => c.key)).toEqual([
    'sn',
    'model',
    'type',
    'site',
  ])
})
test('what an address says of columns comes back as it was chosen', () => {
  const choice = { order: ['site', 'model', 'type'], hidden: ['type'], pinned: ['model'] }
  const text = columnsToText(columns, choice)
  expect(text).toBe('sn,model*,site')
  const read = columnsFromText(columns, text)
  expect(columnsToText(columns, read)).toBe(text)
  expect(read.hidden).toEqual(['type'])
})
