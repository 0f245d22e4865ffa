import { expect, test } from 'vitest'

import { ageOf } from './boardAge.ts'

test('figures are live for two rounds, then say how old they are, then that nothing answers', () => {
  const at = 1_000_000
  expect(ageOf(at, at + 60)).toEqual({ state: 'live', words: '实时' })
  expect(ageOf(at, at + 61)).toEqual({ state: 'stale', words: '61 秒前的数据' })
  expect(ageOf(at, at + 120)).toEqual({ state: 'stale', words: '2 分钟前的数据' })
  expect(ageOf(at, at + 600)).toEqual({ state: 'offline', words: '已断开，10 分钟前的数据' })
  // A browser whose clock is behind.
  expect(ageOf(at, at - 90).state).toBe('live')
})
