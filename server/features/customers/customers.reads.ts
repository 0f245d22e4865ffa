import type { Tx } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'
import { row, text } from '../../kit/row.ts'

export { customerInReach, lockCustomer as customerOf, OVERDUE, pickCustomers } from './customers.queries.ts'

/** Nothing is sent to a customer who does not want to hear from us; null is nobody that we know. */
export async function unlessRefusing(tx: Tx, tenant: string, customer: string | null): Promise<void> {
  if (customer === null) return
  const { rows } = await tx.query(
    'customers.refusing',
    row({ name: text }),
    'SELECT k.name FROM customers k WHERE k.tenant_id = $1 AND k.id = $2 AND k.refuses',
    [tenant, customer],
  )
  if (rows[0]) throw new Refused(`${rows[0].name} 拒绝联系，不能再给他发内容`)
}
