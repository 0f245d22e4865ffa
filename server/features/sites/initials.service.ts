import type { Tx } from '../../database/connect.ts'
import { initials } from '../../kit/initials.ts'
import { row, text, uuid } from '../../kit/row.ts'

/** Writes the first letters of at most `most` sites that have none; answers of how many (docs/decisions/0673). */
export async function letterSites(tx: Tx, tenant: string, most: number): Promise<number> {
  const { rows } = await tx.query(
    'sites.unlettered',
    row({ id: uuid, name: text }),
    `SELECT w.id, w.ws_name AS name FROM sites w WHERE w.tenant_id = $1 AND w.initials IS NULL LIMIT $2`,
    [tenant, most],
  )
  if (rows.length === 0) return 0
  await tx.run(
    'sites.letter',
    `UPDATE sites w SET initials = x.initials
     FROM json_to_recordset($2::json) AS x(id uuid, initials text)
     WHERE w.tenant_id = $1 AND w.id = x.id`,
    [tenant, JSON.stringify(rows.map(({ id, name }) => ({ id, initials: initials(name) })))],
  )
  return rows.length
}
