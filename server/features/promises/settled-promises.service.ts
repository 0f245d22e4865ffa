import { uuidv7 } from '../../kit/ids.ts'
import { nobody } from '../../kit/nobody.ts'
import { row, uuid } from '../../kit/row.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import type { Tx } from '../../kit/tx.ts'
import { writeLog } from '../userlogs/userlogs.service.ts'
import { OPEN } from './open-promises.reads.ts'
import { SYSTEM_NAME } from './promises.ledger.ts'
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
  const scope = wholeGroup(tenant)
  const system = {
    newId: uuidv7,
    now: () => tx.now,
    user: nobody(tenant, SYSTEM_NAME, scope),
    log: (t: Tx, line: Parameters<typeof writeLog>[2]) =>
      writeLog(t, { tenant, userId: null, userName: SYSTEM_NAME, ip: '', agent: '' }, line),
  }
  for (const site of rows)
    for (const p of await lockOpen(tx, scope, { site: site.id }))
      await lapse(tx, system, p, { why, bySystem: true })
}
