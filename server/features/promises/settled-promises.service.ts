import { row, uuid } from '../../kit/row.ts'
import type { Tx } from '../../kit/tx.ts'
import { systemCall } from '../userlogs/system.service.ts'
import { OPEN } from './open-promises.reads.ts'
import { lockOpen } from './promises.queries.ts'
import { lapse } from './promises.service.ts'

/** What is promised on sites `w` of which this holds is taken back by the system. */
export async function lapseWhere(tx: Tx, tenant: string, holds: string, why: string): Promise<void> {
  const { rows } = await tx.query(
    'promises.settled',
    row({ id: uuid }),
    `SELECT w.id
     FROM sites w
     WHERE w.tenant_id = $1 AND ${holds}
       AND EXISTS (SELECT FROM promises p WHERE p.tenant_id = $1 AND p.site_id = w.id AND ${OPEN})
     ORDER BY w.id
     LIMIT 100`,
    [tenant],
  )
  const system = systemCall(tx, tenant)
  for (const site of rows)
    for (const p of await lockOpen(tx, system.user.scope, { site: site.id }))
      await lapse(tx, system, p, { why, bySystem: true })
}
