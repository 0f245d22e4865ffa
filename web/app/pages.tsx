import type { QueryClient } from '@tanstack/react-query'
import { PAGES } from '@zhuguan/contract/pages.ts'
import type { ComponentType } from 'react'

import HomeMasterPage from '../features/home/HomeMasterPage.tsx'
import SiteListPage, { ahead as aheadOfSites } from '../features/sites/SiteListPage.tsx'
import type { Ahead } from '../kit/ahead.ts'
import { barePart, herePart, type Part } from '../kit/barePart.tsx'

interface PageFile {
  default: ComponentType
  ahead?: Ahead
}
/**
 * A page is the file that is named for it: `AlarmEvent` is features/alarms/AlarmEventPage.tsx. What a link opens is no
 * part of this application (LinkApp.tsx).
 */
const FILES = import.meta.glob<PageFile>([
  '../features/*/*Page.tsx',
  '!../features/home/HomeMasterPage.tsx',
  '!../features/sites/SiteListPage.tsx',
  '!../features/links/PreviewPage.tsx',
])
const nameOf = (file: string) => file.slice(file.lastIndexOf('/') + 1, -'Page.tsx'.length)
const loads = new Map(Object.entries(FILES).map(([file, load]) => [nameOf(file), load]))
const Wait = () => <div className="page-wait" aria-busy="true" />
/** Component names come from the server and are data: only the names of pages become components. */
export const PAGE_COMPONENTS: Readonly<Record<string, Part<object>>> = {
  ...Object.fromEntries([...loads].map(([name, load]) => [name, barePart(load, Wait)])),
  HomeMaster: herePart(HomeMasterPage),
  // The first list travels with the application, and with it what all lists share: fewer requests, no more bytes.
  SiteList: herePart(SiteListPage),
}
/** Fetches a page's code before it is clicked. */
export const prefetchPage = (name: string): void => PAGE_COMPONENTS[name]?.ahead()
/** Asks what a page will ask for, as soon as its code is there. */
export function prefetchRows(client: QueryClient, name: string, search = ''): void {
  if (name === 'SiteList') aheadOfSites(client, search)
  else
    loads
      .get(name)?.()
      .then((page) => page.ahead?.(client, search))
      .catch(() => {})
}

const byPath: ReadonlyMap<string, string> = new Map(
  Object.entries(PAGES).map(([name, { path }]) => [path, name]),
)
/** The code behind any link is fetched when the pointer comes to it, its rows or record when it is pressed. */
export function fetchesAhead(client: QueryClient): () => void {
  let under: Element | null = null
  const linkAt = ({ target }: Event) =>
    target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="#/"]') : null
  const said = (link: Element): [name: string | undefined, search: string] => {
    const [path = '', search] = link.getAttribute('href')!.slice(1).split('?')
    return [byPath.get(path), search ? `?${search}` : '']
  }
  // A pointer that moves: what is drawn under one that rests is nobody's wish.
  const moved = (e: Event) => {
    const link = linkAt(e)
    if (link === under) return
    under = link
    const [name] = link ? said(link) : []
    if (name) prefetchPage(name)
  }
  const pressed = (e: PointerEvent) => {
    const link = e.button === 0 && linkAt(e)
    const [name, search] = link ? said(link) : []
    if (!name) return
    prefetchPage(name)
    prefetchRows(client, name, search)
  }
  addEventListener('pointermove', moved, { passive: true })
  addEventListener('pointerdown', pressed, { passive: true })
  return () => {
    removeEventListener('pointermove', moved)
    removeEventListener('pointerdown', pressed)
  }
}
