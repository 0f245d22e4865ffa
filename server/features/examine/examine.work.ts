import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'

import { int4, row } from '../../kit/row.ts'
import type { Queue } from '../users/open-work.service.ts'

/** What was submitted waits for somebody who judges it. */
export const examineQueue: Queue = {
  right: 'examine:judge',
  title: '审核',
  async waiting(tx, tenant, place) {
    const { rows } = await tx.query(
      'examine.tojudge',
      row({ n: int4 }),
      `SELECT count(*)::int AS n FROM examine_requests x
       WHERE x.tenant_id = $1 AND x.bc_id = $2 AND x.state = ${examineState.code.waiting} AND x.withdrawn_at IS NULL`,
      [tenant, place],
    )
    return rows[0]!.n
  },
}
