import type { Scope, Tx } from '../../database/connect.ts'
import { found } from '../../kit/refuse.ts'
import { row, text } from '../../kit/row.ts'
import { reaching } from '../../kit/scoped.ts'
import { contains, type Where } from '../../kit/statement.ts'

/** Workers of the caller's branches; of single sites, those who are or were on them, and those who lead them. */
export const workerScope = (scope: Scope): Where =>
  reaching(scope, 'k', {
    branch: (p) => `k.bc_id = ANY(${p}::uuid[])`,
    site: (p) =>
      `(EXISTS (SELECT 1 FROM site_members m WHERE m.tenant_id = $1 AND m.worker_id = k.id
           AND m.site_id = ANY(${p}::uuid[]))
         OR k.user_id IN (SELECT unnest(ARRAY[o.manager_id, o.steward_id]) FROM sites o
           WHERE o.tenant_id = $1 AND o.id = ANY(${p}::uuid[])))`,
  }).plain('k.deleted_at IS NULL')

/** The worker's name, where they are inside the reach. */
export async function seesWorker(tx: Tx, scope: Scope, id: string) {
  const where = workerScope(scope).add((p) => `k.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'workers.seen',
    row({ w_name: text }),
    `SELECT k.w_name FROM workers k WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}
/** Refuses, unless the worker is one of those that the caller sees. */
export const unlessStrange = async (tx: Tx, scope: Scope, worker: string): Promise<void> =>
  void found(await seesWorker(tx, scope, worker))

/** By number and name; by phone too for who may read phones. */
export const matching = (where: Where, keyword: string | undefined, phones: boolean): Where =>
  where.when(
    keyword || undefined,
    (p) => (phones ? `(k.search LIKE ${p} OR k.w_contact LIKE ${p})` : `k.search LIKE ${p}`),
    contains,
  )

/** The account of a worker who leads sites; of other trades there is none. */
export const accountOf = (p: string): string =>
  `(SELECT k.user_id FROM workers k WHERE k.tenant_id = $1 AND k.id = ${p}::uuid AND k.w_type IN (1, 2))`
