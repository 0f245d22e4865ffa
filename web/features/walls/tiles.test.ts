import { expect, test } from 'vitest'

import { freeOf, moved, pinned, pinsOf, placed, type Tile, tilesOf, turned } from './tiles.ts'

const shown = (tiles: readonly Tile[], size = 4) =>
  tiles
    .slice(0, size)
    .map((t) => `${t.id ?? '-'}${t.pinned ? '!' : ''}`)
    .join(' ')
const wall = turned(tilesOf([]), 4, ['a', 'b', 'c', 'd'])

test('a turn leaves what is pinned; a place that none is left for is empty', () => {
  expect(shown(wall)).toBe('a b c d')
  const one = pinned(wall, 1, true)
  expect(shown(turned(one, 4, ['e', 'f', 'g']))).toBe('e b! f g')
  expect(shown(turned(one, 4, ['e']))).toBe('e b! - -')
  expect(freeOf(one, 4)).toEqual([0, 2, 3])
  expect(shown(pinned(one, 1, false))).toBe('a b c d')
})
test('a camera that is moved changes places with what was there, and stays', () => {
  expect(shown(moved(wall, 0, 2))).toBe('c b a! d')
  const both = moved(moved(wall, 0, 2), 2, 3)
  expect(shown(both)).toBe('c b d a!')
  const pair = pinned(pinned(wall, 0, true), 1, true)
  expect(shown(moved(pair, 0, 1))).toBe('b! a! c d')
  expect(shown(moved(wall, 0, 0))).toBe('a b c d')
  expect(shown(moved(turned(wall, 4, []), 0, 1))).toBe('- - - -')
})
test('a camera that is chosen comes to the first place that turns, until all are pinned', () => {
  expect(shown(placed(pinned(wall, 0, true), 4, 'x')!)).toBe('a! x! c d')
  expect(shown(placed(wall, 4, 'c')!)).toBe('a b c! d')
  expect(placed(tilesOf(['a', 'b', 'c', 'd']), 4, 'x')).toBeUndefined()
})
test('what is pinned beyond a smaller wall is there again on a larger one', () => {
  const all = tilesOf(['a', null, null, null, null, 'f'])
  expect(shown(turned(all, 4, ['x', 'y', 'z']), 6)).toBe('a! x y z - f!')
  expect(pinsOf(turned(all, 4, ['x', 'y', 'z'])).slice(0, 6)).toEqual(['a', null, null, null, null, 'f'])
})
