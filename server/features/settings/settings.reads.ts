import { type SettingKey, SETTINGS } from '@zhuguan/contract/features/settings/settings.record.ts'

import type { Tx } from '../../database/connect.ts'
import { jsonb, row, uuid } from '../../kit/row.ts'

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

/** How many days each branch keeps what this setting rules; `own` where it says so itself. */
export async function daysOfBranches(
  tx: Tx,
  tenant: string,
  key: SettingKey,
): Promise<{ bc: string; days: number; own: boolean }[]> {
  const { rows } = await tx.query(
    'settings.days',
    row({ bc: uuid, own: jsonb<number>().null, shared: jsonb<number>().null }),
    `SELECT c.bc_id AS bc, s.value AS own, g.value AS shared
     FROM companies c
     LEFT JOIN settings s ON s.tenant_id = $1 AND s.key = $2 AND s.bc_id = c.bc_id
     LEFT JOIN settings g ON g.tenant_id = $1 AND g.key = $2 AND g.bc_id IS NULL
     WHERE c.tenant_id = $1
     ORDER BY c.bc_id`,
    [tenant, key],
  )
  return rows.map(({ bc, own, shared }) => ({
    bc,
    days: own ?? shared ?? (SETTINGS[key].otherwise as number),
    own: own !== null,
  }))
}

/** Whether a day rests in a branch, inside a statement: by its dated days, else by its week. */
export const restDaySql = (tenant: string, bc: string, day: string): string =>
  `rest_day(${tenant}, ${bc}, ${day})`
