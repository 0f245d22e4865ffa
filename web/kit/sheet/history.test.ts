import { expect, test } from 'vitest'

import { begun, MOST_STEPS, redone, stepped, undone } from './history.ts'

const times = <T>(n: number, from: T, change: (value: T) => T): T => {
  let value = from
  for (let i = 0; i < n; i += 1) value = change(value)
  return value
}

test('a hundred steps are undone and done again, one by one', () => {
  let history = begun(0)
  for (let i = 1; i <= 130; i += 1) history = stepped(history, i)
  const back = times(MOST_STEPS, history, undone)
  expect(back.now).toBe(30)
  expect(undone(back)).toEqual(back)
  const again = times(MOST_STEPS, back, redone)
  expect(again.now).toBe(130)
  expect(redone(again)).toEqual(again)
})
test('whoever writes after undoing gives up what was undone; the same document is no step', () => {
  const history = stepped(undone(stepped(stepped(begun('a'), 'b'), 'c')), 'd')
  expect(redone(history).now).toBe('d')
  expect([undone(history).now, undone(undone(history)).now]).toEqual(['b', 'a'])
  expect(stepped(history, 'd')).toBe(history)
})
