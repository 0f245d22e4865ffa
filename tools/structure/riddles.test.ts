import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { settle } from './debts.ts'
import { commentsOf, isRiddle, roomOf } from './riddles.ts'
import { ROOT, sources } from './sources.ts'

test('a comment that only names its subject is a riddle, a sentence and a noun are none', () => {
  for (const riddle of [
    'What of it can still be complained of.',
    'Whose tokens, or which devices.',
    'Where cameras play.',
    'Of that, in an order that was refused.',
    'How far an order comes, in turn: most of them to the end.',
  ])
    expect(isRiddle(riddle), riddle).toBe(true)
  for (const sentence of [
    'What waits comes first, by its time; the rest, newest first.',
    'What nobody has begun goes; a patrol that was begun may still be handed in.',
    'Of amounts that have been rounded: the printed column adds up.',
    'Accepted quantity that is still inside the complaint period.',
    'Keep only the skipped rows selected.',
  ])
    expect(isRiddle(sentence), sentence).toBe(false)
})

test('comments are read whole, one after another, and none out of a text', () => {
  const code = [
    '// one',
    '// and two',
    'const a = 1 // no',
    '/** three',
    ' * four */',
    "const b = '// five'",
    '{/* six */}',
  ]
  expect(commentsOf(code.join('\n'))).toEqual([
    { line: 1, text: 'one and two' },
    { line: 4, text: 'three four' },
    { line: 7, text: 'six' },
  ])
  expect(roomOf('server/features/orders/orders.service.ts')).toBe('server/features/orders')
  expect(roomOf('server/main.ts')).toBe('server')
})

test('no comment is a riddle, but those that are counted', () => {
  const found: Record<string, number> = {}
  for (const path of sources(/\.(tsx?|mjs)$/)) {
    const riddles = commentsOf(readFileSync(join(ROOT, path), 'utf8')).filter(({ text }) => isRiddle(text))
    if (riddles.length) found[roomOf(path)] = (found[roomOf(path)] ?? 0) + riddles.length
    if (process.env.RIDDLES) for (const { line, text } of riddles) console.log(`${path}:${line}\t${text}`)
  }
  expect(settle('riddles', found)).toEqual([])
})
