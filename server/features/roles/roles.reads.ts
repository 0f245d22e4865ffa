import {
  dataScope,
  type Grant,
  grantRefusal,
  holderRefusal,
} from '@zhuguan/contract/features/roles/roles.record.ts'
import { EVERY_PERMISSION } from '@zhuguan/contract/kit/permits.ts'
import { isPage, PAGES } from '@zhuguan/contract/pages.ts'
import { PERMISSIONS } from '@zhuguan/contract/permissions.ts'

import type { Tx } from '../../database/connect.ts'
import { LOCKS } from '../../database/locks.ts'
import { personReaches } from '../../kit/person-reach.ts'
import { Refused } from '../../kit/refuse.ts'
import { row, text, texts, uuid } from '../../kit/row.ts'
import type { SessionUser } from '../../kit/serve.ts'

export interface RoleGrant extends Grant {
  id: string
  code: string
  name: string
}

/** A page or an operation in a clerk's words. */
export const inWords = (name: string): string => {
  if (name === EVERY_PERMISSION) return '全部权限'
  const power = Object.hasOwn(PERMISSIONS, name) ? PERMISSIONS[name] : undefined
  if (power) return `${PAGES[power.page].title}-${power.title}`
  return isPage(name) ? PAGES[name].title : name
}

/** Every role of the tenant with what it grants, by id. */
export async function roleGrants(tx: Tx, tenant: string): Promise<Map<string, RoleGrant>> {
  const { rows } = await tx.query(
    'roles.grants',
    row({ id: uuid, code: text, name: text, scope: text.of(dataScope), pages: texts, labels: texts }),
    `SELECT r.id, r.code, r.name, r.data_scope AS scope, ARRAY(SELECT p.component_name FROM role_pages rp JOIN pages p ON p.tenant_id = rp.tenant_id AND p.id = rp.page_id WHERE rp.tenant_id = r.tenant_id AND rp.role_id = r.id AND p.component_name <> '') AS pages,
      ARRAY(SELECT label FROM role_powers w WHERE w.tenant_id = r.tenant_id AND w.role_id = r.id) AS labels FROM roles r WHERE r.tenant_id = $1`,
    [tenant],
  )
  return new Map(
    rows.map((r) => [
      r.id,
      { id: r.id, code: r.code, name: r.name, dataScope: r.scope, pages: r.pages, labels: r.labels },
    ]),
  )
}

/** Why the caller may not give, or take from others, what these roles hold, each of them in its own reach. */
export const overReach = (user: SessionUser, roles: readonly Grant[]): string | undefined =>
  roles.map((role) => grantRefusal(user.holdings, role, inWords)).find((why) => why !== undefined)

/** The reason why the caller may not change somebody who holds these. */
export const overHolder = (user: SessionUser, theirs: readonly Grant[]): string | undefined =>
  holderRefusal(user.holdings, theirs, inWords)

/** Active people who hold everything, locked: two administrators cannot remove each other at once. */
export async function lockAdministrators(tx: Tx, tenant: string): Promise<string[]> {
  const { rows } = await tx.query(
    'roles.administrators',
    row({ id: uuid }),
    `SELECT u.id FROM users u WHERE u.tenant_id = $1 AND u.status = 1 AND u.deleted_at IS NULL AND EXISTS (SELECT 1 FROM user_roles ur JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id AND r.status = 1
      JOIN role_powers p ON p.tenant_id = r.tenant_id AND p.role_id = r.id AND p.label = '${EVERY_PERMISSION}' WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id) ORDER BY u.id FOR NO KEY UPDATE OF u`,
    [tenant],
  )
  return rows.map((r) => r.id)
}
/** Asked after a change, in its transaction: somebody must still hold everything. */
export async function keepAnAdministrator(tx: Tx, tenant: string): Promise<void> {
  if ((await lockAdministrators(tx, tenant)).length === 0)
    throw new Refused('这是最后一个系统管理员，不能停用、删除或收回权限')
}
/** Changes of administrators take turns: without it, two of them could each see the other remain. */
export const administratorsTakeTurns = (tx: Tx, tenant: string) =>
  tx.run('roles.turns', 'SELECT pg_advisory_xact_lock($1::int, hashtext($2))', [LOCKS.roles, tenant])

/**
 * What somebody may take off where this is, by the roles that reach it; and who of them that hold the right themselves
 * could be asked, by name.
 */
export async function givingOf(
  tx: Tx,
  tenant: string,
  user: string,
  at: { bc_id: string; store_id: string | null; label: string },
) {
  const place = `(SELECT $2::uuid AS bc_id, $3::uuid AS store_id, NULL::uuid AS manager_id, NULL::uuid AS steward_id)`
  const { rows } = await tx.query(
    'roles.giving',
    row({ roundOff: text, givePercent: text, who: text }),
    `SELECT coalesce(max(r.round_off), 0.00)::text AS "roundOff",
       trim_scale(coalesce(max(r.give_percent), 0))::text AS "givePercent",
       coalesce((SELECT string_agg(k.nickname, '、') FROM (SELECT DISTINCT h.nickname
         FROM role_powers p
         JOIN roles o ON o.tenant_id = $1 AND o.id = p.role_id AND o.status = 1
         JOIN user_roles ho ON ho.tenant_id = $1 AND ho.role_id = o.id
         JOIN users h ON h.tenant_id = $1 AND h.id = ho.user_id AND h.deleted_at IS NULL AND h.status = 1
         CROSS JOIN ${place} x
         WHERE p.tenant_id = $1 AND p.label = $5 AND ${personReaches('$1', 'h', 'o', 'x')}
         ORDER BY h.nickname
         LIMIT 3) k), '') AS who
     FROM user_roles ur
     JOIN users u ON u.tenant_id = $1 AND u.id = ur.user_id
     JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1
     CROSS JOIN ${place} x
     WHERE ur.tenant_id = $1 AND ur.user_id = $4 AND ${personReaches('$1', 'u', 'r', 'x')}`,
    [tenant, at.bc_id, at.store_id, user, at.label],
  )
  return rows[0]!
}
