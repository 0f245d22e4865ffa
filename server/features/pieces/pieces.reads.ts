import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'

import type { Tx } from '../../database/connect.ts'
import { personReaches } from '../../kit/person-reach.ts'
import { row, text, uuid } from '../../kit/row.ts'

const { accepted, arrived, ordered, shipped, toOrder, toReturn, toShip } = orderState.code
/** Headers under which a piece may still be on its way: the first of its pieces' states is one of these. */
export const MOVING_HEADERS = [ordered, toShip, shipped, arrived, toReturn].join(', ')
/** In a statement whose tenant is $1: how many pieces of the contract `c` are on their way or wait for somebody. */
export const MOVING_PIECES = `(SELECT count(*)::int FROM pieces p
           WHERE p.tenant_id = $1 AND p.contract_id = c.id AND p.order_state NOT IN (${toOrder}, ${accepted}))`

/**
 * Of items of a contract: the quantity that deliveries hold and no change can take (docs/states.md): everything but
 * what is open, and what went back for good and was left to the contract.
 */
export async function committed(
  tx: Tx,
  tenant: string,
  items: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await tx.query(
    'pieces.committed',
    row({ id: uuid, quantity: text }),
    `SELECT p.item_id AS id, trim_scale(sum(p.quantity))::text AS quantity
     FROM pieces p
     WHERE p.tenant_id = $1 AND p.item_id = ANY ($2::uuid[]) AND p.counts AND p.place NOT IN ('open', 'dropped')
       AND NOT (p.place = 'back' AND p.free)
     GROUP BY p.item_id`,
    [tenant, items],
  )
  const held = new Map(rows.map((r) => [r.id, r.quantity]))
  return new Map(items.map((id) => [id, held.get(id) ?? '0']))
}

/** Whose role has this right for a company or a store that receives orders. */
export async function peopleOfReceiver(
  tx: Tx,
  tenant: string,
  receiver: string,
  label = 'order:receive',
): Promise<string[]> {
  const { rows } = await tx.query(
    'pieces.people',
    row({ id: uuid }),
    `SELECT DISTINCT u.id
     FROM role_powers p
     JOIN roles r ON r.tenant_id = $1 AND r.id = p.role_id AND r.status = 1
     JOIN user_roles ur ON ur.tenant_id = $1 AND ur.role_id = r.id
     JOIN users u ON u.tenant_id = $1 AND u.id = ur.user_id
     CROSS JOIN (SELECT $3::uuid AS bc_id, $3::uuid AS store_id, NULL::uuid AS manager_id, NULL::uuid AS steward_id) x
     WHERE p.tenant_id = $1 AND p.label = $2 AND r.data_scope IN ('branches', 'stores')
       AND ${personReaches('$1', 'u', 'r', 'x')}`,
    [tenant, label, receiver],
  )
  return rows.map((r) => r.id)
}
