import { type Page, type PageName, PAGES } from '@zhuguan/contract/pages.ts'

import { hasUnsaved } from '../kit/form/unsaved.ts'

export interface Tab {
  /** The address without what is filtered; a detail page has one tab a record. */
  key: string
  path: string
  search: string
  name: PageName
  title: string
  keep: boolean
  pinned: boolean
}

/** The site, worker … that an address of this page is about; null where it names none. */
export const recordOf = (page: Page, search: string) => new URLSearchParams(search).get(page.names ?? 'id')

/** The tab of this address: pages outside the menus have one a record. */
export function keyOf(page: Page, search: string, hidden: boolean): string {
  const record = hidden ? recordOf(page, search) : null
  return record ? `${page.path}?${page.names ?? 'id'}=${record}` : page.path
}

/** Two pages about the same site, worker, home or manager: one goes where the other stood. */
function aboutSame(a: Tab, b: Tab): boolean {
  const [of, other] = [PAGES[a.name], PAGES[b.name]]
  const record = recordOf(of, a.search)
  return (
    !!of.dimension && of.dimension === other.dimension && !!record && record === recordOf(other, b.search)
  )
}

/**
 * The open tabs when `tab` is opened. It takes the tag of another page about the same record, with the name that it
 * bears, unless that one is pinned or holds what is not saved.
 */
export function withTab(old: Tab[], tab: Tab): Tab[] {
  const known = old.find((t) => t.key === tab.key)
  if (known) return old.map((t) => (t === known ? { ...tab, title: t.title, pinned: t.pinned } : t))
  const taken = old.find((t) => !t.pinned && !hasUnsaved(t.key) && aboutSame(t, tab))
  return taken ? old.map((t) => (t === taken ? { ...tab, title: t.title } : t)) : [...old, tab]
}

const KEPT = 'tabs'
/** The tabs of before the page was loaded anew. */
export function keptTabs(): Tab[] {
  try {
    const tabs = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]') as Tab[]
    // They were kept by another version of the program, which may have known other pages.
    return tabs.filter((t) => t.name in PAGES)
  } catch {
    return []
  }
}
export const keepTabs = (tabs: readonly Tab[]): void => sessionStorage.setItem(KEPT, JSON.stringify(tabs))
