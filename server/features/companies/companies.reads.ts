import type { Tx } from '../../database/connect.ts'
import { row, type RowOf, text } from '../../kit/row.ts'

const head = row({ name: text, address: text, phone: text })
/** A branch's name on its papers. */
export async function headOf(tx: Tx, tenant: string, bc: string): Promise<RowOf<typeof head>> {
  const { rows } = await tx.query(
    'companies.head',
    head,
    `SELECT concat_ws(' ', t.name, c.bc_name) AS name, c.address, c.phone
     FROM companies c
     JOIN tenants t ON t.id = c.tenant_id
     WHERE c.tenant_id = $1 AND c.bc_id = $2`,
    [tenant, bc],
  )
  return rows[0]!
}

/** The branch of the group; nothing where there is none. */
export async function branchName(tx: Tx, tenant: string, bc: string): Promise<string | undefined> {
  const { rows } = await tx.query(
    'companies.name',
    row({ bc_name: text }),
    'SELECT c.bc_name FROM companies c WHERE c.tenant_id = $1 AND c.bc_id = $2',
    [tenant, bc],
  )
  return rows[0]?.bc_name
}
