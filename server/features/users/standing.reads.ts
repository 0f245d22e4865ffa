import { EVERY_PERMISSION } from '@zhuguan/contract/kit/permits.ts'

import { personReaches } from '../../kit/person-reach.ts'
import { bool, row, text, uuid } from '../../kit/row.ts'
import { awaySaid } from '../../kit/standing-in.ts'
import type { Scope, Tx } from '../../kit/tx.ts'

/**
 * Of these rights, which this person may use on no site of the branch, or of the group where none is named: by no role,
 * or by none that reaches one.
 */
export async function uselessRights(
  tx: Tx,
  tenant: string,
  { bc, person, rights }: { person: string; bc: string | null; rights: readonly string[] },
) {
  const { rows } = await tx.query(
    'users.uselessrights',
    row({ label: text, held: bool }),
    `SELECT k.label, k.held FROM (
       SELECT x.label, count(r.id) > 0 AS held, coalesce(bool_or(EXISTS (
           SELECT 1 FROM sites w
           WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND ($4::uuid IS NULL OR w.bc_id = $4)
             AND ${personReaches('$1', 'u', 'r', 'w')})), false) AS reaches
       FROM unnest($3::text[]) AS x(label)
       JOIN users u ON u.tenant_id = $1 AND u.id = $2
       LEFT JOIN user_roles ur ON ur.tenant_id = $1 AND ur.user_id = u.id AND EXISTS (
         SELECT 1 FROM role_powers p
         WHERE p.tenant_id = $1 AND p.role_id = ur.role_id AND p.label IN (x.label, '${EVERY_PERMISSION}'))
       LEFT JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1
       GROUP BY x.label) k
     WHERE NOT k.reaches
     ORDER BY label`,
    [tenant, person, rights, bc],
  )
  return rows
}

export const NOT_HERE = '不在这个分公司'
export interface Standing {
  id: string
  nickname: string
  /** The reason why work cannot be given to them today, in words: account stopped, away, of another branch. */
  why: string | undefined
}
/** People whom the caller may name, of one branch or of the whole group, and what speaks against each of them. */
export async function standingOf(
  tx: Tx,
  scope: Scope,
  { bc, people }: { people: readonly string[]; bc: string | null },
): Promise<Standing[]> {
  if (people.length === 0) return []
  const { rows } = await tx.query(
    'users.standing',
    row({ id: uuid, nickname: text, open: bool, here: bool, away: text }),
    `SELECT u.id, u.nickname, u.status = 1 AS open, ${awaySaid('$1', 'u.id')} AS away,
       $6::uuid IS NULL OR u.bc_id IS NULL OR u.bc_id = $6 OR EXISTS (
         SELECT 1 FROM user_branches b WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = $6) AS here
     FROM users u
     WHERE u.tenant_id = $1 AND u.id = ANY ($2) AND u.deleted_at IS NULL
       AND ($3::uuid[] IS NULL AND $4::uuid[] IS NULL OR u.id = $5 OR u.bc_id = ANY ($3)
         OR u.bc_id IN (SELECT w.bc_id FROM sites w WHERE w.tenant_id = $1 AND w.id = ANY ($4)))
     ORDER BY u.nickname, u.id`,
    [scope.tenant, people, scope.bcs, scope.sites, scope.user, bc],
  )
  return rows.map(({ away, here, id, nickname, open }) => {
    let why: string | undefined
    if (!open) why = '账号已停用'
    else if (!here) why = NOT_HERE
    else if (away) why = away
    return { id, nickname, why }
  })
}
