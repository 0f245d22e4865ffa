import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import type { FilterOf } from '@zhuguan/contract/kit/paging.ts'

import { usePage } from '../page.tsx'
import { type Addressed, readAddress, writeAddress } from './address.ts'

/**
 * The filters of a page that is not a list, kept in its address; the filter components take it in place of a list.
 * Their names are those of the endpoints that the page asks.
 */
export function useFilters<E extends Endpoint>(): Addressed<FilterOf<E>> & {
  active: boolean
  clear: () => void
} {
  const page = usePage()
  const address = readAddress<FilterOf<E>>(page.search)
  const to = (filters: Record<string, string | undefined>) =>
    page.go(page.path + writeAddress(page.search, { filters }), { replace: true })
  return {
    address,
    filter: (...changes) => to(Object.fromEntries(changes)),
    active: page.active,
    clear: () => to(Object.fromEntries(Object.keys(address.filters).map((k) => [k, undefined]))),
  }
}
