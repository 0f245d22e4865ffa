import type { PlanRow } from '@zhuguan/contract/features/orders/orders.record.ts'
import { expect, test } from 'vitest'

import { beginnings, groupedRows } from './planGroups.ts'

const row = (id: string, site_id: string, stage: PlanRow['stage']) => ({ id, site_id, stage }) as PlanRow
const ids = (rows: readonly PlanRow[]) => rows.map((r) => r.id).join(' ')

test('lines of a site and stage stand together, in the order in which the groups begin', () => {
  const rows = [
    row('1', 'a', 'tiling'),
    row('2', 'b', 'tiling'),
    row('3', 'a', 'tiling'),
    row('4', 'a', 'carpentry'),
    row('5', 'b', 'tiling'),
  ]
  const grouped = groupedRows(rows)
  expect(ids(grouped)).toBe('1 3 2 5 4')
  const { sites, stages } = beginnings(grouped)
  expect([...sites]).toEqual(['1', '2', '4'])
  expect([...stages]).toEqual(['1', '2', '4'])
})
test('a site is named once for its stages that follow each other', () => {
  const { sites, stages } = beginnings([row('1', 'a', 'tiling'), row('2', 'a', null), row('3', 'b', null)])
  expect([...sites]).toEqual(['1', '3'])
  expect([...stages]).toEqual(['1', '2', '3'])
})
