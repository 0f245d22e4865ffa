import { EVERY_PERMISSION } from '@zhuguan/contract/kit/permits.ts'

import { personReaches } from '../../kit/person-reach.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { isAway, isHere } from '../../kit/standing-in.ts'
import type { Tx } from '../../kit/tx.ts'

/**
 * Who holds a role that reaches this site; nobody whose account is closed. For one who is away today, who stands in,
 * where they reach the site with this right.
 */
export async function holdersOf(
  tx: Tx,
  q: { tenant: string; site: string; role: string; right: string; except: readonly (string | null)[] },
): Promise<{ id: string; nickname: string }[]> {
  const { rows } = await tx.query(
    'users.holders',
    row({ id: uuid, nickname: text }),
    `SELECT DISTINCT h.id, h.nickname
     FROM sites w
     JOIN roles r ON r.tenant_id = $1 AND r.code = $3 AND r.status = 1
     JOIN user_roles ur ON ur.tenant_id = $1 AND ur.role_id = r.id
     JOIN users u ON u.tenant_id = $1 AND u.id = ur.user_id AND u.status = 1 AND u.deleted_at IS NULL
     LEFT JOIN absences a ON ${isAway('$1', 'u.id', 'a')}
     JOIN users h ON h.tenant_id = $1 AND CASE
       WHEN a.id IS NULL THEN h.id = u.id
       ELSE h.id = a.deputy_id AND ${isHere('$1', 'h')} AND EXISTS (
         SELECT 1
         FROM user_roles hr
         JOIN roles k ON k.tenant_id = $1 AND k.id = hr.role_id AND k.status = 1
         JOIN role_powers p ON p.tenant_id = $1 AND p.role_id = k.id AND p.label IN ($5, '${EVERY_PERMISSION}')
         WHERE hr.tenant_id = $1 AND hr.user_id = h.id AND ${personReaches('$1', 'h', 'k', 'w')}) END
     WHERE w.tenant_id = $1 AND w.id = $2 AND NOT $4::uuid[] && ARRAY[u.id, h.id]
       AND ${personReaches('$1', 'u', 'r', 'w')}
     ORDER BY h.id`,
    [q.tenant, q.site, q.role, q.except.filter((id) => id !== null), q.right],
  )
  return rows
}
