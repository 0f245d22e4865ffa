import { expect, test } from 'vitest'

import { departureOf, largest } from './departures.ts'

const of = (...weeks: number[]) => departureOf({ bc_id: 'b', measure: 'alarms', weeks })

test('a week is said when it lies far from the branch’s own eight, with what they were', () => {
  expect(of(34, 15, 12, 20, 14, 16, 15, 13, 18)).toMatchObject({ n: 34, least: 12, most: 20, middle: 15 })
  expect(of(0, 9, 8, 11, 10, 9, 10, 8, 9)).toMatchObject({ n: 0, middle: 9 })
  expect(of(18, 15, 12, 20, 14, 16, 15, 13, 18)).toBeNull()
})

test('few are not said, nor what chance alone may bring', () => {
  expect(of(4, 0, 0, 0, 0, 0, 0, 0, 0)).toBeNull()
  // Weeks that were all alike: a count of nine wavers by three.
  expect(of(14, 9, 9, 9, 9, 9, 9, 9, 9)).toBeNull()
  expect(of(16, 9, 9, 9, 9, 9, 9, 9, 9)).not.toBeNull()
})

test('the three largest, the largest first, down as well as up', () => {
  const weeks = (n: number) => [n, 10, 10, 10, 10, 10, 10, 10, 10]
  const all = [20, 40, 0, 30].map((n, i) => ({ bc_id: `b${i}`, measure: 'leads' as const, weeks: weeks(n) }))
  expect(largest(all).map((d) => d.bc_id)).toEqual(['b1', 'b3', 'b0'])
})
