import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { gather } from './gather.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const EVERY = 1_000
/** The longest that a bundle may wait: the interval and its random share. */
const LATEST = 1_300

test('fifty changes in a second are two calls: the first at once, the rest together', async () => {
  const calls: (readonly number[] | null)[] = []
  const g = gather<number>(
    (b) => calls.push(b),
    () => true,
    () => EVERY,
  )
  for (let i = 0; i < 50; i += 1) g.add(i)
  await vi.advanceTimersByTimeAsync(0)
  expect(calls).toEqual([[0]])
  await vi.advanceTimersByTimeAsync(LATEST)
  expect(calls).toHaveLength(2)
  expect(calls[1]).toHaveLength(49)
  await vi.advanceTimersByTimeAsync(10 * LATEST)
  expect(calls).toHaveLength(2)
})

test('a slow answer is not asked for a second time while it is under way', async () => {
  let answer = () => {}
  let asked = 0
  const g = gather<number>(
    () => {
      asked += 1
      return new Promise<void>((resolve) => (answer = resolve))
    },
    () => true,
    () => EVERY,
  )
  g.add(1)
  await vi.advanceTimersByTimeAsync(20 * LATEST)
  g.add(2)
  await vi.advanceTimersByTimeAsync(20 * LATEST)
  expect(asked).toBe(1)
  answer()
  await vi.advanceTimersByTimeAsync(LATEST)
  expect(asked).toBe(2)
})

test('nobody looks: nothing is asked; once somebody does, once', async () => {
  let looking = false
  const calls: (readonly number[] | null)[] = []
  const g = gather<number>(
    (b) => calls.push(b),
    () => looking,
    () => EVERY,
  )
  g.add(1)
  g.add(2)
  await vi.advanceTimersByTimeAsync(10 * LATEST)
  expect(calls).toEqual([])
  looking = true
  g.wake()
  await vi.advanceTimersByTimeAsync(10 * LATEST)
  expect(calls).toEqual([[1, 2]])
})

test('a gap makes the whole bundle unknown, and a failed call does not end the listening', async () => {
  const calls: (readonly number[] | null)[] = []
  const g = gather<number>(
    (b) => {
      calls.push(b)
      throw new Error('network')
    },
    () => true,
    () => EVERY,
  )
  g.add(1)
  g.add(2)
  g.add(null)
  g.add(3)
  await vi.advanceTimersByTimeAsync(2 * LATEST)
  expect(calls).toEqual([[1], null])
  g.add(4)
  await vi.advanceTimersByTimeAsync(2 * LATEST)
  expect(calls).toEqual([[1], null, [4]])
})
