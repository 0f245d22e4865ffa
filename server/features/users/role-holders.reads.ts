import { personReaches } from '../../kit/person-reach.ts'
import { row, text, uuid } from '../../kit/row.ts'
import type { Tx } from '../../kit/tx.ts'

/** Who holds a role that reaches this site; nobody whose account is closed. */
export async function holdersOf(
  tx: Tx,
  q: { tenant: string; site: string; role: string; except: readonly (string | null)[] },
): Promise<{ id: string; nickname: string }[]> {
  const { rows } = await tx.query(
    'users.holders',
    row({ id: uuid, nickname: text }),
    `SELECT DISTINCT u.id, u.nickname
     FROM sites w
     JOIN roles r ON r.tenant_id = $1 AND r.code = $3 AND r.status = 1
     JOIN user_roles ur ON ur.tenant_id = $1 AND ur.role_id = r.id
     JOIN users u ON u.tenant_id = $1 AND u.id = ur.user_id AND u.status = 1 AND u.deleted_at IS NULL
     WHERE w.tenant_id = $1 AND w.id = $2 AND u.id <> ALL ($4::uuid[]) AND ${personReaches('$1', 'u', 'r', 'w')}
     ORDER BY u.id`,
    [q.tenant, q.site, q.role, q.except.filter((id) => id !== null)],
  )
  return rows
}
