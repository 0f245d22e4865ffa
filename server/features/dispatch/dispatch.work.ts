import { dispatchState } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'

import { int4, row } from '../../kit/row.ts'
import type { Queue } from '../users/open-work.service.ts'

/** Goods that are there wait for somebody who accepts them. */
export const acceptanceQueue: Queue = {
  right: 'accept:do',
  title: '验收到货',
  async waiting(tx, tenant, place) {
    const { rows } = await tx.query(
      'dispatch.toaccept',
      row({ n: int4 }),
      `SELECT count(*)::int AS n FROM dispatches d
       WHERE d.tenant_id = $1 AND d.bc_id = $2 AND d.state = ${dispatchState.code.delivered}`,
      [tenant, place],
    )
    return rows[0]!.n
  },
}
