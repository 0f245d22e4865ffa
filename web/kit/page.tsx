import { createContext, use, useEffect } from 'react'

/** A page's own place in the address. A kept page that is hidden keeps the address it had. */
export interface PagePlace {
  path: string
  search: string
  active: boolean
  /** Whoever looks sees one branch: which one is said nowhere. */
  oneBranch?: boolean
  /** The tab that it stands in. */
  tab?: string
  go: (to: string, options?: { replace?: boolean }) => void
  /** Says on the page's tab whose it is. */
  name?: (title: string) => void
}
const Place = createContext<PagePlace>({ path: '/', search: '', active: true, go: () => {} })
export const PageProvider = Place.Provider
export const usePage = () => use(Place)
/** The tab of a detail page bears the record's name. */
export function usePageName(title: string | undefined): void {
  const { name } = usePage()
  useEffect(() => {
    if (title) name?.(title)
  }, [title])
}
export const useParam = (name: string): string | null => new URLSearchParams(usePage().search).get(name)
