import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { ROOT, sources } from './sources.ts'

/** Classes of the libraries that we draw with. */
const FOREIGN = /^(ant|ol|react)-/
const classesIn = (css: string): string[] => [
  ...new Set(
    [...css.replaceAll(/\/\*[^]*?\*\/|url\([^)]*\)|\{[^{}]*\}/g, ' ').matchAll(/\.(-?[a-z_][\w-]*)/gi)].map(
      ([, name]) => name!,
    ),
  ),
]
/** The words of every text in a program: a class is always one of them, also where it is chosen at run time. */
const wordsIn = (code: string): string[] =>
  (code.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? []).flatMap((text) => text.match(/-?[a-z_][\w-]*/gi) ?? [])
const dead = (css: string, words: ReadonlySet<string>) =>
  classesIn(css).filter((name) => !FOREIGN.test(name) && !words.has(name))

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const web = (endings: RegExp) => sources(endings).filter((path) => path.startsWith('web/'))

test('the rule finds a class that nothing bears, and none that is borne', () => {
  const words = new Set(wordsIn('<p className={`state ${tone}`} />; const tone = late ? "bad" : \'ok\''))
  expect(dead('.state.ok { color: red } @media print { .state.bad { top: 1.5px } }', words)).toEqual([])
  expect(dead('/* .note */ .state .gone { color: red } .ant-select { top: 0 }', words)).toEqual(['gone'])
})

test('every class of the styles is borne by something', () => {
  const words = new Set(web(/\.(tsx?|html)$/).flatMap((path) => wordsIn(read(path))))
  const styles = web(/\.css$/)
  expect(styles.length).toBeGreaterThan(15)
  expect(styles.flatMap((path) => dead(read(path), words).map((name) => `${path}: .${name}`))).toEqual([])
})

/** Styles given to a part of a page; where a figure is the style (a bar's place, a card's width), it must be. */
const styled = (code: string) =>
  code.split('\n').filter((line) => /style=\{(?!place\(|\{ (height: `\$|gridColumn: `span))/.test(line))

test('pages and drawers are drawn with classes, not with styles in an element', () => {
  expect(styled("<Select style={{ width: '100%' }} />\n<i style={wide} />")).toHaveLength(2)
  expect(styled('<i style={place(a, b)} />\n<i style={{ height: `${part}%` }} />')).toEqual([])
  const found = web(/\.tsx$/)
    .filter((path) => path.startsWith('web/features/'))
    .flatMap((path) => styled(read(path)))
  expect(found).toEqual([])
})
