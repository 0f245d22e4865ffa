import type { Tx } from '../../database/connect.ts'
import type { Due } from '../../kit/due.ts'
import { bool, int4, row, text, timestamptz } from '../../kit/row.ts'
import { dropFiles, type FileStore } from '../files/files.service.ts'

const PIECE = 500
const OVER = `k.tenant_id = $1 AND k.bc_id = $2 AND k.to_at < $3 AND NOT EXISTS (
         SELECT 1 FROM recording_holds h
         WHERE h.tenant_id = $1 AND h.device_id = k.device_id AND h.released_at IS NULL AND h.until_at > :now
           AND h.from_at < k.to_at AND h.to_at > k.from_at)`

/**
 * Recordings of a branch that end before its days begin and that nobody holds go with their files; a file that an alarm
 * or another recording names stays.
 */
export const recordingDays = (files: FileStore): Due => ({
  async count(tx, { tenant, bc, before }, most) {
    const { rows } = await tx.query(
      'recordings.old',
      row({ n: int4 }),
      `SELECT count(*)::int AS n FROM (SELECT 1 FROM recordings k WHERE ${OVER} LIMIT $4) o`,
      [tenant, bc, before, most],
    )
    return rows[0]!.n
  },
  async forget(tx, { tenant, bc, before }) {
    const { rows } = await tx.query(
      'recordings.forget',
      row({ key: text }),
      `DELETE FROM recordings r
       WHERE r.tenant_id = $1 AND r.id IN (SELECT k.id FROM recordings k WHERE ${OVER} ORDER BY k.to_at LIMIT ${PIECE})
       RETURNING r.key`,
      [tenant, bc, before],
    )
    if (rows.length === 0) return { removed: 0, more: false }
    await dropUnnamed(tx, files, tenant, [...new Set(rows.map((r) => r.key))])
    return { removed: rows.length, more: rows.length === PIECE }
  },
})
/** Those of these files that neither an alarm nor a recording names leave. */
export async function dropUnnamed(
  tx: Tx,
  files: FileStore,
  tenant: string,
  keys: readonly string[],
): Promise<void> {
  const named = await tx.query(
    'recordings.named',
    row({ key: text, named: bool }),
    `SELECT x.key, EXISTS (SELECT 1 FROM recordings r WHERE r.tenant_id = $1 AND r.key = x.key)
       OR EXISTS (SELECT 1 FROM alarms a WHERE a.tenant_id = $1 AND a.clip = x.key) AS named
     FROM unnest($2::text[]) AS x(key)`,
    [tenant, keys],
  )
  await dropFiles(
    tx,
    files,
    tenant,
    named.rows.filter((r) => !r.named).map((r) => r.key),
  )
}

/** Clips of devices that were uploaded between two moments and that nothing names leave with their files. */
export async function forgetLoose(
  tx: Tx,
  files: FileStore,
  { tenant, after, key, before }: { tenant: string; after: Date; key: string; before: Date },
): Promise<{ removed: number; last: { at: Date; key: string } | undefined }> {
  const { rows } = await tx.query(
    'recordings.loose',
    row({ key: text, at: timestamptz, loose: bool }),
    `SELECT f.key, f.at, NOT EXISTS (SELECT 1 FROM recordings r WHERE r.tenant_id = $1 AND r.key = f.key)
         AND NOT EXISTS (SELECT 1 FROM alarms a WHERE a.tenant_id = $1 AND a.clip = f.key) AS loose
     FROM files f
     WHERE f.tenant_id = $1 AND f.kind = 'clip' AND f.device_id IS NOT NULL
       AND (f.at, f.key) > ($2::timestamptz, $3) AND f.at < $4
     ORDER BY f.at, f.key
     LIMIT ${PIECE}`,
    [tenant, after, key, before],
  )
  const keys = rows.filter((r) => r.loose).map((r) => r.key)
  if (keys.length) await dropFiles(tx, files, tenant, keys)
  return { removed: keys.length, last: rows.length === PIECE ? rows.at(-1) : undefined }
}
