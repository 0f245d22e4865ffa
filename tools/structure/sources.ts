import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..')
const SKIP = new Set(['node_modules', 'dist', '.git', 'data', '.tmp'])
const TREES = ['contract', 'server', 'web', 'simulator', 'e2e', 'bench', 'tools']

function walk(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((f) => !SKIP.has(f))
    .map((f) => join(folder, f))
    .flatMap((path) => (statSync(path).isDirectory() ? walk(path) : [path]))
}

/** Our files with one of these endings, from the root. */
export const sources = (endings: RegExp): string[] =>
  TREES.flatMap((tree) => walk(join(ROOT, tree)))
    .map((path) => relative(ROOT, path))
    .filter((path) => endings.test(path))
    .sort()
