import { row, text, timestamptz, uuid } from '../../kit/row.ts'
import type { Tx } from '../../kit/tx.ts'
import { isLinked } from '../cases/cases.reads.ts'
import { linksOfScreen, type Wall } from '../links/screen-links.service.ts'
import { CONSENT_ENDS } from './shares.queries.ts'

/** The secrets behind which these cases open, from a wall: of those whose home agreed to links too. */
export async function sharesOfScreen(
  tx: Tx,
  secretKey: Buffer,
  wall: Wall,
  { ids, newId }: { ids: readonly string[]; newId: () => string },
): Promise<Map<string, string>> {
  const { rows: cases } = await tx.query(
    'shares.ofscreen',
    row({ id: uuid, title: text, end: timestamptz }),
    `SELECT k.id, k.title, ${CONSENT_ENDS} AS end
     FROM unnest($2::uuid[]) n(id)
     JOIN cases k ON k.tenant_id = $1 AND k.id = n.id
     WHERE ${isLinked('n.id')}`,
    [wall.tenant, ids],
  )
  return cases.length > 0 ? linksOfScreen(tx, secretKey, wall, { cases, newId }) : new Map()
}
