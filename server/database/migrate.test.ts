import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'
import { expect, test } from 'vitest'

import { freshDatabase } from '../testing/database.ts'
import { migrate } from './migrate.ts'

const HELD_MS = 3_600
const BEARABLE_MS = 2_600

test('a migration that waits for a table lets the server of the version before go on, and comes through in the end', async () => {
  const database = await freshDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'zhuguan-migrations-'))
  cpSync(join(import.meta.dirname, 'migrations'), folder, { recursive: true })
  writeFileSync(join(folder, '9999-of-tomorrow.sql'), 'ALTER TABLE sites ADD COLUMN tomorrow int;\n')
  const [long, short] = [0, 1].map(() => new pg.Client({ connectionString: database.ownerUrl }))
  try {
    await long!.connect()
    await short!.connect()
    // Somebody's long report reads the table that the migration wants for itself.
    await long!.query('BEGIN')
    await long!.query('SELECT count(*) FROM sites')
    let migrated = false
    const migrating = migrate(database.ownerUrl, folder).then(({ applied }) => {
      migrated = true
      return applied
    })
    const begun = performance.now()
    let slowest = 0
    while (performance.now() - begun < HELD_MS) {
      const from = performance.now()
      await short!.query('SELECT count(*) FROM sites')
      slowest = Math.max(slowest, performance.now() - from)
      await sleep(20)
    }
    expect(migrated).toBe(false)
    expect(slowest).toBeLessThan(BEARABLE_MS)
    await long!.query('COMMIT')
    expect(await migrating).toEqual(['9999-of-tomorrow.sql'])
  } finally {
    await long!.end()
    await short!.end()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
})
