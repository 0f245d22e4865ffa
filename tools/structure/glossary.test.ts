import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { OWNERS } from '../../server/database/owners.ts'
import { ROOT } from './sources.ts'

/** Folder → tables, from the rows of the glossary. */
function glossary(text: string): Record<string, string[]> {
  const rows = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Chinese'))
  return Object.fromEntries(
    rows.map((line) => {
      const [, , , folder = '', tables = ''] = line.split('|').map((cell) => cell.trim())
      return [folder, tables === '–' ? [] : tables.split(', ').sort()]
    }),
  )
}

test('a row of the glossary is read as its folder and its tables', () => {
  expect(
    glossary('| Chinese | Code | Folder | Tables |\n|---|---|---|---|\n| 报警 | alarm | alarms | b, a |'),
  ).toEqual({
    alarms: ['a', 'b'],
  })
})

test('every folder and every table has its word in the glossary, and no other has', () => {
  const written = glossary(readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8'))
  const folders = readdirSync(join(ROOT, 'server/features'))
  expect(Object.keys(written).sort()).toEqual([...folders, 'app', 'database', 'ingest'].sort())
  for (const [folder, tables] of Object.entries(OWNERS))
    expect(written[folder], folder).toEqual([...tables].sort())
})
