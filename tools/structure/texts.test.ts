import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { decisionIndex, decisionOf, decisions, partsOf, texts } from '../texts.ts'
import { ROOT } from './sources.ts'

const NAME = `0042-a-title${'.md'}`
test('a decision says its title, date and status, or it is no decision', () => {
  const right = '# 0042 A title\n\n2026-11-21, superseded by 0043\n\nText.'
  expect(decisionOf(NAME, right)).toMatchObject({
    title: 'A title',
    date: '2026-11-21',
    status: 'superseded by 0043',
  })
  for (const wrong of [
    right.replace('# 0042', '# 0041'),
    right.replace('superseded by 0043', 'accepted'),
    right.replace('2026-11-21, ', ''),
  ])
    expect(() => decisionOf(NAME, wrong)).toThrow(NAME)
  const [row] = decisionIndex([decisionOf(NAME, right)])
    .split('\n')
    .slice(-2)
  expect(row).toContain(`| [0042](${NAME}) | A title | 2026-11-21 | superseded by `)
})

test('no number is given to two decisions, and what takes a decision’s place exists and is younger', () => {
  const all = decisions()
  expect(all.length).toBeGreaterThan(160)
  const numbers = all.map(({ number }) => number)
  expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([])
  const odd = all.flatMap(({ number, date, status }) =>
    [...status.matchAll(/\d{4}/g)]
      .map(([by]) => all.find((other) => other.number === by))
      .filter((by) => !by || by.number === number || by.date < date)
      .map(() => `${number}: ${status}`),
  )
  expect(odd).toEqual([])
})

test('others’ packages that run the product are named with their licence, those of the tools are not', () => {
  const packages = {
    '': {},
    'node_modules/a': { version: '1.0.0', license: 'MIT' },
    'node_modules/b/node_modules/a': { version: '1.0.0', license: 'MIT' },
    'node_modules/tool': { version: '2.0.0', license: 'MIT', dev: true },
    'node_modules/ours': { link: true },
  }
  expect(partsOf(packages)).toEqual([{ name: 'a', version: '1.0.0', licence: 'MIT' }])
  expect(() => partsOf({ 'node_modules/silent': { version: '1.0.0' } })).toThrow('silent 1.0.0')
})

// `npm run check` writes them, as it writes down debts that were paid; the tests of a clean clone only compare.
test.each(Object.entries(texts()))('%s is what it is made of', (path, text) => {
  const file = join(ROOT, path)
  const stands = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (process.env.PAY_DEBTS && stands !== text) writeFileSync(file, text)
  else expect(stands === text || `${path}: run npm run check`).toBe(true)
})
