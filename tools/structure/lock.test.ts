import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

interface Locked {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}
const ROOT = join(import.meta.dirname, '..', '..')
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>
}
/** Where a package that `from` needs may stand: beside it, or in a folder above. */
function places(from: string, name: string): string[] {
  const found = [`node_modules/${name}`]
  const folders = from.split('/node_modules/')
  for (let i = folders.length; i > 0; i -= 1)
    found.push(`${folders.slice(0, i).join('/node_modules/')}/node_modules/${name}`)
  return found
}

test('the lock file is complete: what a package needs, on any machine, is in it, so that npm ci installs a clean clone', () => {
  const missing: string[] = []
  let seen = 0
  for (const [from, p] of Object.entries(lock.packages))
    for (const name of Object.keys({
      ...p.dependencies,
      ...p.optionalDependencies,
      ...(from.includes('node_modules') ? {} : p.devDependencies),
    })) {
      seen += 1
      if (!places(from, name).some((place) => place in lock.packages)) missing.push(`${from} → ${name}`)
    }
  expect(seen).toBeGreaterThan(300)
  expect(missing).toEqual([])
})
