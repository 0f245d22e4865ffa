import { row, text, uuid } from '../../kit/row.ts'
import type { Tx } from '../connect.ts'
import { offer } from './offer.ts'
import { templatesOf } from './patrol-templates.ts'
import { insert } from './rows.ts'

/**
 * A group of companies as it begins: all menus, its first roles, nobody in them, what patrols look at. Answers the
 * roles' ids by code.
 */
export async function seedTenant(
  tx: Tx,
  tenant: { id: string; name: string; created_at: Date },
): Promise<Map<string, string>> {
  await insert(tx, 'tenants', [{ ...tenant }])
  await offer(tx, tenant.id)
  await templatesOf(tx, tenant.id)
  const { rows } = await tx.query(
    'seed.roles',
    row({ id: uuid, code: text }),
    'SELECT id, code FROM roles WHERE tenant_id = $1',
    [tenant.id],
  )
  return new Map(rows.map((r) => [r.code, r.id]))
}
