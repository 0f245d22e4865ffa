import { useQueryClient } from '@tanstack/react-query'
import { subsystem } from '@zhuguan/contract/features/session/session.record.ts'
import { isPage, PAGES, type Page, type PageName } from '@zhuguan/contract/pages.ts'
import { Activity, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { hasUnsaved, showsTab } from '../kit/form/unsaved.ts'
import { message } from '../kit/notices.ts'
import { PageProvider } from '../kit/page.tsx'
import { useBranches } from '../parts/places.tsx'
import { useRememberVisit } from '../parts/recent.ts'
import { entriesOf, everyEntryOf, landing, switchSystem, useSession } from '../parts/session.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Layout } from './layout/Layout.tsx'
import { fetchesAhead, PAGE_COMPONENTS, prefetchRows } from './pages.tsx'
import { keepTabs, keptTabs, keyOf, type Tab, withTab } from './tabs.ts'

const openPage = (path: string): PageName | undefined =>
  (Object.entries(PAGES) as [PageName, Page][]).find(
    ([name, p]) => p.path === path && (p.shell === 'open' || name === 'NoAccess' || name === 'ServerError'),
  )?.[0]

/** The menu is newer than the program in this browser. */
const NewerPage = () => <p className="page-wait">系统已经更新，请刷新浏览器后再打开这个页面。</p>

const isKnownPath = (path: string) => Object.values(PAGES).some((p) => p.path === path)

/** Follows a link into another subsystem of the user's; the menu changes, so it is said, with the way back. */
function useCrossing(): { follow: (pathname: string) => boolean; remember: (address: string) => void } {
  const navigate = useNavigate()
  const { state } = useLocation() as { state: unknown }
  const from = useRef<string | null>(null)
  return {
    remember: (address) => void (from.current = address),
    follow(pathname) {
      const to = switchSystem(pathname)
      const back = from.current
      if (to && back && state !== BACK)
        message.info(`已切换到${subsystem.label(to)}`, {
          label: '返回',
          run: () => void navigate(back, { state: BACK }),
        })
      return !!to
    },
  }
}
const BACK = 'back'

/** Session or not, address → page (docs/product.md). */
export function Shell({ signedIn }: { signedIn: boolean }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const open = openPage(pathname)
  useEffect(() => {
    // A link that is opened in a tab of ours is another application, which index.html loads.
    if (open === 'Preview') location.reload()
  }, [open])
  useEffect(() => {
    if (!signedIn && pathname !== '/Preview' && pathname !== '/404') location.reload()
  }, [signedIn, pathname])
  if (open === 'Preview') return null
  if (
    open &&
    open !== 'Login' &&
    (!signedIn || PAGES[open].shell === 'open' || open === 'NoAccess' || open === 'ServerError')
  ) {
    const Open = PAGE_COMPONENTS[open]!
    return (
      <PageProvider value={{ path: pathname, search: '', active: true, go: (to) => void navigate(to) }}>
        <Open />
      </PageProvider>
    )
  }
  return signedIn ? <SignedIn /> : null
}

function SignedIn() {
  const session = useSession()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [tabs, setTabs] = useState<Tab[]>(keptTabs)
  useEffect(() => fetchesAhead(client), [client])
  useEffect(() => keepTabs(tabs), [tabs])
  const [round, setRound] = useState<Record<string, number>>({})
  const entries = useMemo(() => entriesOf(session), [session])
  const paths = useMemo(() => new Set(everyEntryOf(session).map((e) => e.item.path)), [session])
  /** Open in another subsystem: it waits there for one's return. */
  const isElsewhere = (t: Tab) => paths.has(t.path) && !entries.some((e) => e.item.path === t.path)
  const crossing = useCrossing()
  const entry = entries.find((e) => e.item.path === pathname)
  const known = entry && isPage(entry.item.componentName) ? entry : undefined
  const page = known && PAGES[known.item.componentName as PageName]
  const isScreen = page?.shell === 'screen'
  useRememberVisit(known?.item.visible && pathname !== '/HomeMaster' ? pathname : null)
  const key = page ? keyOf(page, search, !known.item.visible) : pathname
  // Before the forms of the tab that is left are told that they are hidden.
  useLayoutEffect(() => showsTab(key), [key])
  const refreshing = pathname.startsWith('/redirect/')
  const isNew = !tabs.some((t) => t.key === key)
  useLayoutEffect(() => {
    if (known && isNew && !refreshing) prefetchRows(client, known.item.componentName, search)
  }, [key])

  useEffect(() => {
    if (refreshing) {
      const to = pathname.slice('/redirect'.length)
      setRound((r) => ({ ...r, [to]: (r[to] ?? 0) + 1 }))
      // What is mounted anew must be fetched anew, however fresh the cache is.
      client.removeQueries({ type: 'inactive' })
      void client.invalidateQueries()
      void navigate(to + search, { replace: true })
    } else if (pathname === '/' || pathname === '/login' || pathname === '/Login')
      void navigate(landing(), { replace: true })
    else if (!known && crossing.follow(pathname)) return
    // A page of the product that is not in one's menus is not one's to open; whatever else is a mistyped address.
    else if (!known)
      void navigate(isKnownPath(pathname) || !entries.length ? '/401' : '/404', { replace: true })
  }, [pathname, search, known, refreshing, entries.length, navigate])

  useEffect(() => {
    if (!known || refreshing) return
    localStorage.setItem('path', pathname + search)
    crossing.remember(pathname + search)
    if (known.item.memoryRouter || known.item.keepAlive) sessionStorage.setItem(`left:${pathname}`, search)
    if (isScreen) return
    const tab: Tab = {
      key,
      path: pathname,
      search,
      name: known.item.componentName as PageName,
      title: known.item.name,
      keep: known.item.keepAlive,
      pinned: pathname === '/HomeMaster',
    }
    setTabs((old) => withTab(old, tab))
  }, [key, pathname, search, known, refreshing])

  // A page that was taken away while it was open closes, unless something there is not saved.
  useEffect(() => setTabs((old) => old.filter((t) => paths.has(t.path) || hasUnsaved(t.key))), [paths])

  const oneBranch = useBranches().length < 2
  const current = tabs.find((t) => t.key === key)
  if (known && isScreen && !session.info.user.mustChange)
    return <Screen name={known.item.componentName as PageName} />
  return (
    <Layout
      tabs={tabs.filter((t) => !isElsewhere(t))}
      current={key}
      entry={known ?? null}
      onTabs={(left) => setTabs((old) => [...old.filter(isElsewhere), ...left])}
    >
      {(session.info.user.mustChange ? [] : tabs)
        .filter((t) => t.keep || t.key === key || hasUnsaved(t.key))
        .map((t) => {
          const Component = PAGE_COMPONENTS[t.name] ?? NewerPage
          const active = t.key === key
          const value = {
            path: t.path,
            search: active ? search : t.search,
            active,
            oneBranch,
            tab: t.key,
            go: (to: string, o?: { replace?: boolean }) => void navigate(to, o),
            name: (title: string) =>
              setTabs((old) =>
                old.some((x) => x.key === t.key && x.title !== title)
                  ? old.map((x) => (x.key === t.key ? { ...x, title } : x))
                  : old,
              ),
          }
          return (
            <Activity key={`${t.key}#${round[t.path] ?? 0}`} mode={active ? 'visible' : 'hidden'}>
              <ErrorBoundary place={t.key}>
                <PageProvider value={value}>
                  <Component />
                </PageProvider>
              </ErrorBoundary>
            </Activity>
          )
        })}
      {!current && <div className="page-wait" aria-busy="true" />}
    </Layout>
  )
}

/** A page that fills the window: no menu, no tabs. */
function Screen({ name }: { name: PageName }) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const Component = PAGE_COMPONENTS[name] ?? NewerPage
  const oneBranch = useBranches().length < 2
  useEffect(() => {
    const before = document.title
    document.title = `${PAGES[name].title} · 筑管`
    return () => void (document.title = before)
  }, [name])
  const go = (to: string, options?: { replace?: boolean }) => void navigate(to, options)
  return (
    <ErrorBoundary place={pathname}>
      <PageProvider value={{ path: pathname, search, active: true, oneBranch, go }}>
        <Component />
      </PageProvider>
    </ErrorBoundary>
  )
}
