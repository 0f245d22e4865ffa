import type { Scope, Tx } from '../../database/connect.ts'
import { row, uuid } from '../../kit/row.ts'
import { scopedShared } from '../../kit/scoped.ts'

export { productsById, receiversOf } from './products.queries.ts'

/** Of these products those that are in reach and can stand in a document of this branch, or of the whole group. */
export async function soldTo(
  tx: Tx,
  scope: Scope,
  { bc, ids }: { bc: string | null; ids: readonly string[] },
): Promise<Set<string>> {
  const where = scopedShared(scope, 'p')
    .add((p) => `p.id = ANY (${p}::uuid[])`, ids)
    .add((p) => `(p.bc_id IS NULL OR p.bc_id = ${p}::uuid)`, bc)
  const { rows } = await tx.query(
    'products.soldto',
    row({ id: uuid }),
    `SELECT p.id FROM products p WHERE ${where.text}`,
    where.values,
  )
  return new Set(rows.map((r) => r.id))
}

/** The branch that is asked for, where something of it is in reach; else two of those that are. */
export async function branchesIn(tx: Tx, scope: Scope, asked: string | undefined): Promise<string[]> {
  const where = scopedShared(scope, 'c').when(asked, (p) => `c.bc_id = ${p}::uuid`)
  const { rows } = await tx.query(
    'products.branches',
    row({ bc_id: uuid }),
    `SELECT c.bc_id FROM companies c WHERE ${where.text} LIMIT 2`,
    where.values,
  )
  return rows.map((r) => r.bc_id)
}
