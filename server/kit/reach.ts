import type { DataScope } from '@zhuguan/contract/features/roles/roles.record.ts'
import { EVERY_PERMISSION } from '@zhuguan/contract/kit/permits.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import { hasPlace, hasStore, whole } from './scoped.ts'
import type { SessionUser } from './serve.ts'
import type { Scope } from './tx.ts'

/** What a person's roles of one reach give together: a right counts inside the reach of the role that gives it. */
export interface Holding {
  dataScope: DataScope
  scope: Scope
  pages: readonly string[]
  labels: readonly string[]
}

const holds = (holding: Holding, label: string): boolean =>
  holding.labels.includes(label) ||
  (label.startsWith('page:')
    ? holding.pages.some((page) => pageLabel(page) === label)
    : holding.labels.includes(EVERY_PERMISSION))

const every = (lists: (readonly string[] | null | undefined)[]): string[] => [
  ...new Set(lists.flatMap((list) => list ?? [])),
]

/** Several reaches as one: the branches of all and the single sites that stand in none of them. */
export function union(
  { addresses, tenant, user }: Pick<Scope, 'addresses' | 'tenant' | 'user'>,
  scopes: readonly Scope[],
  branchOf: Branches,
): Scope {
  const base = { tenant, user, ...(addresses && { addresses }) }
  if (scopes.some(whole)) return { ...base, bcs: null, sites: null }
  const bcs = scopes.some((s) => s.bcs) ? every(scopes.map((s) => s.bcs)) : null
  const sites = every(scopes.map((s) => s.sites)).filter((site) => !bcs?.includes(branchOf.get(site) ?? ''))
  return {
    ...base,
    bcs,
    sites: bcs && sites.length === 0 ? null : sites,
    stores: every(scopes.map((s) => s.stores)),
    receivers: every(scopes.map((s) => s.receivers)),
  }
}
/** Site or store → branch, of the single sites and stores that somebody reaches. */
export type Branches = ReadonlyMap<string, string>

const HOMES = ['site:address', 'site:edit'] as const
/** The person, knowing where addresses are told: in all of their reach, in a part or nowhere (docs/decisions/0676). */
export function withAddresses(user: SessionUser): SessionUser {
  const where = (labels: readonly string[]): Told | undefined => {
    const told = reachOf(user, ...labels)
    if (!told) return undefined
    const { bcs, sites, stores } = covers(told, user.scope, user.branchOf) ? EVERYWHERE : told
    return { bcs, sites, ...(stores && { stores }) }
  }
  const homes = where(HOMES)
  const deals = where([...HOMES, 'customer:edit'])
  if (!deals) return user
  const addresses = { deals, ...(homes && { homes }) }
  const holdings = user.holdings.map((h) => ({ ...h, scope: { ...h.scope, addresses } }))
  return { ...user, holdings, scope: { ...user.scope, addresses } }
}
type Told = Pick<Scope, 'bcs' | 'sites' | 'stores'>
const EVERYWHERE: Told = { bcs: null, sites: null }

const covers = (wide: Scope, narrow: Scope, branchOf: Branches): boolean =>
  whole(wide) ||
  (!whole(narrow) &&
    (narrow.bcs ?? []).every((bc) => hasPlace(wide, bc, null)) &&
    (narrow.sites ?? []).every((site) => hasPlace(wide, branchOf.get(site) ?? null, site)) &&
    (narrow.stores ?? []).every((store) => hasStore(wide, branchOf.get(store) ?? null, store)))

/** The reach in which one of these labels counts for a person; undefined where none of their roles has one. */
export function reachOf(user: SessionUser, ...labels: readonly string[]): Scope | undefined {
  const held = user.holdings.filter((holding) => labels.some((label) => holds(holding, label)))
  if (held.length === 0) return undefined
  return union(
    user.scope,
    held.map((holding) => holding.scope),
    user.branchOf,
  )
}

/** All that a person reaches by one role or another; what is shown of it is said by the statement. */
export const widestOf = (user: SessionUser): Scope =>
  union(
    user.scope,
    user.holdings.map((holding) => holding.scope),
    user.branchOf,
  )

/** The person as a call with these labels sees them: its reach, and the operations that count in all of it. */
export function narrowed(user: SessionUser, labels: readonly string[]): SessionUser | undefined {
  const scope = reachOf(user, ...labels)
  if (!scope) return undefined
  if (user.holdings.length === 1) return user
  const permissions = user.permissions.filter((label) => covers(reachOf(user, label)!, scope, user.branchOf))
  return { ...user, scope, permissions }
}

interface Place {
  bc_id: string | null
  site_id?: string | null
  store_id?: string | null
  receiver_id?: string | null
}
/** The person as one record sees them: with the operations of the roles that reach it. */
export function actorAt(user: SessionUser, place: Place): SessionUser {
  if (user.holdings.length === 1) return user
  const { bc_id, site_id = null, store_id = null, receiver_id = null } = place
  const near = user.holdings.filter(
    (h) =>
      hasPlace(h.scope, bc_id, site_id) ||
      hasStore(h.scope, bc_id, store_id) ||
      (receiver_id !== null && !!h.scope.receivers?.includes(receiver_id)),
  )
  return { ...user, permissions: every(near.map((h) => h.labels)) }
}
