import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { row, uuid } from '../../kit/row.ts'
import { type Content, contentOf } from './content.queries.ts'
import { quotationAt, type ShownQuotation } from './quotations.queries.ts'

export { isShownVersion } from './quotation-link.ts'
export { sharedQuotation } from './shared-quotation.ts'

export interface FrozenVersion {
  quotation: ShownQuotation
  content: Content
}
/** The newest version of a quotation in reach that was approved, with all that stands in it, costs among them. */
export async function latestApproved(tx: Tx, scope: Scope, id: string): Promise<FrozenVersion | undefined> {
  const one = await quotationAt(tx, scope, { id })
  if (!one) return undefined
  const { rows } = await tx.query(
    'quotations.approved',
    row({ id: uuid }),
    `SELECT v.id FROM quotation_versions v
     WHERE v.tenant_id = $1 AND v.quotation_id = $2 AND v.examine_state = ${examineState.code.approved}
     ORDER BY v.number DESC
     LIMIT 1`,
    [scope.tenant, id],
  )
  return rows[0] && frozenVersion(tx, scope, { id, version_id: rows[0].id })
}
/** A version that was submitted once, with all that stands in it. */
async function frozenVersion(
  tx: Tx,
  scope: Scope,
  { id, version_id }: { id: string; version_id: string },
): Promise<FrozenVersion | undefined> {
  const quotation = await quotationAt(tx, scope, { id, version_id })
  return quotation && { quotation, content: await contentOf(tx, scope.tenant, version_id) }
}
