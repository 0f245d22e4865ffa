import type { Home } from '@zhuguan/contract/features/sites/homes.record.ts'
import { siteStatus, stageState } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { found } from '../../kit/refuse.ts'
import { int2, row, text, uuid } from '../../kit/row.ts'
import { siteScope } from '../../kit/scoped.ts'
import { settingSql } from '../settings/settings.reads.ts'

/** In a statement whose tenant is $1: the last day of the warranty of a finished site `w`. */
export const WARRANTY_UNTIL = `CASE WHEN w.status = ${siteStatus.code.finished}
       THEN w.actual_finish + (${settingSql('warrantyDays', '$1', 'w.bc_id')})::int END`

/** The state of a stage `g`, by the days that it has. */
export const STAGE_STATE = `CASE WHEN g.actual_finish IS NOT NULL THEN ${stageState.code.accepted}
     WHEN g.actual_start IS NOT NULL THEN ${stageState.code.going} ELSE ${stageState.code.waiting} END`

/** The state of a home, and the end of the warranty of what was built in it; its goods ask (`homeRefusal`). */
export async function homeOf(tx: Tx, tenant: string, site: string): Promise<Home> {
  const { rows } = await tx.query(
    'sites.home',
    row<Home>({ siteStatus: int2.of(siteStatus), warrantyUntil: text.null }),
    `SELECT w.status AS "siteStatus", ${WARRANTY_UNTIL}::text AS "warrantyUntil"
     FROM sites w
     WHERE w.tenant_id = $1 AND w.id = $2`,
    [tenant, site],
  )
  return found(rows[0])
}

/** The owner of this telephone in a branch: the same person, whatever they are called there. */
export async function ownerByPhone(
  tx: Tx,
  tenant: string,
  bc: string,
  phone: string,
): Promise<{ id: string; name: string } | undefined> {
  const { rows } = await tx.query(
    'sites.ownerbyphone',
    row({ id: uuid, name: text }),
    'SELECT o.id, o.name FROM owners o WHERE o.tenant_id = $1 AND o.bc_id = $2 AND o.phone = $3 ORDER BY o.id LIMIT 1',
    [tenant, bc, phone],
  )
  return rows[0]
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
