import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { ROOT, sources } from './sources.ts'

const all = sources(/\.tsx?$/)
const isIndex = (path: string): boolean => /\/index\.tsx?$/.test(path)
/** File names that stand more than once in a tree. */
function twice(paths: readonly string[], tree: string): string[] {
  // contract/api.ts is the whole API and contract/kit/api.ts what an API is: the design names both.
  const names = paths
    .filter((path) => path.startsWith(`${tree}/`) && path !== 'contract/api.ts')
    .map((path) => path.split('/').at(-1)!)
  return names.filter((name, i) => names.indexOf(name) !== i)
}
const saysUrl = (text: string): boolean => /['"`]\/(user|osmcore|dsmcore|mkscore)\//.test(text)

test('the rules find what is planted', () => {
  expect(isIndex('web/kit/index.ts')).toBe(true)
  expect(isIndex('web/kit/indexes.ts')).toBe(false)
  expect(twice(['web/a/x.ts', 'web/b/x.ts', 'server/x.ts'], 'web')).toEqual(['x.ts'])
  expect(saysUrl("fetch('/osmcore/api/site')")).toBe(true)
  expect(saysUrl("go('/SiteInfo')")).toBe(false)
})

test('no index files, and a file name is unique in its tree', () => {
  expect(all.length).toBeGreaterThan(560)
  expect(all.filter(isIndex)).toEqual([])
  for (const tree of ['contract', 'server', 'web']) expect(twice(all, tree)).toEqual([])
})

test('no URL of ours is written in web/: it calls the contract', () => {
  const pages = all.filter((path) => path.startsWith('web/') && !/\.test\.|vite\.config/.test(path))
  expect(pages.length).toBeGreaterThan(130)
  expect(pages.filter((path) => saysUrl(readFileSync(join(ROOT, path), 'utf8')))).toEqual([])
})
