import { Where } from './statement.ts'
import type { Scope } from './tx.ts'

/**
 * The data scope, literally in the statement: tenant, branches, sites of `alias` (row-level security asks the same again).
 * `site` is the column that names the site; null where the table has none.
 */
export function scoped(
  scope: Scope,
  alias: string,
  { bc = 'bc_id', site = 'site_id' }: { bc?: string | null; site?: string | null } = {},
): Where {
  const where = new Where().add((p) => `${alias}.tenant_id = ${p}::uuid`, scope.tenant)
  if (bc && scope.bcs) where.add((p) => `${alias}.${bc} = ANY(${p}::uuid[])`, scope.bcs)
  if (site && scope.sites) where.add((p) => `${alias}.${site} = ANY(${p}::uuid[])`, scope.sites)
  return where
}
