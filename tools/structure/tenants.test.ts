import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { changesSchema, owes } from '../../server/testing/tenant-rule.ts'
import { beyond } from './debts.ts'
import { ROOT, sources } from './sources.ts'

/** A statement under its name; every text of one that filters compose is judged by tools/statements.ts. */
const STATEMENT = /^-- ([\w.]+)\n([^]*?)(?=^-- |$(?![^]))/gm
const statements = () =>
  sources(/^server\/database\/statements\/.*\.sql$/)
    .map((path) => readFileSync(join(ROOT, path), 'utf8'))
    .join('\n')
function owedIn(text: string): Record<string, number> {
  const found: Record<string, number> = {}
  for (const [, family, statement] of text.matchAll(STATEMENT))
    found[family!] = Math.max(found[family!] ?? 0, owes(family!, statement!))
  return found
}

test('the rule finds what is planted', () => {
  const text = `-- sites.good
SELECT 1 FROM sites w WHERE w.tenant_id = $1;

-- sites.some
SELECT 1 FROM sites w JOIN owners o ON o.tenant_id = w.tenant_id WHERE w.tenant_id = $1;

-- sites.all
SELECT 1 FROM sites WHERE code = $1;
`
  expect(owedIn(text)).toEqual({ 'sites.good': 0, 'sites.some': 1, 'sites.all': 3 })
})

test('a statement names the tenant of each table by a value, but for those that are listed', () => {
  const found = owedIn(statements())
  expect(Object.keys(found).length).toBeGreaterThan(400)
  expect(beyond('tenants', found)).toEqual([])
})

test('no statement changes the schema beside its writes, but for those that open a month', () => {
  const changing = (text: string) =>
    [...text.matchAll(STATEMENT)].flatMap(([, family = '', statement = '']) =>
      changesSchema(family, statement) ? family : [],
    )
  expect(changing('-- sites.bad\nALTER TABLE sites ADD COLUMN x int;\n')).toEqual(['sites.bad'])
  expect(changing(statements())).toEqual([])
})
