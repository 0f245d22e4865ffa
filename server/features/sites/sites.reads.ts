import type { Scope, Tx } from '../../database/connect.ts'
import { row, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import type { Where } from '../../kit/statement.ts'

/** The sites a caller may see, under the alias `w`. */
export const siteScope = (scope: Scope): Where =>
  scoped(scope, 'w', { site: 'id' }).plain('w.deleted_at IS NULL')

/** The owner of this telephone in a branch: the same person, whatever they are called there. */
export async function ownerByPhone(
  tx: Tx,
  tenant: string,
  bc: string,
  phone: string,
): Promise<string | undefined> {
  const { rows } = await tx.query(
    'sites.ownerbyphone',
    row({ id: uuid }),
    'SELECT o.id FROM owners o WHERE o.tenant_id = $1 AND o.bc_id = $2 AND o.phone = $3 ORDER BY o.id LIMIT 1',
    [tenant, bc, phone],
  )
  return rows[0]?.id
}

export async function siteInReach(tx: Tx, scope: Scope, id: string): Promise<string | undefined> {
  const where = siteScope(scope).add((p) => `w.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'sites.inreach',
    row({ id: uuid }),
    `SELECT w.id FROM sites w WHERE ${where.text}`,
    where.values,
  )
  return rows[0]?.id
}
