import type { Scope } from '../../database/connect.ts'
import { reaching } from '../../kit/scoped.ts'
import { contains, type Where } from '../../kit/statement.ts'

/** Workers of the caller's branches; of single sites, those who are or were on them. */
export const workerScope = (scope: Scope): Where =>
  reaching(scope, 'k', {
    branch: (p) => `k.bc_id = ANY(${p}::uuid[])`,
    site: (p) =>
      `EXISTS (SELECT 1 FROM site_members m WHERE m.tenant_id = $1 AND m.worker_id = k.id
           AND m.site_id = ANY(${p}::uuid[]))`,
  }).plain('k.deleted_at IS NULL')

/** By number and name; by phone too for who may read phones. */
export const matching = (where: Where, keyword: string | undefined, phones: boolean): Where =>
  where.when(
    keyword || undefined,
    (p) => (phones ? `(k.search LIKE ${p} OR k.w_contact LIKE ${p})` : `k.search LIKE ${p}`),
    contains,
  )
