import type { Belongings } from '../../kit/belongings.ts'
import { row, uuid } from '../../kit/row.ts'

/** Contracts go to the customer that theirs is merged into; what they say of owner and site stays. */
export const contractBelongings: Belongings = {
  async refusal(tx, tenant, customers) {
    await tx.query(
      'contracts.holdcustomers',
      row({ id: uuid }),
      `SELECT c.id
       FROM contracts c
       WHERE c.tenant_id = $1 AND c.customer_id = ANY ($2::uuid[])
       ORDER BY c.id
       FOR UPDATE`,
      [tenant, customers],
    )
    return undefined
  },
  move: (tx, tenant, from, into) =>
    tx.run(
      'contracts.tocustomer',
      'UPDATE contracts SET customer_id = $3, version = version + 1 WHERE tenant_id = $1 AND customer_id = $2',
      [tenant, from, into],
    ),
}
