import type { Tx } from '../../database/connect.ts'
import { float8, int4, row, text, uuid } from '../../kit/row.ts'
import type { SessionUser } from '../../kit/serve.ts'
import { epoch } from '../../kit/statement.ts'
import { ABOUT, DONE, logWhere } from './userlogs.queries.ts'

/** The last person who did something to an object, by the name that people know, for the second of two people. */
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

const n = (about: keyof typeof ABOUT) => `(count(*) FILTER (WHERE ${ABOUT[about]}))::int`
/** How often each person read whole numbers, took something away or looked out of hours; the log's list is the same. */
export async function doneBy(tx: Tx, user: SessionUser, span: { from: string; to: string }) {
  const where = logWhere(user, span)
    .plain(DONE)
    .plain(`(${Object.values(ABOUT).join(' OR ')})`)
  const { rows } = await tx.query(
    'userlogs.doneby',
    row({
      user_id: uuid,
      nickname: text,
      userName: text,
      bc_name: text,
      unmask: int4,
      export: int4,
      offHours: int4,
    }),
    `SELECT k.user_id, coalesce(u.nickname, '') AS nickname, coalesce(u.user_name, k.name) AS "userName",
       coalesce(c.bc_name, '') AS bc_name, k.unmask, k.export, k."offHours"
     FROM (SELECT l.user_id, max(l.user_name) AS name, ${n('unmask')} AS unmask, ${n('export')} AS export,
         ${n('offHours')} AS "offHours"
       FROM user_logs l WHERE ${where.text} GROUP BY l.user_id) k
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.user_id
     LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = u.bc_id
     ORDER BY k.unmask + k.export + k."offHours" DESC, "userName"`,
    where.values,
  )
  return rows
}
