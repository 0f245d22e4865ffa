import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { personBar } from '@zhuguan/contract/features/persons/persons.record.ts'
import { z } from 'zod'

import type { Database } from '../database/connect.ts'
import type { FileStore } from '../features/files/file-store.ts'
import { isErased, markWritten, unwrittenErasures } from '../features/persons/erasures.service.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { row, text } from '../kit/row.ts'
import { wholeGroup } from '../kit/scoped.ts'
import { eraseAgain } from './erasing.ts'

/**
 * What was erased, beside the database and in no backup: a line each, numbers alone. A database that a backup put back
 * forgets it again before the door opens (docs/decisions/0660).
 */
const line = z.object({
  tenant: z.uuid(),
  id: z.uuid(),
  at: z.string(),
  ids: z.record(z.string(), z.array(z.uuid())),
  bars: z.array(personBar.schema),
})
type Line = z.output<typeof line>
const fileOf = (dataDir: string) => join(dataDir, 'erasures.jsonl')

/** The lines that are whole: a power cut may leave the last one half. */
async function linesOf(dataDir: string): Promise<Line[]> {
  const read = await readFile(fileOf(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return ''
  })
  return read.split('\n').flatMap((one) => {
    try {
      return [line.parse(JSON.parse(one))]
    } catch {
      return []
    }
  })
}

/** Writes down what stands in no journal yet; a kill between the two writes it twice, which says the same. */
export async function writeJournal(db: Database, dataDir: string, tenant: string): Promise<number> {
  const rows = await db.tx(SYSTEM, (tx) => unwrittenErasures(tx, tenant), { readOnly: true })
  if (rows.length === 0) return 0
  // A line that a power cut left half stays alone.
  const text = rows.map((r) => `\n${JSON.stringify({ ...r, at: r.at.toISOString() })}`).join('')
  await appendFile(fileOf(dataDir), `${text}\n`, { mode: 0o600, flush: true })
  for (const r of rows) await db.tx(SYSTEM, (tx) => markWritten(tx, r.tenant, r.id, r.at))
  return rows.length
}

/** Forgets again what this database does not know to be forgotten. Answers how many people. */
export async function forgetAgain(
  db: Database,
  { dataDir, ...deps }: { files: FileStore; secretKey: Buffer; dataDir: string },
): Promise<number> {
  const { rows } = await db.tx(
    SYSTEM,
    (tx) => tx.query('erasures.groups', row({ id: text }), 'SELECT t.id::text AS id FROM tenants t', []),
    { readOnly: true },
  )
  const here = new Set(rows.map((r) => r.id))
  for (const tenant of here) await writeJournal(db, dataDir, tenant)
  const lines = await linesOf(dataDir)
  // The last word on a person counts: what was kept at first may have gone since.
  const last = new Map(lines.map((one) => [`${one.tenant} ${one.id}`, one]))
  let n = 0
  for (const { bars, id, ids, tenant } of last.values()) {
    if (!here.has(tenant)) continue
    n += await db.tx(wholeGroup(tenant), async (tx) => {
      if (await isErased(tx, tenant, id, bars)) return 0
      await eraseAgain(tx, deps, { tenant, id, ids, bars })
      return 1
    })
  }
  return n
}
