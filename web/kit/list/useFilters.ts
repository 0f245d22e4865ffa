import { usePage } from '../page.tsx'
import { readAddress, writeAddress } from './address.ts'

/** The filters of a page that is not a list, kept in its address; the filter components take it in place of a list. */
export function useFilters() {
  const page = usePage()
  const address = readAddress(page.search)
  const to = (filters: Record<string, string | undefined>) =>
    page.go(page.path + writeAddress(page.search, { filters }), { replace: true })
  return {
    address,
    filter: to,
    active: page.active,
    clear: () => to(Object.fromEntries(Object.keys(address.filters).map((k) => [k, undefined]))),
  }
}
