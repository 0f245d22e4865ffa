import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const SKIP = new Set(['node_modules', 'dist', '.git', 'data', '.tmp'])
function walk(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((f) => !SKIP.has(f))
    .map((f) => join(folder, f))
    .flatMap((path) => (statSync(path).isDirectory() ? walk(path) : [path]))
}
const sources = ['contract', 'server', 'web', 'simulator', 'e2e', 'bench', 'tools']
  .flatMap((t) => walk(join(ROOT, t)))
  .filter((f) => /\.tsx?$/.test(f))
const imports = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((m) => m[1]!)
/** Where an import leads, from the root; packages are left out. */
function target(file: string, spec: string): string | null {
  if (spec.startsWith('@zhuguan/')) return spec.slice('@zhuguan/'.length)
  return spec.startsWith('.') ? relative(ROOT, resolve(dirname(file), spec)) : null
}
const isTest = (file: string) => /\.test\.tsx?$|^server\/testing\//.test(file)

/** Top may import below, never upward (architecture.md). */
const ORDER: Record<string, string[]> = {
  server: ['main.ts', 'cli.ts', 'app', 'ingest', 'features', 'database', 'kit'],
  web: ['main.ts', 'app', 'features', 'parts', 'kit'],
}
const floor = (tree: string, path: string) =>
  ORDER[tree]!.findIndex((layer) => path === `${tree}/${layer}` || path.startsWith(`${tree}/${layer}/`))
// The demo's seed tells stories through the features' services; it is the one thing above its own folder.
const EXCEPT = /^server\/database\/seed\//

test('nobody imports upward, and web and server never meet', () => {
  const wrong: string[] = []
  let edges = 0
  for (const file of sources) {
    const from = relative(ROOT, file)
    const tree = from.split('/')[0]!
    if (isTest(from)) continue
    for (const spec of imports(file)) {
      const to = target(file, spec)
      if (!to) continue
      edges += 1
      const other = to.split('/')[0]!
      if (other !== tree && other !== 'contract' && ['contract', 'server', 'web', 'simulator'].includes(tree))
        wrong.push(`${from} → ${to}`)
      if (tree === other && ORDER[tree] && !EXCEPT.test(from)) {
        const [a, b] = [floor(tree, from), floor(tree, to)]
        if (a >= 0 && b >= 0 && b < a) wrong.push(`${from} → ${to}`)
      }
      const noun = (path: string) => /^(server|web)\/features\/([^/]+)\//.exec(path)
      const [mine, theirs] = [noun(from), noun(to)]
      if (mine && theirs && mine[2] !== theirs[2]) {
        if (tree === 'web') wrong.push(`${from} → ${to}`)
        else if (!/\.(reads|service|detections|bulk)\.ts$|file-store\.ts$/.test(to))
          wrong.push(`${from} → ${to}`)
      }
    }
  }
  expect(edges).toBeGreaterThan(200)
  expect(wrong).toEqual([])
})

test('no index files, and a file name is unique in its tree', () => {
  expect(sources.filter((f) => /\/index\.tsx?$/.test(f))).toEqual([])
  for (const tree of ['contract', 'server']) {
    // contract/api.ts is the whole API and contract/kit/api.ts what an API is: the design names both.
    const names = sources
      .filter((f) => relative(ROOT, f).startsWith(`${tree}/`) && !f.endsWith('contract/api.ts'))
      .map((f) => f.split('/').at(-1)!)
    expect(names.filter((n, i) => names.indexOf(n) !== i)).toEqual([])
  }
})

test('no URL of ours is written in web/: it calls the contract', () => {
  const said = sources
    .filter((f) => relative(ROOT, f).startsWith('web/') && !/\.test\.|vite\.config/.test(f))
    .filter((f) => /['"`]\/(user|osmcore|dsmcore|mkscore)\//.test(readFileSync(f, 'utf8')))
  expect(said.map((f) => relative(ROOT, f))).toEqual([])
})
