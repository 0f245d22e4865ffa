import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { expect, test } from 'vitest'

import { owedImports } from './debts.ts'
import { circles, look, RULES } from './layers.ts'
import { ROOT } from './sources.ts'

/** One import that each rule forbids, by the rule's name. */
const PLANTED: Record<string, [from: string, to: string]> = {
  'upward in contract: features/': ['contract/features/sites/sites.record.ts', 'contract/api.ts'],
  'upward in contract: kit/': ['contract/kit/codes.ts', 'contract/features/users/users.record.ts'],
  'upward in server: app/': ['server/app/enter.ts', 'server/main.ts'],
  'upward in server: ingest/': ['server/ingest/door.ts', 'server/app/enter.ts'],
  'upward in server: features/': ['server/features/sites/sites.routes.ts', 'server/ingest/door.ts'],
  'upward in server: database/': ['server/database/connect.ts', 'server/features/sites/sites.reads.ts'],
  'upward in server: kit/': ['server/kit/serve.ts', 'server/database/connect.ts'],
  'upward in web: app/': ['web/app/App.tsx', 'web/main.tsx'],
  'upward in web: features/': ['web/features/sites/SitePage.tsx', 'web/app/App.tsx'],
  'upward in web: parts/': ['web/parts/Picker.tsx', 'web/features/sites/SitePage.tsx'],
  'upward in web: kit/': ['web/kit/State.tsx', 'web/parts/Picker.tsx'],
  'contract stands alone': ['contract/kit/api.ts', 'server/kit/serve.ts'],
  'server knows contract alone': ['server/kit/word.ts', 'web/kit/State.tsx'],
  'web knows contract alone': ['web/kit/word.ts', 'server/kit/serve.ts'],
  'simulator knows contract alone': ['simulator/play.ts', 'server/kit/serve.ts'],
  'kit knows no feature': ['web/kit/list.ts', 'contract/features/sites/sites.record.ts'],
  'contract: another feature by its record alone': [
    'contract/features/users/users.record.ts',
    'contract/features/sites/sites.api.ts',
  ],
  'server: another feature by reads or service alone': [
    'server/features/users/users.routes.ts',
    'server/features/sites/sites.queries.ts',
  ],
  'web: never another feature': ['web/features/users/UserPage.tsx', 'web/features/sites/SiteLine.tsx'],
}
/** Imports that stand at the border of a rule, and are allowed. */
const ALLOWED: [from: string, to: string][] = [
  ['server/features/roles/roles.routes.ts', 'server/features/sites/sites.reads.ts'],
  ['server/features/roles/roles.service.ts', 'server/features/sites/sites.service.ts'],
  ['contract/features/roles/roles.api.ts', 'contract/features/sites/sites.record.ts'],
  ['web/features/roles/RolePage.tsx', 'web/kit/Box.tsx'],
  ['server/app/holes.test.ts', 'web/kit/State.tsx'],
]

test('every rule finds the import that is planted for it, and none that is allowed', async () => {
  expect(Object.keys(PLANTED).sort()).toEqual(RULES.map((r) => r.name).sort())
  const folder = mkdtempSync(join(tmpdir(), 'layers-'))
  try {
    const texts = new Map<string, string>()
    for (const [from, to] of [...Object.values(PLANTED), ...ALLOWED]) {
      const steps = '../'.repeat(from.split('/').length - 1)
      texts.set(to, texts.get(to) ?? 'export const planted = 1\n')
      texts.set(from, `${texts.get(from) ?? ''}import type {} from '${steps}${to}'\n`)
    }
    for (const [path, text] of texts) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const { broken } = await look(folder)
    for (const [name, [from, to]] of Object.entries(PLANTED))
      expect(broken).toContain(`${name}: ${from} → ${to}`)
    for (const [from, to] of ALLOWED) expect(broken.filter((b) => b.endsWith(`${from} → ${to}`))).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a circle of feature folders is found, a straight way is none', () => {
  const arrow = (a: string, b: string) => ({
    from: `server/features/${a}/${a}.service.ts`,
    to: `server/features/${b}/${b}.service.ts`,
  })
  expect(circles([arrow('a', 'b'), arrow('b', 'c'), arrow('a', 'c')])).toEqual([])
  expect(circles([arrow('a', 'b'), arrow('b', 'c'), arrow('c', 'a')])).toHaveLength(1)
})

test('nobody imports upward, features meet at their doors and in no circle', async () => {
  const { modules, arrows, broken } = await look(ROOT)
  console.log(
    `imports: ${modules} modules, ${arrows.length} arrows,`,
    `${broken.length} of ${owedImports.length} against the floors`,
  )
  // What the check has to have seen at least; a parser that loses files would find nothing.
  expect(modules).toBeGreaterThan(540)
  expect(arrows.length).toBeGreaterThan(2_600)
  expect(
    arrows.filter((a) => a.from.startsWith('web/') && a.to.startsWith('contract/')).length,
  ).toBeGreaterThan(200)
  expect(broken.sort()).toEqual([...owedImports].sort())
  expect(circles(arrows)).toEqual([])
}, 60_000)
