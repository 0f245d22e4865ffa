import type { Tx } from '../../database/connect.ts'
import { float8, row, text } from '../../kit/row.ts'
import { epoch } from '../../kit/statement.ts'

/** Who did the last thing to an object, by the name that people know, for the second of two people. */
export async function lastActor(
  tx: Tx,
  tenant: string,
  object: 'order' | 'dispatch' | 'statement',
  id: string,
) {
  const { rows } = await tx.query(
    'userlogs.lastactor',
    row({ name: text, at: float8 }),
    `SELECT coalesce(nullif(u.nickname, ''), g.user_name) AS name, ${epoch('g.at')} AS at
     FROM user_logs g
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = g.user_id
     WHERE g.tenant_id = $1 AND g.object = $2 AND g.object_id = $3 AND g.outcome = 'done'
     ORDER BY g.at DESC
     LIMIT 1`,
    [tenant, object, id],
  )
  return rows[0]
}
