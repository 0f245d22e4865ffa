import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

interface Codes {
  name: string
  title: string
  options: readonly { value: string | number; label: string }[]
}
const isCodes = (value: unknown): value is Codes =>
  typeof value === 'object' && value !== null && 'options' in value && 'code' in value
const modules = import.meta.glob<object>(['./features/*/*.ts', '!**/*.test.ts'], { eager: true })

/** Lists of codes by name, as docs/product.md writes them. */
const listed = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter(isCodes)
  .map((c) => `${c.name} ${c.title}: ${c.options.map((o) => `${o.value} ${o.label}`).join(', ')}`)

test('every list of codes is the one in docs/product.md', () => {
  const text = readFileSync(new URL('../docs/product.md', import.meta.url), 'utf8')
  const written = /^## Codes$[^]*?```\n([^]*?)```/m.exec(text)![1]!.trim().split('\n')
  expect(written.length).toBeGreaterThan(35)
  expect([...new Set(listed)].sort()).toEqual(written.sort())
})
