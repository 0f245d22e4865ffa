import { type FollowRow, followState } from '@zhuguan/contract/features/customers/follow-ups.record.ts'

import type { Tx } from '../../database/connect.ts'
import { SYSTEM_NAME } from '../../kit/nobody.ts'
import { row, uuid } from '../../kit/row.ts'
import type { Caller } from '../../kit/serve.ts'

const { cancelled, planned } = followState.code

/** What is planned with a customer goes along to whoever has it now. */
export const handFollowUps = (tx: Tx, tenant: string, customer: string, to: string) =>
  tx.run(
    'followups.hand',
    `UPDATE follow_ups SET user_id = $3, version = version + 1
     WHERE tenant_id = $1 AND customer_id = $2 AND state = '${planned}' AND user_id <> $3`,
    [tenant, customer, to],
  )

/** What was planned with a customer ends with it: all of it, or what is of these kinds. */
export async function cancelFollowUps(
  tx: Tx,
  call: Caller,
  customer: string,
  why: string,
  kinds: readonly FollowRow['kind'][] | null = null,
): Promise<number> {
  const { rows } = await tx.query(
    'followups.end',
    row({ id: uuid }),
    `UPDATE follow_ups
     SET state = '${cancelled}', result = $4, closed_at = :now, closed_by = $5, version = version + 1
     WHERE tenant_id = $1 AND customer_id = $2 AND state = '${planned}' AND ($3::text[] IS NULL OR kind = ANY ($3))
     RETURNING id`,
    [call.user.tenant, customer, kinds, why, SYSTEM_NAME],
  )
  return rows.length
}

/** Merged: what was planned and done with one is the other's. */
export const moveFollowUps = (tx: Tx, tenant: string, from: string, into: string) =>
  tx.run(
    'followups.merge',
    'UPDATE follow_ups SET customer_id = $3, version = version + 1 WHERE tenant_id = $1 AND customer_id = $2',
    [tenant, from, into],
  )
