import type { Tx } from '../../database/connect.ts'
import { float8, int4, row, text, uuid } from '../../kit/row.ts'
import { type FileStore, replaceClip } from '../files/files.service.ts'
import { dropUnnamed } from './recording-days.service.ts'

/** A film that was tried so often is left as it came. */
export const MOST_TURNS = 3
/** The newest recording that browsers do not play; the try counts before it begins, so that it never kills for ever. */
export async function nextToTurn(tx: Tx, tenant: string) {
  const { rows } = await tx.query(
    'recordings.toturn',
    row({ id: uuid, key: text, seconds: float8, turns: int4 }),
    `UPDATE recordings r
     SET turns = r.turns + 1
     WHERE r.tenant_id = $1 AND r.id = (
       SELECT k.id
       FROM recordings k
       WHERE k.tenant_id = $1 AND k.format IS NOT NULL AND k.turns < ${MOST_TURNS}
       ORDER BY k.from_at DESC
       LIMIT 1)
     RETURNING r.id, r.key, extract(epoch FROM r.to_at - r.from_at)::float8 AS seconds, r.turns`,
    [tenant],
  )
  return rows[0]
}
/** What was not the film's fault is tried again; what was is not. */
export const countTurns = (tx: Tx, tenant: string, id: string, turns: number) =>
  tx.run('recordings.turns', 'UPDATE recordings r SET turns = $3 WHERE r.tenant_id = $1 AND r.id = $2', [
    tenant,
    id,
    turns,
  ])
/**
 * The film in a form that browsers play takes the place of the one that came, which leaves. Its size stays that of what
 * came, by which the same is known when it comes once more. Answers whether anything still names it.
 */
export async function putTurned(
  tx: Tx,
  files: FileStore,
  tenant: string,
  film: { instead: string; key: string; bytes: number; seconds: number },
): Promise<boolean> {
  const { rowCount } = await tx.run(
    'recordings.turned',
    'UPDATE recordings r SET key = $3, format = NULL WHERE r.tenant_id = $1 AND r.key = $2',
    [tenant, film.instead, film.key],
  )
  if (!rowCount) return false
  await replaceClip(tx, tenant, film)
  await dropUnnamed(tx, files, tenant, [film.instead])
  return true
}
