import { type SettingKey, SETTINGS } from '@zhuguan/contract/features/settings/settings.record.ts'

import type { Tx } from '../../database/connect.ts'
import { jsonb, row } from '../../kit/row.ts'

/** The branch's value, else the group's, else the product's own. */
export async function settingOf<T>(tx: Tx, tenant: string, bc: string | null, key: SettingKey): Promise<T> {
  const { rows } = await tx.query(
    'settings.one',
    row({ value: jsonb<T>() }),
    `SELECT value
     FROM settings
     WHERE tenant_id = $1 AND key = $3 AND (bc_id = $2 OR bc_id IS NULL)
     ORDER BY bc_id NULLS LAST
     LIMIT 1`,
    [tenant, bc, key],
  )
  return rows[0]?.value ?? (SETTINGS[key].otherwise as T)
}

/** The same inside a statement, as JSON: for the branch that the column `bc` names, of the tenant that `tenant` names. */
export const settingSql = (key: SettingKey, tenant: string, bc: string): string =>
  `coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = ${tenant} AND s.key = '${key}' AND (s.bc_id = ${bc} OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '${JSON.stringify(SETTINGS[key].otherwise)}'::jsonb)`

/** Whether a day rests in a branch, inside a statement: by its dated days, else by its week. */
export const restDaySql = (tenant: string, bc: string, day: string): string =>
  `rest_day(${tenant}, ${bc}, ${day})`
