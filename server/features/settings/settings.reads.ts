import { KEPT_SETTINGS } from '@zhuguan/contract/features/settings/keeping-settings.ts'
import { type SettingKey, SETTINGS } from '@zhuguan/contract/features/settings/settings.record.ts'

import type { Tx } from '../../database/connect.ts'
import { jsonb, row, uuid } from '../../kit/row.ts'

const isKept = (key: SettingKey): boolean => KEPT_SETTINGS.includes(key)
/**
 * What counts of a branch's own value and the group's (`undefined` where nothing is set): the branch's, else the
 * group's, else the product's. Of days that something is kept the fewer ones: a branch may let go sooner than the group
 * promised, never later, whichever of the two was changed last.
 */
export function counting(key: SettingKey, own: unknown, group: unknown): unknown {
  const shared = group === undefined ? SETTINGS[key].otherwise : group
  if (own === undefined) return shared
  return isKept(key) ? Math.min(Number(own), Number(shared)) : own
}

/** The value that counts in a branch, or in the group (`bc` null). */
export async function settingOf<T>(tx: Tx, tenant: string, bc: string | null, key: SettingKey): Promise<T> {
  const { rows } = await tx.query(
    'settings.one',
    row({ bc_id: uuid.null, value: jsonb<T>() }),
    `SELECT bc_id, value
     FROM settings
     WHERE tenant_id = $1 AND key = $3 AND (bc_id = $2 OR bc_id IS NULL)`,
    [tenant, bc, key],
  )
  const own = rows.find((r) => r.bc_id !== null)?.value
  return counting(key, own, rows.find((r) => r.bc_id === null)?.value) as T
}

/** The same inside a statement, as JSON: for the branch that the column `bc` names, of the tenant in `tenant`. */
export function settingSql(key: SettingKey, tenant: string, bc: string): string {
  const otherwise = `'${JSON.stringify(SETTINGS[key].otherwise)}'::jsonb`
  const value = (which: string) =>
    `(SELECT s.value FROM settings s WHERE s.tenant_id = ${tenant} AND s.key = '${key}' AND ${which})`
  // Fewer days first, as JSON compares numbers; nothing is no number.
  if (isKept(key))
    return `least(${value(`s.bc_id = ${bc}`)}, coalesce(${value('s.bc_id IS NULL')}, ${otherwise}))`
  return `coalesce(${value(`(s.bc_id = ${bc} OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1`)}, ${otherwise})`
}

/** The number of days that counts in each branch of what this setting rules; `own` where it says so itself. */
export async function daysOfBranches(
  tx: Tx,
  tenant: string,
  key: SettingKey,
): Promise<{ bc: string; days: number; own: number | null }[]> {
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
    days: Number(counting(key, own ?? undefined, shared ?? undefined)),
    own,
  }))
}

/** Whether a day rests in a branch, inside a statement: by its dated days, else by its week. */
export const restDaySql = (tenant: string, bc: string, day: string): string =>
  `rest_day(${tenant}, ${bc}, ${day})`
