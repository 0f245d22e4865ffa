import type { Tx } from '../../database/connect.ts'

/** The branch's value, else the group's, else ours. */
export async function settingOf<T>(tx: Tx, tenant: string, bc: string | null, key: string, otherwise: T): Promise<T> {
  const { rows } = await tx.query<{ value: T }>('settings.one', 'SELECT value FROM settings WHERE tenant_id = $1 AND key = $3 AND (bc_id = $2 OR bc_id IS NULL) ORDER BY bc_id NULLS LAST LIMIT 1', [tenant, bc, key])
  return rows[0]?.value ?? otherwise
}
