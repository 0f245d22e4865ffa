import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Tx } from '../../database/connect.ts'
import { row, text, uuid } from '../../kit/row.ts'

/** Branches in which somebody works or leads sites or has led some, their own first. */
export async function branchesOf(tx: Tx, tenant: string, person: string) {
  const { rows } = await tx.query(
    'supervision.branches',
    row({ bc_id: uuid, bc_name: text }),
    `SELECT c.bc_id, c.bc_name
     FROM companies c
     JOIN users u ON u.tenant_id = $1 AND u.id = $2
     WHERE c.tenant_id = $1 AND (u.post IS NOT NULL AND c.bc_id = u.bc_id OR EXISTS (SELECT FROM site_leads l
       JOIN sites w ON w.tenant_id = $1 AND w.id = l.of_site AND w.deleted_at IS NULL AND w.bc_id = c.bc_id
       WHERE l.tenant_id = $1 AND l.user_id = $2))
     ORDER BY c.bc_id = u.bc_id DESC NULLS LAST, c.bc_name`,
    [tenant, person],
  )
  return rows
}
/** The first branch that somebody is shown: their own, where it is among these; else by its name. */
export async function firstBranch(tx: Tx, tenant: string, person: string, among: readonly string[] | null) {
  const { rows } = await tx.query(
    'supervision.first',
    row({ bc_id: uuid }),
    `SELECT c.bc_id
     FROM companies c
     JOIN users u ON u.tenant_id = $1 AND u.id = $2
     WHERE c.tenant_id = $1 AND ($3::uuid[] IS NULL OR c.bc_id = ANY ($3::uuid[]))
     ORDER BY c.bc_id = u.bc_id DESC NULLS LAST, c.bc_name
     LIMIT 1`,
    [tenant, person, among],
  )
  return rows[0]?.bc_id
}

/** Sites under construction of a branch that lack a steward or a manager. */
export async function unledSites(tx: Tx, tenant: string, bc: string) {
  const { rows } = await tx.query(
    'supervision.unled',
    row({ id: uuid, ws_name: text }),
    `SELECT w.id, w.ws_name
     FROM sites w
     WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = ${siteStatus.code.building} AND w.deleted_at IS NULL
       AND (w.steward_id IS NULL OR w.manager_id IS NULL)
     ORDER BY w.code`,
    [tenant, bc],
  )
  return rows
}
