import { settled, Where } from './statement.ts'
import type { Scope } from './tx.ts'

type Condition = (p: string) => string

/** No branch and no site is singled out: all of the tenant. */
export const whole = (scope: Pick<Scope, 'bcs' | 'sites'>): boolean => !scope.bcs && !scope.sites
/** The reach of a whole group, for work that nobody in particular does. */
export const wholeGroup = (tenant: string): Scope => ({ tenant, bcs: null, sites: null, user: null })
/** All of a branch is inside. */
export const hasBranch = (scope: Scope, bc: string | null): boolean =>
  whole(scope) || (bc !== null && !!scope.bcs?.includes(bc))
/** A row of this branch and site is inside; a row without one of them is reached by the other. */
export const hasPlace = (scope: Scope, bc: string | null, site: string | null): boolean =>
  hasBranch(scope, bc) || (site !== null && !!scope.sites?.includes(site))
/** A row of this branch and store is inside; without a store it is the branch's alone. */
export const hasStore = (scope: Scope, bc: string | null, store: string | null): boolean =>
  hasBranch(scope, bc) || (store !== null && !!scope.stores?.includes(store))

const following = (after: Where | undefined): Where => (after ? settled(after) : new Where())

/**
 * Rows inside the scope, where a branch and a site each say what of theirs that is. Who sees single sites may see
 * something of their `own` instead of something of the sites.
 * Values follow those of `after`, where the same statement asks something else first.
 */
export function reaching(
  scope: Scope,
  alias: string,
  by: { branch: Condition; site: Condition; own?: string; after?: Where | undefined },
): Where {
  const where = following(by.after).add((p) => `${alias}.tenant_id = ${p}::uuid`, scope.tenant)
  if (whole(scope)) return where
  return where.either([
    ...(scope.bcs ? [[by.branch, scope.bcs] as const] : []),
    ...(scope.sites ? [[by.site, by.own ?? scope.sites] as const] : []),
  ])
}

/**
 * The data scope, literally in the statement: tenant, branches, sites of `alias` (row-level security asks the same again).
 * `site` is the column that names the site.
 */
export const scoped = (scope: Scope, alias: string, { site = 'site_id' }: { site?: string } = {}): Where =>
  reaching(scope, alias, {
    branch: (p) => `${alias}.bc_id = ANY(${p}::uuid[])`,
    site: (p) => `${alias}.${site} = ANY(${p}::uuid[])`,
  })

/** The sites a caller may see, under the alias `w`. */
export const siteScope = (scope: Scope): Where =>
  scoped(scope, 'w', { site: 'id' }).plain('w.deleted_at IS NULL')

/** Rows of branches: those that are listed, and those that the listed sites belong to. */
export const scopedBranches = (scope: Scope, alias: string): Where =>
  reaching(scope, alias, {
    branch: (p) => `${alias}.bc_id = ANY(${p}::uuid[])`,
    site: (p) =>
      `${alias}.bc_id IN (SELECT k.bc_id FROM sites k WHERE k.tenant_id = ${alias}.tenant_id
           AND k.id = ANY(${p}::uuid[]))`,
  })

/** Rows of branches and of stores, with or without a site: customers, quotations, contracts. */
export function scopedStores(scope: Scope, alias: string): Where {
  const where = new Where().add((p) => `${alias}.tenant_id = ${p}::uuid`, scope.tenant)
  if (whole(scope)) return where
  return where.either([
    [(p) => `${alias}.bc_id = ANY(${p}::uuid[])`, scope.bcs ?? []],
    ...(scope.stores?.length
      ? [[(p: string) => `${alias}.store_id = ANY(${p}::uuid[])`, scope.stores] as const]
      : []),
  ])
}

/** What belongs to the whole group, and what belongs to a branch of which something is in reach. */
export function scopedShared(scope: Scope, alias: string): Where {
  const where = new Where().add((p) => `${alias}.tenant_id = ${p}::uuid`, scope.tenant)
  if (whole(scope)) return where
  const of = (table: string) => (p: string) =>
    `${alias}.bc_id IN (SELECT k.bc_id FROM ${table} k WHERE k.tenant_id = $1 AND k.id = ANY(${p}::uuid[]))`
  return where.either([
    [(p) => `(${alias}.bc_id IS NULL OR ${alias}.bc_id = ANY(${p}::uuid[]))`, scope.bcs ?? []],
    ...(scope.sites?.length ? [[of('sites'), scope.sites] as const] : []),
    ...(scope.stores?.length ? [[of('stores'), scope.stores] as const] : []),
  ])
}

/** Which of the two parties of a row the caller is, as a statement says it. */
export interface Parties {
  where: Where
  buyer: string
  receiver: string
}
/**
 * What the caller's own side placed and owes; for who only receives, what is placed with them and owed to them. Both
 * together would be a sum of two populations: what we owe and what we are owed.
 */
export const ownSide = ({ buyer, receiver }: Pick<Parties, 'buyer' | 'receiver'>): string =>
  buyer === 'false' ? receiver : buyer
/**
 * Rows of two parties: of the branch and site that they are for, and of the company or store that receives them. Values
 * follow those of `after`, where one statement asks it of several tables.
 */
export function scopedParties(
  scope: Scope,
  alias: string,
  { site = true, after }: { site?: boolean; after?: Where } = {},
): Parties {
  const where = following(after).add((p) => `${alias}.tenant_id = ${p}::uuid`, scope.tenant)
  if (whole(scope)) return { where, buyer: 'true', receiver: 'true' }
  const among = (column: string, ids: readonly string[] | null | undefined): string[] =>
    ids?.length ? [`${alias}.${column} = ANY($${where.values.push(ids)}::uuid[])`] : []
  const own = [...among('bc_id', scope.bcs), ...(site ? among('site_id', scope.sites) : [])]
  const received = among('receiver_id', scope.receivers)
  const any = (parts: readonly string[]) => (parts.length ? `(${parts.join(' OR ')})` : 'false')
  where.plain(any([...own, ...received]))
  return { where, buyer: any(own), receiver: any(received) }
}
