import { expect, test } from 'vitest'

import { pagesAround } from './pagesAround.ts'

test('seven buttons, first and last always among them, a jump where pages are left out', () => {
  expect(pagesAround(1, 5, 7)).toEqual([1, 2, 3, 4, 5])
  expect(pagesAround(1, 20, 7)).toEqual([1, 2, 3, 4, 5, 'on', 20])
  expect(pagesAround(10, 20, 7)).toEqual([1, 'back', 9, 10, 11, 'on', 20])
  expect(pagesAround(20, 20, 7)).toEqual([1, 'back', 16, 17, 18, 19, 20])
  expect(pagesAround(4, 9, 5)).toEqual([1, 'back', 4, 'on', 9])
})
test('the page one stands on is always shown', () => {
  for (let last = 1; last < 30; last += 1)
    for (let now = 1; now <= last; now += 1)
      for (const count of [5, 7]) {
        const shown = pagesAround(now, last, count)
        expect(shown).toContain(now)
        expect(shown.length).toBeLessThanOrEqual(count)
        expect(new Set(shown).size).toBe(shown.length)
      }
})
