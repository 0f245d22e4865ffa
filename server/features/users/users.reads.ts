import type { Scope, Tx } from '../../database/connect.ts'
import { personReaches } from '../../kit/person-reach.ts'
import { row, text, there, type RowOf, uuid } from '../../kit/row.ts'
import { awaySaid } from '../../kit/standing-in.ts'

const person = row({ id: uuid, nickname: text, bc_name: text, post: text, away: text })
export type Person = RowOf<typeof person>

const POST = `coalesce((SELECT string_agg(r.name, '、' ORDER BY r.name) FROM user_roles ur
       JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id WHERE ur.tenant_id = u.tenant_id
       AND ur.user_id = u.id), '')`

/** Active people a caller may name: those of their own branches; everyone in the tenant for a tenant scope. */
export async function pickPeople(
  tx: Tx,
  scope: Scope,
  f: {
    keyword?: string | undefined
    post?: number | undefined
    siteId?: string | undefined
    bc?: string | undefined
    id?: string | undefined
    /** Who may do this on the site `siteId`, by a role that reaches it. */
    power?: string | undefined
    /** As if they led the site already. */
    leading?: boolean
  },
): Promise<Person[]> {
  const { rows } = await tx.query(
    'users.pick',
    person,
    `SELECT u.id, u.nickname, coalesce(c.bc_name, '') AS bc_name, ${POST} AS post,
       ${awaySaid('$1', 'u.id')} AS away
     FROM users u LEFT JOIN companies c ON c.tenant_id = u.tenant_id AND c.bc_id = u.bc_id
     WHERE u.tenant_id = $1 AND u.status = 1 AND u.deleted_at IS NULL AND ($2::uuid[] IS NULL AND $3::uuid[] IS NULL OR u.bc_id = ANY ($2)
         OR $3::uuid[] IS NOT NULL AND (u.id = $4 OR u.bc_id IN (SELECT w.bc_id FROM sites w WHERE w.tenant_id = $1 AND w.id = ANY ($3))))
       AND ($5::text IS NULL OR u.nickname ILIKE '%' || $5 || '%' OR u.user_name ILIKE '%' || $5 || '%') AND ($6::smallint IS NULL OR u.post = $6)
       AND ($7::uuid IS NULL OR u.bc_id = (SELECT w.bc_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $7)) AND ($8::uuid IS NULL OR u.id = $8)
       AND ($10::uuid IS NULL OR u.bc_id = $10)
       AND ($9::text IS NULL OR EXISTS (SELECT 1 FROM sites w JOIN user_roles ur ON ur.tenant_id = w.tenant_id AND ur.user_id = u.id
         JOIN roles ro ON ro.tenant_id = ur.tenant_id AND ro.id = ur.role_id AND ro.status = 1
         JOIN role_powers p ON p.tenant_id = ro.tenant_id AND p.role_id = ro.id AND p.label IN ($9, '*:*:*')
         WHERE w.tenant_id = $1 AND w.id = $7
           AND ($11 AND ro.data_scope = 'ownSites' OR ${personReaches('$1', 'u', 'ro', 'w')})))
     ORDER BY u.nickname, u.id LIMIT 50`,
    [
      scope.tenant,
      scope.bcs,
      scope.sites,
      scope.user,
      f.keyword || null,
      f.post ?? null,
      f.siteId ?? null,
      f.id ?? null,
      f.power ?? null,
      f.bc ?? null,
      f.leading ?? false,
    ],
  )
  return rows
}

/**
 * Nobody stops this account until what is given to it is kept: whoever hands work on sees that too. One that is being
 * stopped is waited for, and is then seen as stopped.
 */
export const holdPerson = (tx: Tx, tenant: string, id: string) =>
  tx.query('users.hold', there, 'SELECT 1 FROM users u WHERE u.tenant_id = $1 AND u.id = $2 FOR SHARE', [
    tenant,
    id,
  ])

/** The person, if they can be given work of this site: same branch, inside the caller's reach, and able to correct. */
export const assignable = async (
  tx: Tx,
  scope: Scope,
  to: { id: string; site: string; power: string },
): Promise<Person | undefined> =>
  (await pickPeople(tx, scope, { id: to.id, siteId: to.site, power: to.power }))[0]
