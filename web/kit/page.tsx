import { createContext, use } from 'react'

/** A page's own place in the address. A kept page that is hidden keeps the address it had. */
export interface PagePlace {
  path: string
  search: string
  active: boolean
  go: (to: string, options?: { replace?: boolean }) => void
}
const Place = createContext<PagePlace>({ path: '/', search: '', active: true, go: () => {} })
export const PageProvider = Place.Provider
export const usePage = () => use(Place)
export const useParam = (name: string): string | null => new URLSearchParams(usePage().search).get(name)
