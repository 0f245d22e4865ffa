import type { Database } from '../../database/connect.ts'
import { row, text } from '../../kit/row.ts'
import { SYSTEM } from '../session/access.reads.ts'
import type { FileStore } from './file-store.ts'

const PIECE = 200

/**
 * Takes away what lies in its place though its row has gone: a server may have died between the two, a bucket may have
 * been away. Answers how many were looked at; what cannot be reached is tried again the next time.
 */
export async function takeAway(
  db: Database,
  files: FileStore,
  tenant: string,
  stopped: () => boolean,
): Promise<number> {
  let taken = 0
  for (let some = PIECE; some === PIECE && !stopped(); taken += some) {
    const { rows } = await db.tx(
      SYSTEM,
      (tx) =>
        tx.query(
          'files.leaving',
          row({ key: text }),
          `SELECT l.key FROM files_leaving l WHERE l.tenant_id = $1 ORDER BY l.key LIMIT ${PIECE}`,
          [tenant],
        ),
      { readOnly: true },
    )
    some = rows.length
    for (const { key } of rows) await files.remove(key)
    if (some)
      await db.tx(SYSTEM, (tx) =>
        tx.run('files.left', 'DELETE FROM files_leaving l WHERE l.tenant_id = $1 AND l.key = ANY ($2)', [
          tenant,
          rows.map((r) => r.key),
        ]),
      )
  }
  return taken
}
