import { expect, test } from 'vitest'
import { arrange } from './useColumns.ts'

const columns = [{ key: 'sn', fixed: true }, { key: 'type' }, { key: 'model' }, { key: 'site' }]
const keys = (order: string[]) => arrange(columns, order).map((c) => c.key)

test('nothing chosen leaves the page as its author made it', () => expect(keys([])).toEqual(['sn', 'type', 'model', 'site']))
test('the order of the user wins, the fixed column stays first', () => expect(keys(['site', 'model', 'sn', 'type'])).toEqual(['sn', 'site', 'model', 'type']))
test('a column that came after the choice was made is not lost', () => expect(keys(['site', 'type'])).toContain('model'))
test('a chosen column that is gone is passed over', () => expect(keys(['gone', 'site', 'type', 'model'])).toEqual(['sn', 'site', 'type', 'model']))
