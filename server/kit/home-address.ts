import { whole } from './scoped.ts'
import type { Where } from './statement.ts'
import type { Scope } from './tx.ts'

/** Columns that say where a row is: that of a home by its site, that of a deal by its store. */
type Places = { bc: string } & ({ site: string } | { store: string; site?: string })
/** SQL: the address of this row's home is told to who asks (docs/decisions/0676). Values follow those of `where`. */
export function isAddressTold(where: Where, scope: Scope, of: Places): string {
  const addresses = scope.addresses?.['store' in of ? 'deals' : 'homes']
  if (!addresses) return 'false'
  if (whole(addresses)) return 'true'
  const among = (column: string | undefined, ids: readonly string[] | null | undefined): string[] =>
    column && ids?.length ? [`${column} = ANY(${where.asked(ids, 'uuid[]')}::uuid[])`] : []
  const any = [
    ...among(of.bc, addresses.bcs),
    ...among(of.site, addresses.sites),
    ...among('store' in of ? of.store : undefined, addresses.stores),
  ]
  return any.length ? `coalesce(${any.join(' OR ')}, false)` : 'false'
}
/** SQL of an address where `told` (as `isAddressTold` says it, or more) holds, else of `otherwise`. */
export const toldText = (told: string, column: string, otherwise = `''`): string =>
  `CASE WHEN ${told} THEN ${column} ELSE ${otherwise} END`
/** SQL of a home's address for who works there; others read `otherwise`, its community where nothing else says that. */
export const addressText = (
  where: Where,
  scope: Scope,
  column: string,
  of: Places,
  otherwise?: string,
): string => toldText(isAddressTold(where, scope, of), column, otherwise)

/**
 * SQL of the address of a deal: until it is signed for who writes the store's customers, from the signature on, which
 * `signed` says, it is that of the home and for who works there.
 */
export function dealAddress(
  where: Where,
  scope: Scope,
  column: string,
  { bc, site, store, signed }: { bc: string; store: string; site: string; signed: string },
): string {
  const home = isAddressTold(where, scope, { bc, site })
  return toldText(
    `CASE WHEN ${signed} THEN ${home} ELSE ${isAddressTold(where, scope, { bc, store })} END`,
    column,
  )
}

/** SQL of a coordinate of a home, to half a kilometre where its address is not told: a community, and no door. */
export const roundPoint = (column: string, told: string): string =>
  told === 'true' ? column : `CASE WHEN ${told} THEN ${column} ELSE round(${column} * 200) / 200 END`

/** The words of a site `x` that everybody knows: all that is looked through but the address. */
const known = (x: string): string =>
  `translate(lower(${x}.code || '|' || ${x}.ws_name || '|' || ${x}.community || '|'
         || coalesce(${x}.initials, '')), ' 　', '')`
/**
 * How a site `x` is named by `p` (as of `contains`): by number, name, community or first letters, and by its address
 * where that is told. The index answers the first half.
 */
export function siteNamed(where: Where, scope: Scope, x: string): (p: string) => string {
  const told = isAddressTold(where, scope, { bc: `${x}.bc_id`, site: `${x}.id` })
  return (p) =>
    told === 'true'
      ? `${x}.search LIKE ${p}`
      : `(${x}.search LIKE ${p} AND (${told} OR ${known(x)} LIKE ${p}))`
}
