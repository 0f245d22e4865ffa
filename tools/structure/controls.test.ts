import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { ROOT, sources } from './sources.ts'

const STATEMENT = /^(?:import|export)\s(?!type\b)(?:[^'"]*?\bfrom\s+)?['"]([^'"]+)['"]/gm
const LIBRARY = /^(antd|@ant-design)\b/
/** What comes with a file when it is loaded; what it only asks for later does not. */
const importsIn = (code: string): string[] => [...code.matchAll(STATEMENT)].map(([, from]) => from!)

const files = new Map(
  sources(/\.tsx?$/)
    .filter((path) => path.startsWith('web/') && !/\.test\./.test(path))
    .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
)
const beside = (path: string, from: string) => join(path, '..', from)

/** The way from a file to the library of controls, if there is one. */
function wayToLibrary(start: string): string[] | null {
  const seen = new Map<string, string[]>([[start, [start]]])
  for (const [path, way] of seen)
    for (const from of importsIn(files.get(path) ?? '')) {
      if (LIBRARY.test(from)) return [...way, from]
      const to = beside(path, from)
      if (from.startsWith('.') && files.has(to) && !seen.has(to)) seen.set(to, [...way, to])
    }
  return null
}

test('the rule follows what is loaded with a file, not what comes later, nor types', () => {
  const code = [
    `import type { A } from 'antd'`,
    `import { B,\n  C } from './b.ts'`,
    `const d = () => import('antd')`,
    `import './x.css'`,
  ].join('\n')
  expect(importsIn(code)).toEqual(['./b.ts', './x.css'])
  expect(wayToLibrary('web/kit/Controls.tsx')?.at(-1)).toBe('antd')
})

test('the shell and what links open are drawn without the library of controls', () => {
  expect(wayToLibrary('web/app/App.tsx')).toBeNull()
  expect(wayToLibrary('web/app/LinkApp.tsx')).toBeNull()
})

test('a page or part that is drawn without Controls around it has no control in it', () => {
  const pages = [...files].filter(
    ([path, code]) => path.endsWith('Page.tsx') && !code.includes('withControls('),
  )
  expect(pages.length).toBeGreaterThan(60)
  const parts = [...files]
    .filter(([path]) => path !== 'web/kit/lazyPart.tsx')
    .flatMap(([path, code]) =>
      [...code.matchAll(/barePart\([^']*?import\('([^']+)'\)/g)].map(([, from]) => beside(path, from!)),
    )
  expect(parts.length).toBeGreaterThan(10)
  const ways = [...pages.map(([path]) => path), ...parts].map(wayToLibrary).filter((way) => way)
  expect(ways.map((way) => way!.join(' > '))).toEqual([])
})
