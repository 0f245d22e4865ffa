import { goodsChangeState, goodsOutcome } from '@zhuguan/contract/features/goods/goods.record.ts'

import type { Tx } from '../../database/connect.ts'
import { row, uuid } from '../../kit/row.ts'
import { closeIfDone } from './changing.service.ts'

/** Returns that waited for a reduction of this contract are over with it, or with the contract. */
export async function closeReduced(tx: Tx, tenant: string, contract: string): Promise<void> {
  const { rows } = await tx.query(
    'goods.reduced',
    row({ id: uuid }),
    `SELECT g.id
     FROM goods_changes g
     JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
     WHERE g.tenant_id = $1 AND o.contract_id = $2 AND g.state = '${goodsChangeState.code.open}'
       AND g.outcome = '${goodsOutcome.code.reduce}'
     ORDER BY g.id`,
    [tenant, contract],
  )
  for (const { id } of rows) await closeIfDone(tx, tenant, id)
}
