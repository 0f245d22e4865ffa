import { int4, row } from '../../kit/row.ts'
import type { Tx } from '../../kit/tx.ts'

/** Adds up what each write has counted (docs/decisions/0691); lines written meanwhile stay and are read beside. */
export async function addUpCustomers(tx: Tx, tenant: string): Promise<number> {
  const { rows } = await tx.query(
    'customers.addup',
    row({ n: int4 }),
    `WITH gone AS (DELETE FROM customer_counts k WHERE k.tenant_id = $1 RETURNING k.*), kept AS (
       INSERT INTO customer_counts (tenant_id, bc_id, store_id, held, step, count)
       SELECT g.tenant_id, g.bc_id, g.store_id, g.held, g.step, sum(g.count)
       FROM gone g
       GROUP BY 1, 2, 3, 4, 5
       HAVING sum(g.count) <> 0
       RETURNING 1)
     SELECT ((SELECT count(*) FROM gone) - (SELECT count(*) FROM kept))::int AS n`,
    [tenant],
  )
  return rows[0]!.n
}
