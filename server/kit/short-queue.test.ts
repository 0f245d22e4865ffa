import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { bound } from './bound.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const rules = {
  name: 'test',
  atOnce: 2,
  each: 2,
  waiting: 100,
  waitMs: 4_000,
  full: '都满了',
  yours: '您的太多了',
}
/** Work that takes a second. */
const aSecond = () => new Promise<void>((done) => setTimeout(done, 1_000))

test('who would wait longer than it is worth is refused at once, not after the longest wait; the others are served', async () => {
  const room = bound(rules)
  const usual = room.run('a', aSecond)
  await vi.advanceTimersByTimeAsync(1_000)
  await usual
  const told: string[] = []
  const asked = Array.from({ length: 20 }, (_, i) =>
    room.run(`person ${i}`, aSecond).then(
      () => told.push('served'),
      () => told.push('refused'),
    ),
  )
  await vi.advanceTimersByTimeAsync(1)
  // Two at once, and two seconds of queue: everybody else knows now.
  expect(told).toEqual(Array.from({ length: 14 }, () => 'refused'))
  await vi.advanceTimersByTimeAsync(4_000)
  await Promise.all(asked)
  expect(told.filter((word) => word === 'served')).toHaveLength(6)
})

test('a crowd of one fills its own share, not that of somebody who comes later', async () => {
  const room = bound(rules)
  const usual = room.run('a', aSecond)
  await vi.advanceTimersByTimeAsync(1_000)
  await usual
  const crowd = Array.from({ length: 30 }, () => room.run('crowd', aSecond).catch(() => 'refused'))
  let served = false
  const one = room.run('one', aSecond).then(() => (served = true))
  await vi.advanceTimersByTimeAsync(2_100)
  expect(served).toBe(true)
  await one
  await vi.advanceTimersByTimeAsync(10_000)
  expect((await Promise.all(crowd)).filter((word) => word === 'refused')).toHaveLength(24)
})

test('a long turn is forgotten after some short ones', async () => {
  const room = bound(rules)
  const long = room.run('a', () => new Promise<void>((done) => setTimeout(done, 15_000)))
  await vi.advanceTimersByTimeAsync(15_000)
  await long
  for (let i = 0; i < 40; i += 1) await room.run('a', async () => {})
  const asked = Array.from({ length: 4 }, (_, i) => room.run(`p${i}`, aSecond))
  await vi.advanceTimersByTimeAsync(3_000)
  await Promise.all(asked)
})
