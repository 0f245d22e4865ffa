import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { KNOWN } from '../../server/app/settings.ts'
import { ROOT } from './sources.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
/** Names in the first column of a table: a row may have several. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/^\| ((?:`[A-Z0-9_]+` ?)+)\|/gm)].flatMap(([, cell]) => cell!.match(/[A-Z0-9_]+/g)!)

test('both lists of settings name every setting that the server knows, and no other', () => {
  expect(namesIn('| `A_B` `C` | none | x |\n| Name | Default |\ntext `D` |')).toEqual(['A_B', 'C'])
  expect(KNOWN.length).toBeGreaterThan(25)
  for (const path of ['docs/settings.md', 'docs/settings.zh-CN.md'])
    expect(namesIn(read(path)).sort(), path).toEqual([...KNOWN].sort())
})

test('the index of the documents names every document', () => {
  const index = read('docs/README.md')
  const documents = readdirSync(join(ROOT, 'docs')).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  )
  expect(documents.length).toBeGreaterThan(8)
  expect(documents.filter((name) => !index.includes(`(${name})`))).toEqual([])
})

test('every picture and document that README and the index link to is there', () => {
  const guides = ['README.md', 'README.zh-CN.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/README.md']
  const broken = guides.flatMap((guide) =>
    [...read(guide).matchAll(/\]\((?!https?:)([^)#]+)\)|src="([^"]+)"/g)]
      .map(([, linked, shown]) => join(guide, '..', (linked ?? shown)!))
      .filter((path) => {
        try {
          return !read(path)
        } catch {
          return true
        }
      })
      .map((path) => `${guide}: ${path}`),
  )
  expect(broken).toEqual([])
})
